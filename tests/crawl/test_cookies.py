"""The cookie file: which cookies are read, and where they are sent."""

from __future__ import annotations

import re
import time
from http.cookiejar import Cookie
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scrapy import Request
from scrapy.exceptions import NotConfigured
from scrapy.http import Response
from scrapy.settings import Settings

from scrapy_webstemmer import OptionError
from scrapy_webstemmer.crawl.cookies import CookieFileMiddleware, load_cookies, read_cookies

LATER = str(int(time.time()) + 1_000_000)


def row(
    domain: str = "example.com",
    subdomains: str = "FALSE",
    path: str = "/",
    secure: str = "FALSE",
    expires: str = "0",
    name: str = "name",
    value: str = "value",
) -> str:
    """Return a line of a cookie file."""
    return "\t".join((domain, subdomains, path, secure, expires, name, value))


def cookies(*rows: str) -> list[Cookie]:
    return list(read_cookies("\n".join(rows)))


def sent(middleware: CookieFileMiddleware, url: str, **more: Any) -> set[str]:
    """Return the cookies that are sent with a request."""
    request = Request(url, **more)
    middleware.process_request(request, spider=None)
    header = request.headers.get("Cookie", b"").decode()
    return set(header.split("; ")) - {""}


@pytest.fixture(autouse=True)
def silent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Call the middleware with a spider, as Scrapy 2.13 does, without the warning of later versions."""
    for name in ("process_request", "process_response"):
        method = getattr(CookieFileMiddleware, name)
        method = getattr(method, "__wrapped__", method)
        monkeypatch.setattr(CookieFileMiddleware, name, method)


@pytest.mark.parametrize(
    ("line", "urls", "others"),
    [
        (
            row("example.com"),
            ["http://example.com/", "https://EXAMPLE.com/a?b"],
            ["http://www.example.com/", "http://example.org/", "http://notexample.com/"],
        ),
        (
            row(".example.com", "TRUE"),
            ["http://example.com/", "http://a.b.example.com/"],
            ["http://notexample.com/", "http://example.com.evil.example/"],
        ),
        (row("example.com", "TRUE"), ["http://www.example.com/"], ["http://com/"]),
        (row(".example.com", "FALSE"), ["http://www.example.com/"], ["http://example.org/"]),
        (row("Example.COM"), ["http://example.com/"], ["http://www.example.com/"]),
        (row(" example.com ", " true "), ["http://www.example.com/"], ["http://com/"]),
        (row(path="/a"), ["http://example.com/a", "http://example.com/a/b"], ["http://example.com/ab", "http://example.com/"]),
        (row(path=""), ["http://example.com/a"], []),
        (row(secure="TRUE"), ["https://example.com/"], ["http://example.com/"]),
        (row(secure="true"), ["https://example.com/"], ["http://example.com/"]),
        (row("127.0.0.1"), ["http://127.0.0.1:8000/"], ["http://127.0.0.2:8000/", "http://localhost/"]),
        (row("localhost"), ["http://localhost:8000/"], ["http://127.0.0.1/"]),
        (row("#HttpOnly_example.com"), ["http://example.com/"], []),
        (row("#HttpOnly_.example.com", "TRUE"), ["http://www.example.com/"], []),
    ],
)  # fmt: skip
def test_cookies_go_where_they_belong(line: str, urls: list[str], others: list[str]) -> None:
    """Domain, subdomains, path and https decide which urls get a cookie."""
    middleware = CookieFileMiddleware(cookies=cookies(line))
    assert all(sent(middleware, url) == {"name=value"} for url in urls)
    assert not any(sent(middleware, url) for url in others)


def test_cookies_of_the_site_are_kept() -> None:
    """A cookie that the site sets joins or replaces the file's cookies, in each jar separately."""
    middleware = CookieFileMiddleware(cookies=cookies(row(name="a", value="1"), row(name="b", value="2")))
    request = Request("http://example.com/", meta={"cookiejar": 1})
    headers = {"Set-Cookie": ["b=3; Path=/", "c=4; Path=/", "d=5; Domain=example.com; Path=/"]}
    middleware.process_response(request, Response(request.url, headers=headers), spider=None)
    assert sent(middleware, request.url, meta={"cookiejar": 1}) == {"a=1", "b=3", "c=4", "d=5"}
    assert sent(middleware, "http://www.example.com/", meta={"cookiejar": 1}) == {"d=5"}
    assert sent(middleware, request.url) == {"a=1", "b=2"}


def test_cookies_of_a_request_are_sent_too() -> None:
    """A spider's own cookies are sent with those of the file; a request can refuse all."""
    middleware = CookieFileMiddleware(cookies=cookies(row()))
    assert sent(middleware, "http://example.com/", cookies={"own": "1"}) == {"name=value", "own=1"}
    assert sent(middleware, "http://example.com/", meta={"dont_merge_cookies": True}) == set()


def test_what_is_no_cookie_is_skipped() -> None:
    """Comments, empty lines, a byte order mark and other line ends cause no error."""
    text = f"# Netscape HTTP Cookie File\r\n\r\n  \r\n#{row()}\r\n{row()}\r\n"
    assert [cookie.value for cookie in read_cookies(text)] == ["value"]


def test_empty_values() -> None:
    """A value may be empty, even if an editor has removed the tab in front of it."""
    assert [cookie.value for cookie in cookies(row(value=""), row(value="").rstrip())] == ["", ""]


