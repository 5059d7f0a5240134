"""The items of an answer as the page lists them: found, sorted, marked, a page at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final, Literal
from urllib.parse import urlencode

from agent.answer import Answer
from agent.evidence import Entity
from graphs.apps.export import Judged, proofs
from graphs.apps.stored_runs import StoredRun
from tools.runs.reviews import Reviews

Mark = Literal["certain", "borderline", "checked", "overruled"]
_MARKS: Final[tuple[Mark, ...]] = ("certain", "borderline", "checked", "overruled")
_A_PAGE: Final = 100
ORDERS: Final[dict[str, Callable[[Entity], tuple[bool, float, str]]]] = {
    "name": lambda each: (False, 0.0, each.name.casefold()),
    "value": lambda each: (each.value is None, _number(each), each.name.casefold()),
    "value, falling": lambda each: (each.value is None, -_number(each), each.name.casefold()),
}


def _number(entity: Entity) -> float:
    return float(entity.value) if isinstance(entity.value, int | float) else 0.0


def marks(run: StoredRun, answer: Answer) -> dict[str, Mark]:
    """Return by item's name how sure it is, and what a person said of it.

    An item is certain where each condition that is shown of it has certain evidence; a candidate,
    which nobody read, has no mark.
    """
    if answer.status == "candidates":
        return {}
    shown = proofs(run, answer, run.store.findings(answer.run))
    return {item.name: _mark([*chain(*dict(proven).values())]) for item, proven in shown}


def _mark(found: Sequence[Judged]) -> Mark:
    """Return what a person made of an item: overruled where a condition has no evidence left."""
    said: dict[str, list[str]] = {}
    for finding, verdict in found:
        said.setdefault(finding.condition, []).append(verdict.judgement if verdict else "")
    if any(set(judged) == {"no"} for judged in said.values()):
        return "overruled"
    if any("borderline" in judged and "yes" not in judged for judged in said.values()):
        return "borderline"
    if any(map(any, said.values())):
        return "checked"
    sure = {finding.condition for finding, _ in found if finding.certainty == "certain"}
    return "certain" if said.keys() == sure else "borderline"


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


@dataclass(frozen=True, slots=True, kw_only=True)
class ItemsShown:
    """A page of the items, with what was asked for."""

    q: str = ""
    only: str = ""
    sort: str = ""
    page: int = 1
    at: str = ""
    """The page's address."""
    all: int = 0
    found: int = 0
    pages: int = 1
    shown: Sequence[tuple[Entity, str]] = ()
    marks: Sequence[str] = field(default=("all", *_MARKS))

    def url(self, page: int) -> str:
        """Return the address of another page of the same."""
        asked = {"q": self.q, "only": self.only, "sort": self.sort, "page": page}
        return f"{self.at}?{urlencode({name: value for name, value in asked.items() if value})}"


def items_shown(
    answer: Answer,
    marked: dict[str, Mark],
    *,
    at: str,
    q: str = "",
    only: str = "",
    sort: str = "",
    page: int = 1,
) -> ItemsShown:
    """Return the page of items that is asked for; words are sought in names and quotes."""
    sought = q.casefold().split()
    found = [
        each
        for each in answer.entities
        if only in {"", "all", marked.get(each.name)} and all(_has(each, word) for word in sought)
    ]
    if sort in ORDERS:
        found.sort(key=ORDERS[sort])
    pages = max(1, -(-len(found) // _A_PAGE))
    page = min(max(page, 1), pages)
    first = (page - 1) * _A_PAGE
    return ItemsShown(
        q=q,
        only=only,
        sort=sort,
        page=page,
        at=at,
        all=len(answer.entities),
        found=len(found),
        pages=pages,
        shown=[(each, marked.get(each.name, "")) for each in found[first : first + _A_PAGE]],
    )


def _has(entity: Entity, word: str) -> bool:
    texts = (entity.name, *entity.aliases, *entity.documents)
    return any(word in text.casefold() for text in texts) or any(
        word in each.quote.casefold() for each in entity.evidence
    )
