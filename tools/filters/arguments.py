"""What the arguments of all filters have in common."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

__all__ = ("Arguments", "Best", "Words")

Words = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)]
"""A text that is not blank."""

Best = Annotated[int, Field(ge=1)]
"""How many of the best to keep."""


class Arguments(BaseModel):
    """The arguments of one filter: closed and frozen; a model reads the fields' docstrings."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)
