"""What is known of a condition: its truth in documents and of names, and where it is stated."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial

from pyroaring import BitMap

from agent.evidence import Certainty, Finding
from agent.predicates import satisfies, satisfying
from agent.question import Condition, Interpretation, atoms, signed, verdict
from agent.state import State
from graphs.context import Context
from graphs.scope import asked_in, ledger, scope, within
from tools.corpus.corpus import Corpus
from tools.decisions import chunks_of, documents_of, possible, untold
from tools.mentions import Mentions, in_context

Truth = Callable[[Condition], bool | None]
"""A condition's truth: None where chunks without a verdict could still make it true."""


class ConditionEvaluator:
    """The truth of a question's conditions in each document, and of each name."""

    def __init__(
        self, state: State, context: Context, reading: Interpretation | None = None
    ) -> None:
        """Gather what is known of one of the readings searched together; None is all of them.

        Raises QuestionError: the question was never read.
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
            each: (chunks - book.judged(each)) & read_for
            for each, chunks in asked_in(state, context).items()
            if each not in others
        }
        """By condition, the chunks that could still satisfy it: those without a verdict."""
        self._judged = {each: book.judged(each) for each in self.undecided}
        self._recorded = {
            each.condition: (context.store.ids(each.holds), context.store.ids(each.unknown))
            for each in (state.route.decided if state.route else ())
        }
        """By condition, the documents of which the records say that it holds, or say nothing."""
        tests = {each.id: each.predicate for each in atoms(reading.conditions) if each.predicate}
        read = {each.id for each in atoms(reading.conditions) if not each.by_code}
        self._satisfying = {each: satisfying(self._corpus, test) for each, test in tests.items()}
        silent = {each: untold(self._corpus, test) for each, test in tests.items()}
        self._untold = {each: silent[each] for each in tests if each not in read}
        """By condition, the documents that could state its field and do not."""
        self._read = {each: silent[each] for each in tests if each in read}
        """By condition, those of them that a reader decides."""
        for atom in atoms(reading.conditions):
            if atom.literal:
                sure = self._mentioning(atom, "certain")
                self._satisfying[atom.id] = sure
                self._untold[atom.id] = self._mentioning(atom, "borderline") - sure

    def _mentioning(self, atom: Condition, certainty: Certainty) -> frozenset[int]:
        """Return the documents with such a finding of a literal mention."""
        return frozenset(
            self._corpus.document_index(each.document)
            for each in self.findings
            if each.condition == atom.id and each.certainty == certainty
        )

    @property
    def loose(self) -> int:
        """How many chunks have no verdict, counted once per condition."""
        return sum(len(chunks) for chunks in self.undecided.values())

    @cached_property
    def unread_documents(self) -> frozenset[str]:
        """The documents that have a chunk without a verdict."""
        chunks = BitMap().union(*self.undecided.values())
        numbers = documents_of(self._corpus, chunks)
        return frozenset(self._corpus.documents[number] for number in numbers)

    def matching(self) -> list[int]:
        """Return the documents that match by what was found so far, in order."""
        return [
            each for each in self.candidates if self.holds(self.of_document(each, borderline=True))
        ]

    def sure(self, documents: Iterable[int]) -> list[int]:
        """Return those of the documents that no open chunk could unmatch."""
        return [each for each in documents if self.verdict(self.of_document(each)) is True]

    def conceivable(self) -> list[int]:
        """Return the documents that match or could, if open chunks or fields turn out so."""
        return [
            each
            for each in sorted({*self.candidates, *self.untold})
            if self.verdict(self.of_document(each)) is not False
        ]

    def decided(self) -> list[int]:
        """Return the documents that no open chunk could make match or unmatch."""
        told = (self._corpus.document_index(each) for each in self.by_document)
        known = self._satisfying or self._recorded  # without these only findings tell anything
        documents = self.candidates if known else sorted(told)
        return [each for each in documents if self.verdict(self.of_document(each)) is not None]

    def settled(self) -> tuple[list[int], list[int]]:
        """Return the documents that match by what was read, certainly and perhaps."""
        untold = self.untold
        verdicts = {
            each: self.verdict(self.of_document(each, unread=None if each in untold else False))
            for each in sorted({*self.candidates, *untold})
        }
        certain = [each for each, verdict in verdicts.items() if verdict is True]
        return certain, [each for each, verdict in verdicts.items() if verdict is not False]

    @cached_property
    def untold(self) -> frozenset[int]:
        """The documents that could state a field that decides a condition, and do not."""
        return frozenset[int]().union(*self._untold.values())

    def of_document(
        self, number: int, *, borderline: bool | None = None, unread: bool | None = None
    ) -> Truth:
        """Return the truth of conditions in a document, given that of doubtful, unread evidence."""
        told = self.by_document.get(self._corpus.documents[number], ())
        found = _found(told, borderline=borderline)
        chunks = self._corpus.chunks_of(number)

        def truth(atom: Condition) -> bool | None:
            if number in self._untold.get(atom.id, ()):
                return None
            if atom.id in self._satisfying and number not in self._read.get(atom.id, ()):
                return number in self._satisfying[atom.id]
            holds, unknown = self._recorded.get(atom.id, (None, None))
            if holds is not None and unknown is not None and number not in unknown:
                return number in holds
            open_ = self.undecided[atom.id].range_cardinality(chunks.start, chunks.stop)
            if number in self.untold:  # a field kept it from being read, and may have been wrong
                judged = self._judged[atom.id].range_cardinality(chunks.start, chunks.stop)
                open_ = len(chunks) - judged
            return found.get(atom.id, unread if open_ else False)

        return truth

    def of_name(
        self, told: Sequence[Finding], *, borderline: bool | None = None, unread: bool | None = None
    ) -> Truth:
        """Return the truth of conditions for a name, by all documents that name it."""
        found = _found(told, borderline=borderline)
        places = {self._corpus.document_index(each.document) for each in told}

        def truth(atom: Condition) -> bool | None:
            if atom.id in self._satisfying:
                if not self._satisfying[atom.id].isdisjoint(places):
                    return True
                return False if self._untold.get(atom.id, places).isdisjoint(places) else None
            return found.get(atom.id, unread if self.undecided[atom.id] else False)

        return truth

    def verdict(self, truth: Truth) -> bool | None:
        """Return whether the conditions hold; None where open chunks could change it."""
        return verdict(self._conditions, truth)

    def holds(self, truth: Truth) -> bool:
        """Tell whether the conditions hold if what is open is false."""
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


def lacking(reading: Interpretation, context: Context) -> dict[str, int]:
    """Return by field how many documents could state it and do not, where it decides a condition.

    Those that other fields rule out are none of them, nor those that are read for it.
    """
    node = reading.conditions
    tests = {each.id: each.predicate for each in atoms(node) if each.predicate is not None}
    without = {
        each.id: frozenset() if each.read_if_missing else untold(context.corpus, each.predicate)
        for each in atoms(node)
        if each.predicate is not None
    }
    satisfied = {each: satisfying(context.corpus, test) for each, test in tests.items()}

    def truth(number: int, atom: Condition) -> bool | None:
        if atom.id not in tests or number in without[atom.id]:
            return None
        return number in satisfied[atom.id]

    open_ = frozenset[int]().union(*without.values())
    open_ = frozenset(each for each in open_ if verdict(node, partial(truth, each)) is None)
    counts = {test.field: len(without[each] & open_) for each, test in tests.items()}
    return {name: count for name, count in counts.items() if count}


def perhaps_mentioned(reading: Interpretation, state: State, context: Context) -> list[Finding]:
    """Return the places that may be a literal mention, of documents without a certain one."""
    literal = {each.id for each in atoms(reading.conditions) if each.literal}
    own = [each for each in context.store.findings(scope(state)) if each.condition in literal]
    sure = {(each.document, each.condition) for each in own if each.certainty == "certain"}
    return [each for each in own if (each.document, each.condition) not in sure]


def counted_as(field: str, documents: int, reading: Interpretation) -> str:
    """Say how documents without a field count: a denied test of it holds of them."""
    count = "counts" if documents == 1 else "count"
    holds = {
        satisfies(None, atom.predicate) != denied
        for atom, denied in signed(reading.conditions)
        if atom.predicate is not None and atom.predicate.field == field
    }
    if len(holds) > 1:
        return f"{count} as not stating it"
    return f"{count} as {'matching, since it is denied' if True in holds else 'not matching'}"


Span = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where one document states what is counted."""

    found: tuple[Finding, ...] = ()
    """Each place once, in the order of the text; no two overlap."""
    unread: int = 0
    """Mentions that stand in passages without a verdict."""
    open: int = 0
    """Passages without a verdict, where only a reader finds places; counted per condition."""

    @property
    def certain(self) -> int:
        """How many of those found are not borderline."""
        return sum(each.certainty == "certain" for each in self.found)


