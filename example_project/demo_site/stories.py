"""The articles of the demo site before they are laid out: the same ones each time they are asked for."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import TypeVar

from .words import WORDS

__all__ = ["DAYS", "Comment", "Part", "Story", "stories"]

T = TypeVar("T")

#: How many articles the site shows on each day.
DAYS = {1: 90, 2: 144, 3: 234}

FIRST_DATE = datetime.date(2026, 1, 5)

#: Department and language of the articles, in turn: 40 % news, 33 % blog, 22 % bulletin.
TURNS = (
    ("news", "en"), ("blog", "ja"), ("bulletin", "en"), ("news", "ja"), ("blog", "en"), ("news", "en"),
    ("bulletin", "ja"), ("news", "ja"), ("blog", "en"),
)  # fmt: skip


class Dice(Random):
    """Choices that depend on the seed alone: built on ``random()``, which is the same in every Python."""

    def below(self, n: int) -> int:
        return int(self.random() * n)

    def pick(self, things: list[T] | tuple[T, ...]) -> T:
        return things[self.below(len(things))]

    def some(self, things: list[T], count: int) -> list[T]:
        """Return ``count`` different ones in a random order."""
        return sorted(things, key=lambda _: self.random())[:count]


@dataclass(frozen=True)
class Part:
    """A part of an article's body.

    :param kind: p, h2, h3, ul, ol, quote, figure, code or table.
    :param lines: its text; what is between asterisks is emphasised, between ``[[ ]]`` linked, but for code.
    :param number: columns of a table, picture of a figure.
    """

    kind: str
    lines: tuple[str, ...]
    number: int = 0

    @property
    def text(self) -> str:
        """Its lines as their reader sees them."""
        text = "\n".join(self.lines)
        return text if self.kind == "code" else re.sub(r"\*|\[\[|\]\]", "", text)


@dataclass(frozen=True)
class Comment:
    """What a reader wrote below an article."""

    number: int
    author: str
    text: str


@dataclass(frozen=True)
class Story:
    """An article: all that its page shows of it."""

    number: int
    language: str
    department: str
    section: str
    path: str
    title: str
    author: str
    date: datetime.date
    tags: tuple[str, ...]
    parts: tuple[Part, ...]
    comments: tuple[Comment, ...]
    picture: int

    @property
    def day(self) -> int:
        """The day on which it is published, 1 to 3."""
        return min(day for day, count in DAYS.items() if self.number < count)

    @property
    def text(self) -> str:
        """The main text as its reader sees it, one line a paragraph, item, cell or line of code."""
        return "\n".join(part.text for part in self.parts)


class Writer:
    """Fills the stock's sentences with names and numbers; the subject stays the same in an article."""

    def __init__(self, language: str, dice: Dice) -> None:
        self.words, self.dice, self.english = WORDS[language], dice, language == "en"
        words = self.words
        self.subject = {
            "thing": dice.pick(words["things"]),
            "place": dice.pick(words["places"]),
            "person": dice.pick(words["people"]),
        }

    def fill(self, template: str) -> str:
        dice, words = self.dice, self.words
        group, day = dice.pick(words["groups"]), 4 + dice.below(17)
        text = template.format(
            **self.subject,
            thing2=dice.pick([thing for thing in words["things"] if thing != self.subject["thing"]]),
            place2=dice.pick([place for place in words["places"] if place != self.subject["place"]]),
            person2=dice.pick([person for person in words["people"] if person != self.subject["person"]]),
            place_id=re.sub(r"\W+", "-", dice.pick(WORDS["en"]["places"]).lower()),
            role=dice.pick(words["roles"]),
            group=group,
            group_up=group[0].upper() + group[1:],
            material=dice.pick(words["materials"]),
            month=dice.pick(words["months"]),
            year=1890 + dice.below(130),
            hour=2 + dice.below(6),
            age=70 + dice.below(25),
            n=11 + dice.below(79),
            small=2 + dice.below(8),
            ordinal=f"{day}th",
        )
        return re.sub(r"\b([Aa]) (?=[aeiou])", r"\1n ", text) if self.english else text

    def filled(self, templates: list[str], count: int) -> tuple[str, ...]:
        return tuple(self.fill(template) for template in self.dice.some(templates, count))

    def paragraph(self, sentences: list[str]) -> str:
        """Return two to four sentences, taken from the list; in one of four paragraphs there is a mark."""
        count = 2 + self.dice.below(3)
        chosen = [self.fill(sentences.pop()) for _ in range(min(count, len(sentences)))]
        mark = self.dice.below(12)
        if mark == 0:
            chosen[-1] = f"*{chosen[-1]}*"
        text = (" " if self.english else "").join(chosen)
        names = [name for name in self.words["groups"] + self.words["places"] if name in text]
        if names and mark in (1, 2, 3):
            text = text.replace(names[0], f"[[{names[0]}]]", 1)
        return text

    def extra(self, kind: str) -> list[Part]:
        """Return a part other than a paragraph."""
        words, dice = self.words, self.dice
        if kind in ("ul", "ol"):
            return [Part(kind, self.filled(words["items" if kind == "ul" else "steps"], 3 + dice.below(4)))]
        if kind == "quote":
            return [Part(kind, (self.fill(dice.pick(words["quotes"])), f"— {dice.pick(words['people'])}"))]
        if kind == "figure":
            return [Part(kind, (self.fill(dice.pick(words["captions"])),), dice.below(8))]
        if kind == "code":
            return [Part(kind, self.filled(words["code"], 3 + dice.below(4)))]
        return [self.table()]

    def table(self) -> Part:
        """Return a table of places. Its cells recur on few pages only, though the stock of names is small."""
        headers = self.dice.some(self.words["headers"], 3)
        cells = list(headers)
        for name in self.dice.some(self.words["places"], 3 + self.dice.below(4)):
            # with dice of its own, so that the rest of the article does not depend on it
            thing = Dice(f"{self.subject} {name}").pick(self.words["things"])
            cells += [
                f"{name}: {thing}",
                str(3 + self.dice.below(900)),
                f"{self.dice.below(99)}.{self.dice.below(10)}",
            ]
        return Part("table", tuple(cells), 3)

    def title(self, taken: set[str]) -> str:
        """Return a title that no other article has; one in seven is short."""
        short = [title for title in self.words["short_titles"] if title not in taken]
        if short and self.dice.below(7) == 0:
            return self.dice.pick(short)
        while True:
            title = self.fill(self.dice.pick(self.words["titles"]))
            title = title[0].upper() + title[1:]
            if title not in taken:
                return title


