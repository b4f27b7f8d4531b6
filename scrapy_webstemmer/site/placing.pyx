# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False, cdivision=True
"""Place a page in its site, compiled: paths, records, named parts, boilerplate, and the evidence of its text.

Each function does the same as that of its name in ``boilerplate.py``, ``paths.py``, ``model.py``,
``main_text.py`` and ``verdict/evidence.py``, which are the reference and say what it means.
What they do with Python's lists is done here with columns of numbers.
"""

from cpython.array cimport array, clone

from .paths import last_step
from ..html.tags import HEADINGS, TEXT_TAGS
from . import main_text, model, paths as site_paths

cdef array INTS = array("i"), FLOATS = array("d")
cdef set IN_TEXT = set(TEXT_TAGS), HEADING = set(HEADINGS)
cdef double LINKED = site_paths.LINKED, HEAVIEST = site_paths.HEAVIEST, MOST_TEXT = model._MOST_TEXT
cdef int SIZE = site_paths.SIZE, AROUND_TITLE = model._AROUND_TITLE
cdef object record_step = site_paths._record_step, shared_classes = site_paths._shared_classes, kind_of = model.kind_of
cdef object is_note = model.is_note
#: Those of ``verdict/evidence.py``, which imports this module.
cdef int HEADLINE = 4, LONG_TITLE = 10, SHOWN_TITLE = 8, AROUND_HEADING = 6, PARAGRAPH = 60, LONGEST_HEADING = 150
cdef set COMMENTS = set(model.COMMENTS), NOTES = set(model.NOTES)

#: The last steps of paths, and the kinds of elements; memory must stay bounded in a crawl of months.
cdef int MOST = 20_000
cdef dict LAST_STEPS = {}, KINDS = {}


cdef int[::1] _column(tuple values):
    """Return whole numbers as a column."""
    cdef int number, size = len(values)
    cdef int[::1] found = clone(INTS, size + 1, False)
    for number in range(size):
        found[number] = values[number]
    return found


cdef int[::1] _totals(tuple values):
    """Return the sum of the values before each node, and the sum of all."""
    cdef int number, size = len(values), total = 0
    cdef int[::1] found = clone(INTS, size + 1, False)
    found[0] = 0
    for number in range(size):
        total += <int> values[number]
        found[number + 1] = total
    return found


cdef str _last_step(str path):
    cdef str found = LAST_STEPS.get(path)
    if found is None:
        if len(LAST_STEPS) >= MOST:
            LAST_STEPS.clear()
        found = LAST_STEPS[path] = last_step(path)
    return found


def paths_of(paths, layout):
    """Return the path of each node of a layout, as :meth:`~scrapy_webstemmer.site.boilerplate.Paths.of` does."""
    cdef tuple steps = layout.steps, parents = layout.parents, above, found, top
    cdef int number, parent, size = len(steps)
    cdef list places = [None] * size, kept = [None] * size
    paths.make_room()
    top = paths.top()
    for number in range(size):
        parent = parents[number]
        above = places[parent] if parent >= 0 else top
        found = (<dict> above[1]).get(steps[number])
        if found is None:
            found = paths.intern(above, steps[number])
        places[number], kept[number] = found, found[0]
    return tuple(kept)


def ends_of(tuple parents):
    """Return for each node the index after the last node in it."""
    cdef int node, size = len(parents)
    cdef int[::1] above = _column(parents), ends = clone(INTS, size + 1, False)
    for node in range(size):
        ends[node] = node + 1
    for node in range(size - 1, 0, -1):
        if ends[above[node]] < ends[node]:
            ends[above[node]] = ends[node]
    return tuple([ends[node] for node in range(size)])


# ---- records ----------------------------------------------------------------------------------------------


