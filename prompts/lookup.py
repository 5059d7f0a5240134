"""What is looked up in a collection for one question: ranges of values, unknown words, variants."""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Final

from agent.corpus_view import CorpusView, Field
from agent.english import unaccented
from agent.question import Interpretation, atoms
from prompts.templates import one_line

_SHORTEST: Final = 3
_LEGAL: Final = frozenset(
    {
        "ab", "ag", "as", "bv", "co", "company", "corp", "corporation", "gmbh", "inc",
        "incorporated", "kg", "limited", "llc", "llp", "lp", "ltd", "nv", "oy", "plc", "pty", "sa",
        "sarl", "se", "spa", "srl",
    }
)  # fmt: skip
"""Legal forms, which a firm's name is written with or without."""
_FIELDS_SHOWN: Final = 16
_PAIRS_SHOWN: Final = 12
_LONGEST_NAME: Final = 60
_MARKUP: Final = "`*_ "
"""What text formats leave at the ends of a name: two names are not variants by it."""
_MANY: Final = 20_000
"""Fields of more different items are not searched for variants and named values."""
_VALUES_SHOWN: Final = 16
_PLACEHOLDER: Final = re.compile(r"(?:todo|tbd|tba|tbc|fixme|xxx|n/a)\b", re.IGNORECASE)
"""How what stands for a value still to come begins."""
_SHORT: Final = 2
"""A number of so few digits is no name within a value."""
_WORD: Final = re.compile(r"[^\W_]+")


def ranges(corpus: CorpusView) -> str:
    """Say how far dates and numbers go, and how many items lists have: one line a field."""
    lines = (line for field in corpus.fields if (line := _range(field, corpus)))
    return "\n".join(islice(lines, _FIELDS_SHOWN)) or "(no field holds dates, numbers or lists)"


def _range(field: Field, corpus: CorpusView) -> str:
    values = corpus.field_values(field.name).values()
    name = one_line(field.name)
    if field.type == "date":
        dates = sorted(value.date for value in values if value.date)
        return f"- {name}: {_spread(dates)}" if dates else ""
    if field.type == "number":
        numbers = sorted(value.number for value in values if value.number is not None)
        return f"- {name}: {_spread([f'{number:g}' for number in numbers])}" if numbers else ""
    if field.type == "list":
        sizes = sorted(len(value.items) for value in values)
        told = [str(size) for size in sizes]
        return f"- items of {name} in a document: {_spread(told)}" if told else ""
    return ""


def _spread(ordered: Sequence[str]) -> str:
    """Say the ends and the middle of values in order.

    >>> _spread(["1", "2", "3", "7", "9"])
    '1 to 9; a quarter up to 2, half up to 3, nine in ten up to 9'
    """
    last = len(ordered) - 1
    quarter, half, most = (ordered[round(share * last)] for share in (0.25, 0.5, 0.9))
    return (
        f"{ordered[0]} to {ordered[-1]}; a quarter up to {quarter}, half up to {half}, "
        f"nine in ten up to {most}"
    )


def looked_up(question: str, reading: Interpretation, corpus: CorpusView) -> str:
    """Say which words of a question the collection lacks, and which names it writes in two ways."""
    unknown = ", ".join(unknown_words(question, corpus))
    lines = [f"- words of the question that no passage and no field has: {unknown or 'none'}"]
    pairs = list(_variants(question, reading, corpus))[:_PAIRS_SHOWN]
    lines.append(f"- names that may be spellings of one: {'; '.join(pairs) or 'none found'}")
    return "\n".join(lines)


def unknown_words(question: str, corpus: CorpusView) -> tuple[str, ...]:
    """Return the words that no passage, field or document's name has, in any inflection."""
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


def _variants(question: str, reading: Interpretation, corpus: CorpusView) -> Iterator[str]:
    """Yield pairs of alike names in a field of the interpretation, the named ones first.

    Names in other fields make no difference to it.
    """
    low = question.casefold()
    used = {reading.entity_field, reading.group_by, *reading.show}
    used |= {each.predicate.field for each in atoms(reading.conditions) if each.predicate}
    found = [
        (field.name, *pair)
        for field in corpus.fields
        if field.name in used and field.type in {"text", "list"} and field.distinct <= _MANY
        for pair in variant_pairs(_items(field, corpus))
    ]
    found.sort(key=lambda each: not any(name.casefold() in low for name in each[1:]))
    for name, one, other in found:
        told = f"{one_line(one, _LONGEST_NAME)} / {one_line(other, _LONGEST_NAME)}"
        yield f"{told} ({one_line(name)})"


