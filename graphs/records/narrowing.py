"""What records say of single conditions, document by document: they hold, they do not, nothing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pyroaring import BitMap

from agent.errors import QueryError
from agent.evidence import Finding
from agent.question import Condition, Node, verdict
from agent.records.query_plan import Query, deciding
from agent.records.record import Record
from agent.records.record_schema import CellValue
from agent.records.records_route import Planned
from graphs.records.available_records import AtHand
from tools.corpus.corpus import Corpus
from tools.records.plan_compiler import compile_plan, compile_rows, compile_unknown


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What the records say of one condition."""

    condition: str
    sql: str
    parameters: tuple[CellValue, ...]
    holds: BitMap
    """Documents, by index."""
    unknown: BitMap
    """Documents of which the records say nothing: no null cell is ever ruled out."""
    findings: tuple[Finding, ...]


def said(planned: Planned, found: AtHand, corpus: Corpus, by: str) -> Said:
    """Ask the records of which documents a condition holds.

    Raises:
        QueryError: the query cannot be compiled or run, or is about no single rows.
    """
    query = planned.reply.plan
    if not isinstance(query, Query):
        raise QueryError("a condition is decided by a query of rows")
    schema = found.tables.schema
    statement = compile_plan(query, schema)
    passing = found.records(query.kind, _ids(found.select(compile_rows(query, schema))))
    untold = found.records(query.kind, _untold(query, found))
    holds = _documents(passing.values(), corpus)
    unknown = _documents(untold.values(), corpus) | _silent(query, found, corpus)
    return Said(
        condition=planned.of,
        sql=statement.sql,
        parameters=statement.parameters,
        holds=holds,
        unknown=unknown - holds,
        findings=tuple(_findings(query, planned.of, passing.values(), corpus, by)),
    )


def _ids(rows: Iterable[Sequence[CellValue]]) -> list[int]:
    return [row[0] for row in rows if isinstance(row[0], int)]


def _untold(query: Query, found: AtHand) -> list[int]:
    """Return the records that might pass, had they stated what the tests are about."""
    unknown = compile_unknown(query, found.tables.schema)
    passes, _ = unknown.place("flag")
    return _ids(row for row in found.select(unknown) if not row[passes])


def _documents(records: Iterable[Record], corpus: Corpus) -> BitMap:
    return BitMap(corpus.document_index(each.document) for each in records)


def _silent(query: Query, found: AtHand, corpus: Corpus) -> BitMap:
    """Return the documents that have no record to speak of them.

    Of a kind that a document holds many of, one that was read and has none holds none.
    """
    every = BitMap(range(len(corpus.documents)))
    kind = found.tables.schema.kind(query.kind)
    if kind is not None and kind.grain == "row":
        return every - BitMap(corpus.document_index(each) for each in found.covered)
    whole = Query(kind=query.kind, operation="count")
    rows = found.select(compile_rows(whole, found.tables.schema))
    return every - _documents(found.records(query.kind, _ids(rows)).values(), corpus)


def _findings(
    query: Query, condition: str, records: Iterable[Record], corpus: Corpus, by: str
) -> Iterable[Finding]:
    """Yield the quotes of the cells that decide, of each record that passes."""
    tested = {each.attribute for each in deciding(query) if each.kind == query.kind}
    for record in records:
        for cell in record.cells:
            if cell.attribute not in tested or cell.start is None or not cell.quote:
                continue
            end = cell.start + len(cell.quote)
            document = corpus.document_index(record.document)
            yield Finding(
                chunk=corpus.chunks_at(document, cell.start, end)[0],
                document=record.document,
                condition=condition,
                entity=record.document,
                start=cell.start,
                end=end,
                quote=cell.quote,
                by=by,
            )


def left_open(node: Node | None, decided: Mapping[str, Said], documents: int) -> list[int]:
    """Return the documents that may still match when only the records have spoken, in order."""

    def known(number: int) -> bool:
        def truth(atom: Condition) -> bool | None:
            told = decided.get(atom.id)
            if told is None or number in told.unknown:
                return None
            return number in told.holds

        return verdict(node, truth) is not False

    return [number for number in range(documents) if known(number)]
