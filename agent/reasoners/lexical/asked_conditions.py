"""The conditions of a question: of fields and kinds, mentions, and what only a reader tells."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations, count, pairwise
from typing import Any, Final, Literal

from agent.corpus_view import Field
from agent.english import FUNCTION_WORDS, VERB_FORMS, currency_of, noun_forms, root, singular
from agent.errors import QuestionError
from agent.predicates import could_state, stated_fields
from agent.question import AllOf, AnyOf, Comparison, Condition, Node, Not, Predicate
from agent.reasoners.lexical import question_words as closed
from agent.reasoners.lexical.asked_fields import AskedFields
from agent.reasoners.lexical.degrees import Degree, limit_of
from agent.reasoners.lexical.pieces import (
    Amounted,
    Ask,
    Dated,
    Gradable,
    Joined,
    Kinds,
    Leftover,
    Mentioned,
    Named,
    Negated,
    Piece,
    Priced,
    Ranked,
    Valued,
)
from agent.reasoners.lexical.tokens import YEAR
from agent.reasoners.lexical.vocabulary import WEAK, Words, compares, norms, unit_of_value
from agent.units import converted, parse_unit
from agent.value import counted, in_digits

_TWO_WAYS: Final = (
    "can be meant in two ways: ask for each alternative by itself, or name a model with "
    "--model NAME"
)
_CENTS: Final = re.compile(r"\d[.,]\d\d(?!\d)")
_SENTENCE: Final = 6
"""Words of a value on average from which on it is prose."""


Join = Literal["", "and", "or", ","]


@dataclass(slots=True)
class Placed:
    """A condition at its place in the question."""

    node: Node
    key: str
    """What list it can belong to: a field's name, `kind`, `mention`, or its own."""
    join: Join = ""
    listed: bool = False
    """Whether the field holds several items a document."""
    negated: str = ""
    before_kind: bool = False
    words: range = range(0)
    """The places of the words of a value; empty of anything else."""
    stated: bool = False
    """Whether its denial is of documents that state the field alone."""


def clusters(items: Sequence[Placed]) -> Iterator[list[Placed]]:
    """Yield runs of conditions that form one list: values of one field, kinds, mentions."""
    cluster: list[Placed] = []
    for each in items:
        apart = cluster and (each.key, each.negated) != (cluster[-1].key, cluster[-1].negated)
        if cluster and (apart or not each.join):
            yield cluster
            cluster = []
        cluster.append(each)
    if cluster:
        yield cluster


def joined_by(cluster: Sequence[Placed]) -> Node:
    """Join a list: of one value a document, any; of several items, as it is said."""
    first, nodes = cluster[0], [each.node for each in cluster]
    any_ = first.negated or "or" in {each.join for each in cluster[1:]}
    every = not any_ and (first.listed or first.key == "mention")
    node = all_of(nodes) if every else any_of(nodes)
    return Not(part=node) if first.negated else node


def all_of(nodes: Sequence[Node]) -> Node:
    """Join conditions by and."""
    return nodes[0] if len(nodes) == 1 else AllOf(parts=tuple(nodes))


def parts_of(node: Node | None) -> Sequence[Node]:
    """Return what is joined by and."""
    match node:
        case None:
            return ()
        case AllOf(parts=parts):
            return parts
        case _:
            return (node,)


def any_of(nodes: Sequence[Node]) -> Node:
    """Join conditions by or."""
    return nodes[0] if len(nodes) == 1 else AnyOf(parts=tuple(nodes))


def in_words(node: Node) -> str:
    """Say a tree for a person."""
    match node:
        case Condition():
            shows = f"a passage {node.text}" if node.terms else f"a passage shows “{node.text}”"
            return node.text if node.predicate else shows
        case Not(part=Condition(predicate=None)):
            return in_words(node.part).replace("a passage", "no passage", 1)
        case Not():
            return f"not ({in_words(node.part)})"
        case AllOf() | AnyOf():
            joined = [isinstance(each, AllOf | AnyOf) for each in node.parts]
            words = zip(map(in_words, node.parts), joined, strict=True)
            return f" {node.kind} ".join(f"({told})" if own else told for told, own in words)


