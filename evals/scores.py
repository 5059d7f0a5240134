"""One question's scores: what was answered against what is true."""

import dataclasses
import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np

from agent.answer import Answer
from agent.cost import Cost
from agent.coverage import Coverage
from evals.names import DocumentNames, normal_name
from evals.questions import Record
from evals.spans import GoldChunk, recall
from tools.filters.registry import FILTERS

_NUMBER = re.compile(
    r"(?<![\w.,])(?P<sign>[-−]?)[$€£¥]?(?P<digits>\d[\d,]*(?:\.\d+)?)(?!\w|[.,]\d)"
)
_FEWEST = 2
"""Decimals that a rounded value must have, at least, to be compared with a longer one."""
_STATED = re.compile(
    r"\[(?P<name>[^\]\n]+)\]:\s*(?P<number>[-−]?[$€£¥]?\d[\d,]*(?:\.\d+)?)(?P<percent>\s?%)?"
)


def numbers_in(text: str) -> tuple[float, ...]:
    """Return the numbers of a text in order, without currency signs and thousands separators."""
    return tuple(_number(found["sign"] + found["digits"]) for found in _NUMBER.finditer(text))


def process_accuracy(
    facts: Sequence[str], texts: Mapping[str, str], cells: Mapping[str, Collection[float]]
) -> float | None:
    """Return the share of the intermediate facts that were extracted.

    A fact is extracted where each number that it gives, and that some document states, is a value
    of the record of a document that states it. Numbers that no document states were computed from
    others; a fact without a stated number is left out. None where nothing is left.

    `cells` are the numbers in each document's records.
    """
    stated = {name: numbers_in(text) for name, text in texts.items()}
    told = [_extracted(fact, stated, cells) for fact in facts]
    known = [each for each in told if each is not None]
    return sum(known) / len(known) if known else None


def final_accuracy(record: Record, answer: Answer | None) -> bool | None:
    """Tell whether the final answer is right: the same items, and the values where it gives any.

    An item's value may be a fraction where the truth is in percent. Values agree to the digits that
    both have: documents may state a ratio rounded to two that the truth computes to four. None
    where the truth names no items.
    """
    if record.target != "names":
        return None
    if answer is None:
        return False
    true = {normal_name(name) for name in record.answer or ()}
    named = {normal_name(entity.name): entity.value for entity in answer.entities}
    if set(named) != true:
        return False
    return all(
        _agrees(named.get(normal_name(found["name"])), found)
        for found in _STATED.finditer(record.final_answer)
    )


def _extracted(
    fact: str, stated: Mapping[str, Sequence[float]], cells: Mapping[str, Collection[float]]
) -> bool | None:
    told = []
    for number in dict.fromkeys(numbers_in(fact)):
        names = [name for name, numbers in stated.items() if _among(number, numbers)]
        if names:
            told.append(any(_among(number, cells.get(name, ())) for name in names))
    return all(told) if told else None


def _among(number: float, others: Iterable[float]) -> bool:
    return any(math.isclose(number, other, rel_tol=1e-9, abs_tol=1e-9) for other in others)


def _agrees(value: float | str | None, found: re.Match[str]) -> bool:
    if not isinstance(value, int | float):
        return False
    number, digits = _number(found["number"]), len(found["number"].partition(".")[2])
    own = len(f"{value:.12f}".rstrip("0").partition(".")[2])
    scales = (0, 2) if found["percent"] else (0,)
    return any(
        abs(value * 10**scale - number) <= 0.51 * 10 ** -min(digits, max(0, own - scale))
        for scale in scales
        if own >= min(digits, _FEWEST) or scale or value == number
    )


def _number(written: str) -> float:
    return float(re.sub(r"[,$€£¥]", "", written).replace("−", "-"))


@dataclass(frozen=True, slots=True)
class Match:
    """Two sets compared; None where a figure is undefined."""

    precision: float | None
    recall: float | None
    f1: float | None


def match(
    predicted: Collection[str], gold: Collection[str], neutral: Collection[str] = ()
) -> Match:
    """Compare sets; neutral items count neither for nor against.

    Nothing predicted where nothing is right is a perfect answer. Otherwise precision is undefined
    where nothing was predicted, recall where nothing is right.
    """
    answered, right = set(predicted) - set(neutral), set(gold) - set(neutral)
    if not answered and not right:
        return Match(1.0, 1.0, 1.0)
    hits = len(answered & right)
    return Match(
        hits / len(answered) if answered else None,
        hits / len(right) if right else None,
        2 * hits / (len(answered) + len(right)),
    )


