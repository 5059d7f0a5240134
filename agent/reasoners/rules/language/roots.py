"""Words brought to a common form: inflection, derivation, spelling."""

import re
from functools import lru_cache
from typing import Final

from agent.reasoners.rules.language.spelling import american
from agent.reasoners.rules.language.words import stem

__all__ = ("roots",)

_IRREGULAR: Final = (
    "began begin begun begin bought buy broke break broken break brought bring built build "
    "chose choose chosen choose drawn draw drew draw driven drive fell fall fallen fall felt feel "
    "forbade forbid forbidden forbid forgotten forget fought fight found find gave give given give "
    "gone go got get grew grow grown grow heard hear held hold hidden hide kept keep knew know "
    "known know laid lay led lead left leave lent lend lost lose made make meant mean met meet "
    "overseen oversee paid pay ran run risen rise rose rise said say sang sing saw see seen see "
    "sent send shown show sold sell sought seek spent spend spoke speak spoken speak sprung spring "
    "stood stand stolen steal struck strike sunk sink sworn swear taken take taught teach "
    "thought think threw throw thrown throw told tell took take torn tear understood understand "
    "undertaken undertake undertook undertake went go withdrawn withdraw withdrew withdraw "
    "withheld withhold won win worn wear wrote write written write"
)
"""Pairs of an irregular verb's form and its infinitive."""

_INFINITIVES: Final = dict(zip(*[iter(_IRREGULAR.split())] * 2, strict=True))
_ADJECTIVE: Final = re.compile(r"[bcdfghjklnpqrstvwxyz](?<!m)ent\Z")
_DERIVED: Final = re.compile(
    r"(?:itor|ition|itiv|ation|ativ|ator|ment|ee|er|or|al|iti|at|it|e|i|y)\Z"
)


@lru_cache(maxsize=262144)
def roots(word: str) -> tuple[str, str]:
    """Return a lower-cased word's stem and its root, which derived words share too.

    The root is the stem without a derivational ending, if four letters are left of it; the prefix
    `non` is dropped, since it is a negation and read as one.

    >>> roots("competition")[1] == roots("competing")[1], roots("liability") == roots("liable")
    (True, True)
    >>> roots("withdrawn") == roots("withdraws")
    True
    """
    bare = word[3:] if word.startswith("non") and len(word) > 7 else word
    if _ADJECTIVE.search(bare):
        return bare, bare
    base = stem(american(_INFINITIVES.get(bare, bare)))
    if base.endswith("bil"):
        base = f"{base[:-3]}bl"
    cut = _DERIVED.sub("", base)
    return base, cut if len(cut) >= 4 else base
