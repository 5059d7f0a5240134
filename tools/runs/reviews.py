"""What people said of passages: verdicts that stand for good, in a file beside the runs."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import astuple, dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Final

from agent.evidence import Judgement
from agent.private_database import Closing
from agent.question import Condition
from tools.corpus.corpus import Corpus
from tools.sqlite_file import FileForm, SQLiteFile

REVIEWS: Final = FileForm(
    name="review store",
    migrations=(
        (
            """CREATE TABLE verdicts (
                number INTEGER PRIMARY KEY, passage TEXT NOT NULL, criteria TEXT NOT NULL,
                document TEXT NOT NULL, start INTEGER NOT NULL, condition TEXT NOT NULL,
                judgement TEXT NOT NULL, quote TEXT NOT NULL, note TEXT NOT NULL,
                who TEXT NOT NULL, made TEXT NOT NULL, question TEXT NOT NULL,
                withdrawn INTEGER NOT NULL DEFAULT 0)""",
            "CREATE INDEX verdicts_by_passage ON verdicts (passage, criteria)",
        ),
        ("CREATE TABLE limits (run TEXT PRIMARY KEY, told TEXT NOT NULL)",),  # kept no more
    ),
    remedy="restore it from a backup: it holds what people judged",
    checked=True,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reviewed:
    """A person's verdict on whether a passage shows a condition."""

    document: str
    start: int
    condition: str
    judgement: Judgement
    quote: str = ""
    """The words of the passage that show it; empty where it does not."""
    note: str = ""
    who: str
    made: str
    question: str


_COLUMNS: Final = ", ".join(each.name for each in fields(Reviewed))


class Reviews(Closing):
    """The verdicts on the passages of one corpus.

    A verdict belongs to a document, a chunk's words and headings in it, and a condition's words,
    whatever its lists are: it holds after indexing again and for every question with that
    condition. Nothing is deleted: what was undone is marked, and the last one that stands counts.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / "reviews.sqlite"
        self._file = SQLiteFile(self.path, REVIEWS)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def put(self, corpus: Corpus, chunk: int, verdict: Reviewed) -> int:
        """Keep a verdict on a chunk; it is on disk when its number is returned."""
        # `criteria`, once a digest of the condition's lists, is asked for by nobody.
        row = (passage_key(corpus, chunk).hex(), "", *astuple(verdict))
        with self._file.transaction() as connection:
            made = connection.execute(
                f"INSERT INTO verdicts (passage, criteria, {_COLUMNS}) "  # noqa: S608 - constants
                f"VALUES ({', '.join('?' * len(row))})",
                row,
            )
            return int(made.lastrowid or 0)

    def withdraw(self, number: int) -> None:
        """Mark a verdict as undone."""
        self._file.write("UPDATE verdicts SET withdrawn = 1 WHERE number = ?", (number,))

    def verdict(self, corpus: Corpus, chunk: int, condition: Condition) -> Reviewed | None:
        """Return the last verdict on a chunk that stands, if somebody judged it."""
        passage = passage_key(corpus, chunk).hex()
        found = self._standing("passage = ? AND condition = ?", passage, condition.text)
        return found[-1][1] if found else None

    def last(self, question: str, who: str) -> tuple[int, Reviewed] | None:
        """Return the last verdict that somebody gave for a question and that stands."""
        found = self._standing("question = ? AND who = ?", question, who)
        return found[-1] if found else None

    def of(self, condition: Condition) -> Iterator[Reviewed]:
        """Yield the last verdict that stands on each passage by a condition, the oldest first."""
        last = (
            "number IN (SELECT max(number) FROM verdicts WHERE condition = ? AND NOT withdrawn "
            "GROUP BY passage)"
        )
        return (each for _, each in self._standing(last, condition.text))

    def all(self) -> Iterator[Reviewed]:
        """Yield the verdicts that stand, the oldest first."""
        return (each for _, each in self._standing("TRUE"))

    def _standing(self, test: str, *values: str) -> list[tuple[int, Reviewed]]:
        """Return the verdicts that stand and pass a test, a constant, with their numbers."""
        query = (
            f"SELECT number, {_COLUMNS} FROM verdicts WHERE {test} "  # noqa: S608 - constants
            "AND NOT withdrawn ORDER BY number"
        )
        names = _COLUMNS.split(", ")
        return [
            (number, Reviewed(**dict(zip(names, row, strict=True))))
            for number, *row in self._file.read(query, *values)
        ]


def passage_key(corpus: Corpus, chunk: int) -> bytes:
    """Return a digest of a chunk's document, headings and words, of 32 bytes.

    The words are the whole chunk's: what is shown of it depends on what is shown beside it.
    """
    document = corpus.documents[int(corpus.chunk_document[chunk])]
    read = [document, *corpus.headings(chunk), " ".join(corpus.chunk_text(chunk).split())]
    return hashlib.sha256(json.dumps(read).encode()).digest()


@lru_cache(maxsize=2)
def passage_keys(corpus: Corpus) -> Sequence[bytes]:
    """Return the digests of all chunks, in their order; of the last corpora they are kept."""
    return [passage_key(corpus, chunk) for chunk in range(len(corpus))]
