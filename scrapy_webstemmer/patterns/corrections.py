"""Put right in a site's patterns what somebody has corrected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..engines import ENGINES
from ..fields.field_places import ANY, AUTHORS, DAY, TAGS
from ..site.paths import is_under
from ..values import Correction, FieldPlace, Pattern, SitePatterns
from .trust import without_place

#: The fields that a part may show, by the words of the correction.
FIELDS = {"authors": AUTHORS, "day": DAY, "topics": TAGS}
#: What a correction may be: of a part, and of a layout.
OF_PARTS = ("leave out", "keep", "title", "no title", *FIELDS)
OF_LAYOUTS = ("article", "no article", "forget")
#: The mean log odds of a layout whose pages are surely articles, or surely none; no page's own has more.
_SURE = 20.0


def corrected(site: SitePatterns) -> tuple[SitePatterns, list[Correction]]:
    """Return a site with its patterns as its corrections want them, and the corrections that fit none.

    Only path layouts are corrected.

    :param site: its patterns are as they were learned.
    """
    unfit, patterns, can_be = [], list(site.patterns), ENGINES[site.layout].judges
    for one in site.corrections:
        fitting = [can_be and fits(pattern, one) for pattern in patterns]
        if (
            not any(fitting) and one.path
        ):  # its text is now looked for in another element: the part still counts
            anywhere = one._replace(container="")
            fitting = [can_be and fits(pattern, anywhere) for pattern in patterns]
        if not any(fitting):
            unfit.append(one)
        pairs = zip(patterns, fitting, strict=True)
        patterns = [
            new for old, meant in pairs if (new := _corrected(old, one) if meant else old) is not None
        ]
    return replace(site, patterns=tuple(patterns)), unfit


def corrected_again(
    learned: Mapping[str, SitePatterns], before: Mapping[str, SitePatterns]
) -> dict[str, SitePatterns]:
    """Return sites that were learned anew, with the corrections that their earlier patterns have.

    A site has a warning if one of them fits none of its layouts any more. It is kept: a later learning may
    find its place.
    """
    found = dict(learned)
    for name, site in learned.items():
        old = before.get(name)
        if old is not None and old.corrections:
            site = found[name] = replace(site, corrections=old.corrections)
            if corrected(site)[1]:
                found[name] = replace(site, warnings=(*site.warnings, without_place(site.pages)))
    return found


def fits(pattern: Pattern, one: Correction) -> bool:
    """Return whether a correction is about a pattern."""
    if one.container not in ("", pattern.container) or bool(one.path) != (one.what in OF_PARTS):
        return False
    if not one.path:
        return bool(one.container)
    places = (*_features(pattern), *pattern.profile)
    seen = any(is_under(place, one.path) for place in places)
    return {
        "leave out": seen
        and any(is_under(one.path, path) for path in (pattern.container, *pattern.kept))
        and (one.path != pattern.container or bool(pattern.kept)),  # some text must be left
        "keep": seen,
        "title": one.path in _features(pattern),
        **dict.fromkeys(FIELDS, any(place == one.path for place in places)),
        "no title": one.path in pattern.titles,
    }[one.what]


def _features(pattern: Pattern) -> list[str]:
    return [section.feature for section in pattern.sections]


def _corrected(pattern: Pattern, one: Correction) -> Pattern | None:
    """Return a pattern as a correction that is about it wants it; None: it is to be forgotten."""
    if one.what == "forget":
        return None
    if one.what in OF_LAYOUTS:
        is_article = one.what == "article"
        kind = "article" if is_article else "index"
        return replace(pattern, kind=kind, odds=_SURE if is_article else -_SURE)
    if field := FIELDS.get(one.what):
        others = tuple(place for place in pattern.places if place.field != field)
        return replace(pattern, places=(FieldPlace(field, one.path, ANY, 0), *others))
    if one.what == "leave out":
        kept = _outside(pattern.kept, one.path)
        return replace(pattern, cut=tuple(dict.fromkeys((*pattern.cut, one.path))), kept=kept)
    if one.what == "keep":
        cut, excluded = _outside(pattern.cut, one.path), _outside(pattern.excluded, one.path)
        return replace(
            pattern, cut=cut, excluded=excluded, kept=(*_outside(pattern.kept, one.path), one.path)
        )
    rest = tuple(path for path in pattern.titles if path != one.path)
    titles = (one.path, *rest) if one.what == "title" else rest
    features = _features(pattern)
    number = next((features.index(path) for path in titles if path in features), None)
    headline = one.path if one.what == "title" else "" if pattern.headline == one.path else pattern.headline
    return replace(pattern, titles=titles, title=number, headline=headline)


def _outside(paths: Sequence[str], part: str) -> tuple[str, ...]:
    """Return the paths that do not lead through a part."""
    return tuple(path for path in paths if not is_under(path, part))
