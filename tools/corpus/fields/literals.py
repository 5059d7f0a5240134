"""Numbers and dates as people write them: currencies, units, thousands, many forms of a day."""

import datetime as dt
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, Literal, TypeVar

from agent.corpus_view import FieldType
from agent.english import MONTHS, is_code

PLACEHOLDERS: Final = frozenset({"", "n/a", "n.a.", "null", "nan", "-", "--", "—", "–"})
"""What stands where there is no value, without case; no word that could be a value itself."""

Mark = Literal[".", ","]
"""A mark in a number's digits, which parts thousands or begins the decimals."""

_SHARE: Final = 0.9
_TYPED_SHARE: Final = 0.9
_TOLD_SHARE: Final = 0.75
_LIST_SHARE: Final = 0.2
_UNITS_A_FIELD: Final = 3
_LETTERS = re.compile(r"[A-Za-z%°]+")
_DIGIT = re.compile(r"\d")
_T = TypeVar("_T")
_ENGLISH = re.compile(r"[1-9]\d{0,2}(?:,\d{2,3})*,\d{3}(?:\.\d+)?|\d+(?:\.\d+)?")
_CONTINENTAL = re.compile(r"[1-9]\d{0,2}(?:(?:\.\d{3})+,\d+|(?:\.\d{3}){2,})|\d+,\d+")
_SPACED = re.compile(r"\d{1,3}(?:[ '\u00a0\u202f]\d{3})+(?:[.,]\d+)?")
_PADDED = re.compile(r"0\d")
_OPEN = re.compile(r"[1-9]\d{0,2}[.,]\d{3}")
"""One mark before exactly three digits, which may be thousands or decimals."""
_SIGN = "[$€£¥₹₽₩₺₴₪₫฿₱₦₸]"
_CURRENCY = rf"(?:[A-Z]{{1,3}})?{_SIGN}|[A-Z]{{3}}"
_TWO_WORDS = r"(?:sq|square|cubic|business|working|calendar|nautical|metric)\.?\ [^\W\d_]{1,10}+"
_NUMBER = re.compile(
    rf"""
    (?P<open>\()? \s* (?P<sign>[-+−])? \s* (?P<money>{_CURRENCY})? \s* (?P<minus>[-−])?
    (?P<digits>\d++(?:[.,'\u00a0\u202f ]\d++)*+) (?P<power>[eE][-+]?\d{{1,3}})?
    (?P<blank>\s*) (?P<scale>(?:thousand|million|billion|trillion|mn|bn|k|K|M|B|(?(money)m|K))\b)?
    \s* (?P<unit>%|{_SIGN}|{_TWO_WORDS}|[^\W\d_][\w/.²³°-]{{0,14}}+|[A-Z]{{2,3}}\ [a-z]{{3,9}})?
    \s* (?P<each>(?:/|(?:per|a|an)\ )\s*[^\W\d_]{{1,10}}+|p\.\ ?a\.)? \s* (?P<close>\))?
    """,
    re.VERBOSE,
)
"""What is possessive is followed by nothing that it could give back."""
_SCALES = {
    "thousand": 1e3, "k": 1e3, "million": 1e6, "mn": 1e6, "m": 1e6,
    "billion": 1e9, "bn": 1e9, "b": 1e9, "trillion": 1e12,
}  # fmt: skip
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_MONTH = r"(?P<month>[A-Za-z]{3,9})\.?"
_YEAR = r"(?P<year>\d{4})"
_DATES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"{_YEAR}(?:[-/](?P<number>\d{{1,2}}))?",
        rf"{_YEAR}([-/.])(?P<number>\d{{1,2}})\2{_DAY}",
        rf"(?:the\s+)?{_DAY}[\s.-]*(?:day\s+)?(?:of\s+)?{_MONTH}[\s,-]*{_YEAR}",
        rf"{_MONTH}\s*{_DAY}\s*,?\s*{_YEAR}",
        rf"{_MONTH}[\s,-]*{_YEAR}",
        rf"(?P<number>\d{{1,2}})[/-]{_YEAR}",
        rf"(?P<number>\d\d)\.(?=19|20){_YEAR}",
    )
)
NUMERIC = re.compile(r"(?P<first>\d{1,2})([./-])(?P<second>\d{1,2})\2(?P<year>\d{4})")
_CLOCK = re.compile(
    r"[\sT,]+(?:at\s+)?\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?\s*(?:[AaPp]\.?[Mm]\.?)?"
    r"\s*(?:Z|[A-Z]{2,4}|[+-]\d{2}:?\d{2})?(?:\s*\([A-Z]{2,5}\))?$"
)
_WEEKDAY = re.compile(r"^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*\.?,?\s+", re.IGNORECASE)