def counts_places(reading: Interpretation) -> bool:
    """Tell whether a reading counts places in the texts, not documents or what fields hold."""
    return reading.measure is not None and bool(reading.measure.places)


def totals_places(reading: Interpretation) -> bool:
    """Tell whether a reading asks for one number: how many places there are in all."""
    return counts_places(reading) and reading.operation == "sum" and not reading.group_by


class Occurrences:
    """The places of a reading's counted conditions, document by document.

    Of a mention they are found by code, in passages that were judged to mention it; of any other
    condition they are what was quoted. Passages that overlap count none twice.
    """

    def __init__(
        self, state: State, context: Context, reading: Interpretation, evaluator: ConditionEvaluator
    ) -> None:
        """Take what was found for a reading that counts places."""
        wanted = reading.measure.places if reading.measure is not None else ()
        self._corpus: Corpus = context.corpus
        self._mentioned = Mentions(context.corpus)
        self._evaluator = evaluator
        self._counted = [each for each in atoms(reading.conditions) if each.id in wanted]
        book = ledger(state, context)
        self._yes = {each.id: book.ids(each.id, "yes") for each in self._counted}
        self.of = cache(self._places)
        """Returns the places of a document."""

    def evidence(self, document: int, findings: Iterable[Finding]) -> list[Finding]:
        """Return the findings of a document, each place instead of what told of the places."""
        rest = [each for each in findings if each.condition not in self._yes]
        return [*self.of(document).found, *rest]

    def between(self, sure: Iterable[int], perhaps: Iterable[int]) -> Span:
        """Return how few and how many places there are, whatever was not read holds."""
        could = [self.of(each) for each in perhaps]
        most = sum(len(each.found) + each.unread + each.open * self.at_once for each in could)
        return self.certain(sure), most

    def certain(self, documents: Iterable[int]) -> int:
        """Return how many places the documents have, without what is borderline."""
        return sum(self.of(each).certain for each in documents)

    def found(self, documents: Iterable[int]) -> int:
        """Return how many places the documents have by what was read."""
        return sum(len(self.of(each).found) for each in documents)

    @cached_property
    def at_once(self) -> int:
        """The most places that one passage has of those that were found; at least 1."""
        findings = self._evaluator.findings
        documents = {self._corpus.document_index(each.document) for each in findings}
        held = Counter(each.chunk for document in documents for each in self.of(document).found)
        return max(held.values(), default=1)

    def _places(self, document: int) -> Places:
        """Find the places of one document; a mention is shown with the words around it."""
        told = self._evaluator.by_document.get(self._corpus.documents[document], ())
        chunks = BitMap(self._corpus.chunks_of(document))
        found: list[Finding] = []
        unread = passages = 0
        for condition in self._counted:
            own = [each for each in told if each.condition == condition.id]
            open_ = self._evaluator.undecided[condition.id] & chunks
            if condition.terms and (own or open_):
                mentions, more = self._mentions(document, condition, own, open_)
                found += mentions
                unread += more
            elif not condition.terms:
                found += own
                passages += len(open_)
        shown = tuple(self._shown(document, list(_apart(found))))
        return Places(found=shown, unread=unread, open=passages)

    def _shown(self, document: int, apart: Sequence[Finding]) -> Iterator[Finding]:
        text = self._corpus.document_text(document)
        mentions = {each.id for each in self._counted if each.terms}
        wide = in_context(text, [(each.start, each.end) for each in apart])
        for each, (start, end) in zip(apart, wide, strict=True):
            where = {"start": start, "end": end, "quote": text[start:end]}
            yield each.model_copy(update=where) if each.condition in mentions else each

    def _mentions(
        self, document: int, condition: Condition, told: Sequence[Finding], open_: BitMap
    ) -> tuple[list[Finding], int]:
        """Return every span of the spellings in passages that mention them; count those unread."""
        text = self._corpus.document_text(document)
        found: list[Finding] = []
        told_of, possible = BitMap(), 0
        for start, end in self._mentioned.spans(text, condition.terms, condition.excludes):
            bearing = BitMap(self._corpus.chunks_at(document, start, end))
            teller = self._teller(bearing & self._yes[condition.id], (start, end), told)
            if teller is not None:
                where = {"chunk": bearing[0], "start": start, "end": end, "quote": text[start:end]}
                found.append(teller.model_copy(update=where))
                told_of |= bearing
            elif bearing & open_:
                possible += 1
        return [*found, *(each for each in told if each.chunk not in told_of)], possible

    def _teller(self, yes: BitMap, span: Span, told: Sequence[Finding]) -> Finding | None:
        """Return the finding that speaks for a span: its own, else its passage's, a certain one."""
        own = [each for each in told if each.start < span[1] and span[0] < each.end]
        passages = [each for each in told if each.chunk in yes]
        best = sorted(own or passages, key=lambda each: each.certainty != "certain")
        return best[0] if best else None


def _apart(found: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the places in the order of the text; of those that overlap the first, the longest."""
    end = -1
    for each in sorted(found, key=lambda one: (one.start, -one.end, one.certainty != "certain")):
        if each.start >= end:
            yield each
            end = each.end