def normalised_error(value: float | None, gold: float) -> float:
    """Return NACE = |ŷ - y| / max(y, 1); no value counts as 0.

    The paper divides by y + ε: the same for every count above 0, where ε is negligible, and
    finite for the count 0.

    >>> normalised_error(3, 2), normalised_error(2, 0), normalised_error(None, 5)
    (0.5, 2.0, 1.0)
    """
    return abs((value or 0.0) - gold) / max(abs(gold), 1.0)


def is_exact(value: float | None, gold: float, *, measured: bool) -> bool:
    """Say whether the number is right: counts to the unit, measured ones to 1 in 10,000.

    True averages are published with four to six digits, hence the tolerance.
    """
    if value is None or not measured:
        return value == gold
    return math.isclose(value, gold, rel_tol=1e-4, abs_tol=1e-9)


Step = Literal["outlined", "retrieved", "extracted"]
"""Where a fact may be lost, in order; after these comes the computation."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """An answer with the chunks that its run kept and judged, or the error in its place."""

    answer: Answer | None = None
    kept: frozenset[int] = field(default_factory=frozenset)
    """Chunks in the last snapshot that was kept, and chunks judged at any time."""
    seconds: float = 0.0
    """From the question to the answer."""
    steps: Mapping[Step, float | None] = field(default_factory=dict)
    """The share of the question's intermediate facts that is left after each step."""
    error: str = ""

    @property
    def answered(self) -> Answer | None:
        """The answer, unless the run ended with a question back, which nobody is here to answer."""
        usable = self.answer is not None and self.answer.status != "needs_clarification"
        return self.answer if usable else None

    @property
    def status(self) -> str:
        """The answer's status, or `error`."""
        return self.answer.status if self.answer is not None else "error"


_CHOSEN = FILTERS.keys() - {"metadata"}


Score = dict[str, float | int | bool | str | None]
"""One question's figures by name; None where a figure is undefined for it."""


def score(
    record: Record,
    outcome: Outcome,
    names: DocumentNames,
    gold: Sequence[GoldChunk],
) -> Score:
    """Score one question.

    `value` is the number that was answered, None for none and for numbers by group. Precision,
    recall and f1 are of documents, or of names where the answer is names. `chunk_recall_filtered`
    is the share of the gold chunks that filtering kept, or that were judged all the same; one
    counts where its evidence is in such chunks (`evals.spans.GoldChunk`). `judged_share` is of the
    corpus's chunks; `filter_calls` were carried out, those of fields aside, which code makes too;
    `calls` are requests to a reasoner, those included that its cache answered. ACE
    (`absolute_error`) and NACE (`normalised_error`) are of counts. `bounds_held`: the count lies
    within the bounds that the answer states. `outlined`, `retrieved` and `process` are the shares
    of the intermediate facts that are left after planning, retrieval and extraction (MuDABench,
    table 3): a step lost what it has less; `final`: items and values are right; `full`: so is
    every fact. `answer_recall` is the share of the right answer's claims that are stated: a number
    that was asked for is one, else each name; `answer_right`: all are, and nothing else is named
    (S-RAG, Answer Recall and Answer Comparison, by code).

    No answer, or a question back, counts as nothing found.
    """
    answer = outcome.answered
    value = None if answer is None or isinstance(answer.value, dict) else answer.value
    coverage = Coverage() if answer is None else answer.coverage
    measured = record.answer_value is not None
    cost = outcome.answer.cost if outcome.answer else Cost()
    true = record.number
    counted = None if measured else true
    bounds = None if answer is None else answer.bounds
    within = None
    if bounds is not None and counted is not None:
        within = bounds[0] <= counted <= bounds[1]
    final = final_accuracy(record, answer) if record.intermediate_facts else None
    left = outcome.steps
    matched = _match(record, answer, names)
    exact = None if true is None else is_exact(value, true, measured=measured)
    recalled: float | None
    right: bool | None
    if measured or record.aggregation.startswith("count"):
        recalled, right = None if exact is None else float(exact), exact
    else:
        recalled, right = matched.recall, matched.f1 == 1 if final is None else final
    return {
        "id": record.id,
        "value": value,
        "gold": true,
        **dataclasses.asdict(matched),
        "chunk_recall_filtered": recall(gold, outcome.kept),
        "judged_share": coverage.judged / coverage.chunks if coverage.chunks else None,
        "filter_calls": sum(each.tool in _CHOSEN for each in answer.snapshots) if answer else 0,
        "calls": cost.model_calls + cost.cached_calls,
        "input_tokens": cost.input_tokens,
        "status": outcome.status,
        "exact": exact,
        "answer_recall": recalled,
        "answer_right": right,
        "absolute_error": None if counted is None else abs((value or 0.0) - counted),
        "normalised_error": None if counted is None else normalised_error(value, counted),
        "bounds_held": within,
        "outlined": left.get("outlined"),
        "retrieved": left.get("retrieved"),
        "process": left.get("extracted"),
        "final": final,
        "full": None if final is None else final and left.get("extracted") == 1.0,
    }


