"""Alternatives that a question writes out, each with words of its own: read apart, then joined."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from agent.corpus import CorpusView
from agent.question import AnyOf, Node, Not
from agent.reading import interpretation_from
from agent.reasoners.rules.reading.draft import all_of, any_of, expression, negated, numbered, said
from agent.reasoners.rules.reading.frames import read_frame
from agent.reasoners.rules.reading.labels import Labels
from agent.reasoners.rules.reading.scene import Scene
from agent.replies import InterpretReply

__all__ = ("WAYS", "How", "Parts", "Read", "composed", "written_out")

How = Literal["any", "all", "none", "not all"]
Read = Callable[[str, CorpusView], InterpretReply]
"""Reads a question that stands alone."""

_CONDITIONS: Final = re.compile(
    r"^(?P<head>.+?),?\s+(?:that |which )?(?:meet|satisfy|fulfil)s?\s+"
    r"(?P<how>at least one|one or more|one|either|any|all|each|both|none|not all)"
    r" of (?:these|the following)(?: \w+)? ?(?:conditions)?:\s*(?P<list>.+)$",
    re.IGNORECASE,
)
WAYS: Final[dict[str, How]] = {
    "at least one": "any", "one or more": "any", "one": "any", "either": "any", "any": "any",
    "all": "all", "each": "all", "both": "all", "none": "none", "not all": "not all",
}  # fmt: skip


_OF_ANY: Final = re.compile(r"\s+of (?:any|whatever) \w+$", re.IGNORECASE)
"""Says of one alternative that the other's restriction is not its own: `of any date`."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A question without its alternatives, and these."""

    head: str
    clauses: tuple[str, ...]
    how: How


def written_out(text: str, corpus: CorpusView, read: Read) -> InterpretReply | None:
    """Read `meet one of these conditions: …; …` and `are A schools or B schools`; else None."""
    bare = text.rstrip("?. ")
    parts = _conditions(bare) or _kinds(bare, corpus)
    return None if parts is None else composed(parts, corpus, read)


def _conditions(text: str) -> Parts | None:
    """Read `meet at least one of these conditions: they …; they …`."""
    found = _CONDITIONS.match(text)
    if found is None:
        return None
    clauses = [re.sub(r"^they\s+", "", each.strip()) for each in found["list"].split(";")]
    return Parts(found["head"], tuple(clauses), WAYS[found["how"].casefold()])


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
    if found is None:
        return None
    ways = (_OF_ANY.sub("", found[name]) for name in ("one", "other"))
    return Parts(found["head"], tuple(f"+{way}" for way in ways), "any")


def composed(parts: Parts, corpus: CorpusView, read: Read) -> InterpretReply:
    """Read the head and each alternative, and join their conditions."""
    scene = Scene(parts.head, corpus, Labels.of(corpus))
    noun = read_frame(parts.head, scene).noun.head
    named = noun.text if noun is not None else "documents"
    whole = read(_ended(parts.head), corpus)
    nodes = [_node(read(_asked(each, named), corpus), corpus) for each in parts.clauses]
    ways: dict[How, Node | None] = {
        "any": any_of(nodes),
        "all": all_of(nodes),
        "none": _denied(any_of(nodes)),
        "not all": any_of([_denied(node) for node in nodes]),
    }
    node = numbered(all_of([_node(whole, corpus), ways[parts.how]]))
    conditions, logic = expression(node)
    where = f" for which this holds: {said(node)}" if node is not None else ""
    restated = whole.restated.partition(" for which this holds:")[0].rstrip(".")
    return whole.model_copy(
        update={"conditions": conditions, "logic": logic, "restated": f"{restated}{where}."}
    )


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
