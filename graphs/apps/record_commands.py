"""`headcount records induce | fill | show`: a schema, and the tables filled by it."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console

from agent.errors import LimitReached, ModelError, QuestionError, SchemaError
from agent.records.record import Filled
from agent.records.record_schema import Schema, Tables
from agent.settings import load_settings
from agent.value import counted
from graphs.apps.estimate import dry_context, print_bills, reading_bills, with_limits
from graphs.apps.exits import Exit, stoppable
from graphs.apps.from_settings import open_context
from graphs.apps.in_words import bill_text, filled_text, some_names
from graphs.apps.terminal import say, write_json, write_line
from graphs.apps.trace import records_text
from graphs.context import Context
from graphs.records import inducing
from graphs.records.available_records import open_records, schema_path
from graphs.records.filling import fill, survey
from graphs.runs.run_entry import runs_of
from prompts.records_prompts import tables_text
from tools.corpus.corpus import Corpus, open_corpus
from tools.records.record_store import RecordStore
from tools.records.schema_file import load_schema, save_schema


def run_induce(
    corpus: Path, flags: Mapping[str, object], *, questions: Path | None, extend: bool
) -> Exit:
    """Induce a schema, or add kinds to it, and write it beside the corpus.

    Raises SchemaError: there is one, or nothing in common; ModelError: no reply was usable.
    """
    settings = load_settings(**flags)
    asked = read_questions(questions) if questions else ()
    context = open_context(corpus, settings)
    place = schema_path(context.corpus)
    if place.exists() and not extend:
        raise SchemaError(
            f"there is a schema at {str(place)!r} already: edit that file, add kinds with "
            "--extend, or move it away to induce another one"
        )
    with _working(context, "the schema was not written; run the same command again"):
        induced = (
            inducing.extend(context, load_schema(place), tell=_trace)
            if extend
            else inducing.induce(context, asked, tell=_trace)
        )
    schema = _usable(induced)
    save_schema(schema, place)
    for failure in induced.failures:
        _note(f"failed: {failure.about}: {failure.error}", "red")
    _note(f"cost: {bill_text(induced.cost, context.prices_of)}")
    if induced.stopped:
        _note(f"a limit was reached: {induced.stopped}; the schema is unfinished", "yellow")
    for kind in schema.kinds:
        columns = ", ".join(each.name for each in kind.attributes)
        write_line(f"{kind.name} ({kind.grain}): {columns}")
    write_line(f"written to {place}: read it, edit it, then `headcount records fill {corpus}`")
    return Exit.BUDGET if induced.stopped else Exit.ANSWERED


def estimate_records(corpus: Path, flags: Mapping[str, object], *, as_json: bool) -> Exit:
    """Print what it would cost to extract records from the documents that are new or changed."""
    settings = with_limits(load_settings(**flags))
    dry = dry_context(corpus, settings)
    queue, *_ = survey(dry, load_schema(schema_path(dry.corpus)))
    print_bills(reading_bills(queue, dry), settings, as_json=as_json)
    return Exit.ANSWERED


def run_fill(corpus: Path, flags: Mapping[str, object], *, as_json: bool) -> Exit:
    """Extract records from the documents that are new or changed."""
    context = open_context(corpus, load_settings(**flags))
    schema = load_schema(schema_path(context.corpus))
    with _working(context, "what was read is kept; run the same command again to continue"):
        filled = fill(context, schema, tell=_trace)
    if as_json:
        write_json(filled)
    else:
        _show_filled(filled, context)
    if filled.stopped:
        return Exit.BUDGET
    return Exit.FAILED_CHUNKS if filled.failed else Exit.ANSWERED


def read_questions(path: Path) -> tuple[str, ...]:
    """Return the questions of a file, one a line; raises QuestionError where there are none."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise QuestionError(f"{str(path)!r} is not UTF-8 text: {error.reason}") from error
    questions = tuple(dict.fromkeys(line.strip() for line in lines if line.strip()))
    if not questions:
        raise QuestionError(f"{str(path)!r} has no questions; write one a line")
    return questions


