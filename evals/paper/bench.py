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

    def measure(
        self, chapter: str, arms: Sequence[Arm], *, part: str = ""
    ) -> tuple[Run, list[Board]]:
        """Run a chapter's arms over its collections; what is done is not done again.

        Args:
            chapter: the plan's name for it.
            arms: the first is what the others are compared with.
            part: names a run of its own, where a chapter has several.

        Raises:
            HeadcountError: the data or an arm cannot be used.
        """
        name = f"{chapter}-{part}" if part else chapter
        experiment = Experiment(
            name=name,
            arms=tuple(arms),
            collections=tuple(self.collections(chapter)),
            seed=self.plan.seed,
        )
        self.place.mkdir(parents=True, exist_ok=True)
        root = self.runs / name
        done = run(experiment, root, self.place, self.say, jobs=self.jobs)
        return done, boards([(root, done)])
