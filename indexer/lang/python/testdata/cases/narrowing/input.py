"""Types that conditions tell. Expected: a scope in which the name is bound with
the type, for what runs only where the condition holds; attributes in dotted form.
"""


def branches(x, y, z):
    if isinstance(x, A) and isinstance(y, (B, m.C)):
        return x.a, y.b  # x is A, y is B or m.C
    elif isinstance(x.part, D):
        return x.part.d  # x.part is D
    while isinstance(z, E):
        z.e()  # z is E
    return isinstance(x, F) and x.f or x.g  # x is F in x.f only


def values(x, y, rows):
    first = x.a if isinstance(x, A) else x.b  # x is A in x.a only
    names = [r.name for r in rows if isinstance(r, Row)]  # r is Row
    return first, names


def leaves(x, y):
    if not isinstance(x, A):
        return None
    assert isinstance(y, B)
    if not isinstance(y, C):
        y.log()  # nothing is told: this branch goes on
    return x.a, y.b  # x is A, y is B


class Keeper:
    def __init__(self, given: Given, plain):
        made = Maker()
        both = A()
        both = B()
        part = made.part
        self.given = given  # of type Given
        self.plain = plain  # the parameter
        self.made = made  # Maker()
        self.pieces = made.pieces()  # Maker().pieces()
        self.both = both  # not known
        self.rows = [Row(x) for x in made]  # list of Row
        self.part = part  # made.part is no use outside: not known
