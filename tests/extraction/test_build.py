from __future__ import annotations

from dataclasses import replace

from path_pages import layout, place, url_of

from scrapy_webstemmer.base.parts import finish
from scrapy_webstemmer.extraction.make_article import article_of_paths, parts_of, read_page
from scrapy_webstemmer.options import ExtractOptions
from scrapy_webstemmer.patterns.match import Match
from scrapy_webstemmer.site.affixes import Affixes, strip_affixes
from scrapy_webstemmer.site.placed import PlacedLayout
from scrapy_webstemmer.values import Article, ArticleSection, Author, Comment, Pattern, Section

PATTERN = Pattern(
    name="http://example.com/typical",
    kind="article",
    score=1.0,
    pages=5,
    sections=(Section("body/div.by", 0.9, 6.0), Section("body/div#c/p", 0.9, 90.0)),
    titles=("body/h1", "head/title"),
    container="body/div#c",
)
BODY = (
    '<h1>Seals <em>return</em></h1><div class="by">by Ann</div>'
    '<div id="c"><p>Nine &lt; ten</p><p>a<br>b</p></div>'
)


def page_of(body: str, title: str = "") -> PlacedLayout:
    page = place([layout(body, 7, title)], vocabulary_pages=1)[0]
    return replace(page, title=strip_affixes(title, AFFIXES))


AFFIXES: Affixes = ((), (" - Gazette",))


def article(page: PlacedLayout, probability: float = 1.0, **options: bool) -> Article | None:
    applied = ExtractOptions(**options)
    read = read_page(page, Match(PATTERN, 0.91239), AFFIXES, probability)
    return finish(article_of_paths(read, applied)) if read.parts.main else None


def test_the_parts_of_an_article() -> None:
    """The parts are the title, its place, and the indexes of the blocks of the main text."""
    parts = parts_of(page_of(BODY), PATTERN, AFFIXES)
    assert parts[:3] == ("Seals return", "body/h1", [2, 3, 4])


def test_what_is_hardly_an_article_is_less_sure() -> None:
    """The less probable it is that the page is an article, the lower is the confidence."""
    found = [article(page_of(BODY), probability) for probability in (1.0, 0.6, 0.1)]
    confidences = [one.confidence for one in found if one is not None]
    assert confidences == sorted(set(confidences), reverse=True)
    assert len(confidences) == 3
    assert [one.probability for one in found if one is not None] == [1.0, 0.6, 0.1]
    others = {replace(one, confidence=1.0, probability=1.0) for one in found if one is not None}
    assert others == {replace(found[0], confidence=1.0)}  # type: ignore[type-var]


def test_an_article_of_its_parts() -> None:
    """The article has title, text, HTML and sections in page order, the pattern and the confidence."""
    found = article(page_of(BODY))
    assert found is not None
    assert found == Article(
        url=url_of(7),
        title="Seals return",
        text="Nine < ten\na\nb",
        html="<p>Nine &lt; ten</p><p>a<br>b</p>",
        sections=(
            ArticleSection("title", "Seals return"),
            ArticleSection("sub", "by Ann"),
            ArticleSection("main", "Nine < ten"),
            ArticleSection("main", "a"),
            ArticleSection("main", "b"),
        ),
        pattern="http://example.com/typical",
        confidence=found.confidence,
        probability=1.0,
        authors=(Author("Ann"),),
    )


def test_confidence_is_a_share_of_four_digits() -> None:
    """The confidence is rounded to four digits."""
    found = article(page_of(BODY))
    assert found is not None
    assert 0 < found.confidence < 1
    assert found.confidence == round(found.confidence, 4)


def test_title_of_the_head() -> None:
    """If no block holds the title, it is the title of the head, without the site's suffix."""
    found = article(page_of('<div id="c"><p>Nine seals</p></div>', "Seals return - Gazette"))
    assert found is not None
    assert (found.title, found.text) == ("Seals return", "Nine seals")


def test_without_a_title() -> None:
    """If a page shows no title, the title is empty, and there is no section for it."""
    found = article(page_of('<div id="c"><p>Nine seals</p></div>'))
    assert found is not None
    assert (found.title, found.sections) == ("", (ArticleSection("main", "Nine seals"),))


def test_the_first_line_names_a_page_that_nothing_else_names() -> None:
    """Old pages have their headline in a paragraph, after the date. A sentence is no headline."""
    lines = "<p>{}</p><p>Nine seals were seen.</p>"
    dated = article(page_of('<div id="c"><p>Apr 6, 5:04</p>' + lines.format("Seals return") + "</div>"))
    assert dated is not None
    assert (dated.title, dated.text) == ("Seals return", "Apr 6, 5:04\nNine seals were seen.")
    sentence = article(page_of('<div id="c">' + lines.format("They return.") + "</div>"))
    assert sentence is not None
    assert (sentence.title, sentence.text) == ("", "They return.\nNine seals were seen.")


def test_a_page_without_main_text_is_no_article() -> None:
    """A page with only a title is not an article."""
    assert article(page_of("<h1>Seals return</h1>")) is None


def test_title_as_a_line_of_the_text() -> None:
    """A title in the text's own element, before a line break, is not the first line of the text."""
    found = article(page_of('<div id="c"><b>Seals return</b><br>Nine seals</div>', "Seals return - Gazette"))
    assert found is not None
    assert (found.title, found.text) == ("Seals return", "Nine seals")


def test_markdown_and_date_on_request() -> None:
    """Both are there if asked for. They change nothing else."""
    page = page_of(BODY.replace("by Ann", "by Ann, May 6, 2014"))
    plain, full = article(page), article(page, markdown=True, date=True)
    assert plain is not None
    markdown = "# Seals return\n\nNine < ten\n\na  \nb"
    raw = "by Ann, May 6, 2014"
    assert full == replace(
        plain, markdown=markdown, date="2014-05-06", date_published="2014-05-06", date_published_raw=raw
    )


def test_markdown_without_a_title() -> None:
    """An article without a title begins with its text."""
    found = article(page_of('<div id="c"><p>Nine seals</p></div>'), markdown=True)
    assert found is not None
    assert found.markdown == "Nine seals"


def test_comments_come_where_they_are_asked_for() -> None:
    """Comments are records, and counted. They change nothing else: the text never has comments."""
    comment = '<li id="c{0}"><div>Ada, 12.5.2010</div><p>said {0}</p></li>'
    body = f"{BODY}<ol>{comment.format(1)}{comment.format(2)}</ol>"
    plain, found = article(page_of(body)), article(page_of(body), comments=True)
    assert plain is not None
    assert found is not None
    assert found.comments == tuple(Comment("Ada", "2010-05-12", f"said {n}") for n in (1, 2))
    assert (plain.comment_count, found.comment_count) == (None, 2)
    assert replace(found, comments=(), comment_count=None, comments_read=False) == plain
    assert article(page_of(BODY), comments=True) == replace(article(page_of(BODY)), comments_read=True)  # type: ignore[type-var]
