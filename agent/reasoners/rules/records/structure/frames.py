"""Facts that running text states in like words in many documents, by wrapper induction.

The words beside a value call it; those count that recur beside other values in other documents.
Where one frame holds many labels (`reported … of 5`), the word before them is told by how many
different words stand on either side of it (Harris 1955): `reported` is no part of any label.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from agent.reasoners.rules.language.units import is_unit
from agent.reasoners.rules.records.names import attribute_name, plain_label
from agent.reasoners.rules.records.structure.slots import Slot, Word, slots_in

__all__ = ("Frame", "frames_in", "unit_after")

_SHARE: Final = 0.25
_NAME_SHARE: Final = 0.5
_MOST_ALIKE: Final = 0.5
_FEW: Final = 4
_VARIETY: Final = 3
_VALUES_EACH: Final = 1.25
_OF_ONE_KIND: Final = 0.8
_TOLD: Final = 0.25
_OFTEN: Final = 0.6


@dataclass(slots=True)
class Frame:
    """Values that the documents call alike."""

    label: str
    written: str = ""
    """The label as the first document writes it."""
    values: list[str] = field(default_factory=list)
    documents: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    """Each document's different values."""
    units: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    periods: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How many values stand with each document's each year."""
    anchors: Counter[str] = field(default_factory=Counter)
    """The words before the label that belong to the frame, not to the label."""

    @property
    def each(self) -> float:
        """How many different values a document has on average."""
        return sum(map(len, self.documents.values())) / (len(self.documents) or 1)

    @property
    def periodic(self) -> bool:
        """Whether a document has several values, one for each year that it names with them."""
        dated = self.periods.total()
        return (
            self.each > _VALUES_EACH
            and dated >= _OF_ONE_KIND * len(self.values)
            and dated <= _VALUES_EACH * len(self.periods)
        )

    @property
    def unit(self) -> str | None:
        """The unit that most values bear."""
        unit, count = self.units.most_common(1)[0] if self.units else ("", 0)
        return unit if unit and 2 * count > len(self.values) else None


def frames_in(texts: Mapping[str, str]) -> list[Frame]:
    """Return what recurs in running text, in the order of first appearance.

    A frame is shown by a quarter of the documents and at least three (two of few), of names by
    most of them; where a frame of many labels is, one document suffices for a label. Its values
    are of one kind and differ between documents, and one document has one.
    """
    slots = [(name, slot) for name, text in texts.items() for slot in slots_in(text)]
    anchors = _anchors(slot for _, slot in slots if slot.kind != "name")
    called = [(name, slot, _callings(slot, anchors)) for name, slot in slots]
    support = _support(called)
    least = max(2 if len(texts) <= _FEW else 3, math.ceil(_SHARE * len(texts)))
    frames: dict[str, Frame] = {}
    for name, slot, (anchor, callings) in called:
        often = [each for each in callings if anchor or support[plain_label(each)] >= least]
        if often:
            written = often[0]
            label = plain_label(written)
            year = texts[name][slice(*slot.period)] if slot.period else ""
            _add(frames.setdefault(label, Frame(label, written)), name, slot, (anchor, year))
    return list(_recurring(frames, len(texts), least, _numbers(slots)))


def _numbers(slots: Iterable[tuple[str, Slot]]) -> int:
    """Count the numbers and dates of texts; a year that dates another value is a part of that."""
    stated = [(name, slot) for name, slot in slots if slot.kind != "name"]
    dating = {(name, slot.period) for name, slot in stated if slot.period}
    return sum((name, (slot.start, slot.end)) not in dating for name, slot in stated)


def unit_after(words: Sequence[Word]) -> str:
    """Return the unit that the words behind a value are or begin with; empty where none is."""
    for count in range(len(words), 0, -1):
        if is_unit(words[count - 1].low):
            return " ".join(word.text for word in words[:count])
    return ""


def _anchors(slots: Iterable[Slot]) -> frozenset[str]:
    """Return the words that unlike words precede and unlike words follow."""
    following: defaultdict[str, set[str]] = defaultdict(set)
    preceding: defaultdict[str, set[str]] = defaultdict(set)
    for slot in slots:
        words = slot.before
        for at, word in enumerate(words[:-1]):
            if word.text.islower() and words[at + 1].text[0] != "(":
                following[word.text].add(words[at + 1].low)
                preceding[word.text].add(words[at - 1].low if at else "")
    return frozenset(
        word
        for word, behind in following.items()
        if len(behind) >= _VARIETY and len(preceding[word]) >= _VARIETY
    )


