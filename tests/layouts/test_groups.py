from __future__ import annotations

from path_pages import layout

from scrapy_webstemmer.layouts.groups import carrying, grouped, lead_paths, sums
from scrapy_webstemmer.values import Layout


def paths_of(page: Layout) -> list[str]:
    """Return a path for each node from all of its attributes."""
    found: list[str] = []
    for step, parent in zip(page.steps, page.parents, strict=True):
        name = ".".join([step.tag, *step.classes])
        found.append(f"{found[parent]}/{name}" if parent >= 0 else name)
    return found


def groups_on(body: str, templated: bool = True) -> set[str]:
    """Return the texts on a page that stand in groups."""
    page = layout(body)
    flags = grouped(page, paths_of(page), page.links, templated=templated)
    return {block.text for block in page.blocks if flags[block.node]}


TEASER = '<div class="teaser"><h3><a href="/{0}">Head {0}</a></h3><p>Text {0}</p></div>'


def test_sums_and_links_belong_to_all_elements_around() -> None:
    """An element's sum is that of all blocks in it, and it carries the links of all elements in it."""
    page = layout('<div><p>abc</p><p>de<a href="/x">fg</a></p></div><p>hijkl</p>')
    assert sums(page, lambda block: block.weight) == [12, 7, 3, 4, 5]
    assert carrying(page, page.links) == [True, True, False, True, False]


def test_three_like_siblings_with_links_are_a_group() -> None:
    """Siblings at one path with a link each are a group, with all that is in them; two of them are none."""
    assert groups_on("".join(map(TEASER.format, "abc"))) == {
        f"{kind} {name}" for kind in ("Head", "Text") for name in "abc"
    }
    assert groups_on("".join(map(TEASER.format, "ab"))) == set()


def test_siblings_have_one_parent_and_one_path() -> None:
    """Elements of another class, or in another parent, add nothing to a group."""
    two, third = "".join(map(TEASER.format, "ab")), TEASER.format("c")
    assert groups_on(two + third.replace("teaser", "post")) == set()
    assert groups_on(f"<div>{two}</div><div>{third}</div>") == set()


def test_four_of_five_carry_a_link() -> None:
    """A group may hold one sibling in five without a link, not one in four."""
    plain = '<div class="teaser"><h3>Head x</h3></div>'
    assert "Head x" in groups_on("".join(map(TEASER.format, "abcd")) + plain)
    assert groups_on("".join(map(TEASER.format, "abc")) + plain) == set()


def test_siblings_of_which_one_is_nearly_everything_are_rows() -> None:
    """Three rows of which one holds more than .7 of the text are no group."""
    rows = ['<div class="row"><a href="/">aa</a></div>'] * 2
    assert groups_on("".join([*rows, f'<div class="row"><a href="/">{"m" * 9}</a></div>'])) != set()
    assert groups_on("".join([*rows, f'<div class="row"><a href="/">{"m" * 10}</a></div>'])) == set()


def test_paragraphs_and_cells_are_never_a_group() -> None:
    """A paragraph or a cell with a link each is running text, whatever its class."""
    link = '<a href="/x">link</a>'
    assert groups_on(f'<p class="t">a {link}</p>' * 3, templated=False) == set()
    assert groups_on(f"<table><tr>{f'<td>a {link}</td>' * 3}</tr></table>", templated=False) == set()


def test_bare_list_items_are_the_authors() -> None:
    """Items without a class are no group of the template, but they may lead on."""
    items = "".join(f'<li><a href="/{name}">item {name}</a></li>' for name in "abc")
    assert groups_on(f"<ul>{items}</ul>") == set()
    assert len(groups_on(f"<ul>{items}</ul>", templated=False)) == 3
    assert len(groups_on(f"<ul>{items.replace('<li', '<li class=item')}</ul>")) == 3


def leads(*bodies: str) -> frozenset[str]:
    pages = [layout(body, number) for number, body in enumerate(bodies)]
    flags = [grouped(page, paths_of(page), page.leads, templated=False) for page in pages]
    return lead_paths((page, paths_of(page), found) for page, found in zip(pages, flags, strict=True))


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


def test_siblings_that_share_a_class_and_a_child_are_alike() -> None:
    """Comments of which some are odd and one is the author's are one group; columns of a page are none."""
    kinds = ("odd", "even", "odd mine")
    comment = '<div class="comment {0}"><div class="said">Text {0}</div><a href="/{0}">Name {0}</a></div>'
    assert len(groups_on("".join(map(comment.format, kinds)))) == 6
    column = '<div class="column {0}"><div class="{0}">Text {0}</div><a href="/{0}">More {0}</a></div>'
    assert groups_on("".join(map(column.format, kinds))) == set()


def test_a_heading_that_links_to_itself_carries_no_link() -> None:
    """Sections whose headings have a sign with a link to themselves are no group; with a name they are."""
    section = '<div class="part"><h2>Head {0}<a href="#{0}">{1}</a></h2><p>Text {0}</p></div>'
    assert groups_on("".join(section.format(name, "\u00b6") for name in "abc")) == set()
    assert len(groups_on("".join(section.format(name, "link") for name in "abc"))) == 6
