#!/usr/bin/env python3
"""Check that the review shows real pages as they look, and that nothing is asked of the web meanwhile.

    real_pages.py [--pages 1] CORPUS...

CORPUS is a folder, or a .tar.xz of one, with gold.jsonl and pages/. Of each, so many articles are opened in
Chromium twice: as the review shows them in its frame, and by themselves, with scripts and the web switched
off. The main text must stand at the same place in both: nearly all of it, in the same order, as far from the
left edge and from the text above, visible, and in the colour of text. Printed are the shares of the texts for
which that holds. The status is 1 if a page is not recognisable, or if a request leaves the machine.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import urlencode

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from serve_corpus import read_gold, unpack

from scrapy_webstemmer import Page, extract, learn
from scrapy_webstemmer.review.reviewed import Review
from scrapy_webstemmer.review.server import ReviewServer
from scrapy_webstemmer.storage import SqliteLearningSet

#: So many pages of a corpus are learned from. An article has so many characters at least.
_LEARNED, _LEAST = 60, 800
#: The main text is recognisable if this share of its texts is found, and this share stands at its place.
_FOUND, _PLACED = 0.95, 0.9
#: Pixels by which a text may stand elsewhere, seen from the left edge and from the text above.
_NEAR = 12
_MAIN = "rgb(207, 232, 207)"
_FLAGS = """--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-dev-shm-usage
--disable-background-networking --disable-component-update --disable-sync --hide-scrollbars""".split()
_NOWHERE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"
#: The texts of a document: each with its box, what became of it, and its colour. Pictures and what
#: else the frame does not show are taken out, since one that is missing has another size here and there.
_TEXTS = """
for (const one of document.querySelectorAll("img, iframe, object, embed, video, audio"))
  one.style.setProperty("display", "none", "important");
