"""An entry: a place in a text that states attributes of one thing, each under a label."""

import re
from functools import lru_cache
from typing import Final, Literal, NamedTuple

__all__ = ("Entry", "Form", "Statement", "head_of")

Form = Literal["pairs", "keys", "table"]
_NUMBERED: Final = re.compile(
    r"[\s#(\[]*(?:\b(?:no|nr)\b\.?\s*)?[#№]?\d[\d.\-/]*[)\].:]*\Z", re.IGNORECASE
)
_GENERIC: Final = re.compile(r"\s+(?:record|entry|row|item|number|no|nr)\.?\Z", re.IGNORECASE)


class Statement(NamedTuple):
    """One attribute's label and value as written, and where they stand."""

    label: str
    value: str
    start: int
    """Where the words that state it begin; they end where the value does."""
    value_start: int

    @property
    def end(self) -> int:
        """Where the value ends."""
        return self.value_start + len(self.value)


class Entry(NamedTuple):
    """The statements about one thing that stand together."""

    form: Form
    label: str
    """What the text calls it: `Ship record 2`; empty where it does not."""
    heading: str
    """The nearest heading above; empty where there is none."""
    statements: tuple[Statement, ...]
    start: int
    end: int


@lru_cache(maxsize=65536)
def head_of(label: str) -> str:
    """Return what a label says of the kind of thing: without its number and generic words.

    >>> head_of("Ship record 2"), head_of("Incident #14"), head_of("Tana")
    ('Ship', 'Incident', 'Tana')
    """
    bare = _NUMBERED.sub("", label)
    return _GENERIC.sub("", bare).strip() or label.strip()
