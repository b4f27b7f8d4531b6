from __future__ import annotations

from path_pages import full_paths, layout

from scrapy_webstemmer.layouts.groups import find_groups
from scrapy_webstemmer.layouts.leads import lead_paths
from scrapy_webstemmer.layouts.subtrees import ends_of

TEASER = '<div class="teaser"><h3><a href="/{0}">Head {0}</a></h3><p>Text {0}</p></div>'


def leads(*bodies: str) -> frozenset[str]:
    pages = [layout(body, number) for number, body in enumerate(bodies)]
    placed = [(page, full_paths(page)) for page in pages]
    return lead_paths([(*page, find_groups(*page, ends_of(page[0].parents)).leading) for page in placed])


def test_paths_that_lead_on_do_so_on_two_pages() -> None:
    """A path leads on if it stands in groups on two pages or more."""
    group = "".join(map(TEASER.format, "abc"))
    assert "body/div.teaser" in leads(group, group)
    assert leads(group, "<p>nothing</p>") == frozenset()


def test_paths_that_mostly_stand_alone_do_not_lead_on() -> None:
    """A path leads on if it is grouped on three in ten of the pages on which it carries a link."""
    group, single = "".join(map(TEASER.format, "abc")), TEASER.format("a")
    assert "body/div.teaser" in leads(group, group, *[single] * 4)
    assert "body/div.teaser" not in leads(group, group, *[single] * 5)
    without_link = '<div class="teaser"><h3>Head</h3></div>'
    assert "body/div.teaser" in leads(group, group, *[without_link] * 5)


def test_links_to_other_hosts_lead_nowhere() -> None:
    """Groups of links to other sites, or to places on the page, are no leads."""
    for target in ("http://other.example/", "#comment-", "mailto:"):
        group = "".join(map(TEASER.format, "abc")).replace('href="/', f'href="{target}')
        assert leads(group, group) == frozenset()
