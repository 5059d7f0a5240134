"""Systems at several values of what a chapter varies: an arm for every cell of its tables."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from evals.paper.layout import notes_of
from evals.reporting.board import Board
from evals.reporting.table import Table
from evals.reporting.tables import Figure, cells

__all__ = ("Grid", "at")


def at(system: str, value: float) -> str:
    """Return the name of the arm of a system at a value.

    >>> at("full-scan", 0.05)
    'full-scan @ 0.05'
    """
    return f"{system} @ {value:g}"


@dataclass(frozen=True, slots=True)
class Grid:
    """Which systems are asked, and at which values."""

    systems: Sequence[str]
    values: Sequence[float]
    shown: Mapping[str, str] = field(default_factory=dict)
    """What a system is called in tables where that is not its name."""

    def __iter__(self) -> Iterator[tuple[str, float]]:
        """Yield every system at every value."""
        return product(self.systems, self.values)

    def table(self, board: Board, figure: Figure, *, name: str, title: str) -> Table:
        """Return a row a system and a column a value, of one figure over one collection."""
        columns = board.by_name
        rows = [
            [
                self.shown.get(system, system),
                *(next(cells(columns[at(system, value)], [figure])) for value in self.values),
            ]
            for system in self.systems
        ]
        head = ("method", *(f"{value:g}" for value in self.values))
        return Table(name=name, title=title, head=head, rows=rows, notes=notes_of([board]))

    def lines(self, board: Board, figure: Figure) -> dict[str, list[tuple[float, float]]]:
        """Return the mean of a figure by value, for each system; 0 where it is undefined."""
        columns = board.by_name
        return {
            system: [(value, columns[at(system, value)].mean(figure.name)) for value in self.values]
            for system in self.systems
        }
