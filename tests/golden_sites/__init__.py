"""Golden sites: small sites with known titles and texts; START HERE to add one.

``causes`` has sites with one reason each for which articles are missed or wrong. Each of the other modules
makes one whole site as a kind of engine writes it, with articles, lists and other pages: some to learn from,
some for later. All pages and texts are made up, and are the same in every run.
"""

from __future__ import annotations

from collections.abc import Callable

from .blogger import blogger
from .causes import CAUSES, paragraphs, story
from .forum import forum
from .larder import larder
from .page_builder import page_builder
from .photo_log import photo_log
from .site import Site
from .texts import Writer

#: Functions that make a whole site each.
ENGINES: tuple[Callable[[], Site], ...] = (page_builder, blogger, forum, larder, photo_log)
#: Functions that make a site each.
SITES = (*CAUSES, *ENGINES)

__all__ = ["CAUSES", "ENGINES", "SITES", "Site", "Writer", "paragraphs", "story"]
