# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False, cdivision=True
"""Make a page's layout of its events: steps, blocks and links, as ``walk.py`` makes them of a tree."""

from cpython.array cimport array, clone
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_GET_ITEM, PyTuple_SET_ITEM
from cpython.unicode cimport PyUnicode_1BYTE_DATA

from .scan cimport COMMENT, EMPTY, END, HIDDEN, INTS, MARK, NOTHING, NOT_READ, ROLES, START, Scan, larger
from .source_text cimport Run, clean, is_space, new_run, put_back
from .tag_tables cimport (
    A_TAG, BLOCK, BR_TAG, CUT, DIV_TAG, HTML_TAG, IMAGE, IMG_TAG, IS_HEADING, LINK, MATH_TAG, MEANING, MODE,
    NAMES, NOSCRIPT_TAG, PRE_TAG, RCDATA, SCRIPT_TAG, TRANSPARENT, UNKNOWN, Tags,
)

from ..values import Block, Image, Step
from .addresses import NAME, NOWHERE, OPENS_BY, leads_to_picture, link_to, opens, stays
from .instead import Instead, is_sign
from .tags import TEXT_TAGS, role_of, role_of_classes, step_of


cdef extern from "Python.h":
    object PyType_GenericAlloc(type what, Py_ssize_t size)

# What a link's tag tells: it leads to a place on some page, on its own one by the target alone, or to a picture;
# it is not read; it opens a part of the page, or would do so in a heading.
cdef enum:
    TO_PLACE = 1, WITHIN = 2, TO_PICTURE = 4, UNREAD = 8, OPENS = 16, STAYS = 32

#: For the number of each known name, the step of an element without attributes.
cdef list BARE_STEPS = [Step(name, "", ()) for name in NAMES]
cdef object DIV = BARE_STEPS[DIV_TAG], PARAGRAPH = Step("p", "", ())
#: The attributes that tell what a block-level element looks like, and whether it is read.
cdef tuple STEP_NAMES = (b"id", b"name", *ROLES)
#: Those that tell where a link leads, and what it does.
cdef tuple LINK_NAMES = (b"href", b"name", b"id", b"rel", *ROLES, *[name.encode() for name in OPENS_BY])
#: What is known of tags that were read.
cdef Tags KNOWN_STEPS = Tags(), KNOWN_LINKS = Tags()


def forget():
    """Forget the tags that were read."""
    KNOWN_STEPS.forget()
    KNOWN_LINKS.forget()


def layout_of(Scan scan, address, hidden, shown):
    """Return the columns of the page's layout.

    :param address: the :class:`~scrapy_webstemmer.page.addresses.Address` of the page.
    :param hidden: the ``Fates`` of its elements, with ``shown``.
    :returns: steps, parents, links, leads, blocks; then for the markup the first event of each node, the
        events of each block, and the images between blocks; the relations of links; what is read instead of
        elements that are not read as they stand.
    """
    scan.authors = []
    scan.settle(hidden, shown)
    columns = _walk(scan, address)
    if scan.origin is not None:
        places = {scan.tags[number] for number in scan.authors}
        scan.origin.authors = [
            number for number in range(scan.origin.size)
            if scan.origin.names[number] == A_TAG and scan.origin.is_start(number)
            and scan.origin.tags[number] in places]
    return columns


