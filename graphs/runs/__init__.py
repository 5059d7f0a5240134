"""Runs: opened, locked, checkpointed, gone on with."""
