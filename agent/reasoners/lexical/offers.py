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
from typing import Final

from agent.ambiguity import Option
from agent.corpus_view import Field
from agent.english import FUNCTION_WORDS
from agent.errors import QuestionError
from agent.reasoners.lexical.asked_fields import Declined, nearest
from agent.reasoners.lexical.assembly import Assembly
from agent.reasoners.lexical.condition_tree import Tree
from agent.reasoners.lexical.grammar import polite
from agent.reasoners.lexical.own_words import compared, in_own_words
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
from agent.reasoners.lexical.vocabulary import GENERIC, Vocabulary, norms
from agent.replies import InterpretReply

_MOST: Final = 3
"""Offers at most."""
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
    told: tuple[str, ...] = ()
    """What was changed."""


def offers(question: str, vocabulary: Vocabulary) -> tuple[Option, ...]:
    """Return the questions that can be answered in the place of one that cannot."""
    first = _Draft(0, 0, 0, polite(question))
    denials = _denials(Assembly(first.text, vocabulary))
    drafts, seen = [first], {first.text}
    found: dict[str, Option] = {}
    stop = thread_time() + _SECONDS
    for _ in range(_DRAFTS):
        if not drafts or len(found) >= _MOST or thread_time() > stop:
            break
        draft = heappop(drafts)
        assembly = Assembly(draft.text, vocabulary)
        reply, declined = _read(assembly)
        if declined is not None:
            for each in _changed(draft, assembly, declined):
                if each.text not in seen:
                    heappush(drafts, replace(each, order=len(seen)))
                    seen.add(each.text)
        elif reply is not None and draft is not first and _keeps(draft, assembly, len(denials)):
            key = _executed(reply, assembly.tree)
            meaning = None if key in found else _worded(assembly, reply, key)
            if meaning is not None:
                found[key] = Option(label=meaning, meaning=meaning, changes="; ".join(draft.told))
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
    """Return what two questions that count the same have in common.

    That a field is there says nothing beside what is compared with it or measured by it.
    """
    told = reply.measure and (reply.measure.field, reply.measure.of)
    parts = _parts(tree, "and") if tree is not None else []
    exist = [each for each in parts if each.atom and each.atom.comparison == "exists"]
    fields = {each.atom.field for each in parts if each.atom and each not in exist}
    fields |= {reply.measure.field} if reply.measure else set()
    bare = [each for each in exist if each.atom and each.atom.field in fields]
    asked = (reply.entity_field, reply.operation, told, reply.group_by, reply.k, reply.ascending)
    return f"{asked} {sorted({_flat(each) for each in parts if each not in bare})}"


def _parts(tree: Tree, join: str) -> list[Tree]:
    """Return what is joined, however it is nested."""
    if tree.kind != join:
        return [tree]
    return [one for each in tree.parts for one in _parts(each, join)]


def _flat(tree: Tree) -> str:
    """Return a condition without its order, ids and repetitions."""
    if tree.atom is not None:
        atom = tree.atom
        return f"{atom.field} {atom.of} {atom.comparison} {sorted({*atom.values, *atom.terms})}"
    parts = tree.parts if tree.kind == "not" else _parts(tree, tree.kind)
    return f"{tree.kind} {sorted({_flat(each) for each in parts})}"


def _keeps(draft: _Draft, assembly: Assembly, denials: int) -> bool:
    """Tell whether more than a kind of document is left, and each denial is there or told."""
    conditions = len(_parts(assembly.tree, "and")) if assembly.tree is not None else 0
    kinds = sum(each.kind.test is not None for each in _kinds(assembly))
    words = " ".join(draft.told).casefold().replace("“", " ").split()
    told = sum(each in NEGATIONS or "n't" in each for each in words)
    denied = told + (_flat(assembly.tree).count("not [") if assembly.tree is not None else 0)
    return (conditions > kinds or assembly.measured) and denied >= denials


def _kinds(assembly: Assembly) -> list[Kinds]:
    return [each for each in assembly.pieces if isinstance(each, Kinds)]


def _denials(assembly: Assembly) -> list[Negated]:
    return [each for each in assembly.pieces if isinstance(each, Negated)]


def _worded(assembly: Assembly, reply: InterpretReply, told: str) -> str | None:
    """Return the reader's own words for what was read, proven by reading them."""
    kinds, tree = _kinds(assembly), assembly.tree
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


