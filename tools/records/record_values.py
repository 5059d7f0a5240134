"""Values of records: what a document writes, brought to a column's type and unit, and compared."""

import datetime as dt
import math
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final
from unicodedata import numeric

from agent.english import SCALES, SMALL_NUMBERS, currency_of, names_money
from agent.records.record import Cell
from agent.records.record_schema import Attribute, AttributeType, CellValue
from agent.units import converted, is_money, is_share, is_time, parse_unit, split_scale, value_unit
from tools.corpus.fields.literals import (
    NUMERIC,
    PLACEHOLDERS,
    is_day_first,
    iso_date,
    parse_date,
    plain,
)

_JOINTS: Final = re.compile(r",?\s+and\s+|,\s+|(?<=[^\W\d_]|['\"′″])\s*(?=\d)", re.IGNORECASE)
_HOURS: Final = re.compile(r"(\d+)\s*h\s*([0-5]\d)", re.IGNORECASE)
_GAP: Final = "'\u2019\u00a0\u202f\u2009 "
_DIGITS: Final = rf"(?:\d+(?:[.,]\d+|[{_GAP}]\d{{3}}(?!\d))*|\.\d+)(?:[eE][-+]?\d{{1,3}})?"
_POWER = re.compile(r"[eE]")
_SCALE_WORDS: Final = SCALES | {"hundred": 100, "dozen": 12}
_SCALE_WORD: Final = re.compile(rf"[\s-]*({'|'.join(_SCALE_WORDS)})s?\b", re.IGNORECASE)
_LETTERS: Final = re.compile(r"\s*(mln|mio|mn|bn|tn|mm|MM|[kKmMbBtT])(?![^\W_]|[²³/^])\.?")
_SURE: Final = {"k": 10**3, "K": 10**3, "M": 10**6, "mn": 10**6, "mln": 10**6, "mio": 10**6,
                "bn": 10**9, "tn": 10**12}  # fmt: skip
_OF_MONEY: Final = {"m": 10**6, "mm": 10**6, "MM": 10**6, "b": 10**9, "B": 10**9, "t": 10**12,
                    "T": 10**12}  # fmt: skip
_MIXED: Final = re.compile(r"(?:(\d+)\s?)?([¼-¾⅐-⅞])|(\d+)[ -]([1-9])/(2|3|4|8|16)\b")
_WORDS_FIRST: Final = re.compile(rf"([^\W\d_]+(?:[ -][^\W\d_]+)*)\s*\(({_DIGITS})\)\s*(.*)")
_DIGITS_FIRST: Final = re.compile(rf"({_DIGITS})\s*\(([^\W\d_]+(?:[ -][^\W\d_]+)*)\)\s*(.*)")
_TOTAL: Final = re.compile(r"(?:a total of|in total|total(?:l?ing)?)\s+", re.IGNORECASE)
_LONGEST_AMOUNT: Final = 120
"""Characters of an amount at most: what is longer is a sentence."""
_SHOWN: Final = 40
_LONGEST_UNIT: Final = 6
_ABOUT: Final = re.compile(
    r"^(?:about|around|approximately|approx\.?|circa|ca?\.|roughly|nearly|almost|some|~|≈|≃)\s*",
    re.IGNORECASE,
)
_BOUND: Final = re.compile(
    r"(?:(?:over|more than|greater than|above|at least|not less than|no less than|no fewer than|"
    r"exceed(?:s|ing)?|up to|under|below|at most|no more than|not more than|less than|"
    r"fewer than|from|starting (?:at|from)|min(?:imum)?(?: of)?|max(?:imum)?(?: of)?)\b\.?|[<>≤≥])",
    re.IGNORECASE,
)
_OPEN_END: Final = re.compile(
    r"(?<=[^\W_])\+(?=\s|$)|\b(?:or|and)\s+(?:more|less|fewer|above|over|under|below|up|older|younger|later|earlier)\b",
    re.IGNORECASE,
)
_SIGN: Final = re.compile(r"[-−–]|(?:minus|negative)\b", re.IGNORECASE)
_ACCOUNTING: Final = re.compile(r"([^\d()]{0,6})\(([^()]*\d[^()]*)\)([^\d()]*)")
_RANGE: Final = re.compile(r"\s*(?:[-–—−]|to|and|or|through)\s*[^\d\s]{0,4}\s*\d", re.IGNORECASE)
_OUT_OF: Final = re.compile(r"\s*(?:/|out of)\s*(\d+)(?![\d/.,])\s*([^\d]*)", re.IGNORECASE)
_SLASH: Final = re.compile(r"\s*/\s*(\d+)")
_BESTS: Final = frozenset({5, 10, 20, 100})
_MONEY_BEFORE: Final = re.compile(r"([^\W\d_]{0,3}[$€£¥]|[A-Z]{3}\b)")
_FIRST: Final = re.compile(_DIGITS)


