# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False, cdivision=True
"""Read a page's source in one pass, without a tree: its elements as libxml2 would nest them, and their texts.

This is the compiled way to open a page; ``sources.py`` has the other one, and the reference: it parses the page to
a tree. ``scan_layout.pyx`` makes the page's layout of what is read here, and ``scan_html.pyx`` its inline HTML.

A page becomes a sequence of events: the start and end of each element, also those that the source leaves out,
and the text behind each. The rules by which elements end others are those of libxml2's parser of HTML (version
2.14). All indexes into the source are checked by the compiler's code.

Source: HTML Standard, tokenization; libxml2, HTMLparser.c (its behaviour).
"""

from cpython.array cimport array, clone
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.tuple cimport PyTuple_GET_ITEM

from libc.string cimport memchr

from .source_text cimport CLASS, CONTROL, Run, clean, decoded, new_run, put_back, reference, with_lines
from .tag_tables cimport (
    AREA_TAG, A_TAG, BASE_TAG, BODY_TAG, BUTTON_TAG, CLOSES, DIALOG_TAG, HEAD_TAG, HTML_TAG, IMG_TAG,
    INLINE, IN_HEAD, LINK_TAG, MARKUP, MATH_TAG, META_TAG, MODE, NAMES, NO_TEXT, NUMBERS, PLAINTEXT,
    PRIORITY, P_TAG, RCDATA, SCRIPT, SCRIPT_ESCAPED, SCRIPT_ESCAPED_TWICE, SCRIPT_TAG, STYLE_TAG, TEMPLATE_TAG,
    TITLE_TAG, UNKNOWN, VOID, Tags, Words, keep, number_of, packed,
)

from . import tags as tag_rules
from .facts import AUTHOR, CANONICAL, JSON, LANG, META, META_NAMES, facts_of, meta_statement, some_facts, type_fact
from .lines import SHOWN, is_inline, short_tag
from .tags import ROLE_NAMES, SHOWN_TAG, may_be_picture, role_of
from .text import fold

cdef unsigned char[256] LOWER
#: Whether a byte is white space between attributes, ends the name of an element, ends that of an attribute.
cdef unsigned char[256] BLANK, ENDS_TAG_NAME, ENDS_NAME
cdef array INTS = array("i")
cdef array KEYS = array("Q")
#: What references stand for that is white space.
cdef set WHITE = set(" \t\n\f\r")
cdef int LONGEST_NAME = tag_rules.LONGEST_NAME
#: Attributes that may tell whether an element is shown.
cdef frozenset TELLING = frozenset((b"hidden", b"popover", b"onclick", b"aria-expanded"))
cdef tuple LANGUAGES = (b"lang", b"xml:lang")
cdef tuple ROLES = tuple([name.encode() for name in ROLE_NAMES])
cdef tuple SHOWN_NAMES = tuple([name.encode() for name in SHOWN])
cdef int NOT_READ = tag_rules.NOT_READ, FORMULA = tag_rules.FORMULA, AS_IT_STANDS = tag_rules.AS_IT_STANDS
#: How many tags are looked at to tell what a link or an image is.
cdef int MARK = tag_rules.MARK
#: For the number of each known name, its end tag in a line; None: the name is unknown.
cdef list SHORT_ENDS = [None if not name else f"</{name}>" if is_inline(name) else "" for name in NAMES]
#: What is known of tags that were read.
cdef Tags KNOWN_ROLES = Tags()
cdef dict KNOWN_ATTRIBUTES = {}, KNOWN_STATEMENTS = {}, KNOWN_SHORT = {}, KNOWN_TAGS = {}
#: Words that are looked for in tags; there are a few sets of them.
cdef dict KNOWN_WORDS = {}


def _prepare():
    """Fill the tables."""
    for code in range(256):
        LOWER[code] = code + 32 if 65 <= code <= 90 else code
        BLANK[code] = chr(code) in " \n\t\r\f"
        ENDS_TAG_NAME[code] = BLANK[code] or chr(code) in ">/"
        ENDS_NAME[code] = ENDS_TAG_NAME[code] or chr(code) == "="


_prepare()


