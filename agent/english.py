"""What code knows of English: words folded, inflected and stemmed, months, numbers, currencies.

What it knows word by word stands in `english.toml`. Currencies are named by codes, symbols and
names after CLDR's English data.
"""

import re
import tomllib
import unicodedata
from functools import lru_cache, partial
from importlib.resources import files
from itertools import takewhile
from typing import Final

_ACCENTED: Final = re.compile(r"([A-Za-z])[\u0300-\u036f]+")
_STROKED: Final = str.maketrans("ØøŁłĐđĦħŦŧƗɨ", "OoLlDdHhTtIi")
"""Letters with a stroke, which Unicode does not take apart."""
_LISTS: Final[dict[str, str]] = tomllib.loads(
    files("agent").joinpath("english.toml").read_text(encoding="utf-8")
)


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


_PLURALS: Final = dict(each.split() for each in _LISTS["plurals"].split(","))
_SINGULARS: Final = {many: one for one, many in _PLURALS.items()}
_MAN: Final = re.compile(r"(?<=[a-z]{2})(?<!hu)(?<!ger)(?<!ro)(?<!tto)(?<!alis)m[ae]n\Z")
_HISSING: Final = re.compile(r"(?:s|x|z|ch|sh)\Z")
_CONSONANT_Y: Final = re.compile(r"(?<=[b-df-hj-np-tv-z])y\Z")
_WORD: Final = re.compile(r"[a-z]{2,}\Z")
_INFLECTED: Final = r"(?=(?:s|ed|ing|er|ers|ful|al|ist)?\Z)"
_SPELLINGS: Final = tuple(
    (re.compile(pattern), other)
    for pattern, other in (
        (r"isation(?=s?\Z)", "ization"),
        (r"is(?=(?:e|es|ed|ing|er|ers)\Z)", "iz"),
        (r"ys(?=(?:e|es|ed|ing)\Z)", "yz"),
        (rf"our{_INFLECTED}", "or"),
        (r"ence(?=s?\Z)", "ense"),
        (r"([aeiou][^aeiou]{1,3}[aeiou])ll(?=(?:s|ed|ing|er|ers|ment)?\Z)", r"\1l"),
        (r"(?<=[bt])re(?=s?\Z)", "er"),
        (r"(?<=[ao])gue(?=s?\Z)", "g"),
        (r"(?<=m)me(?=s?\Z)", ""),
        (r"(?<=\w)ae(?=\w)", "e"),
    )
)
_ANY: Final = re.compile("|".join(pattern.pattern for pattern, _ in _SPELLINGS))
"""Most words have one spelling: they are told by a single search."""
_SHORTEST: Final = 6
_CARDINALS: Final = _LISTS["cardinals"].split()
SMALL_NUMBERS: Final = {
    word: value
    for words in (_CARDINALS, _LISTS["ordinals"].split())
    for value, word in enumerate(words)
}
"""Cardinals and ordinals up to twenty."""
NUMBER_WORDS: Final = {word: value for value, word in enumerate(_CARDINALS)} | {
    "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100, "thousand": 1000
}  # fmt: skip
SCALES: Final = {
    "thousand": 10**3, "lakh": 10**5, "lac": 10**5, "million": 10**6, "crore": 10**7,
    "billion": 10**9, "trillion": 10**12,
}  # fmt: skip
"""Words that multiply what stands before them; `hundred` and `dozen` are read apart."""
MONTHS: Final = {
    name: number
    for number, names in enumerate(_LISTS["months"].strip().splitlines(), start=1)
    for name in names.split()
}
_PASTS: Final = {
    past: base
    for base, *pasts in (each.split() for each in _LISTS["pasts"].split(","))
    for past in pasts
}
"""Forms of verbs, and nouns of them, that no ending tells."""
VERB_FORMS: Final = frozenset(_PASTS)
_POSSESSIVE: Final = re.compile(r"['’]s$|(?<=s)['’]$")
_AGENTS: Final = frozenset(("er", "ers", "or", "ors", "ed", "d", "r", "rs", "s", "es", "ing"))
_SHARED: Final = 5
_SUFFIX: Final = re.compile(
    r"(?:e|er|ers|or|ors|ee|ees|eed|eeing|ion|ions|ment|ments|ant|ance|ing|ings|ed|s|es|d|al|able)?"
)
FUNCTION_WORDS: Final = word_set(_LISTS["function_words"])
"""Words of the closed classes, without case."""
FILLERS: Final = word_set(_LISTS["fillers"])
"""Function words that a question can lose without a change of meaning, once the rest is placed."""
ASKING_WORDS: Final = word_set(_LISTS["asking_words"])
_REGULAR_BESIDES, _SAME, _IN_S, _IN_E, _IN_U = (
    word_set(_LISTS[each]) for each in ("regular_besides", "same", "in_s", "in_e", "in_u")
)


