/*
 * Copyright 2024 Someone
 */
package acme.store

import acme.codec.Codec
import static java.util.Collections.emptyList
import java.util.concurrent.*
import acme.base.Log as Logger
import static acme.base.Names.*

/**
 * Keeps values. Expected: types with members, kinds and bases; fields,
 * constants, constructors; overloads each once; nothing of the bodies but calls.
 *
 * @author someone
 */
@CompileStatic
abstract class Store<K, V extends Comparable<V>> extends Base<K> implements Closeable, acme.base.Named {
    static final int SIZE = 10
    private final Map<K, List<V>> values = [:], spare
    def codec = new Codec(level: 3)
    String name
    @Lazy
    protected Logger log = { it.toString() }

    Store(String name) {
        this.name = name
    }

    /** Gets a value. */
    V get(K key) {
        def local = codec.decode(key)
        if (local) { return values.get(key) }
        "text with ${codec.call("inner }")} braces {"
    }

    V get(K key, V fallback = null, int... rest) throws IOException, StoreException {
        return fallback
    }

    abstract void close()

    @Override
    @Deprecated
    public <T> T convert(Class<T> type) { type.cast(this) }

    def "quoted name"() {}

    private static boolean matches(String s) {
        s =~ /a "quote/ || s / 2 > 1 || s ==~ $/x{/$
    }

    static void main(String[] args) {
        new Runner().run(args)
    }

    static class Nested {
        int a
        enum Mode { FAST, SLOW(2) { int x() { 1 } }, /** The default. */ USUAL
            int cost
            int cost() { cost }
        }
    }
    interface Listener { void changed(String key); int LEVEL = 1 }
    @interface Marked { String value() default "" }
}

trait Größe { abstract int größe() }
record Point(int x, int y) {}
enum Level {
    // Low.
    LOW,
    HIGH;

    final int n = 1
}
