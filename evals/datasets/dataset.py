"""A data set: documents, the records they state, questions with their answers, the schema."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from agent.errors import SettingsError
from agent.records.record_schema import Schema
from evals.datasets.domains import Domain, load_domain
from evals.datasets.drawn_records import draw_records
from evals.datasets.inquiries import Asked, ask_questions
from evals.datasets.pages import Page, Style, write_page

if TYPE_CHECKING:
    from pydantic import JsonValue

__all__ = ("Dataset", "Recipe", "make_dataset", "write_dataset")

_EXAMPLES: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """Everything that a data set follows from."""

    domains: tuple[str, ...]
    """Several make a mixed collection."""
    seed: int = 0
    documents: int | None = None
    """Of each domain; None for as many as the domain says. So with questions."""
    questions: int | None = None
    style: Style = "varied"
    varied: bool = True
    """Whether the same value is written in many forms."""
    others: int | None = None
    """Sentences of a document that state nothing of its record; None for the domain's number."""
    missing: float = 0.08
    """The chance that a document lacks an attribute."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """What was made."""

    recipe: Recipe
    schema: Schema
    pages: tuple[Page, ...]
    questions: tuple[Mapping[str, "JsonValue"], ...]
    """In the form of the questions' files; `answer_groups` has the numbers by group."""

    @property
    def name(self) -> str:
        """The domains' names."""
        return "-".join(self.recipe.domains)


def make_dataset(recipe: Recipe) -> Dataset:
    """Make a data set; the same recipe makes the same one.

    Raises:
        SettingsError: there is no domain of a name.
    """
    made = [_of_domain(load_domain(each), recipe) for each in dict.fromkeys(recipe.domains)]
    kinds = tuple(
        domain.schema_kind.model_copy(
            update={"documents": tuple(page.record.document for page in pages[:_EXAMPLES])}
        )
        for domain, pages, _ in made
    )
    named = {page.record.document: page for _, pages, _ in made for page in pages}
    if len(named) < sum(len(pages) for _, pages, _ in made):
        raise SettingsError(f"documents of {' and '.join(recipe.domains)} bear the same names")
    asked = [(domain, each) for domain, _, questions in made for each in questions]
    name = "-".join(recipe.domains)
    return Dataset(
        recipe,
        Schema(kinds=kinds),
        tuple(named.values()),
        tuple(
            {"id": f"{name}-{number:03}", "corpus": name, **_question(domain, each, named)}
            for number, (domain, each) in enumerate(asked, start=1)
        ),
    )


def write_dataset(dataset: Dataset, into: Path) -> None:
    """Write `docs/`, `questions.jsonl`, `schema.yaml`, `records.jsonl` and `recipe.json`.

    Raises:
        SettingsError: the folder is not empty, or cannot be written.
    """
    from tools.records.schema_file import save_schema

    try:
        if into.is_dir() and any(into.iterdir()):
            raise SettingsError(
                f"{str(into)!r} is not empty: choose a folder that is not there yet"
            )
        (into / "docs").mkdir(parents=True, exist_ok=True)
        for page in dataset.pages:
            path = into / "docs" / f"{page.record.document}.txt"
            path.write_text(page.text, encoding="utf-8")
        save_schema(dataset.schema, into / "schema.yaml")
        records = (page.record.model_dump_json() for page in dataset.pages)
        _write_lines(into / "records.jsonl", records)
        _write_lines(into / "questions.jsonl", map(_json, dataset.questions))
        told = {each: getattr(dataset.recipe, each) for each in Recipe.__slots__}
        (into / "recipe.json").write_text(_json(told) + "\n", encoding="utf-8")
    except OSError as error:
        raise SettingsError(f"{str(into)!r} cannot be written: {error}") from error


def _of_domain(domain: Domain, recipe: Recipe) -> tuple[Domain, list[Page], list[Asked]]:
    """Return a domain's documents and questions; neither depends on another domain.

    Records, pages, questions and their words have a source of chance each: another style or form
    of values changes neither what is drawn nor what is asked.
    """
    seeds = np.random.SeedSequence([recipe.seed, *domain.kind.encode()]).spawn(4)
    drawing, writing, asking, wording = (np.random.default_rng(each) for each in seeds)
    count = domain.documents if recipe.documents is None else recipe.documents
    records = draw_records(domain, count, drawing, missing=recipe.missing)
    pages = [
        write_page(
            domain, each, writing, style=recipe.style, varied=recipe.varied, others=recipe.others
        )
        for each in records
    ]
    asked = domain.questions if recipe.questions is None else recipe.questions
    questions = ask_questions(domain, records, asked, asking, wording if recipe.varied else None)
    return domain, pages, questions


def _question(domain: Domain, asked: Asked, pages: Mapping[str, Page]) -> dict[str, "JsonValue"]:
    truth, counted = asked.truth, asked.operation in {"count", "count distinct"}
    names: list[JsonValue] | None = [*truth.names] or None
    measured = truth.value is not None and not counted
    return {
        "question": asked.question,
        "entity_type": domain.kind,
        "aggregation": asked.operation,
        "conditions": [
            {"text": each.text, "label": each.text} for each in (*asked.conditions, *asked.against)
        ],
        "logic": "AND" if len(asked.conditions) > 1 else "single",
        "decided_by": "drawn records",
        "attributes": [*asked.attributes],
        "answer": names,
        "answer_count": int(truth.value or 0) if counted else len(truth.names) or None,
        "answer_value": truth.value if measured else None,
        "answer_groups": None if truth.groups is None else dict(truth.groups),
        "gold_documents": [each.document for each in truth.rows],
        "gold_evidence": [
            told for each in truth.rows for told in _evidence(pages[each.document], asked)
        ],
    }


def _evidence(page: Page, asked: Asked) -> Iterator[dict[str, "JsonValue"]]:
    """Yield the places that state what a question needs of a document, each once."""
    labels = {each.attribute: each.text for each in (*asked.conditions, *asked.against)}
    seen = set()
    for cell in page.record.cells:
        place = (cell.attribute, cell.start)
        if cell.attribute not in asked.attributes or place in seen:
            continue
        seen.add(place)
        yield {
            "document": page.record.document,
            "start": cell.start,
            "end": cell.end,
            "text": cell.quote,
            "condition": labels.get(cell.attribute),
        }


def _write_lines(path: Path, lines: "Iterator[str] | Sequence[str]") -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _json(told: object) -> str:
    return json.dumps(told, ensure_ascii=False)
