"""Which mentions are one entity, by the rule that was decided and the names that were merged."""

from collections.abc import Collection, Mapping, Sequence

from agent.question import Interpretation
from agent.state import State
from agent.taxonomy import settling
from graphs.context import Context
from graphs.scope import scope
from tools.alignment import groups


class Identities:
    """Names as entities: which one a mention belongs to, and which of them may be one."""

    def __init__(
        self,
        clusters: Mapping[str, Sequence[str]],
        doubts: Collection[tuple[str, str]] = (),
        *,
        by_document: bool = False,
    ) -> None:
        """Take the merged names with their aliases, and the pairs of names left open.

        With `by_document` the same name in two documents is two entities.
        """
        self.merged: bool = bool(clusters)
        """Whether names were merged at all."""
        self._canonical = {each: name for name in clusters for each in (name, *clusters[name])}
        self._doubts = doubts
        self._by_document = by_document
        self._places: dict[str, set[str]] = {}
        self._spelt: dict[str, set[str]] = {}
        self._order = {name: place for place, name in enumerate(self._canonical)}

    def of(self, name: str, document: str) -> str:
        """Return the entity that a mention belongs to, by the name that it is shown by."""
        canonical = self._canonical.get(name, name)
        shown = _placed(canonical, document) if self._by_document else canonical
        self._places.setdefault(canonical, set()).add(document)
        if name != canonical:
            self._spelt.setdefault(shown, set()).add(name)
        return shown

    def aliases(self, shown: str) -> tuple[str, ...]:
        """Return the other names by which an entity was met so far, the usual ones first."""
        return tuple(sorted(self._spelt.get(shown, ()), key=self._order.__getitem__))

    def together(self, shown: Collection[str]) -> list[list[str]]:
        """Return the entities in groups of which each may be one."""
        pairs = self._doubts
        if self._by_document:
            pairs = [
                (_placed(one, place), _placed(other, place))
                for one, other in self._doubts
                for place in sorted(self._places.get(one, set()) & self._places.get(other, set()))
            ]
        return groups(shown, pairs)


def identities(state: State, reading: Interpretation, context: Context) -> Identities:
    """Open what the node `align` left of the reading being answered."""
    store = context.store
    searched = state.interpretation or reading
    return Identities(
        store.entities(scope(state)),
        store.doubts(scope(state)),
        by_document="document" in {reading.merge, searched.merge},
    )


def _placed(name: str, document: str) -> str:
    return f"{name} ({document})"


_MERGING = settling("merging")


def said_of_merging(state: State) -> str:
    """Return the words that decided merging beside the interpretation; empty where none did."""
    for exchange in reversed(state.exchanges):
        if exchange.asked.code in _MERGING:
            choice, options = exchange.reply.choice, exchange.asked.options
            if choice is not None and 1 <= choice <= len(options):
                return options[choice - 1].label
            return exchange.reply.text.strip()
    merging = state.readings and _MERGING.intersection(state.codes)
    return state.readings[state.reading].label if merging else ""
