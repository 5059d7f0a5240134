"""Questions whose ambiguity is known, in three formats, and the corpora they are asked over."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import Field, JsonValue, ValidationError

from agent.answer import Answer
from agent.errors import QuestionError, SettingsError
from agent.taxonomy import AmbiguityCode
from evals.experiments.experiment import drawn
from evals.names import DocumentNames
from evals.questions import AnnotatedReading, Gold, Record, numbered_lines
from evals.scopes import Corpora, Scope, scope_of
from evals.scores import is_exact, predicted_documents

if TYPE_CHECKING:
    from tools.corpus.corpus import Corpus


@dataclass(frozen=True, slots=True)
class Places:
    """Where the corpora of all questions of a run are."""

    documents: Path | None
    """The folder that was given; None where none was."""
    into: Path
    """Where texts are written and indexes are kept."""
    corpora: Corpora

    def of(self, record: Record) -> "Corpus":
        """Return the corpus of a question, built when it is first asked for.

        A question without documents of its own is asked over the folder that was given, and
        without one over its own words.

        Raises:
            SettingsError: it needs a folder, and none was given.
            HeadcountError: its documents cannot be found or indexed.
        """
        if self.documents is not None:
            own = record.before is None
            scope = scope_of(record, self.documents) if own else Scope(self.documents)
            return self.corpora.over(scope)
        if record.before is None:
            raise SettingsError(f"question {record.id!r} needs --documents, its folder")
        text = "\n\n".join(filter(None, (record.before, record.question))) + "\n"
        folder = self.into / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.texts"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "question.txt").write_text(text, encoding="utf-8")
        return Corpora(self.into, lambda _: None).over(Scope(folder))


def places_in(documents: Path | None, place: Path, corpora: Corpora) -> Places:
    """Return the places of a run; raise SettingsError where the folder of documents is none."""
    if documents is not None and not documents.is_dir():
        raise SettingsError(f"{str(documents)!r} is not a folder of documents")
    return Places(documents, place, corpora)


_KINDS: Mapping[str, AmbiguityCode] = {"scope": "B1", "attachment": "B2", "vague": "C1"}
_SUBCLASSES: Mapping[str, AmbiguityCode | None] = {
    "when": "A2",
    "where": "A2",
    "NK": "C3",
    "none": None,
}
"""CLAMBER's subclasses that are among the seven kinds: `NK` names what nobody knows."""


class Ambrosia(Gold):
    """A question over a database, of which only the kind of ambiguity is taken."""

    id: str
    question: str
    ambiguity: Literal["scope", "attachment", "vague"] | None = None

    def record(self) -> Record:
        """Return the question."""
        codes = () if self.ambiguity is None else (_KINDS[self.ambiguity],)
        return Record(id=self.id, question=self.question, ambiguity=codes, before="")


class Clamber(Gold):
    """A question to a general assistant; nothing but its words is known."""

    id: str
    question: str
    context: str = ""
    subclass: str
    needs_clarification: bool = Field(alias="require_clarification")

    def record(self) -> Record:
        """Return the question."""
        code = _SUBCLASSES[self.subclass] if self.needs_clarification else None
        codes = () if code is None else (code,)
        return Record(id=self.id, question=self.question, ambiguity=codes, before=self.context)


def parse(members: Mapping[str, JsonValue]) -> Record | str:
    """Return the question of a line in one of the formats, or why it cannot be asked here.

    Raises:
        QuestionError: it is in none of the formats, or lacks something; the text says what.
    """
    try:
        if "db_file" in members:
            return Ambrosia.model_validate(members).record()
        if "subclass" in members:
            read = Clamber.model_validate(members)
            known = read.subclass in _SUBCLASSES
            return (
                read.record() if known else f"subclass {read.subclass} is none of the seven kinds"
            )
        if "is_ambiguous" in members or isinstance(members.get("ambiguity"), list):
            return Record.model_validate(members)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise QuestionError(f"{where} {first['msg']}".strip()) from error
    raise QuestionError("it has neither `ambiguity` codes, nor `db_file`, nor `subclass`")


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The questions to ask."""

    records: tuple[Record, ...]
    left_out: Mapping[str, int]
    """How many questions cannot be asked, by the reason."""


def load(
    paths: Sequence[Path], *, sample: int | None = None, seed: int = 0, limit: int | None = None
) -> Loaded:
    """Read the questions of some files, in their order.

    Args:
        paths: files with a JSON object a line.
        sample: draw so many at random, without replacement; None takes all.
        seed: what is drawn depends on it alone.
        limit: take the first so many of those.

    Raises:
        QuestionError: a file cannot be read, a line is not a question, an id occurs twice, or
            nothing is left.
    """
    records: dict[str, Record] = {}
    left_out: Counter[str] = Counter()
    for path, parsed in ((one, each) for one in paths for each in _parsed(one)):
        if isinstance(parsed, str):
            left_out[parsed] += 1
        elif parsed.id in records:
            raise QuestionError(f"{path.name} has two questions with the id {parsed.id!r}")
        else:
            records[parsed.id] = parsed
    if not records:
        raise QuestionError(f"no question is left to ask in {', '.join(map(str, paths))}")
    ids = drawn([*records], sample, seed)
    taken = tuple(each for each in records.values() if each.id in ids)
    return Loaded(records=taken[:limit], left_out=left_out)


def _parsed(path: Path) -> Iterator[Record | str]:
    for number, line in numbered_lines(path):
        try:
            yield parse(_object(line))
        except QuestionError as error:
            told = f"{path.name}, line {number}, is not a question: {error}"
            raise QuestionError(told) from error


def _object(line: str) -> dict[str, JsonValue]:
    try:
        members = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise QuestionError(f"it is not JSON: {error}") from error
    if not isinstance(members, dict):
        raise QuestionError("it is not an object")
    return members


def same(answer: Answer, meant: AnnotatedReading, corpus: "Corpus") -> bool:
    """Say whether an answer is what the reading comes to.

    The number is right; where all documents of the reading are known, so are the documents.
    """
    if answer.status != "answered" or meant.number is None:
        return False
    value = None if isinstance(answer.value, dict) else answer.value
    measured = not float(meant.number).is_integer()
    if not is_exact(value, meant.number, measured=measured):
        return False
    known = DocumentNames(corpus.documents)
    if meant.documents is None or any(known.find(name) is None for name in meant.documents):
        return True
    return known.keys(predicted_documents(answer)) == known.keys(meant.documents)
