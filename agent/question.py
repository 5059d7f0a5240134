"""What a question means once it is interpreted: entity type T, conditions Φ, operation, grain."""

from collections.abc import Callable, Iterator
from typing import Annotated, Final, Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from agent.value import Value

DatePart = Literal["year", "month"]
Operation = Literal["count", "list", "sum", "avg", "min", "max", "median", "top_k", "group_by"]
Grain = Literal["document", "entity"]
MergeRule = Literal["exact", "alias", "wide", "document"]
"""When two mentions are one: spelt the same; under another spelling or name too; under another
version, number or legal form too, where a reader who knows what was asked says so; under another
spelling or name, but only within one document."""
Comparison = Literal[
    "is", "contains", "has_all", "at_least", "at_most", "more_than", "less_than", "between",
    "exists",
]  # fmt: skip


class Predicate(Value):
    """A test of one metadata field, decided by code: `Created between 2001-01 and 2001-12`.

    Several values of `is` or `contains` are alternatives; of `has_all` each must be an item;
    `between` includes both ends. Comparison is without case, on the field's items for text, on
    numbers and on ISO dates (or their prefixes) otherwise.
    """

    field: str
    comparison: Comparison
    values: tuple[str, ...] = ()
    of: Literal["value", "length"] = "value"
    """`length` compares how many items the field has, not what they are."""
    beside: SkipJsonSchema[tuple[str, ...]] = Field(
        default=(), exclude_if=lambda beside: not beside
    )
    """Other names of the same field: a document that states one of them does not lack this one."""


CRITERIA: Final = ("counts", "borderline", "excludes")
"""The lists of a condition that say what it means."""


class Condition(Value):
    """One atom φ: true of an entity if and only if some text of the corpus says so."""

    kind: Literal["condition"] = "condition"
    id: str
    """Short and unique in its question: `c1`."""
    text: str
    """The condition as a predicate phrase: `contains a non-compete clause`."""
    counts: tuple[str, ...] = ()
    """What counts as satisfying it."""
    borderline: tuple[str, ...] = ()
    """What one careful reader would count and another would not."""
    excludes: tuple[str, ...] = ()
    """What does not count although it looks alike."""
    terms: tuple[str, ...] = ()
    """For a condition of mention: every spelling that counts; empty for a condition of meaning."""
    literal: bool = False
    """Whether its terms alone decide it: code finds every place, and nobody reads for it."""
    predicate: Predicate | None = None
    """Set when a metadata field of the corpus decides the condition."""
    read_if_missing: bool = False
    """Whether a reader decides it in the documents that could state the field and do not."""

    @property
    def words(self) -> str:
        """What a passage that satisfies it is looked for by: its text, what counts, spellings."""
        return " ".join((self.text, *self.counts, *self.terms))

    @property
    def by_code(self) -> bool:
        """Whether code decides it for certain, so that nothing is left for a reader."""
        return self.literal or (self.predicate is not None and not self.read_if_missing)


class AllOf(Value):
    """Every part holds."""

    kind: Literal["and"] = "and"
    parts: tuple["Node", ...]


class AnyOf(Value):
    """At least one part holds."""

    kind: Literal["or"] = "or"
    parts: tuple["Node", ...]


class Not(Value):
    """The part does not hold."""

    kind: Literal["not"] = "not"
    part: "Node"


