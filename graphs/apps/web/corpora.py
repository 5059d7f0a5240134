"""The pages of the corpora: what is in them, what was asked, and the form of a question."""

from pathlib import Path
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Form
from fastapi.responses import Response
from pydantic import BaseModel, StringConstraints

from agent.errors import CorpusError, HeadcountError, SettingsError
from agent.policy import OnAmbiguity
from agent.settings import load_settings
from graphs.apps.estimate import estimate_text
from graphs.apps.stored_runs import listed_runs
from graphs.apps.web.jobs import Flags
from graphs.apps.web.pages import LISTED, READERS, Dollars, Pages, RunAddress, Shared, go
from graphs.context import new_run_id
from graphs.runs.run_entry import check_question

_RUNS: Final = 50
"""Questions that are listed, the newest first."""
router = APIRouter()


@router.get("/", name="library")
def library(pages: Shared) -> Response:
    """List the corpora."""
    corpora = []
    for name, place in pages.corpora.places().items():
        job = pages.jobs.get(f"index-{place.stem}")
        try:
            held, problem = pages.corpora.held(name), ""
        except (CorpusError, OSError) as error:
            held, problem = None, str(error)
        corpora.append((name, held, problem, job is not None and job.alive))
    return pages.render(
        "library.html", folder=pages.corpora.folder, corpora=corpora, jobs=pages.jobs.alive
    )


@router.post("/index", name="index")
def index(
    pages: Shared,
    source: Annotated[str, Form()],
    name: Annotated[str, Form()],
    again: Annotated[bool, Form()] = False,  # noqa: FBT002
) -> Response:
    """Index a folder, and show how far it is."""
    try:
        given = Path(source).expanduser()
        there = given.exists()
    except (OSError, RuntimeError, ValueError):
        there = False
    if not there:
        raise SettingsError(f"there is no {source!r} on this machine")
    into = pages.corpora.new(name)
    if into.exists() and not again:
        raise SettingsError(
            f"there is a corpus {into.name} already: tick “bring it up to date” to make it one of "
            "this folder, which takes out what is not there; or choose another name"
        )
    return go(pages.jobs.index([given], into).page)


class _Asked(BaseModel):
    """The form of a question."""

    question: Annotated[str, StringConstraints(strip_whitespace=True)]
    reader: str
    on_ambiguity: OnAmbiguity = "ask"
    max_usd: Dollars = None
    confirm: bool = False

    @property
    def flags(self) -> Flags:
        """The settings that it stands for."""
        told = self.model_dump(include={"on_ambiguity", "max_usd"})
        return {"model": self.reader, **told}


def _shown(
    pages: Pages, name: str, asked: _Asked, q: str = "", estimate: str = "", problem: str = ""
) -> Response:
    opened = pages.corpora.corpus(name)
    titled = zip(range(len(opened.documents)), opened.documents, opened.titles, strict=True)
    sought = q.casefold().split()
    found = [
        each for each in titled if all(word in f"{each[1]} {each[2]}".casefold() for word in sought)
    ]
    readers, paid = pages.readers()
    return pages.render(
        "corpus.html",
        name=name,
        held=opened.manifest,
        fields=opened.fields,
        notes=opened.notes[:LISTED],
        runs=listed_runs(pages.context(name), _RUNS),
        named=READERS,
        readers=readers,
        paid=paid,
        asked=asked,
        q=q,
        found=len(found),
        shown=found[:LISTED],
        estimate=estimate,
        problem=problem,
    )


@router.get("/corpora/{corpus}", name="corpus")
def corpus(pages: Shared, corpus: str, q: str = "", question: str = "") -> Response:
    """Show what is in a corpus and was asked of it."""
    return _shown(pages, corpus, _Asked(question=question, reader=""), q=q)


def _known(pages: Shared, given: Annotated[_Asked, Form()]) -> _Asked:
    """Return what was asked; raises SettingsError where nobody reads under that name."""
    if given.reader not in {value for value, _ in pages.readers()[0]}:
        raise SettingsError(f"the server was not started with a reader {given.reader!r}")
    return given


Given = Annotated[_Asked, Depends(_known)]


@router.post("/corpora/{corpus}/questions", name="ask")
def ask(pages: Shared, corpus: str, given: Given) -> Response:
    """Begin to answer a question."""
    pages.corpora.place(corpus)
    try:
        check_question(given.question)
    except HeadcountError as error:
        return _shown(pages, corpus, given, problem=str(error))
    confirm = given.confirm and given.reader not in {"lexical", "person"}
    job = RunAddress(pages, corpus, new_run_id()).job(given.question, confirm=confirm)
    if given.reader == "person":
        return go(pages.jobs.review(job, {}).page)
    pages.jobs.run(
        job,
        given.flags,
        lambda session, job: session.start(job.title, run=job.name, confirm=job.confirm),
    )
    return go(job.page)


@router.post("/corpora/{corpus}/estimate", name="estimate")
def estimate(pages: Shared, corpus: str, given: Given) -> Response:
    """Say what a question would cost."""
    if given.reader == "person":
        told = "Reading yourself costs nothing but your time."
        return _shown(pages, corpus, given, estimate=told)
    settings = load_settings(**pages.jobs.settings(given.flags))
    try:
        place = pages.corpora.place(corpus)
        told = estimate_text(place, given.question, settings)
    except HeadcountError as error:
        return _shown(pages, corpus, given, problem=str(error))
    return _shown(pages, corpus, given, estimate=told)
