"""Clarification: what asking back is worth (DFA, table 8), from the strategies' ablation."""

import hashlib
from typing import Any

from pydantic import JsonValue

from evals.paper.bench import Bench
from evals.paper.kept import kept
from evals.paper.plan import ClarificationPlan
from evals.reporting.page import Section
from evals.reporting.table import Table
from evals.users import UserName

__all__ = ("clarification",)

_READER = "rules"
_USERS: dict[UserName, str] = {
    "scripted": "a user who says the reading in a phrase",
    "articulate": "a user who puts the whole question anew",
}
"""Who replies where no option means what is wanted."""
_FIGURES = ("accuracy", "nace_mean", "nace_median", "questions", "calls")
_HEADS = ("right reading", "NACE mean", "NACE median", "questions asked", "calls")
_STRATEGIES = {
    "none": "the question as it was read",
    "direct": "direct: one open question, then rewriting",
    "guided": "guided by the classification",
    "weighed": "guided, asked only where readings differ",
}


def clarification(bench: Bench) -> list[Section]:
    """Deal with ambiguity in four ways, each with two users; nothing without questions."""
    plan = bench.plan.clarification
    if plan is None:
        return []
    text = (
        "The embedded rules read, and two scripted users, who mean one of the readings, reply: a "
        "simulated model answers from labels, which say nothing of ambiguity. Both choose the "
        "option that means it; where there is none one says the reading in a phrase, the other "
        "puts the whole question anew. Right is an answer that is the wanted reading's."
    )
    measured = {user: _measured(bench, plan, user) for user in _USERS}
    return [
        Section(
            name="clarification",
            title="Asking back",
            text=[text],
            tables=[
                table
                for user, told in measured.items()
                for table in (_standings(told, user), _differences(told, user))
            ],
        )
    ]


def _measured(bench: Bench, plan: ClarificationPlan, user: UserName) -> dict[str, Any]:
    """Return the strategies' report, from disk where it was made before."""
    from evals.ablate.clarification import ablate
    from evals.ablate.clarification_command import user_maker
    from evals.ablate.clarification_report import report
    from evals.ambiguity.loading import load
    from evals.ambiguity.places import Places, checked
    from evals.conversation import opener_of
    from evals.corpora import Corpora
    from evals.trials import Trier

    questions = bench.documents / plan.questions
    loaded = load([questions], sample=plan.sample, seed=bench.plan.seed)
    asked: JsonValue = {
        "questions": hashlib.sha256(questions.read_bytes()).hexdigest(),
        "ids": [case.id for case in loaded.cases],
    }

    def measure() -> dict[str, JsonValue]:
        bench.say(f"clarification: {len(loaded.cases)} questions, {_USERS[user]}")
        bench.place.mkdir(parents=True, exist_ok=True)
        documents = checked(bench.documents / plan.documents)
        places = Places(documents, bench.place, Corpora(bench.place, bench.say))
        opener = opener_of(_READER, bench.place)
        trier = Trier(opener, user_maker(user, _READER, bench.place))
        found = list(ablate(loaded.cases, places, trier, opener.settings.policy()))
        return report(found, _READER, user, loaded.left_out)

    return kept(bench.runs / f"clarification-{user}.json", asked, measure)


def _standings(told: dict[str, Any], user: UserName) -> Table:
    groups = told["summary"]["by"]
    rows = [
        [f"{group}: {label}", *(_plain(standings[strategy][name]) for name in _FIGURES)]
        for group, standings in groups.items()
        for strategy, label in _STRATEGIES.items()
    ]
    failed = sum(standing["errors"] for standing in told["summary"]["strategies"].values())
    notes = [f"{told['summary']['n']} questions; {failed} answers ended in an error."]
    return Table(
        name=f"table-8-{user}",
        title=f"Counterpart of DFA, table 8: {_USERS[user]}",
        head=("questions: strategy", *_HEADS),
        rows=rows,
        notes=notes,
    )


def _differences(told: dict[str, Any], user: UserName) -> Table:
    names = ("accuracy", "nace_mean", "questions", "calls")
    rows = [
        [
            f"{each['strategy']} minus {each['minus']}",
            *(_between(each[name]) for name in names),
        ]
        for each in told["summary"]["differences"]
    ]
    head = ("strategies", "right reading", "NACE mean", "questions asked", "calls")
    notes = ["In brackets the 95 % interval of a paired bootstrap over questions."]
    return Table(
        name=f"table-8-{user}-differences",
        title=f"Each strategy minus the one before it: {_USERS[user]}",
        head=head,
        rows=rows,
        notes=notes,
    )


def _plain(figure: dict[str, Any]) -> str:
    return "–" if figure["value"] is None else f"{figure['value']:.3f}"


def _between(figure: dict[str, Any]) -> str:
    if figure["value"] is None:
        return "–"
    return f"{figure['value']:+.3f} [{figure['low']:+.3f}, {figure['high']:+.3f}]"
