#!/usr/bin/env python3
"""Fit the weights that tell the type of a page (verdict/page_types.py), and show how good they are.

    fit_page_types.py [--write] [--apart] [--processes N] --single FOLDER CORPUS...

Reads the pages of a FOLDER that single_pages.py reads, each alone. A multinomial logistic regression learns
their kinds; listings and collections are one. A word counts if the names of elements on the pages of 60 sites
have it, and if it is among those by which most changes. Some articles of each corpus are read as well, for
other languages and times; all articles together weigh as much as those of FOLDER would alone.

Each page is judged by weights, and words, that were chosen without its domain. Prints the share of pages
with the right type, the mean F1 over the types and the logarithmic loss, of all pages and of both halves of
the domains that a digest makes; which type is taken for which; whether the probabilities hold; and what each
piece of evidence is worth: the growth of the loss without it. The figures are those of FOLDER; a line has the
corpora's articles, of which those of corpora that are kept aside (aside.py) have no part in the fit. --apart
tells listings from collections.

--write writes the weights, fitted on all pages, into the package.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from multiprocessing import Pool
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import confusion_matrix, f1_score, log_loss

sys.path.insert(0, str(Path(__file__).parent))
from fit_titles import Task, tasks_of_corpus, tasks_of_pages
from serve_corpus import unpack

from scrapy_webstemmer import ExtractOptions, Page
from scrapy_webstemmer.api import read_layout_alone
from scrapy_webstemmer.base.parts import finish
from scrapy_webstemmer.base.urls import site_of
from scrapy_webstemmer.extraction.page_steps import read_alone
from scrapy_webstemmer.verdict import page_types
from scrapy_webstemmer.verdict.page_types import PAGE_TYPES, TypeEvidence, type_evidence, words_on

#: A word is on the pages of at least so many domains, and among the so many by which most changes.
_SITES, _WORDS = 60, 150
#: The inverse of the penalty of large weights, of standardised evidence and of words.
_FREEDOM = 0.1
_FOLDS = 10
#: The kind of pages of the corpora, which are articles.
_CORPORA = "corpora"
_OPTIONS = ExtractOptions(html=False, metadata=False, sections=False)


class Row(NamedTuple):
    """A page: its domain, its kind, whether it is kept aside, its evidence, its words."""

    site: str
    kind: str
    aside: bool
    evidence: TypeEvidence
    words: frozenset[str]


def row_of(task: Task) -> Row | None:
    """Return the row of a page; None if it shows no text."""
    logging.disable(logging.CRITICAL)
    page = Page(task.gold["url"], task.path.read_bytes())
    layout = finish(read_layout_alone(page, _OPTIONS))
    if not layout.blocks:
        return None
    result = finish(read_alone(layout, _OPTIONS))
    read, verdict = result.page, result.verdict
    assert read is not None
    assert verdict is not None
    likely = verdict.probability
    evidence = type_evidence(read.placed, read.parts.main, verdict.evidence, likely, read.confidence)
    return Row(site_of(page.url), task.kind, task.aside, evidence, words_on(read.placed))


class Fit(NamedTuple):
    """What was fitted: the words that count; for each type the weights of evidence and words; the base."""

    words: Sequence[str]
    weights: Any
    base: Any

    def probabilities(self, rows: Sequence[Row], evidence: Any) -> Any:
        """Return for each row the probability of each type."""
        odds = np.hstack([evidence, _flags(rows, self.words)]) @ self.weights.T + self.base
        shares = np.exp(odds - odds.max(1, keepdims=True))
        return shares / shares.sum(1, keepdims=True)


def _flags(rows: Sequence[Row], words: Sequence[str]) -> Any:
    return np.array([[word in row.words for word in words] for row in rows], float).reshape(len(rows), -1)


def fit(rows: Sequence[Row], evidence: Any, kinds: Any) -> Fit:
    """Return the weights that some pages give: first of all words, then of those by which most changes."""
    sites: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        for word in row.words:
            sites[word].add(row.site)
    words = sorted(word for word, found in sites.items() if len(found) >= _SITES)
    mean, spread = evidence.mean(0), evidence.std(0) + 1e-9
    articles, alone = (
        sum(row.kind in names for row in rows) for names in (("article", _CORPORA), ("article",))
    )
    of_page = np.where(kinds == PAGE_TYPES.index("article"), alone / articles, 1.0)
    values, flags = (evidence - mean) / spread, _flags(rows, words)
    for _ in range(2):
        model = LogisticRegression(C=_FREEDOM, max_iter=1_000, tol=1e-3)
        model.fit(np.hstack([values, flags]), kinds, of_page)
        of_words = model.coef_[:, values.shape[1] :]
        change = np.linalg.norm(of_words, axis=0) * flags.std(0)
        best = np.sort(np.argsort(-change)[:_WORDS])
        if len(best) == len(words):
            break
        words, flags = [words[number] for number in best], flags[:, best]
    own = model.coef_[:, : values.shape[1]] / spread
    return Fit(words, np.hstack([own, of_words]), model.intercept_ - own @ mean)


def judged(rows: Sequence[Row], kinds: Any, without: int | None = None) -> Any:
    """Return the probabilities of each page's types, by weights that were fitted without its domain.

    :param without: the number of a piece of evidence that is left out.
    """
    evidence = np.array([row.evidence for row in rows], float)
    if without is not None:
        evidence = np.delete(evidence, without, 1)
    folds = np.array([_FOLDS if row.aside else _digest(f"fold {row.site}") % _FOLDS for row in rows])
    found = np.zeros((len(rows), kinds.max() + 1))
    for fold in range(_FOLDS + 1):
        inside, outside = np.flatnonzero(folds == fold), np.flatnonzero((folds != fold) & (folds < _FOLDS))
        if not len(inside):
            continue
        weights = fit([rows[number] for number in outside], evidence[outside], kinds[outside])
        found[inside] = weights.probabilities([rows[number] for number in inside], evidence[inside])
    return found


def _digest(text: str) -> int:
    return hashlib.sha256(text.encode()).digest()[0]


def show(every_row: Sequence[Row], all_kinds: Any, names: Sequence[str]) -> None:
    """Print how good the weights are."""
    single, every = np.array([row.kind != _CORPORA for row in every_row]), range(len(names))
    whole = judged(every_row, all_kinds)
    for aside in (False, True):
        use = ~single & np.array([row.aside == aside for row in every_row])
        if use.any():
            right = np.mean(whole[use].argmax(1) == all_kinds[use])
            print(f"{use.sum():5} articles of corpora{', kept aside' * aside}, right {right:.3f}")
    rows = [row for row in every_row if row.kind != _CORPORA]
    found, kinds = whole[single], all_kinds[single]
    best = found.argmax(1)
    halves = np.array([_digest(row.site) % 2 for row in rows])
    for what, use in (("all", halves >= 0), ("half 0", halves == 0), ("half 1", halves == 1)):
        true, taken = kinds[use], best[use]
        print(
            f"{what:8} {use.sum():5} pages, right {np.mean(true == taken):.3f},"
            f" macro F1 {f1_score(true, taken, average='macro'):.3f},"
            f" loss {log_loss(true, found[use], labels=every):.3f}"
        )
    counts = Counter(kinds.tolist())
    print(f"\n{'taken for':15}" + "".join(f"{name[:8]:>9}" for name in names) + "       F1")
    table, f1 = confusion_matrix(kinds, best), f1_score(kinds, best, average=None)
    for number in sorted(every, key=lambda number: -counts[number]):
        print(f"{names[number]:15}" + "".join(f"{cell:9}" for cell in table[number]) + f"{f1[number]:9.3f}")
    print("\nprobability  mean  right  pages")
    most = found.max(1)
    for tenth in range(10):
        use = np.minimum(9, (most * 10).astype(int)) == tenth
        if use.any():
            right = np.mean(best[use] == kinds[use])
            print(f"from {tenth / 10:.1f}    {most[use].mean():.3f}  {right:.3f}  {use.sum():5}")
    before = log_loss(kinds, found, labels=every)
    print()
    for number, name in enumerate(TypeEvidence._fields):
        loss = log_loss(kinds, judged(every_row, all_kinds, number)[single], labels=every)
        print(f"without {name:16} loss {loss - before:+.4f}")


def text_of(found: Fit) -> str:
    """Return the file of the weights: a line for each piece of evidence and each word."""
    rows = [[round(float(weight), 3) for weight in column] for column in found.weights.T]
    size = len(TypeEvidence._fields)
    parts = (
        dict(zip(TypeEvidence._fields, rows, strict=False)),
        dict(zip(found.words, rows[size:], strict=True)),
    )
    lines = [
        ",\n".join(f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in part.items()) for part in parts
    ]
    base = json.dumps([round(float(one), 3) for one in found.base])
    return (
        f'{{\n "types": {json.dumps(PAGE_TYPES)},\n "base": {base},\n'
        f' "evidence": {{\n{lines[0]}\n }},\n "words": {{\n{lines[1]}\n }}\n}}\n'
    )


def main() -> None:
    """Print what the arguments ask for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", nargs="*", type=Path, metavar="CORPUS")
    parser.add_argument("--single", type=Path, required=True, metavar="FOLDER", help="pages of one site each")
    parser.add_argument("--apart", action="store_true", help="tell listings from collections")
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    parser.add_argument("--processes", type=int, default=2)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary, Pool(args.processes) as pool:
        folders = [unpack(corpus.resolve(), Path(temporary)) for corpus in args.corpora]
        tasks = [*tasks_of_pages(args.single), *(task for one in folders for task in tasks_of_corpus(one))]
        rows = [row for row in pool.map(row_of, tasks, 8) if row is not None]
    names = (*PAGE_TYPES, "listing") if args.apart else PAGE_TYPES
    types = {name: name for name in names} | {_CORPORA: "article"}
    kinds = np.array([names.index(types.get(row.kind, "collection")) for row in rows])
    show(rows, kinds, names)
    if args.write:
        use = [number for number, row in enumerate(rows) if not row.aside]
        rows, kinds = [rows[number] for number in use], kinds[use]
        found = fit(rows, np.array([row.evidence for row in rows], float), kinds)
        path = Path(page_types.__file__).with_name("page_type_weights.json")
        path.write_text(text_of(found), encoding="utf-8")


if __name__ == "__main__":
    main()
