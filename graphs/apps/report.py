"""`headcount report`: write the page about a run."""

from pathlib import Path

from rich.console import Console

from agent.answer import Answer
from agent.errors import CorpusError, RunError
from agent.state import State
from graphs.answers import assembled, waiting
from graphs.apps.page import page
from graphs.apps.plain import styled
from graphs.context import Context
from graphs.sessions import Session
from tools.corpus.corpus import Corpus, open_corpus
from tools.runs.store import RunStore

__all__ = ("run_report",)


def run_report(run: str, place: Path | None, out: Path | None) -> None:
    """Write the page and say where it is."""
    corpus = _corpus_of(run, place)
    with Session(Context(corpus=corpus)) as session:
        info = session.context.store.info(run)
        state = session.state(run)
        answer = _answer(session, run, state)
    facts = (f"corpus {corpus.path}, model {info.model}, started {info.created}, {info.status}",)
    target = out or Path(f"{run}.html")
    target.write_text(page(answer, corpus, state.history, facts), encoding="utf-8")
    Console().print(styled(f"written: {target}"), soft_wrap=True)


def _answer(session: Session, run: str, state: State) -> Answer:
    """Return the answer; of a run that is not finished, what is known so far."""
    stored = session.context.store.answer(run)
    if stored is not None and not session.unfinished(run):
        return stored
    if state.interpretation is None:
        raise RunError(f"run {run!r} has not read its question yet: there is nothing to report")
    if state.clarification is not None or not state.snapshot:
        return waiting(state)
    told = "the run is not finished: this is what was found so far"
    return assembled(state, session.context).model_copy(
        update={"status": "partial", "warnings": (told, *state.warnings)}
    )


def _corpus_of(run: str, place: Path | None) -> Corpus:
    """Open the named corpus, or the one in this folder that has the run."""
    if place is not None:
        return open_corpus(place)
    for store in sorted(Path().glob("**/runs/runs.sqlite")):
        try:
            with RunStore(store) as opened:
                opened.info(run)
        except (RunError, CorpusError):
            continue
        return open_corpus(store.parents[1])
    raise RunError(f"no corpus below this folder has a run {run!r}; name it with --corpus")
