"""A script of replies that a test may change."""

from functools import partial

from agent.reasoner import Prompt
from tests.graphs.conftest import Script
from tests.scripted import Scripted, ScriptedReasoner


def changeable(script: Script) -> ScriptedReasoner:
    """Return a reasoner that follows a script which a test may change while it talks."""
    names = ("align", "clarify", "classify", "interpret", "judge", "observe", "plan", "rewrite")

    def look_up(name: str, prompt: Prompt) -> Scripted:
        return script[name](prompt)

    return ScriptedReasoner({name: partial(look_up, name) for name in names})