def plain(digits: str, decimal: Mark | None = None) -> str | None:
    """Return the digits with a decimal point and no grouping; None if they are no number.

    `decimal` begins the decimals where the digits do not tell; the point by default.

    >>> plain("1.234,5"), plain("1.200"), plain("1.200", ","), plain("1,200", ",")
    ('1234.5', '1.200', '1200', '1.200')
    """
    if _PADDED.match(digits):
        return None
    if decimal == "," and _OPEN.fullmatch(digits):
        return digits.replace(".", "").replace(",", ".")
    if _ENGLISH.fullmatch(digits):
        return digits.replace(",", "")
    if _CONTINENTAL.fullmatch(digits):
        return digits.replace(".", "").replace(",", ".")
    if _SPACED.fullmatch(digits):
        return re.sub(r"[ '\u00a0\u202f]", "", digits).replace(",", ".")
    return None


def shared_mark(written: Mapping[str, int]) -> tuple[Mark | None, bool]:
    """Return what begins the decimals in digits of one origin, and whether none contradicts.

    The mark is what nine in ten of those tell that tell any; None where none tells or they differ.

    >>> shared_mark({"1.200": 2, "2.350,50": 1}), shared_mark({"1.200": 1, "950": 1})
    ((',', True), (None, True))
    """
    told: Counter[Mark] = Counter()
    for digits, count in written.items():
        if (mark := _decimal_mark(digits)) is not None:
            told[mark] += count
    for mark, count in told.most_common(1):
        if count >= _SHARE * told.total():
            return mark, True
    return None, not told


def is_open(digits: str, *, agreed: bool) -> bool:
    """Tell whether digits need a mark that is not known; a comma parts thousands if `agreed`."""
    if digits.isdecimal():
        return False
    return _OPEN.fullmatch(digits) is not None and not (agreed and "," in digits)


def _decimal_mark(digits: str) -> Mark | None:
    """Return what begins the decimals as the digits alone tell."""
    if digits.isdecimal():
        return None
    marks = re.sub(r"[^.,]", "", digits)
    if not marks or _OPEN.fullmatch(digits) or plain(digits) is None:
        return None
    grouped = len(marks) > 1 and len(set(marks)) == 1
    last: Mark = "." if marks[-1] == "." else ","
    return ("," if last == "." else ".") if grouped else last


def parse_number(text: str) -> float | None:
    """Return the number the whole text states, or None.

    A currency, a unit (`min`, `sq ft`, `EUR per month`), a scale word and accountants' brackets are
    understood; a code with leading zeros, a version such as `3.5.1` and a range are not numbers. A
    lone letter behind a blank is a scale only with a currency, else a unit: `300 K` may be kelvin.

    >>> parse_number("1,234.5 USD"), parse_number("(2 million)"), parse_number("0042")
    (1234.5, -2000000.0, None)
    >>> parse_number("EUR 5"), parse_number("INC-101")
    (5.0, None)
    >>> parse_number("300 K"), parse_number("$300 K")
    (300.0, 300000.0)
    """
    match = _matched(text)
    return None if match is None else _number(match, None)


def _number(match: re.Match[str], decimal: Mark | None) -> float | None:
    digits = plain(match["digits"], None if _is_thousands(match) else decimal)
    if digits is None:
        return None
    value = float(digits + (match["power"] or "")) * _scale(match)
    negative = match["open"] or (match["sign"] or match["minus"] or "+") != "+"
    return -value if negative else value


def _is_thousands(match: re.Match[str]) -> bool:
    """Tell whether a comma parts thousands: no money but a price for a litre has three decimals."""
    money = match["money"] or re.fullmatch(_CURRENCY, match["unit"] or "")
    return bool(money and not match["each"] and re.fullmatch(r"\d{1,3},\d{3}", match["digits"]))


def parse_numbers(texts: Sequence[str]) -> list[float | None]:
    """Return the numbers that the values of one field state, all read by one convention.

    What the digits of one value do not tell, others of the field do. Where none tells whether a
    point parts thousands (`1.200` alone), or they disagree, such a value is no number.

    >>> parse_numbers(["1.200 €", "2.350,50 €"]), parse_numbers(["1.200", "0.5"])
    ([1200.0, 2350.5], [1.2, 0.5])
    >>> parse_numbers(["1.200 €", "950 €"]), parse_numbers(["1,200", "950"])
    ([None, 950.0], [1200.0, 950.0])
    >>> parse_numbers(["EUR 18.500,00", "£9,750"])
    [18500.0, 9750.0]
    """
    counts = Counter(texts)
    matches = {text: match for text in counts if (match := _matched(text)) is not None}
    numbers = _numbers(matches, counts)
    return [numbers.get(text) for text in texts]


