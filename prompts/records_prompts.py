"""The prompts about records: draw up a schema, extract, plan an analysis, query tables."""

import re
from collections.abc import Container, Iterator, Sequence
from itertools import islice
from typing import Final

from agent.prompt_values import AnalyseValues, ExtractValues, InduceValues, QueryValues
from agent.question import Interpretation, atoms
from agent.reasoner import Prompt
from agent.records.record import Refusal, SampleDocument
from agent.records.record_schema import Attribute, ColumnFacts, Kind, MixedUnits, Schema, Tables
from agent.units import is_share, is_time
from agent.value import counted
from prompts.descriptions import collection, condition_list, interpretation_line
from prompts.templates import one_line, plain, render, sections, unforgeable

_MARK: Final = re.compile(r"[*†‡§¹²³⁰-⁹ᵃ-ᵛ]|\w ?[(\[]\w[)\]]")
"""What may point from a value to a note."""
_LONGEST_IN_SCHEMA = 60
_LONGEST_IN_BRIEF: Final = 800
_SEVERAL = " of each document by itself, under its number, every number once"
_GRAIN = {"document": "each document is one", "row": "a document holds many"}
_LONGEST_NAME: Final = 120
_LONGEST_VALUE: Final = 80
_FIELDS_SHOWN: Final = 30


def induce(values: InduceValues) -> Prompt:
    """Ask for a schema; replied with `InduceReply`."""
    nonce = unforgeable([each.text for each in values.documents])
    shown = {
        "nonce": nonce,
        "documents": "\n\n".join(_between_marks(each, nonce) for each in values.documents),
    }
    if values.schema is None:
        return render("induce", shown, values)
    asked = "\n".join(f"- {one_line(each)}" for each in values.questions)
    shown |= {"schema": _kind_list(values.schema.kinds), "questions": asked or "(none are known)"}
    return render("induce-refine", shown, values)


def extract(values: ExtractValues) -> Prompt:
    """Ask for the records of a text (`ExtractReply`), or of several documents (`SeveralReply`)."""
    documents, several = values.documents, len(values.documents) > 1
    nonce = unforgeable([e for d in documents for e in (d.name, d.text, *d.fields.values())])
    part = f"{'all' if values.whole else 'a part'} of the document"
    marked = (
        _between_marks(each, nonce, f"{n}: " * several) for n, each in enumerate(documents, start=1)
    )
    shown = {
        "kinds": _kind_list(values.kinds, values.unlikely),
        "place": f"{len(documents)} documents, each whole and to be read as if it stood alone"
        if several
        else part,
        "nonce": nonce,
        "text": "\n\n".join(marked),
    }
    if values.refused:
        shown["refused"] = "\n".join(_refused(values.refused))
        return render("extract-repair", shown, values)
    grain = _grain(values.kinds)
    part = "grain-part" if grain == "document" and not values.whole else f"grain-{grain}"
    told = sections("extract", {part: True})[part].rstrip("\n")
    shown |= {"grain": told, "order": _SEVERAL * several + ", in order" * (grain != "document")}
    attributes = [each for kind in values.kinds for each in kind.attributes]
    needed = {
        "units": any(each.type in {"integer", "number"} for each in attributes),
        "times": any(each.type == "time" for each in attributes),
        "lengths": any(is_time(each.unit) for each in attributes),
        "marks": any(_MARK.search(each.text) for each in documents),
        "judged": any(each.judged for each in attributes),
        "many": grain != "row" or any(each.many for each in attributes),
        "unfit": grain != "document" and values.all_kinds,
    }
    return render("extract", shown | sections("extract", needed), values)


def analyse(values: AnalyseValues) -> Prompt:
    """Ask for the plan of an analysis; replied with `AnalyseReply`."""
    nonce = unforgeable([each.text for each in values.documents])
    shown = {
        "question": plain(values.question),
        "interpretation": _read_as(values.question, values.interpretation),
        "collection": collection(values.corpus, values.question),
        "nonce": nonce,
        "documents": "\n\n".join(_between_marks(each, nonce) for each in values.documents),
    }
    return render("analyse", shown, values)


def _grain(kinds: Sequence[Kind]) -> str:
    grains = {each.grain for each in kinds}
    return grains.pop() if len(grains) == 1 else "both"


def _between_marks(document: SampleDocument, nonce: str, number: str = "") -> str:
    """Render a document between marker lines: its name and fields, then its text or parts."""
    lines = [f"=== {nonce} document {one_line(number + document.name, _LONGEST_NAME)} ==="]
    known = [(key, value) for key, value in document.fields.items() if value][:_FIELDS_SHOWN]
    lines += [f"[{one_line(key)}: {one_line(value, _LONGEST_VALUE)}]" for key, value in known]
    read = 0
    for part in document.extracts:
        if part.start > read:
            cut = "left out" if read else "before this part"
            lines.append(f"[… {counted(part.start - read, 'character')} {cut}]")
        lines.append(plain(part.text).strip("\n"))
        read = part.start + len(part.text)
    return "\n".join([*lines, f"=== {nonce} end ==="])


