"""What people write where there is no value."""

from typing import Final

PLACEHOLDERS: Final = frozenset({"", "n/a", "n.a.", "null", "nan", "-", "--", "—", "–"})
"""Without case; no word that could be a value itself, such as `none` among `low` and `high`."""


def is_placeholder(text: str, *, amounts: bool = False) -> bool:
    """Tell whether a text only stands where a value would; `none` and `nil` do among amounts.

    >>> is_placeholder(" N/A "), is_placeholder("none"), is_placeholder("None", amounts=True)
    (True, False, True)
    """
    bare = text.strip().casefold()
    return bare in PLACEHOLDERS or (amounts and bare in {"none", "nil"})
