"""Linkinfo that is streamed, and linkinfo that is merged from several sources."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer.storage import SqliteLearningSet, merged_linkinfo, open_pages
from scrapy_webstemmer.storage.folder import FileList
from scrapy_webstemmer.storage.source import MergedLinkinfo
from scrapy_webstemmer.values import Page

LINKINFO = st.dictionaries(
    st.sampled_from("abcd").map(lambda name: f"http://example.com/{name}"),
    st.dictionaries(st.sampled_from("xyz"), st.integers(1, 3), min_size=1),
).map(lambda found: dict(sorted(found.items())))


@given(st.lists(LINKINFO, max_size=4))
def test_merging_adds_up(parts: list[dict[str, dict[str, int]]]) -> None:
    """The union has every url once, in order, and adds up the counts of each text."""
    expected: dict[str, dict[str, int]] = {}
    for part in parts:
        for url, texts in part.items():
            for text, count in texts.items():
                found = expected.setdefault(url, {})
                found[text] = found.get(text, 0) + count
    assert list(MergedLinkinfo(parts).items()) == sorted(expected.items())


def test_sources_of_all_kinds(make_zip: Any, tmp_path: Path) -> None:
    """Sources with and without linkinfo are read together; if none has linkinfo, the result is None."""
    with SqliteLearningSet(tmp_path / "set") as pages, FileList([]) as nothing:
        pages.add_page(Page("http://example.com/b", b""), [("http://example.com/a", "A")])
        zipped = open_pages(
            make_zip({"linkinfo": b"('example.com/a', ['A', 'B'])\n('example.com/c', ['C'])"})
        )
        assert merged_linkinfo([nothing]) is None
        alone = merged_linkinfo([nothing, pages])
        together = merged_linkinfo([nothing, pages, zipped])
        assert alone
        assert together
        assert dict(alone.items()) == {"http://example.com/a": {"A": 1}}
        assert dict(together.items()) == {
            "http://example.com/a": {"A": 2, "B": 1},
            "http://example.com/c": {"C": 1},
        }
        zipped.close()


def test_streaming_is_lazy() -> None:
    """The first url comes before the third one is read."""

    class Part(dict[str, dict[str, int]]):
        def items(self) -> Any:
            yield "http://example.com/a", {"A": 1}
            yield "http://example.com/b", {"B": 1}
            raise AssertionError("read too far")

    assert next(iter(MergedLinkinfo([Part()]).items())) == ("http://example.com/a", {"A": 1})
