"""Where a corpus's files lie, and how they are written, mapped and replaced."""

__all__: tuple[str, ...] = ()
