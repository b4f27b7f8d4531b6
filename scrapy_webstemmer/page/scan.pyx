# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False, cdivision=True
"""Read a page's source in one pass, without a tree: its elements as libxml2 would nest them, and its blocks.

This is the compiled way to read a page; ``sources.py`` has the other one, and the reference: it parses the page to
a tree and walks through that. Both give the same layout.

A page becomes a sequence of events: the start and end of each element, also those that the source leaves out,
and the text behind each. The rules by which elements end others are those of libxml2's parser of HTML (version
2.14), as data in ``tags.py``. All indexes into the source are checked by the compiler's code.

Source: HTML Standard, tokenization; libxml2, HTMLparser.c (its behaviour).
"""

from cpython.array cimport array, clone
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.mem cimport PyMem_Free, PyMem_Realloc
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_GET_ITEM, PyTuple_SET_ITEM
from cpython.unicode cimport PyUnicode_1BYTE_DATA, PyUnicode_FromKindAndData

from libc.string cimport memchr, memcmp, memcpy, memset

from html import escape, unescape
from html.entities import html5

from ..values import Block, Image, Step
from . import tags as tag_rules
from .addresses import NAME, NOWHERE, leads_to_picture, link_to
from .instead import Instead, is_sign
from .marks import SHOWN, is_inline, short_tag
from .facts import AUTHOR, CANONICAL, JSON, LANG, META, META_NAMES, facts_of, meta_statement, some_facts, type_fact
from .tags import HEADINGS, PICTURES, ROLE_NAMES, SHOWN_TAG, TODAY, may_be_picture, role_of, role_of_classes
from .text import UNSEEN, fold

cdef extern from "Python.h":
    int Py_UNICODE_ISALNUM(unsigned int code)
    int Py_UNICODE_ISSPACE(unsigned int code)
    object PyType_GenericAlloc(type what, Py_ssize_t size)

# The kinds of events. NOTHING carries text behind a tag that has no effect.
cdef enum:
    NOTHING, START, EMPTY, END, COMMENT

# What an element means for the layout.
cdef enum:
    TRANSPARENT, BLOCK, CUT, LINK, IMAGE, SKIPPED

# What becomes of an element all the same, see ``shown.py``.
cdef enum:
    USUAL, HIDDEN, SHOWN_ELEMENT

# What a link's tag tells: it leads to a place on some page, on its own one by the target alone, or to a picture;
# it is not read.
cdef enum:
    TO_PLACE = 1, WITHIN = 2, TO_PICTURE = 4, UNREAD = 8

# How the content of an element is read.
cdef enum:
    MARKUP, RCDATA, RAWTEXT, PLAINTEXT, SCRIPT, SCRIPT_ESCAPED, SCRIPT_ESCAPED_TWICE

# Classes of characters in text; those beyond ASCII are looked up once.
cdef enum:
    NEW, OTHER, LETTER, SPACE, CONTROL, REFERENCE, NOT_SEEN

cdef int UNKNOWN = 0
cdef int SIZE = 0  # number of known names, with UNKNOWN
cdef list NAMES = [""]
cdef dict NUMBERS = {}
cdef unsigned long long[512] _KEYS
cdef int[512] _KEY_NUMBERS
# Tables by the number of a name; there are at most 256 of them. All that has such a number is made here.
cdef int[256] MEANING, MODE, PRIORITY, VOID, NO_TEXT, INLINE, IS_INLINE, IS_HEADING
cdef unsigned char[256][256] CLOSES
cdef unsigned char[0x10000] CLASS
cdef unsigned char[256] LOWER
#: Whether a byte is white space between attributes, ends the name of an element, ends that of an attribute.
cdef unsigned char[256] BLANK, ENDS_TAG_NAME, ENDS_NAME
cdef array INTS = array("i")
cdef array KEYS = array("Q")

cdef int _HTML, _HEAD, _BODY, _A, _AREA, _TITLE, _META, _LINK, _SCRIPT, _PRE, _DIV, _IMG, _P, _BASE, _STYLE
cdef int _BUTTON, _TEMPLATE, _DIALOG, _MATH, _NOSCRIPT, _DT
cdef list BARE_STEPS = []
cdef object DIV, PARAGRAPH = Step("p", "", ())

#: Tags and references that were read; memory must stay bounded in a crawl of months.
cdef int MOST = 10_000, LONGEST = 500
cdef int SLOTS = 32_768
#: What references stand for that is white space.
cdef set WHITE = set(" \t\n\f\r")
#: The longest name of a reference has 31 letters.
cdef int LONGEST_REFERENCE = 33, LONGEST_NAME = tag_rules.LONGEST_NAME
cdef tuple LANGUAGES = (b"lang", b"xml:lang")
cdef tuple WANTED = tuple([name.encode() for name in META_NAMES])
cdef dict KNOWN_REFERENCES = {}, KNOWN_ATTRIBUTES = {}, KNOWN_STATEMENTS = {}, KNOWN_SHORT = {}
cdef dict KNOWN_TAGS = {}, KNOWN_EMPTY = {}
#: Words that are looked for in tags; there are a few sets of them.
cdef dict KNOWN_WORDS = {}
cdef tuple ROLES = tuple([name.encode() for name in ROLE_NAMES]), STEP_NAMES = (b"id", b"name", *ROLES)
cdef int NOT_READ = tag_rules.NOT_READ, FORMULA = tag_rules.FORMULA, AS_IT_STANDS = tag_rules.AS_IT_STANDS
#: How many tags are looked at to tell what a link or an image is.
cdef int MARK = tag_rules.MARK
cdef tuple SHOWN_NAMES = tuple([name.encode() for name in SHOWN])
#: For the number of each known name, its end tag in a line; None: the name is unknown.
cdef list SHORT_ENDS = []


cdef class _Words:
    """Words that the tags of elements may have, to be looked for in one pass over a tag.

    A bit stands for a word. A table has the two bytes with which they begin, so few places of a tag need a
    comparison.
    """

    cdef list words
    cdef unsigned char[0x10000] begins
    cdef unsigned int always
    cdef unsigned int[::1] by_name

    def __init__(self, tuple words):
        """:param words: the words, by the name of the element, "" for all; 32 at most."""
        cdef unsigned int own
        cdef int bit = 0, byte
        cdef bytes word
        self.words, self.always, self.by_name = [], 0, array("I", bytes(4 * SIZE))
        memset(self.begins, 0, sizeof(self.begins))
        for name, some in words:
            own = 0
            for word in some:
                own |= 1u << bit
                self.always |= <unsigned int> (not word) << bit
                for byte in range(256):
                    if word and word[1:2] in (b"", bytes([byte])):
                        self.begins[<int> word[0] << 8 | byte] = True
                bit += 1
                self.words.append(word)
            for byte in range(SIZE):
                if not name or NAMES[byte] == name:
                    self.by_name[byte] |= own

    cdef bint is_in(self, bytes source, int at, int end, int name) except -1:
        """Return whether one of the words for elements of a name stands in a part of the source."""
        cdef const unsigned char *data = source  # a byte follows the last one
        cdef unsigned int own = self.by_name[name], bits
        cdef bytes word
        cdef int bit
        if not own or own & self.always:
            return own != 0
        while at < end - 1:
            if self.begins[data[at] << 8 | data[at + 1]]:
                bits, bit = own, 0
                while bits:
                    if bits & 1:
                        word = self.words[bit]
                        if at + len(word) <= end and not memcmp(<char *> word, data + at, len(word)):
                            return True
                    bits >>= 1
                    bit += 1
            at += 1
        return False


cdef class _Tags:
    """What is known of tags, by their source: a table in which a part of a page is found as it stands there."""

    #: Each tag, and what is known of it. What belongs together stands together: most of the cost is memory's.
    cdef list known
    #: For each slot the place behind its tag in ``known``, and the half of the hash that does not tell the slot.
    cdef unsigned int[::1] slots

    def __init__(self):
        self.forget()

    cdef forget(self):
        self.known, self.slots = [], array("I", bytes(8 * SLOTS))

    cdef int _slot(self, bytes source, int begin, int end) except -1:
        """Return where a tag is in the table, or where there is room for it."""
        cdef const char *data = source
        cdef unsigned long long found = 0xCBF29CE484222325, eight = 0
        cdef int at, size = end - begin
        cdef unsigned int half
        cdef int slot
        cdef bytes key
        if not 0 <= begin <= end <= len(source):
            raise IndexError(begin)
        for at in range(begin, end, 8):
            if size < 8:
                memcpy(&eight, data + begin, size)
            else:
                memcpy(&eight, data + min(at, end - 8), 8)
            found = (found ^ eight) * <unsigned long long> 0x9E3779B97F4A7C15
            found ^= found >> 32
        half, slot = found >> 32, 2 * (found & (SLOTS - 1))
        while self.slots[slot]:
            if self.slots[slot + 1] == half:
                key = self.known[self.slots[slot] - 1]
                if len(key) == size and not memcmp(<const char *> key, data + begin, size):
                    return slot
            slot = (slot + 2) & (2 * SLOTS - 1)
        self.slots[slot + 1] = half
        return slot

    cdef tuple get(self, bytes source, int begin, int end):
        """Return what is known of a tag; None if it is not known."""
        cdef unsigned int place = self.slots[self._slot(source, begin, end)] if end - begin <= LONGEST else 0
        return self.known[place] if place else None

    cdef put(self, bytes tag, tuple value):
        """Keep what is known of a tag, if it is not long."""
        if len(tag) > LONGEST:
            return
        if len(self.known) >= 2 * MOST:
            self.forget()
        self.known += (tag, value)
        self.slots[self._slot(tag, 0, len(tag))] = len(self.known) - 1


cdef _Tags KNOWN_STEPS = _Tags(), KNOWN_LINKS = _Tags(), KNOWN_ROLES = _Tags(), KNOWN_FACTS = _Tags()


cdef inline unsigned long long _hash(unsigned long long key):
    return ((key * <unsigned long long> 0x9E3779B97F4A7C15) >> 55) & 511


cdef unsigned long long _packed(bytes name):
    cdef unsigned long long key = 0
    cdef int shift = 0
    cdef unsigned char c
    for c in name:
        key |= <unsigned long long> c << shift
        shift += 8
    return key


