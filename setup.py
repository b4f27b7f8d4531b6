"""Build the compiled modules. Each has a twin in Python, so without a compiler the package works, too."""

from pathlib import Path

from setuptools import Extension, setup


def extension(source: Path) -> Extension:
    """Return the extension of a Cython file; a failure to build it is no error."""
    found = Extension(".".join(source.with_suffix("").parts), [source.as_posix()], optional=True)
    # Cython reads this attribute: beside the source, two builds at a time would write the same C file.
    found.cython_c_in_temp = True
    return found


setup(ext_modules=[extension(source) for source in sorted(Path("scrapy_webstemmer").rglob("*.pyx"))])
