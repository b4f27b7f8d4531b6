"""Lines of a template at the head and at the foot of a text, on a page of whose site little is known."""

from __future__ import annotations

import pytest

from scrapy_webstemmer import ExtractOptions, Page, extract, learn

PARTS = [
    f"{'The harbour was quiet, and nobody saw the boat that left. ' * 3}{number}." for number in range(5)
]
TEXT = "".join(f"<p>{part}</p>" for part in PARTS)
LINKS = "".join(f"<li><a href=/{name}>The {name} of the harbour</a></li>" for name in ("bell", "ice", "tide"))
FILED = 'in <a href="/category/news/" rel="category tag">News</a>'


def lines_of(text: str, before: str = "") -> list[str]:
    """Return the lines of the text that comes out of a page."""
    body = f"<h1>A quiet harbour</h1>{before}<div class=entry>{text}</div>"
    page = f"<html lang=en><title>A quiet harbour</title><body><nav><a href=/>Home</a></nav>{body}"
    return extract(page, url="http://a.example/quiet/").text.splitlines()


@pytest.mark.parametrize(
    "line",
    [
        f'<p class="postmetadata alt"><small>This was posted on Friday, July 4th, 2008 {FILED}.</small></p>',
        f"<p>By Ann Lee | <a href=#comments>1 comment</a> | {FILED}</p>",
        f"<p>Posted {FILED} | July 4, 2008</p>",
        "<p>Posted by Ann Lee on July 4, 2008</p>",
        "<p>Published by Ann Lee in London on July 4, 2008.</p>",
        "<p>Опубликовано 04.07.2008</p>",
        "<p>Tags: seals, boats</p>",
        "<p>Метки: <a href=/t/1>seals</a></p>",
        f"<div><h4>You may like</h4><ul>{LINKS}</ul></div>",
        "<p>© 2008 The Herald. Reproduction in whole or in part is forbidden.</p>",
        "<p>Copyright 2008 The Herald</p>",
        "<div class=x>Pages: <span>1</span> <a href=/quiet/2/>2</a> <a href=/quiet/3/>3</a></div>",
    ],
)
def test_data_at_the_foot_is_no_text(line: str) -> None:
    """It says when the article was written and by whom, and what it is filed under."""
    assert lines_of(TEXT + line) == PARTS


@pytest.mark.parametrize(
    "line",
    [
        "<p>Keywords: seals, boats</p>",
        "<p>In the end, we came home on July 4, 2008</p>",
        "<p>04.07.2008</p>",
        f"<p>What else we saw is told {FILED}, and in the book that comes out in the spring of the year.</p>",
        "<p>Watch the film:</p>",
        "<ul><li>Posted on July 4, 2008</li></ul>",
        "<p>The report of the board was published on July 4, 2008.</p>",
        "<p>“They posted the picture at 10:30, and asked who knew the boat.”</p>",
        "<p>Categories: the board knows three of them, and each has a prize.</p>",
        "<p>Copyright is a hard thing.</p>",
        "<p>We won by 2 to 3, as <a href=/won>the paper</a> says.</p>",
    ],
)
def test_what_an_author_writes_at_the_end_stays(line: str) -> None:
    """A sentence, a list, keywords, a day in an element without a name are text."""
    assert len(lines_of(TEXT + line)) == len(PARTS) + 1


@pytest.mark.parametrize(
    "line", ["The pier was closed on July 4, 2008.", "Why did you come on July 4, 2008?"]
)
def test_a_first_sentence_with_a_day_stays(line: str) -> None:
    """A line with the day at the head of a text is no sentence."""
    assert lines_of(f"<p>{line}</p>{TEXT}")[0] == line


@pytest.mark.parametrize("learned", [False, True])
def test_text_behind_the_article_is_none(learned: bool) -> None:
    """A box without a telling name may have more text than the only ``article``, which has the headline."""
    about = "".join(
        f"<p>The herald has told {n} of us what is new, in ink and on paper.</p>" for n in range(30)
    )
    body = f"<article><h1>A quiet harbour</h1>{TEXT}</article><div class=x>{about}</div>"
    page = Page("http://a.example/quiet/", f"<title>A quiet harbour</title>{body}".encode())
    article = extract(page, learn([page]) if learned else None, ExtractOptions(fallback=True))
    assert article is not None
    assert article.text.splitlines() == PARTS


@pytest.mark.parametrize(
    "page",
    [
        "<div id=app><h1>A quiet harbour</h1><div>{text}</div></div>{box}",
        "{box}<div id=app><h1>A quiet harbour</h1><div>{text}</div></div>",
        "<div id=app><main><h1>A quiet harbour</h1><div>{text}</div></main>{box}</div>",
    ],
)
@pytest.mark.parametrize("learned", [False, True])
def test_text_beside_the_part_with_the_headline_is_none(page: str, learned: bool) -> None:
    """A box asks for consent, or opens over the page, and no name says it."""
    ask = "We and our partners store and read what the herald needs to know of you, and where you are. " * 2
    body = page.format(text=TEXT, box=f"<div class=k7x><p>{ask}</p><p>{ask}</p><a href=#>Agree</a></div>")
    page = Page("http://a.example/quiet/", f"<title>A quiet harbour</title><body>{body}".encode())
    article = extract(page, learn([page]) if learned else None, ExtractOptions(fallback=True))
    assert article is not None
    assert article.text.splitlines() == PARTS


def test_a_heading_at_the_end_stays_above_a_picture() -> None:
    """It has no text below it, but something to see."""
    assert lines_of(f"{TEXT}<h2>The film</h2><iframe src=/film></iframe>")[-1] == "The film"


@pytest.mark.parametrize(
    "leaf",
    [
        "<div class=date>18. Nov<br>2017</div>",
        "<div class=d><div>18</div><div>Nov</div><div>2017</div></div>",
        "<div class=d><p>Nov</p><p>18</p><p>2017</p></div>",
        "<div class=d><h5>18</h5><h6>Nov 2017</h6></div>",
        "<dl><dt>18</dt><dd>Nov</dd><dd>2017</dd></dl>",
    ],
)
def test_the_leaf_of_a_calendar(leaf: str) -> None:
    """It shows a day in several lines: these tell the day, and are no text."""
    for page in (f"<h1>A quiet harbour</h1>{leaf}{TEXT}", f"{leaf}<h1>A quiet harbour</h1>{TEXT}"):
        article = extract(f"<title>A quiet harbour</title><body><div>{page}</div>", url="http://a.example/")
        assert article.date == "2017-11-18"
        assert article.text.splitlines() == PARTS


def test_lines_beside_other_lines_are_no_leaf() -> None:
    """A table of numbers and names of months has days only by chance."""
    rows = "<div><div>18</div><div>Nov</div><div>2017</div><div>19</div><div>Nov</div><div>2018</div></div>"
    assert extract(f"<h1>A quiet harbour</h1>{rows}{TEXT}").date is None
