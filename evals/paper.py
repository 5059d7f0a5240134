"""headcount-eval paper: the counterparts of the papers' tables, by one command, offline.

A plan in TOML says which systems are asked which questions; a chapter is a run of arms that is
kept, so that a killed reproduction goes on, and is reported like any other run.
"""

import shutil
import tomllib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from pydantic import Field, ValidationError, model_validator

from agent.errors import SettingsError
from agent.value import Value
from evals.annotated.skill import PREFIX, skill_of
from evals.answered_readings import asking, tables
from evals.clarification import answerable, strategies_tables
from evals.clarification import asking as ablated
from evals.compare.batching import cases, compare_methods, table
from evals.experiment import Arm, Collection, Deciding, Experiment, Measured, arms_of, run
from evals.question_sets.invented_documents import build_invented
from evals.question_sets.several_readings import build_readings
from evals.questions import load
from evals.report import Board, board_section, boards, provenance, section, write_report
from evals.scopes import Corpora
from evals.variants import WHOLE
from tools.packing import Limits

_DATA: Final = Path(__file__).with_name("data")
STATEMENTS: Final = Collection(
    name="statements", questions=_DATA / "statements.jsonl", documents=_DATA / "plain_drawn"
)
"""What strangers wrote and asked by meaning, with quotes by others; any plan may take it."""
_TITLE: Final = "Counterparts of the papers' tables, measured offline"
_TOKENS = 6000
"""How many a batch may hold."""


class Batched(Value):
    """The collections whose candidates are batched by each method."""

    collections: tuple[str, ...] = Field(min_length=1)
    sample: int | None = None
    """Questions drawn from each; None takes all."""


class Chapter(Batched):
    """Systems and variants over collections, each with every reader."""

    name: str
    title: str
    note: str = ""
    """What is to be known of its figures."""
    systems: tuple[str, ...] = ("main",)
    """Without any, the first variant is what the others are compared with."""
    variants: tuple[str, ...] = ()
    readers: tuple[str, ...] = ()
    """Empty takes the plan's."""


class Asking(Value):
    """Ambiguous questions whose readings have answers."""

    questions: str
    documents: str


class Mined(Value):
    """Where questions with several readings are mined for ADF."""

    folders: tuple[str, ...] = Field(min_length=1)
    most: int = 40
    """Questions of each folder."""


class PaperPlan(Value):
    """Everything that a reproduction asks."""

    seed: int = 0
    sample: int | None = None
    """Questions drawn from each collection, whatever a chapter says."""
    seeds: tuple[int, ...] = (0,)
    """Each question is asked with each, by readers that err."""
    reasoner: str
    """Who reads in every chapter that does not say otherwise."""
    note: str = ""
    """What is to be known of the collections."""
    collections: tuple[Collection, ...]
    """With their paths below one folder."""
    invented: tuple[str, ...] = ()
    """Domains whose documents and questions are invented first: collections of these names."""
    chapters: tuple[Chapter, ...]
    batching: Batched | None = None
    clarification: Asking | None = None
    readings: Mined | None = None

    @model_validator(mode="after")
    def _names_what_there_is(self) -> "PaperPlan":
        known = {each.name for each in (*self.collections, STATEMENTS)}.union(self.invented)
        for chapter in (*self.chapters, *filter(None, [self.batching])):
            unknown = sorted(set(chapter.collections) - known)
            if unknown:
                raise ValueError(f"a chapter takes the unknown collection {unknown[0]!r}")
        return self

    def of(self, chapter: Batched, root: Path) -> list[Collection]:
        """Return the collections of a chapter, with their paths below a folder."""
        given = {each.name: each for each in self.collections}
        drawn = {"sample": self.sample or chapter.sample, "seed": self.seed}
        found = []
        for name in chapter.collections:
            paths = {key: root / at for key, at in given[name] if isinstance(at, Path)}
            found.append(given[name].model_copy(update=paths | drawn))
        return found


def load_plan(path: Path | None) -> PaperPlan:
    """Read a plan, or else the one that is shipped; raises SettingsError where it is none."""
    place = path or _DATA / "paper.toml"
    try:
        return PaperPlan.model_validate(tomllib.loads(place.read_text(encoding="utf-8")))
    except (OSError, tomllib.TOMLDecodeError, ValidationError) as error:
        raise SettingsError(f"the plan {str(place)!r} cannot be used: {error}") from error


def arms(chapter: Chapter, reasoner: str) -> Iterator[Arm]:
    """Yield a chapter's arms; the first is what the others are compared with."""
    for reader in chapter.readers or (reasoner,):
        made = [
            Arm(name=WHOLE if each == "main" else each, system=each, reasoner=reader)
            for each in chapter.systems
        ]
        made += arms_of(chapter.variants, reader)[1:]
        for each in made:
            name = f"{each.name} @ {reader}" if chapter.readers else each.name
            yield each.model_copy(update={"name": name})


