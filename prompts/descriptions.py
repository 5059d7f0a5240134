"""How typed values read in a prompt, and what is looked up in a collection for one question."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final

from agent.corpus_view import CorpusView, Field
from agent.english import FUNCTION_WORDS, MONTHS, unaccented
from agent.interpretation import logic_of
from agent.languages import ENGLISH, language_name
from agent.name_variants import FIRMS, same_names
from agent.predicates import FILE_FACTS, NAME_FIELD
from agent.question import Condition, Interpretation, Node, Predicate, Quota, atoms
from prompts.templates import one_line, sections

_SHORTEST: Final = 3
_PAIRS_SHOWN: Final = 12
_SHARES: Final = (0.25, 0.5, 0.9)
_SPREAD: Final = 5
"""Values from which on their ends and middle are told."""
_LONGEST_NAME: Final = 60
_MARKUP: Final = "`*_ "
"""What text formats leave at the ends of a name: two names are not variants by it."""
_MANY: Final = 20_000
"""Fields of more different items are not searched for variants and named values."""
_NAMED_SHOWN: Final = 16
_PLACEHOLDER: Final = re.compile(r"(?:todo|tbd|tba|tbc|fixme|xxx|n/a)\b", re.IGNORECASE)
"""How what stands for a value still to come begins."""
_SHORT: Final = 2
"""A number of so few digits is no name within a value."""
_WORD: Final = re.compile(r"[^\W_]+")


def _spread(ordered: Sequence[str], unit: str = "") -> str:
    """Say the ends and the middle of values in order.

    >>> _spread(["1", "2", "3", "7", "9"], "items")
    '; from 1 to 9 items, a quarter up to 2, half up to 3, nine in ten up to 9'
    """
    if len(ordered) < _SPREAD:
        return ""
    quarter, half, most = (ordered[round(share * (len(ordered) - 1))] for share in _SHARES)
    return (
        f"; from {ordered[0]} to {ordered[-1]} {unit}".rstrip()
        + f", a quarter up to {quarter}, half up to {half}, nine in ten up to {most}"
    )


def looked_up(question: str, reading: Interpretation, corpus: CorpusView) -> str:
    """Say which names of a question the collection lacks, and which it writes in two ways."""
    unknown = unknown_names(question, corpus)
    told = f"- names in the question that no passage and no field has: {', '.join(unknown)}"
    lines = [told] if unknown else []
    pairs = list(_variants(question, reading, corpus))[:_PAIRS_SHOWN]
    lines.append(f"- names that may be spellings of one: {'; '.join(pairs) or 'none found'}")
    return "\n".join(lines)


def unknown_names(question: str, corpus: CorpusView) -> tuple[str, ...]:
    """Return the capitalised words that no passage, field or document's name has.

    In any inflection; the first word of the question is none.
    """
    words = list(dict.fromkeys(re.findall(r"[^\W\d_]+(?:['’][^\W\d_]+)?", question)))[1:]
    named = set(_in_names(corpus))
    return tuple(
        word
        for word in words
        if len(word) >= _SHORTEST
        and word != word.lower()
        and word.casefold() not in FUNCTION_WORDS | MONTHS.keys()
        and named.isdisjoint({_plain(word), _plain(word).removesuffix("s")})
        and not _stands(word, corpus)
    )


def _stands(word: str, corpus: CorpusView) -> bool:
    low = re.sub(r"['’]s?$", "", word.casefold())
    if corpus.lexicon.frequency(low) or corpus.lexicon.inflections(low):
        return True
    if any(_plain(each) == _plain(low) for each in corpus.lexicon.spellings(low)):
        return True
    return "'" in low or "’" in low


def _in_names(corpus: CorpusView) -> Iterator[str]:
    for field in corpus.fields:
        yield from _words(field.name)
        for item, _ in field.values:
            yield from _words(item)
    for document in corpus.documents:
        yield from _words(document)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", _plain(text))


def _plain(text: str) -> str:
    return unaccented(text.casefold())


def _variants(question: str, reading: Interpretation, corpus: CorpusView) -> Iterator[str]:
    """Yield pairs of alike names in a field of the interpretation, the named ones first.

    Names in other fields make no difference to it.
    """
    low = question.casefold()
    used = {reading.entity_field, reading.group_by, *reading.show}
    used |= {each.predicate.field for each in atoms(reading.conditions) if each.predicate}
    found = [
        (field.name, *pair)
        for field in corpus.fields
        if field.name in used and field.type in {"text", "list"} and field.distinct <= _MANY
        for pair in variant_pairs(
            _items(field, corpus), shortened=field.name == reading.entity_field
        )
    ]
    found.sort(key=lambda each: not any(name.casefold() in low for name in each[1:]))
    for name, one, other in found:
        told = f"{one_line(one, _LONGEST_NAME)} / {one_line(other, _LONGEST_NAME)}"
        yield f"{told} ({one_line(name)})"


def asked_words(question: str, corpus: CorpusView) -> frozenset[str]:
    """Return the question's words in lower case, with their inflections in the corpus."""
    asked: set[str] = set()
    for word in _WORD.findall(question.casefold()):
        asked |= {word, word.removesuffix("s"), *corpus.lexicon.inflections(word)}
    return frozenset(asked)


