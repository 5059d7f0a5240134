"""`headcount review RUN`: a person checks what a run found, and the number is corrected by it.

What is borderline is all shown, of the rest a random sample, and of the documents that were not
found another where that is wanted. Each part is a group of verdicts that a second reader, the
person, sampled: how many of it stand is bounded exactly (`tools.audit.judge_error`). It is the
prediction-powered estimate (Angelopoulos et al. 2023) taken by stratum, with exact bounds in the
place of asymptotic ones, which have no width where the sample shows no error.
"""

import random
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Literal

import numpy as np
from rich.console import Console

from agent.answer import Answer
from agent.errors import RunError
from agent.evidence import Finding
from agent.prompt_values import JudgeValues
from agent.question import AllOf, Condition, Interpretation, atoms
from agent.value import Value, counted
from graphs.apps.desk import KEYS, ReviewDesk, Screen, Undone, reader_name
from graphs.apps.exits import Exit
from graphs.apps.in_words import number
from graphs.apps.stored_runs import StoredRun, stored_run
from graphs.apps.terminal import one_line, say, write_json, write_line
from graphs.apps.terminal_screen import TerminalScreen
from graphs.context import now
from graphs.scope import scope
from tools.audit.judge_error import Group, together
from tools.passage_windows import passages
from tools.runs.reviews import Reviews

Part = Literal["borderline", "found", "not found"]


class CheckedPart(Value):
    """One part of what a run said, and what a person made of a sample of it."""

    part: Part
    size: int
    checked: int
    stand: int
    """How many of those checked satisfy the question, by the person."""
    open: int = 0
    """How many the person skipped or called borderline: they count either way."""


class CheckedAnswer(Value):
    """The number of an answer, corrected by a person's verdicts."""

    schema_version: int = 1
    run: str
    question: str
    value: float
    """The estimate: in each part the share of the sample that stands."""
    bounds: tuple[float, float] | None
    """At 95 %, of what the person would say; where no other documents were checked, what the run
    may have missed is added, by its own bounds at 95 %."""
    parts: tuple[CheckedPart, ...]
    overruled: tuple[str, ...]
    """The items that do not stand."""


@dataclass(frozen=True, slots=True)
class _Case:
    """A document, with the chunks that may show what is asked."""

    name: str
    chunks: dict[str, Sequence[int]]
    """By condition."""


@dataclass(slots=True)
class _Check:
    """One run under a person's eyes."""

    found: StoredRun
    answer: Answer
    reading: Interpretation
    desk: ReviewDesk

    @property
    def conditions(self) -> dict[str, Condition]:
        """Those that a reader decided, by id."""
        return {each.id: each for each in atoms(self.reading.conditions) if not each.by_code}

    def items(self) -> tuple[list[_Case], list[_Case]]:
        """Return the borderline documents and the others, each in the answer's order."""
        parts: tuple[list[_Case], list[_Case]] = ([], [])
        findings = self.found.store.findings(scope(self.found.state))
        told = [each for each in findings if each.condition in self.conditions]
        for item in self.answer.entities:
            own = [each for each in told if each.document == item.documents[0]]
            sure = {each.condition for each in own if each.certainty == "certain"}
            parts[sure >= self.conditions.keys()].append(self._case(item.documents[0], own))
        return parts

    def others(self) -> list[_Case]:
        """Return the documents that were not found and that no field or word ruled out."""
        decided = [step for step in self.found.state.history if step.certain]
        corpus, store = self.found.corpus, self.found.store
        left = store.ids(decided[-1].after) if decided else range(len(corpus))
        known = {name for each in self.answer.entities for name in each.documents}
        numbers = sorted({int(corpus.chunk_document[chunk]) for chunk in left})
        names = [corpus.documents[at] for at in numbers if corpus.documents[at] not in known]
        return [self._case(name, ()) for name in names]

    def _case(self, name: str, told: Sequence[Finding]) -> _Case:
        """Return a document with its chunks by condition: what was quoted first, then by words."""
        corpus = self.found.corpus
        own = np.array(corpus.chunks_of(corpus.document_index(name)))
        code = {each.condition for each in told if each.by_code}
        chunks: dict[str, Sequence[int]] = {}
        for id_, condition in self.conditions.items():
            if id_ not in code:
                quoted = [each.chunk for each in told if each.condition == id_]
                scores = corpus.lexical.bm25(condition.text)[own]
                ranked = own[np.argsort(-scores, kind="stable")].tolist()
                chunks[id_] = list(dict.fromkeys([*quoted, *ranked]))
        return _Case(name, chunks)

    def stands(self, case: _Case) -> bool | None:
        """Have the passages judged until the document stands or all of it was seen.

        None where something was skipped or is borderline to the person, too.
        """
        open_ = False
        for condition, chunks in case.chunks.items():
            verdict: bool | None = False
            for chunk in chunks:
                said = self._judged(chunk, self.conditions[condition])
                verdict = said or (None if said is None else verdict)
                if said or self.desk.stopped:
                    break
            if verdict is False:
                return False
            open_ |= verdict is None
        return None if open_ else True

    def _judged(self, chunk: int, condition: Condition) -> bool | None:
        asked = JudgeValues(
            question=self.answer.question,
            interpretation=self.reading,
            conditions=[condition],
            passages=passages(self.found.corpus, [chunk]),
        )
        reply = self.desk.judge([asked])[0]
        if reply is None or not (reply.passages or reply.none):
            return None
        told = [each.certainty for shown in reply.passages for each in shown.evidence]
        return None if "borderline" in told else bool(told)

    def parts(self, found: int, others: int) -> Iterator[tuple[CheckedPart, list[str]]]:
        """Yield each part with the items of it that do not stand, until the person stops."""
        borderline, rest = self.items()
        plan: list[tuple[Part, list[_Case], int]] = [
            ("borderline", borderline, len(borderline)),
            ("found", rest, found),
            ("not found", self.others() if others else [], others),
        ]
        for name, cases, most in plan:
            seed = f"{self.found.run} {name}"
            drawn = random.Random(seed).sample(cases, min(most, len(cases)))  # noqa: S311 - no secret
            said: dict[str, bool | None] = {}
            for at, case in enumerate(drawn, start=1):
                self.desk.why = f"{name}: document {at} of {len(drawn)}, drawn from {len(cases)}"
                verdict = self.stands(case)
                if self.desk.stopped:
                    break
                said[case.name] = verdict
            told = list(said.values())
            yield (
                CheckedPart(
                    part=name,
                    size=len(cases),
                    checked=len(told),
                    stand=told.count(True),
                    open=told.count(None),
                ),
                [each for each, stands in said.items() if stands is False and name != "not found"],
            )

    def corrected(self, found: int, others: int) -> CheckedAnswer:
        """Check, and return the number by what the person said."""
        told = list(self.parts(found, others))
        parts = tuple(part for part, _ in told)
        groups = [
            Group(size=each.size, drawn=each.checked, yes=each.stand, open=each.open)
            for each in parts
            if each.checked or each.part != "not found"
        ]
        total, missing = together(groups), self._missing(parts)
        bounds = None if missing is None else (float(total.low), total.high + missing)
        value = sum(map(_estimate, parts))
        return CheckedAnswer(
            run=self.found.run,
            question=self.answer.question,
            value=round(value, 1),
            bounds=bounds,
            parts=parts,
            overruled=tuple(name for _, names in told for name in names),
        )

    def _missing(self, parts: Sequence[CheckedPart]) -> float | None:
        """Return how many the run may have missed, by its own bounds; 0 where a person checked."""
        if any(each.checked for each in parts if each.part == "not found"):
            return 0.0
        if self.answer.bounds is None:
            return None
        return max(0.0, self.answer.bounds[1] - len(self.answer.entities))


