"""The typed values of every prompt: what an embedded reader, a stand-in or a test reads of it.

One class a prompt, named after it: `prompts.judge` renders `JudgeValues`.
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field

from agent.adf_state import Form, SubQuestion
from agent.ambiguity import Ambiguity, Coherence, Exchange, Turn
from agent.corpus_view import CorpusView
from agent.coverage import Purpose
from agent.evidence import Passage
from agent.history import Snapshot, Step
from agent.question import Condition, Interpretation
from agent.reasoner import PromptValues
from agent.records.record import Refusal, SampleDocument
from agent.records.record_schema import Kind, Schema, Tables


@dataclass(frozen=True, slots=True, kw_only=True)
class InterpretValues(PromptValues):
    """A question to be interpreted."""

    question: str
    conversation: Sequence[Turn]
    """Earlier questions of the session with their interpretations, oldest first."""
    beginnings: Sequence[Passage] = ()
    """How a few documents begin."""
    corpus: CorpusView
    tables: Tables | None = None
    """What was extracted into tables; None where nothing was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassifyValues(PromptValues):
    """A question to be searched for ambiguities."""

    question: str
    conversation: Sequence[Turn] = ()
    """As it was when the question was interpreted."""
    interpretation: Interpretation
    beginnings: Sequence[Passage] = ()
    """How a few documents begin."""
    corpus: CorpusView
    coherence: Coherence | None
    """Of the first retrieval; None where none was made."""
    tables: Tables | None = None
    """What was extracted into tables; None where nothing was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClarifyValues(PromptValues):
    """An ambiguity to be asked about."""

    question: str
    ambiguity: Ambiguity


@dataclass(frozen=True, slots=True, kw_only=True)
class RewriteValues(PromptValues):
    """A reply that settles the interpretation."""

    question: str
    interpretation: Interpretation
    """As it was before the reply."""
    exchange: Exchange
    corpus: CorpusView


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanValues(PromptValues):
    """The state of the search before the next filter call."""

    interpretation: Interpretation
    conditions: Sequence[Condition]
    """Those that reading has to decide."""
    history: Sequence[Step]
    snapshot: Snapshot
    corpus: CorpusView
    decided: Sequence[str]
    """Ids of the conditions that need no reading."""
    tools: Sequence[str]
    """Names of the tools offered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObserveValues(PromptValues):
    """A filter call to be assessed by samples of what it kept and discarded."""

    interpretation: Interpretation
    conditions: Sequence[Condition]
    step: Step
    kept: Sequence[Passage]
    discarded: Sequence[Passage] | None
    """A sample of what it discarded and no other snapshot holds; None where none is shown."""
    held: int = 0
    """How many discarded passages another snapshot holds."""
    snapshots: Sequence[Snapshot]
    """Those that a rollback can return to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeValues(PromptValues):
    """Passages to be judged."""

    question: str
    """In the person's own words."""
    interpretation: Interpretation
    conditions: Sequence[Condition]
    """Those that reading has to decide."""
    purpose: Purpose = "search"
    """Why the passages are shown."""
    passages: Sequence[Passage]
    """Numbered from 1 in the prompt and in the reply."""
    remarks: Mapping[int, str] = field(default_factory=dict)
    """By a passage's number, why an earlier reply about it could not be used."""
    seek: bool = False
    """Whether to ask what to search by next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignValues(PromptValues):
    """Pairs of names to be compared."""

    entity_type: str
    question: str
    assumptions: Sequence[str] = ()
    """What is taken for granted: perhaps what a part of the thing counts as."""
    pairs: Sequence[tuple[str, str]]
    quotes: Mapping[str, str]
    """By name, words of a document in which it stands; a name may be missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InduceValues(PromptValues):
    """Sample documents for which a schema is proposed or refined."""

    documents: Sequence[SampleDocument]
    questions: Sequence[str] = ()
    """Like those that will be asked."""
    schema: Schema | None = None
    """What is known so far; None where a first schema is proposed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractValues(PromptValues):
    """A part of a document whose records are extracted, or several documents."""

    kinds: Sequence[Kind]
    documents: Sequence[SampleDocument]
    whole: bool = True
    """Whether the text is all of the document."""
    all_kinds: bool = True
    """Whether rows of no kind are to be told: those of one question's records concern nobody."""
    unlikely: Container[str] = ()
    """Kinds whose words the text hardly has: told of in one line each."""
    refused: Sequence[Refusal] = ()
    """Values of an earlier reply that could not be taken: only they are asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryValues(PromptValues):
    """A question to be answered by a query over tables."""

    question: str
    tables: Tables
    interpretation: Interpretation | None = None
    """None where the question is asked as it stands."""
    tried: str = ""
    """The query of an earlier reply, as JSON or SQL; empty at first."""
    error: str = ""
    """Why that query could not be used, or what was odd about its result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalyseValues(PromptValues):
    """A question for which an analysis is planned."""

    question: str
    corpus: CorpusView
    documents: Sequence[SampleDocument]
    interpretation: Interpretation | None = None
    """None where the question is asked as it stands."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GateValues(PromptValues):
    """A question to be judged ambiguous or clear by its words alone (ADF)."""

    question: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DecomposeValues(PromptValues):
    """A group of passages in whose sense the question is put (ADF)."""

    question: str
    passages: Sequence[Passage]
    others: Sequence[Sequence[Passage]]
    """The other groups."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HypothesiseValues(PromptValues):
    """An interpretation for which a passage is written that would answer it (HyDE)."""

    reading: SubQuestion
    form: Form
    passages: Sequence[Passage]


@dataclass(frozen=True, slots=True, kw_only=True)
class SynthesiseValues(PromptValues):
    """The interpretations of a question with the passages found, to be answered together (ADF)."""

    question: str
    readings: Sequence[SubQuestion]
    passages: Sequence[Passage]
    found: Sequence[Sequence[int]]
    """For each interpretation, the chunks found for it."""
    form: Form
