"""Currencies as people write them: codes, symbols and names, after CLDR's English data."""

from functools import lru_cache
from typing import Final

__all__ = ("currency_of", "is_code", "names_money")

_USUAL: Final = {
    "$": "USD", "£": "GBP", "¥": "JPY", "dollar": "USD", "pound": "GBP", "rupee": "INR",
    "rs": "INR",
    "won": "KRW",
}  # fmt: skip
"""Which one is meant where several share a symbol or a name and nothing else tells."""
_ALSO: Final = {"rmb": "CNY", "sterling": "GBP", "pound sterling": "GBP", "us dollar": "USD"}


def is_code(word: str) -> bool:
    """Tell whether a word is the code of a currency in use: `USD`, in capitals."""
    return word in _names()


def currency_of(written: str, wanted: str = "") -> str | None:
    """Return the code of the currency that the words name, None where they name none or several.

    A symbol or a bare name that several currencies share (`$`, `pounds`) is the wanted currency
    where it may be that, else the usual one of `$`, `£`, `¥`, dollars, pounds, rupees and won, else
    none: pesos and francs stay unnamed.

    >>> currency_of("US dollars"), currency_of("€"), currency_of("$", "CAD"), currency_of("rooms")
    ('USD', 'EUR', 'CAD', None)
    """
    text = " ".join(written.replace(".", "").split())
    if _coded(text, wanted):
        return text.upper()
    name = _folded(text)
    candidates = _named().get(name, frozenset())
    if wanted in candidates:
        return wanted
    return next(iter(candidates)) if len(candidates) == 1 else _USUAL.get(name)


def names_money(written: str) -> bool:
    """Tell whether the words name a currency, be it one of several: `kr`, `francs`."""
    text = " ".join(written.replace(".", "").split())
    return _coded(text, "") or _folded(text) in _named()


def _coded(text: str, wanted: str) -> bool:
    """Tell whether a text is a code; in lower case only where the code is no English word."""
    code = text.upper()
    if not is_code(code):
        return False
    return text.isupper() or code == wanted or _symbols()[code] != code


def _folded(text: str) -> str:
    low = text.casefold()
    return low[:-1] if len(low) > 3 and low.endswith("s") else low


@lru_cache(maxsize=1)
def _names() -> dict[str, frozenset[str]]:
    """Return the names of each currency in use, singular and plural, in lower case."""
    from babel.core import get_global
    from babel.numbers import get_currency_name

    in_use = {
        code
        for spans in get_global("territory_currencies").values()
        for code, _, end, tender in spans
        if end is None and tender
    }
    return {
        code: frozenset(
            get_currency_name(code, count=count, locale="en").casefold() for count in (None, 1, 2)
        )
        for code in in_use
    }


@lru_cache(maxsize=1)
def _symbols() -> dict[str, str]:
    from babel.numbers import get_currency_symbol

    return {code: get_currency_symbol(code, locale="en") for code in _names()}


@lru_cache(maxsize=1)
def _named() -> dict[str, frozenset[str]]:
    """Return the currencies that each name, last word of a name, or symbol may mean."""
    found: dict[str, set[str]] = {}
    for code, names in _names().items():
        for name in names:
            for form in {_folded(name), _folded(name.split()[-1])}:
                found.setdefault(form, set()).add(code)
        for form in _symbol_forms(code):
            found.setdefault(form.casefold(), set()).add(code)
    for name, code in _ALSO.items():
        found[name] = {code}
    found["rs"] = found["rupee"]
    found["kr"] = found["krona"] | found["krone"]
    return {name: frozenset(codes) for name, codes in found.items()}


def _symbol_forms(code: str) -> set[str]:
    """Return the ways to write a currency's symbol: `US$`, `CA$`, `C$` and `$` for dollars."""
    symbol = _symbols()[code]
    if symbol[-1] not in "$£¥":
        return {symbol} - {code}
    sign = symbol[-1]
    return {symbol, sign, f"{code[:2]}{sign}", f"{code[0]}{sign}", f"{code}{sign}"}
