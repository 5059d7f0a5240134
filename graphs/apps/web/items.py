"""The items of an answer as the page lists them: found, sorted, marked, a page at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal
from urllib.parse import urlencode

from agent.answer import Answer
from agent.evidence import Entity, Evidence, Finding
from agent.question import Condition, atoms
from tools.corpus.corpus import Corpus
from tools.runs.reviews import Reviews
from tools.runs.store import RunStore

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


def marks(
    answer: Answer, store: RunStore, corpus: Corpus, reviews: Reviews | None
) -> dict[str, Mark]:
    """Return by item's name how sure it is, and what a person said of it.

    An item is certain where each condition that is shown of it has certain evidence; a candidate,
    which nobody read, has no mark.
    """
    if answer.status == "candidates":
        return {}
    reading = answer.interpretation
    conditions = {each.id: each for each in atoms(reading.conditions if reading else None)}
    of_place: dict[tuple[str, int, int], list[Finding]] = {}
    for each in store.findings(answer.run):
        of_place.setdefault((each.document, each.start, each.end), []).append(each)
    found: dict[str, Mark] = {}
    for entity in answer.entities:
        own = [each for proof in entity.evidence for each in of_place.get(_place(proof), ())]
        said = _said(own, conditions, corpus, reviews)
        shown = {each.condition for each in own}
        sure = {each.condition for each in own if each.certainty == "certain"}
        found[entity.name] = said or ("certain" if shown == sure else "borderline")
    return found


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


def _place(proof: Evidence) -> tuple[str, int, int]:
    return proof.document, proof.start, proof.end


def _said(
    findings: Sequence[Finding],
    conditions: dict[str, Condition],
    corpus: Corpus,
    reviews: Reviews | None,
) -> Mark | None:
    """Return what a person made of an item: overruled where a condition has no evidence left."""
    if reviews is None:
        return None
    by_condition: dict[str, list[str]] = {}
    for each in findings:
        if each.condition in conditions:
            verdict = reviews.verdict(corpus, each.chunk, conditions[each.condition])
            judged = "" if verdict is None else verdict.judgement
            by_condition.setdefault(each.condition, []).append(judged)
    if any(set(judged) == {"no"} for judged in by_condition.values()):
        return "overruled"
    if any("borderline" in judged and "yes" not in judged for judged in by_condition.values()):
        return "borderline"
    return "checked" if any(map(any, by_condition.values())) else None


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
