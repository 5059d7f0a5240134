"""From the pieces of a question to an executable interpretation, or a reason to decline."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Final, Literal, TypeVar

from agent.corpus_view import CorpusView, Field, FieldValue
from agent.english import FUNCTION_WORDS, MONTHS, root, word_set
from agent.errors import QuestionError
from agent.predicates import (
    NAME_FIELD,
    PSEUDO_FIELDS,
    TITLE_FIELD,
    could_state,
    name_value,
    satisfies,
)
from agent.question import Comparison, Operation, Predicate
from agent.reasoners.lexical.degrees import Limit, limit_of, time_limit
from agent.reasoners.lexical.grammar import pieces, polite
from agent.reasoners.lexical.pieces import (
    Amounted,
    Ask,
    Dated,
    Gradable,
    Grouped,
    Joined,
    Kinds,
    Leftover,
    Mentioned,
    Named,
    Negated,
    Piece,
    Priced,
    Ranked,
    Shown,
    Valued,
)
from agent.reasoners.lexical.question_words import SPANS, TURNED
from agent.reasoners.lexical.tokens import YEAR, Token, amount_at
from agent.reasoners.lexical.vocabulary import Kind, Test, Vocabulary, norms
from agent.replies import AtomReply, InterpretReply, MeasureReply
from agent.value import counted

P = TypeVar("P", bound=Piece)
_Join = Literal["", "and", "or", ","]

_SHARES: Final = word_set(
    "percentage percent share proportion fraction ratio rate difference correlation % trend"
)
_SAID: Final = frozenset({"is", "are", "was", "were", "has", "have", "do", "does", "did"})
_AMBIGUOUS: Final = word_set("a in am me no was on an so do he i has as at")
"""English function words that other languages have too."""
_AGENT: Final = frozenset(
    {"by", "to", "for", "from", "with", "is", "was", "as", "either", "both", "the"}
)
"""What stands between a verb and who or what it is about."""
_OVER: Final = word_set("of the for all in our these across among")
"""What stands before the noun of what is measured."""
_COUNTING: Final = frozenset({"most", "fewest", "least"})
"""Superlatives of how many there are, where what is counted stands behind them."""
_EXISTING: Final = word_set("with have has had having any without no lack lacks lacking not")
_UNLIKELY: Final = word_set(
    "person people man woman child time year month week day hour money thing"
)
"""What documents are seldom one of each."""
_LONGEST: Final = 2_000
"""Characters of a question at most: a longer one is no plain question."""
_SENTENCE: Final = 6
"""Words of a value on average from which on it is prose."""
_WIDESPREAD: Final = 0.9
_FOLDER: Final = "file folder"
_HELP: Final = "ask in other words, or name a model with --model NAME, which reads the texts"


@dataclass(frozen=True, slots=True)
class _Node:
    """A condition, or several joined."""

    kind: Literal["atom", "and", "or", "not"]
    parts: tuple["_Node", ...] = ()
    atom: AtomReply | None = None


@dataclass(slots=True)
class _Item:
    """A condition at its place in the question."""

    node: _Node
    join: _Join
    key: str
    """What list it can belong to: a field's name, `kind`, `mention`, or its own."""
    listed: bool = False
    """Whether the field holds several items a document."""
    negated: str = ""
    before_kind: bool = False
    words: range = range(0)
    """The places of the words of a value; empty of anything else."""
    stated: bool = False
    """Whether its denial is of documents that state the field alone."""


def interpretation_of(question: str, vocabulary: Vocabulary) -> InterpretReply:
    """Return the one interpretation that accounts for every word of the question.

    Raises:
        QuestionError: some words cannot be placed; the message names them and what would help.
    """
    if len(question) > _LONGEST:
        raise QuestionError(
            f"the question has {len(question)} characters, more than the {_LONGEST} that the "
            "lexical reader takes: ask for less at once, or name a model with --model NAME"
        )
    return Assembly(polite(question), vocabulary).reply()


