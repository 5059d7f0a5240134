"""What matters of a field when words are matched with it."""

import re
from dataclasses import dataclass
from typing import Final

from agent.corpus_view import Field
from agent.reasoners.rules.language.words import FUNCTION_WORDS, tokenize

__all__ = ("Facts", "facts_of")

_FILE_FACTS: Final = frozenset({"file name", "file type", "file size"})
"""Fields that the reader adds about the file itself."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What matters of one field when words are matched with it."""

    field: Field
    words: tuple[str, ...]
    """The content words of its name, without case."""
    spelled: tuple[str, ...]
    """All words of its name, without case."""
    label: bool
    """Whether its values are few and short, so that one of them alone can name it."""
    unique: bool
    """Whether nearly every document has a value of its own."""
    fact: bool
    """Whether it is a fact about the file, not written in the document."""
    dotted: bool
    """Whether its values are version numbers."""

    @property
    def name(self) -> str:
        """The field's name as the corpus writes it."""
        return self.field.name


def facts_of(each: Field) -> Facts:
    """Return what a field's name and values show of it."""
    sample = [item for item, _ in each.values[:50]]
    short = sum(len(tokenize(item)) <= 4 for item in sample) >= 0.8 * len(sample)
    words = _name_words(each.name)
    return Facts(
        field=each,
        words=tuple(word for word in words if word not in FUNCTION_WORDS) or words,
        spelled=words,
        label=short and each.distinct <= max(12, each.documents // 2),
        unique=each.documents > 1 and each.distinct >= 0.9 * each.documents,
        fact=not each.written and each.name.casefold() in _FILE_FACTS,
        dotted=sum(bool(re.search(r"\d\.\d", item)) for item in sample) >= 0.5 * len(sample),
    )


def _name_words(name: str) -> tuple[str, ...]:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return tuple(word.casefold() for word in re.findall(r"[^\W_]+", spaced))
