"""Languages and scripts: their names, their stems, and letters that no spaces part into words.

Languages are told by their codes of ISO 639-1 (`de`). Those that Snowball covers have stems; text
in scripts of the others, and in Arabic, is found by its letters in sequence.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress, pairwise
from typing import Final

ENGLISH: Final = "en"
_LONGEST: Final = 40
_HAN: Final = (
    "\u3005-\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Chinese characters and Japanese syllables."""
_HANGUL: Final = "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"
_THAI: Final = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ebd\u0ec0-\u0ece\u1000-\u103f\u1780-\u17d3"
"""Thai, Lao, Burmese and Khmer."""
_ARABIC: Final = "\u0620-\u065f\u066e-\u06d3\u06d5-\u06dc\u06fa-\u06ff"
UNSPACED: Final = _HAN + _HANGUL + _THAI + _ARABIC
"""The letters that are found in sequence: ranges of a class in the syntax of Python and of Rust."""
_WRAP: Final = r"(?:[ \t\u3000]*\n[ \t\u3000]*)?"
_VOWELS: Final = "\u0640\u064b-\u0652\u0670"
"""Marks that Arabic is written with or without."""
_BETWEEN: Final = tuple(
    (re.compile(f"[{letters}]"), between)
    for letters, between in ((_HAN + _THAI, _WRAP), (_ARABIC, f"[{_VOWELS}]*"), (_HANGUL, ""))
)
"""What may stand between two letters of a run."""
_VARIANTS: Final = {"ا": "اأإآٱ", "ي": "يىی", "ه": "هة", "ك": "كک"}
_FOLDED: Final = {ord(other): one for one, others in _VARIANTS.items() for other in others}
MARKS: Final = (
    "\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0900-\u0963\u0966-\u0df3"
)
"""Signs for vowels and the like, which are parts of words, in Hebrew and the scripts of India."""
_UNUSUAL: Final = re.compile(f"[{UNSPACED}{MARKS}]")
_IS_UNSPACED: Final = re.compile(f"[{UNSPACED}]")
_RUN: Final = re.compile(
    rf"[{_HAN}]+(?:{_WRAP}[{_HAN}]+)*|[{_THAI}]+(?:{_WRAP}[{_THAI}]+)*|[{_HANGUL}]+|[{_ARABIC}]+"
    rf"|(?:(?![{UNSPACED}])[\w{MARKS}])+"
)
_WORD: Final = re.compile(r"\w+")
_BLANK: Final = re.compile(r"\s+")
_IGNORED: Final = re.compile(f"[{_VOWELS}]+")
_STEM: Final = 3
"""Letters that a stem has at least which is looked for within words."""


@lru_cache(maxsize=256)
def language_name(code: str) -> str:
    """Return a language's name in English, its code where that is unknown.

    >>> language_name("de"), language_name("zh"), language_name("qqx")
    ('German', 'Chinese', 'qqx')
    """
    from babel.core import Locale, UnknownLocaleError

    try:
        return Locale.parse(code).english_name or code
    except UnknownLocaleError:
        return code


def main_first(documents: Mapping[str, int]) -> tuple[str, ...]:
    """Return the languages of a collection, that of most documents first; English where none is.

    `documents` are the documents of each language; those under no name do not count.

    >>> main_first({"": 5, "en": 1, "de": 3}), main_first({"": 5})
    (('de', 'en'), ('en',))
    """
    told = sorted((-count, code) for code, count in documents.items() if code)
    return tuple(code for _, code in told) or (ENGLISH,)


@lru_cache(maxsize=256)
def _algorithm(code: str) -> str | None:
    from Stemmer import algorithms

    name = language_name(code).lower()
    return name if name in algorithms() else None


def stems(forms: Sequence[str], language: str = ENGLISH) -> list[str]:
    """Stem lower-cased word forms; what is not a plain word of 40 letters stems to itself.

    So does every form in a language that Snowball does not cover.

    >>> stems(["licenses", "licensed", "3a"]), stems(["verträge", "vertrags"], "de")
    (['licens', 'licens', '3a'], ['vertrag', 'vertrag'])
    """
    from Stemmer import Stemmer

    algorithm = _algorithm(language)
    if algorithm is None:
        return list(forms)
    plain = [len(each) <= _LONGEST and _is_plain(each, language) for each in forms]
    stemmed = iter(Stemmer(algorithm, 0).stemWords(list(compress(forms, plain))))  # 0: no cache
    return [next(stemmed) if each else form for form, each in zip(forms, plain, strict=True)]


