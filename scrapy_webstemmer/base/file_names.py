"""Name a file after a url."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from urllib.parse import unquote, urlsplit

from .urls import canonical_url

#: Urls whose names have all of them: no two give the same name.
_PLAIN_URL = re.compile(
    r"https://([a-z0-9]+(?:(?:\.|-+)[a-z0-9]+)*(?::[0-9]+)?)"
    r"((?:/[a-z0-9]+(?:(?:\.|-+)[a-z0-9]+)*)+/?)"
)
_DAY_IN_PATH = re.compile(r"(?<=/)([0-9]{4})/([0-9]{2})/([0-9]{2})(?=/|\Z)")
#: What the rule for days and the digest would give to another url as well.
_AMBIGUOUS = re.compile(r"/[0-9]{4}-[0-9]{2}-[0-9]{2}(?:/|\Z)|/[0-9a-f]{10}\Z")
_PROGRAM = re.compile(r"\.(?:x?html?|php|aspx?|jsp|cgi|cfm)(?=[?#]|\Z)", re.IGNORECASE)
#: Names that Windows keeps for devices, whatever follows after a dot.
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?:\.|\Z)")
_HOST_PART = re.compile(r"\A[a-z][a-z0-9+.-]*://[^/?#]*", re.IGNORECASE)
_NOT_IN_HOST = re.compile(r"[^a-z0-9.-]+")
_HYPHENS = re.compile(r"-+")
#: The most bytes of a name, and of the part before the digest.
_LONGEST_NAME, _LONGEST_SLUG = 100, 80


def file_name_of(url: str) -> str:
    """Return the name of the file for a url: the host as its folder, and the path, with ``_`` for each slash.

    A day in the path is written with hyphens. If other urls would have the same name, such as those with
    another query, a digest of the url is added. So two urls have two names, also where upper and lower case
    are the same. A name has only letters, digits, hyphens, dots and ``_``, and at most 100 bytes.

    >>> file_name_of("https://news.example/2026/05/14/the-ferry")
    'news.example/2026-05-14_the-ferry.md'
    >>> file_name_of("https://news.example/view.php?id=7")
    'news.example/view_id-7_0e41659ab8.md'
    """
    if plain := _PLAIN_URL.fullmatch(url):
        host, path = plain.groups()
        name = _DAY_IN_PATH.sub(r"\1-\2-\3", path)[1:].replace("/", "_") + ".md"
        is_device = _DEVICES.match(name) or _DEVICES.match(host)
        if not is_device and not _AMBIGUOUS.search(path) and max(len(name), len(host)) <= _LONGEST_NAME:
            return f"{host.replace(':', '+')}/{name}"
    digest = hashlib.blake2b(url.encode("utf-8", "surrogatepass"), digest_size=5).hexdigest()
    return f"{_host_folder(url)}/{_slug(url)}_{digest}.md"


def _host_folder(url: str) -> str:
    """Return the name of the folder of a url's host."""
    try:
        parts = urlsplit(canonical_url(url))
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return "files"
    host = _NOT_IN_HOST.sub("-", host)[-_LONGEST_SLUG:].strip(".-")
    if not host:
        return "files"
    return ("_" if _DEVICES.match(host) else "") + host + (f"+{port}" if port else "")


def _slug(url: str) -> str:
    """Return the last parts of a url's path and query, as they can be read in the name of a file."""
    place = unquote(_PROGRAM.sub("", _HOST_PART.sub("", url), count=1))
    text = unicodedata.normalize("NFC", _DAY_IN_PATH.sub(r"\1-\2-\3", place).lower())
    shown = (
        char if unicodedata.category(char)[0] in "LMN" else "_" if char in "/?" else "-" for char in text
    )
    parts = (_HYPHENS.sub("-", part).strip("-") for part in reversed("".join(shown).split("_")))
    kept: list[bytes] = []
    for part in filter(None, (part.encode() for part in parts)):
        if kept and len(b"_".join([part, *kept])) > _LONGEST_SLUG:
            break
        kept.insert(0, part)
    return b"_".join(kept)[:_LONGEST_SLUG].decode(errors="ignore") or "index"
