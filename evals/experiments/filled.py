"""A corpus with records that an arm's reader has filled, made once for all of its questions."""

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path

from agent.errors import HeadcountError
from evals.experiments.arm import Arm
from evals.experiments.isolation import copied
from evals.questions import Record
from evals.readers import reader_of
from tools.corpus.generations import CorpusLayout

__all__ = ("Filled",)


class Filled:
    """Fills the records of a corpus when an arm first needs them; they are kept for its questions.

    Where that fails, for want of structure for instance, the corpus is as it was, and the arm's
    questions meet the same failure themselves.
    """

    def __init__(self, place: Path, seed: int, say: Callable[[str], None]) -> None:
        """Keep corpora under `place`; the errors that a reader makes depend on the seed."""
        self._place = place
        self._seed = seed
        self._say = say
        self._made: dict[Path, Path] = {}

    def of(self, corpus: Path, arm: Arm, record: Record) -> Path:
        """Return the directory of a corpus as the arm's reader has prepared it.

        What is read does not depend on the question: the record is only who a reader by labels
        has to be made for.
        """
        if not arm.records:
            return corpus
        key = hashlib.sha256(f"{arm.reasoner}\0{self._seed}".encode()).hexdigest()[:8]
        own = corpus.with_name(f"{corpus.stem}-{key}.corpus")
        if own not in self._made:
            self._made[own] = self._fill(corpus, own, arm, record)
        return self._made[own]

    def _fill(self, corpus: Path, own: Path, arm: Arm, record: Record) -> Path:
        from evals.prepared import fill_records
        from tools.corpus.corpus import open_corpus

        self._say(f"filling records for {arm.name}")
        opened = open_corpus(_begun(corpus, own))
        cache = self._place / "responses.sqlite"
        reader = reader_of(arm.reasoner, record, opened, seed=self._seed, cache=cache)
        try:
            fill_records(opened, reader)
        except HeadcountError as error:
            self._say(f"no records for {arm.name}: {error}")
            return corpus
        return own


def _begun(corpus: Path, own: Path) -> Path:
    """Return the copy of a corpus, with what was read into its records before it was killed."""
    current, known = CorpusLayout(corpus).current, CorpusLayout(own).current
    if known.is_file() and known.read_bytes() == current.read_bytes():
        return own
    shutil.rmtree(own, ignore_errors=True)
    return copied(corpus, own)
