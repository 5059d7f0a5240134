"""The seven kinds of ambiguity that change an aggregate (DFA, Table 3), as data.

No other module of the agent names a code: who acts on a kind asks what a reply to it settles.
"""

from typing import Literal, NamedTuple, get_args

AmbiguityCode = Literal["A1", "A2", "B1", "B2", "C1", "C2", "C3"]
CODES: tuple[AmbiguityCode, ...] = get_args(AmbiguityCode)

Settles = Literal["limit", "structure", "item", "merging", "label"]
"""What a reply settles: where a limit lies, which parts of the question belong together, what one
item is, when two mentions are one item, what a label stands for."""


class Kind(NamedTuple):
    """One kind of ambiguity."""

    code: AmbiguityCode
    name: str
    ask: str
    """What to ask the person."""
    settles: Settles


_KINDS: tuple[Kind, ...] = (
    Kind("A1", "scalar or implicit threshold", "From which value on does it count?", "limit"),
    Kind("A2", "temporal or spatial window", "Which dates or which distance bound it?", "limit"),
    Kind("B1", "logical scope",
         "Which parts does the negation or the quantifier govern?", "structure"),
    Kind("B2", "attachment", "Which part does the phrase describe?", "structure"),
    Kind("C1", "entity granularity",
         "What is one item: the document, the section or the single mention?", "item"),
    Kind("C2", "cross-document deduplication", "When are two mentions the same item?", "merging"),
    Kind("C3", "unknown label", "What belongs to it?", "label"),
)  # fmt: skip
TAXONOMY: dict[AmbiguityCode, Kind] = {kind.code: kind for kind in _KINDS}


def settling(what: Settles) -> frozenset[AmbiguityCode]:
    """Return the kinds whose reply settles a matter.

    >>> sorted(settling("limit"))
    ['A1', 'A2']
    """
    return frozenset(code for code, kind in TAXONOMY.items() if kind.settles == what)
