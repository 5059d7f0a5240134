"""Whether a reading holds what a person's reply says."""

import re

from agent.question import Interpretation

__all__ = ("lost",)

_NAMED = re.compile(
    r"(?<!\w)\d+(?:[.,:/-]\d+)*(?!\w)(?! (?:day|week|month|year|decade)s?\b)|"
    r"[\"“'‘]([^\"“”'‘’]+)[\"”'’]"
)
"""Numbers, dates, and words in quotation marks; a span of time may be read as its dates.

Digits inside a word belong to a name: `a1`, `5th`.
"""
_GROUPED = re.compile(r"(?<=\d)[,'’\u00a0\u202f](?=\d{3}(?!\d))")
"""What parts the thousands of a number."""


def lost(reply: str, reading: Interpretation) -> tuple[str, ...]:
    """Return the numbers and quoted words of a reply that a reading does not hold anywhere.

    >>> lost("at least 5, not 'drafts'", Interpretation(text="with 5 pages", entity_type="report"))
    ('drafts',)
    """
    bare = reading.model_copy(update={"assumptions": (), "settled": ()})
    held = _GROUPED.sub("", bare.model_dump_json().casefold())
    found = _NAMED.finditer(_GROUPED.sub("", reply))
    named = (match.group(1) or match.group(0) for match in found)
    return tuple(dict.fromkeys(each for each in named if not _holds(held, each.casefold())))


def _holds(text: str, named: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(named)}(?!\w)", text) is not None
