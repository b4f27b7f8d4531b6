"""Put right in a site's patterns what somebody has corrected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..engines import ENGINES
from ..fields.field_places import ANY, AUTHORS, DAY, TAGS
from ..site.paths import is_under
from ..values import Correction, FieldPlace, LearnWarning, Pattern, SitePatterns

#: The fields that a part may show, by the words of the correction.
FIELDS = {"authors": AUTHORS, "day": DAY, "topics": TAGS}
#: What a correction may be: of a part, and of a layout.
OF_PARTS = ("leave out", "keep", "title", "no title", *FIELDS)
OF_LAYOUTS = ("article", "no article", "forget")
#: The mean log odds of a layout whose pages are surely articles, or surely none: they outweigh all that a
#: page and its site may say.
_SURE_ODDS = 60.0


def corrected(site: SitePatterns) -> tuple[SitePatterns, list[Correction]]:
    """Return a site with its patterns as its corrections want them, and the corrections that fit none.

    Only path layouts are corrected.

    :param site: its patterns are as they were learned.
    """
    unfit, patterns, can_be = [], list(site.patterns), ENGINES[site.layout].judges
    for correction in site.corrections:
        fitting = [can_be and is_about(pattern, correction) for pattern in patterns]
        if not any(fitting) and correction.path:
            # its text is now looked for in another element: the part still counts
            anywhere = correction._replace(container="")
            fitting = [can_be and is_about(pattern, anywhere) for pattern in patterns]
        if not any(fitting):
            unfit.append(correction)
        pairs = zip(patterns, fitting, strict=True)
        changed = (_corrected(old, correction) if meant else old for old, meant in pairs)
        patterns = [*filter(None, changed)]
    return replace(site, patterns=tuple(patterns)), unfit


def corrected_again(
    learned: Mapping[str, SitePatterns], before: Mapping[str, SitePatterns]
) -> dict[str, SitePatterns]:
    """Return sites that were learned anew, with the corrections that their earlier patterns have.

    A site has a warning if one of them fits none of its layouts any more. It is kept: a later learning may
    find its place.
    """
    again = dict(learned)
    for name, site in learned.items():
        old = before.get(name)
        if old is not None and old.corrections:
            site = again[name] = replace(site, corrections=old.corrections)
            if corrected(site)[1]:
                warning = LearnWarning("corrections without a place", site.pages)
                again[name] = replace(site, warnings=(*site.warnings, warning))
    return again


def is_about(pattern: Pattern, correction: Correction) -> bool:
    """Return whether a correction is about a pattern."""
    what, path, container = correction.what, correction.path, correction.container
    if container not in ("", pattern.container) or bool(path) != (what in OF_PARTS):
        return False
    if not path:
        return bool(container)
    places = (*_features(pattern), *pattern.profile)
    seen = any(is_under(place, path) for place in places)
    return {
        "leave out": seen
        and any(is_under(path, around) for around in (pattern.container, *pattern.kept))
        and (path != pattern.container or bool(pattern.kept)),  # some text must be left
        "keep": seen,
        "title": path in _features(pattern),
        **dict.fromkeys(FIELDS, path in places),
        "no title": path in pattern.titles,
    }[what]


def _features(pattern: Pattern) -> list[str]:
    return [section.feature for section in pattern.sections]


def _corrected(pattern: Pattern, correction: Correction) -> Pattern | None:
    """Return a pattern as a correction that is about it wants it; None: it is to be forgotten."""
    what, path = correction.what, correction.path
    if what == "forget":
        return None
    if what in OF_LAYOUTS:
        kind, odds = ("article", _SURE_ODDS) if what == "article" else ("index", -_SURE_ODDS)
        return replace(pattern, kind=kind, odds=odds)
    if field := FIELDS.get(what):
        others = tuple(place for place in pattern.places if place.field != field)
        return replace(pattern, places=(FieldPlace(field, path, ANY, 0), *others))
    kept = _outside(pattern.kept, path)
    if what == "leave out":
        return replace(pattern, cut=tuple(dict.fromkeys((*pattern.cut, path))), kept=kept)
    if what == "keep":
        cut, excluded = _outside(pattern.cut, path), _outside(pattern.excluded, path)
        return replace(pattern, cut=cut, excluded=excluded, kept=(*kept, path))
    titles = tuple(title for title in pattern.titles if title != path)
    headline = "" if pattern.headline == path else pattern.headline
    if what == "title":
        titles, headline = (path, *titles), path
    features = _features(pattern)
    first = next((features.index(title) for title in titles if title in features), None)
    return replace(pattern, titles=titles, title=first, headline=headline)


def _outside(paths: Sequence[str], part: str) -> tuple[str, ...]:
    """Return the paths that do not lead through a part."""
    return tuple(path for path in paths if not is_under(path, part))
