"""The corpus that a question is asked over: a folder, a rendered database, or its own words."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agent.errors import SettingsError
from evals.ambiguity.case import Case, Dump, Source, Words
from evals.corpora import Corpora
from evals.questions import Record
from evals.scope import Scope, scope_of

if TYPE_CHECKING:
    from tools.corpus.corpus import Corpus

__all__ = ("Places", "checked")


@dataclass(frozen=True, slots=True)
class Places:
    """Where the corpora of all questions of a run are."""

    documents: Path | None
    """The folder that was given; None where none was."""
    into: Path
    """Where texts are written and indexes are kept."""
    corpora: Corpora

    def of(self, case: Case) -> "Corpus":
        """Return the corpus of a question, built when it is first asked for.

        A question with a database is asked over that, whatever folder was given; one that has
        nothing is asked over the folder, and without one over its own words.

        Raises:
            SettingsError: it needs a folder, and none was given.
            HeadcountError: its documents cannot be found or indexed.
        """
        match case.source:
            case Record():
                if self.documents is None:
                    raise SettingsError(f"question {case.id!r} needs --documents, its folder")
                return self.corpora.over(scope_of(case.source, self.documents))
            case Words() if self.documents is not None:
                return self.corpora.over(Scope(self.documents, None))
            case source:
                return self._made(source)

    def _made(self, source: Dump | Words) -> "Corpus":
        folder = self.into / f"{_key(source)}.texts"
        if not folder.is_dir():
            folder.mkdir(parents=True)
            for name, text in _texts(source).items():
                (folder / f"{name}.txt").write_text(text, encoding="utf-8")
        return Corpora(self.into, _silent).over(Scope(folder, None))


def checked(documents: Path | None) -> Path | None:
    """Return the folder; raise SettingsError where it is none."""
    if documents is not None and not documents.is_dir():
        raise SettingsError(f"{str(documents)!r} is not a folder of documents")
    return documents


def _texts(source: Dump | Words) -> dict[str, str]:
    from evals.ambiguity.dumps import opened
    from evals.ambiguity.rendering import documents

    if isinstance(source, Words):
        return {"question": source.text + "\n"}
    with opened(source.sql) as database:
        return documents(database) or {"empty": f"{source.name} has no rows\n"}


def _key(source: Source) -> str:
    return hashlib.sha256(repr(source).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _silent(line: str) -> None:
    """Tell nobody: there are as many of these as questions."""
