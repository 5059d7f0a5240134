"""What a parenthesis behind a name says: another spelling, a gloss, or what does not count."""

import re
from dataclasses import dataclass
from typing import Final

from agent.reasoners.rules.language.words import DETERMINERS, akin, tokenize

__all__ = ("Gloss", "abbreviates", "read_gloss")

_EXCLUDING: Final = re.compile(
    r"\b(?:not|n't|never|except|excluding|excluded|without|rather than|as opposed to)\b",
    re.IGNORECASE,
)
_ALSO: Final = re.compile(
    r"(?:or|also|aka|a\.k\.a\.|i\.e\.|also known as|also called|formerly|now|abbreviated|short)\s+"
    r"(?:known as\s+|called\s+|as\s+)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Gloss:
    """What a parenthesis adds to a name."""

    aliases: tuple[str, ...] = ()
    counts: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()


def read_gloss(inner: str, name: str) -> Gloss:
    """Read the words in a parenthesis behind a name.

    >>> read_gloss("wasm", "WebAssembly").aliases, read_gloss("the type checker", "Pyre").counts
    (('wasm',), ('the type checker',))
    """
    aliases: list[str] = []
    counts: list[str] = []
    excludes: list[str] = []
    for part in (part.strip() for part in inner.split(";")):
        if _EXCLUDING.search(part):
            excludes.append(part)
            continue
        found = _aliases(part, name)
        aliases.extend(found)
        if part and not found:
            counts.append(part)
    return Gloss(tuple(aliases), tuple(counts), tuple(excludes))


def _aliases(part: str, name: str) -> list[str]:
    also = _ALSO.match(part)
    if also:
        return _split(part[also.end() :])
    if abbreviates(part, name) or abbreviates(name, part):
        return [part]
    listed = _split(part)
    return listed if listed and all(_inflected(each, name) for each in listed) else []


def _split(text: str) -> list[str]:
    parts = re.split(r"\s*,\s*(?:or\s+|and\s+)?|\s+or\s+|\s+and\s+", text)
    return [part.strip(" \"'“”‘’") for part in parts if part.strip()]


def _inflected(word: str, name: str) -> bool:
    """Tell whether a single word has the name's root: covariant, covariance."""
    if len(tokenize(word)) != 1 or len(tokenize(name)) != 1:
        return False
    shared = 0
    for one, other in zip(word.casefold(), name.casefold(), strict=False):
        if one != other:
            break
        shared += 1
    return akin(word, name) or (shared >= 5 and shared >= 0.6 * min(len(word), len(name)))


def abbreviates(short: str, long: str) -> bool:
    """Tell whether one word abbreviates a name: by its initials, or by letters in their order.

    >>> abbreviates("GIL", "Global Interpreter Lock"), abbreviates("wasm", "WebAssembly")
    (True, True)
    >>> abbreviates("Rust", "Cargo"), abbreviates("IRR", "infrared reflectography")
    (False, True)
    """
    letters = re.sub(r"[^a-z0-9]", "", short.casefold())
    if len(tokenize(short)) != 1 or not 1 < len(letters) < len(long):
        return False
    words = [word.casefold() for word in re.findall(r"[^\W_]+", long)]
    initials = "".join(word[0] for word in words)
    content = "".join(
        word[0] for word in words if word not in {*DETERMINERS, "of", "for", "and", "in"}
    )
    if len(words) > 1 and short.isupper() and _within(letters, initials, long):
        return True
    if len(words) > 1:
        return letters.rstrip("s") in {initials, content} or letters in {initials, content}
    whole = iter(re.sub(r"[^a-z0-9]", "", long.casefold()))
    ordered = all(letter in whole for letter in letters)
    return ordered and long[:1].casefold() == letters[0] and len(letters) <= 0.6 * len(long)


def _within(letters: str, initials: str, long: str) -> bool:
    """Tell whether capitals take up the words' initials and only letters of theirs, in order."""
    rest, whole = iter(letters), iter(re.sub(r"[^a-z0-9]", "", long.casefold()))
    return all(each in rest for each in initials) and all(each in whole for each in letters)
