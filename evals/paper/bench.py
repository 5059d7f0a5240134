"""What all chapters of a reproduction share: the plan, where things are kept, how to run."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from evals.experiments.arm import Arm
from evals.experiments.collection import Collection
from evals.experiments.experiment import Experiment
from evals.experiments.folder import Run
from evals.experiments.running import run
from evals.paper.plan import PaperPlan
from evals.reporting.board import Board, boards

__all__ = ("Bench",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """One reproduction."""

    plan: PaperPlan
    documents: Path
    """The folder that the plan's paths are below."""
    runs: Path
    """Where the chapters' runs are kept, so that a killed reproduction goes on."""
    jobs: int
    say: Callable[[str], None]

    @property
    def place(self) -> Path:
        """Where indexes and replies are kept."""
        return self.runs / "indexes"

    def collections(self, chapter: str) -> list[Collection]:
        """Return what a chapter is measured over."""
        return self.plan.of(chapter, self.documents)

    def measure(self, chapter: str, arms: Sequence[Arm]) -> tuple[Run, list[Board]]:
        """Run a chapter's arms over its collections; what is done is not done again.

        Raises:
            HeadcountError: the data or an arm cannot be used.
        """
        experiment = Experiment(
            name=chapter,
            arms=tuple(arms),
            collections=tuple(self.collections(chapter)),
            seed=self.plan.seed,
        )
        self.place.mkdir(parents=True, exist_ok=True)
        root = self.runs / chapter
        done = run(experiment, root, self.place, self.say, jobs=self.jobs)
        return done, boards([(root, done)])
