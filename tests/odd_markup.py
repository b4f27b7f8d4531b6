"""Fragments of markup, right and wrong, of which random pages are made."""

from __future__ import annotations

__all__ = ["FRAGMENTS", "READABLE", "READ_INSTEAD", "RICH_PAGE", "XHTML"]

XHTML = (
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" '
    '"http://www.w3.org/TR/xhtml1/DTD/xhtml1-strict.dtd">'
)

#: Characters of all kinds: white space, controls, other scripts.
TEXTS = (
    "word", " ", "\n", "a b", "1", ".", "\t", "\r\n", "\r", "two words ", "Überschrift", "日本語", "\xa0",
    "\u2003", "\x0b", "\x0c", "\x85", "\u2028", "\u3000", "\ufeff", "\u200b", "\x00", "\x01", "\x08",
    "\x1b", "\x7f", "\x80", "\ufffe", "\uffff", "😀", "𠀀", "שלום", "\u202e", "�", "\x1c", "\x1f",
)  # fmt: skip
#: References: named and numeric, with and without a semicolon, and what only looks like one.
REFERENCES = (
    "&amp;", "&amp", "&lt;b&gt;", "&lt", "&nbsp;", "&nbsp", "&copy;x", "&copyx", "&copy=1", "&notin;",
    "&notit;", "&not", "&#65;", "&#65", "&#x41;", "&#X41", "&#x;", "&#;", "&#", "&", "&;", "& ", "&foo;",
    "&foo", "&#128;", "&#x81;", "&#150;", "&#0;", "&#x110000;", "&#xD800;", "&#99999999999;", "&#10;",
    "&#9;", "&#1;", "&#12;", "&#xFFFE;", "&#x1F600;", "&NotEqualTilde;", "&nGt;", "&AMP;", "&AMP",
    "&CounterClockwiseContourIntegral;", "&a<", "&#32;", "&#160;", "&apos;", "&quot;", "&#65535;", "&#11;",
    "&#127;", "&Tab;", "&NewLine;", "&zwnj;", "&lang;",
)  # fmt: skip
#: Comments, declarations, and signs that begin no tag.
COMMENTS = (
    "<!-- a -->", "<!-- <p>in</p> <a href=/c>c</a> -->", "<!-->", "<!--->", "<!---->", "<!----!>",
    "<!-- a --!> b -->", "<!-- open", "<!-- a -- b -->", "<!-- a > b -->", "<!--- x --->", "<!x>", "<!>",
    "<!", "<![CDATA[ a <b> ]]>", "<![CDATA[x]]>", "<![if IE]>", "<![endif]>", "<!DOCTYPE html>",
    "<!doctype html SYSTEM 'a>b'>",
    XHTML,
    "<!DOCTYPE", "<?php echo '<p>' ?>", "<?xml version='1.0' encoding='utf-8'?>", "<?", "<?>", "</>",
    "</ p>", "</3>", "<3", "< p>", "<", "</", ">", "<-", "<=", "<<p>", "-->", "]]>", "--", "<!-", "<!--",
)  # fmt: skip
#: Elements whose content is no markup, or is not shown.
RAW = (
    "<script>a</script>", "<script>if (a</b) '</p>'</script>", "<script><!-- <p>x</p> --></script>",
    "<script><!-- <script>x</script> y --></script>", "<script><!-- <script></script>",
    "<script>var x = '<\\/script>';</script>", "<script>", "</script>", "</script >", "</SCRIPT x=1>",
    "</scriptx>", "<style>p > a { content: '</p>' }</style>", "<style>", "</style>",
    "<style><!-- a --></style>", "<title>A &amp; b <b>c</b></title>", "<title>", "</title>",
    "<title>x</title>", "<textarea><p>t</p> &amp;</textarea>", "<textarea>", "</textarea>",
    "<template><p>t</p></template>", "<template>", "</template>",
    "<noscript><p>no</p><a href=/n>n</a></noscript>", "<noscript>", "</noscript>", "<xmp><b>x</b></xmp>",
    "<iframe src=/x><p>i</p></iframe>", "<iframe>", "</iframe>", "<noembed><p>e</p></noembed>",
    "<noframes><p>f</p></noframes>", "<plaintext>", "<listing>l</listing>",
    "<svg><title>s</title><a href=/s>sa</a><p>x</svg>", "<svg>", "</svg>", "<math><mi>x</mi></math>",
    '<script type=\'application/ld+json\'>{"@type": "NewsArticle", "x": {"@type":["Person"]}}</script>',
    '<script type=application/ld+json>{"@type":"schema:A&amp;"}', "<script src=x/>", "<style/>", "<title/>",
    "<textarea/>", "<iframe/>", "<script/>", "<xmp/>", "<STYLE>x</Style>",
)  # fmt: skip
#: Block-level elements, open, closed and nested wrongly.
BLOCKS = (
    "<p>", "</p>", "<P CLASS=Big>", "<p/>", "<p />", "<div>", "</div>", "<div class='a  b a' id=' x '>",
    "<div name=n>", '<DIV ID=Up CLASS="A\tB">', "<section>", "</section>", "<article>", "</article>",
    "<ul>", "</ul>", "<ol start=3>", "</ol>", "<li>", "</li>", "<li class=x>", "<dl>", "</dl>", "<dt>",
    "</dt>", "<dd>", "</dd>", "<h1>", "</h1>", "<h2>", "</h2>", "<h3>t</h3>", "<h6>", "<blockquote>",
    "</blockquote>", "<pre>", "</pre>", "<pre>\n a\r\n  b &lt; \n\nc</pre>", "<pre>\n", "<table>",
    "</table>", "<caption>", "<thead>", "<tbody>", "</tbody>", "<tfoot>", "<tr>", "</tr>", "<td>", "</td>",
    "<th>", "</th>", "<td colspan=2 rowspan='x'>", "<colgroup>", "<col>",
    "<table><tr><td><table><tr><td>n</table>", "<form>", "</form>", "<form name=f action=/x>", "<fieldset>",
    "</fieldset>", "<legend>", "<select><option>a<option>b<optgroup><option>c</select>", "<option>",
    "<select>", "</select>", "<optgroup>", "<button>b</button>", "<button>", "<input value=x>", "<label>",
    "</label>", "<datalist>", "<object>", "</object>", "<video>", "</video>", "<canvas>", "<rp>(</rp>",
    "<rt>", "<ruby>r<rt>t</ruby>", "<center>", "</center>", "<dir>", "<menu>", "<address>", "</address>",
    "<figure>", "</figure>", "<figcaption>", "</figcaption>", "<details>", "<summary>", "</summary>",
    "<main>", "</main>", "<header>", "<footer>", "<nav>", "</nav>", "<aside>", "</aside>", "<dialog>",
    "<hgroup>", "<search>", "<hr>", "<hr/>", "<br>", "<br/>", "</br>", "<BR>", "</hr>", "<wbr>",
    "<frameset>", "</frameset>", "<frame src=x>",
    "<frameset><frame src=/f><noframes>f</noframes></frameset>", "<div hidden>h</div>",
    "<div hidden=until-found>u</div>", "<p hidden='' class=x>", "<div hidden/>", "<li HIDDEN=hidden>",
    "<div data-hidden=1>", "<section hidden><section>x</section>y</section>",
)  # fmt: skip
#: The outermost elements, which may stand anywhere.
OUTER = (
    "<html>", "</html>", "<html lang=de>", "<head>", "</head>", "<body>", "</body>", "<body class=c id=i>",
    "<BODY>", "</BODY >", "<head class=h>", "<html/>", "<body/>", "<head/>", "</body x=1>", "</html/>",
)  # fmt: skip
#: Inline and unknown elements.
INLINE = (
    "<b>", "</b>", "<i>", "</i>", "<em>e</em>", "<strong>", "</strong>", "<span class=s>", "</span>",
    "<span/>", "<font size=2>", "</font>", "<u>", "<s>", "<small>", "<code>", "</code>", "<q>",
    "<sub>2</sub>", "<tt>", "<big>", "<strike>", "<nobr>", "<acronym>", "<x-y>", "</x-y>", "<x-y/>",
    "<ABCDEFGHIJ>", "</abcdefghij>", "<unknownlong>", "</unknownlong>", '<' + "n" * 110 + '>',
    '</' + "n" * 105 + '>', '<' + "n" * 100 + ' class=x>', "<é>", "</é>", "<aé>", "</aé>", "<aÉ>", "<a:b>",
    "</a:b>", "<o:p>", "</o:p>", "<p_>", "<p.q>", "<p\x0b>", "<p\x0c>", "<image src=x>", "<basefont>",
    "<keygen>", "<isindex>",
)  # fmt: skip
#: Attributes: unquoted, broken, duplicate, without a value.
ATTRIBUTES = (
    "<p class=a class=b>", "<p class>", "<p class id>", "<p class=>", "<p class='>", '<p class=">',
    '<p class=\'a"b\'>', "<p class=a'b>", '<p a="b"c=d>', "<p =x>", "<p ==x>", "<p 'x'>", '<p "x">',
    "<p / id=q>", "<p /id=r/>", "<p id=a/>", "<p id=a/ >", "<p id='a'/>", "<p id = 'sp' class\n=\nnl>",
    "<p id='&amp;&lt;&quot;&copy'>", "<p id='&copy=1&copyx&copy;'>", "<p id=&#65;&#x42&notin>",
    "<p id='a\nb\tc\rd'>", "<p id='a\r\nb'>", "<p class='&nbsp;x&#32;y'>", "<p id='<b>'>", "<p id='a>b'>",
    "<p ID=X Class=Y>", "<p É=1 é=2 id=3>", "<p\nid=nl>", "<p id=a>", "<p x:y=1 xml:lang=de lang=en>",
    "<p id=\x01>", "<p id='\x01\x0b\ufffe'>", "<p class=a\xa0b>", "<p class='a\u3000b\x0bc'>", "<p id=日本>",
    "<p hidden=&#110;o>", "<p onclick='a && b'>", "<p id=a=b>", "<p id=`a`>", "<p/class=x>", "<p id>",
    '<p ' + "q" * 120 + '=1 id=z>', '<p ' + "q" * 100 + '=1 ' + "q" * 101 + '=2>', "<p id=>x", "<p id= >x",
    "<p id=/>", "<p id=//>", "<p class=a id='x' id=y>", "<p &amp=1>",
)  # fmt: skip
#: Elements that are not read as they stand: formulas, marks of headings, texts for screen readers.
READ_INSTEAD = (
    "<math><mi>x</mi><mo>=</mo><mn>1</mn></math>", "<math alttext='a &lt; b'>", "</math>", "<math/>",
    "<math><annotation encoding='application/x-tex'>a&amp;b</i>c</annotation></math>", "<annotation>",
    "</annotation>", "<span class=katex>", "<span class='x katex'><math alttext=k></math><b>k</b></span>",
    "<script type='math/tex; mode=display'>y & z</script>", "<span class=MathJax_Preview>p</span>",
    "<span class=MathJax><i>v</i></span>", "<span class=MathJax>", "<mjx-container>", "</mjx-container>",
    "<mjx-container><mjx-math data-latex='m'>mm</mjx-math></mjx-container>", "<i data-tex=t>u</i>",
    "<span class='sr-only'>heard</span>", "<span class=visually-hidden>", "<div class=sr-only>h</div>",
    "<a class=srOnly href=#main>skip</a>", "<a role=doc-backlink href=#r>back</a>", "<a href=#r>↩</a>",
    "<a href=#r>*</a>", "<a href=#r>↩<sup>2</sup></a>", "<a href='#r'>¶<img src=p></a>", "<a href=#own>¶</a>",
    "<h2 id=own>", "<h2 id=own>t<a href=#own>link</a></h2>", "<h2>", "[<a href=/edit>edit</a>]",
    "<span>[<a href=/edit>edit</a>]</span>", "<span class=mw-editsection>", "<a href=/edit>[edit]</a>",
    "<amp-img src=/amp.jpg><noscript><img src=/n.jpg></noscript></amp-img>", "<amp-img src=x>", "</amp-img>",
    "<noscript><img src=/real.jpg alt=r></noscript>", "<span aria-hidden=true>",
    "<span data-src=/s.jpg></span>", "<span data-src=/s.jpg>", "<a href='/a/page.html?x=1#own'>#</a>",
    "<img class=lazy src=/blank.gif>", "<amp-img>",
    "<figure data-src=/f.jpg>", "<div data-lazy-src=/d.png></div>", "<figure data-original=/g.jpg/>",
    "<a class=edit-link href=/e>e</a>", "&shy;", "\xad", "&ZeroWidthSpace;", "a\u200db", "&#8288;",
)  # fmt: skip
#: Links and images.
LINKS = (
    "<a>", "</a>", "<a href=/x>x</a>", "<a href='/y'>", "<a HREF=/Z>", "<a name=n>", "<a name=n/>",
    "<a href>", "<a href=''>", "<a href='#'>", "<a href='#a'></a>", "<a href='#a'>mark</a>",
    "<a href='#a'><b>.</b></a>", "<a href=/p.jpg><img src=q.jpg></a>", "<a href=/p.jpg>",
    "<a href='/q'><img src=a alt='alt &amp; b'></a>", "<a href='/e'></a>",
    "<a href='/n'>n<a href='/m'>m</a></a>", "<a href=/r rel='next nofollow'>r</a>", "<a rel=author>",
    "<a href='?x=2'>q</a>", "<a href='page.html'>self</a>", "<a href='http://www.example.com/z#f'>abs</a>",
    "<a href='//example.com/k'>k</a>", "<a href='http://other.example/'>o</a>",
    "<a href='mailto:x@y'>mail</a>", "<a href=' /sp '>sp</a>", "<a href='javascript:void(0)'>js</a>",
    "<a href='http://[x'>bad</a>", "<a href='/l' aria-label='label'></a>",
    "<a href='/t' title='tip'><i></i></a>", "<a href='/b'><div>blk</div><div>blk2</div></a>",
    "<a href='/s'><span>s</span><br>t</a>", "<a href='/c'><!-- c --></a>", "<a href='/c2'>a<!-- c -->b</a>",
    "<a href='/st'><style>x</style><noscript>y</noscript>z</a>", "<area href=/area alt=ar>",
    "<area href=/area2 title=art>", "<map>", "</map>", "<a href='/a?b=1&copy=2&amp;c=3'>",
    "<a href='/%E4'>", "<a href=/uü>ü</a>", "<a/href=/sl>", "<a href='/x'/>",
    "<A HREF='/up' REL=Tag>up</A>", "<a href=/pic.PNG>p</a>", "<a href='#x'/>",
    "<a href='/tp'><template>t</template></a>", "<img src=i.jpg>", "<img src=i.jpg alt=A>", "<img>",
    "<img/>", '<IMG SRC=\'/u\' ALT="x">', "<img alt='&lt;x&gt;'>", "<img src=a data-src=b srcset='c 2x'>",
    "<picture><source srcset=x><img src=y></picture>", "</img>",
    "<x-a>", "</x-a>", "<x-a><p>in it</p></x-a>", "<x-b class=y><!-- a --><b><x-a><ul><li>i</x-a></x-b>",
    "<x-a hidden><div>h</div></x-a>", "<x-c>t<div>u</div></x-c>", "<x-a><script>s</script><h2>v</h2>",
    "<x-a>l</x-a><!-- n -->", "<p>b</p><x-b><i>l</i><x-a>m</x-a></x-b>\n<hr>", "<x-d><br>w</x-d><x-c>x</x-c>",
)  # fmt: skip
#: What a head has, and microdata.
HEAD = (
    "<base href=/base/>", "<base href='http://b.example/c/d'>", "<base>", "<base target=x>",
    "<base href='//['>", "<meta charset=utf-8>", "<meta name=author content=Ann>",
    "<meta property='og:title' content='OG &amp; t'>", "<meta name=og:title content=OG2>",
    "<meta property=og:title>", "<meta property=og:type content=Article>",
    "<meta itemprop=datePublished content=x>", "<meta name=x content=''>",
    "<META NAME=Generator CONTENT='W'>", "<meta/>", "<link rel='stylesheet' href=x>",
    "<link rel=next href='/p?page=2'>", "<link rel='alternate' type='application/rss+xml' href=x>",
    "<link rel=alternate href='/wp/v2/posts/12'>", "<link rel=canonical href=x/>", "</link>", "</meta>",
    "<div itemscope itemtype='http://schema.org/Article'>", "<p itemtype='x/y&amp;z '>",
    "<p ITEMTYPE=u itemtype=v>", "<html itemtype=h>", "<body itemtype=bb>", "<head itemtype=hh>",
    "<span itemtype>", "<meta itemtype=s/m>",
)  # fmt: skip
#: What marks an author, a topic or a time.
MARKS = (
    "<a rel=author href=/author/ann>Ann</a>", "<a rel='tag x' href=/tag/x>x</a>", "<a href=/labels/y>y</a>",
    "<span class='fn author'>", "<h4 class=post-author>", "<time datetime=2014-05-06>",
    "<div itemprop=author itemscope>", "<b itemprop='name x'>Ann</b>",
    "<meta itemprop=name content='Ann Lee'>",
    "<i property=dc:creator content=Bob>", "<SPAN TITLE='2014-05-06 10:00'>age",
    "<p class='p-author h-card'>",
    "<a class=p-name href=/ann>Cy</a>", "<x-age DateTime=2014-05-06>", "<abbr title='2014-05-06'>",
    "<time class=published datetime='2014-05-06T07:30Z' />",
    "<!-- <a rel=author href=/x>q</a> -->", "<i></i>", "<b><i>", "<a href='?tag=z'><b>z</b></a>",
)  # fmt: skip
#: What hides, opens, or moves a part of a page.
HIDING = (
    "<span hidden>", "<div style='display:none'>", '<b STYLE="color:red; DISPLAY : none !important">',
    "<p style=visibility:hidden>", "<p style='display&#58;none;display:block'>", "<a hidden href=/h>",
    "<td style='display:none'>", "<br hidden>", "<img style='display:none' src=h.png>", "<x-y hidden>",
    "<button aria-expanded=false>Open</button>", "<h3><button>Open</button></h3>", "<button aria-expanded>",
    "<h3><button aria-controls=s1>Which?</button></h3><div id=s1 hidden>Answer</div>", "<div hidden id=s1>",
    "<a href='#s1'>s</a>", "<a data-target=&#35;s1 href=#>s</a>", "<div role=tabpanel hidden>",
    "<dt aria-expanded=true>t</dt><dd hidden>", "<dialog id=s1 hidden>", "<nav role=dialog id=s1 hidden>",
    "<template shadowrootmode=open><p>in", "<template shadowrootmode>t</template>", "<!--$?-->", "<!--/$-->",
    "<template id=B:0></template>", "<!--$?--><template id='B:0'></template>Wait<!--/$-->",
    "<template id='P:1'/>", "<div hidden id=S:0>part", "<div hidden id='S:0'><p>part</p></div>",
    "<div id='S:1' hidden>more<template id=B:0></template></div>", "<script>$RC('B:0', 's1')</script>",
    '<script>$RC("B:0","S:0")</script>', "<table hidden><tr id=S:1><td>cell</table>",
    f"<div style=display:none>{'long ' * 60}</div>", f"<main hidden>{'text ' * 60}<p hidden>x",
)  # fmt: skip
FRAGMENTS = (
    *TEXTS, *REFERENCES, *COMMENTS, *RAW, *BLOCKS, *OUTER, *INLINE, *ATTRIBUTES, *LINKS, *HEAD, *MARKS,
    *READ_INSTEAD, *HIDING,
)  # fmt: skip

