"""Invented records, documents that state them, and questions whose answers follow from them.

A domain says what records state, how documents put it and how questions ask for it. Domains are
data, `evals/data/domains/*.yaml`: another one is another file. They are the counterpart of the sets
HOTELS and WORLD CUP of S-RAG (section 4.2); being invented, no model knows them.
"""

import datetime as dt
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any, Final, Literal, TypeVar, get_args

import numpy as np
import polars as pl
import yaml
from babel.dates import format_date
from pydantic import JsonValue

from agent.records.record_schema import Attribute, AttributeType, Kind, Name, Schema
from agent.value import Value
from evals.annotated.fact_reader import Stated, StatedRecord
from evals.asked import Asked, Comparison, Fact, Operation, Test, facts_table
from evals.question_sets.source_documents import OutputFolder, gold_evidence
from tools.records.schema_file import save_schema

Phrases = tuple[str, ...]
Form = Comparison | Literal["measure", "highest", "lowest", "several"]
"""Also `number of rooms`, behind `the average`; `has the most rooms`, behind `which hotel`;
`cities`, behind `how many different`."""
T = TypeVar("T")
_DATA: Final = Path(__file__).parents[1] / "data"
_MISSING: Final = 0.08
"""The chance that a document lacks an attribute."""
_TRIES: Final = 1000
_LITTLE: Final = 1e-9
"""What a quotient of decimals may lack of the whole number that it is."""


class Draw(Value):
    """How a value is drawn."""

    low: float = 0
    """Least number, or year of a date."""
    high: float = 0
    """Greatest number, or year of a date."""
    step: float = 1
    skewed: bool = False
    """Whether small numbers are likelier: even in the logarithm."""
    values: Phrases = ()
    """What text is drawn from."""
    most: int = 1
    """Of a list attribute: how many values at most."""
    chance: float = 0.5
    """Of a boolean: how often it is true."""
    follows: str = ""
    """The attribute that gives a date its year."""


class Facet(Value):
    """An attribute with the ways to state it and to ask for it."""

    type: AttributeType
    description: str
    unit: str | None = None
    labels: Phrases
    """How lines of fields call it."""
    many: bool = False
    unique: bool = False
    """Whether no two records share a value."""
    plain: bool = False
    """Whether numbers are written in bare digits, as years are."""
    draw: Draw
    clauses: Phrases = ()
    """Whole clauses with `{it}` and `{value}`."""
    yes_clauses: Phrases = ()
    no_clauses: Phrases = ()
    ask: Mapping[Form, Phrases]
    """How questions speak of it; a form without phrases is not asked."""

    @property
    def additive(self) -> bool:
        """Whether a sum of its numbers means anything: shares and ratings do not add up."""
        return self.unit != "%" and not (self.unit or "").startswith("/")

    def templates(self, fact: Fact) -> Phrases:
        """Return the clauses that state a fact."""
        if self.type == "boolean":
            return self.yes_clauses if fact else self.no_clauses
        return self.clauses


class Domain(Value):
    """One kind of thing."""

    kind: Name
    plural: str
    description: str
    also: Phrases
    """What it is called after its name was said: `the hotel`."""
    names: Mapping[str, Phrases]
    """`patterns`, and the parts that they are made of; a part may be an attribute."""
    documents: int
    """How many there are unless another number is asked for; so with questions."""
    questions: int
    others: int = 6
    """Sentences of a document that state nothing of its record."""
    openings: Phrases
    distractors: Phrases
    """Sentences on other things, with numbers of their own."""
    attributes: Mapping[Name, Facet]

    @property
    def record_kind(self) -> Kind:
        """The kind as a schema of records has it, the name first."""
        name = Attribute(
            name="name", type="text", description=f"Name of the {self.kind}.", labels=("Name",)
        )
        shared = {"type", "description", "unit", "labels", "many"}
        facets = (
            Attribute.model_validate({"name": each, **facet.model_dump(include=shared)})
            for each, facet in self.attributes.items()
        )
        return Kind(name=self.kind, description=self.description, attributes=(name, *facets))


