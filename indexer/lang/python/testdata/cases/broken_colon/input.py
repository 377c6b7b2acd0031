"""A missing colon. Expected: every definition, damage only around the colon."""


class First:
    def good(self):
        return 1

    def no_colon(self)
        return 2

    def after(self):
        return 3


def function(x)
    return x


class Second
    def method(self):
        pass


class Third(First):
    def method(self):
        return self.good()
