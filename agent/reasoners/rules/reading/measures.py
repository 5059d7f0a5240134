"""The number a question asks for: a number field, a list's length, or a number in the text."""

import re
from collections.abc import Sequence
from typing import Final

from agent.reasoners.rules.language.words import DETERMINERS, Token
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
    facts, of_length = _field(named, scene, counted=counted or frame.operation == "top_k")
    return MeasureReply(
        text=text,
        field=facts.name if facts else None,
        of="length" if of_length else "value",
        unit=unit.group(1) if unit else None,
        places=[],
    )


def _field(tokens: Sequence[Token], scene: Scene, *, counted: bool) -> tuple[Facts | None, bool]:
    if len(tokens) == 1 and tokens[0].low in _AGES:
        return best_date(scene.labels.fields)[0], False
    for at in range(len(tokens)):
        cue = scene.labels.cue(tokens, at)
        if cue is None or cue.strength < 2:
            continue
        numbers = [each for each in cue.fields if each.field.type == "number"]
        if numbers:
            return numbers[0], False
        if counted:
            return cue.fields[0], True
    return None, False
