"""Where a degree may end: limits from the distribution of the field that measures it."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from agent.interpretation import interpretation_from
from agent.question import atoms
from agent.reasoners.rules.ambiguity.doubt import Doubt
from agent.reasoners.rules.language.words import (
    AUXILIARIES,
    CONJUNCTIONS,
    FUNCTION_WORDS,
    PREPOSITIONS,
    RELATIVES,
    akin,
)
from agent.reasoners.rules.reading.degree_words import AMOUNTS, measured_by, points_up
from agent.reasoners.rules.reading.facts import Facts

__all__ = ("Cutoffs", "cutoffs_for")

Cutoffs = list[tuple[str, str]]
"""A label and the whole question for each limit, the likelier first."""

_UP: Final = (0.75, 0.9)
_DOWN: Final = (0.25, 0.1)
_COUNTS: Final = (0.8, 0.95)
_FEWEST: Final = 3
"""Fewer items are not many anywhere."""
_WORDS: Final = 4
_NAMED: Final = 3
"""So many words of a field's name leave room for its limit in a label of six."""


def cutoffs_for(doubt: Doubt, start: int, end: int, word: str) -> Cutoffs:
    """Return the question with limits in the place of a word of degree; empty where none is known.

    Limits are quantiles of the field's values: the upper quarter and tenth for `long`, the lower
    ones for `short`; of the numbers of a list's items for `many`.
    """
    phrase, facts, whole = _measured_noun(doubt, end, word)
    if facts is None:
        facts = _compounded(doubt, doubt.question[start:end])
    if facts is None and _of_documents(doubt, end):
        facts = _measuring(doubt, word)
    if facts is None:
        return []
    up = points_up(word)
    limits = _limits(doubt, facts, up=up)
    told = [
        _said(doubt, facts, limit, (start, end), phrase, up=up, whole=whole) for limit in limits
    ]
    return [each for each in told if each is not None]


def _measured_noun(doubt: Doubt, end: int, word: str) -> tuple[str, Facts | None, bool]:
    """Return the words behind the degree that name a field, with the field: `rent`, Monthly-Rent.

    A list's items are only counted, by words for a number or a size. The last value tells whether
    the words are the field's name and no more.
    """
    tokens = [token for token in doubt.tokens if token.start >= end]
    stop = AUXILIARIES | PREPOSITIONS | RELATIVES | CONJUNCTIONS | {"?", ".", ","}
    noun = next((at for at, token in enumerate(tokens) if token.low in stop), len(tokens))
    for at in range(min(noun, _WORDS)):
        cue = doubt.scene.labels.cue(tokens, at)
        if cue is None:
            continue
        counted = word in AMOUNTS
        for facts in cue.fields:
            kind = facts.field.type
            counts = kind == "list" and counted and cue.strength >= 2
            named = not facts.unique or not _is_head(doubt, facts)
            if counts or (kind == "number" and named and not facts.fact):
                words = doubt.question[end : tokens[noun - 1].end].strip()
                return words, facts, cue.size == noun
    return "", None, False


def _compounded(doubt: Doubt, phrase: str) -> Facts | None:
    """Return the number field that a compound names: `high-priced`, `low-numbered`."""
    _, _, participle = phrase.partition("-")
    if not participle.endswith("ed") or doubt.interpretation.grain != "document":
        return None
    if akin(participle, "number"):
        return doubt.scene.labels.named(doubt.scene.number_field())
    fields = (each for each in doubt.scene.labels.fields if each.field.type == "number")
    return next((each for each in fields if any(akin(w, participle) for w in each.words)), None)


def _name(doubt: Doubt, facts: Facts) -> str:
    """Return what a field is called in a question; that of the documents' own numbers a number."""
    return "number" if _is_head(doubt, facts) and facts.unique else facts.name


def _short(name: str) -> str:
    """Return a name, or of a longer one the first words that are no function words."""
    words = name.split()
    telling = [word for word in words if word.casefold() not in FUNCTION_WORDS]
    return name if len(words) <= _NAMED else " ".join(telling[:_NAMED])


def _is_head(doubt: Doubt, facts: Facts) -> bool:
    """Tell whether a field is the number of what is counted: `PEP` of PEPs."""
    head = doubt.frame.noun.head
    return head is not None and any(akin(each, head.low) for each in facts.words)


def _of_documents(doubt: Doubt, end: int) -> bool:
    """Tell whether the degree stands before what is counted: `long reports`, not `large bill`."""
    head = doubt.frame.noun.head
    tokens = [token for token in doubt.tokens if token.start >= end]
    stop = AUXILIARIES | PREPOSITIONS | RELATIVES | CONJUNCTIONS
    noun = next((at for at, token in enumerate(tokens) if token.low in stop), len(tokens))
    return head is not None and any(token.low == head.low for token in tokens[:noun])


