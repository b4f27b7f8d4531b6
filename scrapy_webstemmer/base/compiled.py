"""Find the compiled modules of the package, which do the most frequent work.

Without them it works, too: a package that was built without a C compiler has none. All but one are made
from files of Python, which Python then runs as they are. Instead of the one that reads pages there is
another way that gives the same. All this takes some times as long.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.machinery import ExtensionFileLoader, ModuleSpec, PathFinder
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from lxml import etree

#: An environment variable: with the value 0 no compiled module is used.
SWITCH = "SCRAPY_WEBSTEMMER_COMPILED"
#: The compiled reading of pages nests elements as libxml2 does from this version on (``page/tags.py``). With
#: an older one, which lxml 5 brings, pages are read by their trees: a page must have one reading.
READING = ("page.source_text", "page.tag_tables", "page.scan", "page.scan_layout", "page.scan_html")
_LIBXML2 = (2, 14)
#: What may be compiled.
MODULES = (
    *READING,
    "site.block_evidence",
    "site.excluded",
    "site.named_parts",
    "site.records",
    "site.shown_texts",
    "site.subtrees",
    "site.weighing",
)
_WHOLE_NAMES = frozenset(f"scrapy_webstemmer.{name}" for name in MODULES)

_PACKAGE = Path(__file__).parents[1]
_logger = logging.getLogger("scrapy_webstemmer.compiled")


class _Loader(ExtensionFileLoader):
    """Loads a compiled module if it was made from the sources that are there, else its Python file."""

    def exec_module(self, module: ModuleType) -> None:
        """Run a module, or put that of its Python file in its place.

        :raises ImportError: it has no Python file.
        """
        try:
            super().exec_module(module)
        except Exception as error:  # one that was made from an older source may fail in any way
            _logger.debug("%s: %r", self.path, error)
        if _is_current(module):
            return
        _logger.warning("Not used, since it was made from another source: %s; build it again", self.path)
        spec = _python_spec(self.name)
        if spec is None or spec.loader is None:
            raise ImportError(f"{self.path} cannot be used", name=self.name)
        sys.modules[self.name] = instead = module_from_spec(spec)
        spec.loader.exec_module(instead)


def _python_spec(name: str) -> ModuleSpec | None:
    """Return how to import a module from its Python file; None: it has none."""
    path = _PACKAGE.joinpath(*name.split(".")[1:]).with_suffix(".py")
    return spec_from_file_location(name, path) if path.exists() else None


def _is_current(module: ModuleType) -> bool:
    """Return whether a module was made from its sources as they are. A wheel has only those in Python."""
    made_from: Mapping[str, str] = getattr(module, "MADE_FROM", {})
    digests = {_PACKAGE / name: digest for name, digest in made_from.items()}
    return bool(digests) and all(
        sha256(path.read_bytes()).hexdigest() == digest for path, digest in digests.items() if path.exists()
    )


class _Finder(PathFinder):
    """Finds the modules that may be compiled: as such if they are there and wanted, else as Python files."""

    @classmethod
    def find_spec(
        cls, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return how to import one of these modules; None: it is another one."""
        if name not in _WHOLE_NAMES:
            return None
        if os.environ.get(SWITCH) == "0" and (python_spec := _python_spec(name)):
            return python_spec
        spec = super().find_spec(name, path, target)
        if spec and spec.origin and isinstance(spec.loader, ExtensionFileLoader):
            spec.loader = _Loader(name, spec.origin)
        return spec


sys.meta_path.insert(0, _Finder)


@cache
def compiled(name: str) -> ModuleType | None:
    """Return a compiled module of the package.

    None: it is not there, not wanted, was made from another source, or does not fit libxml2.

    :param name: its name within the package, for example ``page.scan``.
    """
    whole = f"scrapy_webstemmer.{name}"
    fits = name not in READING or etree.LIBXML_VERSION >= _LIBXML2
    if not fits or os.environ.get(SWITCH) == "0" or find_spec(whole) is None:
        return None
    try:
        module = import_module(whole)
    except ImportError:
        return None
    return module if hasattr(module, "MADE_FROM") else None


def say_what_is_missing(logger: logging.Logger, **extra: Any) -> None:
    """Say in one line of the log that pages are read by Python code, if that is so.

    :param extra: for the log record.
    """
    if None in map(compiled, MODULES):
        reason = "there are no compiled modules of this version"
        if etree.LIBXML_VERSION < _LIBXML2:
            has, needs = (".".join(map(str, version[:2])) for version in (etree.LIBXML_VERSION, _LIBXML2))
            reason = f"lxml has libxml2 {has}, and the compiled modules need {needs}, which lxml 6 brings"
        logger.info("Pages are read by Python code, which is slower: %s", reason, extra=extra)
