"""Imports. Expected: module names as written with their dots, aliases, the
imports in functions marked, the modules loaded by name as dynamic.
"""
from __future__ import annotations
import os, sys as system
import a.b.c
import a.b.c as abc
from . import sibling
from .. import parent as up
from ...deep.er import (one, two as zwei,  # comment
    three,)
from .star import *
from x import y as y  # given on
from x import z


def lazy():
    import heavy
    from heavy.part import piece
    plugin = importlib.import_module("plugins.first")
    other = __import__("second")
    computed = importlib.import_module(name)
    return heavy.run(piece, z)  # references to piece and z

system.exit(os.path.join(abc.d, sibling.e))