def _prepare():
    """Fill the tables."""
    global SIZE, DIV
    global _HTML, _HEAD, _BODY, _A, _AREA, _TITLE, _META, _LINK, _SCRIPT, _PRE, _DIV, _IMG, _P, _BASE, _STYLE
    global _BUTTON, _TEMPLATE, _DIALOG, _MATH, _NOSCRIPT, _DT
    cdef unsigned long long key, at
    known = tag_rules.NAMES | TODAY.block | TODAY.skipped | TODAY.cut | tag_rules.INLINE | PICTURES
    for name in sorted(known):
        NUMBERS[name.encode()] = len(NAMES)
        NAMES.append(name)
    SIZE = len(NAMES)
    assert SIZE <= 256
    for name, number in NUMBERS.items():
        if len(name) <= 8:
            key = _packed(name)
            at = _hash(key)
            while _KEYS[at]:
                at = (at + 1) & 511
            _KEYS[at], _KEY_NUMBERS[at] = key, number
    meanings = [(TODAY.skipped, SKIPPED), (TODAY.cut, CUT), (TODAY.block, BLOCK), ({"a"}, LINK),
                ({"img"} | PICTURES, IMAGE)]
    for number, name in enumerate(NAMES):
        for names, meaning in meanings:
            if name in names:
                MEANING[number] = meaning
        MODE[number] = {"rcdata": RCDATA, "rawtext": RAWTEXT, "plaintext": PLAINTEXT, "script": SCRIPT}.get(
            tag_rules.MODES.get(name, ""), MARKUP)
        PRIORITY[number] = tag_rules.PRIORITIES.get(name, tag_rules.USUAL_PRIORITY)
        VOID[number] = name in tag_rules.VOID
        NO_TEXT[number] = name in tag_rules.NO_TEXT
        INLINE[number] = name in tag_rules.INLINE
        IS_INLINE[number] = name in tag_rules.KEPT_INLINE
        IS_HEADING[number] = name in HEADINGS
        BARE_STEPS.append(Step(name, "", ()))
        SHORT_ENDS.append(None if not name else f"</{name}>" if is_inline(name) else "")
    for old, news in tag_rules.CLOSED_BY.items():
        for new in news:
            CLOSES[<int> NUMBERS[old.encode()]][<int> NUMBERS[new.encode()]] = 1
    _HTML, _HEAD, _BODY, _A, _AREA, _TITLE, _META, _LINK, _SCRIPT, _PRE, _DIV, _IMG, _P, _BASE, _STYLE = (
        NUMBERS[name] for name in (b"html", b"head", b"body", b"a", b"area", b"title", b"meta", b"link", b"script",
                                   b"pre", b"div", b"img", b"p", b"base", b"style"))
    _BUTTON, _TEMPLATE, _DIALOG, _MATH, _NOSCRIPT, _DT = (
        NUMBERS[name] for name in (b"button", b"template", b"dialog", b"math", b"noscript", b"dt"))
    DIV = BARE_STEPS[_DIV]
    for code in range(256):
        LOWER[code] = code + 32 if 65 <= code <= 90 else code
        BLANK[code] = chr(code) in " \n\t\r\f"
        ENDS_TAG_NAME[code] = BLANK[code] or chr(code) in ">/"
        ENDS_NAME[code] = ENDS_TAG_NAME[code] or chr(code) == "="
    for code in range(128):
        char = chr(code)
        CLASS[code] = (REFERENCE if char == "&" else LETTER if char.isalnum() else SPACE if char in " \t\n\r" else
                       CONTROL if code < 32 else OTHER)
    for char in UNSEEN:
        CLASS[ord(char)] = NOT_SEEN


_prepare()


def forget():
    """Forget the tags and references that were read."""
    cdef _Tags tags
    for tags in (KNOWN_STEPS, KNOWN_LINKS, KNOWN_ROLES, KNOWN_FACTS):
        tags.forget()
    for known in (KNOWN_REFERENCES, KNOWN_ATTRIBUTES, KNOWN_STATEMENTS, KNOWN_SHORT, KNOWN_TAGS, KNOWN_EMPTY):
        known.clear()


def text_of(bytes body):
    """Return a page's bytes without white space around them, if they are plain UTF-8; else None.

    They are not if they are invalid, have NULs, or have other white space than that of ASCII around them.
    """
    cdef const unsigned char *data = body  # a byte follows the last one
    cdef int at = 0, begin = 0, end = len(body), more
    cdef unsigned char c, low, high
    cdef unsigned long long eight
    while begin < end and (BLANK[data[begin]] or data[begin] == 11):
        begin += 1
    while end > begin and (BLANK[data[end - 1]] or data[end - 1] == 11):
        end -= 1
    if begin == end or not 32 < data[begin] < 128 or not 32 < data[end - 1] < 128:
        return None
    if memchr(<char *> body, 0, len(body)) is not NULL:
        return None
    at = begin
    while at < end:
        c = data[at]
        at += 1
        if c < 128:
            while at + 8 <= end:  # most of a page is ASCII
                memcpy(&eight, <char *> body + at, 8)
                if eight & <unsigned long long> 0x8080808080808080:
                    break
                at += 8
            continue
        if 0xC2 <= c <= 0xDF and at < end and data[at] & 0xC0 == 0x80:
            at += 1
            while 0xC2 <= data[at] <= 0xDF and at + 1 < end and data[at + 1] & 0xC0 == 0x80:  # a word of them
                at += 2
            continue
        low, high = 0x80, 0xBF  # of the second byte
        if 0xE0 <= c <= 0xEF:
            more = 2
            if c == 0xE0:
                low = 0xA0
            elif c == 0xED:
                high = 0x9F
        elif 0xF0 <= c <= 0xF4:
            more = 3
            if c == 0xF0:
                low = 0x90
            elif c == 0xF4:
                high = 0x8F
        else:
            return None
        if at + more > end or not low <= data[at] <= high:
            return None
        at += 1
        while more > 1:
            if data[at] & 0xC0 != 0x80:
                return None
            at += 1
            more -= 1
    return body if end - begin == len(body) else PyBytes_FromStringAndSize(<char *> body + begin, end - begin)


cdef int[::1] _larger(int[::1] column, int size, int room):
    """Return a column with more room."""
    cdef int[::1] larger = clone(INTS, room, False)
    if size:
        larger[:size] = column[:size]
    return larger


cdef inline bint _is_space(unsigned char c):
    """Return whether a byte is white space of a text; other characters of control are shown."""
    return c == 32 or c == 10 or c == 9 or c == 13


cdef struct Attribute:
    # where the name and the value of an attribute begin and end
    int name, name_end, value, value_end


