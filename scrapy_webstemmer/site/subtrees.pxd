# The types of subtrees.py, for Cython.

cimport cython

from ..values cimport Block


cdef class Columns:
    cdef readonly int[::1] parents, ends, links, leads, nodes, weights, plains


@cython.locals(parents=tuple, all_links=tuple, all_leads=tuple, blocks=tuple, size=int, columns=Columns,
               ups="int[::1]", downs="int[::1]", links="int[::1]", leads="int[::1]", node=int, nodes="int[::1]",
               weights="int[::1]", plains="int[::1]", index=int, block=Block)
cpdef Columns columns_of(layout, tuple ends)


@cython.locals(node=int, parent=int, places=list, above=tuple, below=dict, place=tuple)
cpdef list places_of(tuple steps, tuple parents, tuple top, intern)


@cython.locals(place=tuple)
cpdef tuple firsts(list places)


@cython.locals(nodes="int[::1]", at=list, index=int, value=str)
cpdef tuple at_blocks(Columns columns, tuple values)


@cython.locals(ends=list, node=int, end=int, known=int, parent=int)
cpdef tuple ends_of(parents)


@cython.locals(start=int, end=int, node=int)
cpdef mark(bytearray flags, nodes, ends)


@cython.locals(totals="int[::1]", total=int, node=int, value=int)
cpdef running_totals(values)
