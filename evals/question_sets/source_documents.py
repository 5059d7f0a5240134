"""What question sets are built from and written to: source documents, and the output folder."""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Final

from pydantic import JsonValue

from agent.corpus_view import FieldValue
from agent.errors import DocumentUnreadable, SettingsError
from agent.languages import stems
from evals.questions import Record
from evals.tables import figures
from tools.corpus.chunking.chunker import Chunk, cut_text, segments
from tools.corpus.chunking.paragraphs import Segment
from tools.corpus.documents import read_file
from tools.corpus.fields.field_values import fold
from tools.corpus.fields.header import read_fields
from tools.corpus.metadata_files import described, table_rows
from tools.corpus.source_files import files_below
from tools.corpus.words.lexicon import words

PUNCTUATION: Final = "()[]{}<>«»“”‘’\"'`*_.,;:!?…|~-–—"
"""Marks that stand around words and are no part of them."""
_NUMBERING: Final = re.compile(r"^(?:(?:\d+(?:\.\d+)*|[IVXLC]+|[A-Z])[.):]?\s+)")
_WORD: Final = re.compile(r"[^\W_]+")
_LONGEST_LINE: Final = 160


@dataclass(frozen=True)
class Source:
    """A document's name and text, with what rules look up in it; spans count its characters."""

    name: str
    """Path below its folder without suffix; what answers name."""
    text: str

    @cached_property
    def header(self) -> Mapping[str, FieldValue]:
        """The fields that its text states, by key as written."""
        found = read_fields(self.text)[0]
        return {key: value for key, value in found.items() if value.start is not None}

    @cached_property
    def fields(self) -> Mapping[str, FieldValue]:
        """The same fields by folded key."""
        return {fold(key): value for key, value in self.header.items()}

    @cached_property
    def headings(self) -> tuple[Segment, ...]:
        """The segments that are headings, in order."""
        return tuple(each for each in segments(self.text) if each.heading is not None)

    @cached_property
    def heading_stems(self) -> tuple[tuple[str, ...], ...]:
        """The stems of each heading's words."""
        titles = (each.heading.title for each in self.headings if each.heading is not None)
        return tuple(tuple(stems(words(title))) for title in titles)

    @cached_property
    def line_keys(self) -> frozenset[str]:
        """What its short lines would be as headings."""
        lines = self.text.split("\n")
        return frozenset(heading_key(each) for each in lines if len(each) <= _LONGEST_LINE)

    @cached_property
    def chunks(self) -> tuple[Chunk, ...]:
        """The chunks by the product's chunker with its usual sizes."""
        return tuple(cut_text(self.text).chunks)

    @cached_property
    def lowered(self) -> str:
        """The text in lower case, to see quickly what is not in it."""
        return self.text.lower()

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """The stems of its words in order; underscores also separate words."""
        return tuple(stems(_WORD.findall(self.lowered)))

    @cached_property
    def stem_places(self) -> Mapping[str, Sequence[int]]:
        """The positions of each stem among the stems."""
        places: defaultdict[str, list[int]] = defaultdict(list)
        for at, stem in enumerate(self.stems):
            places[stem].append(at)
        return places


def heading_key(title: str) -> str:
    """Return what two writings of one heading share: words, without number, marks and case.

    >>> heading_key("2.1 Rejected  Ideas:"), heading_key("## Rejected ideas")
    ('rejected ideas', 'rejected ideas')
    """
    return bare_title(title).casefold()


def bare_title(title: str) -> str:
    """Return a heading's words as written, without its number and marks."""
    bare = _NUMBERING.sub("", title.strip().lstrip("#").strip())
    return " ".join(bare.strip(PUNCTUATION + "= ").split())


def read_sources(folder: Path, say: Callable[[str], None]) -> list[Source]:
    """Read the documents below a folder as they are indexed, by name.

    Each unreadable file is told to `say`.

    Raises SettingsError: it is no folder, or holds no document.
    """
    if not folder.is_dir():
        raise SettingsError(f"{str(folder)!r} is not a folder of documents")
    found: dict[str, Source] = {}
    for file in described(files_below([folder]), partial(table_rows, encoding=None))[0]:
        try:
            read = read_file(file)
        except DocumentUnreadable as error:
            say(f"left out {file.file!r}: {error}")
            continue
        for place, why in read.broken:
            say(f"left out {place} of {file.file!r}: {why}")
        for each in read.documents:
            name = each.name.replace("#", "-")
            found[name] = Source(name, each.text)
    if not found:
        raise SettingsError(f"{str(folder)!r} holds no document")
    return [found[name] for name in sorted(found)]


@dataclass(frozen=True, slots=True)
class OutputFolder:
    """The folder that a question set is written to: one that is empty, or not there yet."""

    path: Path

    def __post_init__(self) -> None:
        """Raise SettingsError where something is in it."""
        if self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
            raise SettingsError(f"{str(self.path)!r} is not empty: choose a folder not there yet")

    def write_documents(self, folder: str, texts: Mapping[str, str]) -> None:
        """Write documents by name as text files, whose characters are those that spans count."""
        for name, text in texts.items():
            self._write(f"{folder}/{name}.txt", text)

    def write_questions(
        self, name: str, questions: Sequence[Mapping[str, JsonValue]]
    ) -> list[Record]:
        """Write questions, and return them as an evaluation reads them."""
        records = [Record.model_validate(each) for each in questions]
        self.write_lines(name, questions)
        return records

    def write_lines(self, name: str, objects: Iterable[Mapping[str, JsonValue]]) -> None:
        """Write JSON, an object a line."""
        lines = (json.dumps(each, ensure_ascii=False) + "\n" for each in objects)
        self._write(name, "".join(lines))

    def _write(self, name: str, text: str) -> None:
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")


def gold_evidence(
    document: str, text: str, start: int, end: int, **more: JsonValue
) -> dict[str, JsonValue]:
    """Return a place of a document's text that proves an answer, as questions' files have it."""
    return {"document": document, "start": start, "end": end, "text": text[start:end], **more}


def evidence_figures(sources: Sequence[Source], records: Iterable[Record]) -> dict[str, JsonValue]:
    """Return how many documents and chunks there are, and how many of these hold evidence."""
    spans: defaultdict[str, set[tuple[int, int]]] = defaultdict(set)
    for each in (one for record in records for one in record.gold_evidence):
        if each.start is not None and each.end is not None:
            spans[each.document].add((each.start, each.end))
    proving = sum(
        any(start < chunk.end and chunk.start < end for start, end in spans[source.name])
        for source in sources
        if source.name in spans
        for chunk in source.chunks
    )
    chunks = sum(len(each.chunks) for each in sources)
    return {
        "documents": len(sources),
        "chunks": chunks,
        "evidence_chunks": proving,
        "evidence_density": proving / chunks if chunks else 0.0,
    }


def figures_table(corpora: Mapping[str, Mapping[str, JsonValue]]) -> str:
    """Return statistics as a table, a row a figure and a column a corpus.

    >>> print(figures_table({"core": {"queries": 3, "by_logic": {"AND": 1}}}))
    | figure        | core |
    |:--------------|-----:|
    | queries       |    3 |
    | by_logic: AND |    1 |
    """
    rows: dict[str, dict[str, object]] = {}
    for corpus, told in corpora.items():
        for key, value in told.items():
            for part, figure in value.items() if isinstance(value, dict) else [("", value)]:
                rows.setdefault(f"{key}: {part}" if part else key, {})[corpus] = figure
    return figures("figure", rows, digits=4)