def find_records(layout, tuple paths, tuple ends_):
    """Return which nodes are records that the template made, and which are records that lead elsewhere."""
    cdef int size = len(paths), parent, child
    cdef int[::1] parents = _column(layout.parents), ends = _column(ends_)
    cdef int[::1] links = _totals(layout.links), leads = _totals(layout.leads)
    cdef int[::1] children = clone(INTS, size + 1, True), weights = None
    cdef int[::1] bare = None, plain = None
    cdef unsigned char[::1] templated = bytearray(size + 1), leading = bytearray(size + 1)
    cdef bint leads_on, made
    cdef list nodes
    cdef str name
    for child in range(1, size):
        children[parents[child]] += 1
    for parent in range(size):
        if children[parent] < SIZE or links[ends[parent]] - links[parent] < LINKED * SIZE:
            continue
        if templated[parent] and leading[parent]:
            continue  # all its children are in a record anyway
        for name, nodes in _alike(parent, children[parent], paths, ends):
            leads_on = _carry(nodes, leads, ends)
            made = name not in IN_TEXT and (leads_on or _carry(nodes, links, ends))
            if not (leads_on or made):
                continue
            if weights is None:
                weights = _weights(layout, size)
            if _are_even(nodes, weights, ends):
                if made:
                    if leads_on and bare is None:
                        bare = _bare_headings(layout.steps, parents, links, ends, size)
                    elif not leads_on and plain is None:
                        plain = _plain_headings(layout, parents, size)
                    if not _are_sections(nodes, bare if leads_on else plain, ends):
                        _mark(templated, nodes, ends)
                if leads_on:
                    _mark(leading, nodes, ends)
    return _flags(templated, size), _flags(leading, size)


cdef tuple _flags(unsigned char[::1] column, int size):
    cdef int node
    cdef list found = [False] * size
    for node in range(size):
        if column[node]:
            found[node] = True
    return tuple(found)


cdef int _mark(unsigned char[::1] flags, list nodes, int[::1] ends) except -1:
    cdef int node, inner
    for node in nodes:
        for inner in range(node, ends[node]):
            flags[inner] = 1
    return 0


cdef bint _carry(list nodes, int[::1] totals, int[::1] ends) except -1:
    cdef int node, count = 0
    for node in nodes:
        count += totals[ends[node]] > totals[node]
    return count >= LINKED * len(nodes)


cdef bint _are_even(list nodes, int[::1] totals, int[::1] ends) except -1:
    cdef int node, weight, most = 0, whole = 0
    for node in nodes:
        weight = totals[ends[node]] - totals[node]
        whole += weight
        most = max(most, weight)
    return most <= HEAVIEST * whole


cdef int[::1] _weights(layout, int size):
    """Return the running totals of the weight of the text directly in each node."""
    cdef int[::1] found = clone(INTS, size + 1, True)
    cdef int node, total = 0, weight
    for block in layout.blocks:
        found[<int> (<tuple> block)[0]] += <int> (<tuple> block)[2]
    for node in range(size + 1):
        weight = found[node]
        found[node] = total
        total += weight
    return found


cdef int[::1] _bare_headings(tuple steps, int[::1] parents, int[::1] links, int[::1] ends, int size):
    """Return for each node the number of headings before it without a link in them or beside them."""
    cdef int[::1] found = clone(INTS, size + 1, False)
    cdef int node, parent, count = 0
    for node in range(size):
        found[node] = count
        if (<tuple> steps[node])[0] in HEADING and links[ends[node]] == links[node]:
            parent = parents[node] if parents[node] >= 0 else size - 1
            count += links[parent + 1] == links[parent]
    found[size] = count
    return found


cdef int[::1] _plain_headings(layout, int[::1] parents, int size):
    """Return the same for those of whose text half or more is outside links, with bare links beside them at most."""
    cdef int[::1] found = clone(INTS, size + 1, True), linked = clone(INTS, size + 1, True)
    cdef tuple steps = layout.steps, links = layout.links
    cdef int node, plain, weight, is_one, count = 0
    for block in layout.blocks:
        weight, plain = (<tuple> block)[2], (<tuple> block)[3]
        if weight > plain:
            linked[<int> (<tuple> block)[0]] = 1
    for block in layout.blocks:
        weight, plain = (<tuple> block)[2], (<tuple> block)[3]
        if plain and 2 * plain >= weight:
            node = (<tuple> block)[0]
            if (<tuple> steps[node])[0] in HEADING and (linked[parents[node]] or not links[parents[node]]):
                found[node] = 1
    for node in range(size + 1):
        is_one = found[node]
        found[node] = count
        count += is_one
    return found


