"""What a result is wanted for one by one: `per status`, `for each ward`, `by author`."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from agent.reasoners.rules.language.words import DETERMINERS, Token, word_set
from agent.reasoners.rules.reading.frame import Frame
from agent.reasoners.rules.reading.scene import Scene

__all__ = ("fronted_group", "grouped", "grouped_by")

_EMPTY: Final = word_set("are is were do does did we there exist have you find i in total know")
"""Words that may follow the group and say nothing of it."""


def grouped(frame: Frame, scene: Scene) -> Frame:
    """Read `per status`, `by author`, `does each ward have` behind the entity that is counted."""
    at, named = grouped_by(frame.noun.after, scene)
    kept = frame.noun.after[:at]
    if not named and frame.operation == "count":
        named, kept = _doing(frame.noun.after, scene)
    if not named:
        return frame
    noun = replace(frame.noun, after=kept)
    return replace(frame, operation="group_by", noun=noun, group=named)


def grouped_by(tokens: Sequence[Token], scene: Scene) -> tuple[int, tuple[Token, ...]]:
    """Return where a phrase begins that names a field to group by, and its name; else no name."""
    low = [token.low for token in tokens]
    for at in range(len(tokens)):
        size = _grouping(low, at)
        named = _named(tokens[at + size :], scene) if size else ()
        if named:
            return at, named
    return len(tokens), ()


def fronted_group(tokens: Sequence[Token], scene: Scene) -> tuple[Token, ...]:
    """Return the name of a field in `For each ward, …`; empty where something else stands there."""
    low = [token.low for token in tokens]
    size = _grouping(low, 0) if low else 0
    return _named(tokens[size:], scene) if size > 1 else ()


def _named(tokens: Sequence[Token], scene: Scene) -> tuple[Token, ...]:
    """Return the words that are nothing but a field's name."""
    named = [token for token in tokens if token.low not in DETERMINERS]
    while named and named[-1].low in _EMPTY:
        named.pop()
    cue = scene.labels.cue(named, 0) if named else None
    whole = cue is not None and cue.strength >= 2 and cue.size == len(named)
    return tuple(named) if whole else ()


def _doing(tokens: Sequence[Token], scene: Scene) -> tuple[tuple[Token, ...], tuple[Token, ...]]:
    """Return the group of `does each landlord have in Hull`, and what it does; no names without."""
    low = [token.low for token in tokens]
    if low[:1] not in (["do"], ["does"], ["did"]) or low[1:2] != ["each"] or len(low) < 3:
        return (), tuple(tokens)
    cue = scene.labels.cue(tokens, 2)
    if cue is None or cue.strength < 2:
        return (), tuple(tokens)
    return tuple(tokens[2 : 2 + cue.size]), tuple(tokens[2 + cue.size :])


def _grouping(low: Sequence[str], at: int) -> int:
    if low[at + 1 : at + 2] in (["every"], ["all"]) and low[at] in {"per", "by"}:
        return 0
    if low[at : at + 2] in (["for", "each"], ["in", "each"], ["for", "every"], ["grouped", "by"]):
        return 2
    return 1 if low[at] in {"per", "by"} else 0
