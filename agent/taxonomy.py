"""The seven kinds of ambiguity that change an aggregate (DFA, Table 3), as data.

No other module of the agent names a code: who acts on a kind asks what a reply to it settles.
"""

from dataclasses import dataclass
from typing import Literal, get_args

AmbiguityCode = Literal["A1", "A2", "B1", "B2", "C1", "C2", "C3"]
CODES: tuple[AmbiguityCode, ...] = get_args(AmbiguityCode)

Settles = Literal["limit", "structure", "item", "merging", "label"]
"""What a reply settles: where a limit lies, which parts of the question belong together, what one
item is, when two mentions are one item, what a label stands for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One kind of ambiguity."""

    code: AmbiguityCode
    name: str
    ask: str
    """What to ask the person."""
    settles: Settles


TAXONOMY: dict[AmbiguityCode, Kind] = {
    kind.code: kind
    for kind in (
        Kind(
            code="A1",
            name="scalar or implicit threshold",
            ask="From which value on does it count?",
            settles="limit",
        ),
        Kind(
            code="A2",
            name="temporal or spatial window",
            ask="Which dates or which distance bound it?",
            settles="limit",
        ),
        Kind(
            code="B1",
            name="logical scope",
            ask="Which parts does the negation or the quantifier govern?",
            settles="structure",
        ),
        Kind(
            code="B2",
            name="attachment",
            ask="Which part does the phrase describe?",
            settles="structure",
        ),
        Kind(
            code="C1",
            name="entity granularity",
            ask="What is one item: the document, the section or the single mention?",
            settles="item",
        ),
        Kind(
            code="C2",
            name="cross-document deduplication",
            ask="When are two mentions the same item?",
            settles="merging",
        ),
        Kind(code="C3", name="unknown label", ask="What belongs to it?", settles="label"),
    )
}


def settling(what: Settles) -> frozenset[AmbiguityCode]:
    """Return the kinds whose reply settles a matter.

    >>> sorted(settling("limit"))
    ['A1', 'A2']
    """
    return frozenset(code for code, kind in TAXONOMY.items() if kind.settles == what)
