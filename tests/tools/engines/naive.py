"""What every predicate means, in plain Python: loops over texts, no index, no arrays.

BM25 and the distance of words are libraries'. Only stems, metadata tests and the embedder's rows
are the project's own; they have their own tests.
"""

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property

from rank_bm25 import BM25Okapi
from rapidfuzz.distance import OSA

from agent.languages import stems
from agent.predicates import NAME_FIELD, name_value, satisfies
from tests.tools.filters.small_corpus import SmallCorpus
from tools.filters.arguments import FilterArguments
from tools.filters.bm25 import Bm25Arguments
from tools.filters.exact import ExactArguments
from tools.filters.fuzzy import FuzzyArguments
from tools.filters.keywords import KeywordsArguments
from tools.filters.metadata import MetadataArguments
from tools.filters.regex import RegexArguments
from tools.filters.semantic import SemanticArguments

Alike = Callable[[str, str], bool]
"""Tells whether a word of the text stands for a word that was asked for."""


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


class Naive:
    """The reference engine."""

    def __init__(self, corpus: SmallCorpus) -> None:
        self.corpus = corpus
        self.texts = corpus.chunk_texts

    @cached_property
    def counts(self) -> list[Counter[str]]:
        return [Counter(words(text)) for text in self.texts]

    @cached_property
    def vocabulary(self) -> set[str]:
        return {word for counted in self.counts for word in counted}

    def keep(self, predicate: FilterArguments, snapshot: Iterable[int]) -> set[int]:
        chunks = set(snapshot)
        match predicate:
            case Bm25Arguments() | SemanticArguments():
                return self._best(predicate, self.scores(predicate, chunks))
            case _:
                return {chunk for chunk in chunks if self._holds(predicate, chunk)}

    def scores(
        self, predicate: Bm25Arguments | SemanticArguments, chunks: set[int]
    ) -> dict[int, float]:
        """Return the score of each chunk that may be kept at all."""
        if isinstance(predicate, Bm25Arguments):
            asked = words(predicate.query)
            held = {chunk for chunk in chunks if self.counts[chunk].keys() & set(asked)}
            scores = BM25Okapi(list(map(words, self.texts))).get_scores(asked)
            return {chunk: float(scores[chunk]) for chunk in held}
        row, *rows = self.corpus.embedder.embed([predicate.query, *self.texts]).tolist()
        if not any(row):
            return {}
        return {chunk: math.fsum(map(float.__mul__, row, rows[chunk])) for chunk in chunks}

    @staticmethod
    def _best(predicate: Bm25Arguments | SemanticArguments, scores: dict[int, float]) -> set[int]:
        least = getattr(predicate, "min_score", None)
        least = getattr(predicate, "min_cosine", None) if least is None else least
        ranked = sorted(scores, key=lambda chunk: (-scores[chunk], chunk))
        return {each for each in ranked if least is None or scores[each] >= least} & set(
            ranked[: predicate.best]
        )

    def _holds(self, predicate: FilterArguments, chunk: int) -> bool:
        text = self.texts[chunk]
        match predicate:
            case ExactArguments():
                return _contains(text, predicate)
            case RegexArguments(pattern=pattern, case_sensitive=sensitive):
                flags = re.MULTILINE | (re.NOFLAG if sensitive else re.IGNORECASE)
                return re.search(pattern, text, flags) is not None
            case KeywordsArguments():
                alike = _same_stem if predicate.stem else str.__eq__
                held = sum(_side_by_side(text, entry, alike) for entry in predicate.entries)
                return held >= predicate.needed
            case FuzzyArguments():
                return any(_side_by_side(text, *each) for each in self._spelt(predicate))
            case MetadataArguments():
                return self._described(predicate, int(self.corpus.chunk_document[chunk]))
            case _:
                raise TypeError(type(predicate))

    def _spelt(self, predicate: FuzzyArguments) -> Iterator[tuple[str, Alike]]:
        asked = words(predicate.term)
        yield " ".join(asked), _near
        if len(asked) > 1:
            yield "".join(asked), _near
            return
        for at in range(3, len(asked[0]) - 2):
            left, right = asked[0][:at], asked[0][at:]
            if {left, right} <= self.vocabulary:
                yield f"{left} {right}", str.__eq__

    def _described(self, predicate: MetadataArguments, document: int) -> bool:
        names = {field.name.casefold(): field.name for field in self.corpus.fields}
        held = []
        for each in predicate.predicates:
            field = names.get(each.field.casefold(), NAME_FIELD)
            values = self.corpus.field_values(field)
            value = values.get(document)
            if field == NAME_FIELD:
                value = name_value(self.corpus.documents[document])
            held.append(satisfies(value, each.model_copy(update={"field": field})))
        return all(held) if predicate.match == "all" else any(held)


def _contains(text: str, predicate: ExactArguments) -> bool:
    """Tell whether the phrase is there; as whole words, where no letter goes on at its letters."""
    phrase = predicate.phrase
    if not predicate.case_sensitive:
        text, phrase = text.lower(), phrase.lower()
    first, last = (
        predicate.whole_word and re.match(r"\w", sign) for sign in (phrase[0], phrase[-1])
    )
    before, after = r"(?<!\w)" if first else "", r"(?!\w)" if last else ""
    return re.search(before + re.escape(phrase) + after, text) is not None


def _same_stem(found: str, asked: str) -> bool:
    return stems([found]) == stems([asked])


def _near(found: str, asked: str) -> bool:
    """Return whether two words are within the distance that suits their length."""
    if found == asked:
        return True
    if not (asked.isalpha() and found.isalpha()) or len(asked) < 4:
        return False
    return OSA.distance(found, asked) <= (1 if len(asked) < 8 else 2)


def _side_by_side(text: str, phrase: str, alike: Alike) -> bool:
    """Tell whether the phrase's words stand in the text, with only gaps or its own marks between.

    White space, hyphens and line breaks are gaps, and all gaps are alike.
    """
    asked = re.findall(r"\w+|\W+", phrase.lower())
    held = re.findall(r"\w+|\W+", text.lower())
    return any(
        all(_stands(part, found, alike) for part, found in zip(asked, held[at:], strict=False))
        for at in range(len(held) - len(asked) + 1)
    )


def _stands(asked: str, found: str, alike: Alike) -> bool:
    if re.match(r"\w", asked):
        return alike(found, asked)
    if re.fullmatch(r"[\s-]+", asked):
        return re.fullmatch(r"[\s-]+", found) is not None
    return asked in found
