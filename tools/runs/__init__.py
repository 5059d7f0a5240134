"""What runs leave on disk: id sets, snapshots, findings, the coverage ledger, answers."""

from tools.runs.chunk_story import Account, account, stories, story
from tools.runs.coverage_ledger import CoverageLedger, Part, Transition
from tools.runs.store import RunInfo, RunStatus, RunStore

__all__ = (
    "Account",
    "CoverageLedger",
    "Part",
    "RunInfo",
    "RunStatus",
    "RunStore",
    "Transition",
    "account",
    "stories",
    "story",
)
