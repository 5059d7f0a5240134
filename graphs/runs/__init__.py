"""Runs: opened, locked, checkpointed, gone on with."""

__all__: tuple[str, ...] = ()