def _items(field: Field, corpus: CorpusView) -> Iterator[str]:
    for value in corpus.field_values(field.name).values():
        yield from _short_names(value.items)


def _short_names(items: Sequence[str]) -> Iterator[str]:
    for item in items:
        if len(item) <= _LONGEST_NAME:
            yield item.strip(_MARKUP)


def variant_pairs(names: Iterable[str], *, shortened: bool = False) -> list[tuple[str, str]]:
    """Return pairs of names that may mean the same, each pair once, in order.

    With `shortened`, also those of which one goes on behind the other: `Ness`, `Ness harbour`.

    >>> variant_pairs(["Acme Inc.", "Jo Lee", "ACME", "Jo Ann Lee"])
    [('Acme Inc.', 'ACME'), ('Jo Lee', 'Jo Ann Lee')]
    """
    blocks: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    whole: dict[tuple[str, ...], str] = {}
    for name in dict.fromkeys(names):
        if parts := _parts(name):
            blocks[parts[0][0], parts[-1]].append(name)
            whole.setdefault(parts, name)
    pairs = [
        (one, other)
        for group in blocks.values()
        for at, one in enumerate(group)
        for other in group[at + 1 :]
        if one.casefold() != other.casefold() and _same(_parts(one), _parts(other))
    ]
    pairs += [(full, name) for name, full in same_names(whole.values()).items()]
    if shortened:
        cut = (
            (whole.get(parts[:at]), name)
            for parts, name in whole.items()
            for at in range(1, len(parts))
        )
        pairs += [(short, name) for short, name in cut if short is not None]
    return list({frozenset(pair): pair for pair in reversed(pairs)}.values())[::-1]


@lru_cache(maxsize=65536)
def _parts(name: str) -> tuple[str, ...]:
    """Return the words of a name without accents, case, marks, articles and legal forms."""
    letters = re.sub(r"(?<=\b\w)\.(?=\w\b)", "", _plain(name.replace("&", " and ")))
    words = re.findall(r"[^\W_]+", re.sub(r"['’]", "", letters))
    while len(words) > 1 and words[-1] in FIRMS:
        words.pop()
    return tuple(words[1:] if words[:1] == ["the"] and len(words) > 1 else words)


