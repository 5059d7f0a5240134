"""What is offered in the place of a declined question: the question with one change, if certain.

What could not be placed is said in one of the ways that the collection gives, as a field, a value
or a unit; where it gives none, a single word of content is left out. What is offered is read from
its text like any other question, and nothing in it is left to a reader.
"""

from collections.abc import Iterator, Sequence
from itertools import islice, pairwise
from typing import Final

from agent.corpus_view import Field
from agent.english import FUNCTION_WORDS
from agent.errors import QuestionError
from agent.question import Comparison
from agent.reasoners.lexical.assembly import Assembly
from agent.reasoners.lexical.grammar import polite
from agent.reasoners.lexical.pieces import Amounted, Dated, Joined, Kinds, Negated, Valued
from agent.reasoners.lexical.vocabulary import Vocabulary
from agent.replies import InterpretReply

_MOST: Final = 3
"""Offers at most."""
_DRAFTS: Final = 12
"""Changes that are tried at most."""
_COMPARED: Final[dict[Comparison, str]] = {
    "more_than": "more than ",
    "less_than": "less than ",
    "at_least": "at least ",
    "at_most": "at most ",
}


def offers(question: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """Return the questions that can be answered in the place of one that cannot."""
    asked = Assembly(polite(question).rstrip("? "), vocabulary)
    _read(asked)
    changed = (" ".join(each.split()) for each in islice(_changed(asked), _DRAFTS))
    drafts = (each.replace(" with whose ", " whose ") for each in changed)
    return tuple(islice((each for each in drafts if _certain(each, vocabulary)), _MOST))


def _read(asked: Assembly) -> InterpretReply | None:
    try:
        return asked.reply()
    except QuestionError:
        return None


def _certain(draft: str, vocabulary: Vocabulary) -> bool:
    """Tell whether a question is answered, and asks for more than all documents of a kind."""
    asked = Assembly(draft, vocabulary)
    reply = _read(asked)
    if reply is None or not all(each.field or each.terms for each in reply.conditions):
        return False
    kinds = sum(isinstance(each, Kinds) and each.kind.test is not None for each in asked.pieces)
    measured = reply.measure or reply.group_by or reply.entity_field
    return len(reply.conditions) > kinds or bool(measured)


def _changed(asked: Assembly) -> Iterator[str]:
    """Yield the question with what could not be placed said otherwise, or left out."""
    text, declined = asked.question, asked.declined
    if declined is None:
        return
    if declined.said and declined.said[0].startswith("in "):
        yield from (f"{text} {each}" for each in declined.said)
        return
    places = ((text.casefold().find(each.casefold()), len(each)) for each in declined.words)
    spans = sorted((start, start + size) for start, size in places)
    between = "".join(text[one[1] : other[0]] for one, other in pairwise(spans))
    if not spans or spans[0][0] < 0 or between.strip():
        return
    start, end = spans[0][0], spans[-1][1]
    said = [*declined.said, *(_named(asked, each, start, end) for each in declined.fields)]
    yield from (f"{text[:start]} {each} {text[end:]}" for each in said)
    words = [each for each in text[start:end].casefold().split() if each not in FUNCTION_WORDS]
    begin = _phrase_start(asked, start, end)
    quoted = text[:start].endswith(('"', "“"))
    numbers = any(each.isdigit() for each in text[start:end])
    if begin is not None and len(words) <= 1 and not (said or quoted or numbers):
        yield text[:begin] + " " + text[end:].lstrip("'’")


def _phrase_start(asked: Assembly, start: int, end: int) -> int | None:
    """Return where the words begin that say nothing without some; None where these are denied."""
    pieces = {at: each for each in asked.pieces for at in range(each.start, each.end)}
    for at, token in reversed([*enumerate(asked.tokens)]):
        piece = pieces.get(at)
        if token.start < end and isinstance(piece, Negated):
            return None
        if token.end <= start:
            loose = token.low in FUNCTION_WORDS or token.text in {",", ";"}
            if not loose or not (piece is None or isinstance(piece, Joined)):
                break
            start = token.start
    return start


def _named(asked: Assembly, of: Field, start: int, end: int) -> str:
    """Return how a field is said with the words that may be about it."""
    tokens = asked.tokens
    spans = {(tokens[e.start].start, tokens[e.end - 1].end): e for e in asked.pieces}
    match spans.get((start, end)):
        case Amounted(comparison=how, amounts=amounts):
            return _compared(of, how, [each.written for each in amounts])
        case Dated(comparison=how, dates=dates):
            return _compared(of, how, dates)
        case Valued():
            return f"documents whose {of.name} is {asked.question[start:end]}"
        case _:
            return of.name


def _compared(of: Field, comparison: Comparison, ends: Sequence[str]) -> str:
    how = _COMPARED.get(comparison, "between " if len(ends) > 1 else "")
    return f"whose {of.name} is {how}{' and '.join(ends)}"
