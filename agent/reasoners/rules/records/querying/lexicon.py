"""Which kinds and attributes a stretch of a question's words may name."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent.reasoners.rules.language.words import FUNCTION_WORDS
from agent.reasoners.rules.records.querying.phrases import (
    IDENTIFYING,
    SILENT,
    Form,
    alike,
    forms_of,
    matched,
    name_words,
    root,
)
from agent.records.record_schema import Attribute, Schema

__all__ = ("Lexicon", "Target")

_LEAST = 0.37
_GLUED = {"fname": ("first", "name"), "lname": ("last", "name"), "mname": ("middle", "name")}
_SHORTEST = 3


@dataclass(frozen=True, slots=True)
class Target:
    """A kind, or an attribute of one, that words may stand for."""

    kind: str
    attribute: str | None
    """None where the kind itself is meant."""
    strength: float


class Lexicon:
    """The names of a schema in all their forms."""

    def __init__(self, schema: Schema, asked: Iterable[str]) -> None:
        """Prepare the forms; the words asked help to split names written as one word."""
        known = self._vocabulary(schema) | set(asked)
        self._known = {root(word) for word in known if len(word) >= _SHORTEST}
        self._near: dict[str, frozenset[int]] = {}
        self.inner: frozenset[str] = frozenset()
        """Function words inside names, as `other` in `other_income`."""
        self._spelt: dict[tuple[str, str | None], frozenset[str]] = {}
        self._entries: list[tuple[Target, tuple[Form, ...]]] = []
        for kind in schema.kinds:
            words = name_words(kind.name)
            owner = self._split(words[:-1] if words[1:] and words[-1].isdecimal() else words)
            self._entries.append((Target(kind.name, None, 1.0), _kind_forms(owner)))
            for attribute in kind.attributes:
                target = Target(kind.name, attribute.name, 1.0)
                self._entries.append((target, self._attribute_forms(attribute, owner)))
                names = (attribute.name, *attribute.labels)
                spelt = frozenset(word for each in names for word in name_words(each))
                self._spelt[kind.name, attribute.name] = spelt
                self.inner |= spelt & FUNCTION_WORDS

        self._places: dict[str, set[int]] = {}
        """Words of names, with the entries that have them."""
        for at, (_, forms) in enumerate(self._entries):
            for word in {word for form in forms for word in form.words}:
                self._places.setdefault(word, set()).add(at)

    def targets(self, words: Sequence[str], *, ordered: bool = True) -> list[Target]:
        """Return what the words may name, the surest first; in any order of words if told so."""
        found = []
        near = [self._entries_near(word) for word in words]
        for at in sorted(frozenset.intersection(*near)) if near else ():
            target, forms = self._entries[at]
            sure = (matched(words, form, ordered=ordered) for form in forms)
            strength = max(sure, default=0.0)
            if strength >= _LEAST:
                found.append(Target(target.kind, target.attribute, round(strength, 4)))
        return sorted(found, key=lambda each: -each.strength)

    def _entries_near(self, word: str) -> frozenset[int]:
        """Return the entries that have a word like this one, looked up once."""
        if word not in self._near:
            like = (places for each, places in self._places.items() if alike(word, each))
            self._near[word] = frozenset(at for places in like for at in places)
        return self._near[word]

    def speaks(self, word: str) -> bool:
        """Tell whether some name has a word."""
        return word in self._places

    def spells(self, target: Target, word: str) -> bool:
        """Tell whether the name or a label of an attribute has a word."""
        return word in self._spelt.get((target.kind, target.attribute), frozenset())

    def _attribute_forms(self, attribute: Attribute, owner: tuple[str, ...]) -> tuple[Form, ...]:
        names = dict.fromkeys(name_words(each) for each in (attribute.name, *attribute.labels))
        found: list[Form] = []
        for words in names:
            split = self._split(words)
            found += forms_of(split, [each for each in owner if each not in IDENTIFYING])
        return tuple(dict.fromkeys(found))

    @staticmethod
    def _vocabulary(schema: Schema) -> set[str]:
        names = [kind.name for kind in schema.kinds]
        names += [each.name for kind in schema.kinds for each in kind.attributes]
        return {word for name in names for word in name_words(name)} | set(IDENTIFYING)

    def _split(self, words: Sequence[str]) -> tuple[str, ...]:
        """Split words that are two known ones written together: `clubname`."""
        return tuple(part for word in words for part in self._parts(word))

    def _parts(self, word: str) -> tuple[str, ...]:
        if word in _GLUED:
            return _GLUED[word]
        for at in range(len(word) - _SHORTEST, _SHORTEST - 1, -1):
            first, second = word[:at], word[at:]
            if self._knows(first) and self._knows(second):
                return first, second
        return (word,)

    def _knows(self, part: str) -> bool:
        return root(part) in self._known


def _kind_forms(owner: Sequence[str]) -> tuple[Form, ...]:
    """Return a kind's name; its head is the noun before `of` or `for`, else the last."""
    joint = next((at for at, word in enumerate(owner) if at and word in SILENT), len(owner))
    bare = tuple(word for word in owner if word not in SILENT) or tuple(owner)
    before = sum(word not in SILENT for word in owner[:joint])
    return (Form(bare, 1.0, max(0, before - 1)),)
