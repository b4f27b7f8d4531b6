# What scan.pyx gives to the other compiled modules.

from cpython.array cimport array

from .source_text cimport Run

# The kinds of events. NOTHING carries text behind a tag that has no effect.
cdef enum:
    NOTHING, START, EMPTY, END, COMMENT

# What becomes of an element all the same, see ``shown.py``.
cdef enum:
    USUAL, HIDDEN, SHOWN_ELEMENT

cdef array INTS
cdef int NOT_READ, MARK
cdef tuple ROLES


cdef struct Attribute:
    # where the name and the value of an attribute begin and end
    int name, name_end, value, value_end


cdef class Scan:
    cdef readonly bytes source
    cdef readonly int elements, depth, attributes
    cdef readonly bint misses
    cdef const unsigned char[::1] data
    cdef int[::1] kinds, names, tags, tag_ends, texts, text_ends, partners
    cdef int size, room, length
    #: The place behind the first end tag of the body or of the root; -1: there is none.
    cdef int body_end
    #: The events of the root, of the body, of the first head and of the title; -1: there is none.
    cdef int root, body, head, title
    #: The events of meta, link and script; those of elements with an itemtype.
    cdef list stating, item_types
    #: The events of elements that may tell something about what is shown, and of those that may name another
    #: element of the page; whether the tag that is read is one of them.
    cdef list telling, aiming_events
    cdef bint tells, aims
    #: What becomes of elements; known when the layout is.
    cdef unsigned char[::1] fates
    # the open elements
    cdef unsigned long long[::1] stack_keys
    cdef int[::1] stack_names, stack_events
    cdef int top
    # whether a head and a body were opened, tags that were left out, and whether the root has ended
    cdef bint had_head, had_body, done
    # whether the head has an element that only a body may have, and whether the body has a tag
    cdef bint strays, has_body_tag
    cdef int left_out
    cdef dict long_names

    cdef int _make_room(self, int room) except -1
    cdef bytes part(self, int begin, int end)
    cdef int _add(self, int kind, int name, int begin, int end) except -1
    cdef int _open(self, int name, unsigned long long key, int begin, int end) except -1
    cdef int _close(self, int at) except -1
    cdef int _add_text(self, int begin, int end) except -1
    cdef int _end_closed_by(self, int name, int at) except -1
    cdef int _imply(self, int name, int at) except -1
    cdef int _begin_text(self, int at) except -1
    cdef int _name(self, int begin, int end, unsigned long long *key) except -1
    cdef int _read(self, int max_elements, int max_depth, int max_attributes) except -1
    cdef int _find(self, unsigned char what, int at) except -1
    cdef int _text(self, int at) except -1
    cdef int _raw(self, int at, int mode) except -1
    cdef int _declaration(self, int at) except -1
    cdef int _comment(self, int begin, int end) except -1
    cdef int _end_tag(self, int at) except -1
    cdef int _start_tag(self, int at, int *mode) except -1
    cdef int _behind(self, int at) except -1
    cdef int _skip_attributes(self, int at, int *number) except -1
    cdef int _note(self, Attribute *attribute, int number) except -1
    cdef bint _may_hide(self, int at, int end) except -1
    cdef int _next_attribute(self, int at, int end, Attribute *found) except -1
    cdef int _behind_name(self, int number) except -1
    cdef bint has_attributes(self, int number) except -1
    cdef str _value(self, Attribute *attribute)
    cdef dict _attributes(self, int number)
    cdef list values(self, int number, tuple wanted)
    cdef str tag_name(self, int number)
    cdef str plain(self, int number)
    cdef tuple _statement(self, int number, int name)
    cdef bint is_start(self, int number) except -1
    cdef dict known_attributes(self, int number)
    cdef str _link_text(self, int number, dict attributes)
    cdef str _only_text(self, int number, int last, bint heard)
    cdef str _text_in(self, int number, int last, bint heard)
    cdef bint is_bare(self, int number) except -1
    cdef str _piece(self, int number)
    cdef str _piece_text(self, int number)
    cdef str escaped(self, int number)
    cdef str _piece_tag(self, int number)
    cdef str _boundary(self, int number)
    cdef str tag(self, int number)
    cdef bint could_be_picture(self, int number) except -1
    cdef int role(self, int number) except -2
