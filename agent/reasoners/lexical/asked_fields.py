"""What a question is asked of: documents of a kind, and the fields that its words name."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from functools import cached_property
from itertools import pairwise
from typing import Final, TypeVar

from agent.corpus_view import CorpusView, Field, FieldValue
from agent.english import FUNCTION_WORDS, root
from agent.errors import QuestionError
from agent.predicates import field_values, satisfying, stated_fields
from agent.question import Condition, Predicate
from agent.reasoners.lexical import question_words as closed
from agent.reasoners.lexical.degrees import Limit
from agent.reasoners.lexical.grammar import pieces
from agent.reasoners.lexical.pieces import (
    Amounted,
    Ask,
    Dated,
    Gradable,
    Grouped,
    Joined,
    Kinds,
    Leftover,
    Named,
    Negated,
    Piece,
    Ranked,
    Valued,
)
from agent.reasoners.lexical.tokens import Token
from agent.reasoners.lexical.vocabulary import Vocabulary, compares, norms

P = TypeVar("P", bound=Piece)
_NEAREST: Final = 3
"""Fields that are named where words cannot be placed."""
_ALIKE: Final = 0.6
"""How alike a word and a name are at least, in [0, 1], to have to do with each other."""
_WIDESPREAD: Final = 0.9
HELP: Final = "ask in other words, or name a model with --model NAME, which reads the texts"


def alike(words: Sequence[str], of: Field) -> float:
    """Return how alike some words and a field's name are, in [0, 1]; 0 for hardly."""
    told = [one for each in words for one in norms(each)]
    ratios = (SequenceMatcher(None, a, b).ratio() for a in told for b in norms(of.name))
    most = max(ratios, default=0.0)
    return most if most >= _ALIKE else 0.0


