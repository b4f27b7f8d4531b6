"""The rules of the learner, each of which can be switched off by an option or by replacing a name.

A rule without use has no place in the algorithm. The table that comes from this module shows which rules are
useful.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from unittest.mock import patch

from corpora import Corpus, Scores
from python_only import in_python

from scrapy_webstemmer import ExtractOptions, LearnOptions
from scrapy_webstemmer.page.tags import TODAY, TagRules
from scrapy_webstemmer.site import profiles as similarity
from scrapy_webstemmer.site import titles as title
from scrapy_webstemmer.site.main_text import MainText
from scrapy_webstemmer.site.placed import PlacedLayout
from scrapy_webstemmer.values import Pattern
from scrapy_webstemmer.verdict.classifier import Weights, weights

_MANY = 10**9


@dataclass(frozen=True)
class Rule:
    """A rule, and what replaces it when it is switched off.

    :param group: the part of the algorithm to which the rule belongs.
    :param name: the rule in a few words.
    :param replaced: names below ``scrapy_webstemmer``, where they are used, with their replacements.
    :param learn: options to learn with.
    :param extract: options to extract with.
    """

    group: str
    name: str
    replaced: Mapping[str, Any] = field(default_factory=dict)
    learn: Mapping[str, Any] = field(default_factory=dict)
    extract: Mapping[str, Any] = field(default_factory=dict)


def _without_html5() -> TagRules:
    """Return the tags of HTML 4: sections, articles, figures and the like become transparent."""
    later = "article aside figcaption figure footer header hgroup main nav search section details summary"
    return replace(TODAY, block=TODAY.block - set(later.split()))


def _profile_without_leads(page: PlacedLayout) -> similarity.Profile:
    """Return a page's weight by path only."""
    return _PROFILE_OF(replace(page, leading=(False,) * len(page.leading)))


_PROFILE_OF = similarity.profile_of
#: The places where profiles are made.
_PROFILES = dict.fromkeys(
    ("patterns.make_patterns.profile_of", "patterns.match.profile_of", "patterns.clusters.profile_of"),
    _profile_without_leads,
)


class _AnchorsOnly(title._Evidence):
    """The names of a page, except its ``title`` element."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.raw = self.stripped = ""


def _blocks_only(page: PlacedLayout, *args: Any) -> dict[str, str]:
    """Return the candidates for the title that are blocks, not texts of the head."""
    return {path: text for path, text in _CANDIDATES(page, *args).items() if path not in title._OWN}


def _main_sections(page: PlacedLayout, pattern: Pattern, title: str) -> MainText:
    """Return the blocks of main text by the rule of 2009: DiffScore .5 and MainScore 50."""
    main = {one.feature for one in pattern.sections if one.diff_score >= 0.5 and one.main_score >= 50}
    places = (page.paths[block.node] for block in page.layout.blocks)
    found = [index for index, path in enumerate(places) if path in main and path != title]
    return MainText(found, 0, learned=True, excluded=(), comments=0)


_CANDIDATES = title._candidates


def _without(*names: str) -> Mapping[str, Any]:
    """Return what replaces the weights: those of the page's context with these names are 0."""
    known = weights()
    found = Weights(known.evidence, {**known.context, **dict.fromkeys(names, 0.0)})
    return {"verdict.classifier.weights": lambda: found}


