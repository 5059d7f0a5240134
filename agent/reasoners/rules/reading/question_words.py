"""Plain words that questions are put in, whatever a collection is about."""

from functools import cache
from typing import Final

from agent.reasoners.rules.language.words import (
    FUNCTION_WORDS,
    NEGATIONS,
    NUMBER_WORDS,
    stem,
    word_set,
)
from agent.reasoners.rules.reading.degree_words import DEGREES
from agent.reasoners.rules.reading.openers import MOST

__all__ = ("asks",)

_ASKING: Final = word_set(
    "how what which who whom whose when where why whether find list show give name identify return "
    "get count tell report provide compute calculate determine retrieve display enumerate collect "
    "select print look search know want need please thanks compare rank sort order group exist"
)
_QUANTITY: Final = word_set(
    "many much more most few fewer fewest less least little lot lots several numerous plenty any "
    "each every all none some half both either enough number amount total sum average mean median "
    "maximum minimum percent percentage share rate ratio overall once twice often only exactly "
    "about roughly almost nearly million billion thirteen fourteen sixteen seventeen eighteen "
    "nineteen forty sixty seventy eighty ninety third fourth fifth tenth last next previous other "
    "others different distinct unique same separate together long short large small"
)
_TIME: Final = word_set(
    "recent recently late lately latest early earlier new newer newest old older oldest current "
    "currently past future today yesterday tomorrow ago date time year month week day hour minute "
    "second quarter decade century annual monthly weekly daily yearly january february march april "
    "june july august september october november december monday tuesday wednesday thursday friday "
    "saturday sunday"
)
_SAYING: Final = word_set(
    "mention discuss describe contain include concern cover cite refer relate state explain "
    "address involve require allow permit forbid support appear occur happen make take use "
    "call say write come belong hold begin start end change become remain"
)
_PIECES: Final = word_set(
    "document file text item entry page passage part section sentence word title topic subject "
    "thing person people case kind sort type value field place name"
)
_PLAIN: Final = (
    FUNCTION_WORDS | NEGATIONS | frozenset(NUMBER_WORDS) | DEGREES | frozenset(MOST)
    | _ASKING | _QUANTITY | _TIME | _SAYING | _PIECES
)  # fmt: skip


def asks(word: str) -> bool:
    """Tell whether a word, however it is inflected, is one that any question may use.

    >>> asks("many"), asks("mentioned"), asks("critcal")
    (True, True, False)
    """
    return word in _PLAIN or stem(word) in _stems()


@cache
def _stems() -> frozenset[str]:
    return frozenset(stem(word) for word in _PLAIN)
