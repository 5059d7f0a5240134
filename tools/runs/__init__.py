"""What runs leave on disk: id sets, snapshots, findings, the coverage ledger, answers."""

from tools.runs.ledger import CoverageLedger
from tools.runs.run import Event, RunInfo, RunStatus
from tools.runs.store import RunStore

__all__ = ("CoverageLedger", "Event", "RunInfo", "RunStatus", "RunStore")
