"""What a corpus's metadata can be called by: names of fields, items of values."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final
from weakref import ref

from agent.corpus_view import CorpusView, Field
from agent.reasoners.rules.language.spelling import american
from agent.reasoners.rules.language.words import (
    DETERMINERS,
    FUNCTION_WORDS,
    Token,
    plain_words,
    stem,
    tokenize,
)
from agent.reasoners.rules.reading.facts import Facts, facts_of
from agent.reasoners.rules.reading.long_names import LongNames, joined, long_names
from agent.reasoners.rules.reading.naming import naming_strength, synonymous

__all__ = ("Cue", "Hit", "Labels")

_INNER: Final = frozenset({"of", "the", "to", "by", "for", "in"})
"""Function words that may stand inside a field's name."""
_INSIDE: Final = frozenset({".", "&"})
"""Marks that may stand inside a value: `K. Lee`, `Birch & Sons`."""
_MANY: Final = 10
"""Among so many documents, what only one of them states is no field of their kind."""
_LONGEST: Final = 6
"""Items of more words are sentences, not labels."""


@dataclass(frozen=True, slots=True)
class Cue:
    """Words that name fields."""

    fields: tuple[Facts, ...]
    strength: int
    """3: the whole name as written; 2: the whole name or its head, inflected; 1: a part."""
    size: int


@dataclass(frozen=True, slots=True)
class Hit:
    """Words that are a value of a field."""

    facts: Facts
    item: str
    """As written in the field."""
    exact: bool
    """Whether it is written alike but for case."""
    whole: bool
    """Whether the words are the whole item, not a part such as the end of a path."""
    size: int


@dataclass(slots=True)
class Labels:
    """The index of one corpus's fields and items."""

    fields: tuple[Facts, ...]
    documents: int
    items: dict[tuple[str, ...], list[tuple[Facts, str, bool]]] = field(default_factory=dict)
    long: LongNames = field(default_factory=dict)

    @classmethod
    def of(cls, corpus: CorpusView) -> "Labels":
        """Return the index of a corpus; that of the corpus asked last is kept."""
        kept = _LAST.get("labels")
        if kept is not None and kept[0]() is corpus:
            return kept[1]
        labels = cls._built(corpus)
        _LAST["labels"] = (ref(corpus), labels)
        return labels

    @classmethod
    def _built(cls, corpus: CorpusView) -> "Labels":
        total = len(corpus.documents)
        shared = (each for each in corpus.fields if each.documents > 1 or total < _MANY)
        facts = tuple(facts_of(each) for each in shared)
        long = long_names(each.spelled for each in facts if each.spelled and not each.fact)
        labels = cls(facts, total, long=long)
        items: defaultdict[tuple[str, ...], list[tuple[Facts, str, bool]]] = defaultdict(list)
        for each in facts:
            for item in _distinct_items(corpus, each.field):
                for words, whole in _readings(item):
                    entry = (each, item, whole)
                    if entry not in items[words]:
                        items[words].append(entry)
        labels.items = dict(items)
        return labels

    def named(self, name: str) -> Facts | None:
        """Return the field of that name."""
        return next((each for each in self.fields if each.name == name), None)

    def tokens(self, text: str) -> list[Token]:
        """Cut a text into tokens, a field's name with function words inside as one of them."""
        return joined(tokenize(text), self.long)

    def cue(self, tokens: Sequence[Token], at: int) -> Cue | None:
        """Return the longest and strongest naming of fields that begins at the token `at`."""
        for size in range(min(4, len(tokens) - at), 0, -1):
            words = [token.low for token in tokens[at : at + size]]
            if any(token.kind not in {"word", "quote"} for token in tokens[at : at + size]):
                continue
            if any(word in FUNCTION_WORDS - _INNER for word in words[1:-1]):
                continue
            if words[0] in FUNCTION_WORDS or (size > 1 and words[-1] in FUNCTION_WORDS):
                continue
            said = [part for word in words for part in word.split()]
            scored = [(each, naming_strength(each, said)) for each in self.fields]
            best = max((score for _, score in scored), default=0)
            if not best and size == 1:
                scored = [(each, 2 * synonymous(each.words, words[0])) for each in self.fields]
                best = max((score for _, score in scored), default=0)
            if best:
                return Cue(tuple(each for each, score in scored if score == best), best, size)
        return None

    def hits(self, tokens: Sequence[Token], at: int) -> list[Hit]:
        """Return the values that the longest run of words from the token `at` on names."""
        token = tokens[at]
        if token.kind == "quote":
            inner = [each.low for each in tokenize(token.inner) if each.kind != "mark"]
            return self._lookup(inner, 1)
        for size in range(min(_LONGEST, len(tokens) - at), 0, -1):
            run = tokens[at : at + size]
            if not all(each.kind in {"word", "number"} or each.text in _INSIDE for each in run):
                continue
            if run[-1].function or (run[0].function and (size == 1 or run[0].low == "the")):
                continue
            words = [each.low for each in run if each.kind != "mark"]
            found = self._lookup(words, size)
            if found:
                return found
        return []

    def quoting(self, question: str) -> str:
        """Return the question with quotation marks around values that look like function words.

        They are written in capitals, as their field writes them: `IT` the department, not `it`; in
        a question all in capitals none is meant so. Or they end what begins with their field's
        name: `with the scope all`.
        """
        tokens = tokenize(question)
        for at, token in reversed(list(enumerate(tokens))):
            if token.function and (self._capitals(question, token) or self._closing(tokens, at)):
                question = f'{question[: token.start]}"{token.text}"{question[token.end :]}'
        return question

    def _capitals(self, question: str, token: Token) -> bool:
        """Tell whether a word is written in capitals as a value is, in a question that is not."""
        if question.isupper() or len(token.text) < 2 or not token.text.isupper():
            return False
        return any(hit.item == token.text for hit in self._lookup([token.low], 1))

    def _closing(self, tokens: Sequence[Token], at: int) -> bool:
        """Tell whether a determiner, with no noun behind it, is a value of the field before it."""
        if tokens[at].low not in DETERMINERS:
            return False
        follower = tokens[at + 1] if at + 1 < len(tokens) else None
        if follower is not None and (follower.low == "than" or _goes_on(follower)):
            return False
        fields = [hit.facts for hit in self._lookup([tokens[at].low], 1) if hit.exact]
        return any(
            cue.size == size and cue.strength > 1 and any(each in cue.fields for each in fields)
            for size in range(1, min(4, at) + 1)
            if fields and (cue := self.cue(tokens, at - size)) is not None
        )

    def _lookup(self, words: Sequence[str], size: int) -> list[Hit]:
        key = _key(words)
        return [
            Hit(facts, item, _plain(item, whole=whole) == list(words), whole, size)
            for facts, item, whole in self.items.get(key, [])
        ]

    def partial(self, facts: Facts, words: Sequence[str]) -> list[str]:
        """Return the items of a field that contain the words next to one another."""
        wanted = [word.casefold() for word in words]
        return [
            item
            for entries in self.items.values()
            for each, item, whole in entries
            if each is facts and whole and _inside(wanted, _plain(item, whole=True))
        ]


