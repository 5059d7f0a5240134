"""Collections with their records filled: from one data set, by one schema, by one reader."""

import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from pydantic import TypeAdapter

from agent.errors import SettingsError
from agent.policy import Policy
from agent.reasoner import Reasoner
from agent.records.query_plan import Plan
from agent.records.record import Record
from agent.records.record_schema import Kind, Schema
from evals.compare.records_planner import DrawnPlanner
from evals.compare.records_reader import DrawnReader
from evals.compare.records_scores import Reading, reading
from evals.datasets.dataset import Dataset, Recipe, make_dataset, write_dataset
from evals.outcome import Outcome
from evals.questions import Record as Question
from evals.questions import load

if TYPE_CHECKING:
    from pydantic import JsonValue

    from graphs.context import Context
    from tools.corpus.corpus import Corpus

__all__ = ("DRAWN", "Bench", "Filled", "Groups", "SchemaSource", "lacking")

SchemaSource = Literal["gold", "lacking", "induced"]
"""The drawn one; the drawn one without every third attribute; one that the reader drew up."""
Groups = Mapping[str, Mapping[str, float]]
_PLAN: Final[TypeAdapter[Plan]] = TypeAdapter(Plan)
DRAWN: Final = "drawn"
"""The reader that knows what was drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filled:
    """A collection whose records were read."""

    corpus: "Corpus"
    schema: Schema
    reading: Reading
    calls: int
    """Requests to the reader, for the schema and the records."""


class Bench:
    """Makes data sets and fills records, each once."""

    def __init__(self, place: Path, model: str, hints: int, say: Callable[[str], None]) -> None:
        """Work below a folder.

        Args:
            place: where everything lies.
            model: the reader's name, beside the drawn one: `rules` or a model's.
            hints: questions that are shown when a schema is induced, and not asked.
            say: told what is being done.
        """
        self._place, self._model, self._hints, self._say = place, model, hints, say
        self._made: dict[Recipe, tuple[Dataset, Path]] = {}
        self._filled: dict[tuple[Recipe, SchemaSource, str], Filled] = {}

    def questions(self, recipe: Recipe) -> tuple[list[Question], Groups]:
        """Return the questions that are asked, and the true numbers by group of some."""
        data, place = self._dataset(recipe)
        records = load(place / "questions.jsonl")
        groups = {
            str(each["id"]): _numbers(told)
            for each in data.questions
            if isinstance(told := each["answer_groups"], dict)
        }
        shown = set(self._shown(recipe))
        return [each for each in records if each.question not in shown], groups

    def lists(self, recipe: Recipe) -> frozenset[str]:
        """Return the ids of the questions that need an attribute of several values."""
        data, _ = self._dataset(recipe)
        many = {
            attribute.name
            for kind in data.schema.kinds
            for attribute in kind.attributes
            if attribute.many
        }
        return frozenset(
            str(each["id"])
            for each in data.questions
            if isinstance(needed := each["attributes"], list) and many.intersection(needed)
        )

    def filled(self, recipe: Recipe, source: SchemaSource, reader: str) -> Filled:
        """Return a collection with its records.

        Raises:
            SettingsError: the drawn reader is to draw up a schema.
        """
        key = (recipe, source, reader)
        if key not in self._filled:
            if reader == DRAWN and source == "induced":
                raise SettingsError("the drawn reader draws up no schema: name another one")
            self._filled[key] = self._fill(recipe, source, reader)
        return self._filled[key]

    def ask(
        self, filled: Filled, question: Question, policy: Policy, *, judge: str, plan: Plan | None
    ) -> Outcome:
        """Ask one question.

        Args:
            filled: what it is asked over.
            question: with its truth.
            policy: with the route.
            judge: who judges texts; the drawn reader does it from the labels.
            plan: the true plan, where it shall be followed.
        """
        from evals.asking import ask
        from evals.gold import GoldReasoner

        reasoner = self._reasoner()
        if judge == DRAWN:
            reasoner = GoldReasoner(reasoner, question, filled.corpus)
        if plan is not None:
            reasoner = DrawnPlanner(reasoner, plan)
        return ask(question.question, filled.corpus, reasoner, policy)

    def plans(self, recipe: Recipe) -> Mapping[str, Plan]:
        """Return the questions' true plans by id."""
        data, _ = self._dataset(recipe)
        return {str(each["id"]): _PLAN.validate_python(each["plan"]) for each in data.questions}

    def _reasoner(self) -> Reasoner:
        from agent.reasoners import select_reasoner
        from agent.settings import load_settings

        settings = load_settings(model=self._model, on_ambiguity="assume")
        return select_reasoner(settings, cache=self._place / "responses.sqlite")

    def _dataset(self, recipe: Recipe) -> tuple[Dataset, Path]:
        if recipe not in self._made:
            place = self._place / f"data-{len(self._made)}"
            data = make_dataset(recipe)
            write_dataset(data, place)
            self._made[recipe] = data, place
        return self._made[recipe]

    def _shown(self, recipe: Recipe) -> tuple[str, ...]:
        """Return the questions that induction is shown, spread over all there are."""
        asked = [str(each["question"]) for each in self._dataset(recipe)[0].questions]
        step = max(1, len(asked) // self._hints) if self._hints else len(asked) + 1
        return tuple(asked[step - 1 :: step][: self._hints])

    def _fill(self, recipe: Recipe, source: SchemaSource, reader: str) -> Filled:
        from graphs.context import Context
        from graphs.srag import fill
        from tools.corpus.corpus import open_corpus

        data, place = self._dataset(recipe)
        self._say(f"filling {data.name}, {source} schema, read by {reader}")
        corpus = open_corpus(self._indexed(place, f"{source}-{reader.replace('/', '-')}"))
        drawn = {page.record.document: page.record for page in data.pages}
        reasoner = self._reasoner()
        if reader == DRAWN:
            reasoner = DrawnReader(reasoner, drawn)
        context = Context(corpus=corpus, reasoner=reasoner)
        schema = self._schema(recipe, source, context)
        fill(context, schema)
        read = reading(drawn.values(), _stored(corpus, schema), data.schema)
        return Filled(
            corpus=corpus, schema=schema, reading=read, calls=reasoner.spent().model_calls
        )

    def _schema(self, recipe: Recipe, source: SchemaSource, context: "Context") -> Schema:
        """Return the schema, and put it where the product looks for it."""
        from graphs.records.available_records import schema_path
        from graphs.srag import induce
        from tools.records.schema_file import save_schema

        gold = self._dataset(recipe)[0].schema
        schema = gold if source == "gold" else lacking(gold)
        if source == "induced":
            schema = induce(context, self._shown(recipe)).result or Schema()
        save_schema(schema, schema_path(context.corpus))
        return schema

    def _indexed(self, place: Path, name: str) -> Path:
        """Return a fresh copy of the data set's index."""
        from tools.corpus.build import build

        first, copy = place / "index.corpus", place / f"{name}.corpus"
        if not first.exists():
            build([place / "docs"], first)
        shutil.copytree(first, copy)
        return copy


def _numbers(told: "Mapping[str, JsonValue]") -> dict[str, float]:
    return {name: each for name, each in told.items() if isinstance(each, int | float)}


def lacking(schema: Schema) -> Schema:
    """Return a schema without every third attribute: what a schema may well lack."""
    return schema.model_copy(update={"kinds": tuple(_lacking(each) for each in schema.kinds)})


def _lacking(kind: Kind) -> Kind:
    kept = tuple(each for at, each in enumerate(kind.attributes) if not at or at % 3)
    return kind.model_copy(update={"attributes": kept})


def _stored(corpus: "Corpus", schema: Schema) -> Iterator[Record]:
    """Yield the records of a store that was filled once: their ids are dense."""
    from graphs.records.available_records import open_records

    with closing(open_records(corpus)) as store:
        ids = range(1, 1 + sum(each.records for each in store.documents().values()))
        for kind in schema.kinds:
            yield from store.cells(kind.name, ids).values()
