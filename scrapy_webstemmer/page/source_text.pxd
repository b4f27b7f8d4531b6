# What source_text.pyx gives to the other compiled modules.

# Classes of characters in text; those beyond ASCII are looked up once.
cdef enum:
    NEW, OTHER, LETTER, SPACE, CONTROL, REFERENCE, NOT_SEEN

cdef unsigned char[0x10000] CLASS


cdef inline bint is_space(unsigned char c) noexcept:
    """Return whether a byte is white space of a text; other characters of control are shown."""
    return c == 32 or c == 10 or c == 9 or c == 13


cdef inline bint is_blank(unsigned char c) noexcept:
    """Return whether a byte is white space of ASCII."""
    return c == 32 or 9 <= c <= 13


cdef class Run:
    cdef unsigned int *buffer
    cdef int room, length, weight, linked
    cdef bint unseen, replaced, lines

    cdef int _make_room(self, int size) except -1
    cdef str text(self)
    cdef int _end_line(self, int begin, int end) except -1
    cdef int add(self, bytes source, int at, int end, bint raw) except -1
    cdef int _add(self, unsigned int code) except -1


cdef Run new_run()
cdef put_back(Run run)
cdef str reference(bytes source, int at, int end, int *behind)
cdef str clean(str text)
cdef str decoded(bytes text, bint is_value=*)
cdef bytes with_lines(bytes text)
