"""What satisfies a question's conditions: documents, items of a field, or names in the texts."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from agent.evidence import Entity, Evidence, Finding
from agent.predicates import could_state, field_number, field_values, says_nothing
from agent.question import Condition, Interpretation, Quota, atoms
from agent.state import State
from agent.taxonomy import settling
from graphs.answering.quantities import Groups, added_up, folded, stated
from graphs.context import Context
from graphs.scope import scope
from graphs.search.condition_evaluator import (
    ConditionEvaluator,
    Occurrences,
    counts_places,
    totals_places,
)
from tools.alignment import groups
from tools.computation import Computed, Quantity, compute
from tools.corpus.corpus import Corpus
from tools.decisions import field_quote

_Told = TypeVar("_Told")


def between(
    told: Mapping[str, Sequence[_Told]],
    together: Iterable[Sequence[str]],
    verdict: Callable[[Sequence[_Told]], bool | None],
) -> tuple[int, int]:
    """Return how few and how many pass, whichever of the doubtful names are one.

    By name `told` is what is known of it, by which `verdict` tells whether it passes, None where
    that is open; `together` groups names of which each may be one.

    >>> between({"a": [1], "b": [2], "c": []}, [["a", "b"], ["c"]], bool)
    (1, 2)
    """
    fewest = most = 0
    for members in together:
        apart = [verdict(told[name]) for name in members]
        as_one = verdict([each for name in members for each in told[name]])
        fewest += True in apart and as_one is True
        most += max(sum(each is not False for each in apart), int(as_one is not False))
    return fewest, most


def has_item(
    documents: Collection[int],
    quota: Quota | None,
    sure: frozenset[int],
    perhaps: frozenset[int],
) -> bool | None:
    """Tell whether an item of some documents meets a quota; None where that is open."""
    held, open_ = len(sure.intersection(documents)), len((perhaps - sure).intersection(documents))
    unsure = len(perhaps - sure) - open_
    return (quota or Quota()).met(held, open_, len(sure) - held, unsure)


class Identities:
    """Names as entities: which one a mention belongs to, and which of them may be one."""

    def __init__(
        self,
        clusters: Mapping[str, Sequence[str]],
        doubts: Collection[tuple[str, str]],
        *,
        by_document: bool,
    ) -> None:
        """Take the merged names with their aliases, and the pairs of names left open.

        With `by_document` the same name in two documents is two entities.
        """
        self.merged: bool = bool(clusters)
        """Whether names were merged at all."""
        self._canonical = {each: name for name in clusters for each in (name, *clusters[name])}
        self._doubts = doubts
        self._by_document = by_document
        self._places: dict[str, set[str]] = {}
        self._spelt: dict[str, set[str]] = {}
        self._order = {name: place for place, name in enumerate(self._canonical)}

    def of(self, name: str, document: str) -> str:
        """Return the entity that a mention belongs to, by the name that it is shown by."""
        canonical = self._canonical.get(name, name)
        shown = _placed(canonical, document) if self._by_document else canonical
        self._places.setdefault(canonical, set()).add(document)
        if name != canonical:
            self._spelt.setdefault(shown, set()).add(name)
        return shown

    def aliases(self, shown: str) -> tuple[str, ...]:
        """Return the other names by which an entity was met so far, the usual ones first."""
        return tuple(sorted(self._spelt.get(shown, ()), key=self._order.__getitem__))

    def together(self, shown: Collection[str]) -> list[list[str]]:
        """Return the entities in groups of which each may be one."""
        pairs = self._doubts
        if self._by_document:
            pairs = [
                (_placed(one, place), _placed(other, place))
                for one, other in self._doubts
                for place in sorted(self._places.get(one, set()) & self._places.get(other, set()))
            ]
        return groups(shown, pairs)


def _placed(name: str, document: str) -> str:
    return f"{name} ({document})"


_MERGING = settling("merging")


def said_of_merging(state: State) -> str:
    """Return the words that decided merging beside the interpretation; empty where none did."""
    for exchange in reversed(state.exchanges):
        if exchange.asked.code in _MERGING:
            return exchange.chosen.label if exchange.chosen else exchange.reply.text.strip()
    merging = state.readings and _MERGING.intersection(state.codes)
    return state.readings[state.reading].label if merging else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches:
    """The entities that satisfy a question's conditions."""

    entities: tuple[Entity, ...]
    bounds: tuple[int, int]
    """How many they, or the places, could be, whatever the chunks without a verdict hold."""
    found: tuple[int, int]
    """How many they are by what was found, without what is borderline or doubtful and with it."""
    at_once: int = 1
    """How many one unread chunk could add or take away at most."""
    values: Mapping[str, Sequence[Quantity]] = field(default_factory=dict)
    """The measured quantities by entity, for numeric operations."""
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The groups of each entity, for group_by."""
    findings: tuple[Finding, ...] = ()
    """The evidence for the reading's own conditions."""
    doubtful: tuple[str, ...] = ()
    """The entities that count by borderline evidence: without it they would be open."""


