"""Draw up a schema from the visible structure of sample documents."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import cast

from agent.reasoners.rules.records.documents import called_by_titles, with_frames
from agent.reasoners.rules.records.inherit import with_identifiers
from agent.reasoners.rules.records.kinds import kinds_of
from agent.reasoners.rules.records.names import plain_label
from agent.reasoners.rules.records.presence import presences
from agent.reasoners.rules.records.refine import as_kind, mend, widen
from agent.reasoners.rules.records.sketch import KindSketch
from agent.reasoners.rules.records.structure.coverage import coverage
from agent.reasoners.rules.records.structure.entry import Entry
from agent.reasoners.rules.records.structure.frames import frames_in
from agent.reasoners.rules.records.structure.groups import group_entries
from agent.reasoners.rules.records.structure.pairs import PairLine, known_labels, pair_lines
from agent.reasoners.rules.records.structure.reader import LabelsOf, read_entries
from agent.reasoners.rules.records.structure.running import running_text
from agent.reasoners.rules.records.vocabulary import Vocabulary
from agent.records.induction import Disagreement, SampleDocument
from agent.records.record_replies import InduceReply, KindReply
from agent.records.record_schema import Schema

__all__ = ("induce",)


def induce(values: Mapping[str, object]) -> InduceReply:
    """Return the kinds that the documents show; none where they have no structure in common.

    A schema that is known already is widened and mended, and otherwise left as it is.
    """
    documents = cast("Sequence[SampleDocument]", values["documents"])
    schema = cast("Schema | None", values.get("schema"))
    shown = [sketch.reply() for sketch in _sketches(documents)]
    if schema is None:
        return InduceReply(why=_why(shown), kinds=shown)
    troubles = cast("Sequence[Disagreement]", values.get("disagreements", ()))
    kinds, widened = widen(schema.kinds, shown)
    kinds, mended = mend(kinds, troubles)
    return InduceReply(why=" ".join([*widened, *mended]), kinds=kinds)


def _why(kinds: Sequence[KindReply]) -> str:
    """Say what was seen, or that nothing was."""
    if not kinds:
        return "The documents show no structure in common: no pairs, key lines, tables or frames."
    names = ", ".join(f"{kind.name} ({len(kind.attributes)})" for kind in kinds)
    return f"Labels that recur in lines, tables or sentences make the attributes of {names}."


def _sketches(documents: Sequence[SampleDocument]) -> list[KindSketch]:
    """Return the kinds of entries, and what running text adds to the kind of the documents."""
    stated = _entries(documents)
    texts = {each.name: each.text for each in documents}
    kinds = kinds_of(group_entries(stated), coverage(texts, stated))
    running = _running(texts, stated, kinds)
    kinds = with_frames(kinds, frames_in(running), documents)
    own = next((each for each in kinds if each.grain == "document"), None)
    if own is not None:
        known = {plain_label(label) for trait in own.traits for label in trait.labels}
        own.traits += [each for each in presences(running) if each.labels[0] not in known]
    return with_identifiers(called_by_titles(kinds, documents))


def _running(
    texts: Mapping[str, str], stated: Sequence[tuple[str, Entry]], kinds: Sequence[KindSketch]
) -> dict[str, str]:
    """Return each document's running text: without the entries that are of some kind."""
    vocabulary = Vocabulary([as_kind(each.reply()) for each in kinds])
    taken: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for name, entry in stated:
        if vocabulary.kind_of(entry) is not None:
            taken[name].append((entry.start, entry.end))
    return {name: running_text(text, taken[name]) for name, text in texts.items()}


def _entries(documents: Sequence[SampleDocument]) -> list[tuple[str, Entry]]:
    """Return all entries with their documents' names."""
    texts = [(document.name, document.text) for document in documents]
    known = known_labels(line for _, text in texts for line in pair_lines(text))
    labels_of = _labels_in(known)
    return [(name, entry) for name, text in texts for entry in read_entries(text, labels_of)]


def _labels_in(known: Mapping[str, frozenset[str]]) -> LabelsOf:
    def labels_of(line: PairLine) -> Callable[[str], bool]:
        return known.get(line.head, frozenset()).__contains__

    return labels_of
