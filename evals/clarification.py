"""Questions whose ambiguity is known: what is found of each, and what a user gets.

A user gets it under four strategies, on the same questions: `none` asks nothing and takes the
question as it is interpreted; `direct` puts one open question and rewrites from the reply; `guided`
classifies and asks about all that was found; `weighed` asks only where the readings have different
results.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from operator import sub
from pathlib import Path
from statistics import fmean
from typing import Final, get_args

from agent.ambiguity import Clarification
from agent.cost import Cost
from agent.errors import QuestionError
from agent.policy import Disambiguation
from agent.taxonomy import CODES
from evals.annotated.interpreting import is_annotated
from evals.experiment import Collection, questions_of
from evals.questions import Record
from evals.readers import by_annotation, check_annotated
from evals.scopes import Corpora, scope_of
from evals.scores import Estimate, estimate, match
from evals.simulated_users import Asker, Trial
from evals.tables import difference, markdown, number
from graphs.context import new_run_id
from graphs.sessions import Session

STRATEGIES: tuple[Disambiguation, ...] = get_args(Disambiguation)
_FIGURES: Final = {
    "right": "rewriting accuracy",
    "nace": "NACE",
    "questions": "questions asked",
    "turns": "turns",
    "calls": "calls",
    "errors": "errors",
}
"""What is told of a strategy, by name; `right` is how often the user gets what was meant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ablated:
    """One question under every strategy."""

    record: Record
    trials: Mapping[Disambiguation, tuple[Trial, ...]]
    """Each of its readings, wanted by a user, in the same order under every strategy."""


def answerable(records: Sequence[Record], reasoner: str) -> list[Record]:
    """Leave out what the annotation cannot answer; raises QuestionError where nothing is left."""
    known = [each for each in records if is_annotated(each) or not by_annotation(reasoner)]
    check_annotated(reasoner, known)
    return known


def asking(
    records: Sequence[Record],
    documents: Path,
    reasoner: str,
    place: Path,
    say: Callable[[str], None],
) -> Iterator[Ablated]:
    """Ask every ambiguous question, one of whose answers is known, under every strategy."""
    asker = Asker(reasoner, place)
    corpora, policy = Corpora(place, say), asker.policy
    under = {each: policy.model_copy(update={"disambiguation": each}) for each in STRATEGIES}
    for at, record in enumerate(records, start=1):
        if record.ambiguity and any(meant.number is not None for meant in record.readings):
            corpus = corpora.over(scope_of(record, documents))
            trials = {name: asker.tries(record, corpus, own) for name, own in under.items()}
            right = (f"{name} {sum(each.right for each in own)}" for name, own in trials.items())
            told = f"{record.id}: of {len(record.readings)} readings {', '.join(right)}"
            say(f"{at}/{len(records)} {told}")
            yield Ablated(record=record, trials=trials)


Standing = Mapping[str, Estimate]
"""A strategy's figures over questions, or by how much they differ from another's."""


def strategies(asked: Sequence[Ablated]) -> dict[str, Standing]:
    """Return each strategy's means over the readings of a question, then over questions."""
    return {each: _standing(asked, each) for each in STRATEGIES}


def differences(asked: Sequence[Ablated]) -> dict[str, Standing]:
    """Return what each strategy has more than the one before it, paired by question."""
    pairs = pairwise(STRATEGIES)
    return {f"{one} minus {minus}": _standing(asked, one, minus) for minus, one in pairs}


def strategies_tables(asked: Sequence[Ablated]) -> str:
    """Return a row a strategy, and a row a comparison."""
    head = ("strategy", *_FIGURES.values())
    alone = [
        [name, *(number(each.value) for each in told.values())]
        for name, told in strategies(asked).items()
    ]
    compared = [
        [name, *map(difference, told.values())] for name, told in differences(asked).items()
    ]
    return f"{markdown(head, alone)}\n\n{markdown(head, compared)}"


def _standing(
    asked: Sequence[Ablated], strategy: Disambiguation, minus: Disambiguation | None = None
) -> Standing:
    told = {}
    for name in _FIGURES:
        means = _means(asked, strategy, name)
        told[name] = estimate(list(map(sub, means, _means(asked, minus, name))) if minus else means)
    return told


def _means(asked: Sequence[Ablated], strategy: Disambiguation, name: str) -> list[float]:
    return [fmean(getattr(trial, name) for trial in each.trials[strategy]) for each in asked]


