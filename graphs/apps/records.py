"""`headcount records induce | fill`: a schema drawn up, the tables filled, the bill shown."""

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from agent.cost import Cost
from agent.errors import LimitReached, ModelError, QuestionError, SchemaError
from agent.reasoners.ledger import price_of
from agent.records.induction import InductionOptions, InductionState
from agent.records.record import Filled
from agent.records.record_schema import Schema
from agent.settings import Settings, load_settings
from agent.value import counted
from graphs.apps.exits import Exit
from graphs.apps.interrupts import stoppable
from graphs.apps.opening import open_context
from graphs.apps.plain import printable, styled
from graphs.apps.progress import cost_text
from graphs.apps.records_estimate import (
    estimate_fill,
    estimate_induction,
    in_words,
    pilot_context,
)
from graphs.apps.records_history import trace_line
from graphs.context import Context
from graphs.records.available_records import open_records, schema_path
from graphs.runs.place import runs_of
from graphs.srag import fill, induce
from tools.records.schema_file import load_schema, save_schema

__all__ = ("FillRequest", "InduceRequest", "read_questions", "run_fill", "run_induce")

_NAMES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class InduceRequest:
    """What `records induce` was asked for."""

    corpus: Path
    questions: Path | None = None
    schema: Path | None = None
    replace: bool = False
    documents: int = 12
    rounds: int | None = None
    json: bool = False
    estimate: bool = False
    record: Path | None = None
    flags: Mapping[str, object]
    """Settings; None where a flag was not given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FillRequest:
    """What `records fill` was asked for."""

    corpus: Path
    again: bool = False
    json: bool = False
    estimate: bool = False
    record: Path | None = None
    flags: Mapping[str, object]
    """Settings; None where a flag was not given."""


def run_induce(request: InduceRequest) -> Exit:
    """Draw up a schema, or take the one given, and write it beside the corpus.

    Raises:
        SchemaError: there is one already, or the documents have nothing in common.
        ModelError: no request for a schema brought a usable reply.
    """
    settings = load_settings(**request.flags)
    options = InductionOptions(documents=request.documents, rounds=request.rounds)
    questions = read_questions(request.questions) if request.questions else ()
    if request.estimate:
        bill = estimate_induction(pilot_context(request.corpus, settings), questions, options)
        _print_estimate(bill, settings, request.json)
        return Exit.ANSWERED
    context = open_context(request.corpus, settings, request.record)
    place = schema_path(context.corpus)
    if place.exists() and not request.replace:
        raise SchemaError(
            f"there is a schema at {str(place)!r} already: change it with `headcount records "
            "edit`, or draw up another one with --replace"
        )
    if request.schema is not None:
        given = load_schema(request.schema)
        save_schema(given, place)
        return _told_schema(given, place, request, Exit.ANSWERED)
    with _at_work(context, "the schema was not written; run the same command again"):
        drawn = induce(context, questions, options, tell=_tell)
    schema = _usable(drawn)
    save_schema(schema, place)
    for failure in drawn.failures:
        _say(f"failed: {failure.about}: {failure.error}", "red")
    _say(f"cost: {_bill(drawn.cost)}")
    code = Exit.ANSWERED
    if drawn.stopped:
        code = Exit.BUDGET
        _say(f"a limit was reached: {drawn.stopped}; the schema is unfinished", "yellow")
    return _told_schema(schema, place, request, code, drawn)


def run_fill(request: FillRequest) -> Exit:
    """Read the documents that are new or changed into the tables."""
    settings = load_settings(**request.flags)
    if request.estimate:
        pilot = pilot_context(request.corpus, settings)
        schema = load_schema(schema_path(pilot.corpus))
        _print_estimate(estimate_fill(pilot, schema, again=request.again), settings, request.json)
        return Exit.ANSWERED
    context = open_context(request.corpus, settings, request.record)
    schema = load_schema(schema_path(context.corpus))
    kept = "what was read is kept; run the same command again to go on"
    with _at_work(context, kept):
        filled = fill(context, schema, again=request.again, tell=_tell)
    _show_filled(filled, context, as_json=request.json)
    if filled.stopped:
        return Exit.BUDGET
    return Exit.FAILED_CHUNKS if filled.failed else Exit.ANSWERED


def read_questions(path: Path) -> tuple[str, ...]:
    """Return the questions of a file: one a line, or JSON lines with a `question`.

    Raises:
        QuestionError: the file cannot be read, or has no questions.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise QuestionError(f"{str(path)!r} is no UTF-8 text: {error.reason}") from error
    found = tuple(_question(line, f"{path}, line {n}") for n, line in enumerate(lines, 1) if line)
    questions = tuple(dict.fromkeys(each for each in found if each))
    if not questions:
        raise QuestionError(f"{str(path)!r} has no questions; write one a line")
    return questions


