"""What is offered in the place of a declined question: questions near to it that are certain.

A draft is the question with what could not be placed left out, or written out in one of the ways
that the collection gives: as a field, a value, a unit or a mention. Each draft is read again from
its text, and what it declines is changed in turn. What is read for certain is put in the reader's
own words, which have to be read as the same. The fewest words left out come first, then the fewest
changes, then the order in which the changes are listed here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import pairwise
from time import thread_time
from typing import Final, TypeVar

from agent.ambiguity import Option
from agent.corpus_view import Field
from agent.english import FUNCTION_WORDS
from agent.errors import QuestionError
from agent.reasoners.lexical.asked_fields import Declined, nearest
from agent.reasoners.lexical.assembly import Assembly
from agent.reasoners.lexical.condition_tree import Tree
from agent.reasoners.lexical.grammar import polite
from agent.reasoners.lexical.own_words import COMPARED, in_own_words
from agent.reasoners.lexical.pieces import (
    Amounted,
    Ask,
    Dated,
    Joined,
    Kinds,
    Leftover,
    Named,
    Negated,
    Piece,
    Priced,
    Ranked,
    Valued,
)
from agent.reasoners.lexical.question_words import NEGATIONS
from agent.reasoners.lexical.vocabulary import GENERIC, Test, Vocabulary, norms
from agent.replies import InterpretReply

P = TypeVar("P", bound=Piece)
_MOST: Final = 3
"""Offers at most."""
_FEW: Final = 2
"""Fields that a word may be a value of, to be offered as one."""
_PHRASE: Final = 3
"""Words that a field may be named in the place of."""
_DRAFTS: Final = 80
"""Drafts that are read at most."""
_SECONDS: Final = 0.4
"""Of computing, from when on no other draft is read."""
_SAID: Final = frozenset({"is", "are", "was", "were", "has", "have", "do", "does", "did"})


@dataclass(frozen=True, slots=True, order=True)
class _Draft:
    """A question that may be offered."""

    lost: int
    """How many words of content are left out."""
    changes: int
    order: int
    text: str
    left: tuple[str, ...] = ()
    """The words that are left out."""
    taken: tuple[tuple[str, str], ...] = ()
    """What was written in the place of which words."""


def offers(question: str, vocabulary: Vocabulary) -> tuple[Option, ...]:
    """Return the questions that can be answered in the place of one that cannot."""
    first = _Draft(0, 0, 0, polite(question))
    asked = Assembly(first.text, vocabulary)
    drafts, seen = [first], {first.text}
    found: dict[str, Option] = {}
    stop, order = thread_time() + _SECONDS, 0
    for _ in range(_DRAFTS):
        if not drafts or len(found) >= _MOST or thread_time() > stop:
            break
        draft = heappop(drafts)
        assembly = Assembly(draft.text, vocabulary)
        reply, declined = _read(assembly)
        if reply is not None and declined is None and draft is not first:
            told = _executed(reply, assembly.tree)
            if told not in found and _keeps(draft, assembly, asked):
                meaning = _worded(assembly, reply, told)
                if meaning is not None:
                    found[told] = Option(label=_changes(draft), meaning=meaning)
        for each in _changed(draft, assembly, declined):
            if each.text not in seen:
                order += 1
                seen.add(each.text)
                heappush(drafts, replace(each, order=order))
    return tuple(found.values())


def _read(assembly: Assembly) -> tuple[InterpretReply | None, Declined | None]:
    """Return what is read, and what could not be placed or only a reader could tell."""
    try:
        reply = assembly.reply()
    except QuestionError:
        return None, assembly.declined
    open_ = tuple(each.text for each in reply.conditions if not (each.field or each.terms))
    return reply, Declined(open_) if open_ else None


def _executed(reply: InterpretReply, tree: Tree | None) -> str:
    """Return what two questions that count the same have in common."""
    told = reply.measure and (reply.measure.field, reply.measure.of)
    asked = (reply.entity_field, reply.operation, told, reply.group_by, reply.k, reply.ascending)
    return f"{asked} {_flat(tree) if tree is not None else ''}"


def _flat(tree: Tree) -> str:
    """Return a condition without its order, ids and repetitions."""
    if tree.atom is not None:
        atom = tree.atom
        values = sorted({*atom.values, *atom.terms})
        return f"{atom.field} {atom.of} {atom.comparison} {values}"
    parts = [*tree.parts]
    while any(each.kind == tree.kind != "not" for each in parts):
        parts = [
            one for each in parts for one in (each.parts if each.kind == tree.kind else [each])
        ]
    return f"{tree.kind} {sorted({_flat(each) for each in parts})}"


def _keeps(draft: _Draft, assembly: Assembly, asked: Assembly) -> bool:
    """Tell whether more than a kind of document is left, and each denial is there or told."""
    tree = assembly.tree
    conditions = 0 if tree is None else len(tree.parts) if tree.kind == "and" else 1
    kinds = sum(each.kind.test is not None for each in _all(Kinds, assembly))
    words = [word.casefold() for each in draft.left for word in each.split()]
    told = sum(word in NEGATIONS or word.endswith("n't") for word in words)
    denied = told + (_flat(tree).count("not [") if tree is not None else 0)
    return (conditions > kinds or assembly.measured) and denied >= len(_all(Negated, asked))


def _all(kind: type[P], assembly: Assembly) -> list[P]:
    return [each for each in assembly.pieces if isinstance(each, kind)]


def _changes(draft: _Draft) -> str:
    told = [f"“{one}” as “{other}”" for one, other in draft.taken if one]
    added = [f"“{other}”" for one, other in draft.taken if not one]
    left = [f"“{each}”" for each in draft.left]
    parts = (("takes", told), ("adds", added), ("leaves out", left))
    return "; ".join(f"{verb} {', '.join(each)}" for verb, each in parts if each)


def _worded(assembly: Assembly, reply: InterpretReply, told: str) -> str | None:
    """Return the reader's own words for what was read, proven by reading them."""
    kinds, tree = _all(Kinds, assembly), assembly.tree
    noun, kind = "", None
    if len(kinds) == 1 and not (kinds[0].kind.assumed or GENERIC & {*norms(kinds[0].noun)}):
        noun = kinds[0].noun
        if kinds[0].kind.test is not None and tree is not None:
            kind = tree.parts[0] if tree.kind == "and" else tree
    for each in in_own_words(reply, tree, noun, kind):
        again = Assembly(each, assembly.vocabulary)
        read, declined = _read(again)
        if read is not None and declined is None and _executed(read, again.tree) == told:
            return each
    return None


