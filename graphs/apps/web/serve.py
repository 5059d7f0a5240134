"""`headcount serve`: the page's server, on this machine alone, under a link that works once."""

import os
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
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from agent.errors import CorpusMissing, HeadcountError, SettingsError
from agent.reasoners import select_reasoner
from agent.settings import load_settings
from graphs.apps.exits import Exit
from graphs.apps.terminal import write_line
from graphs.apps.web import corpora, criteria_form, document_page, live, matrix, runs
from graphs.apps.web.guard import Guard
from graphs.apps.web.jobs import Flags
from graphs.apps.web.pages import Pages, pages_of

HOST: Final = "127.0.0.1"


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
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((HOST, port))
        made.listen(128)  # before anybody is told of it
    except OSError as error:
        made.close()
        raise SettingsError(
            f"port {port} cannot be used ({error.strerror}): choose another"
        ) from error
    return made


def make_app(folder: Path, token: str, flags: Flags) -> FastAPI:
    """Return the application over the corpora below a folder; `token` lets one browser in."""
    app = FastAPI(openapi_url=None)
    app.state.pages = Pages(folder, flags, app.url_path_for)
    app.add_middleware(Guard, token=token)
    for kind in (HeadcountError, HTTPException, RequestValidationError):
        app.add_exception_handler(kind, _refused)
    static = str(files("graphs.apps").joinpath("static"))
    app.mount("/static", StaticFiles(directory=static), name="static")
    for each in (corpora, live, matrix, runs, criteria_form, document_page):
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