def _question(line: str, place: str) -> str:
    if not line.lstrip().startswith("{"):
        return line.strip()
    try:
        told = json.loads(line)
    except json.JSONDecodeError as error:
        raise QuestionError(f"{place}: no valid JSON: {error.msg}") from error
    question = told.get("question")
    if not isinstance(question, str):
        raise QuestionError(f"{place}: there is no `question`")
    return question.strip()


@contextmanager
def _at_work(context: Context, last_words: str) -> Iterator[None]:
    """Hold the corpus's lock of records; say on Ctrl-C what becomes of the work."""
    with (
        closing(runs_of(context)) as place,
        place.working_on("records"),
        stoppable(f"interrupted; {last_words}"),
    ):
        try:
            yield
        except KeyboardInterrupt:
            _say(last_words, "yellow")
            raise


def _usable(drawn: InductionState) -> Schema:
    """Return the schema; raise what stands in the way where there is none."""
    if drawn.result is not None and drawn.result.kinds:
        return drawn.result
    if drawn.stopped:
        raise LimitReached(f"{drawn.stopped}: no schema was drawn up; raise the limit")
    if drawn.failures:
        first = drawn.failures[0]
        raise ModelError(f"no schema was drawn up: {first.about}: {first.error}")
    raise SchemaError(
        "the documents show nothing in common that could be recorded: give a schema with --schema "
        "FILE, or a model with --model NAME (the rules read only visible structure)"
    )


def _told_schema(
    schema: Schema,
    place: Path,
    request: InduceRequest,
    code: Exit,
    drawn: InductionState | None = None,
) -> Exit:
    if request.json:
        told: dict[str, Any] = {"schema": schema.model_dump(mode="json"), "path": str(place)}
        if drawn is not None:
            told["history"] = [each.model_dump(mode="json") for each in drawn.history]
            told["failures"] = [each.model_dump(mode="json") for each in drawn.failures]
            told |= {"stopped": drawn.stopped, "cost": drawn.cost.model_dump()}
        _print_json(told)
        return code
    for kind in schema.kinds:
        columns = ", ".join(each.name for each in kind.attributes)
        sys.stdout.write(printable(f"{kind.name} ({kind.grain}): {columns}\n"))
    sys.stdout.write(
        f"written to {place}: read it, edit it, then `headcount records fill {request.corpus}`\n"
    )
    return code


def _show_filled(filled: Filled, context: Context, *, as_json: bool) -> None:
    if as_json:
        _print_json(filled.model_dump(mode="json"))
        return
    told = f"{counted(filled.read, 'document')} read, {counted(filled.records, 'record')}"
    if filled.current:
        told += f"; {filled.current} had not changed"
    if filled.forgotten:
        told += f"; {filled.forgotten} are gone"
    sys.stdout.write(told + "\n")
    if filled.refused:
        refused = counted(filled.refused, "value")
        _say(f"{refused} could not be taken: `headcount records show` says why")
    with_store = open_records(context.corpus)
    try:
        for name in filled.failed[:_NAMES]:
            first = next(each for each in with_store.failures(name) if not each.attribute)
            _say(f"failed: {name}: {first.reason}", "red")
    finally:
        with_store.close()
    if len(filled.failed) > _NAMES:
        _say(f"failed: {counted(len(filled.failed) - _NAMES, 'more document')}", "red")
    if filled.stopped:
        told = f"a limit was reached: {filled.stopped}; left: {counted(filled.left, 'document')}; "
        _say(told + "run the same command with a higher limit to go on", "yellow")
    _say(f"cost: {_bill(filled.cost)}")


def _bill(cost: Cost) -> str:
    return f"{cost_text(cost)}, {cost.seconds:.1f} s"


def _tell(event: Mapping[str, Any]) -> None:
    line = trace_line(event)
    if line:
        _say(line)


def _say(text: str, style: str = "dim") -> None:
    console = Console(stderr=True, highlight=False)
    console.print(styled(text, style), soft_wrap=not console.is_terminal)


def _print_estimate(bill: tuple[Cost, Cost], settings: Settings, as_json: bool) -> None:  # noqa: FBT001
    low, high = (_priced(each, settings) for each in bill)
    if as_json:
        _print_json({"model": settings.model, "low": low.model_dump(), "high": high.model_dump()})
    else:
        sys.stdout.write(in_words(settings.model, low, high) + "\n")


def _priced(cost: Cost, settings: Settings) -> Cost:
    price = price_of(settings.model, settings.prices)
    if price is None:
        return cost
    usd = (cost.input_tokens * price[0] + cost.output_tokens * price[1]) / 1e6
    return cost.model_copy(update={"usd": usd})


def _print_json(told: object) -> None:
    narrow = "utf" not in (sys.stdout.encoding or "utf-8").lower()
    sys.stdout.write(json.dumps(told, indent=2, ensure_ascii=narrow) + "\n")