def _is_plain(form: str, language: str) -> bool:
    return form.isalpha() or (language != ENGLISH and re.search(r"[\d_]", form) is None)


def has_unspaced(text: str) -> bool:
    """Tell whether a text has letters that are found in sequence."""
    return _IS_UNSPACED.search(text) is not None


def is_unspaced(word: str) -> bool:
    """Tell whether a word is letters that are found in sequence, wherever a word ends.

    >>> is_unspaced("合同"), is_unspaced("العقد"), is_unspaced("Straße"), is_unspaced("договор")
    (True, True, False, False)
    """
    return not word.isascii() and _IS_UNSPACED.match(word) is not None


def lowered(text: str) -> str:
    """Return a text in lower case, Turkish's capital İ as one letter."""
    return text.lower().replace("i\u0307", "i")


def runs(text: str) -> list[str]:
    r"""Split text into lower-cased words, and into runs of letters that no spaces part.

    >>> runs("用Python写的合\n同"), runs("हिन्दी में"), runs("İzmir")
    (['用', 'python', '写的合同'], ['हिन्दी', 'में'], ['izmir'])
    """
    text = lowered(text)
    if _UNUSUAL.search(text) is None:
        return _WORD.findall(text)
    return [plain_run(found) if is_unspaced(found) else found for found in _RUN.findall(text)]


def parts(text: str) -> list[str]:
    """Split text into words, runs and what stands between them.

    >>> parts("a 合同-b"), parts("a-b")
    (['a', ' ', '合同', '-', 'b'], ['a', '-', 'b'])
    """
    found = _WORD if _UNUSUAL.search(text) is None else _RUN
    edges = sorted({0, len(text), *(at for each in found.finditer(text) for at in each.span())})
    return [text[start:end] for start, end in pairwise(edges)]


def plain_run(run: str) -> str:
    """Return a run on one line, in Arabic without vowels and variants of letters."""
    return _IGNORED.sub("", _BLANK.sub("", run)).translate(_FOLDED)


def grams(run: str) -> Iterator[str]:
    """Yield the n-grams of a run: of one and two characters, in alphabets of two and three.

    A shorter run is its own.

    >>> list(grams("违约金")), list(grams("عقد")), list(grams("ก"))
    (['违', '违约', '约', '约金', '金'], ['عق', 'عقد', 'قد'], ['ก'])
    """
    is_alphabet = run[0] < "\u1100" or "\u1780" <= run[0] < "\u1800"
    least = min(2 if is_alphabet else 1, len(run))
    for at in range(len(run) - least + 1):
        for size in (least, least + 1):
            if at + size <= len(run):
                yield run[at : at + size]


def core(run: str, languages: Sequence[str]) -> str:
    """Return the letters of a run by which its inflections are found: its shortest stem in it.

    >>> core("والعقد", ["ar"]), core("للعقد", ["ar"]), core("合同", ["zh"])
    ('والعقد', 'عقد', '合同')
    """
    found = (stems([run], each)[0] for each in languages if each != ENGLISH)
    return min((run, *(each for each in found if len(each) >= _STEM and each in run)), key=len)


def variants(sign: str) -> str:
    """Return the letters that are taken for one: Arabic's forms of alef, the letter by itself."""
    return _VARIANTS.get(sign.translate(_FOLDED), sign)


def gap_pattern(sign: str, otherwise: str = "") -> str:
    """Return the pattern of what may stand before a letter within a run; `otherwise` of others."""
    return next((between for letters, between in _BETWEEN if letters.match(sign)), otherwise)


def run_pattern(run: str) -> str:
    """Return the pattern of a run's letters in sequence, in the syntax of Python and of Rust."""
    return "".join(
        f"{gap_pattern(sign) if at else ''}[{variants(sign)}]" for at, sign in enumerate(run)
    )
