"""Values of records: what a document writes, brought to a column's type and unit, and compared."""

import datetime as dt
import math
import re
import unicodedata
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Final, NamedTuple

from agent.english import currency_of, names_money
from agent.records.record import Cell
from agent.records.record_schema import Attribute, AttributeType, CellValue
from agent.units import converted, is_share, is_time, parse_unit, split_scale, value_unit
from tools.corpus.fields.literals import NUMERIC, PLACEHOLDERS, is_day_first, iso_date, parse_date
from tools.records.amounts import Amount, Unreadable, read_amount

_YES: Final = frozenset(["yes", "y", "true", "t", "1", "✓", "✔", "☑"])
_NO: Final = frozenset(["no", "n", "false", "f", "0", "✗", "✘", "☐"])
_LEAD: Final = re.compile(
    r"(?:(?:in|on|since|from|by|dated|as of|as at|the year|(?:financial|fiscal) year(?: ended)?|"
    r"year ended|circa|ca|about|around|approximately|early|mid|late|fy)(?:\b|(?<=fy)(?=\d))[\s-]*|"
    r"~\s*|c\.\s*)+",
    re.IGNORECASE,
)
_LONGEST: Final = 80
_CLOCK: Final = re.compile(
    r"(?:^|[\s,]+|(?<=\d)T)(?:at\s+)?"
    r"(?P<hour>\d{1,2})(?:[:.h](?P<minute>\d\d)(?:(?P<second>:\d\d)(?:[.,]\d+)?)?)?"
    r"\s*(?P<half>[AaPp]\.?[Mm]\.?)?\s*(?:h|Uhr|Z|[A-Z]{2,4}|[+-]\d\d:?\d\d)?$"
)
_ISO_DATE: Final = re.compile(r"-?\d{4}(?:-\d\d){0,2}")
_ISO_TIME: Final = re.compile(
    rf"{_ISO_DATE.pattern}|(?:\d{{4}}-\d\d-\d\d )?(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?"
)
_DAY: Final = len("2018-03-21")
_A_DAY: Final = 24 * 60 * 60
_HALF: Final = re.compile(r"\d\s*[ap]\.?\s?m\b", re.IGNORECASE)
_ZONE: Final = re.compile(r"(?<=\d)\s*(Z\b|[A-Z]{3,4}\b|[+-]\d\d:?\d\d)")
_ANY_DAY: Final = "2000-01-01"
_FROM: Final = re.compile(r"^(?:from|between)\s+", re.IGNORECASE)
_UNTIL: Final = re.compile(r"\s*(?:[-–—]|\b(?:to|until|till|and)\b)\s*", re.IGNORECASE)
_COMPACT: Final = re.compile(r"((?:1[5-9]|2[01])\d\d)(\d\d)(\d\d)")
_YEAR: Final = re.compile(r"[12]\d{3}")
_PART: Final = re.compile(
    r"(?:Q[1-4]|H[12]|(?:first|second|third|fourth)\s+(?:quarter|half)|spring|summer|autumn|fall|"
    r"winter|[1-4]Q)\s*(?:of\s+)?[,'/-]?\s*(?P<year>\d{4})|(?P<before>\d{4})[\s/-]*(?:Q[1-4]|H[12])",
    re.IGNORECASE,
)
_ABSENT: Final = frozenset(
    {*PLACEHOLDERS, "?", "not available", "not applicable", "not stated", "not specified",
     "not reported", "not disclosed", "not given"}
)  # fmt: skip
_ABSENT_AMOUNT: Final = _ABSENT | {"none", "unknown", "na", "tbd", "tba", "to be determined"}
_DECIMALS: Final = re.compile(r"\d[.,]\d{1,2}(?![\d.,])")
_LARGEST: Final = 2**63 - 1


class Normalised(NamedTuple):
    """A value as a column holds it."""

    value: CellValue
    unit: str | None = None
    """As written, a currency by its code; None where none is written."""


_NEAR: Final = 1e-6
_WORD: Final = re.compile(r"[^\W_]+")
_ARTICLES: Final = frozenset({"the", "a", "an"})


def read_boolean(text: str) -> bool | None:
    """Return what the whole text says, None where it says neither yes nor no."""
    low = text.strip().rstrip(".!").casefold()
    if low in _YES:
        return True
    return False if low in _NO else None


