"""Learn where the pages of a layout show the fields of their articles: authors, topics, the day.

Some pages state their author to programs; the same name stands in a line of the page: "by Ann Lee | 3
comments". The path of the line and the text around the name are the same on all pages of the layout. So they
are learned, and then read on pages that state nothing. Elements that are marked as an author or a topic
(``page/marks.py``) count like statements. The form of days is learned from lines whose day is known, with the
site's own words for months; so the site's pages also tell whether the day or the month comes first.

Source: wrapper induction by delimiters (Kushmerick, Weld, Doorenbos 1997, the class LR). Departures: the
delimiters belong to one path; tags are single tokens, without what differs from page to page; the examples
are what pages state, and a place that often gives something else is dropped.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from html import escape, unescape

from ..page.calendars import may_be_month, month_of
from ..page.days import are_months, day_in, is_day_form, readings_of, says_changed, says_published
from ..page.names import capitals, is_topic
from ..page.text import TAG, fold, letters
from ..site.named_parts import COMMENTS, SIDEBARS, is_in
from ..site.placed import PlacedLayout
from ..values import FieldPlace, Trace
from .byline_names import names_of_line
from .bylines import is_apart, is_of_other_part, is_of_teaser

AUTHORS, TAGS, DAY, LANGUAGE = "authors", "tags", "date_published", "language"
#: The field of categories. They are the topics of pages that have no others.
CATEGORIES = "categories"
_TEXT_FIELDS = AUTHORS, TAGS, CATEGORIES
#: Fewer texts of a site tell nothing about its languages: each page is read as if it were alone.
LEAST_TEXTS = 3
#: The form of a place of which somebody has said what it shows: any line.
ANY = "*"
#: The field of the traces of days in lines; those of ``DAY`` are stated.
LINE_DAY = "day"

#: A line with an author's name or a day weighs at most this; so many characters of it are read for a day.
HEAVIEST_LINE = 300
#: So many characters of a line around a value count; so many are looked at, which may be tags.
_LONGEST_CONTEXT, _READ_AROUND = 40, 200
#: A place needs so many pages, and this share of the pages that have a value of the field ...
_LEAST_PAGES, _LEAST_SHARE = 3, 0.2
#: ... and on this share of the pages that have something there it must be exactly the value.
_RIGHT = 0.8
#: Topics differ from page to page: the place has so many different sets of them, as a share of its pages.
_VARIETY = 0.15
#: A set of so many topics is a cloud if two pages have it, and no other one.
_CLOUD = 6
#: So many lines beside that with topics show something else of the page.
_FEW_LINES = 2
#: Bound: so many places of a field are kept.
MOST_PLACES = 2

_BARE_TAG = re.compile(r"</?\w+>")
_LINK_TEXT = re.compile(r"<a\b[^<>]*>(.*?)</a>")
#: A link with a number at its end that has an element of its own.
_COUNTED = re.compile(
    r"<a\b[^<>]*>(?:<\w+[^<>]*>)?([^<>]*)(?:</\w+>\s*)?<(\w+)[^<>]*>\s*(\(?\d[\d.,]*\)?)\s*</\2>\s*</a>"
)
_TOKEN = re.compile(r"<[^<>]*>|\w+|\s+|[^\w\s]")
#: Stands for the beginning and the end of a line.
_EDGE = "\2"


def find_places(pages: Sequence[PlacedLayout], months: Mapping[str, int]) -> tuple[FieldPlace, ...]:
    """Return the places of the fields of a layout's articles, best first.

    :param pages: articles of the layout, with their traces.
    :param months: the site's words for months.

    Cost: linear in the number of traces; each place of days is read on all pages.
    """
    texts = (place for field in _TEXT_FIELDS for place in _text_places(pages, field))
    return *texts, *_day_places(pages, months)


def is_form(field: str, form: str) -> bool:
    """Return whether a text is the form of a place of a field."""
    if form == ANY:
        return field in (AUTHORS, TAGS, DAY)
    return is_day_form(form) if field == DAY else field in _TEXT_FIELDS and form.count("{}") == 1


def _traces(page: PlacedLayout, field: str) -> Iterator[Trace]:
    """Yield the traces of a field in lines that are in no comment; of days none that may only be today."""
    blocks, today = page.layout.blocks, page.layout.fetched[: len("2014-05-06")]
    for trace in page.layout.traces:
        if (
            trace.field == field
            and trace.block >= 0
            and not is_in(COMMENTS, page.layout, blocks[trace.block].node)
            and (trace.stated or trace.value != today)
        ):
            yield trace


def _text_places(pages: Sequence[PlacedLayout], field: str) -> list[FieldPlace]:
    """Return the places of authors or topics. Those that elements mark come first."""
    of_authors = field == AUTHORS
    stated = [
        {trace.value for trace in page.layout.traces if trace.field == field and trace.stated}
        for page in pages
    ]
    titles = [{letters(page.title), letters(page.layout.title_element)} for page in pages]
    groups: dict[tuple[str, ...], dict[int, list[Trace]]] = defaultdict(lambda: defaultdict(list))
    around: dict[tuple[str, ...], list[tuple[list[str], list[str]]]] = defaultdict(list)
    for at, page in enumerate(pages):
        for trace in _traces(page, field):
            node = page.layout.blocks[trace.block].node
            if of_authors and (
                page.leading[node]
                or (not trace.stated and _is_of_others(page, trace.block))
                or is_of_other_part(trace.line[: trace.at])
                or letters(trace.value) in titles[at]
            ):
                continue  # in a list of articles, each with its author; others than writers; a recipe's name
            before, after = _tokens_around(trace)
            key = page.places[trace.block], *before[:1], _EDGE, *after[:1]
            groups[key][at].append(trace)
            around[key].append((before, after))
    known = sum(map(bool, stated)) or len(set().union(*groups.values()))
    least = max(min(_LEAST_PAGES, len(pages)), _LEAST_SHARE * known)
    few = len(pages) < _LEAST_PAGES  # then a mark may be that of a cloud, or of who keeps the site
    varied = of_authors and len({*map(frozenset, filter(None, stated))}) > 1
    places = []
    for key, by_page in groups.items():
        path, form = key[0], _form(around[key]) if len(by_page) >= least else None
        if (
            form is None
            or (field == TAGS and _is_cloud(by_page))
            or (field == CATEGORIES and _is_same(by_page))
        ):
            continue
        right = sum(
            _is_right(form, traces, stated[at], marked=not (few or (varied and stated[at])))
            and not (_fits_any(form) and _shows_others(pages[at], path, traces))
            and (of_authors or not _is_menu(pages[at], path, traces))
            for at, traces in by_page.items()
        )
        elsewhere = 0
        if of_authors:  # another author than that of these pages may stand there
            others = (page for at, page in enumerate(pages) if stated[at] and at not in by_page)
            elsewhere = sum(path in page.places for page in others)
        if right >= max(least, _RIGHT * (len(by_page) + elsewhere)):
            marked = any(not trace.stated for traces in by_page.values() for trace in traces)
            # a list of stories that all pages show has the same names everywhere
            same = len({frozenset(trace.value for trace in traces) for traces in by_page.values()}) == 1
            if of_authors and same and marked and not any(map(_is_named, next(iter(by_page.values())))):
                continue  # "View all posts"
            places.append((not marked, same, -right, FieldPlace(field, path, form, len(by_page))))
    return [place for *_, place in sorted(places)[:MOST_PLACES]]


def _is_of_others(page: PlacedLayout, block: int) -> bool:
    """Return whether a line is in a sidebar, a caption, a quotation or a teaser: it names others."""
    node = page.layout.blocks[block].node
    return is_apart(page, block) or is_in(SIDEBARS, page.layout, node) or is_of_teaser(page, block)


def _is_named(trace: Trace) -> bool:
    """Return whether a value is a name: a single word, or words with capitals."""
    return " " not in trace.value or capitals(trace.value, "") == trace.value


def _is_right(form: str, traces: Sequence[Trace], stated: set[str], *, marked: bool) -> bool:
    """Return whether a form finds on a page what the page states or, if this counts, what is marked there."""
    lines = dict.fromkeys(trace.line for trace in traces)
    values = {*values_in(form, lines, of_authors=traces[0].field == AUTHORS)}
    return values == stated or (marked and values == {trace.value for trace in traces if not trace.stated})


def _fits_any(form: str) -> bool:
    """Return whether a form has neither words nor a tag that tells more than its name: it finds any line.

    >>> _fits_any("<b>{}</b>"), _fits_any("<a tags/>{}</a>"), _fits_any("by {}")
    (True, False, False)
    """
    return not any(map(str.isalnum, _BARE_TAG.sub("", form)))


def _shows_others(page: PlacedLayout, path: str, traces: Sequence[Trace]) -> bool:
    """Return whether a place has lines beside those that show its field: a day, how long reading takes."""
    blocks, shown = page.layout.blocks, {trace.block for trace in traces}
    return any(
        place == path and index not in shown and is_topic(fold(blocks[index].text))
        for index, place in enumerate(page.places)
    )


def _is_menu(page: PlacedLayout, path: str, traces: Sequence[Trace]) -> bool:
    """Return whether a place has more other lines than such that show its field, but for a few."""
    return page.places.count(path) > 2 * len({trace.block for trace in traces}) + _FEW_LINES


def _is_cloud(by_page: Mapping[int, Sequence[Trace]]) -> bool:
    """Return whether a place has the same topics on many pages, or on all few: a menu, a cloud of topics."""
    varied = {frozenset(trace.value for trace in traces) for traces in by_page.values()}
    is_large = len(max(varied, key=len, default=())) >= _CLOUD  # a few pages may have one topic each
    return len(varied) < max(_VARIETY * len(by_page), min(2, len(by_page)) if is_large else 0)


def _is_same(by_page: Mapping[int, Sequence[Trace]]) -> bool:
    """Return whether a place has the same categories on all of several pages: a menu."""
    varied = {frozenset(trace.value for trace in traces) for traces in by_page.values()}
    return len(by_page) > len(varied) == 1


def _tokens_around(trace: Trace) -> tuple[list[str], list[str]]:
    """Return the tokens of a trace's line before the value, the last one first, and those after it."""
    line, end = trace.line, trace.at + len(escape(trace.value, quote=False))
    before = _TOKEN.findall(line, max(0, trace.at - _READ_AROUND), trace.at)
    after = _TOKEN.findall(line, end, end + _READ_AROUND)
    return [*reversed(before), _EDGE], [*after, _EDGE]


