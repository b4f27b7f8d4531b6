# The types of excluded.py, for Cython.

cimport cython

from ..values cimport Block


@cython.locals(by_element=dict, paths=tuple, index=int, block=Block, element=str, texts=list)
cdef dict _texts_by_element(page, places)


@cython.locals(paths=tuple, ends="int[::1]", bad="int[::1]", text="int[::1]", mass="int[::1]", totals=dict, whole=int,
               node=int, path=str, end=int, weight=int, against=int, held=int, known=tuple, share=double, most=double,
               sums=tuple)
cdef list _verdicts(page, str container, tuple sums, judged)


@cython.locals(nodes=int, bad=list, text=list, mass=list, node=int)
cdef tuple _sums(page, places, flow)


@cython.locals(boilerplate=bytes, repeated=bytes, paths=tuple, container=str, outer=bint, judged=list, index=int,
               block=Block, node=int, weight=int, plain=int, in_record=bint, mass=int)
cdef list _judged(page, places, flow)