def load_domain(name: str) -> Domain:
    """Return the domain of a name."""
    text = (_DATA / "domains" / f"{name}.yaml").read_text(encoding="utf-8")
    return Domain.model_validate(yaml.safe_load(text))


@dataclass(frozen=True, slots=True)
class InventedRecord:
    """What one document states."""

    name: str
    document: str
    facts: Mapping[str, Fact]
    """In the attributes' units, shares as fractions, dates ISO."""


def pick(choices: Sequence[T], rng: np.random.Generator) -> T:
    """Return one of the choices."""
    return choices[int(rng.integers(len(choices)))]


def shuffled(choices: Sequence[T], rng: np.random.Generator) -> list[T]:
    """Return the choices in random order."""
    return [choices[int(at)] for at in rng.permutation(len(choices))]


def draw_records(domain: Domain, count: int, rng: np.random.Generator) -> list[InventedRecord]:
    """Draw records with different names; each but a unique attribute is left out by chance.

    There are fewer records where the domain does not yield so many names.
    """
    used: dict[str, set[Fact]] = {each: set() for each in domain.attributes}
    found: dict[str, InventedRecord] = {}
    for _ in range(_TRIES + 20 * count):
        if len(found) == count:
            break
        facts: dict[str, Fact] = {}
        for attribute, facet in domain.attributes.items():
            facts[attribute] = _fact(facet, facts, rng)
        parts = {part: pick(choices, rng) for part, choices in domain.names.items()}
        name = parts["patterns"].format_map({**facts, **parts})
        document = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")
        unique = [each for each, facet in domain.attributes.items() if facet.unique]
        if document in found or any(facts[each] in used[each] for each in unique):
            continue
        for attribute in domain.attributes:
            used[attribute].add(facts[attribute])
            if attribute not in unique and rng.random() < _MISSING:
                facts[attribute] = None
        found[document] = InventedRecord(name, document, facts)
    return list(found.values())


def _fact(facet: Facet, facts: Mapping[str, Fact], rng: np.random.Generator) -> Fact:
    draw = facet.draw
    match facet.type:
        case "boolean":
            return bool(rng.random() < draw.chance)
        case "date":
            followed = facts.get(draw.follows)
            drawn = int(rng.integers(int(draw.low), int(draw.high) + 1))
            first = dt.date(followed if isinstance(followed, int) else drawn, 1, 1)
            return (first + dt.timedelta(days=int(rng.integers(365)))).isoformat()
        case "text" if facet.many:
            return tuple(shuffled(draw.values, rng)[: int(rng.integers(1, draw.most + 1))])
        case "text":
            return pick(draw.values, rng)
        case _:
            number = _drawn_number(draw, rng)
            return int(number) if facet.type == "integer" else number


def _drawn_number(draw: Draw, rng: np.random.Generator) -> float:
    steps = int((draw.high - draw.low) / draw.step + _LITTLE)
    if draw.skewed:
        even = rng.uniform(math.log(draw.low), math.log(draw.high))
        taken = min(steps, round((math.exp(even) - draw.low) / draw.step))
    else:
        taken = int(rng.integers(steps + 1))
    return round(draw.low + draw.step * taken, 6)


_MONEY: Final = ("${}", "US${}", "USD {}", "{} US dollars", "{} dollars", "{} USD")
_NAMED_MONEY: Final = ("{} US dollars", "{} dollars")
_PERCENT: Final = ("{}%", "{} %", "{} per cent", "{} percent")
_DATES: Final = ("d MMMM y", "MMMM d, y", "d MMM y", "dd.MM.y", "y-MM-dd")
_MILLION: Final = 10**6
_PARAGRAPH: Final = 5
"""Sentences of a paragraph."""
_HEADINGS: Final = ("# {}\n\n", "{}\n\n", "## {}\n\n", "")
_LINES: Final = ("{}: {}\n", "- {}: {}\n", "**{}:** {}\n", "{} | {}\n")
_SENTENCES: Final = (0.0, 0.5, 1.0)
"""Shares of a document's attributes that stand in sentences; the others stand in lines."""


Page = tuple[str, StatedRecord]
"""A text and where it states what."""


