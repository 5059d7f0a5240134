"""Who decides when two mentions are one: a reply, a reading chosen, or the question's words."""

import re

from agent.deduplication import answered_rule, replied_rule, stated_rule
from agent.question import Interpretation, MergeRule
from agent.state import State
from agent.taxonomy import settling

__all__ = ("decided_rule", "said_of_merging")

_MERGING = settling("merging")
_PARENTHESIS = re.compile(r"\([^()]*\)")
"""What an assumption adds in parentheses is about the readings not taken."""


def decided_rule(state: State, reading: Interpretation) -> MergeRule | None:
    """Return the rule that was decided, None where nothing said how mentions are merged.

    The last reply about merging goes before the reading that is being answered, and that before
    what the interpretation, its assumptions and the question say.
    """
    kind = reading.entity_type
    replies = [each for each in state.exchanges if each.asked.code in _MERGING]
    if replies and (rule := replied_rule(replies[-1], kind)) is not None:
        return rule
    if state.readings and _MERGING.intersection(state.codes):
        chosen = state.readings[state.reading]
        read = answered_rule if _MERGING.issuperset(state.codes) else stated_rule
        if (rule := read(f"{chosen.label}: {chosen.question}", kind)) is not None:
            return rule
    if reading.merge != "alias":
        return reading.merge
    taken = (_PARENTHESIS.sub(" ", each) for each in reversed(reading.granted))
    told = (reading.text, *taken, state.question)
    return next((rule for each in told if (rule := stated_rule(each, kind)) is not None), None)


def said_of_merging(state: State) -> str:
    """Return the words that decided merging beside the interpretation; empty where none did."""
    for exchange in reversed(state.exchanges):
        if exchange.asked.code in _MERGING:
            choice, options = exchange.reply.choice, exchange.asked.options
            if choice is not None and 1 <= choice <= len(options):
                return options[choice - 1].label
            return exchange.reply.text.strip()
    merging = state.readings and _MERGING.intersection(state.codes)
    return state.readings[state.reading].label if merging else ""
