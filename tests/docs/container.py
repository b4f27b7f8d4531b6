"""Do what the Dockerfile of docs/installation.md says, without Docker: ``python tests/docs/container.py``.

Each stage is a virtual environment, its folders are in a temporary one, and the last stage finds no compiler.
The line that makes the user is not run. Then the entry point extracts a page in the working folder.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from news_pages import article, story  # noqa: E402 (the path is that of the tests)

FOLDERS = ("/src", "/wheels", "/data")
SITE = "news.example"


def stages() -> list[list[tuple[str, str]]]:
    """Return the instructions of each stage of the Dockerfile: name and arguments."""
    text = (ROOT / "docs" / "installation.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"^```dockerfile\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    lines = [tuple(line.split(" ", 1)) for line in block.splitlines() if line]
    starts = [number for number, (name, _) in enumerate(lines) if name == "FROM"]
    return [lines[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)]


def run(folder: Path, command: str, place: Path, **environment: str) -> None:
    """Run a line of a stage in a shell, with the folders of the image below one of ours."""
    for name in FOLDERS:
        command = re.sub(rf"(?<!\S){name}\b", str(folder / name[1:]), command)
    path = f"{place / 'bin'}{os.pathsep}{os.environ['PATH']}"
    known = {**os.environ, "PATH": path, "PIP_QUIET": "2", **environment}
    subprocess.run(["bash", "-c", command], cwd=folder / "data", env=known, check=True)


def ignored() -> list[str]:
    """Return the names that .dockerignore leaves out."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    return [line.removeprefix("**/") for line in lines if line and not line.startswith("#")]


def main() -> None:
    """Build both stages, and run the image's command in the last one."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "data").mkdir()
        shutil.copytree(ROOT, folder / "src", ignore=shutil.ignore_patterns(*ignored()))
        first, last = stages()
        for number, stage in enumerate((first, last)):
            place = folder / f"stage{number}"
            venv.create(place, with_pip=True)
            for instruction, command in stage:
                if instruction == "RUN" and not command.startswith("useradd"):
                    run(folder, command, place, **({"CC": "/bin/false"} if stage is last else {}))
        (entry,) = [json.loads(command) for instruction, command in last if instruction == "ENTRYPOINT"]
        (folder / "data" / "page.html").write_bytes(article(SITE, 7).body)
        run(folder, f"{' '.join(entry)} extract page.html -O articles.jsonl", place)
        (found,) = (folder / "data" / "articles.jsonl").read_text(encoding="utf-8").splitlines()
        title, told = json.loads(found)["title"], story(SITE, 7).title
        if title != told:
            raise SystemExit(f"container.py: {title!r}; expected: {told!r}")
        print(f"The stages of the container build, and it extracts {title!r}")


if __name__ == "__main__":
    main()
