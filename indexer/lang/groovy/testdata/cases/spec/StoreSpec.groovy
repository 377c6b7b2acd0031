package acme.store

import spock.lang.Specification
import spock.lang.Unroll

// Expected: features as methods named by their strings, in test code; the same
// name twice is there twice.
class StoreSpec extends Specification {

    @Shared Store store = new Store("x")

    def setup() {
        store.clear()
    }

    def "keeps a value"() {
        given:
        store.put("a", 1)

        expect: 'it is there'
        store.get("a") == 1
    }

    @Unroll
    void 'gives #b for "#a"'(String a, int b) {
        expect:
        store.get(a) == b

        where:
        a   || b
        "x" || 1
        "y" || 2
    }

    def "keeps a value"() {
        expect: true
    }

    def """in three
    quotes"""() { }
}
