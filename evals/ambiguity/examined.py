"""Running questions whose ambiguity is known: what is found of each, and what users get."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue

from agent.ambiguity import Ambiguity, Clarification
from agent.cost import Cost
from agent.taxonomy import CODES
from evals.ambiguity.cases import Case, Places, checked
from evals.experiments.experiment import Arm
from evals.scopes import Corpora
from evals.scores import Estimate, estimate, match
from evals.simulated_users import (
    Articulate,
    Opener,
    Trial,
    Trier,
    opener_of,
    trial_json,
)
from evals.tables import interval, markdown, number

if TYPE_CHECKING:
    from agent.policy import Policy
    from graphs.runs.run_session import Event
    from graphs.sessions import Session
    from tools.corpus.corpus import Corpus

_SEARCHING = frozenset(("route", "decide", "plan"))
"""The nodes with which searching begins: what follows tells nothing of ambiguity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What was found of one question."""

    codes: tuple[str, ...] = ()
    """All that were found, also those that made no difference."""
    ambiguities: tuple[Ambiguity, ...] = ()
    asked: Clarification | None = None
    """What the person is asked first; None where nothing is asked."""
    cost: Cost = field(default_factory=Cost)
    error: str = ""
    """Why nothing is known."""


def find(session: "Session", question: str) -> Found:
    """Ask the question, and stop where the person is asked or searching begins.

    Raises:
        HeadcountError: whatever the graph raises.
    """
    from graphs.context import new_run_id

    run = new_run_id()
    told = _told(session.start(question, run=run))
    state = session.state(run)
    return Found(
        codes=state.codes,
        ambiguities=tuple(told.values()),
        asked=state.clarification,
        cost=state.cost,
    )


def _told(events: "Iterator[Event]") -> dict[tuple[str, str], Ambiguity]:
    """Return every ambiguity as it was last told of, in the order in which they were found."""
    found: dict[tuple[str, str], Ambiguity] = {}
    for event in events:
        if event["kind"] == "update":
            update: dict[str, Any] = event["update"]
            for each in update.get("ambiguities", ()):
                found[each.code, each.span] = each
            if event["node"] in _SEARCHING:
                break
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """One question with everything measured about it."""

    case: Case
    found: Found
    trials: tuple[Trial, ...] = ()
    """Each of its readings, wanted by a user; nothing for a control."""


def examining(
    cases: Sequence[Case],
    documents: Path | None,
    reasoner: str,
    place: Path,
    say: Callable[[str], None],
    *,
    users: bool,
    gate: str | None = None,
) -> Iterator[Examined]:
    """Examine questions as a command line says.

    Raises:
        HeadcountError: the documents or the reasoner cannot be used, or there is no such gate.
    """
    opener = opener_of(reasoner, place)
    places = Places(checked(documents), place, Corpora(place, say))
    policy = opener.settings.policy()
    if gate is not None:
        policy = Arm(name="--gate", policy={"gate": gate}).over(policy)
    return examine(cases, places, opener, policy, Trier(opener, Articulate) if users else None)


def progress(each: Examined) -> str:
    """Say in a line what came of a question."""
    codes, gold = ("+".join(told) or "clear" for told in (each.found.codes, each.case.codes))
    users = f", {_right(each)} readings" if each.trials else ""
    return f"{each.case.id}: {codes}, gold {gold}{users} {each.found.error}".rstrip()


def examine(
    cases: Sequence[Case], places: Places, opener: Opener, policy: "Policy", trier: Trier | None
) -> Iterator[Examined]:
    """Ask the questions in order; without a `trier`, only what is found of them is measured.

    Raises:
        HeadcountError: the documents of a question cannot be found or indexed.
    """
    for case in cases:
        corpus = places.of(case)
        found = _found(case, corpus, opener, policy)
        wanted = trier is not None and not case.control and not found.error
        trials = trier.tries(case, corpus, policy) if trier and wanted else []
        yield Examined(case=case, found=found, trials=tuple(trials))


def _found(case: Case, corpus: "Corpus", opener: Opener, policy: "Policy") -> Found:
    """Find; whatever goes wrong is that question's result, and the others are still asked."""
    try:
        with opener.session(corpus, policy, case.record) as session:
            return find(session, case.question)
    except Exception as error:  # noqa: BLE001 - a fault of what is measured is a measurement
        return Found(error=f"{type(error).__name__}: {error}")


