from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from path_pages import full_paths, layout
from tree_pages import layouts

from scrapy_webstemmer.page.tags import HEADINGS, TEXT_TAGS
from scrapy_webstemmer.site.paths import last_step
from scrapy_webstemmer.site.records import find_records
from scrapy_webstemmer.site.subtrees import columns_of, ends_of
from scrapy_webstemmer.values import Layout


def records_on(body: str, templated: bool = True) -> set[str]:
    """Return the texts on a page that stand in records."""
    page = layout(body)
    found = find_records(page, columns_of(page, ends_of(page.parents)), full_paths(page))
    flags = found.templated if templated else found.leading
    return {block.text for block in page.blocks if flags[block.node]}


TEASER = '<div class="teaser"><h3><a href="/{0}">Head {0}</a></h3><p>Text {0}</p></div>'


def test_three_like_siblings_with_links_are_a_group() -> None:
    """Three siblings at one path with a link each are records, with all their content; two are not."""
    assert records_on("".join(map(TEASER.format, "abc"))) == {
        f"{kind} {name}" for kind in ("Head", "Text") for name in "abc"
    }
    assert records_on("".join(map(TEASER.format, "ab"))) == set()


def test_siblings_have_one_parent_and_one_path() -> None:
    """Siblings of another class, or in another parent, do not count."""
    two, third = "".join(map(TEASER.format, "ab")), TEASER.format("c")
    assert records_on(two + third.replace("teaser", "post")) == set()
    assert records_on(f"<div>{two}</div><div>{third}</div>") == set()


def test_four_of_five_carry_a_link() -> None:
    """One sibling in five may be without a link, but not one in four."""
    plain = '<div class="teaser"><h3>Head x</h3></div>'
    assert "Head x" in records_on("".join(map(TEASER.format, "abcd")) + plain)
    assert records_on("".join(map(TEASER.format, "abc")) + plain) == set()


def test_siblings_of_which_one_is_nearly_everything_are_rows() -> None:
    """Three rows are not records if one of them holds more than .7 of the text."""
    rows = ['<div class="row"><a href="/">aa</a></div>'] * 2
    assert records_on("".join([*rows, f'<div class="row"><a href="/">{"m" * 9}</a></div>'])) != set()
    assert records_on("".join([*rows, f'<div class="row"><a href="/">{"m" * 10}</a></div>'])) == set()


def test_paragraphs_and_cells_are_never_a_group() -> None:
    """A paragraph or a cell with a link each is running text, whatever its class."""
    link = '<a href="/x">link</a>'
    assert records_on(f'<p class="t">a {link}</p>' * 3, templated=False) == set()
    assert records_on(f"<table><tr>{f'<td>a {link}</td>' * 3}</tr></table>", templated=False) == set()


def test_siblings_that_share_a_class_and_a_child_are_alike() -> None:
    """Comments are records even if some are odd and one is the author's; columns of a page are not."""
    kinds = ("odd", "even", "odd mine")
    comment = '<div class="comment {0}"><div class="said">Text {0}</div><a href="/{0}">Name {0}</a></div>'
    assert len(records_on("".join(map(comment.format, kinds)))) == 6
    column = '<div class="column {0}"><div class="{0}">Text {0}</div><a href="/{0}">More {0}</a></div>'
    assert records_on("".join(map(column.format, kinds))) == set()


def test_a_heading_that_links_to_itself_carries_no_link() -> None:
    """Neither a sign by which a heading links to itself is a link of a record, nor what opens a part."""
    section = '<div class="part"><h2>Head {0}<a href="{2}{0}">{1}</a></h2><p>Text {0}</p></div>'
    for label, target, texts in (("\u00b6", "#", 0), ("with words", "#", 0), ("with words", "/", 6)):
        assert len(records_on("".join(section.format(name, label, target) for name in "abc"))) == texts


SECTION = '<div class="part"><h2>Head {0}</h2><p>Text {0} <a href="/{0}">link {0}</a></p></div>'


def test_sections_under_headings_of_their_own_are_the_authors() -> None:
    """Siblings with an unlinked heading each are not records, though their text has links."""
    assert records_on("".join(map(SECTION.format, "abc"))) == set()
    linked = SECTION.replace("Head {0}", '<a href="/{0}">Head {0}</a>')
    assert len(records_on("".join(map(linked.format, "abc")))) == 6
    around = SECTION.replace("<h2>", '<a href="/{0}"><h2>').replace("</h2>", "</h2></a>")
    assert len(records_on("".join(map(around.format, "abc")))) == 6
    bare = SECTION.replace("h2", "b")
    assert len(records_on("".join(map(bare.format, "abc")))) == 6


