"""What a reasoner replies, one form a prompt; a field's docstring is what the model reads."""

from typing import Annotated, Any, Literal, Self, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, create_model

from agent.ambiguity import CoherenceState
from agent.evidence import Certainty
from agent.history import Verdict
from agent.question import Comparison, Grain, MergeRule, Operation
from agent.taxonomy import AmbiguityCode

FieldName = Annotated[str | None, AfterValidator(lambda name: name or None)]
"""A metadata field, or null; small models write an empty name for null."""


class ReplyModel(BaseModel):
    """A reply: closed, frozen, documented by its fields."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class AtomReply(ReplyModel):
    """One condition of the question."""

    id: str
    """c1, c2, …, in the order of the question."""
    text: str
    """The condition as a predicate phrase that can be true of one entity."""
    counts: list[str] = []
    """What certainly counts, also in other words or forms."""
    borderline: list[str] = []
    """What one careful reader would count and another would not: it is counted and marked."""
    excludes: list[str] = []
    """What looks alike but does not count; neighbouring categories among them."""
    terms: list[str] = []
    """Only when the question asks for a mention of a name or word: every spelling that counts."""
    field: FieldName = None
    """The metadata field that decides the condition, exactly as listed, or null."""
    comparison: Comparison | None = None
    """How the field is compared, or null without a field: between includes both ends, has_all
    wants every value among the field's items."""
    values: list[str] = []
    """The field's values to compare with, as written in the field; dates as YYYY-MM-DD. Empty for
    has_all: every item that the field has anywhere in the collection."""
    of: Literal["value", "length"] = "value"
    """length when the number of the field's items is compared, else value."""


class MeasureReply(ReplyModel):
    """The number that is summed, averaged or compared."""

    text: str
    """The number in words, with its unit."""
    field: FieldName = None
    """The metadata field that holds it, exactly as listed, or null."""
    of: Literal["value", "length", "total"] = "value"
    """length when the number of the field's items is meant; total when the amounts that one
    document's text states add up; else value."""
    unit: str | None = None
    """The unit of the result, or null."""
    places: list[str] = []
    """The ids of the conditions whose single places in the texts are counted (how many times, how
    often, the number of mentions), else empty; then no field."""


class QuotaReply(ReplyModel):
    """In how many of the matching documents each item must be."""

    at_least: int
    """At least so many; 1 where one is enough, 0 with at_most 0 for none at all."""
    at_most: int | None
    """At most so many, or null."""
    every: bool
    """True when all matching documents must have it."""


class InterpretReply(ReplyModel):
    """A reading of the question."""

    restated: str
    """The question restated in one sentence that leaves nothing open."""
    entity_type: str
    """What is counted or listed, one noun in the singular."""
    grain: Grain
    """document when each document is one entity, entity when things named in documents are."""
    entity_field: FieldName = None
    """The metadata field whose items are the entities, exactly as listed, or null."""
    conditions: list[AtomReply]
    """Every condition; empty when all entities count."""
    logic: str
    """The conditions' ids joined by and, or, not and parentheses; empty without conditions."""
    operation: Operation
    """What is asked: list for find or which, count for how many."""
    measure: MeasureReply | None = None
    """For sum, avg, min, max, median and top_k, else null."""
    group_by: FieldName = None
    """The metadata field for each of whose values the result is wanted, else null."""
    k: int | None = None
    """How many, for top_k, or how many of the groups where group_by is given, else null."""
    ascending: bool = False
    """True when the smallest come first, for k."""
    quota: QuotaReply | None = None
    """For items and names: in how many matching documents each must be; null where one will do."""
    across: bool = False
    """True where an item of the field has to satisfy the conditions over all its documents together
    (owners with a cutter and no saw), not in one of them."""
    merge: MergeRule | None = None
    """When two names are one item: exact (each spelling by itself), alias (other spellings and
    names are one), wide (versions, numbers and legal forms too), document (names are one only
    within a document); null for grain document, and where nothing says it."""
    alias_field: FieldName = None
    """The metadata field with other names of the entity_field's item, where one has them."""
    show: list[str] = []
    """Metadata fields to be shown beside each item, exactly as listed."""
    assumptions: list[str] = []
    """What had to be taken for granted; empty when nothing."""
    computed: str | None = None
    """What each document is read for and what is computed from that, where no passage can tell the
    answer and no other member can say it; else null."""


Member: Any = Literal[*InterpretReply.model_fields]
"""What an interpretation is made of."""
_CHANGED: dict[str, Any] = {
    name: (field.annotation | None, None)  # type: ignore[operator]
    for name, field in InterpretReply.model_fields.items()
}
ChangedMembers: Any = create_model(
    "ChangedMembers",
    __base__=ReplyModel,
    __module__=__name__,
    __doc__="The members of the interpretation that are new, each whole; null for those that stay.",
    **_CHANGED,
)


class RewriteReply(ReplyModel):
    """What a reply changes in the interpretation."""

    changed: list[Member]
    """The names of the members that change; empty where the reply changes nothing."""
    members: ChangedMembers
    """These members as they are now, each whole; all others null."""

    @classmethod
    def whole(cls, order: InterpretReply) -> Self:
        """Return the reply that changes every member: a new interpretation."""
        members = ChangedMembers.model_validate(order.model_dump())
        return cls(changed=list(get_args(Member)), members=members)

    def applied_to(self, before: InterpretReply) -> InterpretReply:
        """Return the interpretation with the changed members."""
        new = self.members.model_dump(include={*map(str, self.changed)})
        return InterpretReply.model_validate({**before.model_dump(), **new})


