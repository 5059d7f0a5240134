"""The metadata values of documents: items, number and date, alone and beside their field's."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, chain
from operator import attrgetter
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa

from agent.corpus_view import FieldValue
from tools.corpus.fields.literals import (
    is_placeholder,
    parse_date,
    parse_dates,
    parse_number,
    parse_numbers,
)

NAMING_KEYS = frozenset({"title", "name", "subject", "headline", "filename", "filefolder"})
"""The folded keys whose values are names, kept in one piece."""
_ITEM_WORDS = 6
_FEWEST_VALUES = 5
_LIST_PAIRS = 0.1
_SIGN = re.compile(r"[.,/-]")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)\s]*\)")
_NAME_BEFORE_MAIL = re.compile(r"\s*<[^<>]*(?:@|\bat\b)[^<>]*>")
_MAIL_BEFORE_NAME = re.compile(r"\S+@\S+\s+\(([^()]+)\)")
_COMMA = re.compile(r",(?=\s|$|[^\W\d_])")
_AND = re.compile(r"\s+(?:and|&|\+)\s+|(?<=[^\W\d_])\s*/\s*(?=[^\W\d_])")
_SUFFIX = re.compile(
    r"\s*(?:[^\W\d_]+\.|[^\W\d_]{1,3}(?:\.[^\W\d_]{1,3}){1,5}\.?"
    r"(?: (?:de )?(?:[^\W\d_]{1,3}\.){1,5})?"
    r"|(?:INC|LTD|LLC|LLP|LLLP|PLLC|PLC|PTY|PTE|CORP|Inc|Ltd|Plc|Pty|Pte|Corp|Incorporated|GmbH|"
    r"Jr|Sr|Esq))\s*"
)
"""What never is an item of its own: a legal form or title, with or without dots."""
_BULLET = re.compile(r"^\s*[-*+•]\s+")
_TRUTHS = dict.fromkeys(("true", "yes", "on"), "true") | dict.fromkeys(
    ("false", "no", "off"), "false"
)
"""What YAML takes for a boolean, and its form."""
_TOLD = ("raw", "items", "number", "date", "start", "end")
"""What a row tells of a value."""
_EXACT = 2**53


@lru_cache(maxsize=65536)
def fold(key: str) -> str:
    """Return what spellings of one key share: no case, spaces, hyphens or other marks.

    >>> fold("Python-Version") == fold("python version") == fold("PYTHON_VERSION:")
    True
    """
    return re.sub(r"[\W_]+", "", key.casefold()) or key


def field_value(
    raw: str,
    *,
    start: int | None = None,
    items: tuple[str, ...] | None = None,
    whole: bool = False,
) -> FieldValue:
    """Return a value with its items, and the number and date it states; `whole` keeps one piece."""
    if items is None:
        found = split_items(raw, whole=whole)
    else:  # a name stands for itself with an address behind it and without
        found = tuple(_NAME_BEFORE_MAIL.sub("", each) or each for each in items)
    plain = stated(raw, found)
    return FieldValue(
        raw=raw,
        items=found,
        number=parse_number(plain),
        date=parse_date(plain),
        start=start,
        end=None if start is None else start + len(raw),
    )


def quoted(text: str) -> str:
    """Return a text that a format quotes, with quotes where a boolean may be written like it.

    >>> quoted("No"), quoted("Norway")
    ('"No"', 'Norway')
    """
    low = text.casefold()
    return text if _TRUTHS.get(low, low) == low else f'"{text}"'


def stated(raw: str, items: Sequence[str]) -> str:
    """Return what of a value may be a number or a date: its only item, else all as written."""
    return items[0] if len(items) == 1 else raw


def split_items(raw: str, *, whole: bool = False) -> tuple[str, ...]:
    r"""Return the items of a value: at semicolons, else at commas, else each of its lines.

    Commas part items only where every part is short; dates and numbers with commas stay whole.

    >>> split_items("Typing, Packaging"), split_items("September 29, 2014")
    (('Typing', 'Packaging'), ('September 29, 2014',))
    >>> split_items("Ann Lee <ann@example.org>, Bob Ray <bob@example.org>")
    ('Ann Lee', 'Bob Ray')
    >>> split_items("Ann Lee <a@example.org>, Bob Ray <b@example.org>,\n  Cy Poe <c@example.org>")
    ('Ann Lee', 'Bob Ray', 'Cy Poe')
    """
    lines = [line for line in raw.split("\n") if line.strip()]
    if len(lines) > 1 and _one_item_a_line(raw, lines):
        parts = [_BULLET.sub("", line).rstrip(",; ") for line in lines]
    else:
        value = " ".join(line.strip() for line in lines)
        parts = [value] if whole else _parts(value)
    return tuple(item for item in map(_clean, parts) if item)


def _one_item_a_line(raw: str, lines: list[str]) -> bool:
    bulleted = all(_BULLET.match(line) for line in lines)
    below_key = raw.startswith("\n") and not any("," in line.rstrip(", ") for line in lines)
    return bulleted or below_key or all(line.count("@") == 1 for line in lines)


def _parts(value: str) -> list[str]:
    if "://" in value and " " not in value:
        return [value]
    bare = _MAIL_BEFORE_NAME.sub(r"\1", _NAME_BEFORE_MAIL.sub("", value)) or value
    if parse_date(bare) is not None or parse_number(bare) is not None:
        return [bare]
    if ";" in bare:
        return bare.split(";")
    parts = _joined_suffixes(_COMMA.split(bare))
    if len(parts) > 1 and all(len(part.split()) <= _ITEM_WORDS for part in parts):
        return [*parts[:-1], re.sub(r"^\s*(?:and|or|&)\s+", "", parts[-1])]
    return [bare]


def _joined_suffixes(parts: list[str]) -> list[str]:
    """Give an abbreviation back to the name before it (`Acme, Inc.`), a year to its day."""
    joined: list[str] = []
    for part in parts:
        if joined and (_SUFFIX.fullmatch(part) or _completes_date(joined[-1], part)):
            joined[-1] += "," + part
        else:
            joined.append(part)
    return joined


def _completes_date(before: str, part: str) -> bool:
    year = re.fullmatch(r"\s*\d{4}", part) is not None
    return year and parse_date(before) is None and parse_date(f"{before},{part}") is not None


def _clean(item: str) -> str:
    """Return an item without link targets, emphasis, quotes and addresses."""
    text = _LINK.sub(r"\1", item.strip())
    text = _MAIL_BEFORE_NAME.sub(r"\1", _NAME_BEFORE_MAIL.sub("", text)) or text
    text = text.strip().removesuffix("\\").strip()
    return re.sub(r"^([`*_\"']+)(.+)\1$", r"\2", text).strip()


@dataclass(frozen=True, slots=True)
class Written:
    """One value a document."""

    raws: Sequence[str]
    items: Sequence[Sequence[str]]
    placed: Sequence[bool]
    """Whether it stands in the document's text."""

    def __len__(self) -> int:
        return len(self.raws)

    @property
    def several(self) -> int:
        """How many values have more than one item."""
        return sum(len(own) > 1 for own in self.items)

    def given(self) -> "Written":
        """Return the values without those that say that there is none, such as `none`."""
        none = saying_none(self.raws)
        if not none:
            return self
        return self.at([place for place, raw in enumerate(self.raws) if raw not in none])

    def part(self, start: int, end: int) -> "Written":
        """Return the values from a start to an end, exclusive."""
        return Written(self.raws[start:end], self.items[start:end], self.placed[start:end])

    def at(self, places: Sequence[int]) -> "Written":
        """Return the values at these places."""
        return Written(
            [self.raws[place] for place in places],
            [self.items[place] for place in places],
            [self.placed[place] for place in places],
        )


