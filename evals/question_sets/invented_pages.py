"""A document that states one invented record in sentences, in lines of fields, or in both."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

import numpy as np

from evals.question_sets.domains import Domain, Facet, Fact, InventedRecord, pick, shuffled

_MONEY: Final = ("${}", "US${}", "USD {}", "{} US dollars", "{} dollars", "{} USD")
_NAMED_MONEY: Final = ("{} US dollars", "{} dollars")
_PERCENT: Final = ("{}%", "{} %", "{} per cent", "{} percent")
_MILLION: Final = 10**6
_PARAGRAPH: Final = 5
"""Sentences of a paragraph."""
_HEADINGS: Final = ("# {}\n\n", "{}\n\n", "## {}\n\n", "")
_LINES: Final = ("{}: {}\n", "- {}: {}\n", "**{}:** {}\n", "{} | {}\n")
_SENTENCES: Final = (0.0, 0.5, 1.0)
"""Shares of a document's attributes that stand in sentences; the others stand in lines."""


@dataclass(frozen=True, slots=True)
class Statement:
    """Where a page states an attribute, and how it writes its value."""

    start: int
    end: int
    value: str


@dataclass(frozen=True, slots=True)
class Page:
    """A text and where it states what."""

    record: InventedRecord
    text: str
    statements: Mapping[str, Statement]
    """By attribute."""


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
            statements[attribute] = Statement(len(text), len(text + words.rstrip()), value)
        text += words
    return Page(record, text.rstrip() + "\n", statements)


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
    others = shuffled(domain.distractors, rng)[: domain.others]
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
    """Return a line an attribute."""
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
            return _date(dt.date.fromisoformat(fact), rng)
        case int() | float():
            return _measured(Decimal(str(fact)), facet, rng)
        case _:
            return str(fact)


def _date(date: dt.date, rng: np.random.Generator) -> str:
    month = date.strftime("%B")
    forms = (
        f"{date.day} {month} {date.year}",
        f"{month} {date.day}, {date.year}",
        f"{date.day} {month[:3]} {date.year}",
        date.strftime("%d.%m.%Y"),
        date.isoformat(),
    )
    return pick(forms, rng)


def _measured(number: Decimal, facet: Facet, rng: np.random.Generator) -> str:
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


def _figure(number: Decimal, rng: np.random.Generator) -> str:
    """Return a number in digits, or in millions where two decimals are enough."""
    forms = [f"{number.normalize():,f}"]
    millions = number / _MILLION
    if millions >= 1 and millions == millions.quantize(Decimal("0.01")):
        forms += [f"{_digits(millions)} million", f"{_digits(millions)}M"]
    return pick(forms, rng)


def _digits(number: Decimal) -> str:
    return f"{number.normalize():f}"
