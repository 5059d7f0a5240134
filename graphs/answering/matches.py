"""What satisfies a question's conditions: documents, items of a field, or names in the texts."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from agent.errors import QuestionError
from agent.evidence import Entity, Finding
from agent.question import Interpretation
from agent.state import State
from graphs.answering.count_intervals import (
    between,
    counted,
    enough,
    has_item,
    holds_across,
    joined,
)
from graphs.answering.quantities import Groups, Quantities, stated
from graphs.answering.same_entity import Identities, identities
from graphs.answering.shown_entities import Entities
from graphs.context import Context
from graphs.search.condition_evaluator import ConditionEvaluator
from graphs.search.counted_places import Occurrences, counts_places, totals_places
from tools.computation import Computed, Quantity, compute
from tools.corpus.corpus import Corpus
from tools.decisions import field_values


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches:
    """The entities that satisfy a question's conditions."""

    entities: tuple[Entity, ...]
    bounds: tuple[int, int]
    """How many they could be, whatever the chunks without a verdict hold; of places, how many these
    could be."""
    found: tuple[int, int]
    """How many they are by what was found: without what is borderline, and with all of it,
    whichever of the doubtful names are one."""
    at_once: int = 1
    """How many one unread chunk could add or take away at most."""
    values: Mapping[str, Sequence[Quantity]] = field(default_factory=dict)
    """The measured quantities by entity, for numeric operations."""
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The groups of each entity, for group_by."""
    findings: tuple[Finding, ...] = ()
    """The evidence for the reading's own conditions."""


