"""Dates and numbers whose field the question does not name."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from agent.reasoners.rules.language.bounds import Bound
from agent.reasoners.rules.language.past import back
from agent.reasoners.rules.language.roots import roots
from agent.reasoners.rules.language.words import Token, akin, stem, word_set
from agent.reasoners.rules.reading.facts import Facts
from agent.reasoners.rules.reading.field_tests import FieldTest
from agent.reasoners.rules.reading.roles import best_date, is_place_verb, is_role_verb, plays
from agent.reasoners.rules.reading.scene import Scene

__all__ = ("dated_test", "dated_values", "is_dated_by", "numbered_test")

_WHOLE: Final = frozenset({"date", "dated", "day", "year", "time"})
"""Names of a field that dates the document as a whole."""
_ENDING: Final = frozenset(
    map(stem, word_set("end finish cease stop expire lapse terminate close conclude"))
)
_PAST: Final = re.compile(r"(?:ed|en|wn|ld|lt|pt|nt|ght|un|un[gk]|de)\Z")


def numbered_test(bound: Bound, start: int, end: int, scene: Scene) -> FieldTest:
    """Compare the documents' own numbers: `numbered 3000 to 3999`."""
    facts = scene.labels.named(scene.number_field())
    return FieldTest(
        (facts,) if facts else (),
        bound.comparison,
        bound.values,
        start,
        end,
        named=True,
        name_test=facts is None,
    )


def is_dated_by(word: str, scene: Scene) -> bool:
    """Tell whether a field can decide a date that depends on the word: `signed after 2020`.

    It does where a field is named alike, or where the word says no more than that the document
    came about. A field named but `Date` also dates what was done, as long as it is the only one;
    when something ends is for the text to say.
    """
    facts, count = best_date(scene.labels.fields)
    if not word or facts is None or is_role_verb(word):
        return True
    dates = [each for each in scene.labels.fields if plays(each, "date")]
    if any(_named_alike(each, word) for each in dates):
        return True
    whole = _WHOLE.issuperset(facts.words) and _PAST.search(word) is not None
    return count == 1 and (is_place_verb(word) or (whole and stem(word) not in _ENDING))


def _named_alike(facts: Facts, word: str) -> bool:
    return any(akin(each, word) or roots(each)[1] == roots(word)[1] for each in facts.words)


def dated_test(
    bound: Bound, tokens: Sequence[Token], start: int, end: int, scene: Scene
) -> FieldTest | None:
    """Compare the field that dates a document, or look for the year in the documents' names.

    Args:
        bound: the date.
        tokens: the clause; of several dates its verb chooses: `decided in 2012`.
        start: index of the date's first token.
        end: index after its last token.
        scene: the question's context.
    """
    facts, count = best_date(scene.labels.fields)
    words = scene.words(tokens[start:end])
    if facts is not None:
        said = _named_by(tokens[:start], scene)
        if count > 1 and said is None:
            scene.assume(f"“{words}” is taken as a condition on {facts.name}.")
        facts = said or facts
        bound = dated_values(bound, (facts,), scene)
        return FieldTest((facts,), bound.comparison, bound.values, start, end, named=True)
    if bound.comparison != "is" or not scene.dated_names(bound.values[0][:4]):
        return None
    scene.assume(f"The year {bound.values[0]} is looked for in the documents' names.")
    return FieldTest((), "contains", bound.values, start, end, named=True, name_test=True)


def dated_values(bound: Bound, fields: Sequence[Facts], scene: Scene) -> Bound:
    """Write a month of any year out as that month of every year that the fields have.

    Where no year has it the first year's stands for it, so that the test holds of nothing. A
    stretch up to now begins so long before the fields' latest date: documents know no other now.
    """
    if bound.kind == "past" and fields:
        return _since(bound, fields, scene)
    if bound.kind != "month" or not fields:
        return bound
    dates = {
        value.date[:7]
        for each in fields
        for value in scene.corpus.field_values(each.name).values()
        if value.date
    }
    wanted = {month[2:] for month in bound.values}
    found = sorted(date for date in dates if date[5:] in wanted)
    first = min(dates, default="0001")[:4]
    values = found or [f"{first}-{month}" for month in sorted(wanted)]
    return replace(bound, kind="date", values=tuple(values))


def _since(bound: Bound, fields: Sequence[Facts], scene: Scene) -> Bound:
    """Return a stretch up to the fields' latest date as its first day; say which date that is."""
    number, _, unit = bound.values[0].partition(" ")
    latest = max(
        value.date
        for each in fields
        for value in scene.corpus.field_values(each.name).values()
        if value.date
    )
    start = back(latest, int(number), unit)
    names = " and ".join(each.name for each in fields)
    told = unit if number == "1" else f"{number} {unit}s"
    scene.assume(f"“last {told}” is read as {start} or later: the latest {names} is {latest}.")
    return replace(bound, kind="date", values=(start,))


def _named_by(tokens: Sequence[Token], scene: Scene) -> Facts | None:
    """Return the date field that the last fitting word before the date names."""
    dates = [each for each in scene.labels.fields if plays(each, "date")]
    for token in reversed(tokens):
        for each in dates:
            if token.kind == "word" and _named_alike(each, token.low):
                return each
    return None
