# The types of records.py, for Cython.

cimport cython

from ..values cimport Step
from .subtrees cimport Columns


@cython.locals(size=int, least=double, parents="int[::1]", ends="int[::1]", links="int[::1]", leads="int[::1]",
               children="int[::1]", weights="int[::1]", headings=list, in_template=bytearray, in_leads=bytearray,
               whole=int, node=int, parent=int, count=int, leading=bint, templated=bint)
cpdef find_records(layout, Columns columns, tuple paths)


@cython.locals(node=int, inside=int)
cdef int _mark(bytearray flags, list nodes, int[::1] ends) except -1


@cython.locals(nodes="int[::1]", weights="int[::1]", plains="int[::1]", leads="int[::1]", size=int, steps=tuple,
               in_text=bytearray, totals="int[::1]", index=int, step=Step, node=int)
cdef int[::1] _beside_text(layout, Columns columns)


@cython.locals(nodes="int[::1]", weights="int[::1]", size=int, totals="int[::1]", index=int, total=int, node=int)
cdef int[::1] _text_totals(Columns columns)


@cython.locals(node=int, count=int)
cdef bint _carry(list nodes, int[::1] totals, int[::1] ends) except -1


@cython.locals(begins="int[::1]", weights="int[::1]", plains="int[::1]", ends="int[::1]", inside=int, at=int, lines=int,
               end=int, size=int, buttons=set, index=int, plain=int, node=int, steps=tuple, tags=frozenset, step=Step)
cdef bint _are_boxes(list nodes, layout, Columns columns, int whole) except -1


@cython.locals(parents="int[::1]", begins="int[::1]", weights="int[::1]", plains="int[::1]", ends="int[::1]", first=int,
               parent=int, at=int, has_paragraph=bint, node=int, sections=int, whole=int, plain=int, has_heading=bint,
               steps=tuple, tags=frozenset, step=Step)
cdef bint _follow_text(list nodes, layout, Columns columns, bint leading) except -1


@cython.locals(plains="int[::1]", whole=int, index=int)
cdef int _paragraphs(Columns columns) except -1


@cython.locals(most=int, whole=int, node=int, weight=int)
cdef bint _are_even(list nodes, int[::1] totals, int[::1] ends) except -1


@cython.locals(links="int[::1]", leads="int[::1]", parents="int[::1]", ends="int[::1]", tags=frozenset, headings=list,
               node=int, step=Step, parent=int)
cdef list _unlinked(layout, Columns columns)


@cython.locals(node=int, heading=int, size=int, at=int, count=int)
cdef bint _are_sections(list nodes, list headings, int[::1] ends) except -1


@cython.locals(begins="int[::1]", weights="int[::1]", plains="int[::1]", ends="int[::1]", count=int, paragraphs=int,
               index=int, node=int, is_paragraph=bint, at=int)
cdef bint _are_passages(list nodes, list headings, Columns columns) except -1


@cython.locals(groups=list, child=int, end=int, path=str, same=dict, alike=list)
cdef list _like_siblings(int parent, int children, tuple paths, int[::1] ends)


cdef str _first_child(int node, tuple paths, int[::1] ends)


@cython.locals(first=str, counts=dict, node=int, kinds=set, child=int, end=int)
cdef bint _share_a_child(list nodes, tuple paths, int[::1] ends) except -1
