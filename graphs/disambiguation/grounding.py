"""Readings grounded in evidence: clusters of a first retrieval, a sub-question for each.

ADF, sections 4.2 and 4.3, and its algorithm 1 to line 16.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from langgraph.runtime import Runtime
from numpy.typing import NDArray

import prompts
from agent.adf_state import Calibration, Retrieval, SubQuestion
from agent.ambiguity import Coherence
from agent.languages import stems
from agent.prompt_values import DecomposeValues
from agent.replies import DecomposeReply
from graphs.asking import Received, ask_all
from graphs.context import Context
from tools.corpus.words.tokenizer import words
from tools.passage_windows import passages
from tools.retrieval import retrieve as ranked
from tools.retrieval_coherence import measure, relevant_clusters, thresholds


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Retrieved:
    """The first chunks for a question, with their place in the space of vectors."""

    chunks: tuple[int, ...]
    """At most 2k, best first."""
    vectors: NDArray[np.float32]
    """Their unit vectors, (n, d)."""
    query: NDArray[np.float32]
    """The question's unit vector, (d,)."""
    coherence: Coherence | None
    """None where nothing was retrieved."""


def retrieve(
    question: str,
    context: Context,
    *,
    k: int | None = None,
    mode: Retrieval = "hybrid",
    calibration: Calibration = "calibrated",
) -> Retrieved:
    """Retrieve the first 2k chunks for a question and measure how coherent they are."""
    size = 2 * (context.policy.retrieval if k is None else k)
    corpus = context.corpus
    chunks = ranked(corpus, question, size, mode=mode)
    if not chunks:
        return recalled(question, (), None, context)
    rows = corpus.vectors.rows(np.array(chunks))
    coherence = measure(rows, thresholds(calibration, corpus, size, mode))
    return recalled(question, chunks, coherence, context)


def recalled(
    question: str, chunks: Sequence[int], coherence: Coherence | None, context: Context
) -> Retrieved:
    """Return a retrieval of which the chunks are known, with its vectors."""
    corpus = context.corpus
    (query,) = corpus.embedder.embed([question])
    return Retrieved(
        chunks=tuple(chunks),
        vectors=corpus.vectors.rows(np.array(chunks, dtype=np.int64)),
        query=query,
        coherence=coherence,
    )


def grounded(
    question: str, retrieved: Retrieved, runtime: Runtime[Context]
) -> tuple[tuple[SubQuestion, ...], Received[DecomposeReply]]:
    """Part a retrieval into clusters and ask for a sub-question for each that is near enough.

    With fewer than two such clusters nothing is asked. With what came back, at least two different
    sub-questions are returned, or none.

    Raises ProviderRejected: the server serves no request.
    """
    near = relevant_clusters(retrieved.query, retrieved.vectors)
    clusters = [tuple(retrieved.chunks[place] for place in members) for members in near]
    if len(clusters) < 2:
        return (), Received(replies=())
    shown = [passages(runtime.context.corpus, cluster) for cluster in clusters]
    sent = [
        (
            f"cluster {number} of {len(shown)}",
            prompts.decompose(
                DecomposeValues(
                    question=question,
                    passages=own,
                    others=[each for each in shown if each is not own],
                )
            ),
        )
        for number, own in enumerate(shown, start=1)
    ]
    received = ask_all(runtime, sent, DecomposeReply)
    asked, different = {_stems(question)}, list[SubQuestion]()
    for chunks, reply in zip(clusters, received.replies, strict=True):
        text = " ".join((reply.question or "").split()) if reply is not None else ""
        # The same words in another order or inflection ask the same.
        if reply is None or not text or _stems(text) in asked:
            continue
        asked.add(_stems(text))
        label = " ".join(reply.label.split()) or text
        different.append(SubQuestion(label=label, question=text, chunks=chunks, why=reply.reason))
    return tuple(different) if len(different) > 1 else (), received


def _stems(question: str) -> frozenset[str]:
    return frozenset(stems(words(question)))
