"""The words that a collection itself gives: fields, their values, and kinds of documents."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Final

from agent.corpus_view import CorpusView, Field, FieldType, FieldValue
from agent.english import FUNCTION_WORDS, currency_of, fold, is_code, root, singular, stem, word_set
from agent.name_variants import is_turned, same_names
from agent.predicates import (
    FILE_FACTS,
    TITLE_FIELD,
    is_document_type,
    name_value,
    says_nothing,
    stated_fields,
)
from agent.question import Comparison, Predicate
from agent.reasoners.lexical import question_words as closed
from agent.reasoners.lexical.question_words import TABLES
from agent.reasoners.lexical.tokens import Token
from agent.units import converted, is_share, parse_unit

Words = tuple[str, ...]

_LONGEST: Final = 8
"""Words of a value at most: longer ones are prose."""
_SENTENCE: Final = 4
"""Words of a value on average from which on one of half as many is no value but a short remark."""
_MANY: Final = 50_000
"""Distinct items of a field from which on its values are not looked up."""
NAMING: Final = 8
"""Documents from which on a field with another value in each names each of them."""
_SHORTEST_TYPO: Final = 5
_CUT: Final = 3
"""Letters at most of a word that is cut short."""
_LONG: Final = 7
"""Letters of a word of which one may be another letter."""
_FEW_NAMES: Final = 200
"""Distinct values of a field of which each is compared with each."""
_ROLES: Final = {
    verb: word_set(names) for verbs, names in TABLES["roles"].items() for verb in verbs.split()
}
"""By a verb, the names of fields of who does it."""
_FEW: Final = 12
"""Distinct values of a field whose values verbs may name: `declined` of a status."""
_MOST_TYPES: Final = 12
"""Values of a field at most that may tell types of documents by the other fields they have."""
_SORTING: Final = closed.NUMBERING | word_set("type kind category class sort date name status")
"""Ends of fields' names that say something of what stands before them: `visit type`."""
WEAK: Final = closed.PAPERS | word_set(
    "case paper article event story post description summary job page mail email message"
)
"""What a document may well be called, where nothing tells kinds apart."""
_EVENTS: Final = ("ion", "ment", "ing", "al")
"""Ends of nouns of what somebody does: an `inspection` of an `inspector`."""
_SHORTENED: Final[dict[str, str]] = TABLES["shortened"]
"""Words of fields' names that are seldom written out."""
_FOLDER: Final = "file folder"
_COVERED: Final = 0.7
"""The share of documents whose titles must begin with a recurring kind, for kinds to be told by
titles."""
_SEPARATOR: Final = re.compile(r"\s+[–—-]\s+|[:,(#/]|\s(?=\d)|\s(?:no|nr)\.", re.IGNORECASE)
_ASKED: Final = word_set(TABLES["asked"])
"""Words of questions that are misspelt as names are."""
_MONEY: Final = re.compile(r"\s*(\D{0,4}?)\s*[-+]?\d[\d.,  ]*\s*([^\d.,]{0,20}?)\.?\s*")
"""A number with what is written before or behind it."""
_NUMBERED: Final = re.compile(r"([^\W\d_]{3,}(?:[-_ ][^\W\d_]+)*)[-_ #]*\d")
_PARTS: Final = re.compile(r"[^\W_]+")
_NAMED: Final = 0.9
"""The share of documents whose names must tell a kind, for kinds to be told by names."""
_YEAR: Final = re.compile(r"(?:1[5-9]|20)\d{2}")
_AND: Final = re.compile(r"\s+(?:and|&)\s+")
_REMARK: Final = re.compile(r"\s*\([^()]*\)$")
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WORD: Final = re.compile(
    r"(?:(?<!\S)-(?=\d)|[<>≤≥~≈±])?[^\W_]+(?:['’][^\W_]+)?(?:[+#]+|(?<=\b[A-Z])-(?![^\W_]))?"
)
_COMMON: Final = 0.5
"""The share of documents from which on a noun that all of them use is what each of them is."""


def compares(field: str, comparison: Comparison, values: Words = ()) -> Predicate:
    """Return the test of one field."""
    return Predicate(field=field, comparison=comparison, values=values)


@dataclass(frozen=True, slots=True)
class Kind:
    """What a noun counts: some of the documents, or all of them."""

    test: Predicate | None
    """None where each document is one."""
    assumed: str = ""
    """What is taken for granted, in words; empty where the collection says it."""
    others: tuple[Predicate, ...] = ()
    """What else makes a document one, where it does not state what the test is of."""
    doubted: frozenset[int] = frozenset()
    """The documents of which it cannot be told whether they are of the kind."""
    placed: bool = False
    """Whether a folder, a title or a type of document says it."""


@lru_cache(maxsize=65536)
def norms(text: str) -> Words:
    """Return the words of a name or value in the singular, without case and accents.

    >>> norms("Monthly-Rent (months)"), norms("contractEnd"), norms("fee_eur")
    (('monthly', 'rent', 'month'), ('contract', 'end'), ('fee', 'eur'))
    """
    return tuple(singular(fold(each)) for each in _WORD.findall(_CAMEL.sub(" ", text)))


