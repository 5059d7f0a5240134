"""Python's search for reference cycles, kept from values that are many and refer to none."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ("uncollected",)


@contextmanager
def uncollected() -> Iterator[None]:
    """Make values without a search for cycles among them, which takes longer than making them."""
    searching = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if searching:
            gc.enable()
