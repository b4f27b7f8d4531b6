"""Charsets: a page's bytes give the right text."""

from __future__ import annotations

import codecs

import pytest

from scrapy_webstemmer.errors import PageError
from scrapy_webstemmer.page import charsets
from scrapy_webstemmer.page.parsing import parse
from scrapy_webstemmer.values import Page

URL = "http://example.com/"


def text_of(body: bytes, declared: str | None = None, default: str | None = None) -> str:
    return "".join(parse(Page(URL, body, declared), default).itertext())


@pytest.mark.parametrize("charset", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("declared", [None, "iso-8859-1"])
def test_byte_order_mark_decides(charset: str, declared: str | None) -> None:
    """A byte order mark outweighs the charset of the transport."""
    assert text_of("<p>naïve 日本</p>".encode(charset), declared) == "naïve 日本"


@pytest.mark.parametrize("charset", ["utf-16-le", "utf-16-be"])
def test_utf_16_may_be_declared(charset: str) -> None:
    """UTF-16 without a mark is text, not a binary file, if the transport declares it."""
    assert text_of("<p>plain 日本</p>".encode(charset), charset) == "plain 日本"


def test_transport_is_believed_before_the_head() -> None:
    """The charset of the transport outweighs the one in the page's head."""
    body = '<meta charset="koi8-r"><p>naïve</p>'.encode("latin-1")
    assert text_of(body, "latin-1") == "naïve"


def test_charset_of_the_head_counts() -> None:
    """If the transport declares no charset, the one in the page's head outweighs the option."""
    body = '<meta charset="euc-jp"><p>日本</p>'.encode("euc-jp")
    assert text_of(body, None, "utf-8") == "日本"


@pytest.mark.parametrize(
    "declaration", ["<meta charset=windows-1251>", "<META content='text/html; charset=cp1251' http-equiv=a>"]
)
def test_charset_counts_wherever_the_head_declares_it(declaration: str) -> None:
    """Long scripts and styles may stand before it; what stands in them, and in comments, does not count."""
    script = f"<script>{'a = 1; ' * 600} a = '<meta charset=koi8-r>'</script>"
    head = f"{script}<style>{script}</style><!-- <meta charset=koi8-r> <body> -->{declaration}<body>"
    assert "Привет" in text_of(f"{head}Привет".encode("cp1251"), None, "latin-1")


@pytest.mark.parametrize("before", ["<body>", "<!-- ", "<script>"])
def test_charset_counts_only_in_the_head(before: str) -> None:
    """A declaration in the body, or in what never ends, is none."""
    body = f"{before}{' ' * 4096}<meta charset=koi8-r>naïve".encode("latin-1")
    assert charsets.decode(Page(URL, body)).endswith("naïve")


@pytest.mark.parametrize(
    ("name", "charset"),
    [
        ("x-euc-jp", "euc-jp"),
        ("x-x-big5", "big5"),
        ("x-gbk", "gbk"),
        ("koi8", "koi8-r"),
        ("X-CP1250", "cp1250"),
        ("x-mac-cyrillic", "mac-cyrillic"),
        ("ISO-8859-8-I", "iso-8859-8"),
    ],
)
@pytest.mark.parametrize("place", ["transport", "head"])
def test_names_of_charsets_that_only_browsers_know(name: str, charset: str, place: str) -> None:
    """Old names of charsets count as in browsers."""
    text = {"koi8-r": "Привет", "mac-cyrillic": "Привет", "cp1250": "źrebię", "iso-8859-8": "שלום"}
    own = text.get(charset, "日本")
    meta, declared = (f"<meta charset={name}>", None) if place == "head" else ("", name)
    assert text_of(f"{meta}<p>{own}</p>".encode(charset), declared) == own


@pytest.mark.parametrize(
    ("body", "default", "text"),
    [
        ("naïve 日本".encode(), None, "naïve 日本"),
        ("naïve “x”".encode("cp1252"), None, "naïve “x”"),
        ("Привет".encode("koi8-r"), "koi8-r", "Привет"),
    ],
)
def test_charset_that_nobody_declares(body: bytes, default: str | None, text: str) -> None:
    """Pages that declare no charset are in the option's charset, else in UTF-8 if valid, else in cp1252."""
    assert text_of(body, None, default) == text


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("Ærø, naïve café, “x” ".encode() + b"\x80 a", "Ærø, naïve café, “x” € a"),
        ("Ærø, naïve café, “x” ".encode() + b"\x81 a", "Ærø, naïve café, “x” \ufffd a"),
        ("“été” l@été l@eau".encode().replace(b"@", b"\x92"), "“été” l’été l’eau"),
        (
            "“œuvre” – “été” “œuf” ".encode() + b"\x93a\x94 \x96 d\xe9j\xe0 vu",
            "“œuvre” – “été” “œuf” “a” – déjà vu",
        ),
        ("日本".encode() * 2 + "語".encode()[:2], "日本日本\ufffd"),
        ("ééé".encode() + b"\xe9\xef\xbf\xbd", "ééé\ufffd\ufffd"),
        ("日本".encode() * 3 + "語".encode()[1:], "日本日本日本\ufffd"),
        ("“a”, 日本".encode() + b"\xe2...", "“a”, 日本\ufffd..."),
        (b"caf\xe9 " + "é".encode(), "café Ã©"),
    ],
)
def test_utf_8_with_wrong_bytes(body: bytes, text: str) -> None:
    """A page that is UTF-8 but for a few bytes has those of cp1252, and loses what was cut."""
    assert text_of(body) == text


