# The types of subtrees.py, for Cython.

cimport cython

from ..values cimport Block


cdef class Columns:
    cdef readonly int[::1] parents, ends, links, leads, nodes, weights, plains


@cython.locals(all_links="int[::1]", all_leads="int[::1]", blocks=tuple, size=int, columns=Columns, links="int[::1]",
               leads="int[::1]", node=int, nodes="int[::1]", weights="int[::1]", plains="int[::1]", index=int,
               block=Block)
cpdef Columns columns_of(layout, int[::1] ends)


@cython.locals(node=int, parent=int, places=list, above=tuple, below=dict, place=tuple)
cpdef list places_of(tuple steps, int[::1] parents, tuple top, intern)


@cython.locals(place=tuple)
cpdef tuple firsts(list places)


@cython.locals(nodes="int[::1]", at=list, index=int, value=str)
cpdef tuple at_blocks(Columns columns, tuple values)


@cython.locals(ends="int[::1]", size=int, node=int, parent=int)
cpdef ends_of(int[::1] parents)


@cython.locals(start=int, end=int, node=int)
cpdef mark(bytearray flags, nodes, int[::1] ends)


@cython.locals(totals="int[::1]", total=int, node=int, value=int)
cpdef running_totals(values)