def write_page(domain: Domain, record: InventedRecord, rng: np.random.Generator) -> Page:
    """Write the document of a record."""
    opening = pick(domain.openings, rng)
    order = shuffled(list(domain.attributes), rng)
    stated = [each for each in order if record.facts[each] is not None]
    in_sentences = round(pick(_SENTENCES, rng) * len(stated))
    parts = _paragraphs(domain, record, stated[:in_sentences], rng)
    parts += _lines(domain, record, stated[in_sentences:], rng)
    text = pick(_HEADINGS, rng).format(record.name) + opening.format(name=record.name) + "\n\n"
    statements = {}
    for words, attribute, value in parts:
        if attribute:
            place = {"start": len(text), "end": len(text + words.rstrip())}
            fact = record.facts[attribute]
            statements[attribute] = Stated(fact=fact, value=value, **place)
        text += words
    stated_there = StatedRecord(document=record.document, name=record.name, facts=statements)
    return text.rstrip() + "\n", stated_there


def _paragraphs(
    domain: Domain, record: InventedRecord, attributes: Sequence[str], rng: np.random.Generator
) -> list[tuple[str, str, str]]:
    """Return sentences with the attribute that each states and its value, others among them."""
    sentences = []
    for attribute in attributes:
        facet, fact = domain.attributes[attribute], record.facts[attribute]
        value = written(fact, facet, rng)
        subject = pick((record.name, *domain.also), rng)
        clause = pick(facet.templates(fact), rng).format(it=subject, value=value)
        sentences.append((f"{clause[0].upper()}{clause[1:]}.", attribute, value))
    rounds = math.ceil(domain.others / max(1, len(domain.distractors)))
    others = shuffled(domain.distractors * rounds, rng)[: domain.others]
    sentences += [(each.format_map(_numbers(rng)), "", "") for each in others]
    ordered = enumerate(shuffled(sentences, rng), start=1)
    closings = {True: "\n\n", False: " "}
    return [
        (words + closings[at % _PARAGRAPH == 0 or at == len(sentences)], attribute, value)
        for at, (words, attribute, value) in ordered
    ]


def _lines(
    domain: Domain, record: InventedRecord, attributes: Sequence[str], rng: np.random.Generator
) -> list[tuple[str, str, str]]:
    form, lines = pick(_LINES, rng), []
    for attribute in attributes:
        facet = domain.attributes[attribute]
        value = written(record.facts[attribute], facet, rng, line=True)
        lines.append((form.format(pick(facet.labels, rng), value), attribute, value))
    return lines


def _numbers(rng: np.random.Generator) -> dict[str, int]:
    """Draw the numbers of a sentence on something else: small and large ones, goals, a year."""
    spans = {"a": (3, 40), "b": (10, 90), "c": (2, 9), "d": (6, 19), "g": (1, 5), "h": (0, 1),
             "y": (1860, 2020)}  # fmt: skip
    numbers = {letter: int(rng.integers(*span)) for letter, span in spans.items()}
    return numbers | {"e": 100 * int(rng.integers(20, 400))}


def written(fact: Fact, facet: Facet, rng: np.random.Generator, *, line: bool = False) -> str:
    """Return a fact in one of the forms that people write, in a sentence or behind a label."""
    match fact:
        case bool():
            return pick(("Yes", "yes") if fact else ("No", "no"), rng)
        case tuple() if line:
            return pick((", ", "; "), rng).join(shuffled(fact, rng))
        case tuple():
            *others, last = shuffled(fact, rng)
            return f"{', '.join(others)} and {last}" if others else last
        case str() if facet.type == "date":
            return format_date(dt.date.fromisoformat(fact), pick(_DATES, rng), locale="en")
        case int() | float():
            return _measured(fact, facet, rng)
        case _:
            return str(fact)


def _measured(number: float, facet: Facet, rng: np.random.Generator) -> str:
    """Return a number with its unit: dollars, a share, a rating out of a best one, or none."""
    unit = facet.unit or ""
    if unit == "USD":
        figure = _figure(number, rng)
        return pick(_NAMED_MONEY if figure.endswith("million") else _MONEY, rng).format(figure)
    if unit == "%":
        return pick(_PERCENT, rng).format(_digits(number * 100))
    if unit.startswith("/"):
        best = unit.removeprefix("/")
        return pick((f"{{}} out of {best}", f"{{}}/{best}", "{}"), rng).format(_digits(number))
    return _digits(number) if facet.plain else _figure(number, rng)


