"""The fields of a collection by what they hold, with their words and the values to draw from."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from evals.drawn.entry import Test

__all__ = ("ANY", "Amount", "Category", "DateForm", "Dates", "Listing", "article")

DateForm = Literal["participle", "noun", "bare"]
_SPELT: Final = frozenset("AEFHILMNORSX")
"""Letters whose names begin with a vowel."""
_YOU: Final = ("eu", "uni", "use", "usa")


@dataclass(frozen=True, slots=True, kw_only=True)
class Category:
    """A field with few values, each of several documents."""

    name: str
    values: tuple[str, ...]
    adjectives: tuple[str, ...]
    """Those of them that may stand before the noun: `approved surveys`."""
    predicate: str = "have the {name} {value}"
    """What is said of documents with a value."""

    def told(self, value: str) -> str:
        """Say of documents that they have a value: `are approved`."""
        return self.predicate.format(name=self.name, value=value)

    def test(self, *values: str) -> Test:
        """Return whether a document has one of some values."""
        wanted = {value.casefold() for value in values}
        return lambda each: self is ANY or not wanted.isdisjoint(each.labels.get(self.name, ()))


ANY: Final = Category(name="", values=("",), adjectives=(), predicate="are there")
"""Stands where a collection has no category: its one value is every document's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    """A field with a list: `authors`."""

    name: str
    many: str
    least: Sequence[tuple[int, int]]
    """What `many` may mean, as two numbers of items."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """A field with a number."""

    name: str
    least: Sequence[tuple[float, float]]
    """What `high` may mean, as two limits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """The field by which documents are dated."""

    name: str
    form: DateForm
    """What its name is: a participle, `filed`; a noun, `start date`; a bare `date` or `year`."""
    recent: Sequence[tuple[int, int]]
    """What `recently` may mean, as two first years."""
    early: Sequence[tuple[int, int]]
    """What `early` may mean, as two years before which."""
    since: Sequence[int]
    """What `recently` may mean where it is one of two ambiguities."""
    within: Sequence[int]
    """Years that a question may be about."""
    past: Sequence[int]
    """Years that a clear question may be about."""

    def told(self, when: str) -> str:
        """Say of documents when they are dated: `were filed in 2010`, `are from 2010`."""
        if self.form == "noun":
            return f"have {article(self.name)} {when}"
        return f"{'were' if self.form == 'participle' else 'are'} {self.behind(when)}"

    def behind(self, when: str) -> str:
        """Say the same behind their noun: `filed in 2010`, `from 2010`."""
        if self.form == "participle":
            return f"{self.name} {when}"
        return f"from {when.removeprefix('in ')}"

    def recently(self, which: object) -> str:
        """Say how many of some are recent."""
        if self.form == "bare":
            return f"recent {which} are there"
        recent = {"participle": f"were {self.name} recently", "noun": f"have a recent {self.name}"}
        return f"{which} {recent[self.form]}"

    @property
    def new(self) -> str:
        """Call documents recent, before their noun."""
        return f"recently {self.name}" if self.form == "participle" else "recent"

    @property
    def noun(self) -> str:
        """Name the date."""
        return "date" if self.form == "participle" else self.name


def article(noun: str) -> str:
    """Put the article before a noun.

    >>> article("cost"), article("MPAA rating"), article("hourly fee"), article("issue")
    ('a cost', 'an MPAA rating', 'an hourly fee', 'an issue')
    """
    first = noun.split(maxsplit=1)[0]
    if len(first) > 1 and first.isupper():
        vowel = first[0] in _SPELT
    else:
        low = first.casefold()
        vowel = low.startswith(("a", "e", "i", "o", "u", "hour", "hono", "heir"))
        vowel = vowel and not low.startswith(_YOU)
    return f"an {noun}" if vowel else f"a {noun}"
