from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from layout_trees import drawn_trees, parsed

from scrapy_webstemmer.trees.layout_trees import TEXT, Tree
from scrapy_webstemmer.trees.tree_articles import LeafCounts, leaf_article, own_leaves

PAGE = (
    "<html><head><title>{0} - The Daily</title></head><body><ul><li>Home</li><li>Sport</li></ul><h1>The Daily"
    "</h1><div><h2>{0}</h2>By {1}<p>{0} says\n <em>hello</em> &amp; more.</p><p>{1} agrees.</p></div>"
    "<p>Imprint</p></body></html>"
)


def pages(*names: str) -> list[Tree]:
    return [parsed(PAGE.format(name, name * 2)) for name in names]


def texts_of(trees: list[Tree]) -> list[list[str]]:
    """Return the texts that the pages of a cluster keep."""
    counts = LeafCounts.of(trees)
    return [[tree.texts[node] for node in own_leaves(tree, counts)] for tree in trees]


def test_the_leaves_that_are_kept() -> None:
    """Leaves that several pages have are dropped."""
    assert texts_of(pages("Ann", "Bob")) == [
        [f"{name} - The Daily", name, f"By {name * 2}", f"{name} says hello & more.", f"{name * 2} agrees."]
        for name in ("Ann", "Bob")
    ]


def test_a_leaf_that_collides_is_dropped_from_both() -> None:
    """What two pages have is lost for both, even if all others do not have it."""
    trees = [*pages("Ann", "Bob", "Cid"), parsed("<p>Ann says hello &amp; more.</p>")]
    texts = texts_of(trees)
    assert "Ann says hello & more." not in texts[0] + texts[3]
    assert "Bob says hello & more." in texts[1]


def test_a_leaf_that_a_page_repeats_is_kept() -> None:
    """A text that is on one page only is its own, however often it stands there."""
    trees = [parsed("<p>a</p><p>a</p><p>c</p>"), parsed("<p>b</p><p>c</p>")]
    assert texts_of(trees) == [["a", "a"], ["b"]]


def test_an_article() -> None:
    """The title is the heading that the page's title states; the text is the rest, in its own case."""
    trees = pages("Ann", "Bob")
    text = ("By AnnAnn", "Ann says hello & more.", "AnnAnn agrees.")
    assert leaf_article(trees[0], LeafCounts.of(trees)) == ("Ann", text)


def test_a_page_that_was_not_counted() -> None:
    """A new page loses each leaf that recurs in the cluster."""
    counts = LeafCounts.of(pages("Ann", "Ann", "Bob", "Bob"))
    (page,) = pages("Cid")
    article = leaf_article(page, counts)
    assert article
    assert article.text[0] == "By CidCid"
    (page,) = pages("Ann")
    assert own_leaves(page, counts) == ()
    assert leaf_article(page, counts) is None


@pytest.mark.parametrize(
    ("page", "title"),
    [
        ("<title>News: Seals swim</title><h1>Shop</h1><h3>Seals swim</h3>", "Seals swim"),
        ("<title>News</title><h2>Sub</h2><h1>Seals swim</h1>", "Seals swim"),
        ("<title>Seals swim - News</title><h2>Sub</h2>", "Seals swim - News"),
        ("<title>Shop</title><h2>Seals swim</h2>", "Seals swim"),
        ("<title>Shop</title><p>Seals swim</p>", ""),
        ("<title>Seals swim - News</title><p>News</p><div>Seals swim</div><h2>Sub</h2>", "Seals swim"),
        ("<title>Teaser - News</title><h1>Shop</h1><h2>Teaser</h2>", "Teaser"),
    ],
)
def test_titles(page: str, title: str) -> None:
    """The title is a heading or a leaf that the page's title states, else an h1, the title, or a heading."""
    trees = [
        parsed(f"{page}<p>Text</p>"),
        *(parsed("<title>Shop</title><h1>Shop</h1><p>x</p>") for _ in range(3)),
    ]
    trees.append(parsed("<title>Shop</title><h2>Teaser</h2><p>y</p>"))
    article = leaf_article(trees[0], LeafCounts.of(trees))
    assert article
    assert article.title == title


def dropped_in_pairs(trees: list[Tree]) -> list[set[int]]:
    """Return the leaves that the published loop drops: it compares all leaves of all pairs of pages."""
    dropped: list[set[int]] = [set() for _ in trees]
    for a, first in enumerate(trees):
        for b, second in enumerate(trees):
            for node, name in enumerate(first.names):
                if a != b and name == TEXT and first.texts[node] in second.texts:
                    dropped[a].add(node)
    return dropped


@given(st.lists(drawn_trees(), max_size=5))
def test_counting_is_the_published_loop(trees: list[Tree]) -> None:
    """Exactly the leaves are kept that the comparison of all pairs of pages does not drop."""
    counts = LeafCounts.of(trees)
    for tree, dropped in zip(trees, dropped_in_pairs(trees), strict=True):
        leaves = {node for node, name in enumerate(tree.names) if name == TEXT}
        assert set(own_leaves(tree, counts)) == leaves - dropped


def test_many_headings_and_a_long_title() -> None:
    """Only the beginning of a page's title is searched for headings."""
    tree = parsed(f"<title>{'ab' * 50_000}c</title>" + "".join(f"<h2>{n} x</h2>" for n in range(5_000)))
    article = leaf_article(tree, LeafCounts.of([tree]))
    assert article
    assert article.title.startswith("abab")
