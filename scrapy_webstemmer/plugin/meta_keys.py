"""The keys of a request's meta that are ours."""

from __future__ import annotations

#: True: the response is not taken as a page.
SKIP = "webstemmer_skip"

#: What an earlier crawl has stored for the url, ``page`` or ``article``.
SEEN = "webstemmer_seen"

#: False: the URLDB neither skips nor marks the request.
USE = "webstemmer_urldb"

#: A key that identifies the request in the URLDB instead of its url.
KEY = "webstemmer_urldb_key"
