"""A joiner's site from a page builder: its articles, lists and frame are made of the same sections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from .site import Site
from .texts import NAMES, Prose, read_grammar

_ARTICLES, _LATER = 16, 6
_LABELS = ("Stairs", "Windows", "Roofs", "Kitchens")
_GRAMMAR = read_grammar(
    NAMES,
    """
room: hall | kitchen | attic | bakehouse | dairy | back parlour | school room | chapel | loft | boiler room
part: sill | door frame | staircase | floor | rafter | shutter | window seat | handrail | ceiling | lintel
part: partition | skirting board | dormer | gutter board | cupboard | porch | gate | truss | bench
wood: oak | larch | ash | reclaimed pine | elm | sweet chestnut | Douglas fir | beech
trouble: dry rot | woodworm | three layers of paint | a crack as wide as a thumb | wet sand behind it
trouble: nails from four centuries | a beam that ended in mid-air | no foundation at all | a hidden fireplace
tool: drawknife | moulding plane | bandsaw | laser level | block and tackle | steam box | chisel | router
who: our apprentice {first} | {person} from next door | the architect | the mason from {place}
who: the neighbour's son {first} | the roofer | the county's conservation officer | our joiner {person}
who: {person}, whose grandfather built it,
house: {building}
town: {place}
span: two days | a week | most of {month} | a long {day} | nine afternoons | the whole winter | one morning
month: January | February | March | April | May | June | July | August | September | October | November
building: mill | vicarage | weaver's cottage | station | brewery | granary | town hall | forge | tithe barn
building: lock-keeper's house | boathouse | schoolhouse
quality: draughty | straight | quiet | dry | light | warm | level | safe for children | easy to clean
sentence: Behind the {part} in the {room} we found {trouble}. | It took {span} to fit the {part} in {wood}.
sentence: For the {part} we chose {wood}, because the {room} never gets quite dry in {month}.
sentence: With a {tool} and much patience, {who} saved what was left of the {part}.
sentence: When we lifted the {part}, {who} asked us to keep every piece of {wood} for the {room}.
sentence: On {day} {who} came to look at the {room}, and went home with sawdust on both knees.
sentence: The new {part} is made of {wood} and can be taken out without a {tool}.
sentence: Nobody had touched the {part} since the {house} was sold in 19{year}.
sentence: "I did not believe that the {room} could be so {quality}," {who} told us in {month}.
sentence: We cut the joints in the workshop at {place} and had the {part} up within {span}.
sentence: Because of {trouble}, the work on the {part} took {span} more than we had planned.
sentence: Since {month} the {room} has been {quality}, and the {part} no longer moves in the wind.
sentence: A letter of 19{year} in the archive of {town} mentions the {part} and what it cost.
sentence: You would not see it from the road, but the {house} leans towards {place} by a hand's width.
sentence: {wood} moves more than {wood}, so we left the thickness of a coin on each side of the {part}.
sentence: The owners wanted a {room} that is {quality}; {who} wanted to keep the {part} as it was.
sentence: Whoever built the {house} had plenty of {wood} and only one {tool}.
sentence: There is no drawing of the {part}, so {who} measured what remained of it and drew one.
sentence: In the end we kept {number} of the old boards and replaced the others with {wood} from {place}.
sentence: If your {room} has {trouble}, look at the {part} first, and call somebody before {month}.
year: 12 | 19 | 24 | 31 | 38 | 47 | 53 | 58 | 66 | 71 | 79 | 84
title: A new {part} for the {house} at {town} | How we rebuilt the {part} of a {house}
title: {wood} and patience: the {house} in {town} | The {house} at {town} gets its {part} back
title: What {trouble} taught us about a {house} | A {room} in {wood} for a {house}
heading: What we found in the {room} | The {part} and its {wood} | Why {wood} was right for the {room}
heading: From the workshop to the {house} | A {part} from 19{year} | What {who} told us
heading: The {room}, {span} later | Lifting the {part}
box: The {part} | The {room} | {wood} from {place} | Our {tool} | The {house} in 19{year}
point: {number} new {part}s in {wood} | no {tool} needed in the {room} | a {room} that stays {quality}
point: the old {part} kept for the museum of {town} | {span} of work by {first} and {first}
button: See the drawings of the {part} | Look at all pictures of the {room} | Read the survey of 19{year}
caption: The {part} before we began | {first} with a {tool} in the {room} | The {room} in {month}
""",
)


class _Builder:
    """Writes nested elements as the page builder does, each with an id of its own."""

    def __init__(self, prose: Prose) -> None:
        self.chance = prose.chance

    def _element(self, kind: str, classes: str, inner: str) -> str:
        key = f"{self.chance.randrange(16**7):07x}"
        return (
            f'<div class="{classes} elementor-element elementor-element-{key}" data-id="{key}" '
            f'data-element_type="{kind}">\n{inner}</div>\n'
        )

    def widget(self, kind: str, inner: str) -> str:
        inside = f'<div class="elementor-widget-container">\n{inner}</div>\n'
        return self._element("widget", f"elementor-widget elementor-widget-{kind}", inside)

    def section(self, *columns: str) -> str:
        wide = 100 // len(columns)
        inside = "".join(
            self._element(
                "column",
                f"elementor-column elementor-col-{wide} elementor-top-column",
                f'<div class="elementor-widget-wrap elementor-element-populated">\n{column}</div>\n',
            )
            for column in columns
        )
        box = f'<div class="elementor-container elementor-column-gap-default">\n{inside}</div>\n'
        section = self._element(
            "section", "elementor-section elementor-top-section elementor-section-boxed", box
        )
        return "<section" + section.removeprefix("<div").removesuffix("</div>\n") + "</section>\n"

    def heading(self, text: str, level: int = 2) -> str:
        title = f'<h{level} class="elementor-heading-title elementor-size-default">{text}</h{level}>'
        return self.widget("heading", title)

    def text(self, *paragraphs: str) -> str:
        return self.widget("text-editor", "".join(f"<p>{paragraph}</p>\n" for paragraph in paragraphs))

    def button(self, text: str, link: str) -> str:
        return self.widget(
            "button",
            f'<div class="elementor-button-wrapper"><a class="elementor-button elementor-button-link '
            f'elementor-size-sm" href="{link}"><span class="elementor-button-content-wrapper">'
            f'<span class="elementor-button-text">{text}</span></span></a></div>',
        )

    def image_box(self, title: str, text: str, link: str) -> str:
        return self.widget(
            "image-box",
            f'<div class="elementor-image-box-wrapper"><figure class="elementor-image-box-img">'
            f'<a href="{link}" tabindex="-1"><img src="/wp-content/uploads/box.jpg" alt=""></a></figure>'
            f'<div class="elementor-image-box-content"><h3 class="elementor-image-box-title"><a '
            f'href="{link}">{title}</a></h3><p class="elementor-image-box-description">{text}</p>'
            f"</div></div>",
        )

    def icons(self, points: Sequence[str], links: Sequence[str] = ()) -> str:
        texts = [f'<span class="elementor-icon-list-text">{point}</span>' for point in points]
        if links:
            texts = [f'<a href="{link}">{text}</a>' for text, link in zip(texts, links, strict=True)]
        items = "".join(f'<li class="elementor-icon-list-item">{text}</li>' for text in texts)
        return self.widget("icon-list", f'<ul class="elementor-icon-list-items">{items}</ul>')

    def picture(self, caption: str, link: str) -> str:
        return self.widget(
            "image",
            f'<figure class="wp-caption"><img src="{link}" alt=""><figcaption class="widget-image-caption '
            f'wp-caption-text">{caption}</figcaption></figure>',
        )


@dataclass(frozen=True)
class _Article:
    path: str
    title: str
    author: str
    day: str
    label: str
    lines: tuple[str, ...]
    sections: str

    @property
    def lead(self) -> str:
        return f"{' '.join(self.lines[0].split()[:18])}…"


def _write(number: int) -> _Article:
    prose = Prose(_GRAMMAR, f"builder/{number}", topics=("house", "town"))
    builder = _Builder(prose)
    lines: list[str] = []

    def new(name: str) -> str:
        lines.append(prose.paragraph() if name == "sentence" else prose.tell(name))
        return lines[-1]

    def linked() -> str:
        words = new("sentence").split()
        words[3:6] = [f'<a href="/services/{_LABELS[number % 4].lower()}/">{" ".join(words[3:6])}</a>']
        return " ".join(words)

    def picture_link() -> str:
        return f"/wp-content/uploads/{prose.chance.randrange(10**6)}.jpg"

    def box_link() -> str:
        service = f"/services/{prose.chance.choice(_LABELS).lower()}/"
        return prose.chance.choice((service, picture_link()))

    def boxes() -> str:
        count = prose.chance.randint(2, 3)
        return builder.section(
            *(builder.image_box(new("box"), new("sentence"), box_link()) for _ in range(count))
        )

    def beside_picture() -> str:
        text = builder.heading(new("heading")) + builder.text(new("sentence"), new("sentence"))
        return builder.section(text, builder.picture(new("caption"), picture_link()))

    kinds: list[Callable[[], str]] = [
        lambda: builder.section(builder.heading(new("heading")) + builder.text(linked(), new("sentence"))),
        boxes,
        beside_picture,
        lambda: builder.section(builder.text(linked()) + builder.button(new("button"), picture_link())),
        lambda: builder.section(
            builder.heading(new("heading")), builder.icons([new("point") for _ in range(4)])
        ),
    ]
    opening = builder.section(builder.text(new("sentence"), linked()))
    chosen = [prose.chance.choice(kinds) for _ in range(prose.chance.randint(3, 6))]
    sections = opening + "".join(make() for make in chosen)
    title = prose.tell("title")
    slug = "-".join("".join(c if c.isalnum() else " " for c in title.lower()).split())
    day = date(2021, 3, 2) + timedelta(days=17 * number)
    return _Article(
        path=f"{slug}/",
        title=title,
        author=prose.tell("person"),
        day=f"{day:%B} {day.day}, {day.year}",
        label=_LABELS[number % 4],
        lines=tuple(lines),
        sections=f'<div data-elementor-type="wp-post" data-elementor-id="{300 + number}" '
        f'class="elementor elementor-{300 + number}">\n{sections}</div>\n',
    )


def _grid(articles: Sequence[_Article], kind: str = "posts") -> str:
    cells = "".join(
        f'<article class="elementor-post elementor-grid-item post type-post status-publish category-'
        f'{article.label.lower()}"><a class="elementor-post__thumbnail__link" href="/{article.path}">'
        f'<div class="elementor-post__thumbnail"><img src="/wp-content/uploads/{n}.jpg" alt=""></div></a>'
        f'<div class="elementor-post__text"><h3 class="elementor-post__title"><a href="/{article.path}">'
        f'{article.title}</a></h3><div class="elementor-post__meta-data"><span class="elementor-post-date">'
        f'{article.day}</span></div><div class="elementor-post__excerpt"><p>{article.lead}</p></div>'
        f'<a class="elementor-post__read-more" href="/{article.path}">Read More »</a></div></article>\n'
        for n, article in enumerate(articles)
    )
    grid = f'<div class="elementor-posts-container elementor-posts elementor-grid">\n{cells}</div>'
    return _Builder(Prose(_GRAMMAR, f"grid/{kind}")).widget(kind, grid)


def _page(title: str, inner: str, kind: str = "archive") -> str:
    builder = _Builder(Prose(_GRAMMAR, "frame"))
    menu = "".join(
        f'<li class="menu-item menu-item-type-post_type"><a class="elementor-item" href="/{name.lower()}/">'
        f"{name}</a></li>"
        for name in ("Services", "Projects", "Blog", "Imprint", "Contact")
    )
    logo = builder.widget(
        "theme-site-title", '<p class="elementor-heading-title"><a href="/">Millrace</a></p>'
    )
    nav = builder.widget("nav-menu", f'<nav class="elementor-nav-menu--main"><ul>{menu}</ul></nav>')
    about = builder.heading("Millrace Joinery", 4) + builder.text(
        "We repair and build in wood, in old houses and in new ones. Our workshop is by the weir at Upwell."
    )
    services = builder.heading("What we do", 4) + builder.icons(
        _LABELS, [f"/services/{label.lower()}/" for label in _LABELS]
    )
    visit = builder.heading("Visit us", 4) + builder.icons(
        ("14 Weir Lane, Upwell", "01632 960 214", "Monday to Friday, 8 to 5"),
        ("/map/", "tel:01632960214", "/hours/"),
    )
    return (
        f'<!DOCTYPE html>\n<html lang="en-GB"><head><meta charset="UTF-8"><title>{title} - '
        f'Millrace Joinery</title><meta name="generator" content="Elementor 3.11.2"></head>\n'
        f'<body class="wp-embed-responsive elementor-default elementor-kit-7 elementor-page-{kind}">\n'
        f'<header data-elementor-type="header" '
        f'data-elementor-id="31" class="elementor elementor-31 elementor-location-header">\n'
        f"{builder.section(logo, nav)}</header>\n{inner}"
        f'<footer data-elementor-type="footer" data-elementor-id="44" class="elementor elementor-44 '
        f'elementor-location-footer">\n{builder.section(about, services, visit)}'
        f"{builder.section(builder.text('© 2023 Millrace Joinery. All rights reserved.'))}"
        f"</footer>\n</body></html>"
    )


def _single(article: _Article, related: Sequence[_Article]) -> str:
    builder = _Builder(Prose(_GRAMMAR, "single"))
    title = f'<h1 class="elementor-heading-title elementor-size-default">{article.title}</h1>'
    items = "".join(
        f'<li class="elementor-icon-list-item"><a href="/author/"><span class="elementor-icon-list-text '
        f'elementor-post-info__item--type-{kind}">{text}</span></a></li>'
        for kind, text in (("author", article.author), ("date", article.day))
    )
    info = f'<ul class="elementor-inline-items elementor-icon-list-items elementor-post-info">{items}</ul>'
    call = builder.heading("Do you have an old house, too?") + builder.text(
        "Tell us what creaks. We come and have a look, free of charge, within twenty miles of Upwell."
    )
    parts = (
        builder.section(builder.widget("theme-post-title", title) + builder.widget("post-info", info)),
        builder.section(builder.widget("theme-post-content", article.sections)),
        builder.section(call, builder.button("Ask for a visit", "/contact/")),
        builder.section(builder.heading("More from our workshop") + _grid(related)),
    )
    return _page(
        article.title,
        f'<div data-elementor-type="single-post" data-elementor-id="58" class="elementor elementor-58 '
        f'elementor-location-single post type-post status-publish">\n{"".join(parts)}</div>\n',
        "58",
    )


def _archive(title: str, articles: Sequence[_Article], text: str = "") -> str:
    builder = _Builder(Prose(_GRAMMAR, "archive"))
    head = builder.heading(title, 1) + (builder.text(text) if text else "")
    inner = builder.section(head) + builder.section(_grid(articles, "archive-posts"))
    return _page(
        title,
        f'<div data-elementor-type="archive" data-elementor-id="63" class="elementor elementor-63 '
        f'elementor-location-archive">\n{inner}</div>\n',
    )


def page_builder() -> Site:
    """Articles of a page builder, with headings, image boxes and buttons in sections of their own."""
    site = Site("builder.example")
    articles = [_write(number) for number in range(_ARTICLES + _LATER)]
    for n, article in enumerate(articles):
        related = [articles[(n + step) % len(articles)] for step in (3, 7, 11)]
        site.add(article.path, _single(article, related), article.title, article.lines, later=n >= _ARTICLES)
    hello = "Staircases, windows and roofs for houses that have seen a lot. Read here what we are working on."
    site.add("", _archive("Joiners by the weir", articles[-6:], hello))
    for number in range(4):
        site.add(
            f"blog/page/{number + 1}/",
            _archive(f"Blog, page {number + 1}", articles[number * 6 : number * 6 + 6]),
            later=number >= 2,
        )
    for number, label in enumerate(_LABELS):
        chosen = [article for article in articles if article.label == label]
        site.add(f"category/{label.lower()}/", _archive(label, chosen), later=number >= 2)
    builder = _Builder(Prose(_GRAMMAR, "imprint"))
    address = builder.text(
        "Millrace Joinery Ltd, 14 Weir Lane, Upwell", "Registered in Upwell, number 960214"
    )
    site.add_unjudged(
        "imprint/", _page("Imprint", builder.section(builder.heading("Imprint", 1) + address), "7")
    )
    return site
