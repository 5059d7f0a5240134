"""Processes: their threads and memory, and the locks that tell others what they do."""

__all__: tuple[str, ...] = ()