@dataclass
class AskedConditions(AskedFields):
    """The conditions that the pieces of a question set."""

    def _conditions(self, taken: set[int]) -> Node | None:
        for at, piece in enumerate(self.pieces):
            behind = self._behind(at)
            if isinstance(piece, Negated) and isinstance(behind, Negated):
                told = [self._said(piece, behind)]
                raise self._decline(told, "say it without two negations")
        self._check_other_document()
        items = list(self._items(taken))
        kinds = [each for each in items if each.key == "kind"]
        for one, other in pairwise(kinds):
            if not (other.join or self._matching(one.node) & self._matching(other.node)):
                raise self._decline(self._of(Kinds), "no document is of both kinds")
        rest = [each for each in items if each.key != "kind"]
        for one, other in combinations(rest, 2):
            same = one.key == other.key and not (other.join or one.negated or other.negated)
            if same and not self._matching(one.node) & self._matching(other.node):
                raise self._decline([self.question], f"no document has both values of {one.key!r}")
        early = [each for each in rest if each.before_kind]
        nodes = [self._joined(each) for each in (*clusters(kinds), *clusters(early))]
        nodes += self._later([each for each in rest if not each.before_kind])
        tree = all_of(nodes) if nodes else None
        self._check_contradiction(tree)
        return tree

    def _check_other_document(self) -> None:
        """Decline what is said of another document: `superseded by a report issued in 2019`."""
        kinds = self._of(Kinds)
        for each in kinds[1:]:
            article = self.tokens[each.start - 1].low in {"a", "an"}
            if article and norms(each.noun) == norms(kinds[0].noun):
                why = "it is said of another document than the one that is counted"
                raise self._decline([each], why)

    def _check_contradiction(self, tree: Node | None) -> None:
        """Decline what holds and does not: `not` was meant of something else."""
        told = {True: set[Predicate](), False: set[Predicate]()}
        rest = [(tree, True)] if tree is not None else []
        while rest:
            match rest.pop():
                case Condition(predicate=Predicate() as test), holds:
                    told[holds].add(test)
                case Not(part=part), holds:
                    rest.append((part, not holds))
                case AllOf(parts=parts), holds:
                    rest += [(each, holds) for each in parts]
        missing = {each.field for each in told[False] if each.comparison == "exists"}
        if told[True] & told[False] or missing & {each.field for each in told[True]}:
            denied = self._of(Negated)
            raise self._decline([*denied] or [self.question], "what it denies is not plain")

    def _later(self, items: list[Placed]) -> list[Node]:
        """Join what stands behind the noun: all by and, or two by or."""
        self._check_or(items)
        lists = list(clusters(items))
        joins = [each[0].join for each in lists[1:]]
        nodes = [self._joined(each) for each in lists]
        if "or" not in joins:
            return nodes
        if set(joins) == {"or"}:
            return [any_of(nodes)]
        raise QuestionError(f"“and” and “or” together {_TWO_WAYS}")

    def _check_reach(self, join: Join) -> None:
        if join == "or":
            raise QuestionError(f"how far the negation reaches over “or” {_TWO_WAYS}")

    def _check_or(self, items: Sequence[Placed]) -> None:
        """Decline `Ford or Toyota diesels`: the last may be said of one or of both."""
        for a, b, noun in zip(items, items[1:], items[2:], strict=False):
            beside = b.words and noun.words and b.words.stop == noun.words.start and not noun.join
            if b.join == "or" and a.key == b.key != noun.key and beside:
                words = self._text(a.words.start, noun.words.stop)
                raise self._decline([words], "the last may be said of one or of both")

    def _joined(self, cluster: Sequence[Placed]) -> Node:
        """Join a list, where it denies with what its documents must state."""
        node = joined_by(cluster)
        denied = [each.node for each in cluster if each.negated and each.stated]
        tests = [each.predicate for each in denied if isinstance(each, Condition)]
        names = dict.fromkeys(each.field for each in tests if each is not None)
        return all_of([node, *(self._atom(compares(each, "exists")) for each in names)])

    def _items(self, taken: set[int]) -> Iterator[Placed]:
        """Yield the conditions in the order of the question.

        A negation reaches over the list that follows it; `neither` over all alternatives.
        """
        kinds = [at for at, each in enumerate(self.pieces) if isinstance(each, Kinds)]
        join: Join = ""
        negated, over = "", ""
        skip: set[int] = set()
        for at, piece in enumerate(self.pieces):
            if at in taken or at in skip or self._says_field_of_next(at):
                continue
            if isinstance(piece, Joined):
                join = "or" if "or" in {piece.by, join} else piece.by
            elif isinstance(piece, Negated):
                negated, over = piece.word, ""
                self._check_denied(at, taken)
            else:
                prose = isinstance(piece, Leftover)
                run = self._run(at, taken) if prose else [at]
                skip |= set(run)
                meant = [self._meaning(run, "" if join else negated)] if prose else None
                for each in meant or self._tested(piece, negated):
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

    def _check_denied(self, at: int, taken: set[int]) -> None:
        """Decline a negation of nothing, and of a thing together with what is said of it.

        `not issued by X` denies neither that something was issued nor X by itself.
        """
        rest = [each for n, each in enumerate(self.pieces) if n > at and n not in taken]
        told = [each for each in rest if not isinstance(each, Joined)]
        if not told and not self._of(Leftover):
            raise self._decline([self.pieces[at]], "what it denies is not said behind it")
        first, second = (*rest, None, None)[:2]
        compared = isinstance(second, Valued | Dated | Amounted)
        if second is None or not compared or not isinstance(first, Named | Kinds):
            return
        if not self._says_field_of_next(self.pieces.index(first)):
            words = [self._said(self.pieces[at], second)]
            raise self._decline(words, "what of it is denied can be meant in two ways")

    def _tested(self, piece: Piece, negated: str) -> list[Placed]:
        if isinstance(piece, Kinds):
            return self._of_kind(piece)
        if isinstance(piece, Mentioned):
            return [self._of_mention(piece, negated)]
        if isinstance(piece, Named) and [each.name for each in piece.fields] == [self._prose_field]:
            return []
        if isinstance(piece, Named) and not negated and self._is_implied(piece):
            return []
        made: dict[type[Piece], Callable[[Any], Placed]] = {
            Valued: self._of_value, Amounted: self._of_amount, Dated: self._of_date,
            Named: self._of_name, Gradable: self._of_degree, Priced: self._of_currency,
        }  # fmt: skip
        if type(piece) not in made:
            raise self._decline([piece])
        item = made[type(piece)](piece)
        test = item.node.predicate if isinstance(item.node, Condition) else None
        if negated and test is not None:
            number = isinstance(piece, Amounted | Dated)
            words = f"{negated} {self._said(piece)}"
            item.stated = self._denied(test, words, number=number)
        return [item]

    def _is_implied(self, piece: Named) -> bool:
        """Tell whether a noun only carries what is said of it: `visits to flats over 8 storeys`.

        It names a field that each of the documents asked about states, so it leaves out none.
        """
        said = Valued | Amounted | Dated
        before, behind = self._before(piece), self._behind(piece)
        words = [e.low for e in self.tokens[: piece.start] if e.low not in closed.DETERMINERS]
        beside = isinstance(before, said) and before.end == piece.start
        beside |= words[-1:] != [] and words[-1] in closed.WHERE and isinstance(behind, said)
        fields = [each for each in piece.fields if each.type == "text"]
        everywhere = [each for each in fields if self._base <= self._values(each.name).keys()]
        headed = any(each.start < piece.start for each in self._of(Kinds))
        return beside and headed and piece.before not in closed.EXISTING and len(everywhere) == 1

    def _denied(self, test: Predicate, words: str, *, number: bool) -> bool:
        """Tell whether a denial is but of documents that state the field; decline where it is open.

        A letter without a rent has not `a rent that is not above 500`; of a lease without one it
        is open.
        """
        name = test.field
        lacking = self._base - self._values(name).keys()
        alike = could_state(self.corpus, name, lacking) if lacking else frozenset[int]()
        told = f"{counted(len(lacking), 'document')} asked about state no {name!r}"
        if alike and (number or lacking - alike):
            raise self._decline([words], f"{told}: say it without the negation")
        if lacking - alike and test.comparison == "exists":
            raise self._decline([words], f"{told}: say of which kind they are")
        if test.comparison == "exists" and self._base - self._stating:
            raise self._decline([words], "some of the documents asked about state no fields at all")
        return bool(lacking) and not alike

    def _is_less(self, degree: Degree, of: Field, piece: Piece) -> bool:
        """Tell whether more of a degree is less of a field; decline where nothing tells."""
        sign = degree.sign(of, self.vocabulary)
        if not sign:
            why = f"whether more or less of {of.name!r} is meant, nothing here tells"
            raise self._decline([piece], f"{why}: say highest or lowest")
        return sign < 0

    def _of_kind(self, piece: Kinds) -> list[Placed]:
        if piece.kind.assumed:
            self.assumptions.append(piece.kind.assumed)
        if piece.kind.test is None or self._any_kind:
            return []
        nodes = [self._atom(each) for each in (piece.kind.test, *piece.kind.others)]
        return [Placed(any_of(nodes), "kind")]

    def _of_value(self, piece: Valued) -> Placed:
        words = self._said(piece)
        named = [each for each in self.vocabulary.fields if each.name in piece.items]
        found = self._carried([each for each in named if each in piece.fields] or named)
        if not found:
            raise self._decline([piece], "no field of these documents has it as a value")
        wider, others = self.vocabulary.values_with(piece.words), self._wider(piece)
        kin = self._kin(piece, self._carried([*found, *(e for e in others if e not in found)]))
        if kin is not None and kin not in found and words[:1].isupper():
            told = self.vocabulary.with_variants(kin.name, wider[kin.name])
            self.assumptions.append(f"“{words}” is read as {kin.name!r}: {', '.join(told[:3])}")
            return Placed(self._atom(compares(kin.name, "is", told)), kin.name)
        of = self._kin(piece, self._carried(found))
        if of is None and len(found) > 1 and self._is_one_by_turns(piece, found):
            tests = (compares(each.name, "is", piece.items[each.name]) for each in found)
            return Placed(any_of([*map(self._atom, tests)]), found[0].name)
        of = of or self._one(found, words)
        items = tuple(dict.fromkeys(piece.items[of.name]))
        self._check_preposition(piece, of)
        self._check_negation(piece, of, items)
        now = piece.fields or self._is_now(piece)
        if len(piece.words) == 1 and piece.words[0].endswith("ed") and not now:
            self._check_event_of(piece.words[0], of, items)
        if len(items) == 1 and {*piece.words} < {*norms(items[0])}:
            self.assumptions.append(f"“{words}” is read as {items[0]!r}")
        told = self.vocabulary.with_variants(of.name, items)
        if more := told[len(items) :]:
            self.assumptions.append(f"“{words}” is written {', '.join(map(repr, more))}, too")
        quoted = any(each.kind == "quote" for each in self.tokens[piece.start : piece.end])
        said = {item for each in self._of(Valued) for item in each.items.get(of.name, ())}
        state = bool(piece.fields) and bool(
            closed.STATES & {*norms(of.name)}
        )  # `the status upheld`
        beside = [] if quoted or state else self.vocabulary.beside(of.name, told)
        beside = [each for each in beside if each not in said]
        if beside:
            either = f"{of.name!r} has {', '.join(map(repr, beside[:3]))} beside it"
            raise self._decline([words], f"{either}: say which, in full or in quotation marks")
        test = compares(of.name, "is", told)
        words_at = range(piece.start, piece.end)
        listed = self._is_listed(of.name)
        return Placed(self._atom(test), of.name, listed=listed, words=words_at)

    def _is_one_by_turns(self, piece: Valued, fields: Sequence[Field]) -> bool:
        """Tell whether documents state one field or the other: `Kind` in some, `Sort` in others."""
        stating = [self._base & self._values(each.name).keys() for each in fields]
        apart = not any(one & other for one, other in combinations(stating, 2))
        plain = not any(self.vocabulary.beside(e.name, piece.items[e.name]) for e in fields)
        return apart and plain and not self._of(Negated)

    def _has_items(self, of: Field) -> bool:
        return of.type == "list" or (of.type == "text" and self._is_listed(of.name))

    def _is_listed(self, name: str) -> bool:
        return any(len(each.items) > 1 for each in self._values(name).values())

    def _is_now(self, piece: Valued | Named) -> bool:
        """Tell whether a state is that of now: `closed orders`, `are not closed`."""
        behind = self._behind(piece)
        before = [each.low for each in self.tokens[: piece.start] if each.low not in closed.ADVERBS]
        beside = isinstance(behind, Kinds) and behind.start == piece.end
        return beside or before[-1:] in (["is"], ["are"])

    def _has_happened(self, piece: Named, of: Field) -> bool:
        """Tell whether a participle says that what a date is of has been: `are finished`."""
        last = self.tokens[piece.end - 1].low
        done = last.endswith("ed") or last in VERB_FORMS
        if of.type != "date" or not done or closed.PLANNED & {*norms(of.name)}:
            return False
        before = ["", *(e.low for e in self.tokens[: piece.start] if e.low not in closed.ADVERBS)][
            -1
        ]
        denied = before == "not" or before.endswith("n't")
        return before in closed.BEING or denied or self._is_now(piece) or self._follows_noun(piece)

    def _follows_noun(self, piece: Named) -> bool:
        """Tell whether a participle stands alone after the noun: `of the trees inspected`."""
        before, behind = self._before(piece), self._behind(piece)
        ends = behind is None or (isinstance(behind, Joined) and behind.by == ",")
        return ends and isinstance(before, Kinds) and before.end == piece.start

    def _check_event_of(self, word: str, of: Field, items: Words) -> None:
        """Decline a state beside a date of the same word that other documents have: `closed`."""
        said = self._base & self._documents(compares(of.name, "is", items))
        for each in self._carried(self.vocabulary.of_type("date")):
            dated = self._base & self._values(each.name).keys()
            if any(root(word, name) for name in norms(each.name)) and dated != said:
                why = f"it may be what {of.name!r} says now, or that there is a {each.name!r}"
                raise self._decline([word], why)

    def _wider(self, piece: Valued) -> list[Field]:
        wider = self.vocabulary.values_with(piece.words)
        return [each for each in self.vocabulary.fields if each.name in wider]

    def _check_preposition(self, piece: Valued, of: Field) -> None:
        """Decline `notices to players` beside a field `to`, and `death of the child`."""
        before = [e.low for e in self.tokens[max(0, piece.start - 3) : piece.start]]
        behind = next((e for e in reversed(before) if e not in {"the", "a", "all", "our"}), "")
        named = [each for each in self._wider(piece) if norms(each.name) == (behind,)]
        if behind in FUNCTION_WORDS and named and of not in named:
            raise self._decline([piece], f"it may be {named[0].name!r} or {of.name!r}: say which")
        last, of_the = self._before(piece), before[-2:] == ["of", "the"]
        if isinstance(last, Valued) and of_the and self._said(piece).islower():
            words = [self._said(last, piece)]
            raise self._decline(words, f"it may be more than a value of {of.name!r}")

    def _check_negation(self, piece: Valued, of: Field, items: Words) -> None:
        """Decline `not active` where it is a value, and `active` one, and others are not active."""
        quoted = any(each.kind == "quote" for each in self.tokens[piece.start : piece.end])
        if piece.words[0] not in closed.NEGATIONS or quoted:
            return
        for name, denied in self.vocabulary.values_by_words(piece.words[1:]).items():
            said = self._documents(compares(name, "is", denied))
            if self._base - said != self._base & self._documents(compares(of.name, "is", items)):
                why = f"it is a value of {of.name!r}, or all but {' '.join(piece.words[1:])} is"
                raise self._decline([" ".join(piece.words)], why)

    def _kin(self, piece: Valued, fields: Sequence[Field]) -> Field | None:
        """Return the one of several fields that a verb names: `reported by X` the reporter.

        The nearest word before the value decides, else the nearest behind it.
        """
        if len(fields) < 2:
            return None
        spans = (range(piece.start - 1, -1, -1), range(piece.end, len(self.tokens)))
        things = {at for each in self._of(Kinds) for at in range(each.start, each.end)}
        for at in (each for span in spans for each in span if each not in things):
            kin = [each for each in fields if self._is_akin(at, each)]
            if len(kin) == 1:
                self.assumptions.append(f"“{self.tokens[at].text}” is read as {kin[0].name!r}")
                return kin[0]
        return None

    def _says_field_of_next(self, at: int) -> bool:
        """Tell whether a field's name is but the verb of the value behind it: `reported by X`."""
        piece, behind = self.pieces[at], self._behind(at)
        if not isinstance(piece, Named) or not isinstance(behind, Valued):
            return False
        if piece.before in closed.EXISTING:
            return False
        between = self.tokens[piece.end : behind.start]
        own = [each for each in self.vocabulary.fields if each.name in behind.items]
        return all(each.low in closed.AGENT for each in between) and any(
            self._is_akin(word, each) for word in range(piece.start, piece.end) for each in own
        )

    def _of_amount(self, piece: Amounted) -> Placed:
        words = self._said(piece)
        units = {each.unit for each in piece.amounts} - {""}
        fields = self._amounted(piece, units, words)
        told = self._in_asked_unit(fields) or self._of_noun(fields)
        if not piece.fields and len(fields) > 1 and len(told) != 1:
            named = " or ".join(repr(each.name) for each in fields)
            raise self._decline([words], f"it may be {named}: say which")
        of = self._one(fields, words)
        first = self._first
        one = any(each.low == "one" for each in self.tokens[piece.start : piece.end])
        if one and isinstance(first, Named) and of not in first.fields:
            raise self._decline([piece], f"how many {of.name!r} there are is not counted")
        currency = self._check_currency(units, of, words)
        numbers = self._in_unit(piece, of, words)
        how: Literal["value", "length"] = "value" if of.type == "number" else "length"
        comparison: Comparison = piece.comparison
        if piece.degree and self._is_less(piece.degree, of, piece):
            comparison = closed.TURNED[comparison]
        if of.type == "number" and not currency:
            self._check_units(of, set())
        if comparison == "is":
            self._check_year(of, numbers[0], words)
            comparison, numbers = "between", (numbers[0], numbers[0])
        test = Predicate(field=of.name, comparison=comparison, values=numbers, of=how)
        node: Node = self._atom(test)
        if currency:
            node = all_of([node, self._written_in(of, currency)])
        return Placed(node, f"{of.name} {words}")

    def _amounted(self, piece: Amounted, units: set[str], words: str) -> list[Field]:
        fields = [
            each
            for each in self._carried(piece.fields)
            if each.type == "number" or self._has_items(each)
        ]
        if piece.fields and not fields:
            raise self._decline([words], "the field that is named holds no numbers")
        if fields and piece.degree is not None:
            fields = piece.degree.fields(fields, self.vocabulary) or fields
        if fields:
            return fields
        if not units:
            return self._measured_so(piece)
        numbers = self._carried(self.vocabulary.of_type("number"))
        own, several = self.vocabulary.units, self.vocabulary.currencies
        fields = [e for e in numbers if own[e.name] in units or units & several[e.name].keys()]
        fields = [each for each in fields if not closed.SECONDARY & {*norms(each.name)}] or fields
        if len(fields) == 1:
            self.assumptions.append(f"“{words}” is compared with {fields[0].name!r}")
        return fields

    def _of_currency(self, piece: Priced) -> Placed:
        """Read a currency as that of the one field that has numbers in it."""
        measured = self._number_named(next(iter(self._of(Ranked)), None))
        amounts = [each for each in self._carried(self.vocabulary.fields)
                   if piece.unit in self.vocabulary.currencies[each.name]]  # fmt: skip
        elsewhere = measured is not None and measured not in amounts
        beside = self.vocabulary.currency_column if elsewhere or not amounts else None
        if beside is not None:
            items = [each for each, _ in beside.values if currency_of(each) == piece.unit]
            test = compares(beside.name, "is", tuple(items or [piece.unit]))
            return Placed(self._atom(test), beside.name)
        of = measured if measured in amounts else self._one(amounts, piece)
        return Placed(self._written_in(of, piece.unit), f"{of.name} unit")

    def _written_in(self, of: Field, unit: str) -> Node:
        return self._atom(compares(of.name, "contains", self.vocabulary.currencies[of.name][unit]))

    def _check_currency(self, told: set[str], of: Field, words: str) -> str:
        """Return the currency to look for where a field has several.

        Decline an amount in another currency than the field's, or in none beside several; say so
        where the field states none.
        """
        own, several = self.vocabulary.units[of.name], self.vocabulary.currencies[of.name]
        if len(several) > 1:
            if len(told & several.keys()) != 1:
                raise self._decline([words], f"{of.name!r} is in {' and '.join(sorted(several))}")
            others = " and ".join(sorted(several.keys() - told))
            self.assumptions.append(f"{of.name!r} in {others} is not converted and does not count")
            return min(told)
        measured = parse_unit(own) if own else None
        if told and own not in told and measured is not None and not measured.counted:
            raise self._decline([words], f"{of.name!r} is in {own}")
        if told and not own:
            self.assumptions.append(f"{of.name!r} states no currency: it is taken as {min(told)}")
        return ""

    def _check_units(self, of: Field, told: set[str]) -> set[str]:
        """Return the unit that a field's numbers have here, of those told where several have.

        Empty where none is written, or one in several ways. Decline several others.
        """
        units = {
            unit for at, value in self.corpus.field_values(of.name).items()
            if at in self._base and value.number
            and (unit := unit_of_value(value.raw)) is not None
        }  # fmt: skip
        if "" in units and len(units) == 2:
            units -= {""}
            own = next(iter(units))
            self.assumptions.append(f"numbers of {of.name!r} without a unit are in {own}")
        asked = units & told
        units = asked or (self._units_beside(of) if units == {""} else set()) or units
        one = max(units, key=len, default="")
        alike = all(each and converted(Decimal(1), each, one) == 1 for each in units)
        if of.type == "number" and len(units) > 1 and not alike:
            names = ", ".join(sorted(each or "none" for each in units))
            why = f"its numbers are written in several units ({names})"
            raise self._decline([of.name], why)
        return asked or (units - {""} if len(units) == 1 else set())

    def _units_beside(self, of: Field) -> set[str]:
        """Return the units that another field states, where the question names none of it."""
        beside, counts = self.vocabulary.currency_column, {*norms(of.name)} & closed.QUANTITIES
        if counts or (beside is None and not self._is_priced(of)):
            beside = self.vocabulary.unit_column  # of the pieces of an order beside its price
        told = {name for each in self._of(Valued) for name in each.items}
        if beside is self.vocabulary.unit_column and beside is not None and beside.name in told:
            raise self._decline([of.name], f"{beside.name!r} has other units of it")
        if beside is None or of.type != "number" or beside.name in told or self._of(Priced):
            return set()
        having = self._base & self.corpus.field_values(of.name).keys()
        values = self._values(beside.name)
        items = [item for at in having & values.keys() for item in values[at].items]
        return {currency_of(item) or item for item in items}

    def _is_priced(self, of: Field) -> bool:
        """Tell whether a field holds money, by its name, or by cents in some of its numbers."""
        values = self.corpus.field_values(of.name).values() if of.type == "number" else ()
        named = {*norms(of.name)} & (closed.MONEY | closed.SECONDARY)
        return bool(values and named) or any(_CENTS.search(each.raw) for each in values)

    def _check_year(self, of: Field, number: str, words: str) -> None:
        """Decline a year that is no number of a field: `fixed in 2022` beside versions."""
        held = [each.number for each in self.corpus.field_values(of.name).values()]
        numbers = [each for each in held if each is not None]
        outside = not numbers or not min(numbers) <= float(number) <= max(numbers)
        if outside and YEAR.fullmatch(number):
            raise self._decline([words], f"{of.name!r} holds no years")

    def _measured_so(self, piece: Amounted) -> list[Field]:
        """Return the fields that an amount can be of by its unit, and by an adjective."""
        numbers = self._carried(self.vocabulary.of_type("number"))
        if piece.degree is not None:
            numbers = piece.degree.fields(numbers, self.vocabulary)
        if not piece.unit:
            return numbers if piece.degree is not None else []
        same = [each for each in numbers if self.vocabulary.units[each.name] == piece.unit]
        return same or [
            each for each in numbers if self.vocabulary.scaled(1, piece.unit, each) is not None
        ]

    def _in_unit(self, piece: Amounted, of: Field, words: str) -> tuple[str, ...]:
        own = self.vocabulary.units[of.name]
        scaled = [self.vocabulary.scaled(each.number, piece.unit, of) for each in piece.amounts]
        numbers = tuple(in_digits(each) for each in scaled if each is not None)
        if numbers:
            self.assumptions.append(f"“{words}” is compared with {of.name!r}, in {own}")
            return numbers
        return tuple(each.written for each in piece.amounts)

    def _of_date(self, piece: Dated) -> Placed:
        words = self._said(piece)
        named = self._carried(piece.fields)
        told = named or self._carried(self.vocabulary.of_type("date"))
        whole = all(len(each) == 4 for each in piece.dates)
        dates = [each for each in told if each.type == "date"
                 and (named or whole or not self.vocabulary.in_years(each))]  # fmt: skip
        plain = [each for each in dates if norms(each.name) == ("date",)]
        plain = self._everywhere(plain)
        happened = [each for each in dates if not closed.PLANNED & {*norms(each.name)}]
        own = [e for e in dates if any(self._is_akin(n, e) for n in range(piece.start, piece.end))]
        own = own if len(own) == 1 else []  # `dated 2021` beside another date than `Dated`
        of = self._one(dates if named else own or plain or happened or dates, words)
        if not named:
            self._check_dates(happened, of, piece, plain=bool(plain))
        year = self.vocabulary.only_year
        if year and any(each.startswith(year) for each in piece.dates) and year not in words:
            self.assumptions.append(f"“{words}” is in {year}, the year of all dates here")
        ends = {"until", "till", "from", "since"} & {*norms(of.name)}
        if piece.comparison == "is" and ends - self._lows:
            raise self._decline([piece], f"{of.name!r} is one end of a time: say before or after")
        if not named:
            self._check_event(piece, of)
            self.assumptions.append(f"“{words}” is compared with {of.name!r}")
        key = of.name if piece.comparison == "is" else f"{of.name} {words}"
        return Placed(self._atom(compares(of.name, piece.comparison, piece.dates)), key)

    def _check_dates(self, dates: Sequence[Field], of: Field, piece: Dated, *, plain: bool) -> None:
        """Decline a date that may be another's: of what lasts, or a year in its own field."""
        told = self._carried([*self.vocabulary.of_type("number"), *self.vocabulary.of_type("date")])
        years = [each for each in told if self.vocabulary.in_years(each)]
        years = years if all(len(each) == 4 for each in piece.dates) else []
        said = [e for e in dates if any(self._is_akin(n, e) for n in range(len(self.tokens)))]
        others = [each for each in (*(said if plain else dates), *years) if each is not of]
        if others and of not in said:
            raise self._decline([piece], f"it may be {of.name!r} or {others[0].name!r}: say which")

    def _check_event(self, piece: Dated, of: Field) -> None:
        """Decline a date right behind another field or an unknown verb: `delivered in May`.

        What was in some state at a time is not what is in it now.
        """
        for state in self._of(Valued) if {"was", "were"} & self._lows else ():
            if closed.STATES & {word for name in state.items for word in norms(name)}:
                raise self._decline([state], "what was so at a time is not what is so now")
        before = self._before(piece)
        if before is None or before.end != piece.start:
            return
        named = before.fields if isinstance(before, Named) else ()
        dates = [each for each in named if each.type == "date"]
        told = [before.words[-1], *before.items] if isinstance(before, Valued) else [""]
        own = {each[:4] for each in norms(of.name)} & {each[:4] for e in told for each in norms(e)}
        other = told[0].endswith("ed") and not own
        if isinstance(before, Leftover) or (dates and of not in dates) or other:
            words = [self._said(before, piece)]
            raise self._decline(words, f"the date that fits, {of.name!r}, may be another")

    def _of_mention(self, piece: Mentioned, negated: str) -> Placed:
        self._check_terms(piece)
        within = self._prose_field
        if blank := [each for each in piece.terms if not norms(each)]:
            raise self._decline(blank, "it has no word to look for")
        known = [each for each in piece.terms if self.vocabulary.knows(norms(each)[0])]
        nodes: list[Node] = []
        for term in piece.terms:
            if not (known and piece.joined == "or"):
                self._check_spelling(term)
            if within:
                nodes.append(self._inside(within, term))
                continue
            said: list[Node] = [self._new_atom(f"mentions {term}", terms=(term,))]
            said += [self._inside(each.name, term) for each in self._beside_text(term)]
            nodes.append(any_of(said))
            self._tell_forms(term)
        either = piece.joined == "or" or piece.neither
        if negated and len(nodes) > 1 and not (piece.neither or piece.both or negated == "neither"):
            told = f" {piece.joined} ".join(piece.terms)
            self.assumptions.append(f"“{told}” under the negation is read as neither of them")
            either = True
        node = any_of(nodes) if either else all_of(nodes)
        return Placed(Not(part=node) if piece.neither else node, "mention")

    def _tell_forms(self, term: str) -> None:
        """Say which forms of a verb do not mention a noun: `refunded` for `refunds`.

        A name with the ending of a plural is taken as it is: `Windows`.
        """
        low = term.casefold()
        akin = {*self.corpus.lexicon.inflections(low)} - {*noun_forms(low)} if term == low else ()
        for each in sorted(each for each in akin if each.endswith(("ed", "ing"))):
            self.assumptions.append(f"“{term}” is looked for, not “{each}”")
        one = singular(low)
        named = term[:1].isupper() and not term.isupper() and one != low
        if named and self.corpus.lexicon.frequency(one):
            self.assumptions.append(f"“{term}” is taken as a name: “{one}” does not mention it")

    def _check_terms(self, piece: Mentioned) -> None:
        """Decline `mention Rex the dog`, and `mention a label, lots and notes alike`."""
        behind = self._behind(piece)
        between = self.tokens[piece.end : behind.start] if behind is not None else []
        if isinstance(behind, Named | Valued | Kinds) and [each.low for each in between] == ["the"]:
            raise self._decline([self._said(piece, behind)], "put a name in quotation marks")
        for term in piece.terms[1:]:
            if piece.terms[0].casefold().rstrip(".") in closed.TITLES:
                raise self._decline([piece.terms[0]], "say each name in full")
            if self.vocabulary.kind(norms(term)[:1]) is not None:
                raise self._decline([term], "it may be what mentions, or what is mentioned")

    def _beside_text(self, term: str) -> list[Field]:
        """Return the fields of rows, which stand beside their text, with a term in a value.

        What is only known of a document, such as the subject of the mail that it came with, is no
        word of it.
        """
        told = {
            each.name: self._documents(compares(each.name, "contains", self._inflected(term)))
            for each in stated_fields(self.corpus)
            if not each.written and each.type in {"text", "list"}
        }
        row = [each.rpartition("#")[2].isdigit() for each in self.corpus.documents]
        rows = {name for name, own in told.items() if own and all(row[at] for at in own)}
        return [each for each in self.vocabulary.fields if each.name in rows]

    def _check_spelling(self, term: str) -> None:
        """Decline a word that stands nowhere though one like it does: it is likely misspelt."""
        lexicon = self.corpus.lexicon
        words = term.replace("-", " ").split()
        unknown = [each for each in words if each.islower() and not self.vocabulary.knows(each)]
        if len(words) > len(unknown) > 0:
            raise self._decline(unknown, "it stands in no document, though the rest of it does")
        for word in words:
            low = word.casefold()
            forms = lexicon.inflections(low) if word == low else ()
            if forms and not any(map(lexicon.frequency, noun_forms(low))):
                told = ", ".join(sorted(forms)[:3])
                raise self._decline([word], f"it stands in no document as such, but {told} does")
            if len(low) < 4 or not low.isalpha() or self.vocabulary.knows(word):
                continue
            near = [each for each in lexicon.spellings(low) if each[:1] == low[:1]]
            if near:
                told = " or ".join(f"“{each}”" for each in near[:3])
                raise QuestionError(
                    f"“{word}” stands in no document; {told} does: ask again with the word you mean"
                )

    def _of_name(self, piece: Named) -> Placed:
        """Read a field by itself: that a document has it, that it is true, or a value of its name.

        A value where these documents have no such field: `guides that were withdrawn`.
        """
        items, size = self.vocabulary.values_at(self.tokens, piece.start)
        valued = len(items) == 1 and size == piece.end - piece.start
        if valued and not self._carried(piece.fields):
            return self._of_value(self._as_value(piece, items))
        of = self._one(piece.fields, piece)
        if self.vocabulary.holds_or_not(of):
            *_, last = norms(of.name)
            done = last.endswith("ed") or last in VERB_FORMS
            if done and not any(root(each.norm, last) for each in self.tokens):
                raise self._decline([piece], f"it may not be what {of.name!r} says")
            wanted = tuple(each for each, _ in of.values if each.casefold() in {"true", "yes", "y"})
            test = compares(of.name, "is", wanted or ("true",))
            return Placed(self._atom(test), f"{of.name} true")
        having = piece.before in {*closed.EXISTING, "been"} or self._has_happened(piece, of)
        if having and not (valued and self._is_now(piece)):
            return self._of_having(piece, of)
        if valued:
            return self._of_value(self._as_value(piece, items))
        raise self._decline([piece], "say what of this field is meant")

    def _as_value(self, piece: Named, items: dict[str, Words]) -> Valued:
        told = tuple(each.norm for each in self.tokens[piece.start : piece.end])
        made = Valued(start=piece.start, end=piece.end, items=items, words=told)
        self.pieces[self.pieces.index(piece)] = made
        return made

    def _of_having(self, piece: Named, of: Field) -> Placed:
        if any(each.norm == "by" for each in self.tokens[piece.end : piece.end + 1]):
            raise self._decline([piece], "by whom, no field says")
        values = self.corpus.field_values(of.name) if of.type == "number" else {}
        if any(values[at].number == 0 for at in self._base & values.keys()):
            if self._base <= values.keys():
                return Placed(self._atom(compares(of.name, "more_than", ("0",))), of.name)
            raise self._decline([piece], "say whether 0 counts, or that the field is missing")
        words = norms(self._said(piece))
        states = self.vocabulary.values_by_words(words) if of.type == "date" else {}
        for each in self._carried([e for e in self.vocabulary.fields if e.name in states]):
            self._check_event_of(words[0], each, states[each.name])
        if doubtful := self.vocabulary.doubtful(of):
            said = ", ".join(map(repr, doubtful[:3]))
            raise self._decline([piece], f"it is open whether one has it where it says {said}")
        return Placed(self._atom(compares(of.name, "exists")), f"{of.name} exists")

    def _of_degree(self, piece: Gradable) -> Placed:
        """Take the likeliest limit of a word of degree or time, and say so."""
        told, fields = piece.degree, self._carried(self.vocabulary.fields)
        limit = limit_of(told, fields, self.vocabulary, self._base) if told is not None else None
        if limit is None:
            why = "it sets no limit here: say from which value or date on"
            raise self._decline([piece.word], why)
        self.limits.append((piece, limit))
        self.assumptions.append(f"“{piece.word}” is read as {limit.readings[0].words}")
        test = limit.readings[0].test
        return Placed(self._atom(test), f"{test.field} limit")

    def _in_prose(self, at: int, piece: Piece) -> bool:
        """Tell whether a word that is a value too belongs to a phrase about meaning before it."""
        before = self._before(at)
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
            inner = isinstance(piece, Joined) and isinstance(self._behind(each), Leftover)
            if not (isinstance(piece, Leftover) or inner or self._in_prose(each, piece)):
                break
            run.append(each)
        return run

    def _meaning(self, run: Sequence[int], negated: str) -> Placed:
        first, last = self.pieces[run[0]], self.pieces[run[-1]]
        start = first.start
        while start and self.tokens[start - 1].low in FUNCTION_WORDS - closed.SAID and not negated:
            if any(each.start <= start - 1 < each.end for each in self.pieces):
                break
            start -= 1
        text = self._text(start, last.end)
        said = [self.pieces[at] for at in run if not isinstance(self.pieces[at], Kinds)]
        inside = [token for each in said for token in self.tokens[each.start : each.end]]
        words = [each.text for each in inside if each.low not in FUNCTION_WORDS] or [text]
        telling = [each for each in words if each.casefold() not in FUNCTION_WORDS]
        if not any(map(self.vocabulary.knows, telling)):
            raise self._decline(words, "no field, value or passage here has it")
        if negated:
            why = "that something is not stated, only a reader of every document can tell"
            raise self._decline([f"{negated} {text}"], why)
        return Placed(self._new_atom(text), f"meaning {run[0]}")

    def _atom(self, test: Predicate) -> Node:
        between = test.comparison == "between"
        values = (" and " if between else " or ").join(test.values)
        how = test.comparison.replace("_", " ")
        if between and len(set(test.values)) == 1:
            how, values = "is", test.values[0]
        counted = "number of " if test.of == "length" else ""
        told = f"{counted}{test.field} {how} {values}".strip()
        return self._new_atom(told, test)

    def _new_atom(self, text: str, test: Predicate | None = None, terms: Words = ()) -> Condition:
        """Number a condition: one of a field, one of words, or without both one of meaning."""
        known = {each.id for each in self.atoms}
        id_ = next(name for n in count(len(known) + 1) if (name := f"c{n}") not in known)
        self.atoms.append(Condition(id=id_, text=text, terms=terms, predicate=test))
        return self.atoms[-1]

    @property
    def _prose_field(self) -> str:
        """The field of sentences whose words are asked for: `remarks that mention fog`."""
        kinds = [each.kind.test for each in self._of(Kinds)]
        names = [each.field for each in kinds if each is not None and each.comparison == "exists"]
        names += [one.name for each in self._of(Named) for one in each.fields]
        first = self._first
        for name in names:
            word = self.tokens[first.start].norm if first is not None else ""
            if word in closed.PROPERTIES and norms(name) == (word,):
                return name
            values = [len(each.raw.split()) for each in self.corpus.field_values(name).values()]
            listed = self.vocabulary.of_type("list")
            again = any(each.name == name and each.distinct < each.documents for each in listed)
            if sum(values) > _SENTENCE * len(values) and not again:
                return name
        return ""

    def _inside(self, name: str, term: str) -> Node:
        return self._atom(compares(name, "contains", self._inflected(term)))

    def _inflected(self, term: str) -> Words:
        forms = self.corpus.lexicon.inflections(term.casefold())
        return tuple(dict.fromkeys((term, *(e for e in forms if norms(e) == norms(term)))))

    def _matching(self, node: Node | None) -> frozenset[int]:
        every = frozenset(range(len(self.corpus.documents)))
        match node:
            case Condition(predicate=Predicate() as test):
                return self._documents(test)
            case Not():
                return every - self._matching(node.part)
            case AnyOf():
                return frozenset().union(*map(self._matching, node.parts))
            case AllOf():
                return every.intersection(*map(self._matching, node.parts))
            case _:
                return every

    def _told_otherwise(
        self, piece: Kinds | Named, test: Predicate | None, inside: frozenset[int]
    ) -> frozenset[int]:
        """Return the documents elsewhere whose type, name or title has the words of a kind.

        Of several words those tell that say what a report or a note is of. A type that a document
        states goes before its name, and is not doubted where the kind is told by types; the title
        of one in a folder tells what it is about.
        """
        rows = all("#" in self.corpus.documents[at] for at in inside)
        if test is None or rows:
            return frozenset()
        words = {each.norm for each in self.tokens[piece.start : piece.end]}
        telling = words - FUNCTION_WORDS - closed.GENERIC - WEAK or words
        typed: dict[int, set[str]] = {}
        for each in self.vocabulary.fields:
            for at, value in (
                self._values(each.name).items() if self.vocabulary.is_type(each.name) else ()
            ):
                typed.setdefault(at, set()).update(*map(norms, value.items))
        named = enumerate(zip(self.corpus.documents, self.corpus.titles, strict=True))
        told = {
            at: {*norms(name), *(() if "/" in name else norms(title))}
            for at, (name, title) in named
            if at not in inside
        }
        stated = typed.keys() if self.vocabulary.is_type(test.field) else ()
        return frozenset(
            at for at, own in told.items() if at not in stated and telling & typed.get(at, own)
        )

    def _check_entity(self, entity: Field | None) -> None:
        """Decline to count what a field names where other documents are headed by its name."""
        piece = next(iter(self._of(Named)), None)
        if entity is None or piece is None:
            return
        if doubtful := self.vocabulary.doubtful(entity):
            said = ", ".join(map(repr, doubtful[:3]))
            why = f"it is open whether {said} is one"
            raise self._decline([piece], why)
        if why := self.vocabulary.one_or_two(entity):
            raise self._decline([piece], why)
        counted = any(each.what == "count" for each in self._of(Ask)) and self.atoms
        sorts = all(each.islower() for each in self.corpus.field_items(entity.name))
        if counted and sorts and not self._lows & (closed.ONCE | closed.SORTS):
            raise self._decline([piece], "it may be each document or each sort that is counted")
        tests = [each.kind.test for each in self._of(Kinds) if not each.kind.others]
        if any(e and e.field == entity.name and len(e.values) == 1 for e in tests):
            why = "they are all of one kind, and no field is named that parts them"
            raise self._decline([piece], why)
        test = compares(entity.name, "exists")
        if told := self._told_otherwise(piece, test, self._documents(test)):
            names = ", ".join(self.corpus.documents[each] for each in sorted(told)[:3])
            why = f"{names} is called so, too, and has no {entity.name!r}"
            raise self._decline([piece], why)

    def _check_doubts(self, conditions: Node | None) -> None:
        """Decline what counts documents that lie with a kind and are named otherwise."""
        read = any(each.predicate is None and not each.terms for each in self.atoms)
        mentions = any(each.terms for each in self.atoms) or bool(self._of(Negated))
        matching = self._base if mentions else self._base & self._matching(conditions)
        for piece in self._of(Kinds) if not read else ():
            test = piece.kind.test
            inside = self._documents(test) if test is not None else self._base
            inside = inside.union(*(self._documents(each) for each in piece.kind.others))
            told = piece.kind.doubted | self._told_otherwise(piece, test, inside)
            doubted = (told & matching) | (told - inside)
            for each in self._of(Valued) if test is not None else ():
                of_type = [item for item in each.items.items() if self.vocabulary.is_type(item[0])]
                typed = [self._documents(compares(name, "is", items)) for name, items in of_type]
                if typed and not inside.intersection(*typed):
                    raise self._decline([each, piece.noun], "no document is both")
            if doubted:
                names = ", ".join(self.corpus.documents[each] for each in sorted(doubted)[:3])
                why = f"whether {names} is one, its name and its place or title tell differently"
                raise self._decline([piece], why)
