# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False, cdivision=True
"""Read the characters of a page's source: references, white space, and runs of text with their weight.

All indexes into the source are checked by the compiler's code.
"""

from cpython.mem cimport PyMem_Free, PyMem_Realloc
from cpython.unicode cimport PyUnicode_FromKindAndData

from libc.string cimport memcpy

from html import unescape
from html.entities import html5

from .tags import CONTROLS
from .text import UNSEEN

cdef extern from "Python.h":
    int Py_UNICODE_ISALNUM(unsigned int code)
    int Py_UNICODE_ISSPACE(unsigned int code)

#: References that were read; memory must stay bounded in a crawl of months.
cdef dict KNOWN_REFERENCES = {}
cdef int MOST = 10_000
#: The longest name of a reference has 31 letters.
cdef int LONGEST_REFERENCE = 33
#: Texts that nothing uses at the moment: a new buffer for each page costs much. A large one is not kept.
cdef list RUNS = []
cdef int LARGEST_BUFFER = 2_000_000


def _prepare():
    """Fill the table of ASCII; other characters are looked up once."""
    for code in range(128):
        char = chr(code)
        CLASS[code] = (REFERENCE if char == "&" else LETTER if char.isalnum() else SPACE if char in " \t\n\r" else
                       CONTROL if code < 32 else OTHER)
    for char in UNSEEN:
        CLASS[ord(char)] = NOT_SEEN


_prepare()


def forget():
    """Forget the references that were read."""
    KNOWN_REFERENCES.clear()


cdef inline int class_of(unsigned int code) except -1:
    """Return the class of a character: each one of the first 65,536 is looked up once."""
    cdef int kind
    if code < 0x10000:
        kind = CLASS[code]
        if kind != NEW:
            return kind
    kind = SPACE if Py_UNICODE_ISSPACE(code) else LETTER if Py_UNICODE_ISALNUM(code) else OTHER
    if code < 0x10000:
        CLASS[code] = kind
    return kind


# Eight bytes of a text at once. Of sums of bytes below 128, the highest bit of each byte is what is compared.
cdef unsigned long long EACH = 0x0101010101010101


cdef inline bint _is_plain(unsigned long long eight):
    """Return whether eight bytes are characters of ASCII without control characters, ``&`` or two spaces in a row."""
    cdef unsigned long long blanks = ~((eight ^ 32 * EACH) + 127 * EACH)
    return not (128 * EACH & (
        eight | ~(eight + 96 * EACH) | ~((eight ^ 38 * EACH) + 127 * EACH) | (blanks & blanks >> 8)))


cdef inline int _letters(unsigned long long eight):
    """Return how many of eight bytes of ASCII are letters or digits."""
    cdef unsigned long long lower = eight | 32 * EACH
    cdef unsigned long long signs = (lower + (128 - 97) * EACH) & ~(lower + (128 - 123) * EACH)
    signs |= (eight + (128 - 48) * EACH) & ~(eight + (128 - 58) * EACH)
    return <int> (((signs >> 7 & EACH) * EACH) >> 56)