def read_date(text: str, samples: Sequence[str] = ()) -> str:
    """Return the date that the whole text states.

    A month or year without a day keeps its precision. Where day and month cannot be told apart
    (`01/02/2020`), by the samples of the column neither, only the year is certain and only the year
    is returned; so it is for quarters and seasons. Clock times and weekdays are dropped. Years of
    two digits, decades and spans of time are no dates: Unreadable.
    """
    if len(text) > _LONGEST:
        raise Unreadable(f"{text[:_LONGEST]!r}… says more than a date")
    lead = _LEAD.match(text.strip())
    bare = text.strip()[lead.end() if lead else 0 :].strip(" .,;")
    if _YEAR.fullmatch(bare):
        return bare
    if (compact := _COMPACT.fullmatch(bare)) and (day := iso_date(*map(int, compact.groups()))):
        return day
    if part := _PART.fullmatch(bare):
        return part["year"] or part["before"]
    known = (match for each in samples if (match := NUMERIC.fullmatch(each.strip())))
    date = parse_date(bare, day_first=is_day_first(known))
    numeric = NUMERIC.fullmatch(bare)
    if date is None or (numeric and not int(numeric["first"]) * int(numeric["second"])):
        what = "day" if numeric else "date with a year of four digits"
        raise Unreadable(f"{text!r} is no {what} of the calendar")
    return date


def read_time(text: str, samples: Sequence[str] = ()) -> str:
    """Return the time of day that the whole text states, its day before it; a zone is dropped."""
    bare = text.strip()
    found = _CLOCK.search(bare)
    day = ""
    if found is None or not (found["minute"] or found["half"]):
        return read_date(text, samples)
    if lead := bare[: found.start()].strip():
        date = read_date(lead, samples)
        if len(date) < _DAY:
            return date
        day = f"{date} "
    hour = int(found["hour"])
    if found["half"]:
        hour = hour % 12 + 12 * (found["half"][0] in "pP")
    clock = f"{hour:02}:{found['minute'] or '00'}{found['second'] or ''}"
    if not is_iso(clock, "time"):
        raise Unreadable(f"{text!r} is no time of day")
    return f"{day}{clock}"


def elapsed(start: str | None, end: str | None) -> int | None:
    """Return the seconds from one date or time to another of the same form; None without.

    A time without a day is on the other's. Where it would then come before a start from 13:00 on,
    and is half a day behind it at most, it is on the next day; else it tells nothing.
    """
    if start is not None and end is not None and len(start) == len(end) == _DAY:
        start, end = f"{start} 00:00", f"{end} 00:00"
    if start is None or end is None or ":" not in start or ":" not in end:
        return None
    (day, _, begun), (last, _, over) = start.rpartition(" "), end.rpartition(" ")
    first = dt.datetime.fromisoformat(f"{day or last or _ANY_DAY} {begun}")
    then = dt.datetime.fromisoformat(f"{last or day or _ANY_DAY} {over}")
    seconds = int((then - first).total_seconds())
    if seconds >= 0 or (day and last):
        return seconds
    return seconds + _A_DAY if begun >= "13" and seconds + _A_DAY <= _A_DAY / 2 else None


def is_iso(text: str, type_: AttributeType) -> bool:
    """Tell whether a text is a date, or where times are wanted a time, as a column holds it."""
    return (_ISO_TIME if type_ == "time" else _ISO_DATE).fullmatch(text) is not None


def normalise(written: str, attribute: Attribute, unit: str | None = None) -> Normalised:
    """Return the value that a text states, in the attribute's type and unit.

    Numbers: 1M, 1,000,000, 1.000.000 and `one million` are the same (`tools.records.amounts` has
    the rules for marks). Shares are fractions: `41%` is 0.41; in a column of percent a number
    without a sign is the fraction itself, and from 1 on it is refused, since 1 and 41 may be
    either. Units are converted (`agent.units`), currencies never. An attribute without a
    unit has the one that all its examples measure in, if they do; a plain number stays. Money has
    no thousandths: `1.234` is refused in a column of money, unless its examples have decimals.
    Bounds, ranges and several numbers are refused. Dates: ISO in the precision that is certain;
    day and month are told apart by the attribute's examples. Text: in Unicode's composed form,
    single spaces.

    A list's values come one by one. `unit` is the unit as written where it stands apart from the
    number, as in the heading of a column, scale included (`USD million`); one beside it goes first.

    Raises Unreadable: the text states none, or none for certain; the message says why.
    """
    text = " ".join(unicodedata.normalize("NFC", written.replace("\0", " ")).split())
    if is_absent(text, attribute):
        raise Unreadable("the text states no value")
    match attribute.type:
        case "text":
            return Normalised(text, unit)
        case "boolean":
            if (truth := read_boolean(text)) is None:
                raise Unreadable(f"{text!r} is neither yes nor no")
            return Normalised(truth)
        case "date":
            return Normalised(read_date(text, attribute.examples))
        case "time":
            return Normalised(read_time(text, attribute.examples))
        case _:
            return _number(text, attribute, unit or "")


def _number(text: str, attribute: Attribute, apart: str) -> Normalised:
    wanted = column_unit(attribute)
    whole = attribute.type == "integer" and not is_share(wanted)
    amount = _lasted(text, wanted) or read_amount(
        text, wanted=wanted or apart, whole=whole, money=not whole and _cents(attribute, apart)
    )
    unit = amount.unit or _apart(text, apart)
    value = _typed(_in_unit(amount, unit, wanted), attribute)
    return Normalised(value, currency_of(unit, wanted) or unit or None)


