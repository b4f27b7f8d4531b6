"""Run type checkers on the Python examples of README and docs/api.md: ``python tests/docs/typed.py``.

mypy is strict here; pyright has its usual rules. The exit status is 1 if one of them finds something.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
#: What somebody types first; each of these once stopped a type checker.
FIRST = """
from pathlib import Path

from scrapy_webstemmer import Article, Page, PatternSet, extract, extract_all, learn

html, url = Path("new.html").read_text(), "https://news.example/new.html"
article = extract(html, url=url)
print(article.title, article.authors[0].name if article.authors else "", article.date)
print(article.to_dict()["text"], len(article.comments), ", ".join(article.tags).lower())

page = Page(url, html.encode())
found = extract(page, learn([page]))
print("" if found is None else found.title)
titles: list[str] = [one.title for _, one in extract_all([page], PatternSet()) if one is not None]
always: Article = extract(page)
"""


def scripts() -> dict[str, str]:
    """Return the examples of each file, one after the other, as a reader would type them."""
    found = {"first.py": FIRST}
    for path in (ROOT / "README.md", ROOT / "docs" / "api.md"):
        parts = EXAMPLE.findall(path.read_text(encoding="utf-8"))
        assert parts, path
        found[f"{path.stem.lower()}.py"] = "\n".join(parts)
    return found


def main() -> int:
    """Run the type checkers; return the exit status."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        names = [*scripts()]
        for script, text in scripts().items():
            (folder / script).write_text(text, encoding="utf-8")
        (folder / "pyrightconfig.json").write_text(json.dumps({"extraPaths": [str(ROOT)]}), encoding="utf-8")
        mypy = ["mypy", "--strict", "--follow-imports=silent", f"--cache-dir={ROOT / '.mypy_cache'}"]
        pyright = ["pyright", "--warnings", "--pythonpath", sys.executable, "-p", name]
        environment = {**os.environ, "MYPYPATH": str(ROOT)}
        return max(
            subprocess.run(
                [sys.executable, "-m", *command], cwd=folder, env=environment, check=False
            ).returncode
            for command in ([*mypy, *names], pyright)
        )


if __name__ == "__main__":
    sys.exit(main())
