"""The closed classes of words that questions are made of, and what each says."""

import tomllib
from importlib.resources import files
from typing import Final, Literal

from agent.english import verb_forms, word_set
from agent.question import Comparison, Operation

TABLES: Final = tomllib.loads(files(__package__).joinpath("question_words.toml").read_text("utf-8"))


def _words(told: str) -> frozenset[str]:
    """Return the words of a table, those of a verb marked by `~` in all their forms."""
    words = word_set(told)
    verbs = (each[:-1] for each in words if each.endswith("~"))
    return frozenset(each for each in words if each[-1] != "~").union(*map(verb_forms, verbs))


_CLASSES: Final = {
    name.upper(): _words(told) for name, told in TABLES.items() if isinstance(told, str)
}


def __getattr__(name: str) -> frozenset[str]:
    """Return the class of words that a table holds, which is called as it is: `NEGATIONS`."""
    if name not in _CLASSES:
        raise AttributeError(name)
    return _CLASSES[name]


Asked = Operation | Literal["much", "all"]
"""An operation; `much` is how much, `all` is in total: they need what stands beside them."""

OPERATIONS: Final[dict[tuple[str, ...], Asked]] = {
    tuple(each.split()): what for what, phrases in TABLES["operations"].items() for each in phrases
}
GROUPS: Final = tuple(tuple(each.split()) for each in TABLES["groups"])
COMPARISONS: Final[dict[tuple[str, ...], Comparison]] = {
    tuple(each.split()): how for how, phrases in TABLES["comparisons"].items() for each in phrases
}
OR: Final[dict[str, Comparison]] = {
    word: how for how, words in TABLES["or"].items() for word in words.split()
}
"""What `or` and a word behind a number or date make of it."""
TURNED: Final[dict[Comparison, Comparison]] = TABLES["turned"]
EDGES: Final[dict[str, dict[Comparison, Comparison]]] = TABLES["edges"]
"""What a comparison with the end or the start of a period is with the whole of it."""
JOINS: Final = {"and": "and", "or": "or", "nor": "or", "but": "and", "&": "and", "/": "or"}
COMING_IN: Final = (("in",), ("in", "to"), ("in", "from"))
"""What says of a verb that something came from elsewhere: `came in to us`."""
ASIDES: Final = tuple(tuple(each.split()) for each in TABLES["asides"])
TURNING_UP: Final = frozenset(
    (verb, "up") for verb in ("come", "comes", "crop", "crops", "turn", "turns", "show", "shows")
)
FIRST: Final[dict[str, str]] = TABLES["first"]
"""How the first word of a question is misspelt."""
KNOWN: Final = frozenset(
    word for table in (OPERATIONS, COMPARISONS) for words in table for word in words
).union(
    *map(
        __getattr__,
        ["MENTIONS", "REFERS", "CONTAINS", "WORDED", "HIGH", "LOW", "PLACED", "NEGATIONS"],
    )
)
"""The grammar's own words."""
SPANS: Final = ("year", "month", "week", "quarter", "decade")
