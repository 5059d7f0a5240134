"""What happened to the chunks of a run and why: of all of them together, and one by one.

An account says which chunks stand where, and why; a story follows single chunks
through their states under each condition.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from pyroaring import BitMap

from agent.coverage import Cause, Standing
from agent.errors import LedgerError
from agent.history import Step
from tools.corpus.corpus import Corpus
from tools.runs.coverage_ledger import CoverageLedger, Part, Transition
from tools.runs.store import RunStore

BY_FIELDS = 0
"""The step under which chunks are booked that need no reading, for a field decides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteSpan:
    """Where a verified quote stands: character offsets in the document."""

    start: int
    end: int
    by: str
    """Who found it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionStory:
    """What happened to a chunk under one condition."""

    condition: str
    now: Standing
    quotes: tuple[QuoteSpan, ...]
    changes: tuple[Transition, ...]
    """Every move since all was unseen, oldest first, each with all chunks that made it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkStory:
    """What happened to one chunk in one run."""

    chunk: int
    document: str
    start: int
    """Character offset in the document."""
    end: int
    conditions: tuple[ConditionStory, ...]
    causes: tuple[Cause, ...]
    """The steps that the conditions name, by number."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """One run, or one reading of a run, chunk by chunk."""

    parts: tuple[Part, ...]
    causes: dict[int, Cause]
    """The steps by number."""


def account(store: RunStore, run: str, history: Sequence[Step] = ()) -> Account:
    """Return what happened to the chunks of a run.

    The history of the run's state, where it is at hand, knows more steps than the store, which
    knows those that made a snapshot.

    Raises RunError: the run has searched nothing yet.
    """
    parts = CoverageLedger.stored(store, run).parts()
    return Account(parts=parts, causes=_causes(store, run, history))


def _causes(store: RunStore, run: str, history: Sequence[Step]) -> dict[int, Cause]:
    """Return the steps of a run by number; arguments as of `account`."""
    shots = store.steps(run)
    found = {BY_FIELDS: Cause(step=BY_FIELDS, tool="fields", arguments={})}
    calls = [(number, shot.tool, shot.arguments) for number, shot in shots.items()]
    calls += [(step.round, step.call.tool, step.call.arguments) for step in history]
    for number, tool, arguments in calls:
        undone = number in shots and shots[number].outcome == "rolled_back"
        found[number] = Cause(step=number, tool=tool, arguments=arguments, undone=undone)
    return found


def stories(
    store: RunStore,
    run: str,
    corpus: Corpus,
    chunks: Collection[int],
    history: Sequence[Step] = (),
) -> tuple[ChunkStory, ...]:
    """Return what happened to chunks, in the order given.

    The corpus must be unchanged since; the history is as for `account`.

    Raises:
        RunError: the run has searched nothing yet.
        LedgerError: a chunk is beyond the corpus.
    """
    ledger = CoverageLedger.stored(store, run)
    asked = BitMap(chunks)
    if asked and asked.max() >= ledger.chunks:
        raise LedgerError(f"chunk {asked.max()} is beyond the corpus's {ledger.chunks}")
    parts, moves = ledger.parts(), ledger.transitions(asked)
    steps = _causes(store, run, history)
    names = sorted({corpus.documents[corpus.chunk_document[chunk]] for chunk in asked})
    quotes: dict[tuple[int, str], list[QuoteSpan]] = defaultdict(list)
    for each in (finding for name in names for finding in store.findings(run, name)):
        span = QuoteSpan(start=each.start, end=each.end, by=each.by)
        quotes[each.chunk, each.condition].append(span)

    def told(chunk: int) -> ChunkStory:
        own = tuple(
            ConditionStory(
                condition=part.condition,
                now=part.standing,
                quotes=tuple(quotes[chunk, part.condition]),
                changes=tuple(
                    move for move in moves if move.condition == part.condition and chunk in move.ids
                ),
            )
            for part in parts
            if chunk in part.ids
        )
        named = {step for each in own for step in _steps_of(each)}
        return ChunkStory(
            chunk=chunk,
            document=corpus.documents[corpus.chunk_document[chunk]],
            start=int(corpus.chunk_start[chunk]),
            end=int(corpus.chunk_end[chunk]),
            conditions=own,
            causes=tuple(steps[number] for number in sorted(named & steps.keys())),
        )

    return tuple(told(int(chunk)) for chunk in chunks)


def _steps_of(told: ConditionStory) -> Iterator[int]:
    steps = [told.now.step]
    for change in told.changes:
        steps += [change.step, change.before.step, change.after.step]
    return (step for step in steps if step is not None)