def _changed(draft: _Draft, assembly: Assembly, declined: Declined | None) -> Iterator[_Draft]:
    """Yield drafts that change the words that could not be placed."""
    if declined is None:
        return
    text = draft.text
    places = ((text.find(each), len(each)) for each in declined.words)
    spans = sorted((start, start + size) for start, size in places if start >= 0)
    if not spans:
        yield from _added(draft, assembly, declined)
        return
    if _is_phrase(text, spans):
        start, end = spans[0][0], spans[-1][1]
        fields = nearest(declined.words, declined.fields)
        told = (one for each in fields for one in _named(each, start, end, assembly))
        for said in (*declined.said, *told, *_inside(start, end, assembly)):
            yield _instead(draft, start, end, said)
    written = " ".join(said for _, said in draft.taken)
    if not any(text[start:end] in written for start, end in spans):
        yield _without(draft, spans, assembly)


def _added(draft: _Draft, assembly: Assembly, declined: Declined) -> Iterator[_Draft]:
    """Yield drafts that say more: a unit at the end, a field behind what is asked of it."""
    end = len(draft.text)
    for said in declined.said:
        yield _instead(draft, end, end, said)
    for each in nearest(declined.words, declined.fields):
        for place in assembly.figures:
            yield _instead(draft, place, place, each.name)


