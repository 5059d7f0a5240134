"""A value: a model that is checked when made, and then never changed, only replaced."""

from pydantic import BaseModel, ConfigDict

__all__ = ("Value",)


class Value(BaseModel):
    """A closed, frozen model."""

    model_config = ConfigDict(frozen=True, extra="forbid")
