"""Switch the compiled modules off: for a comparison, or because Python functions are counted or replaced."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

import scrapy_webstemmer
from scrapy_webstemmer.base.compiled import MODULES, compiled

__all__ = ["in_python", "python_file"]

PACKAGE = Path(scrapy_webstemmer.__file__).parent


@cache
def python_file(name: str) -> ModuleType:
    """Return a module of the package as Python reads its file, whether it was compiled or not.

    :param name: its name within the package, for example ``site.records``.
    """
    path = PACKAGE.joinpath(*name.split(".")).with_suffix(".py")
    spec = spec_from_file_location(f"scrapy_webstemmer.{name}", path)
    assert spec
    assert spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@contextmanager
def in_python() -> Iterator[None]:
    """Let Python code do, while the context lasts, what the compiled modules do."""
    modules = {name: module for name, module in sys.modules.items() if name.startswith("scrapy_webstemmer.")}
    instead = {
        id(modules[f"scrapy_webstemmer.{name}"]): python_file(name)
        for name in MODULES
        if compiled(name) and PACKAGE.joinpath(*name.split(".")).with_suffix(".py").exists()
    }
    found: dict[int, object] = {**instead}
    for module in modules.values():
        ours = vars(instead[id(module)]) if id(module) in instead else {}
        for name, value in vars(module).items():
            if callable(value) and ours.get(name, value) is not value:
                found[id(value)] = ours[name]
    with ExitStack() as stack:
        for module in (*modules.values(), *instead.values()):
            if "compiled" in vars(module):
                stack.enter_context(patch.object(module, "compiled", return_value=None))
            for name, value in [*vars(module).items()]:
                if id(value) in found:
                    stack.enter_context(patch.object(module, name, found[id(value)]))
        named = {name: instead[id(module)] for name, module in modules.items() if id(module) in instead}
        # not patch.dict: it would forget what is imported meanwhile, and some modules can be loaded only once
        stack.callback(sys.modules.update, {name: modules[name] for name in named})
        sys.modules.update(named)
        yield
