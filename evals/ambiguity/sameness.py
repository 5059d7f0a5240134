"""When an answer is the one that a reading has."""

from typing import TYPE_CHECKING

from agent.answer import Answer
from agent.evidence import Entity
from evals.ambiguity.cases import Intended
from evals.names import DocumentNames, normal_name
from evals.scores import is_exact, predicted_documents

if TYPE_CHECKING:
    from evals.spans import Texts

__all__ = ("same",)


def same(answer: Answer, meant: Intended, corpus: "Texts") -> bool:
    """Say whether an answer is what the reading comes to.

    The number is right; where all documents of the reading are known, so are the documents. Of
    rows of a database each is found, and nothing else: an item stands for a row where its name,
    what is shown beside it or the fields of its own document hold all cells.
    """
    if answer.status != "answered" or meant.number is None:
        return False
    if meant.rows is not None:
        return _same_rows(answer, meant.rows, DocumentNames(corpus.documents), corpus)
    value = None if isinstance(answer.value, dict) else answer.value
    measured = not float(meant.number).is_integer()
    if not is_exact(value, meant.number, measured=measured):
        return False
    return meant.names is None or _same_documents(answer, meant.names, corpus)


def _same_documents(answer: Answer, names: tuple[str, ...], corpus: "Texts") -> bool:
    known = DocumentNames(corpus.documents)
    if any(known.find(name) is None for name in names):
        return True
    return known.keys(predicted_documents(answer)) == known.keys(names)


def _same_rows(
    answer: Answer, rows: tuple[tuple[str, ...], ...], known: DocumentNames, corpus: "Texts"
) -> bool:
    held = [_cells(entity, known, corpus) for entity in answer.entities]
    wanted = [{normal_name(cell) for cell in row} for row in rows]
    found = all(any(row <= cells for cells in held) for row in wanted)
    return found and all(any(row <= cells for row in wanted) for cells in held)


def _cells(entity: Entity, known: DocumentNames, corpus: "Texts") -> set[str]:
    """Return what an item is called, what is shown with it, and what its own fields hold."""
    cells = {normal_name(name) for name in (entity.name, *entity.aliases)}
    cells.update(normal_name(each) for values in entity.shown.values() for each in values)
    place = known.find(entity.name)
    if place is not None:
        for line in corpus.document_text(place).splitlines():
            value = line.partition(": ")[2]
            cells.update(normal_name(each) for each in (value, *value.split(", ")))
    return cells