def saying_none(raws: Collection[str]) -> set[str]:
    """Return those of some values that say that there is none.

    >>> sorted(saying_none(["7", "None", "n/a", "7"]))
    ['None', 'n/a']
    """
    return {raw for raw in set(raws) if is_placeholder(raw, amounts=True)}


_Reread = tuple[dict[int, float | None], dict[int, str | None], dict[int, tuple[str, ...]]]


def read_again(name: str, written: Written) -> _Reread:
    """Return numbers, dates and items of a field, by place, that no value alone tells.

    Read together are numbers with a point or comma, dates of which day and month look alike,
    values with one comma, which are a list or not (`red, blue`; `Springfield, IL`), and booleans.
    """
    if truths := _booleans(written):
        return {}, {}, truths
    raws = enumerate(zip(written.raws, written.items, strict=True))
    alone = {place: own[0] for place, (raw, own) in raws if len(own) == 1 and _SIGN.search(raw)}
    if not alone and not any("," in raw or _AND.search(raw) for raw in written.raws):
        return {}, {}, {}
    marked = [place for place, own in alone.items() if "." in own or "," in own]
    numbers = parse_numbers([alone[place] for place in marked])
    dates = parse_dates(alone.values())
    dated = {place: dates[own] for place, own in alone.items() if own in dates}
    items = {} if fold(name) in NAMING_KEYS else _lists_or_wholes(written)
    return dict(zip(marked, numbers, strict=True)), dated, items


