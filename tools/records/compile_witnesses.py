"""The tests that linked records satisfy: which records make a row pass, as joins to the row."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from tools.records.compile_scope import Join, Scope
from tools.records.joins import Hop

__all__ = ("Witness", "Witnesses")


@dataclass(slots=True)
class Witness:
    """The records that one test of linked records asks for, joined to the row that passes it."""

    chain: Sequence[Join]
    inner: Scope
    parent: "Witness | None"
    """The test within which this one stands."""
    passed: str = "1"

    def joined(self) -> str:
        """Return what stands after the rows' own tables."""
        before = self.parent.joined() if self.parent else ""
        own = "".join(f" JOIN {table} ON {condition}" for table, condition in self.chain)
        return f"{before}{own}{self.inner.joined()}"

    def condition(self) -> str:
        """Return what the joined records must satisfy."""
        before = f"{self.parent.condition()} AND " if self.parent else ""
        return f"{before}({self.passed})"

    def hops(self) -> tuple[Hop, ...]:
        """Return the steps along links from the row to the records."""
        before = self.parent.hops() if self.parent else ()
        return (*before, *self.inner.hops)


@dataclass(slots=True)
class Witnesses:
    """Collects the tests that a linked record can satisfy; what must be absent has no witness."""

    found: list[Witness] = field(default_factory=list)
    _open: list[Witness] = field(default_factory=list)
    _denied: int = 0

    def begin(self, chain: Sequence[Join], inner: Scope) -> None:
        """Enter a test of linked records."""
        parent = self._open[-1] if self._open else None
        self._open.append(Witness(chain, inner, parent))

    def end(self, passed: str, *, wanted: bool) -> None:
        """Leave it; `wanted` tells whether such records may be there."""
        witness = self._open.pop()
        witness.passed = passed
        if wanted and not self._denied:
            self.found.append(witness)

    def deny(self, depth: int) -> None:
        """Enter (1) or leave (-1) a test that must not hold."""
        self._denied += depth