_SEARCHING = frozenset(("route", "decide", "plan"))
"""The nodes with which searching begins: what follows tells nothing of ambiguity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Examined:
    """One question with everything measured about it."""

    record: Record
    codes: tuple[str, ...] = ()
    """All that were found, also those that made no difference."""
    asked: Clarification | None = None
    """What the person is asked first; None where nothing is asked."""
    cost: Cost = field(default_factory=Cost)
    error: str = ""

    @property
    def covers(self) -> bool:
        """Whether every annotated code was found: others do no harm (AGGBench, A.6.2)."""
        return set(self.record.ambiguity) <= set(self.codes)


def known_ambiguities(collection: Collection) -> list[Record]:
    """Return the questions of a collection whose annotation says which are ambiguous.

    Raises as `questions_of`; QuestionError: no question has a code or a reading.
    """
    records = questions_of(collection)[0]
    if not any(each.ambiguity or each.readings for each in records):
        raise QuestionError(f"no question of {str(collection.questions)!r} has `ambiguity` codes")
    return records


def find(session: Session, record: Record) -> Examined:
    """Ask the question, and stop where the person is asked or searching begins."""
    run = new_run_id()
    for event in session.start(record.question, run=run):
        if event["kind"] == "update" and event["node"] in _SEARCHING:
            break
    state = session.state(run)
    return Examined(record=record, codes=state.codes, asked=state.clarification, cost=state.cost)


def examining(
    records: Sequence[Record],
    documents: Path,
    reasoner: str,
    place: Path,
    say: Callable[[str], None],
) -> Iterator[Examined]:
    """Examine questions in order: tell what is found of each."""
    asker = Asker(reasoner, place)
    corpora, policy = Corpora(place, say), asker.policy
    for at, record in enumerate(records, start=1):
        corpus = corpora.over(scope_of(record, documents))
        try:
            with asker.session(corpus, policy, record) as session:
                found = find(session, record)
        except Exception as error:  # noqa: BLE001 - a fault of what is measured is a measurement
            found = Examined(record=record, error=f"{type(error).__name__}: {error}")
        codes, gold = ("+".join(told) or "clear" for told in (found.codes, record.ambiguity))
        told = f"{record.id}: {codes}, gold {gold} {found.error}".rstrip()
        say(f"{at}/{len(records)} {told}")
        yield found


Figures = dict[str, float | int | None]


def code_scores(examined: Sequence[Examined]) -> dict[str, Figures]:
    """Return the scores of every code that was annotated or found, in the taxonomy's order.

    `accuracy` is as published: over the `n` questions annotated with the code, right if the found
    set covers the gold one. Precision, recall and F1 are over all questions, controls included.
    """
    met = {code for each in examined for code in (*each.codes, *each.record.ambiguity)}
    return {code: _score(code, examined) for code in CODES if code in met}


def _score(code: str, examined: Sequence[Examined]) -> Figures:
    gold = [each for each in examined if code in each.record.ambiguity]
    found = [each for each in examined if code in each.codes]
    hit = match([each.record.id for each in found], [each.record.id for each in gold])
    return {
        "n": len(gold),
        "found": len(found),
        "accuracy": estimate([each.covers for each in gold]).value,
        **asdict(hit),
    }


def summary(examined: Sequence[Examined], scores: Mapping[str, Figures]) -> Figures:
    """Return the figures over all questions; `scores` are those of the codes.

    `accuracy` is right if the codes found cover the gold ones (AGGBench, A.6.2), over ambiguous
    questions, and `macro_f1` the mean over the codes that occur in the annotations; `false_alarms`
    are controls in which a code was found, `asked_controls` those whose asker was asked back.
    """
    controls = [each for each in examined if not each.record.ambiguity]
    ambiguous = [each for each in examined if each.record.ambiguity]
    alarms = [bool(each.codes) for each in controls]
    cost = sum((each.cost for each in examined), Cost())
    return {
        "n": len(examined),
        "ambiguous": len(ambiguous),
        "accuracy": estimate([each.covers for each in ambiguous]).value,
        "macro_f1": estimate([each["f1"] or 0.0 for each in scores.values() if each["n"]]).value,
        "asked": sum(each.asked is not None for each in examined),
        "controls": len(controls),
        "false_alarms": sum(alarms),
        "false_alarm_rate": estimate(alarms).value,
        "asked_controls": sum(each.asked is not None for each in controls),
        "tokens_per_question": (cost.input_tokens + cost.output_tokens) / max(1, len(examined)),
        "calls": cost.model_calls,
        "errors": sum(bool(each.error) for each in examined),
    }