#: All rules, in the order of the algorithm.
RULES: Sequence[Rule] = (
    Rule("blocks", "tags of HTML5", {"page.walk.TODAY": _without_html5()}),
    Rule("blocks", "paragraphs as div", {"page.walk.name_paragraphs": lambda *_: None}),
    Rule("blocks", "classes and ids in paths", {"site.model.learn_vocabulary": lambda *_: {}}),
    Rule("blocks", "only those that recur", {"site.model._VOCABULARY_PAGES": 1}),
    Rule("blocks", "none that go with the content", {"site.vocabulary._STEADY": 0.0}),
    Rule("boilerplate", "boilerplate", {"site.model.boilerplate_texts": lambda *_: frozenset()}),
    Rule(
        "boilerplate",
        "digits folded",
        {
            "site.boilerplate.boilerplate_key": str.lower,
            "site.boilerplate.boilerplate_keys": lambda texts: [text.lower() for text in texts],
        },
    ),
    Rule("boilerplate", "lines around the title", {"site.boilerplate._SHORTEST_TITLE": _MANY}),
    Rule("boilerplate", "authors' repeats spared", {"site.boilerplate._PATH_RECURS": -1.0}),
    Rule("boilerplate", "articles repeated in lists spared", {"site.boilerplate._SEVERAL_PARAGRAPHS": _MANY}),
    Rule("records", "records weigh a tenth", {"site.weighing.REPEATED_MASS": 1.0}),
    Rule("records", "authors' sections are no records", {"site.records.HEADINGS": frozenset()}),
    Rule("records", "names of parts, below 100 pages", {"site.model.named_nodes": lambda *_: []}),
    Rule("clusters", "clusters", learn={"cluster_threshold": 0.0}),
    Rule("clusters", "what leads on is another feature", _PROFILES),
    Rule(
        "container", "container (else main sections)", {"extraction.make_article.main_text": _main_sections}
    ),
    Rule(
        "container",
        "container learned (else each page's own)",
        {"patterns.make_patterns.find_container": lambda *_: ""},
    ),
    Rule("container", "stops at paragraphs", {"site.weighing._STOP": frozenset()}),
    Rule("container", "the best of several ways", {"patterns.best_readings._LEAST_GAIN": _MANY}),
    Rule("container", "descent on pages without it", {"site.main_text.descend": lambda _: 0}),
    Rule("exclusions", "exclusions", {"patterns.make_patterns.find_excluded": lambda *_: ()}),
    Rule(
        "exclusions",
        "spared where they hold the page's text",
        {"site.main_text.excluded_on": lambda _, __, excluded: excluded},
    ),
    Rule("exclusions", "texts that take turns", {"site.excluded._TURNS": _MANY}),
    Rule("exclusions", "boxes about other pages", {"site.excluded._teasers": lambda *_: frozenset()}),
    Rule("exclusions", "stories of other pages", {"site.model.find_stories": lambda *_: []}),
    Rule(
        "exclusions",
        "what stands above the title",
        {"site.main_text._below_title": lambda _, __, ___, new: new},
    ),
    Rule("exclusions", "what holds much text is spared", {"site.excluded._MOST_MASS": 1.0}),
    Rule("exclusions", "authors' elements are spared", {"site.excluded._AUTHOR_TAGS": frozenset()}),
    Rule(
        "text",
        "comments told by their dates",
        {"site.main_text.without_comments": lambda _, main, __: [*main]},
    ),
    Rule(
        "text",
        "no lines that are filled in",
        {"site.main_text.without_frames": lambda _, main, __: [*main]},
    ),
    Rule("text", "headings of parts", {"site.main_text._PART_HEADINGS": frozenset()}),
    Rule("text", "no long text twice", {"site.weighing._LONG_TEXT": _MANY}),
    Rule(
        "title",
        "anchor texts",
        {"learning.site_pages.AnchorTexts.to": lambda *_: frozenset()},
    ),
    Rule("title", "title element as a witness", {"site.titles._Evidence": _AnchorsOnly}),
    Rule("title", "without the site's affixes", {"site.model.learn_affixes": lambda *_: ((), ())}),
    Rule("title", "the head's texts as candidates", {"site.titles._candidates": _blocks_only}),
    Rule("title", "headings first", {"site.titles._HEADING_BONUS": 0.0}),
    Rule("title", "doubtful ones give way", {"site.titles._DOUBTFUL_LIKENESS": 0.0}),
    Rule("title", "large headings where nothing names a page", {"site.titles._HEADLINES": {}}),
    Rule("title", "anchor texts that lead to many pages", {"patterns.make_patterns._MANY_TARGETS": _MANY}),
    Rule("kinds", "articles told from other pages", extract={"article_threshold": 0.0}),
    Rule("kinds", "all other pages", _without("shape", "layout", "site")),
    Rule("kinds", "other pages with such an address", _without("shape")),
    Rule("kinds", "other pages of the layout", _without("layout")),
    Rule("kinds", "all pages of the site", _without("site")),
    Rule("kinds", "what the markup states", {"page.walk.facts_in": lambda _: frozenset()}),
    Rule("kinds", "articles and lists learned apart", {"patterns.make_patterns._LEAST_OF_BOTH": _MANY}),
    Rule("kinds", "pages without a pattern read", extract={"unmatched": False}),
    Rule(
        "kinds",
        "texts of the site in another design",
        {"patterns.own_evidence._places_on_articles": lambda _: ()},
    ),
    Rule("kinds", "layouts of one or two pages dropped", {"patterns.make_patterns._LEAST_PAGES": 1}),
    Rule("kinds", "a least similarity", extract={"threshold": 0.0}),
)


@contextmanager
def switched_off(rule: Rule) -> Iterator[None]:
    """Replace the rule's names while the context lasts, which are those of Python code.

    :raises AttributeError: a name does not exist (any more).
    """
    with ExitStack() as stack:
        stack.enter_context(in_python())
        for name, other in rule.replaced.items():
            stack.enter_context(patch(f"scrapy_webstemmer.{name}", other))
        yield


def check_rules() -> None:
    """Raise an error if a rule's name or option does not exist any more."""
    for rule in RULES:
        LearnOptions(**rule.learn)
        ExtractOptions(**rule.extract)
        with switched_off(rule):
            pass


def run_without(rule: Rule, corpus: Corpus) -> Scores:
    """Return a corpus' scores without a rule."""
    with switched_off(rule):
        return corpus.run(None, LearnOptions(**rule.learn), ExtractOptions(**rule.extract))