def _estimate(part: CheckedPart) -> float:
    """Return how many of a part likely stand; as the run says where the person said nothing."""
    told = part.checked - part.open
    if not told:
        return 0.0 if part.part == "not found" else float(part.size)
    return part.size * part.stand / told


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


def checked_answer(
    opened: StoredRun, reviews: Reviews, screen: Screen, *, found: int, others: int
) -> tuple[CheckedAnswer, ReviewDesk]:
    """Have a person check what a run found; return the number by it, and the desk as it was left.

    Raises RunError: the run has no answer, its corpus has changed, or verdicts on passages would
    not correct it.
    """
    answer, reading = opened.store.answer(opened.run), opened.state.interpretation
    if answer is None or reading is None or opened.corpus_changed:
        raise RunError(f"run {opened.run!r} has no answer over the corpus as it is now: ask again")
    if why := uncheckable(answer, reading, opened.info.model):
        raise RunError(f"run {opened.run!r} cannot be checked: {why}")
    desk = ReviewDesk(opened.corpus, reviews, screen, reader_name(), now)
    check = _Check(opened, answer, reading, desk)
    screen.say(f"checking run {opened.run}: {answer.question}")
    while True:
        try:
            return check.corrected(found, others), desk
        except Undone:
            continue


def run_check(run: str, *, found: int, others: int, json: bool = False) -> Exit:
    """Check a run of a corpus in this folder, or the newest of a corpus, and print the number.

    Raises RunError: as `checked_answer` does.
    """
    console = Console(stderr=True, highlight=False)
    with stored_run(run, None) as opened, closing(Reviews(opened.corpus.runs)) as reviews:
        say(console, KEYS, style="dim")
        screen = TerminalScreen(console)
        checked, desk = checked_answer(opened, reviews, screen, found=found, others=others)
        given = f"{counted(len(desk.given), 'verdict')} given, kept in {reviews.path}"
        said = opened.store.answer(opened.run)
    write_line(given, stderr=True)
    if json:
        write_json(checked)
    else:
        _show(checked, said)
    if desk.stopped:
        write_line("stopped; the same command goes on", stderr=True)
    return Exit.BUDGET if desk.stopped else Exit.ANSWERED


def corrected_text(checked: CheckedAnswer) -> str:
    """Format the corrected number with its bounds."""
    between = ""
    if checked.bounds is not None:
        low, high = map(number, checked.bounds)
        between = f" (between {low} and {high})" if low != high else ""
    return f"{number(checked.value)}{between}"


def part_text(part: CheckedPart) -> str:
    """Format what a person made of a part."""
    skipped = f", {part.open} are open" if part.open else ""
    told = f"{part.part}: {part.stand} of {part.checked} checked stand{skipped}"
    return f"{told}, of {part.size} in all"


def _show(checked: CheckedAnswer, answer: Answer | None) -> None:
    console = Console(highlight=False)
    said = answer.value if answer is not None else None
    value = number(said) if isinstance(said, int | float) else "no value"
    say(console, f"{corrected_text(checked)}; the run said {value}", style="bold")
    for part in (each for each in checked.parts if each.size):
        say(console, part_text(part))
    for name in checked.overruled:
        say(console, f"does not stand: {one_line(name)}")
