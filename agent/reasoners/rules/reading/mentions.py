"""Conditions of mention: which names or words a text must use, in all spellings that count."""

from collections.abc import Sequence
from typing import Final

from agent.errors import QuestionError
from agent.question import Condition, Node
from agent.reasoners.rules.language.words import (
    AUXILIARIES,
    CONJUNCTIONS,
    DETERMINERS,
    NUMBER_WORDS,
    PREPOSITIONS,
    RELATIVES,
    Token,
    stretch,
)
from agent.reasoners.rules.reading.aliases import Gloss, read_gloss
from agent.reasoners.rules.reading.draft import all_of, any_of, negated

__all__ = ("mention_at", "mentioned", "read_mention")

_VERBS: Final = frozenset(
    form
    for verb in ("mention", "cit", "referenc", "discuss", "nam", "quot", "invok")
    for form in (verb, f"{verb}e", f"{verb}s", f"{verb}es", f"{verb}ed", f"{verb}ing")
)
_PHRASES: Final = tuple(
    tuple(phrase.split())
    for verbs, tails in (
        ("refer refers referred referring allude alludes", ("to",)),
        ("talk talks talked speak speaks spoke", ("about", "of")),
        ("make makes made", ("reference to", "mention of", "references to")),
        (
            "use uses used contain contains contained include includes have has",
            tuple(f"the {noun}" for noun in ("word", "words", "phrase", "term", "string", "name",
                                              "expression", "words")),
        ),
    )
    for phrase in (f"{verb} {tail}" for verb in verbs.split() for tail in tails)
)  # fmt: skip
_ONLY: Final = frozenset({"only", "just", "solely", "exclusively"})
_WORDS: Final = frozenset({"word", "phrase", "term", "string", "expression"})
_LONGEST: Final = 8
"""A longer object is a statement, not a name."""
_NOT_NAMES: Final = (RELATIVES - {"that"}) | {"that", "how", "whether", "why", "if", "because"}


def mention_at(tokens: Sequence[Token], at: int) -> int | None:
    """Return where the object begins if a verb of mentioning stands at the token `at`."""
    if tokens[at].kind != "word":
        return None
    for phrase in _PHRASES:
        words = tuple(token.low for token in tokens[at : at + len(phrase)])
        if words == phrase:
            return at + len(phrase)
    return at + 1 if tokens[at].low in _VERBS else None


def read_mention(text: str, tokens: Sequence[Token]) -> Node | None:
    """Read a clause that begins with a verb of mentioning; None if its object is no name."""
    start = mention_at(tokens, 0) if tokens else None
    return None if start is None else mentioned(text, tokens[start:])


def mentioned(text: str, tokens: Sequence[Token]) -> Node | None:
    """Turn the object of a verb of mentioning into conditions; None if it is no list of names.

    Raises:
        QuestionError: how often something is mentioned matters, or that nothing else is.
    """
    tokens = list(tokens)
    _check_how_often(tokens)
    lead = tokens[0].low if tokens else ""
    if lead in {"both", "either", "neither"}:
        tokens = tokens[1:]
    if not tokens or any(_no_name(token) for token in tokens):
        return None
    for position, token in enumerate(tokens[:-1]):
        if token.low == "but" and tokens[position + 1].low == "not":
            with_it = mentioned(text, tokens[:position])
            without = mentioned(text, tokens[position + 2 :])
            return all_of([with_it, negated(without)]) if with_it and without else None
    items, joint = _items(tokens)
    if any(not 0 < _size(item) <= _LONGEST for item in items):
        return None
    shared, rest = _shared(text, items) if joint == "or" else (None, items)
    nodes: list[Node | None] = [*(_named(text, item) for item in rest), shared]
    joined = all_of(nodes) if joint == "and" else any_of(nodes)
    return negated(joined) if lead == "neither" and joined is not None else joined


def _check_how_often(tokens: Sequence[Token]) -> None:
    words = [token.text for token in tokens]
    first, last, before = (words[:1] or [""])[0], (words[-1:] or [""])[0], tokens[-2:-1]
    counted = any(token.kind == "number" or token.text in NUMBER_WORDS for token in before)
    often = last in {"twice", "thrice"} or (last == "times" and counted)
    said = first if first in _ONLY else last if often else ""
    if said:
        raise QuestionError(
            f"“{said}” says how often something is mentioned, or that nothing else is, which is "
            "not searched for: ask for what mentions it"
        )


