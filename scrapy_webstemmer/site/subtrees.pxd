# The types of subtrees.py, for Cython.

cimport cython


@cython.locals(node=int, parent=int, places=list, above=tuple, below=dict, found=tuple, place=tuple)
cpdef tuple paths_of(tuple steps, tuple parents, tuple top, intern)


@cython.locals(ends=list, node=int, end=int, known=int, parent=int)
cpdef tuple ends_of(parents)


@cython.locals(node=int, value=double, parent=int, around=double)
cpdef add_up(parents, list values)


@cython.locals(start=int, end=int, node=int)
cpdef mark(list flags, nodes, ends)


@cython.locals(found="int[::1]", total=int, node=int, value=int)
cpdef running_totals(values)
