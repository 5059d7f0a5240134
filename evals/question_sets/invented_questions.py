"""Aggregative questions over invented documents, with answers computed from their records."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, get_args

import numpy as np

from agent.records.record_schema import Schema
from evals.question_sets.domains import (
    Domain,
    Fact,
    InventedRecord,
    draw_records,
    load_domain,
    pick,
    shuffled,
)
from evals.question_sets.invented_pages import Page, write_page, written
from evals.question_sets.source_documents import OutputFolder

if TYPE_CHECKING:
    from pydantic import JsonValue

Comparison = Literal["more", "less", "equal", "after", "before", "is", "contains", "yes", "no"]
Operation = Literal[
    "count", "avg", "list", "sum", "argmax", "count distinct", "max", "argmin", "min"
]
_PHRASES: Final[Mapping[Operation, tuple[str, ...]]] = {
    "count": (
        "how many {things} are there?",
        "what is the number of {things}?",
        "count the {things}.",
    ),
    "list": ("list all {things}.", "which {things} are there?", "give me the {things}."),
    "avg": (
        "what is the average {measure} of {things}?",
        "on average, what is the {measure} of {things}?",
    ),
    "sum": (
        "what is the sum of the {measure} over all {things}?",
        "adding up all {things}, what is the total {measure}?",
    ),
    "min": (
        "what is the lowest {measure} of {things}?",
        "what is the minimum {measure} among {things}?",
    ),
    "max": (
        "what is the highest {measure} of {things}?",
        "what is the maximum {measure} among {things}?",
    ),
    "argmax": ("which of the {things} {extreme}?", "among {things}, which {kind} {extreme}?"),
    "argmin": ("which of the {things} {extreme}?", "among {things}, which {kind} {extreme}?"),
    "count distinct": (
        "how many different {several} are there among the {things}?",
        "how many distinct {several} do the {things} have?",
    ),
}
_AGGREGATES: Final[Mapping[Operation, Callable[[Sequence[float]], float]]] = {
    "avg": statistics.fmean,
    "sum": sum,
    "min": min,
    "max": max,
}
_FEWEST: Final = 2
"""Records behind an answer at least: with fewer it is no aggregate."""


def build_invented(
    name: str, into: Path, seed: int, documents: int | None, questions: int | None
) -> tuple[int, int]:
    """Invent a collection; return how many documents and questions were written.

    Args:
        name: the domain.
        into: gets `docs/`, `questions.jsonl` and `schema.yaml`.
        seed: another one gives other records.
        documents: how many; None for the domain's number.
        questions: how many at most; None for the domain's number.

    Raises:
        SettingsError: the folder is not empty.
    """
    from tools.records.schema_file import save_schema

    folder = OutputFolder(into)
    folder.check_new()
    domain = load_domain(name)
    drawing, writing, asking = np.random.default_rng(seed).spawn(3)
    records = draw_records(domain, domain.documents if documents is None else documents, drawing)
    pages = {each.document: write_page(domain, each, writing) for each in records}
    count = domain.questions if questions is None else questions
    asked = _ask_questions(_Maker(domain, records, asking), count)
    folder.write_documents("docs", {name: page.text for name, page in pages.items()})
    folder.write_questions(
        "questions.jsonl",
        [
            {"id": f"{name}-{number:03}", "corpus": "docs", **each.record(domain, pages)}
            for number, each in enumerate(asked, start=1)
        ],
    )
    save_schema(Schema(kinds=(domain.record_kind,)), into / "schema.yaml")
    return len(pages), len(asked)


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition on one attribute."""

    attribute: str
    comparison: Comparison
    bound: Fact
    """What it is compared with; None for yes and no."""
    text: str
    """As a question says it behind the plural: `with more than 100 rooms`."""

    def holds(self, record: InventedRecord) -> bool:
        """Return whether a record states what satisfies it; what is not stated does not."""
        fact = record.facts[self.attribute]
        return fact is not None and _TESTS[self.comparison](fact, self.bound)


_TESTS: Final[Mapping[Comparison, Callable[[Fact, Fact], bool]]] = {
    "more": lambda fact, bound: _number(fact) > _number(bound),
    "less": lambda fact, bound: _number(fact) < _number(bound),
    "equal": lambda fact, bound: fact == bound,
    "is": lambda fact, bound: fact == bound,
    "after": lambda fact, bound: str(fact)[:4] > str(bound),
    "before": lambda fact, bound: str(fact)[:4] < str(bound),
    "contains": lambda fact, bound: isinstance(fact, tuple) and bound in fact,
    "yes": lambda fact, _: fact is True,
    "no": lambda fact, _: fact is False,
}


