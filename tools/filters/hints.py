"""Hints from the corpus's own vocabulary, for calls whose words or values it does not have."""

from collections.abc import Iterable, Iterator
from itertools import islice

from agent.corpus_view import Field
from agent.predicates import NAME_FIELD, satisfies
from agent.question import Predicate
from tools.corpus.corpus import Corpus
from tools.corpus.words.tokenizer import words
from tools.filters.arguments import Arguments
from tools.filters.bm25 import Bm25Arguments
from tools.filters.exact import ExactArguments
from tools.filters.fuzzy import FuzzyArguments, spellings
from tools.filters.keywords import KeywordsArguments
from tools.filters.metadata import (
    MetadataArguments,
    PredicateArguments,
    canonical_field,
    field_values,
)
from tools.filters.semantic import SemanticArguments

_MOST_VALUES = 12
_MOST_NAMES = 5
_MOST_LINES = 5
_MOST_FORMS = 6


def lacking(corpus: Corpus, asked: PredicateArguments) -> Iterator[str]:
    """Yield a line for each alternative, or for the whole comparison, that no document satisfies.

    Nothing is yielded for a field that the corpus lacks: that is an error, not a hint.
    """
    field = canonical_field(corpus, asked.field)
    if field is None:
        return
    alternatives = asked.comparison in {"is", "contains"} and asked.of == "value"
    tests = [(value,) for value in asked.values] if alternatives else [asked.values]
    for values in tests:
        predicate = Predicate(field=field, comparison=asked.comparison, values=values, of=asked.of)
        if not any(satisfies(has, predicate) for has in field_values(corpus, field).values()):
            test = " ".join((asked.comparison, *map(repr, values)))
            yield f"{field!r} {test} matches no document, {_values_known(corpus, field)}"


def _values_known(corpus: Corpus, name: str) -> str:
    if name == NAME_FIELD:
        shown = ", ".join(islice(corpus.documents, _MOST_NAMES))
        return f"the documents are named like: {shown}"
    field = next(each for each in corpus.fields if each.name == name)
    return _range(corpus, field) or _values(field)


def _values(field: Field) -> str:
    shown = ", ".join(f"{value} ({count})" for value, count in field.values[:_MOST_VALUES])
    more = field.distinct - _MOST_VALUES
    return f"its values are: {shown}" + (f" and {more} more" if more > 0 else "")


def _range(corpus: Corpus, field: Field) -> str:
    """Return from where to where the field's numbers or dates go; empty for text."""
    values = corpus.field_values(field.name).values()
    if field.type == "number":
        numbers = sorted(has.number for has in values if has.number is not None)
        return f"its values go from {numbers[0]:g} to {numbers[-1]:g}" if numbers else ""
    if field.type == "date":
        dates = sorted(has.date for has in values if has.date is not None)
        return f"its values go from {dates[0]} to {dates[-1]}" if dates else ""
    return ""


def hint(corpus: Corpus, arguments: Arguments, *, kept: int) -> str:
    """Return one line on what the corpus lacks of a call and has instead; empty where nothing.

    Args:
        corpus: where the vocabulary, the fields and their values come from.
        arguments: the call's, checked.
        kept: how many chunks the call keeps; where none, there is always a hint.
    """
    told = "; ".join(islice(_lacking(corpus, arguments), _MOST_LINES))
    return told or ("" if kept else _nothing(corpus, arguments))


def _lacking(corpus: Corpus, arguments: Arguments) -> Iterator[str]:
    match arguments:
        case KeywordsArguments():
            asked = words(" ".join(arguments.entries))
            known = corpus.lexicon.inflections if arguments.stem else None
            unknown = (word for word in asked if not (known and known(word)))
            yield from _unknown(corpus, unknown)
        case ExactArguments():
            asked = words(arguments.phrase)
            parts = not arguments.whole_word
            yield from _unknown(corpus, (w for w in asked if not (parts and _inside(corpus, w))))
        case FuzzyArguments():
            near = spellings(corpus, arguments.distance)
            yield from _unknown(corpus, (w for w in words(arguments.term) if not tuple(near(w))))
        case Bm25Arguments() | SemanticArguments():
            yield from _unknown(corpus, words(arguments.query))
        case MetadataArguments():
            for predicate in arguments.predicates:
                yield from lacking(corpus, predicate)
        case _:
            return


def _unknown(corpus: Corpus, asked: Iterable[str]) -> Iterator[str]:
    """Yield a line for each word that is in no chunk, with the forms nearest to it."""
    lexicon = corpus.lexicon
    for word in dict.fromkeys(asked):
        if lexicon.frequency(word):
            continue
        forms = dict.fromkeys((*lexicon.inflections(word), *lexicon.spellings(word)))
        told = ", ".join(
            f"{form} ({lexicon.frequency(form)})" for form in islice(forms, _MOST_FORMS)
        )
        yield f"{word!r} is in no chunk" + (f", the corpus has: {told}" if told else "")


def _inside(corpus: Corpus, word: str) -> bool:
    """Tell whether the word is a part of some word form."""
    return any(word in form for form in corpus.lexical.vocabulary)


def _nothing(corpus: Corpus, arguments: Arguments) -> str:
    """Say why a call keeps nothing although the corpus has all its words."""
    match arguments:
        case ExactArguments() if len(words(arguments.phrase)) > 1:
            return "no candidate has the phrase as written; keywords finds it over line breaks"
        case KeywordsArguments(needed=needed) if needed > 1:
            each = (f"{word} ({corpus.lexicon.frequency(word)})" for word in arguments.entries)
            told = ", ".join(islice(each, _MOST_FORMS))
            return f"no candidate holds {needed} of the entries; the corpus has: {told}"
        case Bm25Arguments(min_score=float()) | SemanticArguments(min_cosine=float()):
            return "no candidate reaches that score; lower it, or ask for the best instead"
        case _:
            return "no candidate matches, though other chunks of the corpus may"