def predicted_documents(answer: Answer) -> set[str]:
    """Return the documents of all entities of an answer."""
    return {document for entity in answer.entities for document in entity.documents}


def _match(record: Record, answer: Answer | None, names: DocumentNames) -> Match:
    if record.target == "number":
        return Match(None, None, None)
    if answer is None:
        return Match(None, 0.0, 0.0)
    if record.target == "documents":
        return match(
            names.keys(predicted_documents(answer)),
            names.keys(record.answer or ()),
            names.keys(record.borderline_documents),
        )
    return match(_named(record, answer), {normal_name(name) for name in record.answer or ()})


def _named(record: Record, answer: Answer) -> set[str]:
    """Return the entities' names; an entity known by a true name goes under that one."""
    true = {normal_name(name) for name in record.answer or ()}
    named: set[str] = set()
    for entity in answer.entities:
        known = [normal_name(name) for name in (entity.name, *entity.aliases)]
        named.add(next((name for name in known if name in true), known[0]))
    return named


Statistic = Literal["mean", "median"]
_RESAMPLES = 1000
LEVEL: Final = 0.05
"""At which a difference stands."""
_SEED = 20251


@dataclass(frozen=True, slots=True)
class Estimate:
    """A statistic over n questions with its 95 % interval; all None where n is 0."""

    n: int
    value: float | None
    low: float | None
    high: float | None


def estimate(values: Sequence[float | None], statistic: Statistic = "mean") -> Estimate:
    """Return the statistic over the defined values with a percentile interval.

    The interval spans the 2.5th to the 97.5th percentile of 1,000 resamples of the questions
    with replacement (Efron's percentile bootstrap), from a fixed seed.

    >>> estimate([1.0, None, 1.0])
    Estimate(n=2, value=1.0, low=1.0, high=1.0)
    """
    return estimate_nested([[value] for value in values if value is not None], statistic)


def estimate_nested(rows: Sequence[Sequence[float]], statistic: Statistic = "mean") -> Estimate:
    """Return the statistic over the questions' means over seeds, a row a question.

    Each resample draws questions and, within each, seeds; a row shorter than others is repeated.
    """
    if not rows:
        return Estimate(0, None, None, None)
    seeds = max(map(len, rows))
    values = np.array([np.resize(row, seeds) for row in rows], dtype=np.float64)
    over = np.mean if statistic == "mean" else np.median
    generator = np.random.default_rng(_SEED)
    questions = generator.integers(0, len(rows), size=(_RESAMPLES, len(rows), 1))
    drawn = values[questions, generator.integers(0, seeds, size=(_RESAMPLES, len(rows), seeds))]
    low, high = np.percentile(over(drawn.mean(axis=2), axis=1), (2.5, 97.5))
    return Estimate(len(rows), float(over(values.mean(axis=1))), float(low), float(high))


_FLIPS = 10_000


def chance_of(differences: Sequence[float]) -> float:
    """Return how probable so large a mean difference is if its signs are chance.

    A two-sided randomisation test over questions, by 10,000 draws of signs from a fixed seed.

    >>> chance_of([0.0, 0.0]), 0.05 < chance_of([1.0] * 5) < 0.08
    (1.0, True)
    """
    signs = np.random.default_rng(_SEED).choice((-1.0, 1.0), size=(_FLIPS, len(differences)))
    as_large = np.abs(signs @ np.asarray(differences)) >= abs(sum(differences)) - 1e-9
    return float((1 + as_large.sum()) / (1 + _FLIPS))


def standing(chances: Sequence[float]) -> list[bool]:
    """Tell which of several comparisons stand together at a level of 0.05 (Holm 1979).

    >>> standing([0.04, 0.001, 0.02]), standing([0.04, 0.001, 0.03])
    ([True, True, True], [False, True, False])
    """
    given, order = np.asarray(chances), np.argsort(chances, kind="stable")
    stands = np.zeros(len(given), dtype=np.bool_)
    limits = LEVEL / np.arange(len(given), 0, -1)
    stands[order] = np.logical_and.accumulate(given[order] <= limits)
    return [bool(each) for each in stands]
