package a

// Expected: a brace or quote too few costs the member it stands in at most.
class First {
    void one() {
        if (x) {
            call()
    }

    void two() { call("open) }

    int three(int a {
        a
    }

    void four() { }
}

class Second extends {
    def s = "never closed
    void five() { }
    ) ] }

class Third {
    void six() { }
/* open
    void seven() { }
