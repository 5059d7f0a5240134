"""When two mentions are one: the rule that a person's answer to C2 sets."""

import re
from typing import Final, Literal

__all__ = ("Rule", "rule_of")

Rule = Literal["exact", "alias", "wide"]
"""Spelt the same; under another spelling or name too; under another version, number or legal form
too, where a reader who knows what was asked says so."""

_EXACT: Final = re.compile(
    r"\b(?:each|every) (?:spelling|name|mention|variant|string)\b|\bspell?(?:ed|t|ings?) "
    r"(?:exactly|identically|the same|separately)|\b(?:exact|identical|literal|verbatim)(?:ly)?\b"
    r"|\bnot? (?:be )?merged?\b",
    re.IGNORECASE,
)
_WIDE: Final = re.compile(
    r"\b(?:versions?|editions?|releases?|revisions?|renewals?|amendments?|subsidiar(?:y|ies)|"
    r"affiliates?|parents?|branch(?:es)?|divisions?|groups?|famil(?:y|ies)|series)\b",
    re.IGNORECASE,
)


def rule_of(words: str) -> Rule:
    """Return the rule that an answer in words sets; what it says of kinds is left to a reader.

    >>> rule_of("each spelling counts"), rule_of("variants are one"), rule_of("versions are one")
    ('exact', 'alias', 'wide')
    """
    if _WIDE.search(words):
        return "wide"
    return "exact" if _EXACT.search(words) else "alias"
