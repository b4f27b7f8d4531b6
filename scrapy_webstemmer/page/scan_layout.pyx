# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False, cdivision=True
"""Make a page's layout of its events: steps, blocks and links, as ``walk.py`` makes them of a tree."""

from cpython.array cimport array, clone
from cpython.tuple cimport PyTuple_GET_ITEM

from .scan cimport COMMENT, EMPTY, END, HIDDEN, INTS, MARK, NOTHING, NOT_READ, ROLES, START, Scan
from .source_text cimport Run, clean, new_run, put_back
from .tag_tables cimport (
    A_TAG, BLOCK, BR_TAG, CUT, HTML_TAG, IMAGE, IMG_TAG, IS_HEADING, LINK, MATH_TAG, MEANING, MODE,
    NAMES, NOSCRIPT_TAG, PRE_TAG, RCDATA, SCRIPT_TAG, TRANSPARENT, UNKNOWN, Tags, Words,
)

from ..values import Block, Image, Step
from .addresses import NAME, NOWHERE, OPENS_BY, leads_to_picture, link_to, opens, stays
from .instead import Instead, is_sign
from .tags import MAY_BE_TEXT, TEXT_TAGS, name_paragraphs, role_of, role_of_classes, step_of


# What a link's tag tells: it leads to a place on some page, or to a picture; it is not read; it opens a part of the
# page, or would do so in a heading.
cdef enum:
    TO_PLACE = 1, TO_PICTURE = 2, UNREAD = 4, OPENS = 8, STAYS = 16

#: For the number of each known name, the step of an element without attributes.
cdef list BARE_STEPS = [Step(name, "", ()) for name in NAMES]
cdef object DIV = Step("div", "", ())
#: Makes a named tuple of its values; the usual way takes three times as long.
cdef object NAMED = tuple.__new__
#: The attributes that tell what a block-level element looks like, and whether it is read.
cdef tuple STEP_NAMES = (b"id", b"name", *ROLES)
#: Those that tell where a link leads, and what it does.
cdef tuple LINK_NAMES = (b"href", b"name", b"id", b"rel", *ROLES, *[name.encode() for name in OPENS_BY])
#: What the tag of an image has that may stand for a text.
cdef Words TEXT_WORDS = Words((("img", MAY_BE_TEXT),))
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
    scan.settle(hidden, shown)
    cdef unsigned char[::1] fates = scan.fates
    cdef Run run = new_run()
    cdef list steps = [], blocks = [], spans = [], images = []
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
    cdef bint passed, before, counts
    cdef int flags, fallback
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
                    number, kind = scan.partners[number], END
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
                    number, kind = _skip(scan, number, relations), END
                    continue
            elif kind == START and role == NOT_READ:
                texts[number] = ""
                number, kind = _skip(scan, number, relations), END
                continue
            if meaning == TRANSPARENT and name == UNKNOWN and kind == START and role <= 0 and (
                    "-" in scan.tag_name(number) and instead.is_block(
                        number, is_line=not has_text and not pending and steps[node].tag not in TEXT_TAGS)):
                meaning = BLOCK
            if meaning == TRANSPARENT:
                passed = kind == START and role <= 0 and (behind_heading or texts) and not scan.is_bare(number) and (
                    number in texts or (
                        behind_heading and (in_heading or not has_text) and _may_edit(scan, number) and instead.passes(
                            number, "", steps[node] if in_heading else None, steps[max(parents[node], 0)],
                            run.weight > 0 if in_heading else has_text, behind_heading)))
                if passed:
                    number, kind = _skip(scan, number, relations), END
                elif role < 0 and _image_in(scan, number) < 0 and instead.is_picture(number):
                    if not has_text and not pending:
                        first = number
                    pending.append((number, _last(targets)))
                continue
        if meaning == BLOCK:
            if kind == END:
                behind_heading = IS_HEADING[name]
                behind_image = not has_text and (bool(pending) or behind_image)
                spare = False
                if name == PRE_TAG:
                    preformatted -= 1
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
                        number, kind = _skip(scan, number, relations), END
                    meaning = TRANSPARENT
                    continue
            _flush(run, node, first, number, pending, blocks, spans, images)
            has_text = False
            steps.append(BARE_STEPS[name] if step is None else <object> PyTuple_GET_ITEM(step, 0))
            places[count] = number
            parents[count] = node
            behind_image = spare = False
            if step is not None and <bint> <object> PyTuple_GET_ITEM(step, 2) and instead.is_picture(number):
                images.append(NAMED(Image, (len(blocks), count, number, _last(targets))))
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
            _flush(run, node, first, number, pending, blocks, spans, images)
            has_text = False
        elif meaning == LINK:
            if kind == END:
                if targets:
                    targets.pop()
                    within.pop()
                in_link = bool(_last(within))
                continue
            link = _link(scan, number)
            flags = <object> PyTuple_GET_ITEM(link, 5)
            if kind == START:
                passed = False
                if flags & UNREAD and not scan.is_bare(number):
                    texts[number], passed = "", True
                elif (flags & TO_PLACE or behind_heading) and not scan.is_bare(number):
                    before = run.weight > 0 if in_heading else has_text
                    # the tests of ``Instead.passes`` cost much more
                    if (flags & TO_PLACE and ((in_heading and before) or _may_be_sign(scan, number))) or (
                            behind_heading and before == in_heading and _may_edit(scan, number)):
                        place = address.place(link[:4]) if flags & TO_PLACE else ""
                        passed = (behind_heading or place) and instead.passes(
                            number, place, steps[node] if in_heading else None, steps[max(parents[node], 0)], before,
                            behind_heading)
                if passed:
                    number, kind = _skip(scan, number, relations), END
                    continue
            counts = <object> PyTuple_GET_ITEM(link, 0) is not None and not (
                flags & (TO_PICTURE | OPENS) or (flags & STAYS and in_heading))
            if kind == START:
                targets.append(<object> PyTuple_GET_ITEM(link, 0))
                within.append(counts)
                in_link = counts
            if <tuple> PyTuple_GET_ITEM(link, 4):
                _note_relations(link, relations)
            if not counts:
                continue
            links[node] += 1
            target_host = <object> PyTuple_GET_ITEM(link, 1)
            if target_host is not None and (target_host == "" or target_host == host) and (
                    link[2] not in names or (not bare and address.differs(link[3]))):
                leads[node] += 1
        elif meaning == IMAGE:
            if not has_text and not pending:
                first = number
            if name == IMG_TAG and TEXT_WORDS.is_in(scan.source, scan.tags[number], scan.tag_ends[number], name):
                formula = instead.text_of(number)
                if formula:
                    source = formula.encode()
                    continue
            if spare:
                pending.pop()
            spare = False
            pending.append((number, _last(targets)))
            if kind == START:  # it has something else in it
                number, kind = _skip(scan, number, relations), END
        elif kind == START:  # skipped
            if name == NOSCRIPT_TAG and not (has_text or pending or behind_image):
                fallback = _image_in(scan, number)
                if fallback >= 0:
                    first, spare = number, True
                    pending.append((fallback, _last(targets)))
            number, kind = _skip(scan, number, relations), END
    _flush(run, node, first, last, pending, blocks, spans, images)
    _relate(scan, last, scan.size, relations)
    put_back(run)
    all_parents = all_parents[:count]
    if DIV in steps:
        name_paragraphs(steps, all_parents, blocks)
    return (tuple(steps), all_parents, all_links[:count], all_leads[:count], tuple(blocks), nodes,
            spans, images, relations, texts)