def fold(word: str) -> str:
    """Return a word without case, accents and a possessive ending.

    >>> fold("Café's"), fold("Zürich")
    ('cafe', 'zurich')
    """
    return _POSSESSIVE.sub("", unaccented(word.casefold()).replace("’", "'"))


def unaccented(text: str) -> str:
    """Leave out the accents and strokes of Latin letters; other scripts' marks make other letters.

    >>> unaccented("Zürich, São"), unaccented("Łódź"), unaccented("Østergård"), unaccented("й")
    ('Zurich, Sao', 'Lodz', 'Ostergard', 'й')
    """
    if text.isascii():
        return text
    parted = unicodedata.normalize("NFD", text.translate(_STROKED))
    return unicodedata.normalize("NFC", _ACCENTED.sub(r"\1", parted))


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the English (Snowball) stem of a word.

    >>> stem("rejected"), stem("Licenses")
    ('reject', 'licens')
    """
    from Stemmer import Stemmer

    return str(Stemmer("english", 0).stemWord(word.casefold()))


def root(one: str, other: str) -> bool:
    """Tell whether two words are inflected or derived from one root: `sponsored`, `sponsor`.

    >>> root("purchased", "Purchase"), root("from", "form"), root("create", "credit")
    (True, False, False)
    >>> root("payment", "paid"), root("written", "Writer"), root("sold", "solid")
    (True, True, False)
    """
    a, b = (_PASTS.get(fold(each), fold(each)) for each in (one, other))
    if stem(a) == stem(b):
        return True
    short, long = sorted((a, b), key=len)
    if len(short) >= 3 and long.startswith(short) and long[len(short) :] in _AGENTS:
        return True
    shared = _shared(a, b)
    return any(
        cut >= _SHARED and _SUFFIX.fullmatch(a[cut:]) and _SUFFIX.fullmatch(b[cut:])
        for cut in (shared, shared - 1)
    )


def verb_forms(base: str) -> frozenset[str]:
    """Return a verb with its forms.

    >>> sorted(verb_forms("raise")), sorted(verb_forms("carry"))
    (['raise', 'raised', 'raises', 'raising'], ['carried', 'carries', 'carry', 'carrying'])
    >>> "stood" in verb_forms("stand"), "given" in verb_forms("give")
    (True, True)
    """
    bare = base.removesuffix("e")
    pasts = {past for past, own in _PASTS.items() if own == base}
    regular = f"{_CONSONANT_Y.sub('i', bare)}ed"
    return frozenset({base, _with_s(base), f"{bare}ing", regular, *pasts})


@lru_cache(maxsize=65536)
def singular(noun: str) -> str:
    """Return the singular of an English plural, any other word as it is.

    >>> [singular(each) for each in ("companies", "people", "PEPs", "process", "clauses", "boxes")]
    ['company', 'person', 'PEP', 'process', 'clause', 'box']
    >>> [singular(each) for each in ("status", "analyses", "Movies", "viruses", "chairmen", "news")]
    ['status', 'analysis', 'Movie', 'virus', 'chairman', 'news']
    """
    low = noun.casefold()
    if low in _SINGULARS:
        return _cased_like(noun, _SINGULARS[low])
    if _MAN.search(low) and low[-2] == "e":
        return _cased_like(noun, f"{low[:-2]}an")
    return _cased_like(noun, _without_s(low))


def plural(noun: str) -> str:
    """Return the commonest plural of an English noun in the singular.

    >>> [plural(each) for each in ("company", "person", "lease", "tax", "status", "photo", "Key")]
    ['companies', 'people', 'leases', 'taxes', 'statuses', 'photos', 'Keys']
    """
    low = noun.casefold()
    if low in _SAME:
        return noun
    if low in _PLURALS:
        return _cased_like(noun, _PLURALS[low])
    if _MAN.search(low):
        return _cased_like(noun, f"{low[:-2]}en")
    return _cased_like(noun, _with_s(low))


@lru_cache(maxsize=65536)
def noun_forms(word: str) -> tuple[str, ...]:
    """Return a lower-cased word with its singular and its plurals.

    >>> noun_forms("cherries"), noun_forms("index"), noun_forms("hero")
    (('cherries', 'cherry'), ('index', 'indices', 'indexes'), ('hero', 'heros', 'heroes'))
    >>> noun_forms("organization"), noun_forms("2014")
    (('organization', 'organizations'), ('2014',))
    """
    if not _WORD.match(word):
        return (word,)
    one = singular(word)
    forms = [word, one, plural(one)]
    if one in _REGULAR_BESIDES:
        forms.append(_with_s(one))
    if one.endswith("o"):
        forms.append(f"{one}es")
    return tuple(dict.fromkeys(forms))


def _with_s(low: str) -> str:
    if low.endswith("sis"):
        return f"{low[:-2]}es"
    if _HISSING.search(low):
        return f"{low}es"
    return _CONSONANT_Y.sub("ie", low) + "s"


def _without_s(low: str) -> str:
    bare = low[:-1]
    if low in _SAME or low in _IN_S or not low.endswith("s") or len(low) < 3:
        return low
    if bare in _IN_E or bare in _IN_U:
        return bare
    if low.endswith(("ss", "us", "is")):
        return low
    if low.endswith("ies") and len(low) > 4:
        return f"{low[:-3]}y"
    hissing = low.endswith(("sses", "xes", "zzes", "ches", "shes", "oes"))
    return low[:-2] if low[:-2] in _IN_S or hissing else bare


def _cased_like(noun: str, form: str) -> str:
    """Write a lower-cased form as the noun is written, as far as both are the same."""
    if noun.isupper() and len(noun) > 1:
        return form.upper()
    shared = _shared(noun.casefold(), form)
    return noun[:shared] + form[shared:] if noun[:shared].casefold() == form[:shared] else form


def _shared(one: str, other: str) -> int:
    pairs = zip(one, other, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


@lru_cache(maxsize=65536)
def american(word: str) -> str:
    """Return a lower-cased word spelt as in American English, whether or not a word.

    >>> american("licence"), american("organised"), american("colours"), american("party")
    ('license', 'organized', 'colors', 'party')
    """
    if len(word) < _SHORTEST or not _ANY.search(word):
        return word
    for pattern, other in _SPELLINGS:
        changed = pattern.sub(other, word)
        if changed != word and len(changed) >= _SHORTEST - 1:
            return changed
    return word


_USUAL: Final = {
    "$": "USD", "£": "GBP", "¥": "JPY", "dollar": "USD", "pound": "GBP", "rupee": "INR",
    "rs": "INR", "won": "KRW",
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
    return text.isupper() or code == wanted or _symbol(code) != code


def _folded(text: str) -> str:
    low = text.casefold()
    return low[:-1] if len(low) > 3 and low.endswith("s") else low


@lru_cache(maxsize=1)
def _names() -> dict[str, frozenset[str]]:
    from babel.core import get_global
    from babel.numbers import get_currency_name

    spans = (span for each in get_global("territory_currencies").values() for span in each)
    in_use = {code for code, _, end, tender in spans if end is None and tender}
    named = partial(get_currency_name, locale="en")
    return {
        code: frozenset(named(code, count=count).casefold() for count in (None, 1, 2))
        for code in in_use
    }


@lru_cache(maxsize=256)
def _symbol(code: str) -> str:
    from babel.numbers import get_currency_symbol

    return get_currency_symbol(code, locale="en")


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
    found.pop("gold", None)  # Zimbabwe's, which nobody means by it alone
    found["rs"] = found["rupee"]
    found["kr"] = found["krona"] | found["krone"]
    return {name: frozenset(codes) for name, codes in found.items()}


def _symbol_forms(code: str) -> set[str]:
    """Return the ways to write a currency's symbol: `US$`, `CA$`, `C$` and `$` for dollars."""
    symbol = _symbol(code)
    if symbol[-1] not in "$£¥":
        return {symbol} - {code}
    sign = symbol[-1]
    return {symbol, sign, f"{code[:2]}{sign}", f"{code[0]}{sign}", f"{code}{sign}"}
