"""C3: names and labels that the collection neither defines nor shows."""

import re
from collections.abc import Iterator
from typing import Final

from agent.predicates import satisfies
from agent.reasoners.rules.ambiguity.doubt import Doubt, found, reading
from agent.reasoners.rules.language.unknown import unknown_words
from agent.reasoners.rules.language.words import Token
from agent.replies import FoundAmbiguity

__all__ = ("unknown_labels",)

_ALIKE: Final = 70
_KNOWN: Final = 0.5
"""A collection that lacks more of the question's words is about something else altogether."""


def unknown_labels(doubt: Doubt) -> Iterator[FoundAmbiguity]:
    """Yield names asked for that no field and no passage has; words only to be found are clear."""
    if doubt.opener is None:
        return
    for label in (*_missing_values(doubt), *_missing_names(doubt)):
        near = _near(label, doubt)
        options = [reading(item, doubt.put(label, item)) for item in near]
        named = doubt.put(label, f"“{label}”")
        if not options:
            options = [reading(f"without “{label}”", doubt.put(label, ""))]
        why = f"Nothing in the collection says what belongs to “{label}”."
        yield found("C3", label, why, [reading("exactly as written", named), *options])
        return


def _missing_values(doubt: Doubt) -> Iterator[str]:
    """Yield values that a field is asked for and has nowhere, where it has similar ones."""
    for each in doubt.conditions:
        predicate = each.predicate
        if predicate is None or predicate.comparison != "contains" or len(predicate.values) != 1:
            continue
        values = doubt.corpus.field_values(predicate.field)
        (label,) = predicate.values
        missing = not any(satisfies(value, predicate) for value in values.values())
        if missing and label in doubt.question and _near(label, doubt):
            yield label


def _missing_names(doubt: Doubt) -> Iterator[str]:
    """Yield proper names and quoted labels of which no word stands anywhere in the collection."""
    unknown = {word.casefold() for word in unknown_words(doubt.question, doubt.corpus)}
    words = [token for token in doubt.asked if token.kind == "word" and not token.function]
    known = [token for token in words if token.low not in unknown]
    if len(known) < _KNOWN * len(words) or not known:
        return
    sought = {term.casefold() for each in doubt.conditions for term in each.terms}
    for name in _names(doubt):
        parts = re.findall(r"[^\W\d_]+", name.casefold())
        missing = [part for part in parts if part in unknown]
        if missing and len(missing) == len(parts) and not _sought(name, sought):
            yield name


def _sought(name: str, terms: set[str]) -> bool:
    return any(name.casefold() in term or term in name.casefold() for term in terms)


def _names(doubt: Doubt) -> Iterator[str]:
    """Yield runs of capitalised words behind the opening words, and quoted labels."""
    run: list[Token] = []
    for token in (*doubt.asked, None):
        if token is not None and token.capital and not token.function:
            run.append(token)
            continue
        if run:
            yield doubt.question[run[0].start : run[-1].end]
            run = []
        if token is not None and token.kind == "quote":
            yield token.inner


def _near(label: str, doubt: Doubt) -> list[str]:
    """Return the values of label fields that are spelt nearly alike."""
    from rapidfuzz import process

    items = {
        item
        for facts in doubt.scene.labels.fields
        if not facts.fact
        for item, _ in facts.field.values
    }
    found_items = process.extract(label, sorted(items), limit=2, score_cutoff=_ALIKE)
    return [item for item, _, _ in found_items]
