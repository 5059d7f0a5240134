"""B1: how far a negation or a quantifier reaches."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from agent.question import AllOf, AnyOf, Condition, Node, Not
from agent.reasoners.rules.ambiguity.doubt import Doubt, found, reading
from agent.reasoners.rules.language.words import (
    AUXILIARIES,
    DETERMINERS,
    PREPOSITIONS,
    RELATIVES,
    Token,
    word_set,
)
from agent.reasoners.rules.reading.elements import Joint, Values, read_elements
from agent.reasoners.rules.reading.verbs import verb_like
from agent.replies import FoundAmbiguity

__all__ = ("negations",)

_SETTLING: Final = word_set("neither nor both either any none at")
_LACKING: Final = {"lack": "have", "lacks": "has", "lacking": "having", "lacked": "had"}
_WITHOUT: Final = {"without": "with"}
_NAMING: Final = word_set("mention name cite list contain include use show report describe")
_EVERY: Final = re.compile(r"\b(?:every|each)\s+[\w-]+\s+and\s+[\w-]+", re.IGNORECASE)
_ALL_NOT: Final = re.compile(
    r"\b(?:all|every|each)\s+(?:of\s+)?(?:the\s+)?[\w-]+(?:\s+[\w-]+)?\s+"
    r"(?:are|were|is|was|do|does|did|have|has|had)(?:\s+not\b|n['’]t\b)",
    re.IGNORECASE,
)
_NOT_COUNT: Final = re.compile(
    r"\b(?:not|n['’]t|never)\s+(?:[\w-]+\s+){0,2}(?:at least|all|every|each)\b", re.IGNORECASE
)
_LONGEST: Final = 5


def negations(doubt: Doubt) -> Iterator[FoundAmbiguity]:
    """Yield the first negation or quantifier whose scope is open."""
    if doubt.opener is None or {token.low for token in doubt.tokens} & (_SETTLING - {"at", "any"}):
        return
    one = _denied(doubt) or _quantified(doubt) or _unbracketed(doubt)
    if one is not None:
        yield one


def _denied(doubt: Doubt) -> FoundAmbiguity | None:
    """Find a negation over joined parts: `do not have A and B`, `without A or B`."""
    tokens = doubt.asked
    for at, token in enumerate(tokens):
        start = _object(tokens, at)
        if not start or token.low in _SETTLING:
            continue
        joints = _joints(tokens, start, doubt)
        if not joints:
            continue
        word = tokens[joints[-1]].low
        end = _end(tokens, joints[-1])
        parts = [
            tokens[a + 1 : b] for a, b in zip([start - 1, *joints], [*joints, end], strict=True)
        ]
        parts = [part for part in parts if part]
        if len(parts) > 1 and _open(doubt, parts, word, start):
            return _several(doubt, at, start, end, parts, word)
    return None


def _object(tokens: Sequence[Token], at: int) -> int:
    """Return where what is denied begins, behind a negation and its verb; 0 for no negation."""
    low = tokens[at].low
    if low in _LACKING or low in _WITHOUT:
        return at + 1
    if not (low == "not" or re.search(r"n['’]t$", low)) or at + 1 >= len(tokens):
        return 0
    helper = tokens[at - 1].low if at and low == "not" else low
    verbal = re.match(r"(?:do|does|did)(?:n|$)", helper)
    perfect = re.match(r"(?:have|has|had)(?:n|$)", helper) and tokens[at + 1].low.endswith("ed")
    start = at + 2 if verbal or perfect else at + 1
    return start if start < len(tokens) else 0


def _joints(tokens: Sequence[Token], start: int, doubt: Doubt) -> list[int]:
    """Return where the parts behind a negation are joined; empty where clauses are."""
    joints: list[int] = []
    for at in range(start, len(tokens)):
        low = tokens[at].low
        if low in {"but", ";"} or low in RELATIVES or (joints and low in PREPOSITIONS):
            break
        if low == "," and at + 1 < len(tokens) and tokens[at + 1].low not in {"and", "or"}:
            joints.append(at)
        if low in {"and", "or"}:
            new = at + 1 < len(tokens) and _clause(tokens, at + 1, doubt)
            return [] if new else [*joints, at]
    return []


def _clause(tokens: Sequence[Token], at: int, doubt: Doubt) -> bool:
    """Tell whether a clause of its own begins: a verb, an auxiliary, a negation, a pronoun."""
    low = tokens[at].low
    return (
        low in AUXILIARIES | RELATIVES | PREPOSITIONS | {"not", "no", "they", "it", "then", "also"}
        or low in _LACKING
        or verb_like(tokens, at, doubt.scene)
        or (low.endswith("ed") and at + 1 < len(tokens) and tokens[at + 1].low in PREPOSITIONS)
    )


def _end(tokens: Sequence[Token], joint: int) -> int:
    """Return where the last part ends: before a verb, a preposition but `of`, or a mark."""
    at = joint + 1
    while at < len(tokens) and tokens[at].text not in {",", ";"}:
        low = tokens[at].low
        if at > joint + 1 and low in (PREPOSITIONS - {"of"}) | AUXILIARIES | RELATIVES:
            break
        at += 1
    return at


def _open(doubt: Doubt, parts: Sequence[Sequence[Token]], word: str, start: int) -> bool:
    """Tell whether the parts are things of one form that can each be denied.

    Under `or` everybody reads that none holds, unless metadata decides the parts apart; under
    `and` either is common.
    """
    if any(len(part) > _LONGEST for part in parts):
        return False
    if word == "or":
        return len(set(_denied_fields(doubt.interpretation.conditions, denied=False))) > 1
    articled = [part[0].low in DETERMINERS for part in parts]
    verb = doubt.asked[start - 1].low if start else ""
    if all(articled) or verb in _WITHOUT or verb in _LACKING or verb in _NAMING:
        return True
    known = [_values(part, doubt) for part in parts]
    fields = [names for names in known if names]
    return len(fields) == len(parts)


def _values(part: Sequence[Token], doubt: Doubt) -> frozenset[str]:
    """Return the fields that a part names or is a value of."""
    named: set[str] = set()
    for each in read_elements(part, doubt.scene.labels, ()):
        if isinstance(each.what, Values):
            named |= {hit.facts.name for hit in each.what.hits}
        elif hasattr(each.what, "fields"):
            named |= {facts.name for facts in each.what.fields}
    return frozenset(named)


def _denied_fields(node: Node | None, *, denied: bool) -> Iterator[str]:
    match node:
        case Not():
            yield from _denied_fields(node.part, denied=True)
        case AllOf() | AnyOf():
            for part in node.parts:
                yield from _denied_fields(part, denied=denied)
        case Condition():
            absent = node.predicate is not None and "false" in node.predicate.values
            if (denied or absent) and node.predicate is not None:
                yield node.predicate.field
        case None:
            return


def _several(
    doubt: Doubt, at: int, start: int, end: int, parts: Sequence[Sequence[Token]], word: str
) -> FoundAmbiguity:
    first = at - 1 if at and doubt.asked[at - 1].low in AUXILIARIES else at
    verb = doubt.between(first, start)
    plain, denying = _affirmed(verb), _denying(verb)
    said = [doubt.scene.words(part) for part in parts]
    span = doubt.between(first, end)
    listed = f"{', '.join(said[:-1])} and {said[-1]}"
    every = f"both {listed}" if len(said) == 2 else f"all of {listed}"
    readings = [
        reading("none of them", doubt.put(span, f"{plain} neither {' nor '.join(said)}")),
        reading("not all of them together", doubt.put(span, f"{denying} {every}")),
    ]
    if word == "or" and len(said) == 2:
        stated = doubt.put(span, f"{denying} {said[0]}, or {plain} {said[1]}")
        readings.append(reading("not the first, or the second", stated))
    return found("B1", span, "The negation can reach over one part or over all of them.", readings)


def _affirmed(verb: str) -> str:
    """Return the words before a denied part without their negation.

    >>> _affirmed("do not have"), _affirmed("are not"), _affirmed("lack"), _affirmed("did not name")
    ('have', 'are', 'have', 'name')
    """
    low = verb.casefold()
    if low in _LACKING:
        return _LACKING[low]
    if low in _WITHOUT:
        return _WITHOUT[low]
    bare = re.sub(r"\s*(?:\bnot\b|n['’]t\b)", "", verb, flags=re.IGNORECASE).strip()
    return re.sub(r"^(?:do|does|did)\s+", "", bare, flags=re.IGNORECASE)


def _denying(verb: str) -> str:
    low = verb.casefold()
    if low in _LACKING:
        return f"{'does' if low == 'lacks' else 'do'} not have"
    return verb


def _quantified(doubt: Doubt) -> FoundAmbiguity | None:
    """Find `all … not`, `not … at least three`, `every A and B`."""
    for pattern in (_ALL_NOT, _NOT_COUNT, _EVERY):
        hit = pattern.search(doubt.question)
        if hit is None or (pattern is _EVERY and not _labels_around(doubt, hit)):
            continue
        phrase = hit.group()
        first, second = _ways(phrase, pattern)
        why = "The negation or quantifier can govern each part or all of them together."
        return found("B1", phrase, why, [
            reading(first, doubt.put(phrase, first)), reading(second, doubt.put(phrase, second)),
        ])  # fmt: skip
    return None


def _ways(phrase: str, pattern: re.Pattern[str]) -> tuple[str, str]:
    """Say a quantified phrase in its two ways."""
    if pattern is _EVERY:
        bare = re.sub(r"^(?:every|each)\s+", "", phrase, flags=re.IGNORECASE)
        return f"both {bare}", bare.replace(" and ", " or ")
    if pattern is _ALL_NOT:
        bare = re.sub(r"^(?:all|every|each)\s+|(?:\s+not|n['’]t)$", "", phrase, flags=re.IGNORECASE)
        return f"none of the {bare}", f"not all {bare}"
    count = re.search(r"(?:at least|all|every|each)$", phrase, re.IGNORECASE)
    if count is not None and count.group().casefold() == "at least":
        return f"{phrase[: count.start()]}as many as", f"{phrase[: count.start()]}a particular"
    return phrase, f"{phrase[: count.start() if count else None]}any"


def _unbracketed(doubt: Doubt) -> FoundAmbiguity | None:
    """Find values joined by `and` and `or` without a comma: `A and B or C`."""
    tokens = [token for token in doubt.asked if token.text != "-"]
    elements = read_elements(tokens, doubt.scene.labels, ())
    for at in range(len(elements) - 4):
        row = elements[at : at + 5]
        words = [each.what.word for each in row if isinstance(each.what, Joint)]
        values = [each for each in row if isinstance(each.what, Values)]
        if len(values) != 3 or sorted(words) != ["and", "or"]:
            continue
        one, joint, two, other, three = (
            doubt.scene.words(tokens[each.start : each.end]) for each in row
        )
        span = doubt.question[tokens[row[0].start].start : tokens[row[4].end - 1].end]
        left = f"{one} {joint} {two}, {other} {three}"
        right = f"{one}, {joint} {two} {other} {three}"
        return found("B1", span, "“and” and “or” can be taken together in two ways.", [
            reading(f"({one} {joint} {two}) {other} {three}", doubt.put(span, left)),
            reading(f"{one} {joint} ({two} {other} {three})", doubt.put(span, right)),
        ])  # fmt: skip
    return None


def _labels_around(doubt: Doubt, match: re.Match[str]) -> bool:
    """Tell whether both words joined after `every` are values of the corpus."""
    tokens = [token for token in doubt.tokens if match.start() <= token.start < match.end()]
    elements = read_elements(tokens, doubt.scene.labels, ())
    return sum(isinstance(each.what, Values) for each in elements) > 1