cdef class Scan:
    """A page's source as events, in columns.

    :ivar elements: number of elements, those that the source leaves out included.
    :ivar depth: the most elements around an element.
    :ivar attributes: the most attributes of an element.
    :ivar misses: whether browsers may show more, see :func:`~.parsing.as_shown`.
    """

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
    #: The events of links to an author; known when the layout is.
    cdef list authors
    #: The page in the order of its source, if this is another one.
    cdef Scan origin
    # the open elements
    cdef unsigned long long[::1] stack_keys
    cdef int[::1] stack_names, stack_events
    cdef int top
    # whether a head and a body were opened, tags that were left out, and whether the root has ended
    cdef bint had_head, had_body, done
    cdef int left_out
    cdef dict long_names

    def __init__(self, bytes source, int max_elements, int max_depth, int max_attributes):
        """Read a page up to its end, or until it is beyond a limit.

        :param source: the page in UTF-8, valid, without NULs.
        """
        self.source, self.data, self.length = source, source, len(source)
        self._make_room(self.length // 12 + 64)
        self.stack_keys = clone(KEYS, max_depth + 8, False)
        self.stack_names, self.stack_events = clone(INTS, max_depth + 8, False), clone(INTS, max_depth + 8, False)
        self.top = self.root = self.body = self.head = self.title = self.body_end = -1
        self.long_names, self.stating, self.item_types = {}, [], []
        self.authors, self.telling, self.aiming_events = [], [], []
        self._read(max_elements, max_depth, max_attributes)
        if self.body_end >= 0 and SHOWN_TAG.search(source, self.body_end):
            self.misses = True

    cdef int _make_room(self, int room) except -1:
        """Make the columns of events larger."""
        self.kinds, self.names = _larger(self.kinds, self.size, room), _larger(self.names, self.size, room)
        self.tags, self.tag_ends = _larger(self.tags, self.size, room), _larger(self.tag_ends, self.size, room)
        self.texts, self.text_ends = _larger(self.texts, self.size, room), _larger(self.text_ends, self.size, room)
        self.partners, self.room = _larger(self.partners, self.size, room), room
        return 0

    cdef bytes _part(self, int begin, int end):
        """Return a part of the source."""
        if not 0 <= begin <= end <= self.length:
            raise IndexError(begin)
        return PyBytes_FromStringAndSize(<char *> self.source + begin, end - begin)

    # ---- the elements -------------------------------------------------------------------------------------

    cdef int _add(self, int kind, int name, int begin, int end) except -1:
        cdef int number = self.size
        if number == self.room:
            self._make_room(2 * number)
        self.kinds[number], self.names[number], self.partners[number] = kind, name, -1
        self.tags[number], self.tag_ends[number] = begin, end
        self.texts[number] = self.text_ends[number] = end
        self.size = number + 1
        return number

    cdef int _open(self, int name, unsigned long long key, int begin, int end) except -1:
        """Open an element. The tag is from ``begin`` to before ``end``, without its brackets."""
        cdef int number = self._add(START, name, begin, end)
        cdef int parent
        if self.top >= 0:
            parent = self.stack_events[self.top]
            self.partners[parent] = -2  # it has content
        else:
            parent = -1
            self.root = number
        self.top += 1
        self.stack_keys[self.top], self.stack_names[self.top], self.stack_events[self.top] = key, name, number
        self.elements += 1
        if self.top > self.depth:
            self.depth = self.top
        if name == _HEAD:
            self.had_head = True
            if self.head < 0:
                self.head = number
        elif name == _BODY:
            self.had_body = True
            if self.body < 0 and self.top == 1 and self.stack_names[0] == _HTML:
                self.body = number
        elif name == _TITLE:
            if self.title < 0:
                self.title = number
        elif name == _META or name == _LINK or name == _SCRIPT:
            self.stating.append((number, name, parent))
        if self.tells or name == _BUTTON or name == _TEMPLATE or name == _DIALOG:
            self.telling.append(number)
            self.tells = False
        if self.aims:
            self.aiming_events.append(number)
            self.aims = False
        return number

    cdef int _close(self, int at) except -1:
        """Close the innermost element."""
        cdef int begin = self.stack_events[self.top], end
        self.top -= 1
        if self.partners[begin] == -1:
            self.kinds[begin], self.partners[begin] = EMPTY, begin
            self.texts[begin] = self.text_ends[begin] = at
        else:
            end = self._add(END, self.names[begin], at, at)
            self.partners[begin], self.partners[end] = end, begin
        self.done = self.top < 0
        return 0

    cdef int _add_text(self, int begin, int end) except -1:
        cdef int last = self.size - 1
        if self.top < 0 or begin >= end:
            return 0
        self.partners[self.stack_events[self.top]] = -2
        if self.texts[last] == self.text_ends[last]:
            self.texts[last] = begin
        elif self.text_ends[last] != begin:
            last = self._add(NOTHING, UNKNOWN, begin, begin)
        self.text_ends[last] = end
        return 0

    cdef int _end_closed_by(self, int name, int at) except -1:
        """Close the elements that end where an element begins."""
        while self.top >= 0 and CLOSES[self.stack_names[self.top]][name] and not self.done:
            self._close(at)
        return 0

    cdef int _imply(self, int name, int at) except -1:
        """Open the elements that an element implies: ``html``, and ``head`` or ``body``."""
        cdef int number
        if name == _HTML or self.done:
            return 0
        if self.top < 0:
            self._open(_HTML, _packed(b"html"), at, at)
        if name == _BODY or name == _HEAD:
            return 0
        if self.top <= 0 and name in (_SCRIPT, _META, _LINK, _TITLE, _BASE, _STYLE):
            if not self.had_head and not self.had_body:
                self._open(_HEAD, _packed(b"head"), at, at)
        elif not self.had_body and not (NAMES[name] in ("noframes", "frame", "frameset")):
            for number in range(self.top + 1):
                if self.stack_names[number] == _BODY or self.stack_names[number] == _HEAD:
                    return 0
            self._open(_BODY, _packed(b"body"), at, at)
        return 0

    cdef int _begin_text(self, int at) except -1:
        """Make place for text that is not white space."""
        if self.top >= 0 and self.stack_names[self.top] == _HEAD:
            self._end_closed_by(_P, at)
        return self._imply(_P, at)

    cdef int _name(self, int begin, int end, unsigned long long *key) except -1:
        """Return the number of an element's name, and a key that no other name has on this page."""
        cdef unsigned long long packed = 0, at
        cdef int i
        cdef bytes name
        if end - begin <= 8:
            for i in range(begin, end):
                packed |= <unsigned long long> LOWER[self.data[i]] << (8 * (i - begin))
            key[0] = packed
            at = _hash(packed)
            while _KEYS[at]:
                if _KEYS[at] == packed:
                    return _KEY_NUMBERS[at]
                at = (at + 1) & 511
            return UNKNOWN
        name = _lower(_cut(self._part(begin, end)))
        number = NUMBERS.get(name, UNKNOWN)
        key[0] = (<unsigned long long> self.long_names.setdefault(name, len(self.long_names)) << 8) | 1
        return number

    cdef int _read(self, int max_elements, int max_depth, int max_attributes) except -1:
        cdef int at = 0, end = self.length, mode = MARKUP
        cdef unsigned char c
        while at < end and not self.done:
            if mode != MARKUP:
                at = self._raw(at, mode)
                mode = MARKUP
                if at >= end:
                    break
            if self.data[at] != 60:  # <
                at = self._text(at)
                continue
            c = self.data[at + 1] if at + 1 < end else 0
            if c == 47:  # /
                at = self._end_tag(at)
            elif c == 33:  # !
                at = self._declaration(at)
            elif c == 63:  # ?
                at = self._find(62, at + 1) + 1
                at = self._comment(at, at)
            elif 97 <= (c | 32) <= 122:
                at = self._start_tag(at, &mode)
                if self.elements > max_elements or self.top > max_depth:
                    return 0
            else:
                self._begin_text(at)
                self._add_text(at, at + 1)
                at += 1
            if self.attributes > max_attributes:
                return 0
        while self.top >= 0:
            self._close(end)
        return 0

    cdef int _find(self, unsigned char what, int at) except -1:
        """Return the first place of a byte, or the end of the source."""
        cdef char *found
        if at >= self.length:
            return self.length
        found = <char *> memchr(<char *> self.source + at, what, self.length - at)
        return self.length if found is NULL else <int> (found - <char *> self.source)

    cdef int _text(self, int at) except -1:
        cdef int end = self._find(60, at), begin = at, name, behind = 0
        name = self.stack_names[self.top] if self.top >= 0 else _HTML
        if name == _HTML or name == _HEAD:
            while begin < end and (BLANK[self.data[begin]] or self.data[begin] == 38):
                if self.data[begin] == 38:  # &
                    if _reference(self.source, begin, end, &behind) not in WHITE:
                        break
                    begin = behind
                else:
                    begin += 1
            self._add_text(at, begin)
            if begin == end:
                return end
            self._begin_text(begin)
        self._add_text(begin, end)
        return end

    cdef int _raw(self, int at, int mode) except -1:
        """Read the text of an element that has no elements in it. Return where its end tag begins."""
        cdef int begin = at, i, j, end = self.length
        cdef bytes name = NAMES[self.stack_names[self.top]].encode()
        cdef bint solidus
        cdef int size = len(name)
        if mode == PLAINTEXT:
            self._add_text(at, end)
            return end
        while at < end:
            if mode != SCRIPT_ESCAPED and mode != SCRIPT_ESCAPED_TWICE:
                at = self._find(60, at)
                if at >= end:
                    break
            elif self.data[at] == 45:  # -
                if at + 2 < end and self.data[at + 1] == 45 and self.data[at + 2] == 62:
                    mode = SCRIPT
                at += 1
                continue
            elif self.data[at] != 60:
                at += 1
                continue
            i = at + 1
            if mode == SCRIPT and i < end and self.data[i] == 33:  # !
                if i + 2 < end and self.data[i + 1] == 45 and self.data[i + 2] == 45:
                    mode = SCRIPT_ESCAPED
                at += 1
                continue
            solidus = i < end and self.data[i] == 47
            if solidus:
                i += 1
            if solidus or mode == SCRIPT_ESCAPED:
                j = 0
                while i < end and j < size and (self.data[i] | 32) == <unsigned char> name[j]:
                    i += 1
                    j += 1
                if j == size and i < end and (self.data[i] == 62 or self.data[i] == 47 or BLANK[self.data[i]]):
                    if mode == SCRIPT_ESCAPED and not solidus:
                        mode = SCRIPT_ESCAPED_TWICE
                    elif mode == SCRIPT_ESCAPED_TWICE:
                        mode = SCRIPT_ESCAPED
                    else:
                        break
            at += 1
        self._add_text(begin, at)
        return at

    cdef int _declaration(self, int at) except -1:
        """Read a comment or a DOCTYPE. Return the place behind it."""
        cdef int end = self.length, begin = at
        if at + 3 < end and self.data[at + 2] == 45 and self.data[at + 3] == 45:
            at += 4
            if at < end and self.data[at] == 62:
                return self._comment(begin, at + 1)
            if at + 1 < end and self.data[at] == 45 and self.data[at + 1] == 62:
                return self._comment(begin, at + 2)
            while at < end:
                at = self._find(45, at)
                if at + 2 < end and self.data[at + 1] == 45:
                    if self.data[at + 2] == 62:
                        return self._comment(begin, at + 3)
                    if at + 3 < end and self.data[at + 2] == 33 and self.data[at + 3] == 62:
                        return self._comment(begin, at + 4)
                at += 1
            return self._comment(begin, end)
        if self._part(at + 2, min(end, at + 9)).upper() == b"DOCTYPE":
            return min(end, self._find(62, at + 2) + 1)
        at = self._find(62, at + 2) + 1
        return self._comment(at, at)

    cdef int _comment(self, int begin, int end) except -1:
        """Add a comment; one without the signs of a comment begins where it ends."""
        begin, end = min(begin, self.length), min(end, self.length)
        if self.top >= 0:
            self.partners[self.stack_events[self.top]] = -2
        self._add(COMMENT, UNKNOWN, begin, end)
        return end

    cdef int _end_tag(self, int at) except -1:
        cdef int begin = at + 2, end = self.length, name, number, priority
        cdef unsigned long long key = 0
        if begin >= end:
            self._begin_text(at)
            self._add_text(at, end)
            return end
        if self.data[begin] == 62:
            return begin + 1
        if not 97 <= (self.data[begin] | 32) <= 122:
            at = self._find(62, begin) + 1
            return self._comment(at, at)
        at = begin
        while at < end and not ENDS_TAG_NAME[self.data[at]]:
            at += 1
        name = self._name(begin, at, &key)
        at = self._skip_attributes(at, NULL)
        if at >= end:
            return end
        at += 2 if self.data[at] == 47 else 1
        if self.body_end < 0 and (name == _BODY or name == _HTML):
            self.body_end = at
        if self.left_out > 0 and (name == _HTML or name == _HEAD or name == _BODY):
            self.left_out -= 1
            return at
        number = self.top
        priority = PRIORITY[name]
        while number >= 0 and self.stack_keys[number] != key:
            if PRIORITY[self.stack_names[number]] > priority:
                return at
            number -= 1
        if number < 0:
            return at
        while self.top >= number:
            self._close(at)
        return at

    cdef int _start_tag(self, int at, int *mode) except -1:
        cdef int begin = at + 1, end = self.length, name, number
        cdef unsigned long long key = 0
        cdef bint is_left_out = False
        at = begin
        while at < end and not ENDS_TAG_NAME[self.data[at]]:
            at += 1
        name = self._name(begin, at, &key)
        self._end_closed_by(name, begin - 1)
        if self.done:
            return end
        self._imply(name, begin - 1)
        if name == _HTML:
            if self.top >= 0:
                is_left_out = True
                self.left_out += 1
        elif name == _HEAD:
            if self.top != 0:
                is_left_out = True
                self.left_out += 1
        elif name == _BODY:
            for number in range(self.top + 1):
                if self.stack_names[number] == _BODY:
                    is_left_out = True
                    self.left_out += 1
        if name == _HTML or name == _HEAD or name == _BODY or (at < end and self.data[at] != 62):
            number = self.size
            self.tells = self.aims = False
            at = self._skip_attributes(at, NULL if is_left_out else &number)
        if at >= end:
            return end
        if not is_left_out:
            number = self._open(name, key, begin, at)
        if self.data[at] == 47:
            at += 2
            if self.top >= 0:
                self._close(at)
                self._behind(at)
            return at
        at += 1
        if not is_left_out:
            self._behind(at)
            if VOID[name]:
                self._close(at)
                self._behind(at)
            else:
                mode[0] = MODE[name]
        return at

    cdef int _behind(self, int at) except -1:
        """Let the text behind the last event begin here."""
        self.texts[self.size - 1] = self.text_ends[self.size - 1] = at
        return 0

    cdef int _skip_attributes(self, int at, int *number) except -1:
        """Return the place of the ``>`` or ``/>`` that ends a tag, or the end of the source.

        :param number: the event of the element, if its attributes count.
        """
        cdef int end = self.length, count = 0, begin, value
        while at < end and BLANK[self.data[at]]:
            at += 1
        while at < end and self.data[at] != 62 and not (
                self.data[at] == 47 and at + 1 < end and self.data[at + 1] == 62):
            if self.data[at] == 47:
                at += 1
                while at < end and BLANK[self.data[at]]:
                    at += 1
                continue
            begin = at
            at += 1
            while at < end and not ENDS_NAME[self.data[at]]:
                at += 1
            count += 1
            value = at
            while at < end and BLANK[self.data[at]]:
                at += 1
            if at < end and self.data[at] == 61:
                at += 1
                while at < end and BLANK[self.data[at]]:
                    at += 1
                if at < end and (self.data[at] == 34 or self.data[at] == 39):
                    at = self._find(self.data[at], at + 1)
                    if at < end:
                        at += 1
                else:
                    while at < end and self.data[at] != 62 and not BLANK[self.data[at]]:
                        at += 1
            if value - begin == 8 and (self.data[begin] | 32) == 105 and number is not NULL:
                if self._part(begin, value).lower() == b"itemtype":
                    self.item_types.append(number[0])
            if number is not NULL and value > begin + 3:
                self._note(begin, value, at)
            while at < end and BLANK[self.data[at]]:
                at += 1
        if number is not NULL and count > self.attributes:
            self.attributes = count
        return at

    cdef int _note(self, int begin, int end, int behind) except -1:
        """Note whether an attribute may tell something about what is shown, as ``shown.py`` has it.

        :param begin: the place of its name; the name is before ``end``, its value before ``behind``.
        """
        cdef unsigned char first = self.data[begin] | 32
        cdef int size = end - begin
        if first == 104 and size == 6:  # h
            self.tells = self.tells or self._part(begin, end).lower() == b"hidden"
        elif first == 111 and size == 7:  # o
            self.tells = self.tells or self._part(begin, end).lower() == b"onclick"
        elif first == 112 and size == 7:  # p
            self.tells = self.tells or self._part(begin, end).lower() == b"popover"
        elif first == 115 and size == 5:  # s
            self.tells = self.tells or self._may_hide(end, behind)
        elif first == 97 and size == 13:  # a
            name = self._part(begin, end).lower()
            self.tells = self.tells or name == b"aria-expanded"
            self.aims = self.aims or name == b"aria-controls"
        elif (first == 104 and size == 4) or (first == 100 and size > 5 and self.data[begin + 4] == 45):  # h, d: data-
            self.misses = self.misses or (size == 12 and self.data[begin + 5] | 32 == 99)  # data-cfemail
            while end < behind and (
                    BLANK[self.data[end]] or self.data[end] == 61 or self.data[end] == 34 or self.data[end] == 39):
                end += 1
            self.aims = self.aims or (end < behind and (self.data[end] == 35 or self.data[end] == 38))  # "#", "&"
        return 0

    cdef bint _may_hide(self, int at, int end) except -1:
        """Return whether a style may hide its element: it has a reference, ``non``, ``hid`` or ``coll``."""
        cdef unsigned char c
        while at < end:
            c = self.data[at] | 32
            if self.data[at] == 38 or (at + 2 < end and (
                    (c == 110 and self.data[at + 1] | 32 == 111 and self.data[at + 2] | 32 == 110)
                    or (c == 104 and self.data[at + 1] | 32 == 105 and self.data[at + 2] | 32 == 100)
                    or (c == 99 and self.data[at + 1] | 32 == 111 and self.data[at + 2] | 32 == 108))):
                return True
            at += 1
        return False

    # ---- attributes and texts -----------------------------------------------------------------------------

    cdef int _next_attribute(self, int at, int end, Attribute *found) except -1:
        """Find the next attribute of a start tag. Return the place behind it; 0 if there is none."""
        cdef unsigned char quote
        while at < end and (BLANK[self.data[at]] or self.data[at] == 47):
            at += 1
        if at >= end:
            return 0
        found.name = at
        at += 1
        while at < end and not ENDS_NAME[self.data[at]]:
            at += 1
        found.name_end = found.value = found.value_end = at
        while at < end and BLANK[self.data[at]]:
            at += 1
        if at < end and self.data[at] == 61:
            at += 1
            while at < end and BLANK[self.data[at]]:
                at += 1
            if at < end and (self.data[at] == 34 or self.data[at] == 39):
                quote = self.data[at]
                at += 1
                found.value = at
                while at < end and self.data[at] != quote:
                    at += 1
                found.value_end = at
                at += 1
            else:
                found.value = at
                while at < end and not BLANK[self.data[at]]:
                    at += 1
                found.value_end = at
        return at

    cdef int _behind_name(self, int number) except -1:
        """Return the place behind the name of a start tag's element."""
        cdef int at = self.tags[number], end = self.tag_ends[number]
        while at < end and self.data[at] != 47 and not BLANK[self.data[at]]:
            at += 1
        return at

    cdef bint _has_attributes(self, int number) except -1:
        """Return whether a start tag has any attribute: an image without one shows nothing."""
        cdef Attribute first
        return self._next_attribute(self._behind_name(number), self.tag_ends[number], &first) != 0

    cdef str _value(self, Attribute *attribute):
        cdef bytes text = self._part(attribute.value, attribute.value_end)
        return _decoded(_with_lines(text) if b"\r" in text else text, True)

    cdef dict _attributes(self, int number):
        """Return the attributes of a start tag; of several with one name the first counts.

        As in a tree, they may have control characters.
        """
        cdef int at = self._behind_name(number), end = self.tag_ends[number]
        cdef Attribute one
        cdef dict found = {}
        while True:
            at = self._next_attribute(at, end, &one)
            if not at:
                return found
            key = _lower(_cut(self._part(one.name, one.name_end))).decode()
            if key not in found:
                found[key] = self._value(&one)

    cdef list _values(self, int number, tuple wanted):
        """Return the values of some attributes of a start tag, as in a tree; None for one that it lacks.

        :param wanted: their names, in lower case.
        """
        cdef int at = self._behind_name(number), end = self.tag_ends[number], place, size
        cdef Attribute one
        cdef bytes name
        cdef list found = [None] * len(wanted)
        while True:
            at = self._next_attribute(at, end, &one)
            if not at:
                return found
            for place in range(len(wanted)):
                name, size = wanted[place], 0
                if one.name_end - one.name != len(name):
                    continue
                while size < len(name) and LOWER[self.data[one.name + size]] == <unsigned char> name[size]:
                    size += 1
                if size == len(name) and found[place] is None:
                    found[place] = self._value(&one)

    cdef dict _clean_attributes(self, int number):
        """Return the attributes of a start tag without control characters."""
        return {name: _clean(value) for name, value in self._attributes(number).items()}

    cdef str _tag_name(self, int number):
        if self.names[number] != UNKNOWN:
            return NAMES[self.names[number]]
        cdef int at = self.tags[number], end = self.tag_ends[number]
        while at < end and self.data[at] != 47 and not BLANK[self.data[at]]:
            at += 1
        return _lower(_cut(self._part(self.tags[number], at))).decode()

    cdef str _plain(self, int number):
        """Return the text behind an event with its white space and its control characters, as in a tree."""
        cdef bytes text = self._part(self.texts[number], self.text_ends[number])
        cdef int name = self.names[number]
        if b"\r" in text:
            text = _with_lines(text)
        if self.kinds[number] == START and MODE[name] != MARKUP and MODE[name] != RCDATA:
            return text.decode()
        return _decoded(text)

    def title_text(self):
        """Return the text of the ``title`` element; empty if there is none."""
        cdef int number = self.title, last
        if number < 0 or self.kinds[number] == EMPTY:
            return ""
        last = self.partners[number]
        return "".join([self._plain(n) for n in range(number, last)])

    def og_title(self):
        """Return the ``og:title``; empty if there is none."""
        for number, name, parent in self.stating:
            if name == _META and parent == self.head and b"og:title" in self._part(
                    self.tags[number], self.tag_ends[number]):
                found = self._attributes(number)
                if found.get("property") == "og:title" or found.get("name") == "og:title":
                    return found.get("content", "")
        return ""

    def stated(self, relations):
        """Return what :func:`~scrapy_webstemmer.page.facts.stated` does.

        :param relations: the relations of the page's links.
        """
        cdef list found = []
        cdef tuple facts
        cdef int number, name, end
        for number, name, _ in self.stating:
            end = self._before_content(number) if name == _META else self.tag_ends[number]
            facts = KNOWN_FACTS.get(self.source, self.tags[number], end)
            if facts is None:
                attributes = self._attributes(number)
                if name == _SCRIPT and "ld+json" in attributes.get("type", ""):
                    facts = facts_of("script", attributes, self._plain(number))
                else:
                    facts = facts_of(NAMES[name], attributes)
                    if end == self.tag_ends[number] or not (facts and facts[0].startswith("og:type")):
                        KNOWN_FACTS.put(self._part(self.tags[number], end), facts)
            found += facts
        for number in self.item_types:
            if self.kinds[number] == START or self.kinds[number] == EMPTY:
                found.append(type_fact(self._attributes(number).get("itemtype", "")))
        found += relations
        return some_facts(found)

    cdef int _before_content(self, int number) except -1:
        """Return where the content of a ``meta`` begins, if it is the last attribute, and long; else its end.

        Pages have their own titles and descriptions; what these state is the same.
        """
        cdef Attribute one
        cdef int at = self._behind_name(number), end = self.tag_ends[number], names = 0
        while True:
            at = self._next_attribute(at, end, &one)
            if not at:
                return end
            if one.name_end - one.name == 7 and self.data[one.name] | 32 == 99:
                names += 1
                if (names == 1 and one.value_end - one.value > 24 and at + 2 >= end and one.value + 24 < end
                        and CLASS[self.data[one.value]] == LETTER
                        and self._part(one.name, one.name_end).lower() == b"content"):
                    return one.value

    def stating_elements(self, names):
        """Return what ``markup.stating_elements`` does, then what ``anchors.author_links`` does."""
        cdef list found = []
        cdef int number, name
        cdef bytes tag
        cdef tuple stated
        values = self._values(self.root, LANGUAGES) if self.root >= 0 else (None, None)
        found.append((LANG, "", _clean(values[0] or values[1] or "")))
        for number, name, _ in self.stating:
            tag = self._part(self.tags[number], self.tag_ends[number])
            stated = KNOWN_STATEMENTS.get(tag)  # many are on all pages of a site
            if stated is None:
                stated = self._statement(number, name)
                if len(tag) <= LONGEST:
                    if len(KNOWN_STATEMENTS) >= MOST:
                        KNOWN_STATEMENTS.clear()
                    KNOWN_STATEMENTS[tag] = stated
            kind = stated[0]
            if kind is JSON:
                found.append((JSON, "", self._plain(number)))
            elif kind is CANONICAL or (kind is META and stated[1] in names):
                found.append(stated)
        for number in self.authors:
            attributes = self._known_attributes(number)
            if "author" in attributes.get("rel", "").split():
                found.append((AUTHOR, attributes.get("href", ""), self._link_text(number, attributes)))
        return found

    cdef tuple _statement(self, int number, int name):
        """Return what a meta, link or script states, without the text of a script; its kind is empty: nothing."""
        if name == _META:
            return (META, *meta_statement(*self._values(number, WANTED)))
        cdef dict attributes = self._attributes(number)
        if name == _LINK:
            if "canonical" in attributes.get("rel", "").lower():
                return CANONICAL, "", attributes.get("href", "")
        elif "ld+json" in attributes.get("type", ""):
            return JSON, "", ""
        return "", "", ""

    def told(self):
        """Return what ``TreePieces.told`` does; an element may be among it that tells nothing."""
        cdef int number, begin = self.begin()
        cdef int last = self.partners[begin] if begin >= 0 else 0
        return [(number, self.end_of(number), self._tag(number)) for number in self.telling if begin < number < last]

    def aiming(self):
        """Return the start tags that may name another element of the page."""
        cdef int number, begin = self.begin()
        cdef int last = self.partners[begin] if begin >= 0 else 0
        return [self._tag(number) for number in self.aiming_events if begin <= number < last]

    def around(self, int first, int end):
        """Return the tag and the text of the events from one up to another."""
        cdef int number
        cdef list found = []
        for number in range(max(first, 0), min(end, self.size)):
            found.append((self._piece_tag(number), self._piece_text(number)))
        return found

    def body_pieces(self):
        """Return the page as pieces of markup; those outside of its body are empty."""
        cdef int begin = max(self.begin(), 0)
        cdef int end = self.partners[begin] + 1 if self.size else 0
        return ["!---->"] * begin + self[begin:end] + ["!---->"] * (self.size - end)

    def may_begin_with_formula(self, int number):
        """Return whether the next element is a formula."""
        return 0 <= number < self.size - 1 and self.names[number + 1] == _MATH

    def may_be_in_heading(self, int number):
        """Return whether a heading, or an element with a role, begins before an element, and none ends between."""
        cdef int left = MARK
        number -= 1
        while left and 0 <= number < self.size and self.kinds[number] != END:
            if self._is_start(number):
                if IS_HEADING[self.names[number]] or self.names[number] == _DT or (
                        b"role" in self._part(self.tags[number], self.tag_ends[number]).lower()):
                    return True
                left -= 1
            number -= 1
        return False

    def size_of(self, int first, int end):
        """Return the number of bytes of the texts of the events from one up to another."""
        cdef int number, found = 0
        for number in range(first, end):
            found += self.text_ends[number] - self.texts[number]
        return found

    def reordered(self, order):
        """Return the page in another order, as ``reordered`` of ``moved.py`` gives it for pieces."""
        cdef Scan other = Scan.__new__(Scan)
        cdef int begin, end, number, at
        cdef int[::1] places = clone(INTS, self.size + 1, False)
        other.source, other.data, other.length = self.source, self.data, self.length
        other.elements, other.depth, other.attributes = self.elements, self.depth, self.attributes
        other.authors, other.top = [], -1
        other._make_room(self.size + len(order) + 1)
        silent = [begin for begin, end in order if begin == end]
        for begin, end in order:
            if begin == end:  # the text of an event alone
                at = other._add(COMMENT, UNKNOWN, self.texts[begin], self.texts[begin])
                other.text_ends[at] = self.text_ends[begin]
            for number in range(begin, end):
                at = other._add(self.kinds[number], self.names[number], self.tags[number], self.tag_ends[number])
                other.texts[at], other.text_ends[at] = self.texts[number], self.text_ends[number]
                other.partners[at], places[number] = self.partners[number], at
        for number in silent:
            other.text_ends[places[number]] = other.texts[places[number]]
        for at in range(other.size):
            if other.partners[at] >= 0:
                other.partners[at] = places[other.partners[at]]
        other.root, other.head, other.title = self.root, self.head, self.title
        other.body = self.body  # they stand before all that moves
        other.stating, other.item_types, other.origin = [], [], self
        other.telling = sorted([places[number] for number in self.telling])
        other.aiming_events = sorted([places[number] for number in self.aiming_events])
        return other

    def marked(self, needles, int first, int last):
        """Return what ``TreePieces.marked`` does, for a range of events."""
        cdef tuple key = tuple(needles.items())
        cdef _Words words = KNOWN_WORDS.get(key)
        cdef list found = []
        cdef int number
        if words is None:
            words = KNOWN_WORDS[key] = _Words(key)
        for number in range(max(first, 0), min(last, self.size)):
            if self._is_start(number) and words.is_in(
                self.source, self.tags[number], self.tag_ends[number], self.names[number]
            ):
                found.append((number, self._tag(number)))
        return found

    cdef bint _is_start(self, int number) except -1:
        return self.kinds[number] == START or self.kinds[number] == EMPTY

    # ---- links and markup ---------------------------------------------------------------------------------

    def base_href(self):
        """Return the target of the first ``base`` element that has one; None if there is none."""
        cdef int number
        for number in range(self.size):
            if self.names[number] == _BASE and self.kinds[number] in (START, EMPTY):
                href = self._attributes(number).get("href")
                if href is not None:
                    return href
        return None

    def links(self):
        """Return the target and the text of each ``a`` and ``area`` with a target, as ``links_in`` of a tree."""
        cdef int number, name
        cdef list found = []
        for number in range(self.size):
            name = self.names[number]
            if (name == _A or name == _AREA) and (self.kinds[number] == START or self.kinds[number] == EMPTY):
                attributes = self._known_attributes(number)
                href = attributes.get("href")
                if href is not None:
                    found.append((href, self._link_text(number, attributes)))
        return found

    cdef dict _known_attributes(self, int number):
        """Return the attributes of a link: most links are on many pages of their site."""
        cdef bytes tag = self._part(self.tags[number], self.tag_ends[number])
        cdef dict known = KNOWN_ATTRIBUTES.get(tag)
        if known is None:
            known = self._attributes(number)
            if len(tag) <= LONGEST:
                if len(KNOWN_ATTRIBUTES) >= MOST:
                    KNOWN_ATTRIBUTES.clear()
                KNOWN_ATTRIBUTES[tag] = known
        return known

    cdef str _link_text(self, int number, dict attributes):
        """Return the text of a link: its own, or that of its images, its label, its title."""
        cdef str text = ""
        cdef int last = self.partners[number]
        cdef bint bare = True
        cdef int inside, left = tag_rules.MOST_IMAGES
        cdef list names = []
        if self.kinds[number] == START:
            for inside in range(number + 1, last):
                if self.kinds[inside] != NOTHING:
                    bare = False
                    break
            for heard in (False, True):
                text = self._only_text(number, last, heard)
                if text is None:
                    text = fold(self._text_in(number, last, heard))
                if text or bare:
                    break
            if text:
                return text
        if not bare:
            alts = {}
            for inside in range(number + 1, last):
                if self.names[inside] == _IMG and self.kinds[inside] in (START, EMPTY):
                    alts[self._attributes(inside).get("alt", "")] = None
                    left -= 1
                    if not left:
                        break
            names.append(" ".join(alts))
        if self.names[number] == _AREA:
            names.append(attributes.get("alt", ""))
        names.append(attributes.get("aria-label", ""))
        names.append(attributes.get("title", ""))
        for text in names:
            folded = fold(text)
            if folded:
                return folded
        return ""

    cdef str _only_text(self, int number, int last, bint heard):
        """Return the text in a link, folded, if all its texts but one are white space; None: they are not."""
        cdef _Text run = _new_text()
        cdef int begin = number, name, length, texts = 0
        while number < last:
            name = self.names[number]
            if self.kinds[number] == START and number != begin and (
                    NO_TEXT[name] or name == _A or (not heard and self._role(number) == NOT_READ)):
                number = self.partners[number]
            length = run.length
            run.add(self.source, self.texts[number], self.text_ends[number],
                    self.kinds[number] == START and MODE[self.names[number]] > RCDATA)
            texts += run.length > length + 1 or (run.length > length and run.buffer[length] != 32)
            if texts > 1 or run.replaced:  # whether there is a space between texts depends on all elements
                _put_back(run)
                return None
            number += 1
        text = run.text()
        _put_back(run)
        return text

    cdef str _text_in(self, int number, int last, bint heard):
        """Return the text in a link, or more than enough of it. A link inside it is a link of its own.

        :param heard: with what only screen readers get.
        """
        cdef list pieces = [], run = []  # a run is one text of the tree
        cdef int left = 2 * tag_rules.LONGEST_LINK_TEXT, kind, name, begin = number
        cdef bint inline = INLINE[self.names[number]]
        cdef str text
        while number < last and left > 0:
            kind, name = self.kinds[number], self.names[number]
            if kind == START or kind == EMPTY:
                inline = inline and INLINE[name]
                if kind == START and number != begin and (
                        NO_TEXT[name] or name == _A or (not heard and self._role(number) == NOT_READ)):
                    number = self.partners[number]
            if self.texts[number] < self.text_ends[number]:
                text = self._plain(number)
                if run and self.kinds[number] != NOTHING:
                    pieces.append("".join(run))
                    run = []
                run.append(text)
                left -= len(text.strip())
            number += 1
        pieces.append("".join(run))
        return ("" if inline else " ").join(pieces)

    def __len__(self):
        return self.size

    def __getitem__(self, index):
        """Return an event, or a range of events, as pieces of markup: ``tag>text``, escaped as in XML."""
        cdef int number
        if isinstance(index, slice):
            return [self._piece(number) for number in range(*index.indices(self.size))]
        if not 0 <= index < self.size:
            raise IndexError(index)
        return self._piece(index)

    def end_of(self, int number):
        """Return the event that ends an element, given that which begins it; its own, if it is empty."""
        return self.partners[number] if self.kinds[number] == START and not self._is_bare(number) else number

    def inline(self, int first, int end):
        """Return what ``TreePieces.inline`` does, for a range of events."""
        cdef list found = []
        cdef int number, name
        cdef bytes source
        cdef str tag, text
        for number in range(max(first, 0), min(end, self.size)):
            text, tag, name = self._escaped(number), "", self.names[number]
            if self.kinds[number] in (COMMENT, NOTHING, EMPTY) or self._is_bare(number):
                tag = "!"
            elif self.kinds[number] == END:
                if SHORT_ENDS[name] is None:
                    own = self._tag_name(self.partners[number])
                    tag = f"</{own}>" if is_inline(own) else ""
                else:
                    tag = SHORT_ENDS[name]
            elif self.kinds[number] == START and SHORT_ENDS[name] != "":
                source = self._part(self.tags[number], self.tag_ends[number])
                tag = KNOWN_SHORT.get(source)
                if tag is None:
                    own = self._tag_name(number)
                    values = [None if one is None else _clean(one) for one in self._values(number, SHOWN_NAMES)]
                    tag = short_tag(own, *values) if is_inline(own) else ""
                    if len(source) <= LONGEST:
                        if len(KNOWN_SHORT) >= MOST:
                            KNOWN_SHORT.clear()
                        KNOWN_SHORT[source] = tag
            found.append((tag, text))
        return found

    cdef bint _is_bare(self, int number) except -1:
        """Return whether an event begins or ends an element without content."""
        cdef int begin = number if self.kinds[number] == START else self.partners[number]
        if self.kinds[number] != START and self.kinds[number] != END:
            return False
        return self.partners[begin] == begin + 1 and self.texts[begin] >= self.text_ends[begin]

    cdef str _piece(self, int number):
        return f"{self._piece_tag(number)}>{self._piece_text(number)}"

    cdef str _piece_text(self, int number):
        """Return the text behind an event as a piece has it."""
        cdef str text = self._escaped(number)
        return text.replace("\r", "&#13;") if "\r" in text else text

    cdef str _escaped(self, int number):
        """Return the text behind an event without control characters, escaped as in XML."""
        cdef int at = self.texts[number], end = self.text_ends[number]
        cdef unsigned char c
        cdef str text
        while at < end:
            c = self.data[at]
            if c < 64 and (c == 38 or c == 60 or c == 62 or c == 13 or (c < 32 and CLASS[c] == CONTROL)):  # & < > \r
                break
            at += 1
        if at == end:  # most have none of these
            return self._part(self.texts[number], end).decode()
        text = _clean(self._plain(number))
        if "&" in text or "<" in text or ">" in text:
            text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        return text

    cdef str _piece_tag(self, int number):
        """Return the tag of an event as a piece has it."""
        cdef int kind = self.kinds[number]
        if kind == COMMENT:
            return f"!--{self._boundary(number)}--"
        if kind == NOTHING:
            return "!----"
        if kind == END:
            return f"/{self._tag_name(self.partners[number])}"
        return self._tag(number)

    cdef str _boundary(self, int number):
        """Return the text of a comment that begins or ends a part of a page, see ``shown.py``; else nothing."""
        cdef int begin = self.tags[number], end = self.tag_ends[number]
        if end - begin > 9:  # of "<!--$?-->"
            return ""
        text = self._part(begin, end)[4:-3]
        return text.decode() if text in (b"$", b"$?", b"$!", b"$~", b"/$") else ""

    cdef str _tag(self, int number):
        """Return a start tag as a piece has it; most are on many pages of their site."""
        cdef bytes source = self._part(self.tags[number], self.tag_ends[number]) or NAMES[self.names[number]].encode()
        cdef bint empty = self.kinds[number] == EMPTY
        cdef dict known = KNOWN_EMPTY if empty else KNOWN_TAGS
        cdef str tag = known.get(source)
        if tag is None:
            tag = self._tag_name(number)
            if self.tag_ends[number] - self.tags[number] > len(tag):
                attributes = self._clean_attributes(number).items()
                tag += "".join([f' {key}="{_quoted(value)}"' for key, value in attributes])
            if empty:
                tag += "/"
            if len(source) <= LONGEST:
                if len(known) >= MOST:
                    known.clear()
                known[source] = tag
        return tag

    def inline_html(self, spans, blocks, int begin, absolute, image, has_room, dict instead):
        """Return the blocks that have inline markup, each with its HTML.

        It does what ``_read`` of ``extraction/inline.py`` does, and takes what that takes.

        :param absolute: returns the absolute url of a target.
        :param image: returns the clean tag of an image, given its event.
        :param has_room: returns whether so many characters may be written again.
        :param instead: for the events that begin elements which are not read as they stand, what is read instead.
        """
        cdef list found = [], outer = [], pieces = []
        cdef _Inline inline = None, opened = None
        cdef int number = begin, at = 0, first, end, last, kind, name, meaning, deepest = tag_rules.DEEPEST_INLINE
        cdef bint marked = False
        cdef str text
        first, end = spans[blocks[0]]
        last = spans[blocks[len(blocks) - 1]][1]
        while number < last:
            if number >= end:
                if opened is not None:
                    opened = _change(opened, None, pieces, &marked, absolute, has_room)
                if marked:
                    found.append((blocks[at], "".join(pieces)))
                pieces, marked = [], False
                at += 1
                first, end = spans[blocks[at]]
            kind, name = self.kinds[number], self.names[number]
            meaning = MEANING[name]
            if instead and number in instead:
                text = instead[number]
                if number >= first and text:
                    if inline is not opened:
                        opened = _change(opened, inline, pieces, &marked, absolute, has_room)
                    pieces.append(text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))
                number, meaning = self.partners[number], SKIPPED
            elif kind == START:
                if self.fates[number] == HIDDEN or (meaning == SKIPPED and self.fates[number] != SHOWN_ELEMENT):
                    number = self.partners[number]
                elif meaning == IMAGE and self._has_attributes(number):  # one with something in it
                    if number >= first:
                        if inline is not opened:
                            opened = _change(opened, inline, pieces, &marked, absolute, has_room)
                        pieces.append(image(number))
                        marked = True
                    number = self.partners[number]
                else:
                    outer.append(inline)
                    if meaning == BLOCK:
                        inline = None
                    elif meaning == LINK:
                        href = self._known_attributes(number).get("href")
                        if href:
                            inline = _Inline(_without_links(inline), None, _clean(href))
                    elif IS_INLINE[name] and (inline is None or inline.depth < deepest):
                        inline = _Inline(inline, NAMES[name], None)
            elif kind == END:
                inline = outer.pop() if outer else None
            if number >= first:
                if meaning == IMAGE and kind == EMPTY and self._has_attributes(number):
                    if inline is not opened:
                        opened = _change(opened, inline, pieces, &marked, absolute, has_room)
                    pieces.append(image(number))
                    marked = True
                if self.texts[number] < self.text_ends[number]:
                    if inline is not opened:
                        opened = _change(opened, inline, pieces, &marked, absolute, has_room)
                    pieces.append(self._escaped(number))
            number += 1
        if opened is not None:
            _change(opened, None, pieces, &marked, absolute, has_room)
        if marked:
            found.append((blocks[at], "".join(pieces)))
        return found

    # ---- the layout ---------------------------------------------------------------------------------------

    cdef tuple _step(self, int number):
        """Return what a block-level element looks like, whether it is not read, and whether it may be a picture."""
        cdef int name = self.names[number]
        cdef int begin = self.tags[number], end = self.tag_ends[number]
        cdef tuple known = KNOWN_STEPS.get(self.source, begin, end)
        if known is not None:
            return known
        if begin == end:  # an element that the source leaves out
            return BARE_STEPS[name], False, False
        id_, form, *roles = [None if one is None else _clean(one) for one in self._values(number, STEP_NAMES)]
        classes = roles[0]
        id_ = form if id_ is None else id_  # as for ``_id_and_classes`` of ``tags.py``
        step = Step(self._tag_name(number), "" if id_ is None else id_.strip(),
                    () if classes is None else tuple(classes.split()))
        unread = _is_unread(step.tag, roles)
        if step == BARE_STEPS[self.names[number]]:
            step = BARE_STEPS[self.names[number]]  # so that it is one object
        known = step, unread, self._may_be_picture(number)
        KNOWN_STEPS.put(self._part(begin, end), known)
        return known

    cdef bint _may_be_picture(self, int number) except -1:
        """Return what ``may_be_picture`` of ``tags.py`` does; a long tag is not written as a piece for nothing."""
        cdef bytes source
        if not self._has_attribute_of_data(number):
            return False
        source = _lower(self._part(self.tags[number], self.tag_ends[number]))
        return (b"src" in source or b"original" in source or b"-b" in source) and may_be_picture(self._tag(number))

    cdef bint _has_attribute_of_data(self, int number) except -1:
        """Return whether a start tag has ``data-`` in it."""
        cdef int at = self.tags[number], end = self.tag_ends[number]
        while at + 5 < end:
            if self.data[at + 4] == 45 and self.data[at] | 32 == 100 and self.data[at + 1] | 32 == 97 and (
                    self.data[at + 2] | 32 == 116 and self.data[at + 3] | 32 == 97):
                return True
            at += 1
        return False

    cdef int _role(self, int number) except -2:
        """Return how an element is read, as ``role_of`` of ``tags.py`` tells; -1 if it may be a picture."""
        cdef int begin = self.tags[number], end = self.tag_ends[number], name = self.names[number]
        cdef tuple known
        if name == _MATH:
            return FORMULA
        if begin == end or (name != UNKNOWN and end - begin <= len(<str> NAMES[name])):
            return AS_IT_STANDS  # it has no attributes
        known = KNOWN_ROLES.get(self.source, begin, end)
        if known is None:
            roles = [None if one is None else _clean(one) for one in self._values(number, ROLES)]
            role = role_of(self._tag_name(number), *roles)
            known = (-1 if not role and self._may_be_picture(number) else role,)
            KNOWN_ROLES.put(self._part(begin, end), known)
        return <object> PyTuple_GET_ITEM(known, 0)

    cdef tuple _link(self, int number):
        """Return a link's target, host, path and query; its relations; what else its tag tells."""
        cdef int begin = self.tags[number], end = self.tag_ends[number]
        cdef tuple known = KNOWN_LINKS.get(self.source, begin, end)
        if known is not None:
            return known
        href, name, relation, *roles = self._values(number, (b"href", b"name", b"rel", *ROLES))
        known = _link_to(_clean(href).strip()) if href is not None else NOWHERE if name is None else NAME
        relations = tuple(["a=" + one for one in relation.lower().split()]) if relation else ()
        flags = TO_PICTURE if leads_to_picture(known) else WITHIN if (known[0] or "")[:1] == "#" else 0
        if any(roles) and _is_unread("a", [None if one is None else _clean(one) for one in roles]):
            flags |= UNREAD
        if "#" in (known[0] or ""):
            flags |= TO_PLACE
        known += relations, flags
        KNOWN_LINKS.put(self._part(begin, end), known)
        return known

    cdef int _note_relations(self, int number, tuple link, dict relations) except -1:
        """Add the relations of a link."""
        for relation in <tuple> link[4]:
            relations[relation] = None
            if relation == "a=author":
                self.authors.append(number)
        return 0

    cdef int _relate(self, int number, int last, dict relations) except -1:
        """Add the relations of the links in a part of the page that is not shown."""
        while number < last:
            if self.names[number] == _A and (self.kinds[number] == START or self.kinds[number] == EMPTY):
                self._note_relations(number, self._link(number), relations)
            number += 1
        return 0

    cdef bint _is_mark(self, int number) except -1:
        """Return whether a link within its page has no text: a heading links to itself in this way."""
        cdef int left = MARK
        while left and number < self.size:
            if self.names[number] == _A and (self.kinds[number] == END or (
                    self.kinds[number] == EMPTY and self.tag_ends[number] - self.tags[number] > 1)):
                return True
            if self.texts[number] < self.text_ends[number] and any(map(str.isalnum, self._plain(number))):
                return False
            left -= self.kinds[number] != NOTHING
            number += 1
        return True

    # The next two tell from the source alone, and so at little cost, that a question to ``Instead`` is idle.

    cdef bint _may_edit(self, int number) except -1:
        """Return whether an element may be a link to edit a section: it has a bracket, or ``edit`` in its tag.

        A reference may stand for either, and so may a character that is no ASCII, in a tag by its case.
        """
        cdef int at = self.tags[number], last = self.partners[number], left = 2 * MARK
        cdef unsigned char c
        while at < self.tag_ends[number]:
            c = self.data[at]
            if c >= 128 or c == 38 or ((c | 32) == 101 and at + 3 < self.length and self.data[at + 1] | 32 == 100
                                       and self.data[at + 2] | 32 == 105 and self.data[at + 3] | 32 == 116):
                return True
            at += 1
        while number < last and left >= 0:  # one with more tags is none
            for at in range(self.texts[number], self.text_ends[number]):
                c = self.data[at]
                if c == 91 or c == 38 or c == 0xEF:  # "[", "&", the first byte of a wide bracket
                    return True
            left -= self.kinds[number] != NOTHING and self.kinds[number] != COMMENT
            number += 1
        return False

    cdef int _sign(self, int number) except -2:
        """Return whether a link is a sign (``is_sign`` of ``instead.py``); -1: it may be one, with tags in it."""
        if not self._may_be_sign(number):
            return False
        return is_sign(_clean(self._plain(number))) if self.partners[number] == number + 1 else -1

    cdef bint _may_be_sign(self, int number) except -1:
        """Return whether a link may be a sign: there is a reference in its text, or one that is no word of ASCII."""
        cdef int at, last = self.partners[number], left = MARK
        cdef unsigned char c
        cdef bint has_letter = False, has_digit = False, has_sign = False, has_other = False
        while number < last and left >= 0:
            for at in range(self.texts[number], self.text_ends[number]):
                c = self.data[at]
                if c == 38:
                    return True
                if 97 <= c | 32 <= 122:
                    has_letter = True
                elif 48 <= c <= 57:
                    has_digit = True
                elif c >= 128 or c == 94:  # a number behind an arrow, or behind "^", is a sign
                    has_other = True
                elif not _is_space(c):
                    has_sign = True
            left -= self.kinds[number] != NOTHING and self.kinds[number] != COMMENT
            number += 1
        return left >= 0 and not has_letter and (has_other or (has_sign and not has_digit))

    cdef int _image_in(self, int number) except -2:
        """Return what ``fallback`` of ``instead.py`` does; -1: there is no image near the beginning."""
        cdef int last = self.partners[number], left = MARK
        while number < last and left > 0:
            if self.names[number] == _IMG and self.kinds[number] != END and self._has_attributes(number):
                return number
            left -= self.kinds[number] != NOTHING and self.kinds[number] != COMMENT
            number += 1
        return -1

    def layout(self, address, hidden, shown):
        """Return the columns of the page's layout.

        :param address: the :class:`~scrapy_webstemmer.page.addresses.Address` of the page.
        :param hidden: the ``Fates`` of its elements, with ``shown``.
        :returns: steps, parents, links, leads, blocks; then for the markup the first event of each node, the
            events of each block, and the images between blocks; the relations of links; what is read instead of
            elements that are not read as they stand.
        """
        self.authors = []
        self.settle(hidden, shown)
        found = _walk(self, address)
        if self.origin is not None:
            places = {self.tags[number] for number in self.authors}
            self.origin.authors = [
                number for number in range(self.origin.size)
                if self.origin.names[number] == _A and self.origin._is_start(number)
                and self.origin.tags[number] in places]
        return found

    def settle(self, hidden, shown):
        """Keep what becomes of elements."""
        cdef int number
        self.fates = bytearray(self.size + 1)
        for number in hidden:
            self.fates[number] = HIDDEN
        for number in shown:
            self.fates[number] = SHOWN_ELEMENT

    def begin(self):
        """Return the event of the element that holds the page; -1: the page is empty."""
        return self.body if self.body >= 0 else self.root


