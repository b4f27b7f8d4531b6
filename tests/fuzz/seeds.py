"""The files that fuzzing changes: a small generated site, in each format that is read."""

from __future__ import annotations

import gzip
import io
import json
import random
import sqlite3
import zipfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from scrapy_webstemmer import LearnOptions, Page, PatternSet, learn
from scrapy_webstemmer.storage import SqliteLearningSet
from scrapy_webstemmer.storage.zip_crawl import ZipCrawl, linkinfo_lines

__all__ = ["HOST", "REQUESTS", "classic_patterns", "made_seeds", "pages", "patterns"]

HOST = "news.example"
WORDS = (
    "amber basil cedar delta ember fjord grove heron islet jetty knoll lotus maple nadir onyx perch".split()
)
PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="{charset}">\
<title>{title} | The Example News</title>
<meta property="og:title" content="{title}"><meta name="author" content="{author}">
<meta property="article:published_time" content="2026-11-{day:02}T07:30:00+01:00">
<link rel="canonical" href="/{number}">
<script type="application/ld+json">{{"@context": "https://schema.org", "@graph": [{{"@type": "NewsArticle",
"author": [{{"@type": "Person", "name": "{author}", "url": "/a/{number}"}}],
"image": ["/a.jpg"], "keywords": "x, y",
"datePublished": "2026-11-{day:02}", "commentCount": 2}}, {{"@type": "BreadcrumbList", "itemListElement":
[{{"position": 1, "item": {{"@id": "/", "name": "Home"}}}}]}}]}}</script>
<base href="/"><script>if (a < b) c("</p>");</script></head>
<body class="page"><div id="banner"><a href="/">The Example News</a>, every morning</div>
<ul id="menu"><li><a href="/world">World</a></li><li><a href="/sport">Sport</a></li></ul>
<article class="story post-{number}"><h1>{title}</h1>
<p class="byline">By <a rel="author" href="/author/a">{author}</a>, 11/{day:02}/2026</p>
<p>Topics: <a rel="tag" href="/tag/a">a</a></p>
<time datetime="2026-11-{day:02}">November {day}</time><p>{first}</p><blockquote>{second}</blockquote>
<ol><li>{second}<ul><li>{first}</li></ul></li></ol><pre>  code &lt;b&gt;
 {second}</pre><table><tr><th>Year<td colspan=2>{number}</table><figure><img src=a.jpg alt="A picture">
