"""How often each document states the conditions whose places are counted, and where."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from pyroaring import BitMap

from agent.evidence import Finding
from agent.question import Condition, Interpretation, atoms
from agent.state import State
from graphs.context import Context
from graphs.scope import ledger
from graphs.search.condition_evaluator import ConditionEvaluator
from tools.corpus.corpus import Corpus
from tools.mentions import Mentions, in_context

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


def counts_places(reading: Interpretation | None) -> bool:
    """Tell whether a reading counts places in the texts, not documents or what fields hold."""
    return reading is not None and reading.measure is not None and bool(reading.measure.places)


def totals_places(reading: Interpretation) -> bool:
    """Tell whether a reading asks for one number: how many places there are in all."""
    return counts_places(reading) and reading.operation == "sum" and not reading.group_by


class Occurrences:
    """The places of a reading's counted conditions, document by document.

    Of a mention they are found by code: every span of its spellings in a passage that was judged
    to mention it. Of any other condition they are what was quoted. Places are spans of the
    document's text, so that passages that overlap count none twice.
    """

    def __init__(
        self, state: State, context: Context, reading: Interpretation, evaluator: ConditionEvaluator
    ) -> None:
        """Take what was found for a reading that counts places; without them there are none."""
        wanted = frozenset(reading.measure.places) if reading.measure is not None else frozenset()
        self._corpus: Corpus = context.corpus
        self._mentioned = Mentions(context.corpus)
        self._evaluator = evaluator
        self._counted = [each for each in atoms(reading.conditions) if each.id in wanted]
        book = ledger(state, context)
        self._yes = {each.id: book.ids(each.id, "yes") for each in self._counted}
        self._known: dict[int, Places] = {}

    def of(self, document: int) -> Places:
        """Return the places of a document."""
        if document not in self._known:
            self._known[document] = self._places(document)
        return self._known[document]

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
        held: dict[int, int] = {}
        for place in (each for document in documents for each in self.of(document).found):
            held[place.chunk] = held.get(place.chunk, 0) + 1
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
        apart = list(_apart(found))
        return Places(found=tuple(self._shown(document, apart)), unread=unread, open=passages)

    def _shown(self, document: int, apart: Sequence[Finding]) -> Iterator[Finding]:
        text = self._corpus.document_text(document)
        mentions = {each.id for each in self._counted if each.terms}
        wide = in_context(text, [(each.start, each.end) for each in apart])
        for each, (start, end) in zip(apart, wide, strict=True):
            if each.condition in mentions:
                where = {"start": start, "end": end, "quote": text[start:end]}
                yield each.model_copy(update=where)
            else:
                yield each

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
