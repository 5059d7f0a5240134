"""Who decides when two mentions are one: a reply, a reading chosen, or the question's words."""

import re

from agent.deduplication import answered_rule, replied_rule, stated_rule
from agent.question import Interpretation, MergeRule
from agent.state import State

__all__ = ("decided_rule", "said_of_merging")

_CODE = "C2"
_PARENTHESIS = re.compile(r"\([^()]*\)")
"""What an assumption adds in parentheses is about the readings not taken."""


def decided_rule(state: State, reading: Interpretation) -> MergeRule | None:
    """Return the rule that was decided, None where nothing said how mentions are merged.

    The last reply to C2 goes before the reading that is being answered, and that before what the
    interpretation, its assumptions and the question say.
    """
    kind = reading.entity_type
    replies = [each for each in state.exchanges if each.asked.code == _CODE]
    if replies and (rule := replied_rule(replies[-1], kind)) is not None:
        return rule
    if state.readings and _CODE in state.codes:
        chosen = state.readings[state.reading]
        read = answered_rule if set(state.codes) == {_CODE} else stated_rule
        if (rule := read(f"{chosen.label}: {chosen.question}", kind)) is not None:
            return rule
    if reading.merge != "alias":
        return reading.merge
    taken = (_PARENTHESIS.sub(" ", each) for each in reversed(reading.granted))
    told = (reading.text, *taken, state.question)
    return next((rule for each in told if (rule := stated_rule(each, kind)) is not None), None)


def said_of_merging(state: State) -> str:
    """Return in which words C2 was decided beside the interpretation; empty where it was not."""
    for exchange in reversed(state.exchanges):
        if exchange.asked.code == _CODE:
            choice, options = exchange.reply.choice, exchange.asked.options
            if choice is not None and 1 <= choice <= len(options):
                return options[choice - 1].label
            return exchange.reply.text.strip()
    return state.readings[state.reading].label if state.readings and _CODE in state.codes else ""