<figcaption>{title}</figcaption></figure><p>caf\u00e9 &eacute;&#233;&amp; {first}</p></article>
<ol><li id="c1"><div><b>Ann</b>, 11/{day:02}/2026 at 10:20</div><p>{other}</p><ul><li id="c2">
<div><cite class="fn">Bob</cite>, 11/30/2026 at 10:21</div><p>{number}, {title}</p></li></ul></li>
<li id="c3"><div><b>Cy</b>, 11/29/2026 at 10:22</div><p>{title} {number}</p></li></ol>
<div class="more"><h2>More</h2><p><a href="/{next}.html">{other}</a></p></div>
<noframes><p>{second}</p></noframes><div hidden="until-found">{first}<a name="end"></div>
<table><tr><td><td>{number}<td></table><ul class="gallery"><li class="g"><a href="1.jpg"><img src="2.jpg">
</a><li class="g"><a href="3.jpg"><img src="4.jpg"></a></ul>
<div id="footer">Copyright The Example News &copy; 2026, all rights reserved</div></body></html>
"""


def pages(number: int = 12) -> list[Page]:
    """Return the stories of the site."""
    return [Page(f"http://{HOST}/{n}.html", _body(n, "utf-8"), "utf-8") for n in range(number)]


def _body(number: int, charset: str) -> bytes:
    chance = random.Random(number)
    first, second, title = (" ".join(chance.choices(WORDS, k=k)).capitalize() for k in (30, 20, 6))
    other = " ".join(random.Random(number + 1).choices(WORDS, k=6))
    author = f"{chance.choice(WORDS)} {chance.choice(WORDS)}".title()
    values = {
        "title": title,
        "author": author,
        "first": first,
        "second": second,
        "other": other,
        "next": number + 1,
    }
    return PAGE.format(charset=charset, number=number, day=number + 1, **values).encode(charset, "replace")


def patterns() -> PatternSet:
    """Return the patterns learned from the site."""
    return learn(pages(), options=LearnOptions())


def classic_patterns() -> PatternSet:
    """Return the patterns learned from the site as in 2009."""
    return learn(pages(), options=LearnOptions.classic(min_score=-1))


def made_seeds(folder: Path, corpora: Sequence[Path] = ()) -> dict[str, list[bytes]]:
    """Return the seeds of each kind.

    :param folder: for temporary files.
    :param corpora: folders with further pages.
    """
    patterns().save(folder / "p.json")
    classic_patterns().save(folder / "p.pat", classic=True)
    found = [path for corpus in corpora for path in sorted(corpus.rglob("*")) if path.is_file()]
    chosen = random.Random(0).sample(found, min(200, len(found)))
    return {
        "page": [_body(n, charset) for n in range(3) for charset in ("utf-8", "latin-1", "shift_jis")]
        + [_body(3, "utf-8").replace(b"November", b"\x08November\x1f \xe9 ")]
        + [path.read_bytes() for path in chosen],
        "small page": [],
        "markup": [_body(n, "utf-8") for n in range(3)] + [path.read_bytes() for path in chosen],
        "pattern file": [(folder / "p.json").read_bytes(), _small_json(folder / "p.json")],
        "2009 pattern file": [(folder / "p.pat").read_bytes(), OLD_PATTERNS],
        "linkinfo": [_linkinfo()],
        "zip": [_zip(folder / "a.zip"), _foreign_zip()],
        "WARC": [_warc(), gzip.compress(_warc(), mtime=0)],
        "SQLite": [_sqlite(folder / "a.sqlite")],
        "Markdown": [_body(n, "utf-8") for n in range(3)],
        "feed": [one.encode() for one in (_RSS, _ATOM, _RDF)] + [_RSS.encode("utf-16")],
        "sitemap": [one.encode() for one in (_SITEMAP, _INDEX, _ROBOTS)]
        + [gzip.compress(_SITEMAP.encode(), mtime=0)],
        "statements": [one.encode() for one in _STATED],
        "request": [*REQUESTS],
    }


_RSS = """<?xml version="1.0"?><rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"
 xmlns:media="http://search.yahoo.com/mrss/"><channel><title>News</title><link>http://news.example/</link>
<dc:creator>The paper</dc:creator><item><title> A\nferry &amp; more </title><link>/1.html</link>
<link>/2.html</link>
<pubDate>Tue, 06 May 2014 07:30:00 GMT</pubDate><author>ann@a.example (Ann Lee)</author>
<media:title>T</media:title>
</item><item><title/><link><![CDATA[/3.html?a=1&b=2]]></link><dc:date>2014-05-06</dc:date>
<dc:creator>Bob</dc:creator>
<dc:creator>Cy</dc:creator></item><item><link>/1.html#comment-2</link></item></channel></rss>"""
_ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><link href="http://news.example/"/><author>
<name>Ann</name>
<email>a@a.example</email></author><entry><link rel="self" href="/x"/><link href="/1?a=1&amp;b=2"/><title
type="html">
&lt;b&gt;A&lt;/b&gt;</title><published>2014-05-06T07:30:00+01:00</published></entry></feed>"""
_RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
xmlns="http://purl.org/rss/1.0/"><channel>
<link>/</link></channel><item><link>/1</link><title>\u00e9 \U0001f600</title></item></rdf:RDF>"""
_SITEMAP = """<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
 xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:x="http://www.w3.org/1999/xhtml"
 xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"><url><loc> http://news.example/1?a=1&amp;b=2
</loc><image:image><image:loc>/1.png</image:loc></image:image><x:link rel="alternate" href="/de/1"/><lastmod>
2014-05-06</lastmod><news:news><news:publication><news:name>N</news:name></news:publication><news:title>A
ferry
</news:title><news:publication_date>2014-05-06</news:publication_date></news:news></url><url><loc>/2</loc>
</url>
</urlset>"""
_INDEX = """<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap>
<loc>http://news.example/a.xml
</loc><lastmod>2014-05-06</lastmod></sitemap><sitemap><loc>/b.xml.gz</loc></sitemap></sitemapindex>"""
_ROBOTS = "User-agent: *\nDisallow: /x\nSitemap: http://news.example/a.xml\nsitemap:/b.xml\n"