cdef bint _are_sections(list nodes, int[::1] headings, int[::1] ends) except -1:
    """Return whether most of some siblings are an author's sections."""
    cdef int node, count = 0
    for node in nodes:
        count += headings[ends[node]] > headings[node]
    return headings[len(headings) - 1] > 0 and count >= LINKED * len(nodes)


cdef list _alike(int parent, int children, tuple paths, int[::1] ends):
    """Return groups of like siblings, each with its common step, or with its common class."""
    cdef int child = parent + 1, end = ends[parent], classed = 0
    cdef dict same = {}
    cdef list found = [], alike
    cdef str path, step
    while child < end:
        path = paths[child]
        alike = same.get(path)
        if alike is None:
            alike = same[path] = []
        alike.append(child)
        child = ends[child]
    for path, alike in same.items():
        step = record_step(path) if len(alike) >= SIZE else ""
        if step:
            found.append((step, alike))
        classed += "." in _last_step(path)
    if classed < 2:
        return found
    for step, kinds in shared_classes(tuple(same)):
        alike = [node for path in kinds for node in <list> same[path]]
        if len(alike) >= SIZE and _share_a_child(alike, paths, ends):
            found.append((step, alike))
    return found


cdef bint _share_a_child(list nodes, tuple paths, int[::1] ends) except -1:
    """Return whether most of some nodes have a child of the same kind."""
    cdef int node, child, end, most = 0
    cdef dict counts = {}
    cdef set steps
    for node in nodes:
        steps = set()
        child, end = node + 1, ends[node]
        while child < end:
            steps.add(_last_step(paths[child]))
            child = ends[child]
        for step in steps:
            counts[step] = counts.get(step, 0) + 1
    for count in counts.values():
        most = max(most, <int> count)
    return most >= LINKED * len(nodes)


# ---- named parts and boilerplate --------------------------------------------------------------------------


def named_nodes(layout, tuple ends_):
    """Return the nodes whose names say that they are not main text."""
    cdef tuple steps = layout.steps
    cdef int node, size = len(steps), whole
    cdef list found = [], kept = []
    cdef int[::1] tops, plain, ends
    cdef str kind
    for node in range(size):
        step = steps[node]
        kind = KINDS.get(step)
        if kind is None:
            if len(KINDS) >= MOST:
                KINDS.clear()
            kind = KINDS[step] = kind_of(step)
        if kind:
            found.append((node, kind))
    if not found:
        return kept
    tops, plain, ends = clone(INTS, size + 1, False), clone(INTS, size + 1, True), _column(ends_)
    for block in layout.blocks:
        plain[<int> (<tuple> block)[0] + 1] += <int> (<tuple> block)[3]
    tops[0] = 0
    for node in range(size):
        tops[node + 1] = tops[node] + ((<tuple> steps[node])[0] == "h1")
        plain[node + 1] += plain[node]
    whole = plain[size]
    for node, kind in found:
        if tops[ends[node]] == tops[node] and (
                kind in COMMENTS or plain[ends[node]] - plain[node] <= MOST_TEXT * whole) and not (
                kind in NOTES and is_note(layout, ends_, node)):
            kept.append(node)
    return kept


# ---- evidence ---------------------------------------------------------------------------------------------


def masses(page, double repeated):
    """Return each node's mass."""
    cdef double[::1] found = _masses(page, repeated)
    return [found[node] for node in range(len(page.paths))]


cdef double[::1] _masses(page, double repeated):
    cdef tuple in_record = page.repeated, boilerplate = page.boilerplate, parents = page.layout.parents
    cdef int node, size = len(parents), number = 0, plain
    cdef double[::1] found = clone(FLOATS, max(size, 1), True)
    cdef str title = page.title, element = page.layout.title_element, text
    cdef int longest = AROUND_TITLE * len(title)
    cdef double mass
    for block in page.layout.blocks:
        plain = (<tuple> block)[3]
        if plain and not <bint> boilerplate[number]:
            text = (<tuple> block)[1]
            # see PlacedLayout.names_page
            if not (title and title in text and (len(text) <= longest or text == element)):
                node = (<tuple> block)[0]
                found[node] += plain * repeated if <bint> in_record[node] else plain
        number += 1
    for node in range(size - 1, 0, -1):
        mass = found[node]
        if mass:
            found[<int> parents[node]] += mass
    return found


