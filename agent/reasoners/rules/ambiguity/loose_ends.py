"""Forms in which rules cannot rule an ambiguity out, although they find none: left to a reader."""

from collections.abc import Sequence
from typing import Final

from agent.reasoners.rules.ambiguity.attachment import SETTLING
from agent.reasoners.rules.ambiguity.doubt import Doubt
from agent.reasoners.rules.ambiguity.universal import SETTLING as EITHER_WAY
from agent.reasoners.rules.language.unknown import unknown_words
from agent.reasoners.rules.language.words import (
    AUXILIARIES,
    DETERMINERS,
    PREPOSITIONS,
    Token,
    akin,
    word_set,
)
from agent.reasoners.rules.reading.facts import Facts
from agent.reasoners.rules.reading.openers import MOST

__all__ = ("loose_ends",)

_JOINTS: Final = frozenset({"and", "or"})
_SHOWING: Final = word_set(
    "list show display give provide tell include including add order ordered sort sorted rank "
    "ranked ascending descending number amount total name names highest lowest"
)
"""Words for the form of the answer: that no document has them says nothing."""
_FORM: Final = _SHOWING | SETTLING | EITHER_WAY | frozenset(MOST)
_PAIR: Final = 2
_FIELDS_EACH: Final = 2
"""Fields that a record sheet has at least, on average."""


def loose_ends(doubt: Doubt) -> bool:
    """Tell whether a question has a form that often hides an ambiguity.

    These are joined words with any further description, which may belong to one of them or to all;
    words that a collection of record sheets does not have at all, since a text may state them in
    others; and words that are a part of several fields' names, none of which is named in full.
    """
    settled = any(token.low in SETTLING for token in doubt.asked)
    return (not settled and _described(doubt)) or _unknown(doubt) or _undecided(doubt)


def _described(doubt: Doubt) -> bool:
    """Find joined words of which more is said: before the first of them, or behind the last."""
    tokens = doubt.asked
    return any(
        token.low in _JOINTS
        and not _clause(tokens, at + 1)
        and (_before(tokens[:at], doubt) or _behind(tokens[at + 1 :]))
        for at, token in enumerate(tokens)
    )


def _clause(tokens: Sequence[Token], at: int) -> bool:
    """Tell whether a further condition begins with words of its own: `and are open`."""
    return at < len(tokens) and tokens[at].low in AUXILIARIES | PREPOSITIONS


def _before(left: Sequence[Token], doubt: Doubt) -> bool:
    """Tell whether two words that are no one name or value stand before the joint."""
    pair = left[-_PAIR:]
    if len(pair) < _PAIR or any(token.function for token in pair):
        return False
    if all(token.capital for token in pair):
        return False
    hits = doubt.scene.labels.hits(list(pair), 0)
    return not any(hit.whole and hit.size >= _PAIR for hit in hits)


def _behind(right: Sequence[Token]) -> bool:
    """Tell whether anything is said behind the member that follows the joint."""
    at = 0
    while at < len(right) and (not right[at].function or right[at].low in DETERMINERS):
        at += 1
    return any(not token.function for token in right[at:])


def _unknown(doubt: Doubt) -> bool:
    if not _of_sheets(doubt):
        return False
    said = (token for token in doubt.asked if not token.function and token.low not in _FORM)
    return bool(unknown_words(" ".join(token.text for token in said), doubt.corpus))


def _of_sheets(doubt: Doubt) -> bool:
    """Tell whether the documents are record sheets: a passage each, with several fields."""
    documents = len(doubt.corpus.documents)
    written = sum(each.field.documents for each in doubt.scene.labels.fields if not each.fact)
    return doubt.corpus.chunk_count <= documents and written >= _FIELDS_EACH * documents


def _undecided(doubt: Doubt) -> bool:
    """Find a word that several fields' names have, where none of them is named in full."""
    words = [token.low for token in doubt.asked if token.kind == "word" and not token.function]
    for word in words:
        fields = [each for each in doubt.scene.labels.fields if not each.fact and _has(each, word)]
        if len(fields) > 1 and not any(_named(each, words) for each in fields):
            return True
    return False


def _has(field: Facts, word: str) -> bool:
    return any(akin(word, each) for each in field.words)


def _named(field: Facts, words: Sequence[str]) -> bool:
    return all(any(akin(word, each) for word in words) for each in field.words)