@dataclass
class Assembly:
    """One question on its way to an interpretation."""

    question: str
    """Without what is polite."""
    vocabulary: Vocabulary
    tokens: list[Token] = field(init=False)
    pieces: list[Piece] = field(init=False)
    atoms: list[AtomReply] = field(default_factory=list)
    assumptions: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Cut the question into pieces."""
        self.tokens, self.pieces, told = pieces(self.question, self.vocabulary)
        self.assumptions += told
        self.pieces = [
            each
            for at, each in enumerate(self.pieces)
            if not isinstance(each, Leftover) or not self._is_verb_beside(at)
        ]

    def _is_verb_beside(self, at: int) -> bool:
        """Tell whether a word has the root of the field that a neighbour is about: `affect 500`."""
        piece = self.pieces[at]
        behind = at + 1
        while behind < len(self.pieces) and isinstance(self.pieces[behind], Negated):
            behind += 1
        beside = [each for each in (at - 1, behind) if 0 <= each < len(self.pieces)]
        found = {one.name: one for each in beside for one in self._about(self.pieces[each])}
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

    @property
    def corpus(self) -> CorpusView:
        """What is asked of."""
        return self.vocabulary.corpus

    # -- the whole ------------------------------------------------------------------------------

    def reply(self) -> InterpretReply:
        """Assemble the interpretation."""
        self._check_language()
        self._check_shares()
        self._check_words()
        self._check_counts()
        self._settle_head()
        operation = self._operation()
        entity = self._entity_field(operation)
        group = self._group(operation)
        rank = self._rank()
        counted = group is not None and rank is not None and self._counts_behind(rank)
        measure = None if counted else self._measure(operation, rank, entity)
        looked_up = None if measure or rank or group or entity else self._looked_up(operation)
        measure = self._measured(looked_up, "value") if looked_up is not None else measure
        conditions = self._conditions(self._placed(entity, group, measure))
        if group is not None and operation == "list":
            operation = "count"
        ranked = self._ranked(operation, rank, measure, conditions)
        operation, k, ascending, limit = ranked
        if looked_up is not None:
            operation = self._of_single(looked_up, conditions)
        if limit is not None:
            measure = None
            conditions = _all([each for each in (conditions, limit) if each is not None])
        if group is not None and operation == "top_k":
            raise self._decline([group.name], "what is ranked is not put in groups as well")
        if group is not None and group == entity:
            entity = None
        self._check_meaning(operation, group, entity, conditions)
        self._check_doubts(conditions)
        if group is not None and operation == "count":
            operation = "group_by"
        return InterpretReply(
            restated=self._restated(operation, measure, group, conditions),
            entity_type=self._noun(entity),
            grain="entity" if entity is not None else "document",
            entity_field=entity.name if entity is not None else None,
            conditions=self.atoms,
            logic=_logic(conditions) if conditions is not None else "",
            operation=operation,
            measure=measure,
            group_by=group.name if group is not None else None,
            k=k,
            ascending=ascending,
            quota=None,
            across=False,
            show=[each.name for piece in self._of(Shown) for each in piece.fields[:1]],
            assumptions=list(dict.fromkeys(self.assumptions)),
        )

    def _of(self, kind: type[P]) -> list[P]:
        """Return the pieces of a kind."""
        return [each for each in self.pieces if isinstance(each, kind)]

    def _text(self, start: int, stop: int) -> str:
        return self.question[self.tokens[start].start : self.tokens[stop - 1].end]

    # -- what declines at once --------------------------------------------------------------------

    def _check_language(self) -> None:
        """Decline what shows no English word."""
        known = (Ask, Mentioned, Ranked, Grouped, Amounted, Dated)
        left = self._of(Leftover)
        if not left or any(isinstance(each, known) for each in self.pieces):
            return
        if {each.low for each in self.tokens} & (FUNCTION_WORDS - _AMBIGUOUS):
            return
        strange = [each for each in left if not self.vocabulary.knows(each.token.text)]
        if self._of(Kinds) and 2 * len(strange) <= len(left):
            return
        raise QuestionError(
            "the question does not seem to be in English, the only language that the lexical "
            f"reader knows: ask in English, or {_HELP.partition(', or ')[2]}"
        )

    def _check_words(self) -> None:
        """Decline what asks for more than documents and their fields."""
        for piece in self._of(Leftover):
            word, told = piece.token.low, self._text(piece.start, piece.end)
            more = self._text(piece.start, min(piece.end + 1, len(self.tokens)))
            if word in {"different", "distinct", "unique"}:
                raise self._decline([more], "documents are counted, not what several may share")
            if word in {"per", "each", "every"}:
                raise self._decline([more])
            if len(word) > 5 and word.endswith("iest"):
                raise self._decline([told], "no field is named that it ranks by")

    def _check_counts(self) -> None:
        """Decline two numbers at once, and how often words stand in the texts."""
        counts = [each for each in self._of(Ask) if each.what == "count"]
        if len(counts) > 1:
            told = self._text(counts[1].start, counts[1].end)
            raise self._decline([told], "one number is given at a time: ask for each by itself")
        for each in counts if self._of(Mentioned) else ():
            told = self._text(each.start, each.end)
            if told.casefold() in {"how often", "how many times"}:
                raise self._decline([told], "documents are counted, not places in them")

    def _check_shares(self) -> None:
        lows = [each.low for each in self.tokens[:2]]
        if len(lows) == 2 and lows[0] in _SAID and lows[1] in {"all", "every", "each", "most"}:
            raise self._decline([" ".join(lows)], "ask how many do, or which do not")
        for each in self.tokens:
            if each.low in _SHARES or each.suffix == "%":
                raise QuestionError(
                    f"“{each.text}” needs two numbers, which the lexical reader does not put "
                    "together: ask for both counts one by one, or name a model with --model NAME"
                )

    def _decline(self, words: Sequence[str], why: str = "") -> QuestionError:
        told = ", ".join(f"“{each}”" for each in words)
        every = self.vocabulary.fields
        named = ", ".join(repr(each.name) for each in every[:12])
        named += f" and {len(every) - 12} more" if len(every) > 12 else ""
        fields = f"; the fields here are {named}" if named else "; the documents state no fields"
        reason = why or "no field, value or kind of document here is called that"
        return QuestionError(f"cannot place {told}: {reason}{fields}; {_HELP}")

    # -- kind and operation ---------------------------------------------------------------------

    def _settle_head(self) -> None:
        """Take a noun that nothing marks for all documents, where they are of one kind."""
        head = next(
            (
                each
                for each in self.pieces
                if not isinstance(each, Ask | Valued | Ranked | Gradable)
            ),
            None,
        )
        if isinstance(head, Named) and not self._of(Kinds):
            self._settle_event(head)
        if not isinstance(head, Leftover) and not self._of(Kinds):
            head = self._noun_behind()
        if not isinstance(head, Leftover) or self._of(Kinds):
            return
        if head.token.low in MONTHS or head.token.kind != "word":
            return
        at = self.pieces.index(head)
        following = self.pieces[at + 1] if at + 1 < len(self.pieces) else None
        if isinstance(following, Leftover) and following.start == head.end:
            return
        kind = self.vocabulary.assumed(head.token.norm) or self._unmarked(head)
        if kind is not None:
            made = Kinds(start=head.start, end=head.end, kind=kind, noun=head.token.text)
            self.pieces[at] = made

    def _noun_behind(self) -> Leftover | None:
        """Return the one word left over, where it is the noun of what is measured or ranked.

        `the average fee of the studies`, `the five heaviest cargoes`.
        """
        left = self._of(Leftover)
        at = self.pieces.index(left[0]) if len(left) == 1 else 0
        ranked = at and isinstance(self.pieces[at - 1], Ranked | Valued | Ask)
        before = self.tokens[left[0].start - 1].low if len(left) == 1 and left[0].start else ""
        return left[0] if ranked or before in _OVER else None

    def _settle_event(self, head: Named) -> None:
        """Read what a date is of as what is counted: `losses between …` by the date of loss."""
        dated = [each for each in self._of(Dated) if not each.fields]
        dates = [each for each in head.fields if each.type == "date"]
        if len(head.fields) != 1 or not (dates and dated):
            return
        if not self.vocabulary.of_one_kind(self._having(dates)):
            return
        noun = self._text(head.start, head.end)
        test = Test(dates[0].name, "exists", ())
        assumed = f"each document with {dates[0].name!r} is taken as one of the {noun}"
        self.pieces = [
            Kinds(start=each.start, end=each.end, kind=Kind(test, assumed), noun=noun)
            if each is head
            else replace(each, fields=tuple(dates))
            if isinstance(each, Dated) and each in dated
            else each
            for each in self.pieces
        ]

    def _unmarked(self, head: Leftover) -> Kind | None:
        """Return all documents for a noun where fields tell the rest and all are of one kind."""
        rest = [each for each in self.pieces if each is not head]
        placed = any(
            isinstance(each, Valued | Amounted | Dated | Ranked | Grouped | Mentioned)
            or (isinstance(each, Ask) and each.what in {"avg", "sum", "median"})
            for each in rest
        )
        open_ = any(isinstance(each, Leftover) for each in rest)
        word = head.token.norm
        known = self.vocabulary.knows(word)
        if word in _UNLIKELY or not (placed and known) or open_:
            return None
        if self.vocabulary.uniform:
            return Kind(None, f"each document is taken as one {word}: nothing here marks kinds")
        fields = [one for each in rest for one in self._about(each)]
        if not fields:
            fields = [one for each in rest if isinstance(each, Named) for one in each.fields]
            fields = self._in_asked_unit(fields) or fields
        having = self._having(fields)
        if not having or not self.vocabulary.of_one_kind(having):
            return None
        told = f"each document that has {fields[0].name!r} is taken as one {word}"
        return Kind(Test(fields[0].name, "exists", ()), told)

    def _having(self, fields: Sequence[Field]) -> frozenset[int]:
        """Return the documents that have one of some fields."""
        return frozenset().union(*(self.corpus.field_values(each.name) for each in fields))

    def _operation(self) -> Operation:
        asked = [each.what for each in self._of(Ask)]
        if "avg" in asked:
            return "avg"
        if "median" in asked:
            return "median"
        totalled = "all" in asked and "count" not in asked
        if "sum" in asked or (totalled and self._number_named(None) is not None):
            return "sum"
        if "count" in asked and self._counts_of_head() is not None:
            return "sum"
        if "much" in asked:
            raise self._decline(["how much"], "say on average, in total, the highest or the lowest")
        return "count" if "count" in asked else "list"

    def _counts_of_head(self) -> Field | None:
        """Return the field of whole numbers whose things are counted: `how many performances`."""
        behind = [each for each in self.pieces if not isinstance(each, Ask)]
        if not behind or not isinstance(behind[0], Named) or behind[0].start != self.pieces[0].end:
            return None
        found = [each for each in self._carried(behind[0].fields) if each.type == "number"]
        if len(found) != 1 or not {*norms(found[0].name)} <= {each.norm for each in self.tokens}:
            return None
        if self.tokens[behind[0].start].low == self.tokens[behind[0].start].norm:
            return None
        numbers = [each.number for each in self.corpus.field_values(found[0].name).values()]
        if any(each is None or not each.is_integer() for each in numbers):
            return None
        self.assumptions.append(f"{found[0].name!r} is added up over the documents")
        return found[0]

    def _entity_field(self, operation: Operation) -> Field | None:
        """Return the field whose items are asked for: `which districts …`."""
        if operation not in {"count", "list"}:
            return None
        first = next((each for each in self.pieces if not isinstance(each, Ask)), None)
        if not isinstance(first, Named) or self._of(Mentioned):
            return None
        behind = self._behind(self.pieces.index(first))
        if isinstance(behind, Kinds) and behind.start == first.end:
            return None
        found = [each for each in self._carried(first.fields) if each.type in {"text", "list"}]
        return found[0] if len(found) == 1 else None

    def _group(self, operation: Operation) -> Field | None:
        """Return the field that the result is split by; `by` with a rank names the measure."""
        grouped = self._of(Grouped)
        ranks = self._of(Ranked)
        kinds = self._of(Kinds)
        if ranks and kinds and not grouped and operation in {"count", "list"}:
            return self._group_of_most(ranks[0])
        if not grouped or (ranks and grouped[0].marker == "by"):
            return None
        if len(grouped) > 1:
            raise self._decline(
                [self._text(grouped[1].start, grouped[1].end)], "one group is known"
            )
        words = self._text(grouped[0].start, grouped[0].end)
        found = self._one(grouped[0].fields, words)
        if found.name == _FOLDER and self.tokens[grouped[0].end - 1].norm != "folder":
            found = self._sorted(found)
        if found.type == "date" and not self._of_years(found):
            why = "dates are not put together by year or month"
            raise self._decline([words], why)
        return found

    def _sorted(self, folder: Field) -> Field:
        """Return the field whose kinds are meant: `decisions of each kind`, else the folder."""
        first = next((each for each in self.pieces if not isinstance(each, Ask)), None)
        named = (
            [each for each in self._carried(first.fields) if each.type == "text"]
            if isinstance(first, Named)
            else []
        )
        return named[0] if len(named) == 1 else folder

    def _group_of_most(self, rank: Ranked) -> Field | None:
        """Return the field by whose values documents are counted: `which vet has the most visits`.

        It is named first, or a verb of its root stands there: `who sponsored the most permits`.
        """
        if rank.word not in {"most", "fewest", "highest", "least"}:
            return None
        first = next((each for each in self.pieces if not isinstance(each, Ask)), None)
        if isinstance(first, Named):
            listed = all(each.type in {"text", "list"} for each in first.fields)
            words = self._text(first.start, first.end)
            return self._one(first.fields, words) if listed else None
        for piece in self._of(Leftover) if self._counts_behind(rank) else ():
            akin = self.vocabulary.field_akin(piece.token.low)
            if akin is not None and akin.type in {"text", "list"}:
                self.pieces.remove(piece)
                return akin
        return None

    def _looked_up(self, operation: Operation) -> Field | None:
        """Return the field whose number is asked of one document: `the fee of Kite Festival`."""
        asked = [each for each in self.pieces if not isinstance(each, Ask)]
        if operation != "list" or len(asked) < 2 or not isinstance(asked[0], Named):
            return None
        numbers = [each for each in self._carried(asked[0].fields) if each.type == "number"]
        return numbers[0] if len(numbers) == 1 else None

    def _of_single(self, of: Field, conditions: _Node | None) -> Operation:
        """Return the operation that gives one document's number; decline where several have it."""
        read = any(each.field is None for each in self.atoms)
        having = self._matching(conditions) & self.corpus.field_values(of.name).keys()
        if read or len(having & self._base) != 1:
            why = f"{len(having)} documents have it: say on average, in total, or the highest"
            raise self._decline([of.name], why)
        return "max"

    def _of_years(self, of: Field) -> bool:
        """Tell whether a field holds nothing but years."""
        return all(len(each.strip()) == 4 for each, _ in of.values)

    def _rank(self) -> Ranked | None:
        ranks = self._of(Ranked)
        if ranks and ranks[0].k == 0:
            raise self._decline([self._text(ranks[0].start, ranks[0].end)], "it asks for none")
        if len(ranks) > 1:
            raise self._decline([self._text(ranks[1].start, ranks[1].end)], "one rank is known")
        if not ranks or ranks[0].k is not None:
            return ranks[0] if ranks else None
        for at, piece in enumerate(self.pieces):
            amount = amount_at(self.tokens, piece.start) if isinstance(piece, Leftover) else None
            if amount is not None and isinstance(self._behind(at), Kinds):
                del self.pieces[at]
                return replace(ranks[0], k=int(amount.number))
        return ranks[0]

    def _noun(self, entity: Field | None) -> str:
        if entity is not None:
            return entity.name
        kinds = self._of(Kinds)
        return kinds[0].noun if kinds else "document"

    # -- fields -----------------------------------------------------------------------------------

    @cached_property
    def _base(self) -> frozenset[int]:
        """The documents of the kinds that are asked for."""
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
        return self._documents(Test(name, "is", items)) or every

    def _is_sure(self, at: int, piece: Piece) -> bool:
        """Tell whether a value can only be of one field, and holds."""
        before = self.pieces[at - 1] if at else None
        joined = any(isinstance(each, Joined | Negated) for each in (before, self._behind(at)))
        return isinstance(piece, Valued) and len(piece.items) == 1 and not joined

    def _documents(self, test: Test) -> frozenset[int]:
        """Return the documents that satisfy a test."""
        predicate = Predicate(
            field=test.field, comparison=test.comparison, values=test.values, of=test.of
        )
        values = self._values(test.field)
        every = range(len(self.corpus.documents))
        return frozenset(each for each in every if satisfies(values.get(each), predicate))

    def _values(self, name: str) -> dict[int, FieldValue]:
        if name == NAME_FIELD:
            return {at: name_value(each) for at, each in enumerate(self.corpus.documents)}
        if name == TITLE_FIELD:
            told = enumerate(self.corpus.titles)
            return {at: FieldValue(raw=each, items=(each,)) for at, each in told}
        return dict(self.corpus.field_values(name))

    def _carried(self, fields: Sequence[Field]) -> list[Field]:
        """Return the fields that some document of the kind has."""
        if len(self._base) == len(self.corpus.documents):
            return list(fields)
        return [
            each
            for each in fields
            if not self._base.isdisjoint(self.corpus.field_values(each.name))
        ]

    def _one(self, fields: Sequence[Field], words: str) -> Field:
        """Return the one field that is meant; decline where several or none may be."""
        found = self._carried(fields)
        if len(found) > 1:
            found = (
                self._in_asked_unit(found)
                or self._of_event(found)
                or self._of_noun(found)
                or self._everywhere(found)
                or found
            )
        if len(found) == 1:
            return found[0]
        if not found:
            raise self._decline([words], "these documents have no such field")
        named = " or ".join(repr(each.name) for each in found)
        raise self._decline([words], f"it may be {named}: say which")

    def _in_asked_unit(self, fields: Sequence[Field]) -> list[Field]:
        """Return the field whose unit the question names: `in months`."""
        told = {other.norm for one, other in pairwise(self.tokens) if one.low == "in"}
        named = [each for each in fields if self.vocabulary.unit_of(each.name) in told - {""}]
        return named if len(named) == 1 else []

    def _of_event(self, fields: Sequence[Field]) -> list[Field]:
        """Return the field of dates of what a verb tells: `which lease began earliest`."""
        told = {each.name for token in self.tokens if (each := self.vocabulary.date_of(token.low))}
        named = [each for each in fields if each.name in told]
        return named if len(named) == 1 else []

    def _of_noun(self, fields: Sequence[Field]) -> list[Field]:
        """Return the field with the root of what is counted: `claims over 5` is claimed."""
        nouns = {each.start for each in self._of(Kinds)}
        akin = [each for each in fields if any(self._is_akin(at, each) for at in nouns)]
        if len(akin) == 1 < len(fields):
            self.assumptions.append(f"{akin[0].name!r} is meant, not another field")
        return akin if len(akin) == 1 else []

    def _everywhere(self, fields: Sequence[Field]) -> list[Field]:
        """Return the field that nearly all documents of the kind have, where it is the only one."""
        most = _WIDESPREAD * len(self._base)
        wide = [
            each
            for each in fields
            if len(self._base & self.corpus.field_values(each.name).keys()) >= most
        ]
        return wide if len(wide) == 1 else []

    # -- measure and rank -------------------------------------------------------------------------

    def _measure(
        self, operation: Operation, rank: Ranked | None, entity: Field | None
    ) -> MeasureReply | None:
        if operation in {"avg", "sum", "median"}:
            named = self._number_named(None) or self._called_so(operation)
            if named is not None and named.type == "date":
                named = self._amount_akin(named)
            if named is None:
                words = [each.token.text for each in self._of(Leftover)] or [operation]
                raise self._decline(words, "no field with that number is named")
            return self._measured(named, "value")
        if rank is None or (rank.word == "most" and self._counted_most(entity)):
            return None
        if rank.word in _COUNTING and self._counts_behind(rank):
            words = [self._text(rank.start, rank.end)]
            raise self._decline(words, "no field is named whose values are counted by documents")
        named = self._by_degree(rank) or self._number_named(rank)
        if named is None:
            words = [self._text(rank.start, rank.end)]
            raise self._decline(words, "no field is named that it ranks by")
        return self._measured(named, "length" if named.type == "list" else "value")

    def _amount_akin(self, of: Field) -> Field | None:
        """Return the one field of numbers with the root of a date's name: `award` of `awarded`."""
        found = [
            each
            for each in self._carried(self.vocabulary.numbers())
            if any(root(one, other) for one in norms(of.name) for other in norms(each.name))
        ]
        return found[0] if len(found) == 1 else None

    def _counts_behind(self, rank: Ranked) -> bool:
        """Tell whether documents stand behind a superlative: `the most emergency visits`."""
        at = rank.end
        for piece in self.pieces:
            if piece.start == at and isinstance(piece, Valued):
                at = piece.end
            elif piece.start == at and isinstance(piece, Kinds):
                return True
        return False

    def _called_so(self, operation: Operation) -> Field | None:
        """Return the field of numbers that the word of the operation names: `total in 2023`."""
        asked = next((each for each in self._of(Ask) if each.what == operation), None)
        if asked is None or asked.end - asked.start > 1:
            return None
        fields, _ = self.vocabulary.fields_at(self.tokens, asked.start)
        numbers = [each for each in self._carried(fields) if each.type == "number"]
        return numbers[0] if len(numbers) == 1 else None

    def _by_degree(self, rank: Ranked) -> Field | None:
        """Return the field that a superlative is about by itself: `the cheapest`, `the tallest`."""
        if rank.degree is None:
            return None
        word = self._text(rank.start, rank.end)
        found = rank.degree.fields(self._carried(self.vocabulary.fields), self.vocabulary)
        if not found and rank.word:
            return None
        named = self._one(found, word)
        self.assumptions.append(f"“{word}” is taken by {named.name!r}")
        return named

    def _counted_most(self, entity: Field | None) -> bool:
        return entity is not None and bool(self._of(Kinds))

    def _number_named(self, rank: Ranked | None) -> Field | None:
        """Return the field whose number is asked for: behind a superlative, or the one named."""
        named = [(each.end, each) for each in self._of(Named)]
        grouped = self._of(Grouped)
        if rank is not None and grouped and grouped[0].marker == "by":
            return self._one(grouped[0].fields, self._text(grouped[0].start, grouped[0].end))
        if rank is not None:
            behind = [each for _, each in named if each.start >= rank.end]
            named = [(each.end, each) for each in behind] or named
        for _, each in named:
            found = [
                one for one in self._carried(each.fields) if one.type in {"number", "date", "list"}
            ]
            if found:
                found = self._named_twice(each, found)
                return self._one(found, self._text(each.start, each.end))
        return None

    def _named_twice(self, piece: Named, fields: list[Field]) -> list[Field]:
        """Return the one of several fields that another word names, too: `amount … claimed`."""
        if len(fields) < 2:
            return fields
        others = [one for each in self._of(Named) if each is not piece for one in each.fields]
        both = [each for each in fields if each in others]
        akin = [each for each in fields for at in self._loose if self._is_akin(at, each)]
        return both if len(both) == 1 else akin if len(akin) == 1 else fields

    @property
    def _loose(self) -> list[int]:
        """The places of the words that no other piece than a leftover takes."""
        return [each.start for each in self._of(Leftover)]

    def _measured(self, of: Field, how: Literal["value", "length"]) -> MeasureReply:
        if how == "value" and of.type not in {"number", "date"}:
            raise self._decline([of.name], "this field holds no numbers")
        units = {
            unit for at, value in self.corpus.field_values(of.name).items()
            if at in self._base and (unit := self.vocabulary.unit_written(value.raw)) is not None
        }  # fmt: skip
        asked = units & {each.unit for each in self._of(Priced)}
        units = asked or units
        if of.type == "number" and len(units) > 1:
            told = ", ".join(sorted(each or "none" for each in units))
            raise self._decline([of.name], f"its numbers are written in several units ({told})")
        unit = min(asked) if asked else self.vocabulary.unit_of(of.name)
        shown = unit if unit and unit not in of.name.casefold().split() else None
        return MeasureReply(
            text=of.name, field=of.name, of=how, unit=shown if how == "value" else None, places=[]
        )

    def _ranked(
        self,
        operation: Operation,
        rank: Ranked | None,
        measure: MeasureReply | None,
        conditions: _Node | None,
    ) -> tuple[Operation, int | None, bool, _Node | None]:
        """Return the operation of a rank, how many, which end first, and a limit of dates."""
        if rank is None or measure is None or operation not in {"count", "list"}:
            return operation, None, False, None
        of = next(each for each in self.vocabulary.fields if each.name == measure.field)
        if rank.degree is not None:
            less = rank.degree.sign(of, self.vocabulary) < 0
            rank = replace(rank, ascending=less != rank.ascending)
        kinds = self._of(Kinds)
        if of.type == "date":
            return "list", None, False, self._outermost(of, rank, conditions)
        listed = rank.degree or (kinds and kinds[0].start < rank.start) or self._asks_who
        if rank.k is None and not listed:
            return ("min" if rank.ascending else "max"), None, False, None
        return "top_k", rank.k or 1, rank.ascending, None

    @property
    def _asks_who(self) -> bool:
        return bool(self.tokens) and self.tokens[0].low in {"who", "whose"}

    def _outermost(self, of: Field, rank: Ranked, conditions: _Node | None) -> _Node:
        """Return the limit that the first or last dates keep, among what matches the rest."""
        if any(each.terms or each.field is None for each in self.atoms):
            raise self._decline([self._text(rank.start, rank.end)], "it is ranked among mentions")
        matching = self._base & self._matching(conditions)
        values = self.corpus.field_values(of.name)
        dates = sorted(
            (date for at in matching if at in values and (date := values[at].date) is not None),
            reverse=not rank.ascending,
        )
        if not dates:
            raise self._decline([self._text(rank.start, rank.end)], f"none has a {of.name!r}")
        limit = dates[min(rank.k or 1, len(dates)) - 1]
        self.assumptions.append(f"the limit of {of.name!r} is {limit}")
        return self._atom(Test(of.name, "at_most" if rank.ascending else "at_least", (limit,)))

    def _matching(self, node: _Node | None) -> frozenset[int]:
        every = frozenset(range(len(self.corpus.documents)))
        if node is None:
            return every
        if node.kind == "atom" and node.atom is not None and node.atom.field is not None:
            atom = node.atom
            how = atom.comparison or "exists"
            return self._documents(Test(atom.field or "", how, tuple(atom.values), atom.of))
        parts = [self._matching(each) for each in node.parts]
        if node.kind == "not":
            return every - parts[0]
        if node.kind == "or":
            return frozenset().union(*parts)
        return every.intersection(*parts)

    # -- conditions -------------------------------------------------------------------------------

    def _placed(
        self,
        entity: Field | None,
        group: Field | None,
        measure: MeasureReply | None,
    ) -> set[int]:
        """Return the pieces that the operation has taken, by their place in the row."""
        taken: set[int] = set()
        roles = {each for each in (measure.field if measure else None,
                                   entity.name if entity else None,
                                   group.name if group else None) if each}  # fmt: skip
        for at, piece in enumerate(self.pieces):
            if isinstance(piece, Ask | Shown | Ranked | Grouped):
                taken.add(at)
            if isinstance(piece, Named) and roles & {each.name for each in piece.fields}:
                taken.add(at)
            if isinstance(piece, Named) and measure is not None and self._is_called_by(at, measure):
                taken.add(at)
            before = self.pieces[at - 1] if at else None
            compared = isinstance(before, Valued | Amounted | Dated)
            told = {each.name for each in self._about(before)} if before and compared else set()
            if isinstance(piece, Named) and told & {each.name for each in piece.fields}:
                taken.add(at)
        return taken

    def _is_called_by(self, at: int, measure: MeasureReply) -> bool:
        """Tell whether a field's name is but the noun of what is measured or ranked.

        `plot size` is the size; `the three biggest plots` are documents, other in each of them.
        """
        piece, behind = self.pieces[at], self._behind(at)
        if not isinstance(piece, Named) or {each.type for each in piece.fields} != {"text"}:
            return False
        measured = isinstance(behind, Named) and behind.start == piece.end
        if measured and isinstance(behind, Named):
            return measure.field in {each.name for each in behind.fields}
        before = self.pieces[at - 1] if at else None
        ranked = isinstance(before, Ranked) and before.end == piece.start
        having = self.corpus.field_values(measure.field or "").keys() & self._base
        told = [self.corpus.field_values(each.name) for each in self._carried(piece.fields)]
        return ranked and any(
            having <= values.keys() and len({values[at].raw for at in having}) == len(having)
            for values in told
        )

    def _conditions(self, taken: set[int]) -> _Node | None:
        items = list(self._items(taken))
        kinds = [each for each in items if each.key == "kind"]
        for one, other in pairwise(kinds):
            if not (other.join or self._matching(one.node) & self._matching(other.node)):
                words = [self._text(each.start, each.end) for each in self._of(Kinds)]
                raise self._decline(words, "no document is of both kinds")
        rest = [each for each in items if each.key != "kind"]
        nodes = [self._joined(cluster) for cluster in _clusters(kinds)]
        early = [each for each in rest if each.before_kind]
        nodes += [self._joined(cluster) for cluster in _clusters(early)]
        nodes += self._later([each for each in rest if not each.before_kind])
        return _all(nodes) if nodes else None

    @property
    def _any_kind(self) -> bool:
        """Whether one of several kinds is every document: `entries or letters`."""
        return any(
            isinstance(one, Kinds) and isinstance(other, Kinds) and isinstance(join, Joined)
            and None in {one.kind.test, other.kind.test}
            for one, join, other in zip(self.pieces, self.pieces[1:], self.pieces[2:], strict=False)
        )  # fmt: skip

    def _later(self, items: list[_Item]) -> list[_Node]:
        """Join what stands behind the noun: all by and, or two by or."""
        clusters = list(_clusters(_bound(items)))
        joins = [cluster[0].join for cluster in clusters[1:]]
        nodes = [self._joined(cluster) for cluster in clusters]
        if "or" not in joins:
            return nodes
        if set(joins) == {"or"}:
            return [_Node("or", tuple(nodes))]
        raise QuestionError(
            "“and” and “or” together can be meant in two ways: ask for each alternative by itself, "
            "or name a model with --model NAME"
        )

    def _joined(self, cluster: Sequence[_Item]) -> _Node:
        """Join a list, where it denies with what its documents must state."""
        node = _joined(cluster)
        atoms = [each.node.atom for each in cluster if each.negated and each.stated]
        names = dict.fromkeys(each.field for each in atoms if each is not None and each.field)
        return _all([node, *(self._atom(Test(each, "exists", ())) for each in names)])

    def _items(self, taken: set[int]) -> Iterator[_Item]:
        """Yield the conditions in the order of the question.

        A negation reaches over the list that follows it; `neither` over all alternatives.
        """
        kinds = [at for at, each in enumerate(self.pieces) if isinstance(each, Kinds)]
        join: _Join = ""
        negated, over = "", ""
        skip: set[int] = set()
        for at, piece in enumerate(self.pieces):
            if at in taken or at in skip or self._says_field_of_next(at):
                continue
            if isinstance(piece, Joined):
                join = "or" if "or" in {piece.by, join} else piece.by
            elif isinstance(piece, Negated):
                negated, over = piece.word, ""
            else:
                run = self._run(at, taken) if self._is_prose(at, piece) else [at]
                skip |= set(run)
                for each in self._made(run, piece, negated, join):
                    if negated and over and each.key != over and negated != "neither":
                        self._check_reach(join)
                        negated = ""
                    each.negated, over = negated, each.key
                    each.join = "and" if negated == "neither" and join else join
                    each.before_kind = at < max(kinds, default=-1) and each.key != "kind"
                    yield each
                    join = ""
                if not isinstance(self._behind(run[-1]), Joined):
                    join, negated, over = "", "" if over else negated, ""

    def _made(self, run: list[int], piece: Piece, negated: str, join: _Join) -> list[_Item]:
        """Return the conditions of a piece, or of a phrase about meaning."""
        if self._is_prose(run[0], piece):
            return [self._meaning(run, "" if join else negated)]
        return self._tested(piece, negated)

    def _check_reach(self, join: _Join) -> None:
        if join == "or":
            raise QuestionError(
                "how far the negation reaches over “or” can be meant in two ways: ask for each "
                "alternative by itself, or name a model with --model NAME"
            )

    def _behind(self, at: int) -> Piece | None:
        return self.pieces[at + 1] if at + 1 < len(self.pieces) else None

    def _is_prose(self, at: int, piece: Piece) -> bool:
        return isinstance(piece, Leftover) or self._in_prose(at, piece)

    def _tested(self, piece: Piece, negated: str) -> list[_Item]:
        if isinstance(piece, Kinds):
            return self._of_kind(piece)
        if isinstance(piece, Mentioned):
            return [self._of_mention(piece, negated)]
        made: dict[type[Piece], Callable[[Any], _Item]] = {
            Valued: self._of_value,
            Amounted: self._of_amount,
            Dated: self._of_date,
            Named: self._of_name,
            Gradable: self._of_degree,
            Priced: self._of_currency,
        }
        if type(piece) not in made:
            raise self._decline([self._text(piece.start, piece.end)])
        item = made[type(piece)](piece)
        if negated and item.node.atom is not None:
            number = isinstance(piece, Amounted | Dated)
            words = f"{negated} {self._text(piece.start, piece.end)}"
            item.stated = self._denied(item.node.atom, words, number=number)
        return [item]

    def _denied(self, atom: AtomReply, words: str, *, number: bool) -> bool:
        """Tell whether a denial is but of documents that state the field; decline where it is open.

        A letter without a rent has not `a rent that is not above 500`; of a lease without one it
        is open.
        """
        name = atom.field or ""
        if name in {_FOLDER, *PSEUDO_FIELDS}:
            return False
        lacking = self._base - self._values(name).keys()
        alike = could_state(self.corpus, name, lacking) if lacking else frozenset[int]()
        told = f"{counted(len(lacking), 'document')} asked about state no {name!r}"
        if alike and (number or lacking - alike):
            raise self._decline([words], f"{told}: say it without the negation")
        if lacking - alike and atom.comparison == "exists":
            raise self._decline([words], f"{told}: say of which kind they are")
        if atom.comparison == "exists" and self._base - self._stating:
            raise self._decline([words], "some of the documents asked about state no fields at all")
        return bool(lacking) and not alike

    @cached_property
    def _stating(self) -> frozenset[int]:
        """The documents that state a field."""
        written = [each for each in self.vocabulary.fields if each.written]
        return self._having(written)

    def _of_kind(self, piece: Kinds) -> list[_Item]:
        if piece.kind.assumed:
            self.assumptions.append(piece.kind.assumed)
        if piece.kind.test is None or self._any_kind:
            return []
        nodes = [self._atom(each) for each in (piece.kind.test, *piece.kind.others)]
        return [_Item(nodes[0] if len(nodes) == 1 else _Node("or", tuple(nodes)), "", "kind")]

    def _of_value(self, piece: Valued) -> _Item:
        words = self._text(piece.start, piece.end)
        named = [each for each in self.vocabulary.fields if each.name in piece.items]
        found = self._carried([each for each in named if each in piece.fields] or named)
        if not found:
            return self._of_part(piece, words)
        if piece.part:
            ((name, items),) = piece.items.items()
            self.assumptions.append(f"“{words}” is read as {name!r}: {', '.join(items[:3])}")
        found = self._listed_with(piece, found)
        of = self._kin(piece, self._carried(found)) or self._one(found, words)
        items = tuple(dict.fromkeys(piece.items[of.name]))
        told = self.vocabulary.with_variants(of.name, items)
        if more := told[len(items) :]:
            self.assumptions.append(f"“{words}” is written {', '.join(map(repr, more))}, too")
        test = Test(of.name, "is", told)
        words_at = range(piece.start, piece.end)
        return _Item(self._atom(test), "", of.name, listed=of.type == "list", words=words_at)

    def _kin(self, piece: Valued, fields: Sequence[Field]) -> Field | None:
        """Return the one of several fields that a verb names: `reported by X` the reporter.

        The nearest word before the value decides, else the nearest behind it.
        """
        if len(fields) < 2:
            return None
        spans = (range(piece.start - 1, -1, -1), range(piece.end, len(self.tokens)))
        for at in (each for span in spans for each in span):
            kin = [each for each in fields if self._is_akin(at, each)]
            if len(kin) == 1:
                self.assumptions.append(f"“{self.tokens[at].text}” is read as {kin[0].name!r}")
                return kin[0]
        return None

    def _is_akin(self, at: int, of: Field) -> bool:
        """Tell whether a word of the question has the root of a field's name."""
        low = self.tokens[at].low
        return (
            len(low) > 2
            and low not in FUNCTION_WORDS
            and any(root(low, name) for name in norms(of.name))
        )

    def _says_field_of_next(self, at: int) -> bool:
        """Tell whether a field's name is but the verb of the value behind it: `reported by X`."""
        piece, behind = self.pieces[at], self._behind(at)
        if not isinstance(piece, Named) or not isinstance(behind, Valued):
            return False
        if piece.before in _EXISTING:
            return False
        between = self.tokens[piece.end : behind.start]
        own = [each for each in self.vocabulary.fields if each.name in behind.items]
        return all(each.low in _AGENT for each in between) and any(
            self._is_akin(word, each) for word in range(piece.start, piece.end) for each in own
        )

    def _listed_with(self, piece: Valued, found: list[Field]) -> list[Field]:
        """Return the fields that the other values of a list have, too: `cranes and lifts`."""
        place = self.pieces.index(piece)
        names = {each.name for each in found}
        for step in (-1, 1):
            at = place
            while 0 <= at + 2 * step < len(self.pieces) and isinstance(
                self.pieces[at + step], Joined
            ):
                at += 2 * step
                other = self.pieces[at]
                if not isinstance(other, Valued):
                    break
                names &= other.items.keys()
        return [each for each in found if each.name in names] or found

    def _of_part(self, piece: Valued, words: str) -> _Item:
        """Take words that are part of the values that these documents have."""
        found = {
            name: items
            for name, items in self.vocabulary.values_with(piece.words).items()
            if self._carried([each for each in self.vocabulary.fields if each.name == name])
        }
        if len(found) != 1:
            raise self._decline([words], "no field of these documents has it as a value")
        ((name, items),) = found.items()
        self.assumptions.append(f"“{words}” is read as {name!r}: {', '.join(items[:3])}")
        return _Item(self._atom(Test(name, "is", items)), "", name)

    def _of_amount(self, piece: Amounted) -> _Item:
        words = self._text(piece.start, piece.end)
        units = {each.unit for each in piece.amounts} - {""}
        of = self._one(self._amounted(piece, units, words), words)
        currency = self._check_currency(units, of, words)
        if piece.every:
            self._check_span(piece, of, words)
        numbers = self._in_unit(piece, of, words)
        how: Literal["value", "length"] = "length" if of.type == "list" else "value"
        comparison: Comparison = piece.comparison
        if piece.turned and piece.degree and piece.degree.sign(of, self.vocabulary) < 0:
            comparison = TURNED[comparison]
        if comparison == "is":
            self._check_year(of, numbers[0], words)
            comparison, numbers = "between", (numbers[0], numbers[0])
        node = self._atom(Test(of.name, comparison, numbers, how))
        if currency:
            node = _all([node, self._written_in(of, currency)])
        return _Item(node, "", f"{of.name} {words}")

    def _amounted(self, piece: Amounted, units: set[str], words: str) -> list[Field]:
        """Return the fields that an amount may be compared with."""
        fields = [each for each in self._carried(piece.fields) if each.type in {"number", "list"}]
        if piece.fields and not fields:
            raise self._decline([words], "the field that is named holds no numbers")
        if fields:
            return fields
        if not units:
            return self._measured_so(piece)
        fields = [
            each
            for each in self._carried(self.vocabulary.numbers())
            if self.vocabulary.unit_of(each.name) in units
            or units & self.vocabulary.currencies(each).keys()
        ]
        if len(fields) == 1:
            self.assumptions.append(f"“{words}” is compared with {fields[0].name!r}")
        return fields

    def _of_currency(self, piece: Priced) -> _Item:
        """Read a currency as that of the one field that has numbers in it."""
        words = self._text(piece.start, piece.end)
        measured = self._number_named(next(iter(self._of(Ranked)), None))
        amounts = [each for each in self._carried(self.vocabulary.fields)
                   if piece.unit in self.vocabulary.currencies(each)]  # fmt: skip
        of = measured if measured in amounts else self._one(amounts, words)
        return _Item(self._written_in(of, piece.unit), "", f"{of.name} unit")

    def _written_in(self, of: Field, unit: str) -> _Node:
        """Return the condition that a field's number is written in a currency."""
        return self._atom(Test(of.name, "contains", self.vocabulary.currencies(of)[unit]))

    def _check_currency(self, told: set[str], of: Field, words: str) -> str:
        """Return the currency to look for where a field has several.

        Decline an amount in another currency than the field's, or in none beside several; say so
        where the field states none.
        """
        own, several = self.vocabulary.unit_of(of.name), self.vocabulary.currencies(of)
        if len(several) > 1:
            if len(told & several.keys()) != 1:
                raise self._decline([words], f"{of.name!r} is in {' and '.join(sorted(several))}")
            return min(told)
        if told and own.isupper() and own not in told:
            raise self._decline([words], f"{of.name!r} is in {own}")
        if told and not own:
            self.assumptions.append(f"{of.name!r} states no currency: it is taken as {min(told)}")
        return ""

    def _check_span(self, piece: Amounted, of: Field, words: str) -> None:
        """Take an amount `a year` for what the field states, unless its name has another span."""
        own = {"".join(each).removesuffix("ly") for each in norms(of.name)} & {*SPANS, "annual"}
        if own and piece.every not in {"year" if each == "annual" else each for each in own}:
            raise self._decline([words], f"{of.name!r} is not for a {piece.every}")
        if not own:
            self.assumptions.append(f"{of.name!r} is taken as for a {piece.every}")

    def _check_year(self, of: Field, number: str, words: str) -> None:
        """Decline a year that is no number of a field: `fixed in 2022` beside versions."""
        held = [each.number for each in self.corpus.field_values(of.name).values()]
        numbers = [each for each in held if each is not None]
        outside = not numbers or not min(numbers) <= float(number) <= max(numbers)
        if outside and YEAR.fullmatch(number):
            raise self._decline([words], f"{of.name!r} holds no years")

    def _measured_so(self, piece: Amounted) -> list[Field]:
        """Return the fields that an amount can be of by its unit, and by an adjective."""
        numbers = self._carried(self.vocabulary.numbers())
        if piece.degree is not None:
            numbers = piece.degree.fields(numbers, self.vocabulary)
        if not piece.unit:
            return numbers if piece.degree is not None else []
        same = [each for each in numbers if self.vocabulary.unit_of(each.name) == piece.unit]
        return same or [
            each for each in numbers if self.vocabulary.scaled(1, piece.unit, each) is not None
        ]

    def _in_unit(self, piece: Amounted, of: Field, words: str) -> tuple[str, ...]:
        """Return the numbers of an amount in the unit of its field."""
        own = self.vocabulary.unit_of(of.name)
        scaled = [self.vocabulary.scaled(each.number, piece.unit, of) for each in piece.amounts]
        numbers = tuple(f"{each:.12g}" for each in scaled if each is not None)
        if numbers:
            self.assumptions.append(f"“{words}” is compared with {of.name!r}, in {own}")
            return numbers
        return tuple(each.written for each in piece.amounts)

    def _of_date(self, piece: Dated) -> _Item:
        words = self._text(piece.start, piece.end)
        named = self._carried(piece.fields)
        dates = [
            each for each in named or self._carried(self.vocabulary.dates) if each.type == "date"
        ]
        years = [each for each in named if each.type == "number"]
        if not dates and len(years) == 1 and all(len(each) == 4 for each in piece.dates):
            return _Item(self._atom(Test(years[0].name, piece.comparison, piece.dates)), "", words)
        of = self._one(dates, words)
        year = self.vocabulary.only_year
        if year and any(each.startswith(year) for each in piece.dates) and year not in words:
            self.assumptions.append(f"“{words}” is in {year}, the year of all dates here")
        if not named:
            self.assumptions.append(f"“{words}” is compared with {of.name!r}")
        key = of.name if piece.comparison == "is" else f"{of.name} {words}"
        return _Item(self._atom(Test(of.name, piece.comparison, piece.dates)), "", key)

    def _of_mention(self, piece: Mentioned, negated: str) -> _Item:
        nodes = []
        within = self._prose_field
        known = [each for each in piece.terms if self.vocabulary.knows(each[0].split()[0])]
        for spellings in piece.terms:
            if len(spellings) == 1 and not (known and piece.joined == "or"):
                self._check_spelling(spellings[0])
            if within:
                nodes.append(self._inside(within, spellings))
                continue
            atom = AtomReply(
                id=f"c{len(self.atoms) + 1}", text=f"mentions {' or '.join(spellings)}", counts=[],
                excludes=[], terms=list(spellings), field=None, comparison=None, values=[],
                of="value",
            )  # fmt: skip
            self.atoms.append(atom)
            nodes.append(_Node("atom", atom=atom))
        either = piece.joined == "or" or piece.neither
        if negated and len(nodes) > 1 and not (piece.neither or piece.both or negated == "neither"):
            told = f" {piece.joined} ".join(each[0] for each in piece.terms)
            self.assumptions.append(f"“{told}” under the negation is read as neither of them")
            either = True
        node = nodes[0] if len(nodes) == 1 else _Node("or" if either else "and", tuple(nodes))
        return _Item(_Node("not", (node,)) if piece.neither else node, "", "mention")

    def _check_spelling(self, term: str) -> None:
        """Decline a word that stands nowhere though one like it does: it is likely misspelt."""
        lexicon = self.corpus.lexicon
        words = term.split()
        unknown = [each for each in words if each.islower() and not self.vocabulary.knows(each)]
        if len(words) > len(unknown) > 0:
            raise self._decline(unknown, "it stands in no document, though the rest of it does")
        for word in words:
            low = word.casefold()
            if len(low) < 4 or not low.isalpha() or self.vocabulary.knows(word):
                continue
            near = [each for each in lexicon.spellings(low) if each[:1] == low[:1]]
            if near:
                told = " or ".join(f"“{each}”" for each in near[:3])
                raise QuestionError(
                    f"“{word}” stands in no document; {told} does: ask again with the word you mean"
                )

    def _of_name(self, piece: Named) -> _Item:
        """Read a field by itself: that a document has it, or that it is true."""
        words = self._text(piece.start, piece.end)
        of = self._one(piece.fields, words)
        if {each.casefold() for each, _ in of.values} <= {"true", "false", "yes", "no"}:
            wanted = tuple(each for each, _ in of.values if each.casefold() in {"true", "yes"})
            return _Item(
                self._atom(Test(of.name, "is", wanted or ("true",))), "", f"{of.name} true"
            )
        if piece.before in {"no", "without"} and of.type == "number" and self._has_zero(of):
            raise self._decline([words], "say whether 0 counts, or that the field is missing")
        if piece.before in _EXISTING:
            return _Item(self._atom(Test(of.name, "exists", ())), "", f"{of.name} exists")
        items, size = self.vocabulary.values_at(self.tokens, piece.start)
        if len(items) == 1 and size == piece.end - piece.start:
            told = tuple(each.norm for each in self.tokens[piece.start : piece.end])
            made = Valued(start=piece.start, end=piece.end, items=items, words=told)
            self.pieces[self.pieces.index(piece)] = made
            return self._of_value(made)
        raise self._decline([words], "say what of this field is meant")

    def _has_zero(self, of: Field) -> bool:
        values = self.corpus.field_values(of.name).items()
        return any(value.number == 0 for at, value in values if at in self._base)

    def _of_degree(self, piece: Gradable) -> _Item:
        """Take the likeliest limit of a word of degree or time, and say so."""
        limit = self.limit(piece)
        self.assumptions.append(f"“{piece.word}” is read as {limit.readings[0].words}")
        test = limit.readings[0].test
        return _Item(self._atom(test), "", f"{test.field} limit")

    def limit(self, piece: Gradable) -> Limit:
        """Return the limits that a word of degree or time may mean; decline where none is near."""
        fields = self._carried(self.vocabulary.fields)
        if piece.degree is not None:
            found = limit_of(piece.degree, fields, self.vocabulary, self._base)
        else:
            found = time_limit(piece.word, fields, self.vocabulary, self._base)
        if found is None:
            raise self._decline(
                [piece.word], "it sets no limit here: say from which value or date on"
            )
        return found

    def _in_prose(self, at: int, piece: Piece) -> bool:
        """Tell whether a word that is a value too belongs to a phrase about meaning before it."""
        before = self.pieces[at - 1] if at else None
        if not isinstance(before, Leftover):
            return False
        if before.token.low == "about" and isinstance(piece, Valued | Named | Kinds):
            return True
        if isinstance(piece, Named):
            return piece.before not in {"with", "without", "have", "has"}
        if isinstance(piece, Valued):
            capital = self.tokens[piece.start].text[:1].isupper()
            return not (capital or piece.fields) and piece.start <= before.end + 2
        return isinstance(piece, Kinds | Gradable | Ranked) and piece.start <= before.end + 2

    def _run(self, at: int, taken: set[int]) -> list[int]:
        """Return the pieces of a phrase about meaning, from its first word on."""
        run = [at]
        for each in range(at + 1, len(self.pieces)):
            piece = self.pieces[each]
            if each in taken and not isinstance(piece, Ask):
                break
            following = self.pieces[each + 1] if each + 1 < len(self.pieces) else None
            inner = isinstance(piece, Joined) and isinstance(following, Leftover)
            if isinstance(piece, Leftover) or inner or self._in_prose(each, piece):
                run.append(each)
            else:
                break
        return run

    def _meaning(self, run: Sequence[int], negated: str) -> _Item:
        """Make a condition that only a reader can judge."""
        first, last = self.pieces[run[0]], self.pieces[run[-1]]
        start = first.start
        while start and self.tokens[start - 1].low in FUNCTION_WORDS - _SAID and not negated:
            if any(each.start <= start - 1 < each.end for each in self.pieces):
                break
            start -= 1
        text = self._text(start, last.end)
        said = [at for at in run if not isinstance(self.pieces[at], Kinds)]
        inside = [self.tokens[each] for at in said for each in self._places(at)]
        words = [each.text for each in inside if each.low not in FUNCTION_WORDS] or [text]
        if not any(
            self.vocabulary.knows(each) for each in words if each.casefold() not in FUNCTION_WORDS
        ):
            raise self._decline(words, "no field, value or passage here has it")
        if negated:
            raise self._decline(
                [f"{negated} {text}"],
                "that something is not stated, only a reader of every document can tell",
            )
        atom = AtomReply(
            id=f"c{len(self.atoms) + 1}", text=text, counts=[], excludes=[], terms=[], field=None,
            comparison=None, values=[], of="value",
        )  # fmt: skip
        self.atoms.append(atom)
        return _Item(_Node("atom", atom=atom), "", f"meaning {run[0]}")

    def _places(self, at: int) -> range:
        return range(self.pieces[at].start, self.pieces[at].end)

    def _atom(self, test: Test) -> _Node:
        between = test.comparison == "between"
        values = (" and " if between else " or ").join(test.values)
        how = test.comparison.replace("_", " ")
        if between and len(set(test.values)) == 1:
            how, values = "is", test.values[0]
        counted = "number of " if test.of == "length" else ""
        told = f"{counted}{test.field} {how} {values}".strip()
        atom = AtomReply(
            id=f"c{len(self.atoms) + 1}", text=told, counts=[], excludes=[], terms=[],
            field=test.field, comparison=test.comparison, values=list(test.values), of=test.of,
        )  # fmt: skip
        self.atoms.append(atom)
        return _Node("atom", atom=atom)

    # -- the end ----------------------------------------------------------------------------------

    def _check_meaning(
        self,
        operation: Operation,
        group: Field | None,
        entity: Field | None,
        conditions: _Node | None,
    ) -> None:
        """Decline a number over what only a reader can judge, and what has nothing placed."""
        read = [each.text for each in self.atoms if each.field is None and not each.terms]
        if read and (operation not in {"count", "list"} or group or entity):
            raise self._decline(read, "only a reader can tell, and a number hangs on it")
        bare = conditions is None and not self._of(Kinds) and operation in {"count", "list"}
        if bare and entity is None and group is None:
            raise self._decline([self.question], "it names nothing that is counted")

    def _check_doubts(self, conditions: _Node | None) -> None:
        """Decline what counts documents that lie with a kind and are named otherwise."""
        read = any(each.field is None and not each.terms for each in self.atoms)
        mentions = any(each.terms for each in self.atoms) or bool(self._of(Negated))
        matching = self._base if mentions else self._base & self._matching(conditions)
        for piece in self._of(Kinds) if not read else ():
            test = piece.kind.test
            inside = self._documents(test) if test is not None else self._base
            doubted = (piece.kind.doubted & matching) | (piece.kind.doubted - inside)
            if doubted:
                names = ", ".join(self.corpus.documents[each] for each in sorted(doubted)[:3])
                why = f"whether {names} is one, its name and its place or title tell differently"
                raise self._decline([piece.noun], why)

    @property
    def _prose_field(self) -> str:
        """The field of sentences whose words are asked for: `remarks that mention fog`."""
        kinds = [each.kind.test for each in self._of(Kinds)]
        names = [each.field for each in kinds if each is not None and each.comparison == "exists"]
        names += [one.name for each in self._of(Named) for one in each.fields]
        for name in names:
            values = [len(each.raw.split()) for each in self.corpus.field_values(name).values()]
            if sum(values) > _SENTENCE * len(values):
                return name
        return ""

    def _inside(self, name: str, spellings: Sequence[str]) -> _Node:
        """Return the condition that a field has words, in the singular or plural."""
        inflected = (
            each
            for word in spellings
            for each in self.corpus.lexicon.inflections(word.casefold())
            if norms(each) == norms(word)
        )
        return self._atom(Test(name, "contains", tuple(dict.fromkeys((*spellings, *inflected)))))

    def _restated(
        self,
        operation: Operation,
        measure: MeasureReply | None,
        group: Field | None,
        conditions: _Node | None,
    ) -> str:
        asked = {"list": "List", "count": "Count", "group_by": "Count", "top_k": "Rank"}
        told = asked.get(operation, f"The {operation} of {measure.text if measure else ''} over")
        parts = [told, "the documents"]
        if conditions is not None:
            parts.append(f"for which {_in_words(conditions)}")
        if operation == "top_k" and measure is not None:
            parts.append(f"by {measure.text}")
        if group is not None:
            parts.append(f"by {group.name}")
        return " ".join(parts) + "."


