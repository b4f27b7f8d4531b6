"""Pages to look at in a browser: what was learned of sites, what became of pages, trees of layouts.

Here is the frame of all of them: their head with its policy, and how elements are made. What pages show comes
from strangers. Elements are made as a tree, so that no text of theirs can become markup. A policy in the head
lets a browser run and load nothing but the page's own style and script.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, TypeAlias

from lxml import etree, html

from ...html.text import NO_XML

#: What may stand in an element: text, elements, nothing, or several of these.
Content: TypeAlias = Any


def h(tag: str, *content: Content, **attributes: str | float | bool | None) -> Any:
    """Return an element.

    :param content: texts, elements, and lists of these; None is left out.
    :param attributes: ``class_`` stands for ``class``, ``aria_label`` for ``aria-label``. True is an
        attribute without a value; one that is None or False is left out.
    """
    element = etree.Element(tag)
    for name, value in attributes.items():
        if value is not None and value is not False:
            text = "" if value is True else NO_XML.sub("", str(value))
            element.set(name.rstrip("_").replace("_", "-"), text)
    _fill(element, content)
    return element


def _fill(element: Any, content: Iterable[Content]) -> None:
    for one in content:
        if one is None:
            continue
        if isinstance(one, str):
            text = NO_XML.sub("", one)
            if len(element):
                element[-1].tail = (element[-1].tail or "") + text
            else:
                element.text = (element.text or "") + text
        elif isinstance(one, etree._Element):
            element.append(one)
        else:
            _fill(element, one)


def to_html(element: Any) -> str:
    """Return an element as HTML."""
    return str(html.tostring(element, encoding="unicode"))


def page(title: str, *body: Content, style: str = "", script: str = "") -> str:
    """Return a whole page in English.

    :param title: what the window is called.
    :param body: the content of its body.
    :param style: rules beside those of all pages.
    :param script: the only script that runs.
    """
    return page_of(
        title, "".join(to_html(one) for one in body), style=text_of("views.css") + style, script=script
    )


def page_of(title: str, body: str, *, style: str, script: str = "") -> str:
    """Return a whole page of a body that is written already."""
    runs = f"<script>{script}</script>" if script else ""
    return (
        f'<!DOCTYPE html>\n<html lang="en"><head>{head(title, style, script)}</head>'
        f"<body>{body}{runs}</body></html>\n"
    )


def head(title: str, style: str, script: str = "") -> str:
    """Return what stands in a page's head; it allows this style and this script, and nothing else."""
    runs = f"script-src {_digest(script)}; " if script else ""
    policy = f"default-src 'none'; {runs}style-src {_digest(style)}; base-uri 'none'; form-action 'none'"
    return (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style>"
    )


@cache
def text_of(name: str) -> str:
    """Return the content of a file beside this module."""
    return (files(__name__) / name).read_text(encoding="utf-8")


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
