"""How much of a document one request may show, so that question and reply have room."""

from collections.abc import Sequence
from typing import Final

from agent.reasoner import Reasoner
from agent.records.record_schema import Kind
from tools.corpus.chunking.tokens import count_tokens

__all__ = ("part_tokens", "sample_tokens")

_INSTRUCTIONS: Final = 700
"""Tokens of the prompts' own words."""
_ATTRIBUTE: Final = 60
"""Tokens of an attribute's line in a prompt, about."""
_ESTIMATE: Final = 1.15
"""How far the count of tokens may be below the model's own."""
_LARGEST: Final = 12_000
"""Tokens of a part at most: a reader finds less in a longer one."""
_ROWS: Final = 6
"""Tokens of a reply for each token of rows read: names of attributes and quotes repeat."""
_SMALLEST: Final = 200
_SAMPLE: Final = 4_000
"""Tokens of a sample document at most."""


def part_tokens(reasoner: Reasoner, kinds: Sequence[Kind]) -> int:
    """Return how many tokens of a document may be read at once."""
    told = _INSTRUCTIONS + sum(_ATTRIBUTE * len(kind.attributes) for kind in kinds)
    room = (reasoner.context_tokens - reasoner.reply_tokens - told) / _ESTIMATE
    if any(kind.grain == "row" for kind in kinds):
        room = min(room, reasoner.reply_tokens / _ROWS)
    return int(max(_SMALLEST, min(room, _LARGEST)))


def sample_tokens(reasoner: Reasoner, documents: int, questions: Sequence[str]) -> int:
    """Return how many tokens of each sample document may be shown."""
    told = 2 * _INSTRUCTIONS + count_tokens("\n".join(questions)) + reasoner.reply_tokens
    room = (reasoner.context_tokens - reasoner.reply_tokens - told) / _ESTIMATE
    return int(max(_SMALLEST, min(_SAMPLE, room / max(1, documents))))
