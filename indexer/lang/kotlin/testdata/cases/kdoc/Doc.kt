/*
 * Copyright 2020 Somebody. Licensed under something.
 */
package doc

/**
 * Keeps [items][Item] in `order`. More of it.
 *
 * @property size how many there are. Really.
 * @param T what is kept
 */
@Suppress("x")
class Box<T>(val size: Int, /** The name. */ val name: String) {
    /** Adds [item]. */
    @Throws(IOException::class)
    fun add(item: T) {}

    // no documentation
    fun none() {}

    /* nor this */
    fun neither() {}

    /** far away */

    val near = 1 /** behind */
    val next = 2
}
