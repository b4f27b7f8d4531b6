"""Parts of a page by their names."""

from __future__ import annotations

import pytest
from path_pages import layout, place, words

from scrapy_webstemmer.site.named_parts import in_footer

TEXT = "<div class=body><p>The ferry is late.</p></div>"


@pytest.mark.parametrize(
    ("body", "is_own"),
    [
        (f"<div class=post>{TEXT}<div class=post-footer>Ann Lee</div></div>", True),
        (f"<article>{TEXT}<footer>Ann Lee</footer></article>", True),
        (f"<article>{TEXT}</article><footer>Ann Lee</footer>", False),
        (f"<article>{TEXT}</article><article><p>x</p><footer>Ann Lee</footer></article>", False),
        (f"<article>{TEXT}<footer><div class=related>Ann Lee</div></footer></article>", False),
        (f"<div class=post>{TEXT}<div>Ann Lee</div></div>", False),
    ],
)
def test_an_article_has_a_footer_of_its_own(body: str, is_own: bool) -> None:
    """It has the article's name, or stands in the same element ``article`` as the text."""
    (page,) = place([layout(body)])
    blocks = page.layout.blocks
    node = next(block.node for block in blocks if block.text == "Ann Lee")
    assert in_footer(page.layout, page.ends, node, blocks[0].node) is is_own


def test_a_name_that_headline_and_text_have_says_nothing() -> None:
    """A page builder calls all its parts widgets; those beside a text are none of it, be it ever so short."""
    head, widget = "<h1>A title</h1>", "<div class=x-widget>{}</div>"
    widgets = "".join(widget.format(f"<p>{words(100 + 40 * n, 20)}</p>") for n in range(4))
    text = f"<p>{words(1, 20)}</p>"
    for body, named in (
        (widget.format(head) + text + widgets, 0),
        (head + widgets, 0),
        (head + text + widgets, 4),
    ):
        (page,) = place([layout(body)])
        flags = zip(page.named or bytes(99), page.layout.steps, strict=False)
        assert sum(flag for flag, step in flags if step.classes) == named
