"""What a clause holds once its edges are dropped: words that say something, verbs of mentioning."""

import re
from collections.abc import Sequence
from typing import Final

from agent.reasoners.rules.language.words import FUNCTION_WORDS, RELATIVES, Token, stem
from agent.reasoners.rules.reading.mentions import mention_at
from agent.reasoners.rules.reading.scene import Scene

__all__ = ("has_content", "has_mention", "trimmed")

_ADJUNCT: Final = re.compile(
    r"[\s,]*(?:according to (?:the|its|their)\s+\w+|"
    r"in (?:the|its|their)(?: own)? (?:headers?|metadata|front matter|body|text)|"
    r"in (?:the|this|our|your) (?:database|corpus|collection|dataset|records?|knowledge base)|"
    r"at least once|anywhere|by name|in total|altogether|overall|\(or both\)|\(or all\)|or both|"
    r"spelling variants merged|each spelling by itself)\s*$",
    re.IGNORECASE,
)


def trimmed(tokens: Sequence[Token], scene: Scene) -> list[Token]:
    """Drop what stands at the edges and restricts nothing."""
    kept = list(tokens)
    while kept:
        found = _ADJUNCT.search(scene.words(kept))
        if found is None or not found.group().strip(" ,"):
            break
        edge = kept[0].start + found.start()
        kept = [token for token in kept if token.start < edge]
    while kept and kept[-1].low in {",", ".", "?", "!", ";", ":", "there", "and", "or", "both"}:
        kept.pop()
    while kept and (kept[0].low in {",", ";", ":", "and", "they", "it", "there"}):
        kept.pop(0)
    if kept and kept[0].low in RELATIVES - {"whose", "where", "when"}:
        kept = kept[1:]
    return kept


def has_content(tokens: Sequence[Token]) -> bool:
    """Tell whether any word is left that restricts the entity."""
    return any(
        token.kind in {"quote", "number"}
        or (token.kind == "word" and (token.low not in FUNCTION_WORDS or token.low == "no"))
        for token in tokens
    )


def has_mention(tokens: Sequence[Token]) -> bool:
    """Tell whether a verb of mentioning stands among the words."""
    return any(
        mention_at(tokens, at) is not None and stem(tokens[at].low) != "name"
        for at in range(len(tokens))
    )
