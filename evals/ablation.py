"""The product without one of its parts: a policy with more to set, and what it replaces."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import numpy as np
from pydantic import Field
from pyroaring import BitMap

from agent.coverage import ReadingRound
from agent.interpretation import rebuilt
from agent.policy import Policy
from agent.question import Interpretation
from agent.reasoner import Reasoner
from agent.records.record import Span
from agent.records.record_schema import Kind
from agent.state import State
from evals.baselines.attempt import unaided
from graphs.context import Components, Context
from graphs.search.cost_model import Choice, read_at_once
from graphs.search.rank_unread import NextRound
from graphs.search.search_progress import SearchProgress
from tools.corpus.corpus import Corpus
from tools.packing import METHODS
from tools.retrieval import ranked_among


class Ablation(Policy):
    """A policy of the product without some of its parts."""

    preview: bool = True
    """Look at the effect of a filter call before it is committed, and refuse one that would keep
    nothing or change nothing; else whatever was called is carried out."""
    observe_discarded: bool = True
    """Judge a filter call by samples of what it kept and of what it discarded; else of the kept
    alone (DFA, A.8.2)."""
    chunks: int | None = Field(default=None, ge=1)
    """Of each document, only so many chunks are read into records, those that are most like the
    attributes (MuDABench, table 1); None reads all."""
    certain: bool = True
    """Let code decide what fields and spellings can; else who plans and who reads get every
    condition in its words alone, and nothing is decided without them."""
    batching: Literal["ours", "algorithm_1"] = "ours"
    """How passages are put into requests: as the product does, or by DFA's algorithm alone."""
    scan: bool = True
    """Read all candidates at once where that is expected to cost less than to filter and audit."""
    ranked: bool = False
    """Read the best by rank and a sample of the rest, whatever reading everything would cost."""
    feedback: bool = True
    """Choose what is read by what was judged, among all chunks; else read all candidates."""

    def components(self) -> Components:
        """Return what stands in the place of the parts that are left out."""
        return Components(
            interpreted=None if self.certain else _in_words,
            way=None if self.scan and not self.ranked else self._way,
            unfiltered=None if self.feedback else read_at_once,
            foreseen=None if self.preview else lambda *_: "",
            observed=None if self.observe_discarded else partial(replace, discarded=None, held=0),
            next_round=None if self.feedback else _every_candidate,
            parts=None if self.chunks is None else partial(best_chunks, self.chunks),
            batches=None if self.batching == "ours" else METHODS[self.batching],
        )

    def _way(self, *_: object) -> Choice:
        return Choice(way="rank", why="by rank") if self.ranked else Choice(way="filter", why="")


def best_chunks(
    most: int, document: int, kinds: Sequence[Kind], context: Context
) -> tuple[Span, ...]:
    """Return the spans of a document's chunks that are most like what is sought, best first."""
    corpus = context.corpus
    sought = [each for kind in kinds for each in kind.attributes]
    query = "; ".join(f"{each.name.replace('_', ' ')}: {each.description}" for each in sought)
    own = np.flatnonzero(corpus.chunk_document == document)
    best = [chunk for chunk, _ in ranked_among(corpus, query, own, len(own))][:most]
    return tuple((int(corpus.chunk_start[each]), int(corpus.chunk_end[each])) for each in best)


def context_under(policy: Policy, corpus: Corpus, reasoner: Reasoner, **more: Any) -> Context:
    """Return the context of a run, with the parts that its policy replaces, if any."""
    if isinstance(policy, Ablation):
        more["components"] = policy.components()
    return Context(corpus=corpus, reasoner=reasoner, policy=policy, **more)


def _in_words(reading: Interpretation) -> Interpretation:
    """Return the reading without the fields and spellings that code could go by."""
    bare = {"terms": (), "literal": False}
    return rebuilt(unaided(reading), lambda condition: condition.model_copy(update=bare))


def _every_candidate(
    state: State,
    rounds: Sequence[ReadingRound],
    reading: SearchProgress,
    context: Context,
) -> NextRound:
    """Read all candidates, and nothing else."""
    first = BitMap() if rounds else context.store.ids(state.snapshot) & reading.unread
    return NextRound(selection=first, why="every candidate")
