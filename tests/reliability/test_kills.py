"""A few of the kills: reported pages are stored, and pattern files are whole."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def kills() -> ModuleType:
    """Return the script as a module."""
    spec = importlib.util.spec_from_file_location("kills", Path(__file__).with_name("kills.py"))
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["kills"] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["set.sqlite", "set.zip"])
def test_killed_crawls_lose_no_reported_page(name: str, kills: ModuleType, tmp_path: Path) -> None:
    """A crawl that is killed leaves all pages that it reported."""
    reported, lost = kills.lost_pages(tmp_path / name, 1, 3)
    assert reported > 1
    assert lost == 0


def test_a_killed_analyze_leaves_a_whole_pattern_file(kills: ModuleType, tmp_path: Path) -> None:
    """The file under the final name is the old one or the complete new one."""
    _, broken = kills.kill_analyze(tmp_path, 1, 3)
    assert broken == 0


def test_killed_crawls_lose_no_article(kills: ModuleType, tmp_path: Path) -> None:
    """After the next crawl each article is in the feed: a url is done only when its article is safe."""
    articles, lost = kills.lost_articles(tmp_path, 1, 3)
    assert (articles, lost) == (250, 0)
