# The types of records.py, for Cython.

cimport cython

from ..values cimport Block, Step


@cython.locals(size=int, least=double, links="int[::1]", leads="int[::1]", children="int[::1]", weights="int[::1]",
               headings=dict, in_template=list, in_leads=list, parent=int, count=int, leading=bint, templated=bint)
cpdef find_records(layout, tuple paths, tuple ends)


@cython.locals(found="int[::1]", parent=int)
cdef int[::1] _children(parents)


@cython.locals(found="int[::1]", block=Block, total=int, node=int)
cdef int[::1] _weights(layout)


@cython.locals(node=int, count=int)
cdef bint _carry(list nodes, int[::1] totals, tuple ends) except -1


@cython.locals(most=int, whole=int, node=int, weight=int)
cdef bint _are_even(list nodes, int[::1] totals, tuple ends) except -1


@cython.locals(links=tuple, parents=tuple, tags=frozenset, found=list, node=int, step=Step)
cdef list _bare(layout, tuple ends)


@cython.locals(steps=tuple, parents=tuple, links=tuple, tags=frozenset, linked=set, found=set, block=Block, step=Step,
               parent=int)
cdef list _plain(layout)


@cython.locals(node=int, heading=int, size=int, at=int, count=int)
cdef bint _are_sections(list nodes, list headings, tuple ends) except -1


@cython.locals(found=list, child=int, end=int, path=str, same=dict, alike=list)
cdef list _alike(int parent, int children, tuple paths, tuple ends)


cdef str _first_child(int node, tuple paths, tuple ends)


@cython.locals(first=str, counts=dict, node=int, kinds=set, child=int, end=int)
cdef bint _share_a_child(list nodes, tuple paths, tuple ends) except -1
