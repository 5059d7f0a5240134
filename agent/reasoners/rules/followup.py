"""Questions that lean on the one before: `and which of those are final?`, `how about 2015?`."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from agent.conversation import Turn
from agent.corpus import CorpusView
from agent.logic import parse_logic
from agent.question import AllOf, Condition, Interpretation, Node, Predicate
from agent.reasoners.rules.draft import all_of, expression, numbered, said
from agent.replies import InterpretReply

__all__ = ("continued", "restated_as", "without_opener")

Read = Callable[[str, CorpusView], InterpretReply]

_INSTEAD: Final = re.compile(
    r"^(?:and\s+)?(?:what|how)\s+about\s+|^(?:and\s+)?what\s+of\s+", re.IGNORECASE
)
_THOSE: Final = re.compile(
    r"\b(?:of|among|from)\s+(?:those|these|them)\b|\b(?:those|these)\s+(?:ones|results)\b",
    re.IGNORECASE,
)
_AND: Final = re.compile(
    r"^and\s+(?:only\s+)?(?=in\b|from\b|by\b|with|without|the\b|\d)", re.IGNORECASE
)


_FRAGMENT: Final = re.compile(
    r"^(?:and|(?:and\s+)?(?:what|how)\s+about|(?:and\s+)?what\s+of)\s+"
    r"(?:(?P<word>of|for|in|by|from|with|to|on|at|under|about)\s+)?"
    r"(?P<new>[^\s?,]+(?: [^\s?,]+){0,3})\s*\?*$",
    re.IGNORECASE,
)
_NAME: Final = r"(?:the\s+)?(?:[A-Z][\w.'-]*|\d[\w.'-]*)(?:\s+(?:[A-Z][\w.'-]*|\d[\w.'-]*))*"


def continued(
    question: str, conversation: Sequence[Turn], corpus: CorpusView, read: Read
) -> InterpretReply | None:
    """Read a follow-up with the conditions of the last question; None if it stands alone."""
    last = next(
        (turn.interpretation for turn in reversed(conversation) if turn.interpretation), None
    )
    if last is None:
        return None
    bare = question.strip()
    whole = _substituted(bare, conversation)
    if whole is not None:
        reply = read(whole, corpus)
        told = f"Asked after “{last.text}”, and read as “{whole}”"
        return reply.model_copy(update={"assumptions": [*reply.assumptions, told]})
    if _INSTEAD.match(bare) or _AND.match(bare):
        rest = _INSTEAD.sub("", _AND.sub("", bare))
        reply = read(f"How many {_plural(last.entity_type)} {_clause(rest)}", corpus)
        node = _replaced(last.conditions, _node(reply))
        return _based_on(last, reply, node, operation=False)
    if _THOSE.search(bare):
        of_last = f"{_plural(last.entity_type)}"
        reply = read(
            _THOSE.sub("", bare, count=1) if _has_noun(bare) else _THOSE.sub(of_last, bare), corpus
        )
        return _based_on(last, reply, all_of([last.conditions, _node(reply)]), operation=True)
    return None


def without_opener(question: str) -> str:
    """Return a question without the words that tie it to the one before.

    >>> without_opener("how about 2014?")
    '2014?'
    """
    return _INSTEAD.sub("", question.strip())


def _substituted(fragment: str, conversation: Sequence[Turn]) -> str | None:
    """Put a fragment's name or number in the place of the last one of its kind, if there is one.

    `and of Florida?` after `How many contracts are governed by the law of Texas?` asks for the law
    of Florida. A fragment that leans on another one leans on the whole question before both.
    """
    match = _FRAGMENT.match(fragment)
    wholes = [turn.question for turn in conversation if not _FRAGMENT.match(turn.question.strip())]
    if match is None or not wholes or not re.fullmatch(_NAME, match["new"]):
        return None
    before = rf"\b{match['word']}\s+" if match["word"] else r"(?<=\s)"
    numeric = match["new"][0].isdigit()
    places = [
        found
        for found in re.finditer(rf"(?:{before})(?P<old>{_NAME})", wholes[-1])
        if found["old"][0].isdigit() == numeric
    ]
    if not places:
        return None
    start, end = places[-1].span("old")
    return f"{wholes[-1][:start]}{match['new']}{wholes[-1][end:]}"


def _has_noun(question: str) -> bool:
    return re.match(r"(?:and\s+)?(?:which|how many|what)\s+of\b", question, re.IGNORECASE) is None


def _plural(noun: str) -> str:
    return noun if noun.endswith("s") else f"{noun}s"


def _clause(rest: str) -> str:
    return f"in {rest}" if re.match(r"\d{4}\b", rest) else rest


def _node(reply: InterpretReply) -> Node | None:
    """Return the tree of a reply's conditions."""
    atoms = {
        atom.id: Condition(
            id=atom.id,
            text=atom.text,
            counts=tuple(atom.counts),
            excludes=tuple(atom.excludes),
            terms=tuple(atom.terms),
            predicate=Predicate(
                field=atom.field,
                comparison=atom.comparison or "exists",
                values=tuple(atom.values),
                of=atom.of,
            )
            if atom.field
            else None,
        )
        for atom in reply.conditions
    }
    return parse_logic(reply.logic, atoms)


def _replaced(old: Node | None, new: Node | None) -> Node | None:
    """Put new tests of a field in the place of the old ones; keep the rest."""
    if new is None or old is None:
        return new or old
    fields = {
        each.predicate.field
        for each in _parts(new)
        if isinstance(each, Condition) and each.predicate
    }
    kept = [
        part
        for part in _parts(old)
        if not (isinstance(part, Condition) and part.predicate and part.predicate.field in fields)
    ]
    if len(kept) == len(_parts(old)) and not fields:
        kept = [part for part in kept if not (isinstance(part, Condition) and part.terms)]
    return all_of([*kept, new])


def _parts(node: Node) -> tuple[Node, ...]:
    return node.parts if isinstance(node, AllOf) else (node,)


def _based_on(
    last: Interpretation, reply: InterpretReply, node: Node | None, *, operation: bool
) -> InterpretReply:
    return restated_as(
        reply.model_copy(
            update={
                "entity_type": last.entity_type,
                "grain": last.grain,
                "entity_field": last.entity_field,
                "operation": reply.operation if operation else last.operation,
                "assumptions": [*reply.assumptions, f"Asked after “{last.text}”."],
            }
        ),
        node,
    )


def restated_as(reply: InterpretReply, node: Node | None) -> InterpretReply:
    """Return the reply with other conditions."""
    conditions, logic = expression(numbered(node))
    where = f" for which this holds: {said(node)}" if node is not None else ""
    asked = reply.restated.split(" for which ")[0].rstrip(".")
    return reply.model_copy(
        update={"conditions": conditions, "logic": logic, "restated": f"{asked}{where}."}
    )
