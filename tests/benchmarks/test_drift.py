"""The benchmark of drifts finds a redesign in a small corpus, and no false alarm."""

from __future__ import annotations

import json
from pathlib import Path

import drift
import pytest
from news_pages import article, articles

HOST = "news.example.com"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """Return a corpus with two years of a site in one design, and one in another."""
    pages = [("2009", page) for page in articles(HOST, 30)]
    pages += [("2013", page) for page in articles(HOST, 12, first=100)]
    pages += [("2017", article(HOST, number, "bulletin")) for number in range(200, 212)]
    folder = tmp_path / "corpus"
    folder.mkdir()
    with (folder / "gold.jsonl").open("w") as out:
        for number, (group, page) in enumerate(pages):
            (folder / f"{number}.html").write_bytes(page.body)
            out.write(json.dumps({"file": f"{number}.html", "url": page.url, "group": group}) + "\n")
    return folder


def test_a_redesign_is_noticed(corpus: Path) -> None:
    """The year with the same design is no drift, and the year with another one is."""
    found = [(name, known, unlike, bool(found)) for name, known, _, unlike, found in drift.redesigns(corpus)]
    assert found == [("2013", 30, 0, False), ("2017", 42, 12, True)]


def test_halves_of_a_site_are_looked_at_in_each_mix(corpus: Path) -> None:
    """Each crawl gives one result for each mix, the same ones each time."""
    found = [(one.mix, one.tally.judged, one.drift) for one in drift.alarms(corpus, 2)]
    assert [mix for mix, _, _ in found] == [*drift.MIXES, *drift.MIXES]
    assert found == [(one.mix, one.tally.judged, one.drift) for one in drift.alarms(corpus, 2)]
