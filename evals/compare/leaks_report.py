"""What undoing a filter call is worth: searches with leaking and with sound calls, summarised."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean

from pydantic import JsonValue

from evals.compare.leaks_calls import Injected, injected
from evals.compare.leaks_run import Way, Went, went
from evals.compare.search_case import Case
from evals.tables import markdown

__all__ = ("Figures", "Searched", "figures", "report", "searched", "table")


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """One question with one call, searched with the undoing and by ranked reading only."""

    question: str
    injected: Injected
    feedback: bool
    undoing: Went
    ranked: Went
    """The same search where nothing is undone; it differs only where the other undid the call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Searches of one kind; means, but for the numbers of searches."""

    searches: int
    lost: float
    """The share of the gold chunks that the call rules out."""
    seen: int
    """Searches in which an audit drew a gold chunk that the call had ruled out."""
    undone: int
    recall: float
    """The share of the gold chunks read, with the undoing."""
    recall_ranked: float
    """The same where nothing is undone."""
    calls: float
    calls_ranked: float
    judged: float
    """The share of the corpus read."""
    judged_ranked: float


def searched(
    cases: Iterable[Case], seeds: int, audit: int | None, say: Callable[[str], None]
) -> list[Searched]:
    """Search every question with a leaking and a sound call a seed, with feedback and without.

    A question for which no such call is plausible, or whose conditions fields decide without a
    filter stage, is told and left out.
    """
    found = []
    for case in cases:
        own = [
            each
            for seed in range(seeds)
            for leaking in (True, False)
            for each in _with_call(case, seed, audit, leaking=leaking)
        ]
        told = [f"{_kind(each)} undone: {each.undoing.why}" for each in own if each.undoing.undone]
        say(f"{case.record.id}: {len(own)} searches; {'; '.join(told) or 'nothing undone'}")
        found += own
    return found


def _with_call(case: Case, seed: int, audit: int | None, *, leaking: bool) -> Iterable[Searched]:
    call = injected(case, seed, leaking=leaking)
    if call is None:
        return
    for feedback in (True, False):
        ours = went(case, call, Way(feedback, undoing=True, audit=audit))
        if not ours.made:
            return
        other = went(case, call, Way(feedback, undoing=False, audit=audit)) if ours.undone else ours
        yield Searched(
            question=case.record.id, injected=call, feedback=feedback, undoing=ours, ranked=other
        )


def figures(found: Sequence[Searched]) -> Figures:
    """Summarise searches, at least one."""
    return Figures(
        searches=len(found),
        lost=fmean(each.injected.lost for each in found),
        seen=sum(each.undoing.seen for each in found),
        undone=sum(each.undoing.undone for each in found),
        recall=fmean(each.undoing.recall for each in found),
        recall_ranked=fmean(each.ranked.recall for each in found),
        calls=fmean(each.undoing.calls for each in found),
        calls_ranked=fmean(each.ranked.calls for each in found),
        judged=fmean(each.undoing.judged for each in found),
        judged_ranked=fmean(each.ranked.judged for each in found),
    )


def _kinds(found: Sequence[Searched]) -> dict[str, list[Searched]]:
    kinds: dict[str, list[Searched]] = {}
    for each in sorted(found, key=_kind):
        kinds.setdefault(_kind(each), []).append(each)
        if each.undoing.undone:
            kinds.setdefault(f"{_kind(each)}, undone", []).append(each)
    return kinds


def _kind(each: Searched) -> str:
    call = "leaking call" if each.injected.leaking else "sound call"
    return f"{call}, feedback {'on' if each.feedback else 'off'}"


def report(found: Sequence[Searched]) -> dict[str, JsonValue]:
    """Return the figures by kind of search, and every search in which a call was undone."""
    return {
        "figures": {kind: asdict(figures(members)) for kind, members in _kinds(found).items()},
        "undone": [_told(each) for each in found if each.undoing.undone],
    }


def _told(each: Searched) -> JsonValue:
    return {
        "question": each.question,
        "feedback": each.feedback,
        "call": each.injected.call.model_dump(exclude={"why"}),
        "kept": len(each.injected.kept),
        "lost": each.injected.lost,
        "undoing": asdict(each.undoing),
        "ranked": asdict(each.ranked),
    }


def table(found: Sequence[Searched]) -> str:
    """Lay the figures out: a row a kind of search."""
    names = tuple(Figures.__dataclass_fields__)
    rows = [
        [kind, *(_cell(getattr(figures(members), name)) for name in names)]
        for kind, members in _kinds(found).items()
    ]
    return markdown(("", *names), rows)


def _cell(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.3f}"