#: What a page states about its article, in all the ways that are read.
_STATED = (
    """<script type="application/ld+json">// <![CDATA[
{"@context": "https://schema.org", "@graph": [{"@type": ["NewsArticle", "x"], "@id": "#a", "headline": "A
\\"b\\" <i>",
"author": [{"@type": "Person", "givenName": "Ann", "familyName": "Lee", "url": "/a"}, "Bob &amp; Cy",
{"@id": "#p"}],
"image": [{"@type": "ImageObject", "url": "/a.jpg"}, "b.jpg"], "keywords": ["x", "y, z"], "inLanguage":
"pt_BR",
"datePublished": "2026-11-01T07:30:00Z", "dateModified": "\\u0000 2026", "commentCount": "12", "video":
{"contentUrl": "v.mp4"}, "publisher": {"name": "\\ud83d The News"}, "articleBody": "A b c.",
"mainEntityOfPage": "/1"},
{"@type": "Person", "@id": "#p", "name": "Dee \\ud83d\\ude00"}, {"@type": "BreadcrumbList", "itemListElement":
[{"position": "2", "item": {"@id": "/b", "name": "B"}}, {"position": 1, "name": "Home", "item": "/"},]}]};
// ]]></script><script type="application/ld+json">{"@type": "WebPage"}{"@type": "WebSite", "name":
"N"}</script>""",
    """<div itemscope itemtype="https://schema.org/NewsArticle"><h1 itemprop="headline">A ferry</h1>
<span itemprop="author" itemscope itemtype="https://schema.org/Person"><a itemprop="url" href="/a"><span
itemprop="name">
Ann</span></a></span><meta itemprop="datePublished" content="2026-11-01"><time itemprop="dateModified"
datetime="2026-11-02">
x</time><img itemprop="image" src="a.jpg"><p itemprop="articleBody">Some words of a text</p>
<ol itemscope itemtype="https://schema.org/BreadcrumbList"><li itemprop="itemListElement" itemscope><a
itemprop="item"
href="/b"><span itemprop="name">B</span></a><meta itemprop="position" content="1"></li></ol></div>""",
    """<meta name="author" content="By Ann Lee and Bob"><meta property="article:published_time"
content="2026-11-01">
<meta property="og:video" content="/v.mp4"><meta property="article:tag" content="x"><meta
name="description" content="d">
<meta property="og:url" content="/1"><meta http-equiv="content-language" content="de"><link rel="canonical"
href="/1">
<a rel="author" href="/a">Ann</a><base href="http://news.example/b/"><meta property="og:locale"
content="de_AT">
<span class="byline">by <a class="fn url" rel="author" href="/author/ann/">Ann</a></span><a rel=tag
href=/tag/x>x</a>""",
)

#: Requests for the server of a review, which replaces TOKEN and PORT by its own.
REQUESTS = tuple(
    "\r\n".join(lines).encode()
    for lines in (
        (
            "GET /TOKEN/?kind=site&site=news.example HTTP/1.1",
            "Host: 127.0.0.1:PORT",
            "Connection: close",
            "",
            "",
        ),
        (
            "GET /TOKEN/?kind=page&url=http%3A%2F%2Fnews.example%2F1.html HTTP/1.1",
            "Host: localhost:PORT",
            "",
            "",
        ),
        (
            "GET /TOKEN/?kind=look&url=http%3A%2F%2Fnews.example%2F2.html HTTP/1.0",
            "Host: 127.0.0.1:PORT",
            "",
            "",
        ),
        ("GET /TOKEN/?kind=layout&site=news.example&number=1 HTTP/1.1", "Host: 127.0.0.1:PORT", "", ""),
        (
            "GET /TOKEN/?kind=trial&site=news.example&number=1&what=exclude&path=body%2Fdiv HTTP/1.1",
            "Host: 127.0.0.1:PORT",
            "",
            "",
        ),
        (
            "POST /TOKEN/?kind=site&site=news.example&number=1&what=exclude&path=body%2Fdiv HTTP/1.1",
            "Host: 127.0.0.1:PORT",
            "Origin: http://127.0.0.1:PORT",
            "Content-Type: application/x-www-form-urlencoded",
            "Content-Length: 17",
            "",
            "what=keep&path=x%",
        ),
        ("HEAD //TOKEN/?kind= HTTP/1.1", "Host: [::1]:PORT", "Origin: http://[", "", ""),
    )
)