def _measuring(doubt: Doubt, word: str) -> Facts | None:
    """Return the number field that a degree of the documents themselves is measured by."""
    head = doubt.frame.noun.head
    wanted = measured_by(word)
    if head is None or doubt.interpretation.grain != "document":
        return None
    for name in wanted:
        for facts in doubt.scene.labels.fields:
            if facts.field.type != "number" or (facts.fact and name != "size"):
                continue
            if any(akin(each, name) for each in facts.words):
                return facts
    return None


def _limits(doubt: Doubt, facts: Facts, *, up: bool) -> list[str]:
    values = doubt.corpus.field_values(facts.name).values()
    if facts.field.type == "list":
        sizes = sorted(len(value.items) for value in values)
        return [str(each) for each in _counts(sizes, up=up)]
    numbers = sorted(value.number for value in values if value.number is not None)
    shares = _UP if up else _DOWN
    found = [_round(_quantile(numbers, share)) for share in shares] if numbers else []
    distinct = list(dict.fromkeys(found))
    if len(distinct) == 1:
        others = [_round(each) for each in numbers if _round(each) != distinct[0]]
        distinct += others[-1:] if up else others[:1]
    return [f"{each:g}" for each in distinct]


def _counts(sizes: Sequence[int], *, up: bool) -> list[int]:
    """Return two numbers of items, at least 3 and 5 for `many`, 1 and 2 for `few`."""
    if not up:
        return [2, 1]
    low, high = (_quantile(sizes, share) for share in _COUNTS) if sizes else (3, 5)
    low = max(_FEWEST, low)
    return [int(low), int(max(low + 2, high))]


def _quantile(ordered: Sequence[float], share: float) -> float:
    return ordered[int(share * (len(ordered) - 1))]


def _round(number: float) -> float:
    """Round to two figures."""
    return float(f"{number:.2g}")


def _said(
    doubt: Doubt,
    facts: Facts,
    limit: str,
    place: tuple[int, int],
    phrase: str,
    *,
    up: bool,
    whole: bool,
) -> tuple[str, str] | None:
    """Return the first wording that is read as the limit on the field."""
    bound = f"{'at least' if up else 'at most'} {limit}"
    label = f"{_short(_name(doubt, facts))} {bound}"
    if facts.field.type == "list":
        label = f"{bound} {facts.name} items"
    for text in _wordings(doubt, facts, bound, place, phrase, whole=whole):
        if _bounded(text, facts, limit, doubt):
            return label, text
    return None


def _wordings(
    doubt: Doubt, facts: Facts, bound: str, place: tuple[int, int], phrase: str, *, whole: bool
) -> Iterator[str]:
    question, (start, end) = doubt.question, place
    name = _name(doubt, facts)
    before = question[:start].rstrip()
    article = before.casefold().endswith((" a", " an"))
    bare = before[: before.rindex(" ")] if article else before
    amount = f"{bound} {facts.name} items" if facts.field.type == "list" else ""
    if phrase:
        stop = question.index(phrase, end) + len(phrase)
        if amount:
            if whole:
                yield f"{bare} {bound} {phrase}{question[stop:]}"
            yield f"{bare} {amount}{question[stop:]}"
        else:
            yield f"{bare} a {name} of {bound}{question[stop:]}"
        if not question[stop:].strip(" ?."):
            held = amount or f"a {name} of {bound}"
            yield f"{bare.rpartition(' ')[0]} have {held}?"
            yield re.sub(r"\s(?:are|is|were|was)\s.*$", f" have {held}?", bare)
        return
    clause = f"with {amount}" if amount else f"with a {name} of {bound}"
    text = doubt.without(start, end)
    text = text if text[-1:] in "?." else f"{text}?"
    for ending in (" are?", " is?", " were?", " was?"):
        text = text.removesuffix(ending) + "?" if text.endswith(ending) else text
    yield doubt.with_clause(text, clause)


def _bounded(text: str, facts: Facts, limit: str, doubt: Doubt) -> bool:
    """Tell whether a wording is read as this limit on the field and adds no other condition."""
    from agent.reasoners.rules.reading.interpret import read_question

    names = [field.name for field in doubt.corpus.fields]
    read = interpretation_from(read_question(text, doubt.corpus), names)
    return any(
        each.predicate is not None
        and each.predicate.field == facts.name
        and each.predicate.values == (limit,)
        for each in atoms(read.conditions)
    )
