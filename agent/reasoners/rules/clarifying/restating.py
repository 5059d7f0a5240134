"""A question put anew after a clarification: alternatives and denials written out, then read."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from agent.corpus import CorpusView
from agent.question import AnyOf, Node, Not
from agent.reading import interpretation_from
from agent.reasoners.rules.clarifying.entry_counts import entries, spellings
from agent.reasoners.rules.clarifying.plain_words import plainly
from agent.reasoners.rules.language.words import AUXILIARIES, RELATIVES, tokenize
from agent.reasoners.rules.reading.draft import all_of, any_of, expression, negated, numbered, said
from agent.reasoners.rules.reading.frames import read_frame
from agent.reasoners.rules.reading.interpret import read_question
from agent.reasoners.rules.reading.labels import Labels
from agent.reasoners.rules.reading.scene import Scene
from agent.replies import InterpretReply

__all__ = ("reread",)

How = Literal["any", "all", "none", "not all"]

_CONDITIONS: Final = re.compile(
    r"^(?P<head>.+?),?\s+(?:that |which )?(?:meet|satisfy|fulfil)s?\s+"
    r"(?P<how>at least one|any|all|each|both|none|not all) of (?:these|the following)"
    r"(?: \w+)? ?(?:conditions)?:\s*(?P<list>.+)$",
    re.IGNORECASE,
)
_NOT_BOTH: Final = re.compile(
    r"^(?P<head>.+?)\s+(?:that )?(?P<aux>do|does|did|have|has|had|are|is|were|was)"
    r"(?: not|n['’]t)(?P<verb>(?: [\w-]+)?) (?:both|all of)(?: these)?:? (?P<list>.+)$",
    re.IGNORECASE,
)
_ONE_OF: Final = re.compile(
    r"^(?P<head>.+?)\s+(?P<verb>lack|have|has|name|list|give) (?P<how>at least one|none|all|any) "
    r"of (?:the|these|those)(?: (?:two|three|four|five|six|\d+))?"
    r"(?: (?:headers|fields|things|items))?:? (?P<list>.+)$",
    re.IGNORECASE,
)
_EITHER: Final = re.compile(
    r"^(?P<head>.+?)\s+(?P<verb>are|were|is|was) either (?P<one>.+?),? or (?P<other>.+)$",
    re.IGNORECASE,
)
_AGAIN: Final = re.compile(
    r"^(?P<head>.+?)\s+(?P<verb>lack|have no|do not have|are not|are by|are in|are from|are)"
    r" (?P<one>.+?),? or (?P<again>lack|have no|do not have|are not|are by|by|in|from|are) "
    r"(?P<other>.+)$",
    re.IGNORECASE,
)
_MERGED: Final = re.compile(
    r",?\s+(?:remain |are there |left )?(?:if|when|with|counting|after)?\s*(?:the )?"
    r"(?:spelling |name |spelt )?(?:variants|spellings|names)[^?]*?\b(?:merged|as one|once|are one)"
    r"\b(?:\s*\([^()]*\))?",
    re.IGNORECASE,
)
_DENIED: Final = re.compile(r"\bnon-(?=\w)", re.IGNORECASE)
_LACKING: Final[dict[How, How]] = {
    "any": "not all", "all": "none", "none": "all", "not all": "not all",
}  # fmt: skip
"""What lacking in a way is, said of having."""
_WAYS: Final[dict[str, How]] = {
    "at least one": "any", "any": "any", "all": "all", "each": "all", "both": "all",
    "none": "none", "not all": "not all",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Parts:
    """A question without its alternatives, and these."""

    head: str
    clauses: tuple[str, ...]
    how: How


def reread(text: str, corpus: CorpusView) -> InterpretReply:
    """Read a whole question as a person or an option puts it to leave nothing open."""
    text = plainly(text)
    counted = entries(text, corpus) or spellings(text, corpus)
    if counted is not None:
        return counted
    merged = _MERGED.search(text)
    if merged is not None:
        reply = reread(f"{text[: merged.start()]}{text[merged.end() :]}", corpus)
        return _assuming(reply, "Spelling variants of a name are one.")
    parts = _parts(text, corpus)
    return read_question(text, corpus) if parts is None else _composed(parts, corpus)


def _parts(text: str, corpus: CorpusView) -> _Parts | None:
    """Take a question with written-out alternatives apart."""
    bare = text.rstrip("?. ")
    if (found := _CONDITIONS.match(bare)) is not None:
        clauses = [re.sub(r"^they\s+", "", each.strip()) for each in found["list"].split(";")]
        return _Parts(found["head"], tuple(clauses), _WAYS[found["how"].casefold()])
    if (found := _NOT_BOTH.match(bare)) is not None and len(items := _things(found["list"])) > 1:
        verb = found["verb"].strip() or found["aux"]
        return _Parts(found["head"], tuple(f"{verb} {item}" for item in items), "not all")
    if (found := _ONE_OF.match(bare)) is not None and len(items := _items(found["list"])) > 1:
        lacking = found["verb"].casefold() == "lack"
        verb = "have" if lacking else found["verb"]
        how = _WAYS[found["how"].casefold()]
        if lacking:
            how = _LACKING[how]
        return _Parts(found["head"], tuple(f"{verb} {item}" for item in items), how)
    return _kinds(bare, corpus) or _clauses(bare)


def _items(text: str) -> list[str]:
    """Cut `A, B and C`; a comma alone also joins. `or` inside an item stays.

    >>> _items("a cook, a host or guide and the menu")
    ['a cook', 'a host or guide', 'the menu']
    """
    return [each.strip() for each in re.split(r",\s*(?:and\s+)?|\s+and\s+", text) if each.strip()]


def _things(text: str) -> list[str]:
    """Cut a list that nothing follows; else nothing.

    >>> _things("a cook and a menu"), _things("a cook and a menu are open")
    (['a cook', 'a menu'], [])
    """
    tail = any(token.low in AUXILIARIES | RELATIVES for token in tokenize(text))
    return [] if tail else _items(text)


def _kinds(text: str, corpus: CorpusView) -> _Parts | None:
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
    return _Parts(found["head"], (f"+{found['one']}", f"+{found['other']}"), "any")


def _clauses(text: str) -> _Parts | None:
    """Read `are either A or B`, `lack A or lack B`, `are by A or by B and dated 2013`."""
    if (found := _EITHER.match(text)) is not None:
        ways = [f"{found['verb']} {found['one']}", f"{found['verb']} {found['other']}"]
        if any(_DENIED.search(way) for way in ways) or " and " in text:
            return _Parts(found["head"], tuple(_DENIED.sub("not ", way) for way in ways), "any")
    if (found := _AGAIN.match(text)) is not None:
        verb, again = found["verb"].casefold(), found["again"].casefold()
        repeated = verb.endswith(again) and (again != "are" or " and " in text)
        if repeated and (again not in {"by", "in", "from"} or " and " in found["other"]):
            lead = verb if verb == again or verb.endswith(f" {again}") else again
            return _Parts(
                found["head"], (f"{verb} {found['one']}", f"{lead} {found['other']}"), "any"
            )
    return None


def _composed(parts: _Parts, corpus: CorpusView) -> InterpretReply:
    """Read the head and each alternative, and join their conditions."""
    scene = Scene(parts.head, corpus, Labels.of(corpus))
    noun = read_frame(parts.head, scene).noun.head
    named = noun.text if noun is not None else "documents"
    whole = read_question(_ended(parts.head), corpus)
    nodes = [_node(read_question(_asked(each, named), corpus), corpus) for each in parts.clauses]
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


def _assuming(reply: InterpretReply, *sentences: str) -> InterpretReply:
    new: Sequence[str] = [each for each in sentences if each not in reply.assumptions]
    return reply.model_copy(update={"assumptions": [*reply.assumptions, *new]})
