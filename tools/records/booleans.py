"""Yes and no as people and programs write them."""

from typing import Final

__all__ = ("read_boolean",)

_YES: Final = frozenset(["yes", "y", "true", "t", "1", "✓", "✔", "☑"])
_NO: Final = frozenset(["no", "n", "false", "f", "0", "✗", "✘", "☐"])


def read_boolean(text: str) -> bool | None:
    """Return what the whole text says, None where it says neither.

    >>> read_boolean("Yes"), read_boolean("F"), read_boolean("perhaps")
    (True, False, None)
    """
    low = text.strip().rstrip(".!").casefold()
    if low in _YES:
        return True
    return False if low in _NO else None
