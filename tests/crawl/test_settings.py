"""Settings: good values are read, bad ones are refused by name, and the docs have all of them."""

from __future__ import annotations

import ast
import re
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from scrapy.settings import Settings

import scrapy_webstemmer
from scrapy_webstemmer import ExtractOptions, LearnOptions, Limits, OptionError, UrlRule
from scrapy_webstemmer.crawl.settings import (
    SETTING_NAMES,
    WebstemmerSettings,
    beginning_of,
    path_of,
    warn_of_unknown_names,
)

DOCS = Path(__file__).resolve().parents[2] / "docs"
DOC = (DOCS / "settings.md").read_text(encoding="utf-8")
SOURCES = Path(scrapy_webstemmer.__file__).parent


def read(**values: Any) -> WebstemmerSettings:
    """Return our settings if the given ones are set; names come without the prefix."""
    return WebstemmerSettings.from_settings(Settings({f"WEBSTEMMER_{name}": v for name, v in values.items()}))


def test_defaults() -> None:
    """Without any setting nothing is stored and nothing extracted."""
    assert read() == WebstemmerSettings(
        enabled=True,
        learning_set=None,
        patterns=(),
        articles_to_pipelines=False,
        extract_options=ExtractOptions(),
    )


@pytest.mark.parametrize(
    ("value", "paths"),
    [
        ("a.json", ("a.json",)),
        ("a.json, b.json", ("a.json", "b.json")),
        ('["a.json", "b,c.json"]', ("a.json", "b,c.json")),
        (["a.json", Path("b.json")], ("a.json", "b.json")),
        (Path("a.json"), ("a.json",)),
        ("", ()),
        (None, ()),
    ],
)
def test_paths(value: Any, paths: tuple[str, ...]) -> None:
    """Pattern files are one path or several, as a list or separated by commas."""
    assert read(PATTERNS=value).patterns == paths


def test_values_from_the_command_line() -> None:
    """Every value may be a string, as on the command line."""
    flags = {"ENABLED": "0", "ARTICLES_TO_PIPELINES": "True", "AT_ONCE": "1"}
    options = read(**flags, EXTRACT_OPTIONS='{"threshold": 0.25}')
    assert (options.enabled, options.articles_to_pipelines, options.at_once) == (False, True, True)
    assert options.extract_options == ExtractOptions(threshold=0.25)


@pytest.mark.parametrize(
    "rules",
    [
        [["/news/", True], ["/tag/", False]],
        [("/news/", True), UrlRule("/tag/", False)],
    ],
)
def test_url_rules(rules: Any) -> None:
    """Url rules may be pairs, or rules already."""
    wanted = ExtractOptions(url_rules=(UrlRule("/news/"), UrlRule("/tag/", False)))
    assert read(EXTRACT_OPTIONS={"url_rules": rules}).extract_options == wanted


def test_options_object() -> None:
    """Extraction options may be the options object of the Python library."""
    classic = ExtractOptions.classic()
    assert read(EXTRACT_OPTIONS=classic).extract_options == classic


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("ENABLED", "perhaps", "must be True or False"),
        ("ARTICLES_TO_PIPELINES", "both", "must be True or False"),
        ("ALL_KINDS", "some", "must be True or False"),
        ("LEARNING_SET", 7, "must be a path"),
        ("LEARNING_SET", ["a", "b"], "must be one path"),
        ("LEARNING_SET", "%(spyder)s.sqlite", "%(spider)s"),
        ("LEARNING_SET_PAGES", 0, "must be a whole number from 1 on"),
        ("LEARNING_SET_PAGES", True, "must be a whole number from 1 on"),
        ("LEARNING_SET_PAGES", 1.5, "must be a whole number from 1 on"),
        ("LEARNING_SET_PAGES", "-5", "must be a whole number from 1 on"),
        ("LEARNING_SET_PAGES", "many", "must be a whole number from 1 on"),
        ("PATTERNS", ["a.json", "%(spider)d.json"], "%(spider)s"),
        ("PATTERNS", {"a": 1}, "must be a path, or a list of paths"),
        ("PATTERNS", [3], "must be a path, or a list of paths"),
        ("PATTERNS", "[a.json]", "must be a path, or a list of paths"),
        ("MIN_CONFIDENCE", 1.5, "must be a number from 0 to 1"),
        ("MIN_CONFIDENCE", "-0.1", "must be a number from 0 to 1"),
        ("MIN_CONFIDENCE", "nan", "must be a number from 0 to 1"),
        ("MIN_CONFIDENCE", "high", "must be a number from 0 to 1"),
        ("MIN_CONFIDENCE", True, "must be a number from 0 to 1"),
        ("MIN_CONFIDENCE", [0.5], "must be a number from 0 to 1"),
        ("EXTRACT_OPTIONS", {"min_confidence": 2}, "min_confidence=2"),
        ("EXTRACT_OPTIONS", "{", "must be a dict"),
        ("EXTRACT_OPTIONS", 4, "must be a dict"),
        ("EXTRACT_OPTIONS", {"treshold": 0.5}, "there is no option 'treshold', only"),
        ("EXTRACT_OPTIONS", {"threshold": 7}, "threshold=7"),
        ("EXTRACT_OPTIONS", {"url_rules": [["(", True]]}, "url_rules"),
        ("EXTRACT_OPTIONS", {"url_rules": 5}, "must be a list of rules"),
        ("EXTRACT_OPTIONS", {"url_rules": "/news/"}, "must be a list of rules"),
        ("EXTRACT_OPTIONS", {"url_rules": ["/news/", False]}, "each such as"),
        ("EXTRACT_OPTIONS", {"url_rules": [["/tag/", "False"]]}, "each such as"),
        ("EXTRACT_OPTIONS", {"url_rules": [["a", True, "b"]]}, "each such as"),
        ("EXTRACT_OPTIONS", {"url_rules": [{"regex": "a"}]}, "each such as"),
        ("LEARNING_SET", "folder/", "must be a file"),
        ("LEARNING_SET", "s3://bucket/news.sqlite", "must be a path on this machine"),
        ("URLDB", "file:///data/news.urls", "must be a path on this machine"),
        ("PATTERNS", "a.json,https://press.example/b.json", "must be a path on this machine"),
        ("LIMITS", {"element": 5}, "there is no option 'element', only page_size"),
        ("LIMITS", {"elements": 0}, "must be a whole number from 1 on"),
        ("LIMITS", {"elements": "many"}, "must be a whole number from 1 on"),
        ("LIMITS", {"depth": 2001}, "must be 2000 at most"),
        ("LIMITS", 5, "must be a dict"),
    ],
)
def test_bad_values_are_refused(name: str, value: Any, reason: str) -> None:
    """The error names the setting and the value, and says what is valid."""
    with pytest.raises(OptionError) as caught:
        read(**{name: value})
    assert caught.value.name == f"WEBSTEMMER_{name}"
    assert caught.value.value == value
    assert reason in caught.value.reason


