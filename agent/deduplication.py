"""When two mentions are one: the rule that decides a question of deduplication."""

import re
from typing import Final

from agent.ambiguity import Exchange
from agent.question import Interpretation, MergeRule
from agent.taxonomy import settling

_MERGING: Final = settling("merging")
_SPELLING: Final = "spelling|spelt|spelled|name|mention|variant|string|form"
_KEPT_APART: Final = (
    r"(?:(?:are|is|be|each|counts?|counted|kept|stay|taken|listed|as) ){1,4}"
    r"(?:separate(?:ly)?|apart|individually|distinct|different)"
)
_EXACT: Final = re.compile(
    rf"\b(?:each|every)(?: \w+)? (?:{_SPELLING})\b|\b(?:{_SPELLING})s? {_KEPT_APART}\b|"
    r"\bspell?(?:ed|t|ings?) (?:exactly|identically|the same|separately|apart)\b|"
    r"\b(?:exact|identical|literal|verbatim)(?:ly)?\b",
    re.IGNORECASE,
)
_EXACT_SAID: Final = re.compile(
    r"\b(?:each|every) (?:different |single |separate )?(?:spelling|variant)s?\b"
    r"|\bspell?(?:ed|t|ings?) (?:exactly|identically|separately|apart)\b"
    r"|\b(?:exact|identical|literal) spellings?\b|\bexactly as (?:spelt|spelled|written)\b",
    re.IGNORECASE,
)
_ALIAS: Final = re.compile(
    r"\b(?:variants?|spellings?|alias(?:es)?|abbreviations?|names?)\b[^.;:?]{0,40}\b(?:merged|"
    r"(?:are|is|be|as) (?:one|the same))\b|\b(?:whatever|however|under any|regardless of) "
    r"(?:the |its |their )?(?:spellings?|spelt|spelled|names?|alias(?:es)?)\b",
    re.IGNORECASE,
)
_KINDS: Final = re.compile(
    r"\b(?:versions?|editions?|releases?|revisions?|renewals?|amendments?|subsidiar(?:y|ies)|"
    r"affiliates?|parents?|branch(?:es)?|divisions?|groups?|famil(?:y|ies)|series)\b",
    re.IGNORECASE,
)
_AS_ONE: Final = re.compile(
    r"\b(?:as|are|is|be|make|into) (?:only |just |all )?(?:one|a single|the same)\b|"
    r"\b(?:counts?|counted|counting|taken) (?:\w+ ){0,3}once\b|"
    r"\b(?:regardless of|whatever|no matter (?:which|what))\b",
    re.IGNORECASE,
)
_JOINED: Final = re.compile(r"\b(?:together|merged?|combined?|grouped|alike)\b", re.IGNORECASE)
_APART: Final = re.compile(
    r"\b(?:each|every|separate(?:ly)?|apart|individual(?:ly)?|different|distinct|own|itself|"
    r"themselves)\b",
    re.IGNORECASE,
)
_DENIED: Final = re.compile(
    r"\b(?:not?|never|neither|without)\b[^.,;:?]{0,24}?\b(?:merg(?:ed?|ing)|combin(?:ed?|ing)|"
    r"together|as one|one|the same)\b|\bun-?(?:merged|combined)\b",
    re.IGNORECASE,
)
_COUNTED: Final = r"(?:once|separately|apart|again|anew|individually|itself|own|counted|counts)"
_PER: Final = (
    r"(?:per|(?:in|within|for|of) (?:each|every)(?: single| separate)?)(?: one)?"
    r"(?: of (?:the|these|those|its|their))?"
)
_WITHIN: Final = re.compile(
    rf"(?P<sure>\b{_COUNTED},? )?\b{_PER} (?P<what>[^\W\d_]+)", re.IGNORECASE
)
_ACROSS: Final = re.compile(
    r"\b(?:not?|never) (?:be )?(?:merged?|combined?|one|the same) (?:across|between)\b",
    re.IGNORECASE,
)
_NO_PLACE: Final = frozenset(
    {"case", "instance", "way", "sense", "year", "one", "of", "them", "these", "those", "it"}
)


def answered_rule(words: str, entity_type: str = "") -> MergeRule | None:
    """Return the rule that an answer about merging sets; None where it sets none.

    >>> answered_rule("each spelling counts"), answered_rule("variants are one")
    ('exact', 'alias')
    >>> answered_rule("versions are one"), answered_rule("once per report", "person")
    ('wide', 'document')
    >>> answered_rule("I don't know") is None
    True
    """
    if _per_document(words, entity_type, surely=False):
        return "document"
    denied = _DENIED.search(words) is not None
    joined = not denied and (_AS_ONE.search(words) or _JOINED.search(words)) is not None
    if _KINDS.search(words):
        if joined or not (denied or _APART.search(words)):
            return "wide"
        return "exact" if _EXACT.search(words) else "alias"
    if denied or _EXACT.search(words):
        return "exact"
    return "alias" if joined or _ALIAS.search(words) else None


def stated_rule(words: str, entity_type: str = "") -> MergeRule | None:
    """Return the rule that a question's own words state, None where they state none.

    Words that such an answer may use loosely are but the subject of many questions, so that only
    those count that speak of counting.

    >>> stated_rule("How many firms, counting a firm and its subsidiaries as one?")
    'wide'
    >>> stated_rule("Which firms merged with a subsidiary?") is None
    True
    """
    if _per_document(words, entity_type, surely=True):
        return "document"
    for clause in re.split(r"[.,;:?]", words):
        if _KINDS.search(clause) and _AS_ONE.search(clause) and not _DENIED.search(clause):
            return "wide"
    if _EXACT_SAID.search(words):
        return "exact"
    return "alias" if _ALIAS.search(words) and not _DENIED.search(words) else None


def ruled(reading: Interpretation, exchange: Exchange) -> Interpretation:
    """Return an interpretation with the rule that an exchange about merging sets, if it is one."""
    merging = exchange.asked.code in _MERGING
    rule = answered_rule(exchange.in_words, reading.entity_type) if merging else None
    return reading.model_copy(update={"merge": rule}) if rule is not None else reading


def _per_document(words: str, entity_type: str, *, surely: bool) -> bool:
    """Tell whether mentions in different documents are said to be different things."""
    if _ACROSS.search(words):
        return True
    own = {*re.findall(r"\w+", entity_type.casefold()), *_NO_PLACE}
    for found in _WITHIN.finditer(words):
        what = found["what"].casefold()
        inner = what.rstrip("s") in own or what in own
        named = re.fullmatch(rf"(?:{_SPELLING})s?", what) or _KINDS.fullmatch(what)
        if not inner and not named and (found["sure"] or not surely):
            return True
    return False
