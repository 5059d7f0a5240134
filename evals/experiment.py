"""An experiment: arms over collections as cells in one fixed order, and its run, in a folder.

What is done stays done, the rest is measured:

RUN/
  run.json       the plan: arms, collections, seed, questions, and the code that measures them
  journal.jsonl  a result a line, as each was done, with the seconds that it took
"""

import gc
import hashlib
import json
import multiprocessing
import os
import random
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures import as_completed as completed
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

from pydantic import Field, JsonValue, ValidationError

from agent.errors import CorpusError, ProviderError, QuestionError, SettingsError
from agent.policy import Policy
from agent.value import Value
from evals.ablation import Ablation, context_under
from evals.annotated.skill import PREFIX
from evals.baselines.light_rag import require_package
from evals.names import DocumentNames
from evals.questions import Record, first_fault, load
from evals.readers import LEXICAL, by_annotation, check_annotated, is_model, reader_of, settings_of
from evals.scopes import Corpora, scope_of, still_valid
from evals.scores import Outcome, score
from evals.spans import gold_chunks
from evals.systems import GOLD_SCHEMA, METHODS, give_schema, observed, system_of
from evals.variants import BY_GROUP, GROUPS, VARIANTS, WHOLE
from tools.corpus.corpus import Corpus, open_corpus
from tools.corpus.generations import replace_file
from tools.retrieval import CALIBRATED
from tools.sqlite_file import close_forgotten

_NOT_COMPUTED = dict.fromkeys(
    ("value", "precision", "recall", "f1", "exact", "absolute_error", "normalised_error",
     "answer_recall", "answer_right", "final", "full")
)  # fmt: skip
"""The annotation of facts says what is extracted, not how the answer is computed from it."""
_LAYING_OUT = ("evals/paper.py", "evals/report.py")
"""Code that chooses arms, which a run's plan tells, and that lays out what was measured."""
_DECIDING = frozenset(Policy.model_fields).difference({"on_ambiguity"}) | {
    "max_calls", "max_tokens", "max_usd", "max_seconds", "context_tokens", "reply_tokens",
    "temperature",
}  # fmt: skip
"""The settings that decide results; nobody is there to be asked about an ambiguity."""


Key = tuple[str, str, str, int]
"""Collection, arm, question, seed."""
Deciding = tuple[str, str, str, int]
"""Collection, what an arm measures whatever its name, question, seed."""


class Arm(Value):
    """What is measured, by a name that is unique in its experiment."""

    name: Annotated[str, Field(min_length=1)]
    system: str = "main"
    """A name in `evals.systems.SYSTEMS`."""
    reasoner: str = "gold"
    """`gold`; `skill:E`, gold with the error rate E; `lexical`; or a model's name."""
    policy: dict[str, JsonValue] = Field(default_factory=dict)
    """The policy's values that differ from the product's."""

    def over(self, policy: Policy) -> Policy:
        """Return a policy with this arm's values; raises SettingsError where one is impossible."""
        try:
            return Ablation.model_validate({**policy.model_dump(), **self.policy})
        except ValidationError as error:
            raise SettingsError(f"arm {self.name!r}: {first_fault(error)}") from error

    @property
    def told(self) -> str:
        """What is measured, whatever its name."""
        return self.model_dump_json(exclude={"name"})

    def seeded(self, seeds: Sequence[int]) -> Sequence[int]:
        """Return the seeds that a question is asked with: one where they change nothing."""
        erring = self.reasoner.startswith(PREFIX) and "seed=" not in self.reasoner
        return seeds if erring else seeds[:1]

    def check(self) -> None:
        """Raise SettingsError where the system or the reader is none, or both do not fit.

        So it does where the system needs a package that is not installed.
        """
        system_of(self.system)
        settings_of(self.reasoner)
        if self.system == "lightrag":
            if not is_model(self.reasoner):
                raise SettingsError(
                    f"{self.reasoner!r} writes no texts, of which LightRAG makes its graph: name a "
                    "model with --reasoner"
                )
            require_package()
        if self.system in METHODS and self.reasoner in LEXICAL:
            raise SettingsError(
                f"the lexical reader writes no answer from passages, as {self.system!r} needs it: "
                "choose --reasoner gold, skill:RATE or a model"
            )


