"""Names as entities: taken apart, compared, surely one or for a reader to tell, and merged.

Only names that share a block are compared: far fewer pairs than all, and hardly a true one is left
out.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import chain, combinations, pairwise, product
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import OSA
from rapidfuzz.fuzz import token_sort_ratio

from agent.english import SMALL_NUMBERS
from agent.name_variants import FIRMS, TITLES
from agent.question import MergeRule

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

_SMALL: Final = (
    "the a an of and for in on to at de la le les el los das do da du des der die del di und et y e"
    " von van"
)
SMALL: Final = frozenset(_SMALL.split())
"""Words that acronyms and short forms leave out."""
_AFTER: Final = "phd md esq jd mba cpa dphil obe cbe mbe kcb qc kc"
_ALSO_WORDS: Final = frozenset(("as", "sa", "se", "spa"))
_SHORT_FORMS: Final = {
    "incorporated": "inc", "limited": "ltd", "corporation": "corp", "company": "co",
}  # fmt: skip
_AND: Final = ("und", "et", "och", "og", "en")
_THOUSANDS: Final = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_TOKEN: Final = re.compile(
    r"(?:[^\W\d_]\.){2,}(?:[^\W\d_]\b)?|[^\W\d_](?:[/][^\W\d_])+\b|\d+(?:[.:/]\d+)*(?:st|nd|rd|th)?"
    r"|(?:[^\W\d_]['’]?)+[+#]*|[+#]+"
)
_VERSION: Final = re.compile(r"\b[vV](?:er(?:sion)?)?\.?\s?(?=\d)")
_AMPERSAND: Final = re.compile(r"[&＆]")
_INVERTED: Final = re.compile(r"([^,]+),\s*([^,]+)")
_GLOSS: Final = re.compile(r"(?P<name>.*\S)\s*[(（](?P<gloss>[^()（）]+)[)）]\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A name without case, diacritics, punctuation, article, title and legal form."""

    text: str
    words: tuple[str, ...]
    """What names: folded, numbers in digits, initials as one word however they are spaced."""
    inverted: tuple[str, ...]
    """`Smith, John` as `john smith`; empty without a comma."""
    every: tuple[str, ...]
    """All words, legal forms and titles included."""
    surname: str = ""
    """The only word behind a title: `brandl` of `Mr Brandl`."""
    letters: frozenset[str]
    """Words that may be acronyms or initials: capitals or single letters."""
    legal: tuple[str, ...] = ()
    """The legal forms, in one spelling."""
    numbers: tuple[str, ...] = ()
    """Its numbers, versions, numerals and last single letter, sorted."""
    gloss: str = ""
    """Its acronym, where it gives that in parentheses: folded."""


@lru_cache(maxsize=65536)
def parsed(text: str) -> Name:
    """Return the name taken apart."""
    found = _GLOSS.fullmatch(text)
    name, gloss = (found["name"], found["gloss"]) if found else (text, "")
    if gloss and not _stands_for(gloss, name):
        name, gloss = text, ""
    every, letters = _tokens(name)
    words, legal = _split_legal(_untitled(every))
    words = tuple(word for word in words if word != "the") or words
    words = words or (" ".join(folded(text).split()) or " ",)
    inverted = _inverted(name, words, legal)
    return Name(
        text=text,
        words=words,
        inverted=inverted,
        every=tuple(every),
        surname=words[1] if len(words) == 2 and words[0] in TITLES else "",
        letters=letters,
        legal=legal,
        numbers=_numbers(words, inverted=bool(inverted)),
        gloss=folded(gloss).replace(".", "").strip(),
    )


