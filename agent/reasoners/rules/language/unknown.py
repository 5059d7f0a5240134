"""Words of a question that its collection does not have at all."""

import re
from collections.abc import Iterator
from typing import Final

from agent.corpus_view import CorpusView
from agent.english import unaccented

__all__ = ("unknown_words",)

_SHORTEST: Final = 3


def unknown_words(question: str, corpus: CorpusView) -> tuple[str, ...]:
    """Return the words that no passage, field or document's name has, in any inflection.

    Accents do not matter. Numbers and words of fewer than three letters are left out.
    """
    words = dict.fromkeys(re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", question))
    named = set(_in_names(corpus))
    return tuple(
        word
        for word in words
        if len(word) >= _SHORTEST
        and named.isdisjoint({_plain(word), _plain(word).removesuffix("s")})
        and not _stands(word, corpus)
    )


def _stands(word: str, corpus: CorpusView) -> bool:
    low = re.sub(r"['’]s?$", "", word.casefold())
    if corpus.lexicon.frequency(low) or corpus.lexicon.inflections(low):
        return True
    if any(_plain(each) == _plain(low) for each in corpus.lexicon.spellings(low)):
        return True
    return "'" in low or "’" in low


def _in_names(corpus: CorpusView) -> Iterator[str]:
    for field in corpus.fields:
        yield from _words(field.name)
        for item, _ in field.values:
            yield from _words(item)
    for document in corpus.documents:
        yield from _words(document)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", _plain(text))


def _plain(text: str) -> str:
    return unaccented(text.casefold())