LATIN = (
    "Ça été très naïf: “L’Étoile”, œuvre d’un garçon, coûte 5 € à Noël… déjà vu ÉCOLE»",
    "Fünf große Äpfel, Öl und Übermut – „schön“ für Müller & Söhne",
    "São Paulo, AÇÃO, ÓRGÃOS, informações, às três horas; ¿qué? ¡año!",
    "Smörgåsbord på ÅÄÖ, blåbær, Þingvellir, Ævar, 100 % £5 ©®™ §1 ½ °C",
)


@pytest.mark.parametrize("text", LATIN)
@pytest.mark.parametrize("charset", ["cp1252", "latin-1"])
def test_western_pages_stay_western(text: str, charset: str) -> None:
    """Undeclared pages in cp1252 and Latin-1 are no UTF-8 with wrong bytes, down to a single word."""
    for part in (text, *text.split()):
        body = part.encode(charset, "ignore")
        assert text_of(b"<p>" + body) == body.decode("cp1252")


@pytest.mark.parametrize(
    ("charset", "text"),
    [
        ("cp1251", "Съешь же ещё этих мягких французских булок, да выпей чаю"),
        ("koi8-r", "Съешь же ещё этих мягких французских булок, да выпей чаю"),
        ("iso-8859-7", "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία"),
        ("gb18030", "我能吞下玻璃而不伤身体新闻报道昨天晚上在北京举行"),
        ("shift_jis", "私はガラスを食べられます。それは私を傷つけません。"),
        ("euc-jp", "私はガラスを食べられます。それは私を傷つけません。"),
        ("euc-kr", "나는 유리를 먹을 수 있어요. 그래도 아프지 않아요"),
        ("big5", "我能吞下玻璃而不傷身體新聞報導昨天晚上在台北舉行"),
    ],
)
def test_other_charsets_are_not_taken_for_utf_8(charset: str, text: str) -> None:
    """Nobody knows the charset of such a page, but it is not UTF-8 with wrong bytes."""
    assert charsets._guessed(text.encode(charset)) == "cp1252"


IN_LANGUAGES = (
    ("ru", "cp1251", "Съешь же ещё этих мягких французских булок, да выпей чаю"),
    ("pl", "iso8859-2", "Zażółć gęślą jaźń, śpi źle, ćma też"),
    ("pl", "cp1250", "Zażółć gęślą jaźń, śpi źle, ćma też"),
    ("el", "iso8859-7", "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία, είναι ΐδιο"),
    ("tr", "cp1254", "Pijamalı hasta yağız şoföre çabucak güvendi"),
    ("he", "cp1255", "דג סקרן שט בים מאוכזב ולפתע מצא חברה"),
    ("ja", "cp932", "私はガラスを食べられます。それは私を傷つけません。"),
    ("ja-JP", "euc-jp", "私はガラスを食べられます。それは私を傷つけません。"),
    ("ko", "cp949", "나는 유리를 먹을 수 있어요. 그래도 아프지 않아요"),
    ("zh-CN", "gb18030", "我能吞下玻璃而不伤身体新闻报道昨天晚上在北京举行"),
    ("zh", "gb18030", "我能吞下玻璃而不伤身体新闻报道昨天晚上在北京举行"),
    ("zh", "gb18030", "我能吞下玻璃而不傷身體新聞報導昨天晚上在台北舉行"),
    ("zh", "big5", "我能吞下玻璃而不傷身體新聞報導昨天晚上在台北舉行"),
    ("ru", "koi8-r", "Съешь ещё этих мягких французских булок, да выпей чаю"),
    ("zh-Hant-TW", "big5", "我能吞下玻璃而不傷身體新聞報導昨天晚上在台北舉行"),
    ("fr", "cp1252", LATIN[0]),
    ("en", "cp1252", LATIN[1]),
)


