"""What happened to the chunks of a run and why: of all of them together, and one by one."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pyroaring import BitMap

from agent.coverage import Cause, Standing
from agent.errors import LedgerError
from agent.evidence import Finding
from agent.history import Step
from tools.corpus.corpus import Corpus
from tools.runs.coverage_ledger import CoverageLedger, Part, Transition
from tools.runs.store import RunStore

BY_FIELDS = 0
"""The step under which chunks are booked that need no reading, for a field decides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConditionStory:
    """What happened to a chunk under one condition."""

    condition: str
    now: Standing
    quotes: tuple[Finding, ...]
    changes: tuple[Transition, ...]
    """Every move since all was unseen, oldest first, each with all chunks that made it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """One run, or one reading of a run, chunk by chunk."""

    parts: tuple[Part, ...]
    causes: dict[int, Cause]


def account(store: RunStore, run: str, history: Sequence[Step] = ()) -> Account:
    """Return what happened to a run's chunks, by its history too, which knows more steps.

    Raises RunError: the run has searched nothing yet.
    """
    parts = CoverageLedger.stored(store, run).parts()
    shots = store.steps(run)
    causes = {BY_FIELDS: Cause(step=BY_FIELDS, tool="fields", arguments={})}
    calls = [(number, shot.tool, shot.arguments) for number, shot in shots.items()]
    calls += [(step.round, step.call.tool, step.call.arguments) for step in history]
    for number, tool, arguments in calls:
        undone = number in shots and shots[number].outcome == "rolled_back"
        causes[number] = Cause(step=number, tool=tool, arguments=arguments, undone=undone)
    return Account(parts=parts, causes=causes)


def stories(
    store: RunStore, run: str, corpus: Corpus, chunks: Collection[int]
) -> dict[int, tuple[ConditionStory, ...]]:
    """Return what happened to chunks, in the order given, under each condition.

    Raises RunError: the run has searched nothing yet; LedgerError: a chunk is beyond the corpus.
    """
    ledger = CoverageLedger.stored(store, run)
    asked = BitMap(chunks)
    if asked and asked.max() >= ledger.chunks:
        raise LedgerError(f"chunk {asked.max()} is beyond the corpus's {ledger.chunks}")
    parts, moves = ledger.parts(), ledger.transitions(asked)
    names = sorted({corpus.documents[corpus.chunk_document[chunk]] for chunk in asked})
    quotes: dict[tuple[int, str], list[Finding]] = defaultdict(list)
    for each in (finding for name in names for finding in store.findings(run, name)):
        quotes[each.chunk, each.condition].append(each)
    return {
        chunk: tuple(
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
        for chunk in chunks
    }
