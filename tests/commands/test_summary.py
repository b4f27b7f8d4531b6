"""The summaries say what happened, and stay readable for a thousand sites."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any

from scrapy_webstemmer.base.terminal import display_width
from scrapy_webstemmer.commands.summary import (
    ROWS_SHOWN,
    SITES_SHOWN,
    ExtractCounts,
    extract_summary,
    layouts_summary,
    learn_summary,
    skipped_summary,
)
from scrapy_webstemmer.extraction.result import Reason
from scrapy_webstemmer.storage import Skipped
from scrapy_webstemmer.storage.source import MAX_COUNTED, MAX_NAMED
from scrapy_webstemmer.values import FieldPlace, LearnWarning, UnusedPages


def pattern(**changes: Any) -> Any:
    """Return a pattern with the fields that the summary reads."""
    fields = {
        "name": "http://a.example/1",
        "kind": "article",
        "score": 1234.5,
        "pages": 12,
        "sections": (),
        "titles": (),
        "container": "",
        "excluded": (),
        "sample_title": "A title",
        "sample_url": "http://a.example/1",
        "main_share": 0.62,
        "title_share": 1.0,
        "places": (),
    }
    return SimpleNamespace(**(fields | changes))


def pattern_set(*sites: Any) -> Any:
    """Return a pattern set with the fields that the summary reads."""
    return SimpleNamespace(sites={site.site: site for site in sites})


def site(
    name: str,
    pages: int,
    patterns: tuple[Any, ...] = (),
    unused: tuple[UnusedPages, ...] = (),
    warnings: tuple[LearnWarning, ...] = (),
) -> Any:
    """Return a site with the fields that the summary reads."""
    return SimpleNamespace(
        site=name,
        pages=pages,
        clusters=3,
        patterns=patterns,
        unused=unused,
        warnings=warnings,
        common={},
        languages=("de", "fr"),
    )


def test_a_bar_a_layout() -> None:
    """Each layout has a line with a bar for its pages, of blocks where the encoding has them."""
    left = (UnusedPages("alone in their cluster", 2, "http://a.example/odd"),)
    layouts = (pattern(pages=48), pattern(kind="index", pages=12))
    sites = {one.site: one for one in (site("a.example", 62, layouts, left), site("b.example", 9))}
    assert list(layouts_summary(sites, 100, "ascii")) == [
        "site       layout        pages",
        "a.example  1 articles       48  ########################",
        "           2 lists          12  ######",
        "           unused            2  #",
    ]
    lines = list(layouts_summary(sites, 40, "utf-8"))
    assert lines[2] == f"           2 lists          12  {chr(0x2588) * 6}"
    assert lines[3].endswith("  █")
    assert display_width(lines[1]) == 40
    assert list(layouts_summary({}, 100, "utf-8")) == ["site  layout    pages"]


def test_the_layouts_of_many_sites() -> None:
    """The first are shown, and how many more there are."""
    left = (UnusedPages("alone in their cluster", 2, "http://a.example/odd"),)
    sites = {f"s{n}.example": site(f"s{n}.example", 14 + n, (pattern(),), left) for n in range(100)}
    lines = list(layouts_summary(sites, 100, "utf-8"))
    assert len(lines) == ROWS_SHOWN + 2
    assert lines[1].startswith("s99.example")
    assert lines[-1] == f"and {100 - ROWS_SHOWN // 2} layouts more"


def test_totals_patterns_and_what_was_unused() -> None:
    """The summary has every figure of what was learned, and why pages were unused."""
    left = (
        UnusedPages("alone in their cluster", 2, "http://a.example/odd"),
        UnusedPages("unreadable", 1, "http://x"),
    )
    lines = list(learn_summary(pattern_set(site("a.example", 15, (pattern(),), left)), 100))
    assert lines == [
        "learned 1 pattern from 3 clusters of 15 pages of 1 site",
        "",
        "a.example: 15 pages, 3 clusters, 1 pattern",
        "  layout       score  kind       pages  text title  sample",
        "       1     1,234.5  article       12   62%  100%  A title",
        "          http://a.example/1",
        "  unused: 3 pages",
        "  languages: de, fr (pages state wrong ones, or none)",
        "           2  alone in their cluster, such as",
        "          http://a.example/odd",
        "           1  unreadable, such as",
        "          http://x",
    ]


def test_figures_that_are_not_known() -> None:
    """Patterns of older files, and of layouts of 2009, have no shares."""
    lines = list(
        learn_summary(pattern_set(site("a.example", 15, (pattern(main_share=None, title_share=None),))), 100)
    )
    assert lines[4] == "       1     1,234.5  article       12     -     -  A title"


def test_debug_shows_where_the_main_text_is() -> None:
    """Layouts of 2009 have no container, and no line about it."""
    for container, shown in (("body/main", ["      main text in: body/main"]), ("", [])):
        lines = learn_summary(
            pattern_set(site("a.example", 15, (pattern(container=container),))), 100, debug=True
        )
        assert [line for line in lines if "main text in" in line] == shown


def test_lines_fit_the_terminal() -> None:
    """Long and wide titles are cut to the available width; urls are whole, on lines of their own."""
    wide = pattern(sample_title="新聞" * 50, sample_url="http://a.example/" + "x" * 200)
    lines = list(learn_summary(pattern_set(site("a.example", 15, (wide,))), 60))
    (url,) = [line for line in lines if "http" in line]
    assert url == f"          {wide.sample_url}"
    assert max(display_width(line) for line in lines if line != url) <= 60
    assert sum(line.endswith("…") for line in lines) == 1


def test_of_many_sites_the_largest_are_shown() -> None:
    """A broad crawl's summary stays short unless --debug asks for all sites."""
    many = pattern_set(*(site(f"s{n}.example", n) for n in range(SITES_SHOWN + 7)))
    lines = list(learn_summary(many, 80))
    assert lines[2].startswith(f"s{SITES_SHOWN + 6}.example: ")
    assert lines[-1] == "and 7 smaller sites (--debug shows all)"
    assert sum(".example:" in line for line in lines) == SITES_SHOWN
    assert sum(".example:" in line for line in learn_summary(many, 80, debug=True)) == SITES_SHOWN + 7


