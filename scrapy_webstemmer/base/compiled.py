"""Find the compiled modules of the package, which do the most frequent work. Without them it works, too.

A package that was built without a C compiler has none. Their Python counterparts give the same results, but
take some times as long.
"""

from __future__ import annotations

import logging
import os
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

#: An environment variable: with the value 0 no compiled module is used.
SWITCH = "SCRAPY_WEBSTEMMER_COMPILED"


@cache
def compiled(name: str) -> ModuleType | None:
    """Return a compiled module of the package; None if it is not there, or not wanted.

    :param name: its name within the package, for example ``blocks.scan``.
    """
    whole = f"scrapy_webstemmer.{name}"
    if os.environ.get(SWITCH) != "0" and find_spec(whole) is not None:
        return import_module(whole)
    return None


def say_what_is_missing(logger: logging.Logger, **extra: Any) -> None:
    """Say in one line of the log that pages are read by Python code, if that is so.

    :param extra: for the log record.
    """
    if compiled("blocks.scan") is None or compiled("layouts.placing") is None:
        logger.info(
            "Pages are read by Python code, which is slower: there are no compiled modules", extra=extra
        )
