"""A person checks what a run found, and the number is corrected by it.

It is the prediction-powered estimate (Angelopoulos et al. 2023) taken by stratum, with the exact
bounds of `tools.audit`, which hold for samples of all sizes at once. Each part has a
random order, by the run's id; its sample is as far as the verdicts that were kept go in that order.
"""

import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, Literal, Self

import numpy as np

from agent.answer import Answer
from agent.errors import RunError
from agent.evidence import Finding, Judgement
from agent.prompt_values import JudgeValues
from agent.question import AllOf, Condition, Interpretation, atoms
from agent.value import Value, counted, number
from graphs.apps.desk import BegunAnew, ReviewDesk
from graphs.apps.stored_runs import StoredRun
from graphs.scope import scope
from tools.audit import CONFIDENCE, Group, together
from tools.passage_windows import passages
from tools.runs.reviews import Reviewed, Reviews

Part = Literal["borderline", "found", "not found"]
Said = Judgement | Literal[""]
"""What people said of a document; empty where passages are open that could tell."""
_TELLING: Final[tuple[Said, ...]] = ("yes", "", "borderline", "no")
"""Which of the verdicts on passages tells of a condition: the first that is there. Of all the
conditions of a document it is the last."""
_LEFT_OUT: Final = 5
"""A sample goes on past a document that was left out where more than so many behind it were not."""


class CheckedPart(Value):
    """One part of what a run said, and what a person made of a sample of it."""

    part: Part
    size: int
    checked: int
    stand: int
    """How many of those checked satisfy the question, by the person."""
    open: int = 0
    """How many the person skipped or called borderline: they count either way."""
    yes: int = 0
    no: int = 0
    """What the person said of all of it, also of what was not drawn."""

    @property
    def group(self) -> Group:
        """The part as the person sampled it."""
        known = {"known_yes": self.yes, "known_no": self.no}
        return Group(size=self.size, drawn=self.checked, yes=self.stand, open=self.open, **known)


class CheckedAnswer(Value):
    """The number of an answer, corrected by a person's verdicts."""

    schema_version: int = 1
    run: str
    question: str
    said: float
    """The run's number."""
    value: float
    """The estimate: in each part the share of the sample that stands."""
    bounds: tuple[float, float] | None
    """Of what the person would say; where no other documents were checked, what the run may have
    missed is added, by its own bounds."""
    confidence: float
    """That of the bounds, however often one looked and whenever one stopped: 95 %, less what may
    be wrong with the run's own bounds where they are added."""
    parts: tuple[CheckedPart, ...]
    told: int
    """Documents of which the person said yes or no since the run."""
    overruled: tuple[str, ...]
    """The items that do not stand."""
    missed: tuple[str, ...]
    """The documents that the run did not find, and that stand."""
    by: tuple[str, ...]
    """Who checked."""
    made: str
    """When the last verdict was given, ISO time; empty where there is none."""


Told = Callable[[CheckedAnswer], None]
_Case = tuple[str, Sequence[Finding]]


