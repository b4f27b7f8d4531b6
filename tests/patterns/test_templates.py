from __future__ import annotations

from dataclasses import replace

from path_pages import placed, words

from scrapy_webstemmer.patterns.clusters import Template, join_templates
from scrapy_webstemmer.site.placed import PlacedLayout

TEXT = "body/div#text"


def joined(first: Template, second: Template, titles: dict[int, str] | None = None) -> list[Template]:
    """Return what two templates become; their titles are given by their numbers of pages."""
    places = titles or {}
    return join_templates(
        [first, second],
        lambda template: (places.get(len(template.pages), "h1"),),
    )


def site() -> list[PlacedLayout]:
    """Return three pages with paragraphs in the container, and two with boxes in it."""
    plain = [f'<h1>{words(n)}</h1><div id="text"><p>{words(n, 40)}</p></div>' for n in range(3)]
    boxes = [
        f'<h1>{words(n)}</h1><div id="text"><section><div class="box">{words(n, 40)}</div></section></div>'
        for n in range(3, 5)
    ]
    return placed(*plain, *boxes)


def test_what_authors_wrote_in_one_container_is_one_template() -> None:
    """Clusters are joined if a container is the same, or deeper without id and class; pages stay sorted."""
    pages = site()
    for container in (TEXT, f"{TEXT}/section"):
        (found,) = joined(Template(pages[2:], TEXT), Template(pages[:2], container))
        assert found == Template(pages, TEXT, joined=True)
        assert found.profile.keys() == {"body", f"{TEXT}/*"}


def test_named_parts_other_titles_and_bodies_are_apart() -> None:
    """Clusters stay apart if container, title or kind differ, or if the container is the body."""
    pages = site()
    large, small = Template(pages[:3], TEXT), pages[3:]
    assert len(joined(large, Template(small, f"{TEXT}/section/div.box"))) == 2
    assert len(joined(large, Template(small, TEXT), titles={2: "h2"})) == 2
    lists = Template(small, TEXT, kind="index")
    assert len(joined(large, lists)) == 2
    assert [one.kind for one in joined(replace(large, kind="index"), lists)] == ["index"]
    assert len(joined(Template(pages[:3], "body"), Template(small, "body"))) == 2


def test_lists_of_pages_are_apart() -> None:
    """Other pages with the same container are not joined to articles."""
    teasers = "".join(f'<div class="t"><a href="/{n}">{words(n)}</a></div>' for n in range(4))
    pages = placed(
        *(f'<div id="text"><p>{words(n, 40)}</p></div>' for n in range(3)),
        *(f'<div id="text">{teasers}<div class="t"><a href="/x">{words(n)}</a></div></div>' for n in (5, 6)),
    )
    lists = Template(pages[3:], TEXT, kind="index")
    assert len(joined(Template(pages[:3], TEXT), lists)) == 2
    assert len(joined(Template(pages[:3], TEXT), replace(lists, kind="article"))) == 1


def test_templates_look_at_their_sample() -> None:
    """The profile comes from the sample; a joined template draws its own sample."""
    pages = placed("<p>Seals</p>", "<h1>Geese</h1><p>fly south</p>", "<p>The night ferry</p>")
    template = Template(pages, "body", samples=1)
    assert len(template.sample) == 1
    alone = Template(template.sample, "body")
    assert template.profile == alone.profile
    site_pages = site()
    (whole,) = joined(Template(site_pages[2:], TEXT, samples=3), Template(site_pages[:2], TEXT, samples=3))
    assert (len(whole.pages), len(whole.sample)) == (5, 3)
