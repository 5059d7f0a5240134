"""Which documents a question is about: their noun with what is said of it, and what that means."""

from dataclasses import dataclass, replace

from evals.drawn.entry import Entry, Test
from evals.drawn.field import ANY, Category, Dates, article

__all__ = ("Those",)


def _all(_: Entry) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Those:
    """Documents in words, `approved flood surveys filed in 2010 with a sponsor`, and as a test."""

    many: str
    test: Test = _all
    before: tuple[str, ...] = ()
    dated: tuple[str, ...] = ()
    having: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the words."""
        having = f"with {' and '.join(self.having)}" if self.having else ""
        return " ".join((*self.before, self.many, *self.dated, having)).strip()

    def of(self, category: Category, value: str) -> "Those":
        """Return those of them with a value, said before the noun where it may stand there."""
        if category is ANY:
            return self
        narrowed = self._passing(category.test(value))
        if value in category.adjectives:
            return replace(narrowed, before=(*self.before, value))
        return narrowed.with_(f"the {category.name} {value}")

    def since(self, dates: Dates, year: int) -> "Those":
        """Return those of them that are dated in a year or later."""
        later = self._passing(lambda each: each.year is not None and each.year >= year)
        return later.phrased(dates, f"in {year} or later")

    def within(self, dates: Dates, year: int) -> "Those":
        """Return those of them that are dated in a year."""
        return self._passing(lambda each: each.year == year).phrased(dates, f"in {year}")

    def phrased(self, dates: Dates, when: str) -> "Those":
        """Say when they are dated."""
        if dates.form == "noun":
            return self.with_(f"{article(dates.name)} {when}")
        return replace(self, dated=(dates.behind(when),))

    def with_(self, feature: str) -> "Those":
        """Say that they have something, which their test does not know."""
        return replace(self, having=(*self.having, feature))

    def _passing(self, test: Test) -> "Those":
        own = self.test
        return replace(self, test=lambda each: own(each) and test(each))
