"""Links between the README, the documentation and other files of the checkout have a target."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "example_project").glob("*.md")])
FENCED = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)
TOCTREE = re.compile(r"^```\{toctree\}\n(.*?)^```", re.MULTILINE | re.DOTALL)


def anchors(text: str) -> set[str]:
    """Return the anchors of a file's headings, as repository web pages and MyST make them."""
    headings = HEADING.findall(FENCED.sub("", text))
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def is_broken(file: Path, link: str) -> bool:
    """Return whether the target of a link, a file of the checkout or a heading in it, is missing."""
    path, _, anchor = unquote(link).partition("#")
    target = (file.parent / path) if path else file
    if not target.exists():
        return True
    return bool(anchor) and anchor not in anchors(target.read_text(encoding="utf-8"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_local_links_resolve(file: Path) -> None:
    """Each relative link of a file names an existing file, and an existing heading in it."""
    links = LINK.findall(FENCED.sub("", file.read_text(encoding="utf-8")))
    local = [link for link in links if not re.match(r"[a-z]+:", link)]
    assert [link for link in local if is_broken(file, link)] == []


def test_every_page_is_in_the_table_of_contents() -> None:
    """The tables of contents of the index and the appendices have every page once, and no other."""
    pages = [(ROOT / "docs" / name).read_text(encoding="utf-8") for name in ("index.md", "appendices.md")]
    lines = [line.strip() for page in pages for block in TOCTREE.findall(page) for line in block.splitlines()]
    named = [line for line in lines if line and not line.startswith(":")]
    assert len(named) == len({*named})
    assert {*named} == {path.stem for path in (ROOT / "docs").glob("*.md")} - {"index"}


def test_the_documentation_can_be_read() -> None:
    """README and documentation stay short. Appendices and changes do not count, nor do comments."""
    (appendices,) = TOCTREE.findall((ROOT / "docs" / "appendices.md").read_text("utf-8"))
    others = {*appendices.split(), "changes"}
    texts = [path.read_text("utf-8") for path in (ROOT / "docs").glob("*.md") if path.stem not in others]
    assert sum(len(re.sub("<!--.*?-->", "", text, flags=re.DOTALL).split()) for text in texts) <= 40_000
    assert len((ROOT / "README.md").read_text("utf-8").split()) < 900
