"""What a reproduction asks: collections, how many questions a chapter takes, who reads."""

import tomllib
from importlib.resources import files
from pathlib import Path

from pydantic import Field, ValidationError, model_validator

from agent.errors import SettingsError
from agent.value import Value
from evals.experiments.collection import Collection
from evals.scope import ScopeRule

__all__ = ("ChapterPlan", "ClarificationPlan", "Given", "PaperPlan", "load_plan")


class Given(Value):
    """A collection, its paths below one folder."""

    name: str
    title: str
    questions: str
    documents: str
    expansion: str | None = None
    corpus_filter: str | None = None
    decided_by: str | None = None
    rule: ScopeRule = "record"

    def under(self, root: Path, *, sample: int | None, seed: int) -> Collection:
        """Return the collection with its paths below that folder."""
        return Collection(
            name=self.name,
            questions=root / self.questions,
            documents=root / self.documents,
            expansion=None if self.expansion is None else root / self.expansion,
            corpus_filter=self.corpus_filter,
            decided_by=self.decided_by,
            rule=self.rule,
            sample=sample,
            seed=seed,
        )


class ChapterPlan(Value):
    """Over which collections a chapter is measured."""

    collections: tuple[str, ...] = Field(min_length=1)
    sample: int | None = None
    """Questions drawn from each; None takes all."""


class ClarificationPlan(Value):
    """Questions whose readings have answers."""

    questions: str
    documents: str
    sample: int | None = None


class PaperPlan(Value):
    """Everything that a reproduction asks."""

    seed: int = 0
    reasoner: str
    """Who reads in every chapter that does not say otherwise."""
    collections: tuple[Given, ...]
    chapters: dict[str, ChapterPlan]
    clarification: ClarificationPlan | None = None

    @model_validator(mode="after")
    def _names_what_there_is(self) -> "PaperPlan":
        known = {each.name for each in self.collections}
        for name, chapter in self.chapters.items():
            unknown = sorted(set(chapter.collections) - known)
            if unknown:
                raise ValueError(f"chapter {name!r} takes the unknown collection {unknown[0]!r}")
        return self

    def of(self, chapter: str, root: Path) -> list[Collection]:
        """Return the collections of a chapter, with their paths below a folder."""
        told = self.chapters[chapter]
        given = {each.name: each for each in self.collections}
        return [
            given[name].under(root, sample=told.sample, seed=self.seed) for name in told.collections
        ]


def load_plan(path: Path | None) -> PaperPlan:
    """Read a plan; None reads the one that is shipped.

    Raises:
        SettingsError: the file cannot be read or is no plan.
    """
    place = path or files("evals.paper").joinpath("plan.toml")
    try:
        return PaperPlan.model_validate(tomllib.loads(place.read_text(encoding="utf-8")))
    except (OSError, tomllib.TOMLDecodeError, ValidationError) as error:
        raise SettingsError(f"the plan {str(place)!r} cannot be used: {error}") from error