@dataclass(frozen=True, slots=True)
class Marked:
    """The codes of one question: as found, and as annotated."""

    found: frozenset[str]
    gold: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeScore:
    """One code over all questions; None where a figure is undefined."""

    n: int
    """Questions annotated with it."""
    found: int
    """Questions in which it was found."""
    accuracy: float | None
    """The share of its questions whose codes were all found."""
    precision: float | None
    recall: float | None
    f1: float | None


def covers(marked: Marked) -> bool:
    """Say whether every annotated code was found: others do no harm (AGGBench, A.6.2)."""
    return marked.gold <= marked.found


def code_scores(marked: Sequence[Marked]) -> dict[str, CodeScore]:
    """Return the score of every code that was annotated or found, in the taxonomy's order.

    Accuracy is as published: over the questions with the code, right if the found set covers the
    gold one. Precision, recall and F1 are over all questions, controls included.

    >>> one = Marked(frozenset({"A1", "A2"}), frozenset({"A1"}))
    >>> code_scores([one])["A1"].f1, code_scores([one])["A2"].precision
    (1.0, 0.0)
    """
    met = {code for each in marked for code in each.found | each.gold}
    return {code: _score(code, marked) for code in CODES if code in met}


def macro_f1(scores: Collection[CodeScore]) -> float | None:
    """Return the mean F1 over the codes that occur in the annotations; None where none does."""
    told = [each.f1 or 0.0 for each in scores if each.n]
    return sum(told) / len(told) if told else None


def _score(code: str, marked: Sequence[Marked]) -> CodeScore:
    gold = [place for place, each in enumerate(marked) if code in each.gold]
    found = [place for place, each in enumerate(marked) if code in each.found]
    hit = match(list(map(str, found)), list(map(str, gold)))
    right = [covers(marked[place]) for place in gold]
    return CodeScore(
        n=len(gold),
        found=len(found),
        accuracy=sum(right) / len(right) if right else None,
        precision=hit.precision,
        recall=hit.recall,
        f1=hit.f1,
    )


