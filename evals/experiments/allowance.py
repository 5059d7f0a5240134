"""What an arm may spend on one question: so many tokens, a share of the corpus, or by question."""

from typing import Annotated

from pydantic import Field, model_validator

from agent.errors import SettingsError
from agent.value import Value

__all__ = ("Allowance",)

_Tokens = Annotated[int, Field(gt=0)]


class Allowance(Value):
    """Tokens sent and received for one question; exactly one of the three is given."""

    tokens: _Tokens | None = None
    """The same for every question."""
    share: float | None = Field(default=None, gt=0)
    """As a share of the corpus's tokens, which are estimated at indexing."""
    each: dict[str, dict[str, _Tokens]] = Field(default_factory=dict)
    """By collection and question, for instance what another system spent."""

    @model_validator(mode="after")
    def _is_one_of_them(self) -> "Allowance":
        if [self.tokens is None, self.share is None, not self.each].count(False) != 1:
            raise ValueError("give tokens, share or each")
        return self

    def of(self, collection: str, question: str, corpus_tokens: int) -> int:
        """Return the tokens for a question.

        >>> Allowance(share=0.25).of("letters", "q1", 1000)
        250

        Raises:
            SettingsError: it says nothing of that question.
        """
        if self.tokens is not None:
            return self.tokens
        if self.share is not None:
            return max(1, int(self.share * corpus_tokens))
        known = self.each.get(collection, {}).get(question)
        if known is None:
            raise SettingsError(f"no budget is given for question {question!r} of {collection!r}")
        return known
