"""The question to the person: the taxonomy's own question, with the readings as options."""

from collections.abc import Mapping
from typing import cast

from agent.ambiguity import Ambiguity
from agent.replies import ClarifyReply, OptionReply
from agent.taxonomy import TAXONOMY

__all__ = ("clarify",)


def clarify(values: Mapping[str, object]) -> ClarifyReply:
    """Ask about an ambiguity: `question`, `ambiguity`."""
    ambiguity = cast("Ambiguity", values["ambiguity"])
    asked = TAXONOMY[ambiguity.code].ask
    return ClarifyReply(
        question=f"About “{ambiguity.span}”: {asked[:1].lower()}{asked[1:]}",
        options=[
            OptionReply(label=each.label, meaning=each.question) for each in ambiguity.readings
        ],
    )
