"""Options: every invalid value is refused at once."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest

from scrapy_webstemmer.errors import OptionError, WebstemmerError
from scrapy_webstemmer.options import ExtractOptions, LearnOptions, UrlRule, accepts

NAN, INFINITE = float("nan"), float("inf")

#: Values that are not a number from 0 to 1.
NO_SHARES = [-0.01, 1.01, NAN, INFINITE, "0.5", True, [0.5]]
#: Values that are not a whole number from 0 on.
NO_COUNTS = [-1, 1.5, NAN, INFINITE, "3", True, None]

COMMON: dict[str, list[Any]] = {
    "encoding": ["x-nobody", "", "base64", "idna", "undefined", 5, b"utf-8"],
    "url_rules": [None, 5, "news", ("news",), (UrlRule("("),), (UrlRule(5),), (UrlRule("a", "no"),)],  # type: ignore[arg-type]
    "mangle": ["(", "*", "a{99999999999999}", 5],
    "limits": [None, 5, {"elements": 5}],
}
LEARN = COMMON | {
    "layout": ["", "Paths", None, []],
    "site": ["", "page", None, []],
    "cluster_threshold": NO_SHARES,
    "title_threshold": [*NO_SHARES, None],
    "max_pages": NO_COUNTS,
    "samples": NO_COUNTS,
    "min_score": [-1.5, NAN, "100", True, None],
}
EXTRACT = COMMON | {
    "threshold": NO_SHARES,
    "strict": [None, 1, "yes"],
    "all_kinds": [None, 1, "yes"],
    "article_threshold": [*NO_SHARES, None],
    "unmatched": [0, 1, "yes"],
    "html": [None, 1, "yes"],
    "copies": [None, 1, "yes"],
    "sections": [None, 1, "yes"],
    "comments": [None, 1, "yes"],
    "markdown": [None, 1, "yes"],
    "date": [None, 1, "2014"],
    "metadata": [None, 1, "yes"],
    "fallback": [None, 1, "yes"],
    "min_confidence": [*NO_SHARES, None],
    "diff_threshold": [*NO_SHARES, None],
    "main_threshold": [-1, NAN, "50", True, None],
}
CASES = [
    (made, name, value)
    for made, options in ((LearnOptions, LEARN), (ExtractOptions, EXTRACT))
    for name, values in options.items()
    for value in values
]


def test_every_option_is_tested() -> None:
    """The tables above have all options."""
    assert set(LEARN) == {field.name for field in fields(LearnOptions)}
    assert set(EXTRACT) == {field.name for field in fields(ExtractOptions)}


@pytest.mark.parametrize(("made", "name", "value"), CASES)
def test_bad_value(made: Any, name: str, value: Any) -> None:
    """An invalid value is an OptionError that names the option and the value."""
    with pytest.raises(OptionError, match=f"^{name}=") as caught:
        made(**{name: value})
    shown = caught.value.value
    assert caught.value.name == name
    assert f"{shown!r}" in str(caught.value)
    assert shown is value or name == "url_rules"
    assert isinstance(caught.value, WebstemmerError)


@pytest.mark.parametrize("made", [LearnOptions, ExtractOptions])
def test_unknown_option(made: Any) -> None:
    """Options are given by name, and an unknown name is an error."""
    with pytest.raises(TypeError):
        made(unknown=1)
    with pytest.raises(TypeError):
        made("utf-8")


@pytest.mark.parametrize("made", [LearnOptions, ExtractOptions])
def test_options_can_be_hashed(made: Any) -> None:
    """Equal options are one key of a dict, also where rules were given as a list."""
    rules = [UrlRule("/news/")]
    assert len({made(url_rules=rules), made(url_rules=tuple(rules)), made()}) == 2


@pytest.mark.parametrize("made", [LearnOptions, ExtractOptions])
def test_good_values(made: Any) -> None:
    """The smallest and largest valid values are accepted, and so is every kind of charset and rule."""
    rules = (UrlRule("/tag/", accept=False), UrlRule("."))
    for values in (
        {"encoding": "Shift_JIS", "url_rules": rules, "mangle": "[a-z]+"},
        {"encoding": "utf-16", "url_rules": (), "mangle": ""},
    ):
        options = made.classic(**values)
        assert {name: getattr(options, name) for name in values} == values


@pytest.mark.parametrize("share", [0, 1, 0.0, 1.0])
def test_shares_from_0_to_1(share: float) -> None:
    """Both ends of the range are valid."""
    names = [name for name, values in LEARN.items() if values[: len(NO_SHARES)] == NO_SHARES]
    assert len(names) == 2
    learning = LearnOptions.classic(**dict.fromkeys(names, share))
    assert {getattr(learning, name) for name in names} == {share}
    names = ["threshold", "diff_threshold", "article_threshold", "min_confidence"]
    extraction = ExtractOptions(**dict.fromkeys(names, share))  # type: ignore[arg-type]
    assert {getattr(extraction, name) for name in names} == {share}


def test_options_are_frozen() -> None:
    """Options cannot be changed, so all calls may share them."""
    for options in (LearnOptions(), ExtractOptions()):
        with pytest.raises(FrozenInstanceError):
            options.mangle = "a"  # type: ignore[misc, union-attr]


def test_classic_preset_for_learning() -> None:
    """The preset has the defaults of analyze in Webstemmer 0.7.1."""
    classic = LearnOptions.classic()
    assert classic.layout == "sequence"
    assert (classic.cluster_threshold, classic.title_threshold, classic.min_score) == (0.97, 0.6, 100.0)
    assert LearnOptions.classic(min_score=-1).min_score == -1


def test_classic_preset_for_extraction() -> None:
    """The preset has the defaults of extract in Webstemmer 0.7.1."""
    classic = ExtractOptions.classic()
    assert (classic.threshold, classic.diff_threshold, classic.main_threshold) == (0.8, 0.5, 50.0)
    assert classic.strict is False
    assert ExtractOptions.classic(strict=True, threshold=0.9).threshold == 0.9


def test_presets_check_changes() -> None:
    """Changes to a preset are checked like any value."""
    with pytest.raises(OptionError, match="cluster_threshold=2"):
        LearnOptions.classic(cluster_threshold=2)
    with pytest.raises(OptionError, match="threshold=2"):
        ExtractOptions.classic(threshold=2)


@pytest.mark.parametrize(("name", "value"), [("mangle", "a"), ("title_threshold", 0.3), ("min_score", 0)])
def test_options_of_2009(name: str, value: Any) -> None:
    """Options that are only for layouts of 2009 are refused with path layouts, and accepted otherwise."""
    with pytest.raises(OptionError, match=f"^{name}={value!r}: is only for layouts of 2009"):
        LearnOptions(**{name: value})
    assert getattr(LearnOptions(layout="sequence", **{name: value}), name) == value


@pytest.mark.parametrize(
    ("rules", "accepted"),
    [
        ((), True),
        ((UrlRule("/news/"),), True),
        ((UrlRule("/sport/"),), False),
        ((UrlRule("/news/", accept=False),), False),
        ((UrlRule("/sport/", accept=False),), True),
        ((UrlRule("/sport/", accept=False), UrlRule("/tag/")), False),
        ((UrlRule("/sport/", accept=False), UrlRule("")), True),
        ((UrlRule(r"\.html$"), UrlRule("/news/", accept=False)), True),
    ],
)
def test_first_rule_found_decides(rules: tuple[UrlRule, ...], accepted: bool) -> None:
    """The first rule found in a url decides. Without any, the rules accept unless one accepts urls."""
    assert accepts(rules, "http://example.com/news/1.html") is accepted


@pytest.mark.parametrize(
    ("options", "reads"),
    [
        ({}, True),
        ({"strict": True}, False),
        ({"threshold": 0.0}, False),
        ({"threshold": 0.4}, False),
        ({"strict": True, "threshold": 0.4, "unmatched": True}, True),
        ({"unmatched": False}, False),
        ({"unmatched": False, "fallback": True}, False),
    ],
)
def test_who_asks_for_a_match_gets_no_page_without(options: dict[str, Any], reads: bool) -> None:
    """Pages without a pattern are read, unless the options ask for a match or switch this off."""
    assert ExtractOptions(**options).reads_unmatched is reads


def test_error_is_readable() -> None:
    """The message has the option, the value and the valid values, on one line."""
    with pytest.raises(OptionError, match=re.escape("samples=-1: must be a whole number from 0 on")):
        LearnOptions(samples=-1)


def test_markdown_is_not_imported_unless_asked_for() -> None:
    """Extraction without Markdown does not load its libraries."""
    code = (
        "import sys; sys.modules.update(markdownify=None)\n"
        "from scrapy_webstemmer import Page, extract, learn\n"
        "body = b'<title>A late ferry</title><h1>A late ferry</h1><p>It left an hour after its time.</p>'\n"
        "page = Page(url='http://a.example/2026/11/a-late-ferry.html', body=body)\n"
        "print(extract(page, learn([page])).text)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "It left an hour after its time."