def descend(page):
    """Return the container of a single page by its own masses."""
    cdef double share = main_text.HELD
    cdef double[::1] masses = _masses(page, model.REPEATED_MASS)
    cdef tuple ends = page.ends, paths = page.paths
    cdef int node = 0, child = 1
    while masses[node] and child < <int> ends[node]:
        if masses[child] < share * masses[node]:
            child = ends[child]
        elif main_text.stops(paths[child]):
            break  # no other child can hold as much
        else:
            node = child
            child += 1
    return node


def weigh_text(page, title):
    """Return the values of ``_TextWeights`` in ``verdict/evidence.py``.

    :param title: the block with the page's title; None: the page shows none.
    """
    cdef tuple blocks = page.layout.blocks, steps = page.layout.steps, in_list = page.leading
    cdef tuple boilerplate = page.boilerplate
    cdef int number, node, size = len(blocks), plain, in_paragraphs = 0, weight = 0
    cdef int outside = 0, longest = -1, most = -1, first, main = 0, span, above, container_node, end, before
    cdef int under = -1, headline, title_node = -1
    cdef bint in_title = False, is_heading, headed
    cdef str text, tag, element = page.layout.title_element.lower()
    cdef list headings = [], new = []
    cdef _Headlines headlines = _Headlines(page)
    for number in range(size):
        block = blocks[number]
        step = steps[<int> (<tuple> block)[0]]
        tag, plain = (<tuple> step)[0], (<tuple> block)[3]
        is_heading = tag in HEADING and <int> (<tuple> block)[2] <= LONGEST_HEADING
        if is_heading:
            headings.append(number)
        if not <bint> boilerplate[number]:
            new.append(number)
            weight += <int> (<tuple> block)[2]
            outside += plain
            if plain >= PARAGRAPH and not <bint> in_list[<int> (<tuple> block)[0]]:
                in_paragraphs += plain
            if plain > most and not is_heading:
                longest, most = number, plain
        if not in_title and plain:
            text = (<tuple> block)[1]
            if SHOWN_TITLE <= len(text) <= len(element):
                in_title = text.lower() in element
    # the element with most of the new text, and the headings there
    if title is not None:
        title_node = (<tuple> blocks[<int> title])[0]
    container_node = descend(page)
    end = page.ends[container_node]
    above = max(<int> page.layout.parents[container_node], 0)
    span = page.ends[above]
    first = -1
    for number in new:
        block = blocks[number]
        node = (<tuple> block)[0]
        if container_node <= node < end and node != title_node:
            if first < 0:
                first = number
            if not <bint> in_list[node]:
                main += <int> (<tuple> block)[3]
    told = [number for number in headings
            if not <bint> boilerplate[number] or above <= <int> (<tuple> blocks[number])[0] < span]
    if first >= 0:
        for number in told:
            if number <= first:
                under = number
    # the headings before the longest new text
    before, headline = 0, -1
    headed = title is not None and <int> title <= max(longest, 0)
    for number in headings:
        if number < max(longest, 0) and not <bint> boilerplate[number]:
            before += 1
            headline = number
            block = blocks[number]
            if title is None and <int> (<tuple> block)[3] and (<tuple> steps[<int> (<tuple> block)[0]])[0] == "h1":
                headed = True
    leads_on = title is not None and headlines.lead_on(title)
    return (in_paragraphs, weight, outside, in_title, leads_on, main,
            under >= 0 and headlines.lead_on(under), before, headline >= 0 and headlines.lead_on(headline), headed)


cdef class _Headlines:
    """Tells which blocks of a page are headlines of other pages: all text of such a block is a link there."""

    cdef tuple blocks, ends, parents, links, leads
    cdef str title, element

    def __init__(self, page):
        layout = page.layout
        self.blocks, self.ends, self.parents = layout.blocks, page.ends, layout.parents
        self.links, self.leads = layout.links, layout.leads
        self.title, self.element = page.title, layout.title_element

    cdef bint lead_on(self, int number) except -1:
        cdef object block = self.blocks[number]
        cdef int node = (<tuple> block)[0], end
        cdef str text = (<tuple> block)[1]
        if <int> (<tuple> block)[3] or <int> (<tuple> block)[2] < HEADLINE or text == self.title or (
                len(text) >= LONG_TITLE and text in self.element):
            return False
        while node >= 0 and <int> self.ends[node] - node <= AROUND_HEADING:
            end = self.ends[node]
            if _sum(self.links, node, end):
                return _sum(self.leads, node, end) > 0
            node = self.parents[node]
        return node >= 0 and <int> self.leads[node] > 0