#: What the articles of a department may hold besides paragraphs.
EXTRAS = {
    "news": ["figure", "quote", "ul", "table", "ol"],
    "blog": ["figure", "code", "ol", "ul", "quote", "table"],
    "bulletin": ["table", "ul", "figure", "quote", "ol"],
}


def _body(writer: Writer, department: str) -> tuple[Part, ...]:
    """Return 4 to 13 paragraphs, sub-headings where these are many, and up to three other parts."""
    dice, words = writer.dice, writer.words
    sentences = dice.some(words["sentences"], len(words["sentences"]))
    count = dice.pick((4, 4, 5, 5, 6, 7, 8, 10, 13))
    parts = [Part("p", (writer.fill(dice.pick(words["leads"])),))]
    headings = dice.some(words["headings"], 4) if count > 5 else []
    extras = dice.some(EXTRAS[department], dice.below(4))
    for number in range(1, count):
        if headings and number % 3 == 0:
            parts.append(Part("h3" if number == 9 else "h2", (writer.fill(headings.pop()),)))
        if sentences:
            parts.append(Part("p", (writer.paragraph(sentences),)))
        if extras and dice.below(count) < 3:
            parts += writer.extra(extras.pop())
    return tuple(parts)


def _comments(writer: Writer, department: str, number: int) -> tuple[Comment, ...]:
    """Return no comment below half of the articles, many below a few, none in the bulletin."""
    dice = writer.dice
    count = 0 if department == "bulletin" else dice.pick((0, 0, 0, 0, 1, 2, 3, 5, 11))
    texts = enumerate(writer.filled(writer.words["comments"], count), start=number * 20)
    return tuple(Comment(each, dice.pick(writer.words["people"]), text) for each, text in texts)


def _path(department: str, language: str, section: str, date: datetime.date, number: int, title: str) -> str:
    """Return the address: by section and title, by date, or by number; Japanese titles give no words."""
    slug = "-".join(re.findall(r"[a-z0-9]+", title.lower())[:7]) or f"entry-{1000 + number * 7}"
    if department == "news":
        return f"/{language}/news/{section}/{slug}-{1000 + number * 7}.html"
    if department == "blog":
        return f"/{language}/blog/{date:%Y/%m}/{slug}/"
    return f"/{language}/bulletin/{date:%y%m}{number:04}.html"


def _story(number: int, taken: set[str]) -> Story:
    department, language = TURNS[number % len(TURNS)]
    dice = Dice(f"story {number}")
    writer = Writer(language, dice)
    title = writer.title(taken)
    date = FIRST_DATE + datetime.timedelta(days=number // 2)
    section = dice.pick(list(writer.words.pairs(f"sections of {department}")))
    return Story(
        number=number,
        language=language,
        department=department,
        section=section,
        path=_path(department, language, section, date, number, title),
        title=title,
        author=dice.pick(writer.words["people"]),
        date=date,
        tags=tuple(dice.some(list(writer.words.pairs("tags")), 1 + dice.below(3))),
        parts=_body(writer, department),
        comments=_comments(writer, department, number),
        picture=dice.below(8),
    )


@lru_cache(maxsize=3)
def stories(day: int) -> tuple[Story, ...]:
    """Return the articles that are on the site on a day, oldest first."""
    taken: set[str] = set()
    result = []
    for number in range(DAYS[day]):
        result.append(_story(number, taken))
        taken.add(result[-1].title)
    return tuple(result)
