"""What counts, as a form: seen before a run goes on, changed after it."""

from collections.abc import Mapping
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Request
from fastapi.responses import Response

from agent.errors import SettingsError
from agent.interpretation import order_of
from agent.question import CRITERIA
from agent.replies import AtomReply, InterpretReply
from agent.settings import load_settings
from graphs.apps.criteria_file import difference, look_again, read_of
from graphs.apps.estimate import begun_again
from graphs.apps.from_settings import open_context
from graphs.apps.web.items import ItemsAsked
from graphs.apps.web.pages import AtRun, Dollars, RunAddress, Suggested, go
from graphs.apps.web.runs import run_page
from graphs.context import Context, new_run_id
from graphs.corrections import proposed
from graphs.sessions import Session

router = APIRouter()


async def _filled(request: Request) -> Mapping[str, str]:
    return {name: str(value) for name, value in (await request.form()).items()}


def _edited(at: AtRun, filled: Annotated[Mapping[str, str], Depends(_filled)]) -> InterpretReply:
    with at.opened() as opened:
        order = order_of(read_of(opened))
    conditions = [_atom(each, filled) for each in order.conditions]
    return order.model_copy(update={"conditions": conditions})


Edited = Annotated[InterpretReply, Depends(_edited)]


def _atom(atom: AtomReply, filled: Mapping[str, str]) -> AtomReply:
    if f"text-{atom.id}" not in filled:
        return atom
    lines = {name: filled.get(f"{name}-{atom.id}", "").splitlines() for name in CRITERIA}
    lists = {name: [*filter(None, map(str.strip, told))] for name, told in lines.items()}
    text = " ".join(filled[f"text-{atom.id}"].split())
    if not text:
        raise SettingsError(f"condition {atom.id} is empty: say what has to be shown")
    return atom.model_copy(update={"text": text, **lists})


@router.post("/corpora/{corpus}/runs/{run}/criteria", name="confirm")
def confirm(at: AtRun, criteria: Edited) -> Response:
    """Go on with a run whose criteria were seen."""
    at.go_on(lambda session, _: session.confirm(at.run, criteria), confirmed=True)
    return go(at.page)


@router.post("/corpora/{corpus}/runs/{run}/again", name="again")
def again(at: AtRun, criteria: Edited, max_usd: Annotated[Dollars, Form()] = None) -> Response:
    """Ask the question again by other criteria: what these can change is judged."""
    info, new = at.seen.info, at.anew()
    job = at.pages.jobs.go_on(
        new.job(info.question),
        info.model,
        {"max_usd": max_usd},
        lambda session, _: session.again(at.run, run=new.run, criteria=criteria),
    )
    return go(job.page)


@router.post("/corpora/{corpus}/runs/{run}/rereading", name="rereading")
def rereading(at: AtRun, criteria: Edited) -> Response:
    """Say what asking again by other criteria would read."""
    with Session(_context(at)) as session:
        new = new_run_id()
        _, told = begun_again(session, at.run, new, criteria)
        reading = session.state(new).interpreted
        session.forget(new)
    return run_page(at, ItemsAsked(), Suggested(reading=reading, told=told))


@router.post("/corpora/{corpus}/runs/{run}/learn", name="learn")
def learn(at: AtRun) -> Response:
    """Have a model propose criteria from what people overruled."""
    with at.opened() as opened:
        reading = read_of(opened)
        proposal = proposed(opened.state, opened.session.context, _context(at).reasoner)
        changes = difference(opened.info.question, reading, proposal)
    told = " · ".join([proposal.why, *look_again(proposal)])
    suggested = Suggested(reading=proposal.reading, told=told, changes=changes)
    return run_page(at, ItemsAsked(), suggested)


def _context(at: RunAddress) -> Context:
    return open_context(at.pages.corpora.corpus(at.corpus), load_settings(**at.pages.jobs.flags))
