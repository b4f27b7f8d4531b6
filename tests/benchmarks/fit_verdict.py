#!/usr/bin/env python3
"""Fit the weights that tell articles from lists and other pages, and show how good they are.

    fit_verdict.py [--write] [--processes N] [--evalkit DIR] CORPUS...

Reads all pages of each corpus whose kind is known: half of them are learned, the other half comes later. A
first regression takes a page's own evidence. A second one takes its own odds, and the odds and signs of the
learned pages beside it: of all, of twenty, of five, and of one. For the second one, the odds of a site's
pages come from weights that were fitted without it. All sites weigh alike, but a site with many pages weighs
more than one with few: a page weighs 1 / sqrt(n), with n pages of its kind on its site.

Prints for several thresholds the share of the articles that are lost and the share of the other pages that
are let out, as means over the sites: those of the fit, each judged by weights that were fitted on nine tenths
of the others, and those kept aside (aside.py), which have no part in the fit. Then the calibration, and what
each weight is worth: the change of the loss without it.

--write writes the weights, fitted on all sites that are not kept aside, into the package.
``tests/docs/constants.py`` then writes them into docs/constants.md.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import random
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import pairwise
from multiprocessing import Pool
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from aside import is_aside
from corpora import read_corpus
from evalkit import EVALKIT, Evalkit
from serve_corpus import unpack

from scrapy_webstemmer.base.urls import link_key
from scrapy_webstemmer.learning.page_reading import Wanted, read_page
from scrapy_webstemmer.options import LearnOptions
from scrapy_webstemmer.patterns.make_patterns import clusters_of
from scrapy_webstemmer.patterns.match import KNOWN_SITE
from scrapy_webstemmer.site.model import place_all
from scrapy_webstemmer.site.profiles import profile_of, profile_similarity
from scrapy_webstemmer.values import Layout
from scrapy_webstemmer.verdict import classifier
from scrapy_webstemmer.verdict.classifier import MOST_ODDS, Context, PageOdds, signs_of
from scrapy_webstemmer.verdict.evidence import Evidence, evidence_of

#: The numbers of learned pages for which the context is fitted; 0: all.
SIZES = (0, 20, 5, 1)
#: The corpora have no shops, and of their 8,134 articles one says that something is sold. Of 1,294 single
#: pages 54 say so, and none is an article. Without this weight, their own odds are 4.3 at most.
SET_WEIGHTS = {"sold": -6.0}
THRESHOLDS = (0.5, 0.35, 0.2, 0.15, 0.1, 0.05)
BINS = (0.0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 0.9, 0.98, 1.0)
#: The ridges of both regressions, on standardised values.
RIDGES = (300.0, 20.0)
FOLDS = 10
_ROUNDS = 50
_OPTIONS = LearnOptions()


class Row(NamedTuple):
    """A page whose kind is known, or a learned page whose kind is not (``article`` is None)."""

    corpus: str
    url: str
    article: bool | None
    learned: bool
    layout: str
    evidence: Evidence


def rows_of(folder: Path, work: Path, evalkit_folder: Path) -> list[Row]:
    """Return the pages of a corpus."""
    logging.disable(logging.CRITICAL)
    evalkit = Evalkit(evalkit_folder)
    corpus = read_corpus(folder, work, evalkit, 400, 120)
    wanted = Wanted(_OPTIONS, anchors=False)
    learned = [read_page(one.page, wanted).layout for one in corpus.learn]
    later = [read_page(page, wanted).layout for page in corpus.test.values()]
    with (folder / "gold.jsonl").open(encoding="utf-8") as lines:
        golds = {link_key("http://" + row["url"].partition("://")[2]): row for row in map(json.loads, lines)}
    kinds = {key: _kind(row, evalkit) for key, row in golds.items()}
    return [*rows_of_layouts(folder.name, kinds, learned, later)]


def rows_of_layouts(
    corpus: str,
    kinds: dict[str, bool | None],
    learned: Sequence[Layout | None],
    later: Sequence[Layout | None],
) -> Iterator[Row]:
    """Yield a row for each page with text.

    :param kinds: for a page's key, whether it is an article; None: not known.
    """
    layouts = sorted((one for one in learned if one and one.blocks), key=lambda layout: layout.url)
    model, pages = place_all(layouts)
    profiles = {page.url: profile_of(page) for page in pages}
    clusters = clusters_of(pages, profiles, _OPTIONS)
    names = {page.url: members[0].url for members in clusters for page in members}
    for page in pages:
        evidence = evidence_of(page, model.affixes)
        yield Row(corpus, page.url, kinds.get(link_key(page.url)), True, names[page.url], evidence)
    examples = [(members[0].url, profiles[page.url]) for members in clusters for page in members[:3]]
    for layout in later:
        if layout is None or not layout.blocks:
            continue
        page = model.place(layout)
        profile = profile_of(page)
        likest = max(
            ((profile_similarity(profile, other), name) for name, other in examples), default=(0.0, "")
        )
        name = likest[1] if likest[0] >= KNOWN_SITE else ""
        evidence = evidence_of(page, model.affixes)
        yield Row(corpus, page.url, kinds.get(link_key(page.url)), False, name, evidence)


def _kind(gold: dict[str, Any], evalkit: Evalkit) -> bool | None:
    if gold.get("is_article"):
        return True
    return False if evalkit.judge(gold, "")[0] else None


def regression(values: Any, right: Any, weights: Any, ridge: float) -> tuple[Any, float]:
    """Return coefficients and constant of a logistic regression with a ridge, by Newton's steps.

    :param values: an array, a row a page.
    """
    mean, spread = values.mean(0), values.std(0)
    spread = np.where(spread > 0, spread, 1.0)
    scaled = np.c_[(values - mean) / spread, np.ones(len(values))]
    penalty = np.r_[np.full(values.shape[1], ridge), 0.0]
    weights = weights * len(weights) / weights.sum()
    found = np.zeros(scaled.shape[1])
    for _ in range(_ROUNDS):
        likely = 1 / (1 + np.exp(-np.clip(scaled @ found, -30, 30)))
        slope = scaled.T @ (weights * (likely - right)) + penalty * found
        bend = (scaled * (weights * likely * (1 - likely))[:, None]).T @ scaled + np.diag(penalty + 1e-9)
        step = np.linalg.solve(bend, slope)
        found -= step
        if np.abs(step).max() < 1e-7:
            break
    coefficients = found[:-1] / spread
    return coefficients, float(found[-1] - coefficients @ mean)


class Sample:
    """Rows as arrays: what a regression is fitted on, and its judgement of sites that were left out."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self.rows = rows
        self.sites = np.array([row.corpus for row in rows])
        self.known = np.array([row.article is not None for row in rows])
        self.right = np.array([bool(row.article) for row in rows], float)
        self.later = np.array([not row.learned for row in rows])
        counts = Counter((row.corpus, row.article) for row in rows)
        self.weights = np.array([counts[row.corpus, row.article] ** -0.5 for row in rows])
        self.aside = np.array([is_aside(row.corpus) for row in rows])
        self.fold = np.array([_fold(row.corpus) for row in rows])

    def fit(self, values: Any, ridge: float, among: Any) -> tuple[Any, float]:
        """Return the weights that some of the rows give; those kept aside have no part in it."""
        use = among & self.known & ~self.aside
        return regression(values[use], self.right[use], self.weights[use], ridge)

    def judged(self, values: Any, ridge: float) -> Any:
        """Return the log odds of each row, by weights that were fitted without its site."""
        odds = np.zeros(len(values))
        for fold in range(FOLDS):
            found, base = self.fit(values, ridge, self.fold != fold)
            here = (self.fold == fold) & ~self.aside
            odds[here] = values[here] @ found + base
        found, base = self.fit(values, ridge, np.ones(len(values), bool))
        odds[self.aside] = values[self.aside] @ found + base
        return odds

    def loss(self, odds: Any, aside: bool) -> float:
        """Return the mean logarithmic loss on the sites of the fit, or on those kept aside."""
        use = self.known & (self.aside == aside)
        signs = 2 * self.right[use] - 1
        return float(np.average(np.logaddexp(0, -signs * odds[use]), weights=self.weights[use]))