OLD_PATTERNS = (
    b"### version=0.3\n!mangle_pat='[a-z]+'\n# 100 <x> 2 pages\n(100.5, 'news.example/1.html', 0, 2, "
    b"[(0.5, 'h1:class=\\xc3\\xa9'), (0.75, 120.0, u'div:id=a\\u00e9/p')])\n"
)


def _small_json(path: Path) -> bytes:
    """Return a pattern file on one line, in which most values matter."""
    document = json.loads(path.read_bytes())
    for site in document["sites"]:
        site["boilerplate"] = {}
        site["patterns"] = site["patterns"][:1]
    return json.dumps(document).encode()


def _linkinfo() -> bytes:
    texts = {"Home": 2, "caf\u00e9 'x' \"y\"": 1, "a\\b\n": 1}
    return "".join(
        line for n in range(5) for line in linkinfo_lines(f"202611210900/{HOST}/{n}", texts)
    ).encode()


def _zip(path: Path) -> bytes:
    with ZipCrawl(path, "202611210900") as writer:
        for page in pages(4):
            writer.add_page(page, [(f"http://{HOST}/1.html", "Story one")])
    return path.read_bytes()


def _foreign_zip() -> bytes:
    """Return a zip as other programs write it: stored, with lengths after the content, and with bombs."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(f"202611210900/{HOST}/a", _body(1, "utf-8"))
        archive.writestr("linkinfo", _linkinfo())
        archive.writestr(f"202611210900/{HOST}/bomb", bytes(1 << 20), zipfile.ZIP_LZMA)
        archive.writestr(f"202611210900/{HOST}/other", bytes(1 << 20), zipfile.ZIP_BZIP2)
        archive.infolist()[2].compress_size += 1000  # it reaches into the next member
    return buffer.getvalue()


def _warc() -> bytes:
    records = []
    for number, (headers, body) in enumerate(
        (
            ("", _body(1, "utf-8")),
            ("Content-Encoding: gzip\r\n", gzip.compress(_body(2, "utf-8"), mtime=0)),
            ("Transfer-Encoding: chunked\r\n", b"5\r\n<p>ab\r\n0\r\n\r\n"),
            ("Transfer-Encoding: chunked\r\n", b"1;a=b\r\nx\r\n" * 200),
            ("Set-Cookie: a\r\n b\r\n" * 600, b"<p>more lines than headers may have"),
        )
    ):
        http = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n{headers}\r\n".encode() + body
        records.append(
            f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{number}>\r\n"
            f"WARC-Target-URI: http://{HOST}/{number}\r\nWARC-Date: 2026-11-21T09:00:00Z\r\n"
            "Content-Type: application/http; msgtype=response\r\n"
            f"Content-Length: {len(http)}\r\n\r\n".encode()
            + http + b"\r\n\r\n"
        )  # fmt: skip
    return b"".join(records)


def _sqlite(path: Path) -> bytes:
    with SqliteLearningSet(path) as learning_set:
        for page in pages(12):
            page = replace(page, aliases=(f"{page.url}?old", f"{page.url}?older"))
            learning_set.add_page(page, [(f"http://{HOST}/1.html", "Story one"), (page.url, page.url)])
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE page SET aliases = '[[1], {}]' WHERE id = 1")
    return path.read_bytes()
