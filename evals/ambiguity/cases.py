"""A question whose ambiguity is known, what each of its readings comes to, and its corpus."""

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from pydantic import Field, JsonValue, ValidationError

from agent.answer import Answer
from agent.errors import QuestionError, SettingsError
from agent.taxonomy import CODES, AmbiguityCode
from evals.experiments.experiment import drawn
from evals.names import DocumentNames
from evals.questions import Gold, Record, numbered_lines
from evals.scopes import Corpora, Scope, scope_of
from evals.scores import is_exact, predicted_documents

if TYPE_CHECKING:
    from tools.corpus.corpus import Corpus


@dataclass(frozen=True, slots=True, kw_only=True)
class Intended:
    """One reading, as the annotators put it, with its answer."""

    question: str
    """The question rewritten so that only this reading is left."""
    number: float | None = None
    """The number it comes to; None where it is not known."""
    names: tuple[str, ...] | None = None
    """Everything it finds, by name; None where the names are not all given."""

    @property
    def answered(self) -> bool:
        """Whether its answer is known."""
        return self.number is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One question."""

    id: str
    question: str
    codes: tuple[AmbiguityCode, ...]
    """What the annotators found; nothing for a control."""
    intended: tuple[Intended, ...] = ()
    record: Record | None = None
    """The question with its annotation, which names its documents; None where it has none."""
    before: str = ""
    """What was said before a question that has no documents of its own."""

    @property
    def control(self) -> bool:
        """Whether the question is clear."""
        return not self.codes

    @property
    def idle(self) -> bool:
        """Whether its known readings, of which there are several, all have the same answer."""
        known = [each for each in self.intended if each.answered]
        numbers = {each.number for each in known}
        found = {frozenset(each.names) for each in known if each.names is not None}
        return len(known) > 1 and max(len(numbers), len(found)) == 1


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

        A question without documents of its own is asked over the folder that was given, and
        without one over its own words.

        Raises:
            SettingsError: it needs a folder, and none was given.
            HeadcountError: its documents cannot be found or indexed.
        """
        if self.documents is not None:
            scope = scope_of(case.record, self.documents) if case.record else Scope(self.documents)
            return self.corpora.over(scope)
        if case.record is not None:
            raise SettingsError(f"question {case.id!r} needs --documents, its folder")
        text = "\n\n".join(filter(None, (case.before, case.question))) + "\n"
        folder = self.into / f"{hashlib.sha256(text.encode()).hexdigest()[:16]}.texts"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "question.txt").write_text(text, encoding="utf-8")
        return Corpora(self.into, lambda _: None).over(Scope(folder))


def checked(documents: Path | None) -> Path | None:
    """Return the folder; raise SettingsError where it is none."""
    if documents is not None and not documents.is_dir():
        raise SettingsError(f"{str(documents)!r} is not a folder of documents")
    return documents


_KINDS: Mapping[str, AmbiguityCode] = {"scope": "B1", "attachment": "B2", "vague": "C1"}
_SUBCLASSES: Mapping[str, AmbiguityCode | None] = {
    "when": "A2",
    "where": "A2",
    "NK": "C3",
    "none": None,
}
"""CLAMBER's subclasses that are among the seven kinds: `NK` names what nobody knows."""


class Ours(Record):
    """Our own format."""

    def case(self) -> Case:
        """Return the question, asked over the documents that it names."""
        return Case(
            id=self.id,
            question=self.question,
            codes=tuple(dict.fromkeys(self.ambiguity)),
            intended=tuple(
                Intended(question=each.rewritten, number=each.number, names=each.documents)
                for each in self.readings
            ),
            record=self,
        )


class Ambrosia(Gold):
    """A question over a database, of which only the kind of ambiguity is taken."""

    id: str
    question: str
    ambiguity: Literal["scope", "attachment", "vague"] | None = None

    def case(self) -> Case:
        """Return the question."""
        codes = () if self.ambiguity is None else (_KINDS[self.ambiguity],)
        return Case(id=self.id, question=self.question, codes=codes)


