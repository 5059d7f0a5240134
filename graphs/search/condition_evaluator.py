"""What is known of a condition's truth: from fields, from findings, from chunks still open."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property

from pyroaring import BitMap

from agent.evidence import Finding
from agent.predicates import satisfies
from agent.question import Condition, Interpretation, Node, Not, atoms, verdict
from agent.state import State
from graphs.context import Context
from graphs.scope import ledger, open_conditions, scope, within
from tools.decisions import chunks_of, field_values, possible, satisfying

Truth = Callable[[Condition], bool | None]
"""A condition's truth: None where chunks without a verdict could still make it true."""


class ConditionEvaluator:
    """The truth of a question's conditions in each document, and of each name."""

    def __init__(
        self, state: State, context: Context, reading: Interpretation | None = None
    ) -> None:
        """Gather what is known; raise QuestionError where the question was never read.

        `reading` is one of those that were searched together; None is what was searched.
        """
        searched = state.interpreted
        reading = reading or searched
        self._corpus = context.corpus
        self._conditions, self._wanted = reading.conditions, reading.wanted
        others = {atom.id for atom in atoms(searched.conditions)}
        others -= {atom.id for atom in atoms(reading.conditions)}
        found = [e for e in context.store.findings(scope(state)) if e.condition not in others]
        of_names = reading.grain == "entity" and not reading.entity_field
        if of_names:  # a document that fields rule out for this reading was read for another
            left = {self._corpus.documents[each] for each in self.candidates}
            found = [each for each in found if each.document in left]
        self.findings = tuple(found)
        self.by_document: dict[str, list[Finding]] = defaultdict(list)
        for finding in self.findings:
            self.by_document[finding.document].append(finding)
        book = ledger(state, context)
        base = within(state, context)
        read_for = chunks_of(context.corpus, self.candidates) if of_names else base
        self.undecided = {
            each.id: (base - book.ids(each.id, "yes") - book.ids(each.id, "no")) & read_for
            for each in open_conditions(state)
            if each.id not in others
        }
        """By condition, the chunks that could still satisfy it: those without a verdict."""
        self._recorded = {
            each.condition: (context.store.ids(each.holds), context.store.ids(each.unknown))
            for each in (state.route.decided if state.route else ())
        }
        """By condition, the documents of which the records say that it holds, or say nothing."""
        self._satisfying = {
            atom.id: satisfying(context.corpus, atom.predicate)
            for atom in atoms(reading.conditions)
            if atom.predicate is not None
        }
        for atom in atoms(reading.conditions):
            if atom.literal:
                self._satisfying[atom.id] = self._mentioning(atom.id)

    def _mentioning(self, condition: str) -> frozenset[int]:
        """Return the documents in which code found the words of a literal mention."""
        return frozenset(
            self._corpus.document_index(each.document)
            for each in self.findings
            if each.condition == condition
        )

    @property
    def loose(self) -> int:
        """How many chunks have no verdict, counted once per condition."""
        return sum(len(chunks) for chunks in self.undecided.values())

    @cached_property
    def unread_documents(self) -> frozenset[str]:
        """The documents that have a chunk without a verdict."""
        chunks = BitMap().union(*self.undecided.values())
        numbers = set(self._corpus.chunk_document[list(chunks)].tolist()) if chunks else set()
        return frozenset(self._corpus.documents[number] for number in numbers)

    def matching(self) -> list[int]:
        """Return the documents that match by what was found so far, in order."""
        return [
            each for each in self.candidates if self._holds(self.of_document(each, borderline=True))
        ]

    def sure(self, documents: Iterable[int]) -> list[int]:
        """Return those of the documents that no open chunk could unmatch."""
        return [each for each in documents if self.verdict(self.of_document(each)) is True]

    def conceivable(self) -> list[int]:
        """Return the documents that match or could, if open chunks turn out so."""
        return [
            each for each in self.candidates if self.verdict(self.of_document(each)) is not False
        ]

    def settled(self) -> tuple[list[int], list[int]]:
        """Return the documents that match by what was read: certainly, and perhaps."""
        verdicts = {
            each: self.verdict(self.of_document(each, unread=False)) for each in self.candidates
        }
        certain = [each for each, verdict in verdicts.items() if verdict is True]
        return certain, [each for each, verdict in verdicts.items() if verdict is not False]

    def of_document(
        self, number: int, *, borderline: bool | None = None, unread: bool | None = None
    ) -> Truth:
        """Return the truth of conditions in a document.

        `borderline` is that of doubtful findings, `unread` of what only open chunks could state.
        """
        told = self.by_document.get(self._corpus.documents[number], ())
        found = _found(told, borderline=borderline)
        chunks = self._corpus.chunks_of(number)

        def truth(atom: Condition) -> bool | None:
            if atom.id in self._satisfying:
                return number in self._satisfying[atom.id]
            holds, unknown = self._recorded.get(atom.id, (None, None))
            if holds is not None and unknown is not None and number not in unknown:
                return number in holds
            open_ = self.undecided[atom.id].range_cardinality(chunks.start, chunks.stop)
            return found.get(atom.id, unread if open_ else False)

        return truth

    def of_name(
        self,
        told: Sequence[Finding],
        *,
        borderline: bool | None = None,
        unread: bool | None = None,
    ) -> Truth:
        """Return the truth of conditions for a name, given the findings about it.

        A field's condition holds where it holds for one of the documents that name it.
        """
        found = _found(told, borderline=borderline)
        places = {self._corpus.document_index(each.document) for each in told}

        def truth(atom: Condition) -> bool | None:
            if atom.id in self._satisfying:
                return not self._satisfying[atom.id].isdisjoint(places)
            return found.get(atom.id, unread if self.undecided[atom.id] else False)

        return truth

    def holds_for(self, told: Sequence[Finding]) -> bool:
        """Tell whether the conditions hold for a name by what was found so far."""
        return self._holds(self.of_name(told, borderline=True))

    def verdict(self, truth: Truth) -> bool | None:
        """Return whether the conditions hold; None where open chunks could change it."""
        return verdict(self._conditions, truth)

    def _holds(self, truth: Truth) -> bool:
        return verdict(self._conditions, lambda atom: bool(truth(atom))) is True

    @cached_property
    def candidates(self) -> list[int]:
        """The documents that may match when only the fields are known, in order."""
        return possible(self._corpus, self._wanted)