cdef class Run:
    """The run of text that is read: its characters, with white space folded.

    :ivar length: their number. A space at the end is not part of the text yet.
    :ivar weight: its weight; ``linked`` is that in links.
    :ivar unseen: whether there is a character that nobody sees; ``replaced``, whether another one replaces some.
    :ivar lines: whether its lines and their indentation are kept, as ``fold_lines`` of ``text.py`` does.
    """

    def __dealloc__(self):
        PyMem_Free(self.buffer)

    cdef int _make_room(self, int size) except -1:
        """Make room for so many more characters."""
        cdef void *larger
        if self.length + size > self.room:
            larger = PyMem_Realloc(self.buffer, 8 * <size_t> (self.length + size))
            if larger is NULL:
                raise MemoryError
            self.buffer, self.room = <unsigned int *> larger, 2 * (self.length + size)
        return 0

    cdef str text(self):
        cdef unsigned int *buffer = self.buffer
        cdef int at = 0, size = 0, line = 0
        if not self.lines:
            at = self.length
            return PyUnicode_FromKindAndData(4, buffer, at - (at > 0 and buffer[at - 1] == 32))
        for at in range(self.length):
            if buffer[at] == 10:
                size = self._end_line(line, size)
                if not size:
                    continue  # before the first line
                line = size + 1
            buffer[size] = buffer[at]
            size += 1
        size = self._end_line(line, size)
        while buffer[size - 1] == 10:
            size -= 1
        return PyUnicode_FromKindAndData(4, buffer, size)

    cdef int _end_line(self, int begin, int end) except -1:
        """Return the place behind a line without the white space at its end."""
        while end > begin and class_of(self.buffer[end - 1]) == SPACE:
            end -= 1
        return end

    cdef int add(self, bytes source, int at, int end, bint raw) except -1:
        """Add a part of a source.

        :param raw: whether references count as text.
        """
        cdef const unsigned char *data = source
        cdef unsigned int *buffer
        cdef int length = self.length, weight = 0, kind, space, size, behind = 0, again = at
        cdef unsigned int code
        cdef unsigned long long eight = 0
        cdef Py_UCS4 character
        cdef str text
        if not 0 <= at <= end <= len(source):
            raise IndexError(at)
        self._make_room(end - at + 1)
        buffer = self.buffer
        space = length == 0 or buffer[length - 1] == 32
        while at < end:
            if at >= again and at + 8 <= end:  # most texts are letters of ASCII, with one space between words
                memcpy(&eight, data + at, 8)
                if _is_plain(eight) and not (space and data[at] == 32):
                    weight += _letters(eight)
                    for size in range(8):
                        buffer[length + size] = data[at + size]
                    length += 8
                    at += 8
                    space = data[at - 1] == 32
                    continue
                again = at + 8
            code = data[at]
            at += 1
            if code >= 128:
                if code < 0xE0:  # behind the last byte of all there is one more
                    code = (code & 31) << 6 | (data[at] & 63)
                    at += 1
                else:
                    size = 2 if code < 0xF0 else 3
                    if at + size > end:
                        raise IndexError(end)
                    code = (code & 15) << 12 | (data[at] & 63) << 6 | (data[at + 1] & 63)
                    if size == 3:
                        code = (code & 0x7FFF) << 6 | (data[at + 2] & 63)
                    at += size
                again = at + 8
                kind = class_of(code)
                if kind == LETTER:
                    weight += 1
                    buffer[length] = code
                    length += 1
                    space = False
                    continue
            else:
                kind = CLASS[code]
            if kind <= SPACE:  # no branch but this: where words end is hard to predict
                weight += kind == LETTER
                kind = kind == SPACE and not self.lines
                if code == 13 and self.lines:
                    if at < end and data[at] == 10:
                        continue
                    code = 10
                buffer[length] = 32 if kind else code
                length += 1 - (kind & space)
                space = kind
            elif kind == NOT_SEEN:
                self.unseen = True
            else:
                self.replaced = self.replaced or kind == CONTROL
                text = None if kind == CONTROL or raw else reference(source, at - 1, end, &behind)
                if text is None:
                    text, behind = "\ufffd" if kind == CONTROL else "&", at
                at, self.length = behind, length
                self._make_room(end - at + <int> len(text) + 1)
                for character in text:
                    self._add(character)
                buffer, length = self.buffer, self.length
                space = length == 0 or buffer[length - 1] == 32
        self.length = length
        self.weight += weight
        return 0

    cdef int _add(self, unsigned int code) except -1:
        """Add a character that a reference stands for."""
        cdef int kind = class_of(code)
        self.replaced = self.replaced or kind == CONTROL
        if kind == NOT_SEEN:
            self.unseen = True
        elif kind != SPACE or self.lines or (self.length > 0 and self.buffer[self.length - 1] != 32):
            self.buffer[self.length] = 32 if kind == SPACE and not self.lines else 0xFFFD if kind == CONTROL else code
            self.length += 1
            self.weight += kind == LETTER
        return 0


