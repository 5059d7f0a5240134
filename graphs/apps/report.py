"""`headcount report`: write the page about a run, or tell what happened to its chunks."""

from pathlib import Path

from rich.console import Console

from agent.answer import Answer
from agent.errors import RunError
from graphs.answering.answers import assembled, waiting
from graphs.apps.page import page
from graphs.apps.plain import styled
from graphs.apps.reported import Reported

__all__ = ("write_page",)


def write_page(told: Reported, out: Path | None) -> None:
    """Write the page and say where it is."""
    info = told.info
    facts = [
        f"corpus {told.corpus.path}, model {info.model}, started {info.created}, {info.status}"
    ]
    if told.corpus_changed:
        facts.append("the corpus has changed since: its chunks are not those of this run any more")
    answer = _answer(told)
    searched = told.state.snapshot and answer.status != "needs_clarification"
    accounts = told.accounts() if searched and not told.corpus_changed else ()
    target = out or Path(f"{told.run}.html")
    text = page(answer, told.corpus, told.state.history, facts, accounts)
    target.write_text(text, encoding="utf-8")
    Console().print(styled(f"written: {target}"), soft_wrap=True)


def _answer(told: Reported) -> Answer:
    """Return the answer; of a run that is not finished, what is known so far."""
    stored = told.store.answer(told.run)
    if stored is not None and not told.session.unfinished(told.run):
        return stored
    state = told.state
    if state.interpretation is None:
        raise RunError(f"run {told.run!r} has not read its question yet: nothing to report")
    if state.clarification is not None or not state.snapshot:
        return waiting(state)
    so_far = "the run is not finished: this is what was found so far"
    return assembled(state, told.session.context).model_copy(
        update={"status": "partial", "warnings": (so_far, *state.warnings)}
    )