cdef class _Inline:
    """An inline element around a text, as that of ``extraction/inline.py``.

    :ivar start: the start tag to be written; empty: none; None: a link's, which is not known yet.
    :ivar href: the target of a link.
    :ivar written: whether it was written already.
    """

    cdef _Inline around
    cdef int depth
    cdef str start, href
    cdef bint written

    def __init__(self, _Inline around, str start, str href, bint written=False):
        self.around, self.start, self.href, self.written = around, start, href, written
        self.depth = around.depth + 1 if around is not None else 1


cdef _Inline _without_links(_Inline inline):
    """Return the inline elements around a link, without links. Of two nested links the inner one counts."""
    cdef list chain = []
    cdef _Inline link = inline, found, element
    while link is not None and link.href is None:
        chain.append(link)
        link = link.around
    if link is None:
        return inline
    found = link.around
    for element in reversed(chain):
        found = _Inline(found, element.start, None, True)
    return found


cdef _Inline _change(_Inline opened, _Inline wanted, list pieces, bint *marked, absolute, has_room):
    """Write the end and start tags that lead from the open elements to others. Return the latter."""
    cdef _Inline inner = wanted
    cdef list starts = []
    while opened is not wanted:
        if opened is not None and (wanted is None or opened.depth >= wanted.depth):
            if opened.start:
                pieces.append("</a>" if opened.href is not None else f"</{opened.start}>")
            opened = opened.around
        else:
            if wanted.start is None:
                url = absolute(wanted.href)
                wanted.start = f'a href="{escape(url)}"' if url else ""
            elif wanted.written and not has_room(len(wanted.start)):
                wanted.start = ""
            wanted.written = True
            if wanted.start:
                starts.append(f"<{wanted.start}>")
            wanted = wanted.around
    if starts:
        marked[0] = True
        starts.reverse()
        pieces += starts
    return inner


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
    cdef unsigned long long found = (lower + (128 - 97) * EACH) & ~(lower + (128 - 123) * EACH)
    found |= (eight + (128 - 48) * EACH) & ~(eight + (128 - 58) * EACH)
    return <int> (((found >> 7 & EACH) * EACH) >> 56)