@pytest.mark.parametrize(
    ("expires", "valid", "session"),
    [
        ("0", True, True),
        ("", True, True),
        ("-1", True, True),
        pytest.param(LATER, True, False, id="later"),  # the time differs from process to process
        pytest.param(LATER + ".25", True, False, id="later-and-a-quarter"),
        ("1", False, False),
        ("1234567890", False, False),
    ],
)
def test_expiry(expires: str, valid: bool, session: bool, tmp_path: Path) -> None:
    """Expired cookies are not sent; cookies without a time are valid in this session."""
    path = tmp_path / "cookies.txt"
    path.write_text(row(expires=expires), encoding="utf-8")
    found = load_cookies(path)
    assert len(found) == valid
    assert all(cookie.discard == session for cookie in found)


@pytest.mark.parametrize(
    "line",
    [
        "secret",
        row(value="secret").replace("\t", " "),
        '[{"name": "a", "value": "secret"}]',
        row(value="secret\textra"),
        row("", value="secret"),
        row(".", value="secret"),
        row(subdomains="secret"),
        row(secure="secret"),
        row(expires="secret"),
        row(expires="inf", value="secret"),
        row(expires="nan", value="secret"),
        row(value="secret\x0bX-Header: 1"),
        row(name="\0", value="secret"),
        row("$", value="secret"),
    ],
)
def test_malformed_lines(line: str, tmp_path: Path) -> None:
    """The error names setting, file and line, but shows nothing of the line's content."""
    path = tmp_path / "cookies.txt"
    path.write_text(f"# Cookies\n{row()}\n{line}\n", encoding="utf-8")
    with pytest.raises(OptionError) as caught:
        load_cookies(path)
    wanted = f"WEBSTEMMER_COOKIE_FILE={str(path)!r}: line 3: a cookie has 7 columns with tabs between them: "
    assert str(caught.value).startswith(wanted)
    assert "secret" not in caught.value.reason
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


@pytest.mark.parametrize(
    ("content", "reason"), [(None, "No such file"), (b"\xff\xfea\0", "is not UTF-8 text")]
)
def test_unreadable_files(content: bytes | None, reason: str, tmp_path: Path) -> None:
    """A file that is missing or not text is an error that names it."""
    path = tmp_path / "cookies.txt"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(OptionError, match=reason):
        load_cookies(path)
    with pytest.raises(OptionError, match="Is a directory"):
        load_cookies(tmp_path)


_WORD = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=9)


@given(
    name=_WORD,
    value=_WORD,
    path=st.sampled_from(["", "/", "/a/b"]),
    flags=st.tuples(*[st.sampled_from(["TRUE", "FALSE"])] * 2),
    expires=st.one_of(st.just(0), st.integers(1, 2**40)),
)
def test_what_was_written_is_read(
    name: str, value: str, path: str, flags: tuple[str, str], expires: int
) -> None:
    """Each column of a written line is found in the cookie."""
    line = row("example.com", flags[0], path, flags[1], str(expires), name, value)
    (cookie,) = read_cookies(f"\n{line}\r\n#\n")
    assert (cookie.name, cookie.value, cookie.path) == (name, value, path or "/")
    assert cookie.domain == (".example.com" if flags[0] == "TRUE" else "example.com")
    assert (cookie.secure, cookie.expires) == (flags[1] == "TRUE", expires or None)


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    """Any file gives cookies, or a ValueError with a line's number."""
    refusal = "line 1: "
    try:
        list(read_cookies(text))
    except ValueError as error:
        refusal = str(error)
    assert re.match(r"line [1-9][0-9]*: ", refusal)


def crawler(**values: Any) -> Any:
    return SimpleNamespace(settings=Settings(values), spider=None, spidercls=SimpleNamespace(name="news"))


def test_from_crawler(tmp_path: Path) -> None:
    """The setting names the file, with the spider's name filled in; cookie values are not logged."""
    (tmp_path / "news.txt").write_text(row(), encoding="utf-8")
    settings = {"WEBSTEMMER_COOKIE_FILE": str(tmp_path / "%(spider)s.txt")}
    middleware = CookieFileMiddleware.from_crawler(crawler(**settings))
    assert sent(middleware, "http://example.com/") == {"name=value"}
    assert not middleware.debug
    assert CookieFileMiddleware.from_crawler(crawler(**settings, COOKIES_DEBUG=True)).debug


def test_nothing_is_logged_but_the_number(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The log has the number of cookies, and nothing of their content."""
    caplog.set_level("DEBUG")
    path = tmp_path / "cookies.txt"
    path.write_text(row(value="secret") + "\n" + row(expires="1", value="secret"), encoding="utf-8")
    CookieFileMiddleware.from_crawler(crawler(WEBSTEMMER_COOKIE_FILE=str(path)))
    assert [record.getMessage() for record in caplog.records] == [f"{path}: 1 cookies that have not expired"]


def test_contradiction_is_said(tmp_path: Path) -> None:
    """A cookie file is an error if cookies are switched off."""
    with pytest.raises(OptionError, match="COOKIES_ENABLED is False"):
        CookieFileMiddleware.from_crawler(crawler(WEBSTEMMER_COOKIE_FILE="a", COOKIES_ENABLED=False))


@pytest.mark.parametrize(
    ("values", "said"),
    [({}, ("WEBSTEMMER_COOKIE_FILE is not set",)), ({"WEBSTEMMER_ENABLED": False}, ())],
)
def test_stays_out(values: dict[str, Any], said: tuple[str, ...]) -> None:
    """Without a file the middleware stays out and says so; if all is switched off, it says nothing."""
    with pytest.raises(NotConfigured) as caught:
        CookieFileMiddleware.from_crawler(crawler(**values))
    assert caught.value.args == said
