"""Metadata predicates decided by code: one field's value against one comparison."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from operator import ge, gt, le, lt
from typing import Any, Final, TypeVar

from agent.corpus_view import CorpusView, Field, FieldValue
from agent.english import unaccented
from agent.question import Comparison, Predicate

NAME_FIELD: Final = "document name"
"""The pseudo-field that every document has: its name, and the number in it."""
TITLE_FIELD: Final = "document title"
"""The pseudo-field of a document's title."""
PSEUDO_FIELDS: Final = (NAME_FIELD, TITLE_FIELD)
"""What every document has without stating it; a condition may compare it as any field."""
FILE_FACTS: Final = frozenset({"file name", "file size", "file type"})
"""Fields that say something of a document's file, not of what it states."""

K = TypeVar("K", float, str, tuple[int, ...])

_TOKEN = re.compile(
    r"(?:(?<!\S)-(?=\d)|[<>≤≥~≈±])?[^\W_]+(?:\.\d+)*(?:[+#]+|(?<=\b[^\W\d_])-(?![^\W_]))?|[$£€¥₹]"
)
_NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?")
_LARGEST = 1e300
_OPEN = re.compile(r"[-+]?[1-9]\d{0,2}\.\d{3}")
"""What may have decimals or thousands: it is a number only where its field's values tell which."""
_DATE = re.compile(r"\d{4}(?:-\d{2}){0,2}")
_NAMED = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_NOTHING = frozenset({"none", "n/a", "nil", "null", "-", "–", "—", "[]", "{}"})
"""What a form has where there is nothing to state."""
_ELSEWHERE = re.compile(
    r"(?:.*\W)?see \w+(?: \w+){0,3}|as (?:above|before|per .+)|ditto|to be \w+|tb[acd]|\?+|"
    r"unknown|unclear|not (?:yet )?known"
)
"""A value that is not told here, or not yet."""
_REST: Final = {4: "-12-31", 7: "-31"}
"""What makes the last day of a year or month of it, by the length of its name."""
_PADDED = re.compile(r"0\d+")
"""A code, not a number: what is counted or measured has no zeros before it."""
_TYPES = frozenset({"type", "kind", "document", "doc", "record", "file", "paper", "report"})
"""Words of the names of fields that say what a document is."""
_ORDER: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "at_least": ge, "at_most": le, "more_than": gt, "less_than": lt,
}  # fmt: skip
_VERSIONED = frozenset({"version", "versions", "release", "releases"})
_VERSION = re.compile(r"(?<![\w.])v?(\d+(?:\.\d+)+)(?![\w.])", re.IGNORECASE)


def name_value(name: str) -> FieldValue:
    """Return the value of `NAME_FIELD` for a document.

    The number is the first one that stands alone in the last part of the name, else the first
    digits in it: `pep-0484` is 484, `rfc7231` is 7231, `notes/2019/memo` has none.

    >>> name_value("rfcs/0019-opt-in").number
    19
    """
    last = name.rpartition("/")[2]
    found = re.search(r"(?<![^\W_])\d+(?![^\W_])", last) or re.search(r"\d+", last)
    number = _number(found.group()) if found else None
    return FieldValue(raw=name, items=(name, last) if last != name else (name,), number=number)


def field_number(value: FieldValue, field: str = "") -> float | None:
    """Return the value as a number: as typed, else where it is nothing but one number.

    A version is none: 3.10 comes behind 3.9. That the field holds versions its name says. `1.200`
    that was not typed is none either: its point may part thousands.

    >>> written = FieldValue(raw="3.10", items=("3.10",), number=3.1)
    >>> field_number(written, "Rent"), field_number(written, "Python-Version")
    (3.1, None)
    """
    if _is_version(value, field):
        return None
    if value.number is not None:
        return value.number
    alone = len(value.items) == 1 and not _is_open(value)
    return _number(value.items[0]) if alone else None


def _is_open(value: FieldValue) -> bool:
    """Tell whether a value may have decimals or thousands."""
    return any(_OPEN.fullmatch(item.strip()) for item in value.items)


def satisfies(value: FieldValue | None, predicate: Predicate) -> bool:
    """Tell whether a document's value of the predicate's field satisfies it.

    What `decide` leaves open does not satisfy, except that a missing list has no items: it
    satisfies a comparison of length as an empty one.
    """
    if predicate.of == "length" and value is None:
        return _numeric(0.0, predicate)
    return decide(value, predicate) is True