cdef int _flush(
        Run run, int node, int first, int end, list pending, list blocks, list spans, list images) except -1:
    """End a run of text, if there is any: it becomes a block if it has a letter or a digit."""
    if run.weight:
        blocks.append(NAMED(Block, (node, run.text(), run.weight, run.weight - run.linked)))
        spans.append((first, end))
    elif pending:
        for number, target in pending:
            images.append(NAMED(Image, (len(blocks), node, number, target)))
    run.length = run.weight = run.linked = run.unseen = 0
    if pending:
        del pending[:]
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
    flags = TO_PICTURE if leads_to_picture(known) else 0
    if any(roles) and _is_unread("a", [None if value is None else clean(value) for value in roles]):
        flags |= UNREAD
    if "#" in (known[0] or ""):
        flags |= TO_PLACE
    if not known[1] and stays(known):  # a host leads away
        flags |= OPENS if opens(known, opening) else STAYS
    known += relations, flags
    KNOWN_LINKS.put(scan.part(begin, end), known)
    return known


cdef int _note_relations(tuple link, dict relations) except -1:
    """Add the relations of a link."""
    for relation in <tuple> link[4]:
        relations[relation] = None
    return 0


cdef int _relate(Scan scan, int number, int last, dict relations) except -1:
    """Add the relations of the links in a part of the page that is not shown."""
    while number < last:
        if scan.names[number] == A_TAG and (scan.kinds[number] == START or scan.kinds[number] == EMPTY):
            _note_relations(_link(scan, number), relations)
        number += 1
    return 0


cdef int _skip(Scan scan, int number, dict relations) except -1:
    """Pass over an element, but for the relations of its links. Return the event that ends it."""
    _relate(scan, number, scan.partners[number], relations)
    return scan.partners[number]


cdef object _last(list items):
    """Return the last of some items; None if there is none."""
    return items[len(items) - 1] if items else None


cdef bint _may_edit(Scan scan, int number) except -1:
    """Return whether an element may be a link to edit a section: it has a bracket, or ``edit`` in its tag.

    A reference may stand for either, or a letter that is no ASCII for an "i".
    """
    cdef int last = scan.partners[number]
    if last - number > 8 * MARK:  # one with more tags is none
        return False
    source = scan.part(scan.tags[number], scan.tags[last])
    # the first bytes of a wide bracket, and of an "i" without a dot or with one
    return b"[" in source or b"&" in source or b"\xef" in source or b"\xc4" in source or b"edit" in source.lower()


cdef bint _may_be_sign(Scan scan, int number) except -1:
    """Return whether the text of a link is a sign (``is_sign`` of ``instead.py``)."""
    cdef int last = scan.partners[number]
    return last - number <= 4 * MARK and is_sign("".join([scan.plain(at) for at in range(number, last)]))


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
    """Return what ``link_to`` of ``addresses.py`` does; a usual url is divided here."""
    cdef str host = "", path = href, slash
    if "?" in href or "#" in href or "%" in href or "index." in href:
        return link_to(href)
    if href.startswith(("http://", "https://")):
        host, slash, path = href.partition("//")[2].partition("/")
        host, path = host.lower().removeprefix("www."), slash + path
    elif not href.startswith("/") or href.startswith("//"):
        return link_to(href)
    return href, host, path.removesuffix("/"), ""


cdef tuple _alone():
    """Return the columns of an element that has nothing in it: its parent, its links, its leads."""
    return array("i", [-1]), array("i", [0]), array("i", [0])
