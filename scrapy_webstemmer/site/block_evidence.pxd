# The types of block_evidence.py, for Cython.

cimport cython

from ..values cimport Block, Step


@cython.locals(ends="int[::1]", repeated=bytes, leading=bytes, named=bytes, blocks=tuple, steps=tuple,
               parents="int[::1]", numbers=dict, other=int, plains=list, weights=list, whole=int, tags=list,
               in_main=list, index=int,
               first=int, last=int, end=int, headline=int, kinds=list, counts=list, shares=list, lengths=list,
               near=int, rows=list, block=Block, node=int, text=str, weight=int, plain=int, parent=int, around=int,
               chosen=int, kind=int, length=int, links=int, after=int, following=int, few=int,
               size=int, step=Step, in_record=int, all_around=int, plain_around=int)
cpdef list evidence_of_blocks(page, main, int container)


@cython.locals(parents="int[::1]", size=int, count=list, around=list, odds=list, node=int, parent=int, words=tuple,
               word=int, more=double, weight=double)
cpdef list odds_around(layout, double base, list weights, telling)


@cython.locals(boilerplate=bytes, most=double, expected=list, index=int, block=Block, row=tuple, odds=double, entry=int,
               value=int, table=tuple, weight=double)
cpdef list expected_text(page, list rows, tuple tables, list around)


@cython.locals(parents="int[::1]", plains=list, weights=list, block=Block, node=int, parent=int)
cdef tuple _totals(page)


@cython.locals(steps=tuple, element=str, headline=int, index=int, block=Block, step=Step, tag=str)
cdef int _headline_of(page) except -2


@cython.locals(steps=tuple, parents="int[::1]", known=dict, kinds=list, counts=list, plains=list, block=Block,
               step=Step, around=Step, kind=int)
cdef tuple _kinds_of_blocks(page)
