"""An arm of an experiment: a system, who reads for it, and what its policy changes."""

from typing import Annotated

from pydantic import Field, JsonValue, ValidationError, field_validator

from agent.errors import SettingsError
from agent.policy import Policy
from agent.value import Value
from evals.experiments.allowance import Allowance

__all__ = ("Arm",)


class Arm(Value):
    """What is measured, by a name that is unique in its experiment."""

    name: Annotated[str, Field(min_length=1)]
    system: str = "main"
    """A name in `evals.systems.SYSTEMS`."""
    reasoner: str = "gold"
    """`rules`; `gold`; `skill:E`, gold with the error rate E; or a model's name."""
    records: bool = False
    """Whether the reasoner draws up and fills records of each corpus before the first question;
    that is not on any question's bill."""
    policy: dict[str, JsonValue] = Field(default_factory=dict)
    """The policy's values that differ from the product's."""
    allowance: Allowance | None = None
    """What a question may cost; None is what the settings allow."""

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
