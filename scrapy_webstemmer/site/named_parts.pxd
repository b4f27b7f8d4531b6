# The types of named_parts.py, for Cython.

cimport cython

from ..values cimport Block, Step


@cython.locals(steps=tuple, known=dict, tags=frozenset, named=list, node=int, step=Step, kind=str,
               tops=list, plain=list, block=Block, headed="int[::1]", totals="int[::1]", most=double, found=list,
               end=int)
cpdef list named_nodes(layout, tuple ends)