def decide(value: FieldValue | None, predicate: Predicate) -> bool | None:
    """Tell whether a value satisfies the predicate; None where it is missing or says nothing of it.

    Only `exists` is decided by a missing value, to which `none` and `n/a` are equal. Text is
    compared by its words, without case, accents and punctuation. A year in a limit is the whole of
    it: `more_than 2001` begins with 2002. A date that states no more than a year tells nothing of a
    limit within it; nor does what is no number, date or version, such as `see annex`, of any limit.
    """
    if predicate.comparison == "exists":
        there = _present(value) and value is not None and not says_nothing(value.raw)
        return there != ("false" in {each.casefold() for each in predicate.values})
    if value is None or not _present(value):
        return None
    if predicate.of == "length":
        return _numeric(float(sum(bool(item.strip()) for item in value.items)), predicate)
    if predicate.comparison in {"is", "contains"}:
        field, how = predicate.field, predicate.comparison
        told = {_matches(value, wanted, field, how) for wanted in predicate.values}
        open_ = None in told or _ELSEWHERE.fullmatch(value.raw.strip().casefold())
        return True if True in told else None if open_ else False
    if predicate.comparison == "has_all":
        held = (_matches(value, wanted, predicate.field, "is") for wanted in predicate.values)
        return bool(predicate.values) and all(held)
    return _compared(value, predicate)


def satisfying(corpus: CorpusView, predicate: Predicate) -> frozenset[int]:
    """Return the documents whose field satisfies the predicate."""
    values = field_values(corpus, predicate.field)
    documents = range(len(corpus.documents))
    return frozenset(each for each in documents if satisfies(values.get(each), predicate))


def field_values(corpus: CorpusView, field: str) -> Mapping[int, FieldValue]:
    """Return a field's values by document; a pseudo-field has one for each."""
    if field == NAME_FIELD:
        return {number: name_value(name) for number, name in enumerate(corpus.documents)}
    if field == TITLE_FIELD:
        return {
            number: FieldValue(raw=title, items=(title,))
            for number, title in enumerate(corpus.titles)
        }
    return corpus.field_values(field)


def could_state(corpus: CorpusView, field: str, documents: Collection[int]) -> frozenset[int]:
    """Return those of some documents without a field that are like the ones which state it.

    A document is where it lies beside one of them and has no field of its own or half of its fields
    in common with them, or where it has half of theirs too. A letter beside leases is none that
    lacks a rent; a lease without one is. The type of document is what any of them could state; so
    is, of texts without fields, what fewer documents state than there are of these.
    """
    stating, asked = set(corpus.field_values(field)), set(documents)
    if is_document_type(field):
        return frozenset(asked)
    places = {_place(corpus.documents[number]) for number in stating}
    own, common, typical = Counter[int](), Counter[int](), 0
    for each in stated_fields(corpus):
        if each.name == field:
            continue
        having = set(corpus.field_values(each.name))  # `&` would go through all that are asked
        own.update(having & asked)
        if 2 * len(having & stating) >= len(stating):
            typical += 1
            common.update(having & asked)
    prose = {number for number in asked if not own[number]}
    outnumbered = len(prose) > len(stating)
    return frozenset(
        number
        for number in asked
        if 2 * common[number] >= own[number]
        and (
            (outnumbered and number in prose)
            or _place(corpus.documents[number]) in places
            or (own[number] and 2 * common[number] >= typical)
        )
    )


@lru_cache(maxsize=2)
def stated_fields(corpus: CorpusView) -> tuple[Field, ...]:
    """Return the fields that documents state: in their texts, or in another cell of their row.

    The others are facts of files, and what their formats know of them.
    """
    rows = {at for at, name in enumerate(corpus.documents) if "#" in name}
    return tuple(
        each
        for each in corpus.fields
        if each.written
        or not (
            each.name in {*FILE_FACTS, "file folder"}
            or rows.isdisjoint(corpus.field_values(each.name))
        )
    )


def is_document_type(field: str) -> bool:
    """Tell whether a field says what a document is, and not of what sort its content is.

    >>> is_document_type("Record type"), is_document_type("kind"), is_document_type("Visit type")
    (True, True, False)
    """
    return set(_NAMED.findall(field.casefold())) <= _TYPES


