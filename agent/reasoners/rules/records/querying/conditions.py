"""The conditions of a question: its clauses read from left to right."""

from typing import Final

from agent.reasoners.rules.language.words import AUXILIARIES, PREPOSITIONS, RELATIVES, word_set
from agent.reasoners.rules.records.querying.assembling import Condition
from agent.reasoners.rules.records.querying.bounds import compared_word
from agent.reasoners.rules.records.querying.clauses import Clauses
from agent.reasoners.rules.records.querying.comparing import completed, present_in
from agent.reasoners.rules.records.querying.counting import counted
from agent.reasoners.rules.records.querying.limiting import limited
from agent.reasoners.rules.records.querying.matching import number_of_row, sexed, valued
from agent.reasoners.rules.records.querying.means import adjective_and_mean, extreme, more_than_mean
from agent.reasoners.rules.records.querying.mentions import Mention
from agent.reasoners.rules.records.querying.numbered_names import between_numbered
from agent.reasoners.rules.records.querying.phrases import verbal
from agent.reasoners.rules.records.querying.reading import Reading
from agent.records.query_plan import Compare

__all__ = ("DENYING", "read_conditions")

DENYING: Final = word_set(
    "not never no without except excluding neither nor lack lacks lacking besides none cannot"
)
_KIND_SURE: Final = 0.44
_REACH: Final = 5
_COMPARISONS: Final = (
    between_numbered,
    more_than_mean,
    extreme,
    adjective_and_mean,
    counted,
    limited,
)
_MARGIN: Final = 0.3
_OWNED: Final = word_set("its their the other")
_LEADING: Final = word_set("by among of from in for as")
_NEAR: Final = 8
_BREAKING: Final = AUXILIARIES | RELATIVES


def read_conditions(reading: Reading, base: str) -> list[Condition]:
    """Read every condition that the tokens not yet used state; mark their tokens as used."""
    clauses = Clauses(reading, base, base)
    at = 0
    while at < len(reading.tokens):
        if at in reading.used:
            _refocus(clauses, at)
            at += 1
        else:
            at = max(_read(clauses, at), at + 1)
    told = {each.scope for each in clauses.found}
    empty = [word for scope, word in clauses.denials if scope not in told]
    reading.missing += [f"what is denied by “{word}”" for word in empty]
    return clauses.found


def _refocus(clauses: Clauses, at: int) -> None:
    """Let conditions behind what is asked for speak of it."""
    mention = clauses.reading.mention_at(at)
    if mention is not None and any(each.kind == clauses.base for each in mention.targets):
        clauses.focus = clauses.base


def _read(clauses: Clauses, at: int) -> int:
    """Read what begins at a token; return where reading goes on."""
    reading = clauses.reading
    if _joint(clauses, at):
        return at + 1
    if reading.value_at(at) is not None:
        return valued(clauses, at)
    ends = (read(clauses, at) for read in _COMPARISONS)
    end = next((each for each in ends if each is not None), None)
    return end if end is not None else _plain(clauses, at)


def _plain(clauses: Clauses, at: int) -> int:
    """Read a negation or a name."""
    if clauses.reading.low(at) in DENYING:
        clauses.deny()
        clauses.denials.append((clauses.scope, clauses.reading.low(at)))
        clauses.reading.use(at, at + 1)
        return at + 1
    mention = clauses.reading.mention_at(at)
    return _named(clauses, mention) if mention is not None else sexed(clauses, at) or at + 1


def _joint(clauses: Clauses, at: int) -> bool:
    """Read a word that joins clauses; a new clause ends a negation."""
    low = clauses.reading.low(at)
    ended = low in {"but", ";", "."} or _main_verb(clauses, at)
    if ended or (low == "and" and _goes_on(clauses, at + 1)):
        clauses.scope = 0
    if low == "or":
        clauses.either = True
        if any(_compares(clauses.reading, at + step) for step in range(1, _REACH)):
            clauses.scope = 0
    return low in {"or", "and", "but", "either", "both", ",", ";", "."}


def _goes_on(clauses: Clauses, at: int) -> bool:
    """Tell whether another clause begins behind `and`: `has no garden and opened in …`."""
    low = clauses.reading.low(at)
    told = clauses.scope and any(each.scope == clauses.scope for each in clauses.found)
    return low in _BREAKING or bool(told and (low in PREPOSITIONS or verbal(low)))


def _main_verb(clauses: Clauses, at: int) -> bool:
    """Tell whether the main verb follows a negation that is complete: `not from Ulm have …`."""
    told = clauses.scope and any(each.scope == clauses.scope for each in clauses.found)
    relative = clauses.reading.low(at - 1) in RELATIVES
    return bool(told) and clauses.reading.low(at) in AUXILIARIES and not relative


def _compares(reading: Reading, at: int) -> bool:
    return at < len(reading.tokens) and compared_word(reading.tokens, at) is not None


def _again(clauses: Clauses, mention: Mention) -> bool:
    """Tell whether a condition just read is said of this column: `spa among their amenities`."""
    reading, at = clauses.reading, mention.start - 1
    while reading.low(at) in _OWNED:
        at -= 1
    last = clauses.found[-1] if clauses.found else None
    test = last.test if last is not None else None
    if reading.low(at) not in _LEADING or not isinstance(test, Compare) or last is None:
        return False
    columns = {(each.kind, each.attribute) for each in mention.columns}
    told = test.left.is_a == "column" and (test.left.kind, test.left.attribute) in columns
    return told and mention.start - last.at <= _NEAR and not mention.kinds


def _rather_column(mention: Mention) -> bool:
    best = max((each.strength for each in mention.columns), default=0.0)
    return mention.kinds[0].strength < best - _MARGIN


def _named(clauses: Clauses, mention: Mention) -> int:
    """Read a name: the column of a condition, or a kind that there must be rows of."""
    done = completed(clauses, mention) if mention.columns else None
    if done is not None:
        return done
    if _again(clauses, mention):
        clauses.reading.use(mention.start, mention.end)
        return mention.end
    kinds = [each.kind for each in mention.kinds if each.strength >= _KIND_SURE]
    if not kinds or _rather_column(mention):
        return present_in(clauses, mention) or mention.end
    near = clauses.reading.kind_among(mention, clauses.base) or kinds[0]
    kind = clauses.base if clauses.base in kinds else near
    clauses.reading.use(mention.start, mention.end)
    clauses.focus = kind
    numbered = number_of_row(clauses, mention.end, kind)
    if numbered is not None:
        return numbered
    if kind != clauses.base:
        clauses.add(kind, mention.start)
    return mention.end