def _is_phrase(text: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Tell whether a few words stand together, so that one thing can be said in their place."""
    between = "".join(text[one[1] : other[0]] for one, other in pairwise(spans))
    return len(spans) <= _PHRASE and set(between.casefold().split()) <= FUNCTION_WORDS


def _named(of: Field, start: int, end: int, assembly: Assembly) -> Iterator[str]:
    """Yield how a field is said with the words that may be about it."""
    words = assembly.question[start:end]
    placed = (
        each
        for each in assembly.pieces
        if assembly.tokens[each.start].start == start and assembly.tokens[each.end - 1].end == end
    )
    piece, sized = next(placed, None), of.type == "number"
    if isinstance(piece, Ranked) and of.type in {"number", "date"}:
        less = piece.degree is not None and piece.degree.sign(of, assembly.vocabulary) < 0
        most = "lowest" if less != piece.ascending else "highest"
        yield f"{piece.k or ''} {most} {of.name}".strip()
    elif isinstance(piece, Amounted) and sized:
        numbers = " and ".join(each.written for each in piece.amounts)
        yield f"whose {of.name} is {COMPARED.get(piece.comparison, '')} {numbers}"
    elif isinstance(piece, Dated) and of.type == "date":
        yield f"whose {of.name} is {COMPARED.get(piece.comparison, '')} {' and '.join(piece.dates)}"
    elif isinstance(piece, Valued) and of.name in piece.items:
        yield f"documents whose {of.name} is {words}"
        yield f"whose {of.name} is {words}"
    elif words.casefold().startswith(("per ", "each ", "every ")):
        yield f"by {of.name}"
    elif piece is None or isinstance(piece, Leftover | Ask | Named | Priced):
        if sized and words.casefold().endswith("est"):
            yield f"highest {of.name}"
        yield of.name


def _inside(start: int, end: int, assembly: Assembly) -> Iterator[str]:
    """Yield what values and fields say that stand in words that are not placed."""
    inside = [at for at, each in enumerate(assembly.tokens) if start <= each.start < end]
    denied = any(assembly.tokens[at].low in NEGATIONS for at in inside)
    for at in inside:
        token, vocabulary = assembly.tokens[at], assembly.vocabulary
        if token.low in FUNCTION_WORDS:
            continue
        items, size = vocabulary.values_at(assembly.tokens, at)
        items = items if size else vocabulary.values_with((token.norm,))
        for name, told in items.items() if len(items) <= _FEW else ():
            test = Test(name, "is", told[:_MOST])
            yield test.in_words.replace(" is ", " is not ", 1) if denied else test.in_words
        named, size = vocabulary.fields_at(assembly.tokens, at)
        if len(named) == 1:
            yield f"{'without' if denied else 'with'} {named[0].name}"


def _instead(draft: _Draft, start: int, end: int, said: str) -> _Draft:
    text = f"{draft.text[:start].rstrip()} {said} {draft.text[end:].lstrip()}".strip()
    taken = (*draft.taken, (draft.text[start:end], said))
    return replace(draft, changes=draft.changes + 1, text=text, taken=taken)


def _without(draft: _Draft, spans: Sequence[tuple[int, int]], assembly: Assembly) -> _Draft:
    """Leave words out, with the function words, connective and denial before them."""
    text, left, lost = draft.text, draft.left, draft.lost
    for word, end in reversed(spans):
        start = _phrase_start(word, assembly)
        told = text[start:end].strip(" ,")
        lost += sum(each.casefold() not in FUNCTION_WORDS for each in told.split())
        left = (told, *left)
        text = f"{text[:start].rstrip()} {text[end:].lstrip()}".strip()
    return replace(draft, lost=lost, text=text, left=left)


def _phrase_start(start: int, assembly: Assembly) -> int:
    """Return where the words begin that say nothing without those at a place."""
    bound = {
        at
        for each in assembly.pieces
        if not isinstance(each, Negated | Joined)
        for at in range(each.start, each.end)
    }
    denials = {at for each in _all(Negated, assembly) for at in range(each.start, each.end)}
    for at, token in reversed(list(enumerate(assembly.tokens))):
        if token.end > start:
            continue
        loose = token.low in FUNCTION_WORDS - _SAID or at in denials or token.text in {",", ";"}
        if at in bound or not loose:
            break
        start = token.start
    return start
