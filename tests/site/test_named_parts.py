"""Parts of a page by their names."""

from __future__ import annotations

import pytest
from path_pages import layout, place

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
