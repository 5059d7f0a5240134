"""A run as a file: CSV, XLSX, JSON, Markdown; texts are data, no formula, control or markup."""

import csv
import io
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, astuple, dataclass, fields
from importlib.metadata import version
from itertools import chain, count, groupby, islice
from pathlib import Path
from typing import Final, Literal, NamedTuple

from agent.answer import Answer
from agent.errors import RunError, SettingsError
from agent.evidence import Entity, Evidence, Finding
from agent.question import Condition, atoms
from agent.value import number
from graphs.answering.headline import decided_by, headline
from graphs.apps.answer_view import beside, coverage_line, why_unquoted
from graphs.apps.check import CheckedAnswer, checked_lines, corrected_text, disputed, known_check
from graphs.apps.in_words import bill_text, call_text, criteria
from graphs.apps.stored_runs import StoredRun
from graphs.apps.terminal import inert, inert_parts, one_line, printable
from graphs.apps.why import cause_text, state_text
from graphs.nodes.branch import first_of_searches
from tools.corpus.corpus import Corpus
from tools.runs.coverage_ledger import Account
from tools.runs.reviews import Reviewed

Row = Sequence[str | float | None]
Judged = tuple[Finding, Reviewed | None]
"""What was found at a place, and what a person said of it."""
Mark = Literal["certain", "borderline", "checked", "overruled"]
"""How sure an item is, and what a person made of it."""
_ROWS, _CELL = 1_048_576, 32_767
"""Rows of a sheet, and UTF-16 units of a cell, at most."""
_MARKUP = re.compile(r"([\\`*_\[\]<>|~&$])")
SUFFIXES: Final = (".csv", ".xlsx", ".json", ".md", ".html")
_ITEM = ("item", "value", "unit", "verdict", "documents", "aliases", "fields", "interpretation")
_TOLD = (beside, bill_text, coverage_line, headline, number)


class Quoted(NamedTuple):
    """An item with one of its quotes, or with the reason why it has none."""

    document: str
    item: str
    value: float | str | None
    condition: str
    verdict: str
    """`certain`, `borderline` or `not read`; empty where nothing tells."""
    quote: str
    start: int | None
    end: int | None
    reviewed_by: str
    interpretation: int
    page: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """A finished run: its answer, what people said, and what made it."""

    answer: Answer
    corpus: Corpus
    made: dict[str, str]
    quotes: Sequence[Quoted]
    reviews: Sequence[Reviewed]
    accounts: Sequence[Account]
    """What happened to the passages, search by search; none where the corpus has changed since."""
    checked: CheckedAnswer | None = None

    @property
    def answers(self) -> Sequence[Answer]:
        """The answer to each interpretation."""
        return self.answer.readings or (self.answer,)

    def items(self, at: int) -> Iterator[tuple[Entity, Sequence[Quoted]]]:
        """Yield the items of an answer, the first of which is number 1, each with its quotes."""
        own = (each for each in self.quotes if each.interpretation == at)
        quotes = (list(each) for _, each in groupby(own, lambda each: each.item))
        return zip(self.answers[at - 1].entities, quotes, strict=True)


def view_of(run: StoredRun) -> RunView:
    """Gather what is exported; raises RunError where the run was declined or has no answer yet."""
    run.check_asked()
    answer, state, context = run.session.outcome(run.run), run.state, run.session.context
    if answer.status == "needs_clarification":
        raise RunError(f"run {run.run!r} waits for a reply: there is nothing to export yet")
    firsts = first_of_searches(state.readings, len(state.readings)) or [0]
    quotes: list[Quoted] = []
    for at, each in enumerate(answer.readings or (answer,)):
        first = max(number for number in firsts if number <= at)
        quotes += _quotes(f"{run.run}.{first}" if first else run.run, at + 1, each, run)
    asked = chain(*map(_conditions, (answer, *answer.readings)))
    said = (told for each in asked if context.reviews for told in context.reviews.of(each))
    same = "changed since: no ledger, no reviewers" if run.corpus_changed else "as it was"
    made = {"corpus": f"{run.corpus.path} ({same})", "headcount": version("headcount")}
    return RunView(
        answer=answer,
        corpus=run.corpus,
        made={name: str(value) for name, value in asdict(run.info).items()} | made,
        quotes=quotes,
        reviews=list(dict.fromkeys(said)),
        accounts=run.accounts() if state.snapshot and not run.corpus_changed else (),
        checked=known_check(run),
    )


