# What tag_tables.pyx gives to the other compiled modules.

# What an element means for the layout.
cdef enum:
    TRANSPARENT, BLOCK, CUT, LINK, IMAGE, SKIPPED

# How the content of an element is read.
cdef enum:
    MARKUP, RCDATA, RAWTEXT, PLAINTEXT, SCRIPT, SCRIPT_ESCAPED, SCRIPT_ESCAPED_TWICE

# The number of all names that are not known.
cdef enum:
    UNKNOWN

cdef list NAMES
cdef dict NUMBERS
# Tables by the number of a name; there are at most 256 of them.
cdef int[256] MEANING, MODE, PRIORITY, VOID, NO_TEXT, INLINE, IS_INLINE, IS_HEADING, IN_HEAD
#: Whether an element of the first name ends where one of the second begins.
cdef unsigned char[256][256] CLOSES

cdef int HTML_TAG, HEAD_TAG, BODY_TAG, A_TAG, AREA_TAG, TITLE_TAG, META_TAG, LINK_TAG, SCRIPT_TAG, PRE_TAG
cdef int IMG_TAG, P_TAG, BASE_TAG, STYLE_TAG, BUTTON_TAG, TEMPLATE_TAG, DIALOG_TAG, MATH_TAG, NOSCRIPT_TAG, BR_TAG


cdef class Words:
    cdef list words
    cdef unsigned char[0x10000] begins
    cdef unsigned int always
    cdef unsigned int[::1] by_name

    cdef bint is_in(self, bytes source, int at, int end, int name) except -1


cdef class Tags:
    #: Each tag, and what is known of it. What belongs together stands together: most of the cost is memory's.
    cdef list known
    #: For each slot the place behind its tag in ``known``, and the half of the hash that does not tell the slot.
    cdef unsigned int[::1] slots

    cdef forget(self)
    cdef int _slot(self, bytes source, int begin, int end) except -1
    cdef tuple get(self, bytes source, int begin, int end)
    cdef put(self, bytes tag, tuple value)


cdef keep(dict known, bytes tag, value)
cdef unsigned long long packed(bytes name) except 0
cdef int number_of(unsigned long long key) noexcept