@pytest.mark.parametrize("declared", [None, "utf-8"])
@pytest.mark.parametrize(("language", "charset", "text"), IN_LANGUAGES)
def test_language_tells_the_charset(language: str, charset: str, text: str, declared: str | None) -> None:
    """A page that is not in UTF-8 is in a charset of its language, though it may declare UTF-8."""
    page = f'<html dir=ltr lang="{language}"><p>{text} {text}'.encode(charset)
    assert text_of(page, declared) == f"{text} {text}"
    assert text_of(page * 3 + text.encode(charset)[:-1], declared).startswith(text)


def test_charset_of_the_language_must_fit() -> None:
    """A page may say the wrong language, as that of a bought template; a few signs tell nothing."""
    assert text_of(b'<html lang="zh-CN"><p>\x93It isn\x92t\x94', "utf-8") == "“It isn’t”"
    for language in ("ja", "ko", "zh", "xx"):
        text = "“Naïve” café – à la carte"
        assert text_of(f'<html lang="{language}"><p>{text}'.encode("cp1252")) == text


SIGNS = "naïve – łódź"


@pytest.mark.parametrize("charset", ["iso-8859-1", "windows-1252", "windows-1251", "koi8-r", "iso-8859-15"])
@pytest.mark.parametrize("place", ["transport", "head", "old head", "option"])
@pytest.mark.parametrize("text", [SIGNS, "é", "Привет", "日本"])
def test_utf_8_is_utf_8_whatever_is_declared(text: str, place: str, charset: str) -> None:
    """A page in UTF-8 that another charset of single bytes is declared for is read as UTF-8."""
    head = {
        "head": f'<meta charset="{charset}">',
        "old head": f"<meta http-equiv=Content-Type content='text/html; charset={charset}'>",
    }.get(place, "")
    declared, default = charset if place == "transport" else None, charset if place == "option" else None
    assert text_of(f"{head}<p>{text}</p>".encode(), declared, default) == text
    body = f"{head}<p>{text}</p>".encode()
    assert charsets.utf8_of(Page(URL, body, declared), default) == body


@pytest.mark.parametrize("charset", ["shift_jis", "euc-jp", "gb2312", "big5", "euc-kr"])
def test_utf_8_under_charsets_of_two_bytes(charset: str) -> None:
    """A page in UTF-8 that such a charset is declared for is read as UTF-8, if it has enough characters."""
    text = "私はガラスを食べられます。"
    assert text_of(f"<meta charset={charset}><p>{text}</p>".encode()) == text


def test_utf_8_that_was_cut_is_utf_8_whatever_is_declared() -> None:
    """A cut character costs no other, and a pasted one of cp1252 costs nothing."""
    body = f"<p>{SIGNS} {SIGNS} ".encode()
    assert text_of(body + b"caf\xe9 x</p>", "iso-8859-1") == f"{SIGNS} {SIGNS} café x"
    assert text_of(body + "é".encode()[:1], "iso-8859-1") == f"{SIGNS} {SIGNS} \ufffd"
    filler = "a" * (charsets._SAMPLE_SIZE - 3)
    assert text_of(f"<p>é{filler}日</p>".encode(), "iso-8859-1") == f"é{filler}日"  # the sample ends in it


WORDS = {
    "cp1251": "Съешь же ещё этих мягких французских булок, да выпей чаю",
    "koi8-r": "Съешь же ещё этих мягких французских булок, да выпей чаю",
    "iso-8859-7": "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία",
    "gb18030": "我能 吞下 玻璃 而不 伤身 体 新闻 报道 昨天 晚上 在 北京 举行 联通 公司 是 由",
    "shift_jis": "私 は ガラス を 食べ られ ます ｶﾞﾗｽ ﾃﾞｽ 東京 熊本",
    "euc-jp": "私 は ガラス を 食べ られ ます ｶﾞﾗｽ 東京 熊本",
    "euc-kr": "나는 유리를 먹을 수 있어요 그래도 아프지 않아요",
    "big5": "我能 吞下 玻璃 而不 傷身 體 新聞 報導 昨天 晚上 在 台北 舉行",
}


@pytest.mark.parametrize("charset", WORDS)
def test_declared_charsets_are_believed_down_to_a_word(charset: str) -> None:
    """A word in its declared charset stays what it is, though its bytes may be valid in UTF-8 by chance."""
    for word in (WORDS[charset], *WORDS[charset].split()):
        assert text_of(f"<p>{word}</p>".encode(charset), charset) == word


