"""Random HTML whose text looks like markup, and what two Markdown renderers make of its article.

Markdown may have HTML in it, and renderers let it through. So a text such as ``<img src=x onerror=alert(1)>``
must be text in the Markdown too, wherever it stands. Each fragment becomes an article; its Markdown is
rendered, and what comes out may have no element and no attribute that the article's own HTML does not have.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from html import escape, unescape
from urllib.parse import unquote

import mistune
from lxml import html as lxml_html
from markdown_it import MarkdownIt

from scrapy_webstemmer import Article, Page
from scrapy_webstemmer.commands.formats import markdown_record
from scrapy_webstemmer.extraction.article_html import render
from scrapy_webstemmer.extraction.make_article import markdown_of
from scrapy_webstemmer.fields.image_sources import image_tags
from scrapy_webstemmer.page.parsing import parse_text
from scrapy_webstemmer.page.walk import layout_of

__all__ = ["RENDERERS", "added", "check_fragment", "fragment"]

#: Texts that mean something to Markdown, or to HTML that it lets through.
TEXTS = (
    "<img src=x onerror=alert(1)>", "<script>alert(1)</script>", "<b onclick=alert(1)>", "</p>", "<!--",
    "-->", "`", "``", "```", "```", "~~~", "~~", "\\", "*", "**", "_", "__", "[", "]", "(", ")",
    "](javascript:alert(1))", "![x](x)", "[x]: javascript:alert(1)", "|", "| --- |", "#", "# a", "-",
    "- a", "---", "1", ".", "1. a", "10)", "+", "=", "===", ">", "> a", "!", ":", ":   a",
    "&lt;img src=x onerror=alert(1)&gt;", "&#60;img src=x>", "www.", "www.e.example",
    "http://e.example/", "https://e.example/a_(b)?c=d&e=f#g", "mailto:a@e.example", "\r", "\n", "\r\n",
    "\n\n", "\t", "    ", "\v", "\f", "\x85", "\u2028", "\xa0", " ", " ", "a", "b", "c d", "1\n2\n3",
    "x\n\n\n\ny",
)  # fmt: skip
INLINE = (
    "a a a b strong i em code code kbd samp del s sub sup q u span ins mark small cite time abbr var tt"
).split()
BLOCK = (
    "p p p div h1 h2 h3 h6 ul ol li dl dt dd pre pre blockquote table tr td th caption figure figcaption "
    "address details summary section"
).split()
#: Elements that make sense in another one.
PARTS = {
    "ul": ("li", "li", "ul"),
    "ol": ("li", "li", "ol"),
    "dl": ("dt", "dd", "dd"),
    "table": ("tr", "tr", "caption"),
    "tr": ("td", "td", "th"),
    "figure": ("img", "figcaption"),
    "details": ("summary", "p"),
}
URLS = (
    "http://e.example/", "/a", "http://e.example/a b", "/\\", "http://e.example/\\`",
    "/)<img src=x onerror=alert(1)>", "/`", "/](x)", "/a|b", "/*_~", "/&lt;img&gt;",
    "mailto:a@e.example", "/a\x85b", "/\u2028", "/%5C", "?\\&copy;", "/\"'", "javascript:alert(1)",
    "/www.a`",
)  # fmt: skip

#: What of Markdown comes of which elements of HTML; of all others comes the same.
_COMES_OF = {
    "em": {"em", "i"},
    "strong": {"strong", "b"},
    "code": {"code", "kbd", "samp", "pre"},
    "del": {"del", "s"},
    "s": {"del", "s"},
    "ul": {"ul", "li"},  # an item without its list
    "thead": {"table"},
    "tbody": {"table"},
    "tr": {"table"},
    "th": {"table"},
    "td": {"table"},
    **{f"h{level}": {f"h{level}", f"h{level - 1}"} for level in range(2, 7)},  # one lower below a title
}
_ALWAYS = {"p", "br", "h1", "hr"}  # of the title, and of the end of a record


def fragment(seeds: Sequence[bytes], chance: random.Random) -> bytes:
    """Return random HTML, in one case of four beside a part of a seed."""
    made = "".join(_blocks(chance, depth=0))
    if seeds and chance.random() < 0.25:
        made += chance.choice(seeds).decode("utf-8", "replace")
    return made.encode("utf-8")


def _blocks(chance: random.Random, depth: int) -> Iterator[str]:
    for _ in range(chance.choice((1, 1, 2, 3, 4))):
        yield _element(chance, chance.choice(BLOCK), depth)
        if chance.random() < 0.2:
            yield _text(chance)


def _element(chance: random.Random, tag: str, depth: int) -> str:
    if tag == "img":
        return _image(chance)
    attributes = ""
    if tag == "a" and chance.random() < 0.9:
        attributes = f' href="{escape(chance.choice(URLS))}"'
    elif tag == "ol" and chance.random() < 0.4:
        attributes = f' start="{chance.choice((0, 1, 2, 10, 999))}"'
    elif tag in ("td", "th") and chance.random() < 0.2:
        attributes = f' {chance.choice(("colspan", "rowspan"))}="{chance.choice((0, 1, 2, 3))}"'
    return f"<{tag}{attributes}>{''.join(_content(chance, tag, depth + 1))}</{tag}>"


def _content(chance: random.Random, tag: str, depth: int) -> Iterator[str]:
    for _ in range(chance.choice((0, 1, 1, 2, 2, 3, 4))):
        kind = chance.random()
        if depth > 6 or kind < 0.35:
            yield _text(chance)
        elif tag in PARTS and kind < 0.85:
            yield _element(chance, chance.choice(PARTS[tag]), depth)
        elif kind < 0.7 or tag in INLINE:
            yield _element(chance, chance.choice(INLINE), depth)
        elif kind < 0.8:
            yield chance.choice(("<br>", "<br>", "<br><br>", _image(chance)))
        elif tag != "p":
            yield _element(chance, chance.choice(BLOCK), depth)


def _text(chance: random.Random) -> str:
    text = "".join(chance.choices(TEXTS, k=chance.choice((1, 1, 2, 3))))
    return escape(text).replace("\r", "&#13;")


def _image(chance: random.Random) -> str:
    return f'<img src="{escape(chance.choice(URLS))}" alt="{_text(chance)}">'


def _by_mistune(*plugins: str) -> Callable[[str], str]:
    made = mistune.create_markdown(escape=False, plugins=list(plugins))
    return lambda text: str(made(text))


#: The renderers by their names: each as CommonMark has it, and with what GitHub adds.
RENDERERS: dict[str, Callable[[str], str]] = {
    "markdown-it": MarkdownIt("commonmark", {"html": True}).render,
    "markdown-it, GitHub": MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render,
    "mistune": _by_mistune(),
    "mistune, GitHub": _by_mistune("table", "strikethrough", "url"),
}


def check_fragment(data: bytes) -> None:
    """Make a fragment into an article, and raise where its Markdown says more than its HTML."""
    root = parse_text(data.decode("utf-8", "replace"))
    layout = layout_of("http://e.example/x/", root, keep_markup=True)
    markup = layout.markup
    assert markup
    clean = render(layout, range(len(layout.blocks)), image_tags(layout, range(len(markup.images))))
    title = layout.blocks[0].text if layout.blocks else ""
    title = " ".join(title.split())
    markdown = markdown_of(title, clean)
    url = f"http://e.example/{title}"
    article = Article(url=url, title=title, text="", html=clean, markdown=markdown)
    for text in (markdown, markdown_record(Page(url, b""), article, "utf-8")):
        for name, rendered in RENDERERS.items():
            more = added(clean + f'<a href="{escape(url)}"></a>' * (text is not markdown), rendered(text))
            assert not more, f"{name}: {more}\n{clean}\n{text}\n{rendered(text)}"


def added(clean: str, rendered: str) -> list[str]:
    """Return what rendered Markdown has, and the article's HTML has not: elements, attributes, targets."""
    allowed, found = _inventory(clean), _inventory(rendered, but_for=_is_bare)
    more = []
    for (tag, attribute, value), count in found.items():
        sources = _COMES_OF.get(tag, {tag})
        if attribute == "":
            known = tag in _ALWAYS or any(allowed[source, "", ""] for source in sources)
        elif attribute == "style" and tag in ("th", "td"):  # the alignment of a column
            known = value.startswith("text-align")
        elif attribute == "start" and tag == "ol":
            known = bool(allowed[tag, "", ""])
        else:
            known = allowed[tag, attribute, value] >= count
        if not known:
            more.append(f"{tag} {attribute} {value}".strip())
    return more


def _inventory(
    html: str, but_for: Callable[[lxml_html.HtmlElement], bool] = lambda element: False
) -> Counter[tuple[str, str, str]]:
    """Return the elements of some HTML, and their attributes with their values, with counts."""
    found: Counter[tuple[str, str, str]] = Counter()
    for element in lxml_html.fragment_fromstring(html, create_parent="main").iterdescendants():
        tag = element.tag if isinstance(element.tag, str) else "comment"
        if tag == "a" and but_for(element):
            continue
        found[tag, "", ""] += 1
        for name, value in element.attrib.items():
            if name in ("href", "src"):
                value = _normal(value)
            if name != "alt":
                found[tag, name, value] += 1
    return found


def _is_bare(link: lxml_html.HtmlElement) -> bool:
    """Return whether a link shows where it leads: a renderer made it of a url that stands in the text."""
    target = link.get("href", "")
    return target.startswith(("http://", "https://")) and _normal(link.text_content()) == _normal(target)


def _normal(url: str) -> str:
    """Return a url so that two of them can be compared: some renderers read ``&copy`` in one."""
    return "".join(unquote(unescape(unescape(url))).replace("\\", "/").split())
