"""An unclosed bracket. Expected: the definitions before and after it."""


def before():
    return [1, 2]


class Holder:
    def broken(self):
        self.items = call(1, [2, 3
        return self.items

    def still_here(self):
        return 1


x = (1, 2

def after(a):
    return a


class Last(Holder):
    value = 1