_LAST: Final[dict[str, tuple[ref[CorpusView], Labels]]] = {}
"""The index built last, with its corpus: one question is read in many wordings."""


def _goes_on(token: Token) -> bool:
    return token.kind != "mark" and not (token.kind == "word" and token.function)


def _inside(words: Sequence[str], text: Sequence[str]) -> bool:
    size = len(words)
    return any(list(text[at : at + size]) == list(words) for at in range(len(text) - size + 1))


def _distinct_items(corpus: CorpusView, each: Field) -> Iterator[str]:
    if each.type not in {"text", "list"}:
        return
    seen: set[str] = set()
    for item in corpus.field_items(each.name):
        if item.casefold() not in seen:
            seen.add(item.casefold())
            yield item


def _readings(item: str) -> Iterator[tuple[tuple[str, ...], bool]]:
    """Yield the item's stems, and those of the end of a path such as `A :: B :: C`."""
    words = _plain(item, whole=True)
    if 0 < len(words) <= _LONGEST:
        yield _key(words), True
        if words[0] == "the" and len(words) > 1:
            yield _key(words[1:]), True
    if "::" not in item:
        return
    segments = [_plain(part, whole=True) for part in item.split("::")]
    for tail in (segments[-1:], segments[-2:]):
        end = [word for part in tail for word in part]
        while end and end[0].isdigit() and len(end) > 1:
            end = end[1:]
        if 0 < len(end) <= _LONGEST:
            yield _key(end), False


def _key(words: Sequence[str]) -> tuple[str, ...]:
    return tuple(stem(american(word)) for word in words)


def _plain(item: str, *, whole: bool) -> list[str]:
    return plain_words(item if whole else item.rpartition("::")[2])
