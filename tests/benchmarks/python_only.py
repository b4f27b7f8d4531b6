"""Switch the compiled modules off: for a comparison, or because a benchmark replaces Python functions."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

__all__ = ["in_python"]


@contextmanager
def in_python() -> Iterator[None]:
    """Let Python code do, while the context lasts, what the compiled modules do."""
    with ExitStack() as stack:
        for name, module in [*sys.modules.items()]:
            if name.startswith("scrapy_webstemmer.") and "compiled" in vars(module):
                stack.enter_context(patch.object(module, "compiled", return_value=None))
        yield