class ReadingReply(ReplyModel):
    """One way to read the question."""

    label: str
    """In at most six words."""
    question: str
    """The question rewritten so that only this reading is left."""
    change: Literal["nothing", "condition", "merging", "more"] = "more"
    """What it changes in the interpretation so far."""
    condition: str | None = None
    """The id of the only condition that changes, else null."""
    text: str | None = None
    """The changed condition in words, else null."""
    values: list[str] = []
    """The new values, where a field decides the changed condition, else empty."""
    counts: list[str] = []
    """What certainly counts for the changed condition, whole, else empty."""
    borderline: list[str] = []
    """What is borderline for it, whole, else empty."""
    excludes: list[str] = []
    """What does not count for it, whole, else empty."""
    drops: list[str] = []
    """What was taken for granted that this reading contradicts, copied, else empty."""
    merge: MergeRule | None = None
    """The new rule of merging, where only that changes, else null."""


class FoundAmbiguity(ReplyModel):
    """One ambiguity that changes which entities count."""

    why: str
    """In one sentence, why two readers would count differently."""
    code: AmbiguityCode
    """The kind."""
    span: str
    """The words of the question that show it, verbatim."""
    readings: list[ReadingReply]
    """Two or three readings, the likeliest first."""


class ClassifyReply(ReplyModel):
    """The ambiguities of a question; most questions have none."""

    ambiguities: list[FoundAmbiguity]
    """The most consequential first; empty when the question is clear."""


class ClarifyReply(ReplyModel):
    """A question to the person who asked."""

    question: str
    """One short question, without jargon; the options are shown below it."""


class ObserveReply(ReplyModel):
    """What to do after a filter call."""

    summary: str
    """What the kept and what the discarded chunks hold, in at most two sentences."""
    why: str
    """Why the verdict."""
    verdict: Verdict
    """keep: accept, filter on; enough: accept, stop filtering; again: undo this call and try
    another; rollback: go back to the snapshot named in rollback_to."""
    rollback_to: str | None
    """The snapshot's id, for rollback, else null."""


class EvidenceReply(ReplyModel):
    """One place that is evidence for a condition."""

    condition: str
    """The condition's id."""
    entity: str = ""
    """The entity's name as the passage gives it."""
    quote: str
    """The words that state it, copied from the passage, at most 60 words."""
    certainty: Certainty
    """Certain or borderline, as the instructions tell them apart."""
    value: float | None = None
    """The measured number, where the quote states it, else null."""
    unit: str | None = None
    """The unit of the number as written, or null."""


class ChunkReply(ReplyModel):
    """A passage with evidence."""

    passage: int
    """The passage's number."""
    reason: str
    """What it states, in at most fifteen words."""
    evidence: list[EvidenceReply]
    """For each condition that the passage states, as the instructions ask for it."""


class JudgeReply(ReplyModel):
    """Every passage once: with its evidence, or in the list of those without."""

    passages: list[ChunkReply]
    """The passages with evidence, in order."""
    none: list[int]
    """The numbers of all other passages shown."""
    seek: str = ""
    """Where it is asked for, what to search by next, in one line."""


class PairReply(ReplyModel):
    """Whether two names mean the same thing."""

    pair: int
    """The pair's number."""
    reason: str
    """Why, in at most ten words."""
    same: bool
    """True when both names mean one and the same entity."""


class AlignReply(ReplyModel):
    """The verdicts on all pairs of names."""

    pairs: list[PairReply]
    """One entry for every pair that can be decided, in order; leave out the others."""


class GateReply(ReplyModel):
    """Whether a question has several readings, judged by its words alone."""

    reason: str
    """In one sentence: which different things it may ask, or why it asks one."""
    verdict: CoherenceState
    """clear, ambiguous, or uncertain where the words do not tell."""


class DecomposeReply(ReplyModel):
    """The question in the sense of one group of passages."""

    reason: str
    """In one sentence: what of the passages bears on the question, or why nothing does."""
    label: str
    """The reading in at most six words; empty without a question."""
    question: str | None
    """The whole question in this sense, or null where the passages do not bear on it."""


class HypothesiseReply(ReplyModel):
    """A passage as a document would have it that answers the question."""

    passage: str
    """The passage alone; empty where none can be written."""


class QuotedReply(ReplyModel):
    """One place that proves an answer."""

    passage: int
    """The passage's number."""
    quote: str
    """The words that state it, copied from the passage, at most 60 words."""


class SynthesisedReading(ReplyModel):
    """The answer to the question in one reading."""

    reading: int
    """The reading's number."""
    evidence: list[QuotedReply]
    """The quotes that prove the answer; empty where the passages do not answer."""
    answer: str | None
    """What they answer in this reading, or null where they do not."""


class SynthesiseReply(ReplyModel):
    """The answers to all readings, and what sets them apart."""

    readings: list[SynthesisedReading]
    """Every reading once, in order."""
    contrast: str
    """In one or two sentences, how the readings' answers differ; empty with one reading."""
    text: str
    """The linked paragraph, where one is asked for; else empty."""
