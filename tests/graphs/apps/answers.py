"""Answers written by hand, for what is printed and rendered."""

from typing import Any

from agent.answer import AmbiguityReport, Answer, AnswerReading, Asked, Completeness
from agent.cost import Cost
from agent.coverage import Coverage
from agent.evidence import Entity, Evidence
from agent.history import Snapshot
from agent.question import Condition


def entity(name: str = "lease-00", quote: str = "may keep one dog", **given: Any) -> Entity:
    evidence = Evidence(document=name, start=0, end=len(quote), quote=quote, condition="pets")
    return Entity(name=name, documents=(name,), evidence=(evidence,), **given)


def answer(**given: Any) -> Answer:
    """Return an answer with something in every place."""
    filled: dict[str, Any] = {
        "question": "How many leases allow a pet?",
        "status": "answered",
        "interpretation": AnswerReading(
            text="Count every lease that allows a pet.",
            entity_type="lease",
            operation="count",
            conditions=Condition(
                id="c1", text="allows a pet", counts=("a dog",), excludes=("a ban",)
            ),
            assumptions=("a goldfish is no pet",),
        ),
        "value": 1,
        "bounds": (1, 3),
        "entities": (entity(),),
        "completeness": Completeness(method="no bound: not audited"),
        "coverage": Coverage(
            chunks=100, pruned=60, judged=30, matched=1, unparsable=2, failed=3, unseen=5
        ),
        "snapshots": (
            Snapshot(
                id="s1",
                parent="s0",
                tool="keywords",
                arguments={"words": ["dog"], "stem": None},
                kept=40,
                discarded=60,
                why="animals",
            ),
            Snapshot(
                id="s2",
                parent="s1",
                tool="metadata",
                arguments={
                    "predicates": [{"field": "City", "comparison": "is", "values": ["York"]}]
                },
                kept=10,
                discarded=30,
                outcome="rolled_back",
                why="lost a match",
            ),
        ),
        "ambiguity": AmbiguityReport(
            codes=("B1",), asked=(Asked(question="Which animals?", options=("dogs",), reply="1"),)
        ),
        "cost": Cost(
            model_calls=4, cached_calls=1, input_tokens=900, output_tokens=80, usd=0.0123, seconds=2
        ),
        "warnings": ("check the quotes",),
        "run": "abc123",
    }
    return Answer(**filled | given)


def hostile(bad: str, document: str, start: int = 0) -> Answer:
    """Return an answer with a text in every place that holds one."""
    base = answer()
    assert base.interpretation is not None
    quote = Evidence(
        document=document, start=start, end=start + len(bad), quote=bad, condition=f"says {bad}"
    )
    found = Entity(name=bad, aliases=(bad,), documents=(document,), value=bad, evidence=(quote,))
    read = base.interpretation.model_copy(update={"text": bad, "assumptions": (bad,)})
    planted = {"arguments": {"words": [bad]}, "why": bad, "tool": bad}
    shots = tuple(each.model_copy(update=planted) for each in base.snapshots)
    told = {"question": bad, "unit": bad, "warnings": (bad,), "run": bad}
    return answer(interpretation=read, entities=(found,), snapshots=shots, **told)
