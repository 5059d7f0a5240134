"""The pages of the PDFs that a corpus was made of, as they look, where the files still lie."""

import base64
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from threading import Lock
from typing import Any

from agent.errors import DocumentUnreadable
from tools.corpus.building.build_processes import TaskFailed, Workers
from tools.corpus.corpus import Corpus
from tools.corpus.document_table import SourceFile
from tools.corpus.readers import reader_of
from tools.corpus.source_files import path_text, suffix_of

Box = tuple[float, float, float, float]
"""Left, top, width and height in points, from the page's top left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A page as it looks."""

    page: int
    """From 0."""
    pages: int
    width: float
    """In points, as it is drawn."""
    height: float
    boxes: Sequence[Sequence[Box]]
    """For each span that is on it the boxes of its words, a line each; none: not found there."""


class SourcePages:
    """Draws pages in a process apart, which starts with the first."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._lock = Lock()

    def sheet(
        self, corpus: Corpus, document: int, page: int, spans: Sequence[tuple[int, int]]
    ) -> Sheet:
        """Return a page with the place of those spans of the document's text that are on it.

        Raises DocumentUnreadable: it is no page, or its file is not there or not as it was read.
        """
        quotes = [_of_page(corpus.document_text(document), page, *span) for span in spans]
        told = self._drawn(corpus, document, page, quotes)
        return Sheet(page=page, **told)

    def close(self) -> None:
        """End the process."""
        self._workers.end()

    def image(self, corpus: Corpus, document: int, page: int) -> bytes:
        """Return a page as a PNG; raises as `sheet`."""
        return base64.b64decode(self._drawn(corpus, document, page, None)["image"])

    def _drawn(self, corpus: Corpus, document: int, page: int, quotes: Any) -> dict[str, Any]:
        source = source_of(corpus, document)
        files = [str(each) for each in _places(corpus, source)]
        if not files:
            raise DocumentUnreadable("its file is not where it was indexed")
        with self._lock:
            self._workers.start(1)
        limits = self._workers.limits
        asked = {
            "files": files,
            "digest": source.digest,
            "page": page,
            "quotes": quotes,
            "seconds": limits.seconds,
            "memory_mb": limits.memory_mb,
        }
        try:
            told: dict[str, Any] = self._workers.do("draw", asked)
        except (TaskFailed, OSError) as error:
            raise DocumentUnreadable(str(error)) from error
        return told


def is_pdf(corpus: Corpus, document: int) -> bool:
    """Tell whether a document was read from a PDF."""
    return reader_of(suffix_of(source_of(corpus, document).path))[0] == "pdf"


def source_of(corpus: Corpus, document: int) -> SourceFile:
    """Return the file that a document was read from."""
    starts = list(accumulate((each.documents for each in corpus.files), initial=0))
    return corpus.files[bisect_right(starts, document) - 1]


def page_start(text: str, page: int) -> int:
    r"""Return where a page, from 0, begins in a text; its end where it has not so many.

    >>> page_start("one\ftwo", 0), page_start("one\ftwo", 1), page_start("one\ftwo", 2)
    (0, 4, 7)
    """
    at = 0
    for _ in range(page):
        at = text.find("\f", at) + 1
        if not at:
            return len(text)
    return at


def pages_of_text(text: str, start: int, end: int) -> range:
    r"""Return the pages, from 0, that a span of a text lies on.

    >>> pages_of_text("one\ftwo\f three", 1, 10), pages_of_text("one", 0, 0)
    (range(0, 3), range(0, 1))
    """
    first = text.count("\f", 0, start)
    return range(first, first + text.count("\f", start, end) + 1)


def _of_page(text: str, page: int, start: int, end: int) -> tuple[str, int]:
    """Return those words of a span that are on a page, and how often they stand there before it."""
    first = page_start(text, page)
    words = text[max(start, first) : end].partition("\f")[0].strip()
    return words, text.count(words, first, max(start, first)) if words else 0


def _places(corpus: Corpus, source: SourceFile) -> Iterator[Path]:
    """Yield where a file may lie: below a folder that was indexed, or one of the files that were.

    Nothing that leads out of them is yielded, whatever the corpus says.
    """
    for root in map(Path, corpus.manifest.sources):
        if root.is_dir():
            place = root / source.path
            inside = place.resolve().is_relative_to(root.resolve())
        else:
            place = root.resolve()
            inside = path_text(place.name) == source.path
        if inside and place.is_file():
            yield place