def test_a_link_beside_a_heading_is_not_around_it() -> None:
    """Sections of heading, text and a bare link to elsewhere are the author's, wherever the link stands."""
    for part in ("<h3>Head {0}</h3><p>Text {0}</p>%s", "%s<h3>Head {0}</h3><p>Text {0}</p>"):
        for link, count in (
            ('<a href="https://elsewhere.example/{0}">Source</a>', 0),
            ('<a href="#{0}">Top</a>', 0),
            ('<a href="/{0}">Read on</a>', 9),  # teasers
            ('<a name="{0}"></a>', 0),
        ):
            section = f'<div class="part">{part % link}</div>'
            assert len(records_on("".join(map(section.format, "abcd")))) == count


def test_what_does_not_lead_on_makes_no_teaser() -> None:
    """Sections with links to other pages are the author's, though a place is named at the heading, too."""
    section = '<div class="part">%s<h3>%s</h3><p>Text {0} <a href="/{0}">link {0}</a></p></div>'
    for beside in ('<a name="{0}"></a>', '<a id="{0}"></a>', '<a href="#{0}">Top</a>'):
        for head in ("Head {0}", '<a name="{0}">Head {0}</a>'):
            part = section % (beside, head)
            assert records_on("".join(map(part.format, "abcd"))) == set()


def test_a_term_is_the_heading_of_its_definition() -> None:
    """In manuals each function has a list of its own, with links to others. Linked terms are records."""
    definition = '<dl class="def"><dt>%s</dt><dd>Text {0}, see <a href="%s/{0}">link {0}</a></dd></dl>'
    for host in ("", "https://elsewhere.example"):
        for term, count in (("Term {0}", 0), ('<a href="/by/{0}">Term {0}</a>', 8)):
            part = definition % (term, host)
            assert len(records_on("".join(map(part.format, "abcd")))) == count


def test_most_of_the_siblings_are_sections() -> None:
    """One section in five may be without its own heading, but not one in four."""
    plain = SECTION.replace("h2", "div").format("x")
    assert records_on("".join(map(SECTION.format, "abcd")) + plain) == set()
    assert len(records_on("".join(map(SECTION.format, "abc")) + plain)) == 8


def test_boxes_with_a_button_each_are_the_authors() -> None:
    """If they hold most of the paragraphs, and the same is linked in each. Comments link names."""
    box = '<div class="box"><a href="//x.example/{0}"></a><p>{1}</p><a href="//x.example/{0}">{2}</a></div>'
    texts = [
        f"Lamp {name} burns for nine hours on a single charge, and it floats if it falls into the sea."
        for name in "abc"
    ]

    def recorded(labels: str, around: str = "") -> int:
        return len(records_on(around + "".join(map(box.format, "123", texts, labels.split("/")))) & {*texts})

    assert recorded("Buy now/Buy now/Buy now") == 0
    assert recorded("Ann/Bob/Cid") == 3
    named = "<div class=box><b>{0}</b><p>{1}</p><a href='#reply'>Reply</a></div>"
    assert texts[0] in records_on("".join(map(named.format, ("Ann", "Bob", "Cid"), texts)))
    assert recorded("Buy now/Buy now/Buy now", f"<p>{' '.join(texts)} {texts[0]}</p>") == 3


def test_sections_behind_a_paragraph_are_the_authors() -> None:
    """Their headings may be links to elsewhere. Teasers lead to the site, or have a box of their own."""
    lead = f"<p>{'Nine lamps were tried, and each of them for a week. ' * 2}</p>"
    part = (
        '<div class="part"><h3><a href="{1}{0}">Lamp {0}</a></h3><p>It burns for hours and floats.</p></div>'
    )
    parts = "".join(part.format(name, "https://shop.example/") for name in "abc")
    assert records_on(lead + parts) == set()
    assert len(records_on(f"{lead}<div>{parts}</div>")) == 4
    assert len(records_on(parts)) == 4
    assert len(records_on(lead + "".join(part.format(name, "/") for name in "abc"))) == 4
    pictures = parts.replace("<h3>", "").replace("</h3>", "").replace(">Lamp", "><img src=a.jpg>Lamp")
    assert len(records_on(lead + pictures)) == 4  # a name is linked, as that of who wrote a comment
    for name in "abc":
        pictures = pictures.replace(f">Lamp {name}", ">")
    assert records_on(lead + pictures) == {"It burns for hours and floats."}
    assert records_on(lead + pictures.replace("hours and floats", "nine hours, and it floats")) == set()
    bare = parts.replace("It burns for hours and floats.", "")
    assert len(records_on(lead + bare)) == 3
    assert len(records_on(lead + parts.replace("h3", "b"))) == 4


def test_boxes_may_be_under_links() -> None:
    """A heading that leads elsewhere is no button: boxes with most of the paragraphs are the text."""
    box = '<div class="box"><h3><a href="//x.example/{0}">Lamp {0}</a></h3><p>{1}</p></div>'
    text = "Lamp {} burns for nine hours on a single charge, and it floats if it falls into the sea."
    assert records_on("".join(box.format(name, text.format(name)) for name in "abc")) == set()


