"""An experiment: arms over collections, laid out as cells in one fixed order."""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from pydantic import Field, JsonValue, field_validator

from agent.errors import SettingsError
from agent.policy import Policy
from agent.value import Value
from evals.experiments.arms import Arm, Collection, Identity, identity, questions_of
from evals.experiments.measuring import Cell

__all__ = (
    "Experiment",
    "Plan",
    "laid_out",
)


_DECIDING = frozenset(Policy.model_fields).difference({"on_ambiguity"}) | {
    "max_calls", "max_tokens", "max_usd", "max_seconds", "context_tokens", "reply_tokens",
    "temperature",
}  # fmt: skip
"""The settings that decide results; nobody is there to be asked about an ambiguity."""


class Experiment(Value):
    """What is asked of whom."""

    name: str
    arms: tuple[Arm, ...]
    """The first is what the others are compared with."""
    collections: tuple[Collection, ...]
    seed: int = 0
    """What chance decides, for instance which errors a reader makes."""

    @field_validator("arms", "collections")
    @classmethod
    def _have_names_of_their_own(
        cls, value: tuple[Arm, ...] | tuple[Collection, ...]
    ) -> tuple[Arm, ...] | tuple[Collection, ...]:
        if not value:
            raise ValueError("there must be at least one")
        twice = [name for name, n in Counter(each.name for each in value).items() if n > 1]
        if twice:
            raise ValueError(f"two have the name {twice[0]!r}")
        return value


class Plan(Value):
    """What of an experiment decides its results: a run that goes on must have the same."""

    version: int = 1
    name: str
    arms: tuple[Arm, ...]
    collections: tuple[Identity, ...]
    seed: int
    settings: dict[str, JsonValue] = Field(default_factory=dict)
    """What environment and settings files change of the policy, the limits and the reader's size,
    for every arm that does not say otherwise."""

    @property
    def keys(self) -> list[tuple[str, str, str]]:
        """Every cell's collection, arm and question, in order."""
        return [
            (collection.name, arm.name, question)
            for collection in self.collections
            for arm in self.arms
            for question in collection.ids
        ]


def laid_out(
    experiment: Experiment, place: Path, workspace: Path, say: Callable[[str], None]
) -> tuple[Plan, Sequence[Cell]]:
    """Read the questions, index their documents, and return every cell: by collection, arm, id.

    Args:
        experiment: what is asked.
        place: where indexes and replies are kept.
        workspace: where a question's own corpus stands while it is asked.
        say: told what is indexed.

    Raises:
        HeadcountError: the questions or documents cannot be used.
    """
    from evals.experiments.running import Indexes

    indexes = Indexes(place, say)
    identities: list[Identity] = []
    cells: list[Cell] = []
    for collection in experiment.collections:
        if not collection.documents.is_dir():
            raise SettingsError(f"{str(collection.documents)!r} is not a folder of documents")
        records, available = questions_of(collection)
        identities.append(identity(collection, records, available))
        corpora = {record.id: indexes.of(record, collection) for record in records}
        cells += [
            Cell(
                collection=collection.name,
                arm=arm,
                record=record,
                corpus=corpora[record.id],
                seed=experiment.seed,
                replies=place / "responses.sqlite",
                workspace=workspace,
            )
            for arm in experiment.arms
            for record in records
        ]
    plan = Plan(
        name=experiment.name,
        arms=experiment.arms,
        collections=tuple(identities),
        seed=experiment.seed,
        settings=_settings(),
    )
    return plan, cells


def _settings() -> dict[str, JsonValue]:
    from evals.readers import settings_of

    changed = settings_of("rules").model_dump(mode="json", exclude_defaults=True)
    return {name: value for name, value in changed.items() if name in _DECIDING}
