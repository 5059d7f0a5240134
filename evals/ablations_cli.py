"""headcount-eval ablate: clarification, or any of the named variants of the product."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from agent.errors import QuestionError, SettingsError
from evals.output import (
    Codes,
    Documents,
    Expansion,
    Into,
    Jobs,
    JsonFile,
    KeepReplies,
    Limit,
    Model,
    Questions,
    ReadBy,
    Sample,
    Seed,
    check_target,
    collection,
    errors_told,
    say,
    working_folder,
    write_json,
)
from evals.variants import GROUPS, VARIANTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from evals.ambiguity.cases import Case, Loaded
    from evals.clarification import Ablated
    from evals.simulated_users import MakeUser

__all__ = ("app", "clarification", "user_maker", "variants")


def clarification(  # noqa: PLR0913, PLR0917 - an argument a flag
    questions: Annotated[
        list[Path],
        typer.Option(
            help="Questions whose readings have answers, one JSON object a line, in our format or "
            "that of AMBROSIA; give it again for another file."
        ),
    ],
    documents: Annotated[
        Path | None,
        typer.Option(help="The folder with the documents, for questions without a database."),
    ] = None,
    json_file: JsonFile = None,
    user: Annotated[
        str,
        typer.Option(
            help="Who replies: `scripted` (chooses what it means, else says its reading in a "
            "phrase), `articulate` (else puts the whole question anew), `terse`, `contradicting` "
            "itself, `unsure` of everything, or played by a `model`."
        ),
    ] = "scripted",
    user_model: Annotated[
        str | None, typer.Option(help="The model that plays the user; else the reasoner does.")
    ] = None,
    reasoner: Model = "gold",
    sample: Sample = None,
    seed: Seed = 0,
    limit: Limit = None,
    codes: Codes = "",
    keep: KeepReplies = None,
) -> None:
    """Ask each question once for every reading that somebody may want, under four strategies.

    `none` asks nothing, `direct` puts one open question instead of classifying, `guided` asks about
    every ambiguity found, `weighed` only where the readings come to different results. Told are how
    often the user gets what was meant, the count error, questions, turns and calls, and each
    strategy minus the one before it with a paired bootstrap interval.
    """
    from evals.ambiguity.cases import wanted_codes
    from evals.clarification import differences_table, report, standings_table

    with errors_told():
        check_target(json_file)
        with working_folder(keep) as place:
            asked, left_out = ablated(
                questions,
                documents,
                reasoner=reasoner,
                user=user_maker(user, user_model or reasoner, place),
                place=place,
                tell=say,
                chosen={
                    "codes": wanted_codes(codes),
                    "sample": sample,
                    "seed": seed,
                    "limit": limit,
                },
            )
        typer.echo(f"{standings_table(asked)}\n\n{differences_table(asked)}")
        write_json(report(asked, reasoner, user, left_out), json_file)


def ablated(
    questions: "Sequence[Path]",
    documents: Path | None,
    *,
    reasoner: str,
    user: "MakeUser",
    place: Path,
    tell: "Callable[[str], None]",
    chosen: "Mapping[str, Any] | None" = None,
) -> "tuple[list[Ablated], Mapping[str, int]]":
    """Ask the questions of some files under every strategy; also say how many are left out.

    Args:
        questions: files in our format or that of AMBROSIA.
        documents: what is asked over; None where each question has a database.
        reasoner: who reads.
        user: makes who replies.
        place: where indexes and replies are kept.
        tell: told of each question.
        chosen: which questions are taken, as `evals.ambiguity.cases.load` has it.

    Raises:
        HeadcountError: the questions, the documents or the reasoner cannot be used.
    """
    from evals.ambiguity.cases import load
    from evals.ambiguity.rendered import Places, checked
    from evals.clarification import ablate
    from evals.scope import Corpora
    from evals.simulated_users import Trier, opener_of

    cases, left_out = _answerable(load(questions, **(chosen or {})), reasoner)
    opener = opener_of(reasoner, place)
    places = Places(checked(documents), place, Corpora(place, tell))
    found = ablate(cases, places, Trier(opener, user), opener.settings.policy())
    asked = list(_told(found, len(cases)))
    if not asked:
        raise QuestionError("no question has a reading whose answer is known")
    return asked, left_out


def _answerable(loaded: "Loaded", reasoner: str) -> "tuple[Sequence[Case], Mapping[str, int]]":
    """Leave out what the annotation is to answer, but cannot.

    Raises:
        QuestionError: nothing is left.
    """
    from evals.annotated.interpreting import is_annotated
    from evals.readers import by_annotation, check_annotated

    if not by_annotation(reasoner):
        return loaded.cases, loaded.left_out
    known = [each for each in loaded.cases if each.record and is_annotated(each.record)]
    check_annotated(reasoner, [each.record for each in known if each.record])
    missing = len(loaded.cases) - len(known)
    if missing:
        say(f"{missing} questions are left out: a reading names no conditions or documents")
    return known, {**loaded.left_out, "not annotated": missing} if missing else loaded.left_out


def user_maker(user: str, model: str, place: Path) -> "MakeUser":
    """Return what makes the user of that name for an intent.

    Raises:
        SettingsError: there is none of that name, or no model to play it.
    """
    from agent.reasoners import select_reasoner
    from agent.settings import load_settings
    from evals.readers import by_annotation
    from evals.simulated_users import USERS, user_of

    name = next((each for each in USERS if each == user), None)
    if name is None:
        raise SettingsError(f"there is no user {user!r}; choose one of {', '.join(USERS)}")
    if name != "model":
        return lambda intent: user_of(name, intent)
    if by_annotation(model):
        raise SettingsError(f"{model!r} cannot play a user: name a model with --user-model")
    player = select_reasoner(load_settings(model=model), cache=place / "user.sqlite")
    if "write" not in player.abilities:
        raise SettingsError(f"{player.name!r} cannot play a user: name a model with --user-model")
    return lambda intent: user_of(name, intent, player)


def _told(found: "Iterator[Ablated]", total: int) -> "Iterator[Ablated]":
    """Report each question on stderr as it is answered."""
    for number, each in enumerate(found, start=1):
        right = ", ".join(
            f"{strategy} {sum(trial.right for trial in trials)}"
            for strategy, trials in each.trials.items()
        )
        say(f"{number}/{total} {each.case.id}: of {len(each.case.intended)} readings {right}")
        yield each


def variants(  # noqa: PLR0913, PLR0917 - an argument a flag
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME…",
            help="Ablations or groups of them: search, filtering, batching, disambiguation; a "
            "wrong name lists all.",
        ),
    ],
    questions: Questions,
    documents: Documents,
    into: Into,
    expansion: Expansion = None,
    reasoner: ReadBy = "gold",
    limit: Limit = None,
    sample: Sample = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    keep: KeepReplies = None,
) -> None:
    """Ask the same questions of the product and of the product without one of its parts.

    A run that was killed goes on where it was when the command is given again; a model's replies
    are kept only with `--keep`. Printed are quality, cost and each variant minus the whole, with
    the interval of a paired bootstrap; `headcount-eval report RUN --into DIR` writes a file.
    """
    from evals.experiment_report import run_and_tell
    from evals.variants import arms_of

    with errors_told():
        asked = collection(questions, documents, expansion, limit=limit, sample=sample, seed=seed)
        arms = arms_of(tuple(names), reasoner)
        run_and_tell(" ".join(names), arms, asked, into, keep=keep, jobs=jobs)


class _ByVariant(TyperGroup):
    """Takes a variant's or a group's name for a command: `ablate search …`, `ablate no-audit …`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the arguments name, and the arguments it is given."""
        if args and (args[0] in VARIANTS or args[0] in GROUPS):
            return super().resolve_command(ctx, ["variants", *args])
        return super().resolve_command(ctx, args)


app = typer.Typer(
    cls=_ByVariant,
    no_args_is_help=True,
    help="Take a part of Headcount away, and see on the same questions what is lost.",
    epilog=f"Variants, as commands: {', '.join((*GROUPS, *VARIANTS))}.",
)


@app.callback()
def ablate() -> None:
    """Take a part of Headcount away, and see on the same questions what is lost."""


app.command("clarification")(clarification)
app.command("variants")(variants)
