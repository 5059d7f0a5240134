"""`headcount ask | analyse`: one question, one answer, one exit code."""

import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import Console

from agent.answer import Answer
from agent.cost import Cost
from agent.errors import (
    CorpusUnreachable,
    LimitReached,
    NeedsRecords,
    ProviderError,
    ProviderUnreachable,
    QuestionError,
    RunError,
)
from agent.question import Interpretation
from agent.replies import InterpretReply
from agent.settings import Settings, load_settings
from graphs.analyst import AnalystSession
from graphs.apps.answer_view import show
from graphs.apps.criteria_file import read_criteria, write_criteria
from graphs.apps.estimate import begun_again, estimate_text
from graphs.apps.exits import Exit, exit_for, stoppable
from graphs.apps.from_settings import Request, given_context, open_context, open_reasoner
from graphs.apps.terminal import write_json, write_line
from graphs.apps.trace import print_event
from graphs.context import new_run_id
from graphs.runs.run_entry import check_question
from graphs.runs.run_session import Event, RunSession
from graphs.sessions import Session
from tools.corpus.corpus import Corpus, open_corpus


def ask(corpus: Path | str | Corpus, question: str, **settings: object) -> Answer:
    """Answer a question about a corpus as `headcount ask` does, for who wants no graph.

    `settings` are those of the command line and `headcount.toml`, by name: `model="gpt-4o-mini"`,
    `max_usd=0.5`, `on_ambiguity="assume"`; `model` may be a LangChain chat model, too. An answer
    may be partial, where a limit was reached, or wait for a clarification, as its status says; its
    run goes on with `headcount ask --resume`.

    Raises HeadcountError: the question is declined, a setting cannot be used, or the model's server
    cannot be reached.
    """
    check_question(question)
    opened = open_corpus(corpus) if isinstance(corpus, Path | str) else corpus
    run = new_run_id()
    with Session(given_context(opened, settings)) as session:
        try:
            for _ in session.start(question, run=run):
                pass
        except LimitReached as limit:
            return session.unread(question, run, limit)
        return session.outcome(run)


def estimate_again(request: Request) -> Exit:
    """Print what asking a run's question again would read, found by beginning it for nothing."""
    context = open_context(request.corpus, load_settings(**request.flags))
    with Session(context) as session:
        run = new_run_id()
        _, told = begun_again(session, request.again or "", run, _criteria(request)[0])
        write_line(told)
        session.forget(run)
    return Exit.ANSWERED


def run_ask(request: Request) -> Exit:
    """Answer, print, and return the exit code; an error says how a run that is kept goes on."""
    if request.resume is None and request.again is None:
        check_question(request.question)
    settings = load_settings(**request.flags)
    context = open_context(request.corpus, settings, request.record)
    with Session(context) if request.command == "ask" else AnalystSession(context) as session:
        if request.resume:
            _count_earlier(session, request, settings)
        run = request.resume or new_run_id()
        interrupted = f"interrupted; resume with: {request.resumed(run)}"
        try:
            with stoppable(interrupted):
                answer, request = _answered(session, run, request)
        except KeyboardInterrupt:
            write_line(interrupted if session.unfinished(run) else "interrupted", stderr=True)
            return Exit.INTERRUPTED
        except ProviderError as error:
            if not session.unfinished(run):
                raise
            told = f"{str(error).rstrip('. ')}. After fixing this, run: {request.resumed(run)}"
            raise ProviderError(told) from error
        except CorpusUnreachable as error:
            told = f"{error}. The work of the run is kept; resume with: {request.resumed(run)}"
            raise CorpusUnreachable(told) from error
        if isinstance(session, Session) and session.unconfirmed(run):
            _print(answer, request, f"{_written(session, run, request)}; edit it, then")
        else:
            _print(answer, request)
    return exit_for(answer)


def _count_earlier(session: RunSession[Any], request: Request, settings: Settings) -> None:
    session.context.store.info(request.resume or "")
    spent = session.state(request.resume or "").cost
    if spent != Cost():
        corpus = session.context.corpus
        session.take(open_reasoner(corpus, settings, request.record, spent))


