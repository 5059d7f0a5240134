"""One question to the leases, in this process or by the command line, and what must hold of it."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from agent.answer import Answer
from agent.policy import Policy
from agent.reasoner import Reasoner
from agent.state import State
from evals.ablation import Ablation, context_under
from graphs.apps.cli import app
from graphs.apps.exits import Exit
from graphs.conversation import RunState
from graphs.headcount import build_graph
from tests.fake_provider.server import FakeProvider
from tests.graphs.conftest import PETS
from tests.graphs.leaving_out import LEFT_OUT, left_out
from tools.corpus.corpus import Corpus

QUESTION = "How many leases allow the tenant to keep a pet?"
GOLD = [f"lease-{number:02}" for number in sorted(PETS)]
MANY_REQUESTS = {
    LEFT_OUT: "scan feedback",
    "HEADCOUNT_AUDIT": "0",
    "HEADCOUNT_FEW_CANDIDATES": "10",
    "HEADCOUNT_BATCH_TOKENS": "1",
    "HEADCOUNT_WAVE": "4",
    "HEADCOUNT_CONCURRENCY": "3",
}
"""Settings under which every node asks and exactly the candidates are judged, each by itself."""
IDEAL = 29
"""Requests of a whole run under them: 5 up to the end of filtering, 24 to judge."""
FILTERED = Ablation(few_candidates=10, scan=False, feedback=False, audit=0)
"""Exactly what filtering leaves is judged."""


@dataclass(frozen=True, slots=True)
class Printed:
    """What a command left behind."""

    code: int
    stdout: str
    stderr: str

    @property
    def answer(self) -> dict[str, Any]:
        """The one JSON object on stdout."""
        told: dict[str, Any] = json.loads(self.stdout)
        return told


def answered(corpus: Corpus, reasoner: Reasoner, policy: Policy | None = None) -> Answer:
    """Ask the question of the graph itself."""
    built: Answer = ended(corpus, reasoner, policy or Policy()).answer
    return built


def ended(corpus: Corpus, reasoner: Reasoner, policy: Policy, **more: Any) -> State:
    """Ask the question of the graph itself and return the state at the end."""
    context = context_under(policy, corpus, reasoner, **more)
    with context.store:
        return RunState(**_graph().invoke({"question": QUESTION}, context=context))


@cache
def _graph() -> Any:
    """Compile the graph once: it keeps nothing between runs."""
    return build_graph()


def command(place: Path, provider: FakeProvider, *more: str) -> list[str]:
    """Return the arguments of `headcount` that ask the question, or resume a run."""
    asked = () if "--resume" in more else (QUESTION,)
    server = ("--model", "fake", "--base-url", provider.url)
    return ["ask", str(place), *asked, *server, "--on-ambiguity", "assume", "--json", *more]


def printed(arguments: Sequence[str], settings: Mapping[str, str] | None = None) -> Printed:
    """Run a command in this process."""
    with left_out(settings or {}):
        result = CliRunner().invoke(app, arguments, env=settings)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Printed(result.exit_code, result.stdout, result.stderr)


def by_command(
    place: Path,
    provider: FakeProvider,
    *more: str,
    settings: Mapping[str, str] = MANY_REQUESTS,
) -> Printed:
    """Ask by the command line, in this process."""
    return printed(command(place, provider, *more), settings)


def complaint(told: Printed) -> str:
    """Return the one line that a failed command says; in JSON asked for it stands, too."""
    assert told.code == Exit.ERROR
    assert "Traceback" not in told.stderr
    (line,) = [each for each in told.stderr.splitlines() if each.startswith("headcount: ")]
    assert not told.stdout or told.answer["error"] == line.removeprefix("headcount: ")
    return line


def names(answer: Answer) -> list[str]:
    """Return the entities' names."""
    return [entity.name for entity in answer.entities]


def adds_up(answer: Answer) -> bool:
    """Tell whether every chunk is in exactly one state."""
    told = answer.coverage
    parts = told.pruned + told.judged + told.unparsable + told.failed + told.unseen
    return parts == told.chunks


def quotes_hold(answer: Answer, corpus: Corpus) -> bool:
    """Tell whether every quote stands in its document at its offsets."""
    return all(
        corpus.document_text(corpus.document_index(each.document))[each.start : each.end]
        == each.quote
        for entity in answer.entities
        for each in entity.evidence
    )


def is_true(answer: Answer, corpus: Corpus, gold: Collection[str] = GOLD) -> bool:
    """Tell whether sums, quotes, names and bounds hold, whatever was not read."""
    low, high = answer.bounds or (0, 0)
    true = set(names(answer)) <= set(gold) and low <= len(answer.entities) <= len(gold) <= high
    return true and adds_up(answer) and quotes_hold(answer, corpus)


def same_but_for_the_bill(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return an answer's JSON without what another run of it may have otherwise."""
    kept = {name: value for name, value in told.items() if name not in {"cost", "run"}}
    return json.loads(json.dumps(kept).replace(told["run"], "RUN"))
