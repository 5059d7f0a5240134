"""`headcount review`: a person reads in a model's place, and gets an answer with the same proof."""

import shlex
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import astuple, fields
from pathlib import Path

from rich.console import Console

from agent.answer import Answer
from agent.errors import LimitReached, QuestionError
from agent.policy import Policy
from agent.reasoners.person_reasoner import PersonReasoner
from agent.settings import Settings, load_settings
from agent.value import counted
from graphs.apps.answer_view import show
from graphs.apps.exits import Exit, exit_for
from graphs.apps.from_settings import open_reasoner
from graphs.apps.review_desk import KEYS, Keys, TerminalDesk, Undone, reader_name
from graphs.apps.terminal import say, write_json, write_line, write_row
from graphs.apps.trace import Trace
from graphs.components import Components
from graphs.context import Context, new_run_id, now
from graphs.runs.run_entry import check_question
from graphs.search.cost_model import Choice
from graphs.sessions import Session
from tools.corpus.corpus import open_corpus
from tools.runs.reviews import Reviewed, Reviews

_SHOWN = frozenset({"interpret", "decide", "audit"})
"""The nodes of which the trace tells the person: not what each verdict leads to."""


def review_policy(settings: Settings) -> Policy:
    """Return how a person is asked: of few candidates, too, the best by rank come first."""
    chosen = {"few_candidates": 0, "trial": 0, "disambiguation": "none", "route": "text"}
    return settings.policy().model_copy(update=chosen)


def review_components() -> Components:
    """Return what a review does otherwise: no filter is called, the best by rank come first."""
    by_rank = Choice(way="rank", why="a person reads the best by rank, and a sample of the rest")
    return Components(way=lambda _state, _context: by_rank)


def run_review(
    corpus: Path, question: str, flags: Mapping[str, object], *, json: bool = False
) -> Exit:
    """Show passages until the search and its audit end, and print the answer.

    What was judged is kept at once: the same command goes on where it was stopped.

    Raises HeadcountError: the question cannot be reviewed.
    """
    check_question(question)
    settings = load_settings(**flags)
    opened = open_corpus(corpus)
    opened.runs.mkdir(mode=0o700, parents=True, exist_ok=True)
    console = Console(stderr=True, highlight=False)
    go_on = f"go on with: headcount review {shlex.quote(str(corpus))} {shlex.quote(question)}"
    with closing(Reviews(opened.runs)) as reviews:
        desk = TerminalDesk(opened, reviews, console, reader_name(), now, Keys(console))
        context = Context(
            corpus=opened,
            reasoner=PersonReasoner(desk, open_reasoner(opened, settings)),
            policy=review_policy(settings),
            components=review_components(),
        )
        say(console, KEYS, style="dim")
        try:
            with Session(context) as session:
                answer = followed(session, question, console)
        except KeyboardInterrupt:
            write_line(f"interrupted; what was judged is kept; {go_on}", stderr=True)
            return Exit.INTERRUPTED
        told = f"{counted(len(desk.given), 'verdict')} given"
        earlier = f", {len(desk.known)} taken from earlier reviews" if desk.known else ""
        write_line(f"{told}{earlier}, kept in {reviews.path}", stderr=True)
    if json:
        write_json(answer)
    else:
        show(answer, Console())
    if answer.status == "partial":
        write_line(go_on, stderr=True)
    return exit_for(answer)


def followed(session: Session, question: str, console: Console) -> Answer:
    """Follow the run to its end; begin it anew where a verdict that it built on was taken back."""
    run = new_run_id()
    while True:
        try:
            with Trace(console) as trace:
                for event in session.start(question, run=run):
                    reading = session.state(run).interpretation
                    if reading is not None and reading.measure and reading.measure.field is None:
                        raise QuestionError(
                            f"{reading.measure.text!r} would have to be read off the texts: "
                            "review finds and counts; ask for the list"
                        )
                    if event.get("node") in _SHOWN:
                        trace.show(event)
            return session.outcome(run)
        except Undone:
            session.forget(run)
        except LimitReached as limit:
            return session.unread(question, run, limit)


def print_reviews(corpus: Path) -> None:
    """Print the verdicts that stand, the oldest first, a tab-separated line each."""
    opened = open_corpus(corpus)
    with closing(Reviews(opened.runs)) as reviews:
        write_row([each.name for each in fields(Reviewed)], sys.stdout)
        for each in reviews.all() if reviews.path.exists() else ():
            write_row([str(cell) for cell in astuple(each)], sys.stdout)