def _numbers(
    matches: Mapping[str, re.Match[str]], counts: Mapping[str, int]
) -> dict[str, float | None]:
    """Return the number of each text of one field, by one convention; `counts` is of its values."""
    written = {text: _telling(match) for text, match in matches.items()}
    digits: Counter[str] = Counter()
    for text, own in written.items():
        digits[own] += counts[text]
    decimal, agreed = shared_mark(digits)
    return {
        text: None
        if not decimal and is_open(written[text], agreed=agreed)
        else _number(match, decimal)
        for text, match in matches.items()
    }


def _matched(text: str) -> re.Match[str] | None:
    match = _NUMBER.fullmatch(text.strip())
    if match is None or (match["open"] is None) != (match["close"] is None):
        return None
    coded = (match["money"] or "").isalpha()
    return None if coded and not is_code(match["money"]) else match


def _scale(match: re.Match[str]) -> float:
    letter = (match["scale"] or "").lower()
    if not letter:
        return 1
    money = match["money"] or re.fullmatch(_CURRENCY, match["unit"] or "")
    return 1 if len(letter) == 1 and match["blank"] and not money else _SCALES.get(letter, 1)


def _telling(match: re.Match[str]) -> str:
    """Return the digits; in `1.234 million` and `1.234e6` a lone point begins decimals."""
    scaled = (match["power"] or _scale(match) != 1) and match["digits"].count(".") == 1
    return match["digits"] + "0" * bool(scaled)


def parse_date(text: str, *, day_first: bool | None = None) -> str | None:
    """Return the date the whole text states as ISO, as precise as it is written, or None.

    A clock time and a weekday are dropped. Dots mean that the day comes first. Where day and month
    cannot be told apart (`03/04/2014`) and `day_first` does not tell, only the year is certain and
    only the year is returned.

    >>> parse_date("29-Sep-2014"), parse_date("Sept. 2014"), parse_date("03/04/2014")
    ('2014-09-29', '2014-09', '2014')
    >>> parse_date("03/04/2014", day_first=True)
    '2014-04-03'
    """
    bare = _WEEKDAY.sub("", _CLOCK.sub("", text.strip()))
    for pattern in _DATES:
        if match := pattern.fullmatch(bare):
            return _named_date(match.groupdict())
    match = NUMERIC.fullmatch(bare)
    return _numeric_date(match, day_first=day_first) if match else None


def parse_dates(texts: Collection[str]) -> dict[str, str | None]:
    """Return the dates that values of one field state whose day and month look alike.

    Others of the field tell which comes first; where none does, or they differ, only the year is
    certain.

    >>> parse_dates(["03/04/2014", "25/12/2013"]), parse_dates(["03/04/2014", "2013-12-25"])
    ({'03/04/2014': '2014-04-03', '25/12/2013': '2013-12-25'}, {'03/04/2014': '2014'})
    """
    each = dict.fromkeys(texts)
    matches = {text: match for text in each if (match := NUMERIC.search(text)) is not None}
    order = is_day_first(match for match in matches.values() if match[2] != ".")
    return {text: parse_date(text, day_first=order) for text in matches}


def is_day_first(dates: Iterable[re.Match[str]]) -> bool | None:
    """Return whether the day comes first in dates that `NUMERIC` matched; None if undecided."""
    parts = [(int(match["first"]), int(match["second"])) for match in dates]
    signs = {first > 12 for first, second in parts if (first > 12) != (second > 12)}
    return signs.pop() if len(signs) == 1 else None


def _named_date(parts: dict[str, str | None]) -> str | None:
    name = (parts.get("month") or "").lower()
    month = MONTHS.get(name) if name else int(parts.get("number") or 0)
    if month is None:
        return None
    return iso_date(int(parts["year"] or 0), month, int(parts.get("day") or 0))


def _numeric_date(match: re.Match[str], *, day_first: bool | None) -> str | None:
    first, second, year = int(match["first"]), int(match["second"]), int(match["year"])
    if match[2] == "." or first > 12 or first == second or (day_first and second <= 12):
        return iso_date(year, second, first)
    if second > 12 or day_first is False:
        return iso_date(year, first, second)
    return iso_date(year, 0, 0)


def iso_date(year: int, month: int, day: int) -> str | None:
    """Return the ISO form; month or day 0 is unknown; None where the calendar has no such day."""
    if not 1000 <= year <= 2999 or (not month and not 1500 <= year <= 2200):
        return None
    try:
        date = dt.date(year, month or 1, day or 1)
    except ValueError:
        return None
    return date.isoformat()[: 10 if day else 7 if month else 4]


