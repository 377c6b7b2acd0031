"""Marks of a merge conflict. Expected: the definitions of both sides."""


def start():
    pass

<<<<<<< HEAD
def ours(a):
    return a
=======
def theirs(a, b):
    return b
>>>>>>> branch


def end():
    pass
