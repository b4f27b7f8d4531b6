"""The page as it looks: its own markup in a frame, with what became of its text laid over it in colours.

The markup is a stranger's. Nothing of it runs: the frame is sandboxed and has a policy without scripts.
Nothing of it leads away: its elements lose all addresses, and links of ours stand around its texts. Nothing
is loaded, unless somebody asks for styles and pictures from the web: the policy allows these alone then.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from urllib.parse import urljoin

from ..extraction.result import Result
from ..page.markup import COMMENT_TAG, SKIPPED, Base, Tag, attributes_of, pieces_of, plain_text, skip_element
from ..values import NO_XML, Layout, Markup
from .fates import FATES, LETTERS, Run, runs_of
from .web_pages import Links, View, text_of

#: What the frame may do: a link of ours leads to the row of its text, if somebody chooses it.
SANDBOX = "allow-top-navigation-by-user-activation"
#: The id of the first text of the title, at which the frame is opened.
TITLE_ID = "w-title"
#: The path of a view with styles and pictures from the web.
WEB = "web"
#: So many characters of a page are shown.
_MOST_WRITTEN = 3_000_000
#: Elements that are left out with what is in them: what runs, loads, or is about the page as a whole.
_DROPPED = frozenset(
    "applet base embed frame frameset iframe meta noembed noframes noscript object plaintext portal script"
    " template textarea title xmp".split()
)
_VOID_TAGS = frozenset("area br col hr img input link source track wbr".split())
#: Attributes with addresses, and those that do something.
_ADDRESSES = frozenset(
    "accesskey action autofocus autoplay background cite contenteditable data form formaction href http-equiv"
    " is longdesc manifest ping popover popovertarget poster slot srcdoc target usemap xlink:href".split()
)
_CSS_ADDRESS = re.compile(r"url\((?!\s*['\"]?data:)[^)]*\)", re.IGNORECASE)
_CSS_IMPORT = re.compile(r"@import\b[^;}]*;?", re.IGNORECASE)
#: Style sheets are hidden by these from browsers of the last century.
_COMMENT_SIGNS = re.compile(r"<!--|-->")
_ATTRIBUTE_NAME = re.compile(r"[a-z][a-z0-9:-]*")
#: What a learned place shows.
_SHOWS = {"authors": "the authors", "tags": "topics", "categories": "topics", "date_published": "the day"}


def look_policy(view: View) -> str:
    """Return the policy of the frame, for a header."""
    web = " http: https:" if view.path == WEB else ""
    return (
        f"default-src 'none'; style-src 'unsafe-inline'{web}; img-src data:{web}; font-src data:{web};"
        " form-action 'none'; base-uri 'none'"
    )


def look_page(result: Result, view: View, links: Links) -> str:
    """Return a page as it looks, for a frame; a sentence if it has no text.

    :param view: its ``path`` is :data:`WEB` if styles and pictures may be loaded from the web.
    """
    layout, policy = result.layout, f'http-equiv="Content-Security-Policy" content="{look_policy(view)}"'
    heading = (
        f'<head><meta charset="utf-8"><meta {policy}><meta name="referrer" content="no-referrer">'
        f"<style>{text_of('look.css')}</style>"
    )
    if layout is None or layout.markup is None or not layout.blocks:
        return f"<!DOCTYPE html><html>{heading}</head><body><p>The page has no text.</p></body></html>\n"
    size, written = 0, [f"<!DOCTYPE html><html>{heading}"]
    look = _Look(result, layout, links(view._replace(kind="page")), web=view.path == WEB)
    for piece in look.pieces(layout.markup):
        size += len(piece)
        if size > _MOST_WRITTEN:
            break
        written.append(piece)
    return NO_XML.sub("", "".join(written)) + "</body></html>\n"


class _Look:
    """Writes the markup of a page, with links around its texts.

    :param home: the address of the view of the page, where each text has a row.
    :param web: whether styles and pictures may be loaded from the web.
    """

    def __init__(self, result: Result, layout: Layout, home: str, *, web: bool) -> None:
        assert layout.markup is not None  # noqa: S101 - whoever calls has looked
        self._home, self._has_title = home, False
        self._base = Base(layout.markup).url if web else ""
        shows = _shown_fields(result)
        self._of_block = {
            block: (row, run, shows.get(block, ""))
            for row, run in enumerate(runs_of(result))
            for block in run.blocks
        }
        spans = enumerate(layout.markup.blocks)
        self._block_of_piece = {piece: block for block, span in spans for piece in range(*span)}

    def pieces(self, markup: Markup) -> Iterator[str]:
        """Yield the markup of a page without what may run, load or lead away."""
        if not markup.pieces[0].startswith("html"):  # read by its tree, of which only the body is text
            root = markup.tree()
            direction = root.makeelement("html", dict(root.attrib))
            for element in (direction, *root.xpath("/html/head/style | /html/head/link")):
                yield from self._written(enumerate(pieces_of(element), -_MOST_WRITTEN))
        yield from self._written(enumerate(markup.pieces))

    def _written(self, pieces: Iterator[tuple[int, str]]) -> Iterator[str]:
        """Yield pieces of markup, which come with their numbers."""
        in_link = 0
        for number, piece in pieces:
            tag, _, text = piece.partition(">")
            name = tag.strip("/").partition(" ")[0].lower()
            if tag[:1] in ("!", "?"):
                number, text = skip_element(pieces, number, piece, COMMENT_TAG)
            elif name in _DROPPED:
                if tag[:1] != "/" and tag[-1:] != "/":
                    number, text = skip_element(pieces, number, piece, Tag(SKIPPED, name))
            elif name == "style" and tag[-1:] == "/":  # without content, and so without an end
                continue
            elif name == "style" and tag[:1] != "/":
                css = self._style(_COMMENT_SIGNS.sub("", plain_text(text)))
                yield "<style>" + css.replace("<", "\\3c ")  # so that nothing of it ends the element
                continue
            elif name not in ("html", "head") or (name == "html" and tag[:1] != "/"):  # it has the direction
                if name == "a" and tag[-1:] != "/":
                    in_link = max(0, in_link + (1 if tag[:1] != "/" else -1))
                blocks = self._block_of_piece
                yield self._tag(tag, name, blocks.get(number, blocks.get(number + 1, -1)))
            if text.strip():
                yield self._text(text, self._block_of_piece.get(number, -1), in_link > 0)
            else:
                yield text

    def _tag(self, tag: str, name: str, block: int) -> str:
        """Return a tag with the attributes that neither do anything nor lead anywhere."""
        if tag[:1] == "/":
            return f"</{name}>"
        attributes = attributes_of(tag)
        kept = {key: value for key, value in attributes.items() if _is_kept(key.lower(), value)}
        if "style" in kept:
            kept["style"] = self._style(kept["style"])
        if name == "link":
            if not self._base or attributes.get("rel", "").lower() != "stylesheet":
                return ""
            kept["href"] = self._joined(attributes.get("href", ""))
        if name == "img" and self._base and "src" in attributes:
            kept["src"] = self._joined(attributes["src"])
        if name == "a" and block in self._of_block:
            row, run, shows = self._of_block[block]
            kept |= {"href": f"{self._home}#r{row}", "target": "_top", "title": _words(run, shows)}
        written = "".join(f' {key}="{escape(value)}"' for key, value in kept.items())
        return f"<{name}{written}>" + ("" if tag[-1:] != "/" or name in _VOID_TAGS else f"</{name}>")

    def _style(self, css: str) -> str:
        """Return a style without addresses, unless they may be asked; the policy refuses the rest."""
        return css if self._base else _CSS_ADDRESS.sub("none", _CSS_IMPORT.sub("", css))

    def _joined(self, url: str) -> str:
        """Return an absolute address of the web; empty: it is none."""
        try:
            joined = urljoin(self._base, url)
        except ValueError:
            return ""
        return joined if joined.startswith(("http://", "https://", "data:image/")) else ""

    def _text(self, text: str, block: int, in_link: bool) -> str:
        if block not in self._of_block:
            return text
        row, run, shows = self._of_block[block]
        kind = "field" if shows else run.fate or "none"
        title, home = escape(_words(run, shows)), escape(self._home)
        if in_link:
            shown = f'<w-t class="{kind}" title="{title}">{text}</w-t>'
        else:
            shown = f'<a class="w-t {kind}" href="{home}#r{row}" target="_top" title="{title}">{text}</a>'
        if run.fate == "title" and not self._has_title:
            self._has_title = True
            shown = f'<w-t id="{TITLE_ID}">{shown}</w-t>'  # a link with this id would take the focus
        return shown


def _is_kept(name: str, value: str) -> bool:
    if not _ATTRIBUTE_NAME.fullmatch(name) or name.startswith("on") or name in _ADDRESSES:
        return False
    return name not in ("src", "srcset") or value.startswith("data:image/")


def _words(run: Run, shows: str) -> str:
    """Return what became of a text in words."""
    fate = f"{LETTERS[run.fate]}: {FATES[run.fate]}" if run.fate else "not read"
    return f"{shows} ({fate}; {run.part})" if shows else f"{fate} ({run.part})"


def _shown_fields(result: Result) -> Mapping[int, str]:
    """Return for the blocks at learned places which fields they show."""
    if result.page is None:
        return {}
    places = result.page.match.pattern.places
    fields = {place.path: _SHOWS[place.field] for place in places if place.field in _SHOWS}
    return {block: fields[path] for block, path in enumerate(result.page.placed.places) if path in fields}