def _quotes(scope: str, at: int, answer: Answer, run: StoredRun) -> Iterator[Quoted]:
    told = run.store.findings(scope)
    rest = "certain" if told or decided_by(answer) else ""
    rest = "not read" if answer.status == "candidates" else rest
    for item, proven in proofs(run, answer, told):
        for each, found in proven:
            sure, said = (found[-1][0].certainty, found[-1][1]) if found else (rest, None)
            who = f"{said.who}: {said.judgement}" if said else ""
            first = (each.document, item.name, item.value, each.condition)
            noted, place = said.note if said else "", (each.start, each.end)
            yield Quoted(*first, sure, each.quote, *place, who, at, each.page, noted)
        if not proven:
            first = ("; ".join(item.documents), item.name, item.value, why_unquoted(answer))
            yield Quoted(*first, "", "", None, None, "", at)


def proofs(
    run: StoredRun, answer: Answer, told: Iterable[Finding]
) -> Iterator[tuple[Entity, list[tuple[Evidence, Sequence[Judged]]]]]:
    """Yield each item with its evidence, the findings behind it, and what a person said of them."""
    asked = {each.id: each for each in _conditions(answer)}
    behind: dict[Evidence, list[Judged]] = {}
    reviews = None if run.corpus_changed else run.session.context.reviews
    for each in told:
        condition, said = asked.get(each.condition), None
        if condition and reviews:
            said = reviews.verdict(run.corpus, each.chunk, condition)
        text = condition.text if condition else each.condition
        behind.setdefault(Evidence.of(each, text), []).append((each, said))
    for item in answer.entities:
        keys = (each.model_copy(update={"page": None}) for each in item.evidence)
        found = [behind.get(each, ()) for each in keys]
        yield item, list(zip(item.evidence, found, strict=True))


def _conditions(answer: Answer) -> Iterator[Condition]:
    return atoms(answer.interpretation.conditions if answer.interpretation else None)


def save_file(path: Path, content: Callable[[], bytes], *, force: bool) -> None:
    """Write a file that only its owner may read, all of it or nothing, and through no link.

    Raises SettingsError: it exists and `force` is not set, or there is no folder for it.
    """
    if os.path.lexists(path) and not force:
        raise SettingsError(f"{str(path)!r} exists already: take another name, or add --force")
    if not path.absolute().parent.is_dir():
        raise SettingsError(f"there is no folder {str(path.parent)!r} to write {path.name!r} to")
    written = content()
    handle, fresh = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(written)
            file.flush()
            os.fsync(handle)
        Path(fresh).replace(path)
    finally:
        Path(fresh).unlink(missing_ok=True)


def write(view: RunView, suffix: str) -> bytes:
    """Return a run in the form that one of the suffixes but `.html` names."""
    forms = {".csv": _csv, ".xlsx": _xlsx, ".json": _json, ".md": _markdown}
    return forms[suffix.lower()](view)


def marks(run: StoredRun, answer: Answer) -> dict[str, Mark]:
    """Return by item's name how sure it is, and what a person said of it.

    An item is certain where each condition that is shown of it has certain evidence; a candidate,
    which nobody read, has no mark.
    """
    if answer.status == "candidates":
        return {}
    shown = proofs(run, answer, run.store.findings(answer.run))
    return {item.name: _mark([*chain(*dict(proven).values())]) for item, proven in shown}


def _mark(found: Sequence[Judged]) -> Mark:
    """Return what a person made of an item: overruled where a condition has no evidence left."""
    said: dict[str, list[str]] = {}
    for finding, verdict in found:
        said.setdefault(finding.condition, []).append(verdict.judgement if verdict else "")
    if any(set(judged) == {"no"} for judged in said.values()):
        return "overruled"
    if any("borderline" in judged and "yes" not in judged for judged in said.values()):
        return "borderline"
    if any(map(any, said.values())):
        return "checked"
    sure = {finding.condition for finding, _ in found if finding.certainty == "certain"}
    return "certain" if said.keys() == sure else "borderline"


def tables(view: RunView) -> Iterator[tuple[str, Row, Iterable[Row]]]:
    """Yield all that is known of a run as tables: the name, the titles, the rows."""
    facts = (row for each in view.answers for row in _facts(each))
    yield "answer", ("", ""), chain(facts, _checked(view))
    yield "items", _ITEM, _items(view)
    yield "evidence", Quoted._fields, view.quotes
    yield "review", [each.name for each in fields(Reviewed)], map(astuple, view.reviews)
    for at, account in enumerate(view.accounts, start=1):
        asked = dict.fromkeys(part.condition for part in account.parts)
        states = [f"{each} {told}".strip() for each in asked for told in ("state", "by")]
        titles, rows = ("chunk", "document", "start", "end", *states), _ledger(account, view.corpus)
        yield "ledger" if at == 1 else f"ledger of search {at}", titles, rows
    yield "how it was made", ("", ""), _made(view)


def _facts(answer: Answer) -> Iterator[Row]:
    yield "question", answer.question
    yield "answer", headline(answer)
    yield from (answer.value if isinstance(answer.value, dict) else {"value": answer.value}).items()
    yield "bounds", *(answer.bounds or ("none",))
    yield "likely", *(answer.likely or ("none",))
    yield "passages", coverage_line(answer)
    yield from (("note", each) for each in answer.warnings)


