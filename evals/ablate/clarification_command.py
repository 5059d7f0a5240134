"""headcount-eval ablate clarification: what asking back is worth, and what it costs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agent.errors import QuestionError, SettingsError
from evals.options import Codes, JsonFile, KeepReplies, Limit, Model, Sample, Seed
from evals.output import check_target, errors_told, say, working_folder, write_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from evals.ablate.clarification import Ablated
    from evals.ambiguity.case import Case
    from evals.ambiguity.loading import Loaded
    from evals.trials import MakeUser

__all__ = ("clarification", "user_maker")


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
    from evals.ablate.clarification import ablate
    from evals.ablate.clarification_report import differences_table, report, standings_table
    from evals.ambiguity.loading import load, wanted_codes
    from evals.ambiguity.places import Places, checked
    from evals.conversation import opener_of
    from evals.corpora import Corpora
    from evals.trials import Trier

    with errors_told():
        check_target(json_file)
        loaded = load(questions, codes=wanted_codes(codes), sample=sample, seed=seed, limit=limit)
        cases, left_out = _answerable(loaded, reasoner)
        with working_folder(keep) as place:
            opener = opener_of(reasoner, place)
            trier = Trier(opener, user_maker(user, user_model or reasoner, place))
            places = Places(checked(documents), place, Corpora(place, say))
            found = ablate(cases, places, trier, opener.settings.policy())
            asked = list(_told(found, len(cases)))
        if not asked:
            raise QuestionError("no question has a reading whose answer is known")
        typer.echo(f"{standings_table(asked)}\n\n{differences_table(asked)}")
        write_json(report(asked, reasoner, user, left_out), json_file)


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
    from evals.users import USERS, user_of

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