def forget():
    """Forget the tags that were read."""
    KNOWN_ROLES.forget()
    for known in (KNOWN_ATTRIBUTES, KNOWN_STATEMENTS, KNOWN_SHORT, KNOWN_TAGS):
        known.clear()


cdef int[::1] larger(int[::1] column, int size, int room):
    """Return a column with more room."""
    cdef int[::1] wider = clone(INTS, room, False)
    if size:
        wider[:size] = column[:size]
    return wider


cdef class Scan:
    """A page's source as events, in columns.

    :ivar elements: number of elements, those that the source leaves out included.
    :ivar depth: the most elements around an element.
    :ivar attributes: the most attributes of an element.
    :ivar misses: whether browsers may show more, see :func:`~.parsing.as_shown`.
    """

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
        if (self.strays and not self.has_body_tag) or (self.body_end >= 0 and SHOWN_TAG.search(source, self.body_end)):
            self.misses = True

    cdef int _make_room(self, int room) except -1:
        """Make the columns of events larger."""
        self.kinds, self.names = larger(self.kinds, self.size, room), larger(self.names, self.size, room)
        self.tags, self.tag_ends = larger(self.tags, self.size, room), larger(self.tag_ends, self.size, room)
        self.texts, self.text_ends = larger(self.texts, self.size, room), larger(self.text_ends, self.size, room)
        self.partners, self.room = larger(self.partners, self.size, room), room
        return 0

    cdef bytes part(self, int begin, int end):
        """Return a part of the source."""
        if not 0 <= begin <= end <= self.length:
            raise IndexError(begin)
        return PyBytes_FromStringAndSize(<char *> self.source + begin, end - begin)

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
        if name == HEAD_TAG:
            self.had_head = True
            if self.head < 0:
                self.head = number
        elif name == BODY_TAG:
            self.had_body = True
            if self.body < 0 and self.top == 1 and self.stack_names[0] == HTML_TAG:
                self.body = number
        elif name == TITLE_TAG:
            if self.title < 0:
                self.title = number
        elif name == META_TAG or name == LINK_TAG or name == SCRIPT_TAG:
            self.stating.append((number, name, parent))
        if self.tells or name == BUTTON_TAG or name == TEMPLATE_TAG or name == DIALOG_TAG:
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
        if name == HTML_TAG or self.done:
            return 0
        if self.top < 0:
            self._open(HTML_TAG, packed(b"html"), at, at)
        if name == BODY_TAG or name == HEAD_TAG:
            return 0
        if self.top <= 0 and name in (SCRIPT_TAG, META_TAG, LINK_TAG, TITLE_TAG, BASE_TAG, STYLE_TAG):
            if not self.had_head and not self.had_body:
                self._open(HEAD_TAG, packed(b"head"), at, at)
        elif not self.had_body and not (NAMES[name] in ("noframes", "frame", "frameset")):
            for number in range(self.top + 1):
                if self.stack_names[number] == BODY_TAG or self.stack_names[number] == HEAD_TAG:
                    return 0
            self._open(BODY_TAG, packed(b"body"), at, at)
        return 0

    cdef int _begin_text(self, int at) except -1:
        """Make place for text that is not white space."""
        if self.top >= 0 and self.stack_names[self.top] == HEAD_TAG:
            self._end_closed_by(P_TAG, at)
        return self._imply(P_TAG, at)

    cdef int _name(self, int begin, int end, unsigned long long *key) except -1:
        """Return the number of an element's name, and a key that no other name has on this page."""
        cdef unsigned long long letters = 0
        cdef int i
        cdef bytes name
        if end - begin <= 8:
            for i in range(begin, end):
                letters |= <unsigned long long> LOWER[self.data[i]] << (8 * (i - begin))
            key[0] = letters
            return number_of(letters)
        name = _cut(self.part(begin, end)).lower()
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
        cdef char *place
        if at >= self.length:
            return self.length
        place = <char *> memchr(<char *> self.source + at, what, self.length - at)
        return self.length if place is NULL else <int> (place - <char *> self.source)

    cdef int _text(self, int at) except -1:
        cdef int end = self._find(60, at), begin = at, name, behind = 0
        name = self.stack_names[self.top] if self.top >= 0 else HTML_TAG
        if name == HTML_TAG or name == HEAD_TAG:
            while begin < end and (BLANK[self.data[begin]] or self.data[begin] == 38):
                if self.data[begin] == 38:  # &
                    if reference(self.source, begin, end, &behind) not in WHITE:
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
        if self.part(at + 2, min(end, at + 9)).upper() == b"DOCTYPE":
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
        if self.body_end < 0 and (name == BODY_TAG or name == HTML_TAG):
            self.body_end = at
        if self.left_out > 0 and (name == HTML_TAG or name == HEAD_TAG or name == BODY_TAG):
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
        if self.top >= 0 and self.stack_names[self.top] == HEAD_TAG and not IN_HEAD[name]:
            self.strays = True
        self._imply(name, begin - 1)
        if name == HTML_TAG:
            if self.top >= 0:
                is_left_out = True
                self.left_out += 1
        elif name == HEAD_TAG:
            if self.top != 0:
                is_left_out = True
                self.left_out += 1
        elif name == BODY_TAG:
            self.has_body_tag = True
            for number in range(self.top + 1):
                if self.stack_names[number] == BODY_TAG:
                    is_left_out = True
                    self.left_out += 1
        if name == HTML_TAG or name == HEAD_TAG or name == BODY_TAG or (at < end and self.data[at] != 62):
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
        cdef int end = self.length, count = 0
        cdef Attribute attribute
        while True:
            while at < end and (BLANK[self.data[at]] or (
                    self.data[at] == 47 and (at + 1 == end or self.data[at + 1] != 62))):
                at += 1
            if at >= end or self.data[at] == 62 or self.data[at] == 47:
                break
            at = self._next_attribute(at, end, &attribute)
            count += 1
            if number is not NULL and attribute.name_end > attribute.name + 3:
                self._note(&attribute, number[0])
        if number is not NULL and count > self.attributes:
            self.attributes = count
        return at

    cdef int _note(self, Attribute *attribute, int number) except -1:
        """Note whether an attribute may tell something about what is shown, as ``shown.py`` has it.

        :param number: the event of the element.
        """
        cdef int begin = attribute.name, size = attribute.name_end - begin, value = attribute.value
        cdef unsigned char first = self.data[begin] | 32
        cdef bint has_value = value < attribute.value_end
        if (size == 6 and first == 104) or (size == 7 and (first == 111 or first == 112)) or (
                size == 8 and first == 105) or (size == 13 and first == 97):  # h, o, p, i, a
            name = self.part(begin, begin + size).lower()
            if name == b"itemtype":
                self.item_types.append(number)
            self.tells = self.tells or name in TELLING
            self.aims = self.aims or name == b"aria-controls"
        elif size == 5 and first == 115:  # s: style
            self.tells = self.tells or self._may_hide(value, attribute.value_end)
        elif (size == 4 and first == 104) or (size > 5 and first == 100 and self.data[begin + 4] == 45):  # h, d: data-
            self.misses = self.misses or (size == 12 and self.data[begin + 5] | 32 == 99)  # data-cfemail
            self.aims = self.aims or (has_value and (self.data[value] == 35 or self.data[value] == 38))  # "#", "&"
        return 0

    cdef bint _may_hide(self, int at, int end) except -1:
        """Return whether a style may hide its element: it has a reference, ``non``, ``hid`` or ``coll``."""
        cdef unsigned int last = 0  # the last four characters
        while at < end:
            last = last << 8 | self.data[at] | 32
            if self.data[at] == 38 or last == 0x636F6C6C or last & 0xFFFFFF == 0x6E6F6E or last & 0xFFFFFF == 0x686964:
                return True
            at += 1
        return False

    cdef int _next_attribute(self, int at, int end, Attribute *attribute) except -1:
        """Find the next attribute of a start tag. Return the place behind it; 0 if there is none."""
        while at < end and (BLANK[self.data[at]] or self.data[at] == 47):
            at += 1
        if at >= end:
            return 0
        attribute.name = at
        at += 1
        while at < end and not ENDS_NAME[self.data[at]]:
            at += 1
        attribute.name_end = attribute.value = attribute.value_end = at
        while at < end and BLANK[self.data[at]]:
            at += 1
        if at < end and self.data[at] == 61:
            at += 1
            while at < end and BLANK[self.data[at]]:
                at += 1
            attribute.value = at
            if at < end and (self.data[at] == 34 or self.data[at] == 39):
                attribute.value = at + 1
                at = min(self._find(self.data[at], at + 1), end)
                attribute.value_end = at
                return min(at + 1, end)
            while at < end and self.data[at] != 62 and not BLANK[self.data[at]]:
                at += 1
            attribute.value_end = at
        return at

    cdef int _behind_name(self, int number) except -1:
        """Return the place behind the name of a start tag's element."""
        cdef int at = self.tags[number], end = self.tag_ends[number]
        while at < end and self.data[at] != 47 and not BLANK[self.data[at]]:
            at += 1
        return at

    cdef bint has_attributes(self, int number) except -1:
        """Return whether a start tag has any attribute: an image without one shows nothing."""
        cdef Attribute first
        return self._next_attribute(self._behind_name(number), self.tag_ends[number], &first) != 0

    cdef str _value(self, Attribute *attribute):
        cdef bytes text = self.part(attribute.value, attribute.value_end)
        return decoded(with_lines(text) if b"\r" in text else text, True)

    cdef dict _attributes(self, int number):
        """Return the attributes of a start tag; of several with one name the first counts.

        As in a tree, they may have control characters.
        """
        cdef int at = self._behind_name(number), end = self.tag_ends[number]
        cdef Attribute attribute
        cdef dict attributes = {}
        while True:
            at = self._next_attribute(at, end, &attribute)
            if not at:
                return attributes
            key = _cut(self.part(attribute.name, attribute.name_end)).lower().decode()
            if key not in attributes:
                attributes[key] = self._value(&attribute)

    cdef list values(self, int number, tuple wanted):
        """Return the values of some attributes of a start tag, as in a tree; None for one that it lacks.

        :param wanted: their names, in lower case.
        """
        cdef int at = self._behind_name(number), end = self.tag_ends[number], place, size
        cdef Attribute attribute
        cdef bytes name
        cdef list values = [None] * len(wanted)
        while True:
            at = self._next_attribute(at, end, &attribute)
            if not at:
                return values
            for place in range(len(wanted)):
                name, size = wanted[place], 0
                if attribute.name_end - attribute.name != len(name):
                    continue
                while size < len(name) and LOWER[self.data[attribute.name + size]] == <unsigned char> name[size]:
                    size += 1
                if size == len(name) and values[place] is None:
                    values[place] = self._value(&attribute)

    cdef str tag_name(self, int number):
        if self.names[number] != UNKNOWN:
            return NAMES[self.names[number]]
        return _cut(self.part(self.tags[number], self._behind_name(number))).lower().decode()

    cdef str plain(self, int number):
        """Return the text behind an event with its white space and its control characters, as in a tree."""
        cdef bytes text = self.part(self.texts[number], self.text_ends[number])
        cdef int name = self.names[number]
        if b"\r" in text:
            text = with_lines(text)
        if self.kinds[number] == START and MODE[name] != MARKUP and MODE[name] != RCDATA:
            return text.decode()
        return decoded(text)

    def title_text(self):
        """Return the text of the ``title`` element; empty if there is none."""
        cdef int number = self.title, last
        if number < 0 or self.kinds[number] == EMPTY:
            return ""
        last = self.partners[number]
        return "".join([self.plain(n) for n in range(number, last)])

    def og_title(self):
        """Return the ``og:title``; empty if there is none."""
        for number, name, parent in self.stating:
            # its colon may be a reference
            if name == META_TAG and parent == self.head and b"title" in self.part(
                    self.tags[number], self.tag_ends[number]):
                attributes = self._attributes(number)
                if attributes.get("property") == "og:title" or attributes.get("name") == "og:title":
                    return attributes.get("content", "")
        return ""

    def stated(self, relations):
        """Return what :func:`~scrapy_webstemmer.page.facts.facts_in` does.

        :param relations: the relations of the page's links.
        """
        cdef list every = []
        cdef tuple stated
        cdef int number, name
        for number, name, _ in self.stating:
            stated = self._statement(number, name)
            every += facts_of("script", {"type": "ld+json"}, self.plain(number)) if stated[0] is JSON else stated[3]
        for number in self.item_types:
            if self.is_start(number):
                every.append(type_fact(self._attributes(number).get("itemtype", "")))
        every += relations
        return some_facts(every)

    def stating_elements(self, names):
        """Return what ``markup.stating_elements`` does, then what ``anchors.author_links`` does."""
        cdef list statements = []
        cdef int number, name
        values = self.values(self.root, LANGUAGES) if self.root >= 0 else (None, None)
        statements.append((LANG, "", clean(values[0] or values[1] or "")))
        for number, name, _ in self.stating:
            kind, stated, value, _ = self._statement(number, name)
            if kind is JSON:
                statements.append((JSON, "", self.plain(number)))
            elif kind is CANONICAL or (kind is META and stated in names):
                statements.append((kind, stated, value))
        for number in self.authors:
            attributes = self.known_attributes(number)
            if "author" in attributes.get("rel", "").split():
                statements.append((AUTHOR, attributes.get("href", ""), self._link_text(number, attributes)))
        return statements

    cdef tuple _statement(self, int number, int name):
        """Return what a meta, link or script states: its kind, a name, a value; and its facts.

        The text of a script is not read. The kind is empty if it states nothing.
        """
        cdef bytes tag = self.part(self.tags[number], self.tag_ends[number])
        cdef tuple stated = KNOWN_STATEMENTS.get(tag)  # many are on all pages of a site
        if stated is None:
            attributes = self._attributes(number)
            stated = "", "", ""
            if name == META_TAG:
                stated = META, *meta_statement(*map(attributes.get, META_NAMES))
            elif name == LINK_TAG and "canonical" in attributes.get("rel", "").lower():
                stated = CANONICAL, "", attributes.get("href", "")
            elif name == SCRIPT_TAG and "ld+json" in attributes.get("type", "").lower():
                stated = JSON, "", ""
            stated += (facts_of(NAMES[name], attributes),)
            keep(KNOWN_STATEMENTS, tag, stated)
        return stated

    def told(self):
        """Return what ``TreePieces.told`` does; an element may be among it that tells nothing."""
        cdef int number, begin = self.begin()
        cdef int last = self.partners[begin] if begin >= 0 else 0
        return [(number, self.end_of(number), self.tag(number)) for number in self.telling if begin < number < last]

    def aiming(self):
        """Return the start tags that may name another element of the page."""
        cdef int number, begin = self.begin()
        cdef int last = self.partners[begin] if begin >= 0 else 0
        return [self.tag(number) for number in self.aiming_events if begin <= number < last]

    def around(self, int first, int end):
        """Return the tag and the text of the events from one up to another."""
        cdef int number
        cdef list tags = []
        for number in range(max(first, 0), min(end, self.size)):
            tags.append((self._piece_tag(number), self._piece_text(number)))
        return tags

    def body_pieces(self):
        """Return the body as pieces of markup."""
        cdef int begin = self.begin()
        return self[begin:self.partners[begin] + 1] if begin >= 0 else []

    def size_of(self, int first, int end):
        """Return the number of bytes of the texts of the events from one up to another."""
        cdef int number, size = 0
        for number in range(first, end):
            size += self.text_ends[number] - self.texts[number]
        return size

    def marked(self, needles, int first, int last):
        """Return what ``TreePieces.marked`` does, for a range of events."""
        cdef tuple key = tuple(needles.items())
        cdef Words words = KNOWN_WORDS.get(key)
        cdef list tags = []
        cdef int number
        if words is None:
            words = KNOWN_WORDS[key] = Words(key)
        for number in range(max(first, 0), min(last, self.size)):
            if self.is_start(number) and words.is_in(
                self.source, self.tags[number], self.tag_ends[number], self.names[number]
            ):
                tags.append((number, self.tag(number)))
        return tags

    cdef bint is_start(self, int number) except -1:
        return self.kinds[number] == START or self.kinds[number] == EMPTY

    def base_href(self):
        """Return the target of the first ``base`` element that has one; None if there is none."""
        cdef int number
        for number in range(self.size):
            if self.names[number] == BASE_TAG and self.is_start(number):
                href = self._attributes(number).get("href")
                if href is not None:
                    return href
        return None

    def links(self):
        """Return the target and the text of each ``a`` and ``area`` with a target, as ``links_in`` of a tree."""
        cdef int number, name
        cdef list links = []
        for number in range(self.size):
            name = self.names[number]
            if (name == A_TAG or name == AREA_TAG) and self.is_start(number):
                attributes = self.known_attributes(number)
                href = attributes.get("href")
                if href is not None:
                    links.append((href, self._link_text(number, attributes)))
        return links

    cdef dict known_attributes(self, int number):
        """Return the attributes of a link: most links are on many pages of their site."""
        cdef bytes tag = self.part(self.tags[number], self.tag_ends[number])
        cdef dict known = KNOWN_ATTRIBUTES.get(tag)
        if known is None:
            known = self._attributes(number)
            keep(KNOWN_ATTRIBUTES, tag, known)
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
                if self.names[inside] == IMG_TAG and self.is_start(inside):
                    alts[self._attributes(inside).get("alt", "")] = None
                    left -= 1
                    if not left:
                        break
            names.append(" ".join(alts))
        if self.names[number] == AREA_TAG:
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
        cdef Run run = new_run()
        cdef int begin = number, name, length, texts = 0
        while number < last:
            name = self.names[number]
            if self.kinds[number] == START and number != begin and (
                    NO_TEXT[name] or name == A_TAG or (not heard and self.role(number) == NOT_READ)):
                number = self.partners[number]
            length = run.length
            run.add(self.source, self.texts[number], self.text_ends[number],
                    self.kinds[number] == START and MODE[self.names[number]] > RCDATA)
            texts += run.length > length + 1 or (run.length > length and run.buffer[length] != 32)
            if texts > 1 or run.replaced:  # whether there is a space between texts depends on all elements
                put_back(run)
                return None
            number += 1
        text = run.text()
        put_back(run)
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
                        NO_TEXT[name] or name == A_TAG or (not heard and self.role(number) == NOT_READ)):
                    number = self.partners[number]
            if self.texts[number] < self.text_ends[number]:
                text = self.plain(number)
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
        return self.partners[number] if self.kinds[number] == START and not self.is_bare(number) else number

    def inline(self, int first, int end):
        """Return what ``TreePieces.inline`` does, for a range of events."""
        cdef list pieces = []
        cdef int number, name
        cdef bytes source
        cdef str tag, text
        for number in range(max(first, 0), min(end, self.size)):
            text, tag, name = self.escaped(number), "", self.names[number]
            if self.kinds[number] in (COMMENT, NOTHING, EMPTY) or self.is_bare(number):
                tag = "!"
            elif self.kinds[number] == END:
                if SHORT_ENDS[name] is None:
                    tag_name = self.tag_name(self.partners[number])
                    tag = f"</{tag_name}>" if is_inline(tag_name) else ""
                else:
                    tag = SHORT_ENDS[name]
            elif self.kinds[number] == START and SHORT_ENDS[name] != "":
                source = self.part(self.tags[number], self.tag_ends[number])
                tag = KNOWN_SHORT.get(source)
                if tag is None:
                    tag_name = self.tag_name(number)
                    values = [None if value is None else clean(value) for value in self.values(number, SHOWN_NAMES)]
                    tag = short_tag(tag_name, *values) if is_inline(tag_name) else ""
                    keep(KNOWN_SHORT, source, tag)
            pieces.append((tag, text))
        return pieces

    cdef bint is_bare(self, int number) except -1:
        """Return whether an event begins or ends an element without content."""
        cdef int begin = number if self.kinds[number] == START else self.partners[number]
        if self.kinds[number] != START and self.kinds[number] != END:
            return False
        return self.partners[begin] == begin + 1 and self.texts[begin] >= self.text_ends[begin]

    cdef str _piece(self, int number):
        return f"{self._piece_tag(number)}>{self._piece_text(number)}"

    cdef str _piece_text(self, int number):
        """Return the text behind an event as a piece has it."""
        cdef str text = self.escaped(number)
        return text.replace("\r", "&#13;") if "\r" in text else text

    cdef str escaped(self, int number):
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
            return self.part(self.texts[number], end).decode()
        text = clean(self.plain(number))
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
            return f"/{self.tag_name(self.partners[number])}"
        return self.tag(number)

    cdef str _boundary(self, int number):
        """Return the text of a comment that begins or ends a part of a page, see ``shown.py``; else nothing."""
        cdef int begin = self.tags[number], end = self.tag_ends[number]
        if end - begin > 9:  # of "<!--$?-->"
            return ""
        text = self.part(begin, end)[4:-3]
        return text.decode() if text in (b"$", b"$?", b"$!", b"$~", b"/$") else ""

    cdef str tag(self, int number):
        """Return a start tag as a piece has it; most are on many pages of their site."""
        cdef bytes source = self.part(self.tags[number], self.tag_ends[number]) or NAMES[self.names[number]].encode()
        cdef str tag = KNOWN_TAGS.get(source)
        if tag is None:
            tag = self.tag_name(number)
            if self.tag_ends[number] - self.tags[number] > len(tag):
                attributes = self._attributes(number).items()
                tag += "".join([f' {key}="{_quoted(clean(value))}"' for key, value in attributes])
            keep(KNOWN_TAGS, source, tag)
        return f"{tag}/" if self.kinds[number] == EMPTY else tag

    cdef bint could_be_picture(self, int number) except -1:
        """Return what ``may_be_picture`` of ``tags.py`` does; a long tag is not written as a piece for nothing.

        It is kept for all elements with this tag, so an empty ``picture`` counts like one with content.
        """
        cdef unsigned char first = self.data[self.tags[number]] | 32
        cdef bytes source
        if first != 100 and first != 115 and first != 102 and first != 112:
            return False  # no "div", "span", "figure", "picture"
        source = self.part(self.tags[number], self.tag_ends[number]).lower()
        if source.startswith((b"figure", b"picture")):
            return may_be_picture(self.tag(number).removesuffix("/"))
        return (
            b"src" in source or b"url(" in source or b"&" in source
            or (b"data-" in source and (b"original" in source or b"-b" in source))
        ) and may_be_picture(self.tag(number))

    cdef int role(self, int number) except -2:
        """Return how an element is read, as ``role_of`` of ``tags.py`` tells; -1 if it may be a picture."""
        cdef int begin = self.tags[number], end = self.tag_ends[number], name = self.names[number]
        cdef tuple known
        if name == MATH_TAG:
            return FORMULA
        if begin == end or (name != UNKNOWN and end - begin <= len(<str> NAMES[name])):
            return AS_IT_STANDS  # it has no attributes
        known = KNOWN_ROLES.get(self.source, begin, end)
        if known is None:
            roles = [None if value is None else clean(value) for value in self.values(number, ROLES)]
            role = role_of(self.tag_name(number), *roles)
            known = (-1 if not role and self.could_be_picture(number) else role,)
            KNOWN_ROLES.put(self.part(begin, end), known)
        return <object> PyTuple_GET_ITEM(known, 0)

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


cdef str _quoted(str value):
    """Return the value of an attribute as in XML."""
    value = value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    return value.replace("\n", "&#10;").replace("\t", "&#9;").replace("\r", "&#13;")


cdef bytes _cut(bytes name):
    """Return a name as libxml2 keeps it: without the characters that do not fit into the bytes that are left."""
    cdef str character
    cdef bytes letter
    if len(name) <= LONGEST_NAME:
        return name
    cut = bytearray()
    for character in name.decode():
        letter = character.encode()
        if len(cut) + len(letter) <= LONGEST_NAME:
            cut += letter
        if len(cut) == LONGEST_NAME:
            break
    return bytes(cut)