@dataclass(frozen=True)
class Vocabulary:
    """What a collection calls its fields, values and documents."""

    corpus: CorpusView
    fields: tuple[Field, ...] = field(init=False)
    """Those that documents state, and the folder."""

    def __post_init__(self) -> None:
        """Keep the fields that a question may be about: one called `#` has no word."""
        used = (of for of in self.corpus.fields if of.name not in FILE_FACTS and norms(of.name))
        object.__setattr__(self, "fields", tuple(used))

    # -- fields -------------------------------------------------------------------------------

    def fields_at(self, tokens: Sequence[Token], at: int) -> tuple[tuple[Field, ...], int]:
        """Return the fields that the words at a place name, and how many words do.

        A whole name, its unit left out or not, goes before a part of one; more words go before
        fewer. Several fields are returned where a part belongs to all of them. A name of two words
        may be told by `of`: `age of the patients` is `patient age`.
        """
        if (turned := self._turned_round([each.norm for each in tokens[at : at + 4]]))[1]:
            return turned
        for size in range(min(_LONGEST, len(tokens) - at), 0, -1):
            words = tuple(each.norm for each in tokens[at : at + size])
            if any(each.kind != "word" for each in tokens[at : at + size]):
                continue
            if set(words) <= FUNCTION_WORDS and not tokens[at].text[:1].isupper():
                continue
            found = self._whole.get(words) or self._parts.get(words)
            if size > 1 and not found:
                found = self._rooted.get(tuple(map(stem, words)))
            if size == 2 and not found:
                found = self._whole.get((stem(words[0]) + words[1],))
            if found:
                return found, size
        return (), 0

    def _turned_round(self, words: Sequence[str]) -> tuple[tuple[Field, ...], int]:
        """Return the fields that `one of the other` names the other way round, and how long."""
        skipped = 3 if words[2:3] in (["the"], ["our"]) else 2
        if words[1:2] != ["of"] or len(words) <= skipped:
            return (), 0
        found = self._whole.get((words[skipped], words[0]), ())
        return found, skipped + 1 if found else 0

    def folders_at(self, tokens: Sequence[Token], at: int) -> tuple[dict[str, Words], int]:
        """Return the folders with a part of their path that the words at a place name, as a value.

        With how many words do; `Smith/2024` and `2024` both name what lies in that folder.
        """
        paths = self.corpus.field_items(_FOLDER) if self._has(_FOLDER) else ()
        for size in range(min(_LONGEST, len(tokens) - at), 0, -1):
            words = tuple(word for each in tokens[at : at + size] for word in norms(each.text))
            if found := tuple(each for each in paths if words and words in _runs(each)):
                return {_FOLDER: found}, size
        return {}, 0

    def doer(self, verb: str) -> Field | None:
        """Return the one field that says who did what a verb says: `Raised by`, `Handed out by`."""
        told = [
            each
            for each in self.fields
            if each.type in {"text", "list"}
            and (names := norms(each.name))[1:][-1:] == ("by",)
            and root(verb, names[0])
        ]
        return told[0] if len(told) == 1 else None

    def field_akin(self, word: str) -> Field | None:
        """Return the one field whose name is of the same root: `sponsored` names `sponsor`.

        A word of a longer name counts where no whole name does: `reviewing` names `review date`.
        """
        if len(word) < 3 or word in FUNCTION_WORDS - {"own"}:
            return None
        told = [(each, _unitless(norms(each.name))) for each in self.fields]
        if word.endswith("ed"):
            told = [(each, names) for each, names in told if not closed.PLANNED & {*names}]
        found = [each for each, names in told if len(names) == 1 and root(word, names[0])]
        if not found and len(word) >= _SHORTEST_TYPO:
            found = [
                each
                for each, names in told
                if any(name not in closed.VAGUE and root(word, name) for name in names)
            ]
        if not found:
            roles = _ROLES.get(word, frozenset())
            found = [
                each
                for each, names in told
                if roles & ({*names} - FUNCTION_WORDS if len(names) > 1 else {*names})
            ]
        return found[0] if len(found) == 1 else None

    @cached_property
    def _whole(self) -> dict[Words, tuple[Field, ...]]:
        names: dict[Words, list[Field]] = defaultdict(list)
        for each in self.fields:
            whole = norms(each.name)
            bare = norms(each.name.partition(" (")[0])
            dated = (*whole, "date") if each.type == "date" and "date" not in whole else whole
            full = tuple(_SHORTENED.get(word, word) for word in _unitless(whole))
            aliases = map(norms, each.aliases)
            told = (whole, bare or whole, _unitless(whole), dated, full, *aliases)
            for words in dict.fromkeys(told):
                names[words].append(each)
            if each.name == _FOLDER:
                for alias in ("folder", "kind", "type"):
                    names[(alias,)].append(each)
        exact = {norms(each.name): (each,) for each in self.fields}
        return {words: exact.get(words, tuple(found)) for words, found in names.items()}

    @cached_property
    def _rooted(self) -> dict[Words, tuple[Field, ...]]:
        return {tuple(map(stem, words)): found for words, found in self._whole.items()}

    @cached_property
    def _parts(self) -> dict[Words, tuple[Field, ...]]:
        parts: dict[Words, list[Field]] = defaultdict(list)
        for each in self.fields:
            words = _unitless(norms(each.name))
            if each.name == _FOLDER:
                continue
            told = words[-1] in _SORTING and len(words) > 1
            for start in range(len(words)):
                for stop in range(start + 1, len(words) + 1):
                    piece = words[start:stop]
                    whole = piece == words or (told and stop < len(words))
                    whole |= words[-1] == "by" and stop < len(words)
                    if not (whole or set(piece) <= closed.VAGUE | FUNCTION_WORDS):
                        parts[piece].append(each)
        return {words: tuple(dict.fromkeys(found)) for words, found in parts.items()}

    @cached_property
    def units(self) -> dict[str, str]:
        """By field, the unit in which most values are written, or its name ends in.

        A currency is its code, any other unit a word in the singular; empty where there is none.
        """
        return {each.name: self._unit(each) for each in self.fields}

    def _unit(self, of: Field) -> str:
        if of.type != "number" or self.in_years(of):
            return ""
        counts = Counter(unit for raw, _ in of.values if (unit := unit_of_value(raw)) is not None)
        if counts and (best := counts.most_common(1)[0])[0] and best[1] * 2 > len(of.values):
            return best[0]
        words = norms(of.name)
        if _unitless(words) != words:
            degree = words[-1] in {"c", "f"}
            return currency_of(words[-1].upper()) or ("degree" if degree else words[-1])
        first = _WORD.findall(of.name)[0].casefold() if words else ""
        leads = first != words[0] and (told := parse_unit(words[0])) and bool(told.measures)
        return words[0] if len(words) == 1 or leads else _bracketed(of.name)

    @cached_property
    def currencies(self) -> dict[str, dict[str, tuple[str, ...]]]:
        """By field, the currencies that its numbers are written in: by code, as written."""
        told: dict[str, dict[str, tuple[str, ...]]] = {}
        looked_at = len(self.corpus.documents) <= _MANY
        for each in self.fields:
            written: dict[str, dict[str, None]] = defaultdict(dict)
            values = self.corpus.field_values(each.name).values()
            for value in values if each.units and looked_at else ():
                match = _MONEY.fullmatch(value.raw)
                symbol = (match[1] or match[2]).strip() if match else ""
                if symbol and (code := currency_of(symbol)) is not None:
                    written[code][symbol] = None
            told[each.name] = {code: tuple(symbols) for code, symbols in written.items()}
        return told

    @cached_property
    def currency_column(self) -> Field | None:
        """The field whose values are the currencies of others' numbers."""
        for each in self.fields:
            if each.values and all(currency_of(item) for item, _ in each.values):
                return each
        return None

    @cached_property
    def unit_column(self) -> Field | None:
        """The field whose values are the units of another's numbers."""
        named = (each for each in self.fields if {"unit", "uom"} & {*norms(each.name)[-1:]})
        return next((each for each in named if each.type == "text"), None)

    @cached_property
    def measures(self) -> dict[str, str]:
        """By field, what it measures: `date`, `money`, or the base of its unit (`s`, `m/s`).

        `number` of plain ones; empty where it holds none.
        """
        return {each.name: self._measure(each) for each in self.fields}

    def _measure(self, of: Field) -> str:
        if of.type == "date" or self.in_years(of):
            return "date"
        if of.type != "number":
            return ""
        unit = self.units[of.name]
        if unit.isupper() and is_code(unit):
            return "money"
        parsed = parse_unit(unit) if unit else None
        bases = parsed.measures[::-1] if parsed is not None else ()
        return "".join(f"{base}{power if power > 1 else ''}" for base, power in bases) or "number"

    @staticmethod
    def in_years(of: Field) -> bool:
        """Tell whether a field holds nothing but years."""
        return bool(of.values) and all(_YEAR.fullmatch(each.strip()) for each, _ in of.values)

    def scaled(self, number: float, unit: str, of: Field) -> float | None:
        """Return an amount in the unit of a field; None where the units measure other things."""
        own = self.units[of.name]
        told = parse_unit(unit) if unit and own else None
        if told is None or told.counted or unit == own or is_share(own):
            return None
        found = converted(Decimal(str(number)), unit, own)
        return None if isinstance(found, str) else float(found)

    def of_type(self, type_: FieldType) -> list[Field]:
        """Return the fields of a type."""
        return [each for each in self.fields if each.type == type_]

    @cached_property
    def only_year(self) -> str:
        """The year in which all dates lie; empty where they lie in several."""
        values = (self.corpus.field_values(each.name).values() for each in self.of_type("date"))
        years = {value.date[:4] for told in values for value in told if value.date}
        return years.pop() if len(years) == 1 else ""

    # -- values -------------------------------------------------------------------------------

    def values_at(self, tokens: Sequence[Token], at: int) -> tuple[dict[str, tuple[str, ...]], int]:
        """Return by field the items that the words at a place are, and how many words they take."""
        for size in range(min(_LONGEST, len(tokens) - at), 0, -1):
            part = tokens[at : at + size]
            if any(each.kind not in {"word", "number"} and each.text != "&" for each in part):
                continue
            words = tuple(each.norm for each in part if each.text != "&")
            if (found := self._values.get(words)) and not _bare(part):
                return found, size
        return {}, 0

    def values_akin(self, word: str) -> dict[str, tuple[str, ...]]:
        """Return the value of the one field of few values that has a word's root: `decline`.

        Empty where the word is a value itself, or several fields have one.
        """
        if len(word) < _SHORTEST_TYPO or (singular(word),) in self._values:
            return {}
        found = self._together(
            by_field
            for own, by_field in self._values.items()
            if len(own) == 1 and (stem(own[0]) == stem(word) or own[0] == f"{word}ing")
        )
        few = {each.name for each in self.of_type("text") if each.distinct <= _FEW}
        alone = not found.keys() & {e for items in found.values() for e in self._beside(items)}
        return found if len(found) == 1 and few & found.keys() and alone else {}

    def _beside(self, items: Words) -> Iterator[str]:
        """Yield the fields with a longer value that has one of the items in it."""
        for item in items:
            yield from self.values_with(norms(item))

    def _written(self, name: str, item: str) -> Sequence[str]:
        """Return the ways in which a field writes an item: `e-mail`, `email`."""
        return self._values.get(norms(item), {}).get(name, (item,))

    def values_by_words(self, words: Words) -> dict[str, tuple[str, ...]]:
        """Return by field the items that the words are."""
        return self._values.get(words, {})

    def values_with(self, words: Words) -> dict[str, tuple[str, ...]]:
        """Return by field the items that contain the words, of fields with a few values."""
        return self._together(
            by_field
            for own, by_field in self._values.items()
            if len(own) > len(words) and _has(own, words)
        )

    @staticmethod
    def _together(several: Iterable[Mapping[str, Words]]) -> dict[str, Words]:
        found: dict[str, dict[str, None]] = defaultdict(dict)
        for by_field in several:
            for name, items in by_field.items():
                found[name] |= dict.fromkeys(items)
        return {name: tuple(items) for name, items in found.items()}

    def with_variants(self, name: str, items: Sequence[str], *, parted: bool = False) -> Words:
        """Return items of a field with the other ways in which their names are written there.

        `parted` adds values that are such a name and were taken for several items: `Lee, Ann`.
        """
        written = self.corpus.field_items(name)
        same = same_names((*written, *self._parted(name)) if parted else written)
        full = {same.get(each, each) for each in items}
        others = (each for each in same if same[each] in full)
        return tuple(dict.fromkeys((*items, *full.intersection(same.values()), *others)))

    def _parted(self, name: str) -> list[str]:
        """Return the values of a field that have several items and may be a name turned round."""
        values = self.corpus.field_values(name).values()
        return [each.raw for each in values if len(each.items) == 2 and is_turned(each.raw)]

    def beside(self, name: str, items: Words) -> list[str]:
        """Return the other values of a field that may say what its items say, or be them in part.

        They have the words of one beside others and do not deny them, one is cut short of the
        other, or they are its name turned round: `Type 2 diabetes` beside `Diabetes`, `F` beside
        `female`.
        """
        words = [norms(each) for each in items]
        cut = frozenset().union(*map(_cuts, items))
        found = [
            each
            for each in self.corpus.field_items(name)
            for told in [norms(each)]
            if (not closed.NEGATIONS & {*told[:1]} and any(_has(told, own) for own in words))
            or _letters(each) in cut
            or _cuts(each) & {*map(_letters, items)}
            or any(_is_near(each, own) for own in items)
        ]
        found += self.with_variants(name, items, parted=True)
        return [each for each in dict.fromkeys(found) if each not in items]

    def one_or_two(self, of: Field) -> str:
        """Say which items of a field may be one, or part of one, or several; empty for none."""
        items, parted = self.corpus.field_items(of.name), self._parted(of.name)
        letters = {_letters(each): each for each in items}
        cut = {letters[one]: each for each in items for one in _cuts(each) & letters.keys()}
        for each, other in {**same_names((*items, *parted)), **cut}.items():
            if norms(each) != norms(other):
                return f"{each!r} may be {other!r}"
        if misspelt := self.misspelt(of):
            return misspelt
        values = {each.raw: each.items for each in self.corpus.field_values(of.name).values()}
        held = Counter(item for own in values.values() for item in own)
        names = any(
            len(own := each.split()) > 1 and all(e[0].isupper() for e in own) for each in items
        )
        for each in parted if names else ():
            if all(held[item] == 1 for item in re.split(r",\s*", each)):
                return f"{each!r} may be one"
        joined = (each for each in items if held.keys() & {*_AND.split(each)} - {each})
        return next((f"{each!r} may be several" for each in joined), "")

    def misspelt(self, of: Field) -> str:
        """Say which item of a field may be another, misspelt; empty for none."""
        items = self.corpus.field_items(of.name) if of.distinct <= _FEW_NAMES else ()
        long = [each for each in items if len(each) >= _LONG]
        near = (pair for pair in combinations(long, 2) if _is_near(*pair))
        return next((f"{one!r} may be {other!r}, misspelt" for one, other in near), "")

    def remarked(self, of: Field) -> str:
        """Say which item of a field may be another with a remark; empty for none."""
        items = self.corpus.field_items(of.name)
        whole = {fold(each): each for each in items}
        noted = ((each, fold(_REMARK.sub("", each))) for each in items if _REMARK.search(each))
        return next((f"{one!r} may be {whole[own]!r}" for one, own in noted if own in whole), "")

    def doubtful(self, of: Field) -> tuple[str, ...]:
        """Return the values of which it is open whether a document with one has what it names.

        They tell that there is none, or are of another sort than most: `cancelled` among dates.
        """
        return self._doubtful[of.name]

    @cached_property
    def _doubtful(self) -> Mapping[str, tuple[str, ...]]:
        return {each.name: self._odd_values(each) for each in self.corpus.fields}

    def _odd_values(self, of: Field) -> tuple[str, ...]:
        values = self.corpus.field_values(of.name).values()
        several = (each for each in values if len(each.items) < 2)
        told = [(each, self._sort(each, of)) for each in several if not says_nothing(each.raw)]
        usual = Counter(sort for _, sort in told).most_common(1)[0][0] if told else None
        odd = (
            each.raw
            for each, sort in told
            if (usual, sort) not in {(sort, sort), ("text", "number")}
            or closed.DENYING & {*norms(each.raw)[:1]}
        )
        return tuple(dict.fromkeys(odd))

    @staticmethod
    def _sort(value: FieldValue, of: Field) -> str:
        """Return what a value is: of the type of its field, if it can be."""
        words = norms(value.raw)
        if len(words) > 1 and value.date is None and all(map(str.isdigit, words)):
            return "number"  # `649, 749`
        found = {"date": value.date, "number": value.number}
        sorts = [name for name, held in found.items() if held is not None]
        return of.type if of.type in sorts else (*sorts, "text")[0]

    @cached_property
    def _values(self) -> dict[Words, dict[str, Words]]:
        values: dict[Words, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for name, item in self._items():
            for words in _orders(item):
                values[words][name].append(item)
        written: dict[tuple[str, str], list[Words]] = defaultdict(list)
        for words, by_field in values.items():
            for name in by_field:
                written[name, "".join(each for each in words if each != "and")].append(words)
        for (name, _), same in written.items():
            if len(same) > 1 and same[0][0].isalpha():  # `e-mail`, `email`; `&`, `and`
                items = [item for words in same for item in values[words][name]]
                for words in same:
                    values[words][name] = items
        return {
            words: {name: tuple(items) for name, items in by_field.items()}
            for words, by_field in values.items()
        }

    def _items(self) -> Iterator[tuple[str, str]]:
        for each in self.fields:
            if each.type in {"text", "list"} and each.distinct <= _MANY and each.name != _FOLDER:
                items = list(self.corpus.field_items(each.name))
                usual = sum(len(item.split()) for item in items) / max(1, len(items))
                least = 0 if usual <= _SENTENCE else usual / 2
                yield from ((each.name, item) for item in items if len(item.split()) >= least)

    # -- kinds of documents -------------------------------------------------------------------

    def kind_at(self, tokens: Sequence[Token], at: int) -> tuple[Kind | None, int]:
        """Return the kind of document that the words at a place name, and how many words do."""
        for size in range(min(4, len(tokens) - at), 0, -1):
            part = tokens[at : at + size]
            ends = {part[0].low, part[-1].low}  # `notices to mariners`
            if all(each.kind == "word" for each in part) and not ends & FUNCTION_WORDS:
                kind = self.kind(tuple(each.norm for each in part))
                if kind is not None:
                    return kind, size
        return None, 0

    @cached_property
    def kind(self) -> Callable[[Words], Kind | None]:
        """The documents that a noun phrase names, by its words; None where nothing says which."""
        return lru_cache(maxsize=4096)(self._kind)

    def _kind(self, words: Words) -> Kind | None:
        one_stem = len(self._stems) == 1 and bool(_containing(words, self._stems))
        one_stem &= not self.mixed
        generic = closed.GENERIC - (closed.ONE_KIND if self.several else set())
        generic -= closed.ROWS if self.mixed else set()
        partly = (each for each in self.fields if each.documents < len(self.corpus.documents))
        generic -= {" ".join(norms(each.name)) for each in partly} - {"document"}
        if words in {(each,) for each in generic} or one_stem:
            return Kind(None)
        return (
            self._of_type(words)
            or self._of_place(words)
            or self._of_field(words)
            or self._of_table(words)
            or self._of_label(words)
        )

    def _of_table(self, words: Words) -> Kind | None:
        """Return the rows of a table that is called so, beside documents of other sorts."""
        if not self.mixed:
            return None
        rows = len(words) == 1 and words[0] in closed.ROWS | closed.BESIDE
        told = [each.partition("#")[0] for each in self.corpus.documents if "#" in each]
        chosen = {each for each in told if rows or words == norms(each.rpartition("/")[2])}
        tables = [(at, *each.partition("#")[:2]) for at, each in enumerate(self.corpus.documents)]
        own = {at for at, table, mark in tables if mark and table in chosen}
        values = self.corpus.field_values
        mark = next((each.name for each in self.fields if values(each.name).keys() == own), None)
        if mark is None or not own:
            return None
        if {*words} == closed.BESIDE:
            assumed = "what stands beside the rows is taken as notes"
            return Kind(compares(mark, "exists", ("false",)), assumed)
        return Kind(compares(mark, "exists"))

    def _of_type(self, words: Words) -> Kind | None:
        """Return the documents whose type is called so: `letters`, or `trips` of trip reports."""
        for each in self.fields:
            name = norms(each.name)
            every = len(self.corpus.documents)
            typed = name[-1] in closed.TYPED and each.documents == every
            typed |= self.is_type(each.name) and 2 * each.documents >= every
            sort = name[-1] in {"type", "kind"}
            if typed and name == words and not sort and each.documents == every > each.distinct:
                return Kind(None)
            items = self.corpus.field_items(each.name) if typed else ()
            told = [(norms(item), item) for item in items]
            chosen = _containing(words, told)
            about = [
                item
                for own, item in told
                if words in {own[:-1], (*own, *words[-1:])} and item not in chosen
                and {*own[-1:], *words[-1:]} & closed.PAPERS
            ]  # fmt: skip
            if chosen or (len(about) == 1 and norms(about[0])[:-1] == words):
                assumed = f"each {about[0]} is taken as one {' '.join(words)}" if about else ""
                others = self._named_so(each, words, chosen) if chosen else ()
                longer = all(norms(item) != words for item in chosen)
                numbered = self._of_field(words) if longer else None
                if numbered is not None and numbered.test is None:
                    return numbered  # each has a `Bulletin-No`, beside a `Service Bulletin`
                if (
                    longer and len(words) == 1 and words[0] in closed.ANY
                ):  # each document may be one
                    return self._of_field(words) or Kind(None, doubted=frozenset(range(every)))
                told = [(own, item) for own, item in told if item not in about]
                cut = _cuts(" ".join(words))
                less = [item for own, item in told
                        if own and ({*own} < {*words} or _letters(item) in cut)]  # fmt: skip
                values = self.corpus.field_values(each.name)
                doubted = {at for at in values if {*less} & {*values[at].items}}
                chosen = [one for item in chosen for one in self._written(each.name, item)]
                test = compares(each.name, "is", tuple(dict.fromkeys((*chosen, *about))))
                return Kind(
                    test, assumed, others, frozenset(doubted), placed=self.is_type(test.field)
                )
        return None

    def is_type(self, name: str) -> bool:
        """Tell whether a field says what a document is: by its name, or by what goes with it."""
        return is_document_type(name) or name in self._telling

    @cached_property
    def _telling(self) -> frozenset[str]:
        """The fields each of whose values goes with fields that another value's documents lack.

        `Form` says what a document is where permits have a holder and inspections have a rating; a
        status does not, of which one value alone brings a date of its own.
        """
        every, stated = len(self.corpus.documents), stated_fields(self.corpus)
        few = [each for each in stated if each.documents == every and each.type == "text"]
        few = [each for each in few if 1 < each.distinct <= min(_MOST_TYPES, every // 2)]
        having = [self.corpus.field_values(each.name).keys() for each in stated if each not in few]
        found: set[str] = set()
        for each in few:
            groups: dict[str, set[int]] = defaultdict(set)
            for at, value in self.corpus.field_values(each.name).items():
                groups[value.raw.casefold()].add(at)
            several = [own for own in groups.values() if len(own) > 1]
            owned = [{n for n, at in enumerate(having) if own <= at} for own in several]
            lacked = [{n for n, at in enumerate(having) if own.isdisjoint(at)} for own in several]
            told = ((own & set().union(*lacked), lack & set().union(*owned))
                    for own, lack in zip(owned, lacked, strict=True))  # fmt: skip
            if len(several) > 1 and all(own and lack for own, lack in told):
                found.add(each.name)
        return frozenset(found)

    def _named_so(self, of: Field, words: Words, chosen: Sequence[str]) -> tuple[Predicate, ...]:
        """Return the test of names that tells the kind of documents which do not state it.

        It holds where each document that is named so and states its kind is of that kind.
        """
        values = self.corpus.field_values(of.name)
        names = [each.rpartition("/")[2] for each in self.corpus.documents]
        tests: list[Predicate] = []
        for word in words:
            own = [at for at, name in enumerate(names) if word in norms(name)]
            told = [set(values[at].items) <= set(chosen) for at in own if at in values]
            spelt = {part for at in own for part in _PARTS.findall(names[at])}
            spelt = {part for part in spelt if norms(part) == (word,)}
            if spelt and told and all(told) and len(told) < len(own):
                tests.append(compares("file name", "contains", tuple(sorted(spelt))))
        headed = {
            at for at, each in enumerate(self.corpus.titles) if norms(each)[: len(words)] == words
        }
        stated = headed & values.keys()
        if 1 < len(stated) < len(headed) and all({*values[at].items} <= {*chosen} for at in stated):
            heads = {" ".join(_WORD.findall(self.corpus.titles[at])[: len(words)]) for at in headed}
            tests.append(compares(TITLE_FIELD, "contains", tuple(sorted(heads))))
        for name, items in self._values.get(words, {}).items():
            if values.keys().isdisjoint(self.corpus.field_values(name)):
                tests.append(compares(name, "is", items))
        return tuple(tests)

    def _of_place(self, words: Words) -> Kind | None:
        """Return the documents in folders, or with titles, of that name."""
        folders = self._folders
        above = [(norms(e), path) for _, path in folders for e in path.split("/")[:-1]]
        if chosen := _containing(words, folders) or _containing(words, above):
            test = compares(_FOLDER, "is", tuple(dict.fromkeys(chosen)))
            return Kind(test, doubted=self._named_otherwise(words, chosen), placed=True)
        if chosen := _containing(words, self._titles):
            test = compares(TITLE_FIELD, "contains", tuple(dict.fromkeys(chosen)))
            return Kind(test, placed=True)
        return None

    def _named_otherwise(self, words: Words, folders: Sequence[str]) -> frozenset[int]:
        """Return the documents of folders that are not named, or not headed, as most there are.

        A folder of incidents may hold a handover beside its `incident-1`, `incident-2`; one of
        notes a summary with other fields, or what explains the folder (`README`).
        """
        values = self.corpus.field_values(_FOLDER).items()
        inside = {at for at, each in values if each.raw in folders}
        names = {at: norms(self.corpus.documents[at].rpartition("/")[2]) for at in inside}
        otherwise = {at for at, name in names.items() if not _has(name, words)}
        if 2 * len(otherwise) > len(inside):
            otherwise = {at for at, name in names.items() if name == ("readme",)}
        return frozenset(otherwise | self._headed_otherwise(inside))

    def _headed_otherwise(self, inside: set[int]) -> set[int]:
        """Return the documents with fields of their own that lack most of what most of them state.

        One of prose alone, without a field, may be of the kind all the same.
        """
        fields = stated_fields(self.corpus)
        stated = [inside.intersection(self.corpus.field_values(each.name)) for each in fields]
        usual = [each for each in stated if 3 * len(each) > 2 * len(inside)]
        own = Counter(at for each in stated for at in each)
        shared = Counter(at for each in usual for at in each)
        found = {at for at in own if 2 * shared[at] < len(usual)}
        return found if len(usual) > 2 else set()

    def _of_field(self, words: Words) -> Kind | None:
        """Return the documents with a field of that name, other in each of them.

        A type or a date of it will do where all documents have one: `visit type` of visits. Where
        several fields are called so, a document has one of them.
        """
        found: list[Predicate] = []
        for each in self.fields:
            unique = each.distinct >= each.documents > 1 and self.is_label(each)
            name = _unitless(norms(each.name))
            everywhere = each.documents == len(self.corpus.documents)
            told = everywhere and len(name) > 1 and name[-1] in _SORTING - closed.NUMBERING
            while len(name) > 1 and name[-1] in _SORTING:
                name = name[:-1]
            unique = unique and name == words and not self.one_or_two(each)
            if (unique or told) and name == words:
                if everywhere:
                    return Kind(None)
                found.append(compares(each.name, "exists"))
        if not found:
            return None
        having = {at for each in found for at in self.corpus.field_values(each.field)}
        alike = {self._heads[at] for at in having if "#" not in self.corpus.documents[at]} - {""}
        named = {at for at, head in enumerate(self._heads) if head in alike}
        return Kind(found[0], others=tuple(found[1:]), doubted=frozenset(named - having))

    def is_label(self, of: Field) -> bool:
        """Tell whether a field with another value in each document may be what it is called by.

        Numbers are where the documents' names have them; a text is none that may say that there is
        nothing.
        """
        return of.name in self._label_fields

    @cached_property
    def _label_fields(self) -> frozenset[str]:
        return frozenset(each.name for each in self.corpus.fields if self._labels_each(each))

    def _labels_each(self, of: Field) -> bool:
        if of.type != "number":
            return of.type == "text" and not self.doubtful(of)
        values = self.corpus.field_values(of.name).items()
        named = ((name_value(self.corpus.documents[at]).number, each.number) for at, each in values)
        return all(one == other for one, other in named)

    def _of_label(self, words: Words) -> Kind | None:
        """Return the documents whose names begin so, or all where the collection is called so."""
        if chosen := tuple(dict.fromkeys(_containing(words, self._stems))):
            assumed = f"each file with {' or '.join(chosen)} in its name is taken as one "
            return Kind(compares("file name", "contains", chosen), f"{assumed}{' '.join(words)}")
        if len(words) != 1:
            return None
        each_one = Kind(None, f"each document is taken as one {words[0]}")
        loose = closed.LOOSE - (closed.ONE_KIND if self.several else set())
        if words[0] in loose and not self._values.get(words):
            return each_one
        if self.classed or not all(_has(norms(each), own) for own, _ in self._titles
                                   for each in self.corpus.titles):  # fmt: skip
            return None
        rest = (each for each in self.fields if norms(each.name)[:-1] == words)
        labelled = words[0] in self._labels and not self._titles
        if labelled and all(each.distinct == each.documents for each in rest):
            return Kind(None)
        return each_one if words[0] in WEAK and self.uniform else None

    def assumed(self, word: str) -> Kind | None:
        """Return all documents where nearly each uses a noun that nothing else explains."""
        if not self.uniform or self.held(word) < _COMMON * max(1, self.corpus.chunk_count):
            return None
        return Kind(None, f"each document is taken as one {word}: nothing here marks kinds")

    @staticmethod
    def holds_or_not(of: Field) -> bool:
        """Tell whether a field says no more than that something holds or does not."""
        return {each.casefold() for each, _ in of.values} <= closed.TRUTHS

    def named_in_part(self, word: str) -> dict[str, Words]:
        """Return by field the one name of several words of which a word is one: `Moira`.

        Empty where other names have it, too.
        """
        wider = self.values_with(norms(word))
        names = {name: same_names(items) for name, items in wider.items()}
        told = [(name, {same.get(e, e) for e in wider[name]}) for name, same in names.items()]
        if len(told) != 1 or len(told[0][1]) != 1:
            return {}
        ((name, found),) = told
        return {name: tuple(found)} if all(map(_is_name, found)) else {}

    def sorts_some(self, word: str) -> bool:
        """Tell whether a few-valued field says it of some: `permit` beside a `Diving Permit`."""
        texts = (each for each in self.fields if each.type == "text")
        few = (each for each in texts if 1 < each.distinct <= min(_MOST_TYPES, each.documents - 1))
        named = (norms(value) for each in few for value, _ in each.values)
        return any(len(words) > 1 and _head(words) == word for words in named)

    @cached_property
    def mixed(self) -> bool:
        """Whether some documents are rows of a table and others are not."""
        return len({"#" in each for each in self.corpus.documents}) > 1

    def of_one_kind(self, documents: Iterable[int]) -> bool:
        """Tell whether documents lie in one folder, or are of one table, or are named alike."""
        folders = self.corpus.field_values(_FOLDER) if self._sorts_by_folder else {}
        alike = self._heads if self._stems else tuple("#" in each for each in self.corpus.documents)
        return len({folders[at].raw if at in folders else alike[at] for at in documents}) == 1

    def about_the_same(self, documents: Collection[int]) -> bool:
        """Tell whether several documents are named after one thing that a field states."""
        names = {
            at: {*norms(self.corpus.documents[at]), *norms(self.corpus.titles[at])}
            for at in documents
        }
        for each in self.fields:
            values = self.corpus.field_values(each.name) if each.type == "text" else {}
            told = {at: norms(values[at].raw) for at in documents if at in values}
            after = [own for at, own in told.items() if own and set(own) <= names[at]]
            if 2 * len(after) > len(documents) and len(after) / 2 <= len({*after}) < len(after):
                return True
        return False

    @property
    def classed(self) -> bool:
        """Whether folders, titles or names tell several kinds of documents apart."""
        folders = self._folders if self._sorts_by_folder else ()
        told = (folders, self._titles, self._stems)
        return any(len({own for own, _ in each}) > 1 for each in told)

    @cached_property
    def _sorts_by_folder(self) -> bool:
        """Whether folders are kinds: called by a plural or a paper, or what alone tells documents.

        Years and countries only put documents in order.
        """
        last = [fold(each) for _, path in self._folders for each in _PARTS.findall(path)[-1:]]
        named = any(singular(each) != each or each in WEAK for each in last)
        return named or not stated_fields(self.corpus)

    @cached_property
    def types(self) -> tuple[Field, ...]:
        """The fields that say of which type documents are."""
        return tuple(
            each
            for each in self.fields
            if self.is_type(each.name) and 1 < each.distinct < each.documents
        )

    @property
    def several(self) -> bool:
        """Whether there are several kinds of documents."""
        return self.mixed or self.classed or bool(self.types)

    @cached_property
    def uniform(self) -> bool:
        """Whether nothing tells kinds of documents apart, and nearly all have the usual fields."""
        every = len(self.corpus.documents)
        told = [self.corpus.field_values(each.name) for each in stated_fields(self.corpus)]
        usual = [each for each in told if 2 * len(each) >= every]
        held = Counter(number for each in usual for number in each)
        alike = sum(2 * count >= len(usual) for count in held.values())
        plain = not any(len(each) > (1 - _NAMED) * every for each in told)
        return not self.several and (plain or alike >= _NAMED * every)

    @cached_property
    def _folders(self) -> tuple[tuple[Words, str], ...]:
        folders = self.corpus.field_items(_FOLDER) if self._has(_FOLDER) else ()
        return tuple((norms(each.rpartition("/")[2]), each) for each in folders)

    @cached_property
    def _titles(self) -> tuple[tuple[Words, str], ...]:
        """What titles begin with and go on behind, where that recurs over most of the documents.

        A heading such as `Abstract`, which is the whole title, tells no kind.
        """
        own = zip(self.corpus.titles, self.corpus.documents, strict=True)
        parted = [_SEPARATOR.split(title, maxsplit=1) for title, name in own if title != name]
        heads = [head.strip() for head, *rest in parted if rest and rest[0].strip()]
        counts = Counter(norms(each) for each in heads)
        kinds = {each for each, count in counts.items() if count > 1 and 0 < len(each) <= 4}
        if sum(counts[each] for each in kinds) < max(1, _COVERED * len(self.corpus.documents)):
            return ()
        told = {norms(each): each for each in heads}
        return tuple((words, each) for words, each in told.items() if words in kinds)

    @cached_property
    def _stems(self) -> tuple[tuple[Words, str], ...]:
        """The words that names begin with, as `permit-017` or `case-note-ann`, where nearly all do.

        Two documents at least begin alike; rows of a table are called as their file is.
        """
        last = [each.rpartition("/")[2] for each in self.corpus.documents]
        counts = Counter(each for each in self._heads if each)
        if not counts or sum(counts.values()) < _NAMED * len(last) or min(counts.values()) < 2:
            return ()
        return tuple((norms(each), each) for each in counts)

    @cached_property
    def _heads(self) -> tuple[str, ...]:
        """The words that each document's name begins with; empty where others do not share them."""
        last = [each.rpartition("/")[2] for each in self.corpus.documents]
        own = [each.partition("#")[0] if "#" in each else _numbered(each) for each in last]
        return tuple(one or shared for one, shared in zip(own, _beginnings(last), strict=True))

    @cached_property
    def _labels(self) -> frozenset[str]:
        return frozenset(word for label in self.corpus.labels for word in norms(label))

    def _has(self, name: str) -> bool:
        return any(each.name == name for each in self.corpus.fields)

    def held(self, word: str) -> int:
        """Return how many passages have a noun in one of its forms."""
        forms = {word, *self.corpus.lexicon.inflections(word)}
        return max((self.corpus.lexicon.frequency(each) for each in forms), default=0)

    # -- spelling -----------------------------------------------------------------------------

    def knows(self, word: str) -> bool:
        """Tell whether some passage has a word, in any inflection."""
        low = fold(word)
        lexicon = self.corpus.lexicon
        if lexicon.frequency(word.casefold()) or lexicon.inflections(low):
            return True
        return any(fold(each) == low for each in lexicon.spellings(low))

    def names(self, word: str) -> bool:
        """Tell whether a word, in the singular, stands in a field's name, a value or a kind."""
        return word in self._names or (word,) in self._values or self.kind((word,)) is not None

    def corrected(self, word: str) -> str | None:
        """Return the one word of fields, values and kinds that a misspelt word is near to.

        A word of the same root is none: `inspection` is no `inspector`. A short word is near to
        others that are words themselves (`lost`, `last`, `list`): it may only lack a letter or have
        one too many.
        """
        from rapidfuzz.distance import OSA

        if len(word) < _SHORTEST_TYPO:
            swapped = {each for each in _ASKED if sorted(each) == sorted(word)}
            return swapped.pop() if len(swapped) == 1 and len(word) > 3 else None
        most = 1 if len(word) < 8 else 2
        told = {
            each: distance
            for each in self._names | _ASKED
            if each[0] == word[0]
            and not (word.endswith(_EVENTS) and root(word, each))
            and (len(word) >= _LONG or len(each) != len(word) or sorted(each) == sorted(word))
            and (distance := OSA.distance(word, each, score_cutoff=most)) <= most
        }
        nearest = min(told.values(), default=0)
        others = self.corpus.lexicon.spellings(word) if nearest > 1 else ()
        nearer = any(OSA.distance(word, each) < nearest for each in others)
        near = {each for each in told if told[each] == nearest and not nearer}
        near = near if len(near) == 1 else {each for each in near if sorted(each) == sorted(word)}
        return near.pop() if len(near) == 1 else None

    @cached_property
    def _names(self) -> frozenset[str]:
        """The words of fields' names, of short values, and of kinds, of four letters or more."""
        told: Iterable[Words] = (
            *(norms(each.name) for each in self.fields),
            *(words for words in self._values if len(words) <= 3),
            *(own for own, _ in (*self._folders, *self._titles, *self._stems)),
            *((each,) for each in self._labels if len(each) > 4 and not self.classed),
        )
        return frozenset(word for words in told for word in words if len(word) >= 4)


def _runs(path: str) -> set[Words]:
    parts = path.split("/")
    ends = combinations(range(len(parts) + 1), 2)
    return {norms("/".join(parts[start:stop])) for start, stop in ends}


def _orders(item: str) -> list[Words]:
    """Return the words of an item, and of a name turned round those in order: `Lee, Ann`."""
    last, _, first = item.partition(",")
    told = [norms(item), *([norms(f"{first} {last}")] if is_turned(item) else [])]
    return [words for words in told if 0 < len(words) <= _LONGEST]


def _is_near(one: str, other: str) -> bool:
    """Tell whether two long values differ by one letter, the place of one, an ending, or in order.

    >>> _is_near("Carniolan", "Carnolian"), _is_near("Canal Side", "Canalside")
    (True, False)
    >>> _is_near("cable percussion", "cable percussive"), _is_near("rotary core", "rotary open")
    (True, False)
    >>> _is_near("disused factory", "factory, disused")
    True
    """
    from rapidfuzz.distance import OSA

    turned = is_turned(one) or is_turned(other)
    letters = all(each.isalpha() for each in norms(one))
    if letters and not turned and sorted(norms(one)) == sorted(norms(other)):
        return norms(one) != norms(other)
    if one[:1].casefold() != other[:1].casefold() or abs(len(one) - len(other)) > 2:
        return False
    a, b = ("".join(norms(each)) for each in (one, other))
    if a == b or min(len(a), len(b)) < _LONG or not (a.isalpha() and b.isalpha()):
        return False
    most = 2 if sorted(a) == sorted(b) else 1
    inflected = [*map(stem, norms(one))] == [*map(stem, norms(other))]
    return inflected or OSA.distance(a, b, score_cutoff=most) <= most


def _is_name(item: str) -> bool:
    return all(each[:1].isupper() for each in item.split() if each.casefold() not in FUNCTION_WORDS)


def _numbered(name: str) -> str:
    found = _NUMBERED.match(name)
    return found.group(1) if found is not None else ""


def _beginnings(names: Sequence[str]) -> list[str]:
    """Return the words that each name begins with and most others with it; empty for none."""
    cut = [_PARTS.findall(each) for each in names]
    counts = Counter("-".join(each[:size]) for each in cut for size in range(1, len(each)))
    found: list[str] = []
    for each in cut:
        starts = ["-".join(each[:size]) for size in range(1, len(each))]
        best = max(starts, key=lambda told: (counts[told], len(told)), default="")
        found.append(best if counts[best] > 1 and best[0].isalpha() else "")
    return found


def _containing(words: Words, told: Sequence[tuple[Words, str]]) -> list[str]:
    """Return the kinds whose names have all the words, the noun at the head among them.

    A `show report` is a report, and no show.
    """
    return [original for own, original in told if _head(own) in words and set(words) <= set(own)]


def _head(words: Words) -> str:
    """Return the noun that a phrase is about: `report` of a `report of losses`."""
    stop = next((at for at, each in enumerate(words) if at and each in FUNCTION_WORDS), len(words))
    return words[stop - 1] if words else ""


def _has(words: Words, part: Words) -> bool:
    return any(words[at : at + len(part)] == part for at in range(len(words) - len(part) + 1))


def _letters(item: str) -> str:
    """Return an item as one that may be cut short: `N.Y.` is `ny`."""
    return fold(item).replace(".", "")


def _cuts(full: str) -> frozenset[str]:
    """Return the few letters that a word, or several words, may be cut to.

    >>> sorted(_cuts("female")), sorted(_cuts("New York")), sorted(_cuts("AAA"))
    (['f', 'fe', 'fem'], ['ny'], [])
    """
    words = fold(full).split()
    if not all(map(str.isalpha, words)) or (full.isupper() and len(full) <= _CUT):
        return frozenset()
    if len(words) > 1:
        return frozenset({"".join(each[0] for each in words)})
    return frozenset(fold(full)[:size] for size in range(1, min(_CUT + 1, len(full))))


def _bare(tokens: Sequence[Token]) -> bool:
    return all(
        each.low in FUNCTION_WORDS or each.low.isdigit() or each.norm in {"yes", "no"}
        for each in tokens
    )


def _unitless(words: Words) -> Words:
    """Leave out a unit at the end of a field's name: `fee_eur` is the fee."""
    if len(words) < 2:
        return words
    last = words[-1]
    if last in {"c", "f"} and words[-2] in {"temp", "temperature"}:
        return words[:-1]
    money = len(last) == 3 and currency_of(last.upper()) is not None
    parsed = None if money or len(last) == 1 else parse_unit(last)
    measured = parsed is not None and bool(parsed.measures) and last not in closed.FALSE_UNITS
    return words[:-1] if money or measured else words


def unit_of_value(raw: str) -> str | None:
    """Return the unit of a number as it is written; empty without one, None where it is none."""
    match = _MONEY.fullmatch(raw)
    if match is None:
        return None
    told = match[1].strip() or match[2].strip()
    return currency_of(told) or _unit_in(told)


def _bracketed(name: str) -> str:
    match = re.search(r"\(([^)]+)\)\s*$", name)
    return (currency_of(match.group(1)) or _unit_in(match.group(1))) if match else ""


def _unit_in(told: str) -> str:
    """Return a unit as it stands where it measures something, else its last word."""
    parsed = parse_unit(told) if told else None
    if parsed is not None and len(parsed.bases) > 1:
        return told
    return (norms(told) or (told,))[-1]
