#!/usr/bin/env kotlin
@file:DependsOn("a:b:1")
// Expected: statements of a script define variables and functions.
import java.io.File

val (first, second) = args
var count = 0
for (line in File(first).readLines()) {
    val local = line.trim()
    count += local.length
}
fun report(n: Int) { println(n) }
report(count)