def _number(fact: Fact) -> float:
    """Return a fact as the number it is; raise TypeError where it is none."""
    if not isinstance(fact, int | float) or isinstance(fact, bool):
        raise TypeError(f"{fact!r} is no number")
    return fact


@dataclass(frozen=True, slots=True)
class InventedQuestion:
    """A question with its answer and the records behind it."""

    question: str
    operation: Operation
    conditions: tuple[Condition, ...]
    rows: tuple[InventedRecord, ...]
    names: tuple[str, ...] = ()
    value: float | None = None
    attribute: str = ""
    """What is aggregated, ordered by or counted."""

    def record(self, domain: Domain, pages: Mapping[str, Page]) -> dict[str, "JsonValue"]:
        """Return it as questions' files have it."""
        counted = self.operation in {"count", "count distinct"}
        return {
            "question": self.question,
            "entity_type": domain.kind,
            "aggregation": self.operation,
            "conditions": [{"text": each.text, "label": each.text} for each in self.conditions],
            "logic": "AND" if len(self.conditions) > 1 else "single",
            "decided_by": "code: the invented records",
            "attribute": self.attribute,
            "answer": [*self.names] or None,
            "answer_count": int(self.value or 0) if counted else len(self.names) or None,
            "answer_value": None if counted else self.value,
            "gold_documents": [each.document for each in self.rows],
            "gold_evidence": [
                place for each in self.rows for place in self._evidence(pages[each.document])
            ],
        }

    def _evidence(self, page: Page) -> "list[JsonValue]":
        """Return the places of a page that state what the question needs of it."""
        labels: dict[str, str | None] = {each.attribute: each.text for each in self.conditions}
        if self.attribute:
            labels.setdefault(self.attribute, None)
        places = {each: page.statements[each] for each in labels if each in page.statements}
        return [
            {
                "document": page.record.document,
                "start": place.start,
                "end": place.end,
                "text": page.text[place.start : place.end],
                "condition": labels[each],
            }
            for each, place in places.items()
        ]


@dataclass(frozen=True, slots=True)
class _Maker:
    """What every form of question is made from."""

    domain: Domain
    records: Sequence[InventedRecord]
    rng: np.random.Generator

    def conditions(self, least: int, most: int, besides: str = "") -> tuple[Condition, ...]:
        """Draw conditions on different attributes, none on the one besides."""
        names = [each for each in self.domain.attributes if each != besides]
        count = int(self.rng.integers(least, most + 1))
        drawn = (self._condition(each) for each in shuffled(names, self.rng))
        return tuple(each for each in drawn if each is not None)[:count]

    def _condition(self, attribute: str) -> Condition | None:
        """Draw a condition on an attribute, its bound from a record; None where none is asked."""
        facet = self.domain.attributes[attribute]
        ways: Mapping[str, tuple[str, ...]] = facet.ask.model_dump(by_alias=True)
        possible = [each for each in get_args(Comparison) if ways[each]]
        stated = [fact for each in self.records if (fact := each.facts[attribute]) is not None]
        if not (possible and stated):
            return None
        comparison: Comparison = pick(possible, self.rng)
        bound = _bound(comparison, stated, self.rng)
        said = str(bound) if isinstance(bound, str) else written(bound, facet, self.rng)
        text = pick(ways[comparison], self.rng).format(value=said)
        return Condition(attribute, comparison, bound, text)

    def matching(self, conditions: Sequence[Condition]) -> tuple[InventedRecord, ...]:
        """Return the records that satisfy all conditions."""
        return tuple(each for each in self.records if all(one.holds(each) for one in conditions))

    def having(self, *forms: str) -> str:
        """Draw an attribute that can be asked for in all of the forms."""
        facets = self.domain.attributes.items()
        fit = [name for name, facet in facets if all(getattr(facet.ask, each) for each in forms)]
        return pick(fit, self.rng)

    def worded(self, operation: Operation, conditions: Sequence[Condition], **words: str) -> str:
        """Put a question into words."""
        plural = self.domain.plural
        order = sorted(conditions, key=lambda each: each.comparison != "is")
        things = f"{plural} {' and '.join(each.text for each in order)}" if order else plural
        phrase = pick(_PHRASES[operation], self.rng)
        text = phrase.format(things=things, kind=self.domain.kind, **words)
        return text[0].upper() + text[1:]


