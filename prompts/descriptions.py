"""How typed values read in a prompt: the collection, conditions, an interpretation."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from agent.corpus_view import CorpusView, Field
from agent.predicates import FILE_FACTS, NAME_FIELD
from agent.question import AllOf, AnyOf, Condition, Interpretation, Node, Not, Predicate, Quota
from prompts.lookup import asked_words
from prompts.templates import one_line

_SAMPLE: Final = 500
"""Documents looked at; enough to see which fields go together."""
_FIELDS: Final = 40
_MOST_KINDS: Final = 20
_FEWEST_EACH: Final = 2
"""Documents of a kind on average: a value of its own for each document is no kind."""
_EVERYWHERE: Final = 0.95
_ENOUGH: Final = 0.5
"""Half of the errors in guessing which document has which field must go away."""
_MEMBERS: Final = """\
- restated: the question in one sentence that leaves nothing open.
- conditions: each with id (c1, c2, …), text (a predicate phrase that can be true of one entity),
  counts, borderline, excludes, terms, field, comparison, values (dates as YYYY-MM-DD) and of
  ("length" where the number of a field's items is compared, else "value").
- logic: the ids joined by and, or, not and parentheses.
- comparison: is and contains (values are alternatives), has_all (every value is among the
  field's items; values empty: all items that the field has anywhere), at_least, at_most,
  more_than, less_than, between (both ends included), exists.
- operation: list for find or which, count for how many, else the name of the computation; top_k
  has k, and ascending where the smallest come first. With a field in group_by there is one result
  for each of its values; operation group_by counts in each.
- measure: text, field, of, unit, and places: the ids of the conditions of which every single place
  in the texts is counted, else empty.
- merge: when two names are one; null for grain document.
- alias_field: the field with other names of the items of entity_field, or null.
- show: the fields whose values are to be told beside each item."""
_OF_SEVERAL: Final = """
- quota (at_least, at_most, every): for items of a field or names, in how many of the documents
  that meet the conditions each must be; null where one is enough.
- across: true where an item of a field must meet the conditions over all its documents together,
  one document for one condition; false where a single document must meet all of them."""
_VALUES_SHOWN = 12
_FEW_VALUES = 5
"""Values shown of a field that the question does not name."""
_FIELDS_SHOWN = 40
_WORD: Final = re.compile(r"[^\W_]+")
_NAMES_SHOWN = 3
_LONGEST_VALUE = 60


def members(corpus: CorpusView, question: str) -> str:
    """Say how an `InterpretReply` is filled in: not every server shows a reply's schema."""
    return _MEMBERS + (_OF_SEVERAL if repeats(corpus, question) else "")


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

    def __init__(self, field: str, holders: Mapping[str, Sequence[str]]) -> None:
        self.field = field
        """The field that tells the kind."""
        self._holders = holders

    def having(self, field: str) -> str:
        """Say in documents of which kinds a field stands; empty where that is no matter of kinds.

        >>> Kinds("Record", {"Rent": ("Lease",)}).having("Rent")
        'only where Record is Lease'
        """
        kinds = self._holders.get(field, ())
        return f"only where {one_line(self.field)} is {' or '.join(kinds)}" if kinds else ""

    def may_have(self, field: str, words: frozenset[str]) -> bool:
        """Tell whether documents of the kinds that words name may have a field.

        Where they name no kind, any document may be asked about.
        """
        named = {kind for kinds in self._holders.values() for kind in kinds if _within(kind, words)}
        having = self._holders.get(field, ())
        return not named or not having or not named.isdisjoint(having)


def _within(name: str, words: frozenset[str]) -> bool:
    parts = set(_WORD.findall(name.casefold()))
    return bool(parts) and parts <= words


def collection(corpus: CorpusView, question: str) -> str:
    """Describe a corpus for a question: its size, some document names, its metadata fields.

    Fields that the question names, by their name or a value, come first and with more of their
    values; fields of other kinds of documents than those that it names are left out, and so are
    facts about files.
    """
    lines = [
        f"{len(corpus.documents)} documents in {corpus.chunk_count} passages",
        "metadata fields (type, share of the documents: frequent values with their counts):",
        f"- {NAME_FIELD} (text or the number in it, 100%, only for conditions): "
        + _names(corpus.documents),
    ]
    kinds, words = kinds_of(corpus), asked_words(question, corpus)
    named = [each for each in corpus.fields if _is_named(each, words)]
    others = [each for each in corpus.fields if each.name not in FILE_FACTS and each not in named]
    if kinds:
        others = [each for each in others if kinds.may_have(each.name, words)]
    shown = [*named, *others][:_FIELDS_SHOWN]
    lines.extend(
        _field_line(each, corpus, kinds, _VALUES_SHOWN if each in named else _FEW_VALUES)
        for each in shown
    )
    if len(shown) < len(corpus.fields):
        lines.append(
            f"- … {len(corpus.fields) - len(shown)} fields that the question does not name"
        )
    return "\n".join(lines)


def _is_named(field: Field, words: frozenset[str]) -> bool:
    """Tell whether words name a field: all of its name, or all of one of its frequent values."""
    return any(_within(name, words) for name in (field.name, *(value for value, _ in field.values)))


def _names(documents: Sequence[str]) -> str:
    more = "; …" if len(documents) > _NAMES_SHOWN else ""
    return "; ".join(one_line(name) for name in documents[:_NAMES_SHOWN]) + more


def _field_line(field: Field, corpus: CorpusView, kinds: Kinds | None, most: int) -> str:
    share = f"{field.documents / max(1, len(corpus.documents)):.0%}"
    values = "; ".join(
        f"{one_line(value, _LONGEST_VALUE)} ({times})" for value, times in field.values[:most]
    )
    more = f"; … {field.distinct} distinct values" if field.distinct > most else ""
    where = kinds.having(field.name) if kinds else ""
    about = ", ".join(each for each in (field.type, share, where) if each)
    return f"- {one_line(field.name)} ({about}): {values}{more}{_ends(field, corpus)}"


def _ends(field: Field, corpus: CorpusView) -> str:
    """Say from when to when a date field goes: relative times are reckoned back from its end."""
    if field.type != "date":
        return ""
    dates = [value.date for value in corpus.field_values(field.name).values() if value.date]
    return f"; {min(dates)} to {max(dates)}" if dates else ""


def condition_list(conditions: Sequence[Condition]) -> str:
    """List conditions with the line that separates what counts from what does not."""
    if not conditions:
        return "(none)"
    return "\n".join(_condition_lines(condition) for condition in conditions)


def _condition_lines(condition: Condition) -> str:
    lines = [f"{condition.id}: {condition.text}"]
    if condition.terms:
        lines.append(f"   spellings: {'; '.join(condition.terms)}")
    if condition.counts:
        lines.append(f"   counts: {'; '.join(condition.counts)}")
    if condition.borderline:
        lines.append(f"   borderline: {'; '.join(condition.borderline)}")
    if condition.excludes:
        lines.append(f"   does not count: {'; '.join(condition.excludes)}")
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


def logic_line(node: Node) -> str:
    """State in one line how conditions are joined, each with its id and words."""
    match node:
        case Condition():
            told = predicate_line(node.predicate) if node.predicate else node.text
            return f"{node.id} “{told}”"
        case Not():
            return f"not {logic_line(node.part)}"
        case AllOf():
            return "(" + " and ".join(logic_line(part) for part in node.parts) + ")"
        case AnyOf():
            return "(" + " or ".join(logic_line(part) for part in node.parts) + ")"


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


def _kinds_with(held: frozenset[int], values: Mapping[int, str]) -> tuple[str, ...]:
    """Return the kinds whose documents have a field; none where most kinds have it."""
    kinds = sorted({values[at] for at in held if at in values})
    return tuple(map(one_line, kinds)) if 2 * len(kinds) <= len(set(values.values())) else ()