@dataclass
class AskedFields:
    """A question in pieces, and the documents and fields that it is about."""

    question: str
    """Without what is polite."""
    vocabulary: Vocabulary
    tokens: list[Token] = field(init=False)
    pieces: list[Piece] = field(init=False)
    atoms: list[Condition] = field(default_factory=list)
    assumptions: list[str] = field(default_factory=list)
    limits: list[tuple[Gradable, Limit]] = field(default_factory=list)
    """What words of degree and time may mean, where they are tests by themselves."""

    def __post_init__(self) -> None:
        """Cut the question into pieces."""
        self.tokens, self.pieces, told = pieces(self.question, self.vocabulary)
        self.assumptions += told
        verbs = [at for at, each in enumerate(self.pieces)
                 if isinstance(each, Leftover) and self._is_verb_beside(at)]  # fmt: skip
        ends = {self.pieces[at].end for at in verbs}
        self.pieces = [
            each
            for at, each in enumerate(self.pieces)
            if at not in verbs and not (isinstance(each, Leftover) and each.start in ends
                                        and each.token.low in closed.PARTICLES)
        ]  # fmt: skip

    @property
    def corpus(self) -> CorpusView:
        """What is asked of."""
        return self.vocabulary.corpus

    def _of(self, kind: type[P]) -> list[P]:
        return [each for each in self.pieces if isinstance(each, kind)]

    def _text(self, start: int, stop: int) -> str:
        return self.question[self.tokens[start].start : self.tokens[stop - 1].end]

    def _said(self, first: Piece, last: Piece | None = None) -> str:
        return self._text(first.start, (last or first).end)

    def _decline(self, what: Sequence[str | Piece], why: str = "") -> QuestionError:
        """Decline words or pieces that cannot be placed; name the fields that may be meant."""
        words = [each if isinstance(each, str) else self._said(each) for each in what]
        told = ", ".join(f"“{each}”" for each in words)
        every = sorted(self.vocabulary.fields, key=lambda of: (-alike(words, of), -of.documents))
        named = ", ".join(repr(each.name) for each in every[:_NEAREST])
        stated = f"the nearest fields are {named}" if named else "the documents state no fields"
        reason = why or "no field, value or kind of document here is called that"
        return QuestionError(f"cannot place {told}: {reason}; {stated}; {HELP}")

    def _behind(self, piece: Piece | int) -> Piece | None:
        at = piece if isinstance(piece, int) else self.pieces.index(piece)
        return self.pieces[at + 1] if at + 1 < len(self.pieces) else None

    def _before(self, piece: Piece | int) -> Piece | None:
        at = piece if isinstance(piece, int) else self.pieces.index(piece)
        return self.pieces[at - 1] if at else None

    @property
    def _first(self) -> Piece | None:
        """The first piece behind what asks."""
        return next((each for each in self.pieces if not isinstance(each, Ask)), None)

    @cached_property
    def _lows(self) -> frozenset[str]:
        return frozenset(each.low for each in self.tokens)

    def _is_verb_beside(self, at: int) -> bool:
        """Tell whether a word has the root of the field that a neighbour is about: `affect 500`."""
        piece = self.pieces[at]
        behind = (each for each in self.pieces[at + 1 :] if not isinstance(each, Negated))
        beside = [each for each in (self._before(at), next(behind, None)) if each is not None]
        found = {one.name: one for each in beside for one in self._about(each)}
        doing = self.vocabulary.field_akin(self.tokens[piece.start].low)
        named = [one for each in self._of(Named) if each.start != piece.end for one in each.fields]
        if doing in named or any(self._is_akin(piece.start, each) for each in named):
            return True  # `which authors wrote`, `how much honey did we take`
        light = self.tokens[piece.start].low in closed.RELATING and bool(beside[-1:])
        if light and isinstance(beside[-1], Valued | Named | Amounted | Dated | Kinds):
            return True  # `concern a site of 2 ha`, `inspectors dealt with bridges`
        return any(self._is_akin(piece.start, each) for each in found.values())

    def _about(self, piece: Piece) -> Sequence[Field]:
        """Return the fields that a value, a number or a date is compared with."""
        if isinstance(piece, Amounted | Dated | Grouped):
            return piece.fields
        if isinstance(piece, Ranked) and piece.degree is not None:
            return piece.degree.fields(self.vocabulary.fields, self.vocabulary)
        if isinstance(piece, Valued):
            named = {*piece.items, *self.vocabulary.values_with(piece.words)}
            return [each for each in self.vocabulary.fields if each.name in named]
        return ()

    def _having(self, fields: Sequence[Field]) -> frozenset[int]:
        return frozenset().union(*(self.corpus.field_values(each.name) for each in fields))

    @cached_property
    def _stating(self) -> frozenset[int]:
        return self._having(stated_fields(self.corpus))

    @cached_property
    def _base(self) -> frozenset[int]:
        kinds = [each.kind for each in self._of(Kinds)]
        tests = [each.test for each in kinds if each.test is not None]
        every = frozenset(range(len(self.corpus.documents)))
        if tests and len(tests) == len(kinds):
            tests += [each for kind in kinds for each in kind.others]
            return frozenset().union(*(self._documents(each) for each in tests))
        sure = [each for at, each in enumerate(self.pieces) if self._is_sure(at, each)]
        if kinds or not sure or not isinstance(sure[0], Valued):
            return every
        ((name, items),) = sure[0].items.items()
        return self._documents(compares(name, "is", items)) or every

    def _is_sure(self, at: int, piece: Piece) -> bool:
        """Tell whether a value can only be of one field, and holds."""
        beside = (self._before(at), self._behind(at))
        joined = any(isinstance(each, Joined | Negated) for each in beside)
        return isinstance(piece, Valued) and len(piece.items) == 1 and not joined

    def _documents(self, test: Predicate) -> frozenset[int]:
        return satisfying(self.corpus, test)

    def _values(self, name: str) -> Mapping[int, FieldValue]:
        return field_values(self.corpus, name)

    def _carried(self, fields: Sequence[Field]) -> list[Field]:
        if len(self._base) == len(self.corpus.documents):
            return list(fields)
        values = self.corpus.field_values
        return [each for each in fields if not self._base.isdisjoint(values(each.name))]

    def _one(self, fields: Sequence[Field], words: str | Piece) -> Field:
        """Return the one field that is meant; decline where several or none may be."""
        found = self._carried(fields)
        if len(found) > 1:
            likely = self._in_asked_unit(found) or self._of_noun(found)
            found = likely or self._beside(found) or self._everywhere(found) or found
        if len(found) == 1:
            return found[0]
        if not found:
            raise self._decline([words], "these documents have no such field")
        named = " or ".join(repr(each.name) for each in found)
        raise self._decline([words], f"it may be {named}: say which")

    def _in_asked_unit(self, fields: Sequence[Field]) -> list[Field]:
        """Return the field whose unit the question names: `in months`."""
        told = {other.norm for one, other in pairwise(self.tokens) if one.low == "in"}
        named = [
            each
            for each in fields
            if self.vocabulary.units[each.name] in told - {""}
            or any(self.vocabulary.scaled(1, unit, each) == 1 for unit in told)
        ]
        return named if len(named) == 1 else []

    def _of_noun(self, fields: Sequence[Field]) -> list[Field]:
        """Return the number with the root of what is counted: `claims over 5` is claimed.

        A text that is called like it is what a document is headed by: `Inspection: Quarry Road`.
        """
        nouns = {each.start for each in self._of(Kinds)}
        told = [
            each
            for each in fields
            if each.type in {"number", "date"} and not closed.PLANNED & {*norms(each.name)}
        ]
        akin = [each for each in told if any(self._is_akin(at, each) for at in nouns)]
        if len(akin) == 1 < len(fields):
            self.assumptions.append(f"{akin[0].name!r} is meant, not another field")
        return akin if len(akin) == 1 else []

    def _beside(self, fields: Sequence[Field]) -> list[Field]:
        """Return the one field that documents state with the others that the question names."""
        others = [
            told[0]
            for each in self.pieces
            for named in [each.fields if isinstance(each, Named) else self._about(each)]
            if len(told := self._carried(named)) == 1 and told[0] not in fields
        ]
        having = [self.corpus.field_values(each.name).keys() for each in others]
        values = self.corpus.field_values
        shared = [each for each in fields if all(own & values(each.name).keys() for own in having)]
        return shared if having and len(shared) == 1 else []

    def _everywhere(self, fields: Sequence[Field]) -> list[Field]:
        most, values = _WIDESPREAD * len(self._base), self.corpus.field_values
        wide = [each for each in fields if len(self._base & values(each.name).keys()) >= most]
        return wide if len(wide) == 1 else []

    def _is_akin(self, at: int, of: Field) -> bool:
        low = self.tokens[at].low
        return (
            len(low) > 2
            and low not in FUNCTION_WORDS
            and any(root(low, name) for name in norms(of.name))
        )

    def _number_named(self, rank: Ranked | None) -> Field | None:
        """Return the field whose number is asked for: behind a superlative, or the one named."""
        named, grouped = self._of(Named), self._of(Grouped)
        if rank is not None and grouped and grouped[0].marker == "by":
            return self._one(grouped[0].fields, grouped[0])
        if rank is not None:
            named = [each for each in named if each.start >= rank.end] or named
        for each in named:
            carried = self._carried(each.fields)
            if found := [one for one in carried if one.type in {"number", "date", "list"}]:
                # Of several fields another word may name one, too: `amount … claimed`.
                others = [one for other in self._of(Named) if other is not each
                          for one in other.fields]  # fmt: skip
                both = [one for one in found if one in others]
                return self._one(both if len(both) == 1 else found, each)
        return None

    @property
    def _any_kind(self) -> bool:
        """Whether one of several kinds is every document: `entries or letters`."""
        return any(
            isinstance(one, Kinds) and isinstance(other, Kinds) and isinstance(join, Joined)
            and None in {one.kind.test, other.kind.test}
            for one, join, other in zip(self.pieces, self.pieces[1:], self.pieces[2:], strict=False)
        )  # fmt: skip