const found = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const node = walker.currentNode, text = node.data.replace(/\\s+/g, " ").trim();
  if (text.length < 20 || node.parentElement.closest("script, style, noscript")) continue;
  const range = document.createRange();
  range.selectNodeContents(node);
  const box = range.getBoundingClientRect(), mark = node.parentElement.closest("a.w-t, w-t[class]");
  found.push([text, box.left + scrollX, box.top + scrollY, box.width * box.height > 0,
    mark?.className ?? "", mark ? getComputedStyle(mark).backgroundColor : ""]);
}
return found;
"""


class Text(NamedTuple):
    """A text of a document as a browser shows it; left and top in pixels."""

    text: str
    left: float
    top: float
    is_visible: bool
    kind: str
    colour: str


@contextmanager
def browsing() -> Iterator[Any]:
    """Give a browser that writes down its requests."""
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium") or ""
    for flag in (*_FLAGS, _NOWHERE):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
    browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        yield browser
    finally:
        browser.quit()


class _Alone(BaseHTTPRequestHandler):
    """Serves one page as it is; what it would run or load is forbidden."""

    def do_GET(self) -> None:
        body: bytes = self.server.body  # type: ignore[attr-defined]
        self.send_response(200 if self.path == "/page" else 404)
        self.send_header("Content-Type", "text/html")
        policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
        self.send_header("Content-Security-Policy", policy)
        self.end_headers()
        self.wfile.write(body if self.path == "/page" else b"")

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the base class
        pass


@contextmanager
def serving(server: ThreadingHTTPServer) -> Iterator[str]:
    """Give the address of a server that runs meanwhile."""
    with server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def resize(browser: Any, width: int) -> None:
    """Give the window a width in pixels."""
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def both(browser: Any, page: Page, review: str) -> tuple[list[Text], list[Text], set[str]]:
    """Return the texts of a page in the frame of the review, and by itself at the same width.

    The last are the urls outside of this machine that the review has asked for.
    """
    resize(browser, 1600)
    browser.get("about:blank")
    asked(browser)  # what an earlier page has asked for, without an answer
    browser.get(f"{review}?{urlencode({'kind': 'page', 'url': page.url})}")
    browser.switch_to.frame(0)
    framed = [Text(*one) for one in browser.execute_script(_TEXTS)]
    width = browser.execute_script("return innerWidth")
    browser.switch_to.default_content()
    urls = {one for one in asked(browser) if not one.startswith(("http://127.0.0.1:", "data:"))}
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Alone)
    server.body = page.body  # type: ignore[attr-defined]
    with serving(server) as address:
        resize(browser, width)
        browser.get(f"{address}page")
        alone = [Text(*one) for one in browser.execute_script(_TEXTS)]
    return framed, alone, urls


def pairs(framed: Sequence[Text], alone: Sequence[Text]) -> list[tuple[Text, Text]]:
    """Return the main texts of the frame, each with the same text of the page by itself, in their order."""
    places = defaultdict(list)
    for at, one in enumerate(alone):
        places[one.text].append(at)
    last, found = -1, []
    for one in framed:
        if one.kind.split()[-1:] == ["main"] and places[one.text]:
            at = next((at for at in places[one.text] if at > last), places[one.text][0])
            found.append((one, alone[at]))
            last = at
    return found


def shares(framed: Sequence[Text], alone: Sequence[Text]) -> dict[str, float]:
    """Return of the main text the shares that are found, and that stand where the page has them."""
    main = [one for one in framed if one.kind.split()[-1:] == ["main"]]
    found = pairs(framed, alone)
    if not found:
        return {"found": 0.0}
    steps = [*pairwise(found)]
    down = [(b[0].top - a[0].top, b[1].top - a[1].top) for a, b in steps]
    counts = {
        "left": sum(abs(one.left - other.left) <= _NEAR for one, other in found),
        "visible": sum(one.is_visible >= other.is_visible for one, other in found),
        "colour": sum(one.colour == _MAIN for one, _ in found),
    }
    places = {
        "order": sum((one >= 0) == (other >= 0) for one, other in down),
        "below": sum(abs(one - other) <= _NEAR for one, other in down),
    }
    return {
        "found": len(found) / len(main),
        **{name: count / len(found) for name, count in counts.items()},
        **{name: count / len(steps) if steps else 1.0 for name, count in places.items()},
    }


def asked(browser: Any) -> set[str]:
    """Return the urls that the browser has asked for since the last call."""
    events = (json.loads(one["message"])["message"] for one in browser.get_log("performance"))
    return {one["params"]["request"]["url"] for one in events if one["method"] == "Network.requestWillBeSent"}


def check(browser: Any, corpus: Path, pages: int, folder: Path) -> bool:
    """Look at some pages of a corpus, print what is found, and return whether all is well."""
    rows = sorted(read_gold(corpus), key=lambda row: sha256(row["url"].encode()).digest())
    known = {row["url"]: Page(row["url"], (corpus / row["file"]).read_bytes()) for row in rows}
    patterns = learn([*known.values()][:_LEARNED])
    texts = [row["url"] for row in rows if len(row.get("text") or "") >= _LEAST]
    articles = (known[url] for url in texts if extract(known[url], patterns) is not None)
    is_well = True
    with SqliteLearningSet(folder / f"{corpus.name}.sqlite") as stored:
        shown = [page for page, _ in zip(articles, range(pages), strict=False)]
        for page in shown:
            stored.add_page(page)
        server = ReviewServer(Review(patterns, stored))
        with serving(server):
            for page in shown:
                framed, alone, strange = both(browser, page, server.url)
                found = shares(framed, alone)
                is_placed = min(found.values()) >= _PLACED and found["found"] >= _FOUND
                is_well = is_well and is_placed and not strange
                figures = "  ".join(f"{name} {share:.2f}" for name, share in found.items())
                print(f"{'well' if is_placed else 'BAD '}  {figures}  {page.url}", *sorted(strange)[:3])
    if not shown:
        print(f"BAD   {corpus.name} gives no article")
    return is_well and bool(shown)


def main() -> None:
    """Look at the pages."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--pages", type=int, default=1, help="so many articles of each corpus, 1 if not given"
    )
    parser.add_argument("corpora", metavar="CORPUS", nargs="+", type=Path)
    args = parser.parse_args()
    with browsing() as browser, tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        found = [check(browser, unpack(one, folder), args.pages, folder) for one in args.corpora]
    sys.exit(0 if all(found) else 1)


if __name__ == "__main__":
    main()