cdef class _Text:
    """The run of text that is read: its characters, with white space folded.

    :ivar length: their number. A space at the end is not part of the text yet.
    :ivar weight: its weight; ``linked`` is that in links.
    :ivar unseen: whether there is a character that nobody sees; ``replaced``, whether another one replaces some.
    :ivar lines: whether its lines and their indentation are kept, as ``fold_lines`` of ``text.py`` does.
    """

    cdef unsigned int *buffer
    cdef int room, length, weight, linked
    cdef bint unseen, replaced, lines

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
        while end > begin and _class(self.buffer[end - 1]) == SPACE:
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
                kind = _class(code)
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
                text = None if kind == CONTROL or raw else _reference(source, at - 1, end, &behind)
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
        cdef int kind = _class(code)
        self.replaced = self.replaced or kind == CONTROL
        if kind == NOT_SEEN:
            self.unseen = True
        elif kind != SPACE or self.lines or (self.length > 0 and self.buffer[self.length - 1] != 32):
            self.buffer[self.length] = 32 if kind == SPACE and not self.lines else 0xFFFD if kind == CONTROL else code
            self.length += 1
            self.weight += kind == LETTER
        return 0


#: Texts that nothing uses at the moment: a new buffer for each page costs much. A large one is not kept.
cdef list TEXTS = []
cdef int LARGEST_BUFFER = 2_000_000