class Unreadable(ValueError):
    """A text does not certainly state one value; the message says why, for a second try."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number with the unit behind or before it."""

    number: Decimal
    unit: str = ""
    """As written, without a scale; empty where none is."""
    scaled: bool = False
    """Whether a scale stands with it: `5 million`."""


def _read_compound(text: str, wanted: str) -> Amount | None:
    """Return a measure of parts that add up, in the unit of the first; None for anything else."""
    if clock := _HOURS.fullmatch(text):
        return Amount(Decimal(clock[1]) + Decimal(clock[2]) / 60, "h")
    written = _JOINTS.split(text)
    if len(written) < 2:
        return None
    try:
        parts = [read_amount(each, wanted=wanted or "m") for each in written]
    except Unreadable:
        return None
    known = [unit for each in parts if (unit := parse_unit(each.unit)) and unit.measures]
    factors = [unit.factor for unit in known]
    same = len(known) == len(parts) and len({unit.bases for unit in known}) == 1
    if not same or factors != sorted(set(factors), reverse=True):
        return None
    if any(each.number < 0 for each in parts):
        return None
    sizes = (each.number * unit.factor for each, unit in zip(parts, known, strict=True))
    return Amount(sum(sizes, Decimal(0)) / known[0].factor, parts[0].unit)


def read_digits(written: str, *, whole: bool = False, money: bool = False) -> Decimal:
    """Return the number that digits with marks state.

    Where both marks occur, the last one begins the decimals. A lone comma before exactly three
    digits parts thousands, any other lone comma begins decimals. A lone point begins decimals,
    except before exactly three digits: there it parts thousands where only whole numbers are
    wanted, and nothing is certain for an amount of money, which has no thousandths.

    Raises Unreadable: none is certain.

    >>> read_digits("1.234"), read_digits("1.234", whole=True)
    (Decimal('1.234'), Decimal('1234'))
    """
    number, *powers = _POWER.split(written, maxsplit=1)
    power = "".join(powers)
    number = re.sub(f"[{_GAP}]", "", number)
    if re.match(r"0\d", number):
        raise Unreadable(f"{written!r} is a code with leading zeros, not an amount")
    if money and re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", number) and not power:
        plainly = number.replace(".", "")
        raise Unreadable(f"{written!r} may have decimals or thousands: write {plainly!r}")
    thousands = whole and not power and "," not in number
    digits = plain(f"0{number}" if number[0] == "." else number, "," if thousands else None)
    if digits is None:
        raise Unreadable(f"{written!r} is no number: its marks part neither thousands nor decimals")
    return Decimal(digits + (f"e{power}" if power else ""))


def _read_scale(after: str, wanted: str, *, money: bool) -> tuple[int, str]:
    """Return the scale that opens a text and what follows it.

    A letter that is a unit of what the column measures is that unit (`5 m` of a height). Otherwise
    k, M, mn and bn are scales; m, mm, b and t are so beside money only, and a lone m or b beside
    nothing that tells is uncertain: Unreadable.
    """
    scale = 1
    while found := _SCALE_WORD.match(after):
        scale, after = scale * _SCALE_WORDS[found[1].casefold()], after[found.end() :]
    letters = _LETTERS.match(after) if scale == 1 else None
    if letters is None or _is_unit(letters[1], wanted):
        return scale, after
    factor = _SURE.get(letters[1])
    if factor is None and (money or is_money(wanted)):
        factor = _OF_MONEY[letters[1]]
    if factor is not None:
        return factor, after[letters.end() :]
    if letters[1] == "m" and not wanted:
        raise Unreadable("'m' behind a number may be metres or millions: write one of them out")
    return scale, after


