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
    definition: str
    shown_by: str
    """How a question shows it."""
    ask: str
    """What to ask the person."""
    settles: Settles


TAXONOMY: dict[AmbiguityCode, Kind] = {
    kind.code: kind
    for kind in (
        Kind(
            code="A1",
            name="scalar or implicit threshold",
            definition="A gradable word sets a limit without saying where it lies.",
            shown_by="an adjective or adverb of degree with no number: large, often, few, senior",
            ask="From which value on does it count?",
            settles="limit",
        ),
        Kind(
            code="A2",
            name="temporal or spatial window",
            definition="A relative time or place is named, its extent is not.",
            shown_by="recently, lately, early, near, around, in the region",
            ask="Which dates or which distance bound it?",
            settles="limit",
        ),
        Kind(
            code="B1",
            name="logical scope",
            definition="A negation or quantifier can reach over one part or over several.",
            shown_by="a negation over 'A and B' or 'A or B', 'all … not', 'what every … has'",
            ask="Which parts does the negation or the quantifier govern?",
            settles="structure",
        ),
        Kind(
            code="B2",
            name="attachment",
            definition="A modifier can belong to more than one part of the question.",
            shown_by="a word before 'A and B', a phrase or clause behind two nouns or a list",
            ask="Which part does the phrase describe?",
            settles="structure",
        ),
        Kind(
            code="C1",
            name="entity granularity",
            definition="The thing to count exists at several levels in the documents.",
            shown_by="a unit that can be a document, a section, a row, a mention or an event",
            ask="What is one item: the document, the section or the single mention?",
            settles="item",
        ),
        Kind(
            code="C2",
            name="cross-document deduplication",
            definition="The same thing may be named in several places or under several names.",
            shown_by="distinct, different, unique, or named things that recur across documents",
            ask="When are two mentions the same item?",
            settles="merging",
        ),
        Kind(
            code="C3",
            name="unknown label",
            definition="A name or label is used that the corpus neither defines nor shows, or a "
            "word in one of two senses.",
            shown_by="a proper name, code or category that occurs nowhere in the corpus; a word "
            "with two senses",
            ask="What belongs to it?",
            settles="label",
        ),
    )
}


def settling(what: Settles) -> frozenset[AmbiguityCode]:
    """Return the kinds whose reply settles a matter.

    >>> sorted(settling("limit"))
    ['A1', 'A2']
    """
    return frozenset(code for code, kind in TAXONOMY.items() if kind.settles == what)