def _refused(refused: Sequence[Refusal]) -> Iterator[str]:
    """List what could not be taken, numbered by record."""
    numbers = {record: n for n, record in enumerate(sorted({each.record for each in refused}), 1)}
    for each in refused:
        label = f" {one_line(each.label, _LONGEST_VALUE)!r}" if each.label else ""
        quoted = f", quoting {one_line(each.quote, _LONGEST_VALUE)!r}" if each.quote else ""
        value = one_line(each.value, _LONGEST_VALUE)
        yield (
            f"{numbers[each.record]}. {each.kind}{label}, {each.attribute}: "
            f"{value!r}{quoted}: {one_line(each.reason)}"
        )


def _kind_list(kinds: Sequence[Kind], unlikely: Container[str] = ()) -> str:
    """List kinds with their attributes, one line each; those that are unlikely in one line."""
    return "\n\n".join("\n".join(_kind_lines(each, unlikely)) for each in kinds) or "(none)"


_ABOVE_ONE: Final = re.compile(r"[1-9]\d*(?:[.,]\d+)?")


def _kind_lines(kind: Kind, unlikely: Container[str]) -> Iterator[str]:
    if kind.name in unlikely:
        yield f"{_kind_line(kind)} [columns: {'; '.join(map(_typed, kind.attributes))}]"
        return
    yield _kind_line(kind)
    for each in kind.attributes:
        told = [one_line(each.description)] if each.description else []
        lists = {"called": _called(each), "for example": _examples(each),
                 "field": [each.field] if each.field else []}  # fmt: skip
        told += [f"[{what}: {_list(values)}]" for what, values in lists.items() if values]
        yield f"- {_typed(each)}: {' '.join(told)}".rstrip(" :")


def _kind_line(kind: Kind, size: str = "") -> str:
    told = f": {one_line(kind.description)}" if kind.description else ""
    return f"{kind.name} ({_GRAIN[kind.grain]}{size}){told}"


def _typed(attribute: Attribute, mixed: MixedUnits | None = None) -> str:
    unit = f" in {one_line(attribute.unit, _LONGEST_IN_SCHEMA)}" if attribute.unit else ""
    told = " in several units" if mixed else unit
    told += ", several values" * attribute.many + ", judged" * attribute.judged
    return f"{attribute.name} ({attribute.type}{told})"


def _called(attribute: Attribute) -> list[str]:
    """Return the words by which documents call an attribute, its name left out."""
    return [each for each in attribute.labels if each != attribute.name.replace("_", " ")]


def _examples(attribute: Attribute) -> Sequence[str]:
    """Return examples as values are to be written: a bare number above 1 may be no share."""
    if not is_share(attribute.unit or ""):
        return attribute.examples
    return [
        f"{each} %" if _ABOVE_ONE.fullmatch(each.strip()) else each for each in attribute.examples
    ]


def _list(values: Sequence[str]) -> str:
    return "; ".join(one_line(each, _LONGEST_IN_SCHEMA) for each in values)


_HELD_AS: Final = {
    "%": "shares (in %) as fractions",
    "boolean": "booleans as true and false, in SQL 1 and 0",
    "date": "dates as text, YYYY-MM-DD or a shorter prefix",
    "time": "times as text, HH:MM or HH:MM:SS, with YYYY-MM-DD before it where the day is known",
}
_VALUES_SHOWN: Final = 12
_NAMES_SHOWN: Final = 3
"""Values shown of a column that names each row by another."""
_VALUES_BRIEF: Final = 6
_LONGEST_ERROR: Final = 600
_COLUMNS_SHOWN: Final = 120


def query(values: QueryValues) -> Prompt:
    """Ask how the tables answer a question; replied with `QueryReply`."""
    shown = {
        "question": plain(values.question),
        "interpretation": _read_as(values.question, values.interpretation),
        "tables": tables_text(values.tables),
        "held": _held_as(values.tables.schema),
        "repair": _repair(values.tried, values.error),
    }
    return render("query", shown, values)


def _held_as(schema: Schema) -> str:
    """Say how columns of the types and units that there are hold their values."""
    attributes = [each for kind in schema.kinds for each in kind.attributes]
    types = {"%" if is_share(each.unit or "") else each.type for each in attributes}
    return "".join(f"; {told}" for type_, told in _HELD_AS.items() if type_ in types)


