"""The counterparts of the papers' tables, made offline by one command."""

__all__: tuple[str, ...] = ()
