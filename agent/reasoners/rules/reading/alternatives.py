"""Alternatives that a question writes out, each with words of its own: read apart, then joined."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, Literal

from agent.corpus_view import CorpusView
from agent.errors import QuestionError
from agent.interpretation import interpretation_from
from agent.question import AnyOf, Node, Not
from agent.reasoners.rules.language.words import NUMBER_WORDS
from agent.reasoners.rules.reading.draft import all_of, any_of, expression, negated, numbered, said
from agent.reasoners.rules.reading.frames import read_frame
from agent.reasoners.rules.reading.labels import Labels
from agent.reasoners.rules.reading.scene import Scene
from agent.replies import InterpretReply

__all__ = ("WAYS", "How", "Parts", "Read", "Some", "composed", "written_out")

How = Literal["any", "all", "none", "not all"]
Read = Callable[[str, CorpusView], InterpretReply]
"""Reads a question that stands alone."""

_NUMBER: Final = "one|two|three|four|five|six|[1-9]"
_HOW: Final = (
    rf"at least (?:{_NUMBER})|(?:{_NUMBER}) or more|at most (?:{_NUMBER})|"
    rf"(?:exactly|only|just) (?:{_NUMBER})|any|either|one|all|each|every one|both|none|neither|"
    "not all"
)
_CONDITIONS: Final = re.compile(
    r"^(?P<head>.+?),?\s+(?:that |which )?(?:meet|satisfy|fulfil)s?\s+"
    rf"(?:(?P<how>{_HOW}) (?:of )?)?(?:these|the following)(?: \w+)? ?"
    r"(?:conditions|criteria)?:\s*(?P<list>.+)$",
    re.IGNORECASE,
)
_UNREADABLE: Final = re.compile(
    r"\b(?:meet|satisfy|fulfil)s?\b[^:]*\b(?:conditions|criteria|these|following)\b[^:]*:",
    re.IGNORECASE,
)
_LAST_OR: Final = re.compile(r"[;,]\s*or\s+(?=[^;]*$)", re.IGNORECASE)
"""Before the last of the conditions: one of them is enough where nothing else says how many."""
_DENYING: Final = re.compile(r"\b(?:not|never|cannot|fails? to)$|n['’]t$", re.IGNORECASE)
_CLAUSE: Final = re.compile(
    r"\s*;\s*(?:and |or )?|,\s*(?:and |or )?(?=(?:they|it)\b)", re.IGNORECASE
)


WAYS: Final[dict[str, How]] = {
    "at least one": "any", "one or more": "any", "one": "any", "either": "any", "any": "any",
    "all": "all", "each": "all", "every one": "all", "both": "all",
    "none": "none", "neither": "none", "not all": "not all",
}  # fmt: skip
_DENIED_WAYS: Final[dict[str, How]] = {
    "any": "none", "either": "none", "all": "not all", "both": "not all", "each": "not all",
    "every one": "not all",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Some:
    """So many of the alternatives, and no more than so many."""

    least: int
    most: int | None


_HOW_MANY: Final = (
    "it is not clear how many of these conditions are to hold: ask for what meets `all of`, "
    "`any of`, `none of` or `exactly one of these conditions: …; …`"
)
_EITHER: Final = re.compile(
    r"^(?P<head>.+?)\s+(?P<verb>are|were|is|was) (?P<lead>either |neither |not )?"
    r"(?P<one>[^,;:]+?)(?P<comma>,?) (?:or|nor) "
    r"(?!later|earlier|more|less|fewer|above|below|newer|older)(?P<other>.+)$",
    re.IGNORECASE,
)
_OF_ANY: Final = re.compile(r"\s+of (?:any|whatever) \w+$", re.IGNORECASE)
"""Says of one alternative that the other's restriction is not its own: `of any date`."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A question without its alternatives, and these."""

    head: str
    clauses: tuple[str, ...]
    how: How | Some


def written_out(text: str, corpus: CorpusView, read: Read) -> InterpretReply | None:
    """Read `meet one of these conditions: …; …` and `are A schools or B schools`; else None.

    Raises:
        QuestionError: it is not clear how many of the alternatives are to hold.
    """
    bare = text.rstrip("?. ")
    parts = _conditions(bare) or _kinds(bare, corpus) or _either(bare)
    return None if parts is None else composed(parts, corpus, read)


def _conditions(text: str) -> Parts | None:
    """Read `meet at least one of these conditions: they …; they …`."""
    found = _CONDITIONS.match(text)
    if found is None:
        if _UNREADABLE.search(text):
            raise QuestionError(_HOW_MANY)
        return None
    clauses = [
        re.sub(r"^(?:they|it)\s+", "", each.strip()) for each in _CLAUSE.split(found["list"])
    ]
    head, way = found["head"], _way(found)
    if (denying := _DENYING.search(head)) is not None:
        if way not in _DENIED_WAYS:
            raise QuestionError(_HOW_MANY)
        head = re.sub(r"\s+(?:do|does|did|can)?$", "", head[: denying.start()])
        return Parts(head, tuple(clauses), _DENIED_WAYS[way])
    return Parts(head, tuple(clauses), WAYS[way] if way in WAYS else _some(way))


