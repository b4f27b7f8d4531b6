"""Texts of golden sites, drawn from lists of words; the same in every run."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence

NOUNS = (
    "anchor barley cellar drum engine fence garden hammer island jacket kettle ladder market needle orchard "
    "pier quarry raft stable tower umbrella valley wagon yard"
).split()
_VERBS = "borrows carries draws empties finds guards hides keeps lends mends needs paints sells".split()
_MANNERS = "at dawn,by hand,in a hurry,on foot,after supper,without a word,for a friend,as always".split(",")
_SUBJECTS = "潮見町の漁師,新しい図書館,山の郵便局,市場の店主,若い研究者,村の学校,港の灯台".split(",")
_THINGS = "青い自転車,長い手紙,冬の地図,小さな望遠鏡,百本の苗木,壊れた楽器,昔の写真,木の橋".split(",")
_DEEDS = "を修理した,を探している,を町に贈った,について語った,を毎朝みがく,を倉で見つけた".split(",")


class Writer:
    """Writes texts that differ for each site and number."""

    def __init__(self, site: str, number: int) -> None:
        self.chance = random.Random(f"{site}/{number}")
        self.number = number

    def sentence(self) -> str:
        a, b, c = self.chance.sample(NOUNS, 3)
        verb, how = self.chance.choice(_VERBS), self.chance.choice(_MANNERS)
        return f"The {a} by the {b} {verb} a {self.chance.choice(NOUNS)} {how}, says the {c}."

    def paragraph(self, sentences: int = 4) -> str:
        return " ".join(self.sentence() for _ in range(sentences))

    def paragraphs(self, count: int = 4) -> list[str]:
        return [self.paragraph() for _ in range(count)]

    def title(self) -> str:
        a, b, c = (word.capitalize() for word in self.chance.sample(NOUNS, 3))
        return f"{a} and {b} {self.chance.choice(_VERBS)} {c} {self.chance.choice(_MANNERS)}"

    def japanese(self) -> str:
        return "".join(map(self.chance.choice, (_SUBJECTS, ("は", "が"), _THINGS, _DEEDS))) + "。"


Grammar = Mapping[str, Sequence[str]]


def read_grammar(*texts: str) -> Grammar:
    """Read lines of the form ``name: one phrase | another``. A name may have several lines.

    ``{name}`` in a phrase stands for one of the phrases with this name.
    """
    grammar: dict[str, list[str]] = {}
    for line in "\n".join(texts).splitlines():
        name, _, phrases = line.partition(":")
        if phrases:
            grammar.setdefault(name.strip(), []).extend(phrase.strip() for phrase in phrases.split("|"))
    return grammar


class Prose:
    """Tells phrases of a grammar that differ for each seed. None comes twice from one ``Prose``.

    The phrases of a name come in turns, like cards of a pack, so that neighbours are not alike.
    """

    def __init__(self, grammar: Grammar, seed: str, topics: Sequence[str] = ()) -> None:
        """:param topics: names that always stand for one and the same phrase."""
        self.chance = random.Random(seed)
        self._grammar = dict(grammar)
        self._packs: dict[str, list[str]] = {}
        self._told: set[str] = set()
        for name in topics:
            self._grammar[name] = [self._phrase(name)]
            self._packs[name].clear()

    def tell(self, name: str) -> str:
        """Return a phrase that begins with a capital letter."""
        while True:
            phrase = re.sub(r"\b([Aa]) (?=[aeiou])", r"\1n ", self._phrase(name))
            if phrase not in self._told:
                self._told.add(phrase)
                return phrase[0].upper() + phrase[1:]

    def several(self, name: str, least: int, most: int) -> list[str]:
        return [self.tell(name) for _ in range(self.chance.randint(least, most))]

    def paragraph(self, least: int = 3, most: int = 5, name: str = "sentence") -> str:
        return " ".join(self.several(name, least, most))

    def _phrase(self, name: str) -> str:
        pack = self._packs.setdefault(name, [])
        if not pack:
            pack.extend(self._grammar[name])
            self.chance.shuffle(pack)
        return re.sub(r"\{(\w+)\}", lambda found: self._phrase(found[1]), pack.pop())


#: Names that all sites draw from.
NAMES = """
first: Anna | Bruno | Carla | David | Edith | Farid | Greta | Hugo | Ines | Jonas | Karim | Lena
first: Marta | Nils | Olga | Pavel | Rosa | Simon | Tilda | Umar | Vera | Walter | Yara | Zora
last: Abbott | Berg | Castell | Dahl | Eklund | Farrow | Gruber | Holm | Ibsen | Jansen | Kemp
last: Lindqvist | Moreau | Novak | Okoye | Petri | Quist | Rossi | Salter | Tanner
last: Ullman | Varga | Weller | Zeman
person: {first} {last}
place: Ashby | Brackwell | Coldharbour | Dunmere | Easton | Fernhill | Graysby | Hollins
place: Islay Cross | Kettleby | Lowmoor | Marsh End | Northgate | Oakhanger | Penrow
place: Saltby | Thornley | Upwell | Westering
day: Monday | Tuesday | Wednesday | Thursday | Friday | Saturday | Sunday
number: two | three | four | five | six | seven | eight | nine | ten | eleven | twelve
"""
