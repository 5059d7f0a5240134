"""Permission, prohibition and obligation: which verb asks for them, which words express them."""

import re
from collections.abc import Sequence
from typing import Final, Literal

from agent.reasoners.rules.language.words import stem

__all__ = ("Force", "asked_force", "expresses", "is_conditional", "is_force_verb", "negates")

Force = Literal["permission", "prohibition", "obligation"]

_VERBS: Final[dict[Force, str]] = {
    "permission": "let allow permit entitle authorise authorize enable empower",
    "prohibition": "restrict prohibit forbid prevent ban bar disallow",
    "obligation": "require oblige obligate compel force commit impose",
}
_FORCE_OF: Final[dict[str, Force]] = {
    stem(verb): force for force, verbs in _VERBS.items() for verb in verbs.split()
}
_NEGATION: Final = re.compile(
    r"\b(?:not|never|neither|nor|no|none|cannot|without|\w+n['’]t|prohibit\w*|forbid\w*|forbidden"
    r"|restrict\w*|banned|[a-z]+-free|refrain\w*|prevent\w*|preclud\w*|disallow\w*)\b|\bnon(?=[\s-]?[a-z])",
    re.IGNORECASE,
)
_MARKS: Final[dict[Force, re.Pattern[str]]] = {
    "permission": re.compile(
        r"\b(?:may|can|entitled?|rights?|permit\w*|allow\w*|authori[sz]\w+|option|discretion"
        r"|free to|able to|welcome)\b",
        re.IGNORECASE,
    ),
    "prohibition": _NEGATION,
    "obligation": re.compile(
        r"\b(?:shall|must|will|agrees? to|requir\w+|oblig\w+|undertakes?|responsible"
        r"|(?:is|are|has|have) to|needs? to)\b",
        re.IGNORECASE,
    ),
}
_CONDITIONAL: Final = re.compile(
    r"\b(?:if|in the event|in case|unless|should|provided that|because of|due to|upon (?:the"
    r" |an? |any )?(?:occurrence|failure|event)|fails?|breach\w*|default\w*|for cause)\b",
    re.IGNORECASE,
)


def is_force_verb(word: str) -> bool:
    """Tell whether a word only says that something is allowed, forbidden or demanded."""
    return stem(word) in _FORCE_OF


def asked_force(words: Sequence[str]) -> Force | None:
    """Return the force that a predicate phrase asks for: its governing verb is among the first.

    >>> asked_force("restrict a party from competing".split())
    'prohibition'
    """
    return next((_FORCE_OF[stem(word)] for word in words[:3] if is_force_verb(word)), None)


def expresses(text: str, force: Force) -> bool:
    """Tell whether a sentence has a mark of the force."""
    return _MARKS[force].search(text) is not None


def negates(text: str) -> bool:
    """Tell whether a sentence has any mark of negation."""
    return _NEGATION.search(text) is not None


def is_conditional(text: str) -> bool:
    """Tell whether a sentence makes what it says hang on a condition or an event."""
    return _CONDITIONAL.search(text) is not None