_AMOUNT = re.compile(
    r"(?<![^\W_])(?:amount|area|budget|capacity|cost|count|deposit|depth|distance|fee|height|income|"
    r"length|population|price|quantity|rent|revenue|salary|size|sum|total|volume|wage|weight|width)"
    r"s?(?![^\W_])",
    re.IGNORECASE,
)
"""Names of fields whose numbers of four digits are no years."""


def type_of(raws: Iterable[str], *, several: int, name: str) -> FieldType:
    """Return the type that at least nine in ten values have; lists need only two in ten.

    Three in four are enough where all others have no digit: `not yet closed` beside numbers.

    Years alone are dates, but where a field is called as an amount is. A field with a number that
    may have decimals or thousands is not one of numbers: a total of the others would leave it out.
    Version numbers are text: they are known by a second dot, by a trailing zero among fractions of
    differing width (`3.9`, `3.10`), or by the field's name.

    `several` is how many of the values have more than one item.
    """
    counts = Counter(raw for raw in raws if raw)
    if not counts:
        return "text"
    dates = _mostly(parse_date, counts)
    if dates is not None and not (all(map(str.isdecimal, dates)) and _AMOUNT.search(name)):
        return "date"
    matches = _mostly(_matched, counts)
    if matches is not None and _are_numbers(matches, counts, name):
        return "number"
    return "list" if several >= _LIST_SHARE * counts.total() else "text"


def _mostly(read: Callable[[str], _T | None], counts: Counter[str]) -> dict[str, _T] | None:
    """Return what is read of each value; None where it is nothing for more than one in ten.

    For one in four where the others have no digit: `not yet closed` beside numbers of days.
    """
    total, left, told = counts.total(), counts.total(), counts.total()
    found: dict[str, _T] = {}
    for raw, count in counts.items():
        value = read(raw)
        if value is not None:
            found[raw] = value
            continue
        told -= count
        left -= count if _DIGIT.search(raw) else 0
        if left < _TYPED_SHARE * total or told < _TOLD_SHARE * total:
            return None
    return found


def _are_numbers(matches: Mapping[str, re.Match[str]], counts: Counter[str], name: str) -> bool:
    read = _numbers(matches, counts)
    numbers = Counter({raw: counts[raw] for raw, number in read.items() if number is not None})
    told = all(
        number is not None or _number(matches[raw], None) is None for raw, number in read.items()
    )
    enough = told and numbers.total() >= _TYPED_SHARE * sum(counts[raw] for raw in matches)
    return enough and not _versions(counts, name) and _few_units(numbers)


def _versions(raws: Collection[str], name: str) -> bool:
    dotted = [raw for raw in raws if "." in raw]
    if any(re.fullmatch(r"v?\d+(\.\d+){2,}", raw) for raw in dotted):
        return True
    fractions = [raw.partition(".")[2] for raw in dotted if re.fullmatch(r"\d+\.\d+", raw)]
    widths = {len(fraction) for fraction in fractions}
    padded = any(len(fraction) > 1 and fraction.endswith("0") for fraction in fractions)
    named = "version" in name.lower() and bool(fractions)
    return named or (len(widths) > 1 and padded)


def units_of(raws: Iterable[str]) -> tuple[str, ...]:
    """Return the currencies and units written with numbers, most frequent first.

    >>> units_of(["1,200 EUR", "950 EUR", "$20/hour", "7"])
    ('EUR', '$ /hour')
    """
    units: Counter[str] = Counter()
    for raw, count in Counter(raws).items():
        if (match := _matched(raw)) is not None:
            units[" ".join(part for part in match.group("money", "unit", "each") if part)] += count
    return tuple(unit for unit, _ in units.most_common() if unit)


def _few_units(numbers: Counter[str]) -> bool:
    """Tell whether the words after the numbers are units, and no rest of an address or a title."""
    units: Counter[str] = Counter()
    for raw, count in numbers.items():
        letters = "".join(_LETTERS.findall(raw))
        units["" if is_code(letters) else letters.lower()] += count
    shared = sum(count for _, count in units.most_common(_UNITS_A_FIELD))
    return shared >= _TYPED_SHARE * numbers.total()


def is_placeholder(text: str, *, amounts: bool = False) -> bool:
    """Tell whether a text only stands where a value would; `none` and `nil` do among amounts.

    >>> is_placeholder(" N/A "), is_placeholder("none"), is_placeholder("None", amounts=True)
    (True, False, True)
    """
    bare = text.strip().casefold()
    return bare in PLACEHOLDERS or (amounts and bare in {"none", "nil"})
