"""How a model read a question: replies of which a test says what matters, the rest being plain."""

from collections.abc import Mapping
from typing import Any

from agent.replies import AtomReply, EvidenceReply, InterpretReply, MeasureReply

KEEP = {"summary": "", "why": "as planned", "verdict": "keep", "rollback_to": None}
"""What is said of a filter call that lost nothing."""


def atom(name: str = "c1", **told: Any) -> dict[str, Any]:
    """Return a condition as an interpretation's reply has it."""
    return AtomReply(**{"id": name, "text": f"is about {name}"} | told).model_dump()


def measured(text: str, **told: Any) -> dict[str, Any]:
    """Return a measure that no field holds, but for what is told."""
    return MeasureReply(text=text, **told).model_dump()


def interpreted(logic: str = "c1", *conditions: dict[str, Any], **told: Any) -> dict[str, Any]:
    """Return how a question was read; without conditions, those that the logic names."""
    named = dict.fromkeys(word for word in logic.split() if word.strip("()").startswith("c"))
    reading = {
        "restated": "How many letters are about it?",
        "entity_type": "letter",
        "grain": "document",
        "conditions": list(conditions) or [atom(each.strip("()")) for each in named],
        "logic": logic,
        "operation": "count",
    }
    return InterpretReply(**reading | told).model_dump()


def ambiguity(code: str, span: str, *readings: tuple[str, str]) -> dict[str, Any]:
    """Return an ambiguity of these readings, each a label and its question."""
    told = [{"label": label, "question": question} for label, question in readings]
    return {"why": "it can be", "code": code, "span": span, "readings": told}


def proof(quote: str, **told: Any) -> dict[str, Any]:
    """Return the evidence for the first condition that a quote is."""
    about = {"condition": "c1", "quote": quote, "certainty": "certain"}
    return EvidenceReply(**about | told).model_dump()


def verdicts(proofs: Mapping[int, list[dict[str, Any]]]) -> dict[str, Any]:
    """Return what a judge says of passages of which these are the proofs, none or more of each."""
    return {
        "passages": [
            {"passage": number, "reason": "read", "evidence": evidence}
            for number, evidence in proofs.items()
            if evidence
        ],
        "none": [number for number, evidence in proofs.items() if not evidence],
    }