@dataclass(frozen=True, slots=True)
class _Check:
    """One run under a person's eyes."""

    found: StoredRun
    answer: Answer
    reading: Interpretation
    reviews: Reviews
    conditions: Mapping[str, Condition]
    """Those that a reader decided, by id."""
    cases: Mapping[Part, Sequence[_Case]]
    """Each part in the random order in which it is checked."""

    @classmethod
    def of(cls, found: StoredRun, reviews: Reviews) -> Self | str:
        """Return the check of a run, or why it cannot be checked."""
        answer, reading = found.store.answer(found.run), found.state.interpretation
        if answer is None or reading is None or found.corpus_changed:
            return "has no answer over the corpus as it is now: ask again"
        if why := uncheckable(answer, reading, found.info.model):
            return f"cannot be checked: {why}"
        conditions = {each.id: each for each in atoms(reading.conditions) if not each.by_code}
        return cls(found, answer, reading, reviews, conditions, _cases(found, answer, conditions))

    def read(self, desk: ReviewDesk, size: tuple[int, int], told: Told) -> None:
        """Have what is borderline and samples of the rest judged, until the person stops."""
        most = {"found": size[0], "not found": size[1]}
        for part, cases in self.cases.items():
            drawn = cases[: most.get(part)]
            for at, case in enumerate(drawn, start=1):
                desk.why = f"{part}: document {at} of {len(drawn)}, drawn from {len(cases)}"
                self._judge(case, desk)
                told(self.result())
                if desk.stopped:
                    return

    def _asked(self, case: _Case) -> list[Condition]:
        """Return the conditions that code did not decide of a document."""
        by_code = {each.condition for each in case[1] if each.by_code}
        return [each for id_, each in self.conditions.items() if id_ not in by_code]

    def _judge(self, case: _Case, desk: ReviewDesk) -> None:
        """Have passages judged, what was quoted first, until it stands or all of it was seen."""
        corpus, (name, found) = self.found.corpus, case
        own = np.array(corpus.chunks_of(corpus.document_index(name)))
        for condition in self._asked(case):
            quoted = [each.chunk for each in found if each.condition == condition.id]
            ranked = own[np.argsort(-corpus.lexical.bm25(condition.text)[own], kind="stable")]
            said = set[Said]()
            for chunk in dict.fromkeys([*quoted, *ranked.tolist()]):
                asked = JudgeValues(
                    question=self.answer.question,
                    interpretation=self.reading,
                    conditions=[condition],
                    passages=passages(corpus, [chunk]),
                )
                desk.judge([asked])
                verdict = self.reviews.verdict(corpus, chunk, condition)
                said.add(verdict.judgement if verdict else "")
                if "yes" in said or desk.stopped:
                    break
            if said == {"no"} or desk.stopped:
                return

    def result(self) -> CheckedAnswer:
        """Return the number by what people have said until now."""
        known = {each.document for of in self.conditions.values() for each in self.reviews.of(of)}
        parts: list[CheckedPart] = []
        given: list[Reviewed] = []
        fresh: dict[tuple[bool, Said], list[str]] = defaultdict(list)
        for part, cases in self.cases.items():
            told = [self._said(case, known) for case in cases]
            parts.append(_sampled(part, [said for said, _ in told]))
            for case, (said, verdicts) in zip(cases, told, strict=True):
                if any(each.made >= self.found.info.created for each in verdicts):
                    fresh[part == "not found", said].append(case[0])
                    given += verdicts
        groups, beyond = [each.group for each in parts], bool(parts[-1].checked)
        total = together(groups if beyond else groups[:-1])
        missing = self._missing(parts)
        audited = None if beyond else self.answer.completeness.confidence
        return CheckedAnswer(
            run=self.found.run,
            question=self.answer.question,
            said=float(len(self.answer.entities)),
            value=round(sum(map(_estimate, parts)), 1),
            bounds=None if missing is None else (float(total.low), total.high + missing),
            confidence=round(CONFIDENCE - (1 - (audited or 1)), 4),
            parts=tuple(parts),
            told=sum(len(names) for (_, said), names in fresh.items() if said in {"yes", "no"}),
            overruled=tuple(fresh[False, "no"]),
            missed=tuple(fresh[True, "yes"]),
            by=tuple(dict.fromkeys(each.who for each in given)),
            made=max((each.made for each in given), default=""),
        )

    def _said(self, case: _Case, known: set[str]) -> tuple[Said, list[Reviewed]]:
        """Return what people said of a document, with the verdicts; `known` are those judged."""
        asked = self._asked(case)
        if asked and case[0] not in known:
            return "", []
        corpus, given, of_all = self.found.corpus, list[Reviewed](), set[Said]()
        for condition in asked:
            own = corpus.chunks_of(corpus.document_index(case[0]))
            verdicts = [self.reviews.verdict(corpus, chunk, condition) for chunk in own]
            told: set[Said] = {each.judgement if each else "" for each in verdicts}
            of_all.add(next(each for each in _TELLING if each in told))
            given += filter(None, verdicts)
        return next((each for each in reversed(_TELLING) if each in of_all), "yes"), given

    def _missing(self, parts: Sequence[CheckedPart]) -> float | None:
        """Return how many the run may have missed, by its own bounds; 0 where a person checked."""
        if parts[-1].checked:
            return 0.0
        if self.answer.bounds is None:
            return None
        return max(float(parts[-1].yes), self.answer.bounds[1] - len(self.answer.entities))


def _estimate(part: CheckedPart) -> float:
    """Return how many of a part likely stand; as the run says where the person said nothing."""
    told = part.checked - part.open
    share = part.stand / told if told else part.part != "not found"
    return min(max(part.size * share, part.yes), part.size - part.no)


def uncheckable(answer: Answer, reading: Interpretation, reader: str) -> str:
    """Say why verdicts on passages would not correct an answer; empty where they do."""
    if reader == "person":
        return "a person read it, and a sample of that would only widen its bounds"
    if answer.status != "answered" or answer.readings:
        return f"its answer is {answer.status}" if not answer.readings else "it has several answers"
    if reading.operation not in {"count", "list"}:
        return "it is no count or list"
    if reading.grain != "document" or reading.entity_field or reading.quota or reading.across:
        return f"it counts no documents but each {reading.entity_type}"
    tree = reading.conditions
    parts = tree.parts if isinstance(tree, AllOf) else (tree,)
    if not all(isinstance(each, Condition) for each in parts):
        return "its conditions are joined by `or`, or denied"
    by_code = all(each.by_code for each in atoms(tree))
    return "code decided all of it, and nothing was read" if by_code else ""