def _is_unit(letters: str, wanted: str) -> bool:
    unit, target = parse_unit(letters), parse_unit(wanted) if wanted else None
    if unit is None or target is None or not unit.measures:
        return False
    return unit.measures[0] in target.measures


def _plain_amount(text: str) -> str:
    """Return a text with fractions as decimals, and `thirty (30)` once."""
    text = _MIXED.sub(_decimal, _TOTAL.sub("", text, count=1))
    if (twice := _WORDS_FIRST.fullmatch(text)) and _same(twice[1], twice[2]):
        return f"{twice[2]} {twice[3]}".strip()
    if (twice := _DIGITS_FIRST.fullmatch(text)) and _same(twice[2], twice[1]):
        return f"{twice[1]} {twice[3]}".strip()
    return text


def _decimal(found: re.Match[str]) -> str:
    part = numeric(found[2]) if found[2] else int(found[4]) / int(found[5])
    return f"{int(found[1] or found[3] or 0) + part:.15g}"


def _same(words: str, digits: str) -> bool:
    listed = [word.casefold() for word in _LETTERS_OF_WORD.findall(words)]
    try:
        return _leading_number(listed) == (read_digits(digits), len(listed))
    except Unreadable:
        return False


def read_amount(text: str, *, wanted: str = "", whole: bool = False, money: bool = False) -> Amount:
    """Return the one amount that the whole text, which is trimmed, states.

    `about 300` is 300; `over 300`, `300+` and `10 to 12` are bounds, not values. Accountants'
    brackets and a trailing minus are negative. A text with several numbers states none, unless they
    are parts of one measure (`5 ft 10 in`) or points out of a best: with a
    slash, only out of 5, 10, 20, 100 or what is wanted, since `1/2` may be a half.

    The wanted unit tells metres from millions; `whole`, that only a whole number can be meant,
    tells `1.234` from `1234`, and so does money, which has no thousandths.

    Raises Unreadable: it states none, or none for certain.
    """
    if len(text) > _LONGEST_AMOUNT:
        raise Unreadable(f"{text[:_SHOWN]!r}… says more than an amount")
    said = _plain_amount(text)
    if accounting := _ACCOUNTING.fullmatch(said):
        inner = f"{accounting[1]}{accounting[2]}{accounting[3]}".strip()
        if not re.match(r"[-−–+]", inner):
            amount = read_amount(inner, wanted=wanted, whole=whole, money=money)
            return replace(amount, number=-amount.number)
    rest = _in_front(_ABOUT.sub("", said, count=1))
    if _BOUND.match(rest) or _OPEN_END.search(rest):
        raise Unreadable(f"{text!r} is a bound, not a value")
    if _FRACTION.search(rest):
        raise Unreadable(f"{text!r} has a fraction in words: write it in digits")
    if compound := _read_compound(rest, wanted):
        return compound
    if digits := _FIRST.search(rest):
        return _in_digits(rest, digits, wanted, whole=whole, money=money)
    return _in_words(rest)


def _in_front(text: str) -> str:
    """Return a text with a digit for an article in front (`an hour`)."""
    article, _, rest = text.partition(" ")
    unit = parse_unit(rest) if article.casefold() in {"a", "an"} else None
    return f"1 {rest}" if unit and unit.measures else text


