"""The contract of every engine: a predicate and a snapshot in, the chunks kept out."""

from typing import Protocol

from pyroaring import BitMap

from tools.filters.predicates import Predicate

__all__ = ("Engine",)


class Engine(Protocol):
    """Evaluates predicates over one corpus of N chunks, numbered 0 to N - 1.

    Whatever the engine, and wherever the corpus lies, equal predicates keep equal chunks; only
    scores within rounding of one another may change places. What must hold besides:

    - The result is a new set, within the snapshot; the snapshot is left as it was.
    - Statistics (word forms, spellings, idf, mean length) are the whole corpus's, not the
      snapshot's nor a shard's, so a predicate that ranks nothing decides each chunk alone.
    - `best` counts within the snapshot; ties go to the lower chunk id.
    - It is all or nothing: an engine that cannot reach a part of the corpus raises.
    """

    def keep(self, predicate: Predicate, snapshot: BitMap) -> BitMap:
        """Return the chunks of the snapshot that satisfy the predicate.

        Raises:
            ToolArgumentError: a field that the corpus lacks, or a pattern that is none, also
                where the snapshot is empty; the text says what to do instead.
            HeadcountError: the corpus cannot be read in full.
        """
        ...
