# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False, cdivision=True
"""Write the inline HTML of blocks from a page's events, as ``extraction/inline.py`` does from pieces of markup."""

from .scan cimport EMPTY, END, HIDDEN, SHOWN_ELEMENT, START, Scan
from .source_text cimport clean
from .tag_tables cimport BLOCK, IMAGE, IS_INLINE, LINK, MEANING, NAMES, SKIPPED

from html import escape

from .tags import DEEPEST_INLINE, WRITTEN_AS


def inline_html(Scan scan, spans, blocks, int begin, absolute, image, has_room, dict instead):
    """Return the blocks that have inline markup, each with its HTML.

    It does what ``_read`` of ``extraction/inline.py`` does, and takes what that takes.

    :param absolute: returns the absolute url of a target.
    :param image: returns the clean tag of an image, given its event.
    :param has_room: returns whether so many characters may be written again.
    :param instead: for the events that begin elements which are not read as they stand, what is read instead.
    """
    cdef list html = [], outer = [], pieces = []
    cdef _Inline inline = None, opened = None
    cdef int number = begin, at = 0, first, end, last, kind, name, meaning, deepest = DEEPEST_INLINE
    cdef bint marked = False
    cdef str text
    first, end = spans[blocks[0]]
    last = spans[blocks[len(blocks) - 1]][1]
    while number < last:
        if number >= end:
            if opened is not None:
                opened = _change(opened, None, pieces, &marked, absolute, has_room)
            if marked:
                html.append((blocks[at], "".join(pieces)))
            pieces, marked = [], False
            at += 1
            first, end = spans[blocks[at]]
        kind, name = scan.kinds[number], scan.names[number]
        meaning = MEANING[name]
        if instead and number in instead:
            text = instead[number]
            if number >= first and text:
                if inline is not opened:
                    opened = _change(opened, inline, pieces, &marked, absolute, has_room)
                pieces.append(text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))
            number, meaning = scan.partners[number], SKIPPED
        elif kind == START:
            if scan.fates[number] == HIDDEN or (meaning == SKIPPED and scan.fates[number] != SHOWN_ELEMENT):
                number = scan.partners[number]
            elif meaning == IMAGE and scan.has_attributes(number):  # one with something in it
                if number >= first:
                    if inline is not opened:
                        opened = _change(opened, inline, pieces, &marked, absolute, has_room)
                    pieces.append(image(number))
                    marked = True
                number = scan.partners[number]
            else:
                outer.append(inline)
                if meaning == BLOCK:
                    inline = None
                elif meaning == LINK:
                    href = scan.known_attributes(number).get("href")
                    if href:
                        inline = _Inline(_without_links(inline), None, clean(href))
                elif IS_INLINE[name] and (inline is None or inline.depth < deepest):
                    inline = _Inline(inline, WRITTEN_AS.get(NAMES[name], NAMES[name]), None)
        elif kind == END:
            inline = outer.pop() if outer else None
        if number >= first:
            if meaning == IMAGE and kind == EMPTY and scan.has_attributes(number):
                if inline is not opened:
                    opened = _change(opened, inline, pieces, &marked, absolute, has_room)
                pieces.append(image(number))
                marked = True
            if scan.texts[number] < scan.text_ends[number]:
                if inline is not opened:
                    opened = _change(opened, inline, pieces, &marked, absolute, has_room)
                pieces.append(scan.escaped(number))
        number += 1
    if opened is not None:
        _change(opened, None, pieces, &marked, absolute, has_room)
    if marked:
        html.append((blocks[at], "".join(pieces)))
    return html


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
    cdef _Inline link = inline, without, element
    while link is not None and link.href is None:
        chain.append(link)
        link = link.around
    if link is None:
        return inline
    without = link.around
    for element in reversed(chain):
        without = _Inline(without, element.start, None, True)
    return without


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
