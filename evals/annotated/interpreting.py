"""A question as its annotation has it: what a perfect interpretation of it would be.

Nothing is read from the question's own words. A condition is decided by a metadata field where
its annotation names one (`Status is Final`); else it is judged, by the labels.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from agent.errors import QuestionError
from agent.predicates import NAME_FIELD
from agent.question import Comparison, Operation
from agent.replies import AtomReply, InterpretReply, MeasureReply
from evals.names import DocumentNames
from evals.questions import AnnotatedReading, GoldCondition, Record
from tools.corpus.corpus import Corpus

_NAMED: Final[tuple[Operation, ...]] = ("count", "list", "sum", "avg", "min", "max", "median")
_OPERATIONS: Final[Mapping[str, Operation]] = {
    "count distinct": "count",
    **{each: each for each in _NAMED},
}
_PLACEHOLDER: Final = "gold_documents"
"""Stands in a condition that only says over which documents is asked."""
_REMARK: Final = re.compile(r"\s*\([^()]*\)\s*$")
_DECIDED_BY: Final = re.compile(r"\s*\((?:header|body|field)\)$")
_REMARKED: Final = re.compile(r"\(([^()]*)\)")
"""What annotators put in parentheses is the same in other words."""
_MENTIONS: Final = re.compile(r"mentions (?:the |an? )?(.+)", re.IGNORECASE)
_NUMBERED: Final = re.compile(r"\S+ number between (\d+) and (\d+)", re.IGNORECASE)
_OWNED: Final = re.compile(r"(?P<field>.+?) of an? .+? whose (?P<rest>.+)", re.IGNORECASE)
_TESTS: Final[tuple[tuple[str, Comparison], ...]] = (
    (r"has an? (?P<field>.+) (?:header|field)", "exists"),
    (r"(?P<field>.+?) between (?P<values>.+ and .+)", "between"),
    (r"(?P<field>.+?) (?:>=|is at least) (?P<values>.+)", "at_least"),
    (r"(?P<field>.+?) (?:<=|is at most) (?P<values>.+)", "at_most"),
    (r"(?P<field>.+?) (?:is|includes|in|=) (?P<values>.+)", "is"),
    (r"(?P<values>.+?) is an? (?P<field>.+)", "is"),
)
"""How annotations write the test of a field."""


def is_annotated(record: Record) -> bool:
    """Tell whether a question's annotation says what it means."""
    if record.asked is not None or record.intermediate_facts:
        return True
    if record.readings:
        return all(each.conditions or each.documents is not None for each in record.readings)
    return bool(_conditions(record)) and (record.aggregation or "count") in _OPERATIONS


def interpreted(record: Record, corpus: Corpus) -> InterpretReply:
    """Return the interpretation that the annotation gives; raises QuestionError if none."""
    conditions = _conditions(record)
    if not conditions:
        raise QuestionError(
            f"question {record.id!r} has no annotated conditions: name a model with --reasoner, "
            "or add `conditions` with a `text` each"
        )
    operation = _OPERATIONS.get(record.aggregation or "count")
    if operation is None:
        raise QuestionError(
            f"question {record.id!r} has the annotated aggregation {record.aggregation!r}, which is"
            f" none of {', '.join(_OPERATIONS)}: name a model with --reasoner"
        )
    atoms, owner = _atoms(conditions, corpus)
    documents = record.target != "names"
    measured = operation not in {"count", "list"}
    return _reply(record, record.question, atoms, _logic(record, conditions, atoms)).model_copy(
        update={
            "grain": "document" if documents else "entity",
            "entity_field": None if documents else owner,
            "operation": operation,
            "measure": _measure(record, corpus) if measured else None,
        }
    )


def interpreted_reading(
    record: Record, reading: AnnotatedReading, corpus: Corpus
) -> InterpretReply:
    """Return a reading of an ambiguous question: its own conditions, else the documents it names.

    Raises QuestionError: the reading has neither.
    """
    if reading.conditions:
        own = record.model_copy(
            update={
                "question": reading.rewritten,
                "conditions": reading.conditions,
                "logic": reading.logic,
                "aggregation": "count",
                "answer": reading.answer,
            }
        )
        return interpreted(own, corpus)
    names = reading.documents
    known = DocumentNames(corpus.documents)
    if names is None or any(known.find(each) is None for each in names):
        raise QuestionError(
            f"question {record.id!r} has no annotated conditions: its reading {reading.rewritten!r}"
            " names neither conditions nor all documents that it counts"
        )
    found = [corpus.documents[at] for at in sorted(known.indices(names))]
    named = _test("c1", f"is counted in {reading.rewritten!r}", NAME_FIELD, "is", found)
    nothing = named.model_copy(update={"comparison": "exists", "values": ["false"]})
    return _reply(record, reading.rewritten, [named if found else nothing], "c1")


def _reply(
    record: Record, restated: str, conditions: Sequence[AtomReply], logic: str
) -> InterpretReply:
    """Return a count of the documents that satisfy the conditions."""
    return InterpretReply(
        restated=restated,
        entity_type=_REMARK.sub("", record.entity_type) or "document",
        grain="document",
        conditions=list(conditions),
        logic=logic,
        operation="count",
    )


def _conditions(record: Record) -> list[GoldCondition]:
    return [
        each for each in record.conditions if each.sql is None and _PLACEHOLDER not in each.text
    ]


