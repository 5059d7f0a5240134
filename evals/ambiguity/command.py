"""headcount-eval ambiguity: is ambiguity found, and does the person get what was meant?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agent.errors import SettingsError
from evals.output import (
    Codes,
    JsonFile,
    KeepReplies,
    Limit,
    Model,
    Sample,
    Seed,
    check_target,
    errors_told,
    say,
    working_folder,
    write_json,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from agent.policy import Policy
    from evals.ambiguity.cases import Case
    from evals.ambiguity.examined import Examined

__all__ = ("ambiguity", "examining")


def ambiguity(  # noqa: PLR0913, PLR0917 - an argument a flag
    questions: Annotated[
        list[Path],
        typer.Option(
            help="Questions whose ambiguity is known, one JSON object a line, in our format or "
            "that of AMBROSIA or CLAMBER; give it again for another file."
        ),
    ],
    documents: Annotated[
        Path | None,
        typer.Option(
            help="The folder with the documents. A question with a database is asked over that "
            "instead; one with no corpus at all, over its own words where no folder is given."
        ),
    ] = None,
    json_file: JsonFile = None,
    reasoner: Model = "rules",
    sample: Sample = None,
    seed: Seed = 0,
    limit: Limit = None,
    codes: Codes = "",
    *,
    rewriting: Annotated[
        bool,
        typer.Option(
            help="Also let a simulated user want each reading whose answer is known, and compare "
            "what the user gets."
        ),
    ] = True,
    gate: Annotated[
        str | None,
        typer.Option(
            help="When a paid reasoner is not asked for ambiguities: `coherence`, `screen` or "
            "`off`; what each would skip is told in any case."
        ),
    ] = None,
    calibration: Annotated[
        str | None,
        typer.Option(help="Thresholds of coherence: `calibrated`, `ambignq` or `asqa`."),
    ] = None,
    keep: KeepReplies = None,
) -> None:
    """Classify every question, and see whether a user who means one of its readings gets it.

    Told are accuracy and F1 per code, macro F1, false alarms on clear questions, how many of those
    are asked back, and the rewriting accuracy: how often the final answer is the one of the reading
    that the user has in mind. Policy and budget are those of the settings, but the person is asked.
    When every question fails, the exit code is 1.
    """
    from evals.ambiguity.cases import load, wanted_codes
    from evals.ambiguity.examined import codes_table, questions_table, report, summary, total_table

    with errors_told():
        check_target(json_file)
        loaded = load(questions, codes=wanted_codes(codes), sample=sample, seed=seed, limit=limit)
        with working_folder(keep) as place:
            knobs = {"gate": gate, "calibration": calibration}
            session = examining(
                loaded.cases, documents, reasoner, place, users=rewriting, knobs=knobs
            )
            found = list(_told(session, len(loaded.cases)))
        total = summary(found, reasoner, loaded.left_out)
        tables = (questions_table(found), codes_table(total))
        typer.echo("\n\n".join((*tables, total_table(total))))
        write_json(report(found, total), json_file)
    if all(each.found.error for each in found):
        say(f"error: every question failed, the first with {found[0].found.error}")
        raise typer.Exit(1)


def examining(
    cases: "Sequence[Case]",
    documents: Path | None,
    reasoner: str,
    place: Path,
    *,
    users: bool,
    knobs: "Mapping[str, str | None] | None" = None,
) -> "Iterator[Examined]":
    """Put together what the command line says; `knobs` are of the policy, None as in the settings.

    Raises:
        HeadcountError: the documents or the reasoner cannot be used, or a knob has no such value.
    """
    from evals.ambiguity.examined import examine
    from evals.ambiguity.rendered import Places, checked
    from evals.scope import Corpora
    from evals.simulated_users import Articulate, Trier, opener_of

    opener = opener_of(reasoner, place)
    places = Places(checked(documents), place, Corpora(place, say))
    trier = Trier(opener, Articulate) if users else None
    return examine(cases, places, opener, _turned(opener.settings.policy(), knobs or {}), trier)


def _turned(policy: "Policy", knobs: "Mapping[str, str | None]") -> "Policy":
    from pydantic import ValidationError

    from agent.policy import Policy

    given = {name: value for name, value in knobs.items() if value is not None}
    try:
        return Policy.model_validate({**policy.model_dump(), **given})
    except ValidationError as error:
        (problem,) = error.errors(include_url=False)[:1]
        raise SettingsError(f"--{problem['loc'][0]}: {problem['msg']}") from error


def _told(found: "Iterator[Examined]", total: int) -> "Iterator[Examined]":
    """Report each question on stderr as it is answered."""
    for number, each in enumerate(found, start=1):
        codes = "+".join(each.found.codes) or "clear"
        gold = "+".join(each.case.codes) or "clear"
        right = sum(trial.right for trial in each.trials)
        users = f", {right} of {len(each.trials)} readings" if each.trials else ""
        line = f"{number}/{total} {each.case.id}: {codes}, gold {gold}{users} {each.found.error}"
        say(line.rstrip())
        yield each
