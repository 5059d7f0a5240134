"""The server's application: its addresses behind the guard."""

from importlib.resources import files
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles

from agent.errors import CorpusMissing, HeadcountError
from graphs.apps.web import corpora, criteria_form, document_page, live, runs
from graphs.apps.web.guard import Guard
from graphs.apps.web.jobs import Flags
from graphs.apps.web.pages import Pages


def make_app(folder: Path, token: str, flags: Flags) -> FastAPI:
    """Return the application over the corpora below a folder; `token` lets one browser in."""
    app = FastAPI(openapi_url=None)
    app.state.pages = Pages(folder, flags, app.url_path_for)
    app.add_middleware(Guard, token=token)
    app.add_exception_handler(HeadcountError, _refused)
    app.add_exception_handler(HTTPException, _unknown)
    app.add_exception_handler(RequestValidationError, _misfilled)
    static = str(files("graphs.apps").joinpath("static"))
    app.mount("/static", StaticFiles(directory=static), name="static")
    for each in (corpora, live, runs, criteria_form, document_page):
        app.include_router(each.router)
    return app


def _refused(request: Request, error: Exception) -> Response:
    status = 404 if isinstance(error, CorpusMissing) else 400
    return _told(request, status, str(error))


def _unknown(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return _told(request, status, str(getattr(error, "detail", error)))


def _misfilled(request: Request, error: Exception) -> Response:
    problems = error.errors() if isinstance(error, RequestValidationError) else ()
    told = (f"{each['loc'][-1]}: {each['msg'].lower()}" for each in problems)
    return _told(request, 400, "; ".join(told))


def _told(request: Request, status: int, problem: str) -> Response:
    pages: Pages = request.app.state.pages
    return pages.render("error.html", status, problem=problem)
