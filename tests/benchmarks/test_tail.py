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
    return {"tools": tools, "draws": drawn([0.5, 0.9, 0.9], {10: 0.9}, articles=49)}


def drawn(halves: list[float], sizes: dict[int, float], **others: Any) -> dict[str, Any]:
    """Return the F1 of random halves and of sizes; as many articles are lost as F1 is below 1."""
    rows = {
        "draws": [scores(f1, lost=1 - f1) for f1 in halves],
        "sizes": [{"size": size, **scores(f1, lost=1 - f1)} for size, f1 in sizes.items()],
    }
    return {"articles": 60, **rows, **others}


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


def test_a_change_is_that_of_the_halves_or_of_the_sizes() -> None:
    """The halves are compared with each other, and the sizes with each other, but not one with the other."""
    found = drawn([0.9, 0.92, 0.91], {30: 0.5, 50: 0.55, 60: 0.54})
    assert tail.change_of(found, "f1") == pytest.approx(0.05)
    assert tail.change_of(found, "lost") == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("f1s", "worse"),
    [([0.9], 0.0), ([0.8, 0.9, 0.95], 0.0), ([0.8, 0.9, 0.85], 0.05), ([0.9, 0.88, 0.86, 0.89], 0.04)],
)
def test_more_pages_are_worse_than_any_fewer(f1s: list[float], worse: float) -> None:
    """The largest loss from some size to any larger one counts, not only that to the next one."""
    assert tail.worse_with_more(drawn([1.0], dict(enumerate(f1s)))) == pytest.approx(worse)


def test_articles_lost_with_more_pages_are_a_loss_by_themselves() -> None:
    """A site may lose more articles though its F1 does not fall."""
    found = drawn([1.0], {30: 0.9, 60: 0.9})
    found["sizes"][1]["lost"] = 0.4
    assert tail.worse_with_more(found) == pytest.approx(0.3)


def test_draws_show_the_sites_that_change(results: dict[str, Any]) -> None:
    """Sites with few articles and steady ones are left out; the most changing site comes first."""
    results["fine"]["draws"] = drawn([0.9, 0.905, 0.9], {30: 0.9, 50: 0.9, 60: 0.9})
    results["lossy"]["draws"] = drawn([0.9, 0.915, 0.9], {30: 0.9, 50: 0.88, 60: 0.9})
    results["empty"]["draws"] = drawn([0.9, 0.7, 0.8], {30: 0.7, 50: 0.75, 60: 0.8})
    summary, table = tail.draws_table(results).split("\n\n")
    assert summary == (
        "Sites with at least 50 articles: 3. F1 changes by more than .03 on 1 of them, and the share of lost "
        "articles on 1. More pages are worse by more than .01 on 1."
    )
    worst, second = cells(table)
    sizes = [".700", ".750", "", ".800", ".300", ".250", "", ".200"]
    assert worst == ["empty", "60", "60", ".700 to .900", ".100 to .300", *sizes]
    assert second[0] == "lossy"


def test_steady_sites_need_no_table(results: dict[str, Any]) -> None:
    """Without a site that changes there is only the count."""
    assert tail.draws_table(results).startswith("Sites with at least 50 articles: 0. ")
    assert "|" not in tail.draws_table(results)
