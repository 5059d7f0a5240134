"""The items of an answer as the page lists them: found, sorted, marked, a page at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, get_args
from urllib.parse import urlencode

from pydantic import BaseModel

from agent.answer import Answer
from agent.evidence import Entity
from graphs.apps.export import Mark
from tools.runs.reviews import Reviews

_MARKS: Final[tuple[Mark, ...]] = get_args(Mark)
_A_PAGE: Final = 100
ORDERS: Final[dict[str, Callable[[Entity], tuple[bool, float, str]]]] = {
    "name": lambda each: (False, 0.0, each.name.casefold()),
    "value": lambda each: (each.value is None, _number(each), each.name.casefold()),
    "value, falling": lambda each: (each.value is None, -_number(each), each.name.casefold()),
}


def _number(entity: Entity) -> float:
    return float(entity.value) if isinstance(entity.value, int | float) else 0.0


def notes(answer: Answer, reviews: Reviews | None) -> dict[str, list[str]]:
    """Return by item's name what people noted where they judged its evidence, who and when."""
    if reviews is None:
        return {}
    by_quote: dict[tuple[str, str], list[str]] = {}
    for each in reviews.all():
        if each.note and each.quote:
            told = f"{each.who}, {each.made[:10]}: {each.note}"
            by_quote.setdefault((each.document, each.quote), []).append(told)
    found: dict[str, list[str]] = {}
    for entity in answer.entities:
        for proof in entity.evidence:
            for told in by_quote.get((proof.document, proof.quote), ()):
                found.setdefault(entity.name, []).append(told)
    return found


class ItemsAsked(BaseModel):
    """What of the items is asked for; the form and the links of the page name it so."""

    q: str = ""
    only: str = ""
    sort: str = ""
    page: int = 1


@dataclass(frozen=True, slots=True)
class ItemsShown:
    """A page of the items, with what was asked for."""

    asked: ItemsAsked
    all: int
    found: int
    pages: int
    page: int
    shown: Sequence[tuple[Entity, str]]
    certain: bool
    """Whether every item of the answer is certain: then none has to say so."""
    marks: Sequence[str] = ("all", *_MARKS)

    def query(self, page: int) -> str:
        """Return what asks for another page of the same."""
        asked = self.asked.model_dump() | {"page": page}
        return urlencode({name: value for name, value in asked.items() if value})


def items_shown(answer: Answer, marked: dict[str, Mark], asked: ItemsAsked) -> ItemsShown:
    """Return the page of items that is asked for; words are sought in names and quotes."""
    sought, only = asked.q.casefold().split(), asked.only
    found = [
        each
        for each in answer.entities
        if only in {"", "all", marked.get(each.name)} and all(_has(each, word) for word in sought)
    ]
    if asked.sort in ORDERS:
        found.sort(key=ORDERS[asked.sort])
    pages, page, part = paged(len(found), asked.page)
    shown = [(each, marked.get(each.name, "")) for each in found[part]]
    is_certain = {*marked.values()} == {"certain"}
    return ItemsShown(asked, len(answer.entities), len(found), pages, page, shown, is_certain)


def paged(count: int, page: int) -> tuple[int, int, slice]:
    """Return how many pages a list has, the one of them that is shown, and its part of the list."""
    pages = max(1, -(-count // _A_PAGE))
    page = min(max(page, 1), pages)
    return pages, page, slice((page - 1) * _A_PAGE, page * _A_PAGE)


def _has(entity: Entity, word: str) -> bool:
    texts = (entity.name, *entity.aliases, *entity.documents)
    return any(word in text.casefold() for text in texts) or any(
        word in each.quote.casefold() for each in entity.evidence
    )