cdef _Text _new_text():
    return TEXTS.pop() if TEXTS else _Text.__new__(_Text)


cdef _put_back(_Text run):
    """Let a text be used again."""
    run.length = run.weight = run.linked = run.unseen = run.replaced = run.lines = 0
    if run.room <= LARGEST_BUFFER:
        TEXTS.append(run)


cdef tuple _walk(Scan scan, address):
    cdef unsigned char[::1] fates = scan.fates
    cdef _Text run = _new_text()
    cdef list steps = [], blocks = [], images = []
    cdef _Spans spans = _Spans()
    cdef array nodes = clone(INTS, scan.size + 1, False)
    cdef int[::1] places = nodes
    cdef int[::1] parents = clone(INTS, scan.size + 1, False)
    cdef int[::1] links = clone(INTS, scan.size + 1, True), leads = clone(INTS, scan.size + 1, True)
    cdef int count = 1
    cdef list targets = [], within = [], pending = []
    cdef dict relations = {}  # in the order of the page
    cdef int number, last, name, kind, meaning, node = 0, first, preformatted = 0, weight
    cdef bint has_text = False, in_link = False, behind_heading = False, in_heading = False
    cdef bint behind_image = False, spare = False
    cdef tuple step, link
    cdef int role
    cdef bytes source = None
    cdef int at, end
    cdef bint raw = False
    cdef str formula, place
    cdef bint passed, before
    cdef int flags, fallback, sign
    cdef str target_host
    instead = Instead(scan)
    cdef dict found = instead.texts
    cdef str host = address.host
    cdef tuple names = address.names
    cdef bint bare = address.bare
    number = scan.begin()
    if number < 0:
        return (BARE_STEPS[_HTML],), (-1,), (0,), (0,), (), nodes, spans, images, relations, {}
    last = scan.partners[number]
    scan._relate(0, number + 1, relations)
    first = number
    steps.append(scan._step(number)[0])
    parents[0] = -1
    places[0] = number
    if scan.kinds[number] == EMPTY:
        scan._relate(number + 1, scan.size, relations)
        return tuple(steps), (-1,), (0,), (0,), (), nodes, spans, images, relations, {}
    kind = meaning = 0
    while True:
        # the text behind the event; before it the formula that is read instead of the element which it ends
        while True:
            if source is None:
                at, end = scan.texts[number], scan.text_ends[number]
                if at < end:
                    raw = scan.kinds[number] == START and MODE[scan.names[number]] > RCDATA
                    if not has_text and not pending and scan.kinds[number] != NOTHING:
                        first = number  # a text that begins before a tag without effect is one text
            else:
                at, end, raw = 0, len(source), True
            if at < end:
                weight = run.weight
                run.lines = preformatted > 0
                run.add(scan.source if source is None else source, at, end, raw)
                if run.length or run.unseen or preformatted:
                    has_text = True
                if in_link:
                    run.linked += run.weight - weight
            if source is None:
                break
            source = None
        number += 1
        if number >= last:
            break
        kind = scan.kinds[number]
        if kind == NOTHING or kind == COMMENT:
            meaning = TRANSPARENT
            continue
        if fates[number]:
            meaning = TRANSPARENT
            if fates[number] == HIDDEN:
                scan._relate(number, scan.partners[number] + 1, relations)
                if kind == START:
                    number = scan.partners[number]
                    kind = END
            continue
        name = scan.names[number]
        meaning = MEANING[name]
        if meaning == IMAGE and not scan._has_attributes(number):
            meaning = TRANSPARENT
        if meaning == TRANSPARENT or name == _MATH or name == _SCRIPT:
            if kind == END:
                continue
            role = scan._role(number)
            if role > NOT_READ:
                formula = instead.formula(number)
                if formula is not None:
                    if formula:
                        if not has_text and not pending:
                            first = number
                        source = formula.encode()
                    scan._relate(number, scan.partners[number], relations)
                    number, kind = scan.partners[number], END
                    continue
            elif kind == START and role == NOT_READ:
                found[number] = ""
                scan._relate(number, scan.partners[number], relations)
                number, kind = scan.partners[number], END
                continue
            if meaning == TRANSPARENT:
                passed = kind == START and role <= 0 and (behind_heading or found) and not scan._is_bare(number) and (
                    number in found or (
                        behind_heading and (in_heading or not has_text) and scan._may_edit(number) and instead.passes(
                            number, "", steps[node] if in_heading else None, steps[max(parents[node], 0)],
                            run.weight > 0 if in_heading else has_text, behind_heading)))
                if passed:
                    scan._relate(number, scan.partners[number], relations)
                    number, kind = scan.partners[number], END
                elif role < 0 and instead.is_picture(number):
                    if not has_text and not pending:
                        first = number
                    pending.append((number, targets[len(targets) - 1] if targets else None))
                continue
        if meaning == BLOCK:
            if kind == END:
                behind_heading = IS_HEADING[name]
                behind_image = not has_text and (bool(pending) or behind_image)
                spare = False
                if name == _PRE:
                    preformatted -= 1
                if has_text or pending:
                    _flush(run, node, first, number, pending, blocks, spans, images)
                    has_text = False
                node = parents[node]
                in_heading = IS_HEADING[scan.names[places[node]]]
                continue
            if scan.tag_ends[number] - scan.tags[number] <= len(<str> NAMES[name]):
                step = None
            else:
                step = scan._step(number)
                if <bint> <object> PyTuple_GET_ITEM(step, 1):
                    if kind == START:
                        found[number] = ""
                        scan._relate(number, scan.partners[number], relations)
                        number, kind = scan.partners[number], END
                    meaning = TRANSPARENT
                    continue
            if has_text or pending:
                _flush(run, node, first, number, pending, blocks, spans, images)
                has_text = False
            steps.append(BARE_STEPS[name] if step is None else <object> PyTuple_GET_ITEM(step, 0))
            places[count] = number
            parents[count] = node
            behind_image = spare = False
            if step is not None and <bint> <object> PyTuple_GET_ITEM(step, 2) and instead.is_picture(number):
                images.append(_named(Image, len(blocks), count, number, targets[len(targets) - 1] if targets else None))
            behind_heading = kind == START and IS_HEADING[name]
            if kind == START:
                node, in_heading = count, behind_heading
                if name == _PRE:
                    preformatted += 1
            count += 1
        elif meaning == CUT:
            behind_image = not has_text and (bool(pending) or behind_image)
            spare = False
            if has_text or pending:
                _flush(run, node, first, number, pending, blocks, spans, images)
                has_text = False
        elif meaning == LINK:
            if kind == END:
                if targets:
                    targets.pop()
                    within.pop()
                in_link = bool(within) and within[len(within) - 1]
                continue
            link = scan._link(number)
            flags = <object> PyTuple_GET_ITEM(link, 5)
            if kind == START:
                passed = False
                if flags & UNREAD and not scan._is_bare(number):
                    found[number], passed = "", True
                elif flags & TO_PLACE or behind_heading:
                    before = run.weight > 0 if in_heading else has_text
                    sign = scan._sign(number) if flags & TO_PLACE else 0
                    passed = (sign or (flags & TO_PLACE and in_heading and before) or (
                        behind_heading and before == in_heading and scan._may_edit(number))
                        ) and not scan._is_bare(number)  # the tests of ``Instead.passes`` cost much more
                    if sign > 0 and (flags & WITHIN or address.place(link[:4])):
                        found[number] = ""
                    elif passed:
                        place = address.place(link[:4]) if flags & TO_PLACE else ""
                        passed = (behind_heading or place) and instead.passes(
                            number, place, steps[node] if in_heading else None, steps[max(parents[node], 0)], before,
                            behind_heading)
                if passed:
                    scan._relate(number, scan.partners[number], relations)
                    number, kind = scan.partners[number], END
                    continue
                targets.append(<object> PyTuple_GET_ITEM(link, 0))
                in_link = <object> PyTuple_GET_ITEM(link, 0) is not None and not flags & TO_PICTURE
                within.append(in_link)
            if <tuple> PyTuple_GET_ITEM(link, 4):
                scan._note_relations(number, link, relations)
            if flags & TO_PICTURE or (flags & WITHIN and scan._is_mark(number)):
                continue
            links[node] += 1
            target_host = <object> PyTuple_GET_ITEM(link, 1)
            if target_host is not None and (target_host == "" or target_host == host) and (
                    link[2] not in names or (not bare and address.differs(link[3]))):
                leads[node] += 1
        elif meaning == IMAGE:
            if not has_text and not pending:
                first = number
            if spare:
                pending.pop()
            spare = False
            pending.append((number, targets[len(targets) - 1] if targets else None))
            if kind == START:  # it has something else in it
                scan._relate(number, scan.partners[number], relations)
                number, kind = scan.partners[number], END
        elif kind == START:  # skipped
            if name == _NOSCRIPT and not (has_text or pending or behind_image):
                fallback = scan._image_in(number)
                if fallback >= 0:
                    first, spare = number, True
                    pending.append((fallback, targets[len(targets) - 1] if targets else None))
            scan._relate(number, scan.partners[number], relations)
            number = scan.partners[number]
            kind = END
    _flush(run, node, first, last, pending, blocks, spans, images)
    scan._relate(last, scan.size, relations)
    _put_back(run)
    _name_paragraphs(steps, parents, blocks)
    return (tuple(steps), _tuple(parents, count), _tuple(links, count), _tuple(leads, count), tuple(blocks), nodes,
            spans, images, relations, found)


