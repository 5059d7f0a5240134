"""headcount-eval compare: one command a comparison, each registered by a line."""

import json
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from agent.errors import QuestionError, SettingsError
from evals.output import (
    Documents,
    Expansion,
    Into,
    Jobs,
    JsonFile,
    KeepIndexes,
    KeepReplies,
    Limit,
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

__all__ = ("app", "batching", "bounds_command", "search", "systems")


def batching(
    *,
    questions: Questions,
    documents: Annotated[
        Path, typer.Option(help="The folder with the documents; as for `run`, each over its scope.")
    ],
    expansion: Annotated[
        Path | None,
        typer.Option(
            help="Add this folder of unrelated documents to every scope; where its manifest.json "
            "has `valid_question_ids`, only those questions are taken."
        ),
    ] = None,
    candidates: Annotated[
        str,
        typer.Option(
            help="`filtered`: what the product keeps, by the embedded rules; `ranked:N`: the first "
            "N by BM25 and embedding fused; `all`: every chunk."
        ),
    ] = "ranked:200",
    limit: Annotated[int, typer.Option(min=1, help="Tokens a batch may hold.")] = 6000,
    json_file: JsonFile = None,
    keep: KeepIndexes = None,
) -> None:
    """Batch every question's candidates by each method; sum its calls and its pairs.

    LC counts the calls of the model, one a batch. CP counts the pairs of candidates that name the
    same entity but stand in two batches, so that what was found of it must be brought together
    afterwards: both hold evidence of the same document of the answer. Where no labels tell, pairs
    that are similar (cosine of TF-IDF ⊕ embedding at least 0.5) stand in. Beside it, pairs of every
    kind, also those with evidence for the same condition, are counted. k-means and the Gaussian
    mixture get as many clusters as full batches would do; a cluster above the limit is cut in
    document order. Ours is also measured without each of its parts.
    """
    from evals.compare.batching_cases import cases, choice
    from evals.compare.batching_scores import compare, report, table
    from tools.batching import Limits

    with errors_told():
        check_target(json_file)
        with working_folder(keep) as place:
            chosen = choice(candidates)
            found = compare(
                list(cases(questions, documents, expansion, chosen, place, say)), Limits(limit)
            )
            typer.echo(table(found))
            write_json(report(found), json_file)


_SIZES = (50, 100, 200, 400)


def bounds_command(  # noqa: PLR0913, PLR0917 - an argument a flag
    questions: Annotated[
        Path, typer.Option(help="Questions with `gold_evidence`, one JSON object a line.")
    ],
    documents: Annotated[
        Path,
        typer.Option(help="Their folder; questions over another folder beside it are left out."),
    ],
    seeds: Annotated[int, typer.Option(min=1, help="Searches a question and audit size.")] = 200,
    sizes: Annotated[
        list[int] | None,
        typer.Option(
            "--size", min=2, help="Chunks an audit reads; give it again for each size to try."
        ),
    ] = None,
    misses: Annotated[
        float, typer.Option(min=0, max=1, help="Relevant chunks that the judge refuses, a share.")
    ] = 0.13,
    alarms: Annotated[
        float, typer.Option(min=0, max=1, help="Other chunks that the judge accepts, a share.")
    ] = 0.001,
    limit: Limit = None,
    json_file: JsonFile = None,
) -> None:
    """Search with audits, seed by seed, and compare what the bounds say with what is so.

    A filter by word ranking, good or poor, loses some of the relevant chunks; a judge with errors
    reads what is left; audits follow, at most four, until 90 % recall is proven, each leading the
    search to where it had hits. Reported are how often the stated 95 % bound held after every look,
    of what this judge calls relevant and, with and without a second opinion, of the truth; and how
    far below the recall it lay. The exit code is 1 where it held in fewer than 95 % of the runs.
    """
    from evals.compare.bounds_trials import Judge, by_prevalence, cases, report, simulate, table
    from evals.questions import load
    from evals.scope import Corpora
    from tools.audit.recall_bounds import CONFIDENCE

    judge = Judge(misses=misses, alarms=alarms)
    with errors_told():
        with tempfile.TemporaryDirectory(prefix="headcount-eval-") as place:
            records = load(questions, limit)
            asked = list(cases(records, documents, Corpora(Path(place), say)))
        if not asked:
            raise QuestionError(f"no question has a relevant chunk in {str(documents)!r}")
    found = simulate(asked, judge, sizes or _SIZES, seeds, say)
    typer.echo(table(found))
    if json_file is not None:
        told = {
            "confidence": CONFIDENCE,
            "seeds": seeds,
            "questions": len(asked),
            "judge": {"misses": misses, "alarms": alarms},
            "bounds": report(found),
        }
        json_file.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    held = [figures.held for trials in found.values() for _, figures in by_prevalence(trials)]
    if min(held) < CONFIDENCE:
        say(f"error: a bound stated at {CONFIDENCE:.0%} held in {min(held):.1%} of the runs")
        raise typer.Exit(1)


def search(
    questions: Annotated[
        Path, typer.Option(help="Questions with `gold_evidence`, one JSON object a line.")
    ],
    documents: Annotated[
        Path,
        typer.Option(help="Their folder; questions over another folder beside it are left out."),
    ],
    reasoner: Annotated[str, typer.Option(help="Who judges: only `gold`, by the labels.")] = "gold",
    limit: Limit = None,
    json_file: JsonFile = None,
    keep: KeepIndexes = None,
) -> None:
    """Find the chunks that overlap evidence, reading by one order or another until all are found.

    Scans in document order and at random; BM25, the embedding and both fused, by the annotated
    conditions (`fused_question`: by the question as asked); the product's
    filters alone, then the rest, in document order or by the fused ranking; feedback by whole
    chunks (`plain_feedback`) and the product's (`headcount`); the gold chunks first (`oracle`).
    Told is the share of the corpus read when 80, 95 and 100 percent of a question's gold chunks
    are found, averaged over questions.
    """
    from evals.compare.search_case import cases
    from evals.compare.search_curves import compare, report, table

    with errors_told():
        check_target(json_file)
        _check(reasoner)
        with working_folder(keep) as place:
            results = compare(cases(questions, documents, place, say, limit), say)
        if not results:
            raise QuestionError(f"{str(questions)!r} has no question with evidence in {documents}")
        typer.echo(table(results))
        write_json(report(results), json_file)


def _check(reasoner: str) -> None:
    """Raise SettingsError, before anything is read, for what cannot be done."""
    if reasoner != "gold":
        raise SettingsError(f"reasoner {reasoner!r} cannot judge here: use gold")


def systems(  # noqa: PLR0913, PLR0917 - an argument a flag
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME…",
            help="Systems: `main`, `analyst`, a baseline such as `naive-rag-10` (a wrong name "
            "lists all); the first is what the others are compared with.",
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
    """Ask the same questions of several systems, over the same chunks and with the same reader.

    A run that was killed goes on where it was when the command is given
    again; a model's replies are kept only with `--keep`. Printed are quality, cost and each system
    minus the first, with the interval of a paired bootstrap; `headcount-eval report RUN --into DIR`
    writes them to a file.
    """
    from evals.experiment_report import run_and_tell
    from evals.experiments.arms import Arm
    from evals.systems import system_of

    with errors_told():
        for name in names:
            system_of(name)
        asked = collection(questions, documents, expansion, limit=limit, sample=sample, seed=seed)
        arms = tuple(
            Arm(name=name, system=name, reasoner=reasoner) for name in dict.fromkeys(names)
        )
        run_and_tell("systems", arms, asked, into, keep=keep, jobs=jobs)


app = typer.Typer(
    no_args_is_help=True,
    help="Put one of Headcount's methods beside others, on the same input, in one run.",
)


@app.callback()
def compare() -> None:
    """Put one of Headcount's methods beside others, on the same input, in one run."""


app.command("batching")(batching)
app.command("bounds")(bounds_command)
app.command("search")(search)
app.command("systems")(systems)