def _callings(slot: Slot, anchors: frozenset[str]) -> tuple[str, list[str]]:
    """Return the anchor before a slot's label, and what may call the slot, the longest first.

    What is counted calls a number, unless the words before are joined to it: `120 rooms`, but
    `a capacity of 5,000 spectators`.
    """
    counted = _content(slot.after)
    if slot.kind == "number" and counted and not (slot.joined and slot.before):
        return "", [_joined(counted[:count]) for count in range(len(counted), 0, -1)]
    words = slot.before
    if slot.kind == "name" and words and words[-1].text in anchors:
        return "", []
    cut = max((at + 1 for at, word in enumerate(words[:-1]) if word.text in anchors), default=0)
    anchor = words[cut - 1].text if cut else ""
    rest = words[cut:]
    if rest and rest[-1].low.endswith("ed"):
        rest = rest[-1:]  # of what was done, the doer is no part: `the doors opened in 1950`
    return anchor, [each for at in range(len(rest)) if (each := _joined(rest[at:]))]


def _content(words: Sequence[Word]) -> Sequence[Word]:
    """Return what is counted: the words behind a number and its unit: `30 days notice`."""
    unit = unit_after(words)
    return words[unit.count(" ") + 1 :] if unit else words


def _joined(words: Sequence[Word]) -> str:
    text = " ".join(word.text for word in words)
    path = "/" in words[-1].text and words[-1].text[0] != "("
    return text if attribute_name(text) and text[0] != "(" and not path else ""


def _support(called: Iterable[tuple[str, Slot, tuple[str, list[str]]]]) -> Counter[str]:
    """Return in how many documents each calling stands."""
    shown: defaultdict[str, set[str]] = defaultdict(set)
    for name, _, (_, callings) in called:
        for calling in callings:
            shown[plain_label(calling)].add(name)
    return Counter({calling: len(names) for calling, names in shown.items()})


def _add(frame: Frame, document: str, slot: Slot, beside: tuple[str, str]) -> None:
    anchor, year = beside
    if year:
        frame.periods[document, year] += 1
    frame.values.append(slot.value)
    frame.documents[document].add(slot.value)
    frame.units[unit_after(slot.after)] += 1
    frame.kinds[slot.kind] += 1
    frame.anchors[anchor] += 1


def _recurring(
    frames: Mapping[str, Frame], documents: int, least: int, numbers: int
) -> Iterator[Frame]:
    """Yield the frames that recur.

    Where they explain few of the numbers and dates, the text is not made of them: then only those
    of numbers and dates count that most documents have.
    """
    sure = {frame.label: frame for frame in frames.values() if _is_sure(frame, documents, least)}
    told = sum(len(frame.values) for frame in sure.values() if not frame.kinds["name"])
    if told < _TOLD * numbers:
        least = max(least, math.ceil(_OFTEN * documents))
        sure = {
            label: frame
            for label, frame in sure.items()
            if len(frame.documents) >= least and not frame.kinds["name"]
        }
    shared = Counter(frame.anchors.most_common(1)[0][0] for frame in sure.values())
    for frame in frames.values():
        anchor = frame.anchors.most_common(1)[0][0]
        sibling = anchor and shared[anchor] >= _VARIETY and frame.kinds["name"] == 0
        if frame.label in sure or (sibling and frame.each <= _VALUES_EACH):
            yield frame


def _is_sure(frame: Frame, documents: int, least: int) -> bool:
    """Tell whether enough documents show a frame, with different values, one each."""
    if frame.kinds["name"] * 2 > len(frame.values):
        if Counter(frame.values).most_common(1)[0][1] > _MOST_ALIKE * len(frame.values):
            return False
        least = max(3, math.ceil(_NAME_SHARE * documents))
    different = len({value for values in frame.documents.values() for value in values})
    alike = frame.kinds.most_common(1)[0][1] >= _OF_ONE_KIND * len(frame.values)
    often = len(frame.documents) >= least
    single = frame.each <= _VALUES_EACH or frame.periodic
    return often and alike and different >= 2 and single
