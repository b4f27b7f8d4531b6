"""Build the compiled modules. Without a compiler the package works, too: Python modules do the same."""

from setuptools import Extension, setup

_COMPILED = ["blocks/scan", "layouts/placing"]

setup(
    ext_modules=[
        Extension(
            f"scrapy_webstemmer.{name.replace('/', '.')}", [f"scrapy_webstemmer/{name}.pyx"], optional=True
        )
        for name in _COMPILED
    ]
)
