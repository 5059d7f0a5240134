"""Measuring one question under one arm."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agent.answer import Answer
from agent.cost import Cost
from agent.errors import CorpusError, ProviderError
from agent.policy import Policy
from evals.compare.curves import found_at
from evals.experiments.arm import Arm
from evals.experiments.isolation import isolated
from evals.experiments.result import Reading, Result, result_of
from evals.experiments.witness import Witness
from evals.names import DocumentNames
from evals.outcome import Outcome
from evals.questions import Record
from evals.readers import reader_of, settings_of
from evals.scores import score
from evals.spans import GoldChunk, gold_chunks, gold_spans

if TYPE_CHECKING:
    from tools.corpus.corpus import Corpus

__all__ = ("Cell", "Measured", "measure")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One question under one arm."""

    collection: str
    arm: Arm
    record: Record
    corpus: Path
    """The index of what it is asked over."""
    seed: int
    replies: Path
    """Where the replies of a model are kept."""
    workspace: Path
    """Where the question's own corpus stands while it is asked."""

    @property
    def key(self) -> tuple[str, str, str]:
        """What tells it from the experiment's other cells."""
        return (self.collection, self.arm.name, self.record.id)


@dataclass(frozen=True, slots=True)
class Measured:
    """What came of a cell: the result, and apart from it the seconds it took."""

    result: Result
    seconds: float


def measure(cell: Cell) -> Measured:
    """Ask and score; whatever goes wrong is the question's result.

    Raises:
        HeadcountError: the corpus cannot be opened or the arm cannot be had at all.
    """
    with isolated(cell.corpus, cell.workspace) as corpus:
        settings = settings_of(cell.arm.reasoner, _allowed(cell, corpus))
        tokens = settings.max_tokens
        reader = reader_of(
            cell.arm.reasoner,
            cell.record,
            corpus,
            seed=cell.seed,
            cache=cell.replies,
            tokens=tokens,
        )
        witness = Witness(reader)
        began = time.perf_counter()
        found = _answer(cell, corpus, witness, cell.arm.over(settings.policy()), tokens)
        seconds = time.perf_counter() - began
        return Measured(_result(cell, corpus, witness.shown, found), seconds)


def _allowed(cell: Cell, corpus: "Corpus") -> int | None:
    """Return the tokens that the arm may spend on the question; None where it does not say."""
    allowance = cell.arm.allowance
    if allowance is None:
        return None
    return allowance.of(cell.collection, cell.record.id, int(corpus.chunk_tokens.sum()))


def _answer(
    cell: Cell, corpus: "Corpus", witness: Witness, policy: Policy, tokens: int | None
) -> Answer | Exception:
    """Return the answer, or what went wrong in its place."""
    from evals.systems import system_of
    from graphs.context import Context

    system = system_of(cell.arm.system, tokens=tokens)
    corpus.runs.mkdir(parents=True, exist_ok=True)
    context = Context(corpus=corpus, reasoner=witness, policy=policy)
    with context.store:
        try:
            return system.answer(cell.record.question, context)
        except Exception as error:  # noqa: BLE001 - a fault of what is measured is a measurement
            return error


def _result(cell: Cell, corpus: "Corpus", shown: list[int], found: Answer | Exception) -> Result:
    answer = found if isinstance(found, Answer) else None
    error = "" if isinstance(found, Answer) else f"{type(found).__name__}: {found}"
    cost = answer.cost if answer else Cost()
    gold = gold_chunks(cell.record, corpus)
    cited = frozenset(_cited(answer, corpus))
    outcome = Outcome(answer=answer, kept=cited.union(shown), matched=cited, error=error)
    names = DocumentNames(corpus.documents)
    spans = gold_spans(cell.record, corpus)[0]
    proven = answer.completeness if answer else None
    return result_of(
        score(cell.record, outcome, names, gold, spans),
        collection=cell.collection,
        arm=cell.arm.name,
        bounds=answer.bounds if answer else None,
        recall_bound=proven.recall_lower_bound if proven else None,
        confidence=proven.confidence if proven else None,
        reading=_reading(corpus, gold, shown),
        tokens=cost.input_tokens + cost.output_tokens,
        error=error,
        passing=isinstance(found, ProviderError | CorpusError),
    )


def _reading(corpus: "Corpus", gold: tuple[GoldChunk, ...], shown: list[int]) -> Reading:
    return Reading(
        chunks=len(corpus),
        tokens=int(corpus.chunk_tokens.sum()),
        shown=len(shown),
        gold=len(gold),
        found_at=found_at(gold, shown, len(corpus)),
    )


def _cited(answer: Answer | None, corpus: "Corpus") -> Iterator[int]:
    """Yield the chunks that a quote of the answer stands in."""
    for entity in answer.entities if answer else ():
        for each in entity.evidence:
            yield from corpus.chunks_at(corpus.document_index(each.document), each.start, each.end)