def report(examined: Sequence[Examined], total: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Return `{"questions": […], "summary": {…}}`, the summary as `summary` returns it."""
    return {"questions": [_question(each) for each in examined], "summary": dict(total)}


def summary(
    examined: Sequence[Examined], reasoner: str, left_out: Mapping[str, int]
) -> dict[str, JsonValue]:
    """Return the figures over all questions.

    `accuracy` and those of `codes` are right if the codes found cover the gold ones (AGGBench,
    A.6.2), over ambiguous questions; `false_alarms` are controls in which a code was found,
    `asked_controls` those whose asker was asked back. `rewriting` is over the readings whose answer
    is known, each wanted by a user: null where that was not tried.
    """
    marked = [_marked(each) for each in examined]
    scores = code_scores(marked)
    ambiguous = [each for each in marked if each.gold]
    controls = [each for each in examined if each.case.control]
    alarms = [each for each in controls if each.found.codes]
    cost = sum((each.found.cost for each in examined), Cost())
    return {
        "n": len(examined),
        "reasoner": reasoner,
        "ambiguous": len(ambiguous),
        "accuracy": _share([covers(each) for each in ambiguous]),
        "codes": {code: asdict(score) for code, score in scores.items()},
        "macro_f1": macro_f1(list(scores.values())),
        "asked": sum(_asked(each) for each in examined),
        "controls": len(controls),
        "false_alarms": len(alarms),
        "false_alarm_rate": _share([bool(each.found.codes) for each in controls]),
        "asked_controls": sum(_asked(each) for each in controls),
        "rewriting": _rewriting(examined),
        "calls": cost.model_calls,
        "cached_calls": cost.cached_calls,
        "input_tokens": cost.input_tokens,
        "output_tokens": cost.output_tokens,
        "tokens_per_question": (cost.input_tokens + cost.output_tokens) / max(1, len(examined)),
        "left_out": dict(left_out),
        "errors": {each.case.id: each.found.error for each in examined if each.found.error},
    }


def _question(each: Examined) -> dict[str, JsonValue]:
    found, case = each.found, each.case
    return {
        "id": case.id,
        "question": case.question,
        "codes": list(found.codes),
        "gold_codes": list(case.codes),
        "asked": _asked(each),
        "readings": [
            {
                "code": ambiguity.code,
                "span": ambiguity.span,
                "label": reading.label,
                "question": reading.question,
                "estimate": reading.estimate.in_words if reading.estimate else None,
            }
            for ambiguity in found.ambiguities
            for reading in ambiguity.readings
        ],
        "clarification": found.asked.question if found.asked else None,
        "rewriting": [trial_json(trial) for trial in each.trials],
        "calls": found.cost.model_calls,
        "cached_calls": found.cost.cached_calls,
        "input_tokens": found.cost.input_tokens,
        "output_tokens": found.cost.output_tokens,
        "error": found.error or None,
    }


def _rewriting(examined: Sequence[Examined]) -> JsonValue:
    """Return the share of readings that a user who wants them gets, with its interval."""
    trials = [trial for each in examined for trial in each.trials]
    if not trials:
        return None
    return {
        "readings": len(trials),
        "accuracy": asdict(estimate([float(trial.right) for trial in trials])),
        "nace_mean": sum(trial.nace for trial in trials) / len(trials),
        "questions_asked": sum(trial.questions for trial in trials),
        "calls": sum(trial.cost.model_calls for trial in trials),
        "errors": sum(bool(trial.error) for trial in trials),
    }


def _marked(each: Examined) -> Marked:
    return Marked(frozenset(each.found.codes), frozenset(each.case.codes))


def _asked(each: Examined) -> bool:
    return each.found.asked is not None


def _share(right: Sequence[bool]) -> float | None:
    return sum(right) / len(right) if right else None


_ROWS = 60


def questions_table(examined: Sequence[Examined]) -> str:
    """Return a row a question: what was found, and what users got; long files are cut."""
    head = ("question", "codes", "gold", "asked", "readings right")
    rows = [
        (
            each.case.id,
            "+".join(each.found.codes) or "-",
            "+".join(each.case.codes) or "-",
            "error" if each.found.error else "yes" if each.found.asked else "no",
            _right(each),
        )
        for each in examined[:_ROWS]
    ]
    left = len(examined) - len(rows)
    return markdown(head, rows) + (f"\n\nand {left} more: see --json" if left else "")


def codes_table(summary: Mapping[str, Any]) -> str:
    """Return a row a code."""
    head = ("code", "questions", "found", "accuracy", "precision", "recall", "f1")
    rows = [
        (
            code,
            str(score["n"]),
            str(score["found"]),
            *(number(score[name]) for name in ("accuracy", "precision", "recall", "f1")),
        )
        for code, score in summary["codes"].items()
    ]
    return markdown(head, rows)


def total_table(summary: Mapping[str, Any]) -> str:
    """Return a row a figure over all questions."""
    told = summary["rewriting"]
    rows = [
        ("questions", str(summary["n"])),
        ("every gold code found", number(summary["accuracy"])),
        ("macro F1", number(summary["macro_f1"])),
        ("asked back", str(summary["asked"])),
        ("false alarms", f"{summary['false_alarms']} of {summary['controls']} controls"),
        ("controls asked", f"{summary['asked_controls']} of {summary['controls']} controls"),
        *([("rewriting accuracy", interval(Estimate(**told["accuracy"])))] if told else []),
        ("calls", str(summary["calls"])),
        ("tokens a question", number(summary["tokens_per_question"])),
        *((f"left out: {why}", str(count)) for why, count in summary["left_out"].items()),
        ("errors", str(len(summary["errors"]))),
    ]
    return markdown(("over all questions", "value"), rows)


def _right(each: Examined) -> str:
    if not each.trials:
        return "-"
    return f"{sum(trial.right for trial in each.trials)} of {len(each.trials)}"