def _figure(number: float, rng: np.random.Generator) -> str:
    """Return a number in digits, or in millions where two decimals are enough."""
    forms, millions = [f"{number:,.12g}"], number / _MILLION
    if millions >= 1 and millions == round(millions, 2):
        forms += [f"{_digits(millions)} million", f"{_digits(millions)}M"]
    return pick(forms, rng)


def _digits(number: float) -> str:
    return f"{number:.12g}"


_FORMS: Final[Mapping[Operation, Form]] = {
    "avg": "measure", "sum": "measure", "min": "measure", "max": "measure", "argmax": "highest",
    "argmin": "lowest", "count distinct": "several",
}  # fmt: skip
"""How an operation speaks of the attribute that it is about; the others are about none."""
_FEWEST: Final = 2
"""Records behind an answer at least: with fewer it is no aggregate."""


def build_invented(
    name: str, into: Path, seed: int, documents: int | None, questions: int | None
) -> tuple[int, int]:
    """Invent a collection; return how many documents and questions were written.

    The folder gets `docs/`, `questions.jsonl` and `schema.json`; None is the domain's number.

    Raises SettingsError: the folder is not empty.
    """
    folder = OutputFolder(into)
    domain = load_domain(name)
    drawing, writing, asking = np.random.default_rng(seed).spawn(3)
    records = draw_records(domain, domain.documents if documents is None else documents, drawing)
    pages = {each.document: write_page(domain, each, writing) for each in records}
    count = domain.questions if questions is None else questions
    phrases = yaml.safe_load((_DATA / "question_phrases.yaml").read_text(encoding="utf-8"))
    rows = [{"document": each.document, "name": each.name, **each.facts} for each in records]
    table = facts_table(domain.record_kind, rows)
    asked = _ask_questions(_Maker(domain, pages, table, phrases, asking), count)
    folder.write_documents("docs", {name: text for name, (text, _) in pages.items()})
    folder.write_questions(
        "questions.jsonl",
        [
            {"id": f"{name}-{number:03}", "corpus": "docs", **each}
            for number, each in enumerate(asked, start=1)
        ],
    )
    folder.write_lines("facts.jsonl", (each.model_dump(mode="json") for _, each in pages.values()))
    save_schema(Schema(kinds=(domain.record_kind,)), into / "schema.json")
    return len(pages), len(asked)


@dataclass(frozen=True, slots=True)
class Condition:
    """One condition on one attribute."""

    text: str
    """As a question says it behind the plural: `with more than 100 rooms`."""
    test: Test