def _same(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether two names are one but for marks, or agree in first and last name.

    No middle name may contradict; an initial stands for any name that begins with it.
    """
    if one == other:
        return bool(one)
    short, long = sorted((one, other), key=len)
    if len(short) < 2 or any(any(map(str.isdigit, part)) for part in (*one, *other)):
        return False
    if short[-1] != long[-1] or not _begins(short[0], long[0]):
        return False
    if len(short[0]) == len(long[0]) == 1:
        return False
    return all(any(_begins(part, each) for each in long[1:-1]) for part in short[1:-1])


def _begins(one: str, other: str) -> bool:
    """Tell whether two given names agree: alike, or one of them is the other's initial."""
    return one == other or (min(len(one), len(other)) == 1 and one[0] == other[0])


_YEAR: Final = re.compile(r"(?:1[5-9]|20)\d\d")
_BEFORE_SENTENCES: Final = ("", ".", "?", "!")
"""What stands before a word that has a capital for the sentence's sake."""


def named_values(question: str, corpus: CorpusView) -> str:
    """Say which values of fields a question names: all of their words, or a name within them.

    A year that several values have names none, nor does a word that more have than are shown, nor
    a small word that a value is alike: `de` (file folder).
    """
    found = [*_WORD.finditer(question)]
    words = [each.group() for each in found]
    low = f" {' '.join(words).casefold()} "
    names = [
        each.group().casefold()
        for each in found
        if question[: each.start()].rstrip()[-1:] not in _BEFORE_SENTENCES
        and not (each[0][0].islower() or (each[0].isdigit() and len(each[0]) <= _SHORT))
    ]
    whole: list[str] = []
    partly: dict[str, list[str]] = {name: [] for name in names}
    for field, item in _written(corpus):
        parts = [each.casefold() for each in _WORD.findall(item)]
        told = f"{one_line(item, _LONGEST_NAME)} ({one_line(field)})"
        if len(item) <= _SHORT and item.islower():
            continue
        if parts and f" {' '.join(parts)} " in low:
            whole.append(told)
        else:
            for name in partly.keys() & parts:
                partly[name].append(told)
    few = chain.from_iterable(
        each
        for name, each in partly.items()
        if len(each) <= (1 if _YEAR.fullmatch(name) else _NAMED_SHOWN)
    )
    return "; ".join([*dict.fromkeys((*whole, *few))][:_NAMED_SHOWN]) or "none found"


def _written(corpus: CorpusView) -> Iterator[tuple[str, str]]:
    """Yield each value of a text field once, with the field; the files' own names are none."""
    files = {name.rpartition("/")[2] for name in corpus.documents}
    for field in corpus.fields:
        if field.type in {"text", "list"} and field.distinct <= _MANY:
            for item in sorted({*_short_names(corpus.field_items(field.name))}):
                if item.rpartition(".")[0] not in files and not _PLACEHOLDER.match(item):
                    yield field.name, item


_SAMPLE: Final = 500
"""Documents looked at; enough to see which fields go together."""
_FIELDS: Final = 40
_MOST_KINDS: Final = 20
_FEWEST_EACH: Final = 2
"""Documents of a kind on average: a value of its own for each document is no kind."""
_EVERYWHERE: Final = 0.95
_ENOUGH: Final = 0.5
"""Half of the errors in guessing which document has which field must go away."""
_VALUES_SHOWN = 12
_FEW_VALUES = 5
"""Values shown of a field that the question does not name."""
_ALL_VALUES = 8
"""Values of a field of so few that are all shown."""
_FIELDS_SHOWN = 40
_MANY_DOCUMENTS = 10
_NAMES_SHOWN = 3
_ALL_NAMES = 30
"""Documents whose names are all shown, where there are no more."""
_LONGEST_VALUE = 60


def members(corpus: CorpusView, question: str) -> str:
    """Say how an `InterpretReply` is filled in: not every server shows a reply's schema."""
    needed = {
        "members": True,
        "members-fields": states_fields(corpus),
        "members-several": repeats(corpus, question),
    }
    return "".join(sections("interpret", needed).values()).rstrip("\n")


def unused(corpus: CorpusView, question: str) -> frozenset[str]:
    """Return the members of an `InterpretReply` that a question has no use for."""
    several = () if repeats(corpus, question) else ("quota", "across")
    own = () if states_fields(corpus) else ("entity_field", "group_by", "alias_field", "show")
    return frozenset((*several, *own))


def states_fields(corpus: CorpusView) -> bool:
    """Tell whether documents state fields, besides what is known of their files."""
    return any(each.name not in FILE_FACTS for each in corpus.fields)


def mixed(corpus: CorpusView) -> bool:
    """Tell whether documents of several kinds may stand together: no field is stated by all."""
    stated = [each for each in corpus.fields if each.name not in FILE_FACTS]
    return bool(stated) and all(each.documents < len(corpus.documents) for each in stated)


def repeats(corpus: CorpusView, question: str) -> bool:
    """Tell whether a question may be about things that a field names in several documents.

    That is a field with several items, one with many values that come again, or one with a few
    whose name the question has.
    """
    words = asked_words(question, corpus)
    return any(
        each.name not in FILE_FACTS
        and (
            each.type == "list"
            or (_MOST_KINDS < each.distinct < each.documents)
            or (1 < each.distinct < each.documents and _within(each.name, words))
        )
        for each in corpus.fields
    )


class Kinds:
    """The kinds of documents that one field's values tell apart."""

    def __init__(self, field: str, holders: Mapping[str, tuple[Sequence[str], float]]) -> None:
        self.field = field
        """The field that tells the kind."""
        self._holders = holders

    def having(self, field: str) -> str:
        """Say what share of which kinds' documents has a field; empty where all kinds have it.

        >>> Kinds("Record", {"Rent": (("Lease",), 0.8)}).having("Rent")
        '80% of those whose Record is Lease'
        """
        kinds, share = self._holders.get(field, ((), 0.0))
        told = f"{share:.0%} of those whose {one_line(self.field)} is "
        return told + " or ".join(map(one_line, kinds)) if kinds else ""

    def may_have(self, field: str, words: frozenset[str]) -> bool:
        """Tell whether documents of the kinds that words name may have a field.

        Where they name no kind, any document may be asked about.
        """
        every = {kind for kinds, _ in self._holders.values() for kind in kinds}
        named = {kind for kind in every if _within(kind, words)}
        having, _ = self._holders.get(field, ((), 0.0))
        return not named or not having or not named.isdisjoint(having)


def _within(name: str, words: frozenset[str]) -> bool:
    parts = set(_WORD.findall(name.casefold()))
    return bool(parts) and parts <= words


def collection(corpus: CorpusView, question: str) -> str:
    """Describe a corpus for a question: its size, some document names, its metadata fields.

    Fields that the question names, by their name or a value, come first and with more of their
    values; of other kinds of documents than those that it names, and of what one document alone has
    of many, only the names of their fields are told, and of facts about files nothing.
    """
    lines = [
        f"{len(corpus.documents)} documents in {corpus.chunk_count} passages",
        *_languages(corpus),
        "metadata fields (type, share of the documents: frequent values with their counts):",
        f"- {NAME_FIELD} (text or the number in it, 100%, only for conditions): "
        + _names(corpus.documents),
    ]
    kinds, words = kinds_of(corpus), asked_words(question, corpus)
    named = [
        each
        for each in corpus.fields
        if _is_named(each, words) or (kinds and each.name == kinds.field)
    ]
    others = [each for each in corpus.fields if each.name not in FILE_FACTS and each not in named]
    fewest = 2 if len(corpus.documents) >= _MANY_DOCUMENTS else 1
    shown = [
        each
        for each in others
        if each.documents >= fewest and (not kinds or kinds.may_have(each.name, words))
    ]
    shown = [*named, *shown][:_FIELDS_SHOWN]
    lines.extend(
        _field_line(each, corpus, kinds, _VALUES_SHOWN if each in named else _FEW_VALUES)
        for each in shown
    )
    if rest := [one_line(each.name) for each in others if each not in shown]:
        cut = "; …" if len(rest) > _FIELDS_SHOWN else ""
        lines.append(f"- rarer, or of other kinds: {'; '.join(rest[:_FIELDS_SHOWN])}{cut}")
    if not (shown or rest):
        lines.append("- no others: the texts decide")
    return "\n".join(lines)


def _languages(corpus: CorpusView) -> Iterator[str]:
    if tuple(corpus.languages) != (ENGLISH,):
        names = ", ".join(map(language_name, corpus.languages))
        yield (
            f"languages, most documents first: {names}. Where terms or words to search for are "
            "called for, write them in each language in which one may say it, all else in the "
            "question's language: whoever judges reads each passage in its own language"
        )


def _is_named(field: Field, words: frozenset[str]) -> bool:
    """Tell whether words name a field: all of its name, or all of one of its frequent values."""
    values = (value for value, _ in field.values)
    return any(_within(name, words) for name in (field.name, *field.aliases, *values))


def _names(documents: Sequence[str]) -> str:
    most = _NAMES_SHOWN if len(documents) > _ALL_NAMES else _ALL_NAMES
    return "; ".join(map(one_line, documents[:most])) + ("; …" if len(documents) > most else "")


def _field_line(field: Field, corpus: CorpusView, kinds: Kinds | None, most: int) -> str:
    where = kinds.having(field.name) if kinds else ""
    share = where or f"{field.documents / max(1, len(corpus.documents)):.0%}"
    most = max(most, field.distinct if field.distinct <= _ALL_VALUES else 0)
    values = "; ".join(
        f"{one_line(value, _LONGEST_VALUE)} ({times})" for value, times in field.values[:most]
    )
    more = f"; … {field.distinct} distinct values" if field.distinct > most else ""
    told = f"{values}{more}{_extent(field, corpus)}"
    also = f", also called {', '.join(map(one_line, field.aliases))}" if field.aliases else ""
    return f"- {one_line(field.name)} ({field.type}, {share}{also}): {told}"


def _extent(field: Field, corpus: CorpusView) -> str:
    """Say how far dates and numbers go, and how many items lists have."""
    values = corpus.field_values(field.name).values()
    if field.type == "date":
        return _spread(sorted(value.date for value in values if value.date))
    if field.type == "number":
        numbers = sorted(value.number for value in values if value.number is not None)
        return _spread([f"{number:g}" for number in numbers])
    if field.type == "list":
        return _spread(
            [str(size) for size in sorted(len(value.items) for value in values)], "items"
        )
    return ""


def condition_list(conditions: Sequence[Condition]) -> str:
    """List conditions with the line that separates what counts from what does not."""
    if not conditions:
        return "(none)"
    return "\n".join(_condition_lines(condition) for condition in conditions)


def _condition_lines(condition: Condition) -> str:
    lines = [f"{condition.id}: {condition.text}"]
    if condition.read_if_missing and condition.predicate is not None:
        test = predicate_line(condition.predicate)
        lines.append(f"   asked only of documents without the field that says it ({test})")
    if condition.terms:
        lines.append(f"   spellings: {'; '.join(condition.terms)}")
    lists = {
        "counts": condition.counts,
        "borderline": condition.borderline,
        "does not count": condition.excludes,
    }
    for name, entries in lists.items():
        if entries:
            lines += [f"   {name}:", *(f"   - {each}" for each in entries)]
    return "\n".join(lines)


def interpretation_line(interpretation: Interpretation) -> str:
    """State a reading in one line: in words, then operation, items and conditions."""
    where = logic_line(interpretation.conditions) if interpretation.conditions else "none"
    return (
        f"{interpretation.text} [operation: {_operation(interpretation)}; "
        f"items: {interpretation.entity_type}, {_grain(interpretation)}; conditions: {where}]"
    )


def _operation(interpretation: Interpretation) -> str:
    told = str(interpretation.operation)
    if interpretation.operation == "top_k":
        told += f" with k = {interpretation.k or 'all'}, "
        told += "smallest first" if interpretation.ascending else "largest first"
    if interpretation.measure:
        told += f" of the measure {interpretation.measure.text!r}"
    if interpretation.group_by:
        told += f" by the field {interpretation.group_by!r}"
        told += f", by {interpretation.group_part}" if interpretation.group_part else ""
    if interpretation.quota:
        told += f" of those in {_quota(interpretation.quota)}"
    if interpretation.across:
        told += ", the conditions holding over all documents of an item together"
    if interpretation.show:
        told += f", shown with {', '.join(map(repr, interpretation.show))}"
    return told


def _quota(quota: Quota) -> str:
    if quota.every:
        return "every document that meets the conditions"
    most = "" if quota.at_most is None else f" and at most {quota.at_most}"
    return f"at least {quota.at_least}{most} of the documents that meet the conditions"


def _grain(interpretation: Interpretation) -> str:
    if interpretation.entity_field:
        return f"listed in the field {interpretation.entity_field!r}"
    return "each one document" if interpretation.grain == "document" else "named in documents"


def logic_line(node: Node, listed: Collection[str] = ()) -> str:
    """State in one line how conditions are joined, by id, with the words of those not `listed`."""

    def told(atom: Condition) -> str:
        if atom.id in listed:
            return atom.id
        words = predicate_line(atom.predicate) if atom.predicate else atom.text
        return f"{atom.id} “{words}”"

    return logic_of(node, told)


def predicate_line(predicate: Predicate) -> str:
    """State a test of a field in one line."""
    of = "number of items of " if predicate.of == "length" else ""
    return f"{of}{predicate.field} {predicate.comparison} {' | '.join(predicate.values)}".strip()


def kinds_of(corpus: CorpusView) -> Kinds | None:
    """Find the field whose value tells best which other fields a document has.

    Best by Goodman and Kruskal's lambda: by how much the value reduces the errors in guessing, for
    each field that not all documents have, whether a document has it. None where no field of a few
    values reduces them by half.
    """
    step = max(1, len(corpus.documents) // _SAMPLE)
    sample = frozenset(range(0, len(corpus.documents), step))
    shown = corpus.fields[:_FIELDS]
    holding = {each.name: sample.intersection(corpus.field_values(each.name)) for each in shown}
    partial = {
        name: held
        for name, held in holding.items()
        if held and len(held) < _EVERYWHERE * len(sample)
    }
    blind = sum(min(len(held), len(sample) - len(held)) for held in partial.values())
    found = [
        (1 - _errors(values, partial.values()) / blind, -each.distinct, each.name, values)
        for each in shown
        if blind and (values := _values(each, sample, corpus))
    ]
    best = max(found, key=lambda each: each[:2], default=None)
    if best is None or best[0] < _ENOUGH:
        return None
    _, _, name, values = best
    return Kinds(name, {field: _kinds_with(held, values) for field, held in partial.items()})


def _values(field: Field, sample: frozenset[int], corpus: CorpusView) -> dict[int, str]:
    """Return a field's value by document, where it can tell kinds: few, single, everywhere."""
    if field.type != "text" or not 2 <= field.distinct <= _MOST_KINDS:
        return {}
    held = corpus.field_values(field.name)
    values = {at: held[at].items[0] for at in sample if at in held and len(held[at].items) == 1}
    repeated = len(values) >= _FEWEST_EACH * len(set(values.values()))
    return values if repeated and len(values) >= _EVERYWHERE * len(sample) else {}


def _errors(values: Mapping[int, str], partial: Iterable[frozenset[int]]) -> int:
    """Count the documents on which guessing a field by the majority of the kind goes wrong."""
    sizes = Counter(values.values())
    total = 0
    for held in partial:
        having = Counter(values[at] for at in held if at in values)
        total += sum(min(having[kind], size - having[kind]) for kind, size in sizes.items())
    return total


def _kinds_with(held: frozenset[int], values: Mapping[int, str]) -> tuple[Sequence[str], float]:
    """Return the kinds whose documents have a field, and what share has it; none of most kinds."""
    kinds = sorted({values[at] for at in held if at in values})
    if 2 * len(kinds) > len(set(values.values())):
        return (), 0.0
    of_them = [at for at, kind in values.items() if kind in kinds]
    return kinds, len(held.intersection(of_them)) / max(1, len(of_them))