@contextmanager
def _working(context: Context, last_words: str) -> Iterator[None]:
    """Hold the corpus's lock of records; on Ctrl-C, say what becomes of the work."""
    with (
        closing(runs_of(context)) as place,
        place.working_on("records"),
        stoppable(f"interrupted; {last_words}"),
    ):
        try:
            yield
        except KeyboardInterrupt:
            _note(last_words, "yellow")
            raise


def _usable(induced: inducing.Induced) -> Schema:
    """Return the schema; raise the reason if there is none."""
    if induced.result.kinds:
        return induced.result
    if induced.stopped:
        raise LimitReached(f"{induced.stopped}: no schema was induced; raise the limit")
    if induced.failures:
        first = induced.failures[0]
        raise ModelError(f"no schema was induced: {first.about}: {first.error}")
    raise SchemaError(
        "the documents have nothing in common that could be recorded: write a schema yourself, or "
        "name another model with --model NAME"
    )


def _show_filled(filled: Filled, context: Context) -> None:
    gone = f"; {filled.forgotten} are gone" if filled.forgotten else ""
    write_line(f"{filled_text(filled)}{gone}")
    if filled.refused:
        refused = counted(filled.refused, "value")
        _note(f"{refused} refused: `headcount records show` says why")
    with closing(open_records(context.corpus)) as store:
        if filled.unfit:
            headings = dict.fromkeys(each.original for each in store.failures() if each.rows)
            _note(
                f"{counted(filled.unfit, 'row')} of no kind ({some_names(list(headings))}): "
                f"`headcount records induce {context.corpus.path} --extend` adds kinds for them",
                "yellow",
            )
    if filled.failed:
        told = f"failed: {some_names(filled.failed)}"
        _note(f"{told}: `headcount records show` says why", "red")
    if filled.stopped:
        left = counted(filled.left, "document")
        _note(
            f"a limit was reached: {filled.stopped}; left: {left}; run the same command with a "
            "higher limit to continue",
            "yellow",
        )
    _note(f"cost: {bill_text(filled.cost, context.prices_of)}")


def _trace(event: Mapping[str, Any]) -> None:
    if text := records_text(event):
        _note(text)


def _note(text: str, style: str = "dim") -> None:
    say(Console(stderr=True, highlight=False), text, style)


def run_show(place: Path) -> None:
    """Print the schema of a corpus, statistics of its columns, and failures."""
    corpus = open_corpus(place)
    schema = load_schema(schema_path(corpus))
    with closing(open_records(corpus)) as store:
        state, tables, failures = _state(corpus, schema, store), store.tables(), store.failures()
    held = Tables(tables.schema.model_copy(update={"kinds": schema.kinds}), tables.facts)
    # The tables as a model is told of them that plans a query.
    told = tables_text(held).split("\n")
    for line in (f"schema: {schema_path(corpus)}", state, "", *told, *([""] if failures else [])):
        write_line(line)
    for each in failures:
        what = f" {each.kind}.{each.attribute} {each.original!r}" if each.kind else ""
        part = f" [{each.start}:{each.end}]" if each.start is not None else ""
        write_line(f"failed: {each.document}{part}{what}: {each.reason}")


def _state(corpus: Corpus, schema: Schema, store: RecordStore) -> str:
    statuses = Counter(each.status for each in store.documents().values())
    if not statuses:
        return f"not filled yet: `headcount records fill {corpus.path}`"
    shown = ", ".join(f"{count} {status}" for status, count in sorted(statuses.items()))
    lacking = len(corpus.documents) - sum(statuses.values())
    new = f", {lacking} not read yet" if lacking > 0 else ""
    stale = "" if store.schema() == schema else "; the schema has changed since: fill again"
    return f"documents: {shown}{new}{stale}"
