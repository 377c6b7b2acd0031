"""Conditional definitions. Expected: each definition once, with its own lines,
in every branch; a plain second assignment is no second definition.
"""
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .models import User  # for types only
    import typing_extensions as te  # for types only
else:
    User = None  # defined here

if sys.version_info >= (3, 11):
    import tomllib

    def read(path): return tomllib.load(path)
elif other:
    def read(path): return None
else:
    def read(path):
        raise NotImplementedError

try:
    import json5 as json
except ImportError:
    json = None  # defined in this branch
    fast = False
else:
    fast = True  # another branch: defined again

value = None
value = compute()  # a use of value, not a definition

while True:
    class InLoop: pass
    break

with open("f") as handle:
    content = handle.read()

for index, item in enumerate(things):
    pass

if not TYPE_CHECKING:
    import runtime_only