def _tokens(name: str) -> tuple[list[str], frozenset[str]]:
    """Return the folded words, and likely acronyms."""
    plain = _VERSION.sub(" ", _AMPERSAND.sub(" and ", _THOUSANDS.sub("", name)))
    raw = [each for each in _TOKEN.findall(plain) if each]
    mixed = any(map(str.islower, plain)) and any(map(str.isupper, plain))
    alone = sum(token[0].isalpha() for token in raw) == 1
    words: list[str] = []
    letters: set[str] = set()
    run = False
    for at, token in enumerate(raw):
        numbered = at > 0 and (len(token) > 1 or (at + 1 == len(raw) and "," not in name))
        word = _word(token, numbered=numbered, mixed=mixed)
        single = len(token) == 1 and len(word) == 1 and word.isalpha()
        if single and run:
            words[-1] += word
            letters.add(words[-1])
        else:
            words.append(word)
        initial = single and (token.isupper() or word not in SMALL)
        if initial or "." in token or ((mixed or alone) and _is_capitals(token)):
            letters.add(words[-1])
        run = single or token.endswith(".")
    return words, frozenset(letters)


def _word(token: str, *, numbered: bool, mixed: bool) -> str:
    """Return the token folded, in digits where it is a number; `numbered` lets letters be one."""
    word = folded(token)
    if is_number(word):
        return decimal(word.replace(":", ".").replace("/", "."))
    word = word.replace(".", "").replace("/", "").replace("'", "")
    word = "and" if word in _AND else _letter_name(word)
    if not numbered or (not token.isupper() and mixed and word not in {"ii", "iii"}):
        return decimal(word)
    return roman(word) or decimal(word)


def _letter_name(word: str) -> str:
    """Write out a Greek letter that stands alone: `α` is `alpha`."""
    described = unicodedata.name(word, "") if len(word) == 1 else ""
    greek = described.startswith("GREEK SMALL LETTER ") and " WITH " not in described
    return described.rsplit(" ", 1)[-1].casefold() if greek else word


def _is_capitals(token: str) -> bool:
    bare = token.replace(".", "")
    return 2 <= len(bare) <= 8 and sum(map(str.isupper, bare)) > len(bare) / 2


def _untitled(words: Sequence[str]) -> list[str]:
    """Leave out a first article, titles before and degrees after a name of two words or more."""
    kept = [*words[words[0] == "the" :]] if len(words) > 1 else [*words]
    while len(kept) > 2 and kept[0] in TITLES:
        kept = kept[1:]
    while len(kept) > 2 and kept[-1] in _AFTER.split():
        kept.pop()
    return kept