def test_passages_with_a_line_that_leads_on_are_the_authors() -> None:
    """They begin with a paragraph or a heading, and have several paragraphs. A note in a list has one."""
    line = '<div><a href="/{0}">Lamp {0}</a></div>'
    text = "<p>The keeper of the harbour lights walks along the wall twice a night, whatever the weather.</p>"
    headed = f"<section><h2>Head</h2>{line}{text}{text}</section>"
    passages = [f"<section>{text}{line}{text}</section>", headed]
    assert records_on("".join(passages).format(1) + passages[0].format(2)) == set()
    assert len(records_on("".join(f"<section>{text}{line.format(n)}</section>" for n in "abc"))) == 4
    assert len(records_on("".join(f"<section>{line.format(n)}{text}{text}</section>" for n in "abc"))) == 4


def test_sections_may_lead_on() -> None:
    """An author's sections are still records that lead on, if their links do."""
    assert len(records_on("".join(map(SECTION.format, "abc")), templated=False)) == 6


def in_records(page: Layout, links: tuple[int, ...], *, templated: bool) -> list[bool]:
    """Return which nodes stand in records, by the rules one after the other: a slow oracle."""
    paths, nodes = full_paths(page), range(len(page.parents))
    inside = [[n for n in nodes if ends_of(page.parents)[node] > n >= node] for node in nodes]
    text = [sum(b.weight for b in page.blocks if b.node in inside[node]) for node in nodes]
    linked = [any(links[n] for n in inside[node]) for node in nodes]
    own = [
        page.steps[n].tag in HEADINGS and not any(page.links[m] for m in (*inside[n], page.parents[n]))
        for n in nodes
    ]
    titled = [any(own[m] for m in inside[node]) for node in nodes]
    found = [False] * len(nodes)
    for parent in nodes:
        children = [n for n in nodes if page.parents[n] == parent]
        steps = {last_step(paths[n]) for n in children}
        for name in steps | {f"{page.steps[n].tag}.{one}" for n in children for one in page.steps[n].classes}:
            alike = [n for n in children if last_step(paths[n]) == name]
            if name not in steps:  # a class that some of them share
                tag, _, one = name.partition(".")
                alike = [n for n in children if page.steps[n].tag == tag and one in page.steps[n].classes]
                below = Counter(
                    kind
                    for n in alike
                    for kind in {last_step(paths[m]) for m in nodes if page.parents[m] == n}
                )
                if max(below.values(), default=0) < 0.8 * len(alike):
                    continue
            never = name.split(".")[0] in ("p", "td", "th") or (templated and name in TEXT_TAGS)
            few_links = sum(linked[n] for n in alike) < 0.8 * len(alike)
            if len(alike) < 3 or never or few_links:
                continue
            if templated and any(own) and sum(titled[n] for n in alike) >= 0.8 * len(alike):
                continue
            if max(text[n] for n in alike) <= 0.7 * sum(text[n] for n in alike):
                for n in alike:
                    found[n] = True
    return [any(found[n] and node in inside[n] for n in nodes) for node in nodes]


@given(layouts())
def test_records_are_what_the_rules_say(page: Layout) -> None:
    """One pass finds the same records of both kinds as the oracle."""
    found = find_records(page, columns_of(page, ends_of(page.parents)), full_paths(page))
    assert list(found.templated) == in_records(page, page.links, templated=True)
    assert list(found.leading) == in_records(page, page.leads, templated=False)


@pytest.mark.parametrize(("sentences", "is_text"), [(4, True), (1, False)])
def test_sections_behind_a_paragraph_may_lead_to_pages_of_the_site(sentences: int, is_text: bool) -> None:
    """Each has a heading of its own and a paragraph; those with less are teasers."""
    text = "The harbour has a lamp, and the ferry sails at noon. "
    sections = "".join(
        f"<div class=item><h3>Lamp {n}</h3><p>{text * sentences}</p><a href='/lamps/{n}'>Read</a></div>"
        for n in range(4)
    )
    body = f"<div class=text><p>{text * 2}</p>{sections}</div>"
    assert ("Lamp 1" not in records_on(body, templated=False)) == is_text


@pytest.mark.parametrize(
    ("link", "is_text"),
    [("We wrote of it <a href='/{0}'>in May</a>.", True), ("<br><a href='/{0}'>Read on</a>", False)],
)
def test_a_link_in_a_sentence_is_the_authors(link: str, is_text: bool) -> None:
    """A link of a record is a line, a heading or a picture."""
    text = "The harbour has a lamp, and the ferry sails at noon. "
    boxes = "".join(f"<div class=item><p>{n}. {text * 2}{link.format(n)}</p></div>" for n in range(4))
    assert (records_on(boxes, templated=False) == set()) == is_text