def _found(told: Iterable[Finding], *, borderline: bool | None) -> dict[str, bool | None]:
    """Return the conditions that findings speak for: true, or as given where all are borderline."""
    told = list(told)
    found: dict[str, bool | None] = dict.fromkeys((each.condition for each in told), borderline)
    return found | {each.condition: True for each in told if each.certainty == "certain"}


def lacking(reading: Interpretation | None, context: Context) -> dict[str, int]:
    """Return by field how many documents lack it, for the fields that decide a condition."""
    node = reading.conditions if reading else None
    named = [atom.predicate.field for atom in atoms(node) if atom.predicate]
    every = len(context.corpus.documents)
    counts = {name: every - len(field_values(context.corpus, name)) for name in named}
    return {name: count for name, count in counts.items() if count}


def counted_as(field: str, documents: int, reading: Interpretation | None) -> str:
    """Say how documents without a field count: a denied test of it holds of them."""
    count = "counts" if documents == 1 else "count"
    evaluator = set(_without(field, reading.conditions if reading else None))
    if len(evaluator) > 1:
        return f"{count} as not stating it"
    return f"{count} as {'matching, since it is denied' if True in evaluator else 'not matching'}"


def _without(field: str, node: Node | None) -> Iterator[bool]:
    """Yield whether each condition on a field, as it is denied or not, holds without the field."""
    match node:
        case None:
            return
        case Condition():
            if node.predicate is not None and node.predicate.field == field:
                yield satisfies(None, node.predicate)
        case Not():
            yield from (not each for each in _without(field, node.part))
        case _:
            for part in node.parts:
                yield from _without(field, part)