@pytest.mark.parametrize(
    ("value", "least"),
    [(0.5, 0.5), ("0.5", 0.5), (" .5 ", 0.5), (0, 0.0), ("1", 1.0), (None, 0.25), ("", 0.25)],
)
def test_least_confidence(value: Any, least: float) -> None:
    """The number may be a string. It outweighs that of the extraction options, which counts without it."""
    options = read(MIN_CONFIDENCE=value, EXTRACT_OPTIONS={"min_confidence": 0.25})
    assert options.min_confidence == options.extract_options.min_confidence == least


@pytest.mark.parametrize(
    ("value", "every"), [(True, True), ("1", True), (False, False), ("0", False), (None, True), ("", True)]
)
def test_all_kinds(value: Any, every: bool) -> None:
    """The setting outweighs that of the extraction options, which counts without it."""
    options = read(ALL_KINDS=value, EXTRACT_OPTIONS={"all_kinds": True})
    assert options.all_kinds == options.extract_options.all_kinds == options.wanted_options.all_kinds == every


@pytest.mark.parametrize(("value", "pages"), [(5000, 5000), ("5000", 5000), (None, None), ("", None)])
def test_pages_of_a_learning_set(value: Any, pages: int | None) -> None:
    """The number may be a string; unset or empty, all pages stay."""
    assert read(LEARNING_SET="a.sqlite", LEARNING_SET_PAGES=value).learning_set_pages == pages


def test_a_zip_is_not_pruned() -> None:
    """A number of pages does not go with a zip, and the error says so."""
    with pytest.raises(OptionError, match=r"SQLite file.*WEBSTEMMER_LEARNING_SET is a\.ZIP") as caught:
        read(LEARNING_SET="a.ZIP", LEARNING_SET_PAGES=5)
    assert caught.value.name == "WEBSTEMMER_LEARNING_SET_PAGES"


def test_a_file_has_one_purpose() -> None:
    """Pages and urls are in two files; else the first part that opens the file spoils it for the other."""
    with pytest.raises(OptionError, match=r"^WEBSTEMMER_URLDB='a': is the file of WEBSTEMMER_LEARNING_SET"):
        read(LEARNING_SET="a", URLDB="a")


def test_paths_are_filled_in() -> None:
    """The spider's name and the time are filled in; other percent signs stay. A crawl has one time."""
    crawler: Any = SimpleNamespace(spider=None, spidercls=SimpleNamespace(name="news"))
    beginning_of(crawler)
    crawler.webstemmer_begun -= timedelta(hours=1)
    path = path_of(crawler, "100%/%(spider)s-%(time)s.sqlite")
    assert path == Path(f"100%/news-{beginning_of(crawler):%Y-%m-%dT%H-%M-%S}.sqlite")