def system_arm(name: str, reasoner: str) -> Arm:
    """Return the arm of a system, or of one under a variant: `records-gold+chunks-3`.

    Raises SettingsError: there is no such variant.
    """
    system, _, variant = name.partition("+")
    if variant and variant not in VARIANTS:
        raise SettingsError(f"there is no variant {variant!r}; choose among {', '.join(VARIANTS)}")
    return Arm(name=name, system=system, reasoner=reasoner, policy={**VARIANTS.get(variant, {})})


def arms_of(names: Sequence[str], reasoner: str) -> tuple[Arm, ...]:
    """Return the whole product first, then the variants of those names; a group is all of its own.

    Raises SettingsError: there is no variant of a name.
    """
    unknown = [name for name in names if name not in VARIANTS and name not in BY_GROUP]
    if unknown:
        known = ", ".join((*GROUPS, *VARIANTS))
        raise SettingsError(f"there is no ablation {unknown[0]!r}; choose among {known}")
    chosen = dict.fromkeys(each for name in names for each in BY_GROUP.get(name, (name,)))
    variants = (Arm(name=each, reasoner=reasoner, policy={**VARIANTS[each]}) for each in chosen)
    return (Arm(name=WHOLE, reasoner=reasoner), *variants)


class Collection(Value):
    """Where the questions and documents are, and how many are asked."""

    questions: Path
    documents: Path
    name: str = Field(default_factory=lambda given: given["questions"].stem, min_length=1)
    expansion: Path | None = None
    """A folder of unrelated documents, added to every scope."""
    corpus_filter: str | None = None
    noise: bool = False
    """Whether every question is asked over the whole folder, not over its own documents alone."""
    sample: int | None = Field(default=None, ge=1)
    """Ask so many, drawn by the seed; None asks all."""
    seed: int = 0


class Identity(Value):
    """What of a collection decides the results, without the places of this machine."""

    name: str
    questions: str
    """SHA-256 of the file of questions."""
    expansion: str | None
    """The name of the expansion's folder."""
    noise: bool = False
    sample: int | None
    seed: int
    available: int
    """How many questions the sample was drawn from."""
    ids: tuple[str, ...]
    """The questions that are asked, in the file's order."""


class Experiment(Value):
    """What is asked of whom."""

    name: str
    arms: tuple[Arm, ...]
    """The first is what the others are compared with."""
    collections: tuple[Collection, ...]
    seeds: Annotated[tuple[int, ...], Field(min_length=1)] = (0,)
    """Each question is asked with each: what chance decides, for instance a reader's errors."""


