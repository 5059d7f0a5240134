"""The pages of the corpora: what is in them, what was asked, and the form of a question."""

from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Form
from fastapi.responses import Response

from agent.answer import Answer
from agent.errors import CorpusError, HeadcountError, SettingsError
from agent.policy import OnAmbiguity
from agent.settings import load_settings
from graphs.apps.answer_view import headline
from graphs.apps.estimate import estimate_text
from graphs.apps.stored_runs import STATUS
from graphs.apps.web.jobs import Flags, Job
from graphs.apps.web.pages import LISTED, READERS, Pages, Shared, dollars, go
from graphs.context import new_run_id
from graphs.runs.run_entry import check_question, has_runs
from tools.runs.store import RunInfo

_RUNS: Final = 50
"""Questions that are listed, the newest first."""
router = APIRouter()


def _described(pages: Pages, name: str) -> dict[str, object]:
    try:
        held = pages.corpora.held(name)
    except CorpusError as error:
        return {"name": name, "problem": str(error)}
    job = pages.jobs.get(f"index-{pages.corpora.place(name).stem}")
    return {
        "name": name,
        "problem": "",
        "documents": held.documents,
        "passages": held.chunks,
        "unread": len(held.unreadable),
        "state": "being indexed" if job and job.alive else "",
    }


@router.get("/", name="library")
def library(pages: Shared) -> Response:
    """List the corpora."""
    corpora = [_described(pages, name) for name in pages.corpora.places()]
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """What the form of a question holds."""

    question: str = ""
    reader: str = ""
    on_ambiguity: str = "ask"
    max_usd: float | None = None
    verbatim: bool = False
    confirm: bool = False

    @property
    def flags(self) -> Flags:
        """The settings that it stands for."""
        return {
            "model": self.reader,
            "on_ambiguity": self.on_ambiguity,
            "max_usd": self.max_usd,
        }


def _shown(
    pages: Pages, name: str, asked: _Asked, q: str = "", estimate: str = "", problem: str = ""
) -> Response:
    """Render a corpus with the form as it was filled in."""
    opened = pages.corpora.corpus(name)
    sought = q.casefold().split()
    found = [
        number
        for number, document in enumerate(opened.documents)
        if all(word in f"{document} {opened.titles[number]}".casefold() for word in sought)
    ]
    listed = [(at, opened.documents[at], opened.titles[at]) for at in found[:LISTED]]
    readers, paid = pages.readers()
    return pages.render(
        "corpus.html",
        name=name,
        held=opened.manifest,
        fields=opened.fields,
        notes=opened.notes[:LISTED],
        runs=_listed_runs(pages, name),
        readers=readers,
        paid=paid,
        asked=asked,
        q=q,
        found=len(found),
        shown=listed,
        estimate=estimate,
        problem=problem,
    )


@router.get("/corpora/{corpus}", name="corpus")
def corpus(pages: Shared, corpus: str, q: str = "", question: str = "") -> Response:
    """Show what is in a corpus and was asked of it."""
    return _shown(pages, corpus, _Asked(question=question), q=q)


def _asked(
    pages: Shared,
    question: Annotated[str, Form()],
    reader: Annotated[str, Form()],
    on_ambiguity: Annotated[OnAmbiguity, Form()] = "ask",
    max_usd: Annotated[str, Form()] = "",
    verbatim: Annotated[bool, Form()] = False,  # noqa: FBT002
    confirm: Annotated[bool, Form()] = False,  # noqa: FBT002
) -> _Asked:
    if reader not in {value for value, _ in pages.readers()[0]}:
        raise SettingsError(f"the server was not started with a reader {reader!r}")
    return _Asked(
        question=question.strip(),
        reader=reader,
        on_ambiguity=on_ambiguity,
        max_usd=dollars(max_usd),
        verbatim=verbatim,
        confirm=confirm,
    )


@router.post("/corpora/{corpus}/questions", name="ask")
def ask(pages: Shared, corpus: str, given: Annotated[_Asked, Depends(_asked)]) -> Response:
    """Begin to answer a question."""
    place, run = pages.corpora.place(corpus), new_run_id()
    page = pages.url("run", corpus=corpus, run=run)
    try:
        check_question(given.question)
    except HeadcountError as error:
        return _shown(pages, corpus, given, problem=str(error))
    job = Job(run, given.question, page, corpus)
    if given.reader == "person":
        return go(pages.jobs.review(place, job, {}, verbatim=given.verbatim).page)
    job.confirm = given.confirm and given.reader != "lexical"
    return go(pages.jobs.ask(place, job, given.flags).page)


@router.post("/corpora/{corpus}/estimate", name="estimate")
def estimate(pages: Shared, corpus: str, given: Annotated[_Asked, Depends(_asked)]) -> Response:
    """Say what a question would cost."""
    if given.reader == "person":
        return _shown(
            pages, corpus, given, estimate="Reading yourself costs nothing but your time."
        )
    settings = load_settings(**pages.jobs.settings(given.flags))
    try:
        told = estimate_text(pages.corpora.place(corpus), given.question, settings)
    except HeadcountError as error:
        return _shown(pages, corpus, given, problem=str(error))
    return _shown(pages, corpus, given, estimate=told)


def _listed_runs(pages: Pages, name: str) -> list[dict[str, str]]:
    context = pages.context(name)
    if not has_runs(context):
        return []
    with closing(context.store) as store:
        infos = [each for each in store.runs() if "." not in each.run][:_RUNS]
        found = [(each, store.answer(each.run)) for each in infos]
    return [
        {
            "run": info.run,
            "question": info.question,
            "answer": _state_of(pages.jobs.get(info.run), info, answer),
            "model": READERS.get(info.model, info.model),
            "started": info.created[:16].replace("T", " "),
        }
        for info, answer in found
    ]


def _state_of(job: Job | None, info: RunInfo, answer: Answer | None) -> str:
    if job is not None and job.alive:
        return "waiting for you" if job.screen else "running"
    if answer is not None:
        return headline(answer)
    return "not finished" if info.status == "running" else STATUS.get(info.status, info.status)
