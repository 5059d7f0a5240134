"""Plain questions over small collections: is what is answered right, and is no bound false?

A folder has a folder for each collection, with its documents in `docs` and `questions.jsonl`, an
object a line: `id`, `question`, `decided_by` (what tells the answer: `field`, `kind`, `mention`,
`meaning`, several of them as `mixed`, or `none` where nothing does), `operation`, `answer_value`,
`answer_documents` (paths below `docs` without suffix), `groups` (a number by group). Where rows of
a table are the answer, `answer_value` has their names with `; ` between, and `key` is the column of
the names; a yes or no has `yes` or `no`. `accepts_assumption` marks a question of `none` that may
be answered by stating how an open word was read.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, get_args

from pydantic import BaseModel, ConfigDict

from agent.answer import Answer
from agent.errors import QuestionError, SettingsError
from agent.reasoners import select_reasoner
from agent.state import Question
from evals.scopes import Corpora, Scope
from evals.scores import estimate
from graphs import Context, build_graph
from tools.corpus.corpus import Corpus

PLAIN: Final = Path(__file__).parent / "data" / "plain"
"""Three collections that are kept as a regression: permits, a museum's papers, assets."""

Outcome = Literal["right", "wrong", "declined", "candidates"]
_COUNTED: Final = frozenset({"count", "list", "top_k"})
_YES_OR_NO: Final = frozenset({"yes", "no"})
_ROUNDED: Final = 0.006
"""Half of the last place of a figure that was rounded to two, and a little more."""


class PlainQuestion(BaseModel):
    """A question with what is true."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str
    question: str
    decided_by: str
    operation: str
    answer_value: float | str | None = None
    answer_documents: tuple[str, ...] | None = ()
    groups: dict[str, float] | None = None
    key: str | None = None
    accepts_assumption: bool = False

    @property
    def documents(self) -> frozenset[str]:
        """The documents that are the answer, or that enter its figure."""
        return frozenset(self.answer_documents or ())

    @property
    def names(self) -> frozenset[str]:
        """The rows that are the answer, by their names without case."""
        told = self.answer_value if isinstance(self.answer_value, str) else ""
        return frozenset(each.strip().casefold() for each in told.split(";") if each.strip())

    @property
    def number(self) -> float | None:
        """The number that bounds have to include; None where no number is the answer."""
        if isinstance(self.answer_value, float):
            return self.answer_value
        if self.operation in _COUNTED:
            names = self.names - _YES_OR_NO
            told = names if self.key is not None else self.documents or names
            return len(told) if self.answer_value is not None else None
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """What became of a question."""

    question: PlainQuestion
    outcome: Outcome
    told: str
    """The value, or why it was declined."""
    false_bounds: bool = False
    recall: float | None = None
    """Of candidates: the share of the true documents that is among them."""
    precision: float | None = None
    """Of candidates: the share of them that is true."""


def scored(question: PlainQuestion, answer: Answer, corpus: Corpus) -> Scored:
    """Compare an answer with what is true."""
    found = frozenset(name for each in answer.entities for name in each.documents)
    if answer.status == "candidates":
        hit, true = len(found & question.documents), len(question.documents)
        return Scored(
            question=question,
            outcome="candidates",
            told=f"{hit} of {true} documents among {len(found)}",
            recall=hit / true if true else None,
            precision=hit / len(found) if true and found else None,
        )
    right = _is_right(question, answer, found, corpus)
    number, bounds = question.number, answer.bounds
    outside = bool(
        bounds and number is not None and not bounds[0] - _ROUNDED <= number <= bounds[1] + _ROUNDED
    )
    return Scored(
        question=question,
        outcome="right" if right else "wrong",
        told=f"{answer.value} {list(bounds) if bounds else 'without bounds'}",
        false_bounds=outside and (question.operation in _COUNTED or not right),
    )


def totals(asked: Sequence[Scored]) -> dict[str, dict[str, float | int | None]]:
    """Return the figures by what decides the questions, and of all."""
    kinds = dict.fromkeys(each.question.decided_by for each in asked)
    return {
        kind: _figures([each for each in asked if kind in {each.question.decided_by, "all"}])
        for kind in (*kinds, "all")
    }


def asked_plainly(
    folder: Path, reasoner: str, place: Path, say: Callable[[str], None]
) -> Iterator[Scored]:
    """Ask the questions of each collection of a folder; raises SettingsError where it has none."""
    files = sorted(folder.glob("*/questions.jsonl"))
    if not files:
        raise SettingsError(f"{str(folder)!r} has no collection with a questions.jsonl")
    reads, corpora = select_reasoner(reasoner), Corpora(place, say)
    invoke = build_graph().invoke
    for file in files:
        corpus = corpora.over(Scope(file.parent / "docs"))
        for line in file.read_text(encoding="utf-8").splitlines():
            context = Context(corpus=corpus, reasoner=reads)
            yield _ask(PlainQuestion.model_validate_json(line), context, invoke)


def _ask(question: PlainQuestion, context: Context, invoke: Callable[..., Any]) -> Scored:
    try:
        with context.store:
            state = invoke(Question(question=question.question), context=context)
    except QuestionError as declined:
        return Scored(question=question, outcome="declined", told=str(declined))
    return scored(question, state["answer"], context.corpus)


def _is_right(
    question: PlainQuestion, answer: Answer, found: frozenset[str], corpus: Corpus
) -> bool:
    if question.decided_by == "none":
        stated = answer.interpretation is not None and bool(answer.interpretation.assumptions)
        return question.accepts_assumption and stated
    if question.groups is not None:
        return _same_groups(answer.value, question.groups)
    if isinstance(answer.value, Mapping):
        return question.names in (_largest(answer.value), {*map(str.casefold, answer.value)})
    if question.key is not None:
        values = corpus.field_values(question.key)
        rows = [values.get(corpus.document_index(name)) for name in found]
        return question.names == {each.raw.casefold() for each in rows if each is not None}
    nothing = question.names == {"no"}
    by_documents = (nothing or bool(question.documents)) and found == question.documents
    if question.operation in _COUNTED and (question.documents or nothing):
        return by_documents
    extreme = question.operation in {"min", "max"}
    return (extreme and by_documents) or _close(answer.value, question.number)


def _same_groups(value: object, groups: Mapping[str, float]) -> bool:
    """Tell whether groups have the same numbers, in whatever order and case.

    The documents that are in no group may be told as well.
    """
    if not isinstance(value, Mapping):
        return False
    wanted = {name.casefold(): number for name, number in groups.items()}
    told = {str(name).casefold(): number for name, number in value.items()}
    nothing = told.pop("(none)", None)
    if nothing is not None and "none" in wanted:
        told["none"] = nothing
    return told.keys() == wanted.keys() and all(_close(told[each], wanted[each]) for each in told)


def _largest(groups: Mapping[str, float]) -> frozenset[str]:
    most = max(groups.values(), default=0)
    return frozenset(name.casefold() for name, number in groups.items() if number == most)


def _close(value: object, number: float | None) -> bool:
    return isinstance(value, int | float) and number is not None and abs(value - number) <= _ROUNDED


def _figures(asked: Sequence[Scored]) -> dict[str, float | int | None]:
    outcomes = [each.outcome for each in asked]
    return {
        "asked": len(asked),
        **{name: outcomes.count(name) for name in get_args(Outcome)},
        "false_bounds": sum(each.false_bounds for each in asked),
        "wrong_share": outcomes.count("wrong") / len(asked) if asked else None,
        "recall": estimate([each.recall for each in asked]).value,
        "precision": estimate([each.precision for each in asked]).value,
    }
