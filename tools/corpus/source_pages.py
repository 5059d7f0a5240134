"""The pages of the PDFs that a corpus was made of, as they look, where the files still lie."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import accumulate
from pathlib import Path
from threading import Lock
from typing import Any

from agent.errors import DocumentUnreadable
from tools.corpus.building.build_processes import TaskFailed, Workers
from tools.corpus.corpus import Corpus
from tools.corpus.document_table import SourceFile
from tools.corpus.readers.extracted import suffix_of
from tools.corpus.source_files import path_text


class SourcePages:
    """Draws pages in a process apart, which starts with the first."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._lock = Lock()

    def close(self) -> None:
        """End the process."""
        self._workers.end()

    def sheet(
        self, corpus: Corpus, document: int, page: int, spans: Sequence[tuple[int, int]]
    ) -> dict[str, Any]:
        """Return a page, from 0, with the place of the spans of its text, as `draw_page` does."""
        source, text = source_of(corpus, document), corpus.document_text(document)
        asked = {
            "files": [str(each) for each in _places(corpus, source)],
            "digest": source.digest,
            "page": page,
            "quotes": [_of_page(text, page_start(text, page), *span) for span in spans],
            "limits": asdict(self._workers.limits),
        }
        if not asked["files"]:
            raise DocumentUnreadable("its file is not where it was indexed")
        with self._lock:
            self._workers.start(1)
        try:
            told: dict[str, Any] = self._workers.do("draw", asked)
        except (TaskFailed, OSError) as error:
            raise DocumentUnreadable(str(error)) from error
        return told


def is_pdf(corpus: Corpus, document: int) -> bool:
    """Tell whether a document was read from a PDF."""
    return suffix_of(source_of(corpus, document).path).lower() == ".pdf"


def source_of(corpus: Corpus, document: int) -> SourceFile:
    """Return the file that a document was read from."""
    starts = list(accumulate((each.documents for each in corpus.files), initial=0))
    return corpus.files[bisect_right(starts, document) - 1]


def page_start(text: str, page: int) -> int:
    """Return where a page, from 0, begins in a text; behind its end where it has not so many."""
    return sum(len(each) + 1 for each in text.split("\f")[:page])


def _of_page(text: str, first: int, start: int, end: int) -> tuple[str, int]:
    """Return those words of a span that are on a page, and how often they stand there before it."""
    start = max(start, first)
    words = text[start:end].partition("\f")[0].strip()
    return words, text.count(words, first, start) if words else 0


def _places(corpus: Corpus, source: SourceFile) -> Iterator[Path]:
    """Yield where a file may lie: below what was indexed, and nothing that leads out of it."""
    for root in map(Path, corpus.manifest.sources):
        if root.is_dir():
            place = root / source.path
            inside = place.resolve().is_relative_to(root.resolve())
        else:
            place = root.resolve()
            inside = path_text(place.name) == source.path
        if inside and place.is_file():
            yield place
