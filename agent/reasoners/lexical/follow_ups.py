"""Questions that refer to the one before, where it is sure what they ask as whole questions."""

import re
from collections.abc import Sequence
from typing import Final

from agent.ambiguity import Turn
from agent.english import singular
from agent.errors import QuestionError
from agent.interpretation import order_of
from agent.question import Interpretation, Predicate, atoms
from agent.reasoners.lexical.assembly import Assembly
from agent.reasoners.lexical.grammar import polite
from agent.reasoners.lexical.vocabulary import Vocabulary
from agent.replies import InterpretReply

REFERRING: Final = re.compile(
    r"\A\W*(?:and|(?:what|how)\s+about|only|just)\b|\b(?:those|them|they)\b"
    r"|\bthese\b(?=\s*(?:[,?.]|which|that|are|were|have|who|how|what|\Z))",
    re.IGNORECASE,
)
"""Words of a question that refers to the one before."""
_THOSE: Final = r"(?:of|among|out\s+of)\s+(?:all\s+)?(?:these|those|them)"
_ASKED: Final = r"(?:and\s+)?(?P<asked>how\s+many|which|who)"
_OF_THOSE: Final = (
    re.compile(
        rf"(?:and\s+)?{_THOSE}(?:\s+(?P<noun>\w+))?\s*,?\s*{_ASKED}\s+(?P<rest>.+)", re.IGNORECASE
    ),
    re.compile(rf"{_ASKED}\s+{_THOSE}\s+(?P<rest>.+)", re.IGNORECASE),
)
_INSTEAD: Final = re.compile(
    r"(?:and\s+)?(?:(?:what|how)\s+about|and)\s+(?:(?:in|for|by|from|of|at|with)\s+)?(?P<value>.+)",
    re.IGNORECASE,
)
_YEAR: Final = re.compile(r"\d{4}")


def follow_up(
    question: str, turns: Sequence[Turn], vocabulary: Vocabulary
) -> InterpretReply | None:
    """Return what a question asks after others; None where that is not sure.

    `Of those, how many …` asks about what satisfies the conditions before, too. `What about X`
    asks the question before with X for the one value of the same field.

    Raises QuestionError: as a whole question it cannot be interpreted for certain.
    """
    if not turns:
        return None
    asked, before = question.strip().rstrip("?.! "), turns[-1]
    told, counted = before.interpretation, before.value is not None
    if told is None or not counted or not all(each.by_code for each in atoms(told.conditions)):
        return None
    for form in _OF_THOSE:
        if found := form.fullmatch(asked):
            return _of_those(found, told, vocabulary)
    instead = _INSTEAD.fullmatch(asked)
    return instead and _instead(instead["value"], told, turns, vocabulary)


def _of_those(
    found: re.Match[str], told: Interpretation, vocabulary: Vocabulary
) -> InterpretReply | None:
    if told.grain != "document" or told.operation not in {"count", "list"}:
        return None
    noun, rest = told.entity_type, found["rest"]
    own = found.groupdict().get("noun") or noun
    if singular(own.casefold()) != singular(noun.casefold()):
        return None
    again = singular(rest.split()[0].casefold()) == singular(noun.casefold())
    whole = f"{found['asked']} {rest}" if again else f"{found['asked']} {noun} {rest}"
    assembly = Assembly(
        polite(whole),
        vocabulary,
        atoms=list(atoms(told.conditions)),
        assumptions=list(told.granted),
        before=told.conditions,
    )
    return _sure(assembly)


def _instead(
    value: str, told: Interpretation, turns: Sequence[Turn], vocabulary: Vocabulary
) -> InterpretReply | None:
    """Return the last question with another value in the place of the one that the same field had.

    None where it then differs in anything else.
    """
    alike = [each for each in atoms(told.conditions) if _holds(each.predicate, value, vocabulary)]
    if len(alike) != 1 or alike[0].predicate is None:
        return None
    old, question = alike[0].predicate.values[0], turns[-1].question
    places = list(re.finditer(rf"(?<!\w){re.escape(old)}(?!\w)", question, re.IGNORECASE))
    if len(places) != 1:
        return None
    start, end = places[0].span()
    whole = f"{question[:start]}{value}{question[end:]}"
    if REFERRING.search(question):
        reply = follow_up(whole, turns[:-1], vocabulary)
    else:
        reply = _sure(Assembly(polite(whole), vocabulary))
    if reply is None:
        return None
    was = order_of(told)
    texts = [
        each.text.replace(old, value) if each.id == alike[0].id else each.text
        for each in was.conditions
    ]
    now = [each.text.casefold() for each in reply.conditions]
    alone = {"restated", "conditions", "assumptions"}
    same = was.model_dump(exclude=alone) == reply.model_dump(exclude=alone)
    return reply if same and now == list(map(str.casefold, texts)) else None


def _holds(test: Predicate | None, value: str, vocabulary: Vocabulary) -> bool:
    """Tell whether a test asks for one value of a field of which another text is a value, too."""
    if test is None or test.comparison not in {"is", "contains"} or len(test.values) != 1:
        return False
    held = vocabulary.corpus.field_values(test.field).values()
    if _YEAR.fullmatch(test.values[0]):
        return bool(_YEAR.fullmatch(value)) and any((e.date or "")[:4] == value for e in held)
    return any(value.casefold() in map(str.casefold, each.items) for each in held)


def _sure(assembly: Assembly) -> InterpretReply:
    reply = assembly.reply()
    if any(len(limit.readings) > 1 for _, limit in assembly.limits):
        raise QuestionError(
            "the question refers to what was said before and leaves a limit open: ask it whole"
        )
    return reply