def _booleans(written: Written) -> dict[int, tuple[str, ...]]:
    """Return values as `true` and `false` where a field holds both these and `yes` or `off`.

    One that has no other than `yes` and `no` stays as written, and so does what is quoted: `NO`
    may be a country.
    """
    given = {raw.casefold() for raw in set(written.raws) - saying_none(written.raws)}
    words = {raw for raw in given if raw.strip("\"'") == raw}
    if words.isdisjoint(_TRUTHS.values()) or any(e.strip("\"'") not in _TRUTHS for e in given):
        return {}
    told = ((place, _TRUTHS.get(raw.casefold())) for place, raw in enumerate(written.raws))
    return {place: (truth,) for place, truth in told if truth}


def _lists_or_wholes(written: Written) -> dict[int, tuple[str, ...]]:
    """Return the items of values with one comma: two where the field shows that it holds lists.

    It does where it has few values, or some of more items, or where a part of a pair stands alone
    elsewhere or on the other side of a comma. `Springfield, IL` beside its like is one item, and so
    is `Lee, Ann` where semicolons part such names elsewhere.
    `Al & Bo` are two where each of them stands alone elsewhere.
    """
    each = dict(zip(written.raws, map(tuple, written.items), strict=True)).items()
    pairs = {
        raw: pair
        for raw, own in each
        if raw.count(",") == 1 and ", ".join(pair := split_items(raw)) == raw and len(pair) == 2
        if own in {(raw,), pair}
    }
    alone = _alone(written)
    joined = {
        raw: parts
        for raw, own in each
        if own == (raw,) and len(parts := tuple(map(str.strip, _AND.split(raw)))) > 1
        if alone.issuperset(map(str.casefold, parts))
    }
    parted = any(";" in raw and any("," in item for item in own) for raw, own in each)
    lists = not parted and _are_lists(list(pairs.values()), written)
    whole = parted or (len(written) >= _FEWEST_VALUES and not lists)
    told = joined | {raw: (raw,) if whole else pair for raw, pair in pairs.items()}
    return {place: told[raw] for place, raw in enumerate(written.raws) if raw in told}


def _are_lists(pairs: Sequence[Sequence[str]], written: Written) -> bool:
    left, right = ({pair[side].casefold() for pair in pairs} for side in (0, 1))
    longer = sum(len(own) > 2 for own in written.items)
    shared = (left & right) | ((left | right) & _alone(written))
    lists = sum(not shared.isdisjoint(map(str.casefold, pair)) for pair in pairs)
    return longer + lists >= max(1, _LIST_PAIRS * len(pairs))


def _alone(written: Written) -> set[str]:
    """Return the items that some value has alone, without case."""
    return {own[0].casefold() for own in written.items if len(own) == 1}


def value_rows(documents: Sequence[Mapping[str, FieldValue]]) -> pl.DataFrame:
    """Return a row a value, with its document's index and its key as the document writes it."""
    values = [value for fields in documents for value in fields.values()]
    sizes = [len(fields) for fields in documents]
    told = {name: list(map(attrgetter(name), values)) for name in _TOLD}
    return pl.DataFrame(
        {
            "document": np.repeat(np.arange(len(documents), dtype=np.int32), sizes),
            "key": list(chain.from_iterable(documents)),
            **told,
            "items": lists_of(told["items"]),
        },
        schema={
            "document": pl.Int32,
            "key": pl.String,
            "raw": pl.String,
            "items": pl.List(pl.String),
            "number": pl.Float64,
            "date": pl.String,
            "start": pl.Int32,
            "end": pl.Int32,
        },
    )


def save_rows(rows: pl.DataFrame, place: Path) -> None:
    """Write the rows; a number beyond all bounds is none of the document's."""
    number = pl.col("number")
    bounded = rows.with_columns(pl.when(number.is_finite()).then(number))
    bounded.write_ipc(place, compression="uncompressed")


def values_of(rows: pl.DataFrame) -> list[FieldValue]:
    """Return the rows' values."""
    columns = rows.select(_TOLD)
    raws, items, *others = columns.to_dict(as_series=False).values()
    return [
        FieldValue(
            raw=raw, items=tuple(own), number=_exact(number, raw), date=date, start=start, end=end
        )
        for raw, own, number, date, start, end in zip(raws, items, *others, strict=True)
    ]


def _exact(number: float | None, raw: str) -> float | None:
    """Return a whole number with all its digits: of large ones a stored one has only the first."""
    if number is None or abs(number) < _EXACT:
        return number
    whole = int(re.sub(r"\D", "", raw)[:308] or 0)
    return number if float(whole) != abs(number) else whole if number > 0 else -whole


def lists_of(rows: Sequence[Sequence[str]]) -> pl.Series:
    """Return lists of strings as a series: Polars itself would make a series of each."""
    starts = [0, *accumulate(map(len, rows))]
    strings = pa.array(list(chain.from_iterable(rows)), pa.large_string())
    lists = pa.LargeListArray.from_arrays(pa.array(starts, pa.int64()), strings)
    return pl.Series(pl.from_arrow(lists))
