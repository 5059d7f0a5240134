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
from graphs.scope import ledger, open_conditions, scope
from tools.decisions import field_quote, field_values, possible, satisfying

__all__ = ("Matches", "matches")


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches:
    """The entities that satisfy a question's conditions."""

    entities: tuple[Entity, ...]
    bounds: tuple[int, int]
    """How many they could be, given the chunks that have no verdict."""
    groups: Mapping[str, str] = field(default_factory=dict)
    """The group of each entity, by its name, for group_by."""
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
        certain, maybe = self._matching_documents()
        groups = self._groups(certain)
        entities = tuple(self._document(number) for number in certain)
        return Matches(entities=entities, bounds=(self._sure(certain), maybe), groups=groups)

    def field_items(self, name: str) -> Matches:
        """Each item of a field is an entity, over the documents that match."""
        certain, maybe = self._matching_documents()
        values = field_values(self.corpus, name)
        spelt: dict[str, str] = {}
        places: dict[str, list[int]] = defaultdict(list)
        for number in certain:
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
        return Matches(entities=entities, bounds=(count, count + maybe - len(certain)))

    def named(self) -> Matches:
        """Each name found in the text, with its aliases, is an entity."""
        clusters = self.context.store.entities(scope(self.state))
        canonical = {alias: name for name, aliases in clusters for alias in (name, *aliases)}
        mentions: dict[str, list[Finding]] = defaultdict(list)
        for finding in self.findings:
            if finding.by != "metadata":
                mentions[canonical.get(finding.entity, finding.entity)].append(finding)
        names = [name for name, told in sorted(mentions.items()) if self._named_holds(told)]
        aliases = dict(clusters)
        entities = tuple(
            self._entity(name, mentions[name], aliases.get(name, ())) for name in names
        )
        loose = sum(len(chunks) for chunks in self.undecided.values())
        return Matches(entities=entities, bounds=(len(entities), len(entities) + loose))

    def _undecided(self) -> dict[str, BitMap]:
        book = ledger(self.state, self.context)
        open_states = ("unseen", "reverted", "failed", "unparsable")
        undecided = {}
        for condition in open_conditions(self.state):
            chunks = BitMap()
            for each in open_states:
                chunks |= book.ids(condition.id, each)
            undecided[condition.id] = chunks
        return undecided

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
        told = self.by_document.get(name, [])
        entity = self._entity(name, told, ())
        measure = self.reading.measure
        if measure is None or measure.field is None:
            return entity.model_copy(update={"documents": (name,)})
        value = field_values(self.corpus, measure.field).get(number)
        evidence = (*entity.evidence, *self._field_evidence(measure.field, [number]))
        number_ = field_number(value, measure.of)
        return entity.model_copy(
            update={"documents": (name,), "value": number_, "evidence": evidence}
        )

    def _entity(self, name: str, told: Iterable[Finding], aliases: Sequence[str]) -> Entity:
        told = list(told)
        places = {(each.document, each.start, each.end, each.condition): each for each in told}
        return Entity(
            name=name,
            aliases=tuple(aliases),
            documents=tuple(sorted({each.document for each in told})),
            value=_agreed([each.value for each in told if each.value is not None]),
            evidence=tuple(
                Evidence(
                    document=each.document,
                    start=each.start,
                    end=each.end,
                    quote=each.quote,
                    condition=self.texts.get(each.condition, ""),
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

    def _groups(self, numbers: Iterable[int]) -> dict[str, str]:
        if not self.reading.group_by:
            return {}
        values = field_values(self.corpus, self.reading.group_by)
        return {
            self.corpus.documents[number]: values[number].raw if number in values else "(none)"
            for number in numbers
        }


def _agreed(values: Sequence[float]) -> float | None:
    """Return the most frequent value, the first of equals; None where there is none."""
    return max(values, key=values.count) if values else None
