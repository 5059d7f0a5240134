"""The legal forms that end, or begin, a company's name: general knowledge, as ISO 20275 lists it.

`cleanco` keeps a longer list, but one without equivalents (`Limited` is not `Ltd.` there), and it
takes `UK` and `As` for legal forms, which would make a subsidiary its parent.
"""

from collections.abc import Sequence
from typing import Final

__all__ = ("split_legal",)

_SPELLINGS: Final = {
    "inc": "inc incorporated",
    "corp": "corp corporation",
    "co": "co company compagnie cie compania cia",
    "ltd": "ltd limited ltda limitada ltee limitee lda",
    "private": "private pvt",
    "llc": "llc", "llp": "llp", "lllp": "lllp", "pllc": "pllc", "lp": "lp", "pc": "pc",
    "plc": "plc", "pty": "pty proprietary", "pte": "pte", "bhd": "bhd", "sdn": "sdn",
    "gmbh": "gmbh mbh", "ag": "ag aktiengesellschaft", "kg": "kg", "kgaa": "kgaa", "ohg": "ohg",
    "gbr": "gbr", "ev": "ev", "se": "se", "sa": "sa", "sab": "sab", "cv": "cv", "sas": "sas",
    "sasu": "sasu", "sarl": "sarl", "sagl": "sagl", "eurl": "eurl", "sca": "sca", "scs": "scs",
    "snc": "snc", "sl": "sl", "slu": "slu", "spa": "spa", "srl": "srl", "sapi": "sapi",
    "nv": "nv", "bv": "bv", "bvba": "bvba", "sprl": "sprl", "vof": "vof", "cvba": "cvba",
    "oy": "oy", "oyj": "oyj", "ky": "ky", "ab": "ab aktiebolag", "hb": "hb", "kb": "kb",
    "as": "as", "asa": "asa", "aps": "aps", "ivs": "ivs", "ehf": "ehf", "hf": "hf",
    "kk": "kk", "gk": "gk", "yk": "yk", "ooo": "ooo ооо", "oao": "oao оао", "zao": "zao зао",
    "pao": "pao пао", "ao": "ао", "tov": "tov тов", "sro": "sro", "doo": "doo", "dd": "dd",
    "kft": "kft", "zrt": "zrt", "nyrt": "nyrt", "uab": "uab", "sia": "sia", "ood": "ood",
    "ead": "ead", "spzoo": "spzoo",
}  # fmt: skip
_FORMS: Final = {word: form for form, words in _SPELLINGS.items() for word in words.split()}
_PHRASES: Final = {
    ("sp", "z", "oo"): "spzoo", ("sp", "zoo"): "spzoo", ("spol", "s", "ro"): "sro",
    ("sa", "de", "cv"): "sa de cv", ("sab", "de", "cv"): "sab de cv",
    ("s", "de", "rl"): "s de rl", ("s", "de", "rl", "de", "cv"): "s de rl de cv",
    ("naamloze", "vennootschap"): "nv", ("besloten", "vennootschap"): "bv",
    ("societe", "anonyme"): "sa", ("sociedad", "anonima"): "sa",
    ("societa", "per", "azioni"): "spa", ("kabushiki", "kaisha"): "kk", ("osakeyhtio",): "oy",
}  # fmt: skip
_PLAIN: Final = (
    "inc ltd llc llp lllp plc pty pte bhd sdn pvt co cie corp lda oy oyj ab bv nv srl sro kft zrt "
    "uab ehf aps"
)
"""Short forms that mean nothing else, hence need no capitals or dots to be known."""
_JOINING: Final = ("and", "y", "e")
_ATTACHED: Final = (
    ("股份有限公司", "co ltd"), ("有限责任公司", "llc"), ("有限責任公司", "llc"),
    ("有限公司", "ltd"), ("株式会社", "kk"), ("合同会社", "gk"), ("有限会社", "yk"),
    ("주식회사", "kk"), ("유한회사", "yk"),
)  # fmt: skip


def split_legal(
    words: Sequence[str], marked: Sequence[bool]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Split a name's words into those that name and its legal forms, in one spelling.

    A short form that is a word as well (`As`, `Spa`) counts only where it is marked. At least one
    word is left to name.

    Args:
        words: folded, without marks; `S.p.A.` is `spa`.
        marked: of each word, whether it is written as an abbreviation: dots or telling capitals.

    >>> split_legal(["acme", "co", "limited"], [False] * 3)
    (('acme',), ('co', 'ltd'))
    >>> split_legal(["golden", "spa"], [False, False]), split_legal(["luxor", "spa"], [False, True])
    ((('golden', 'spa'), ()), (('luxor',), ('spa',)))
    """
    kept, legal = _attached(list(words))
    signs = list(marked)
    while len(kept) > 1:
        phrase = next((each for each in _PHRASES if tuple(kept[-len(each) :]) == each), None)
        if phrase is not None and len(phrase) < len(kept):
            legal.insert(0, _PHRASES[phrase])
            del kept[-len(phrase) :], signs[-len(phrase) :]
        elif _is_form(kept[-1], sign=signs[-1]):
            legal.insert(0, _FORMS[kept.pop()])
            signs.pop()
        elif kept[-1] in _JOINING and legal:
            del kept[-1], signs[-1]
        else:
            break
    if len(kept) > 1 and _leads(kept[0], sign=signs[0]):
        legal.append(_FORMS[kept.pop(0)])
    return tuple(kept), tuple(legal)


def _is_form(word: str, *, sign: bool) -> bool:
    return word in _FORMS and (sign or len(word) > 3 or word in _PLAIN.split())


def _leads(word: str, *, sign: bool) -> bool:
    """Tell whether a word is one of the forms that some countries put first: `ООО Ромашка`."""
    return word == "oy" or (sign and _FORMS.get(word) in {"ooo", "oao", "zao", "pao", "ao", "tov"})


def _attached(words: list[str]) -> tuple[list[str], list[str]]:
    """Cut a form off that East Asian names write without a space, at either end."""
    for form, spelt in _ATTACHED:
        if words and words[-1].endswith(form) and words[-1] != form:
            words[-1] = words[-1].removesuffix(form)
            return words, spelt.split()
        if words and words[0].startswith(form) and words[0] != form:
            words[0] = words[0].removeprefix(form)
            return words, spelt.split()
    return words, []