def _fold(corpus: str) -> int:
    return int.from_bytes(hashlib.sha256(f"fold {corpus.removesuffix('-few')}".encode()).digest()) % FOLDS


def contexts(rows: Sequence[Row], odds: Sequence[float], size: int) -> list[Context]:
    """Return the context of each row of one corpus.

    :param odds: the own odds of the rows.
    :param size: number of learned pages that are known; 0: all.
    """
    learned = [number for number, row in enumerate(rows) if row.learned]
    if size:
        learned = random.Random(f"{rows[0].corpus}/{size}").sample(learned, size)
    layouts: dict[str, list[str]] = defaultdict(list)
    for number in learned:
        layouts[rows[number].layout].append(rows[number].url)
    evidence = {rows[number].url: rows[number].evidence for number in learned}
    known = PageOdds({rows[number].url: odds[number] for number in learned}, layouts.values(), evidence)
    shapes, site = known.by_shape(), known.of_site()
    of_layout = {name: known.of_layout(urls) for name, urls in layouts.items()}
    inside = set(learned)
    return [
        known.context(row.url)
        if number in inside
        else Context(
            shapes.get(classifier.url_shape(row.url), 0.0),
            of_layout.get(row.layout, 0.0),
            site,
            signs_of(row.evidence, known.signs, len(learned), fits=row.layout in layouts),
        )
        for number, row in enumerate(rows)
    ]


def in_context(rows: Sequence[Row], own: Any) -> tuple[list[int], list[int], Any]:
    """Return for each size and row: the size, the row's number, and its own odds with their context."""
    by_site: dict[str, list[int]] = defaultdict(list)
    for number, row in enumerate(rows):
        by_site[row.corpus].append(number)
    sizes, numbers, values = [], [], []
    for here in by_site.values():
        count = sum(rows[number].learned for number in here)
        for size in SIZES:
            if count == 0 or (size and size >= count):
                continue
            found = contexts([rows[n] for n in here], [own[n] for n in here], size)
            sizes += [size] * len(here)
            numbers += here
            values += [(own[number], *context) for number, context in zip(here, found, strict=True)]
    return sizes, numbers, np.array(values)


