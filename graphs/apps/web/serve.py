"""`headcount serve`: the page's server, on this machine alone, under a link that works once."""

import hmac
import os
import re
import secrets
import socket
import sys
from importlib.resources import files
from pathlib import Path
from types import FrameType
from typing import Final

import uvicorn
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from agent.errors import CorpusMissing, HeadcountError, SettingsError
from agent.reasoners import select_reasoner
from agent.settings import load_settings
from graphs.apps.exits import Exit
from graphs.apps.page import environment
from graphs.apps.terminal import write_line
from graphs.apps.web import corpora, document_page, runs
from graphs.apps.web.jobs import Flags
from graphs.apps.web.pages import Pages, pages_of

HOST: Final = "127.0.0.1"
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


class _Server(uvicorn.Server):
    """Ends what goes on before the connections: a page that follows it holds one open."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """End after what is in flight; at once, where it is asked for again: all is on disk."""
        if self.should_exit:
            os._exit(Exit.INTERRUPTED)
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop the jobs after what is in flight, then the server."""
        app: FastAPI = self.config.app  # type: ignore[assignment]
        await run_in_threadpool(app.state.pages.close)
        await super().shutdown(sockets)


def run_serve(folder: Path, port: int, flags: Flags) -> None:
    """Serve the corpora below a folder until Ctrl-C; what is in flight then ends first.

    Raises SettingsError: there is no such folder, the port is taken, or the model needs a key.
    """
    server, listening, address = made_server(folder, port, flags)
    write_line(f"open {address}")
    write_line("the link works once; Ctrl-C ends the server, what was done is kept", stderr=True)
    sys.stdout.flush()
    server.run(sockets=[listening])
    if server.config.app.state.pages.jobs.alive:  # type: ignore[union-attr]
        os._exit(Exit.INTERRUPTED)  # what does not end by itself goes on where it was


def made_server(folder: Path, port: int, flags: Flags) -> tuple[uvicorn.Server, socket.socket, str]:
    """Return a server, the socket it is to listen on, and the link that lets a browser in."""
    select_reasoner(load_settings(**flags))  # a key that is missing is said now, not at a question
    token = secrets.token_urlsafe(24)
    app = make_app(folder, token, flags)
    listening = listening_on(port)
    config = uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=5, lifespan="off")
    address = f"http://{HOST}:{listening.getsockname()[1]}/?token={token}"
    return _Server(config), listening, address


def listening_on(port: int) -> socket.socket:
    """Return a socket of this machine alone; raises SettingsError where the port is taken."""
    try:
        return socket.create_server((HOST, port), backlog=128)  # before anybody is told of it
    except OSError as error:
        raise SettingsError(
            f"port {port} cannot be used ({error.strerror}): choose another"
        ) from error


def make_app(folder: Path, token: str, flags: Flags) -> FastAPI:
    """Return the application over the corpora below a folder; `token` lets one browser in."""
    app = FastAPI(openapi_url=None)
    app.state.pages = Pages(folder, flags, app.url_path_for)
    app.add_middleware(Guard, token=token)
    for kind in (HeadcountError, HTTPException, RequestValidationError):
        app.add_exception_handler(kind, _refused)
    static = str(files("graphs.apps").joinpath("static"))
    app.mount("/static", StaticFiles(directory=static), name="static")
    for each in (corpora, runs, document_page):
        app.include_router(each.router)
    return app


def _refused(request: Request, error: Exception) -> Response:
    status, problem = 400, str(error)
    match error:
        case CorpusMissing():
            status = 404
        case HTTPException():
            status, problem = error.status_code, error.detail
        case RequestValidationError():
            told = (f"{each['loc'][-1]}: {each['msg'].lower()}" for each in error.errors())
            problem = "; ".join(told)
    return pages_of(request).render("error.html", status, problem=problem)


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