class Quota(Value):
    """How many of the matching documents must have an item or name.

    `Which tools does every keeper use?` is the items of the keepers' tools with `every`; `which
    authors wrote at least three reports?` those of the reports' authors with `at_least` 3; `which
    owners have no cutter?` those of all owners with `at_least` 0 and `at_most` 0 cutters.
    """

    at_least: int = 1
    at_most: int | None = None
    """None without such a limit."""
    every: bool = False
    """Whether all matching documents must have it."""

    @property
    def idle(self) -> bool:
        """Whether it asks for no more than that one document has the item."""
        return self.at_least <= 1 and self.at_most is None and not self.every

    @property
    def none(self) -> bool:
        """Whether no matching document may have it: then what stands in others only counts too."""
        return self.at_least <= 0 and self.at_most is not None

    def met(self, sure: int, open_: int, lacking: int, unsure: int) -> bool | None:
        """Tell whether an item meets it; None where documents still open could change that.

        `sure` documents match and have the item, `open_` ones may; `lacking` and `unsure` ones are
        the same without it.

        >>> Quota(at_least=3).met(2, 1, 0, 0) is None, Quota(at_least=3).met(3, 0, 9, 9)
        (True, True)
        >>> Quota(every=True).met(2, 0, 0, 1) is None, Quota(every=True).met(2, 0, 1, 0)
        (True, False)
        """
        missed = sure + open_ < self.at_least or (self.every and lacking > 0)
        if missed or (self.at_most is not None and sure > self.at_most):
            return False
        held = sure >= self.at_least and not (self.every and unsure)
        return True if held and (self.at_most is None or sure + open_ <= self.at_most) else None


Node = Annotated[Condition | AllOf | AnyOf | Not, Field(discriminator="kind")]


MEASURE: Final = "measure"
"""The id of the condition that a passage states the measured number."""


class Measure(Value):
    """The number that a numeric operation is about."""

    text: str
    """In words: `notice period in days`."""
    field: str | None = None
    """The metadata field that holds it, where one does; else it is extracted from the text."""
    of: Literal["value", "length", "total"] = "value"
    """`length` counts a list field's items: the number of authors; `total` adds up all amounts that
    a document's text states, such as several payments."""
    unit: str | None = None
    places: tuple[str, ...] = ()
    """The ids of the conditions whose places in the texts are counted: then the number of a
    document is how often it states them, and the sum is how often all do."""

    @property
    def stated(self) -> Condition:
        """The condition that a passage states the number."""
        return Condition(id=MEASURE, text=f"states the number wanted: {self.text}")


class Interpretation(Value):
    """One reading of a question, executable."""

    text: str
    """The question restated so that nothing is left open."""
    entity_type: str
    """What is counted or listed, in the singular: `contract`."""
    grain: Grain = "document"
    """`document`: each document is one entity; `entity`: things named in documents."""
    entity_field: str | None = None
    """The metadata field whose items are the entities, where one is: `Author`."""
    conditions: Node | None = None
    """Φ; None when every entity counts."""
    operation: Operation = "count"
    measure: Measure | None = None
    """For sum, avg, min, max, median, top_k."""
    group_by: str | None = None
    """A metadata field: one result for each of its values; group_by alone counts in each."""
    group_part: DatePart | None = Field(default=None, exclude_if=lambda part: part is None)
    """The part of its dates that the groups are, where they are no whole values."""
    k: int | None = None
    """For top_k."""
    ascending: bool = False
    """For top_k: smallest first."""
    quota: Quota | None = None
    """In how many matching documents an item or name must be; None where one is enough."""
    across: bool = False
    """Whether an item of the field satisfies the conditions over all its documents together, not in
    one of them: owners with a cutter and no saw."""
    readings: int = Field(default=1, exclude_if=lambda readings: readings == 1)
    """How many readings of one question its conditions are, joined by `or`."""
    show: tuple[str, ...] = ()
    """Metadata fields whose values are shown beside each item: the Ys of `for each X, the Ys`."""
    merge: MergeRule | None = None
    """When two mentions are one entity, as whatever decided C2 has it; None where nothing did."""
    alias_field: str | None = None
    """The metadata field with other names of the entity field's item."""
    assumptions: tuple[str, ...] = ()
    """What was taken for granted, in words for the person; a new reading replaces it."""
    computed: str = ""
    """What each document has to be read for, and what is computed from that, where no passage and
    no field can tell the answer: records can."""
    settled: tuple[str, ...] = ()
    """What was clarified, tried or assumed since, in words; kept by later readings."""

    @property
    def wanted(self) -> Node | None:
        """What a document satisfies that matters: of conditions across documents, any."""
        if not self.across or self.conditions is None:
            return self.conditions
        return AnyOf(parts=tuple(atoms(self.conditions)))

    @property
    def merging(self) -> MergeRule | None:
        """How mentions are merged; a field's items only where something said so, else None."""
        by_name = self.entity_field is None or self.alias_field is not None
        return self.merge or ("alias" if by_name else None)

    @property
    def granted(self) -> tuple[str, ...]:
        """Everything that the person is told of how the question was read."""
        return (*self.assumptions, *self.settled)


