"""`headcount ask`: one question, one answer, one exit code."""

import shlex
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from agent.ambiguity import Reply
from agent.answer import Answer
from agent.cost import Cost
from agent.errors import QuestionError
from agent.settings import Settings, load_settings
from graphs.apps.estimate import run_estimate
from graphs.apps.exits import Exit, exit_for
from graphs.apps.opening import open_context
from graphs.apps.progress import told
from graphs.apps.shown import show
from graphs.context import new_run_id
from graphs.sessions import Event, Session

__all__ = ("Request", "run_ask")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the command line asked for."""

    corpus: Path
    question: str | None
    json: bool
    estimate: bool
    resume: str | None
    reply: str | None
    flags: Mapping[str, object]


def run_ask(request: Request) -> Exit:
    """Answer, print, and return the exit code."""
    settings = load_settings(**request.flags)
    if request.estimate:
        return run_estimate(_question(request), open_context(request.corpus, settings), settings)
    run = request.resume or new_run_id()
    session = _session(request, settings, run)
    try:
        _follow(_events(request, session, run))
    except KeyboardInterrupt:
        sys.stderr.write(f"\ninterrupted; go on with: {_resume_line(request.corpus, run)}\n")
        return Exit.INTERRUPTED
    answer = session.outcome(run)
    _print(answer, request)
    return exit_for(answer)


def _session(request: Request, settings: Settings, run: str) -> Session:
    """Open the session; what a resumed run spent before counts against its budget."""
    session = Session(open_context(request.corpus, settings))
    before = session.spent_before(run) if request.resume else None
    if before is None or before.cost == Cost():
        return session
    return Session(open_context(request.corpus, settings, before.cost))


def _events(request: Request, session: Session, run: str) -> Iterator[Event]:
    if not request.resume:
        return session.start(_question(request), run=run)
    if request.reply is None:
        return session.resume(run)
    text = request.reply.strip()
    reply = Reply(choice=int(text)) if text.isdigit() else Reply(text=text)
    return session.reply(run, reply)


def _question(request: Request) -> str:
    if not request.question or not request.question.strip():
        raise QuestionError("no question: headcount ask CORPUS 'How many … mention …?'")
    return request.question


def _follow(events: Iterator[Event]) -> None:
    """Print the trace on stderr while the run goes on."""
    stderr = Console(stderr=True, highlight=False, soft_wrap=True)
    for event in events:
        line = told(event)
        if line:
            stderr.print(line, style="dim", markup=False)


def _print(answer: Answer, request: Request) -> None:
    if request.json:
        sys.stdout.write(answer.model_dump_json(indent=2) + "\n")
    else:
        show(answer, Console(soft_wrap=False))
    if answer.status == "needs_clarification":
        line = _resume_line(request.corpus, answer.run)
        sys.stderr.write(f"reply with: {line} --reply NUMBER\n")


def _resume_line(corpus: Path, run: str) -> str:
    return f"headcount ask {shlex.quote(str(corpus))} --resume {run}"