def _read_as(question: str, interpretation: Interpretation | None) -> str:
    """State the interpretation where it adds to the question, and what was taken for granted."""
    if interpretation is None:
        return ""
    lines = []
    if interpretation.text != question:
        lines.append(f"It was read as: {interpretation_line(interpretation)}")
    if interpretation.computed:
        lines.append(f"No single passage can tell it: {one_line(interpretation.computed)}")
    if any(each.counts or each.excludes for each in atoms(interpretation.conditions)):
        lines.append(condition_list(tuple(atoms(interpretation.conditions))))
    if interpretation.granted:
        lines.append("Taken for granted: " + "; ".join(map(one_line, interpretation.granted)))
    return "".join(f"{line}\n" for line in lines)


def _repair(tried: str, error: str) -> str:
    if not tried:
        return ""
    trouble = one_line(error, _LONGEST_ERROR)
    return (
        f"\nYour last query was:\n{one_line(tried)}\nIt could not be used, or its result is odd: "
        f"{trouble}\nCorrect it, or say that the tables do not answer; where it says what is asked "
        "and the\nalarm is false, return it unchanged.\n"
    )


def tables_text(tables: Tables) -> str:
    """List kinds with their columns and what these hold, and the links between kinds."""
    lines = ["\n".join(_table_lines(kind, tables)) for kind in tables.schema.kinds]
    links = [
        f"- {each.kind}.{each.attribute} refers to {each.to_kind}.{each.to_attribute}"
        for each in tables.schema.links
    ]
    if links:
        lines.append("\n".join(["Links:", *links]))
    return "\n\n".join(lines) or "(none)"


def brief_tables(tables: Tables) -> Iterator[str]:
    """Yield a line for each kind that has rows: its columns with their most frequent values."""
    for each in tables.facts:
        kind = tables.schema.kind(each.kind)
        if kind is not None and each.rows:
            told = (_brief(one, each.column(one.name), each.rows) for one in kind.attributes)
            shown = "; ".join(islice(told, _COLUMNS_SHOWN))
            yield f"- {kind.name} ({counted(each.rows, 'row')}): {shown}"


def _brief(attribute: Attribute, held: ColumnFacts | None, rows: int) -> str:
    name, parts = attribute.name, list[str]()
    if attribute.description:
        parts.append(one_line(attribute.description, _LONGEST_IN_BRIEF))
    if held is None or not held.filled:
        return f"{name} ({'; '.join([*parts, 'empty'])})"
    if held.least is not None:
        parts.append(f"{_value(held.least)} to {_value(held.most)}")
    elif 2 * held.distinct <= held.filled:
        often = [_value(value) for value, _ in held.values[:_VALUES_BRIEF]]
        parts.append(", ".join(often) + ", …" * (held.distinct > len(often)))
    if held.filled < rows:
        parts.append(f"{held.filled} of {rows} rows")
    return f"{name} ({'; '.join(parts)})" if parts else name


def _table_lines(kind: Kind, tables: Tables) -> Iterator[str]:
    facts, schema = tables.table(kind.name), tables.schema
    size = ""
    if facts:
        size = f", {counted(facts.rows, 'row')} from {counted(facts.documents, 'document')}"
    yield _kind_line(kind, size)
    for each in kind.attributes[:_COLUMNS_SHOWN]:
        parts = [one_line(each.description)] if each.description else []
        if called := _called(each):
            parts.append(f"called {_list(called)}")
        if facts and (held := facts.column(each.name)):
            parts.append(_held(each, held, facts.rows))
        typed = _typed(each, schema.units_of(kind.name, each.name))
        yield f"- {typed}: {'; '.join(parts)}".rstrip(" :")
    if len(kind.attributes) > _COLUMNS_SHOWN:
        yield f"- … {counted(len(kind.attributes) - _COLUMNS_SHOWN, 'more column')}"


def _held(attribute: Attribute, held: ColumnFacts, rows: int) -> str:
    """Say how full a column is and what it holds."""
    filled = (
        counted(held.filled, "value")
        if attribute.many
        else f"{held.filled} of {counted(rows, 'row')}"
    )
    told = f"{filled}, {held.distinct} different"
    if len(held.units) > 1:
        told += f", written {_in_units(held)}"
    if held.nonzero is not None and held.nonzero < held.filled and attribute.type != "boolean":
        told += f", {held.filled - held.nonzero} zero or empty"
    if held.least is not None and held.most is not None:
        mean = f", {_value(held.mean)} on average" if held.mean is not None else ""
        return f"{told}, from {_value(held.least)} to {_value(held.most)}{mean}"
    most = _VALUES_SHOWN if held.distinct < held.filled else _NAMES_SHOWN
    shown = [f"{_value(value)} ({count})" for value, count in held.values[:most] if count]
    return f"{told}: {'; '.join(shown)}" if shown else told


def _in_units(held: ColumnFacts) -> str:
    """Say in which units a column's values are written."""
    return "; ".join(
        f"{f'in {one_line(unit, _LONGEST_IN_SCHEMA)}' if unit else 'without a unit'} ({values})"
        for unit, values in held.units
    )


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return one_line(f"{value:g}" if isinstance(value, float) else str(value), _LONGEST_IN_SCHEMA)