@pytest.mark.parametrize("text", LATIN)
@pytest.mark.parametrize("charset", ["cp1252", "latin-1"])
def test_declared_western_pages_stay_western(text: str, charset: str) -> None:
    """So it is with each word in a western charset."""
    for part in (text, *text.split()):
        body = part.encode(charset, "ignore")
        assert text_of(b"<p>" + body, charset) == body.decode("cp1252")


@pytest.mark.parametrize(
    "charset", ["x-nobody", "", "base64", "hex", "rot13", "zlib", "idna", "punycode", "undefined", "utf-8; x"]
)
@pytest.mark.parametrize("place", ["transport", "head"])
def test_unknown_charset_counts_as_none(charset: str, place: str) -> None:
    """An unknown charset is ignored, and so is a codec of Python that is not a charset."""
    meta = f'<meta charset="{charset}">' if place == "head" else ""
    declared = charset if place == "transport" else None
    assert text_of(f"{meta}<p>naïve</p>".encode(), declared) == "naïve"


def test_codec_that_makes_surrogates_is_skipped() -> None:
    """A codec that gives halves of characters is ignored, so none of them is in the tree."""
    assert text_of(rb"<p>half \ud800 done</p>", "unicode_escape") == r"half \ud800 done"


@pytest.mark.parametrize("place", ["transport", "head"])
@pytest.mark.parametrize("text", [*LATIN, "naïve"])
def test_bytes_that_are_no_utf_8_are_read_as_if_nothing_was_declared(text: str, place: str) -> None:
    """A page that is said to be UTF-8 is so only if most of its characters are."""
    meta, declared = ("<meta charset=utf-8>", None) if place == "head" else ("", "utf-8")
    assert text_of(f"{meta}<p>{text}</p>".encode("cp1252"), declared) == text
    body = f"{meta}<p>Привет, ".encode("koi8-r") + b"</p>"
    assert text_of(body, declared, "koi8-r") == "Привет, "


def test_a_page_that_is_half_utf_8_is_what_it_declares() -> None:
    """One right character for two wrong ones is enough for UTF-8 that is declared."""
    assert text_of(b"\x93caf\xe9 " + "é".encode(), "utf-8") == "“café é"
    assert text_of(b"<p>a " + "é".encode()[:1], "utf-8") == "a \ufffd"
    assert text_of(codecs.BOM_UTF8 + b"na\xefve") == "naïve"
    assert text_of(codecs.BOM_UTF8 + b"a\xef") == "a\ufffd"


def test_wrong_charset_gives_replacement_characters() -> None:
    """Invalid bytes become U+FFFD, and the rest is kept."""
    assert text_of("<p>naïve thought</p>".encode("latin-1"), "euc-jp") == "na\ufffdve thought"


@pytest.mark.parametrize(
    "body",
    [
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"GIF89a\x10\0",
        b"\xff\xd8\xff\xe0\0\x10JFIF",
        b"%PDF-1.7\n%text",
        b"PK\x03\x04\x14\0",
        b"\x1f\x8b\x08\0",
        b"some header" + bytes(range(32)),
    ],
)
def test_binary_file_is_an_error(body: bytes) -> None:
    """Pictures, archives and other binary files are refused, and the error names the page."""
    with pytest.raises(PageError, match="binary") as caught:
        parse(Page(URL, body))
    assert caught.value.url == URL


def test_iso_2022_jp_is_no_binary_file() -> None:
    """The escape sequences of ISO-2022-JP do not make a page binary."""
    assert text_of("<p>日本語</p>".encode("iso-2022-jp"), "iso-2022-jp") == "日本語"


def test_utf_16_that_only_the_head_declares() -> None:
    """A page that declares UTF-16 in ASCII is not UTF-16; it counts as UTF-8, as in browsers."""
    assert text_of("<meta charset=utf-16><p>naïve</p>".encode()) == "naïve"


def test_cyrillic_is_not_what_a_server_declares_for_all_its_pages() -> None:
    """Words without a letter of ASCII are in no language of Latin 1; that of the page tells the charset."""
    text = "Часы на рынке снова идут, и торговцы рады: гири тяжёлые, чайки довольны. " * 3
    body = f'<html lang="ru"><meta charset="iso-8859-1"><p>{text.strip()}</p>'.encode("cp1251")
    assert text_of(body) == text.strip()


def test_a_stray_control_character_makes_no_binary_file() -> None:
    """A page is text, if one character of it is not."""
    assert "harbour" in text_of(b"<title>A\x01</title><p>the harbour</p>")
