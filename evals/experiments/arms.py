"""TODO docstring."""

import hashlib
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

from pydantic import Field, JsonValue, ValidationError, field_validator

from agent.errors import QuestionError, SettingsError
from agent.policy import Policy
from agent.value import Value
from evals.expansion import still_valid
from evals.questions import Record, load
from evals.scope import ScopeRule

__all__ = (
    "Arm",
    "Collection",
    "Identity",
    "drawn",
    "identity",
    "questions_of",
)


class Arm(Value):
    """What is measured, by a name that is unique in its experiment."""

    name: Annotated[str, Field(min_length=1)]
    system: str = "main"
    """A name in `evals.systems.SYSTEMS`."""
    reasoner: str = "gold"
    """`gold`; `skill:E`, gold with the error rate E; `lexical`; or a model's name."""
    policy: dict[str, JsonValue] = Field(default_factory=dict)
    """The policy's values that differ from the product's."""

    @field_validator("policy")
    @classmethod
    def _is_of_a_policy(cls, value: dict[str, JsonValue]) -> dict[str, JsonValue]:
        unknown = sorted(set(value) - set(Policy.model_fields))
        if unknown:
            raise ValueError(f"a policy has no {', '.join(unknown)}")
        return value

    def over(self, policy: Policy) -> Policy:
        """Return a policy with this arm's values in place of its own.

        Raises:
            SettingsError: a value is not possible.
        """
        try:
            return Policy.model_validate({**policy.model_dump(), **self.policy})
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise SettingsError(f"arm {self.name!r}: {where}: {first['msg']}") from error


class Collection(Value):
    """Where the questions and documents are, and how many are asked."""

    name: str = Field(min_length=1)
    questions: Path
    documents: Path
    expansion: Path | None = None
    """A folder of unrelated documents, added to every scope."""
    corpus_filter: str | None = None
    """Take only questions with this `corpus_filter`."""
    decided_by: str | None = None
    """Take only questions whose `decided_by` begins so."""
    rule: ScopeRule = "record"
    limit: int | None = Field(default=None, ge=1)
    """Take only the first so many that fit."""
    sample: int | None = Field(default=None, ge=1)
    """Ask so many, drawn by the seed; None asks all."""
    seed: int = 0


class Identity(Value):
    """What of a collection decides the results, without the places of this machine."""

    name: str
    questions: str
    """SHA-256 of the file of questions."""
    expansion: str | None
    """The name of the expansion's folder."""
    rule: ScopeRule
    sample: int | None
    seed: int
    available: int
    """How many questions the sample was drawn from."""
    ids: tuple[str, ...]
    """The questions that are asked, in the file's order."""


def questions_of(collection: Collection) -> tuple[list[Record], int]:
    """Return the questions to ask, and how many they were drawn from.

    Raises:
        QuestionError: the file cannot be read, or none of its questions fits.
    """
    records = [
        record
        for record in still_valid(load(collection.questions), collection.expansion)
        if collection.corpus_filter in {None, record.corpus_filter}
        and (record.decided_by or "").startswith(collection.decided_by or "")
    ][: collection.limit]
    if not records:
        raise QuestionError(f"collection {collection.name!r} has no question left to ask")
    return drawn(records, collection.sample, collection.seed), len(records)


def identity(collection: Collection, records: Sequence[Record], available: int) -> Identity:
    """Say what is asked, so that a run can be told from another one."""
    return Identity(
        name=collection.name,
        questions=hashlib.sha256(collection.questions.read_bytes()).hexdigest(),
        expansion=None if collection.expansion is None else collection.expansion.name,
        rule=collection.rule,
        sample=collection.sample,
        seed=collection.seed,
        available=available,
        ids=tuple(record.id for record in records),
    )


def drawn(records: Sequence[Record], sample: int | None, seed: int) -> list[Record]:
    """Draw a sample without replacement, in the records' order, by the seed and the ids alone."""
    if sample is None or sample >= len(records):
        return list(records)
    ids = sorted(record.id for record in records)
    kept = set(random.Random(seed).sample(ids, sample))  # noqa: S311 - no secret
    return [record for record in records if record.id in kept]
