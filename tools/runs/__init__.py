"""What runs leave on disk: id sets, snapshots, findings, the coverage ledger, answers."""