def _checked(view: RunView) -> Iterator[tuple[str, str]]:
    if found := view.checked:
        yield "corrected", corrected_text(found)
        yield from (("checked", each) for each in (*checked_lines(found), *disputed(found)))


def _read_as(answer: Answer) -> Iterator[tuple[str, str]]:
    if answer.interpretation is not None:
        yield "interpreted as", answer.interpretation.text
        yield from (
            (f"condition {each.id}", f"{each.text}{criteria(each)}") for each in _conditions(answer)
        )
        yield from (("assumed", each) for each in answer.interpretation.assumptions)


def _items(view: RunView) -> Iterator[Row]:
    for at, answer in enumerate(view.answers, start=1):
        for item, quotes in view.items(at):
            verdicts = ", ".join(dict.fromkeys(each.verdict for each in quotes))
            told = ("; ".join(item.documents), "; ".join(item.aliases), beside(item), at)
            yield (item.name, item.value, item.unit or answer.unit, verdicts, *told)


def _ledger(account: Account, corpus: Corpus) -> Iterator[Row]:
    """Yield a row a passage: its state under each condition, and what put it there."""
    columns: dict[str, list[tuple[str, str]]] = {}
    for part in account.parts:
        column = columns.setdefault(part.condition, [("", "")] * len(corpus))
        causes = account.causes
        told = state_text(part.standing, causes), cause_text(part.standing, causes)
        for chunk in part.ids:
            column[chunk] = told
    for chunk in range(len(corpus)):
        place = int(corpus.chunk_start[chunk]), int(corpus.chunk_end[chunk])
        document = corpus.documents[corpus.chunk_document[chunk]]
        yield (chunk, document, *place, *chain(*(each[chunk] for each in columns.values())))


def _made(view: RunView) -> Iterator[Row]:
    yield from view.made.items()
    for answer in view.answers:
        yield from _read_as(answer)
        for shot in answer.snapshots:
            call = call_text(shot.tool, shot.arguments)
            yield shot.outcome, f"{shot.kept + shot.discarded} → {shot.kept}  {call}", shot.why
    yield "cost", bill_text(view.answer.cost)


def _data(cell: str | float | None) -> str | float:
    return cell if isinstance(cell, int | float) else inert(printable(cell or ""))


def _csv(view: RunView) -> bytes:
    file = io.StringIO()
    rows: Iterable[Row] = chain([Quoted._fields], view.quotes)
    csv.writer(file).writerows(
        [inert_parts(each) if isinstance(each, str) else each for each in map(_data, row)]
        for row in rows
    )
    return file.getvalue().encode()


def _json(view: RunView) -> bytes:
    """Return the object of `ask --json`, with what people said and how it was made."""
    checked = view.checked and view.checked.model_dump(mode="json")
    more = {"review": [*map(asdict, view.reviews)], "checked": checked, "made": view.made}
    text = json.dumps(view.answer.model_dump(mode="json") | more, indent=2)
    return text.replace("\x7f", "\\u007f").encode()


def _xlsx(view: RunView) -> bytes:
    """Return a workbook; a table of too many rows goes on on further sheets."""
    from xlsxwriter import Workbook

    file = io.BytesIO()
    with Workbook(file, {"constant_memory": True}) as book:
        for name, titles, all_rows in tables(view):
            rows = iter(all_rows)
            for part in count(1):
                first = [*islice(rows, 1)]
                if part > 1 and not first:
                    break
                sheet = book.add_worksheet(name if part == 1 else f"{name} {part}")
                for at, row in enumerate(chain([titles], first, islice(rows, _ROWS - 2))):
                    for column, cell in enumerate(map(_data, row)):
                        if isinstance(cell, str):
                            sheet.write_string(at, column, _cell(cell))
                        else:
                            sheet.write_number(at, column, cell)
    return file.getvalue()


def _cell(text: str) -> str:
    """Cut what no cell holds, and say so; XlsxWriter takes what begins with `<r>` for raw XML."""
    text = f"'{text}" if text.startswith("<r>") else text
    units, note = text.encode("utf-16-le"), f" … [cut: {len(text)} characters in all]"
    if len(units) <= 2 * _CELL:
        return text
    return units[: 2 * (_CELL - len(note))].decode("utf-16-le", "ignore") + note


def _markdown(view: RunView) -> bytes:
    """Return what one would paste into a memo: what the template fills in is plain, on one line."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("graphs.apps"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=lambda value: _MARKUP.sub(r"\\\1", " ".join(one_line(str(value)).split())),
        autoescape=False,  # noqa: S701 - no HTML: `finalize` escapes what Markdown would take
    )
    made.globals |= {each.__name__: each for each in _TOLD}
    told = {"view": view, "checked": [*_checked(view)], "read_as": _read_as}
    return made.get_template("memo.md").render(told).encode()
