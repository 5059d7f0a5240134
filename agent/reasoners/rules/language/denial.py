"""Whether a sentence denies what it speaks of: `no deposit is required`, `pets are not allowed`."""

from collections.abc import Collection, Sequence
from typing import Final

from agent.reasoners.rules.language.words import AUXILIARIES, stem, word_set

__all__ = ("denies", "is_restrictive")

_NONE: Final = word_set("no without neither nor lacks lack lacking free negative")
_NOT: Final = word_set("not never cannot hardly neither nor t")
_DENYING: Final = frozenset(
    stem(verb)
    for verb in (
        "waive", "exclude", "prohibit", "forbid", "forbidden", "ban", "deny", "refuse", "omit",
        "decline", "disallow", "preclude", "exempt", "lack", "reject",
    )
)  # fmt: skip
_RESTRICTIVE: Final = _DENYING | frozenset(
    stem(verb)
    for verb in (
        "limit", "restrict", "cap", "disclaim", "prevent", "avoid", "restrain", "bar", "cease",
        "stop", "revoke", "release", "cannot", "protect", "without",
    )
)  # fmt: skip
_BEARING: Final = word_set(
    "have has had having be been being contain include show exhibit suffer experience present "
    "carry display reveal indicate feature possess any a an the of from with yet ever currently "
    "known to evidence history signs"
)
"""Words that pass a `not` on to what they bear: `does not have any X`, `not known to have X`."""
_BEFORE: Final = 3
_BEHIND: Final = 4
_LONGEST: Final = 30


def is_restrictive(words: Sequence[str]) -> bool:
    """Tell whether a phrase itself speaks of denying or limiting, so that a denial may prove it.

    >>> is_restrictive("limit the liability".split()), is_restrictive("allow pets".split())
    (True, False)
    """
    low = [word.lower() for word in words]
    denied = {"no", "not", "never", "without", "non", "anti", "neither", "nor"} & set(low)
    return bool(denied) or any(stem(word) in _RESTRICTIVE for word in low[:4])


def denies(words: Sequence[str], about: Collection[int]) -> bool:
    """Tell whether a short sentence denies the words at the given places.

    It does with `no` or `without` up to three words before the first of them, with `not` right
    before one or between it and a verb close behind, with `not` before words that only say that
    something is there, and with a verb of denying close to one.
    Long sentences deny too many things at once to tell.

    >>> denies("pets are not allowed".split(), [0]), denies("do not pay the deposit".split(), [4])
    (True, False)
    >>> denies("she does not have any diabetes".split(), [5])
    True
    """
    if len(words) > _LONGEST or not about:
        return False
    first, last = min(about), max(about)
    ahead = words[max(0, first - _BEFORE) : first]
    if _NONE & set(ahead) or (ahead and ahead[-1] in _NOT):
        return True
    if any(words[place - 1] in _NOT for place in about if place):
        return True
    if _not_borne(words[:first]):
        return True
    behind = words[last + 1 : last + 1 + _BEHIND]
    if _passive_denial(behind):
        return True
    near = [*ahead, *behind]
    return any(stem(word) in _DENYING for word in near)


def _not_borne(ahead: Sequence[str]) -> bool:
    """Tell whether `not` stands before, with nothing but bearing words between."""
    at = len(ahead)
    while at and ahead[at - 1] in _BEARING:
        at -= 1
    return 0 < at < len(ahead) and ahead[at - 1] in _NOT


def _passive_denial(behind: Sequence[str]) -> bool:
    """Tell whether `is not …` or `may not …` follows at once: what stands before is denied."""
    return any(
        word in AUXILIARIES and behind[at + 1 : at + 2] and behind[at + 1] in _NOT
        for at, word in enumerate(behind[:2])
    )
