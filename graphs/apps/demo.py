"""`headcount demo`: real text that every machine has, three questions, no key, no network."""

import shlex
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console

from graphs.apps.indexing import built, summary
from graphs.apps.packages import write_readmes
from graphs.apps.plain import styled
from graphs.apps.shown import show
from graphs.apps.trace import Trace
from graphs.context import Context, new_run_id
from graphs.sessions import Session

__all__ = ("QUESTIONS", "run_demo")

QUESTIONS = (
    "How many packages are under the MIT License?",
    "Which packages mention asyncio?",
    "How many packages under the MIT License mention Windows?",
)
_ROWS = 5


def run_demo(into: Path) -> None:
    """Index the packages' README texts and answer the questions, showing how."""
    from tools.corpus.build import BuildSettings
    from tools.corpus.corpus import open_corpus

    console = Console(highlight=False)
    with TemporaryDirectory() as folder:
        count = write_readmes(Path(folder))
        _say(console, f"indexing the README texts of {count} installed packages …")
        into.parent.mkdir(parents=True, exist_ok=True)
        report = built([Path(folder)], into, BuildSettings())
    _say(console, summary(into, report))
    with Session(Context(corpus=open_corpus(into))) as session:
        runs = [_answer(question, session, console) for question in QUESTIONS]
    place = shlex.quote(str(into))
    _say(console, "\nAsk your own, talk, or read a run as a page:")
    _say(console, f'  headcount ask {place} "Which packages mention …?"')
    _say(console, f"  headcount chat {place}")
    _say(console, f"  headcount report {runs[-1]} --corpus {place}")


def _answer(question: str, session: Session, console: Console) -> str:
    """Answer a question with its trace; return the run's id."""
    _say(console, f"\n── {question}", style="bold")
    run = new_run_id()
    with Trace(console) as trace:
        for event in session.start(question, run=run):
            trace.show(event)
    show(session.outcome(run), console, rows=_ROWS)
    return run


def _say(console: Console, text: str, style: str = "") -> None:
    console.print(styled(text, style), soft_wrap=not console.is_terminal)