cdef bint _is_unread(str name, list roles) except -1:
    """Return whether a link or a block-level element is not read, given the values of ``ROLE_NAMES``."""
    if roles[1] is None and roles[2] is None and roles[3] is None and roles[4] is None:  # as for most
        return roles[0] is not None and role_of_classes(roles[0]) == NOT_READ
    return role_of(name, *roles) == NOT_READ


cdef tuple _link_to(str href):
    """Return what ``link_to`` of ``anchors.py`` does; a usual url of ASCII is divided here, in one pass."""
    cdef const unsigned char *data
    cdef int size = len(href), at, begin, path, end
    cdef bint rooted
    cdef str host = ""
    if not href.isascii():
        return link_to(href)
    data = <const unsigned char *> PyUnicode_1BYTE_DATA(href)
    begin = 7 if href.startswith("http://") else 8 if href.startswith("https://") else 0
    if not begin and size and data[0] == 35:
        return href, None, "", ""
    rooted = begin > 0 or (size > 0 and data[0] == 47)
    if not rooted and (size == 0 or data[0] == 63 or ":" in href or href.startswith("./")):
        return link_to(href)
    if not begin and size > 1 and data[0] == 47 and data[1] == 47:
        return link_to(href)
    path, at = -1 if begin else 0, begin
    while at < size and data[at] != 63 and data[at] != 35:  # "?", "#"
        if data[at] == 37:  # "%"
            return link_to(href)
        if data[at] == 47 and path < 0:
            path = at
        at += 1
    end = at
    if path < 0:
        path = end
    while at < size and data[at] != 35:
        at += 1
    if begin:
        host = href[begin:path].lower()
        host = host[4:] if host.startswith("www.") else host
    query = href[end + 1:at] if end < at else ""
    if end > path and data[end - 1] == 47:
        end -= 1
    if "index." in href:
        return link_to(href)
    return href, host, href[path:end] if rooted else "./" + href[path:end], query


