"""Choose pages by regular expressions that are found in their urls."""

from __future__ import annotations

from dataclasses import dataclass

from ..base.expressions import Patience


@dataclass(frozen=True, slots=True)
class UrlRule:
    """Accept or reject the urls in which a regular expression is found."""

    pattern: str
    accept: bool = True


def accepts(rules: tuple[UrlRule, ...], url: str, patience: Patience | None = None) -> bool:
    """Return whether the rules accept a url.

    The first rule that is found in the url decides. A url in which none of them is found is
    accepted, unless one of the rules is for accepting.

    :param patience: the time limit of the page on which the url stands; None: the url is the page's own.
    :raises SlowExpressionError: if the rules take too long.
    """
    patience = patience or Patience(url)
    for rule in rules:
        if patience.finds(rule.pattern, url):
            return rule.accept
    return not any(rule.accept for rule in rules)