cdef Run new_run():
    return RUNS.pop() if RUNS else Run.__new__(Run)


cdef put_back(Run run):
    """Let a text be used again."""
    run.length = run.weight = run.linked = run.unseen = run.replaced = run.lines = 0
    if run.room <= LARGEST_BUFFER:
        RUNS.append(run)


cdef str reference(bytes source, int at, int end, int *behind):
    """Return what a reference (``&amp;``) stands for; None if there is no reference.

    :param behind: filled with the place behind it.
    """
    cdef int stop = at + 1, last = min(end, at + LONGEST_REFERENCE)
    cdef unsigned char c
    cdef tuple known
    if stop < end and source[stop] == 35:  # '#'
        return _number(source, at, end, behind)
    while stop < last:
        c = source[stop]
        if not (c < 128 and CLASS[c] == LETTER):
            break
        stop += 1
    if stop < end and source[stop] == 59:  # ;
        stop += 1
    key = source[at:stop]
    known = KNOWN_REFERENCES.get(key)
    if known is None:
        if len(KNOWN_REFERENCES) >= MOST:
            KNOWN_REFERENCES.clear()
        known = KNOWN_REFERENCES[key] = _read_reference(key)
    behind[0] = at + <int> known[1]
    return known[0]


cdef str _number(bytes source, int at, int end, int *behind):
    """Return the character of a reference by number; None if there is no number. It may have any digits."""
    cdef int base = 10, digit, begin
    cdef unsigned long long code = 0
    cdef unsigned char c
    behind[0] = at + 1
    at += 2
    if at < end and source[at] | 32 == 120:  # x
        base = 16
        at += 1
    begin = at
    while at < end:
        c = source[at]
        if 48 <= c <= 57:
            digit = c - 48
        elif base == 16 and 97 <= (c | 32) <= 102:
            digit = (c | 32) - 87
        else:
            break
        code = min(code * base + digit, <unsigned long long> 0x110000)
        at += 1
    if at == begin:
        return None
    if at < end and source[at] == 59:  # ;
        at += 1
    behind[0] = at
    return _character(code)


cdef tuple _read_reference(bytes text):
    """Return what a text that begins with ``&`` and a name refers to, and the length of the reference."""
    name = text[1:].decode("latin-1")
    if name[:1].isascii() and name[:1].isalpha():
        for size in range(len(name), 1, -1):
            if name[:size] in html5:
                return html5[name[:size]], size + 1
    return None, 1


cdef str _character(unsigned long long code):
    if 0x80 <= code < 0xA0:
        return unescape(f"&#{code};") or chr(code)
    if code == 0 or 0xD800 <= code < 0xE000 or code > 0x10FFFF:
        return "\ufffd"
    return chr(code)


cdef str clean(str text):
    """Return a text with replacement characters for control characters."""
    cdef Py_UCS4 character
    for character in text:
        if character < 32 and CLASS[<int> character] == CONTROL:
            return CONTROLS.sub("\ufffd", text)
    return text


cdef str decoded(bytes text, bint is_value=False):
    """Return the text of some source, with characters for its references.

    :param is_value: whether it is the value of an attribute: a reference without its semicolon may there be part
        of a query.
    """
    cdef int at = 0, place, behind = 0, end
    cdef list pieces
    cdef str character
    end = len(text)
    if b"&" not in text:
        return text.decode("utf-8", "replace")
    pieces = []
    while True:
        place = text.find(b"&", at)
        if place < 0:
            pieces.append(text[at:].decode("utf-8", "replace"))
            return "".join(pieces)
        pieces.append(text[at:place].decode("utf-8", "replace"))
        character = reference(text, place, end, &behind)
        if character is not None and is_value and text[behind - 1:behind] != b";" and (
                text[place + 1:place + 2] != b"#") and (
                text[behind:behind + 1].isalnum() or text[behind:behind + 1] == b"="):
            character = None
        pieces.append("&" if character is None else character)
        at = place + 1 if character is None else behind


cdef bytes with_lines(bytes text):
    """Return a text in which each line ends with a line feed alone."""
    return text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
