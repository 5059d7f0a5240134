"""The kind of the documents themselves: what their running text, titles and names state."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from agent.reasoners.rules.records.names import plain_label, unused
from agent.reasoners.rules.records.shapes import unit_named
from agent.reasoners.rules.records.sketch import KindSketch, Trait
from agent.reasoners.rules.records.structure.frames import Frame
from agent.reasoners.rules.records.titles import common_title, kind_of_title
from agent.records.induction import SampleDocument

__all__ = (
    "OWN_NAME",
    "PERIOD",
    "called_by_titles",
    "name_parts",
    "own_name",
    "part_label",
    "with_frames",
)

PERIOD: Final = "(year of the sentence)"
"""The label of an attribute whose value is the year for which a sentence states the others."""

OWN_NAME: Final = "(the document's name in its text)"
"""The label of an attribute whose value is a text's words that are its document's name."""

_NAMED: Final = 0.6
_YEARLY: Final = "year"
_FEWEST: Final = 3
_LONGEST_TITLE: Final = 20
_PART: Final = re.compile(r"[-_\s/.]+")
_YEAR: Final = re.compile(r"(?:19|20)\d{2}")
_SAME: Final = 0.8


def with_frames(
    kinds: Sequence[KindSketch], frames: Sequence[Frame], documents: Sequence[SampleDocument]
) -> list[KindSketch]:
    """Return the kinds with what running text states of each document.

    Where nothing else is known of the documents, fewer than three facts are taken for chance,
    unless every document states one of them.
    """
    dated = [frame for frame in frames if frame.periodic]
    if dated:
        years = [year for frame in dated for _, year in frame.periods]
        traits = [Trait([PERIOD], years, name="year")]
        traits += [_trait(frame) for frame in dated]
        named = frozenset(name for frame in dated for name in frame.documents)
        told = "What a document states for one year."
        kinds = [*kinds, KindSketch(_YEARLY, "row", traits, told, named)]
    frames = [frame for frame in frames if not frame.periodic]
    own = next((each for each in kinds if each.grain == "document"), None)
    if own is None and len(frames) < _FEWEST and not _always(frames, documents):
        return list(kinds)
    if own is None:
        own = KindSketch("document", "document", [], "", frozenset(each.name for each in documents))
        kinds = [own, *kinds]
    known = {plain_label(label) for trait in own.traits for label in trait.labels}
    own.traits += [_trait(frame) for frame in frames if frame.label not in known]
    own.traits += _of_names(documents, frames)
    _give_name(own, documents)
    return list(kinds)


def _always(frames: Sequence[Frame], documents: Sequence[SampleDocument]) -> bool:
    """Tell whether every document states one and the same of the facts; two documents may."""
    several = len(documents) >= _FEWEST
    return several and any(len(frame.documents) == len(documents) for frame in frames)


def own_name(document: str, text: str) -> tuple[int, int] | None:
    """Return where a text first has its document's name, if need be without the number at its end.

    >>> own_name("pages/birch-manor-2", "This is Birch Manor.")
    (8, 19)
    """
    words = [word for word in re.split(r"[\W_]+", document.rsplit("/", 1)[-1]) if word]
    while any(word.isalpha() for word in words):
        pattern = r"\b" + r"[\W_]{1,3}".join(map(re.escape, words)) + r"\b"
        found = re.search(pattern, text, re.IGNORECASE)
        if found or not words.pop().isdigit():
            return found.span() if found else None
    return None


def _give_name(kind: KindSketch, documents: Sequence[SampleDocument]) -> None:
    """Add the name that the texts share with their files, if no other attribute holds it."""
    texts = {each.name: each.text for each in documents if each.name in kind.documents}
    spans = {name: own_name(name, text) for name, text in texts.items()}
    names = [texts[name][slice(*span)] for name, span in spans.items() if span is not None]
    known = {value for trait in kind.traits for value in trait.values}
    different = len(set(names)) == len(names)
    if len(names) >= max(2, _NAMED * len(texts)) and different and not known.issuperset(names):
        told = "The words of the document's name as its text writes them."
        kind.traits.insert(0, Trait([OWN_NAME], names, name="name", told=told))


def called_by_titles(
    kinds: Sequence[KindSketch], documents: Sequence[SampleDocument]
) -> list[KindSketch]:
    """Return the kinds, those of documents named by what their first lines have in common."""
    taken: list[str] = []
    for kind in kinds:
        if kind.grain == "document":
            own = [_first_line(each) for each in documents if each.name in kind.documents]
            title = common_title(own)
            kind.name = unused(kind_of_title(title) or "document", taken)
            short = title and title.count(" ") < _LONGEST_TITLE
            kind.told = f"Each document: {title}" if short else "What one document states."
            taken.append(kind.name)
    for kind in kinds:
        if kind.grain == "row":
            of = f"{taken[0]}_{kind.name}" if kind.name == _YEARLY and taken else kind.name
            free = of if of not in taken else f"{of}_entry"
            kind.name = unused(free, taken)
            taken.append(kind.name)
    return list(kinds)


def name_parts(document: str) -> list[str]:
    """Return the parts of a document's name.

    >>> name_parts("reports/us-BURL-2023")
    ['reports', 'us', 'BURL', '2023']
    """
    return [part for part in _PART.split(document) if part]


def part_label(number: int, parts: int) -> str:
    """Return the label of a part of the documents' names."""
    return f"(part {number} of {parts} of the document's name)"


def _trait(frame: Frame) -> Trait:
    told = f"As in “{frame.written} … {frame.unit}”." if frame.unit else ""
    return Trait(
        [frame.written],
        frame.values,
        told=told,
        unit=unit_named(frame.unit) if frame.unit else None,
    )


def _first_line(document: SampleDocument) -> str:
    return next((line for line in document.text.splitlines() if line.strip()), "")


def _of_names(documents: Sequence[SampleDocument], frames: Sequence[Frame]) -> Iterator[Trait]:
    """Yield the parts of the documents' names that sort them and that the text does not state."""
    split = [name_parts(each.name) for each in documents]
    lengths = Counter(map(len, split))
    if len(split) < _FEWEST or len(lengths) != 1:
        return
    stated = [frame.documents for frame in frames]
    for at, values in enumerate(zip(*split, strict=True)):
        by_name = {each.name: value for each, value in zip(documents, values, strict=True)}
        known = any(
            sum(value in found.get(name, ()) for name, value in by_name.items())
            >= _SAME * len(by_name)
            for found in stated
        )
        if not known and _sorts(values):
            year = all(_YEAR.fullmatch(value) for value in values)
            name = "year" if year else f"name_part_{at + 1}"
            yield Trait([part_label(at + 1, len(split[0]))], list(values), name=name)


def _sorts(values: Sequence[str]) -> bool:
    """Tell whether values part documents into groups: few different ones, or years.

    A year that all share is told too: a question for it is about all of them.
    """
    if all(_YEAR.fullmatch(value) for value in values):
        return True
    return 2 <= len(set(values)) <= len(values) / 2