def _atoms(
    conditions: Sequence[GoldCondition], corpus: Corpus
) -> tuple[list[AtomReply], str | None]:
    """Return the conditions, and the field whose items are counted where one of them says so."""
    fields = {each.name.casefold(): each.name for each in corpus.fields}
    atoms: list[AtomReply] = []
    owner: str | None = None
    for each in conditions:
        text = _DECIDED_BY.sub("", each.text)
        owned = _OWNED.fullmatch(text)
        if owned is not None and owned["field"].casefold() in fields:
            owner = fields[owned["field"].casefold()]
            parts = owned["rest"].split(" and ")
        else:
            parts = [text]
        for part in parts:
            id_ = f"c{len(atoms) + 1}"
            atoms.append(_atom(id_, part, each, fields, corpus))
    return atoms, owner


def _atom(
    id_: str, text: str, given: GoldCondition, fields: Mapping[str, str], corpus: Corpus
) -> AtomReply:
    if given.field is not None:
        comparison = given.comparison or "is"
        return _test(id_, text, given.field, comparison, given.values)
    numbered = _NUMBERED.fullmatch(text)
    if numbered is not None:
        return _test(id_, text, NAME_FIELD, "between", numbered.groups())
    for form, comparison in _TESTS:
        told = re.fullmatch(form, text, re.IGNORECASE)
        name = told and fields.get(told["field"].casefold())
        if told is not None and name:
            written = told.groupdict().get("values") or ""
            values = re.split(r" and " if comparison == "between" else r" or ", written)
            values = [each for each in values if each]
            return _test(id_, text, name, _fitting(comparison, name, values, corpus), values)
    terms = _spellings(text, given, corpus)
    counts = [part.strip() for part in ",".join(_REMARKED.findall(text)).split(",") if part.strip()]
    return AtomReply(
        id=id_,
        text=text,
        terms=terms,
        counts=[] if terms else [*given.counts] or counts,
        borderline=[*given.borderline],
        excludes=[*given.excludes],
    )


def _fitting(
    comparison: Comparison, field: str, values: Sequence[str], corpus: Corpus
) -> Comparison:
    """Return `contains` where no item of the field is exactly the value: a name with an address."""
    if comparison != "is" or any(each.date for each in corpus.field_values(field).values()):
        return comparison
    items = {each.casefold() for each in corpus.field_items(field)}
    return "is" if all(each.casefold() in items for each in values) else "contains"


def _spellings(text: str, given: GoldCondition, corpus: Corpus) -> list[str]:
    """Return what a condition of mention is spelt like in the documents, by its pattern."""
    spelt: set[str] = set()
    if given.pattern is not None:
        for at in range(len(corpus.documents)):
            found = re.finditer(given.pattern, corpus.document_text(at))
            spelt |= {each.group().casefold() for each in found if each.group().strip()}
    named = _MENTIONS.fullmatch(text)
    return sorted(spelt) or ([] if named is None else [named[1]])


def _test(
    id_: str, text: str, field: str, comparison: Comparison, values: Sequence[str]
) -> AtomReply:
    return AtomReply(id=id_, text=text, field=field, comparison=comparison, values=[*values])


def _logic(record: Record, conditions: Sequence[GoldCondition], atoms: Sequence[AtomReply]) -> str:
    """Join the conditions as annotated: `OR`, `AND`, `AND NOT`, `AND(OR)`, or over ids.

    `AND(OR)` means that conditions on one field are alternatives.
    """
    if re.search(r"\bc\d", record.logic):
        return record.logic
    negated = [each.negated for each in conditions]
    aligned = len(negated) == len(atoms)
    told = [
        f"not {each.id}" if aligned and negated[at] else each.id for at, each in enumerate(atoms)
    ]
    if record.logic.upper().startswith("OR"):
        return " or ".join(told)
    if "(OR)" not in record.logic.upper():
        return " and ".join(told)
    groups: dict[str, list[str]] = {}
    for each, id_ in zip(atoms, told, strict=True):
        groups.setdefault(each.field or each.id, []).append(id_)
    return " and ".join(f"({' or '.join(each)})" for each in groups.values())


def _measure(record: Record, corpus: Corpus) -> MeasureReply:
    """Return what is computed with: the field that holds the annotated numbers, else the text."""
    known = DocumentNames(corpus.documents)
    wanted = {
        at: value for name, value in record.measured.items() if (at := known.find(name)) is not None
    }
    if not wanted:
        raise QuestionError(
            f"question {record.id!r} has no annotated conditions: its `per_document_value` gives no"
            " number of a document"
        )
    field, of = next(_holding(wanted, corpus), (None, "value"))
    return MeasureReply(
        text=field or record.question, field=field, of="length" if of == "length" else "value"
    )


def _holding(wanted: Mapping[int, float], corpus: Corpus) -> Iterator[tuple[str, str]]:
    """Yield the fields whose values, or numbers of items, are those wanted."""
    for field in corpus.fields:
        values = corpus.field_values(field.name)
        if not all(at in values for at in wanted):
            continue
        if all(values[at].number == number for at, number in wanted.items()):
            yield field.name, "value"
        if all(len(values[at].items) == number for at, number in wanted.items()):
            yield field.name, "length"
