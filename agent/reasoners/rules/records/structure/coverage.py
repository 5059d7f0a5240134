"""How much of a document its entries cover: whether the document is made of them."""

from collections import Counter
from collections.abc import Iterable, Mapping

from agent.reasoners.rules.records.structure.entry import Entry

__all__ = ("coverage",)


def coverage(texts: Mapping[str, str], stated: Iterable[tuple[str, Entry]]) -> dict[str, float]:
    """Return for each document the share of its characters that stand in entries.

    A line of key lines counts as an entry does, whatever it is worth; sentences and blank space
    between entries do not.
    """
    covered: Counter[str] = Counter()
    for document, entry in stated:
        covered[document] += entry.end - entry.start
    return {
        name: min(1.0, covered[name] / (len(text.strip()) or 1)) for name, text in texts.items()
    }
