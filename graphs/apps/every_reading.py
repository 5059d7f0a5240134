"""`headcount readings`: an ordinary question answered in every supported interpretation."""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from rich.console import Console

from agent.adf_state import (
    AdfAnswer,
    AdfOptions,
    AdfQuestion,
    AdfStep,
    Citation,
    Form,
    ReadingAnswer,
)
from agent.errors import ProviderError, QuestionError
from agent.settings import load_settings
from graphs.adf import build_adf_graph
from graphs.apps.exits import Exit, stoppable
from graphs.apps.from_settings import open_context
from graphs.apps.in_words import bill_text
from graphs.apps.terminal import complain, one_line, say, write_json, write_line
from graphs.context import Context
from graphs.runs.run_entry import check_question

_QUOTE = 400
_AGAIN = "run the same command again: replies that came cost nothing again"


def run_readings(
    corpus: Path,
    question: str,
    flags: Mapping[str, object],
    *,
    form: Form,
    as_json: bool,
    record: Path | None,
) -> Exit:
    """Answer, print, and return the exit code; how to continue is one line on stderr."""
    check_question(question)
    settings = load_settings(**flags)
    context = open_context(corpus, settings, record)
    options = AdfOptions(k=settings.retrieval, form=form)
    interrupted = f"interrupted; {_AGAIN}"
    try:
        with stoppable(interrupted):
            answer = _answered(question, options, context)
    except KeyboardInterrupt:
        write_line(interrupted, stderr=True)
        return Exit.INTERRUPTED
    except ProviderError as error:
        complain(f"{str(error).rstrip('. ')}. After fixing this, {_AGAIN}")
        return Exit.ERROR
    _print(answer, as_json=as_json)
    return _exit_for(answer)


def _print(answer: AdfAnswer, *, as_json: bool) -> None:
    """Print the answer on stdout, and on stderr what can be done next."""
    if as_json:
        write_json(answer)
    else:
        console = Console()
        for text, style in _lines(answer):
            say(console, text, style)
    if answer.status == "partial":
        write_line(f"to continue, raise the limit and {_AGAIN}", stderr=True)
    elif answer.failures:
        sys.stdout.flush()
        count, last = len(answer.failures), answer.failures[-1].error
        requests = "1 request failed" if count == 1 else f"{count} requests failed, the last with"
        complain(f"{requests}: {last} To ask for it, {_AGAIN}")


def _answered(question: str, options: AdfOptions, context: Context) -> AdfAnswer:
    """Run the graph, printing each step on stderr; return its answer."""
    trace = Console(stderr=True, highlight=False)
    given = AdfQuestion(question=question, options=options)
    for update in build_adf_graph().stream(given, context=context, stream_mode="updates"):
        for change in update.values():
            step: AdfStep = change["steps"][-1]
            say(trace, f"{step.step}: {step.why}", "dim")
            answer: AdfAnswer | None = change.get("answer")
    if answer is None:
        raise QuestionError("the graph ended without an answer")
    return answer


def _exit_for(answer: AdfAnswer) -> Exit:
    """Return the exit code, with the meanings of `headcount ask`."""
    if answer.status == "failed":
        return Exit.ERROR
    if answer.status == "partial":
        return Exit.BUDGET
    return Exit.FAILED_CHUNKS if answer.failures else Exit.ANSWERED


def _lines(answer: AdfAnswer) -> Iterator[tuple[str, str]]:
    yield _headline(answer), "bold"
    for number, reading in enumerate(answer.readings, start=1):
        yield from _reading_lines(number, reading, answer)
    if answer.contrast:
        yield from (("", ""), (answer.contrast, ""))
    if answer.text:
        yield from (("", ""), (answer.text, ""))
    yield "", ""
    for warning in answer.warnings:
        yield f"note: {warning}", "yellow"
    for failure in answer.failures:
        yield f"failed: {failure.step}, {failure.about}: {failure.error}", "red"
    yield f"cost: {bill_text(answer.cost)}", "dim"


def _headline(answer: AdfAnswer) -> str:
    answered = sum(each.answer is not None for each in answer.readings)
    partial = f" ({answer.status})" if answer.status != "answered" else ""
    if len(answer.readings) == 1:
        return f"one interpretation{'' if answered else ', not answered'}{partial}"
    return f"{len(answer.readings)} interpretations, {answered} answered{partial}"


def _reading_lines(
    number: int, reading: ReadingAnswer, answer: AdfAnswer
) -> Iterator[tuple[str, str]]:
    yield "", ""
    yield f"{number}. {one_line(reading.label)}", "bold"
    yield f"   {reading.question}", "dim"
    yield f"   {reading.answer or _unanswered(reading, answer)}", ""
    for citation in reading.evidence:
        yield f"   {_cited(citation, reading.answer or '')}", "cyan"
    for quote in reading.refused:
        yield f"   refused, not found in any passage: {_short(quote)}", "yellow"


def _unanswered(reading: ReadingAnswer, answer: AdfAnswer) -> str:
    if answer.status != "answered":
        return "not answered"
    return (
        "its answer is not proven by a quote"
        if reading.refused
        else "the passages do not answer it"
    )


def _cited(citation: Citation, answer: str) -> str:
    """Show a quote with its place; only the place if the answer repeats the quote."""
    place = f"{citation.document}:{citation.start}"
    verbatim = " ".join(citation.quote.split()) in " ".join(answer.split())
    return f"({place})" if verbatim else f"“{_short(citation.quote)}” ({place})"


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _QUOTE else words[:_QUOTE].rpartition(" ")[0] + " …"
