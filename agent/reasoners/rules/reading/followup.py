"""Questions that lean on the one before: `and which of those are final?`, `how about 2015?`."""

import re
from collections.abc import Callable, Collection, Sequence
from typing import Any, Final

from agent.ambiguity import Turn
from agent.corpus_view import CorpusView
from agent.interpretation import parse_logic
from agent.question import AllOf, Condition, Interpretation, Node, Predicate
from agent.reasoners.rules.language.words import AUXILIARIES, tokenize
from agent.reasoners.rules.reading.document_quotas import quota_told
from agent.reasoners.rules.reading.draft import all_of, expression, numbered
from agent.reasoners.rules.reading.fragments import made_whole
from agent.reasoners.rules.reading.openers import read_opener
from agent.replies import InterpretReply, MeasureReply, QuotaReply

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
    r"^(?:(?:and|but|or)\s+)(?:only\s+|just\s+)?(?:those\s+)?|^(?:only|just)\s+(?:those\s+)?",
    re.IGNORECASE,
)
_WHICH: Final = re.compile(
    r"^(?:and\s+)?(?:(?:which|what)(?:\s+(?:ones|of\s+them))?|(?:which|what|who)\s+(?:are|were)\s+"
    r"(?:they|these|those)|(?:list|show|name)(?:\s+me)?\s+(?:them|these|those)(?:\s+all)?)\s*[?.!]*$",
    re.IGNORECASE,
)
"""Asks for the items behind a number."""

_ASKING: Final = AUXILIARIES | {"why", "when", "where", "how", "which", "what", "who", "whose"}


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
    if _WHICH.match(bare):
        return _listed(last)
    if _leans(bare):
        moved = _moved(bare, last, corpus, read)
        return moved or _said_anew(bare, conversation, last, corpus, read)
    return _among(bare, last, corpus, read) if _THOSE.search(bare) else None


def _said_anew(
    fragment: str,
    conversation: Sequence[Turn],
    last: Interpretation,
    corpus: CorpusView,
    read: Read,
) -> InterpretReply:
    """Read a piece as the whole question with another name in it, else as one more condition."""
    whole = made_whole(fragment, conversation, last)
    if whole is None:
        return _instead(fragment, last, corpus, read)
    reply = read(whole, corpus)
    told = f"Asked after “{last.text}”, and read as “{whole}”"
    return reply.model_copy(update={"assumptions": [*reply.assumptions, told]})


def _among(question: str, last: Interpretation, corpus: CorpusView, read: Read) -> InterpretReply:
    """Read `which of those …`: the conditions of the last question and these."""
    of_last = "" if _has_noun(question) else _plural(last.entity_type)
    reply = read(_THOSE.sub(of_last, question, count=1 if not of_last else 0), corpus)
    return _based_on(last, reply, all_of([last.conditions, _node(reply)]), operation=True)


def _leans(question: str) -> bool:
    """Tell whether a question is but a piece of one: `and over 60?`, `what about Surgery?`."""
    rest = _rest(question)
    if rest == question:
        return False
    words = tokenize(rest)
    opener = read_opener(words)
    return bool(words) and words[0].low not in _ASKING and (opener is None or opener.measured)


def _rest(question: str) -> str:
    return _INSTEAD.sub("", _AND.sub("", question)).strip(" ?.!")


def _moved(
    question: str, last: Interpretation, corpus: CorpusView, read: Read
) -> InterpretReply | None:
    """Read a piece whose fields were all tested before, so that it says new values for them."""
    tested = _fields(last.conditions)
    reply = _instead(question, last, corpus, read)
    piece = _read_piece(_rest(question), last, corpus, read)
    new = [atom.field for atom in piece.conditions]
    return reply if new and set(new) <= tested else None


def _instead(question: str, last: Interpretation, corpus: CorpusView, read: Read) -> InterpretReply:
    """Put a piece in the place of what it is another value of; without one it is added."""
    rest = _rest(question)
    if read_opener(tokenize(rest)) is not None:
        reply = read(rest, corpus)
        return _based_on(last, reply, _replaced(last.conditions, _node(reply)), operation=True)
    reply = _read_piece(rest, last, corpus, read)
    return _based_on(last, reply, _replaced(last.conditions, _node(reply)), operation=False)