def show(sample: Sample, odds: Any, title: str, only: Any) -> None:
    """Print lost articles and other pages let out, of the later pages, for several thresholds."""
    likely = 1 / (1 + np.exp(-odds))
    print(f"\n{title}\n{'at':>5} {'':10} {'lost':>7} {'let out':>7}  sites that lose more than .03 / .1")
    for least in THRESHOLDS:
        for aside in (False, True):
            shares: dict[bool, dict[str, list[float]]] = {True: defaultdict(list), False: defaultdict(list)}
            use = only & sample.known & sample.later & (sample.aside == aside)
            for number in np.flatnonzero(use):
                article = bool(sample.right[number])
                shares[article][sample.sites[number]].append((likely[number] >= least) != article)
            lost, out = ({site: np.mean(v) for site, v in shares[kind].items()} for kind in (True, False))
            worst = sorted((f"{site} {share:.2f}" for site, share in lost.items() if share > 0.1))
            side = "kept aside" if aside else "of the fit"
            print(
                f"{least:5.2f} {side:10} {_mean(lost):7.4f} {_mean(out):7.4f}"
                f"  {sum(share > 0.03 for share in lost.values())} / {', '.join(worst)}"
            )


def _mean(shares: dict[str, Any]) -> float:
    return float(np.mean(list(shares.values()))) if shares else 0.0


def show_calibration(sample: Sample, odds: Any) -> None:
    """Print for bins of the probability how many of the later pages of sites kept aside are articles."""
    likely = 1 / (1 + np.exp(-odds))
    print("\nprobability   articles   pages (kept aside)")
    for low, high in pairwise(BINS):
        use = sample.known & sample.aside & sample.later & (likely >= low) & (likely < high)
        if use.any():
            print(f"{low:.2f} to {high:.2f}  {sample.right[use].mean():8.3f} {use.sum():7d}")


def show_worth(sample: Sample, values: Any) -> None:
    """Print each weight, standardised, and how much the loss grows without it."""
    whole, base = sample.fit(values, RIDGES[0], np.ones(len(values), bool))
    del base
    loss = sample.loss(sample.judged(values, RIDGES[0]), False)
    print(f"\n{'evidence':16} {'weight':>7} {'standardised':>12} {'worth':>7}   loss {loss:.4f}")
    spread = values[sample.known & ~sample.aside].std(0)
    for column in np.argsort(-np.abs(whole * spread)):
        left = np.delete(values, column, axis=1)
        worth = sample.loss(sample.judged(left, RIDGES[0]), False) - loss
        name, weight = Evidence._fields[column], whole[column]
        print(f"{name:16} {weight:7.2f} {weight * spread[column]:12.2f} {worth:+7.4f}")


def fit(rows: Sequence[Row], *, thorough: bool = True) -> dict[str, dict[str, float]]:
    """Print how good the weights are, and return them as the file has them."""
    sample = Sample(rows)
    values = np.array([row.evidence for row in rows], float)
    own = sample.judged(values, RIDGES[0])
    everything = np.ones(len(rows), bool)
    show(sample, own, "by the page's own evidence", everything)
    sizes, numbers, context = in_context(rows, own.clip(-MOST_ODDS, MOST_ODDS))
    inner = Sample([rows[number] for number in numbers])
    odds = inner.judged(context, RIDGES[1])
    for size in SIZES:
        show(inner, odds, f"in the context of {size or 'all'} learned pages", np.array(sizes) == size)
    show_calibration(inner, odds)
    if thorough:
        show_worth(sample, values)
    first, base = sample.fit(values, RIDGES[0], everything)
    second, constant = inner.fit(context, RIDGES[1], np.ones(len(numbers), bool))
    names = ("own", *Context._fields)
    return {
        "evidence": {"base": round(base, 3), **_named(Evidence._fields, first), **SET_WEIGHTS},
        "context": {"base": round(constant, 3), **_named(names, second)},
    }


def _named(names: Sequence[str], values: Any) -> dict[str, float]:
    return {name: round(float(value), 3) for name, value in zip(names, values, strict=True)}


def write(found: dict[str, dict[str, float]]) -> None:
    """Write the weights into the package."""
    path = Path(classifier.__file__).with_name("weights.json")
    path.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    """Print what the arguments ask for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", nargs="+", type=Path, metavar="CORPUS")
    parser.add_argument("--write", action="store_true", help="write them into the package")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--evalkit", type=Path, default=EVALKIT, help="folder with split.py and score.py")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        work = Path(temporary)
        folders = [unpack(corpus.resolve(), work / "corpora") for corpus in args.corpora]
        read = partial(rows_of, work=work, evalkit_folder=args.evalkit)
        with Pool(args.processes, maxtasksperchild=8) as pool:
            rows = [row for found in pool.imap(read, folders) for row in found]
    found = fit(rows)
    print(json.dumps(found, indent=2))
    if args.write:
        write(found)


if __name__ == "__main__":
    main()
