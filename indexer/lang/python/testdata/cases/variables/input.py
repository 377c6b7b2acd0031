# Variables of a module, described by a comment since there is no docstring.
# Second line of it.

import collections, enum
from typing import Final, NewType, Optional, TypeAlias, Union

MAX_SIZE = 1024  # constant
#: How long to wait, in seconds.
TIMEOUT: float = 2.5
"""A string below documents what has no comment above."""
name = "x"
"""The name of the thing."""
retries: Final = 3  # constant, by its type
a, (b, *c) = 1, (2, 3)  # three variables
d = e = Factory()  # two variables of the shape Factory()
_internal = 1  # private
__version__ = "1.0"  # public
declared: int  # no value
listed = []  # type: list[Store]
app = make_app(config.get("x"), key=lambda s: s)

UserId = NewType("UserId", int)  # type
Number = Union[int, float]  # type
Maybe: TypeAlias = Optional["Number"]  # type
type Alias = list[Number]  # type
type Box[T] = dict[str, T]  # type
Coordinates = collections.namedtuple("Coordinates", "north east")  # class with two fields
Row = collections.namedtuple("Row", ["id", "text"])  # class with two fields
State = enum.Enum("State", "ON OFF")  # enum

obj.attribute = 1  # defines nothing here
obj["key"] = 2
name += "y"  # defines nothing
(walrus := 3)
