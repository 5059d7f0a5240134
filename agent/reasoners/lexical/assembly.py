"""From the pieces of a question to an executable interpretation, or a reason to decline."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from agent.corpus_view import Field
from agent.english import FILLERS, FUNCTION_WORDS, MONTHS, fold
from agent.errors import QuestionError
from agent.interpretation import order_of
from agent.question import Interpretation, Measure, Node, Operation
from agent.reasoners.lexical import question_words as closed
from agent.reasoners.lexical.asked_conditions import AskedConditions, all_of, in_words, parts_of
from agent.reasoners.lexical.asked_fields import HELP
from agent.reasoners.lexical.degrees import ANY_NUMBER
from agent.reasoners.lexical.grammar import polite
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
    Priced,
    Ranked,
    Valued,
)
from agent.reasoners.lexical.tokens import amount_at
from agent.reasoners.lexical.vocabulary import NAMING, Kind, Vocabulary, compares, norms
from agent.replies import InterpretReply
from agent.units import is_share, parse_unit
from agent.value import counted

_ADDING: Final = frozenset({"money", "kg", "s", "m3"})
"""Measures of what adds up."""
_SPREAD: Final = 0.25
"""How many passages have a noun at least which each document is taken as, a document."""
_FOLDER: Final = "file folder"
_LONGEST: Final = 2_000
"""Characters of a question at most: a longer one is no plain question."""


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
class Assembly(AskedConditions):
    """One question on its way to an interpretation."""

    before: Node | None = None
    """What was asked before, which holds of all that is asked now, with atoms of its own."""
    stated: list[Node] = field(default_factory=list)
    """What documents have to state that are counted by who did something."""

    def reply(self) -> InterpretReply:
        """Assemble the interpretation."""
        self._check_language()
        self._check_shares()
        self._check_counts()
        self._leave_together()
        self._settle_head()
        operation = self._operation()
        entity = self._entity_field(operation)
        self._check_together(entity)
        rank = self._rank()
        group, best = self._ranked_group(rank), None
        most = group is None and rank is not None and not self._of(Grouped)
        if group is not None and rank is not None:
            best, rank = rank, rank if operation != "count" else None
        group = group or self._group(operation)
        best = rank if most and group is not None else best
        both = rank is not None and best is None and rank.word not in {"min", "max"}
        if rank is not None and both and operation not in {"count", "list"}:
            raise self._decline([rank], "one number is given at a time")
        counting = rank is not None and rank.degree is None and self._counts_behind(rank)
        counted = group is not None and counting
        measure = None if counted else self._measure(operation, rank, entity)
        conditions = self._with_before(self._conditions(self._placed(entity, group, measure)))
        if group is not None and operation == "list":
            operation = "count"
        ranked = self._ranked(operation, rank, measure, entity, conditions)
        operation, k, ascending, limit = ranked
        k, ascending = (best.k or 1, best.ascending) if best else (k, ascending)
        self._check_stated(measure, group, conditions)
        names = [group.name if group is not None else "", (measure and measure.field) or ""]
        self._check_prose(names, operation, conditions)
        if limit is not None:
            measure = None
            conditions = all_of([each for each in (conditions, limit) if each is not None])
        if group is not None and (operation == "top_k" or limit is not None):
            raise self._decline([group.name], "what is ranked is not put in groups as well")
        if group is not None and group == entity:
            entity = None
        self._check_meaning(operation, group, entity, conditions)
        truths = entity is not None and self.vocabulary.holds_or_not(entity)
        self._check_person((None if truths else entity) or group or measure)
        self._check_both(entity, conditions)
        self._check_doubts(conditions)
        self._check_entity(entity)
        if group is not None and operation == "count":
            operation = "group_by"
        reading = Interpretation(
            text=self._restated(operation, measure, group, conditions),
            entity_type=self._noun(entity),
            grain="entity" if entity is not None else "document",
            entity_field=entity and entity.name,
            conditions=conditions,
            operation=operation,
            measure=measure,
            group_by=group and group.name,
            group_part=next((each.part for each in self._of(Grouped)), None),
            k=k,
            ascending=ascending,
            assumptions=tuple(dict.fromkeys(self.assumptions)),
        )
        return order_of(reading)

    def _with_before(self, tree: Node | None) -> Node | None:
        old, new = (parts_of(each) for each in (self.before, tree))
        known = [in_words(each) for each in old]
        both = [*old, *(each for each in new if in_words(each) not in known), *self.stated]
        return all_of(both) if both else None

    def _check_language(self) -> None:
        known = (Ask, Mentioned, Ranked, Grouped, Amounted, Dated)
        left = self._of(Leftover)
        if not left or any(isinstance(each, known) for each in self.pieces):
            return
        if self._lows & (FUNCTION_WORDS - closed.AMBIGUOUS):
            return
        raise QuestionError(
            "the question does not seem to be in English, the only language that the lexical "
            f"reader knows: ask in English, or {HELP.partition(', or ')[2]}"
        )

    def _check_counts(self) -> None:
        """Decline two numbers at once, and how often words stand in the texts."""
        counts = [each for each in self._of(Ask) if each.what == "count"]
        if len(counts) > 1:
            why = "one number is given at a time: ask for each by itself"
            raise self._decline([counts[1]], why)
        for at, token in enumerate(self.tokens):
            second = [each.low for each in self.tokens[at + 1 : at + 3]]
            apart = second[:1] in (["in"], ["on"], ["for"], ["at"])
            asked = {*(second[1:] if apart else second[:1])} - ({"which"} if not apart else set())
            named = "where" in asked and self._of(Mentioned)
            if at and token.low == "and" and asked & closed.ASKING and not named:
                raise self._decline([f"and {' '.join(second)}"], "one thing is told at a time")
        for each in counts if self._of(Mentioned) else ():
            if self._said(each).casefold() in {"how often", "how many times"}:
                raise self._decline([each], "documents are counted, not places in them")

    def _check_together(self, entity: Field | None) -> None:
        """Decline an average over `oaks and elms`, and how many dogs there are by their visits."""
        row = [each for each in self.pieces if not isinstance(each, Ask)]
        kind = next(iter(self._of(Kinds)), None)
        asks = bool(self._of(Ask)) and self.tokens[0].low not in FILLERS - closed.ASKING
        if kind is not None and asks and row and isinstance(row[0], Valued):
            between = {each.low for each in self.tokens[row[0].end : max(row[0].end, kind.start)]}
            if between & (FILLERS | closed.LIGHT) and kind.noun not in closed.EVERYWHERE:
                raise self._decline([row[0]], f"it is counted by {kind.noun}, not by itself")
        if asks and row and isinstance(row[0], Valued) and self._is_amount_of(row[0]):
            raise self._decline([row[0]], "it may be counted by a quantity that is stated")
        over = {"avg", "median"} & {each.what for each in self._of(Ask)}
        all_ = {each.low for each in self.tokens} & {"together", "altogether", "total", "counting"}
        counted = not all_ and "count" in [each.what for each in self._of(Ask)[:1]]
        for a, by, b in zip(self.pieces, self.pieces[1:], self.pieces[2:], strict=False):
            if not (isinstance(by, Joined) and by.by == "and"):
                continue
            values = isinstance(a, Valued) and isinstance(b, Valued) and self._is_either(a, b)
            both = any(isinstance(a, of) and isinstance(b, of) for of in (Dated, Kinds))
            kinds = isinstance(a, Kinds) and isinstance(b, Kinds) and counted
            if kinds or ((over or entity is not None) and (values or both)):
                words = [self._said(a, b)]
                raise self._decline(words, "it may be of all together, or of each by itself")

    def _is_amount_of(self, counted: Valued) -> bool:
        """Tell whether a number of a value or unit is asked for: `how many locks were bought`."""
        asked = self._of(Ask)[0]
        unit = self.vocabulary.unit_column
        following = self._behind(counted)
        named = isinstance(following, Kinds | Leftover) and following.start == counted.end
        if asked.what != "count" or asked.end != counted.start or named:
            return False
        numbers = self._carried(self.vocabulary.of_type("number"))
        several = any({*norms(each.name)} & closed.QUANTITIES for each in numbers)
        return several or (unit is not None and unit.name in counted.items)

    def _is_either(self, a: Valued, b: Valued) -> bool:
        """Tell whether two values are of a field of which a document has but one."""
        same = any(name in b.items and not self._is_listed(name) for name in a.items)
        return same and (a.fields == b.fields or not (a.fields and b.fields))

    def _leave_together(self) -> None:
        """Leave out that `A and B did it together`: a document that lists both says it."""
        row = [each for each in self.pieces if not isinstance(each, Leftover)][-4:]
        if len(row) < 4 or not isinstance(row[3], Ask) or self._said(row[3]) != "together":
            return
        if isinstance(row[1], Joined) and row[1].by == "and" and isinstance(row[0], Valued):
            shared = row[0].items.keys() & (row[2].items if isinstance(row[2], Valued) else {})
            if any(map(self._is_listed, shared)):
                self.pieces.remove(row[3])

    def _check_shares(self) -> None:
        lows = [each.low for each in self.tokens[:2]]
        if (
            len(lows) == 2
            and lows[0] in closed.SAID
            and lows[1] in {"all", "every", "each", "most"}
        ):
            raise self._decline([" ".join(lows)], "ask how many do, or which do not")
        units = self.vocabulary.units
        named = [each for each in self._of(Amounted) if each.fields
                 and all(is_share(units[of.name]) or any(map(is_share, norms(of.name)))
                         for of in each.fields)]  # fmt: skip
        amounts = {at for each in named for at in range(each.start, each.end + 1)}  # with its `%`
        for at, each in enumerate(self.tokens):
            if at not in amounts and (each.low in closed.SHARES or each.suffix == "%"):
                raise QuestionError(
                    f"“{each.text}” needs two numbers, which the lexical reader does not put "
                    "together: ask for both counts one by one, or name a model with --model NAME"
                )
        values = {at for each in self._of(Valued) for at in range(each.start, each.end)}
        if any(each.text == "A" and at not in {0, *values} for at, each in enumerate(self.tokens)):
            raise self._decline(["A"], "put a name that ends in it in quotation marks")

    def _settle_head(self) -> None:
        """Take a noun that nothing marks for all documents, where they are of one kind."""
        if self._of(Kinds):
            return
        known = Ask | Valued | Ranked | Gradable
        head = next((each for each in self.pieces if not isinstance(each, known)), None)
        head = head if isinstance(head, Leftover) else self._noun_behind()
        if head is None or self._is_done(head):
            return
        if head.token.low in MONTHS or head.token.kind != "word":
            return
        following = self._behind(head)
        if isinstance(following, Leftover) and following.start == head.end:
            return
        if self.vocabulary.sorts_some(head.token.norm):
            return
        kind = self.vocabulary.assumed(head.token.norm) or self._unmarked(head)
        if kind is not None:
            made = Kinds(start=head.start, end=head.end, kind=kind, noun=head.token.text)
            self.pieces[self.pieces.index(head)] = made

    def _is_done(self, verb: Leftover) -> bool:
        """Tell whether a word is a verb right behind who does it: `did Ann return`."""
        before = self._before(verb)
        doing = {each.low for each in self.tokens[: verb.start]} & {"did", "does", "do"}
        return bool(doing) and isinstance(before, Valued) and before.end == verb.start

    def _noun_behind(self) -> Leftover | None:
        """Return the one word left over, where it is what is measured: `the fee of the studies`."""
        left = self._of(Leftover)
        if len(left) != 1:
            return None
        ranked = isinstance(self._before(left[0]), Ranked | Valued | Ask)
        before = self.tokens[left[0].start - 1].low if left[0].start else ""
        measured = (ranked and not self._is_done(left[0])) or before in closed.OVER
        return left[0] if measured else None

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
        counted = any(each.what == "count" for each in self._of(Ask))
        unit = parse_unit(word) if counted else None
        measures = unit is not None and bool(unit.measures)
        akin = self.vocabulary.field_akin(word)
        measures |= akin is not None and self.vocabulary.holds_or_not(akin)
        if word in closed.UNLIKELY or measures or not placed or open_:
            return None
        fields = [one for each in rest for one in self._about(each)]
        if not fields:
            fields = [one for each in rest if isinstance(each, Named) for one in each.fields]
            fields = self._in_asked_unit(fields) or fields
        having = self._having(fields)
        if not having or self.vocabulary.held(word) < _SPREAD * len(having):
            return None
        if not self.vocabulary.of_one_kind(having) or self.vocabulary.about_the_same(having):
            return None
        told = f"each document that has {fields[0].name!r} is taken as one {word}"
        tested = any(isinstance(each, Valued | Amounted | Dated) for each in rest)
        implied = tested and not self._of(Negated) and not self._of(Grouped)
        return Kind(None if implied else compares(fields[0].name, "exists"), told)

    def _operation(self) -> Operation:
        asked = [each.what for each in self._of(Ask)]
        for what in ("avg", "median"):
            if what in asked:
                return what
        if self._amount_ranked_by() and self._ranked_group(self._rank()) is None:
            return "list"
        if meant := self._sum_meant(asked):
            self.assumptions.append(f"the sum of {meant} is meant")
            return "sum"
        totalled = "all" in asked and "count" not in asked
        named = self._number_named(None) or self._take_spending() if totalled else None
        if "sum" in asked or named is not None:
            return "sum"
        if totalled:
            all_ = [each for each in self._of(Ask) if each.what == "all"]
            raise self._decline(all_, "no number is named that could be added up")
        if "much" in asked:
            raise self._decline(["how much"], "say on average, in total, the highest or the lowest")
        return "count" if "count" in asked else "list"

    def _sum_meant(self, asked: Sequence[closed.Asked]) -> str:
        """Say of what the sum is meant although no word asks for it; empty for none."""
        if (added := self._added_up()) is not None:
            return f"{added[1].name!r} per {added[0].name!r}"
        head = self._behind(0) if self.pieces and asked[:1] == ["count"] else None
        head = self._amount_ranked_by() or head
        if isinstance(head, Named) and self._is_amount(head):
            return repr(head.fields[0].name)
        row = [each for each in self.pieces if not isinstance(each, Kinds)]
        first = row[0] if self._of(Grouped) and not asked else None
        numbers = isinstance(first, Named) and all(e.type == "number" for e in first.fields)
        return repr(first.fields[0].name) if isinstance(first, Named) and numbers else ""

    def _amount_ranked_by(self) -> Named | None:
        """Return the number that a superlative is taken by: `the biggest, by number of pieces`."""
        ranks = self._of(Ranked)
        counts = [each for each in self._of(Ask) if each.what == "count"]
        behind = self._behind(counts[-1]) if counts and ranks else None
        if not isinstance(behind, Named) or ranks[0].start > counts[-1].start:
            return None
        return behind if self.tokens[counts[-1].start - 1].low == "by" else None

    def _added_up(self) -> tuple[Field, Field] | None:
        """Return what is ranked by the sum of an amount, with that amount.

        `Top three apiaries by honey taken`, `who put in the most hours`: amounts that add up, of
        which there are several for each.
        """
        rank, first = next(iter(self._of(Ranked)), None), self._first
        first = self._behind(rank) if rank is not None and first is rank else first
        summed = rank is not None and rank.word in {"top", "most"} and isinstance(first, Named)
        of = self._number_named(rank) if summed else None
        if of is None or not isinstance(first, Named) or of in first.fields:
            return None
        adds_up = self.vocabulary.measures[of.name] in _ADDING and not closed.STANDING & {
            *norms(of.name)
        }
        entity = [each for each in self._carried(first.fields) if each.type in {"text", "list"}]
        several = adds_up and len(entity) == 1 and not self._is_single(entity[0], of)
        return (entity[0], of) if several else None

    def _take_spending(self) -> Field | None:
        """Place a verb of money, and return the one field of money that it asks for.

        None where there is no such verb, or not one such field.
        """
        named = {at for each in self._of(Named) for at in range(each.start, each.end)}
        verbs = [at for at, each in enumerate(self.tokens)
                 if each.low in closed.SPENDING and at not in named]  # fmt: skip
        numbers = self._carried(self.vocabulary.of_type("number"))
        money = [e for e in numbers if self.vocabulary.measures[e.name] == "money"
                 or closed.MONEY & {*norms(e.name)}]  # fmt: skip
        if len(verbs) != 1 or len(money) != 1:
            return None
        having = self._base & self.corpus.field_values(money[0].name).keys()
        for each in self.vocabulary.types:  # an estimate is not spent
            values = self.corpus.field_values(each.name)
            if len({values[at].raw for at in having & values.keys()}) > 1:
                return None
        self.pieces = [each for each in self.pieces if each.start != verbs[0]]
        self.assumptions.append(f"“{self.tokens[verbs[0]].text}” is read as {money[0].name!r}")
        return money[0]

    def _is_amount(self, named: Named) -> bool:
        """Tell whether the one field that a whole name names holds amounts, and no numbering."""
        words = {each.norm for each in self.tokens}  # `defects were found`: `defects found`
        of = named.fields[0]
        unit = self.vocabulary.units[of.name]
        whole = {*norms(of.name)} - words <= {unit, *norms(unit)}
        plural = {fold(each) for each in re.findall(r"[^\W_]+", of.name)} - {*norms(of.name)}
        numbers = of.type == "number" and not self.vocabulary.is_label(of)
        measured = self.vocabulary.measures[of.name] not in {"number", ""}
        return len(named.fields) == 1 and numbers and whole and (bool(plural) or measured)

    def _entity_field(self, operation: Operation) -> Field | None:
        """Return the field whose items are asked for: `which districts …`."""
        if operation not in {"count", "list"}:
            return None
        row = (each for each in self.pieces if not isinstance(each, Ask | Valued | Ranked))
        first = next(row, None)
        if not isinstance(first, Named):
            return None
        before, behind = self._before(first), self._behind(first)
        if self._of(Mentioned) and not isinstance(self._before(self._of(Mentioned)[0]), Kinds):
            return None
        doers = self.tokens[first.start].low in closed.PEOPLE
        beside = isinstance(behind, Kinds) and not self._text(first.end, behind.start).strip("'’")
        if beside and not doers:
            return None
        if isinstance(before, Valued):  # `a circular to customers` is no customer
            between = {each.low for each in self.tokens[before.end : first.start]}
            if between & closed.PREPOSITIONS:
                return None
        found = [each for each in self._carried(first.fields) if each.type in {"text", "list"}]
        return found[0] if len(found) == 1 else None

    def _group(self, operation: Operation) -> Field | None:
        """Return the field that the result is split by; `by` with a rank names the measure."""
        grouped = self._of(Grouped)
        ranks = self._of(Ranked)
        kinds = self._of(Kinds)
        counting = ranks and (kinds or ranks[0].word == "often")
        if counting and not grouped and operation in {"count", "list"}:
            return self._group_of_most(ranks[0])
        if not grouped or (ranks and grouped[0].marker == "by"):
            return None
        if len(grouped) > 1:
            raise self._decline([grouped[1]], "one group is known")
        if grouped[0].part is not None:
            return self._dates_of(grouped[0])
        found = self._one(grouped[0].fields, grouped[0])
        single = found.distinct >= found.documents >= NAMING
        rate = found.type == "number" and not self.vocabulary.in_years(found)
        if operation in {"sum", "avg", "median"} and (single or rate):
            raise self._decline([grouped[0]], "it is no group of documents")
        if found.name == _FOLDER and self.tokens[grouped[0].end - 1].norm != "folder":
            found = self._sorted(found)
        if found.type == "date" and not self.vocabulary.in_years(found):
            raise self._decline([grouped[0]], "dates are not put together by year or month")
        return found

    def _dates_of(self, group: Grouped) -> Field:
        """Return the dates by whose years or months a count is split: those of a verb, else all."""
        dates = self._carried(group.fields)
        told = {at for at, _ in enumerate(self.tokens)} - {*range(group.start, group.end)}
        said = [each for each in dates if any(self._is_akin(at, each) for at in told)]
        plain = [each for each in dates if norms(each.name) == ("date",)]
        return self._one(said or plain or dates, group)

    def _sorted(self, folder: Field) -> Field:
        """Return the field whose kinds are meant: `decisions of each kind`, else the folder."""
        fields = self._first.fields if isinstance(self._first, Named) else ()
        named = [each for each in self._carried(fields) if each.type == "text"]
        return named[0] if len(named) == 1 else folder

    def _ranked_group(self, rank: Ranked | None) -> Field | None:
        """Return the field whose values are ranked: `top 3 stations by number of visits`."""
        named = self._behind(rank) if rank is not None and rank in self.pieces else None
        if "all" in {each.what for each in self._of(Ask)} and isinstance(self._first, Named):
            named = self._first  # `which pilot flew the most hours in all`
        if (added := self._added_up()) is not None:
            return added[0]
        if rank is None or not isinstance(named, Named):
            return None
        found = [each for each in self._carried(named.fields) if each.type in {"text", "list"}]
        totals = [each for each in self._of(Ask) if each.what in {"sum", "count", "all"}]
        number = any(each.start > rank.start for each in totals)
        return found[0] if number and len(found) == 1 else None

    def _check_stated(
        self, measure: Measure | None, group: Field | None, conditions: Node | None
    ) -> None:
        told = group and (self.vocabulary.misspelt(group) or self.vocabulary.remarked(group))
        if group is not None and told:
            raise self._decline([group.name], told)
        fields = all(each.predicate is not None for each in self.atoms)
        if measure is None or not fields:
            return
        matching = self._base & self._matching(conditions)
        stating = matching & self.corpus.field_values(measure.field or "").keys()
        if group is not None:
            stating &= self.corpus.field_values(group.name).keys()
        if matching and not stating:
            raise self._decline([measure.text], "none of the documents asked about states it")

    def _check_prose(
        self, names: Sequence[str], operation: Operation, conditions: Node | None
    ) -> None:
        """Decline a number over a kind of which some documents state no field: they may tell it."""
        fields = all(each.predicate is not None for each in self.atoms)
        kinds = any(each.kind.test is not None for each in self._of(Kinds))
        reduced = operation not in {"list", "top_k", "max", "min"}
        matching = self._base & self._matching(conditions) - self._stating
        for name in names if fields and kinds and reduced else ():
            if name and (lacking := matching - self.corpus.field_values(name).keys()):
                told = f"{counted(len(lacking), 'document')} asked about may tell it in prose"
                raise self._decline([name], told)

    def _group_of_most(self, rank: Ranked) -> Field | None:
        """Return the field by whose values documents are counted: `which vet has the most visits`.

        It is named first, or a verb of its root is: `who sponsored the most permits`.
        """
        first = self._first
        if rank.word not in {"most", "fewest", "often"}:
            return None
        if rank.word == "often" and not self._of(Mentioned):  # `turns up most often` is none
            first = next(iter(self._of(Named)), None)
        doers = self._doers() if self._asks_who else []
        of = doers[0] if len(doers) == 1 else None
        if of is None and isinstance(first, Named):
            listed = all(
                each.type in {"text", "list"} or 2 * each.distinct <= each.documents
                for each in first.fields
            )
            of = self._one(first.fields, first) if listed else None
        if of is not None:
            self._state(of)
        return of

    def _state(self, group: Field) -> None:
        """Leave out the documents without a group: nobody did it; decline where they are most."""
        counts = Counter(i for at, e in self._values(group.name).items() if at in self._base
                         for i in e.items)  # fmt: skip
        lacking = len(self._base - self._values(group.name).keys())
        if lacking and self._asks_who:
            self.stated.append(self._atom(compares(group.name, "exists")))
        elif lacking >= max(counts.values(), default=0):
            why = f"{counted(lacking, 'document')} asked about state none"
            raise self._decline([group.name], why)

    def _doers(self) -> list[Field]:
        """Return the fields of who did what a verb says, or what the noun does that is counted."""
        told = [self.vocabulary.doer(each.low) for each in self.tokens]
        for each in self._of(Kinds):
            akin = self.vocabulary.field_akin(self.tokens[each.end - 1].low)
            named = akin is not None and norms(akin.name) == norms(each.noun)
            told.append(None if named else akin)
        found = {each.name: each for each in told if each is not None}
        persons = (each for each in found.values() if each.type in {"text", "list"})
        return [each for each in persons if each.distinct < each.documents]

    def _rank(self) -> Ranked | None:
        ranks = self._of(Ranked)
        if ranks and ranks[0].k == 0:
            raise self._decline([ranks[0]], "it asks for none")
        if len(ranks) > 1:
            raise self._decline([ranks[1]], "one rank is known")
        if not ranks or ranks[0].k is not None:
            return ranks[0] if ranks else None
        for at, piece in enumerate(self.pieces):
            amount = amount_at(self.tokens, piece.start) if isinstance(piece, Leftover) else None
            if amount is not None and isinstance(self._behind(at), Kinds | Named):
                del self.pieces[at]
                return replace(ranks[0], k=int(amount.number))
        return ranks[0]

    def _noun(self, entity: Field | None) -> str:
        if entity is not None:
            return entity.name
        kinds = self._of(Kinds)
        return kinds[0].noun if kinds else "document"

    def _measure(
        self, operation: Operation, rank: Ranked | None, entity: Field | None
    ) -> Measure | None:
        if operation in {"avg", "sum", "median"}:
            numbers = self._carried(self.vocabulary.of_type("number"))
            numbers = [each for each in numbers if self.vocabulary.measures[each.name] != "money"]
            named = self._number_named(rank) or self._take_spending()
            named = named or next(iter(self._in_asked_unit(numbers)), None)
            if named is None or named.type == "date":
                words = [each.token.text for each in self._of(Leftover)] or [operation]
                raise self._decline(words, "no field with that number is named")
            return self._measured(named)
        if rank is None:
            return None
        if rank.word in closed.COUNTING and self._counts_behind(rank):
            raise self._decline([rank], "no field is named whose values are counted by documents")
        named = self._by_degree(rank) or self._number_named(rank)
        if named is None:
            raise self._decline([rank], "no field is named that it ranks by")
        self._check_single(rank, named, entity)
        return self._measured(named)

    def _check_single(self, rank: Ranked, measure: Field, entity: Field | None) -> None:
        """Decline to rank by how often there is a date, or what has several numbers."""
        if measure.type == "date" and rank.word in closed.COUNTING:
            raise self._decline([rank], f"{measure.name!r} is a date")
        counts = rank.word in closed.COUNTING or rank.ascending or (rank.k or 1) > 1
        behind = next((each for each in self.pieces if each.start >= rank.end), None)
        counts |= isinstance(behind, Named) and entity in behind.fields  # `the best customer`
        if entity is not None and counts and not self._is_single(entity, measure):
            why = f"{entity.name!r} has several values of {measure.name!r}"
            said = f"ask for the total, or the highest, {measure.name} per {entity.name}"
            raise self._decline([rank], f"{why}: {said}")

    def _is_single(self, entity: Field, measure: Field) -> bool:
        numbers = self.corpus.field_values(measure.name)
        own = self.corpus.field_values(entity.name)
        told: dict[str, set[str]] = {}
        for at in own.keys() & numbers.keys() & self._base:
            for item in own[at].items:
                told.setdefault(item, set()).add(numbers[at].raw)
        return all(len(each) == 1 for each in told.values())

    def _counts_behind(self, rank: Ranked) -> bool:
        if rank.word == "often":
            return True
        at = rank.end
        for piece in self.pieces:
            if piece.start == at and isinstance(piece, Valued):
                at = piece.end
            elif piece.start == at and isinstance(piece, Kinds):
                return True
        return False

    def _by_degree(self, rank: Ranked) -> Field | None:
        """Return the field that a superlative is about by itself: `the cheapest`, `the tallest`."""
        if rank.degree is None:
            return None
        found = rank.degree.fields(self._carried(self.vocabulary.fields), self.vocabulary)
        found = [each for each in found if each.name != _FOLDER] or found
        if not found and rank.degree.word in ANY_NUMBER and not self._number_named(rank):
            numbers = self._carried(self.vocabulary.of_type("number"))
            found = [e for e in numbers if self.vocabulary.measures[e.name] == "money"]
        if not found and rank.word:
            return None
        said = {one.name for e in self.pieces if isinstance(e, Named | Grouped) for one in e.fields}
        sure = [each for each in found if each.name in said] or self._in_asked_unit(found)
        sure = sure or self._of_noun(found)
        if len(found) > 1 and len(sure) != 1:
            told = " or ".join(repr(each.name) for each in found)
            raise self._decline([rank], f"it may be {told}: say which")
        meant = self._one(sure if len(sure) == 1 else found, rank)
        self.assumptions.append(f"“{self._said(rank)}” is taken by {meant.name!r}")
        return meant

    def _measured(self, of: Field) -> Measure:
        counts = any(each.what == "count" for each in self._of(Ask))
        counts |= any(each.word in closed.COUNTING for each in self._of(Ranked))
        if self._has_items(of) and counts:
            return Measure(text=f"number of {of.name}", field=of.name, of="length")
        if of.type not in {"number", "date"}:
            raise self._decline([of.name], "this field holds no numbers")
        asked = self._check_units(of, {each.unit for each in self._of(Priced)})
        unit = min(asked) if asked else self.vocabulary.units[of.name]
        shown = unit if unit and unit not in of.name.casefold().split() else None
        return Measure(text=of.name, field=of.name, unit=shown)

    def _ranked(
        self,
        operation: Operation,
        rank: Ranked | None,
        measure: Measure | None,
        entity: Field | None,
        conditions: Node | None,
    ) -> tuple[Operation, int | None, bool, Node | None]:
        """Return the operation of a rank, how many, which end first, and a limit of dates."""
        if rank is None or measure is None or operation not in {"count", "list"}:
            return operation, None, False, None
        of = next(each for each in self.vocabulary.fields if each.name == measure.field)
        if rank.degree is not None:
            less = self._is_less(rank.degree, of, rank)
            rank = replace(rank, ascending=less != rank.ascending)
        kinds = self._of(Kinds)
        if of.type == "date" and operation == "count":
            raise self._decline([rank], "it may be the first or last of each, or of all")
        if of.type == "date":
            return "list", None, False, self._outermost(of, rank, conditions)
        if self.tokens[0].low == "what" and not entity and self._in_asked_unit([of]):
            return ("min" if rank.ascending else "max"), None, False, None
        listed = rank.degree or entity or (kinds and kinds[0].start < rank.start) or self._asks_who
        if rank.k is None and not listed:
            return ("min" if rank.ascending else "max"), None, False, None
        return "top_k", rank.k or 1, rank.ascending, None

    @property
    def _asks_who(self) -> bool:
        return bool(self.tokens) and self.tokens[0].low in {"who", "whose"}

    def _outermost(self, of: Field, rank: Ranked, conditions: Node | None) -> Node:
        """Return the limit that the first or last dates keep, among what matches the rest."""
        if any(each.terms or each.predicate is None for each in self.atoms):
            raise self._decline([rank], "it is ranked among mentions")
        matching = self._base & self._matching(conditions)
        values = self.corpus.field_values(of.name)
        dates = sorted(
            (date for at in matching if at in values and (date := values[at].date) is not None),
            reverse=not rank.ascending,
        )
        if not dates:
            raise self._decline([rank], f"none has a {of.name!r}")
        limit = dates[min(rank.k or 1, len(dates)) - 1]
        self.assumptions.append(f"the limit of {of.name!r} is {limit}")
        return self._atom(compares(of.name, "at_most" if rank.ascending else "at_least", (limit,)))

    def _placed(
        self, entity: Field | None, group: Field | None, measure: Measure | None
    ) -> set[int]:
        taken: set[int] = set()
        roles = {each.name for each in (entity, group) if each is not None}
        measured = measure.field if measure is not None else None
        roles |= {measured} if measured else set()
        for at, piece in enumerate(self.pieces):
            named_so = isinstance(piece, Leftover) and piece.token.norm in norms(measured or "")
            if named_so or isinstance(piece, Ask | Ranked | Grouped):  # `the dearest per kilo`
                taken.add(at)
            if not isinstance(piece, Named):
                continue
            before = self._before(at)
            compared = isinstance(before, Valued | Amounted | Dated)
            told = {each.name for each in self._about(before)} if before and compared else set()
            twice = isinstance(before, Named) and before.fields == piece.fields
            named = {each.name for each in piece.fields}
            parted = self._behind(at + 1) if isinstance(self._behind(at), Negated) else None
            parted_name = isinstance(parted, Named) and named & {e.name for e in parted.fields}
            if named & (roles | told) or (twice and len(named) == 1) or parted_name:
                taken.add(at)
        return taken

    def _check_both(self, entity: Field | None, conditions: Node | None) -> None:
        """Decline a negation about what some documents deny and others do not, and `only`."""
        alone = [each.text for each in self.tokens if each.low in {"only", "just"}]
        tests = [each.predicate for each in self.atoms if alone and each.predicate is not None]
        lists = any(self._is_listed(each.field) for each in tests)
        if alone and (entity is not None or lists):
            raise self._decline(alone, "that there is nothing else is not looked for")
        if entity is None or not self._of(Negated):
            return
        matching, own = self._matching(conditions), self.corpus.field_values(entity.name)
        yes = {item for at in own.keys() & matching for item in own[at].items}
        no = {item for at in (own.keys() & self._base) - matching for item in own[at].items}
        if both := sorted(yes & no):
            why = f"it holds of some documents of {both[0]!r}, not of others"
            raise self._decline(self._of(Negated), why)

    def _check_meaning(
        self,
        operation: Operation,
        group: Field | None,
        entity: Field | None,
        conditions: Node | None,
    ) -> None:
        """Decline a number over what only a reader can judge, and what has nothing placed."""
        read = [each.text for each in self.atoms if each.predicate is None and not each.terms]
        if read and (operation not in {"count", "list"} or group or entity):
            raise self._decline(read, "only a reader can tell, and a number hangs on it")
        bare = conditions is None and not self._of(Kinds) and operation in {"count", "list"}
        if bare and entity is None and group is None:
            raise self._decline([self.question], "it names nothing that is counted")

    def _check_person(self, told: Field | Measure | None) -> None:
        """Decline to tell who did it where no field is named, and who is still there."""
        read = any(each.predicate is None for each in self.atoms)
        if self._asks_who and told is None and not read:
            raise self._decline([self.tokens[0].text], "no field is named that tells who")
        names = all(isinstance(each, Ask | Kinds | Valued) for each in self.pieces)
        told_of = [each for each in self._of(Valued) if self.tokens[each.start].text.islower()]
        if "still" in self._lows and names and not told_of:
            raise self._decline(["still"], "no field is named that tells it")

    def _restated(
        self,
        operation: Operation,
        measure: Measure | None,
        group: Field | None,
        conditions: Node | None,
    ) -> str:
        asked = {"list": "List", "count": "Count", "group_by": "Count", "top_k": "Rank"}
        told = asked.get(operation, f"The {operation} of {measure.text if measure else ''} over")
        told += " the documents"
        if conditions is not None:
            told += f" for which {in_words(conditions)}"
        if operation == "top_k" and measure is not None:
            told += f" by {measure.text}"
        if group is not None:
            first = [f", the first {each.k}" for each in self._of(Ranked) if each.k]
            parts = [f" by {each.part}" for each in self._of(Grouped) if each.part]
            told += "".join([f" by {group.name}", *parts, *first])
        return f"{told}."
