"""A document that states one record, with the places of what it states."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import chain
from typing import Final, Literal, get_args

import numpy as np

from agent.records.record import Cell, Record
from evals.datasets.domains import Domain, Facet
from evals.datasets.drawn_records import Drawn, Fact, pick, some

__all__ = ("STYLES", "Page", "Style", "write_page", "written")

_MONEY: Final = {
    "USD": ("${}", "US${}", "USD {}", "{} US dollars", "{} dollars", "{} USD"),
    "EUR": ("€{}", "EUR {}", "{} euros", "{} EUR", "{} €"),
}
_NAMED_MONEY: Final = {"USD": ("{} US dollars", "{} dollars"), "EUR": ("{} euros",)}
_SAME: Final = {  # a unit: other ways to write it, with what one of them is of the unit
    "weeks": (("weeks", 1), ("days", 7)),
    "mg": (("mg", 1), ("milligrams", 1), ("g", Decimal("0.001"))),
}  # fmt: skip
_SHARES: Final = ("{}%", "{} %", "{} per cent", "{} percent")
_MILLION: Final = (10**6, "million", "M")
_THOUSAND: Final = (10**3, "thousand", "k")
_UNITS: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
_TENS: Final = (
    "", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety",
)  # fmt: skip


def written(
    fact: Fact, facet: Facet, rng: np.random.Generator, *, varied: bool, line: bool = False
) -> str:
    """Return a fact as a page writes it.

    Args:
        fact: what is stated.
        facet: the attribute.
        rng: where chance comes from.
        varied: whether the form varies, from `1.2M` to `1,200,000`; else one form for all.
        line: whether it stands behind a label, not in a sentence.
    """
    match fact:
        case bool():
            return pick(("Yes", "yes") if fact else ("No", "no"), rng)
        case tuple():
            return _listed(some(fact, len(fact), rng) if varied else fact, rng, line=line)
        case str() if facet.type == "date":
            return _dated(fact, rng, varied=varied)
        case int() | float():
            return _measured(Decimal(str(fact)), facet, rng, varied=varied)
        case _:
            return str(fact)


def _listed(items: Sequence[str], rng: np.random.Generator, *, line: bool) -> str:
    if line:
        return pick((", ", "; "), rng).join(items)
    *others, last = items
    return f"{', '.join(others)} and {last}" if others else last


def _dated(iso: str, rng: np.random.Generator, *, varied: bool) -> str:
    if not varied:
        return iso
    date = dt.date.fromisoformat(iso)
    month = date.strftime("%B")
    ending = {1: "st", 2: "nd", 3: "rd"}.get(date.day % 10 if date.day // 10 != 1 else 0, "th")
    forms = (
        f"{date.day} {month} {date.year}",
        f"{month} {date.day}, {date.year}",
        f"the {date.day}{ending} of {month} {date.year}",
        f"{date.day} {month[:3]} {date.year}",
        date.strftime("%d.%m.%Y"),
        iso,
    )
    return pick(forms, rng)


def _measured(number: Decimal, facet: Facet, rng: np.random.Generator, *, varied: bool) -> str:
    unit = facet.unit or ""
    if unit in _MONEY:
        figure = _number(number, rng, varied=varied)
        forms = _MONEY[unit] if figure[0].isdigit() else _NAMED_MONEY[unit]
        return (pick(forms, rng) if varied else "{} " + unit).format(figure)
    if unit == "%":
        forms = _SHARES if varied else ("{}%",)
        return pick(forms, rng).format(_plain(number * 100))
    if unit.startswith("/"):
        best = unit.removeprefix("/")
        forms = ("{} out of " + best, "{}/" + best, "{}") if varied else ("{}/" + best,)
        return pick(forms, rng).format(_plain(number))
    if unit:
        name, factor = pick(_SAME[unit], rng) if varied else (unit, 1)
        return f"{_plain(number * factor)} {name}"
    return _plain(number) if facet.plain else _number(number, rng, varied=varied)


def _number(number: Decimal, rng: np.random.Generator, *, varied: bool) -> str:
    """Write a number, in digits or with a scale where that is exact."""
    if not varied:
        return _plain(number)
    forms = [_grouped(number)] * 2
    if number == int(number) and number < 100:
        forms.append(_words(int(number)))
    size, word, letter = _MILLION if number >= _MILLION[0] else _THOUSAND
    if number >= 10_000 and _short(number / size):
        forms += [f"{_plain(number / size)} {word}", f"{_plain(number / size)}{letter}"]
    return pick(forms, rng)


def _grouped(number: Decimal) -> str:
    return f"{number.normalize():,f}"


def _short(number: Decimal) -> bool:
    """Tell whether two decimals are enough."""
    return number == number.quantize(Decimal("0.01"))


def _plain(number: Decimal) -> str:
    return f"{number.normalize():f}"


def _words(number: int) -> str:
    if number < 20:
        return _UNITS[number]
    tens, rest = divmod(number, 10)
    return f"{_TENS[tens]}-{_UNITS[rest]}" if rest else _TENS[tens]


Style = Literal["prose", "fields", "mixed", "varied"]
"""Sentences, lines of labels and values, both, or one of them for each document."""
STYLES: Final[tuple[Style, ...]] = get_args(Style)
_PARAGRAPH: Final = 5
"""Sentences of a paragraph."""
_HEADINGS: Final = ("# {}\n\n", "{}\n\n", "## {}\n\n", "")
_LINES: Final = ("{}: {}\n", "- {}: {}\n", "**{}:** {}\n", "{} | {}\n")
_JOINTS: Final = (", and ", "; ", ", while ")
_UNSTATED: Final = ("n/a", "not disclosed", "-")


@dataclass(frozen=True, slots=True)
class Page:
    """A text and the record that it states."""

    text: str
    record: Record


@dataclass(slots=True)
class _Draft:
    """A text as it grows, and its cells."""

    domain: Domain
    drawn: Drawn
    rng: np.random.Generator
    varied: bool
    others: int
    text: str = ""
    cells: list[Cell] = field(default_factory=list)
    named: bool = False
    """Whether what was said last was about the thing, so that `it` is clear."""

    def say(self, text: str) -> None:
        """Add words that state nothing of the record."""
        self.text += text

    def state(self, text: str, attribute: str, original: str) -> None:
        """Add words that state an attribute; each value of a list is a cell."""
        start, fact = len(self.text), self.drawn.facts[attribute]
        self.text += text
        facet = self.domain.attributes[attribute]
        for value in fact if isinstance(fact, tuple) else (fact,):
            cell = Cell(
                attribute=attribute,
                value=value,
                original=value if isinstance(fact, tuple) else original,
                unit=facet.unit,
                quote=text,
                start=start,
                end=len(self.text),
            )
            self.cells.append(cell)


def write_page(
    domain: Domain,
    drawn: Drawn,
    rng: np.random.Generator,
    *,
    style: Style = "varied",
    varied: bool = True,
    others: int | None = None,
) -> Page:
    """Write the document of a record.

    Args:
        domain: how it is put.
        drawn: what it states.
        rng: where chance comes from.
        style: in sentences, in lines of fields, or both.
        varied: whether values are written in many forms.
        others: how many sentences state nothing of the record; None for the domain's number.
    """
    draft = _Draft(domain, drawn, rng, varied, domain.others if others is None else others)
    _open(draft)
    if style == "varied":
        style = pick([each for each in STYLES if each != "varied"], rng)
    order = some(list(domain.attributes), len(domain.attributes), rng)
    told = {"prose": len(order), "fields": 0, "mixed": len(order) // 2}[style]
    first = bool(rng.random() < 0.5)
    if first:
        _lines(draft, order[told:])
    _paragraphs(draft, order[:told])
    if not first:
        _lines(draft, order[told:])
    text = draft.text.rstrip() + "\n"
    record = Record(
        kind=domain.kind,
        document=drawn.document,
        label=drawn.name,
        end=len(text),
        cells=tuple(draft.cells),
        by="drawn",
    )
    return Page(text, record)


def _open(draft: _Draft) -> None:
    """Write heading and first sentence, which names the thing."""
    name = draft.drawn.name
    draft.say(pick(_HEADINGS, draft.rng).format(name))
    before, after = pick(draft.domain.openings, draft.rng).split("{name}")
    if before.casefold().endswith("the ") and name.casefold().startswith("the "):
        before = before[: -len("the ")]
    draft.say(before)
    start = len(draft.text)
    draft.say(name)
    quote = {"quote": name, "start": start, "end": len(draft.text)}
    draft.cells.append(Cell(attribute="name", value=name, original=name, **quote))
    draft.say(f"{after}\n\n")


def _paragraphs(draft: _Draft, attributes: Sequence[str]) -> None:
    """Write sentences of one or two clauses, other sentences between them, in paragraphs."""
    rng = draft.rng
    stated = [each for each in attributes if draft.drawn.facts[each] is not None]
    sentences: list[Sequence[str]] = []
    while stated:
        size = 2 if len(stated) > 1 and rng.random() < 0.4 else 1
        sentences.append(stated[:size])
        stated = stated[size:]
    distractions = _distractions(draft)
    order = [*sentences, *distractions]
    for number, at in enumerate(rng.permutation(len(order))):
        _sentence(draft, order[int(at)])
        closing = (number + 1) % _PARAGRAPH == 0
        draft.say("\n\n" if closing else " ")
        draft.named = draft.named and not closing
    draft.text = draft.text.rstrip() + "\n\n"


def _sentence(draft: _Draft, attributes: Sequence[str] | str) -> None:
    """Write a sentence that states attributes, or one that is given."""
    if isinstance(attributes, str):
        draft.say(attributes)
        draft.named = False
        return
    joint = pick(_JOINTS, draft.rng)
    for number, attribute in enumerate(attributes):
        if number:
            draft.say(joint)
        clause, original = _clause(draft, attribute)
        draft.state(clause if number else clause[0].upper() + clause[1:], attribute, original)
    draft.say(".")


def _clause(draft: _Draft, attribute: str) -> tuple[str, str]:
    """Return a clause that states an attribute, and the value as written in it."""
    facet, fact = draft.domain.attributes[attribute], draft.drawn.facts[attribute]
    subjects = (draft.drawn.name, *draft.domain.also)
    subject = "it" if draft.named and draft.rng.random() < 0.4 else pick(subjects, draft.rng)
    draft.named = True
    value = written(fact, facet, draft.rng, varied=draft.varied)
    template = pick(_templates(facet, fact), draft.rng)
    clause = template.format(it=subject, value=value)
    return clause, clause if facet.type == "boolean" else value


def _templates(facet: Facet, fact: Fact) -> Sequence[str]:
    if facet.type == "boolean":
        return facet.yes_clauses if fact else facet.no_clauses
    return facet.clauses


def _lines(draft: _Draft, attributes: Sequence[str]) -> None:
    """Write a line an attribute; one that is not stated may say so."""
    form = pick(_LINES, draft.rng)
    for attribute in attributes:
        facet, fact = draft.domain.attributes[attribute], draft.drawn.facts[attribute]
        label = pick(facet.labels, draft.rng) if draft.varied else facet.labels[0]
        if fact is None:
            if draft.rng.random() < 0.3:
                draft.say(form.format(label, pick(_UNSTATED, draft.rng)))
            continue
        value = written(fact, facet, draft.rng, varied=draft.varied, line=True)
        draft.state(form.format(label, value).rstrip("\n"), attribute, value)
        draft.say("\n")
    draft.say("\n")


def _distractions(draft: _Draft) -> list[str]:
    """Return sentences on something else, with numbers of their own, each as often as others."""
    kinds = len(draft.domain.distractors)
    rounds = -(-draft.others // kinds)
    shuffled = (some(draft.domain.distractors, kinds, draft.rng) for _ in range(rounds))
    templates = list(chain.from_iterable(shuffled))[: draft.others]
    return [each.format_map(_numbers(draft.rng)) for each in templates]


def _numbers(rng: np.random.Generator) -> dict[str, int]:
    """Draw the numbers of a sentence: small and large ones, goals, a year."""
    spans = {"a": (3, 40), "b": (10, 90), "c": (2, 9), "d": (6, 19), "g": (1, 5), "h": (0, 1),
             "y": (1860, 2020)}  # fmt: skip
    numbers = {letter: int(rng.integers(*span)) for letter, span in spans.items()}
    return numbers | {"e": 100 * int(rng.integers(20, 400))}