for _node in (AllOf, AnyOf, Not):
    _node.model_rebuild()


def signed(node: Node | None, *, denied: bool = False) -> Iterator[tuple[Condition, bool]]:
    """Yield the conditions of a tree from left to right, each with whether it is denied."""
    match node:
        case None:
            return
        case Condition():
            yield node, denied
        case Not():
            yield from signed(node.part, denied=not denied)
        case AllOf() | AnyOf():
            for part in node.parts:
                yield from signed(part, denied=denied)


def atoms(node: Node | None) -> Iterator[Condition]:
    """Yield the conditions of a tree from left to right."""
    return (condition for condition, _ in signed(node))


def alternatives(node: Node | None) -> Iterator[list[tuple[str, Predicate]]]:
    """Yield the tests of values joined by `or`, each with its condition's id, that compare alike.

    >>> tests = [Predicate(field=each, comparison="is", values=("1901",)) for each in "mb"]
    >>> parts = tuple(Condition(id=test.field, text="", predicate=test) for test in tests)
    >>> [[each for each, _ in told] for told in alternatives(Not(part=AnyOf(parts=parts)))]
    [['m', 'b']]
    """
    match node:
        case Not():
            yield from alternatives(node.part)
        case AllOf() | AnyOf():
            alike: dict[str, list[tuple[str, Predicate]]] = {}
            for part in node.parts:
                yield from alternatives(part)
                if isinstance(part, Condition) and isinstance(node, AnyOf):
                    test = part.predicate
                    if test is not None and test.of == "value":
                        alike.setdefault(test.comparison, []).append((part.id, test))
            yield from (tests for tests in alike.values() if len({t.field for _, t in tests}) > 1)


def verdict(node: Node | None, truth: Callable[[Condition], bool | None]) -> bool | None:
    """Evaluate a tree whose atoms may be undecided (Kleene's strong three-valued logic).

    >>> a, b = Condition(id="a", text=""), Condition(id="b", text="")
    >>> verdict(AllOf(parts=(a, b)), lambda atom: False if atom.id == "a" else None)
    False
    >>> verdict(AnyOf(parts=(a, b)), lambda atom: False if atom.id == "a" else None) is None
    True
    """
    match node:
        case None:
            return True
        case Condition():
            return truth(node)
        case Not():
            inner = verdict(node.part, truth)
            return None if inner is None else not inner
        case AllOf():
            return _extreme([verdict(part, truth) for part in node.parts], decisive=False)
        case AnyOf():
            return _extreme([verdict(part, truth) for part in node.parts], decisive=True)


def deciding(node: Node | None, truth: Callable[[Condition], bool | None]) -> Iterator[Condition]:
    """Yield the undecided atoms that can still change what a tree comes to.

    >>> a, b, f = (Condition(id=each, text="") for each in "abf")
    >>> tree = AnyOf(parts=(AllOf(parts=(f, a)), b))
    >>> [each.id for each in deciding(tree, lambda atom: False if atom.id == "f" else None)]
    ['b']
    """
    if verdict(node, truth) is not None:
        return
    match node:
        case Condition():
            yield node
        case Not():
            yield from deciding(node.part, truth)
        case AllOf() | AnyOf():
            for part in node.parts:
                yield from deciding(part, truth)


def _extreme(parts: list[bool | None], *, decisive: bool) -> bool | None:
    if decisive in parts:
        return decisive
    return None if None in parts else not decisive
