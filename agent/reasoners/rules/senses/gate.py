"""Whether a question's words leave open what it means; most questions are uncertain."""

from collections.abc import Mapping
from typing import Final, cast

from agent.reasoners.rules.language.words import FUNCTION_WORDS, tokenize, word_set
from agent.replies import GateReply

__all__ = ("gate",)

_FEW: Final = 2
_ASKING: Final = word_set("what which who whom whose where when why how many much")


def gate(values: Mapping[str, object]) -> GateReply:
    """Take a question for clear that names something, for ambiguous that has few words.

    Args:
        values: of the prompt `gate`: question.
    """
    tokens = tokenize(cast("str", values["question"]))
    names = [
        each.text
        for place, each in enumerate(tokens)
        if each.kind in {"number", "quote"} or (place and each.capital)
    ]
    if names:
        return GateReply(reason=f"it names {', '.join(names)}", verdict="clear")
    telling = [
        each.text
        for each in tokens
        if each.kind == "word" and each.low not in FUNCTION_WORDS | _ASKING
    ]
    if len(telling) <= _FEW:
        told = ", ".join(telling) or "nothing"
        return GateReply(reason=f"it says no more than: {told}", verdict="ambiguous")
    return GateReply(reason="its words name nothing, but narrow it", verdict="uncertain")