cdef tuple _walk(Scan scan, address):
    cdef unsigned char[::1] fates = scan.fates
    cdef Run run = new_run()
    cdef list steps = [], blocks = [], images = []
    cdef _Spans spans = _Spans()
    cdef array nodes = clone(INTS, scan.size + 1, False)
    cdef int[::1] places = nodes
    cdef array all_parents = clone(INTS, scan.size + 1, False)
    cdef array all_links = clone(INTS, scan.size + 1, True), all_leads = clone(INTS, scan.size + 1, True)
    cdef int[::1] parents = all_parents, links = all_links, leads = all_leads
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
    cdef dict texts = instead.texts
    cdef str host = address.host
    cdef tuple names = address.names
    cdef bint bare = address.bare
    number = scan.begin()
    if number < 0:
        return (BARE_STEPS[HTML_TAG],), *_alone(), (), nodes, spans, images, relations, {}
    last = scan.partners[number]
    _relate(scan, 0, number + 1, relations)
    first = number
    steps.append(_step(scan, number)[0])
    parents[0] = -1
    places[0] = number
    if scan.kinds[number] == EMPTY:
        _relate(scan, number + 1, scan.size, relations)
        return tuple(steps), *_alone(), (), nodes, spans, images, relations, {}
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
                _relate(scan, number, scan.partners[number] + 1, relations)
                if kind == START:
                    number = scan.partners[number]
                    kind = END
            continue
        name = scan.names[number]
        meaning = MEANING[name]
        if meaning == IMAGE and not scan.has_attributes(number):
            meaning = TRANSPARENT
        if meaning == TRANSPARENT or name == MATH_TAG or name == SCRIPT_TAG:
            if kind == END:
                if name != UNKNOWN or places[node] != scan.partners[number]:
                    continue
                meaning = BLOCK
            role = scan.role(number) if kind != END else 0
            if role > NOT_READ:
                formula = instead.formula(number)
                if formula is not None:
                    if formula:
                        if not has_text and not pending:
                            first = number
                        source = formula.encode()
                    _relate(scan, number, scan.partners[number], relations)
                    number, kind = scan.partners[number], END
                    continue
            elif kind == START and role == NOT_READ:
                texts[number] = ""
                _relate(scan, number, scan.partners[number], relations)
                number, kind = scan.partners[number], END
                continue
            if meaning == TRANSPARENT and name == UNKNOWN and kind == START and role <= 0 and (
                    _is_custom(scan, number) and instead.is_block(
                        number, is_line=not has_text and not pending and steps[node].tag not in TEXT_TAGS)):
                meaning = BLOCK
            if meaning == TRANSPARENT:
                passed = kind == START and role <= 0 and (behind_heading or texts) and not scan.is_bare(number) and (
                    number in texts or (
                        behind_heading and (in_heading or not has_text) and _may_edit(scan, number) and instead.passes(
                            number, "", steps[node] if in_heading else None, steps[max(parents[node], 0)],
                            run.weight > 0 if in_heading else has_text, behind_heading)))
                if passed:
                    _relate(scan, number, scan.partners[number], relations)
                    number, kind = scan.partners[number], END
                elif role < 0 and _image_in(scan, number) < 0 and instead.is_picture(number):
                    if not has_text and not pending:
                        first = number
                    pending.append((number, targets[len(targets) - 1] if targets else None))
                continue
        if meaning == BLOCK:
            if kind == END:
                behind_heading = IS_HEADING[name]
                behind_image = not has_text and (bool(pending) or behind_image)
                spare = False
                if name == PRE_TAG:
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
                step = _step(scan, number)
                if <bint> <object> PyTuple_GET_ITEM(step, 1):
                    if kind == START:
                        texts[number] = ""
                        _relate(scan, number, scan.partners[number], relations)
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
                if name == PRE_TAG:
                    preformatted += 1
            count += 1
        elif preformatted and name == BR_TAG:  # a line of a listing ends
            if not has_text and not pending:
                first = number
            source = b"\n"
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
            link = _link(scan, number)
            flags = <object> PyTuple_GET_ITEM(link, 5)
            if kind == START:
                passed = False
                if flags & UNREAD and not scan.is_bare(number):
                    texts[number], passed = "", True
                elif flags & TO_PLACE or behind_heading:
                    before = run.weight > 0 if in_heading else has_text
                    sign = _sign(scan, number) if flags & TO_PLACE else 0
                    passed = (sign or (flags & TO_PLACE and in_heading and before) or (
                        behind_heading and before == in_heading and _may_edit(scan, number))
                        ) and not scan.is_bare(number)  # the tests of ``Instead.passes`` cost much more
                    if sign > 0 and (flags & WITHIN or address.place(link[:4])):
                        texts[number] = ""
                    elif passed:
                        place = address.place(link[:4]) if flags & TO_PLACE else ""
                        passed = (behind_heading or place) and instead.passes(
                            number, place, steps[node] if in_heading else None, steps[max(parents[node], 0)], before,
                            behind_heading)
                if passed:
                    _relate(scan, number, scan.partners[number], relations)
                    number, kind = scan.partners[number], END
                    continue
                targets.append(<object> PyTuple_GET_ITEM(link, 0))
                in_link = <object> PyTuple_GET_ITEM(link, 0) is not None and not (
                    flags & (TO_PICTURE | OPENS) or (flags & STAYS and in_heading))
                within.append(in_link)
            if <tuple> PyTuple_GET_ITEM(link, 4):
                _note_relations(scan, number, link, relations)
            if <object> PyTuple_GET_ITEM(link, 0) is None or flags & (TO_PICTURE | OPENS) or (
                    flags & STAYS and in_heading) or (flags & WITHIN and _is_mark(scan, number)):
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
                _relate(scan, number, scan.partners[number], relations)
                number, kind = scan.partners[number], END
        elif kind == START:  # skipped
            if name == NOSCRIPT_TAG and not (has_text or pending or behind_image):
                fallback = _image_in(scan, number)
                if fallback >= 0:
                    first, spare = number, True
                    pending.append((fallback, targets[len(targets) - 1] if targets else None))
            _relate(scan, number, scan.partners[number], relations)
            number = scan.partners[number]
            kind = END
    _flush(run, node, first, last, pending, blocks, spans, images)
    _relate(scan, last, scan.size, relations)
    put_back(run)
    _name_paragraphs(steps, parents, blocks)
    return (tuple(steps), all_parents[:count], all_links[:count], all_leads[:count], tuple(blocks), nodes,
            spans, images, relations, texts)