def _bound(comparison: Comparison, stated: Sequence[Fact], rng: np.random.Generator) -> Fact:
    """Return a value that some record states; for an order, one from the middle half."""
    if comparison in {"yes", "no"}:
        return None
    if comparison == "contains":
        return pick([item for fact in stated if isinstance(fact, tuple) for item in fact], rng)
    if comparison in {"equal", "is"}:
        return pick(stated, rng)
    if comparison in {"after", "before"}:
        years = sorted(str(fact)[:4] for fact in stated)
        return pick(years[len(years) // 4 : 3 * len(years) // 4 + 1], rng)
    numbers = sorted(map(_number, stated))
    return pick(numbers[len(numbers) // 4 : 3 * len(numbers) // 4 + 1], rng)


def _ask_questions(maker: _Maker, count: int) -> list[InventedQuestion]:
    """Return so many different questions, the operations in turn.

    There are fewer where the records do not yield so many.
    """
    found: dict[str, InventedQuestion] = {}
    for tries, operation in enumerate(cycle(get_args(Operation))):
        if len(found) >= count or tries > 40 * count + 200:
            break
        made = _FORMS[operation](maker, operation)
        if made is not None:
            found.setdefault(made.question, made)
    return list(found.values())


def _matches(maker: _Maker, operation: Operation) -> InventedQuestion | None:
    """Ask how many satisfy conditions, or which."""
    conditions = maker.conditions(1, 3)
    rows = maker.matching(conditions)
    if len(rows) < _FEWEST:
        return None
    names = tuple(each.name for each in rows)
    value = float(len(rows)) if operation == "count" else None
    question = maker.worded(operation, conditions)
    return InventedQuestion(question, operation, conditions, rows, names, value)


def _aggregate(maker: _Maker, operation: Operation) -> InventedQuestion | None:
    """Ask for a number over the records that state an attribute."""
    name = maker.having("measure")
    facet = maker.domain.attributes[name]
    if operation == "sum" and not facet.additive:
        return None
    conditions, rows = _stating(maker, name)
    if len(rows) < _FEWEST:
        return None
    value = _AGGREGATES[operation]([_number(each.facts[name]) for each in rows])
    question = maker.worded(operation, conditions, measure=pick(facet.ask.measure, maker.rng))
    value = float(f"{value:.12g}")
    return InventedQuestion(question, operation, conditions, rows, value=value, attribute=name)


def _extreme(maker: _Maker, operation: Operation) -> InventedQuestion | None:
    """Ask which record has the highest or lowest value; a tie is not asked about."""
    form = "highest" if operation == "argmax" else "lowest"
    name = maker.having(form)
    conditions, rows = _stating(maker, name)
    ordered = sorted(rows, key=lambda each: _number(each.facts[name]))
    if form == "highest":
        ordered.reverse()
    if len(rows) < _FEWEST or ordered[0].facts[name] == ordered[1].facts[name]:
        return None
    extreme = pick(getattr(maker.domain.attributes[name].ask, form), maker.rng)
    question = maker.worded(operation, conditions, extreme=extreme)
    best = ordered[0]
    names = (best.name,)
    return InventedQuestion(question, operation, conditions, (best,), names, attribute=name)


def _distinct(maker: _Maker, operation: Operation) -> InventedQuestion | None:
    """Ask how many different values an attribute has."""
    name = maker.having("several")
    conditions, rows = _stating(maker, name)
    if len(rows) < _FEWEST:
        return None
    facts = (each.facts[name] for each in rows)
    values = {one for each in facts for one in (each if isinstance(each, tuple) else (each,))}
    question = maker.worded(
        operation, conditions, several=maker.domain.attributes[name].ask.several
    )
    names, value = tuple(sorted(map(str, values))), float(len(values))
    return InventedQuestion(question, operation, conditions, rows, names, value, name)


def _stating(
    maker: _Maker, attribute: str
) -> tuple[tuple[Condition, ...], tuple[InventedRecord, ...]]:
    """Draw conditions, and return them with the matching records that state an attribute."""
    conditions = maker.conditions(0, 2, besides=attribute)
    matching = maker.matching(conditions)
    return conditions, tuple(each for each in matching if each.facts[attribute] is not None)


_FORMS: Final[Mapping[Operation, Callable[[_Maker, Operation], InventedQuestion | None]]] = {
    "count": _matches, "list": _matches, "avg": _aggregate, "sum": _aggregate, "min": _aggregate,
    "max": _aggregate, "argmax": _extreme, "argmin": _extreme, "count distinct": _distinct,
}  # fmt: skip