cdef int _sum(tuple values, int begin, int end) except -1:
    cdef int total = 0
    while begin < end:
        total += <int> values[begin]
        begin += 1
    return total


# ---- texts ------------------------------------------------------------------------------------------------


def among(found_texts, begins, layout, tuple places, str title, bint is_long, without, key_of):
    """Return for each block of a page whether it is boilerplate; see ``BoilerplateTexts.among``."""
    cdef dict texts = found_texts, first = begins
    cdef list found = [False] * len(places)
    cdef int number = 0
    cdef str text, character
    cdef set characters
    cdef bint has_title = len(title) > 0
    for block in layout.blocks:
        path = places[number]
        characters = first.get(path)
        if characters is not None:
            text = (<tuple> block)[1]
            character = text[:1]
            if character in characters or character.lower()[:1] in characters or character.isdecimal() or (
                    has_title and text.startswith(title)):
                if is_long and title in text:
                    text = without(text, title)
                found[number] = key_of(text) in <set> texts[path]
        number += 1
    return tuple(found)


def first_texts(page, only, int longest):
    """Return the text of the first element at each path, if it is short enough for a title."""
    cdef dict found = {}, nodes = {}
    cdef tuple places = page.places
    cdef int number = 0, node
    cdef str text, known
    for block in page.layout.blocks:
        path = places[number]
        number += 1
        at = nodes.get(path)
        if at is None:
            if only is None or path in only:
                nodes[path], found[path] = (<tuple> block)[0], (<tuple> block)[1]
            continue
        node = (<tuple> block)[0]
        if <int> at == node:
            known = found[path]
            if len(known) <= longest:
                text = (<tuple> block)[1]
                found[path] = f"{known} {text}"
    return {path: text for path, text in found.items() if len(<str> text) <= longest}


def weights_by_feature(page, feature_of, bint with_boilerplate):
    """Return the weight of a page's text by feature, without boilerplate or with it."""
    cdef dict found = {}
    cdef tuple places = page.places, boilerplate = page.boilerplate
    cdef int number
    cdef tuple blocks = page.layout.blocks
    for number in range(len(places)):
        if with_boilerplate or not <bint> boilerplate[number]:
            feature = feature_of(places[number])
            found[feature] = found.get(feature, 0) + (<tuple> blocks[number])[2]
    return found


def short_lines(page, int most):
    """Return the short texts that are not in records."""
    cdef tuple repeated = page.repeated, leading = page.leading
    cdef int node
    cdef list found = []
    for block in page.layout.blocks:
        if <int> (<tuple> block)[2] <= most:
            node = (<tuple> block)[0]
            if not <bint> repeated[node] and not <bint> leading[node]:
                found.append((<tuple> block)[1])
    return found


def weigh_main(page, main):
    """Return the values of ``_MainWeights`` in ``article/result.py``."""
    cdef tuple boilerplate = page.boilerplate, repeated = page.repeated, blocks = page.layout.blocks
    cdef int number, last = main[len(main) - 1], first = main[0], new = 0, around = 0
    cdef int own = 0, weight = 0, plain = 0, grouped = 0
    cdef bint in_record
    for number in range(len(blocks)):
        block = blocks[number]
        if not <bint> boilerplate[number] and not <bint> repeated[<int> (<tuple> block)[0]]:
            new += <int> (<tuple> block)[3]
        if first <= number <= last:
            around += <int> (<tuple> block)[2]
    for number in main:
        block = blocks[number]
        in_record = repeated[<int> (<tuple> block)[0]]
        weight += <int> (<tuple> block)[2]
        plain += <int> (<tuple> block)[3]
        if in_record:
            grouped += <int> (<tuple> block)[2]
        else:
            own += <int> (<tuple> block)[3]
    return new, own, weight, around, grouped, plain
