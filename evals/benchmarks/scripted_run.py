"""A run without a model: a script that filters once and reads what is left."""

import json
import sys
import tempfile
from pathlib import Path

from agent.policy import Policy
from agent.prompt_values import JudgeValues, PlanValues
from agent.reasoner import Prompt
from agent.reasoners.scripted import Scripted, ScriptedReasoner
from agent.replies import ChunkReply, EvidenceReply, JudgeReply
from evals.benchmarks.process_memory import peak_mb

__all__ = ("POLICY", "QUESTION", "scripted", "tell")

QUESTION = "How many documents mention installation?"
POLICY = Policy(few_candidates=0, feedback=False, audit=0)
"""Every chunk that the filter keeps is read, and no other."""
_WORD = "install"
_QUOTED = 60

_INTERPRETED: dict[str, object] = {
    "restated": QUESTION,
    "entity_type": "document",
    "grain": "document",
    "entity_field": None,
    "conditions": [
        {
            "id": "c1",
            "text": "is about installation",
            "counts": [],
            "excludes": [],
            "terms": [],
            "field": None,
            "comparison": None,
            "values": [],
            "of": "value",
        }
    ],
    "logic": "c1",
    "operation": "count",
    "measure": None,
    "group_by": None,
    "k": None,
    "ascending": False,
    "quota": None,
    "across": False,
    "show": [],
    "assumptions": [],
}
_OBSERVED: dict[str, object] = {
    "summary": "kept what speaks of installation",
    "why": "the words are there",
    "verdict": "keep",
    "rollback_to": None,
}


def scripted(kept: int = 40, *, every: int = 0) -> ScriptedReasoner:
    """Return a reasoner that takes the same steps on every corpus and costs no time.

    Args:
        kept: how many chunks its one filter call keeps, all of which are read.
        every: one in so many passages with the word is evidence, by its offset; 0 is none.
    """
    return ScriptedReasoner(
        {
            "interpret": lambda _: _INTERPRETED,
            "classify": lambda _: {"ambiguities": []},
            "plan": lambda prompt: _planned(prompt, kept),
            "observe": lambda _: _OBSERVED,
            "judge": lambda prompt: _judged(prompt, every),
        }
    )


def _planned(prompt: Prompt, kept: int) -> Scripted:
    if prompt.values_as(PlanValues).history:
        return {"tool": "finish", "arguments": {}}
    return {"tool": "bm25", "arguments": {"query": "install the package", "best": kept}}


def _judged(prompt: Prompt, every: int) -> Scripted:
    passages = prompt.values_as(JudgeValues).passages
    places = {
        number: each.text.find(_WORD)
        for number, each in enumerate(passages, start=1)
        if every and each.chunk % every == 0
    }
    proofs = {
        number: passages[number - 1].text[at : at + _QUOTED].strip()
        for number, at in places.items()
        if at >= 0
    }
    return JudgeReply(
        passages=[
            ChunkReply(passage=number, reason="it says so", evidence=[_evidence(quote)])
            for number, quote in proofs.items()
        ],
        none=[number for number in range(1, len(passages) + 1) if number not in proofs],
    )


def _evidence(quote: str) -> EvidenceReply:
    return EvidenceReply(
        condition="c1", entity="", quote=quote, certainty="certain", value=None, unit=None
    )


def tell(corpus: str, url: str, kept: str) -> None:
    """Judge so many chunks of a corpus; print as JSON how many were, and the memory in MB.

    `grown` is by how much the peak rose after the chunks were put into batches.
    """
    from evals.benchmarks.judging_cost import JudgingRun
    from tools.corpus.corpus import open_corpus

    with tempfile.TemporaryDirectory(prefix="headcount-judged-") as place:
        run = JudgingRun(open_corpus(corpus), url, Path(place), int(kept), keep_prompts=False)
        run()
        peak = peak_mb()
    told = {"chunks": run.chunks, "peak_mb": peak, "grown": peak - run.peak_before}
    sys.stdout.write(json.dumps(told))
