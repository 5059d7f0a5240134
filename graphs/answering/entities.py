"""From findings and fields to the entities that satisfy the conditions, with their evidence."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from agent.errors import QuestionError
from agent.evidence import Entity, Evidence, Finding
from agent.predicates import field_number
from agent.question import Interpretation, atoms
from agent.state import State
from graphs.answering.group_names import group_names
from graphs.answering.held_across import held_across
from graphs.answering.identity import Identities, identities
from graphs.answering.quotas import between, counted, enough, has_item, joined
from graphs.answering.stated_quantities import stated
from graphs.context import Context
from graphs.search.occurrences import Occurrences, counts_places
from graphs.search.truth import Truths
from tools.computation import Quantity
from tools.corpus.corpus import Corpus
from tools.decisions import field_quote, field_values

__all__ = ("Matches", "matches")


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
    known = identities(state, reading, context)
    truths = Truths(state, context, reading)
    places = Occurrences(state, context, reading, truths) if counts_places(reading) else None
    by = field_values(context.corpus, reading.group_by) if reading.group_by else {}
    names = group_names(by.values())
    search = _Search(context.corpus, reading, truths, known, places, names)
    if reading.entity_field:
        found = search.field_items(reading.entity_field)
    elif reading.grain == "document":
        found = search.documents()
    else:
        found = search.named()
    return replace(found, findings=tuple(search.truths.findings))


@dataclass(slots=True)
class _Search:
    """What was found in one search, seen from its entities."""

    corpus: Corpus
    reading: Interpretation
    truths: Truths
    known: Identities
    places: Occurrences | None
    """Where it is stated what is counted; None where documents or things are."""
    group_names: Mapping[str, str]
    """The group of each item of the field that is grouped by."""

    def documents(self) -> Matches:
        """Each document is an entity."""
        matching = self.truths.matching()
        names = self.corpus.documents
        certain, perhaps = self.truths.settled()
        sure, conceivable = self.truths.sure(matching), self.truths.conceivable()
        places = self.places
        return Matches(
            entities=tuple(self._document(number) for number in matching),
            bounds=places.between(sure, conceivable) if places else (len(sure), len(conceivable)),
            found=(places.certain(certain), places.found(perhaps))
            if places
            else (len(certain), len(perhaps)),
            at_once=places.at_once if places else 1,
            values={names[number]: self._quantities(number) for number in matching},
            groups={names[number]: self._groups(number) for number in matching},
        )

    def field_items(self, name: str) -> Matches:
        """Each item of a field is an entity: over the documents that match, or over all its own."""
        held = max(
            (len(each.items) for each in field_values(self.corpus, name).values()), default=1
        )
        if self.reading.across:
            items = self._items(name, range(len(self.corpus.documents)))
            verdict = partial(held_across, truths=self.truths)
            together = list(self.known.together(items))
            chosen = [
                each for each in items.values() if verdict(each[1], borderline=True, unread=False)
            ]
            bounds = between(items, together, verdict)
            found = between(items, together, partial(verdict, unread=False))
        else:
            truths, quota = self.truths, self.reading.quota
            matching = truths.matching()
            items = self._items(name, self._asked_of(matching))
            chosen = [
                each for each in items.values() if has_item(each[1], quota, matching, matching)
            ]
            bounds = self._counted(name, truths.sure(matching), truths.conceivable())
            found = self._counted(name, *truths.settled())
            held = max(held, len(items)) if quota is not None and quota.every else held
        chosen.sort()
        return Matches(
            entities=tuple(self._item(name, spelt, numbers) for spelt, numbers in chosen),
            bounds=bounds,
            found=found,
            at_once=held,
            values={spelt: self._outermost(numbers) for spelt, numbers in chosen},
            groups={spelt: self._grouped(numbers) for spelt, numbers in chosen},
        )

    def _item(self, name: str, spelt: str, numbers: Sequence[int]) -> Entity:
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

    def _counted(self, name: str, sure: list[int], perhaps: list[int]) -> tuple[int, int]:
        items = self._items(name, self._asked_of(perhaps))
        return counted(items, self.reading.quota, sure, perhaps, self.known.together(items))

    def _asked_of(self, documents: Sequence[int]) -> Sequence[int]:
        """Return whose items are asked for: of documents that match, or of all where none may."""
        quota = self.reading.quota
        return range(len(self.corpus.documents)) if quota and quota.none else documents

    def _items(self, name: str, documents: Iterable[int]) -> dict[str, tuple[str, list[int]]]:
        """Return the items by what tells them apart: how each is shown, and where it stands.

        Where nothing was merged, items that differ in case only are one, spelt as the first is.
        """
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
        for finding in self.truths.findings:
            if finding.by != "metadata":
                told[self.known.of(finding.entity, finding.document)].append(finding)
        names = [name for name in sorted(told) if self._holds(told[name])]
        together = self.known.together(told)
        least, most = self._between(told, together, self._verdict)
        at_once = max(Counter(each.chunk for each in self.truths.findings).values(), default=1)
        return Matches(
            entities=tuple(
                self._entity(name, told[name], self.known.aliases(name)) for name in names
            ),
            bounds=(least, most + self.truths.loose * at_once),
            found=self._between(told, together, self._settled),
            at_once=at_once,
            values={name: stated(told[name]) for name in names},
            groups={name: self._grouped(self._places(told[name])) for name in names},
        )

    def _between(
        self,
        told: Mapping[str, Sequence[Finding]],
        together: Iterable[Sequence[str]],
        verdict: Callable[[Sequence[Finding]], bool | None],
    ) -> tuple[int, int]:
        """Return how few and how many of the names match, whichever of the doubtful are one."""
        least = most = 0
        for members in together:
            apart = [verdict(told[name]) for name in members]
            as_one = verdict([each for name in members for each in told[name]])
            least += True in apart and as_one is True
            most += max(sum(each is not False for each in apart), int(as_one is not False))
        return least, most

    def _holds(self, told: Sequence[Finding]) -> bool:
        quota = self.reading.quota
        counted = enough(told, quota, self.truths, borderline=True, unread=False)
        return counted is True and self.truths.holds_for(told)

    def _settled(self, told: Sequence[Finding]) -> bool | None:
        truth = self.truths.of_name(told, unread=False)
        quota = self.reading.quota
        counted = enough(told, quota, self.truths, borderline=None, unread=False)
        return joined(self.truths.verdict(truth), counted)

    def _verdict(self, told: Sequence[Finding]) -> bool | None:
        truth = self.truths.of_name(told)
        quota = self.reading.quota
        counted = enough(told, quota, self.truths, borderline=None, unread=True)
        return joined(self.truths.verdict(truth), counted)

    def _document(self, number: int) -> Entity:
        name = self.corpus.documents[number]
        told = self.truths.by_document.get(name, [])
        if self.places is not None:
            told = self.places.evidence(number, told)
        entity = self._entity(name, told, ())
        shown = self._measure_evidence([number])
        return entity.model_copy(
            update={
                "documents": (name,),
                "evidence": (*entity.evidence, *shown),
                "shown": self._shown([number]),
            }
        )

    def _quantities(self, number: int) -> list[Quantity]:
        """Return the measured quantities of a document: of its field, else of its findings."""
        measure = self.reading.measure
        if measure is None:
            return []
        if self.places is not None:
            return [Quantity(float(len(self.places.of(number).found)), measure.unit)]
        if measure.field is None:
            return stated(self.truths.by_document.get(self.corpus.documents[number], []))
        value = field_values(self.corpus, measure.field).get(number)
        if value is None:
            return []
        size = (
            float(len(value.items))
            if measure.of == "length"
            else field_number(value, measure.field)
        )
        return [] if size is None else [Quantity(size, measure.unit)]

    def _outermost(self, numbers: Sequence[int]) -> list[Quantity]:
        """Return what ranks an item of a field: the largest number of its documents, or smallest.

        Numbers in several units are none to compare.
        """
        told = [each for number in numbers for each in self._quantities(number)]
        if self.reading.operation != "top_k" or len({each.unit for each in told}) > 1:
            return told
        ranked = sorted(told, key=lambda each: each.value)
        return ranked[:1] if self.reading.ascending else ranked[-1:]

    def _measure_evidence(self, numbers: Iterable[int]) -> Iterable[Evidence]:
        measure = self.reading.measure
        return self._field_evidence(measure.field, numbers) if measure and measure.field else ()

    def _places(self, told: Iterable[Finding]) -> list[int]:
        return sorted({self.corpus.document_index(each.document) for each in told})

    def _entity(self, name: str, told: Iterable[Finding], aliases: Sequence[str]) -> Entity:
        """Build an entity; words from the text go before the fields' lines, each place once."""
        ordered = sorted(told, key=lambda each: each.by == "metadata")
        places = {(each.document, each.start, each.end, each.condition): each for each in ordered}
        texts = {atom.id: atom.text for atom in atoms(self.reading.conditions)}
        return Entity(
            name=name,
            aliases=tuple(aliases),
            documents=tuple(sorted({each.document for each in ordered})),
            shown=self._shown(self._places(ordered)),
            evidence=tuple(
                Evidence(
                    document=each.document,
                    start=each.start,
                    end=each.end,
                    quote=each.quote,
                    condition=texts.get(each.condition, each.condition),
                )
                for each in places.values()
            ),
        )

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

    def _grouped(self, numbers: Iterable[int]) -> Sequence[str]:
        return tuple(dict.fromkeys(each for number in numbers for each in self._groups(number)))

    def _groups(self, number: int) -> Sequence[str]:
        if not self.reading.group_by:
            return ()
        value = field_values(self.corpus, self.reading.group_by).get(number)
        if value is None or not value.items:
            return ("(none)",)
        return tuple(dict.fromkeys(self.group_names[item] for item in value.items))
