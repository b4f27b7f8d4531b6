"""Generic extractors, which see one page at a time, as functions from a page to title and text.

Each tool has its default options, except that comments are switched off if possible, because the gold texts
have none. A tool that raises gives no article.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any

from corpora import Corpus, Prediction, Scores, read_predictions, write_predictions
from w3lib.encoding import html_to_unicode

from scrapy_webstemmer.commands.html2txt import plain_lines
from scrapy_webstemmer.values import Page

Tool = Callable[[Page], Prediction]


def trafilatura(page: Page) -> Prediction:
    """Return trafilatura's title and text."""
    from trafilatura import bare_extraction

    found: Any = bare_extraction(page.body, url=page.url, include_comments=False, with_metadata=True)
    return Prediction() if found is None else Prediction(found.title or "", found.text or "")


def readability(page: Page) -> Prediction:
    """Return readability-lxml's short title, and the text of its summary."""
    from readability import Document

    document = Document(_decoded(page))
    summary = Page(page.url, document.summary().encode(), "utf-8")
    return Prediction(document.short_title() or "", "\n".join(plain_lines(summary)))


def newspaper4k(page: Page) -> Prediction:
    """Return newspaper4k's title and text."""
    import newspaper

    article = newspaper.Article(page.url, fetch_images=False)
    article.download(input_html=_decoded(page))
    article.parse()
    return Prediction(article.title or "", article.text or "")


def resiliparse(page: Page) -> Prediction:
    """Return resiliparse's text; it gives no title."""
    from resiliparse.extract.html2text import extract_plain_text
    from resiliparse.parse.encoding import detect_encoding
    from resiliparse.parse.html import HTMLTree

    tree = HTMLTree.parse_from_bytes(page.body, detect_encoding(page.body))
    return Prediction("", extract_plain_text(tree, main_content=True, alt_texts=False, comments=False))


def turbohtml(page: Page) -> Prediction:
    """Return title and text of turbohtml's article."""
    from turbohtml import parse

    article = parse(page.body).article()
    return Prediction(article.title or "", article.text or "") if article else Prediction()


#: The tools by the names of their distributions.
TOOLS: Mapping[str, Tool] = {
    "trafilatura": trafilatura,
    "readability-lxml": readability,
    "newspaper4k": newspaper4k,
    "resiliparse": resiliparse,
}


#: The tools of which only the time is measured.
FAST_TOOLS: Mapping[str, Tool] = {"turbohtml": turbohtml}


def score_tool(name: str, corpus: Corpus) -> Scores:
    """Return a tool's scores, and the number of pages on which it failed.

    Its results are kept in the corpus' folder and used again, because they change only with the tool's
    version.
    """
    kept = corpus.work / f"{name}-{version(name)}.jsonl"
    found = read_predictions(kept) if kept.exists() else {}
    if missing := corpus.test.keys() - found.keys():
        found |= {url: _guarded(TOOLS[name], corpus.test[url]) for url in missing}
        write_predictions(kept, found)
    return corpus.score(found)


def _guarded(tool: Tool, page: Page) -> Prediction:
    try:
        return tool(page)
    except Exception:  # for any error of a tool, a user gets no article
        return Prediction()


def _decoded(page: Page) -> str:
    return html_to_unicode(None, page.body)[1]
