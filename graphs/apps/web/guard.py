"""Who may use the page: the browser that opened the link of this server, on this machine."""

import hmac
import re
import secrets
from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from graphs.apps.page import environment

_HOST: Final = re.compile(r"(?:127\.0\.0\.1|localhost)(?::\d{1,5})?", re.IGNORECASE)
_SAFE: Final = frozenset({"GET", "HEAD"})
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_HEADERS: Final = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class Guard:
    """Lets in what names this machine, comes from this page and has the cookie of its link.

    The link works once: whoever opens it first gets the cookie, and only that browser is let in.
    """

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token: str | None = token
        self._session = secrets.token_urlsafe(32)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        refused = self._refused(Request(scope))
        await (refused or self._app)(scope, receive, guarded)

    def _refused(self, request: Request) -> Response | None:
        """Return the answer to what is not let in, or is on its way in by the link."""
        headers = request.headers
        if not _HOST.fullmatch(headers.get("host", "")):
            return PlainTextResponse("This server answers on this machine alone.", 421)
        is_own = headers.get("origin") == f"http://{headers.get('host')}"
        if request.method not in _SAFE and not is_own:
            return PlainTextResponse("This did not come from a page of this server.", 403)
        if self._is(request.cookies.get(_cookie(request)), self._session):
            return None
        if request.method == "GET" and self._is(request.query_params.get("token"), self._token):
            self._token = None
            let_in = RedirectResponse("/", 303)
            let_in.set_cookie(_cookie(request), self._session, httponly=True, samesite="strict")
            return let_in
        return HTMLResponse(environment().get_template("not_let_in.html").render(), 403)

    @staticmethod
    def _is(given: str | None, wanted: str | None) -> bool:
        if given is None or wanted is None:
            return False
        return hmac.compare_digest(given.encode(), wanted.encode())


def _cookie(request: Request) -> str:
    """Name the cookie by the port: a browser sends it to every server of this machine."""
    return f"headcount-{request.url.port}"
