"""The answer: from findings to entities, their truth, and the number they come to."""

__all__: tuple[str, ...] = ()