def matches(state: State, context: Context, reading: Interpretation | None = None) -> Matches:
    """Combine the conditions per entity over all its evidence.

    `reading` is one of those that were searched together; None is what was searched.
    """
    reading = reading or state.interpretation
    if reading is None:
        raise QuestionError("nothing to match: the question was never read")
    corpus = context.corpus
    known = identities(state, reading, context)
    evaluator = ConditionEvaluator(state, context, reading)
    places = Occurrences(state, context, reading, evaluator) if counts_places(reading) else None
    search = _Search(
        corpus=corpus,
        reading=reading,
        evaluator=evaluator,
        known=known,
        places=places,
        entities=Entities(corpus, reading, evaluator, known, places),
        quantities=Quantities(corpus, reading, evaluator, places),
        groups=Groups(corpus, reading.group_by),
    )
    if reading.entity_field:
        found = search.field_items(reading.entity_field)
    elif reading.grain == "document":
        found = search.documents()
    else:
        found = search.named()
    return replace(found, findings=tuple(evaluator.findings))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Search:
    """What was found in one search, seen from its entities."""

    corpus: Corpus
    reading: Interpretation
    evaluator: ConditionEvaluator
    known: Identities
    places: Occurrences | None
    """Where it is stated what is counted; None where documents or things are."""
    entities: Entities
    quantities: Quantities
    groups: Groups

    def documents(self) -> Matches:
        """Each document is an entity."""
        matching = self.evaluator.matching()
        names = self.corpus.documents
        certain, perhaps = self.evaluator.settled()
        sure, conceivable = self.evaluator.sure(matching), self.evaluator.conceivable()
        places = self.places
        return Matches(
            entities=tuple(self.entities.of_document(number) for number in matching),
            bounds=places.between(sure, conceivable) if places else (len(sure), len(conceivable)),
            found=(places.certain(certain), places.found(perhaps))
            if places
            else (len(certain), len(perhaps)),
            at_once=places.at_once if places else 1,
            values={names[number]: self.quantities.of_document(number) for number in matching},
            groups={names[number]: self.groups.of_document(number) for number in matching},
        )

    def field_items(self, name: str) -> Matches:
        """Each item of a field is an entity: over the documents that match, or over all its own."""
        held = max(
            (len(each.items) for each in field_values(self.corpus, name).values()), default=1
        )
        if self.reading.across:
            items = self._items(name, range(len(self.corpus.documents)))
            verdict = partial(holds_across, evaluator=self.evaluator)
            together = list(self.known.together(items))
            chosen = [
                each for each in items.values() if verdict(each[1], borderline=True, unread=False)
            ]
            documents = {key: numbers for key, (_, numbers) in items.items()}
            bounds = between(documents, together, verdict)
            found = between(documents, together, partial(verdict, unread=False))
        else:
            evaluator, quota = self.evaluator, self.reading.quota
            matching = evaluator.matching()
            items = self._items(name, self._asked_of(matching))
            chosen = [
                each for each in items.values() if has_item(each[1], quota, matching, matching)
            ]
            bounds = self._counted(name, evaluator.sure(matching), evaluator.conceivable())
            found = self._counted(name, *evaluator.settled())
            held = max(held, len(items)) if quota is not None and quota.every else held
        chosen.sort()
        return Matches(
            entities=tuple(
                self.entities.of_item(name, spelt, numbers) for spelt, numbers in chosen
            ),
            bounds=bounds,
            found=found,
            at_once=held,
            values={spelt: self.quantities.outermost(numbers) for spelt, numbers in chosen},
            groups={spelt: self.groups.of_documents(numbers) for spelt, numbers in chosen},
        )

    def _counted(self, name: str, sure: list[int], perhaps: list[int]) -> tuple[int, int]:
        items = self._items(name, self._asked_of(perhaps))
        return counted(items, self.reading.quota, sure, perhaps, self.known.together(items))

    def _asked_of(self, documents: Sequence[int]) -> Sequence[int]:
        """Return whose items are asked for: of documents that match, or of all where none may."""
        quota = self.reading.quota
        return range(len(self.corpus.documents)) if quota and quota.none else documents

    def _items(self, name: str, documents: Iterable[int]) -> dict[str, tuple[str, list[int]]]:
        """Return the items by what tells them apart: how each is shown, and where it stands."""
        values = field_values(self.corpus, name)
        items: dict[str, tuple[str, list[int]]] = {}
        for number in documents:
            for item in values[number].items if number in values else ():
                spelt = " ".join(item.split())
                if self.known.merged:
                    spelt = self.known.of(spelt, self.corpus.documents[number])
                key = spelt if self.known.merged else spelt.casefold()
                places = items.setdefault(key, (spelt, []))[1]
                if number not in places[-1:]:
                    places.append(number)
        return items

    def named(self) -> Matches:
        """Each name found in the text, with its aliases, is an entity.

        Every chunk without a verdict might name one more; names that may mean the same thing
        might be one, or as many as they are.
        """
        told: dict[str, list[Finding]] = defaultdict(list)
        for finding in self.evaluator.findings:
            if not finding.by_code:
                told[self.known.of(finding.entity, finding.document)].append(finding)
        names = [name for name in sorted(told) if self._holds(told[name])]
        together = self.known.together(told)
        least, most = between(told, together, self._verdict)
        at_once = max(Counter(each.chunk for each in self.evaluator.findings).values(), default=1)
        return Matches(
            entities=tuple(self.entities.of_name(name, told[name]) for name in names),
            bounds=(least, most + self.evaluator.loose * at_once),
            found=between(told, together, self._settled),
            at_once=at_once,
            values={name: stated(told[name]) for name in names},
            groups={name: self.groups.of_documents(self._documents(told[name])) for name in names},
        )

    def _documents(self, told: Iterable[Finding]) -> list[int]:
        return sorted({self.corpus.document_index(each.document) for each in told})

    def _holds(self, told: Sequence[Finding]) -> bool:
        quota = self.reading.quota
        counted = enough(told, quota, self.evaluator, borderline=True, unread=False)
        return counted is True and self.evaluator.holds_for(told)

    def _settled(self, told: Sequence[Finding]) -> bool | None:
        truth = self.evaluator.of_name(told, unread=False)
        quota = self.reading.quota
        counted = enough(told, quota, self.evaluator, borderline=None, unread=False)
        return joined(self.evaluator.verdict(truth), counted)

    def _verdict(self, told: Sequence[Finding]) -> bool | None:
        truth = self.evaluator.of_name(told)
        quota = self.reading.quota
        counted = enough(told, quota, self.evaluator, borderline=None, unread=True)
        return joined(self.evaluator.verdict(truth), counted)


def number(reading: Interpretation, found: Matches) -> Computed:
    """Carry out a reading's operation on the entities that match it."""
    computed = compute(
        reading.operation,
        [entity.name for entity in found.entities],
        found.values,
        groups=found.groups if reading.group_by else None,
        unit=reading.measure.unit if reading.measure else None,
        k=reading.k,
        ascending=reading.ascending,
    )
    if totals_places(reading) and not found.entities:
        return replace(computed, value=0)
    return computed