def _way(found: re.Match[str]) -> str:
    """Return how many are to hold; conditions that are only listed are to hold all.

    Whoever denies such a list may mean that none holds or that one fails: that stays open.
    """
    if found["how"] is not None:
        return found["how"].casefold()
    if _DENYING.search(found["head"]) is not None:
        return "unsaid"
    return "any" if _LAST_OR.search(found["list"]) else "all"


def _some(way: str) -> Some:
    """Read `at least two`, `two or more`, `at most 2`, `exactly one`, `only one`."""
    word = next(each for each in way.split() if re.fullmatch(_NUMBER, each))
    number = NUMBER_WORDS[word] if word in NUMBER_WORDS else int(word)
    if way.startswith("at least") or way.endswith("or more"):
        return Some(number, None)
    return Some(0 if way.startswith("at most") else number, number)


def _kinds(text: str, corpus: CorpusView) -> Parts | None:
    """Read `are (either) closed day schools or boarding schools`: the noun is repeated."""
    scene = Scene(text, corpus, Labels.of(corpus))
    head = read_frame(text, scene).noun.head
    if head is None:
        return None
    noun = rf"[^;]*?\b{re.escape(head.text)}\b"
    found = re.match(
        rf"^(?P<head>.+?)\s+are (?:either )?(?P<one>{noun}[^;]*?),? or "
        rf"(?!later|earlier|more|less|fewer|above|below|newer|older)(?P<other>{noun}.*)$",
        text,
        re.IGNORECASE,
    )
    if found is None or re.match(r"(?:not|neither)\b", found["one"]):
        return None
    ways = (_OF_ANY.sub("", found[name]) for name in ("one", "other"))
    return Parts(found["head"], tuple(f"+{way}" for way in ways), "any")


def _either(text: str) -> Parts | None:
    """Read `are diesel tugs, or electric barges of any date`: two descriptions of several words."""
    found = _EITHER.match(text)
    if found is None or re.search(r"\b(?:or|nor|and|that|which|who|but)\b", found["one"]):
        return None
    one, other = found["one"].rstrip(", "), _OF_ANY.sub("", found["other"])
    lead = (found["lead"] or "").casefold().strip()
    parted = lead or found["comma"] or other != found["other"]
    if not parted or min(len(one.split()), len(other.split())) < 2:
        return None
    if re.search(r"\b(?:or|nor|and|that|which|who|but)\b|,", other):
        return None
    how: How = "none" if lead in {"not", "neither"} else "any"
    verb = found["verb"]
    return Parts(found["head"], (f"{verb} {one}", f"{verb} {other}"), how)


def composed(parts: Parts, corpus: CorpusView, read: Read) -> InterpretReply:
    """Read the head and each alternative, and join their conditions."""
    scene = Scene(parts.head, corpus, Labels.of(corpus))
    noun = read_frame(parts.head, scene).noun.head
    named = noun.text if noun is not None else "documents"
    whole = read(_ended(parts.head), corpus)
    nodes = [_node(read(_asked(each, named), corpus), corpus) for each in parts.clauses]
    node = numbered(all_of([_node(whole, corpus), _joined(nodes, parts.how)]))
    conditions, logic = expression(node)
    where = f" for which this holds: {said(node)}" if node is not None else ""
    restated = whole.restated.partition(" for which this holds:")[0].rstrip(".")
    return whole.model_copy(
        update={"conditions": conditions, "logic": logic, "restated": f"{restated}{where}."}
    )


def _joined(nodes: Sequence[Node | None], how: How | Some) -> Node | None:
    """Join alternatives by how many of them are to hold."""
    match how:
        case "any":
            return any_of(nodes)
        case "all":
            return all_of(nodes)
        case "none":
            return _denied(any_of(nodes))
        case "not all":
            return any_of([_denied(node) for node in nodes])
        case Some(least, most):
            if max(least, most or 0) > len(nodes):
                raise QuestionError(
                    f"{max(least, most or 0)} of {len(nodes)} conditions cannot hold"
                )
            above = None if most in {None, len(nodes)} else _at_least(nodes, (most or 0) + 1)
            return all_of([_at_least(nodes, least), _denied(above)])


def _at_least(nodes: Sequence[Node | None], number: int) -> Node | None:
    """Return that so many hold, whichever; None where that says nothing."""
    if not number:
        return None
    return any_of([all_of(some) for some in combinations(nodes, number)])


def _ended(head: str) -> str:
    return (
        f"{head} are there?"
        if re.match(r"\s*(?:in )?how many\b", head, re.IGNORECASE)
        else f"{head}?"
    )


def _asked(clause: str, noun: str) -> str:
    if clause.startswith("+"):
        return f"How many {clause[1:]} are there?"
    return f"How many {noun} {clause}?"


def _node(reply: InterpretReply, corpus: CorpusView) -> Node | None:
    names = [field.name for field in corpus.fields]
    return interpretation_from(reply, names).conditions


def _denied(node: Node | None) -> Node | None:
    if isinstance(node, AnyOf):
        return Not(part=node)
    return negated(node) if node is not None else None
