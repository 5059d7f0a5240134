"""A question cut into words, numbers, dates, quotations and marks."""

import re
from calendar import monthrange
from dataclasses import dataclass
from typing import Final, Literal

from agent.english import MONTHS, NUMBER_WORDS, SCALES, currency_of, fold, singular
from agent.value import in_digits

Kind = Literal["word", "number", "quote", "mark"]

_TOKEN: Final = re.compile(
    r"""(?P<quote>"[^"]+"|“[^”]+”|‘[^’]+’|(?<!\w)'[^']+'(?!\w)|`[^`]+`)
    |(?P<number>(?<!\S)[-−](?=\d)[\d.,]*\d|\d{4}-\d{2}(?:-\d{2})?(?![\d-])|\d{1,2}[./]\d{1,2}[./]\d{4}
        |\d+(?:[,  ]\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)*)(?P<suffix>st|nd|rd|th|k|m|%)?(?![^\W_])
    |(?P<word>[A-Z]-(?![^\W_])|[^\W_](?:[^\W_]|['’&](?=[^\W_]))*[+#]*)
    |(?P<mark>[<>]=|[^\w\s])""",
    re.VERBOSE,
)
_ISO: Final = re.compile(r"\d{4}(?:-\d{2}){1,2}")
YEAR: Final = re.compile(r"(?:1[5-9]|20)\d{2}")
_DAY: Final = re.compile(r"[1-9]|[12]\d|3[01]")
_QUARTER: Final = re.compile(r"q([1-4])")
_ORDINALS: Final = {
    "first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4,
    "last": 0,
}  # fmt: skip
"""Which part of a year: 0 is the last one."""
_PARTS: Final = {"half": 6, "quarter": 3, "trimester": 4}
"""Parts of a year in months."""
_NAMES: Final = frozenset({"it", "us", "who"})
_CONTRACTED: Final = re.compile(r"(?<=[a-z])'(?:ve|re|d|ll)\Z")
_LETTERS: Final = {"k": 1_000, "m": 1_000_000}
"""Scales of money: `m` behind any other number is metres, minutes or months."""
_LONGEST: Final = 100
"""Digits of a number."""


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the question with its span."""

    text: str
    start: int
    end: int
    kind: Kind
    suffix: str = ""
    """What is written onto a number: `th`, `k`, `%`."""

    @property
    def low(self) -> str:
        """The text without case, accents, quotation marks and endings: `Ann's`, `we've`.

        A name in capitals that would be a function word stays as it is: `IT`.
        """
        low = _CONTRACTED.sub("", fold(self.inner))
        named = self.kind == "word" and len(low) > 1 and self.text.isupper()
        return self.text if named and low in _NAMES else low

    @property
    def norm(self) -> str:
        """The singular of the folded text."""
        return singular(fold(self.inner))

    @property
    def inner(self) -> str:
        """The words inside quotation marks."""
        return self.text[1:-1].strip() if self.kind == "quote" else self.text


@dataclass(frozen=True, slots=True)
class Amount:
    """A number as a question gives it."""

    number: float
    unit: str
    """The currency's code or the folded unit behind it; empty where none stands there."""
    size: int
    """How many tokens it takes."""

    @property
    def written(self) -> str:
        """The number in digits."""
        return in_digits(self.number)


def tokenize(text: str) -> list[Token]:
    """Cut a question into tokens; words joined by hyphens are several.

    >>> [token.text for token in tokenize('sub-lets “x y”, 12,500 EUR by 2019-04-02?')]
    ['sub', '-', 'lets', '“x y”', ',', '12,500', 'EUR', 'by', '2019-04-02', '?']
    """
    kinds: tuple[Kind, ...] = ("word", "number", "quote", "mark")
    text = text.casefold() if text.isupper() else text
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind = next(each for each in kinds if match.group(each) is not None)
        suffix = match.group("suffix") or ""
        whole = match.group(kind)
        found.append(Token(whole, match.start(), match.end(), kind, suffix))
    return found


def amount_at(tokens: list[Token], at: int) -> Amount | None:
    """Return the number that begins at a place, with its currency or scale; None where none does.

    >>> amount_at(tokenize("€ 1,200.50 rent"), 0)
    Amount(number=1200.5, unit='EUR', size=2)
    >>> amount_at(tokenize("30 minutes"), 0)
    Amount(number=30, unit='', size=1)
    >>> amount_at(tokenize("500 m"), 0), amount_at(tokenize("$5 m"), 0)
    (Amount(number=500, unit='', size=1), Amount(number=5000000, unit='USD', size=3))
    """
    if at >= len(tokens):
        return None
    symbol = currency_of(tokens[at].text) if tokens[at].kind in {"mark", "word"} else None
    first = at + 1 if symbol else at
    if first >= len(tokens):
        return None
    number = _number(tokens[first])
    if number is None:
        return None
    letter, end = tokens[first].suffix, first + 1
    scale = tokens[end].low if end < len(tokens) else ""
    if scale in SCALES and not letter:
        number, end = number * SCALES[scale], end + 1
    elif scale in _LETTERS and not letter and (symbol or _currency_at(tokens, end + 1)):
        letter, end = scale, end + 1
    behind = None if symbol else _currency_at(tokens, end)
    if letter == "m" and not (symbol or behind):
        return None
    number *= _LETTERS.get(letter, 1)
    return Amount(number, symbol or behind or "", end + bool(behind) - at)


