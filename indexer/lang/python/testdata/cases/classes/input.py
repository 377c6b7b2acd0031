"""Classes of every sort. Expected: each class with its kind and bases, each
member below its class with the kind that the comment names.
"""
from abc import ABC, abstractmethod
from enum import Enum, IntFlag, auto
from functools import cached_property
from typing import ClassVar, Generic, NamedTuple, Protocol, TypedDict, TypeVar
from dataclasses import dataclass, field

T = TypeVar("T", bound="Store")  # a type


class Store(ABC, Generic[T], metaclass=Meta):  # abstract class with two bases
    """Keeps things. Second sentence is no part of the summary."""

    #: How many there are.
    count: ClassVar[int] = 0  # public field with that documentation
    _cache = {}  # private field

    def __init__(self, path: Path, limit=10) -> None:  # constructor
        self.path = path  # field of Store, set in a body; its type is that of the parameter
        self.limit: int = limit  # field with a type of its own
        self._rows = []  # private field
        self.path = None  # no second definition
        other.thing = 1  # not a field of Store

    @property
    def size(self) -> int:  # property, getter
        """The size in bytes."""
        return self._size

    @size.setter
    def size(self, value: int) -> None:  # property, setter
        self._size = value

    @size.deleter
    def size(self):  # property
        del self._size

    @cached_property
    def rows(self) -> list["Row"]:  # property with a type reference to Row
        return [Row(x) for x in self._rows]

    @staticmethod
    def open(path): ...  # static method

    @classmethod
    def create(cls) -> "Store":  # static method; cls.made is a field
        cls.made = cls()
        return cls.made

    @abstractmethod
    async def load(self, *names: str, **options: int): ...  # abstract, async

    def __len__(self): return 0  # public method in spite of its underscores

    def __hidden(self): pass  # private method

    class Inner:  # class inside Store
        value = 1  # field of Inner

        def get(self): return self.value  # method of Inner

    __repr__ = lambda self: "store"  # method
    old_size = property(size)  # property


class Color(Enum):  # enum
    RED = 1  # enum member
    GREEN = auto()  # enum member
    _ignore_ = []  # private field, not a member

    def shade(self): ...  # method


class Shade(Color):  # enum, since Color is one
    DARK = 3  # enum member


class Mode(IntFlag):  # enum
    READ = WRITE = 1  # two members


@dataclass(frozen=True)
class Point:  # class; the fields have types and initialisers
    x: int
    y: int = 0
    tags: list[str] = field(default_factory=list)


class Pair(NamedTuple):
    left: Point
    right: "Point"


class Options(TypedDict, total=False):
    name: str


class Readable(Protocol[T]):  # interface
    def read(self) -> T: ...


def use():
    return Point(x=1, y=2)  # call of Point, reads of its fields x and y