def test_unknown_names_are_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    """A misspelt setting gets a warning with the closest name; settings of others get none."""
    warn_of_unknown_names(
        Settings(
            {
                "WEBSTEMMER_PATERNS": "a",
                "WEBSTEMMER_Q": 1,
                "WEBSTEMMER_ENABLED": True,
                "webstemmer_learn": 1,
                "WEBSTEMER_LEARN": 1,
                "SCRAPY_WEBSTEMMER_URLDB": "a",
                "OTHER": 2,
            }
        )
    )
    assert [record.getMessage().partition(",")[0] for record in caplog.records] == [
        "Unknown setting WEBSTEMMER_PATERNS: did you mean WEBSTEMMER_PATTERNS?",
        "Unknown setting WEBSTEMMER_Q: there are WEBSTEMMER_ENABLED",
        "Unknown setting webstemmer_learn: did you mean WEBSTEMMER_LEARN?",
        "Unknown setting WEBSTEMER_LEARN: did you mean WEBSTEMMER_LEARN?",
        "Unknown setting SCRAPY_WEBSTEMMER_URLDB: did you mean WEBSTEMMER_URLDB?",
    ]


def headings(level: str) -> list[str]:
    return re.findall(rf"^{level} `([^`]+)`$", DOC, re.MULTILINE)


def test_documented_settings_are_those_of_the_code() -> None:
    """docs/settings.md has a section and a place in the table for each setting, and no other."""
    assert sorted(headings("###")) == sorted(SETTING_NAMES)
    table = DOC[: DOC.index("## All settings")]
    in_table = re.findall(r"\[`(WEBSTEMMER_\w+)`\]\(#(\w+)\)", table.partition("| setting |")[2])
    assert sorted(name for name, _ in in_table) == sorted(SETTING_NAMES)
    assert all(name.lower() == anchor for name, anchor in in_table)


def test_documented_defaults_are_those_of_the_code() -> None:
    """Each setting's section begins with its default."""
    defaults = dict(re.findall(r"^### `WEBSTEMMER_(\w+)`\n\nDefault: `([^`]+)`", DOC, re.MULTILINE))
    shown: dict[str, Any] = {"True": True, "False": False, "None": None, "[]": (), "{}": {}}
    shown |= {"linkinfo": "linkinfo", defaults["MIN_CONFIDENCE"]: float(defaults["MIN_CONFIDENCE"])}
    unset = WebstemmerSettings()
    found = {name.lower(): shown[default] for name, default in defaults.items()}
    found["extract_options"] = ExtractOptions(**shown[defaults["EXTRACT_OPTIONS"]])
    found["learn_options"] = LearnOptions(**shown[defaults["LEARN_OPTIONS"]])
    found["limits"] = Limits(**ast.literal_eval(defaults["LIMITS"]))
    assert found == {name: getattr(unset, name) for name in found}
    assert len(found) == len(SETTING_NAMES)


def test_documented_limits_are_those_of_the_code() -> None:
    """docs/settings.md has each limit with its default, in the code's order."""
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \|", DOC, re.MULTILINE)
    assert {name: int(value) for name, value in rows} == asdict(Limits())


def test_limits() -> None:
    """Limits may be a dict, its JSON, or the object; extraction gets them with its options."""
    limits = Limits(elements=7)
    for value in ({"elements": 7}, '{"elements": 7}', limits):
        options = read(LIMITS=value, EXTRACT_OPTIONS={"threshold": 0.25})
        assert options.limits == options.extract_options.limits == limits
        assert options.extract_options.threshold == 0.25


def test_documented_stats_are_those_of_the_code() -> None:
    """docs/stats.md lists exactly the stats that the code counts."""
    code = "".join(path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py"))
    stats = (DOCS / "stats.md").read_text(encoding="utf-8")
    counted = {re.sub(r"\{[^}]*\}", "*", key) for key in re.findall(r'"(webstemmer/[^"]+)"', code)}
    documented = {
        re.sub(r"[A-Z]+$", "*", key) for key in re.findall(r"^\| `(webstemmer/[^`]+)`", stats, re.MULTILINE)
    }
    assert counted == documented


def test_documented_meta_key_is_that_of_the_code() -> None:
    """The docs name the request meta key that the middleware reads."""
    from scrapy_webstemmer.items import SKIP

    assert f'meta={{"{SKIP}": True}}' in DOC


def test_documented_meta_keys_of_the_urldb_are_those_of_the_code() -> None:
    """The docs have the request meta keys that the URLDB's middleware reads and sets."""
    from scrapy_webstemmer.items import KEY, SEEN, USE

    text = (DOCS / "delta-crawls.md").read_text(encoding="utf-8")
    documented = re.findall(r"^\| `(webstemmer_\w+)`", text, re.MULTILINE)
    assert documented == [USE, KEY, SEEN]


def test_example_of_extract_options_is_valid() -> None:
    """The examples of WEBSTEMMER_EXTRACT_OPTIONS are valid values."""
    text = DOC + (DOCS / "articles.md").read_text(encoding="utf-8")
    examples = re.findall(r"^WEBSTEMMER_EXTRACT_OPTIONS = (\{.*\})$", text, re.MULTILINE)
    read_options = [read(EXTRACT_OPTIONS=ast.literal_eval(one)).extract_options for one in examples]
    assert len(read_options) == 3
    assert ExtractOptions() not in read_options
