"""What runs leave on disk: id sets, snapshots, findings, the coverage ledger, answers."""

from tools.runs.account import Account, account
from tools.runs.ledger import CoverageLedger
from tools.runs.parts import Part, Transition
from tools.runs.run import Event, RunInfo, RunStatus
from tools.runs.store import RunStore
from tools.runs.story import stories, story

__all__ = (
    "Account",
    "CoverageLedger",
    "Event",
    "Part",
    "RunInfo",
    "RunStatus",
    "RunStore",
    "Transition",
    "account",
    "stories",
    "story",
)
