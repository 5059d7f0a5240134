"""All entries of a text in their order: sentences of pairs, key lines, tables, under headings."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from agent.reasoners.rules.records.structure.entry import Entry
from agent.reasoners.rules.records.structure.key_lines import (
    KeyLine,
    as_entries,
    item_of,
    key_line,
)
from agent.reasoners.rules.records.structure.pairs import PairLine, pair_line, split_pairs
from agent.reasoners.rules.records.structure.tables import Line, read_table, table_entries

__all__ = ("LabelsOf", "lines_of", "read_entries")

LabelsOf = Callable[[PairLine], Callable[[str], bool]]
"""What is a label in a sentence of pairs."""

_HEADING: Final = re.compile(
    r"[ \t]*(?:#{1,6}[ \t]+(?P<text>.*?)[ \t#]*|\*\*(?P<bold>[^*:]+)\*\*)\Z"
)
_UNDERLINE: Final = re.compile(r"[ \t]*(?:={3,}|-{3,}|~{3,}|\^{3,})[ \t]*\Z")
_LONGEST_HEADING: Final = 120
_TABLE_MARKS: Final = re.compile(r"[|│\t;,]|[ ]{2}\S")


def lines_of(text: str) -> list[Line]:
    """Return the lines of a text with their offsets."""
    lines: list[Line] = []
    start = 0
    for line in text.split("\n"):
        lines.append(Line(start, line))
        start += len(line) + 1
    return lines


def read_entries(text: str, labels_of: LabelsOf) -> Iterator[Entry]:
    """Yield the entries from top to bottom; a text without visible structure has none."""
    return _Reading(lines_of(text), labels_of).entries()


class _Reading:
    """One pass over a text's lines."""

    def __init__(self, lines: Sequence[Line], labels_of: LabelsOf) -> None:
        self.lines = lines
        self.labels_of = labels_of
        self.heading = ""
        self.keys: list[KeyLine] = []

    def entries(self) -> Iterator[Entry]:
        """Yield the entries."""
        at = 0
        while at < len(self.lines):
            text = self.lines[at].text
            heading = _heading(self.lines, at) if text.strip() else None
            if heading is not None:
                yield from self._close()
                self.heading = heading
                at += 1
            elif text.strip():
                found, at = self._stated(at)
                yield from found
            else:
                at += 1
                if not self._goes_on(at):
                    yield from self._close()
        yield from self._close()

    def _stated(self, at: int) -> tuple[list[Entry], int]:
        """Return the entries that end with the statement at a line, and the line behind it."""
        line = self.lines[at]
        if _TABLE_MARKS.search(line.text):
            table = read_table(self.lines, at)
            if table is not None:
                return [*self._close(), *table_entries(table, self.heading)], table.after
        pairs = pair_line(line.text, line.start)
        stated = split_pairs(pairs, self.labels_of(pairs)) if pairs is not None else []
        if pairs is not None and stated:
            entry = Entry("pairs", pairs.label, self.heading, tuple(stated), pairs.start, pairs.end)
            return [*self._close(), entry], at + 1
        key = key_line(line.text, line.start)
        if key is None:
            return self._close(), at + 1
        items, after = self._items(at + 1) if not key.values else ([], at + 1)
        end = items[-1][1] + len(items[-1][0]) if items else key.end
        self.keys.append(KeyLine(key.key, key.values or tuple(items), key.start, end))
        return [], after

    def _items(self, at: int) -> tuple[list[tuple[str, int]], int]:
        """Return the items of a list that stands below a key, and the line behind it."""
        items: list[tuple[str, int]] = []
        while at < len(self.lines):
            line = self.lines[at]
            item = item_of(line.text, line.start)
            if item is None or key_line(line.text, line.start) is not None:
                break
            items.append(item)
            at += 1
        return items, at

    def _goes_on(self, at: int) -> bool:
        """Tell whether the keys go on behind a blank line: with a key that is not there yet."""
        if not self.keys or at >= len(self.lines):
            return False
        following = key_line(self.lines[at].text, self.lines[at].start)
        return following is not None and following.key not in {key.key for key in self.keys}

    def _close(self) -> list[Entry]:
        """Return the entries of the key lines so far."""
        keys, self.keys = self.keys, []
        return list(as_entries(keys, "", self.heading)) if keys else []


def _heading(lines: Sequence[Line], at: int) -> str | None:
    """Return the heading that a line is: marked, underlined, or alone above key lines."""
    text = lines[at].text
    if text[0] in "#*" or text[:1] in " \t":
        found = _HEADING.match(text)
        if found is not None:
            return (found["text"] or found["bold"] or "").strip()
    if _UNDERLINE.match(text):
        return None
    below = lines[at + 1].text if at + 1 < len(lines) else ""
    above = lines[at - 1].text if at else ""
    if len(text) > _LONGEST_HEADING or above.strip() or not below.strip():
        return None
    if _UNDERLINE.match(below):
        return text.strip()
    plain = ":" not in text and "|" not in text and not text.rstrip().endswith((".", ",", ";"))
    return text.strip() if plain and key_line(below, 0) is not None else None
