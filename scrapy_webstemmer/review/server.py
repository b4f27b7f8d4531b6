"""Serve a review to the browser of the same user.

The server listens on the loopback address alone, and answers only who knows the random word in its address
and asks for it by this address: so no page in the same browser can read a review.
"""

from __future__ import annotations

import logging
import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import Any
from urllib.parse import parse_qs, urlencode

from ..errors import WebstemmerError, visible
from .fixes import change_of
from .page_look import SANDBOX, look_policy
from .reviewed import Review, StaleError
from .views import view_html
from .web_pages import View, h, link, page

logger = logging.getLogger(__name__)

#: The errors that say that a browser has gone away before its answer.
_GONE = (ConnectionError, TimeoutError)
_FIRST_VIEW = View()
#: The first view of so few sites waits for so many seconds for what their pages give.
_FEW_SITES, _PATIENCE = 10, 0.3
#: Headers of all answers, beside the policy in each page's own head.
_HEADERS = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": "frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # without one, browsers would not say where a form comes from
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class ReviewServer(ThreadingHTTPServer):
    """Answers with the views of a review. Corrections are made one at a time.

    :param port: 0: any that is free.
    :raises OSError: the port is in use.
    :ivar review: that of the pattern file after the last correction. A view is made of one review.
    :ivar looking: the thread that reads some pages of each site before anybody asks for them.
    """

    daemon_threads = True

    def __init__(self, review: Review, port: int = 0) -> None:
        self.token, self.correcting, self._ended = secrets.token_urlsafe(16), Lock(), Event()
        self.looking = Thread()
        super().__init__(("127.0.0.1", port), _Handler)
        self.show(review)

    def show(self, review: Review) -> None:
        """Show another review from now on."""
        self._ended.set()
        self.review, self._ended = review, Event()
        self.looking = Thread(target=_look_around, args=(review, self._ended), daemon=True)
        self.looking.start()

    def server_close(self) -> None:
        """End the thread as well: the pages may be closed next."""
        self._ended.set()
        if self.looking.ident is not None:  # the port was free
            self.looking.join()
        super().server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ARG002 - the base class passes it
        """Log what went wrong with a request. That a browser goes away before its answer is no error."""
        is_gone = isinstance(sys.exception(), _GONE)
        level = logging.DEBUG if is_gone else logging.ERROR
        logger.log(level, "a request of %s was not answered", client_address, exc_info=not is_gone)

    @property
    def hosts(self) -> set[str]:
        """The names by which the server may be asked."""
        return {f"{name}:{self.server_port}" for name in ("127.0.0.1", "localhost")}

    @property
    def url(self) -> str:
        """The address of the first view."""
        return f"http://127.0.0.1:{self.server_port}/{self.token}/"


def _look_around(review: Review, ended: Event) -> None:
    """Read some pages of each site. What cannot be read is said when somebody looks at it."""
    try:
        review.look_around(ended)
    except Exception as error:
        logger.debug("some sites are not looked at: %s", error)


class _Handler(BaseHTTPRequestHandler):
    server: ReviewServer

    def do_GET(self) -> None:
        if (view := self._view()) is None:
            return
        with self._failing(view):
            if view.kind == _FIRST_VIEW.kind and len(self.server.review.patterns.sites) <= _FEW_SITES:
                self.server.looking.join(_PATIENCE)
            written = view_html(self.server.review, view, link_of)
            if written is None:
                self._answer(HTTPStatus.NOT_FOUND, "The review has no such site, layout or page.")
            elif view.kind == "look":
                policy = f"{look_policy(view)}; sandbox {SANDBOX}; frame-ancestors 'self'"
                self._send(HTTPStatus.OK, written, **{"Content-Security-Policy": policy})
            else:
                self._send(HTTPStatus.OK, written)

    def do_POST(self) -> None:
        """Save the correction of a trial, and lead to its site."""
        if (view := self._view(needs_origin=True)) is None:
            return
        with self._failing(view), self.server.correcting:
            review = self.server.review
            change = change_of(review, view)
            if change is None:
                self._answer(
                    HTTPStatus.NOT_FOUND, "The review has no such layout, or nothing can be corrected."
                )
                return
            try:
                self.server.show(review.correct(view.site, change))
            except StaleError:
                self.server.show(review.again())
                raise
            except OSError as error:
                self._answer(HTTPStatus.INTERNAL_SERVER_ERROR, f"The correction was not saved: {error}")
                return
        self._send(
            HTTPStatus.SEE_OTHER, "", Location=f"/{self.server.token}/{link_of(View('site', view.site))}"
        )

    def _view(self, *, needs_origin: bool = False) -> View | None:
        """Return the view that is asked for; None: this was no request of the user's, and is answered.

        :param needs_origin: True: only pages of the review may ask.
        """
        origin = self.headers["Origin"]
        path, _, query = self.path.partition("#")[0].partition("?")
        origins = {f"http://{host}" for host in self.server.hosts} | (set() if needs_origin else {None})
        may_ask = self.headers["Host"] in self.server.hosts and origin in origins
        knows = secrets.compare_digest(path.strip("/").encode(), self.server.token.encode())
        if may_ask and knows:
            fields = parse_qs(query)
            kind, *others = (fields.get(name, [""])[0] for name in View._fields)
            return View(kind or _FIRST_VIEW.kind, *others)
        self._answer(HTTPStatus.FORBIDDEN, "This address is not that of a review.")
        return None

    @contextmanager
    def _failing(self, view: View) -> Iterator[None]:
        """Answer if a view cannot be shown or saved: because of what has changed, a file, an error of ours.

        None of them ends the review.
        """
        try:
            yield
        except _GONE:  # nobody waits for an answer
            raise
        except StaleError as error:
            self._answer(HTTPStatus.CONFLICT, str(error), View("site", view.site))
        except WebstemmerError as error:
            self._answer(HTTPStatus.INTERNAL_SERVER_ERROR, f"This cannot be shown or saved: {error}")
        except Exception:
            logger.exception("cannot show %s", visible(self.path))
            self._answer(HTTPStatus.INTERNAL_SERVER_ERROR, "This cannot be shown; the log says why.")

    def _answer(self, status: HTTPStatus, words: str, view: View = _FIRST_VIEW) -> None:
        """Answer in a sentence, and lead to a view of what there is now."""
        present = link(link_of, view, "Look at what there is now") if status == HTTPStatus.CONFLICT else None
        self._send(status, page("Review", h("main", h("p", words), h("p", present))))

    def _send(self, status: HTTPStatus, written: str, **headers: str) -> None:
        body = written.encode("utf-8", "replace")
        self.send_response(status)
        for name, value in (_HEADERS | headers | {"Content-Length": str(len(body))}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name of the base class
        logger.debug("%s", visible(format % args))


def link_of(view: View) -> str:
    """Return the address of a view on the server, relative to that of the first one."""
    return f"?{urlencode({name: value for name, value in view._asdict().items() if value})}"
