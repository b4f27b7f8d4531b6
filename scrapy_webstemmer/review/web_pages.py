"""Whole web pages: a body in a frame of ours.

A policy in the head lets a browser run and load nothing but the page's own style and script.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from html import escape
from importlib.resources import files

from .elements import Content, to_html


def page(title: str, *body: Content, script: str = "", forms: bool = False, frames: bool = False) -> str:
    """Return a whole page in English.

    :param title: what the window is called.
    :param body: the content of its body.
    :param script: the only script that runs.
    :param forms: whether it may send forms to where it comes from.
    :param frames: whether it may have frames from there.
    """
    written = "".join(to_html(one) for one in body)
    return page_of(title, written, style=text_of("views.css"), script=script, forms=forms, frames=frames)


def page_of(
    title: str, body: str, *, style: str, script: str = "", forms: bool = False, frames: bool = False
) -> str:
    """Return a whole page of a body that is written already."""
    runs = f"<script>{script}</script>" if script else ""
    own = head(title, style, script, forms=forms, frames=frames)
    return f'<!DOCTYPE html>\n<html lang="en"><head>{own}</head><body>{body}{runs}</body></html>\n'


def head(title: str, style: str, script: str = "", *, forms: bool = False, frames: bool = False) -> str:
    """Return what stands in a page's head; it allows this style and this script, and nothing else."""
    runs = f"script-src {_digest(script)}; " if script else ""  # and what else it may have
    sends = "'self'" if forms else "'none'"
    runs += "frame-src 'self'; " if frames else ""
    policy = f"default-src 'none'; {runs}style-src {_digest(style)}; base-uri 'none'; form-action {sends}"
    return (
        f'<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style>"
    )


@cache
def text_of(name: str) -> str:
    """Return the content of a file beside this module."""
    return (files(__package__) / name).read_text(encoding="utf-8")


#: Nodes of trees that are deeper are not indented any more, so that narrow windows have room for their text.
MOST_INDENTED = 20


def tree_style() -> str:
    """Return the style of pages with trees. It says how deep a node of each depth stands."""
    depths = (f".d{depth} {{ --depth: {depth}; }}\n" for depth in range(1, MOST_INDENTED + 1))
    return text_of("views.css") + "".join(depths)


def _digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