def _answered(
    session: Session | AnalystSession,
    run: str,
    request: Request,
    read: Interpretation | None = None,
) -> tuple[Answer, Request]:
    """Follow the run, its trace on stderr, to its end or where it waits or its budget ends.

    What only records can tell is analysed within the same budget, as it was read; the request is
    then that one.
    """
    try:
        console = Console(stderr=True, highlight=False)
        for event in _events(session, run, request, read):
            print_event(event, console)
    except LimitReached as limit:
        question = request.question or session.state(run).question
        return session.unread(question, run, limit), request
    except NeedsRecords as needed:
        if isinstance(session, AnalystSession):
            raise
        state = session.state(run)
        question = request.question or state.question
        analysis = replace(request, command="analyse", question=question, resume=None, reply=None)
        _agree(needed, analysis)
        with AnalystSession(session.context) as analyst:
            return _answered(analyst, new_run_id(), analysis, state.interpretation)
    return session.outcome(run), request


def _agree(needed: NeedsRecords, analysis: Request) -> None:
    """Say that documents are read into records for the question, where the policy lets them be.

    Raises QuestionError: the person is to be asked first; the text says what it costs and how.
    """
    settings = load_settings(**analysis.flags)
    if settings.on_ambiguity not in {"assume", "branch"}:
        told = estimate_text(analysis.corpus, analysis.question, settings, "analyse")
        raise QuestionError(
            f"{needed}. Reading every document into records for it takes "
            f"{told}: use `headcount analyse`, or ask with "
            "--on-ambiguity assume"
        ) from needed
    write_line(f"{needed}; the documents are read into records for it", stderr=True)


def _events(
    session: Session | AnalystSession, run: str, request: Request, read: Interpretation | None
) -> Iterator[Event]:
    if isinstance(session, AnalystSession):
        new = request.resume is None
        asked = request.question
        return session.start(asked, run=run, criteria=read) if new else session.resume(run)
    criteria, confirm = _criteria(request)
    if request.again:
        anew = session.again(request.again, run=run) if criteria is None else None
        return anew or _judged_again(session, run, request)
    if not request.resume:
        return session.start(request.question, run=run, criteria=criteria, confirm=confirm)
    if request.reply is not None:
        return session.reply(run, request.reply, confirm=confirm)
    if criteria is None:
        return session.resume(run, confirm=confirm)
    return session.confirm(run, criteria)


def _criteria(request: Request) -> tuple[InterpretReply | None, bool]:
    """Return the criteria of the file that was named; or that they are to be written there."""
    file = request.criteria
    if file is None or not file.exists():
        return None, file is not None
    return read_criteria(file, request.question), False


def _judged_again(session: Session, run: str, request: Request) -> Iterator[Event]:
    """Say what new criteria cost before it is spent."""
    events, told = begun_again(session, request.again or "", run, _criteria(request)[0])
    yield from (each for each in events if each["kind"] != "waiting")
    write_line(told, stderr=True)
    if session.unfinished(run):
        yield from session.resume(run)


def _written(session: Session, run: str, request: Request) -> str:
    if request.criteria is None:
        raise RunError(f"run {run!r} waits for its criteria: name a file with --criteria")
    state = session.state(run)
    write_criteria(request.criteria, state.question, state.interpreted)
    return f"wrote how the question is read to {request.criteria}"


def _print(answer: Answer, request: Request, written: str = "") -> None:
    """Print the answer on stdout, and on stderr what can be done next."""
    if request.json:
        write_json(answer)
    else:
        show(answer, Console())
    command = request.resumed(answer.run)
    if written:
        file = shlex.quote(str(request.criteria))
        write_line(f"{written}: {command} --criteria {file}", stderr=True)
    elif answer.status == "needs_clarification":
        write_line(f"reply with: {command} --reply NUMBER", stderr=True)
    elif answer.status == "partial":
        gone = any(ProviderUnreachable.told in each for each in answer.warnings)
        why = f"{ProviderUnreachable.told}; once it can" if gone else "with a higher limit"
        write_line(f"continue, {why}: {command}", stderr=True)
