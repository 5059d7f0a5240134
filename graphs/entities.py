"""From findings and fields to the entities that satisfy the conditions, with their evidence."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from pyroaring import BitMap

from agent.errors import QuestionError
from agent.evidence import Entity, Evidence, Finding
from agent.predicates import field_number
from agent.question import Condition, Interpretation, atoms, holds, verdict
from agent.state import State
from graphs.context import Context
from graphs.scope import MEASURE, ledger, open_conditions, scope
from tools.computation import Quantity
from tools.decisions import field_quote, field_values, possible, satisfying

__all__ = ("Matches", "matches")


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches:
    """The entities that satisfy a question's conditions."""

    entities: tuple[Entity, ...]
    bounds: tuple[int, int]
    """How many they could be, given the chunks that have no verdict."""
    values: Mapping[str, Sequence[Quantity]] = field(default_factory=dict)
    """The measured quantities by entity, for numeric operations."""
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The groups of each entity, for group_by."""
    warnings: tuple[str, ...] = ()


def matches(state: State, context: Context) -> Matches:
    """Combine the conditions per entity over all its evidence."""
    reading = state.interpretation
    if reading is None:
        raise QuestionError("nothing to match: the question was never read")
    search = _Search(state, context, reading)
    if reading.entity_field:
        return search.field_items(reading.entity_field)
    return search.documents() if reading.grain == "document" else search.named()


class _Search:
    """What was found in one search, seen from its entities."""

    def __init__(self, state: State, context: Context, reading: Interpretation) -> None:
        self.corpus = context.corpus
        self.reading = reading
        self.state = state
        self.context = context
        self.findings = context.store.findings(scope(state))
        self.texts = {each.id: each.text for each in atoms(reading.conditions)}
        self.by_document: dict[str, list[Finding]] = defaultdict(list)
        for finding in self.findings:
            self.by_document[finding.document].append(finding)
        self.undecided = self._undecided()
        self.satisfying = {
            atom.id: satisfying(context.corpus, atom.predicate)
            for atom in atoms(reading.conditions)
            if atom.predicate is not None
        }

    def documents(self) -> Matches:
        """Each document is an entity."""
        matching, maybe = self._matching_documents()
        names = self.corpus.documents
        return Matches(
            entities=tuple(self._document(number) for number in matching),
            bounds=(self._sure(matching), maybe),
            values={names[number]: self._quantities(number) for number in matching},
            groups={names[number]: self._groups(number) for number in matching},
        )

    def field_items(self, name: str) -> Matches:
        """Each item of a field is an entity, over the documents that match."""
        matching, maybe = self._matching_documents()
        values = field_values(self.corpus, name)
        spelt: dict[str, str] = {}
        places: dict[str, list[int]] = defaultdict(list)
        for number in matching:
            for item in values[number].items if number in values else ():
                key = " ".join(item.split()).casefold()
                spelt.setdefault(key, item)
                places[key].append(number)
        entities = tuple(
            Entity(
                name=spelt[key],
                documents=tuple(self.corpus.documents[number] for number in numbers),
                evidence=tuple(self._field_evidence(name, numbers)),
            )
            for key, numbers in sorted(places.items())
        )
        count = len(entities)
        return Matches(entities=entities, bounds=(count, count + maybe - len(matching)))

    def named(self) -> Matches:
        """Each name found in the text, with its aliases, is an entity."""
        clusters = self.context.store.entities(scope(self.state))
        canonical = {
            alias: name for name, aliases in clusters.items() for alias in (name, *aliases)
        }
        mentions: dict[str, list[Finding]] = defaultdict(list)
        for finding in self.findings:
            if finding.by != "metadata":
                mentions[canonical.get(finding.entity, finding.entity)].append(finding)
        names = [name for name, told in sorted(mentions.items()) if self._named_holds(told)]
        entities = tuple(
            self._entity(name, mentions[name], clusters.get(name, ())) for name in names
        )
        loose = sum(len(chunks) for chunks in self.undecided.values())
        return Matches(
            entities=entities,
            bounds=(len(entities), len(entities) + loose),
            values={name: _stated(mentions[name]) for name in names},
        )

    def _undecided(self) -> dict[str, BitMap]:
        book = ledger(self.state, self.context)
        return {
            condition.id: book.undecided(condition.id) for condition in open_conditions(self.state)
        }

    def _matching_documents(self) -> tuple[list[int], int]:
        """Return the documents that match, and how many could match at most."""
        conditions = self.reading.conditions
        candidates = possible(self.corpus, conditions)
        matching = [each for each in candidates if holds(conditions, self._known(each))]
        maybe = sum(verdict(conditions, self._truth(each)) is not False for each in candidates)
        return matching, maybe

    def _sure(self, matching: Sequence[int]) -> int:
        """Count the matching documents that no open chunk could unmatch."""
        conditions = self.reading.conditions
        return sum(verdict(conditions, self._truth(each)) is True for each in matching)

    def _known(self, number: int) -> Callable[[Condition], bool]:
        """Return the truth of conditions in a document by what was found so far."""
        truth = self._truth(number)
        return lambda atom: bool(truth(atom))

    def _truth(self, number: int) -> Callable[[Condition], bool | None]:
        """Return the truth of conditions in a document: None where open chunks could decide it."""
        found = {each.condition for each in self.by_document.get(self.corpus.documents[number], ())}
        chunks = self.corpus.chunks_of(number)

        def truth(atom: Condition) -> bool | None:
            if atom.id in self.satisfying:
                return number in self.satisfying[atom.id]
            if atom.id in found:
                return True
            open_ = self.undecided[atom.id].range_cardinality(chunks.start, chunks.stop)
            return None if open_ else False

        return truth

    def _document(self, number: int) -> Entity:
        name = self.corpus.documents[number]
        entity = self._entity(name, self.by_document.get(name, []), ())
        measure = self.reading.measure
        shown = self._field_evidence(measure.field, [number]) if measure and measure.field else ()
        return entity.model_copy(
            update={"documents": (name,), "evidence": (*entity.evidence, *shown)}
        )

    def _quantities(self, number: int) -> list[Quantity]:
        """Return the measured quantities of a document: of its field, else of its findings."""
        measure = self.reading.measure
        if measure is None:
            return []
        if measure.field is None:
            return _stated(self.by_document.get(self.corpus.documents[number], []))
        value = field_values(self.corpus, measure.field).get(number)
        if value is None:
            return []
        size = float(len(value.items)) if measure.of == "length" else field_number(value)
        return [] if size is None else [Quantity(size, measure.unit)]

    def _entity(self, name: str, told: Iterable[Finding], aliases: Sequence[str]) -> Entity:
        told = sorted(told, key=lambda each: each.by == "metadata")
        places = {(each.document, each.start, each.end, each.condition): each for each in told}
        return Entity(
            name=name,
            aliases=tuple(aliases),
            documents=tuple(sorted({each.document for each in told})),
            evidence=tuple(
                Evidence(
                    document=each.document,
                    start=each.start,
                    end=each.end,
                    quote=each.quote,
                    condition=self.texts.get(each.condition, each.condition),
                )
                for each in places.values()
            ),
        )

    def _named_holds(self, told: Sequence[Finding]) -> bool:
        found = {each.condition for each in told}

        def truth(atom: Condition) -> bool:
            # documents that fail a field's condition were never read
            return atom.predicate is not None or atom.id in found

        return holds(self.reading.conditions, truth)

    def _field_evidence(self, name: str, numbers: Iterable[int]) -> Iterable[Evidence]:
        values = field_values(self.corpus, name)
        for number in numbers:
            text = self.corpus.document_text(number)
            span = field_quote(text, values[number]) if number in values else None
            if span is not None:
                yield Evidence(
                    document=self.corpus.documents[number],
                    start=span[0],
                    end=span[1],
                    quote=text[span[0] : span[1]],
                    condition=name,
                )

    def _groups(self, number: int) -> Sequence[str]:
        if not self.reading.group_by:
            return ()
        value = field_values(self.corpus, self.reading.group_by).get(number)
        return value.items if value else ("(none)",)


def _stated(told: Iterable[Finding]) -> list[Quantity]:
    """Return the numbers of findings, one that stands in two overlapping chunks only once.

    A number beside the words that satisfy a condition goes before one that stands alone.
    """
    places = {(each.document, each.start, each.end): each for each in told}
    valued = [each for each in places.values() if each.value is not None]
    beside = [each for each in valued if each.condition != MEASURE]
    return [Quantity(each.value, each.unit) for each in beside or valued if each.value is not None]