def _no_name(token: Token) -> bool:
    return token.kind == "word" and (token.low in _NOT_NAMES or token.low in AUXILIARIES)


def _size(item: Sequence[Token]) -> int:
    return sum(token.kind in {"word", "number", "quote"} for token in item)


def _items(tokens: Sequence[Token]) -> tuple[list[list[Token]], str]:
    """Split at the joints; the last joint's word rules the commas before it."""
    items: list[list[Token]] = [[]]
    joint = "or"
    for token in tokens:
        if token.low in CONJUNCTIONS or token.low in {",", "as"} or token.text == "&":
            joint = "and" if token.low in {"and", "&"} else "or" if token.low != "," else joint
            if items[-1]:
                items.append([])
        elif token.low not in {"well", "both", "either"}:
            items[-1].append(token)
    return [item for item in items if item], joint


def _shared(
    text: str, items: Sequence[list[Token]]
) -> tuple[Condition | None, Sequence[list[Token]]]:
    """Join the last items where they share a head; return it and the items before."""
    first = len(items) - 1
    while first > 0 and len(items[first - 1]) == 1 and items[first - 1][0].capital:
        first -= 1
    joined = _shared_head(text, items[first:])
    return (joined, items[:first]) if joined is not None else (None, items)


def _shared_head(text: str, items: Sequence[Sequence[Token]]) -> Condition | None:
    """Read `GPG or PGP signatures`: names that share the common noun behind the last."""
    last = [token for token in items[-1] if token.kind == "word"]
    names = [token for token in last if token.capital]
    tail = last[len(names) :]
    plain = tail and names == last[: len(names)] and not any(token.capital for token in tail)
    alone = all(len(item) == 1 and item[0].capital for item in items[:-1])
    if len(items) < 2 or not names or not plain or not alone:
        return None
    terms = (*(item[0].text for item in items[:-1]), stretch(text, names))
    whole = [*items[0], *items[-1]]
    return Condition(id="", text=f"mentions {stretch(text, whole)}", terms=terms)


def _named(text: str, item: Sequence[Token]) -> Condition | None:
    words = _without_kind([token for token in item if token.kind != "paren"])
    glosses = [token.inner for token in item if token.kind == "paren"]
    if not words:
        return None
    name, description = _head(text, words)
    read = [read_gloss(inner, name) for inner in glosses]
    return Condition(
        id="",
        text=f"mentions {stretch(text, item)}",
        terms=tuple(dict.fromkeys([name, *_every(read, "aliases")])),
        counts=(*description, *_every(read, "counts")),
        excludes=tuple(_every(read, "excludes")),
    )


def _without_kind(words: Sequence[Token]) -> Sequence[Token]:
    """Drop the article, and what only says that a word is meant: `the word dog`."""
    for start, token in enumerate(words):
        if token.low not in DETERMINERS:
            said = token.low in _WORDS and start + 1 < len(words)
            follows = said and words[start + 1].low not in PREPOSITIONS
            return words[start + 1 :] if follows else words[start:]
    return ()


def _every(glosses: Sequence[Gloss], part: str) -> list[str]:
    return [each for gloss in glosses for each in getattr(gloss, part)]


def _head(text: str, words: Sequence[Token]) -> tuple[str, list[str]]:
    """Tell the name from a description before it: `the packaging tool Hatch`."""
    quoted = [token for token in words if token.kind == "quote"]
    if quoted:
        return quoted[0].inner, []
    first = next((index for index, token in enumerate(words) if token.capital), 0)
    before = words[:first]
    if before and all(token.text.islower() and token.low not in PREPOSITIONS for token in before):
        joined = (
            words[first - 1].end == words[first].start - 1
            and "-" in text[words[first - 1].end : words[first].start]
        )
        if not joined:
            return stretch(text, words[first:]), [stretch(text, before)]
    return stretch(text, words), []
