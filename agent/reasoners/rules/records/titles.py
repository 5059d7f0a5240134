"""What documents are: the words that their first lines have in common."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

from agent.reasoners.rules.language.words import FUNCTION_WORDS, PREPOSITIONS, word_set
from agent.reasoners.rules.records.names import kind_name

__all__ = ("common_title", "kind_of_title")

_TOKEN: Final = re.compile(r"[^\W_][\w'’-]*|[^\w\s]")
_SHARE: Final = 0.8
_MOST_WORDS: Final = 4
_SLOT: Final = "…"
_NAMING: Final = word_set("name title id number no code key subject date ref reference")
"""Words that say of a thing which one it is, not what."""


def common_title(titles: Sequence[str]) -> str:
    """Return the words that nearly all titles share in their order, with `…` for what varies.

    Empty where they share no content word.

    >>> common_title(["Lease of Flat 4", "Lease of House 12", "Lease of Shop 9"])
    'Lease of …'
    """
    lines = [_TOKEN.findall(title.strip(" #*=")) for title in titles if title.strip()]
    if len(lines) < 2:
        return ""
    shown = Counter(token for line in lines for token in set(line))
    least = math.ceil(_SHARE * len(lines))
    common = {token for token, count in shown.items() if count >= least}
    words = [token if token in common else _SLOT for token in lines[0]]
    kept = [
        word for at, word in enumerate(words) if word != _SLOT or not at or words[at - 1] != word
    ]
    telling = [word for word in kept if _tells(word)]
    return re.sub(r"\s+([.,;:!?)])", r"\1", " ".join(kept)).strip() if telling else ""


def kind_of_title(title: str) -> str:
    """Return the name of the kind of thing that titles alike call; empty where they call none.

    What a report is of is the thing: `Annual report of the company with …` names a company. A key
    that names the thing says what it is: `Hotel name: …`.

    >>> kind_of_title("Annual Report of the company with symbol …"), kind_of_title("Hotel name: …")
    ('company', 'hotel')
    """
    words = title.split()
    for at, word in enumerate(words[:-2]):
        if word in {"of", "for", "about", "on"} and words[at + 1] in {"the", "a", "an"}:
            return kind_name(" ".join(_phrase(words[at + 2 :])))
    return kind_name(" ".join(_phrase(words)))


def _phrase(words: Sequence[str]) -> list[str]:
    """Return the content words up to the first that is none, at most the last four."""
    found: list[str] = []
    for word in words:
        bare = word.strip(".,:;")
        if not _tells(bare) or bare.casefold() in PREPOSITIONS:
            if found:
                break
            continue
        found.append(bare)
        if bare != word:
            break
    while found and found[-1].casefold() in _NAMING:
        found.pop()
    return found[-_MOST_WORDS:]


def _tells(word: str) -> bool:
    return word != _SLOT and word[0].isalpha() and word.casefold() not in FUNCTION_WORDS
