"""The number a question asks for: a number field, a list's length, or a number in the text."""

import re
from collections.abc import Sequence
from typing import Final

from agent.reasoners.rules.language.words import DETERMINERS, Token
from agent.reasoners.rules.reading.degree_words import SUPERLATIVES, measured_by
from agent.reasoners.rules.reading.facts import Facts
from agent.reasoners.rules.reading.frame import Frame
from agent.reasoners.rules.reading.roles import best_date
from agent.reasoners.rules.reading.scene import Scene
from agent.replies import MeasureReply

__all__ = ("read_measure",)

_AGES: Final = frozenset({"newest", "latest", "oldest", "earliest", "youngest"})
_UNIT: Final = re.compile(r"\bin\s+([^\W\d_]+)$")


def read_measure(frame: Frame, scene: Scene) -> MeasureReply:
    """Name the number, and the metadata field that holds it where one does."""
    tokens = [token for token in frame.measure if token.low not in DETERMINERS]
    text = scene.words(tokens) or "value"
    unit = _UNIT.search(text.casefold())
    counted = [token.low for token in tokens[:2]] == ["number", "of"]
    named = tokens[2:] if counted else tokens
    ranking = frame.operation == "top_k"
    facts, of_length = _field(named, scene, counted=counted or ranking, number_of=counted)
    meant = _by_degree(named, scene) if facts is None else None
    if meant is not None:
        text, facts = meant.name, meant if meant.field.type == "number" else None
        scene.assume(f"“{scene.words(named)}” is read by {meant.name}.")
    return MeasureReply(
        text=text,
        field=facts.name if facts else None,
        of="length" if of_length else "value",
        unit=unit.group(1) if unit else None,
        places=[],
    )


def _field(
    tokens: Sequence[Token], scene: Scene, *, counted: bool, number_of: bool
) -> tuple[Facts | None, bool]:
    if len(tokens) == 1 and tokens[0].low in _AGES:
        return best_date(scene.labels.fields)[0], False
    for at in range(len(tokens)):
        cue = scene.labels.cue(tokens, at)
        if cue is None or cue.strength < 2:
            continue
        numbers = [each for each in cue.fields if each.field.type == "number"]
        if numbers:
            return numbers[0], False
        if counted and (items := _itemised(cue.fields, named=number_of)) is not None:
            return items, True
    return None, False


def _itemised(fields: Sequence[Facts], *, named: bool) -> Facts | None:
    """Return the field whose items are counted: unless their number is asked for, one of lists."""
    lists = [each for each in fields if each.field.type == "list"]
    return next(iter(lists or (fields if named else ())), None)


def _by_degree(tokens: Sequence[Token], scene: Scene) -> Facts | None:
    """Return the field that a superlative alone measures: the duration, for `longest`."""
    degree = SUPERLATIVES.get(tokens[0].low) if len(tokens) == 1 else None
    words = measured_by(degree) if degree else ()
    named = [each for word in words for each in scene.labels.fields if word in each.words]
    own = [each for each in named if not each.fact]
    return next(iter(own), None)
