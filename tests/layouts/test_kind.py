from __future__ import annotations

import pytest
from path_pages import placed, words

from scrapy_webstemmer.layouts.kind import lead_shares, main_mass


def teasers(count: int) -> str:
    return "".join(f'<div class="t"><a href="/{n}">mmmmm</a>nnnnn</div>' for n in range(count))


def test_lead_share_is_the_text_in_groups_that_lead_on() -> None:
    """The share counts all text of the groups inside the container, and nothing outside of it."""
    pages = placed(f'<div id="c">{teasers(3)}<p>{"o" * 10}</p></div>{teasers(3)}', '<div id="c">mm</div>')
    assert lead_shares(pages[:1], "body/div#c") == [0.75]
    assert lead_shares(pages, "body/div#c") == [0.75, 0]
    assert lead_shares(pages, "body/h1") == [0, 0]


def test_static_text_is_not_counted() -> None:
    """Static text inside the container neither leads on nor holds anything."""
    pages = placed(*(f'<div id="c">{teasers(3).replace("m", name)}<p>Imprint</p></div>' for name in "xyz"))
    assert lead_shares(pages, "body/div#c") == [1, 1, 1]


def test_main_mass_is_the_mean_mass_of_the_container() -> None:
    """Pages without the container count with none."""
    pages = placed(f"<div>{'m' * 30}</div>", f"<h1>{words(1)}</h1>")
    assert main_mass(pages, "body/div") == pytest.approx(15)
