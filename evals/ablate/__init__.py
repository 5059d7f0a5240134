"""What is lost when a part of Headcount is taken away, measured on the same questions."""

__all__: tuple[str, ...] = ()