cdef int _flush(
        Run run, int node, int first, int end, list pending, list blocks, _Spans spans, list images) except -1:
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


cdef tuple _step(Scan scan, int number):
    """Return what a block-level element looks like, whether it is not read, and whether it may be a picture."""
    cdef int name = scan.names[number]
    cdef int begin = scan.tags[number], end = scan.tag_ends[number]
    cdef tuple known = KNOWN_STEPS.get(scan.source, begin, end)
    if known is not None:
        return known
    if begin == end:  # an element that the source leaves out
        return BARE_STEPS[name], False, False
    id_, form, *roles = [None if value is None else clean(value) for value in scan.values(number, STEP_NAMES)]
    classes = roles[0]
    id_ = form if id_ is None else id_  # as for ``_id_and_classes`` of ``tags.py``
    step = step_of(scan.tag_name(number), "" if id_ is None else id_.strip(),
                   () if classes is None else tuple(classes.split()))
    unread = _is_unread(step.tag, roles)
    if step == BARE_STEPS[scan.names[number]]:
        step = BARE_STEPS[scan.names[number]]  # so that it is one object
    known = step, unread, scan.could_be_picture(number)
    KNOWN_STEPS.put(scan.part(begin, end), known)
    return known


cdef tuple _link(Scan scan, int number):
    """Return a link's target, host, path and query; its relations; what else its tag tells."""
    cdef int begin = scan.tags[number], end = scan.tag_ends[number]
    cdef tuple known = KNOWN_LINKS.get(scan.source, begin, end)
    if known is not None:
        return known
    href, name, identifier, relation, *rest = scan.values(number, LINK_NAMES)
    roles, opening = rest[:len(ROLES)], rest[len(ROLES):]
    if href is not None:
        known = _link_to(clean(href).strip())
    else:
        known = NAME if name is not None or (identifier is not None and opening[0] is None) else NOWHERE
    relations = tuple(["a=" + word for word in relation.lower().split()]) if relation else ()
    flags = TO_PICTURE if leads_to_picture(known) else WITHIN if (known[0] or "")[:1] == "#" else 0
    if any(roles) and _is_unread("a", [None if value is None else clean(value) for value in roles]):
        flags |= UNREAD
    if "#" in (known[0] or ""):
        flags |= TO_PLACE
    if stays(known):
        flags |= OPENS if opens(known, opening) else STAYS
    known += relations, flags
    KNOWN_LINKS.put(scan.part(begin, end), known)
    return known


cdef int _note_relations(Scan scan, int number, tuple link, dict relations) except -1:
    """Add the relations of a link."""
    for relation in <tuple> link[4]:
        relations[relation] = None
        if relation == "a=author":
            scan.authors.append(number)
    return 0


cdef int _relate(Scan scan, int number, int last, dict relations) except -1:
    """Add the relations of the links in a part of the page that is not shown."""
    while number < last:
        if scan.names[number] == A_TAG and (scan.kinds[number] == START or scan.kinds[number] == EMPTY):
            _note_relations(scan, number, _link(scan, number), relations)
        number += 1
    return 0


cdef bint _is_custom(Scan scan, int number) except -1:
    """Return whether an element has a name with a hyphen, as those have that a site defines itself."""
    cdef int at = scan.tags[number]
    while at < scan.tag_ends[number] and scan.data[at] != 47 and not is_space(scan.data[at]):
        if scan.data[at] == 45:
            return True
        at += 1
    return False


cdef bint _is_mark(Scan scan, int number) except -1:
    """Return whether a link within its page has no text: a heading links to itself in this way."""
    cdef int left = MARK
    while left and number < scan.size:
        if scan.names[number] == A_TAG and (scan.kinds[number] == END or (
                scan.kinds[number] == EMPTY and scan.tag_ends[number] - scan.tags[number] > 1)):
            return True
        if scan.texts[number] < scan.text_ends[number] and any(map(str.isalnum, scan.plain(number))):
            return False
        left -= scan.kinds[number] != NOTHING
        number += 1
    return True


# The next two tell from the source alone, and so at little cost, that a question to ``Instead`` is idle.