class Plan(Value):
    """What of an experiment decides its results: a run that goes on must have the same."""

    version: int = 4
    headcount: str
    """The version of what is measured."""
    code: str
    """SHA-256 over the modules and prompts that decide a result, so that an edited copy shows."""
    python: str
    name: str
    arms: tuple[Arm, ...]
    collections: tuple[Identity, ...]
    seeds: tuple[int, ...]
    settings: dict[str, JsonValue] = Field(default_factory=dict)
    """What environment and settings files change of the policy, the limits and the reader's size,
    for every arm that does not say otherwise."""

    @property
    def keys(self) -> list[Key]:
        """Every cell's key, in order."""
        return [
            (collection.name, arm.name, question, seed)
            for collection in self.collections
            for arm in self.arms
            for question in collection.ids
            for seed in arm.seeded(self.seeds)
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One question under one arm, with one seed."""

    collection: str
    arm: Arm
    record: Record
    corpus: Path
    """The index of what it is asked over; a model's replies are kept beside it."""
    seed: int
    workspace: Path
    """Where the question's own corpus stands while it is asked."""

    @property
    def key(self) -> Key:
        """What tells it from the experiment's other cells."""
        return (self.collection, self.arm.name, self.record.id, self.seed)

    @property
    def deciding(self) -> Deciding:
        """What decides its result among collections of the same names."""
        return (self.collection, self.arm.told, self.record.id, self.seed)


def laid_out(
    experiment: Experiment, place: Path, workspace: Path, say: Callable[[str], None]
) -> tuple[Plan, Sequence[Cell]]:
    """Read the questions, index their documents, and return every cell, in the order of its key.

    A question's own corpus stands in the workspace while it is asked.
    """
    corpora = Corpora(place, say)
    identities: list[Identity] = []
    cells: list[Cell] = []
    for arm in experiment.arms:
        arm.check()
    for collection in experiment.collections:
        records, available = questions_of(collection)
        for arm in experiment.arms:
            check_annotated(arm.reasoner, records)
        identities.append(
            Identity(
                **collection.model_dump(include={"name", "noise", "sample", "seed"}),
                questions=hashlib.sha256(collection.questions.read_bytes()).hexdigest(),
                expansion=None if collection.expansion is None else collection.expansion.name,
                available=available,
                ids=tuple(record.id for record in records),
            )
        )
        places = collection.documents, collection.expansion
        scopes = [scope_of(each, *places, noise=collection.noise) for each in records]
        indexes = [corpora.over(scope).path for scope in scopes]
        cells += [
            Cell(
                collection=collection.name,
                arm=arm,
                record=record,
                corpus=corpus,
                seed=seed,
                workspace=workspace,
            )
            for arm in experiment.arms
            for record, corpus in zip(records, indexes, strict=True)
            for seed in arm.seeded(experiment.seeds)
        ]
    changed = settings_of("lexical").model_dump(mode="json", exclude_defaults=True)
    plan = Plan(
        headcount=version("headcount"),
        code=_code(),
        python=sys.version.split()[0],
        name=experiment.name,
        arms=experiment.arms,
        collections=tuple(identities),
        seeds=experiment.seeds,
        settings={name: value for name, value in changed.items() if name in _DECIDING},
    )
    return plan, cells


def questions_of(collection: Collection) -> tuple[list[Record], int]:
    """Return what is asked, and of how many it was drawn.

    Raises:
        QuestionError: the file cannot be read, or no question fits.
        SettingsError: there is no folder of documents.
    """
    if not collection.documents.is_dir():
        raise SettingsError(f"{str(collection.documents)!r} is not a folder of documents")
    records = [
        record
        for record in still_valid(load(collection.questions), collection.expansion)
        if collection.corpus_filter in {None, record.corpus_filter}
    ]
    if not records:
        raise QuestionError(f"collection {collection.name!r} has no question left to ask")
    ids = drawn([record.id for record in records], collection.sample, collection.seed)
    return [record for record in records if record.id in ids], len(records)


def drawn(ids: Sequence[str], sample: int | None, seed: int) -> frozenset[str]:
    """Draw a sample without replacement, by the seed and the ids alone; None takes all."""
    if sample is None or sample >= len(ids):
        return frozenset(ids)
    return frozenset(random.Random(seed).sample(sorted(ids), sample))  # noqa: S311 - no secret


def _code() -> str:
    """Hash the code and the prompts that run, by package and path."""
    root = Path(__file__).resolve().parents[1]
    found = hashlib.sha256()
    for package in ("agent", "tools", "prompts", "graphs", "evals"):
        for path in sorted((root / package).rglob("*")):
            name = path.relative_to(root).as_posix()
            decides = path.suffix in {".py", ".md", ".toml"} and not name.startswith(_LAYING_OUT)
            if decides and path.is_file():
                found.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()


class Measured(Value):
    """One question under one arm; the same seed and replies give the same, but for the seconds."""

    collection: str
    arm: str
    seed: int
    score: dict[str, JsonValue]
    """An `evals.scores.Score` by field."""
    error: str = ""
    passing: bool = False
    """Whether the error lay with a model's server or the index: the question is asked again."""
    seconds: float

    @property
    def question(self) -> str:
        """The question's id."""
        return str(self.score["id"])

    @property
    def line(self) -> str:
        """What came of the question, in a line."""
        score = self.score
        told = f"{self.question}: {score['value']} of {score['gold']}, {score['status']}"
        return f"{told} {self.error}".rstrip()

    def figure(self, name: str) -> float | None:
        """Return a figure as a number, or the seconds; None where it is undefined."""
        value = self.seconds if name == "seconds" else self.score.get(name)
        return float(value) if isinstance(value, int | float) else None


def measured(cells: Sequence[Cell], jobs: int) -> Iterator[Measured]:
    """Yield what came of each cell as soon as it is done, in no particular order.

    Cells that a model answers wait for the network: they share this process, and so the model's
    cache, rate and pool. The others compute: each worker is a process of its own.
    """
    waiting = [cell for cell in cells if is_model(cell.arm.reasoner)]
    computing = [cell for cell in cells if not is_model(cell.arm.reasoner)]
    fresh = multiprocessing.get_context("spawn")  # a copy of this one would share open databases
    processes = partial(ProcessPoolExecutor, mp_context=fresh)
    for some, executor in ((computing, processes), (waiting, ThreadPoolExecutor)):
        if jobs == 1 or len(some) < 2:
            yield from map(measure, some)
            continue
        with executor(min(jobs, len(some))) as pool:
            under_way = [pool.submit(measure, cell) for cell in some]
            try:
                yield from (done.result() for done in completed(under_way))
            finally:
                pool.shutdown(cancel_futures=True)


def measure(cell: Cell) -> Measured:
    """Ask and score, faults included; raises HeadcountError without the corpus or the arm."""
    with isolated(cell.corpus, cell.workspace) as corpus:
        policy = cell.arm.over(settings_of(cell.arm.reasoner).policy())
        cache = cell.corpus.with_name("responses.sqlite")
        reader = reader_of(cell.arm.reasoner, cell.record, corpus, seed=cell.seed, cache=cache)
        context = context_under(policy, corpus, reader)
        passing = False
        try:
            if cell.arm.system in GOLD_SCHEMA:
                give_schema(cell.record, corpus)
            system = system_of(cell.arm.system)
            outcome = observed(system, cell.record, context)
        except Exception as error:  # noqa: BLE001 - a fault of what is measured is a measurement
            outcome = Outcome(error=f"{type(error).__name__}: {error}")
            passing = isinstance(error, ProviderError | CorpusError)
        names, gold = DocumentNames(corpus.documents), gold_chunks(cell.record, corpus)
        scored = score(cell.record, outcome, names, gold)
        if by_annotation(cell.arm.reasoner) and cell.record.asked is None:
            scored |= _NOT_COMPUTED if cell.record.intermediate_facts else {}
    return Measured(
        collection=cell.collection,
        arm=cell.arm.name,
        seed=cell.seed,
        score={**scored},
        error=outcome.error,
        passing=passing,
        seconds=outcome.seconds,
    )


@contextmanager
def isolated(corpus: Path, workspace: Path) -> Iterator[Corpus]:
    """Open a copy of a corpus in the workspace; what a question adds to it is gone afterwards.

    So no result depends on which questions came before: runs, looks and records that a question
    leaves behind are its own. A thread keeps its copy open, for what it looks up again and again,
    and what coherence was calibrated to, which the documents alone decide.
    """
    copied = _copied(corpus, workspace, threading.get_ident())
    names = [each.name for each in corpus.iterdir()]
    own = {*names} - _own("", names)
    try:
        yield copied
    finally:
        added = [each for each in copied.path.iterdir() if each.name not in {*own, "runs"}]
        added += [each for each in copied.runs.glob("*") if each.name != CALIBRATED]
        for each in added:
            shutil.rmtree(each) if each.is_dir() else each.unlink()


_own = shutil.ignore_patterns("runs", "records", "id", "*.lock")
"""What a question writes, by the names in a corpus."""


@lru_cache(maxsize=4)
def _copied(corpus: Path, workspace: Path, _thread: int) -> Corpus:
    into = Path(tempfile.mkdtemp(dir=workspace)) / corpus.name
    shutil.copytree(corpus, into, ignore=_own)
    return open_corpus(into)


@contextmanager
def passing_folder(place: Path | None = None) -> Iterator[Path]:
    """Give a folder, below a place if one is named, that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="headcount-eval-", dir=place) as own:
        try:
            yield Path(own)
        finally:  # a database that is closed while the folder goes writes into it
            _copied.cache_clear()
            gc.collect()
            close_forgotten()


_PLAN, _JOURNAL = "run.json", "journal.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run as it was left, finished or not."""

    plan: Plan
    measured: tuple[Measured, ...]

    @property
    def known(self) -> dict[Deciding, Measured]:
        """What was measured, by what decides it."""
        told = {each.name: each.told for each in self.plan.arms}
        return {
            (each.collection, told[each.arm], each.question, each.seed): each
            for each in self.measured
            if not each.passing
        }


def run(
    experiment: Experiment,
    into: Path,
    place: Path | None,
    say: Callable[[str], None],
    *,
    jobs: int = 1,
    known: Mapping[Deciding, Measured] = MappingProxyType({}),
) -> Run:
    """Measure what is not done yet, and return the whole run.

    Questions that a model's server or the index failed are not done; those that another run of the
    same code asked in the same way are `known`.

    A folder that holds the same experiment is gone on with; without a `place`, indexes and replies
    are thrown away.
    """
    if place is not None:
        place.mkdir(parents=True, exist_ok=True)
    with passing_folder(place) as own:
        plan, cells = laid_out(experiment, place or own, own, say)
        _begin(into, plan)
        journal = into / _JOURNAL
        if journal.exists():
            os.truncate(journal, len(_whole(journal)))  # or the next line joins one cut off
        done = {key for key, found in _done(journal).items() if not found.passing}
        for cell in (each for each in cells if each.key not in done and each.deciding in known):
            _add(known[cell.deciding].model_copy(update={"arm": cell.arm.name}), journal)
            done.add(cell.key)
        missing = [cell for cell in cells if cell.key not in done]
        if done:
            say(f"{len(cells) - len(missing)} of {len(cells)} were done before")
        for number, found in enumerate(measured(missing, jobs), start=1):
            _add(found, journal)
            say(f"{number}/{len(missing)} {found.collection} {found.arm} {found.line}")
    return load_run(into)


def _begin(root: Path, plan: Plan) -> None:
    """Begin a run in an empty folder, or go on with the run of the same plan."""
    told = json.dumps(plan.model_dump(mode="json"), ensure_ascii=False, indent=1, sort_keys=True)
    told, place = f"{told}\n", root / _PLAN
    root.mkdir(parents=True, exist_ok=True)
    if not place.exists() and any(root.iterdir()):
        raise SettingsError(f"{str(root)!r} is not empty and holds no run: choose another")
    if place.exists() and place.read_text(encoding="utf-8") != told:
        raise SettingsError(
            f"{str(root)!r} holds a run of other questions, arms, seed, settings or code: choose "
            "another folder"
        )
    replace_file(place, told)


def load_run(root: Path) -> Run:
    """Read a run, or what a killed one's journal has; raises SettingsError where there is none."""
    if not (root / _PLAN).is_file():
        raise SettingsError(f"{str(root)!r} holds no run: `headcount-eval ablate` makes one")
    try:
        plan = Plan.model_validate_json((root / _PLAN).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SettingsError(f"the run {str(root)!r} cannot be read: {error}") from error
    done = _done(root / _JOURNAL)
    return Run(plan=plan, measured=tuple(done[key] for key in plan.keys if key in done))


def _add(found: Measured, journal: Path) -> None:
    """Write down for good what was measured; measured again, it replaces what was there."""
    with journal.open("ab") as file:
        file.write(found.model_dump_json().encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def _done(journal: Path) -> dict[Key, Measured]:
    """Return everything that was written; raise SettingsError where it cannot be read."""
    try:
        found = [Measured.model_validate_json(line) for line in _whole(journal).splitlines()]
    except ValueError as error:
        raise SettingsError(
            f"the journal {str(journal)!r} cannot be read: choose another folder, or delete "
            "the journal and measure again"
        ) from error
    return {(each.collection, each.arm, each.question, each.seed): each for each in found}


def _whole(journal: Path) -> bytes:
    """Return the journal without a last line that a kill cut off."""
    written = journal.read_bytes() if journal.exists() else b""
    return written[: written.rfind(b"\n") + 1]
