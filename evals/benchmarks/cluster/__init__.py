"""What distribution costs: the same predicates in one process and on a Ray cluster."""

__all__: tuple[str, ...] = ()
