"""The tables of the accuracy benchmark say what was measured."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from typing import Any

import accuracy
import pytest
import tables
from ablation import RULES
from aside import is_aside
from measures import OURS


def scores(f1: float, learned: int = 0, **others: Any) -> dict[str, Any]:
    """Return scores of which only the F1 matters."""
    same = {"precision": f1, "recall": f1, "f1": f1, "title": 1.0, "lost": 0.0, "false": None}
    return {**same, "learned": learned, "articles": 3, **others}


def site(learned: int, ours: float, generic: float) -> dict[str, Any]:
    """Return the results of a site."""
    tools = {
        OURS: scores(ours, learned),
        **{name: scores(generic) for name in ("trafilatura", "readability-lxml")},
    }
    rows = [
        {"draw": draw, "size": size, **scores(ours, min(size or learned, learned))}
        for draw in range(2)
        for size in (1, 2, 5, 0)
    ]
    rows.append({"draw": 0, "size": -1, **scores(generic, -1)})
    return {
        "tools": tools,
        "sizes": {"articles": 3, "rows": rows, "trafilatura": [scores(generic - 0.1)]},
        "disturbances": scores(
            ours,
            **{"left out": [ours - 0.03, ours + 0.01], "shuffled": [ours], "halves": [(ours, ours - 0.04)]},
        ),
        "rules": {"": scores(ours), **{rule.name: scores(ours - 0.1) for rule in RULES}},
    }


@pytest.fixture
def results() -> dict[str, Any]:
    """Return the results of three sites: one with many pages, two with few."""
    return {"big": site(300, 0.9, 0.95), "four": site(4, 0.8, 0.9), "six": site(6, 0.7, 0.71)}


def cells(table: str) -> list[list[str]]:
    """Return a table's rows without its head."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]


def test_numbers_as_cells() -> None:
    """The examples in the docstrings are true."""
    found = doctest.testmod(tables)
    assert (found.failed, found.attempted > 0) == (0, True)


def test_means_are_over_the_sites_of_a_group(results: dict[str, Any]) -> None:
    """Each group of sites has its means and lowest F1; the cell of a score without values is empty."""
    rows = [row for row in cells(tables.means_table(results)) if row[3] == OURS and row[0] == "all"]
    assert rows == [
        ["all", "all", "3", OURS, ".800", ".800", ".800", "1.000", ".000", "", ".700"],
        ["all", "26 pages or more", "1", OURS, ".900", ".900", ".900", "1.000", ".000", "", ".900"],
        ["all", "fewer", "2", OURS, ".750", ".750", ".750", "1.000", ".000", "", ".700"],
    ]


def test_sites_kept_aside_have_rows_of_their_own(results: dict[str, Any]) -> None:
    """The corpora that are kept aside come first, and are not part of the others."""
    found = {side: names for side, group, names in tables.sides(results) if group == "all"}
    assert list(found)[-1] == "all"
    assert sorted(found.pop("all")) == sorted(results)
    for side, names in found.items():
        assert {is_aside(name) for name in names} == {side == "kept aside"}


def test_the_curve_counts_each_site_once_and_only_full_sizes(results: dict[str, Any]) -> None:
    """A site with fewer pages than a size is not in its mean, however often it was drawn."""
    found = tables.curve(results)
    assert {size: row["sites"] for size, row in found.items()} == {-1: 3, 1: 3, 2: 3, 5: 2, 0: 3}
    assert found[5]["f1"] == pytest.approx((0.9 + 0.7) / 2)
    assert {size: row["sites"] for size, row in tables.curve(results, 5).items()} == {
        -1: 2,
        1: 2,
        2: 2,
        5: 2,
        0: 2,
    }
    table = cells(tables.curve_table(results))
    assert [(row[0], row[4]) for row in table[::5]] == [("none", ".853"), ("trafilatura", ".753")]


def test_growth_compares_the_same_sites(results: dict[str, Any]) -> None:
    """A row has the sites with at least so many pages, whose F1 it shows up to this number and from all."""
    for row in results["big"]["sizes"]["rows"]:
        row["f1"] += 0.05 if row["size"] == 0 else 0.0
    rows = cells(tables.growth_table(results))
    assert [row for row in rows if row[0] == "all"] == [
        ["all", "2", "3", ".800", ".800", "", "", "", "", "", "", ".817"],
        ["all", "5", "2", ".800", ".800", ".800", "", "", "", "", "", ".825"],
    ]


def test_few_pages_are_measured_on_every_site(results: dict[str, Any]) -> None:
    """A site with fewer than five pages is in the mean over all sites, with the pages that it has."""
    assert [row[:2] for row in cells(tables.few_table(results))] == [["1", "3"], ["2", "3"], ["5", "3"]]


def test_the_largest_change_is_reported(results: dict[str, Any]) -> None:
    """The largest change over a site's draws and over the sites counts, in either direction."""
    results["six"]["disturbances"]["left out"] = [0.75]
    rows = cells(tables.disturbances_table(results))
    assert rows[0] == ["one page in twenty left out", "26 pages or more", ".030", "big", "1"]
    assert rows[1] == ["one page in twenty left out", "fewer", ".050", "six", "2"]
    assert rows[2] == ["pages shuffled", "26 pages or more", ".000", "", "0"]
    assert rows[4] == ["two random halves", "25 pages or more each", ".040", "big", "3"]


def test_rules_show_what_is_lost_without_them(results: dict[str, Any]) -> None:
    """Each rule has a row with the change of the means; the cell of no change is empty."""
    rows = cells(tables.rules_table(results))
    assert [row[0] for row in rows] == [rule.name for rule in RULES]
    assert all(row[2:] == ["-.100", "-.100", "-.100", "", ""] for row in rows)


def test_tables_are_filled_in_where_a_page_has_their_places(results: dict[str, Any], tmp_path: Path) -> None:
    """The text between the marks is replaced, also a second time; the text around stays."""
    page = tmp_path / "page.md"
    page.write_text("# Before\n\n<!-- table few -->\nold\n<!-- end -->\n\nAfter.\n", encoding="utf-8")
    for _ in range(2):
        tables.fill_in(page, results)
    assert page.read_text(encoding="utf-8") == (
        f"# Before\n\n<!-- table few -->\n\n{tables.few_table(results)}\n\n<!-- end -->\n\nAfter.\n"
    )


def test_the_documentation_has_a_place_for_each_table() -> None:
    """The pages about accuracy show every table once."""
    text = "".join((accuracy.DOCS / page).read_text(encoding="utf-8") for page in accuracy.PAGES)
    marks = re.findall(r"<!-- table (\w+) -->.*?<!-- end -->", text, re.DOTALL)
    assert sorted(marks) == sorted(accuracy.TABLES)


def test_a_third_is_kept_aside_by_name() -> None:
    """Only names decide which corpora are kept aside; a part of a corpus is on the same side."""
    assert (is_aside("flink"), is_aside("kinopyo")) == (True, False)
    assert is_aside("karstieltopia-few") == is_aside("karstieltopia")
    assert 0.2 < sum(is_aside(str(number)) for number in range(300)) / 300 < 0.45