def _form(around: Sequence[tuple[list[str], list[str]]]) -> str | None:
    """Return what lines have in common around their values; None: too little."""
    before = _common([tokens for tokens, _ in around])[::-1]
    after = _common([tokens for _, tokens in around])
    if not "".join(before).strip() or not "".join(after).strip():
        return None
    return f"{''.join(before)}{{}}{''.join(after)}".replace(_EDGE, "")


def _common(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the tokens with which all rows begin, a bounded number of characters."""
    tokens: list[str] = []
    for column in zip(*rows, strict=False):
        if len(set(column)) > 1 or (tokens and sum(map(len, tokens)) + len(column[0]) > _LONGEST_CONTEXT):
            break
        tokens.append(column[0])
    return tokens


def shown_at(place: FieldPlace, lines: Iterable[str], language: str) -> list[str]:
    """Return the values at a place of authors or topics; where somebody has said what it shows, all in lines.

    :param lines: the lines with their inline tags.
    """
    if place.form != ANY:
        return values_in(place.form, lines, of_authors=place.field == AUTHORS)
    if place.field == AUTHORS:
        texts = [fold(unescape(TAG.sub("", line))) for line in lines]
        return [name for text in texts for name in names_of_line(text, language)]
    return [topic for line in lines for topic in topics_of_line(line)]


def values_in(form: str, lines: Iterable[str], *, of_authors: bool = False) -> list[str]:
    """Return the values that stand in lines as a form says, each once.

    :param of_authors: whether they are names of authors; none is somebody who has done something else.

    >>> values_in("by <a>{}</a>", ["by <a>Ann Lee</a> and <a>others</a>"])
    ['Ann Lee']
    >>> values_in("<a>{}</a>", ["By <a>Ann Lee</a>", "Edited by <a>Bob Roe</a>"], of_authors=True)
    ['Ann Lee']
    """
    matches = (match for line in lines for match in _expression(form).finditer(line))
    if of_authors:
        matches = (match for match in matches if not is_of_other_part(match.string[: match.start(1)]))
    return [*dict.fromkeys(filter(is_topic, (fold(unescape(match[1])) for match in matches)))]


def topics_of_line(line: str) -> list[str]:
    """Return the topics in a line that is known to name topics: its links, or what commas divide.

    >>> topics_of_line("Tags: <a>Seals</a>, <a>Boats</a>"), topics_of_line("Tags: seals, boats")
    (['Seals', 'Boats'], ['seals', 'boats'])
    """
    texts = _LINK_TEXT.findall(line) or TAG.sub("", line).rpartition(":")[2].split(",")
    names = (fold(unescape(TAG.sub("", text))).lstrip("#＃") for text in texts)
    return [*filter(is_topic, names)]


def without_count(topic: str, line: str) -> str:
    """Return the topic of a link in a line without the number of its articles behind it.

    >>> [without_count("Area 51", f"<a>Area {number}</a>") for number in ("51", "<span>51</span>")]
    ['Area 51', 'Area']
    """
    for name, _, count in _COUNTED.findall(line):
        if letters(f"{name}{count}") == letters(topic):
            return fold(unescape(name)) or topic
    return topic


@lru_cache(maxsize=1 << 10)
def _expression(form: str) -> re.Pattern[str]:
    before, _, after = form.partition("{}")
    begin = re.escape(before) if before else r"^\s*"
    end = re.escape(after) if after else r"\s*$"
    return re.compile(rf"{begin}([^<>]+?)(?={end})")


def learn_months(pages: Iterable[PlacedLayout]) -> dict[str, int]:
    """Return the words that stand for months on a site's pages, each with the number of the month.

    What is learned agrees with what is known: a name of a month in any language stands for this month alone,
    whatever days the pages state.

    :param pages: articles of all layouts, with their traces.
    """
    by_form: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for page in pages:
        readings = {
            (reading, _month(trace.value))
            for trace in _traces(page, LINE_DAY)
            for reading in readings_of(trace.line, trace.value)
        }
        for reading, month in readings:
            by_form[reading.form].append((reading.word, month))
    words: dict[str, Counter[int]] = defaultdict(Counter)
    for months in by_form.values():
        if len(months) >= _LEAST_PAGES and are_months(months):
            for word, month in months:
                if word and may_be_month(word, month):
                    words[word][month] += 1
    most = Counter[int]()  # of several words for a month, that of most lines
    for counts in words.values():
        most |= counts
    surest = ((word, *counts.most_common(1)[0]) for word, counts in sorted(words.items()))
    return {word: month for word, month, count in surest if count == most[month]}


def _month(day: str) -> int:
    return int(day[5:7])


def _day_places(pages: Sequence[PlacedLayout], months: Mapping[str, int]) -> list[FieldPlace]:
    """Return the places of the day. Each is read on all pages whose day is known."""
    counts: Counter[tuple[str, str]] = Counter()
    changes: Counter[str] = Counter()
    true: dict[int, str] = {}
    are_few = len(pages) < _LEAST_PAGES  # then nothing confirms a day that no page states
    for at, page in enumerate(pages):
        traces = (trace for trace in page.layout.traces if trace.field == LINE_DAY)
        if known := [trace.value for trace in traces if trace.stated or not are_few]:
            true[at] = known[0]
        shown = [trace for trace in _traces(page, LINE_DAY) if trace.stated or not are_few]
        counts.update(
            {
                (page.places[trace.block], reading.form)
                for trace in shown
                for reading in readings_of(trace.line, trace.value)
                if not reading.word
                or (months.get(reading.word) or month_of(reading.word)) == _month(trace.value)
            }
        )
        lines = {(page.places[trace.block], trace.line) for trace in shown}
        changes.update({path for path, line in lines if says_changed(line) and not says_published(line)})
    least = max(min(_LEAST_PAGES, len(pages)), _LEAST_SHARE * len(true))
    places = []  # those that say of a day that it is that of a change come last
    for (path, form), count in counts.items():
        if count >= least:
            place = FieldPlace(DAY, path, form, count)
            days = [(day_at(place, _lines(pages[at], path), months), day) for at, day in true.items()]
            right, read = sum(shown == day for shown, day in days), sum(shown != "" for shown, _ in days)
            # a head may show the day on which all pages were fetched
            varied = len({day for shown, day in days if shown == day}) > 1 or right < _LEAST_PAGES
            if varied and right >= max(least, _RIGHT * read):
                places.append((2 * changes[path] > count, -right, place))
    return [place for *_, place in sorted(places)[:MOST_PLACES]]


def _lines(page: PlacedLayout, path: str) -> Iterator[str]:
    return (block.text for place, block in zip(page.places, page.layout.blocks, strict=True) if place == path)


def day_at(place: FieldPlace, lines: Iterable[str], months: Mapping[str, int]) -> str:
    """Return the day in the lines at a place, ``YYYY-MM-DD``; empty: none stands there."""
    return next(filter(None, (day_in(place.form, line[:HEAVIEST_LINE], months) for line in lines)), "")
