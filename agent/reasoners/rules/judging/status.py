"""What a text says of itself: `this proposal was rejected`, `Rejection notice`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from agent.evidence import Passage
from agent.question import Condition
from agent.reasoners.rules.judging.proof import Proof, sentence_spans
from agent.reasoners.rules.language.modality import negates
from agent.reasoners.rules.language.roots import roots
from agent.reasoners.rules.language.word_set import word_set
from agent.reasoners.rules.language.words import AUXILIARIES, FUNCTION_WORDS

__all__ = ("Status", "read_status", "status_proofs")

_WORD: Final = re.compile(r"[^\W_]+")
_SELF: Final = re.compile(r"\b(?:itself|themselves|this(?: very)? (\w+))\b", re.IGNORECASE)
_SAYS: Final = re.compile(r"^(?:the|its|their)(?: own)? texts? \w+ (?:that )?", re.IGNORECASE)
_SAYING: Final = re.compile(
    r"^.*\b(?:say|stat|declar|announc|not|indicat|record|report|tell|confirm)\w*\s+that\s+"
    r"(?=(?:this|it|they|the)\b)",
    re.IGNORECASE,
)
_PASSIVE: Final = re.compile(
    r"\b(?:is|are|was|were|been|being|be|got|gets?)\s+(?:\w+ly\s+)?(\w+)\b"
)
_DOCUMENTS: Final = (
    "document text paper proposal report article agreement contract page note record file case "
    "request ticket issue message memo draft specification version edition submission"
)
_OPEN: Final = word_set("will would may might could should can if unless whether when to")
_OUTSIDE: Final = word_set("in for of by under from with to on about")
_NOTICES: Final = (
    "notice note status banner statement pronouncement decision verdict outcome result"
)
_SHORT: Final = 4
_NEAR: Final = 9


@dataclass(frozen=True, slots=True)
class Status:
    """A state that a document may declare itself to be in."""

    id: str
    root: str
    """Of the participle: reject, for `was rejected`."""
    kind: frozenset[str]
    """The entity type's words: a document that is one speaks of itself as `the` one."""
    documents: frozenset[str]
    """Stems of all nouns by which a document calls itself, with `this`."""
    demanded: frozenset[str]
    """Names and numbers that the declaration has to contain, lower-cased."""


def read_status(condition: Condition, entity_type: str) -> Status | None:
    """Read a condition that is about the entity's own state; None where it is about anything else.

    It is, where nothing but the state is said, or little more, and that of this very entity.
    """
    plain = re.sub(r"\([^()]*\)", " ", condition.text).strip()
    body = _SAYS.sub("", _SAYING.sub("", plain))
    kind = frozenset(roots(word)[0] for word in _WORD.findall(entity_type.lower()))
    documents = kind | {roots(word)[0] for word in _DOCUMENTS.split()}
    state = _PASSIVE.search(body)
    if state is None:
        return None
    rest = [word for word in _WORD.findall(body) if not _idle(word, documents)]
    others = [word for word in rest if word != state.group(1) and not _is_name(word)]
    if len(others) > (1 if _SELF.search(condition.text) else 0):
        return None
    names = frozenset(word.lower() for word in rest if _is_name(word))
    return Status(condition.id, roots(state.group(1).lower())[1], kind, documents, names)


def status_proofs(passage: Passage, status: Status) -> Iterator[Proof]:
    """Yield the sentences in which the document says so of itself."""
    if status.root not in {roots(word)[1] for word in _WORD.findall(passage.text.lower())}:
        return
    number = re.search(r"(\d+)\D*\Z", passage.document)
    own = number.group(1).lstrip("0") if number else ""
    listed = any(_speaks(heading, status) for heading in passage.headings)
    for start, end in sentence_spans(passage):
        words = list(_WORD.finditer(passage.text, start, end))
        place = _declared([word.group().lower() for word in words], status, own, listed=listed)
        if place is None or negates(passage.text[start:end]):
            continue
        if status.demanded <= {word.group().lower() for word in words}:
            yield Proof(start, end, words[place].span())


def _declared(low: list[str], status: Status, own: str, *, listed: bool) -> int | None:
    """Return the place of the word that declares the state, if one does.

    Args:
        low: the sentence's words.
        status: the state.
        own: the number in the document's own name.
        listed: it stands below a heading about things in that state: only the entity counts.
    """
    kin = [place for place, word in enumerate(low) if roots(word)[1] == status.root]
    if kin and _is_notice(low, status):
        return kin[0]
    nouns = status.kind if listed else status.documents
    for place in kin:
        before = low[max(0, place - _NEAR) : place]
        if _passive(before) and _subject(before, status, nouns, own):
            return place
        then = [*low[place + 1 : place + 3], "", ""]
        if _itself(then[0], then[1], status, nouns) and not _OPEN & set(before):
            return place
    return None


def _is_notice(low: list[str], status: Status) -> bool:
    """Tell whether a short line is nothing but a notice of the state."""
    idle = status.documents | {roots(word)[0] for word in _NOTICES.split()}
    rest = [w for w in low if roots(w)[1] != status.root and roots(w)[0] not in idle]
    plural = [word for word in low if word.endswith("s") and not word.endswith(("ss", "us"))]
    return len(low) <= _SHORT and not rest and not plural


def _speaks(heading: str, status: Status) -> bool:
    """Tell whether a heading is about things in the state, and no notice of it."""
    low = [word.lower() for word in _WORD.findall(heading)]
    return any(roots(w)[1] == status.root for w in low) and not _is_notice(low, status)


def _passive(before: list[str]) -> bool:
    near = before[-5:]
    return any(word in AUXILIARIES for word in near) and not _OPEN & set(before)


def _subject(words: list[str], status: Status, nouns: frozenset[str], own: str) -> bool:
    """Tell whether the words before a passive have the document itself as their subject."""
    for place, word in enumerate(words):
        governed = set(words[max(0, place - 2) : place]) & _OUTSIDE
        if own and word.isdigit() and word.lstrip("0") == own and not governed:
            return True
        if place and not governed and _itself(words[place - 1], word, status, nouns):
            return True
    return False


def _itself(determiner: str, noun: str, status: Status, nouns: frozenset[str]) -> bool:
    base = roots(noun)[0]
    return (determiner == "this" and base in nouns) or (determiner == "the" and base in status.kind)


def _is_name(word: str) -> bool:
    return word[:1].isupper() or word.isdigit()


def _idle(word: str, nouns: frozenset[str]) -> bool:
    low = word.lower()
    return (
        low in FUNCTION_WORDS or low in {"very", "itself", "themselves"} or roots(low)[0] in nouns
    )
