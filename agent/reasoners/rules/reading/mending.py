"""A question's slips of the pen mended by the names and values of the corpus's metadata."""

from collections.abc import Iterator
from typing import Final

from agent.corpus_view import Lexicon
from agent.english import unaccented
from agent.reasoners.rules.language.spelling import american
from agent.reasoners.rules.language.words import Token, stem, tokenize
from agent.reasoners.rules.reading.labels import Labels
from agent.reasoners.rules.reading.openers import read_opener
from agent.reasoners.rules.reading.question_words import asks

__all__ = ("mended",)

_SHORTEST: Final = 4


def mended(question: str, labels: Labels, lexicon: Lexicon) -> tuple[str, list[tuple[str, str]]]:
    """Return the question with misspelt words corrected, and each word with its correction.

    A word is misspelt if it stands behind the question's opening, is written small, is none of the
    words that any question may use, neither it nor an inflection of it stands anywhere in the
    corpus, and exactly one word of the fields' names and values is spelt nearly alike: one
    letter or a swap of two apart, with the same first letter. A word of any length or case that the
    corpus has only with other accents gets these.
    """
    held = set(_vocabulary(labels))
    known = {word for word in held if len(word) >= _SHORTEST}
    changes: list[tuple[str, str]] = []
    tokens = tokenize(question)
    opener = read_opener(tokens)
    for token in reversed(tokens[opener.end if opener is not None else 0 :]):
        right = _accented(token, held, lexicon) or _correction(token, known, lexicon)
        if right is not None:
            changes.insert(0, (token.text, right))
            question = question[: token.start] + right + question[token.end :]
    return question, changes


def _vocabulary(labels: Labels) -> Iterator[str]:
    for facts in labels.fields:
        if facts.fact:
            continue
        yield from facts.words
        if facts.label:
            for item, _ in facts.field.values:
                yield from (each.low for each in tokenize(item) if each.kind == "word")


def _accented(token: Token, held: set[str], lexicon: Lexicon) -> str | None:
    """Return the one word of the corpus that a word is but for its accents, in the word's case."""
    word = token.low
    if token.kind != "word" or asks(word) or word in held or lexicon.frequency(word):
        return None
    near = {*held, *lexicon.spellings(word)}
    same = {each for each in near if unaccented(each) == unaccented(word)}
    if len(same) != 1:
        return None
    found = same.pop()
    if token.text.isupper():
        return found.upper()
    return found.capitalize() if token.capital else found


def _correction(token: Token, known: set[str], lexicon: Lexicon) -> str | None:
    from rapidfuzz.distance import OSA

    word = token.low
    plain = token.kind == "word" and token.text.isalpha() and token.text.islower()
    if not plain or len(word) < _SHORTEST or asks(word) or word in known:
        return None
    if lexicon.frequency(word) or lexicon.inflections(word):
        return None
    if any(stem(american(word)) == stem(american(each)) for each in known):
        return None
    near = {each for each in known if each[0] == word[0] and OSA.distance(each, word) == 1}
    return near.pop() if len(near) == 1 else None
