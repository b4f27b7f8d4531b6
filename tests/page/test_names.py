"""Authors' names in the texts that state them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer.page.names import is_name, joined_name, names_in

ANN, BOB, CY = "Ann Lee", "Bob O'Neil", "Cy Poe"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (f"{ANN}, {BOB} and {CY}", "en"),
        (f"{ANN}, {BOB}, and {CY}", ""),
        (f"By {ANN}; {BOB}; {CY}", "fr"),
        (f"{ANN} & {BOB} & {CY}", ""),
        (f"{ANN} &amp; {BOB} | {CY}", ""),
        (f"{ANN} / {BOB} / {CY}", ""),
        (f"{ANN}/{BOB}/{CY}", ""),
        (f"{ANN}, {BOB} with {CY}", ""),
        (f"{ANN} (AP), {BOB} (Reuters) and {CY} (AFP)", ""),
        (f"{ANN} @ann, {BOB} bob@a.example, {CY} (cy@a.example)", ""),
        (f"von {ANN}, {BOB} und {CY}", "de-AT"),
        (f"Par {ANN}, {BOB} et {CY}", "fr"),
        (f"Por: {ANN}, {BOB} y {CY}", "es"),
        (f"Автор: {ANN}, {BOB} и {CY}", "ru"),
        (f"<a href='/ann'>{ANN}</a> <a>{BOB}</a>, <b>{CY}</b>", ""),
        (f"{ANN} und {BOB} y {CY}", "en"),
        (f'["{ANN}", "{BOB}","{CY}"]', ""),
        ("Lee, Ann; O'Neil, Bob; Poe, Cy", ""),
        (f"&lt;span class=&quot;by&quot;&gt;by&lt;/span&gt; {ANN}, {BOB}, {CY}", ""),
    ],
)
def test_several_in_one_text(text: str, language: str) -> None:
    """A text is divided at the signs and words between names, and loses tags and the word before them."""
    assert names_in(text, language) == [ANN, BOB, CY]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("박서연 기자", "박서연"),
        ("박서연기자", "박서연"),
        ("高橋 大輔 記者", "高橋 大輔"),
        ("高橋大輔記者", "高橋大輔"),
        ("王小明／台北報導", "王小明"),
        ("記者王小明/綜合報導", "王小明"),
        ("文・高橋 大輔", "高橋 大輔"),
        ("राम शर्मा द्वारा", "राम शर्मा"),
        ("記者", "記者"),
        ("王小明 /文", "王小明"),
        ("本报记者 王小明 北京报道", "王小明"),
        ("文・山田太郎 写真・佐藤花子", "山田太郎"),
    ],
)
def test_a_word_for_an_author_behind_or_before_a_name(text: str, name: str) -> None:
    """In some languages, it is no part of the name wherever it stands."""
    assert names_in(text) == [name]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Lee, Ann", ""),
        ("Martin Luther King, Jr.", ""),
        ("Food and Drug Administration", "en"),
        ("José Ortega y Gasset", "es"),
        ("Dora & Co", ""),
        ("Von Miller", "en"),
        ("Dr. Jan von Berg", "de"),
        ("AC/DC", ""),
        ("By", ""),
        ("@ann", ""),
        ("Ann Lee (Harbour desk)", ""),
        ("Coffee with Ann Lee", ""),
        ("Andrew Anders-Andersen", ""),
        ("Santiago Ramón y Cajal", "en"),
        ("Ann Lee et al.", "en"),
        ("Ann Lee Jr.", "en"),
        ("Ann [Lee]", ""),
        ("Department of Health and Human Services", "en"),
        ("National Fishing and Weather Administration", "en"),
        ("Gull Institute for Fish & Harbour Studies", "en"),
        ("Harbour Centre For Fish", "en"),
    ],
)
def test_one_name(text: str, language: str) -> None:
    """A text is one name if its parts would not be full names."""
    assert names_in(text, language) == [text]


@pytest.mark.parametrize(
    "role",
    [
        "Staff Writer",
        "Harbour Correspondent",
        "RIVER EDITOR",
        "Editor-in-Chief",
        "CEO",
        "Redakteurin",
        "Periodista",
        "Professor of History, University of Fenwick",
        "Harbour News",
        "Associated Press",
        "New York",
        "Rio de Janeiro",
        "University of Fenwick",
        "special to Harbour Times",
        "envoyée spéciale à Lyon",
        "Harbour Herald",
        "AP",
    ],
)
def test_a_role_is_no_name(role: str) -> None:
    """Behind a name stands what somebody is, or writes for; a title before a name is another matter."""
    assert names_in(f"{ANN}, {role}", "en") == [ANN]
    assert names_in(f"{ANN}, {role}, and {BOB}, {role}", "en") == [ANN, BOB]
    assert names_in(f"{ANN}, {role} and {BOB}", "en") == [ANN, BOB]
    assert names_in(f"{ANN}, Professor {BOB}", "en") == [ANN, f"Professor {BOB}"]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", f"{ANN} sowie {BOB}"),
        ("es", f"{ANN} e {BOB}"),
        ("fr", f"{ANN} avec {BOB}"),
        ("it", f"{ANN} ed {BOB}"),
        ("uk", f"{ANN} та {BOB}"),
    ],
)
def test_other_words_between_names(language: str, text: str) -> None:
    """A language has several, before some sounds, or in formal texts."""
    assert names_in(text, language) == [ANN, BOB]


@pytest.mark.parametrize(
    "text",
    [
        f"{ANN}, Photos: {BOB}",
        f"{ANN}; Photos: {BOB}",
        f"Text: {ANN}, Bild: {BOB}",
        f"Words by {ANN}, photos by {BOB}",
        f"{ANN}, translated by {BOB}",
        f"{ANN} (translated by {BOB})",
        f"{ANN} (Text), {BOB} (Bilder)",
        f"{ANN} / dpa",
        f"{ANN} - gullNews",
        f"{ANN} For Gull News",
    ],
)
def test_who_has_done_something_else(text: str) -> None:
    """Photographers, translators and agencies are no authors, unless nobody else is named."""
    assert names_in(text, "en") == [ANN]
    assert names_in(f"Text und Fotos: {ANN}", "de") == names_in(f"Text, Bild: {ANN}", "de") == [ANN]
    assert names_in(f"Photos: {ANN}") == [ANN]


def test_other_scripts() -> None:
    """Names without spaces are divided as well; a label ends with a colon of any script."""
    assert names_in("文：山田太郎、佐藤花子") == ["山田太郎", "佐藤花子"]
    assert names_in("作者: 张三，李四") == names_in("记者 张三 李四", "zh") == ["张三", "李四"]


def test_what_stands_behind_names() -> None:
    """A degree behind a comma is no given name, and a full stop no part of one."""
    assert names_in("Lee, MD; Marsh, Bob") == ["Lee, MD", "Marsh, Bob"]
    assert names_in("Lee, Ann; Bob Marsh") == ["Lee, Ann", "Bob Marsh"]
    assert names_in("Lee, Ann; van den Marsh, B.") == ["Ann Lee", "B. van den Marsh"]
    assert names_in("Ann Lee and Bob Harbour.") == ["Ann Lee", "Bob Harbour"]
    assert names_in("Ann Lee, & and") == ["Ann Lee"]


def test_no_names() -> None:
    """Addresses, long texts and texts without a letter are none."""
    assert names_in("https://a.example/ann") == names_in("123") == names_in("") == names_in("x" * 101) == []


@pytest.mark.parametrize(
    "text", ["null", "undefined undefined", "None", "Unknown", "[object Object]", "{{ author }}"]
)
def test_what_programs_state_without_a_name(text: str) -> None:
    """It is no name, also beside one."""
    assert names_in(text) == names_in(f"By {text}") == []
    assert names_in(f"{text}; {ANN}") == [ANN]


def test_a_name_in_parts() -> None:
    """It is joined in the order of its script."""
    assert joined_name("Ann", "M.", "Lee") == "Ann M. Lee"
    assert joined_name("", "", "Lee") == "Lee"
    assert joined_name("花子", "", "佐藤") == "佐藤花子"


@given(st.text(st.sampled_from("AaLl ,;&|/<>:、'.-")), st.sampled_from(["", "en", "es"]))
def test_any_text(text: str, language: str) -> None:
    """Whatever the text, each name is one, and is there once."""
    found = names_in(text, language)
    assert all(map(is_name, found))
    assert len(found) == len({*found})


def test_names_that_are_remembered_do_not_change() -> None:
    """Whoever changes the names that he got changes only his own list."""
    names_in(f"{ANN}, {BOB}", "en").clear()
    assert names_in(f"{ANN}, {BOB}", "en") == [ANN, BOB]


@pytest.mark.parametrize(
    "text",
    [
        "Posted by Ann Lee",
        "Ann Lee (guest author)",
    ],
)
def test_what_is_around_a_stated_name_is_none(text: str) -> None:
    """Words before "by" and a role in brackets are not the name, but a sponsor's are."""
    assert names_in(text, "en") == ["Ann Lee"]
    assert names_in("Sponsored by Gull Foods", "en") == ["Sponsored by Gull Foods"]
