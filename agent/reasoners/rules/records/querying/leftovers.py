"""Words that a reading left over: what the tables lack, or what it may pass over."""

from typing import Final

from agent.reasoners.rules.language.words import AUXILIARIES, singular, word_set
from agent.reasoners.rules.reading.degree_words import DEGREES
from agent.reasoners.rules.reading.question_words import asks
from agent.reasoners.rules.records.querying.adjectives import superlative_at
from agent.reasoners.rules.records.querying.mentions import says
from agent.reasoners.rules.records.querying.phrases import verbal
from agent.reasoners.rules.records.querying.reading import Reading

__all__ = ("left_over",)

_OPERATIONS: Final = word_set(
    "difference ratio percentage percent proportion share increase decrease change growth average "
    "mean median maximum minimum each per every sorted ordered ranked recent recently current "
    "currently past last next previous ago correlation trend second third consecutive both"
)
_OPENING: Final = word_set("many of the all a an any number each")
_COMPARING: Final = frozenset(
    {("at", "least"), ("at", "most"), ("more", "than"), ("less", "than"), ("fewer", "than")}
)
"""An amount is to be compared, if only `an hour`."""
_SURE: Final = 0.55


def left_over(reading: Reading) -> list[str]:
    """Return the words that say something and were not accounted for.

    Verbs that only join what is linked are passed over, and noted; numbers, quotations, names and
    nouns are not.
    """
    found: list[str] = []
    for at, token in enumerate(reading.tokens):
        if at in reading.used:
            continue
        stated = token.kind in {"number", "quote"} or _operates(reading, at)
        if (reading.low(at), reading.low(at + 1)) in _COMPARING:
            found.append(f"{token.text} {reading.tokens[at + 1].text}")
            continue
        stated = stated or (reading.low(at - 1) == "whose" and reading.mention_at(at) is not None)
        if stated or (says(token) and not asks(token.low) and _needed(reading, at)):
            found.append(token.text)
    return found


def _operates(reading: Reading, at: int) -> bool:
    """Tell whether a word asks for something to be computed or chosen, and nothing does so."""
    token = reading.tokens[at]
    if token.kind != "word" or any(each.start <= at < each.end for each in reading.mentions):
        return False
    chosen = superlative_at(reading.tokens, at) is not None and reading.low(at - 1) != "at"
    degree = token.low in DEGREES and at > 0 and reading.low(at - 1) != "how"
    return token.low in _OPERATIONS or chosen or degree


def _needed(reading: Reading, at: int) -> bool:
    """Tell whether a word that is left over restricts what is asked."""
    token = reading.tokens[at]
    if token.capital and at:
        return True
    if _verb(reading, at) and not _attributive(reading, at):
        joins = any(step in reading.used for step in range(at + 1, at + 5))
        joins = joins and not _object(reading, at)
        joins = joins or _of_measure(reading, at) or _helped(reading, at)
        if joins:
            reading.notes.append(f"“{token.text}” is taken as how they are linked")
        return not joins
    mention = next((each for each in reading.mentions if each.start <= at < each.end), None)
    if mention is not None and mention.strength < _SURE and token.low.endswith("ly"):
        return False
    return not token.low.endswith("ly")


def _object(reading: Reading, at: int) -> bool:
    """Tell whether a gerund is what a verb before it is about: `allow subletting in Leeds`."""
    gerund = reading.low(at).endswith("ing") and at > 0 and at - 1 not in reading.used
    return gerund and says(reading.tokens[at - 1]) and _verb(reading, at - 1)


def _attributive(reading: Reading, at: int) -> bool:
    """Tell whether a participle describes the noun behind it: `uninsured patients`."""
    before = reading.low(at - 1)
    inside = any(each.start < at <= each.end for each in reading.mentions)
    inside = inside or any(each.start < at <= each.end for each in reading.values)
    opens = before in _OPENING or (at - 1 in reading.used and not inside)
    return opens and reading.mention_at(at + 1) is not None and before not in AUXILIARIES


def _of_measure(reading: Reading, at: int) -> bool:
    """Tell whether a participle stands right behind a column's name: `the hours worked`."""
    before = next((each for each in reading.mentions if each.end == at), None)
    return before is not None and bool(before.columns) and before.targets[0].attribute is not None


def _helped(reading: Reading, at: int) -> bool:
    """Tell whether `do` stands before the subject of a verb: `did Ann borrow`."""
    helps = any(reading.low(step) in {"do", "does", "did"} for step in range(max(0, at - 5), at))
    follows = at + 1 < len(reading.tokens) and reading.tokens[at + 1].capital
    return helps and at - 1 in reading.used and not follows


def _verb(reading: Reading, at: int) -> bool:
    """Tell whether a word is used as a verb: by its ending, or a plural subject before it."""
    low = reading.low(at)
    if verbal(low):
        return True
    if singular(low) != low or at == 0:
        return False
    subject = at - 1 in reading.used and reading.low(at - 1) != singular(reading.low(at - 1))
    after = reading.low(at + 1)
    negated = reading.low(at - 1) in {"not", "to", "who", "that"}
    return negated or _helped(reading, at) or (subject and after not in {"of", "?", ""})