def _cases(
    found: StoredRun, answer: Answer, conditions: Mapping[str, Condition]
) -> Mapping[Part, Sequence[_Case]]:
    told: dict[str, list[Finding]] = defaultdict(list)
    for each in found.store.findings(scope(found.state)):
        if each.condition in conditions:
            told[each.document].append(each)
    cases: dict[Part, list[_Case]] = {"borderline": [], "found": []}
    for item in answer.entities:
        own = told[item.documents[0]]
        sure = {each.condition for each in own if each.certainty == "certain"}
        part: Part = "found" if sure >= conditions.keys() else "borderline"
        cases[part].append((item.documents[0], own))
    cases["not found"] = [(name, ()) for name in _others(found, answer)]
    for name, several in cases.items():
        random.Random(f"{found.run} {name}").shuffle(several)  # noqa: S311 - no secret
    return cases


def _others(found: StoredRun, answer: Answer) -> list[str]:
    """Return the documents that were not found and that no field or word ruled out."""
    decided = [step for step in found.state.history if step.certain]
    corpus, store = found.corpus, found.store
    left = store.ids(decided[-1].after) if decided else range(len(corpus))
    known = {name for each in answer.entities for name in each.documents}
    numbers = np.unique(corpus.chunk_document[np.array(left, dtype=np.int64)])
    return [name for each in numbers if (name := corpus.documents[int(each)]) not in known]


def _sampled(part: Part, said: Sequence[Said]) -> CheckedPart:
    """Return a part as far as it was checked; what was left out before there is open.

    It may end anywhere, by whatever is known of it: the bounds hold for all its sizes at once.
    """
    gain = [*accumulate(1 if each else -_LEFT_OUT for each in said)]
    size = gain.index(max(gain)) + 1 if max(gain, default=0) > 0 else 0
    stand, left_out = said[:size].count("yes"), said[:size].count("")
    told = {"yes": said.count("yes"), "no": said.count("no")}
    told["open"] = left_out + said[:size].count("borderline")
    return CheckedPart(part=part, size=len(said), checked=size, stand=stand, **told)


def checked_answer(
    opened: StoredRun, desk: ReviewDesk, size: tuple[int, int], told: Told
) -> CheckedAnswer:
    """Have the person at the desk check what a run found; return the number by it.

    At most `size` documents are drawn, of those found and of the others. `told` gets the number
    after each document.

    Raises RunError: the run has no answer, its corpus has changed, or verdicts on passages would
    not correct it.
    """
    check = _Check.of(opened, desk.reviews)
    if isinstance(check, str):
        raise RunError(f"run {opened.run!r} {check}")
    while True:
        try:
            check.read(desk, size, told)
        except BegunAnew:
            continue
        return check.result()


def known_check(opened: StoredRun) -> CheckedAnswer | None:
    """Return a model's number by what people have said since; None where they said nothing."""
    reviews = opened.session.context.reviews
    if reviews is None or opened.info.model == "lexical":
        return None
    check = _Check.of(opened, reviews)
    found = None if isinstance(check, str) else check.result()
    return found if found and found.told else None


def corrected_text(checked: CheckedAnswer) -> str:
    """Format the corrected number with its bounds."""
    value = number(int(checked.value + 0.5))
    if checked.bounds is None:
        return f"about {value}, and nothing bounds it"
    low, high = map(number, checked.bounds)
    between = f"between {low} and {high} at a confidence of {checked.confidence:.0%}"
    return value if low == high else f"about {value} ({between})"


def checked_lines(checked: CheckedAnswer) -> list[str]:
    """Say how far person and model agree, who checked and when, and what stands of each part."""
    gone, missed = len(checked.overruled), len(checked.missed)
    agreed = f"{checked.told - gone - missed} of {counted(checked.told, 'document')} checked"
    lines = [f"person and model agree on {agreed}; overruled: {gone}, missed: {missed}"]
    if checked.by:
        lines.append(f"last on {checked.made[:10]}, by {', '.join(checked.by)}")
    for part in (each for each in checked.parts if each.size):
        skipped = f", {part.open} are open" if part.open else ""
        stand = f"{part.stand} of {part.checked} checked stand" if part.checked else "none checked"
        missed = part.part == "not found" and not part.checked
        untold = ", and what the model missed there is in no bound" if missed else ""
        lines.append(f"{part.part}: {stand}{skipped}, of {part.size} in all{untold}")
    return lines


def disputed(checked: CheckedAnswer) -> list[str]:
    """Name the documents of which the person said otherwise than the model."""
    gone = [f"does not stand: {each}" for each in checked.overruled]
    return [*gone, *(f"was not found, and stands: {each}" for each in checked.missed)]
