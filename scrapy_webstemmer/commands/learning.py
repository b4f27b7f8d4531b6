"""Learn the sites of the pages that a command is given."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from .inputs import note, progress

if TYPE_CHECKING:
    from ..options import LearnOptions
    from ..pattern_files.pattern_file import PatternSet
    from ..storage.source import PageSource
    from ..values import Page


def learn_given(
    sources: Sequence[PageSource],
    read: Sequence[Iterable[Page]],
    options: LearnOptions,
    *,
    workers: int = 1,
    what: str = "",
) -> tuple[PatternSet, PatternSet]:
    """Learn the sites of pages; return what was learned, and those patterns by which the pages are read.

    The second set lacks the sites of a single page, and those that taught nothing: their pages are read one
    by one, as if nothing but the page itself was known.

    :param read: the pages of the sources, with the urls that they have.
    :param what: what is learned, for the progress bar.
    """
    from ..api import learn
    from ..pattern_files.pattern_file import PatternSet
    from ..storage import merged_linkinfo

    with progress(sources, f"learning {what}".strip(), read) as pages:
        learned = learn(pages, merged_linkinfo(sources), options, workers=workers)
    known = {name: site for name, site in learned.sites.items() if site.patterns and site.pages > 1}
    return learned, PatternSet(known)


def save_patterns(patterns: PatternSet, name: str) -> PatternSet:
    """Write patterns, with the corrections that the file which they replace has by then, and return them."""
    from ..pattern_files.pattern_sources import locked

    with locked(name) if Path(name).is_file() else nullcontext():
        found = _with_corrections(patterns, name)
        found.save(name)
    return found


def _with_corrections(patterns: PatternSet, name: str) -> PatternSet:
    """Return patterns with the corrections in the file that they replace; name those without a place."""
    from ..errors import PatternFileError
    from ..pattern_files.pattern_file import PatternSet
    from ..patterns.corrections import corrected, corrected_again

    try:
        before = PatternSet.load(name).sites if Path(name).is_file() else {}
        found = corrected_again(patterns.sites, before)
    except PatternFileError as error:
        note(f"warning: corrections in the old pattern file are lost: {error}")
        return patterns
    for site, learned in found.items():
        for one in corrected(learned)[1]:
            what = " ".join(filter(None, (one.what, one.path or one.container)))
            note(f"warning: {site}: this correction fits no layout any more: {what}")
    return PatternSet(found)