cdef tuple _tuple(int[::1] column, int size):
    cdef int number
    cdef list found = [0] * size
    for number in range(size):
        if column[number]:
            found[number] = column[number]
    return tuple(found)


cdef object _named(type what, object first, object second, object third, object fourth):
    """Return a named tuple of four values; the usual way takes three times as long."""
    cdef object found = PyType_GenericAlloc(what, 4)
    Py_INCREF(first)
    PyTuple_SET_ITEM(found, 0, first)
    Py_INCREF(second)
    PyTuple_SET_ITEM(found, 1, second)
    Py_INCREF(third)
    PyTuple_SET_ITEM(found, 2, third)
    Py_INCREF(fourth)
    PyTuple_SET_ITEM(found, 3, fourth)
    return found


cdef class _Spans:
    """For each block its first event, and the event behind its last."""

    cdef int[::1] places
    cdef int size

    def __cinit__(self):
        self.places, self.size = clone(INTS, 256, False), 0

    cdef int add(self, int first, int end) except -1:
        if 2 * self.size + 2 > len(self.places):
            self.places = _larger(self.places, 2 * self.size, 4 * self.size)
        self.places[2 * self.size], self.places[2 * self.size + 1] = first, end
        self.size += 1
        return 0

    def __len__(self):
        return self.size

    def __getitem__(self, int index):
        if not 0 <= index < self.size:
            raise IndexError(index)
        return self.places[2 * index], self.places[2 * index + 1]


cdef int _flush(
        _Text run, int node, int first, int end, list pending, list blocks, _Spans spans, list images) except -1:
    """End a run of text: it becomes a block if it has a letter or a digit."""
    if run.weight:
        blocks.append(_named(Block, node, run.text(), run.weight, run.weight - run.linked))
        spans.add(first, end)
    elif pending:
        for number, target in pending:
            images.append(_named(Image, len(blocks), node, number, target))
    run.length = run.weight = run.linked = run.unseen = 0
    if pending:
        del pending[:]
    return 0


cdef inline int _class(unsigned int code) except -1:
    """Return the class of a character: each one of the first 65,536 is looked up once."""
    cdef int found
    if code < 0x10000:
        found = CLASS[code]
        if found != NEW:
            return found
    found = SPACE if Py_UNICODE_ISSPACE(code) else LETTER if Py_UNICODE_ISALNUM(code) else OTHER
    if code < 0x10000:
        CLASS[code] = found
    return found


cdef int _name_paragraphs(list steps, int[::1] parents, list blocks) except -1:
    """Do what :func:`~scrapy_webstemmer.page.tags.name_paragraphs` does."""
    cdef int node, end = len(steps), previous = -1
    cdef dict siblings = {}
    cdef list bare = []
    for block in blocks:
        node = (<tuple> block)[0]
        if node == previous:
            continue
        previous = node
        if steps[node] is DIV and (node + 1 == end or parents[node + 1] != node):
            bare.append(node)
    if len(bare) < 2:
        return 0
    for node in set(bare):
        siblings[parents[node]] = siblings.get(parents[node], 0) + 1
    for node in bare:
        if <int> siblings[parents[node]] > 1:
            steps[node] = PARAGRAPH
    return 0


cdef str _reference(bytes source, int at, int end, int *behind):
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


cdef str _clean(str text):
    """Return a text with replacement characters for control characters."""
    cdef Py_UCS4 character
    for character in text:
        if character < 32 and CLASS[<int> character] == CONTROL:
            return tag_rules.CONTROLS.sub("\ufffd", text)
    return text


cdef str _decoded(bytes text, bint is_value=False):
    """Return the text of some source, with characters for its references.

    :param is_value: whether it is the value of an attribute: a reference without its semicolon may there be part
        of a query.
    """
    cdef int at = 0, place, behind = 0, end
    cdef list found
    cdef str character
    end = len(text)
    if b"&" not in text:
        return text.decode("utf-8", "replace")
    found = []
    while True:
        place = text.find(b"&", at)
        if place < 0:
            found.append(text[at:].decode("utf-8", "replace"))
            return "".join(found)
        found.append(text[at:place].decode("utf-8", "replace"))
        character = _reference(text, place, end, &behind)
        if character is not None and is_value and text[behind - 1:behind] != b";" and (
                text[place + 1:place + 2] != b"#") and (
                text[behind:behind + 1].isalnum() or text[behind:behind + 1] == b"="):
            character = None
        found.append("&" if character is None else character)
        at = place + 1 if character is None else behind


cdef bytes _with_lines(bytes text):
    """Return a text in which each line ends with a line feed alone."""
    return text.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


cdef str _quoted(str value):
    """Return the value of an attribute as in XML."""
    value = value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    return value.replace("\n", "&#10;").replace("\t", "&#9;").replace("\r", "&#13;")


cdef bytes _cut(bytes name):
    """Return a name as libxml2 keeps it: without the characters that do not fit into the bytes that are left."""
    cdef str character
    cdef bytes one
    if len(name) <= LONGEST_NAME:
        return name
    found = bytearray()
    for character in name.decode():
        one = character.encode()
        if len(found) + len(one) <= LONGEST_NAME:
            found += one
        if len(found) == LONGEST_NAME:
            break
    return bytes(found)


cdef bytes _lower(bytes name):
    """Return a name with its ASCII letters in lower case."""
    return name.lower()
