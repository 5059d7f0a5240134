"""What counts, as a form: seen before a run goes on, changed after it."""

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import Response

from agent.errors import SettingsError
from agent.interpretation import order_of
from agent.replies import AtomReply, InterpretReply
from agent.settings import load_settings
from graphs.apps.criteria_file import difference, look_again, read_of
from graphs.apps.estimate import rereading_text
from graphs.apps.from_settings import open_context
from graphs.apps.stored_runs import stored_run
from graphs.apps.web.jobs import Flags, Job
from graphs.apps.web.pages import Pages, Shared, Suggested, dollars, go
from graphs.apps.web.runs import run_page
from graphs.context import Context, new_run_id
from graphs.corrections import proposed
from graphs.sessions import Session

_LISTS = ("counts", "borderline", "excludes")
router = APIRouter()


async def _filled(request: Request) -> Mapping[str, str]:
    return {name: str(value) for name, value in (await request.form()).items()}


Filled = Annotated[Mapping[str, str], Depends(_filled)]


def _edited(pages: Pages, corpus: str, run: str, filled: Mapping[str, str]) -> InterpretReply:
    """Return the run's interpretation with what the form changes."""
    with stored_run(pages.corpora.corpus(corpus), run) as opened:
        order = order_of(read_of(opened))
    conditions = [_atom(each, filled) for each in order.conditions]
    return order.model_copy(update={"conditions": conditions})


def _atom(atom: AtomReply, filled: Mapping[str, str]) -> AtomReply:
    if f"text-{atom.id}" not in filled:
        return atom
    lines = {name: filled.get(f"{name}-{atom.id}", "").splitlines() for name in _LISTS}
    lists = {name: [*filter(None, map(str.strip, told))] for name, told in lines.items()}
    text = " ".join(filled[f"text-{atom.id}"].split())
    if not text:
        raise SettingsError(f"condition {atom.id} is empty: say what has to be shown")
    return atom.model_copy(update={"text": text, **lists})


@router.post("/corpora/{corpus}/runs/{run}/criteria", name="confirm")
def confirm(pages: Shared, corpus: str, run: str, filled: Filled) -> Response:
    """Go on with a run whose criteria were seen."""
    seen, page = pages.seen(corpus, run), pages.url("run", corpus=corpus, run=run)
    criteria = _edited(pages, corpus, run, filled)
    job = Job(run, seen.info.question, page, corpus)
    pages.jobs.confirm(pages.corpora.place(corpus), job, seen.info.model, criteria)
    return go(page)


@router.post("/corpora/{corpus}/runs/{run}/again", name="again")
def again(
    pages: Shared,
    corpus: str,
    run: str,
    filled: Filled,
    max_usd: Annotated[str, Form()] = "",
) -> Response:
    """Ask the question again by other criteria: what these can change is judged."""
    seen, new = pages.seen(corpus, run), new_run_id()
    criteria = _edited(pages, corpus, run, filled)
    page = pages.url("run", corpus=corpus, run=new)
    job = Job(new, seen.info.question, page, corpus)
    flags: Flags = {"max_usd": dollars(max_usd)}
    place = pages.corpora.place(corpus)
    return go(pages.jobs.again(place, job, seen.info.model, flags, run, criteria).page)


@router.post("/corpora/{corpus}/runs/{run}/rereading", name="rereading")
def rereading(pages: Shared, corpus: str, run: str, filled: Filled) -> Response:
    """Say what asking again by other criteria would read."""
    criteria = _edited(pages, corpus, run, filled)
    with Session(_context(pages, corpus)) as session:
        new = new_run_id()
        for _ in session.again(run, run=new, criteria=criteria, estimate=True):
            pass
        state, finished = session.state(new), not session.unfinished(new)
        told = rereading_text(state, session.context, finished=finished)
        reading = state.interpreted
        session.forget(new)
    return run_page(pages, corpus, run, suggested=Suggested(reading=reading, told=told))


@router.post("/corpora/{corpus}/runs/{run}/learn", name="learn")
def learn(pages: Shared, corpus: str, run: str) -> Response:
    """Have a model propose criteria from what people overruled."""
    with stored_run(pages.corpora.corpus(corpus), run) as opened:
        reading, reasoner = read_of(opened), _context(pages, corpus).reasoner
        proposal = proposed(opened.state, opened.session.context, reasoner)
        changes = difference(opened.info.question, reading, proposal)
    told = " · ".join([proposal.why, *look_again(proposal)])
    suggested = Suggested(reading=proposal.reading, told=told, changes=changes)
    return run_page(pages, corpus, run, suggested=suggested)


def _context(pages: Pages, corpus: str) -> Context:
    return open_context(pages.corpora.corpus(corpus), load_settings(**pages.jobs.flags))