def asked_words(question: str, corpus: CorpusView) -> frozenset[str]:
    """Return the question's words in lower case, with their inflections in the corpus."""
    asked: set[str] = set()
    for word in _WORD.findall(question.casefold()):
        asked |= {word, word.removesuffix("s"), *corpus.lexicon.inflections(word)}
    return frozenset(asked)


def _items(field: Field, corpus: CorpusView) -> Iterator[str]:
    for value in corpus.field_values(field.name).values():
        yield from _names(value.items)


def _names(items: Sequence[str]) -> Iterator[str]:
    for item in items:
        if len(item) <= _LONGEST_NAME:
            yield item.strip(_MARKUP)


def variant_pairs(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return pairs of names that may mean the same, each pair once, in order.

    >>> variant_pairs(["Acme Inc.", "Jo Lee", "ACME", "Jo Ann Lee"])
    [('Acme Inc.', 'ACME'), ('Jo Lee', 'Jo Ann Lee')]
    """
    blocks: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for name in dict.fromkeys(names):
        if parts := _parts(name):
            blocks[parts[0][0], parts[-1]].append(name)
    return [
        (one, other)
        for group in blocks.values()
        for at, one in enumerate(group)
        for other in group[at + 1 :]
        if one.casefold() != other.casefold() and _same(_parts(one), _parts(other))
    ]


@lru_cache(maxsize=65536)
def _parts(name: str) -> tuple[str, ...]:
    """Return the words of a name without accents, case, marks, articles and legal forms."""
    plain = unicodedata.normalize("NFKD", name.replace("&", " and "))
    letters = "".join(each for each in plain if not unicodedata.combining(each)).casefold()
    letters = re.sub(r"(?<=\b\w)\.(?=\w\b)", "", letters)
    words = re.findall(r"[^\W_]+", re.sub(r"['’]", "", letters))
    while len(words) > 1 and words[-1] in _LEGAL:
        words.pop()
    return tuple(words[1:] if words[:1] == ["the"] and len(words) > 1 else words)


def _same(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether two names are one but for marks, or agree in first and last name.

    No middle name may contradict; an initial stands for any name that begins with it.
    """
    if one == other:
        return bool(one)
    short, long = sorted((one, other), key=len)
    if len(short) < 2 or any(any(map(str.isdigit, part)) for part in (*one, *other)):
        return False
    if short[-1] != long[-1] or not _begins(short[0], long[0]):
        return False
    if len(short[0]) == len(long[0]) == 1:
        return False
    return all(any(_begins(part, each) for each in long[1:-1]) for part in short[1:-1])


def _begins(one: str, other: str) -> bool:
    """Tell whether two given names agree: alike, or one of them is the other's initial."""
    return one == other or (min(len(one), len(other)) == 1 and one[0] == other[0])


def named_values(question: str, corpus: CorpusView) -> str:
    """Say which values of fields a question names: all of their words, or a name within them."""
    words = [each.group() for each in _WORD.finditer(question)]
    low = f" {' '.join(words).casefold()} "
    names = {
        each.casefold()
        for each in words[1:]
        if not (each[0].islower() or (each.isdigit() and len(each) <= _SHORT))
    }
    whole: list[str] = []
    partly: list[str] = []
    for field, item in _written(corpus):
        parts = [each.casefold() for each in _WORD.findall(item)]
        told = f"{one_line(item, _LONGEST_NAME)} ({one_line(field)})"
        if parts and f" {' '.join(parts)} " in low:
            whole.append(told)
        elif not names.isdisjoint(parts):
            partly.append(told)
    return "; ".join((*whole, *partly)[:_VALUES_SHOWN]) or "none found"


def _written(corpus: CorpusView) -> Iterator[tuple[str, str]]:
    """Yield each value of a text field once, with the field; the files' own names are none."""
    files = {name.rpartition("/")[2] for name in corpus.documents}
    for field in corpus.fields:
        if field.type in {"text", "list"} and field.distinct <= _MANY:
            for item in sorted({*_names(corpus.field_items(field.name))}):
                if item.rpartition(".")[0] not in files and not _PLACEHOLDER.match(item):
                    yield field.name, item
