"""Check the spelling of the checkout with codespell: ``python tests/docs/spelling.py``.

pyproject.toml has the settings of codespell. README and documentation are in British English: for them,
codespell's own list of words that Americans spell otherwise is read from right to left. The exit status is 1
if a word is wrong.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import codespell_lib

ROOT = Path(__file__).resolve().parents[2]
LIST = Path(codespell_lib.__file__).parent / "data" / "dictionary_en-GB_to_en-US.txt"
#: Words that are British, too, with another meaning or beside the other form, and a command's name.
BOTH = {*"analyze check checks license licensed meter practice program programs story tire".split()}
#: Code and quotations of it are spelt as the code is.
CODE = r"(?s)^```.*?^```|`[^`]*`"


def american() -> str:
    """Return a dictionary of codespell's: American words, with what British people write."""
    pairs = (line.split("->") for line in LIST.read_text(encoding="utf-8").splitlines())
    return "".join(
        f"{word}->{british}\n"
        for british, words in pairs
        for word in words.strip().split(", ")
        if word not in BOTH
    )


def main() -> int:
    """Check all files for typing errors, and the documentation for American words; return the exit status."""
    pages = [str(path.relative_to(ROOT)) for path in (*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"))]
    with tempfile.TemporaryDirectory() as name:
        words = Path(name, "american.txt")
        words.write_text(american(), encoding="utf-8")
        british = ["-D", str(words), "--ignore-multiline-regex", CODE, *pages]
        runs = [
            subprocess.run([sys.executable, "-m", "codespell_lib", *arguments], cwd=ROOT, check=False)
            for arguments in ([], british)
        ]
    return int(any(run.returncode for run in runs))


if __name__ == "__main__":
    sys.exit(main())
