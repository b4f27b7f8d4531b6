"""JSON-LD as it stands in pages: wrapped, escaped, with comments, commas and quotes that are invalid."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_webstemmer.page.json_ld import list_of, objects_in, values_of

THING = {"@type": "BlogPosting", "author": {"name": 'Ann "Bee" Lee'}, "url": "http://a.example/?a=1&b=//x"}
PLAIN = {"@type": "BlogPosting", "tags": ["a", "b"]}


@pytest.mark.parametrize(
    "wrap",
    [
        "// <![CDATA[\n{}\n// ]]>",
        "/* <![CDATA[ */ {} /* ]]> */",
        "<!-- {} -->",
        "<!--//--><![CDATA[//><!--\n{}\n//--><!]]>",
        "<!-- made by a plugin -->\n{}\n<!-- / made by a plugin -->",
        "/* made by a plugin */\n{};",
        "// made by a plugin\n{} // end",
        "\ufeff{}",
    ],
)
def test_what_stands_around_the_json(wrap: str) -> None:
    """Comments and sections of HTML, of XHTML and of scripts, in any order, hide nothing."""
    assert values_of(wrap.replace("{}", json.dumps(THING))) == [THING]


@pytest.mark.parametrize(
    "written",
    [
        json.dumps(PLAIN).replace('"', "&quot;"),
        json.dumps(PLAIN).replace('"', "&#34;"),
        json.dumps(PLAIN).replace('"', "&amp;quot;"),
        json.dumps(PLAIN).replace('"', '\\"'),
        json.dumps(json.dumps(PLAIN)),
        json.dumps(PLAIN).replace('"', "”"),
        json.dumps(PLAIN).replace("]", ",]").replace("}", ",\n}"),
        json.dumps(PLAIN).replace(": [", ": /* of the site */ ["),
    ],
)
def test_what_is_meant(written: str) -> None:
    """Quotes that an editor escaped or made round, commas without a value, and comments are read."""
    assert values_of(written) == [PLAIN]


@pytest.mark.parametrize(
    "written",
    [
        json.dumps(PLAIN)[:-1],
        json.dumps(PLAIN).replace("]", ""),
        json.dumps(PLAIN).replace('"', "'"),
        json.dumps(PLAIN).replace("{", "{'none': , 'url': undefined, "),
        json.dumps(PLAIN).replace(", ", ", , "),
        json.dumps(PLAIN).replace(": ", ":\u00a0"),
        f"var data = {json.dumps(PLAIN)};",
        f"{{tags: ['a', 'b'], {json.dumps(PLAIN)[1:]}",
        json.dumps(PLAIN).replace(', "tags', ' "tags'),
        json.dumps(PLAIN).replace(', "tags', '\n"tags'),
        '{@type:"BlogPosting",tags:["a","\\u0062"]}',
    ],
)
def test_what_is_read_loosely(written: str) -> None:
    """Brackets may be missing, commas too many; keys, and what stands for no value, may be bare words."""
    assert values_of(written) == [PLAIN]


def test_texts_as_scripts_write_them() -> None:
    """Of an object of a script, other quotes, an address and escaped signs belong to the texts."""
    written = (
        r"""{'@context': 'https://a.example', name: 'It\'s "A" \u00e9', b: "<p>a\u003C/p>", 'c': "say 'x'"}"""
    )
    thing = {"@context": "https://a.example", "name": 'It\'s "A" é', "b": "<p>a</p>", "c": "say 'x'"}
    assert values_of(written) == [thing]


@pytest.mark.parametrize(
    "part", ["[", "{", "'", "\\'", '"', "{a:", "{'a':1,", "x'", ":", "]", "{a b ", '" "a', '"a":"b" ']
)
def test_a_hostile_text_that_is_read_loosely(part: str) -> None:
    """Its cost is linear, and what is very deep is cut."""
    assert len(values_of(f"var a = {part * 100_000}")) <= 1


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ('He said "no", twice', 'He said "no", twice'),
        ('the 6" pipe', 'the 6" pipe'),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
        (r"it\'s", "it's"),
        (r"C:\dir", r"C:\dir"),
        (r"a \"b\" \u00e9 \\", 'a "b" é \\'),
        (r"Dan O\x27Brien at 9 \x2b0000", "Dan O'Brien at 9 +0000"),
    ],
)
def test_texts(written: str, text: str) -> None:
    """Quotes, line breaks and backslashes that JSON wants to be escaped are part of the text."""
    assert values_of(f'{{"name": "{written}", "url": "x",}}') == [{"name": text, "url": "x"}]


def test_several_in_one() -> None:
    """Objects that follow each other in one script are all read, with and without a comma."""
    written = json.dumps(PLAIN)
    assert values_of(f"{written}\n{written},{written};") == [PLAIN] * 3
    graph = {"@graph": [PLAIN, {"@type": "WebPage", "mainEntity": THING}]}
    assert objects_in([json.dumps(graph), f"[{written}]"])[1] == PLAIN
    assert THING in objects_in([json.dumps(graph)])


def test_lists() -> None:
    """Lists in lists, and the two kinds of lists of JSON-LD, are one list, of a bounded length."""
    assert list_of([["a"], {"@set": ["b", {"@list": "c"}]}, None, {"d": 1}]) == ["a", "b", "c", {"d": 1}]
    assert list_of(None) == []
    assert len(list_of([["x"] * 1_000] * 1_000)) == 50


@given(
    st.recursive(
        st.none() | st.booleans() | st.text(), lambda one: st.lists(one) | st.dictionaries(st.text(), one)
    )
)
def test_valid_json(value: object) -> None:
    """Valid JSON is read as what it is, unless it is a text alone."""
    if not isinstance(value, str):
        assert values_of(json.dumps(value)) == [value]


@given(st.text(st.sampled_from('{}[]":,\\/*<!-> \na&quot;”')))
def test_any_text(text: str) -> None:
    """No text is an error."""
    assert isinstance(values_of(text), list)


def test_keys_with_their_vocabulary() -> None:
    """A key may have its vocabulary before it, in short or in full; a value keeps it."""
    written = '{"schema:name": "schema:a", "https://schema.org/author": [{"http://schema.org/name": "Ann"}]}'
    assert values_of(written) == [{"name": "schema:a", "author": [{"name": "Ann"}]}]


def test_a_comment_of_html_between_keys_is_left_out() -> None:
    """Comments of HTML are left out between keys, too, and kept in texts."""
    assert values_of('{"a": "<!-- 1 -->", <!-- day --> "b": 2}') == [{"a": "<!-- 1 -->", "b": 2}]
