"""The dotted names of before, which settings of projects may still have: ``scrapy_webstemmer.plugin.…``.

They load what has these names now. Nothing else in the package uses them.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

#: For each module of before, the modules that its names are in now.
NOW = {
    "middlewares": ("crawl.linkinfo", "crawl.cookies", "crawl.charset", "textcrawler.area"),
    "page_pipeline": ("crawl.page_pipeline",),
    "urldb_middleware": ("crawl.urldb_middleware",),
    "parquet": ("crawl.parquet",),
    "spiders": ("textcrawler.spiders",),
    "poet": ("poet",),
    "poet.rules": ("poet.rules",),
}
__path__: list[str] = []  # Python looks for modules in packages alone


class _Moved(MetaPathFinder, Loader):
    """Loads a module of before: the one that is there now, or the names of several."""

    def find_spec(
        self,
        name: str,
        path: Sequence[str] | None = None,  # noqa: ARG002 - what Python calls
        target: ModuleType | None = None,  # noqa: ARG002 - as above
    ) -> ModuleSpec | None:
        room, _, module = name.partition(f"{__name__}.")
        return ModuleSpec(name, self) if not room and module in NOW else None

    def exec_module(self, module: ModuleType) -> None:
        places = NOW[module.__name__.removeprefix(f"{__name__}.")]
        homes = [import_module(f"scrapy_webstemmer.{place}") for place in places]
        for home in homes:
            vars(module).update({name: value for name, value in vars(home).items() if name[0] != "_"})
        if len(homes) == 1:  # a spider is found only in the module that its class names
            sys.modules[module.__name__] = homes[0]


sys.meta_path.insert(0, _Moved())
