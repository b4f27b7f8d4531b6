# The values of this room that compiled modules read as what they are: tuples.

cdef extern from "Python.h":
    ctypedef class scrapy_webstemmer.values.Block [object PyTupleObject, check_size ignore]:

        @property
        cdef inline int node(self):
            return (<tuple> <object> self)[0]

        @property
        cdef inline str text(self):
            return (<tuple> <object> self)[1]

        @property
        cdef inline int weight(self):
            return (<tuple> <object> self)[2]

        @property
        cdef inline int plain(self):
            return (<tuple> <object> self)[3]

    ctypedef class scrapy_webstemmer.values.Step [object PyTupleObject, check_size ignore]:

        @property
        cdef inline str tag(self):
            return (<tuple> <object> self)[0]

        @property
        cdef inline str id(self):
            return (<tuple> <object> self)[1]

        @property
        cdef inline tuple classes(self):
            return (<tuple> <object> self)[2]
