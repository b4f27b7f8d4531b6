# The types of weighing.py, for Cython.

cimport cython

from ..values cimport Block, Step


cpdef bint names_page(str text, str title, str element)


@cython.locals(boilerplate=tuple, in_record=tuple, parents=tuple, title=str, element=str, repeated=double,
               found=list, number=int, block=Block, plain=int, node=int, mass=double)
cpdef list masses_of(page)


@cython.locals(masses=list, share=double, ends=tuple, paths=tuple, node=int, child=int, whole=double, mass=double)
cpdef int descend(page, stops) except -1


@cython.locals(blocks=tuple, steps=tuple, boilerplate=tuple, in_list=tuple, element=str, tags=frozenset,
               paragraph=int, longest_heading=int, shown=int, whole=int, headings=list, new=list, in_paragraphs=int,
               weight=int, outside=int, longest=int, most=int, in_title=bint, number=int, block=Block, node=int,
               plain=int, heavy=int, step=Step, is_heading=bint, text=str, title_node=int, end=int, above=int,
               span=int, first=int, main=int, before=int, under=int, headline=int, headed=bint, known=bint,
               leads=bint, led=bint, last=bint)
cpdef tuple weigh_text(page, int title, int container)


@cython.locals(ends=tuple, block=Block, node=int, text=str)
cdef bint _leads_on(page, int number) except -1


@cython.locals(articles=int, found=bint, step=Step)
cpdef tuple count_articles(tuple steps, frozenset ids)


@cython.locals(boilerplate=tuple, repeated=tuple, blocks=tuple, first=int, last=int, new=int, around=int, own=int,
               weight=int, plain=int, grouped=int, number=int, block=Block)
cpdef tuple weigh_main(page, main)


@cython.locals(found=dict, boilerplate=tuple, places=tuple, number=int, block=Block)
cpdef dict weights_by_feature(page, feature_of, bint whole)


@cython.locals(found=dict, nodes=dict, places=tuple, number=int, block=Block, text=str)
cpdef dict first_texts(page, only, int longest)


@cython.locals(boilerplate=tuple, found=list, number=int, block=Block)
cpdef list new_inside(page, list inside)


@cython.locals(blocks=tuple, places=tuple, title_node=int, seen=dict, found=list, number=int, block=Block, path=str,
               text=str)
cpdef list own_texts(page, list numbers, part_of, title, counts_up, coarse)


@cython.locals(repeated=tuple, leading=tuple, found=list, block=Block, node=int)
cpdef list short_lines(page, int most)


@cython.locals(found=list, number=int, block=Block, length=int, start=str, text=str)
cpdef list blocks_with(tuple blocks, str title, int node, fold)


@cython.locals(found=list, number=int, block=Block, first=set, text=str, sign=str)
cpdef tuple boilerplate_flags(tuple blocks, tuple places, str title, dict texts, dict begins, key_of, without)


@cython.locals(found=dict, boilerplate=tuple, repeated=tuple, places=tuple, number=int, block=Block, element=str)
cpdef dict plain_by_element(page, dict elements)
