"""Build the compiled modules. Each has a twin in Python, so without a compiler the package works, too."""

import re
from pathlib import Path

from setuptools import Extension, setup


def extension(source: Path) -> Extension:
    """Return the extension of a Cython file; a failure to build it is no error."""
    found = Extension(".".join(source.with_suffix("").parts), [source.as_posix()], optional=True)
    # Cython reads this attribute: beside the source, two builds at a time would write the same C file.
    found.cython_c_in_temp = True
    return found


def for_an_index(readme: str) -> str:
    """Return the README without pictures and links of the checkout, which an index does not have."""
    text = re.sub(r"!\[[^]]*\]\((?!https?:)[^)]*\)\n*", "", readme)
    return re.sub(r"\[([^]]*)\]\((?!https?:)[^)]*\)", r"\1", text)


setup(
    long_description=for_an_index(Path("README.md").read_text(encoding="utf-8")),
    ext_modules=[extension(source) for source in sorted(Path("scrapy_webstemmer").rglob("*.pyx"))],
)
