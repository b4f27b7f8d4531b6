# The types of weighing.py, for Cython.

cimport cython

from ..values cimport Block, Step
from .subtrees cimport Columns


cpdef bint names_page(str text, str title, str element)


@cython.locals(columns=Columns, blocks=tuple, boilerplate=bytes, in_record=bytes, parents="int[::1]",
               ends="int[::1]", nodes="int[::1]", plains="int[::1]", title=str, element=str, repeated=double,
               view="double[::1]",
               index=int, block=Block, plain=int, node=int, mass=double, steps=tuple, step=Step, tags=frozenset,
               headed=int, above=double, whole=double)
cpdef masses_of(page)


@cython.locals(masses="double[::1]", share=double, columns=Columns, ends="int[::1]", paths=tuple, node=int, child=int,
               whole=double, mass=double)
cpdef int descend(page) except -1


@cython.locals(blocks=tuple, steps=tuple, boilerplate=bytes, columns=Columns, nodes="int[::1]", weights="int[::1]",
               plains="int[::1]", ends="int[::1]", in_list=bytes, element=str, tags=frozenset, paragraph=int,
               longest_heading=int, shown=int, whole=int, headings=list, new=list, in_paragraphs=int, weight=int,
               outside=int, longest=int, most=int, in_title=bint, index=int, block=Block, node=int, plain=int,
               heavy=int, step=Step, is_heading=bint, text=str, title_node=int, end=int, above=int, span=int,
               first=int, main=int, before=int, under=int, headline=int, headed=bint, known=bint, leads=bint,
               led=bint, last=bint)
cpdef tuple weigh_text(page, int title, int container)


@cython.locals(columns=Columns, ends="int[::1]", links="int[::1]", leads="int[::1]", block=Block, node=int, text=str,
               end=int)
cdef bint _leads_on(page, int index) except -1


@cython.locals(articles=int, has_id=bint, step=Step)
cpdef tuple count_articles(tuple steps, frozenset ids)


@cython.locals(boilerplate=bytes, repeated=bytes, columns=Columns, nodes="int[::1]", weights="int[::1]",
               plains="int[::1]", first=int, last=int, new=int, around=int, single=int, weight=int, plain=int,
               grouped=int, index=int)
cpdef tuple weigh_main(page, main)


@cython.locals(by_feature=dict, boilerplate=bytes, places=tuple, columns=Columns, weights="int[::1]", index=int)
cpdef dict weights_by_feature(page, bint whole)


@cython.locals(texts=dict, nodes=dict, places=tuple, before=int, last=int, index=int, block=Block, text=str)
cpdef dict first_texts(page, only, int longest)


@cython.locals(boilerplate=bytes, columns=Columns, nodes="int[::1]", new=list, index=int)
cpdef list new_inside(page, bytearray inside)


@cython.locals(blocks=tuple, places=tuple, seen=dict, kept=list, copied=bint, index=int,
               block=Block, path=str, text=str)
cpdef list own_texts(page, list indexes, part_of, int title)


@cython.locals(repeated=bytes, leading=bytes, blocks=tuple, columns=Columns, nodes="int[::1]", weights="int[::1]",
               lines=list, index=int, block=Block, node=int)
cpdef list short_lines(page, int most)


@cython.locals(indexes=list, index=int, block=Block, length=int, start=str, text=str)
cpdef list blocks_with(tuple blocks, str title, int node)


@cython.locals(flags=bytearray, index=int, block=Block, first=set, text=str, sign=str)
cpdef bytes boilerplate_flags(tuple blocks, tuple places, str title, dict texts, dict begins, key_of, without)


@cython.locals(by_element=dict, boilerplate=bytes, repeated=bytes, places=tuple, columns=Columns, nodes="int[::1]",
               plains="int[::1]", index=int, element=str)
cpdef dict plain_by_element(page, dict elements)
