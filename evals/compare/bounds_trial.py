"""One seeded search with audits: what its bounds said, and what was so."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evals.compare.bounds_case import Case
from evals.compare.bounds_search import Judge, Search, begin
from tools.audit.audit_sample import Look, allocate
from tools.audit.judge_error import Group, SecondOpinion
from tools.audit.recall_bounds import SPENDING, bound

__all__ = ("LOOKS", "TARGET", "Said", "Trial", "run_trial")

LOOKS = 4
"""The most looks of one search."""
TARGET = 0.9
"""The recall at which a search stops, once it is proven."""


@dataclass(frozen=True, slots=True)
class Said:
    """A lower bound of a recall, and that recall."""

    bound: float
    recall: float

    @property
    def held(self) -> bool:
        """Whether the recall was not below its bound."""
        return self.recall >= self.bound - 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What one search said, and what was so."""

    question: str
    share: float
    """The share of the corpus that is relevant."""
    informed: bool
    """Whether the ranking knew more than the words."""
    chunks: tuple[Said, ...]
    """After each look, of the chunks that this judge calls relevant."""
    documents: tuple[Said, ...]
    """After each look, of the documents with such a chunk."""
    truth: Said
    """The last of `chunks`, taken for a bound on the truly relevant chunks, which it is not."""
    corrected: Said
    """A bound on these, from a second opinion that is the truth."""
    counted: bool
    """Whether the second opinion's interval held the truly relevant among the judged chunks."""
    judged: float
    """The share of the corpus that was judged."""


def run_trial(case: Case, judge: Judge, n: int, seed: int, spending: float = SPENDING) -> Trial:
    """Search, and audit n chunks a time until the target is proven or the looks are used up."""
    generator = np.random.default_rng([seed, n])
    search = begin(case, judge, generator)
    seed_of_audits = int(generator.integers(2**31))
    chunks: list[Said] = []
    documents: list[Said] = []
    while len(chunks) < LOOKS and not _is_done(search, chunks):
        search.audit(n, seed_of_audits)
        chunks.append(_of_chunks(search, search.looks, spending))
        documents.append(_of_documents(search, spending))
    opinion = _second_opinion(search, n, generator)
    last = chunks[-1] if chunks else _of_chunks(search, [], spending)
    return Trial(
        question=case.id,
        share=case.share,
        informed=search.informed,
        chunks=tuple(chunks),
        documents=tuple(documents),
        truth=Said(last.bound, _true_recall(search)),
        corrected=Said(opinion.recall or 0.0, _true_recall(search)),
        counted=_counted(search, opinion),
        judged=float(search.read.mean()),
    )


def _is_done(search: Search, said: Sequence[Said]) -> bool:
    return bool(search.read.all()) or bool(said and said[-1].bound >= TARGET)


def _of_chunks(search: Search, looks: Sequence[Look], spending: float) -> Said:
    unread = int((~search.read).sum())
    found = search.found
    low = bound(looks, found=found, unread=unread, spending=spending).recall
    total = int(search.says.sum())
    return Said(low, found / total if total else 1.0)


def _of_documents(search: Search, spending: float) -> Said:
    matched = search.documents_of(search.says & search.read)
    unread = len(search.documents_of(~search.read) - matched)
    low = bound(search.document_looks, found=len(matched), unread=unread, spending=spending).recall
    total = len(search.documents_of(search.says))
    return Said(low, len(matched) / total if total else 1.0)


def _true_recall(search: Search) -> float:
    """Return the share of the truly relevant chunks that were judged relevant."""
    found = search.case.relevant & search.says & search.read
    return float(found.sum() / search.case.relevant.sum())


def _second_opinion(search: Search, n: int, generator: np.random.Generator) -> SecondOpinion:
    """Sample n of the chunks judged relevant, and n of all others in proportion."""
    found, refused = search.read & search.says, search.read & ~search.says
    others = [int(refused.sum()), int((~search.read).sum())]
    no, unread = allocate(others, n) if all(others) and n > 1 else [min(n, each) for each in others]

    def group(mask: NDArray[np.bool_], draws: int) -> Group:
        chunks = np.flatnonzero(mask)
        sample = generator.choice(chunks, min(draws, len(chunks)), replace=False)
        yes = int(search.case.relevant[sample].sum())
        return Group(size=len(chunks), drawn=len(sample), yes=yes)

    return SecondOpinion(
        yes=group(found, n), no=group(refused, no), unread=group(~search.read, unread)
    )


def _counted(search: Search, opinion: SecondOpinion) -> bool:
    true = int((search.case.relevant & search.read).sum())
    return opinion.judged.low <= true <= opinion.judged.high
