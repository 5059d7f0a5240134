"""`headcount readings`: an ordinary question answered in every reading that the corpus supports."""

import shlex
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from agent.adf_state import AdfAnswer, AdfOptions, AdfQuestion, AdfStep, Citation, ReadingAnswer
from agent.errors import ProviderError, QuestionError
from agent.settings import load_settings
from graphs.adf import build_adf_graph
from graphs.apps.exits import Exit, complain, mended
from graphs.apps.interrupts import stoppable
from graphs.apps.opening import open_context
from graphs.apps.plain import styled
from graphs.apps.progress import cost_text
from graphs.context import Context

__all__ = ("ReadingsRequest", "run_readings")

_QUOTE = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingsRequest:
    """What the command line asked for."""

    corpus: Path
    question: str
    json: bool = False
    record: Path | None = None
    flags: Mapping[str, object]
    """Settings; None where a flag was not given."""
    options: Mapping[str, object]
    """The graph's parameters; None where a flag was not given."""

    @property
    def again(self) -> str:
        """The command that asks the same; replies that came are kept and cost nothing again."""
        given = {**self.flags, **self.options, "record": self.record}
        words = ["headcount", "readings", str(self.corpus), self.question]
        for name, value in given.items():
            if value is not None:
                words += [f"--{name.replace('_', '-')}", str(value)]
        return shlex.join([*words, *(("--json",) if self.json else ())])


def run_readings(request: ReadingsRequest) -> Exit:
    """Answer, print, and return the exit code; what is left to do is one line on stderr."""
    _check(request.question)
    settings = load_settings(**request.flags)
    context = open_context(request.corpus, settings, request.record)
    given = {name: value for name, value in request.options.items() if value is not None}
    options = AdfOptions.model_validate({"k": settings.retrieval, **given})
    interrupted = f"interrupted; go on with: {request.again}"
    try:
        with stoppable(interrupted):
            answer = _answered(request.question, options, context)
    except KeyboardInterrupt:
        sys.stderr.write(f"{interrupted}\n")
        return Exit.INTERRUPTED
    except ProviderError as error:
        complain(mended(error, request.again))
        return Exit.ERROR
    _print(answer, request)
    return _exit_for(answer)


def _check(question: str) -> None:
    if not question.strip():
        raise QuestionError("the question is empty; ask for instance 'What happens on …?'")
    if any("\ud800" <= letter <= "\udfff" for letter in question):
        raise QuestionError("the question is no valid text: the terminal's encoding must be UTF-8")


def _print(answer: AdfAnswer, request: ReadingsRequest) -> None:
    """Print the answer on stdout, and on stderr what can be done next."""
    if request.json:
        narrow = "utf" not in (sys.stdout.encoding or "utf-8").lower()
        sys.stdout.write(answer.model_dump_json(indent=2, ensure_ascii=narrow) + "\n")
    else:
        _show(answer, Console())
    if answer.status == "partial":
        sys.stderr.write(f"go on, with a higher limit: {request.again}\n")
    elif answer.failures:
        sys.stdout.flush()
        count, last = len(answer.failures), answer.failures[-1].error
        requests = "1 request failed" if count == 1 else f"{count} requests failed, the last so"
        complain(f"{requests}: {last} Ask again with: {request.again}")


def _answered(question: str, options: AdfOptions, context: Context) -> AdfAnswer:
    """Run the graph, telling each step on stderr; return what it ends with."""
    trace = Console(stderr=True, highlight=False)
    given = AdfQuestion(question=question, options=options)
    for update in build_adf_graph().stream(given, context=context, stream_mode="updates"):
        for change in update.values():
            _trace(change["steps"][-1], trace)
            answer: AdfAnswer | None = change.get("answer")
    if answer is None:
        raise QuestionError("the graph ended without an answer")
    return answer


def _trace(step: AdfStep, console: Console) -> None:
    text = styled(f"{step.step}: {step.why}", "dim")
    console.print(text, soft_wrap=not console.is_terminal)


def _exit_for(answer: AdfAnswer) -> Exit:
    """Return the exit code: `headcount ask` has the same."""
    if answer.status == "failed":
        return Exit.ERROR
    if answer.status == "partial":
        return Exit.BUDGET
    return Exit.FAILED_CHUNKS if answer.failures else Exit.ANSWERED


def _show(answer: AdfAnswer, console: Console) -> None:
    for text, style in _lines(answer):
        console.print(styled(text, style), soft_wrap=not console.is_terminal)


def _lines(answer: AdfAnswer) -> Iterator[tuple[str, str]]:
    yield _headline(answer), "bold"
    for number, reading in enumerate(answer.readings, start=1):
        yield from _reading_lines(number, reading, answer)
    if answer.contrast:
        yield f"\n{answer.contrast}", ""
    if answer.text:
        yield f"\n{answer.text}", ""
    yield "", ""
    for warning in answer.warnings:
        yield f"note: {warning}", "yellow"
    for failure in answer.failures:
        yield f"failed: {failure.step}, {failure.about}: {failure.error}", "red"
    yield f"cost: {cost_text(answer.cost)}, {answer.cost.seconds:.1f} s", "dim"


def _headline(answer: AdfAnswer) -> str:
    answered = sum(each.answer is not None for each in answer.readings)
    partial = f" ({answer.status})" if answer.status != "answered" else ""
    if len(answer.readings) == 1:
        told = "one reading" if answered else "one reading, not answered"
        return f"{told}{partial}"
    return f"{len(answer.readings)} readings, {answered} answered{partial}"


def _reading_lines(
    number: int, reading: ReadingAnswer, answer: AdfAnswer
) -> Iterator[tuple[str, str]]:
    yield f"\n{number}. {reading.label}", "bold"
    yield f"   {reading.question}", "dim"
    yield f"   {reading.answer or _unanswered(reading, answer)}", ""
    for citation in reading.evidence:
        yield f"   {_cited(citation, reading.answer or '')}", "cyan"
    for quote in reading.refused:
        yield f"   refused, stands in no passage: {_short(quote)}", "yellow"


def _unanswered(reading: ReadingAnswer, answer: AdfAnswer) -> str:
    """Say why there is no answer."""
    if answer.status != "answered":
        return "not answered"
    return "an answer that no quote proves" if reading.refused else "the passages do not answer it"


def _cited(citation: Citation, answer: str) -> str:
    """Show a quote with its place; the place alone where the answer says it word for word."""
    place = f"{citation.document}:{citation.start}"
    verbatim = " ".join(citation.quote.split()) in " ".join(answer.split())
    return f"({place})" if verbatim else f"“{_short(citation.quote)}” ({place})"


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _QUOTE else words[:_QUOTE].rpartition(" ")[0] + " …"