def _in_digits(
    text: str, digits: re.Match[str], wanted: str, *, whole: bool, money: bool
) -> Amount:
    """Read an amount whose number is in digits, of which these are the first."""
    before, after = text[: digits.start()], text[digits.end() :]
    sign = _SIGN.search(before)
    bare = before if sign is None else before[: sign.start()] + before[sign.end() :]
    currency = bare.strip().removeprefix("+").strip()
    if _RANGE.match(after) or before.strip().casefold() == "between":
        raise Unreadable(f"{text!r} is a range, not a value")
    if currency and not names_money(currency):
        raise Unreadable(f"{before.strip()!r} stands before the number in {text!r}")
    scale, rest = _read_scale(after, wanted, money=bool(currency))
    money = bool(currency or (money and not after.strip()) or names_money(rest))
    number = read_digits(digits[0], whole=whole and scale == 1, money=money and scale == 1)
    bests = _BESTS | {int(found) for found in re.findall(r"(?:/|out of)\s*(\d+)", wanted)}
    if (fraction := _SLASH.match(rest)) and int(fraction[1]) not in bests:
        raise Unreadable(f"{text!r} may be a fraction or points out of {fraction[1]}")
    closing = re.fullmatch(r"\s*[-−]", rest)
    unit = _unit_behind("" if closing else rest, currency, text)
    negative = sign is not None or closing is not None
    return Amount((-number if negative else number) * scale, unit, scaled=scale != 1)


def _unit_behind(rest: str, currency: str, text: str) -> str:
    """Return the unit of the number in a text: the currency before it, the rest behind it."""
    if not rest.strip():
        return currency
    if rating := _OUT_OF.fullmatch(rest):
        return f"/{rating[1]}"
    unit = _unit(re.sub(r"^(?:st|nd|rd|th)\b", "", rest))
    if unit is None:
        raise Unreadable(f"{text!r} holds several numbers, or says more than an amount")
    if not currency or currency_of(unit):
        return unit
    return f"{currency} {unit}".strip()


def _unit(rest: str) -> str | None:
    """Return the words behind a number as its unit; None where they say more than one."""
    text = re.sub(r"^[\s-]*(?:of\s+)?", "", rest).strip().rstrip(".,;:").strip()
    text = re.sub(r"^\(([^()]*)\)$", r"\1", text)
    bare = re.sub(r"(?<=[^\W\d])\^?[23](?!\d)", "", text)
    words = text.split()
    several = any(word != "second" and _leading_number([word.casefold()]) for word in words)
    if several or re.search(r"\d|[;:!?]|,\s", bare) or len(words) > _LONGEST_UNIT:
        return None
    return text


def _in_words(text: str) -> Amount:
    """Read `one million dollars`."""
    sign = _SIGN.match(text)
    rest = text[sign.end() :].strip() if sign else text
    before = _MONEY_BEFORE.match(rest)
    currency = before[1] if before and names_money(before[1]) else ""
    words = rest[len(currency) :].replace("-", " ").split()
    found = _leading_number([word.casefold().strip(",.") for word in words])
    if found is None:
        raise Unreadable(f"{text!r} states no number")
    number, counted = found
    unit = _unit_behind(" ".join(words[counted:]), currency, text)
    scaled = bool(SCALES.keys() & {word.casefold() for word in words[1:counted]})
    return Amount(-number if sign else number, unit, scaled=scaled)


_TENS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENTHS: Final = "twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth"
_ROUND: Final = {
    word: 10 * value for words in (_TENS, _TENTHS) for value, word in enumerate(words.split(), 2)
} | {"fourty": 40, "once": 1, "twice": 2}
_FRACTION: Final = re.compile(
    r"^(?:(?:an?|one|three)[ -])?(?:half|quarters?)\b|\band an? (?:half|quarter)\b", re.IGNORECASE
)
_LETTERS_OF_WORD = re.compile(r"[^\W\d_]+")


def _leading_number(words: Sequence[str]) -> tuple[Decimal, int] | None:
    """Return the number that the first words state, and how many they are; None without one."""
    at = 1 if len(words) > 1 and words[0] in {"a", "an"} and words[1] in _SCALE_WORDS else 0
    total, group, counted = (0, 1, at) if at else (0, 0, 0)
    while at < len(words):
        step = at + 1 if counted and words[at] == "and" and at + 1 < len(words) else at
        read = _added(words[step], group, total)
        if read is None:
            break
        group, total = read
        at = counted = step + 1
    return (Decimal(total + group), counted) if counted else None