@dataclass(frozen=True, slots=True)
class _Maker:
    """What questions are made from."""

    domain: Domain
    pages: Mapping[str, Page]
    table: pl.DataFrame
    phrases: Mapping[Operation, Phrases]
    rng: np.random.Generator

    def conditions(self, least: int, most: int, besides: str) -> list[Condition]:
        """Draw conditions on different attributes, none on the one besides."""
        names = [each for each in self.domain.attributes if each != besides]
        count = int(self.rng.integers(least, most + 1))
        drawn = [self._condition(each) for each in shuffled(names, self.rng)]
        return [each for each in drawn if each is not None][:count]

    def _condition(self, attribute: str) -> Condition | None:
        """Draw a condition on an attribute, its bound from a record; None where none is asked."""
        facet = self.domain.attributes[attribute]
        possible = [each for each in get_args(Comparison) if each in facet.ask]
        stated = self.table[attribute].drop_nulls().to_list()
        if not (possible and stated):
            return None
        comparison: Comparison = pick(possible, self.rng)
        bound = _bound(comparison, stated, self.rng)
        said = bound if isinstance(bound, str) else written(bound, facet, self.rng)
        text = pick(facet.ask[comparison], self.rng).format(value=said)
        return Condition(text, Test(attribute=attribute, comparison=comparison, bound=bound))

    def having(self, form: Form) -> str:
        """Draw an attribute that can be asked for in a form."""
        facets = self.domain.attributes.items()
        return pick([name for name, facet in facets if form in facet.ask], self.rng)

    def worded(self, operation: Operation, conditions: Sequence[Condition], attribute: str) -> str:
        """Put a question into words."""
        asked = ""
        if attribute:
            asked = pick(self.domain.attributes[attribute].ask[_FORMS[operation]], self.rng)
        plural = self.domain.plural
        order = sorted(conditions, key=lambda each: each.test.comparison != "is")
        things = f"{plural} {' and '.join(each.text for each in order)}" if order else plural
        text = pick(self.phrases[operation], self.rng).format(
            things=things, kind=self.domain.kind, measure=asked, extreme=asked, several=asked
        )
        return text[0].upper() + text[1:]

    def evidence(
        self, document: str, conditions: Sequence[Condition], attribute: str
    ) -> list[JsonValue]:
        """Return the places of a page that state what a question needs of it."""
        text, page = self.pages[document]
        labels: dict[str, str | None] = {each.test.attribute: each.text for each in conditions}
        if attribute:
            labels.setdefault(attribute, None)
        places = {each: page.facts[each] for each in labels if each in page.facts}
        return [
            gold_evidence(document, text, place.start, place.end, condition=labels[each])
            for each, place in places.items()
        ]


def _bound(comparison: Comparison, stated: Sequence[Any], rng: np.random.Generator) -> Any:
    """Return a value that some record states; for an order, one from the middle half."""
    if comparison in {"yes", "no"}:
        return None
    if comparison == "contains":
        return pick([item for fact in stated for item in fact], rng)
    if comparison in {"equal", "is"}:
        return pick(stated, rng)
    years = comparison in {"after", "before"}
    ordered = sorted(each[:4] for each in stated) if years else sorted(stated)
    return pick(ordered[len(ordered) // 4 : 3 * len(ordered) // 4 + 1], rng)


def _ask_questions(maker: _Maker, count: int) -> list[dict[str, JsonValue]]:
    """Return so many different questions, the operations in turn, as questions' files have them.

    There are fewer where the records do not yield so many.
    """
    found: dict[str, dict[str, JsonValue]] = {}
    for tries, operation in enumerate(cycle(get_args(Operation))):
        if len(found) >= count or tries > 40 * count + 200:
            break
        made = _question(maker, operation)
        if made is not None:
            found.setdefault(str(made["question"]), made)
    return list(found.values())


def _question(maker: _Maker, operation: Operation) -> dict[str, JsonValue] | None:
    """Draw a question; None where sums mean nothing, too few records match, or the best tie."""
    form = _FORMS.get(operation)
    attribute = maker.having(form) if form else ""
    if operation == "sum" and not maker.domain.attributes[attribute].additive:
        return None
    conditions = maker.conditions(*((0, 2) if form else (1, 3)), besides=attribute)
    tests = tuple(each.test for each in conditions)
    asked = Asked(operation=operation, attribute=attribute, tests=tests)
    passing, ties = asked.passing(maker.table), operation in {"argmax", "argmin"}
    if len(passing) < _FEWEST or (ties and asked.tied(passing)):
        return None
    rows, names, value = asked.answer(maker.table)
    documents = rows["document"].to_list()
    counted = operation in {"count", "count distinct"}
    return {
        "question": maker.worded(operation, conditions, attribute),
        "entity_type": maker.domain.kind,
        "aggregation": operation,
        "conditions": [{"text": each.text, "label": each.text} for each in conditions],
        "logic": "AND" if len(conditions) > 1 else "single",
        "decided_by": "code: the invented records",
        "attribute": attribute,
        "asked": asked.model_dump(mode="json"),
        "answer": [*names] or None,
        "answer_count": int(value or 0) if counted else len(names) or None,
        "answer_value": None if counted else value,
        "gold_documents": documents,
        "gold_evidence": [
            place for each in documents for place in maker.evidence(each, conditions, attribute)
        ],
    }
