"""The values that most or fewest rows have: `the most common colour`, `which city occurs most`."""

from typing import Final

from agent.reasoners.rules.language.words import NUMBER_WORDS, singular, word_set
from agent.reasoners.rules.records.querying.heads import next_kinds
from agent.reasoners.rules.records.querying.mentions import Mention
from agent.reasoners.rules.records.querying.reading import Reading
from agent.reasoners.rules.records.querying.shape import Shape

__all__ = ("frequent",)

_OFTEN: Final = word_set("common frequent frequently often widespread prevalent")
_OCCURRING: Final = word_set("occurs occur appears appear comes come is are was were")
_RANKED: Final = {"most": True, "least": False}
_FEW: Final = 3
"""How many values a plural without a number is taken to ask for."""


def frequent(reading: Reading) -> Shape | None:
    """Read a question for the commonest or rarest values of a column; None for another one."""
    for at in range(1, len(reading.tokens) - 1):
        up = _RANKED.get(reading.low(at))
        often = reading.low(at + 1) in _OFTEN
        if up is None or not (often or reading.low(at - 1) in _OCCURRING - {"is", "are"}):
            continue
        end = at + 1 + often
        mention = reading.mention_at(end) or _before(reading, at)
        if mention is not None:
            return _shape(reading, mention, at, end, up=up)
    return None


def _before(reading: Reading, at: int) -> Mention | None:
    """Return the name before `occurs most often`."""
    if reading.low(at - 1) not in _OCCURRING:
        return None
    return next((each for each in reading.mentions if each.end == at - 1), None)


def _shape(reading: Reading, mention: Mention, at: int, end: int, *, up: bool) -> Shape | None:
    near = next_kinds(reading, mention.end)
    column = reading.choose(mention.columns, near=(*near, *near[:1]))
    best = max((each.strength for each in mention.columns), default=0.0)
    if column is None or (mention.kinds and mention.kinds[0].strength >= best):
        return None
    words = [reading.low(step) for step in range(mention.start, mention.end)]
    last = words[words.index("of") - 1] if "of" in words else words[-1]
    many = _FEW if singular(last) != last else 1
    start = at - 1 if reading.low(at - 1) in NUMBER_WORDS else at
    limit = NUMBER_WORDS[reading.low(start)] if start < at else many
    if limit == _FEW and start == at:
        reading.notes.append(f"the first {limit} are meant, as no number is given")
    reading.use(start, end)
    reading.use(mention.start, mention.end)
    if mention.end == at - 1:
        reading.use(at - 1, at)
    order: Final = "descending" if up else "ascending"
    return Shape("count", column.kind, group_by=(column,), order=order, limit=limit)
