"""`headcount records show`: the schema, what its columns hold, how full they are, what failed."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from agent.records.record_schema import Attribute, ColumnFacts, Kind, Schema, TableFacts, Tables
from agent.units import is_share
from agent.value import counted
from graphs.apps.terminal import printable, write_json
from graphs.records.available_records import open_records, schema_path
from tools.corpus.corpus import Corpus, open_corpus
from tools.records.record_store import Failure, RecordStore
from tools.records.schema_file import load_schema

_FAILURES = 20
_VALUES = 4
_LONGEST = 40


def run_show(place: Path, *, as_json: bool) -> None:
    """Print the schema of a corpus, statistics of its columns, and failures."""
    corpus = open_corpus(place)
    schema = load_schema(schema_path(corpus))
    with closing(open_records(corpus)) as store:
        if as_json:
            write_json(_json(corpus, schema, store))
        else:
            sys.stdout.write(printable("\n".join(_lines(corpus, schema, store))) + "\n")


def _json(corpus: Corpus, schema: Schema, store: RecordStore) -> dict[str, Any]:
    tables = store.tables()
    return {
        "schema": schema.model_dump(mode="json"),
        "links": [each.model_dump(mode="json") for each in tables.schema.links],
        "current": store.schema() == schema,
        "documents": {"corpus": len(corpus.documents), **_statuses(store)},
        "tables": [each.model_dump(mode="json") for each in tables.facts],
        "failures": [each.model_dump(mode="json") for each in store.failures()],
    }


def _statuses(store: RecordStore) -> dict[str, int]:
    return dict(Counter(each.status for each in store.documents().values()))


def _lines(corpus: Corpus, schema: Schema, store: RecordStore) -> Iterator[str]:
    yield f"schema: {schema_path(corpus)}"
    yield _state(corpus, schema, store)
    tables = store.tables()
    facts = {each.kind: each for each in tables.facts}
    for kind in schema.kinds:
        yield ""
        yield from _kind_lines(kind, facts.get(kind.name))
    yield from _link_lines(tables)
    yield from _failure_lines(store.failures())


def _state(corpus: Corpus, schema: Schema, store: RecordStore) -> str:
    statuses = _statuses(store)
    if not statuses:
        return f"not filled yet: `headcount records fill {corpus.path}`"
    shown = ", ".join(f"{count} {status}" for status, count in sorted(statuses.items()))
    lacking = len(corpus.documents) - sum(statuses.values())
    new = f", {lacking} not read yet" if lacking > 0 else ""
    stale = "" if store.schema() == schema else "; the schema has changed since: fill again"
    return f"documents: {shown}{new}{stale}"


def _kind_lines(kind: Kind, facts: TableFacts | None) -> Iterator[str]:
    rows = facts.rows if facts else 0
    held = "no records"
    if facts:
        held = f"{counted(rows, 'record')} of {counted(facts.documents, 'document')}"
    about = f": {kind.description}" if kind.description else ""
    yield f"{kind.name} ({kind.grain}, {held}){about}"
    width = max(len(each.name) for each in kind.attributes)
    for attribute in kind.attributes:
        column = facts.column(attribute.name) if facts else None
        form = attribute.type + (f", {attribute.unit}" if attribute.unit else "")
        form += ", many" if attribute.many else ""
        held = _column(column, rows, attribute) if column else ""
        yield f"  {attribute.name:{width}}  {form:14}  {held}".rstrip()


def _column(column: ColumnFacts, rows: int, attribute: Attribute) -> str:
    """Format how full a column is and what it holds."""
    share = f"{column.filled / max(1, rows):4.0%} filled"
    if attribute.many:
        share = counted(column.filled, "value")
    parts = [share, f"{column.distinct} distinct"]
    if column.mean is not None and column.nonzero is not None and column.nonzero < column.filled:
        parts.append(f"{column.filled - column.nonzero} zero")
    if len(column.units) > 1:
        units = (f"{unit or 'no unit'} ({values})" for unit, values in column.units)
        parts.append(f"written in {', '.join(units)}")
    if column.mean is not None:
        parts.append(_spread(column, share=is_share(attribute.unit or "")))
    elif column.values:
        shown = (f"{str(value)[:_LONGEST]} ({times})" for value, times in column.values[:_VALUES])
        more = ", …" if column.distinct > _VALUES else ""
        parts.append(", ".join(shown) + more)
    elif column.least is not None:
        parts.append(f"{column.least} to {column.most}")
    return "; ".join(parts)


def _spread(column: ColumnFacts, *, share: bool) -> str:
    """Format the range and mean of a column's numbers; shares are held as fractions."""
    least, most, mean = (
        _figure(float(each), share=share)
        for each in (column.least or 0, column.most or 0, column.mean or 0)
    )
    held = f", held as fractions ({column.mean or 0:.4g})" if share else ""
    return f"{least} to {most}, mean {mean}{held}"


def _figure(value: float, *, share: bool = False) -> str:
    """Format a number without an exponent.

    >>> _figure(18600000), _figure(266.54321), _figure(2021), _figure(0.455, share=True)
    ('18,600,000', '266.5', '2021', '45.5%')
    """
    if share:
        return f"{100 * value:,.4g}%"
    return f"{value:,.0f}" if abs(value) >= 1e4 else f"{value:.4g}"


def _link_lines(tables: Tables) -> Iterator[str]:
    if tables.schema.links:
        yield ""
    for each in tables.schema.links:
        yield f"link: {each.kind}.{each.attribute} -> {each.to_kind}.{each.to_attribute}"


def _failure_lines(failures: tuple[Failure, ...]) -> Iterator[str]:
    if failures:
        yield ""
    for each in failures[:_FAILURES]:
        what = f" {each.kind}.{each.attribute} {each.original!r}" if each.kind else ""
        part = f" [{each.start}:{each.end}]" if each.start is not None else ""
        yield f"failed: {each.document}{part}{what}: {each.reason}"
    if len(failures) > _FAILURES:
        yield f"failed: {len(failures) - _FAILURES} more (--json lists all)"
