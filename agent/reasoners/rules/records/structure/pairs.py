"""Sentences of pairs, as in `Ship record 2: name is Tana, tonnage is 90 and flag is Norway`.

Values may hold commas, `and` and `is`; what is a label is known from a schema, or from its
recurring in the sentences about things of the same kind.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from agent.reasoners.rules.records.structure.entry import Statement, head_of

__all__ = ("PairLine", "known_labels", "pair_line", "pair_lines", "split_pairs")

_LONGEST_LABEL: Final = 60
_MOST_WORDS: Final = 8
_SEPARATORS: Final = (", and ", "; and ", ", ", "; ", " and ", " | ")
_LAST: Final = re.compile(r".+(, and |; and |, |; |(?<!.[,;]) and | \| )", re.DOTALL)
_SENTENCES: Final = re.compile(r"\w{3}[.!?] [A-Z][a-z]+ (?:[a-z]+ ){2}")
"""A sentence behind another: a paragraph, and no line of pairs."""
_WIDEST: Final = max(map(len, _SEPARATORS))
_COPULAS: Final = (" is ", " are ", " was ", ": ", " = ", "=")
_OPENER: Final = re.compile(r"[ \t]*(?:[-*+•][ \t]+)?(?:\*\*)?")
_WORDY: Final = re.compile(r"[^\W_][\w /&'’().%#\-]*\Z")


@dataclass(frozen=True, slots=True)
class PairLine:
    """A line of pairs before it is split."""

    label: str
    """What precedes the pairs; empty where nothing does."""
    body: str
    copula: str
    start: int
    """Where the line begins."""
    body_start: int

    @property
    def end(self) -> int:
        """Where the line ends."""
        return self.body_start + len(self.body)

    @property
    def head(self) -> str:
        """What the label says of the kind of thing, without case."""
        return head_of(self.label).casefold() if self.label else ""


def pair_lines(text: str) -> Iterator[PairLine]:
    """Yield the lines that may be sentences of pairs: a copula behind a short label."""
    start = 0
    for line in text.split("\n"):
        found = pair_line(line, start) if len(line) > 4 else None
        if found is not None:
            yield found
        start += len(line) + 1


def split_pairs(line: PairLine, is_label: Callable[[str], bool]) -> list[Statement]:
    """Split a line at the labels; each label counts once, in the first place it stands.

    >>> [line] = pair_lines("Death 1: note is Bastar, Bihar, killed is 8 and injured is 0.")
    >>> [(s.label, s.value) for s in split_pairs(line, {"note", "killed", "injured"}.__contains__)]
    [('note', 'Bastar, Bihar'), ('killed', '8'), ('injured', '0')]
    """
    return list(_statements(line, list(_cuts(line, is_label))))


def known_labels(lines: Iterable[PairLine]) -> dict[str, frozenset[str]]:
    """Return the labels of each kind of line by the line's head, those that recur.

    A label that stands in one line only is believed where few lines are alike, or where its line
    closes with it as lines do: behind `and`.
    """
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    closing: defaultdict[str, set[str]] = defaultdict(set)
    totals: Counter[str] = Counter()
    for line in lines:
        labels = [(label, last) for _, label, last in _candidates(line)]
        totals[line.head] += 1
        counts[line.head].update({label for label, _ in labels})
        closing[line.head] |= {label for label, last in labels if last}
    return {
        head: frozenset(_believed(found, totals[head], closing[head]))
        for head, found in counts.items()
    }


def _believed(found: Counter[str], total: int, closing: set[str]) -> Iterator[str]:
    for label, count in found.items():
        if total <= 3 or count >= 3 or (count == 2 and total <= 40) or label in closing:
            yield label


def pair_line(line: str, start: int) -> PairLine | None:
    """Return a line of pairs with the copula that it uses most, or None."""
    opener = _OPENER.match(line)
    begin = opener.end() if opener else 0
    whole = line[begin:].rstrip()
    label, colon, rest = whole.partition(": ")
    if colon and len(label) <= 80 and "|" not in label:
        gap = len(rest) - len(rest.lstrip())
        copula = _copula_of(rest, 1)
        if copula is not None:
            at = start + begin + len(label) + 2 + gap
            return PairLine(label.strip(" *"), rest.lstrip(), copula, start + begin, at)
    copula = _copula_of(whole, 2)
    if copula is None or _SENTENCES.search(whole):
        return None
    return PairLine("", whole, copula, start + begin, start + begin)


def _copula_of(body: str, least: int) -> str | None:
    for copula in _COPULAS:
        first, found, rest = body.partition(copula)
        if not found or not _label_like(first):
            continue
        if least == 1 or any(mark in rest and copula in rest for mark in (", ", "; ", " and ")):
            return copula
    return None


def _label_like(text: str) -> bool:
    return (
        0 < len(text) <= _LONGEST_LABEL
        and text.count(" ") < _MOST_WORDS
        and _WORDY.match(text) is not None
    )


def _candidates(line: PairLine) -> Iterator[tuple[int, str, bool]]:
    """Yield every place that looks like a label: its offset, label, whether `and` precedes it."""
    at = 0
    for number, segment in enumerate(_segments(line)):
        if number == 0:
            if _label_like(segment):
                yield 0, segment, False
        else:
            cut, separator = _last_separator(segment)
            if separator and _label_like(segment[cut:]):
                yield at + cut, segment[cut:], separator.strip(" ,;") == "and"
        at += len(segment) + len(line.copula)


def _segments(line: PairLine) -> list[str]:
    """Cut a line at its copulas, but for one that opens a label: `is male` in `, is male is T`."""
    pieces = line.body.split(line.copula)
    segments: list[str] = []
    opens = False
    for piece in pieces[:-1]:
        if opens:
            segments[-1] += line.copula + piece
        else:
            segments.append(piece)
        opens = piece.endswith((",", ";", " and"))
    return segments


def _last_separator(segment: str) -> tuple[int, str]:
    """Return where the words behind the last separator begin, and the separator."""
    found = _LAST.match(segment)
    return (found.end(), found[1]) if found else (0, "")


def _cuts(line: PairLine, is_label: Callable[[str], bool]) -> Iterator[tuple[int, int, str]]:
    """Yield the labels of a line: where the value before ends, where the label begins, label."""
    at = 0
    seen: set[str] = set()
    for number, segment in enumerate(_segments(line)):
        for cut, end in ((0, 0),) if number == 0 else _label_starts(segment):
            label = segment[cut:]
            if label not in seen and is_label(label):
                seen.add(label)
                yield at + end, at + cut, label
                break
        at += len(segment) + len(line.copula)


def _label_starts(segment: str) -> Iterator[tuple[int, int]]:
    """Yield where a label may begin at a segment's end and the value before ends.

    The shortest label comes first.
    """
    end = size = len(segment)
    for _ in range(4):
        cut, separator = _last_separator(segment[:end])
        if not separator or size - cut > _LONGEST_LABEL:
            return
        end = cut - len(separator)
        yield cut, end if cut > _WIDEST else _value_end(segment[:cut])


def _value_end(before: str) -> int:
    """Return where the value ends that stands before a separator."""
    for separator in _SEPARATORS:
        if before.endswith(separator):
            return len(before) - len(separator)
    return len(before)


def _statements(line: PairLine, cuts: list[tuple[int, int, str]]) -> Iterator[Statement]:
    body, begins, copula = line.body, line.body_start, len(line.copula)
    ends = [closes for closes, _, _ in cuts[1:]] + [-1]
    for (_, begin, label), closes in zip(cuts, ends, strict=False):
        opens = begin + len(label) + copula
        value = body[opens:closes] if closes >= 0 else body[opens:].removesuffix(".")
        bare = value.lstrip()
        gap = len(value) - len(bare)
        yield Statement(label, bare.rstrip(), begins + begin, begins + opens + gap)
