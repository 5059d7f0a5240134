"""Which of a reading's conditions a piece of true evidence proves."""

import re
from collections.abc import Mapping, Sequence

from agent.question import Condition
from evals.questions import GoldCondition, GoldEvidence

__all__ = ("assign", "labels_of")


def labels_of(evidence: GoldEvidence, labels: Sequence[GoldCondition]) -> frozenset[int]:
    """Return the places of the annotators' conditions that the evidence belongs to.

    The first that applies: the conditions it is labelled with; those whose pattern its text
    matches; all of them.
    """
    every = range(len(labels))
    labelled = [at for at in every if evidence.condition and labels[at].label == evidence.condition]
    matched = [at for at in every if _matches(labels[at].pattern, evidence.text)]
    return frozenset(labelled or matched or every)


def _matches(pattern: str | None, text: str) -> bool:
    return bool(pattern and re.search(pattern, text))


def assign(
    atoms: Sequence[Condition], labels: Sequence[GoldCondition]
) -> Mapping[str, frozenset[int]]:
    """Return for each atom of a reading the places of the annotators' conditions it stands for.

    As many atoms as conditions: one to one, most similar wording overall, order as the tie-break.
    Otherwise each condition goes to the atom most similar to it, and an atom that is left to the
    condition most similar to it.
    """
    if not labels:
        return {atom.id: frozenset() for atom in atoms}
    likeness = [
        [_likeness(atom, label) - abs(row - column) / 1000 for column, label in enumerate(labels)]
        for row, atom in enumerate(atoms)
    ]
    pairs = _one_to_one(likeness) if len(atoms) == len(labels) else _nearest(likeness)
    return {
        atom.id: frozenset(label for at, label in pairs if at == row)
        for row, atom in enumerate(atoms)
    }


def _likeness(atom: Condition, label: GoldCondition) -> float:
    from rapidfuzz.fuzz import token_set_ratio

    told = " ".join((atom.text, *atom.terms)).casefold()
    return float(token_set_ratio(told, label.text.casefold()))


def _one_to_one(likeness: Sequence[Sequence[float]]) -> set[tuple[int, int]]:
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(likeness, maximize=True)
    return {(int(row), int(column)) for row, column in zip(rows, columns, strict=True)}


def _nearest(likeness: Sequence[Sequence[float]]) -> set[tuple[int, int]]:
    rows, columns = range(len(likeness)), range(len(likeness[0]) if likeness else 0)
    pairs = {(max(rows, key=lambda row: likeness[row][column]), column) for column in columns}
    left = set(rows) - {row for row, _ in pairs}
    return pairs | {(row, max(columns, key=likeness[row].__getitem__)) for row in left}