def _currency_at(tokens: list[Token], at: int) -> str | None:
    if at >= len(tokens) or tokens[at].kind not in {"word", "mark"}:
        return None
    return currency_of(tokens[at].text)


def _number(token: Token) -> float | None:
    if token.kind == "word":
        return NUMBER_WORDS.get(token.low)
    if token.kind != "number" or _ISO.fullmatch(token.text) or "/" in token.text:
        return None
    digits = re.sub(r"[,  ]", "", token.text).replace("−", "-")
    counts = digits.count(".") < 2 and token.suffix not in {"st", "nd", "rd", "th"}
    if not counts or len(digits) > _LONGEST:
        return None
    return float(digits) if "." in digits else int(digits)


def date_at(tokens: list[Token], at: int, year: str = "") -> tuple[str, int] | None:
    """Return the date that begins at a place, as ISO or a prefix of it, and its tokens.

    A month or a day of one that stands without a year is of the year given; without one it is none.

    >>> date_at(tokenize("1 May to"), 0, "2024"), date_at(tokenize("in May"), 1, "2024")
    (('2024-05-01', 2), ('2024-05', 1))
    >>> date_at(tokenize("2 April 2019"), 0), date_at(tokenize("March 3rd, 2020"), 0)
    (('2019-04-02', 3), ('2020-03-03', 4))
    >>> date_at(tokenize("June 2022"), 0), date_at(tokenize("1999"), 0), date_at(tokenize("999"), 0)
    (('2022-06', 2), ('1999', 1), None)
    """
    here = tokens[at : at + 4]
    if not here:
        return None
    first = here[0]
    if first.kind == "number" and _ISO.fullmatch(first.text):
        return _real(first.text, 1)
    if first.kind == "number" and YEAR.fullmatch(first.text) and not first.suffix:
        return first.text, 1
    if first.kind == "number" and _DAY.fullmatch(first.text):
        return _day_first(here, year)
    month = MONTHS.get(first.low) if first.kind == "word" else None
    year_behind = any(each.kind == "number" for each in here[1:3])
    if month is None or (first.text in {"may", "march"} and not year_behind):
        return None
    return _month_first(month, here[1:], year)


def _day_first(here: list[Token], given: str) -> tuple[str, int] | None:
    month = MONTHS.get(here[1].low) if len(here) > 1 else None
    if month is None:
        return None
    told = here[2].text if len(here) > 2 else ""
    year = told if YEAR.fullmatch(told) else given
    size = 2 + (year == told)
    return _real(f"{year}-{month:02d}-{int(here[0].text):02d}", size) if year else None


def _month_first(month: int, rest: list[Token], given: str) -> tuple[str, int] | None:
    size = 1
    day = rest[0] if rest and _DAY.fullmatch(rest[0].text) else None
    if day is not None:
        rest, size = rest[1:], size + 1
    comma = int(bool(rest) and rest[0].text == ",")
    told = rest[comma].text if len(rest) > comma else ""
    year, size = (told, size + comma + 1) if YEAR.fullmatch(told) else (given, size)
    if not year:
        return None
    prefix = f"{year}-{month:02d}"
    return _real(f"{prefix}-{int(day.text):02d}" if day is not None else prefix, size)


def _real(date: str, size: int) -> tuple[str, int] | None:
    """Return a date and its tokens; None where the calendar has no such day."""
    year, month, day = (*map(int, date.split("-")), 1)[:3]
    there = 1 <= month <= 12 and 1 <= day <= monthrange(year, month)[1]
    return (date, size) if there else None


def period_at(tokens: list[Token], at: int) -> tuple[str, str, int] | None:
    """Return the first and the last month of a part of a year that begins at a place.

    The third member is how many tokens it takes.

    >>> period_at(tokenize("Q1 2023"), 0), period_at(tokenize("the last quarter of 2022"), 0)
    (('2023-01', '2023-03', 2), ('2022-10', '2022-12', 5))
    >>> period_at(tokenize("first half of 2021"), 0), period_at(tokenize("half of it"), 0)
    (('2021-01', '2021-06', 4), None)
    """
    article = int(at < len(tokens) and tokens[at].low == "the")
    words = [each.low for each in tokens[at + article : at + article + 4]]
    quarter = _QUARTER.fullmatch(words[0]) if words else None
    if quarter is not None:
        months, number, used = 3, int(quarter[1]), 1
    elif len(words) > 1 and words[0] in _ORDINALS and words[1] in _PARTS:
        months, used = _PARTS[words[1]], 2
        number = _ORDINALS[words[0]] or 12 // months
    else:
        return None
    used += int(words[used : used + 1] == ["of"])
    year = words[used] if used < len(words) else ""
    if not YEAR.fullmatch(year) or number * months > 12:
        return None
    first, last = f"{year}-{(number - 1) * months + 1:02d}", f"{year}-{number * months:02d}"
    return first, last, article + used + 1
