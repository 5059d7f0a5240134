"""How a run goes about its work: what the nodes may read of the settings."""

from typing import Literal

from pydantic import Field, NonNegativeInt, PositiveInt

from agent.value import Value

OnAmbiguity = Literal["ask", "assume", "branch", "fail"]
Disambiguation = Literal["none", "direct", "guided", "weighed"]


class Policy(Value):
    """How a run goes about its work; the defaults are the product's."""

    on_ambiguity: OnAmbiguity = "assume"
    """Ask the person, assume the likeliest reading, answer every reading, or fail."""
    disambiguation: Disambiguation = "weighed"
    """How ambiguity is looked for. `weighed` classifies the question, tries its readings and minds
    only those that come to different results; `guided` minds every ambiguity found; `direct` puts
    one open question instead of classifying; `none` takes the question as it was read."""
    route: Literal["auto", "records", "text"] = "auto"
    """Where the answer comes from: what fits best, the records alone, or the texts alone."""
    trial: NonNegativeInt = 24
    """Chunks judged at most to try the readings of an ambiguity; 0 judges none, so that only what
    code decides is compared."""
    max_readings: PositiveInt = 6
    """Readings answered side by side at most."""
    max_turns: NonNegativeInt = 3
    """Clarifications asked at most in one run."""
    retrieval: PositiveInt = 5
    """k of the coherence check, which looks at the first 2k chunks (ADF)."""
    max_rounds: NonNegativeInt = 8
    """Filter calls at most."""
    max_idle_rounds: PositiveInt = 2
    """Filter calls in a row that may be refused or undone before filtering ends."""
    few_candidates: NonNegativeInt = 60
    """The candidate budget: down to so many a further filter cannot pay, so all are read."""
    samples: PositiveInt = 6
    """Passages looked at on each side of a filter call."""
    batch_tokens: PositiveInt = 10_000
    """Passage tokens in one judging request at most; less where the model's context is small."""
    wave: PositiveInt = 8
    """Judging requests in one step of the graph: what a crash can cost."""
    recall: float = Field(default=0.95, gt=0, le=1)
    """The share of the relevant chunks to be found: reading goes on until it is likely reached,
    and the audit tries to prove it. 1 reads everything that is not ruled out."""
    audit: NonNegativeInt | None = None
    """Chunks that one audit draws at most from those that nobody read; 0 audits nothing. None is up
    to 100, fewer in a small collection, or 5000 where reading costs nothing."""
    max_audits: NonNegativeInt = 2
    """Audits at most: one that finds relevant chunks sends the search back to reading."""
