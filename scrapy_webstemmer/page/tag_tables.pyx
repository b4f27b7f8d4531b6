# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False, cdivision=True
"""What is known of tags: the numbers of their names, what each means, and tables of tags that were read.

The rules by which elements end others are those of libxml2's parser of HTML, as data in ``tags.py``.
"""

from cpython.array cimport array

from libc.string cimport memcmp, memcpy, memset

from . import tags as tag_rules
from .tags import HEADINGS, PICTURES, TODAY

cdef int SIZE = 0  # number of known names, with UNKNOWN
cdef list NAMES = [""]
cdef dict NUMBERS = {}
cdef unsigned long long[512] KEYS
cdef int[512] KEY_NUMBERS

#: The most tags in a table, and the characters of the longest; memory must stay bounded in a crawl of months.
cdef int MOST = 10_000, LONGEST = 500
cdef int SLOTS = 32_768


cdef class Words:
    """Words that the tags of elements may have, to be looked for in one pass over a tag.

    A bit stands for a word. A table has the two bytes with which they begin, so few places of a tag need a
    comparison.
    """

    def __init__(self, tuple words):
        """:param words: the words, by the name of the element, "" for all; 32 at most."""
        cdef unsigned int bits
        cdef int bit = 0, byte
        cdef bytes word
        self.words, self.always, self.by_name = [], 0, array("I", bytes(4 * SIZE))
        memset(self.begins, 0, sizeof(self.begins))
        for name, some in words:
            bits = 0
            for word in some:
                bits |= 1u << bit
                self.always |= <unsigned int> (not word) << bit
                for byte in range(256):
                    if word and word[1:2] in (b"", bytes([byte])):
                        self.begins[<int> word[0] << 8 | byte] = True
                bit += 1
                self.words.append(word)
            for byte in range(SIZE):
                if not name or NAMES[byte] == name:
                    self.by_name[byte] |= bits

    cdef bint is_in(self, bytes source, int at, int end, int name) except -1:
        """Return whether one of the words for elements of a name stands in a part of the source."""
        cdef const unsigned char *data = source  # a byte follows the last one
        cdef unsigned int wanted = self.by_name[name], bits
        cdef bytes word
        cdef int bit
        if not wanted or wanted & self.always:
            return wanted != 0
        while at < end - 1:
            if self.begins[data[at] << 8 | data[at + 1]]:
                bits, bit = wanted, 0
                while bits:
                    if bits & 1:
                        word = self.words[bit]
                        if at + len(word) <= end and not memcmp(<char *> word, data + at, len(word)):
                            return True
                    bits >>= 1
                    bit += 1
            at += 1
        return False


cdef class Tags:
    """What is known of tags, by their source: a table in which a part of a page is found as it stands there."""

    def __init__(self):
        self.forget()

    cdef forget(self):
        self.known, self.slots = [], array("I", bytes(8 * SLOTS))

    cdef int _slot(self, bytes source, int begin, int end) except -1:
        """Return where a tag is in the table, or where there is room for it."""
        cdef const char *data = source
        cdef unsigned long long digest = 0xCBF29CE484222325, eight = 0
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
            digest = (digest ^ eight) * <unsigned long long> 0x9E3779B97F4A7C15
            digest ^= digest >> 32
        half, slot = digest >> 32, 2 * (digest & (SLOTS - 1))
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


cdef keep(dict known, bytes tag, value):
    """Keep what is known of a tag in a dictionary, if the tag is not long."""
    if len(tag) <= LONGEST:
        if len(known) >= MOST:
            known.clear()
        known[tag] = value


cdef inline unsigned long long _hash(unsigned long long key) noexcept:
    return ((key * <unsigned long long> 0x9E3779B97F4A7C15) >> 55) & 511


cdef unsigned long long packed(bytes name) except 0:
    """Return the key of a name of at most eight letters."""
    cdef unsigned long long key = 0
    cdef int shift = 0
    cdef unsigned char c
    for c in name:
        key |= <unsigned long long> c << shift
        shift += 8
    return key


cdef int number_of(unsigned long long key) noexcept:
    """Return the number of a name, given its key."""
    cdef unsigned long long at = _hash(key)
    while KEYS[at]:
        if KEYS[at] == key:
            return KEY_NUMBERS[at]
        at = (at + 1) & 511
    return UNKNOWN


def _prepare():
    """Fill the tables."""
    global SIZE
    cdef unsigned long long key, at
    known = tag_rules.NAMES | TODAY.block | TODAY.skipped | TODAY.cut | tag_rules.INLINE | PICTURES
    for name in sorted(known):
        NUMBERS[name.encode()] = len(NAMES)
        NAMES.append(name)
    SIZE = len(NAMES)
    assert SIZE <= 256
    for name, number in NUMBERS.items():
        if len(name) <= 8:
            key = packed(name)
            at = _hash(key)
            while KEYS[at]:
                at = (at + 1) & 511
            KEYS[at], KEY_NUMBERS[at] = key, number
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
        IN_HEAD[number] = name in tag_rules.IN_HEAD
    for old, news in tag_rules.CLOSED_BY.items():
        for new in news:
            CLOSES[<int> NUMBERS[old.encode()]][<int> NUMBERS[new.encode()]] = 1


_prepare()
HTML_TAG, HEAD_TAG, BODY_TAG, A_TAG, AREA_TAG, TITLE_TAG, META_TAG, LINK_TAG, SCRIPT_TAG, PRE_TAG = map(
    NUMBERS.get, (b"html", b"head", b"body", b"a", b"area", b"title", b"meta", b"link", b"script", b"pre"))
IMG_TAG, P_TAG, BASE_TAG, STYLE_TAG, BUTTON_TAG, TEMPLATE_TAG, DIALOG_TAG, MATH_TAG, NOSCRIPT_TAG, BR_TAG = map(
    NUMBERS.get, (b"img", b"p", b"base", b"style", b"button", b"template", b"dialog", b"math", b"noscript", b"br"))
