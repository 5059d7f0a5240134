"""What is looked up in a collection for one question: ranges of values, unknown words, variants."""

from collections.abc import Iterator, Sequence
from typing import Final

from agent.corpus import CorpusView, Field
from agent.unknown import unknown_words
from agent.variants import variant_pairs
from prompts.plain_text import one_line

__all__ = ("looked_up", "ranges")

_FIELDS_SHOWN: Final = 16
_PAIRS_SHOWN: Final = 12
_LONGEST_NAME: Final = 60
_MARKUP: Final = "`*_ "
"""What text formats leave at the ends of a name: two names are not variants by it."""
_MANY: Final = 20_000
"""Fields of more different items are not searched for variants."""


def ranges(corpus: CorpusView) -> str:
    """Say how far dates and numbers go, and how many items lists have: one line a field."""
    lines = [line for field in corpus.fields if (line := _range(field, corpus))]
    return "\n".join(lines[:_FIELDS_SHOWN]) or "(no field holds dates, numbers or lists)"


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


def looked_up(question: str, corpus: CorpusView) -> str:
    """Say which words of a question the collection lacks, and which names it writes in two ways."""
    unknown = ", ".join(unknown_words(question, corpus))
    lines = [f"- words of the question that no passage and no field has: {unknown or 'none'}"]
    pairs = list(_variants(question, corpus))[:_PAIRS_SHOWN]
    lines.append(f"- names that may be spellings of one: {'; '.join(pairs) or 'none found'}")
    return "\n".join(lines)


def _variants(question: str, corpus: CorpusView) -> Iterator[str]:
    """Yield pairs of alike names in one field, those that the question names first."""
    low = question.casefold()
    found = [
        (field.name, *pair)
        for field in corpus.fields
        if field.type in {"text", "list"} and field.distinct <= _MANY
        for pair in variant_pairs(_items(field, corpus))
    ]
    found.sort(key=lambda each: not any(name.casefold() in low for name in each[1:]))
    for name, one, other in found:
        told = f"{one_line(one, _LONGEST_NAME)} / {one_line(other, _LONGEST_NAME)}"
        yield f"{told} ({one_line(name)})"


def _items(field: Field, corpus: CorpusView) -> Iterator[str]:
    for value in corpus.field_values(field.name).values():
        for item in value.items:
            if len(item) <= _LONGEST_NAME:
                yield item.strip(_MARKUP)
