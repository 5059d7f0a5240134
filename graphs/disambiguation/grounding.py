"""Readings grounded in evidence: clusters of a first retrieval, a sub-question for each.

ADF, sections 4.2 and 4.3, and its algorithm 1 to line 16.
"""

from collections.abc import Sequence

import numpy as np
from langgraph.runtime import Runtime

import prompts
from agent.adf_state import AdfOptions, SubQuestion
from agent.ambiguity import Coherence
from agent.languages import stems
from agent.prompt_values import DecomposeValues
from agent.replies import DecomposeReply
from graphs.asking import Received, ask_all
from graphs.context import Context
from tools.corpus.words.tokenizer import words
from tools.passage_windows import passages
from tools.retrieval import measure, relevant_clusters, thresholds
from tools.retrieval import retrieve as ranked


def retrieve(
    question: str, context: Context, options: AdfOptions
) -> tuple[tuple[int, ...], Coherence | None]:
    """Retrieve the first 2k chunks, best first, and measure how coherent they are; None of none."""
    corpus, size = context.corpus, 2 * options.k
    chunks = ranked(corpus, question, size, mode=options.retrieval)
    if not chunks:
        return (), None
    own = thresholds(options.thresholds, corpus, size, options.retrieval)
    return tuple(chunks), measure(corpus.vectors.rows(np.array(chunks)), own)


def grounded(
    question: str, retrieved: Sequence[int], runtime: Runtime[Context]
) -> tuple[tuple[SubQuestion, ...], Received[DecomposeReply]]:
    """Part a retrieval into clusters and ask for a sub-question for each that is near enough.

    With fewer than two such clusters nothing is asked; of fewer than two different sub-questions
    none is returned. Raises ProviderRejected: the server serves no request.
    """
    corpus = runtime.context.corpus
    (query,) = corpus.embedder.embed([question])
    near = relevant_clusters(query, corpus.vectors.rows(np.array(retrieved, dtype=np.int64)))
    clusters = [tuple(retrieved[place] for place in members) for members in near]
    if len(clusters) < 2:
        return (), Received(replies=())
    shown = [passages(corpus, cluster) for cluster in clusters]
    values = [
        DecomposeValues(
            question=question, passages=own, others=[each for each in shown if each is not own]
        )
        for own in shown
    ]
    sent = [
        (f"cluster {number} of {len(shown)}", prompts.decompose(each))
        for number, each in enumerate(values, start=1)
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
