# The types of named_parts.py, for Cython.

cimport cython

from ..values cimport Step
from .subtrees cimport Columns


@cython.locals(steps=tuple, ends="int[::1]", named=list, node=int, place=tuple, nodes="int[::1]", plains="int[::1]",
               size=int, headed="int[::1]", totals="int[::1]", index=int, step=Step, most=double, parts=list,
               known=dict, end=int, kind=str)
cpdef list named_nodes(layout, Columns columns, list places)


@cython.locals(step=Step, parent=int, is_table=bint)
cdef bint _is_section(layout, Columns columns, int node, dict known) except -1


@cython.locals(steps=tuple, ends="int[::1]", node=int, step=Step)
cdef bint _has_section(layout, Columns columns, int parent) except -1


@cython.locals(nodes="int[::1]", steps=tuple, index=int, step=Step, text=str, name=str, heading=str)
cpdef bint is_headed(layout, Columns columns, int node) except -1