cdef bint _may_edit(Scan scan, int number) except -1:
    """Return whether an element may be a link to edit a section: it has a bracket, or ``edit`` in its tag.

    A reference may stand for either, and so may a character that is no ASCII, in a tag by its case.
    """
    cdef int at = scan.tags[number], last = scan.partners[number], left = 2 * MARK
    cdef unsigned char c
    while at < scan.tag_ends[number]:
        c = scan.data[at]
        if c >= 128 or c == 38 or ((c | 32) == 101 and at + 3 < scan.length and scan.data[at + 1] | 32 == 100
                                   and scan.data[at + 2] | 32 == 105 and scan.data[at + 3] | 32 == 116):
            return True
        at += 1
    while number < last and left >= 0:  # one with more tags is none
        for at in range(scan.texts[number], scan.text_ends[number]):
            c = scan.data[at]
            if c == 91 or c == 38 or c == 0xEF:  # "[", "&", the first byte of a wide bracket
                return True
        left -= scan.kinds[number] != NOTHING and scan.kinds[number] != COMMENT
        number += 1
    return False


cdef int _sign(Scan scan, int number) except -2:
    """Return whether a link is a sign (``is_sign`` of ``instead.py``); -1: it may be one, with tags in it."""
    if not _may_be_sign(scan, number):
        return False
    return is_sign(clean(scan.plain(number))) if scan.partners[number] == number + 1 else -1


cdef bint _may_be_sign(Scan scan, int number) except -1:
    """Return whether a link may be a sign: there is a reference in its text, or one that is no word of ASCII."""
    cdef int at, last = scan.partners[number], left = MARK
    cdef unsigned char c
    cdef bint has_letter = False, has_digit = False, has_sign = False, has_other = False
    while number < last and left >= 0:
        for at in range(scan.texts[number], scan.text_ends[number]):
            c = scan.data[at]
            if c == 38:
                return True
            if 97 <= c | 32 <= 122:
                has_letter = True
            elif 48 <= c <= 57:
                has_digit = True
            elif c >= 128 or c == 94:  # a number behind an arrow, or behind "^", is a sign
                has_other = True
            elif not is_space(c):
                has_sign = True
        left -= scan.kinds[number] != NOTHING and scan.kinds[number] != COMMENT
        number += 1
    return left >= 0 and not has_letter and (has_other or (has_sign and not has_digit))


cdef int _image_in(Scan scan, int number) except -2:
    """Return what ``fallback`` of ``instead.py`` does; -1: there is no image near the beginning."""
    cdef int last = scan.partners[number], left = MARK
    while number < last and left > 0:
        if scan.names[number] == IMG_TAG and scan.kinds[number] != END and scan.has_attributes(number):
            return number
        left -= scan.kinds[number] != NOTHING and scan.kinds[number] != COMMENT
        number += 1
    return -1


cdef bint _is_unread(str name, list roles) except -1:
    """Return whether a link or a block-level element is not read, given the values of ``ROLE_NAMES``."""
    if roles[1] is None and roles[2] is None and roles[3] is None and roles[4] is None:  # as for most
        return roles[0] is not None and role_of_classes(roles[0], name) == NOT_READ
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


cdef class _Spans:
    """For each block its first event, and the event behind its last."""

    cdef int[::1] places
    cdef int size

    def __cinit__(self):
        self.places, self.size = clone(INTS, 256, False), 0

    cdef int add(self, int first, int end) except -1:
        if 2 * self.size + 2 > len(self.places):
            self.places = larger(self.places, 2 * self.size, 4 * self.size)
        self.places[2 * self.size], self.places[2 * self.size + 1] = first, end
        self.size += 1
        return 0

    def __len__(self):
        return self.size

    def __getitem__(self, int index):
        if not 0 <= index < self.size:
            raise IndexError(index)
        return self.places[2 * index], self.places[2 * index + 1]


cdef tuple _alone():
    """Return the columns of an element that has nothing in it: its parent, its links, its leads."""
    return array("i", [-1]), array("i", [0]), array("i", [0])


cdef object _named(type what, object first, object second, object third, object fourth):
    """Return a named tuple of four values; the usual way takes three times as long."""
    cdef object row = PyType_GenericAlloc(what, 4)
    Py_INCREF(first)
    PyTuple_SET_ITEM(row, 0, first)
    Py_INCREF(second)
    PyTuple_SET_ITEM(row, 1, second)
    Py_INCREF(third)
    PyTuple_SET_ITEM(row, 2, third)
    Py_INCREF(fourth)
    PyTuple_SET_ITEM(row, 3, fourth)
    return row