def test_nothing_learned_is_said() -> None:
    """An empty pattern set has a summary, too."""
    assert list(learn_summary(pattern_set(), 80)) == [
        "learned 0 patterns from 0 clusters of 0 pages of 0 sites"
    ]


def test_of_many_patterns_the_most_frequent_are_counted() -> None:
    """The counts add up to those of all patterns, even if only some are shown."""
    matched = Counter({f"p{n:03}": n + 1 for n in range(ROWS_SHOWN + 3)})
    lines = list(extract_summary(ExtractCounts(matched=matched, reasons=Counter({Reason.NO_MATCH: 5})), 80))
    assert lines[0] == f"{matched.total() + 5} pages: {matched.total():,} articles, 5 without an article"
    assert lines[-1] == "         6  of 3 others"
    assert sum(int(line.split()[0]) for line in lines[2:]) == matched.total()


def test_the_first_line_counts_every_page() -> None:
    """It begins with all articles, names each other group of pages that there is, and the numbers add up."""
    reasons = Counter({Reason.NO_MATCH: 1, Reason.NO_TEXT: 2, Reason.UNCERTAIN: 2, Reason.LEFT_OUT: 1})
    counts = ExtractCounts(Counter(a=4), by_themselves=5, reasons=reasons, unreadable=6)
    assert next(extract_summary(counts, 80)) == (
        "21 pages: 9 articles (5 by the page alone), 3 without an article, 2 too uncertain,"
        " 1 left out by their url, 6 unreadable"
    )


def test_articles_without_patterns_have_no_table_of_patterns() -> None:
    """Pages that are read by themselves have no pattern to name."""
    assert [*extract_summary(ExtractCounts(by_themselves=120), 80)] == [
        "120 pages: 120 articles (120 by the page alone)"
    ]


def test_fields_are_named_without_numbers() -> None:
    """Their places are learned from a sample, so the number of pages that show them is unknown."""
    places = (FieldPlace("date_published", "p", "{}", 59), FieldPlace("authors", "p", "{}", 3))
    lines = learn_summary(pattern_set(site("news.example", 120, (pattern(places=places),))), 80)
    assert "          shows authors, day" in lines


def source(path: str, skipped: list[Skipped], more: int = 0) -> Any:
    """Return a source as the summary sees it.

    :param more: the number of records that it has counted and not named.
    """
    return SimpleNamespace(path=path, skipped=skipped, skipped_count=len(skipped) + more)


def test_skipped_records_are_named() -> None:
    """Each unreadable record is named with its reason, without control characters."""
    sources: Any = [
        source("a.zip", [Skipped("x\x1b[2J", "damaged member")]),
        source("b.zip", []),
        source("c.zip", [Skipped(str(n), "odd") for n in range(ROWS_SHOWN + 1)]),
    ]
    lines = list(skipped_summary(sources, 80))
    assert lines[:2] == ["could not be read: 1 record of a.zip", "  x[2J: damaged member"]
    assert lines[2] == f"could not be read: {ROWS_SHOWN + 1} records of c.zip"
    assert lines[-1] == "  and 1 more (--debug shows all)"
    assert len(list(skipped_summary(sources, 80, debug=True))) == len(lines)


def test_skipped_records_are_counted_where_they_are_too_many_to_name() -> None:
    """The number counts all records. The summary says which ones --debug names, and where counting ended."""
    sources = [source("a.zip", [Skipped(str(n), "odd") for n in range(MAX_NAMED)], more=23)]
    lines = list(skipped_summary(sources, 80))
    assert lines[0] == "could not be read: 123 records of a.zip"
    assert (len(lines), lines[-1]) == (ROWS_SHOWN + 2, "  and 103 more (--debug shows the first 100)")
    lines = list(skipped_summary(sources, 80, debug=True))
    assert (len(lines), lines[-1]) == (MAX_NAMED + 2, "  and 23 more")
    sources = [source("a.zip", [Skipped("1", "odd")], more=MAX_COUNTED - 1)]
    assert next(skipped_summary(sources, 80)) == "could not be read: 100,000 or more records of a.zip"