def _clusters(items: Sequence[_Item]) -> Iterator[list[_Item]]:
    """Yield runs of conditions that form one list: values of one field, kinds, mentions."""
    cluster: list[_Item] = []
    for each in items:
        apart = cluster and (each.key, each.negated) != (cluster[-1].key, cluster[-1].negated)
        if cluster and (apart or not each.join):
            yield cluster
            cluster = []
        cluster.append(each)
    if cluster:
        yield cluster


def _bound(items: Sequence[_Item]) -> list[_Item]:
    """Put together values that stand side by side: `labradors or siamese cats`.

    What stands side by side belongs together before `or` does.
    """
    told: list[_Item] = []
    either = any(each.join == "or" for each in items)
    for each in items:
        last = told[-1] if told else None
        beside = last is not None and not each.join and each.words and last.words
        if last and beside and either and last.words.stop == each.words.start and not each.negated:
            key = f"{last.key} {each.key}"
            node = _Node("and", (last.node, each.node))
            told[-1] = replace(last, node=node, key=key, words=each.words)
        else:
            told.append(each)
    return told


def _joined(cluster: Sequence[_Item]) -> _Node:
    """Join a list: of one value a document, any; of several items, as it is said."""
    first = cluster[0]
    nodes = tuple(each.node for each in cluster)
    negated = first.negated
    if len(nodes) == 1:
        node = nodes[0]
    else:
        said = {each.join for each in cluster[1:]}
        every = "or" not in said and (first.listed or first.key == "mention")
        node = _Node("and" if every and not negated else "or", nodes)
    return _Node("not", (node,)) if negated else node


def _all(nodes: Sequence[_Node]) -> _Node:
    return nodes[0] if len(nodes) == 1 else _Node("and", tuple(nodes))


def _logic(node: _Node) -> str:
    """Write a tree as the order's logic."""
    if node.kind == "atom" and node.atom is not None:
        return node.atom.id
    if node.kind == "not":
        return f"not ({_logic(node.parts[0])})"
    return "(" + f" {node.kind} ".join(_logic(each) for each in node.parts) + ")"


def _in_words(node: _Node) -> str:
    if node.kind == "atom" and node.atom is not None:
        return node.atom.text
    if node.kind == "not":
        return f"not ({_in_words(node.parts[0])})"
    return f" {node.kind} ".join(
        f"({_in_words(each)})" if each.kind in {"and", "or"} else _in_words(each)
        for each in node.parts
    )