def _added(word: str, group: int, total: int) -> tuple[int, int] | None:
    """Return group and total after one more word; None where the word cannot continue them."""
    if word in SMALL_NUMBERS:
        low = group % 100
        fits = low == 0 or (low % 10 == 0 and low >= 20 and 0 < SMALL_NUMBERS[word] < 10)
        return (group + SMALL_NUMBERS[word], total) if fits else None
    if word in _ROUND:
        return (group + _ROUND[word], total) if group % 100 == 0 else None
    multiplier = _SCALE_WORDS.get(word, 0)
    if not multiplier or not group:
        return None
    if multiplier <= 100:
        return (group * multiplier, total) if group < 100 else None
    return 0, total + group * multiplier


_YES: Final = frozenset(["yes", "y", "true", "t", "1", "✓", "✔", "☑"])
_NO: Final = frozenset(["no", "n", "false", "f", "0", "✗", "✘", "☐"])
_LEAD: Final = re.compile(
    r"(?:(?:in|on|since|from|by|dated|as of|as at|the year|(?:financial|fiscal) year(?: ended)?|"
    r"year ended|circa|ca|about|around|approximately|early|mid|late|fy)(?:\b|(?<=fy)(?=\d))[\s-]*|"
    r"~\s*|c\.\s*)+",
    re.IGNORECASE,
)
_LONGEST_DATE: Final = 80
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


_Normalised = tuple[CellValue, str | None]
"""A value as a column holds it; its unit as written, a currency by its code, or none."""
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
    if len(text) > _LONGEST_DATE:
        raise Unreadable(f"{text[:_LONGEST_DATE]!r}… says more than a date")
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


def normalise(written: str, attribute: Attribute, unit: str | None = None) -> _Normalised:
    """Return the value that a text states, in the attribute's type and unit.

    Numbers: 1M, 1,000,000, 1.000.000 and `one million` are the same (`read_digits` has
    the rules for marks). Shares are fractions: `41%` is 0.41; in a column of percent a number
    without a sign is the fraction itself, and from 1 on it is refused, since 1 and 41 may be
    either. Units are converted (`agent.units`) to the declared one, currencies never. Money has no
    thousandths: `1.234` is refused in a column of money, unless its examples have decimals. Bounds,
    ranges and several numbers are refused. Dates: ISO in the precision that is certain; day and
    month are told apart by the attribute's examples. Text: in Unicode's composed form, single
    spaces.

    A list's values come one by one. `unit` is the unit as written where it stands apart from the
    number, as in the heading of a column, scale included (`USD million`); one beside it goes first.

    Raises Unreadable: the text states none, or none for certain; the message says why.
    """
    text = " ".join(unicodedata.normalize("NFC", written.replace("\0", " ")).split())
    if is_absent(text, attribute):
        raise Unreadable("the text states no value")
    match attribute.type:
        case "text":
            return text, unit
        case "boolean":
            if (truth := read_boolean(text)) is None:
                raise Unreadable(f"{text!r} is neither yes nor no")
            return truth, None
        case "date":
            return read_date(text, attribute.examples), None
        case "time":
            return read_time(text, attribute.examples), None
        case _:
            return _number(text, attribute, unit or "")


def _number(text: str, attribute: Attribute, apart: str) -> _Normalised:
    wanted = attribute.unit or ""
    whole = attribute.type == "integer" and not is_share(wanted)
    amount = _lasted(text, wanted) or read_amount(
        text, wanted=wanted or apart, whole=whole, money=not whole and _cents(attribute, apart)
    )
    unit = amount.unit or _apart(text, apart)
    value = _typed(_in_unit(amount, unit, wanted), attribute)
    return value, currency_of(unit, wanted) or unit or None


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
    scale, unit = split_scale(apart or attribute.unit or "")
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
    if unit and other and unit != other and not attribute.unit:
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
