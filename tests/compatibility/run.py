#!/usr/bin/env python3
"""Run the add-on together with another package or feature of Scrapy, in a fresh environment.

    python tests/compatibility/run.py [--work DIR] [NAME...]

Without a NAME, the names are listed. For each name the command makes a virtual environment from PyPI, serves
the demo site on loopback, crawls it, learns it, and crawls it again with and without the add-on. It prints a
row of the table in docs/compatibility.md: the versions, and what came of it. The exit status is 1 if a check
failed.

It needs Python 3.11 or newer and nothing else. PYTHON names the interpreter of the environments.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import deploy  # noqa: F401 - it registers its checks
import features  # noqa: F401 - it registers its checks
import feeds  # noqa: F401 - it registers its checks
import packages  # noqa: F401 - it registers its checks
import poet  # noqa: F401 - it registers its checks
from registry import CHECKS, Entry
from trial import ROOT, CheckError, Site, Trial, serve

_VERSIONS = """
import platform, sys
from importlib.metadata import version
versions = [f"{name} {version(name)}" for name in sys.argv[1:]]
print(", ".join([*versions, f"Python {platform.python_version()}"]))
"""


def make_environment(folder: Path, requirements: tuple[str, ...]) -> Path:
    """Make a virtual environment with some packages and this checkout; return its interpreter."""
    python = folder / "bin" / "python"
    done = folder / "installed"
    if not done.exists():
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([os.environ.get("PYTHON", sys.executable), "-m", "venv", folder], check=True)
        pip = [python, "-m", "pip", "install", "-qq", "--disable-pip-version-check", "--no-input"]
        subprocess.run([*pip, "-U", "pip"], check=True, stderr=subprocess.DEVNULL)  # old ones search for long
        subprocess.run([*pip, "-e", ROOT, *requirements], check=True, stderr=subprocess.DEVNULL)
        done.touch()
    return python


def run(entry: Entry, work: Path) -> str:
    """Run a check; return the row of the table."""
    environment = re.sub("[^a-z0-9.]+", "-", " ".join(entry.requirements))
    python = make_environment(work / "environments" / environment, entry.requirements)
    command = [python, "-c", _VERSIONS, *entry.shown]
    versions = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    folder = work / entry.name
    shutil.rmtree(folder, ignore_errors=True)
    with serve() as server:
        outcome = entry.run(Trial(folder, python, Site(server)))
    return f"| {entry.title} | {versions} | {outcome} | `{entry.name}` |"


def main() -> int:
    """Run the checks that the command line names."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(CHECKS))
    parser.add_argument("--work", type=Path, help="folder to keep everything in (default: a temporary one)")
    arguments = parser.parse_args()
    if not arguments.names:
        print("\n".join(CHECKS))
    if unknown := set(arguments.names) - set(CHECKS):
        parser.error(f"no such check: {', '.join(sorted(unknown))}")
    failures = 0
    with tempfile.TemporaryDirectory() as temporary:
        work = (arguments.work or Path(temporary)).resolve()
        for name in arguments.names:
            try:
                print(run(CHECKS[name], work), flush=True)
            except (CheckError, subprocess.CalledProcessError) as error:
                failures += 1
                print(f"{name}: failed: {error}", file=sys.stderr, flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
