"""A corpus of a few passages in memory, as the rules see one."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from agent.corpus_view import Field, FieldValue
from agent.evidence import Passage
from agent.reasoners.rules.language.words import stem


def passage(text: str, *, document: str = "doc", headings: tuple[str, ...] = ()) -> Passage:
    return Passage(
        chunk=0, document=document, title=document, start=0, text=text, headings=headings
    )


class SmallLexicon:
    def __init__(self, texts: Sequence[str]) -> None:
        self.counts = Counter(
            word for text in texts for word in set(re.findall(r"\w+", text.lower()))
        )

    def frequency(self, word: str) -> int:
        return self.counts[word.lower()]

    def inflections(self, word: str) -> tuple[str, ...]:
        same = [each for each in self.counts if stem(each) == stem(word)]
        return tuple(sorted(same, key=lambda each: (-self.counts[each], each)))

    def spellings(self, word: str) -> tuple[str, ...]:
        return ()

    def related(self, words: Sequence[str], limit: int) -> tuple[tuple[str, float], ...]:
        return ()


class SmallCorpus:
    """`padding` passages about nothing in particular make the given words telling."""

    def __init__(self, texts: Sequence[str], *, padding: int = 40) -> None:
        filler = "Some other passage about quite another matter."
        self.lexicon = SmallLexicon([*texts, *([filler] * padding)])
        self.chunk_count = len(texts) + padding
        self.documents: Sequence[str] = ("doc",)
        self.fields: tuple[Field, ...] = ()

    def field_items(self, field: str) -> Sequence[str]:
        values = self.field_values(field).values()
        return list(dict.fromkeys(item for value in values for item in value.items))

    def field_values(self, field: str) -> Mapping[int, FieldValue]:
        return {}
