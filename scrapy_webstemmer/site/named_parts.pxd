# The types of named_parts.py, for Cython.

cimport cython

from ..values cimport Step
from .subtrees cimport Columns


@cython.locals(steps=tuple, ends="int[::1]", named=list, node=int, place=tuple, nodes="int[::1]", plains="int[::1]",
               size=int, headed="int[::1]", totals="int[::1]", number=int, step=Step, most=double, found=list, end=int,
               kind=str)
cpdef list named_nodes(layout, Columns columns, list places)
