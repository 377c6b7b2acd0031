"""Functions. Expected: every function with its one-line signature and the
documentation's first sentence; nested ones are marked as standing in a body.
"""
import functools
from typing import overload


def plain(a, b=1, *args, c, d=None, **kwargs):
    """Does it.

    More text that is left out.
    """
    def inner(x):  # in the body of plain
        return x + a

    class Local:  # in the body of plain
        attribute = 1

    short = lambda y: y + 1  # a function in the body of plain
    return inner(short(b))


async def spread(
    first: int,  # a comment that is no part of the signature
    second: "dict[str, list[Thing]]" = {},
    /,
    *,
    third: float = 1.5,
) -> tuple[int, ...]:
    r"""A raw docstring."""


# Comment above, used where there is no docstring.
def commented(): pass


@overload
def convert(x: int) -> str: ...  # overload
@overload
def convert(x: str) -> int: ...  # overload
def convert(x):  # the implementation
    return x


double = lambda n: n * 2  # a function

@functools.wraps(plain)
@app.route("/path", methods=["GET"])
def decorated(): ...  # calls of wraps and route, a read of plain


def generic[K, V: int](key: K, value: V) -> dict[K, V]: ...  # K and V are no references


def __getattr__(name): ...  # public


def _private(): ...


def pair(a): return a
def pair(a, b): return a, b  # defined twice, each once
