"""Questions for single mentions, not for documents: `how many times is X mentioned in the Ys`."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from agent.question import Operation
from agent.reasoners.rules.language.words import singular
from agent.replies import AtomReply, InterpretReply, MeasureReply

__all__ = ("Asked", "counting_places", "places_asked")

_NOUN: Final = (
    r"(?:single |individual |separate |total )?"
    r"(?:mentions?|occurrences?|appearances?|references|citations) (?:of|to)"
)
_TOLD: Final = r"(?:(?:what(?: is|['’]s)|count|find|give(?: me)?|tell me|determine) )?"
_VERB: Final = r"(?:mentioned|named|cited|referenced|quoted|referred to)"
_STANDS: Final = r"(?:occur|appear|come up|show up)"
_DONE: Final = r"(?:mention|cite|name|reference|quote|refer to)"
_TIMES: Final = r"(?P<open>how (?:many times|often|frequently))"
_BEEN: Final = r"(?:is|are|was|were|has been|have been)"
_REST: Final = r"(?P<rest>(?:,? (?:in|across|within|among|throughout|by|for|per) .+?)?)"
_ASKED: Final = tuple(
    re.compile(rf"^{each}[\s?.!]*$", re.IGNORECASE)
    for each in (
        rf"{_TIMES} {_BEEN} (?P<what>.+?) {_VERB}{_REST}",
        rf"{_TIMES} (?:has|have) (?P<what>.+?) been {_VERB}{_REST}",
        rf"{_TIMES} (?:do|does|did) (?P<what>.+?) {_STANDS}{_REST}",
        rf"{_TIMES} (?:do|does|did) (?P<docs>.+?) {_DONE} (?P<what>.+?){_REST}",
        rf"how many {_NOUN} (?P<what>.+?) (?:are|were) (?:there|found|made){_REST}",
        rf"how many {_NOUN} (?P<what>.+?){_REST}",
        rf"{_TOLD}(?:the )?(?:total |overall )?(?:number|count) of {_NOUN} (?P<what>.+?){_REST}",
    )
)
_MOST: Final = re.compile(
    r"^(?:which|what) (?P<docs>.+?) (?:mentions?|cites?|names?|references?|quotes?) "
    r"(?P<what>.+?) (?:the )?(?P<rank>most|least) (?:often|frequently|times)[\s?.!]*$",
    re.IGNORECASE,
)
_TOTAL: Final = re.compile(
    r",? (?:in total|altogether|in all|overall)(?=[\s?.!]*$|,? in )", re.IGNORECASE
)
_FRONT: Final = re.compile(
    r"^(?:in|across|within|among) (?P<docs>[^,]+?),? (?=how (?:many|often|frequently)\b)",
    re.IGNORECASE,
)
_PLACED: Final = re.compile(
    r"^,? (?:in|across|within|among|throughout|by) (?P<docs>.+)$", re.IGNORECASE
)
_EACH: Final = re.compile(
    r"^,? (?:in|for|per|by) (?:each |every )?(?:document|file|text)$", re.IGNORECASE
)
"""What asks for the numbers of single documents, which always stand beside the total."""
_ALL: Final = re.compile(
    r"^(?:all (?:of )?)?(?:the |these |those |our |all )?(?:whole )?", re.IGNORECASE
)
_COLLECTION: Final = frozenset({"collection", "corpus", "archive"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A question for single mentions, taken apart."""

    documents: str
    """The question for the documents that have one."""
    mentions: str
    """The question for the single mentions, in words that leave nothing open."""
    span: str = ""
    """The words that could mean either; empty where they cannot."""
    operation: Operation = "sum"
    ascending: bool = False
    k: int | None = None


def places_asked(question: str) -> Asked | None:
    """Take apart a question for single mentions; None where it asks for something else.

    >>> places_asked("How often is Rust mentioned in the final PEPs?").documents
    'How many final PEPs mention Rust?'
    >>> places_asked("In how many PEPs is Rust mentioned?") is None
    True
    """
    text = question.strip()
    ranked = _MOST.match(text)
    if ranked is not None:
        return _ranked(ranked)
    front = _FRONT.match(text)
    text = text[front.end() :] if front is not None else text
    bare = _TOTAL.sub("", text)
    found = next((match for each in _ASKED if (match := each.match(bare))), None)
    if found is None:
        return None
    told = found.groupdict()
    what, rest = told["what"], _EACH.sub("", told["rest"])
    placed = _PLACED.match(rest)
    where = told.get("docs") or (front["docs"] if front else placed["docs"] if placed else "")
    documents = _plural(where)
    narrowed = f"In {where}, how many documents" if where else "How many documents"
    if documents or _whole(where):
        narrowed = f"How many {documents or 'documents'}"
    inside = f" in {where}" if where else rest
    settled = bare != text or rest != told["rest"]
    return Asked(
        documents=f"{narrowed} mention {what}{'' if where else rest}?",
        mentions=f"How many single mentions of {what} are there{inside}?",
        span="" if settled else told.get("open") or "",
    )


def counting_places(question: str, read: Callable[[str], InterpretReply]) -> InterpretReply | None:
    """Read a question for single mentions; None where it is none, or names no words to look for.

    `read` reads the question for the documents that have a mention.
    """
    asked = places_asked(question)
    if asked is None:
        return None
    reply = read(asked.documents)
    denied = set(re.findall(r"not \(?(\w+)", reply.logic))
    named = [each for each in reply.conditions if each.terms and each.id not in denied]
    if not named or reply.grain != "document" or reply.entity_field is not None:
        return None
    operation: Operation = asked.operation
    return reply.model_copy(
        update={
            "restated": _restated(asked, named, reply),
            "operation": operation,
            "measure": MeasureReply(
                text="number of mentions",
                field=None,
                of="value",
                unit="mentions",
                places=[each.id for each in named],
            ),
            "k": asked.k,
            "ascending": asked.ascending,
        }
    )


def _ranked(found: re.Match[str]) -> Asked:
    documents, what = found["docs"], found["what"]
    least = found["rank"].casefold() == "least"
    noun = documents if singular(documents) != documents else f"{documents}s"
    return Asked(
        documents=f"How many {noun} mention {what}?",
        mentions=found.string,
        operation="top_k",
        ascending=least,
        k=1,
    )


def _plural(where: str) -> str:
    """Return the documents that a phrase names in the plural, without its article; else nothing."""
    bare = _ALL.sub("", where.strip(), count=1)
    head = any(each[-1:] == "s" and singular(each) != each for each in bare.split())
    return bare if head else ""


def _whole(where: str) -> bool:
    """Tell whether a phrase names all that there is: `in the collection`."""
    return _ALL.sub("", where.strip(), count=1).casefold() in _COLLECTION


def _restated(asked: Asked, named: list[AtomReply], reply: InterpretReply) -> str:
    every = " or ".join(each.text for each in named)
    _, _, rest = reply.restated.partition("every ")
    if asked.operation == "top_k":
        order = "fewest" if asked.ascending else "most"
        return f"Find the {reply.entity_type} with the {order} single places of: every {rest}"
    each = f", for each {reply.group_by}," if reply.group_by else ""
    return f"Count{each} every single place that {every}, in every {rest}"
