"""Each rule that the ablation names exists, and can be switched off."""

from __future__ import annotations

import pkgutil
from dataclasses import asdict

import ablation
import pytest
from ablation import RULES, Rule

from scrapy_webstemmer import ExtractOptions, LearnOptions
from scrapy_webstemmer.patterns import sections


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_can_be_switched_off(rule: Rule) -> None:
    """A rule's names exist and differ from their replacements; its options are not the defaults."""
    names = {f"scrapy_webstemmer.{name}": other for name, other in rule.replaced.items()}
    before = {name: pkgutil.resolve_name(name) for name in names}
    assert all(before[name] != other for name, other in names.items())
    with ablation.switched_off(rule):
        assert {name: pkgutil.resolve_name(name) for name in names} == names
    assert {name: pkgutil.resolve_name(name) for name in names} == before
    for options, changed in ((LearnOptions, rule.learn), (ExtractOptions, rule.extract)):
        defaults = asdict(options())
        assert all(defaults[name] != value for name, value in changed.items())
    assert rule.replaced or rule.learn or rule.extract


def test_rules_have_names_of_their_own() -> None:
    """Each rule has its own name, by which results are kept."""
    assert len({rule.name for rule in RULES}) == len(RULES)


def test_a_rule_that_is_gone_is_an_error() -> None:
    """A name that the package no longer has is an error, and the other names are restored."""
    value = sections._ON_PAGES
    rule = Rule("groups", "gone", {"patterns.sections._ON_PAGES": 2.0, "patterns.sections._gone": 1.0})
    with pytest.raises(AttributeError, match="_gone"), ablation.switched_off(rule):
        pytest.fail("was switched off")
    assert value == sections._ON_PAGES
