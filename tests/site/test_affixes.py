from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer.site.affixes import affixes_of, learn_affixes, strip_affixes

TITLES = ["Seals return", "Geese leave", "A mill is sold", "The night ferry"]


@pytest.mark.parametrize("sign", [" - ", " | ", ": ", " » ", "・"])
def test_what_recurs_at_a_sign_is_stripped(sign: str) -> None:
    """A text that several titles have before or after a separator is the site's, and is removed."""
    for whole in ("{title}{sign}The Gazette", "The Gazette{sign}{title}", "News{sign}{title}{sign}Gazette"):
        titles = [whole.format(title=title, sign=sign) for title in TITLES]
        affixes = learn_affixes(titles)
        assert [strip_affixes(title, affixes) for title in titles] == TITLES


@pytest.mark.parametrize("title", ["ข่าววันนี้", "समाचार नदी", "Cafe\u0301 noir"])
def test_a_mark_is_a_part_of_its_word(title: str) -> None:
    """The vowels of Thai and Hindi, and accents that are characters of their own, divide no title."""
    assert affixes_of(f"{title} - Gazette") == ((f"{title} - ",), (" - Gazette",))


def test_words_that_titles_begin_with_are_no_prefix() -> None:
    """Only a separator ends an affix; a space, a dot or an apostrophe does not."""
    titles = ["The mill's sold", "The mill's lost", "How to mend. Part 1", "How to mend. Part 2"]
    assert learn_affixes(titles) == ((), ())


def test_a_hyphen_in_the_first_or_last_word_ends_no_affix() -> None:
    """Commands are called "git-log" and "git-push". A site's name may stand behind a hyphen."""
    assert learn_affixes(["git-log", "git-push", "to mill-made", "of mill-made"]) == ((), ())
    assert learn_affixes(["CS:GO is new", "CS:GO is old", "Is it new:old", "Was it new:old"]) == ((), ())
    assert affixes_of("Seals return-The Gazette") == (("Seals return-",), ("-The Gazette",))
    assert affixes_of("海豹归来-公报") == (("海豹归来-",), ("-公报",))


def test_an_affix_recurs() -> None:
    """A separator in a single title gives no affix, even if many pages have this title."""
    assert learn_affixes(["Seals - a report", "Geese leave"]) == ((), ())
    assert learn_affixes(["Seals - a report"] * 9) == ((), ())


def test_what_stands_behind_titles_may_stand_before_an_older_one() -> None:
    """A site that was redesigned had its name at the other end of the title, with another sign."""
    affixes = learn_affixes([f"{title} | The Gazette" for title in TITLES])
    assert strip_affixes("The Gazette - Otters swim", affixes) == "Otters swim"
    assert strip_affixes("The Gazette of the coast - Otters swim", affixes).startswith("The Gazette")
    affixes = learn_affixes([f"The Gazette: {title}" for title in TITLES])
    assert strip_affixes("Otters swim » The Gazette", affixes) == "Otters swim"


def test_share_of_titles_that_an_affix_must_have() -> None:
    """On large sites a few titles with the same end do not make a suffix."""
    titles = [f"Title {n}" for n in range(57)] + [f"Report {n} - part two" for n in "abc"]
    assert learn_affixes(titles)[1] == (" - part two",)
    assert learn_affixes(titles, share=0.06)[1] == ()


def test_the_longest_affix_is_stripped() -> None:
    """If several suffixes fit, the longest is removed."""
    titles = [f"{title} | News | The Gazette" for title in TITLES]
    affixes = learn_affixes(titles)
    assert affixes[1] == (" | News | The Gazette", " | The Gazette")
    assert strip_affixes(titles[0], affixes) == "Seals return"


def test_a_title_is_never_stripped_to_nothing() -> None:
    """A title made of affixes alone stays as it is."""
    affixes = (("News - ",), (" - Gazette", "Gazette"))
    assert strip_affixes("Gazette", affixes) == "Gazette"
    assert strip_affixes("News - ", affixes) == "News - "
    assert strip_affixes("", affixes) == ""


@given(st.lists(st.text(alphabet="ab -|", max_size=9), max_size=5))
def test_stripping_any_title(titles: list[str]) -> None:
    """The rest is a part of the title, and empty only if the title is empty."""
    affixes = learn_affixes(titles)
    for title in titles:
        assert strip_affixes(title, affixes) in title
        assert bool(strip_affixes(title, affixes)) == bool(title)


def test_endless_titles_take_no_memory() -> None:
    """Of a title with a separator at every third character, few parts are kept from each end."""
    titles = ["a - " * 30_000 + str(number) for number in range(3)]
    assert learn_affixes([*titles, "One | News", "Two | News", "Six | News"])[1] == (" | News",)
    before, after = affixes_of(titles[0])
    assert len(before) == len(after) == 20
    assert (before[1], after[-1]) == ("a - a - ", " - 0")