def _read_piece(rest: str, last: Interpretation, corpus: CorpusView, read: Read) -> InterpretReply:
    return read(f"How many {_plural(last.entity_type)} {_clause(rest)}", corpus)


def _listed(last: Interpretation) -> InterpretReply:
    """List what was counted or measured."""
    noun = last.entity_type
    conditions, logic = expression(last.conditions)
    told = quota_told(last.conditions, _limits(last))
    where = f" for which this holds: {told}" if told else ""
    return InterpretReply(
        restated=f"List every {noun}{where}.", entity_type=noun, grain=last.grain,
        entity_field=last.entity_field, conditions=conditions, logic=logic, operation="list",
        measure=None, group_by=None, k=None, ascending=False, quota=_limits(last),
        across=last.across, show=list(last.show), assumptions=[f"Asked after “{last.text}”."],
    )  # fmt: skip


def _limits(last: Interpretation) -> QuotaReply | None:
    """Return in how many documents an item had to be."""
    return QuotaReply(**last.quota.model_dump()) if last.quota else None


def _fields(node: Node | None) -> set[str | None]:
    return {
        each.predicate.field
        for each in (_parts(node) if node else ())
        if isinstance(each, Condition) and each.predicate
    }


def without_opener(question: str) -> str:
    """Return a question without the words that tie it to the one before.

    >>> without_opener("how about 2014?")
    '2014?'
    """
    return _INSTEAD.sub("", question.strip())


def _has_noun(question: str) -> bool:
    return re.match(r"(?:and\s+)?(?:which|how many|what)\s+of\b", question, re.IGNORECASE) is None


def _plural(noun: str) -> str:
    return noun if noun.endswith("s") else f"{noun}s"


def _clause(rest: str) -> str:
    """Put a bare name or year behind a preposition."""
    return f"in {rest}" if re.match(r"\d{4}\b|[A-Z]", rest) else rest


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
    fields = _fields(new)
    kept = [part for part in _parts(old) if not _tests(part, fields)]
    if len(kept) == len(_parts(old)) and not fields:
        kept = [part for part in kept if not (isinstance(part, Condition) and part.terms)]
    return all_of([*kept, new])


def _tests(node: Node, fields: Collection[str | None]) -> bool:
    tested = node.predicate if isinstance(node, Condition) else None
    return tested is not None and tested.field in fields


def _parts(node: Node) -> tuple[Node, ...]:
    return node.parts if isinstance(node, AllOf) else (node,)


def _based_on(
    last: Interpretation, reply: InterpretReply, node: Node | None, *, operation: bool
) -> InterpretReply:
    """Return a reading of what the last question was about, with its operation or a new one."""
    kept: dict[str, Any] = {
        "entity_type": last.entity_type,
        "grain": last.grain,
        "entity_field": last.entity_field,
        "assumptions": [*reply.assumptions, f"Asked after “{last.text}”."],
    }
    if not operation:
        measure = last.measure
        kept |= {
            "restated": last.text,
            "operation": last.operation,
            "measure": MeasureReply(**measure.model_dump()) if measure else None,
            "group_by": last.group_by,
            "k": last.k,
            "ascending": last.ascending,
            "quota": _limits(last),
            "show": list(last.show),
        }
    kept["across"] = (last.across or reply.across) and not kept.get("quota", reply.quota)
    return restated_as(reply.model_copy(update=kept), node)


def restated_as(reply: InterpretReply, node: Node | None) -> InterpretReply:
    """Return the reply with other conditions."""
    conditions, logic = expression(numbered(node))
    told = quota_told(node, reply.quota)
    where = f" for which this holds: {told}" if told else ""
    asked = reply.restated.split(" for which ")[0].rstrip(".")
    return reply.model_copy(
        update={"conditions": conditions, "logic": logic, "restated": f"{asked}{where}."}
    )
