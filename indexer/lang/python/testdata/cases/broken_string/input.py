"""An unclosed string. Expected: class Before as it is; what
stands after the quotes may be code, so it is reported too."""


class Before:
    def method(self):
        return 1


text = """never closed

def inside():
    pass


class Inside:
    pass