def _lasted(text: str, wanted: str) -> Amount | None:
    """Return how long it is from one time to another, where a length of time is wanted and told."""
    if not is_time(wanted):
        return None
    bare = _FROM.sub("", text)
    for gap in _UNTIL.finditer(bare):
        told = bare[: gap.start()], bare[gap.end() :]
        try:
            start, end = map(read_time, told)
        except Unreadable:
            continue
        if ":" in start and ":" in end:
            if len({bool(_HALF.search(each)) for each in told}) > 1:
                raise Unreadable(f"{text!r} says a.m. or p.m. of one of its ends alone")
            if all(map(_ZONE.search, told)) and len({*_ZONE.findall(" ".join(told))}) > 1:
                raise Unreadable(f"{text!r} has two time zones")
            seconds = elapsed(start, end)
            if seconds is None or seconds < 0:
                raise Unreadable(f"{text!r} ends before it begins: give the days too")
            return Amount(Decimal(seconds), "s")
    return None


def _cents(attribute: Attribute, apart: str) -> bool:
    """Tell whether a bare number is money in its own unit: no millions, and no rate."""
    scale, unit = split_scale(apart or column_unit(attribute))
    decimals = any(_DECIMALS.search(each) for each in attribute.examples)
    return scale == 1 and names_money(unit) and not decimals


def _apart(text: str, apart: str) -> str:
    """Return the unit that stands apart, without a scale that the text itself has."""
    if re.search(r"\d", text) and not re.search(r"\d\s*[^\W\d_]", text):
        return apart
    return split_scale(apart)[1]


def _in_unit(amount: Amount, unit: str, wanted: str) -> Decimal:
    if wanted and is_share(wanted) and not unit and abs(amount.number) >= 1:
        told = f"{amount.number} without % may be percent or a factor: write it with %"
        raise Unreadable(told)
    if not unit and not amount.scaled:
        return amount.number
    number = converted(amount.number, unit, wanted)
    if isinstance(number, str):
        raise Unreadable(number)
    return number


def _typed(number: Decimal, attribute: Attribute) -> float | int:
    value = float(number)
    if abs(value) > 1e300:
        raise Unreadable("larger than any number that can be held")
    if attribute.type == "number":
        return value + 0.0
    if number != number.to_integral_value():
        raise Unreadable(f"{value:.15g} is not a whole number")
    if abs(number) > _LARGEST:
        raise Unreadable("larger than any whole number that can be held")
    return int(number)


def column_unit(attribute: Attribute) -> str:
    """Return the unit that numbers are converted to: declared, or that of all examples; or none."""
    return attribute.unit or _shown(attribute.examples)


@lru_cache(maxsize=4096)
def _shown(examples: tuple[str, ...]) -> str:
    """Return the unit that every example is written in, empty where they differ or one has none."""
    try:
        units = [read_amount(" ".join(each.split())).unit for each in examples]
    except Unreadable:
        return ""
    parsed = [parse_unit(each) if each else None for each in units]
    bases = {each.bases if each else () for each in parsed}
    if len(bases) != 1 or not all(bases):
        return ""
    return currency_of(units[0]) or units[0]


def is_absent(text: str, attribute: Attribute) -> bool:
    """Tell whether a text only says that there is no value; `none` may be a text's own word."""
    low = text.casefold()
    return low in (_ABSENT if attribute.type == "text" else _ABSENT_AMOUNT)


def same_cell(left: Cell, right: Cell, attribute: Attribute) -> bool:
    """Tell whether two cells of an attribute state the same value, in whatever unit.

    Where the attribute has no unit each number is in its own: 1 kg is 1000 g, 5 EUR is not 5 JPY.
    A number without a unit may be in the other's. Whole numbers, yes and no, and dates must be
    equal, a date in its precision too; other numbers to one in a million. Text is compared by its
    words, without case, accents, punctuation and an article in front.
    """
    one, two = left.value, right.value
    if isinstance(one, str) and isinstance(two, str) and attribute.type == "text":
        return one == two or _words(one) == _words(two)
    if not isinstance(one, int | float) or not isinstance(two, int | float):
        return one == two
    unit, other = value_unit(left.unit), value_unit(right.unit)
    if unit and other and unit != other and not column_unit(attribute):
        result = converted(Decimal(repr(two)), other, unit)
        return not isinstance(result, str) and math.isclose(one, result, rel_tol=_NEAR)
    if attribute.type != "number":
        return one == two
    return math.isclose(one, two, rel_tol=_NEAR, abs_tol=1e-12)


def _words(text: str) -> list[str]:
    """Return the words of a text, folded; a text without words stands for itself."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    words = _WORD.findall("".join(each for each in plain if not unicodedata.combining(each)))
    kept = words[1:] if len(words) > 1 and words[0] in _ARTICLES else words
    return kept or [text]
