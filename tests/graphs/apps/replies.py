"""Replies of a model that finds a question about the leases ambiguous."""

import json
from functools import partial

from agent.reasoner import Prompt
from tests.fake_provider.replies import Reply, completion
from tests.graphs.conftest import INTERPRETED, NARROWED, Script, whole
from tests.integration.reader import Body, read, said, schema_of
from tests.scripted import Scripted, ScriptedReasoner

__all__ = ("AMBIGUITY", "changeable", "doubting")

AMBIGUITY = {
    "why": "a goldfish may or may not count",
    "code": "B1",
    "span": "a pet",
    "readings": [
        {"label": "dogs and cats", "question": "How many leases allow a dog or a cat?"},
        {"label": "any animal", "question": "How many leases allow any animal?"},
    ],
}


def doubting(text: str, body: Body) -> Reply:
    """Reply as a careful reader who would ask back."""
    schema = schema_of(body)
    if '"ambiguities"' in schema:
        return completion(json.dumps({"ambiguities": [AMBIGUITY]}))
    if "Write the one short question" in text:
        return completion(json.dumps({"question": "Which animals?"}))
    if "The person replied:" in text:
        return said(whole(NARROWED if "option 2:" in text else INTERPRETED))
    return read(text, body)


def changeable(script: Script) -> ScriptedReasoner:
    """Return a reasoner that follows a script which a test may change while it talks."""
    names = ("align", "clarify", "classify", "interpret", "judge", "observe", "plan", "rewrite")

    def look_up(name: str, prompt: Prompt) -> Scripted:
        return script[name](prompt)

    return ScriptedReasoner({name: partial(look_up, name) for name in names})
