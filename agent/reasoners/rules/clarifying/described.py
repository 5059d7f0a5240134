"""A reply in words that says anew what is asked for: put in the place of what it repeats."""

from collections.abc import Sequence

from agent.corpus_view import CorpusView
from agent.question import Interpretation
from agent.reasoners.rules.ambiguity.doubt import Doubt
from agent.reasoners.rules.language.bounds import read_bound
from agent.reasoners.rules.language.words import (
    AUXILIARIES,
    CONJUNCTIONS,
    DETERMINERS,
    FUNCTION_WORDS,
    PREPOSITIONS,
    RELATIVES,
    Token,
    stem,
    tokenize,
)
from agent.reasoners.rules.reading.degree_words import DEGREES
from agent.reasoners.rules.reading.labels import Cue, Labels
from agent.reasoners.rules.reading.openers import whole_question

__all__ = ("in_full", "repeated")

_ENDS = AUXILIARIES | PREPOSITIONS | RELATIVES | CONJUNCTIONS


def in_full(question: str, span: str, said: str, corpus: CorpusView) -> str | None:
    """Return the whole question that a reply puts anew; None where it is a part of one.

    A reply that begins with what is counted describes all of it where it leaves out nothing but
    words that were asked about: `open reports are short or undated`.
    """
    if whole_question(said):
        return said
    doubt = _doubt(question, corpus)
    opener, head = doubt.opener, doubt.frame.noun.head
    tokens = tokenize(said)
    at = next((place for place, each in enumerate(tokens) if head and _same(each, head)), None)
    if opener is None or at is None or at + 1 == len(tokens):
        return None
    if any(each.low in _ENDS or each.kind != "word" for each in tokens[:at]):
        return None
    told = {stem(each.low) for each in tokens}
    asked = {stem(each.low) for each in tokenize(span)}
    if any(stem(each.low) not in told | asked for each in doubt.asked if _says(each)):
        return None
    return f"{question[: doubt.tokens[opener.end - 1].end]} {said}?"


def repeated(question: str, said: str, corpus: CorpusView) -> str | None:
    """Put an amount of something in the place of the words that stand before it; else None.

    `at least 5 authors` takes the place of `many authors`, `a rent of at least 900` that of `a high
    rent`, whatever was asked about.
    """
    doubt = _doubt(question, corpus)
    tokens = doubt.scene.labels.tokens(said)
    bound = read_bound(tokens, 0) if tokens else None
    if bound is None:
        return _measured(doubt, tokens, said)
    named = [at for at, each in enumerate(doubt.tokens) if tokens and _same(each, tokens[-1])]
    head = doubt.frame.noun.head
    if len(named) != 1 or (head is not None and _same(tokens[-1], head)):
        return None
    (at,) = named
    first = _beginning(doubt.tokens, at)
    start, end = doubt.tokens[first].start, doubt.tokens[at].end
    return f"{question[:start]}{said}{question[end:]}"


def _measured(doubt: Doubt, tokens: Sequence[Token], said: str) -> str | None:
    """Put a limit on a field in the place of the same field with a word of degree before it."""
    labels, asked = doubt.scene.labels, doubt.tokens
    limited = _limited(labels, tokens)
    described = (at for at in range(1, len(asked)) if asked[at - 1].low in DEGREES)
    for at in described:
        cue = labels.cue(asked, at)
        if cue is None or limited is None or cue.fields != limited.fields:
            continue
        start = at - 2 if at > 1 and asked[at - 2].low in DETERMINERS else at - 1
        stop = asked[at + cue.size - 1].end
        return f"{doubt.question[: asked[start].start]}{said}{doubt.question[stop:]}"
    return None


def _limited(labels: Labels, tokens: Sequence[Token]) -> Cue | None:
    """Return the naming of fields in a reply that is no more than it and a limit."""
    first = 1 if tokens and tokens[0].low in DETERMINERS else 0
    name = labels.cue(tokens, first)
    end = first + name.size if name is not None else len(tokens)
    end += end < len(tokens) and tokens[end].low == "of"
    bound = read_bound(tokens, end) if end < len(tokens) else None
    alone = bound is not None and bound.explicit and bound.end == len(tokens)
    return name if alone else None


def _doubt(question: str, corpus: CorpusView) -> Doubt:
    return Doubt.of(question, Interpretation(text=question, entity_type=""), corpus)


def _beginning(tokens: Sequence[Token], noun: int) -> int:
    """Return where the words before a noun begin that belong to it."""
    first = noun
    while first and tokens[first - 1].kind == "word" and tokens[first - 1].low not in _ENDS:
        first -= 1
    return first


def _says(token: Token) -> bool:
    return token.kind in {"word", "number"} and token.low not in FUNCTION_WORDS


def _same(one: Token, other: Token) -> bool:
    return one.kind == "word" and stem(one.low) == stem(other.low)