def _changed(draft: _Draft, assembly: Assembly, declined: Declined) -> Iterator[_Draft]:
    """Yield drafts that change the words that could not be placed; none that undo a change."""
    text = draft.text
    places = ((text.find(each), len(each)) for each in declined.words)
    spans = sorted((start, start + size) for start, size in places if start >= 0)
    fields = nearest(declined.words, declined.fields)
    if not spans or any(each.startswith("in ") for each in declined.said):
        ends = [(len(text), each) for each in declined.said]
        ends += [(place, each.name) for each in fields for place in assembly.figures]
        yield from (_instead(draft, place, place, said) for place, said in ends)
        return
    if any(text[start:end] in " ".join(draft.told) for start, end in spans):
        return
    between = "".join(text[one[1] : other[0]] for one, other in pairwise(spans))
    if len(spans) <= _PHRASE and set(between.casefold().split()) <= FUNCTION_WORDS:
        start, end = spans[0][0], spans[-1][1]
        named = (one for each in fields for one in _named(each, start, end, assembly))
        yield from (_instead(draft, start, end, said) for said in (*declined.said, *named))
    yield _without(draft, spans, assembly)


def _piece(start: int, end: int, assembly: Assembly) -> Piece | None:
    """Return the piece that has the words from one character to another, and no others."""
    tokens = assembly.tokens
    spans = {(tokens[e.start].start, tokens[e.end - 1].end): e for e in assembly.pieces}
    return spans.get((start, end))


def _ends(piece: Amounted | Dated) -> tuple[str, ...]:
    return piece.dates if isinstance(piece, Dated) else tuple(e.written for e in piece.amounts)


def _named(of: Field, start: int, end: int, assembly: Assembly) -> Iterator[str]:
    """Yield how a field is said with the words that may be about it."""
    words, sized = assembly.question[start:end], of.type == "number"
    match _piece(start, end, assembly):
        case Ranked() as piece if of.type in {"number", "date"}:
            sign = piece.degree.sign(of, assembly.vocabulary) if piece.degree else 1
            most = "lowest" if (sign < 0) != piece.ascending else "highest"
            yield f"{piece.k or ''} {most} {of.name}".strip()
        case Amounted() | Dated() as piece:
            yield compared(of.name, piece.comparison, _ends(piece))
        case Valued() as piece if of.name in piece.items:
            yield f"documents whose {of.name} is {words}"
            yield f"whose {of.name} is {words}"
        case Ask() as piece if sized:
            yield f"{'total' if piece.what == 'all' else words} {of.name}"
        case None | Leftover() | Named() | Priced() if words.startswith(
            ("per ", "each ", "every ")
        ):
            yield f"by {of.name}"
        case None | Leftover() | Named() | Priced() if sized and words.endswith("est"):
            yield f"highest {of.name}"
        case None | Leftover() | Named() | Priced():
            yield of.name


def _instead(draft: _Draft, start: int, end: int, said: str) -> _Draft:
    before, words, after = draft.text[:start], draft.text[start:end], draft.text[end:]
    text = f"{before} {after} {said}" if said.startswith("by ") else f"{before} {said} {after}"
    told = f"takes “{words}” as “{said}”" if words else f"adds “{said}”"
    changes = draft.changes + 1
    return replace(draft, changes=changes, text=" ".join(text.split()), told=(*draft.told, told))


def _without(draft: _Draft, spans: Sequence[tuple[int, int]], assembly: Assembly) -> _Draft:
    """Leave words out, with the function words, connective and denial before them."""
    text = draft.text
    left: list[str] = []
    for word, end in reversed(spans):
        start = _phrase_start(word, assembly)
        left.insert(0, text[start:end].strip(" ,"))
        text = f"{text[:start]} {text[end:]}"
    words = [each for told in left for each in told.casefold().split()]
    lost = draft.lost + sum(each not in FUNCTION_WORDS for each in words)
    told = (*draft.told, f"leaves out {', '.join(f'“{each}”' for each in left)}")
    return replace(draft, lost=lost, text=" ".join(text.split()), told=told)


def _phrase_start(start: int, assembly: Assembly) -> int:
    """Return where the words begin that say nothing without those at a place."""
    bound = {
        at
        for each in assembly.pieces
        if not isinstance(each, Negated | Joined)
        for at in range(each.start, each.end)
    }
    denials = {at for each in _denials(assembly) for at in range(each.start, each.end)}
    for at, token in reversed(list(enumerate(assembly.tokens))):
        if token.end > start:
            continue
        loose = token.low in FUNCTION_WORDS - _SAID or at in denials or token.text in {",", ";"}
        if at in bound or not loose:
            break
        start = token.start
    return start
