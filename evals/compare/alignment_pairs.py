"""Pairs of names whose truth is known: written by hand, or made from the names of documents."""

import random
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

from pydantic import ValidationError

from agent.errors import SettingsError
from agent.value import Value
from tools.alignment.name import parsed

__all__ = ("KEPT", "NamePair", "changed_pairs", "labelled_pairs", "made_names", "names_in")

_NAME: Final = re.compile(
    r"(?<![\w.])[A-ZÀ-Þ][\w'’-]+(?:,? (?:(?:of|the|and|de|van|von|&) )?[A-ZÀ-Þ][\w'’.-]*\w){1,4}"
)


class NamePair(Value):
    """Two names, and whether they are one."""

    left: str
    right: str
    same: bool
    kind: str
    """What they differ in."""
    language: str = ""
    quote: str = ""
    """Words that say so, where the names alone do not."""


def labelled_pairs(path: Path | None = None) -> list[NamePair]:
    """Return the pairs of a file, one JSON object a line, or those written for this project.

    Raises:
        SettingsError: the file cannot be read as such.
    """
    source = files("evals").joinpath("data", "names.jsonl") if path is None else path
    try:
        lines = source.read_text(encoding="utf-8").splitlines()
        return [NamePair.model_validate_json(line) for line in lines if line.strip()]
    except (OSError, UnicodeDecodeError, ValidationError) as error:
        raise SettingsError(f"{str(source)!r} holds no pairs of names: {error}") from error


def names_in(folder: Path, count: int, seed: int = 0) -> list[str]:
    """Return so many of the names of two to five capitalised words in a folder's text files.

    Raises:
        SettingsError: there is no such folder, or no name in its files.
    """
    texts = (path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.txt")))
    found = sorted({" ".join(name.split()) for text in texts for name in _NAME.findall(text)})
    if not found:
        raise SettingsError(f"no names in the .txt files of {str(folder)!r}")
    return sorted(random.Random(seed).sample(found, min(count, len(found))))  # noqa: S311 - a sample


def made_names(pairs: Sequence[NamePair], count: int, seed: int = 0) -> list[str]:
    """Return so many different names made of the words of given ones, two or three each."""
    chance = random.Random(seed)  # noqa: S311 - a sample
    words = sorted({word for pair in pairs for word in re.findall(r"[^\W\d_]{3,}", pair.left)})
    lengths = (2, 2, 3)
    made: dict[str, None] = {}
    while len(made) < min(count, len(words) ** 2 // 2):
        made[" ".join(chance.choices(words, k=chance.choice(lengths)))] = None
    return list(made)


def changed_pairs(names: Sequence[str], seed: int = 0) -> Iterator[NamePair]:
    """Yield each name with itself changed, once by each rule that applies to it.

    What the rules of `KEPT` change leaves the name the same beyond doubt; an initial, an acronym
    or a lost letter may be another name; a number, a side or another first word makes another.
    """
    chance = random.Random(seed)  # noqa: S311 - a sample
    firsts = sorted({name.split()[0] for name in names})
    for name in names:
        other = chance.choice(firsts)
        yield NamePair(left=name, right=_renamed(name, other), same=False, kind="first word")
        for rules, same in ((KEPT, True), (_DOUBTFUL, True), (_OTHER, False)):
            kind = chance.choice(sorted(rules))
            left, right = rules[kind](name, chance)
            if left != right:
                yield NamePair(left=left, right=right, same=same, kind=kind)


def _plain(name: str) -> str:
    parts = unicodedata.normalize("NFD", name)
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


def _spaced(name: str) -> str:
    return name.replace("-", " ").replace(" & ", " and ").replace("’", "'")


def _with_initial(name: str, _: random.Random) -> tuple[str, str]:
    first, *rest = name.split()
    plain = first.isalpha() and not parsed(name).legal and not parsed(name).numbers
    return name, " ".join([f"{first[0]}.", *rest]) if plain else name


def _acronym(name: str, _: random.Random) -> tuple[str, str]:
    words = re.findall(r"[^\W\d_][\w'’]*", name.removeprefix("The "))
    return (name, "".join(word[0] for word in words).upper()) if len(words) > 2 else (name, name)


def _slip(name: str, chance: random.Random) -> tuple[str, str]:
    longest = max(re.findall(r"\w+", name), key=len)
    if len(longest) < 7:
        return name, name
    at = chance.randrange(2, len(longest) - 1)
    return name, name.replace(longest, longest[:at] + longest[at + 1 :])


def _numbered(name: str, chance: random.Random) -> tuple[str, str]:
    one = chance.randrange(2, 90)
    return f"{name} {one}", f"{name} {one + chance.choice((1, 10))}"


def _sided(name: str, chance: random.Random) -> tuple[str, str]:
    one, other = chance.choice((("North", "South"), ("Upper", "Lower"), ("Old", "New")))
    return f"{one} {name}", f"{other} {name}"


def _renamed(name: str, first: str) -> str:
    """Give a name another first word."""
    own, *rest = name.split()
    same = parsed(own).words == parsed(first).words
    return " ".join([f"{first}son" if same else first, *rest])


_Rule = Callable[[str, random.Random], tuple[str, str]]
KEPT: Final[dict[str, _Rule]] = {
    "upper case": lambda name, _: (name, name.upper()),
    "lower case": lambda name, _: (name, name.lower()),
    "no accents": lambda name, _: (name, _plain(name)),
    "marks": lambda name, _: (name, _spaced(name)),
    "article": lambda name, _: (name, f"The {name.removeprefix('The ')}"),
    "legal form": lambda name, _: (f"{name} Ltd.", f"{name} Limited"),
    "legal form left out": lambda name, _: (name, name if parsed(name).legal else f"{name}, Inc."),
    "title": lambda name, _: (name, f"Dr. {name}"),
}
"""Rules that change nothing but the spelling."""
_DOUBTFUL: Final[dict[str, _Rule]] = {
    "initial": _with_initial, "acronym": _acronym, "slip": _slip,
}  # fmt: skip
_OTHER: Final[dict[str, _Rule]] = {"number": _numbered, "side": _sided}
