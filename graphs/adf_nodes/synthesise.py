"""synthesise: every reading answered, proven and set against the others (ADF, section 4.6)."""

from dataclasses import replace
from itertools import chain, zip_longest
from typing import Final, Literal

from langgraph.runtime import Runtime

import prompts
from agent.adf import AdfAnswer, AdfFailure, AdfState, AdfUpdate
from agent.adf_replies import SynthesiseReply
from agent.counted import counted
from agent.errors import LimitReached, ModelError, ProviderError, ProviderRejected
from agent.evidence import Passage
from graphs.adf_nodes.step import noted
from graphs.asking import ask
from graphs.asking_many import failed
from graphs.context import Context
from graphs.disambiguation.synthesis import Synthesis, Workshop, unanswered
from tools.corpus.chunking.tokens import count_tokens
from tools.passage_windows import passages

__all__ = ("synthesise",)

_INSTRUCTIONS: Final = 1500
"""Tokens that are kept for the prompt's own words and the readings."""
_ESTIMATE: Final = 1.15
"""How far the count of tokens may be below the model's own."""

Status = Literal["answered", "partial", "failed"]


def synthesise(state: AdfState, runtime: Runtime[Context]) -> AdfUpdate:
    """Ask once for all answers; what cannot be had is said in the answer.

    Raises:
        ProviderRejected: the server will not serve the request as it is.
    """
    shown, left_out = _fitting(state, runtime.context)
    if not shown:
        bare = _unanswered(state, "no passage was found to answer from")
        return _ended(state, bare, runtime)
    workshop = Workshop(
        intents=state.intents,
        passages=shown,
        corpus=runtime.context.corpus,
        options=state.options,
    )
    stopped, lost = "", None
    try:
        found = _asked(state, workshop, runtime)
    except LimitReached as limit:
        found, stopped = workshop.draft or _unanswered(state), str(limit)
    except ProviderRejected:
        raise
    except (ModelError, ProviderError) as error:
        found = workshop.draft or _unanswered(state)
        lost = failed("synthesise", "the answers to all readings", error)
    if left_out:
        told = f"{counted(left_out, 'passage')} had no room in the model's context and "
        told += f"{'was' if left_out == 1 else 'were'} not shown"
        found = replace(found, warnings=(*found.warnings, told))
    return _ended(state, found, runtime, stopped=stopped, lost=lost)


def _asked(state: AdfState, workshop: Workshop, runtime: Runtime[Context]) -> Synthesis:
    prompt = prompts.synthesise(
        question=state.question,
        readings=state.intents,
        passages=workshop.passages,
        found=[each.retrieved for each in state.intents],
        form=state.options.form,
        words=(state.options.fewest_words, state.options.most_words),
        corpus=workshop.corpus,
    )
    return ask(runtime, prompt, SynthesiseReply, workshop.check)


def _unanswered(state: AdfState, *warnings: str) -> Synthesis:
    readings = tuple(unanswered(each) for each in state.intents)
    return Synthesis(readings=readings, warnings=warnings)


def _fitting(state: AdfState, context: Context) -> tuple[tuple[Passage, ...], int]:
    """Return the passages to show, the best of each reading first, and how many have no room."""
    ranks = zip_longest(*(each.retrieved for each in state.intents))
    chunks = [each for each in dict.fromkeys(chain.from_iterable(ranks)) if each is not None]
    room = _room(context)
    kept: list[int] = []
    for chunk in chunks:
        room -= count_tokens(context.corpus.chunk_text(chunk))
        if room < 0:
            break
        kept.append(chunk)
    return passages(context.corpus, kept), len(chunks) - len(kept)


def _room(context: Context) -> float:
    """Return how many tokens the passages may have."""
    reader = context.reasoner
    return (reader.context_tokens - reader.reply_tokens - _INSTRUCTIONS) / _ESTIMATE


def _ended(
    state: AdfState,
    found: Synthesis,
    runtime: Runtime[Context],
    *,
    stopped: str = "",
    lost: AdfFailure | None = None,
) -> AdfUpdate:
    limit = stopped or state.stopped
    told = [f"a limit was reached: {limit}"] if limit else []
    failures = (*state.failures, *([] if lost is None else [lost]))
    quotes = sum(len(each.evidence) for each in found.readings)
    why = f"{found.answered} of {len(found.readings)} readings answered with {quotes} quotes"
    steps = noted(state, "synthesise", why)
    answer = AdfAnswer(
        question=state.question,
        status=_status(found, limit, lost),
        state=state.verdict or "uncertain",
        gate=state.options.gate,
        coherence=state.coherence,
        readings=found.readings,
        text=found.text,
        contrast=found.contrast,
        steps=steps,
        failures=failures,
        warnings=(*state.warnings, *found.warnings, *told),
        model=runtime.context.reasoner.name,
    )
    return {"answer": answer, "steps": steps, "failures": failures, "stopped": limit}


def _status(found: Synthesis, limit: str, lost: AdfFailure | None) -> Status:
    if limit:
        return "partial"
    return "failed" if lost is not None and not found.answered else "answered"