def _split_legal(words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Split words into those that name, at least one, and legal forms that are no other word."""
    kept, legal = list(words), list[str]()
    while len(kept) > 1 and (kept[-1] in FIRMS - _ALSO_WORDS or (legal and kept[-1] == "and")):
        form = kept.pop()
        legal[:0] = [_SHORT_FORMS.get(form, form)] if form != "and" else []
    return tuple(kept), tuple(legal)


def _inverted(name: str, words: tuple[str, ...], legal: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of `Rossum, Guido van` as `guido van rossum`."""
    found = _INVERTED.fullmatch(name)
    if not found or legal:
        return ()
    family = len(_tokens(found[1])[0])
    given = _tokens(found[2])[0]
    if not given or family > 3 or len(given) > 3 or family + len(given) != len(words):
        return ()
    return (*words[family:], *words[:family])


def _numbers(words: tuple[str, ...], *, inverted: bool) -> tuple[str, ...]:
    """Return the numbers, and a last single letter that labels: `Class B`, not `P & G`."""
    found = [word for word in words if is_number(word)]
    last, before = words[-1], words[-2] if len(words) > 1 else ""
    letter = len(last) == 1 and last.isalpha() and last.isascii()
    if letter and len(before) > 1 and before != "and" and not inverted:
        found.append(last)
    return tuple(sorted(found))


def _stands_for(short: str, long: str) -> bool:
    """Tell whether the short name has the first letters, or some words, of the long one."""
    letters = folded(short).replace(".", "").replace(" ", "")
    words = _tokens(long)[0]
    part = _tokens(short)[0]
    if part and set(part) < set(words):
        return True
    heads = "".join(word[0] for word in words)
    large = "".join(word[0] for word in words if word not in SMALL)
    return len(words) > 1 and letters in {heads, large}


_ROMAN: Final = re.compile(r"(?=[ivxl])(?:xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_VALUES: Final = {"i": 1, "v": 5, "x": 10, "l": 50}
_LONGEST_NUMBER: Final = 40
_ORDINAL: Final = re.compile(r"(\d+)(?:st|nd|rd|th)")


def decimal(word: str) -> str:
    """Return a folded word in digits where it is a number, else unchanged."""
    ordinal = _ORDINAL.fullmatch(word)
    digits = ordinal[1] if ordinal else word
    if digits.isdecimal() and len(digits) <= _LONGEST_NUMBER:
        return str(int(digits))
    value = SMALL_NUMBERS.get(word)
    return word if value is None else str(value)


def roman(word: str) -> str | None:
    """Return the value of a folded Roman numeral up to 89 in digits, None where it is none."""
    if not word or not _ROMAN.fullmatch(word):
        return None
    values = [_VALUES[letter] for letter in word]
    after = [*values[1:], 0]
    return str(sum(-one if one < two else one for one, two in zip(values, after, strict=True)))


def is_number(word: str) -> bool:
    """Tell whether a word begins with a digit."""
    return word[:1].isdigit()


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isdecimal() and word[0] in "12"


_BARE: Final = str.maketrans({
    "ø": "o", "æ": "ae", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "ŋ": "n",
    "ħ": "h", "ŧ": "t", "’": "'", "‘": "'", "`": "'", "´": "'", "ʼ": "'",
})  # fmt: skip
_MARKS: Final = re.compile("[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u064b-\u065f\u0670]")


def folded(text: str) -> str:
    """Return text without case, width and accents; marks that make another letter stay."""
    plain = unicodedata.normalize("NFKC", text).casefold().translate(_BARE)
    bare = _MARKS.sub("", unicodedata.normalize("NFD", plain))
    return unicodedata.normalize("NFC", bare)


def initials(words: tuple[str, ...], legal: tuple[str, ...] = ()) -> frozenset[str]:
    """Return the acronyms that words can have: of all, of all but the small ones, legal form too.

    >>> sorted(initials(("bureau", "of", "labor", "statistics")))
    ['bls', 'bols']
    """
    plain = [word for word in words if not word[0].isdigit()]
    large = [word for word in plain if word not in SMALL]
    heads = {"".join(word[0] for word in chosen) for chosen in (plain, large)}
    tails = {"", "".join(form[0] for form in legal)}
    return frozenset(head + tail for head, tail in product(heads, tails) if len(head + tail) > 1)


def acronyms(name: Name) -> frozenset[str]:
    """Return the acronyms that a name can have, with its legal form, title and articles or not."""
    return initials(name.words, name.legal) | initials(name.every)


def letters_of(name: Name) -> str:
    """Return the letters of a name that is an acronym, numbers aside, empty where it is none."""
    plain = [word for word in name.words if not word[0].isdigit() and word != "and"]
    if len(plain) == 1:
        return plain[0] if len(plain[0]) > 1 and plain[0] in name.letters else ""
    return "".join(plain) if all(len(word) == 1 for word in plain) else ""


def acronym_of(short: Name, long: Name) -> bool:
    """Tell whether a name is the acronym of another, of the same numbers."""
    letters = letters_of(short)
    numbers = [[word for word in each.numbers if word[0].isdigit()] for each in (short, long)]
    return letters in acronyms(long) and len(long.words) > 1 and numbers[0] == numbers[1]


_SEXES: Final = {"mr": "m", "sir": "m", "mrs": "f", "ms": "f", "miss": "f", "dame": "f"}
_EQUAL_SOUNDS: Final = frozenset(map(frozenset, ("ck", "iy", "sz", "vw", "fv")))
_LONGEST_CUT: Final = 5
_FIRST_IDEOGRAPH: Final = "\u2e80"


def possible(one: Name, other: Name, *, wide: bool = False) -> bool:
    """Tell whether two names may be one; with `wide`, numbers contradict nothing."""
    sexes = {_SEXES.get(each.every[0]) for each in (one, other) if each.every}
    if contradictory(one, other, wide=wide) or len(sexes - {None}) == 2:
        return False
    if _same_words(one, other) or acronym_of(one, other) or acronym_of(other, one):
        return True
    letters = one.letters | other.letters
    pairs = product(_forms(one), _forms(other))
    return any(_covered(*pair, letters, wide=wide) for pair in pairs)


def contradictory(one: Name, other: Name, *, wide: bool = False) -> bool:
    """Tell whether numbers differ; a year that only one of the names gives does not count."""
    if wide or one.numbers == other.numbers:
        return False
    left, right = Counter(one.numbers), Counter(other.numbers)
    more, less = left - right, right - left
    return bool(more and less) or not all(map(_is_year, more + less))


def conflict(one: Name, other: Name, *, wide: bool = False) -> bool:
    """Tell whether two names cannot stand in one entity because others connect them.

    Names that share no word (translations, nicknames) do not contradict each other; names that
    share one and have each a word of their own do, and so do two legal forms.
    """
    if contradictory(one, other, wide=wide):
        return True
    if one.legal and other.legal and one.legal != other.legal and not wide:
        return True
    shared = (set(one.words) & set(other.words)) - SMALL
    return bool(shared) and not possible(one, other, wide=wide)


def _forms(name: Name) -> set[tuple[str, ...]]:
    surname = (name.surname,) if name.surname else ()
    return {form for form in (name.words, name.inverted, surname) if form}


def _same_words(one: Name, other: Name) -> bool:
    """Tell whether names have the same words, be some of them written as one: `JPMorgan`."""
    if not _forms(one).isdisjoint(_forms(other)) or one.every == other.every:
        return True
    return "".join(one.words) == "".join(other.words) and not (one.numbers or other.numbers)


def _covered(
    left: Sequence[str], right: Sequence[str], letters: frozenset[str], *, wide: bool
) -> bool:
    """Tell whether each word of the one that has fewer stands for words of the other."""
    more, less = (_rest(*each, letters, wide=wide) for each in ((left, right), (right, left)))
    shared = len(left) > len(more)
    short, long = sorted((more, less), key=lambda rest: (len(rest), rest))
    if not short:
        return any(word not in SMALL and len(word) > 1 for word in set(left) & set(right))
    if len(short) == 1 and short[0] in letters and shared and short[0] in initials(tuple(long)):
        return True
    if shared and _paired(_opened(short, long, letters), _opened(long, short, letters), _stands):
        return True
    fits = partial(_same_word, letters, shared=shared)
    if len(short) == len(long):
        return _paired(short, long, fits)
    alone = 1 in (len(left), len(right))
    return alone and any(fits(short[0], word) for word in long if word not in letters)


def _rest(
    words: Sequence[str], others: Sequence[str], letters: frozenset[str], *, wide: bool
) -> list[str]:
    """Return the words that the other name has not, in order, small ones left out."""
    left = Counter(others)
    rest = []
    for word in words:
        if left[word]:
            left[word] -= 1
        elif (word not in SMALL or word in letters) and not (wide and is_number(word)):
            rest.append(word)
    return rest


def _opened(short: Sequence[str], long: Sequence[str], letters: frozenset[str]) -> list[str]:
    """Write initials as single words: `jr` for `john robert`."""
    opened: list[str] = []
    for word in short:
        apart = word in letters and 1 < len(word) <= max(3, len(long)) and word not in long
        opened.extend(word if apart else [word])
    return opened


def _paired(short: Sequence[str], long: Sequence[str], fits: Callable[[str, str], bool]) -> bool:
    """Tell whether each word of the shorter fits a word of its own in the longer, in order."""
    if len(short) > len(long):
        short, long = long, short
    rest = iter(long)
    return all(any(fits(word, each) for each in rest) for word in short)


def _stands(one: str, other: str) -> bool:
    """Tell whether one word is an initial or an abbreviation of the other."""
    short, long = sorted((one, other), key=lambda word: (len(word), word))
    if one == other or _is_closed(short, long):
        return one == other
    return short[0] == long[0] and (len(short) == 1 or _abbreviates(short, long))


def _same_word(letters: frozenset[str], one: str, other: str, *, shared: bool) -> bool:
    """Tell whether two words may be one, also by a slip of the pen; acronyms have none."""
    short, long = sorted((one, other), key=lambda word: (len(word), word))
    if shared and _stands(one, other):
        return True
    capitals = short in letters and long in letters and len(long) < 6
    return not (capitals or _is_closed(short, long)) and _is_slip(short, long)


def _is_closed(one: str, other: str) -> bool:
    """Tell whether either is a number or in a script where a letter is a word."""
    return is_number(one) or is_number(other) or max(one, other) >= _FIRST_IDEOGRAPH


def _abbreviates(short: str, long: str) -> bool:
    """Tell whether a word leaves out letters of another, by at least two: `dept`, `univ`."""
    if len(long) < len(short) + 2:
        return False
    if long.startswith(short):
        return len(short) <= _LONGEST_CUT
    letters = iter(long)
    return short[-1] == long[-1] and all(letter in letters for letter in short)


def _is_slip(short: str, long: str) -> bool:
    """Tell whether one or, in long words, two letters differ; a short word's first hardly ever."""
    first = frozenset((short[0], long[0]))
    if len(first) == 2 and len(short) < 9 and first not in _EQUAL_SOUNDS:
        return False
    most = 2 if len(short) > 7 else int(len(long) > 3)
    return OSA.distance(short, long, score_cutoff=most) <= most


Pair = tuple[str, str]
Embed = Callable[[Sequence[str]], "NDArray[np.float32]"]
"""Turns texts into unit rows, (N, d)."""


K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocks:
    """Pairs of names worth comparing; in a pair the smaller name comes first."""

    sure: tuple[Pair, ...]
    grey: tuple[Pair, ...]
    """To be decided by a reasoner; pairs that share names stand together."""
    left_out: int = 0
    """How many grey pairs were one too many for both their names."""


def candidate_pairs(
    names: Iterable[str],
    *,
    rule: MergeRule = "alias",
    quotes: Iterable[str] = (),
    embed: Embed | None = None,
) -> Blocks:
    """Return the pairs of names that are one entity, and those that may be.

    Sure: equal but for case, marks, accents, title, `Last, First` and a legal form that only one
    has; an acronym or another name where a name or a quote gives it. Grey: acronyms and initials
    without such evidence, parts, abbreviations, slips of the pen, differing legal forms. Neither:
    names whose numbers or versions differ, or that both have a word of their own.
    """
    distinct = sorted(set(names))
    if rule == "exact":
        alike = _grouped(distinct, lambda name: " ".join(name.split()))
        return Blocks(sure=_chained(alike.values()), grey=())
    forms = {name: parsed(name) for name in distinct}
    sure = {*_same_form(forms), *_stated(forms, quotes)}
    found = _compared(forms, groups(distinct, sure), embed, wide=rule == "wide")
    asked = Counter[int]()
    kept = []
    for entities, (_, pair) in found:
        if min(asked[each] for each in entities) < _ASKED:
            asked.update(entities)
            kept.append(pair)
    together = groups({name for pair in kept for name in pair}, kept)
    first = {name: group[0] for group in together for name in group}
    grey = tuple(sorted(kept, key=lambda pair: (first[pair[0]], pair)))
    return Blocks(sure=tuple(sorted(sure)), grey=grey, left_out=len(found) - len(kept))


def _same_form(forms: Mapping[str, Name]) -> Iterator[Pair]:
    """Pair names of equal words; one without legal form joins none of several."""
    yield from _chained(_grouped(forms, lambda name: forms[name].every).values())
    shared: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, form in forms.items():
        for key in {form.words, form.inverted} - {()}:
            shared[(*key, "|", *form.numbers)].append(name)
    for members in shared.values():
        legal = {name: forms[name].legal for name in members}
        several = len({*legal.values()} - {()}) > 1
        yield from _chained(_grouped(legal, legal.__getitem__).values() if several else [members])


def _stated(forms: Mapping[str, Name], quotes: Iterable[str]) -> set[Pair]:
    """Return the pairs that names and quotes say are one, without what contradicts itself."""
    said: set[Pair] = set()
    for one, other, plainly in stated_aliases(forms, quotes):
        left, right = forms[one], forms[other]
        short = acronym_of(left, right) or acronym_of(right, left)
        evident = plainly or short or set(left.words) > set(right.words)
        if evident and not contradictory(left, right):
            said.add(ordered(one, other))
    glossed = _grouped(
        (name for name in forms if forms[name].gloss), lambda name: forms[name].gloss
    )
    for name, form in forms.items():
        if len(form.words) == 1:
            said.update(ordered(name, long) for long in glossed.get(form.words[0], ()))
    others: dict[str, list[str]] = defaultdict(list)
    for one, other in sorted(said):
        others[one].append(other)
        others[other].append(one)
    torn = {
        name
        for name, found in others.items()
        if any(conflict(forms[left], forms[right]) for left, right in combinations(found, 2))
    }
    return {pair for pair in said if not torn & {*pair}}


def _grouped(names: Iterable[str], key: Callable[[str], K]) -> dict[K, list[str]]:
    found: dict[K, list[str]] = defaultdict(list)
    for name in names:
        found[key(name)].append(name)
    return found


def _chained(groups_of_names: Iterable[Sequence[str]]) -> tuple[Pair, ...]:
    return tuple(pair for members in groups_of_names for pair in pairwise(sorted(members)))


_NEIGHBOURS: Final = 16
_NEAREST: Final = 4
_NEAR: Final = 0.6
_ALIKE: Final = 0.15
_GROUP: Final = 40
_ROWS: Final = 512


def blocked(names: Sequence[Name], embed: Embed | None = None) -> Iterator[tuple[int, int]]:
    """Yield positions of names to compare, the smaller first, each pair once.

    Pairs share an acronym and its initials, a part that few names have, rare character trigrams,
    or a place in the space of `embed`. Time and memory grow with the number of names, not of pairs.
    """
    blocks = [_acronyms(names), _parts(names), _spelt_alike(names)]
    if embed is not None:
        from scipy.sparse import csr_matrix

        rows = csr_matrix(embed([name.text for name in names]))
        blocks.append(_nearest(rows, _NEAREST, _NEAR))
    seen: set[tuple[int, int]] = set()
    for one, other in chain.from_iterable(blocks):
        pair = (min(one, other), max(one, other))
        if one != other and pair not in seen:
            seen.add(pair)
            yield pair


def _acronyms(names: Sequence[Name]) -> Iterator[tuple[int, int]]:
    long: dict[str, list[int]] = defaultdict(list)
    for at, name in enumerate(names):
        if len(name.words) > 1:
            for letters in acronyms(name):
                long[letters].append(at)
    for at, name in enumerate(names):
        letters = letters_of(name)
        if letters:
            yield from ((at, other) for other in long.get(letters, ())[:_GROUP])


def _parts(names: Sequence[Name]) -> Iterator[tuple[int, int]]:
    """Pair each name with those that have its rarest word, where that tells something."""
    holders: dict[str, list[int]] = defaultdict(list)
    for at, name in enumerate(names):
        for word in set(name.words):
            holders[word].append(at)
    for at, name in enumerate(names):
        telling = (name.surname,) if name.surname else name.words
        rarest = min(telling, key=lambda word: (len(holders[word]), word))
        if len(holders[rarest]) <= _GROUP:
            yield from ((at, other) for other in holders[rarest])


def _spelt_alike(names: Sequence[Name]) -> Iterator[tuple[int, int]]:
    """Pair each name with its nearest ones by the trigrams that few names have."""
    if len(names) < 2:
        return
    from sklearn.feature_extraction.text import TfidfVectorizer

    vectors = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 3), lowercase=False)
    rows = vectors.fit_transform([" ".join(name.words) for name in names])
    # What all names share would make the products quadratic, and tells none from another.
    held = np.bincount(rows.indices, minlength=rows.shape[1])[rows.indices]
    rows.data[held > max(100, len(names) // 100)] = 0
    rows.eliminate_zeros()
    yield from _nearest(rows, _NEIGHBOURS, _ALIKE)


def _nearest(rows: "csr_matrix", count: int, least: float) -> Iterator[tuple[int, int]]:
    """Yield each row with so many rows nearest to it, at least so alike; ties by position."""
    columns = rows.T.tocsr()
    for start in range(0, rows.shape[0], _ROWS):
        block = (rows[start : start + _ROWS] @ columns).tocsr()
        for number in range(block.shape[0]):
            span = slice(block.indptr[number], block.indptr[number + 1])
            alike = np.round(block.data[span], 6)
            near = block.indices[span]
            order = np.lexsort((near, -alike))[: count + 1]
            yield from ((start + number, int(near[at])) for at in order if alike[at] >= least)


_ASKED: Final = 8
"""About how many pairs of an entity a reader is asked at least, where there are as many."""


def _compared(
    forms: Mapping[str, Name],
    entities: Sequence[Sequence[str]],
    embed: Embed | None,
    *,
    wide: bool,
) -> list[tuple[tuple[int, int], tuple[float, Pair]]]:
    """Return the likest pair of each two entities that may be one, with their places, in order."""
    shown = [_representatives(forms, members) for members in entities]
    entity = {name: at for at, members in enumerate(entities) for name in members}
    every = [forms[name] for names in shown for name in names]
    best: dict[tuple[int, int], tuple[float, Pair]] = {}
    for left, right in blocked(every, embed):
        one, other = every[left], every[right]
        low, high = sorted((entity[one.text], entity[other.text]))
        alike = low != high and possible(one, other, wide=wide)
        if low == high or (not alike and (embed is None or conflict(one, other, wide=wide))):
            continue
        names = {one.text, other.text}
        if not any(
            conflict(forms[each], forms[own], wide=wide)
            for each, own in product(shown[low], shown[high])
            if {each, own} != names
        ):
            ratio = token_sort_ratio(" ".join(one.words), " ".join(other.words))
            ranked = -round(ratio / 100, 6), ordered(one.text, other.text)
            best[low, high] = min(ranked, best.get((low, high), ranked))
    return sorted(best.items(), key=itemgetter(1))


def _representatives(forms: Mapping[str, Name], members: Sequence[str]) -> list[str]:
    """Return of each form the plainest name, and of those the longest."""

    def plainness(name: str) -> tuple[int, int, str]:
        return len(forms[name].every) - len(forms[name].words), -len(name), name

    alike = _grouped(members, lambda name: forms[name].words).values()
    return [min(each, key=plainness) for each in alike]


_OPEN: Final = re.compile(r"[(（]")
_MARK: Final = re.compile(
    r"[,;(]?\s*\b(?:also|formerly|previously|now|better|commonly|otherwise)\s+(?:known|called|named)"
    r"(?:\s+as)?\b|[,;(]?\s*\b(?:a\.?k\.?a\.?|[fnd]/[kb]/a|doing business as|trading as|abbreviated"
    r"(?:\s+as|\s+to)?|formerly|alias|auch bekannt als|ehemals|également connue? sous le nom de"
    r"|anciennement|también conocid[oa] como|noto come)(?!\w)",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(
    r"^(?:the|a|an|or|hereinafter|hereafter|herein|collectively|as|short|referred to as|abbreviated"
    r"|called|die|der|das|kurz|ci-après|le|la|el|en adelante)\s+",
    re.IGNORECASE,
)
_LONGEST_ALIAS: Final = 12


def stated_aliases(names: Iterable[str], quotes: Iterable[str]) -> Iterator[tuple[str, str, bool]]:
    """Yield each two names that a text says are one, and whether it says so in words."""
    known: Mapping[tuple[str, ...], list[str]] = _known(names)
    for quote in dict.fromkeys(quotes):
        for match in _MARK.finditer(quote):
            yield from _beside(known, quote[: match.start()], quote[match.end() :], said=True)
        for match in _OPEN.finditer(quote):
            inner = re.split(r"[)）]", quote[match.end() :], maxsplit=1)[0]
            for part in dict.fromkeys((inner, *re.split(r"[,;]| or (?:the )?", inner))):
                yield from _beside(known, quote[: match.start()], part, said=False)


def _known(names: Iterable[str]) -> dict[tuple[str, ...], list[str]]:
    known: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name in names:
        words = _words(name)
        known[words[1:] if words[:1] == ("the",) else words].append(name)
    known.pop((), None)
    return known


def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"[^\W_]+", folded(text)))


def _beside(
    known: Mapping[tuple[str, ...], Sequence[str]], before: str, after: str, *, said: bool
) -> Iterator[tuple[str, str, bool]]:
    """Pair the longest name that ends the text before with the one that begins the text after."""
    while (shorter := _LEAD.sub("", after.lstrip(" \"'“”‘’«„,(").lstrip())) != after:
        after = shorter
    left = _words(before[-200:])[-_LONGEST_ALIAS:]
    right = _words(after[:200])[:_LONGEST_ALIAS]
    first = next((known[left[at:]] for at in range(len(left)) if left[at:] in known), ())
    whole = range(len(right), 0, -1) if said else range(len(right), len(right) - 1, -1)
    second = next((known[right[:end]] for end in whole if right[:end] in known), ())
    yield from ((one, two, said) for one in first for two in second if one != two)


def merge(
    counts: Mapping[str, int],
    sure: Iterable[Pair],
    confirmed: Iterable[Pair] = (),
    *,
    wide: bool = False,
) -> tuple[dict[str, tuple[str, ...]], tuple[Pair, ...]]:
    """Merge names into entities; the order of names and pairs changes nothing.

    Returns the other names of each entity, most frequent first, by the name that it is shown by;
    and the pairs said to be one that were not merged: that would join names that contradict.

    Sure pairs go first, then those that a reasoner confirmed, with `wide` also of other versions,
    numbers and legal forms. A pair is refused where it would put two names into one entity that
    contradict each other. An entity goes by its most frequent name, then the longest.
    """
    links = [
        (number, *ordered(*pair))
        for number, pairs in enumerate((sure, confirmed))
        for pair in pairs
        if pair[0] in counts and pair[1] in counts and pair[0] != pair[1]
    ]
    direct = {(one, other) for _, one, other in links}
    sets, refused = _sets(counts), []
    for _, one, other in sorted(set(links), key=lambda link: (link[0], _rank(link[1:], counts))):
        if sets.connected(one, other):
            continue
        if _contradict(sets.subset(one), sets.subset(other), direct, wide=wide):
            refused.append((one, other))
        else:
            sets.merge(one, other)
    apart = {pair for pair in refused if not sets.connected(*pair)}
    clusters: dict[str, tuple[str, ...]] = {}
    for members in sets.subsets():
        name, *aliases = sorted(members, key=lambda each: (-counts[each], -len(each), each))
        clusters[name] = tuple(aliases)
    by_name = dict(sorted(clusters.items(), key=lambda each: (each[0].casefold(), each[0])))
    return by_name, tuple(sorted(apart))


def groups(names: Iterable[str], pairs: Iterable[Pair]) -> list[list[str]]:
    """Return the names that pairs connect, directly or not; pairs with other names are left out."""
    sets = _sets(names)
    for one, other in pairs:
        if one in sets and other in sets:
            sets.merge(one, other)
    return sorted(map(sorted, sets.subsets()))


def _sets(names: Iterable[str]) -> Any:
    """Return each name as a set of its own, in SciPy's disjoint sets."""
    from scipy.cluster.hierarchy import DisjointSet

    return DisjointSet(names)


def ordered(one: str, other: str) -> Pair:
    """Return a pair with the smaller name first."""
    return (one, other) if one <= other else (other, one)


def _rank(pair: Pair, counts: Mapping[str, int]) -> tuple[int, int, Pair]:
    few, many = sorted((counts[pair[0]], counts[pair[1]]))
    return -few, -many, pair


def _contradict(
    left: Iterable[str], right: Iterable[str], direct: set[Pair], *, wide: bool
) -> bool:
    """Tell whether names of two entities contradict; of a pair called one, numbers do alone."""
    return any(
        (contradictory if ordered(one, other) in direct else conflict)(
            parsed(one), parsed(other), wide=wide
        )
        for one in left
        for other in right
    )
