# The types of shown_texts.py, for Cython.

cimport cython

from ..values cimport Block, Step
from .subtrees cimport Columns


@cython.locals(blocks=tuple, steps=tuple, element=str, parents="int[::1]", ends="int[::1]", leads="int[::1]",
               nodes="int[::1]", weights="int[::1]", plains="int[::1]", stories=list, most=int, shown=int, last=int,
               end=int, index=int, node=int, before=int, parent=int, heading=bint, titled=bint, begun=bint,
               lower=str, text=str, step=Step, block=Block, top=Step, leading=bint, named=bint)
cpdef list find_stories(layout, Columns columns, bytes boilerplate, str title)


@cython.locals(nodes="int[::1]", plains="int[::1]", paragraphs=int, index=int, step=Step)
cdef bint _is_text_below(tuple steps, Columns columns, int heading, int end)
