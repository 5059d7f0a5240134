"""A run without a model: a script that filters once, reads what is left and finds nothing."""

from agent.policy import Policy
from agent.reasoner import Prompt
from agent.reasoners.scripted import Scripted, ScriptedReasoner

__all__ = ("POLICY", "QUESTION", "scripted")

QUESTION = "How many documents mention installation?"
POLICY = Policy(few_candidates=0)
_KEPT = 40

_INTERPRETED: dict[str, object] = {
    "restated": QUESTION,
    "entity_type": "document",
    "grain": "document",
    "entity_field": None,
    "conditions": [
        {
            "id": "c1",
            "text": "mentions installation",
            "counts": [],
            "excludes": [],
            "terms": ["installation"],
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
    "assumptions": [],
}
_OBSERVED: dict[str, object] = {
    "summary": "kept what speaks of installation",
    "why": "the words are there",
    "verdict": "keep",
    "rollback_to": None,
}


def scripted() -> ScriptedReasoner:
    """Return a reasoner that takes the same steps on every corpus and costs no time."""
    return ScriptedReasoner(
        {
            "interpret": lambda _: _INTERPRETED,
            "classify": lambda _: {"ambiguities": []},
            "plan": _planned,
            "observe": lambda _: _OBSERVED,
            "judge": _judged,
        }
    )


def _planned(prompt: Prompt) -> Scripted:
    if prompt.values["history"]:
        return {"tool": "finish", "arguments": {}}
    return {"tool": "bm25", "arguments": {"query": "install the package", "best": _KEPT}}


def _judged(prompt: Prompt) -> Scripted:
    passages = prompt.values["passages"]
    count = len(passages) if isinstance(passages, tuple | list) else 0
    read = [{"passage": at + 1, "reason": "read", "evidence": []} for at in range(count)]
    return {"passages": read}
