"""The tables of the sites on which most goes wrong."""

from __future__ import annotations

from typing import Any

import pytest
import tail
from measures import OURS
from test_tables import cells, scores


def site(learned: int, ours: float, generic: float, lost: float = 0.0) -> dict[str, Any]:
    """Return the results of a site with few articles; readability-lxml is a little worse than trafilatura."""
    generics = {"trafilatura": scores(generic), "readability-lxml": scores(generic - 0.02)}
    tools = {OURS: scores(ours, learned, lost=lost, false=0.5), **generics}
    return {"tools": tools, "sizes": drawn([0.5, 0.9, 0.9], {10: 0.9}, articles=49)}


def drawn(halves: list[float], sizes: dict[int, float], articles: int = 60) -> dict[str, Any]:
    """Return the F1 of random halves and of sizes; as many articles are lost as F1 is below 1."""
    rows = [{"draw": draw, "size": 0, **scores(f1, lost=1 - f1)} for draw, f1 in enumerate(halves)]
    rows += [
        {"draw": draw, "size": size, **scores(f1, size, lost=1 - f1)}
        for size, f1 in sizes.items()
        for draw in range(len(halves))
    ]
    return {"articles": articles, "rows": rows}


@pytest.fixture
def results() -> dict[str, Any]:
    """Return the results of four sites: one is fine, one loses articles, two are behind."""
    return {
        "fine": site(300, 0.99, 0.98),
        "lossy": site(60, 0.85, 0.86, lost=0.25),
        "empty": site(30, 0.0, 0.9, lost=1.0),
        "small": site(5, 0.75, 0.95),
    }


def test_the_tail_counts_sites(results: dict[str, Any]) -> None:
    """A site counts in each column whose bound it exceeds; the shares are means over the sites."""
    rows = [row[1:] for row in cells(tail.tail_table(results)) if row[0] == "all"]
    assert rows == [
        ["all", "4", "2", "3", "2", "1", ".312", "2", ".500"],
        ["26 pages or more", "3", "1", "2", "1", "1", ".417", "2", ".500"],
        ["fewer", "1", "1", "1", "1", "0", ".000", "0", ".500"],
    ]


def test_the_worst_sites_come_first(results: dict[str, Any]) -> None:
    """Sites are ordered by how far they are behind the better one of two generic extractors."""
    rows = cells(tail.worst_table(results))
    assert [row[0].removesuffix(" (aside)") for row in rows] == ["empty", "small", "lossy", "fine"]
    assert rows[0][1:] == ["30", ".000", "1.000", ".500", "trafilatura", ".900", ".900"]
    assert rows[-1][-1] == "-.010"


def test_twenty_sites_are_the_worst() -> None:
    """The table stays short, however many sites there are."""
    results = {f"site{number}": site(30, 0.9 - number / 100, 0.9) for number in range(30)}
    rows = cells(tail.worst_table(results))
    assert (len(rows), rows[0][-1], rows[-1][-1]) == (20, ".290", ".100")


def test_a_change_is_that_of_the_halves() -> None:
    """The halves are compared with each other at all their pages, not one size with another."""
    found = {"sizes": drawn([0.9, 0.92, 0.91], {30: 0.5, 60: 0.55})}
    assert tail.change_of(found, "f1") == pytest.approx(0.02)
    assert tail.change_of(found, "lost") == pytest.approx(0.02)


@pytest.mark.parametrize(("sizes", "worse"), [({}, 0.0), ({30: 0.8}, 0.0), ({5: 0.99, 30: 0.95}, 0.05)])
def test_more_pages_are_worse_than_thirty(sizes: dict[int, float], worse: float) -> None:
    """The mean of the draws counts; a site with fewer pages cannot be worse."""
    found = {"site": {"sizes": drawn([0.88, 0.92], sizes)}}
    assert tail.worse_with_more(tail.by_size(found, "site")) == pytest.approx(worse)


def test_draws_show_the_sites_that_change(results: dict[str, Any]) -> None:
    """Sites with few articles and steady ones are left out; the most changing site comes first."""
    results["fine"]["sizes"] = drawn([0.9, 0.905, 0.9], {30: 0.9, 60: 0.9})
    results["lossy"]["sizes"] = drawn([0.9, 0.9, 0.9], {30: 0.915, 60: 0.9})
    results["empty"]["sizes"] = drawn([0.9, 0.7, 0.8], {30: 0.85, 60: 0.8})
    summary, table = tail.draws_table(results).split("\n\n")
    assert summary == (
        "Sites with 30 pages to learn from: 3. From 30 pages to all, F1 falls by more than .01 on 2 of them, "
        "and by more than .03 on 1. Sites with at least 50 articles: 3. Between the halves, F1 changes by "
        "more than .03 on 1 of them, and the share of lost articles on 1."
    )
    worst, second = cells(table)
    sizes = ["", "", "", "", "", ".850", ".800", "", ".800"]
    assert worst == ["empty", "60", ".700 to .900", ".100 to .300", *sizes]
    assert second[0] == "lossy"


def test_steady_sites_need_no_table(results: dict[str, Any]) -> None:
    """Without a site that changes there is only the count."""
    assert "Sites with at least 50 articles: 0. " in tail.draws_table(results)
    assert "|" not in tail.draws_table(results)
