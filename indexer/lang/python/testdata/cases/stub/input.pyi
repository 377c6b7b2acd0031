# Declarations only. Expected: everything is marked as a declaration.
from typing import overload
from .inner import Name as Name

DEBUG: bool

class Client:
    timeout: float
    def __init__(self, url: str) -> None: ...
    @overload
    def get(self, key: str) -> str: ...
    @overload
    def get(self, key: int) -> int: ...
