"""Pages to look at in a browser: two articles and an index of a small paper, and pages that mean harm."""

from __future__ import annotations

from html import escape

__all__ = [
    "COMMANDS",
    "MAKERS",
    "article",
    "deep",
    "folded",
    "hostile",
    "index",
    "large",
    "long_words",
    "paper",
]

#: The functions that make a page from nothing.
MAKERS = ("deep", "folded", "hostile", "large", "long_words")
#: What is looked at: names, and the arguments of `scrapy trees` that write the page.
COMMANDS = {
    "show": "show article0.html",
    "show-folded": "show folded.html",
    "show-hostile": "show hostile.html --select all --attributes",
    "show-words": "show long_words.html",
    "map": "map article0.html article1.html",
    "map-hostile": "map hostile.html article1.html --select all --attributes",
    "map-deep": "map long_words.html deep.html",
    "map-large": "map large.html article0.html",
    "cluster": "cluster paper -t 0.655",
    "cluster-hostile": "cluster hostile.html long_words.html article0.html --attributes",
    "cluster-many": "cluster archive",
    "cluster-one": "cluster article0.html",
}

#: The title and the paragraphs of each article.
STORIES = (
    (
        "Ferry stays in port for a week",
        "The ferry to the lighthouse island stays in port until Sunday. Divers found a crack in its rudder.",
        "Bread and mail go by fishing boat. The school on the island has lent its own boat to the baker.",
    ),
    (
        "Choir finds its lost piano",
        "The piano of the harbour choir is back after two years. It stood in a barn, under a sail.",
        "Nobody knows who brought it there. The farmer had taken it for a loom.",
        "The choir will sing in the barn on Saturday.",
    ),
    (
        "Three new bridges for cyclists",
        "The council has voted for three narrow bridges over the eastern canal.",
        "The first one is to be open before the winter.",
    ),
)

#: What a stranger may write to get a script run, or to make a reader see something else than there is.
HOSTILE = (
    "</script><script>window.hacked=1;alert(1)</script>",
    "</title><script>window.hacked=2</script>",
    "</pre></style><img src=//elsewhere.example/x.png onerror=window.hacked=3>",
    '"><svg onload=window.hacked=4>',
    "' autofocus onfocus='window.hacked=5",
    "<iframe srcdoc='<script>parent.hacked=6</script>'></iframe>",
    "]]>${window.hacked=7}`\\u003cscript>\u2028\u2029",
    "\u202egnp.exe \u2066left open\u200f",
    "<a href=javascript:window.hacked=8>a</a><meta http-equiv=refresh content=0;url=//elsewhere.example>",
    "&lt;script&gt;window.hacked=9&lt;/script&gt;",
    "Zalgo" + "\u0335\u0321\u0334" * 20,
    "<!--<script>",
)

_HEAD = (
    '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{} | Harbour Post</title></head><body>'
)
_TOP = (
    '<nav><ul><li><a href="/">Home</a></li><li><a href="/sea">At sea</a></li><li>Tide: 14:20</li></ul></nav>'
)
_FOOT = "<footer><p>Harbour Post, Quay 3. Printed every day but Monday.</p></footer></body></html>"


def article(number: int) -> str:
    """Return an article; articles have one template and differ in the number of paragraphs."""
    title, *paragraphs = STORIES[number % len(STORIES)]
    text = "".join(f"<p>{one}</p>" for one in paragraphs)
    more = STORIES[(number + 1) % len(STORIES)][0]
    return (
        f"{_HEAD.format(title)}{_TOP}<main><article><h1>{title}</h1>{text}</article>"
        f'<aside><h2>More</h2><p><a href="/{number + 1}.html">{more}, {number + 1}</a></p>'
        f"</aside></main>{_FOOT}"
    )


def index(count: int = 12) -> str:
    """Return a page that lists articles."""
    items = "".join(
        f'<li><h3><a href="/{number}.html">{STORIES[number % len(STORIES)][0]}</a></h3></li>'
        for number in range(count)
    )
    return f"{_HEAD.format('All stories')}{_TOP}<main><h1>All stories</h1><ol>{items}</ol></main>{_FOOT}"


def paper(count: int) -> dict[str, str]:
    """Return some pages of the paper by their urls: of three pages, the third is an index."""
    return {
        f"http://post.example/{number}.html": index(number % 40 + 2) if number % 3 == 2 else article(number)
        for number in range(count)
    }


def folded() -> str:
    """Return a page with a text that a browser hides until a reader asks for it."""
    return (
        f"{_HEAD.format('Übung')}<details><summary>Müller</summary><p>A folded note</p></details>"
        "<dialog><p>A dialog</p></dialog></body></html>"
    )


def hostile() -> str:
    """Return a page with hostile text, attributes and elements, which no page of ours may run or load."""
    told = "".join(
        f"<p title=\"{escape(one)}\" class='{escape(one)}' id='{escape(one)}'>{escape(one)}</p>"
        for one in HOSTILE
    )
    live = "".join(HOSTILE)
    return (
        f"<!DOCTYPE html><html onload='window.hacked=10'><head><title>{escape(HOSTILE[0])}</title>"
        "<base href='//elsewhere.example/'><link rel=stylesheet href='//elsewhere.example/a.css'></head>"
        f"<body onload='window.hacked=11' background='//elsewhere.example/b.png'><h1>{told}</h1>{live}"
        "<form action='//elsewhere.example/'><button autofocus onfocus='window.hacked=12'>Go</button></form>"
        "<video src='//elsewhere.example/v.mp4' autoplay onerror='window.hacked=13'></video>"
        "<object data='//elsewhere.example/o'></object><embed src='//elsewhere.example/e'>"
        "<template><script>window.hacked=14</script></template><plaintext>the rest</body></html>"
    )


def long_words() -> str:
    """Return a page whose words are far wider than any window."""
    word = "Donaudampfschifffahrt" * 40
    return f"<html><head><title>{word}</title></head><body><h1>{word}</h1><p>{'w' * 5_000}</p></body></html>"


def large(nodes: int = 3_000) -> str:
    """Return a page with some number of nodes, half of them texts."""
    items = "".join(f"<li>Item {number}</li>" for number in range(nodes // 2))
    return f"{_HEAD.format('A long list')}<ul>{items}</ul></body></html>"


def deep(depth: int = 490) -> str:
    """Return a page whose elements stand one in the other."""
    opened = "".join(f"<div><p>Level {level}</p>" for level in range(depth))
    return f"{_HEAD.format('A deep page')}{opened}{'</div>' * depth}</body></html>"
