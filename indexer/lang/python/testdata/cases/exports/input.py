"""List of exports. Expected: five exported names; _hidden is public because it
is listed; helper is public but not exported; names of `sub` are given on.
"""
from .impl import first, unlisted
from . import sub
from .sub import *

__all__ = ["first", "_hidden", "Public"]
__all__ += ["LIMIT"]
__all__.append("late")
__all__.extend(sub.__all__)

LIMIT = 10


def _hidden(): pass
def helper(): pass
def late(): pass
class Public: pass