class Clamber(Gold):
    """A question to a general assistant; nothing but its words is known."""

    id: str
    question: str
    context: str = ""
    subclass: str
    needs_clarification: bool = Field(alias="require_clarification")

    def case(self) -> Case:
        """Return the question."""
        code = _SUBCLASSES[self.subclass] if self.needs_clarification else None
        codes = () if code is None else (code,)
        return Case(id=self.id, question=self.question, codes=codes, before=self.context)


def parse(members: Mapping[str, JsonValue]) -> Ours | Ambrosia | Clamber:
    """Return a line of a file of questions in its format.

    Raises:
        QuestionError: it is none of them, or lacks something; the text says what.
    """
    form = _form(members)
    try:
        return form.model_validate(members)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise QuestionError(f"{where} {first['msg']}".strip()) from error


def _form(members: Mapping[str, JsonValue]) -> type[Ours] | type[Ambrosia] | type[Clamber]:
    if "db_file" in members:
        return Ambrosia
    if "subclass" in members:
        return Clamber
    if "is_ambiguous" in members or isinstance(members.get("ambiguity"), list):
        return Ours
    raise QuestionError("it has neither `ambiguity` codes, nor `db_file`, nor `subclass`")


CONTROLS = "none"
"""Stands among codes for the clear questions."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The questions to ask."""

    cases: tuple[Case, ...]
    left_out: Mapping[str, int]
    """How many questions cannot be asked, by the reason."""


def load(
    paths: Sequence[Path],
    *,
    codes: Collection[str] = (),
    sample: int | None = None,
    seed: int = 0,
    limit: int | None = None,
) -> Loaded:
    """Read the questions of some files, in their order.

    Args:
        paths: files with a JSON object a line.
        codes: take only questions with one of these; empty takes all.
        sample: draw so many at random, without replacement; None takes all.
        seed: what is drawn depends on it alone.
        limit: take the first so many of those.

    Raises:
        QuestionError: a file cannot be read, a line is not a question, an id occurs twice, or
            nothing is left.
    """
    cases: dict[str, Case] = {}
    left_out: Counter[str] = Counter()
    for path, parsed in ((one, each) for one in paths for each in _parsed(one)):
        if isinstance(parsed, Clamber) and parsed.subclass not in _SUBCLASSES:
            left_out[f"subclass {parsed.subclass} is none of the seven kinds"] += 1
        elif parsed.id in cases:
            raise QuestionError(f"{path.name} has two questions with the id {parsed.id!r}")
        else:
            cases[parsed.id] = parsed.case()
    taken = [case for case in cases.values() if not codes or set(codes) & _told(case)]
    if not taken:
        raise QuestionError(f"no question is left to ask in {', '.join(map(str, paths))}")
    ids = drawn([case.id for case in taken], sample, seed)
    return Loaded(cases=tuple(case for case in taken if case.id in ids)[:limit], left_out=left_out)


def wanted_codes(text: str) -> frozenset[str]:
    """Read codes parted by commas; `none` are the controls.

    Raises:
        QuestionError: one is no code.
    """
    codes = {part.strip() for part in text.split(",") if part.strip()}
    unknown = sorted(codes - {*CODES, CONTROLS})
    if unknown:
        raise QuestionError(f"{unknown[0]!r} is none of {', '.join((*CODES, CONTROLS))}")
    return frozenset(codes)


def _told(case: Case) -> set[str]:
    return {CONTROLS} if case.control else set(case.codes)


def _parsed(path: Path) -> Iterator[Ours | Ambrosia | Clamber]:
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


def same(answer: Answer, meant: Intended, corpus: "Corpus") -> bool:
    """Say whether an answer is what the reading comes to.

    The number is right; where all documents of the reading are known, so are the documents.
    """
    if answer.status != "answered" or meant.number is None:
        return False
    value = None if isinstance(answer.value, dict) else answer.value
    measured = not float(meant.number).is_integer()
    if not is_exact(value, meant.number, measured=measured):
        return False
    return meant.names is None or _same_documents(answer, meant.names, corpus)


def _same_documents(answer: Answer, names: tuple[str, ...], corpus: "Corpus") -> bool:
    known = DocumentNames(corpus.documents)
    if any(known.find(name) is None for name in names):
        return True
    return known.keys(predicted_documents(answer)) == known.keys(names)