def reproduce(
    plan: PaperPlan,
    documents: Path,
    into: Path,
    *,
    jobs: int,
    say: Callable[[str], None],
) -> Path:
    """Measure every chapter of the plan and write the report; return it.

    Runs and indexes are kept beside the report's folder, under its name and `.runs`. The report is
    written anew after each chapter, so that one which is killed leaves what is done.
    """
    runs = into.with_name(f"{into.name}.runs").absolute()
    built = (*plan.collections, STATEMENTS, *_invented(plan, runs))
    plan = plan.model_copy(update={"collections": built})
    indexes = runs / "indexes"
    indexes.mkdir(parents=True, exist_ok=True)
    written, known = _lead(plan), dict[Deciding, Measured]()

    def add(part: str) -> Path:
        written.append(part)
        return write_report(into, _TITLE, *written)

    for chapter in plan.chapters:
        say(f"chapter {chapter.name}")
        experiment = Experiment(
            name=chapter.name,
            arms=tuple(arms(chapter, plan.reasoner)),
            collections=tuple(plan.of(chapter, documents)),
            seeds=plan.seeds,
        )
        root = runs / chapter.name
        done = run(experiment, root, indexes, say, jobs=jobs, known=known)
        known |= done.known
        told = filter(None, (chapter.note, *provenance([done])))
        graphs = [each.name for each in experiment.arms if each.system == "main"]
        found = boards([(root, done)])
        parts = [f"{board_section(each)}\n\n{_filtered(each, graphs)}".rstrip() for each in found]
        place = add("\n\n".join([section(chapter.title, *told), *parts]))
    if plan.batching is not None:
        say("chapter batching")
        place = add(_batching(plan.of(plan.batching, documents), Corpora(indexes, say)))
    if plan.clarification is not None:
        say("chapter clarification")
        place = add(_clarification(plan.clarification, documents, indexes, say))
    if plan.readings is not None:
        say("chapter readings")
        place = add(_readings(plan, plan.readings, documents, runs, say, jobs=jobs))
    return place


def _invented(plan: PaperPlan, runs: Path) -> Iterator[Collection]:
    """Yield the collections of invented documents; what was begun and left is invented anew."""
    for name in plan.invented:
        into = runs / name
        if not (into / "questions.jsonl").exists():
            shutil.rmtree(into, ignore_errors=True)
            build_invented(name, into, plan.seed, None, None)
        yield Collection(name=name, questions=into / "questions.jsonl", documents=into / "docs")


def _filtered(board: Board, names: Sequence[str]) -> str:
    """Say on what share of its answers each of these arms called a filter."""
    told = []
    for name in (each for each in board.columns if each in names):
        calls = [each.figure("filter_calls") or 0 for each in board.columns[name].answers]
        told.append(f"{name} {sum(each > 0 for each in calls)} of {len(calls)}")
    return f"Answers with filter calls: {', '.join(told)}." if told else ""


def _batching(collections: Sequence[Collection], corpora: Corpora) -> str:
    """Batch the same candidates by each method (DFA, tables 6 and 9)."""
    told = []
    for collection in collections:
        found = compare_methods(list(cases(collection, corpora)), Limits(_TOKENS))
        told.append(f"{collection.name}: {table(found)}")
    return section("Batching (DFA, tables 6 and 9)", *told)


def _clarification(
    asking: Asking, documents: Path, indexes: Path, say: Callable[[str], None]
) -> str:
    """Deal with ambiguity in four ways (DFA, table 8)."""
    records = answerable(load(documents / asking.questions), "gold")
    asked = list(ablated(records, documents / asking.documents, "gold", indexes, say))
    told = f"{len(asked)} questions whose readings the annotation can answer, by gold."
    return section("Asking back (DFA, table 8)", told, strategies_tables(asked))


def _readings(
    plan: PaperPlan,
    mined: Mined,
    documents: Path,
    runs: Path,
    say: Callable[[str], None],
    *,
    jobs: int,
) -> str:
    """Answer questions with several readings by ADF and its baselines (ADF, tables 2 and 5)."""
    into, most = runs / "readings", min(mined.most, plan.sample or mined.most)
    if not (into / "questions.jsonl").exists():
        shutil.rmtree(into, ignore_errors=True)
        folders = [documents / each for each in mined.folders]
        build_readings(folders, into, say, most=most, seed=plan.seed)
    asked = asking(into, plan.reasoner, runs / "indexes", say, seed=plan.seeds[0], jobs=jobs)
    return section("Answering in several readings (ADF, tables 2 and 5)", tables(asked))


def _lead(plan: PaperPlan) -> list[str]:
    reader = (
        f"No language model was asked. The reader is {plan.reasoner}: it answers from the "
        "questions' annotation and the labels of the passages that a method shows it, and errs by "
        "a seed and the place of the evidence, whichever method shows it"
    )
    if plan.reasoner.startswith(PREFIX):
        rates = skill_of(plan.reasoner).model_dump(exclude={"seed"})
        told = ", ".join(f"{task.replace('_', ' ')} {rate:g}" for task, rate in rates.items())
        reader = f"{reader}, at these rates: {told}"
    limits = (
        "What cannot be concluded: how methods rank with a real reader. This one interprets every "
        "question right, errs in one passage whatever it did in the last, loses nothing in a long "
        "request, gains nothing by coherent ones, and searches by a fixed list of words, where a "
        "model would learn from what it reads. Misses and false alarms are of the size that "
        "careful readers of contracts had, by lawyers' labels (chapter read); all other rates are "
        "assumed: see the chapter sweep. On a small collection careful readers in a model's place "
        "contradict the order (docs/figures.md)."
    )
    return [
        f"{reader}.",
        limits,
        plan.note,
        "Each table says which sample of the questions it is of, and what failed.",
    ]
