"""headcount-eval compare alignment: what becomes of pairs of names whose truth is known."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agent.errors import SettingsError
from evals.options import JsonFile
from evals.output import errors_told

if TYPE_CHECKING:
    from evals.compare.alignment_scores import Outcome, Scores

__all__ = ("alignment",)

_COLUMNS = ("pairs", "sure", "grey", "apart", "right", "wrong", "left out")


def alignment(
    names: Annotated[
        Path | None,
        typer.Option(
            help="Pairs of names, a JSON object a line with `left`, `right`, `same`, `kind`; the "
            "pairs written for this project where not given."
        ),
    ] = None,
    documents: Annotated[
        list[Path] | None,
        typer.Option(
            help="A folder of .txt files; give it again for another. Names from it are changed by "
            "rules that keep or change what they name."
        ),
    ] = None,
    count: Annotated[int, typer.Option(min=2, help="How many names of each folder.")] = 1000,
    scale: Annotated[
        int, typer.Option(min=0, help="Time the alignment of so many made names; 0 for none.")
    ] = 10_000,
    seed: Annotated[int, typer.Option(help="For the sample of names and its changes.")] = 0,
    json_file: JsonFile = None,
) -> None:
    """Align names of known truth: what the rules make one, what they leave to a reader.

    Precision and recall of the pairs that the rules call sure, recall of blocking (sure pairs and
    those a reader is asked about), the share left grey, and what the rules reasoner makes of it.
    """
    from evals.compare.alignment_pairs import changed_pairs, labelled_pairs, made_names, names_in
    from evals.compare.alignment_scores import judged, pace

    with errors_told():
        if json_file is not None and not json_file.absolute().parent.is_dir():
            raise SettingsError(f"--json {str(json_file)!r} is not in an existing folder")
        sets = {"labelled": labelled_pairs(names)}
        for folder in documents or ():
            sets[str(folder)] = list(changed_pairs(names_in(folder, count, seed), seed))
    paces = [pace(made_names(sets["labelled"], size, seed)) for size in (scale // 4, scale) if size]
    outcomes = {name: judged(pairs) for name, pairs in sets.items()}
    _show(outcomes, paces)
    if json_file is not None:
        json_file.write_text(_as_json(outcomes, paces), encoding="utf-8")


def _show(
    outcomes: Mapping[str, "Sequence[Outcome]"], paces: Sequence[Mapping[str, float]]
) -> None:
    from evals.compare.alignment_scores import Scores
    from evals.tables import markdown

    for name, each in outcomes.items():
        rows = [[kind, *_counts(of)] for kind, of in _by_kind(each).items()]
        typer.echo(markdown((name, *_COLUMNS), rows) + "\n")
    head = ("over all pairs", "precision", "recall", "blocking recall", "grey", "pairs")
    rows = [[name, *_figures(Scores.of(each))] for name, each in outcomes.items()]
    typer.echo(markdown(head, rows))
    if paces:
        told = ("names", "CPU seconds", "pairs compared", "of all pairs", "grey pairs")
        lines = [
            [str(int(each["names"])), f"{each['seconds']:.2f}", str(int(each["compared"])),
             f"{each['share']:.4f}", str(int(each["grey"]))]
            for each in paces
        ]  # fmt: skip
        typer.echo("\n" + markdown(told, lines))


def _by_kind(outcomes: "Sequence[Outcome]") -> "dict[str, list[Outcome]]":
    """Return outcomes by what their names differ in, those that are one first."""
    kinds: dict[str, list[Outcome]] = {}
    for each in sorted(outcomes, key=lambda one: not one.pair.same):
        mark = "" if each.pair.same else "not: "
        kinds.setdefault(f"{mark}{each.pair.kind}", []).append(each)
    return kinds


def _counts(outcomes: "Sequence[Outcome]") -> list[str]:
    from evals.compare.alignment_scores import Scores

    scores = Scores.of(outcomes)
    states = [sum(each.state == state for each in outcomes) for state in ("sure", "grey", "apart")]
    told = (scores.reasoner_right, scores.reasoner_wrong, scores.reasoner_left)
    return [str(figure) for figure in (len(outcomes), *states, *told)]


def _figures(scores: "Scores") -> list[str]:
    shares = (scores.sure_precision, scores.sure_recall, scores.blocking_recall, scores.grey)
    return ["-" if share is None else f"{share:.3f}" for share in shares] + [str(scores.pairs)]


def _as_json(
    outcomes: Mapping[str, "Sequence[Outcome]"], paces: Sequence[Mapping[str, float]]
) -> str:
    from evals.compare.alignment_scores import Scores

    told = {
        "sets": {name: asdict(Scores.of(each)) for name, each in outcomes.items()},
        "wrong": [
            {**each.pair.model_dump(), "state": each.state, "said": each.said}
            for each in chain.from_iterable(outcomes.values())
            if each.state == ("apart" if each.pair.same else "sure")
        ],
        "pace": list(paces),
    }
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"
