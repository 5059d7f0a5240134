"""The closed classes of words that questions are made of, and what each says."""

import tomllib
from importlib.resources import files
from typing import Final, Literal

from agent.english import verb_forms, word_set
from agent.question import Comparison, Operation

TABLES: Final = tomllib.loads(files(__package__).joinpath("question_words.toml").read_text("utf-8"))


def _words(name: str) -> frozenset[str]:
    """Return the words of a table, those of a verb marked by `~` in all their forms."""
    words = word_set(TABLES[name])
    verbs = (each[:-1] for each in words if each.endswith("~"))
    return frozenset(each for each in words if each[-1] != "~").union(*map(verb_forms, verbs))


Asked = Operation | Literal["much", "all"]
"""An operation; `much` is how much, `all` is in total: they need what stands beside them."""

OPERATIONS: Final[dict[tuple[str, ...], Asked]] = {
    tuple(each.split()): what for what, phrases in TABLES["operations"].items() for each in phrases
}
PERSONS: Final = _words("persons")
PEOPLE: Final = _words("people")
WHO_HAVE: Final = _words("who_have")
BEING_AS: Final = _words("being_as")
ONCE: Final = _words("once")
OTHER: Final = _words("other")
STATING: Final = _words("stating")
RELATING: Final = _words("relating")
TOWARDS: Final = _words("towards")
ORDERS: Final = _words("orders")
GROUPS: Final = tuple(tuple(each.split()) for each in TABLES["groups"])
SORTS: Final = _words("sorts")
TOPICS: Final = _words("topics")
MONEY: Final = _words("money")
KINDS: Final = _words("kinds")
COMPARING: Final = _words("comparing")
COMPARISONS: Final[dict[tuple[str, ...], Comparison]] = {
    tuple(each.split()): how for how, phrases in TABLES["comparisons"].items() for each in phrases
}
OR: Final[dict[str, Comparison]] = {
    word: how for how, words in TABLES["or"].items() for word in words.split()
}
"""What `or` and a word behind a number or date make of it."""
TURNED: Final[dict[Comparison, Comparison]] = TABLES["turned"]
ABOUT: Final = _words("about")
ONLY_DATES: Final = _words("only_dates")
IN: Final = _words("in")
LINKS: Final = _words("links")
NEGATIONS: Final = _words("negations")
JOINS: Final = {"and": "and", "or": "or", "nor": "or", "but": "and", "&": "and", "/": "or"}
MENTIONS: Final = _words("mentions")
SAYS: Final = _words("says")
LITERALLY: Final = _words("literally")
REFERS: Final = _words("refers")
CONTAINS: Final = _words("contains")
NEEDS: Final = _words("needs")
BRINGING: Final = _words("bringing")
SPENDING: Final = _words("spending")
SECONDARY: Final = _words("secondary")
WORDED: Final = _words("worded")
DETERMINERS: Final = _words("determiners")
CLAUSES: Final = _words("clauses")
TITLES: Final = _words("titles")
HAVING: Final = _words("having")
OWN: Final = _words("own")
PLACED: Final = _words("placed")
COSTING: Final = _words("costing")
LIGHT: Final = _words("light")
ASKING: Final = _words("asking")
WE: Final = _words("we")
DOINGS: Final = _words("doings")
PARTICLES: Final = _words("particles")
COMING_IN: Final = (("in",), ("in", "to"), ("in", "from"))
"""What says of a verb that something came from elsewhere: `came in to us`."""
IDLE: Final = _words("idle")
HAVING_SO: Final = _words("having_so")
STATED: Final = _words("stated")
FIGURES: Final = _words("figures")
ASIDES: Final = tuple(tuple(each.split()) for each in TABLES["asides"])
DOCUMENTARY: Final = _words("documentary")
HIGH: Final = _words("high")
LOW: Final = _words("low")
BEING: Final = _words("being")
SAID_TO_BE: Final = _words("said_to_be")
SHOWING: Final = _words("showing")
TURNING_UP: Final = frozenset(
    (verb, "up") for verb in ("come", "comes", "crop", "crops", "turn", "turns", "show", "shows")
)
ANYWHERE: Final = _words("anywhere")
FIRST: Final[dict[str, str]] = TABLES["first"]
"""How the first word of a question is misspelt."""
EVERYWHERE: Final = _words("everywhere")
EVERY: Final = _words("every")
MISSING: Final = _words("missing")
KNOWN: Final = frozenset(
    word for table in (OPERATIONS, COMPARISONS) for words in table for word in words
) | (MENTIONS | REFERS | CONTAINS | WORDED | HIGH | LOW | PLACED | NEGATIONS)
"""The grammar's own words."""
SPANS: Final = ("year", "month", "week", "quarter", "decade")
