"""The formats of feeds."""

from __future__ import annotations

import csv
import gzip
import io
import json
import marshal
import pickle
from xml.etree import ElementTree

from registry import check
from trial import Trial, expect

FORMATS = ("json", "jsonlines", "csv", "xml", "pickle", "marshal")
GZIP = {"postprocessing": ["scrapy.extensions.postprocessing.GzipPlugin"]}


@check("feeds", "`FEEDS` and `WEBSTEMMER_ARTICLES` in all formats, plain and with `GzipPlugin`")
def feeds(trial: Trial) -> str:
    """Write the items and the articles in every format of Scrapy, each plain and compressed."""
    trial.learn()
    trial.site.publish(2)
    kinds = [(form, packed) for form in FORMATS for packed in (False, True)]

    def named(name: str) -> dict[str, dict[str, object]]:
        return {
            f"{name}.{form}{'.gz' if packed else ''}": {
                "format": form,
                "overwrite": True,
                **(GZIP if packed else {}),
            }
            for form, packed in kinds
        }

    trial.crawl("bare", addon=False, FEEDS=named("bare"))
    trial.crawl(
        "extract",
        FEEDS=named("items"),
        WEBSTEMMER_PATTERNS="patterns.json",
        WEBSTEMMER_ARTICLES=named("news"),
    )
    for form, packed in kinds:
        end = f"{form}{'.gz' if packed else ''}"
        bare, items, news = (records(trial.read(f"{name}.{end}"), form) for name in ("bare", "items", "news"))
        expect(sorted(map(str, bare)) == sorted(map(str, items)), f"{end}: the items differ")
        trial.write("news.lines", "".join(json.dumps(record) + "\n" for record in news))
        outcome = trial.articles("news.lines")
    return f"{', '.join(FORMATS)}: in each of the {len(kinds)} feeds {outcome}; items as without the add-on"


def records(content: bytes, form: str) -> list[dict[str, str]]:
    """Return the records of a feed; one that begins like gzip is unpacked."""
    if content.startswith(b"\x1f\x8b"):
        content = gzip.decompress(content)
    if form == "json":
        return json.loads(content)
    if form == "jsonlines":
        return [json.loads(line) for line in content.splitlines()]
    if form == "csv":
        return [*csv.DictReader(io.StringIO(content.decode(), newline=""))]
    if form == "xml":
        return [{field.tag: field.text or "" for field in item} for item in ElementTree.fromstring(content)]
    load, found, stream = {"pickle": pickle.load, "marshal": marshal.load}[form], [], io.BytesIO(content)
    while stream.tell() < len(content):
        found.append(load(stream))
    return found