def matches(state: State, context: Context, reading: Interpretation | None = None) -> Matches:
    """Combine the conditions of a reading, or of all searched together, per entity."""
    reading = reading or state.interpreted
    evaluator = ConditionEvaluator(state, context, reading)
    store, merging = context.store, {reading.merge, state.interpreted.merge}
    search = _Search(
        corpus=context.corpus,
        reading=reading,
        evaluator=evaluator,
        known=Identities(
            store.entities(scope(state)),
            store.doubts(scope(state)),
            by_document="document" in merging,
        ),
        places=Occurrences(state, context, reading, evaluator) if counts_places(reading) else None,
        groups=Groups(context.corpus, reading),
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
    """What was found in one search, as entities, and what is computed from them."""

    corpus: Corpus
    reading: Interpretation
    evaluator: ConditionEvaluator
    known: Identities
    places: Occurrences | None
    """Where it is stated what is counted; None where documents or things are."""
    groups: Groups

    def documents(self) -> Matches:
        """Each document is an entity."""
        matching = self.evaluator.matching()
        names = self.corpus.documents
        certain, perhaps = self.evaluator.settled()
        sure, conceivable = self.evaluator.sure(matching), self.evaluator.conceivable()
        places = self.places
        return Matches(
            entities=tuple(self.of_document(number) for number in matching),
            bounds=places.between(sure, conceivable) if places else (len(sure), len(conceivable)),
            found=(places.certain(certain), places.found(perhaps))
            if places
            else (len(certain), len(perhaps)),
            at_once=places.at_once if places else 1,
            values={names[number]: self._quantities(number) for number in matching},
            groups={names[number]: self.groups.of_document(number) for number in matching},
            doubtful=tuple(names[number] for number in sorted({*matching}.difference(certain))),
        )

    def field_items(self, name: str) -> Matches:
        """Each item of a field is an entity: over the documents that match, or over all its own."""
        held = max(
            (len(each.items) for each in field_values(self.corpus, name).values()), default=1
        )
        if self.reading.across:
            items = self._items(name, range(len(self.corpus.documents)))
            now = partial(self._across, borderline=True, unread=False)
            proven = partial(self._across, unread=False)
            bounds, found = (self._between(items, each) for each in (self._across, proven))
        else:
            evaluator, quota = self.evaluator, self.reading.quota
            matching = frozenset(evaluator.matching())
            items = self._items(name, self._asked_of(matching))
            now = partial(has_item, quota=quota, sure=matching, perhaps=matching)
            certain, possible = map(frozenset, evaluator.settled())
            proven = partial(has_item, quota=quota, sure=certain, perhaps=possible)
            sure, perhaps = evaluator.sure(matching), evaluator.conceivable()
            bounds = self._counted(name, frozenset(sure), frozenset(perhaps), held)
            found = self._counted(name, certain, possible, held)
            held = max(held, len(items)) if quota is not None and quota.every else held
        chosen = sorted(each for each in items.values() if now(each[1]))
        return Matches(
            entities=tuple(self.of_item(name, spelt, numbers) for spelt, numbers in chosen),
            bounds=bounds,
            found=found,
            at_once=held,
            values={spelt: self._outermost(numbers) for spelt, numbers in chosen},
            groups={spelt: self.groups.of_documents(numbers) for spelt, numbers in chosen},
            doubtful=tuple(spelt for spelt, numbers in chosen if not proven(numbers)),
        )

    def _between(
        self,
        items: Mapping[str, tuple[str, Sequence[int]]],
        verdict: Callable[[Sequence[int]], bool | None],
    ) -> tuple[int, int]:
        """Return how few and how many items pass by the documents that have them."""
        documents = {key: numbers for key, (_, numbers) in items.items()}
        return between(documents, self.known.together(items), verdict)

    def _counted(
        self, name: str, sure: frozenset[int], perhaps: frozenset[int], held: int
    ) -> tuple[int, int]:
        """Return how few and how many items; a document that does not state its own may have some.

        Without a condition it has to be like those that state them.
        """
        met = partial(has_item, quota=self.reading.quota, sure=sure, perhaps=perhaps)
        least, most = self._between(self._items(name, self._asked_of(perhaps)), met)
        lacking = perhaps - field_values(self.corpus, name).keys()
        if self.reading.conditions is None:
            lacking = could_state(self.corpus, name, lacking)
        return least, most + held * len(lacking)

    def _asked_of(self, documents: frozenset[int]) -> Sequence[int]:
        """Return whose items are asked for: of documents that match, or of all where none may."""
        quota = self.reading.quota
        return range(len(self.corpus.documents)) if quota and quota.none else sorted(documents)

    def _items(self, name: str, documents: Iterable[int]) -> dict[str, tuple[str, list[int]]]:
        """Return the items by what tells them apart: how each is shown, and where it stands."""
        values = field_values(self.corpus, name)
        items: dict[str, tuple[str, list[int]]] = {}
        for number in documents:
            value = values.get(number)
            for item in value.items if value and not says_nothing(value.raw) else ():
                spelt = " ".join(item.split())
                if self.known.merged:
                    spelt = self.known.of(spelt, self.corpus.documents[number])
                key = spelt if self.known.merged else folded(spelt)
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
        enough, evaluator = partial(self._enough, borderline=True, unread=False), self.evaluator
        names = [
            name
            for name, each in sorted(told.items())
            if enough(each) and evaluator.holds(evaluator.of_name(each, borderline=True))
        ]
        together = self.known.together(told)
        least, most = between(told, together, self._verdict)
        at_once = max(Counter(each.chunk for each in self.evaluator.findings).values(), default=1)
        return Matches(
            entities=tuple(
                self._entity(name, each, self._places(each), self.known.aliases(name))
                for name in names
                for each in [told[name]]
            ),
            bounds=(least, most + self.evaluator.loose * at_once),
            found=between(told, together, partial(self._verdict, unread=False)),
            at_once=at_once,
            values={name: self._stated(told[name]) for name in names},
            groups={name: self.groups.of_documents(self._places(told[name])) for name in names},
            doubtful=tuple(name for name in names if not self._verdict(told[name], unread=False)),
        )

    def _places(self, told: Iterable[Finding]) -> list[int]:
        return sorted({self.corpus.document_index(each.document) for each in told})

    def _verdict(self, told: Sequence[Finding], *, unread: bool | None = None) -> bool | None:
        """Tell whether a name passes by the findings about it; None where that is open."""
        holds = self.evaluator.verdict(self.evaluator.of_name(told, unread=unread))
        both = (holds, self._enough(told, borderline=None, unread=unread is None))
        return False if False in both else None if None in both else True

    def _enough(
        self, told: Sequence[Finding], *, borderline: bool | None, unread: bool
    ) -> bool | None:
        """Tell whether a name is in as many documents as a quota wants, by the findings about it.

        A document counts where its own findings make the conditions hold; those that the fields
        leave are all there are.
        """
        evaluator, quota = self.evaluator, self.reading.quota
        if quota is None:
            return True
        places: dict[str, list[Finding]] = defaultdict(list)
        for each in told:
            places[each.document].append(each)
        held = {
            name: evaluator.verdict(evaluator.of_name(own, borderline=borderline, unread=False))
            for name, own in places.items()
        }
        sure = sum(each is True for each in held.values())
        open_ = {name for name, each in held.items() if each is None}
        if unread:
            open_ |= {name for name in evaluator.unread_documents if held.get(name) is not True}
        lacking = len(evaluator.candidates) - sure - len(open_)
        return quota.met(sure, len(open_), lacking, 0)

    def _across(
        self,
        documents: Sequence[int],
        *,
        borderline: bool | None = None,
        unread: bool | None = None,
    ) -> bool | None:
        """Tell whether each condition holds in one of the documents; None where that is open."""
        truths = [
            self.evaluator.of_document(each, borderline=borderline, unread=unread)
            for each in documents
        ]

        def truth(atom: Condition) -> bool | None:
            found = {each(atom) for each in truths}
            return True if True in found else None if None in found else False

        return self.evaluator.verdict(truth)

    def _quantities(self, number: int) -> list[Quantity]:
        """Return the measured quantities of a document: of its field, else of its findings."""
        measure = self.reading.measure
        if measure is None:
            return []
        if self.places is not None:
            return [Quantity(float(len(self.places.of(number).found)), measure.unit)]
        if measure.field is None:
            told = self.evaluator.by_document.get(self.corpus.documents[number], [])
            return self._stated(told)
        value = field_values(self.corpus, measure.field).get(number)
        if value is None:
            return []
        if measure.of == "length":
            return [Quantity(float(len(value.items)), measure.unit)]
        size = field_number(value, measure.field)
        return [] if size is None else [Quantity(size, measure.unit)]

    def _stated(self, told: Sequence[Finding]) -> list[Quantity]:
        """Return the numbers that findings state, each once, or all amounts that add up."""
        measure = self.reading.measure
        return added_up(told) if measure and measure.of == "total" else stated(told)

    def _outermost(self, numbers: Iterable[int]) -> Sequence[Quantity]:
        """Return what ranks an item of a field: the largest or smallest number of its documents."""
        told = [each for number in numbers for each in self._quantities(number)]
        if self.reading.operation != "top_k" or len({each.unit for each in told}) > 1:
            return told
        ranked = sorted(told, key=lambda each: each.value)
        return ranked[:1] if self.reading.ascending else ranked[-1:]

    def of_document(self, number: int) -> Entity:
        """Return a document, with what its texts and its measured field state."""
        name = self.corpus.documents[number]
        told = self.evaluator.by_document.get(name, [])
        if self.places is not None:
            told = self.places.evidence(number, told)
        return self._entity(name, told, [number], more=self._measure_evidence([number]))

    def of_item(self, name: str, spelt: str, numbers: Sequence[int]) -> Entity:
        """Return an item of the field `name`, with the lines of the documents that have it."""
        return Entity(
            name=spelt,
            aliases=self.known.aliases(spelt),
            documents=tuple(self.corpus.documents[number] for number in numbers),
            evidence=(
                *self._field_evidence(name, numbers),
                *self._measure_evidence(numbers if self.reading.operation == "top_k" else ()),
            ),
            shown=self._shown(numbers),
        )

    def _entity(
        self,
        name: str,
        told: Iterable[Finding],
        numbers: Sequence[int],
        aliases: Sequence[str] = (),
        more: Iterable[Evidence] = (),
    ) -> Entity:
        """Build an entity; words from the text go before the fields' lines, each place once."""
        ordered = sorted(told, key=lambda each: each.by == "metadata")
        places = {(each.document, each.start, each.end, each.condition): each for each in ordered}
        texts = {atom.id: atom.text for atom in atoms(self.reading.conditions)}
        proofs = (
            Evidence.of(each, texts.get(each.condition, each.condition)) for each in places.values()
        )
        return Entity(
            name=name,
            aliases=tuple(aliases),
            documents=tuple(sorted(self.corpus.documents[each] for each in numbers)),
            shown=self._shown(numbers),
            evidence=(*proofs, *more),
        )

    def _measure_evidence(self, numbers: Iterable[int]) -> Iterable[Evidence]:
        measure = self.reading.measure
        return self._field_evidence(measure.field, numbers) if measure and measure.field else ()

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

    def _shown(self, numbers: Iterable[int]) -> dict[str, tuple[str, ...]]:
        """Return the values of the fields that the question wants shown, over the documents."""
        told: dict[str, tuple[str, ...]] = {}
        for name in self.reading.show:
            values = field_values(self.corpus, name)
            items = (
                item for number in numbers if number in values for item in values[number].items
            )
            told[name] = tuple(dict.fromkeys(items))
        return told


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
    if reading.group_part and not reading.k and isinstance(computed.value, dict):
        return replace(computed, value=dict(sorted(computed.value.items())))  # in order of time
    return computed