def _place(document: str) -> str:
    """Return where a document lies: its folder; of a row of a table, the table."""
    table, row, _ = document.partition("#")
    return table if row else document.rpartition("/")[0]


def says_nothing(written: str) -> bool:
    """Tell whether a value only says that there is none: `none`, `n/a`, a dash."""
    return written.strip().casefold() in _NOTHING


def _present(value: FieldValue | None) -> bool:
    return value is not None and any(item.strip() for item in (*value.items, value.raw))


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(unaccented(text.casefold()))


def _matches(value: FieldValue, wanted: str, field: str, comparison: Comparison) -> bool | None:
    if value.date is not None and _DATE.fullmatch(wanted):
        return _dates(value.date, comparison, (wanted,))
    code = _PADDED.fullmatch(value.raw.strip()) or _PADDED.fullmatch(wanted.strip())
    number = None if code or _is_version(value, field) else value.number
    if number is not None and number == _number(wanted):
        return True
    words = _tokens(wanted)
    written = (*value.items, value.raw)
    if comparison == "is":
        return any(_tokens(item) == words for item in written)
    return any(_within(words, _tokens(item)) for item in written)


def _within(words: Sequence[str], text: Sequence[str]) -> bool:
    size = len(words)
    return size > 0 and any(
        list(text[start : start + size]) == list(words) for start in range(len(text) - size + 1)
    )


def _compared(value: FieldValue, predicate: Predicate) -> bool | None:
    bounds = predicate.values
    if value.date is not None and bounds and all(_DATE.fullmatch(bound) for bound in bounds):
        return _dates(value.date, predicate.comparison, bounds)
    number = field_number(value, predicate.field)
    if number is not None and all(_number(bound) is not None for bound in bounds):
        return _numeric(number, predicate)
    if number is None and _is_open(value) and not _is_version(value, predicate.field):
        return None
    wanted = [_version(bound) for bound in bounds]
    found = [version for item in value.items if (version := _version(item))]
    if not found or not all(wanted):
        return None
    return any(_ordered(each, predicate.comparison, wanted) for each in found)


def _dates(date: str, comparison: Comparison, bounds: Sequence[str]) -> bool | None:
    """Tell whether a date satisfies a comparison; None where some of the days it may be do."""
    first, last = f"{date}-01-01"[:10], date + _REST.get(len(date), "")
    begin, end = f"{bounds[0]}-01-01"[:10], bounds[-1] + _REST.get(len(bounds[-1]), "")
    match comparison:
        case "at_least":
            yes, no = first >= begin, last < begin
        case "more_than":
            yes, no = first > end, last <= end
        case "at_most":
            yes, no = last <= end, first > end
        case "less_than":
            yes, no = last < begin, first >= begin
        case _:
            yes, no = begin <= first and last <= end, last < begin or end < first
    return None if yes == no else yes


def _numeric(number: float, predicate: Predicate) -> bool:
    bounds = [bound for each in predicate.values if (bound := _number(each)) is not None]
    return bool(bounds) and _ordered(number, predicate.comparison, bounds)


def _ordered(found: K, comparison: Comparison, bounds: Sequence[K]) -> bool:
    if comparison == "between":
        return len(bounds) == 2 and bounds[0] <= found <= bounds[1]
    how = _ORDER.get(comparison)
    return found in bounds if how is None else bool(how(found, bounds[0]))


def _number(text: str) -> float | None:
    stripped = text.strip()
    if not _NUMBER.fullmatch(stripped):
        return None
    digits = stripped.replace(",", "")
    return int(digits) if "." not in digits and abs(float(digits)) < _LARGEST else float(digits)


def _is_version(value: FieldValue, field: str) -> bool:
    named = any(word.lower() in _VERSIONED for word in _NAMED.findall(field))
    return named and len(_version(value.raw)) > 1


def _version(text: str) -> tuple[int, ...]:
    found = _VERSION.findall(text)
    whole = re.fullmatch(r"[^\d<>≤≥~≈±]{0,3}(\d+)", text.strip())
    if len(found) != 1:
        return (int(whole.group(1)),) if whole and not found else ()
    return tuple(int(part) for part in found[0].split("."))