#: A page with something of everything, to be cut at any place.
RICH_PAGE = """<!DOCTYPE html><html lang=de itemtype=x/Page><head><meta charset="utf-8">
<title>Caf\u00e9 &amp; <b> more</title><base href='/base/'><meta property="og:title" content="O&copy=G &copy;"
><link rel="next" href="?page=2"><script><!-- <script>a</b></script> --></script><style>p > a {}</style>
<script type="application/ld+json">{"@type": "NewsArticle"}</script></head><body class="a b" id=top>
<!-- <p>no</p> --><h1><a href="#top"></a>Title &#8212; \u65e5\u672c \U0001f600</h1><nav><ul><li><a href=/a>A
<li><a href="b.html?x=1&amp;y=2" rel="tag me"><img src=b.png alt='B "b"'></a></ul></nav><![CDATA[ c ]]>
<table><caption>C<tr><th>1<td colspan=2>2<table><tr><td>in</table><tr><td>3</table><?php echo 1 ?>
<div hidden=until-found>u</div><div hidden>h<div>i</div></div><pre class=x>
 one &lt;
\ttwo</pre><p>a<br/>b<wbr>c&nbsp;d<p>e<select><option>1<option>2</select><textarea><p>t</textarea>
<dl><dt>t<dd>d</dl><picture><source srcset="l.jpg 2x"><img src="data:," data-src=l.jpg></picture>
<noscript><a rel=author href=/n>n</a></noscript></p><x-y z>odd</x-y></b></body>after<p>all</html>end"""

#: Those without control characters: a page with one of these is a binary file.
READABLE = [one for one in FRAGMENTS if "\x01" not in one]
