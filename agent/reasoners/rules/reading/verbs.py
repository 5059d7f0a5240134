"""Finite verbs: where one may stand, and where the main clause's begins."""

from collections.abc import Sequence

from agent.reasoners.rules.language.words import (
    AUXILIARIES,
    DETERMINERS,
    FUNCTION_WORDS,
    NUMBER_WORDS,
    PRONOUNS,
    Token,
)
from agent.reasoners.rules.reading.mentions import mention_at
from agent.reasoners.rules.reading.scene import Scene

__all__ = ("main_verb", "verb_like")


def verb_like(tokens: Sequence[Token], at: int, scene: Scene, *, strict: bool = True) -> bool:
    """Tell whether a finite verb of a plural subject may stand at the token `at`."""
    if at >= len(tokens) or tokens[at].kind != "word" or tokens[at].capital:
        return False
    word = tokens[at].low
    if word in AUXILIARIES or mention_at(tokens, at) is not None:
        return True
    if word in FUNCTION_WORDS or word.endswith(("s", "ed", "ing", "ly")):
        return False
    follower = tokens[at + 1] if at + 1 < len(tokens) else None
    if follower is None or follower.low in {"of", ",", "and", "or"}:
        return False
    opens = (
        follower.low in DETERMINERS | PRONOUNS
        or follower.low in NUMBER_WORDS
        or follower.kind in {"number", "quote"}
        or follower.capital
    )
    return opens or (not strict and _conjugated(word, scene))


def _conjugated(word: str, scene: Scene) -> bool:
    forms = scene.corpus.lexicon.inflections(word)
    return any(form.endswith(("ing", "ed")) for form in forms) or not forms


def main_verb(tokens: Sequence[Token]) -> int | None:
    """Return where the main clause begins behind a relative one: the last auxiliary's run."""
    for at in range(len(tokens) - 2, 1, -1):
        before = tokens[at - 1]
        opens = tokens[at].low in AUXILIARIES and before.low not in AUXILIARIES
        if opens and not before.function:
            return at
    return None
