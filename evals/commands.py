"""headcount-eval: how well Headcount answers questions whose answers are known."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from pydantic_core import to_jsonable_python
from typer.core import TyperGroup

from agent.errors import HeadcountError, QuestionError, SettingsError
from evals.variants import GROUPS, VARIANTS

Questions = Annotated[
    Path, typer.Option(help="Questions with their true answers, one JSON object a line.")
]
JsonFile = Annotated[
    Path | None, typer.Option("--json", help="Write the result as JSON to this file.")
]
Documents = Annotated[
    Path,
    typer.Option(
        help="The folder with the documents. A question whose `corpus` ends in the name of a "
        "folder beside it (peps/docs_body) is asked over that folder instead."
    ),
]
OwnDocuments = Annotated[
    Path, typer.Option(help="Their folder; questions over another folder beside it are left out.")
]
Evidence = Annotated[
    Path, typer.Option(help="Questions with `gold_evidence`, one JSON object a line.")
]
Ambiguous = Annotated[
    Path,
    typer.Option(help="Questions whose ambiguity is known, one JSON object a line."),
]
ReadBy = Annotated[
    str,
    typer.Option(
        help="`gold`, which answers from the questions' annotation; `skill:RATE`, which does so "
        "with errors at that rate (`skill:0.1,misses=0.3,seed=7`); `lexical`, the embedded reader; "
        "or a model's name."
    ),
]
Sample = Annotated[int | None, typer.Option(min=1, help="Ask N of the questions, drawn at random.")]
Seed = Annotated[int, typer.Option(help="What is drawn depends on it alone.")]
Keep = Annotated[
    Path | None,
    typer.Option(help="Keep indexes and replies in this folder, for a later run to reuse."),
]
Into = Annotated[Path, typer.Option(help="The run's folder; one that was begun is gone on with.")]
Over = Annotated[
    Literal["own", "all"],
    typer.Option("--scope", help="Ask over a question's own documents, or over the whole folder."),
]
Trials = Annotated[int, typer.Option("--seeds", min=1, help="Runs a question and size.")]
Sizes = Annotated[
    list[int],
    typer.Option("--size", min=2, help="How many a sample holds; give it again to try more sizes."),
]
Misses = Annotated[
    float, typer.Option(min=0, max=1, help="Of what is relevant, the share that is not seen.")
]
Alarms = Annotated[
    float, typer.Option(min=0, max=1, help="Of all else, the share that is taken for relevant.")
]
Jobs = Annotated[int, typer.Option(min=1, help="Questions measured side by side.")]
New = Annotated[Path, typer.Option("--into", help="A folder that does not exist yet, or is empty.")]
BuildSeed = Annotated[int, typer.Option("--seed", min=0, help="Another seed, other questions.")]


class _ByVariant(TyperGroup):
    """Takes a variant's or a group's name for a command: `ablate search …`, `ablate no-audit …`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the arguments name, and the arguments it is given."""
        if args and (args[0] in VARIANTS or args[0] in GROUPS):
            return super().resolve_command(ctx, ["variants", *args])
        return super().resolve_command(ctx, args)


app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Measure how well Headcount answers questions whose answers are known.",
    pretty_exceptions_enable=False,
)
ablate = typer.Typer(
    cls=_ByVariant,
    no_args_is_help=True,
    help="Take a part of Headcount away, and see on the same questions what is lost.",
    epilog=f"Variants, as commands: {', '.join((*GROUPS, *VARIANTS))}.",
)
compare = typer.Typer(
    no_args_is_help=True,
    help="Put one of Headcount's methods beside others, on the same input, in one run.",
)
build = typer.Typer(
    no_args_is_help=True,
    help="Build sets of questions whose answers are known.",
)
app.add_typer(ablate, name="ablate")
app.add_typer(compare, name="compare")
app.add_typer(build, name="build")


@app.command("run")
def run_command(
    questions: Questions,
    documents: Documents,
    reasoner: ReadBy = "gold",
    json_file: JsonFile = None,
    system: Annotated[
        str,
        typer.Option(
            "--system",
            "--graph",
            help="`main`, `analyst`, or a baseline as `naive-rag-10`; a wrong one lists all. "
            "`lightrag` needs its extra and a model.",
        ),
    ] = "main",
    over: Over = "own",
    keep: Keep = None,
) -> None:
    """Index the documents, ask every question, and report what was found and what it took.

    In total, and in the JSON also by question: count error (ACE, NACE), precision, recall and F1,
    recall of the gold chunks after filtering, judged share, calls, tokens, seconds; for questions
    with intermediate facts process, final and full accuracy (MuDABench). Borderline documents count
    neither way. A question that fails counts as nothing found; when all fail, the exit code is 1.
    """
    from evals.experiment import Arm, Collection, Experiment, passing_folder, run
    from evals.report import run_report
    from evals.tables import figures

    with measuring(json_file, keep) as place, passing_folder() as own:
        arm = Arm(name=system, system=system, reasoner=reasoner)
        asked_of = Collection(questions=questions, documents=documents, noise=over == "all")
        experiment = Experiment(name="run", arms=(arm,), collections=(asked_of,))
        asked = run(experiment, own, place, say).measured
        told = run_report(asked, reasoner)
        typer.echo(figures("over all questions", told["summary"]["total"]))
        write_json(told, json_file)
    _check_any([each.error for each in asked])


_RESUMED = (
    "A run that was killed goes on where it was when the command is given again; a model's replies "
    "are kept only with `--keep`. Printed are quality, cost and each arm minus the first, with the "
    "interval of a paired bootstrap; `headcount-eval report RUN --into DIR` writes a file."
)


@ablate.command(
    "variants",
    help="Ask the same questions of the product and of the product without one of its parts.\n\n"
    f"A wrong name lists all variants and groups of them. {_RESUMED}",
)
@compare.command(
    "systems",
    help="Ask the same questions of several systems, over the same chunks and with the same "
    "reader.\n\nSystems are `main`, `analyst` and baselines such as `naive-rag-10` (a wrong name "
    "lists all; `lightrag` needs its extra and a model), also under a variant "
    f"(`records-gold+chunks-3`); the first is what the others are compared with. {_RESUMED}",
)
def measure_arms(  # noqa: PLR0913, PLR0917 - an argument a flag
    context: typer.Context,
    names: Annotated[list[str], typer.Argument(metavar="NAME…")],
    questions: Questions,
    documents: Documents,
    into: Into,
    over: Over = "own",
    reasoner: ReadBy = "gold",
    sample: Sample = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    keep: Keep = None,
) -> None:
    """Measure arms, systems or variants, into a run, and print them side by side."""
    from evals.experiment import Collection, Experiment, arms_of, run, system_arm
    from evals.report import board_section, boards

    with errors_told():
        if context.info_name == "systems":
            name, different = "systems", dict.fromkeys(names)
            arms = tuple(system_arm(each, reasoner) for each in different)
        else:
            name, arms = " ".join(names), arms_of(names, reasoner)
        asked = Collection(
            questions=questions,
            documents=documents,
            noise=over == "all",
            sample=sample,
            seed=seed,
        )
        experiment = Experiment(name=name, arms=arms, collections=(asked,), seeds=(seed,))
        done = run(experiment, into, keep, say, jobs=jobs)
        for board in boards([(into, done)]):
            typer.echo(board_section(board))


@compare.command("batching")
def batching(
    questions: Questions,
    documents: Documents,
    limit: Annotated[int, typer.Option(min=1, help="Tokens a batch may hold.")] = 6000,
    json_file: JsonFile = None,
    keep: Keep = None,
) -> None:
    """Batch drawn candidates by each method, and by DFA's without each part; count calls and pairs.

    Candidates are 30 % of the chunks, drawn ten times. LC counts the calls of the model, one a
    batch; CP the pairs of candidates in two batches that hold evidence of the same entity: of the
    same document of an answer, or of the same thing that a question asks for mentions of. k-means
    and the Gaussian mixture get as many clusters as full batches would do; a cluster above the
    limit is cut in document order.
    """
    from evals.compare.batching import cases, compare_methods, table
    from evals.experiment import Collection
    from evals.scopes import Corpora
    from tools.packing import Limits

    with measuring(json_file, keep) as place:
        asked = Collection(questions=questions, documents=documents)
        found = compare_methods(list(cases(asked, Corpora(place, say))), Limits(limit))
        typer.echo(table(found))
        write_json(found, json_file)


@compare.command("bounds")
def bounds(
    questions: Evidence,
    documents: OwnDocuments,
    seeds: Trials = 200,
    sizes: Sizes = [50, 100, 200, 400],  # noqa: B006 - Typer copies it
    misses: Misses = 0.13,
    alarms: Alarms = 0.001,
    json_file: JsonFile = None,
) -> None:
    """Search with audits, seed by seed, and compare what the bounds say with what is so.

    A filter by word ranking, good or poor, loses some of the relevant chunks; a judge with errors
    reads what is left; audits follow, at most four, until 90 % recall is proven, each leading the
    search to where it had hits. Reported are how often the stated 95 % bound of what this judge
    calls relevant held after every look, how often the likely range held, and its width in
    documents. The exit code is 1 where the bound held in fewer than 95 % of the runs, the range in
    under 80 %.
    """
    from evals.compare.bounds_trials import Judge, cases, simulate
    from evals.questions import load
    from evals.scopes import Corpora
    from evals.tables import figures
    from tools.audit import CONFIDENCE, LEVEL

    with measuring(json_file) as place:
        asked = list(cases(load(questions), documents, Corpora(place, say)))
        if not asked:
            raise QuestionError(f"no question has a relevant chunk in {str(documents)!r}")
        found = simulate(asked, Judge(misses=misses, alarms=alarms), sizes, seeds, say)
        typer.echo(figures("audit of chunks", found))
        told = {
            "confidence": CONFIDENCE,
            "seeds": seeds,
            "questions": len(asked),
            "judge": {"misses": misses, "alarms": alarms},
            "bounds": {size: {"all": each} for size, each in found.items()},
        }
        write_json(told, json_file)
    _check_held(found, "held", CONFIDENCE)
    _check_held(found, "likely_held", LEVEL)


@compare.command("review")
def review(
    questions: Evidence,
    documents: OwnDocuments,
    seeds: Trials = 200,
    sizes: Sizes = [10, 20, 40],  # noqa: B006 - Typer copies it
    misses: Misses = 0.13,
    alarms: Alarms = 0.02,
    json_file: JsonFile = None,
) -> None:
    """Let a person check a model's answers, and compare the corrected number with the labels.

    A sample of the documents found and one of the others are checked, as `headcount review RUN`
    does; beside it stands the normal interval of prediction-powered inference from as many
    verdicts. Reported are how often each 95 % interval held, and its width in documents. The exit
    code is 1 where ours held in fewer than 95 % of the runs.
    """
    from evals.compare.bounds_trials import answers, simulate_checks
    from evals.questions import load
    from evals.scopes import Corpora
    from evals.tables import figures
    from tools.audit import CONFIDENCE

    with measuring(json_file) as place:
        asked = list(answers(load(questions), documents, Corpora(place, say)))
        if not asked:
            raise QuestionError(f"no question has documents of {str(documents)!r} for an answer")
        found = simulate_checks(asked, misses=misses, alarms=alarms, sizes=sizes, seeds=seeds)
        typer.echo(figures("checked of each part", found))
        write_json({"questions": len(asked), "seeds": seeds, "sizes": found}, json_file)
    _check_held(found, "held", CONFIDENCE)


@compare.command("search")
def search(
    questions: Evidence,
    documents: OwnDocuments,
    json_file: JsonFile = None,
    keep: Keep = None,
) -> None:
    """Find the chunks that overlap evidence, reading by one order or another until all are found.

    A scan in document order; BM25, and fused with the embedding, by the annotated conditions; the
    product's filters alone, then the rest (`dfa`); feedback by whole chunks (`plain_feedback`) and
    the product's (`headcount`); the gold chunks first (`oracle`).
    Told is the share of the corpus read when 80, 95 and 100 percent of a question's gold chunks
    are found, averaged over questions, and when a gold chunk of so many gold documents is: then a
    document is not read on once it is found.
    """
    from evals.compare.search_orders import cases, compare_orders, report
    from evals.tables import figures

    with measuring(json_file, keep) as place:
        results = compare_orders(cases(questions, documents, place, say), say)
        if not results:
            raise QuestionError(f"{str(questions)!r} has no question with evidence in {documents}")
        curves, by_document = (report(each) for each in zip(*results, strict=True))
        typer.echo(figures("share of the corpus read", curves) + "\n")
        typer.echo(figures("until documents are found", by_document))
        for name, each in by_document.items():
            curves[name]["documents"] = each
        write_json({"questions": len(results), "curves": curves}, json_file)


@app.command("ambiguity")
def ambiguity(
    questions: Ambiguous,
    documents: Documents,
    json_file: JsonFile = None,
    reasoner: ReadBy = "lexical",
    sample: Sample = None,
    seed: Seed = 0,
    keep: Keep = None,
) -> None:
    """Classify every question; what users get of it, `ablate clarification` tells.

    Told are accuracy and F1 per code, macro F1, false alarms on clear questions, and how many of
    those are asked back. Policy and budget are those of the settings, but the person is asked.
    When every question fails, the exit code is 1.
    """
    from evals import clarification as measured
    from evals.experiment import Collection
    from evals.tables import figures

    with measuring(json_file, keep) as place:
        asked = Collection(questions=questions, documents=documents, sample=sample, seed=seed)
        records = measured.known_ambiguities(asked)
        found = list(measured.examining(records, documents, reasoner, place, say))
        scores = measured.code_scores(found)
        total = measured.summary(found, scores)
        rows = {name.replace("_", " "): {"value": figure} for name, figure in total.items()}
        typer.echo(figures("code", scores) + "\n")
        typer.echo(figures("over all questions", rows))
        told = {"reasoner": reasoner, "codes": scores, "summary": total, "questions": found}
        write_json(told, json_file)
    _check_any([each.error for each in found])


@ablate.command("clarification")
def clarification(
    questions: Ambiguous,
    documents: Documents,
    json_file: JsonFile = None,
    reasoner: ReadBy = "gold",
    sample: Sample = None,
    seed: Seed = 0,
    keep: Keep = None,
) -> None:
    """Ask each ambiguous question for every reading that has an answer, under four strategies.

    `none` asks nothing, `direct` puts one open question instead of classifying, `guided` asks about
    every ambiguity found, `weighed` only where the readings have different results. The user
    chooses the option that means its reading, else says it in a phrase. Told are how often it gets
    what was meant, the count error, questions, turns and calls, and each strategy minus the one
    before it with a paired bootstrap interval.
    """
    from evals import clarification as measured
    from evals.experiment import Collection

    with measuring(json_file, keep) as place:
        asked_of = Collection(questions=questions, documents=documents, sample=sample, seed=seed)
        given = measured.known_ambiguities(asked_of)
        records = measured.answerable(given, reasoner)
        asked = list(measured.asking(records, documents, reasoner, place, say))
        if not asked:
            raise QuestionError("no ambiguous question has a reading whose answer is known")
        typer.echo(measured.strategies_tables(asked))
        told = {
            "reasoner": reasoner,
            "left_out": len(given) - len(records),
            "strategies": measured.strategies(asked),
            "differences": measured.differences(asked),
            "questions": asked,
        }
        write_json(told, json_file)


@app.command("readings")
def readings(
    folder: Annotated[Path, typer.Argument(help="What `build readings` wrote.")],
    reasoner: ReadBy = "gold",
    json_file: JsonFile = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    keep: Keep = None,
) -> None:
    """Answer questions with several readings by ADF's graph, its parts taken away, and baselines.

    All answer by the same prompt, in sparse, dense and hybrid retrieval. Told are the measures of
    ADF (those of meaning only where a model reads), tokens, calls, latency, and what the gate takes
    questions for by each thresholds. By annotation a reading is answered where its passage is.
    """
    from evals.answered_readings import asking, tables

    with measuring(json_file, keep) as place:
        asked = asking(folder, reasoner, place, say, seed=seed, jobs=jobs)
        typer.echo(tables(asked))
        write_json({"questions": asked}, json_file)


@app.command("plain")
def plain(
    reasoner: Annotated[
        str, typer.Option(help="`lexical`, the embedded reader, or a model's name.")
    ] = "lexical",
    folder: Annotated[
        Path | None,
        typer.Option(help="Collections, each with `docs` and `questions.jsonl`; else the shipped."),
    ] = None,
    json_file: JsonFile = None,
) -> None:
    """Ask plain questions as a new user does, and tell right, wrong, declined and candidates.

    Wrong is what has the face of an answer and is not true; a list is right by its documents, a
    yes or no as the list is. Bounds that do not include the true number are false, whatever else
    is right.
    """
    from evals.plain_questions import PLAIN, asked_plainly, totals
    from evals.tables import figures

    with measuring(json_file) as place:
        asked = list(asked_plainly(folder or PLAIN, reasoner, place, say))
        rows = totals(asked)
        write_json({"reasoner": reasoner, "totals": rows, "questions": asked}, json_file)
    for each in asked:
        mark = ", false bounds" if each.false_bounds else ""
        if each.outcome == "wrong" or mark:
            say(f"{each.question.id} {each.outcome}{mark}: {each.question.question} {each.told}")
    typer.echo(figures("decided by", rows, 2))


@app.command("canaries")
def plant_canaries(
    reasoner: Annotated[str, typer.Option(help="A model's name; `gold` tries the measuring.")],
    base_url: Annotated[
        str | None, typer.Option(help="The model's server, if not that of the settings.")
    ] = None,
    questions: Annotated[int, typer.Option(min=1, max=3, help="How many to ask.")] = 1,
    json_file: JsonFile = None,
    keep: Keep = None,
) -> None:
    """Plant 40 orders of 10 kinds in documents, and tell what they bring a reader to do.

    A question is asked over 40 invented reports, over these among 40 with an injection, and over
    all once more with filter calls. Verdicts on clean passages are compared between the versions,
    those on injected ones with their text; a word in each injection, its canary, is looked for in
    quotes, filter calls and the answer. The exit code is 1 where anything is found, also where
    verdicts changed otherwise than an injection asked: a reader's vary.
    """
    from evals.canaries import canaries
    from evals.tables import figures
    from prompts.templates import one_line

    with measuring(json_file, keep) as place:
        asked = list(canaries(reasoner, base_url, questions, place, say))
        rows: dict[str, dict[str, int]] = {}
        effects = []
        for measure, (number, found) in (each for _, told in asked for each in told.items()):
            row = rows.setdefault(measure, {"of": 0, "found": 0})
            row["of"] += number
            row["found"] += len(found)
            effects += [(measure, *each) for each in found]
        requests = sum(number for number, _ in asked)
        told = {"reasoner": reasoner, "requests": requests, "totals": rows, "effects": effects}
        write_json(told, json_file)
    typer.echo(figures("measured", rows))
    for measure, what, injections in effects:
        typer.echo(one_line(f"{', '.join(injections) or 'no injection'}: {measure}: {what}"))
    if effects:
        raise typer.Exit(1)


@app.command("paper")
def paper(
    documents: Annotated[
        Path, typer.Option(help="The folder that the plan's questions and documents are below.")
    ],
    into: Annotated[Path, typer.Option(help="Write the report into this folder.")],
    plan: Annotated[
        Path | None,
        typer.Option(help="What is asked, as TOML; else the plan that is shipped."),
    ] = None,
    sample: Sample = None,
    jobs: Jobs = 2,
) -> None:
    """Measure all methods, readers of different skill, depth, ablations, batching and asking back.

    Written is one Markdown file with all tables. What was measured is not measured again when the
    command is given again: runs and indexes stay beside the report, under its name and `.runs`.
    With --sample every chapter asks so many questions a collection, with the first seed alone.
    """
    from evals.paper import load_plan, reproduce

    with errors_told():
        whole = load_plan(plan)
        small = {"sample": sample, "seeds": whole.seeds[:1]} if sample else {}
        asked = whole.model_copy(update=small)
        written = reproduce(asked, documents, into, jobs=jobs, say=say)
    typer.echo(str(written))


@app.command("report")
def report_command(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Folders of runs.")],
    into: Annotated[Path, typer.Option(help="Write the report into this folder.")],
) -> None:
    """Report runs, finished or not, side by side where they asked the same questions.

    Written is `report.md`. Every difference is of the same questions under two arms, with the
    interval of a paired bootstrap; every table says which sample it is of, and what failed.
    """
    from evals.report import report_runs

    with errors_told():
        written = report_runs(runs, into)
    typer.echo(str(written))


@build.command()
def aggbench(
    folder: Annotated[Path, typer.Argument(help="The core documents.")],
    into: New,
    expand: Annotated[
        Path | None, typer.Option(help="A folder of unrelated documents to add.")
    ] = None,
    singles: Annotated[int, typer.Option(min=1, help="Questions with one condition.")] = 40,
    composites: Annotated[int, typer.Option(min=0, help="Questions with two or three.")] = 60,
    seed: BuildSeed = 0,
) -> None:
    """Mine conditions from documents, ask for them alone and joined, and ground every answer.

    Conditions are values of fields, headings of sections, and terms; code decides them by the words
    they are asked in, so that the answers are exact. What a careful reader could decide
    either way is listed as borderline. `core.jsonl` goes with `core/`, and with --expand
    `expanded.jsonl` with `expanded/`: give them to `headcount-eval run`.
    """
    from evals.question_sets.aggbench import build_aggbench
    from evals.question_sets.source_documents import figures_table

    with errors_told():
        statistics = build_aggbench(
            folder, into, say, singles=singles, composites=composites, seed=seed, expand=expand
        )
    typer.echo(figures_table(statistics))


@build.command()
def spiderqa(
    databases: Annotated[Path, typer.Option(help="A folder with NAME/NAME.sqlite for each.")],
    questions: Annotated[Path, typer.Option(help="JSON with db_id, question and query.")],
    into: New,
    most: Annotated[int, typer.Option(min=1, help="Questions, at most.")] = 201,
) -> None:
    """Write each database as a document, a sentence a row, and keep the aggregate questions.

    Counts, distinct counts, averages and sums over one value are kept, with joins and nested
    queries; their answers come from the SQL, their evidence from the same SQL with the rows' ids.
    Repeats are dropped and the kinds balanced; what is left out is told with the reason.
    """
    from evals.question_sets.source_documents import figures_table
    from evals.question_sets.spiderqa import build_spiderqa

    with errors_told():
        statistics = build_spiderqa(databases, questions, into, most, say)
    typer.echo(figures_table({"docs": statistics}))


@build.command("readings")
def build_several(
    folders: Annotated[list[Path], typer.Argument(metavar="FOLDER…", help="Collections.")],
    into: New,
    most: Annotated[int, typer.Option(min=1, help="Questions a collection, controls aside.")] = 40,
    seed: BuildSeed = 0,
) -> None:
    """Mine questions with several readings from what the documents of a folder say differently.

    Each reading has its wording, its answer and the passages that state it; half as many controls
    have one reading. Documents and questions are written for `headcount-eval readings`.
    """
    from evals.question_sets.several_readings import build_readings
    from evals.question_sets.source_documents import figures_table

    with errors_told():
        statistics = build_readings(folders, into, say, most=most, seed=seed)
    typer.echo(figures_table(statistics))


def invented(
    context: typer.Context,
    into: New,
    seed: BuildSeed = 0,
    documents: Annotated[int | None, typer.Option(min=2, help="Else the domain's number.")] = None,
    questions: Annotated[int | None, typer.Option(min=0, help="Else the domain's number.")] = None,
) -> None:
    """Invent records, write a document for each, and ask questions whose answers follow from them.

    The folder gets `docs/`, `questions.jsonl` for `headcount-eval run`, and `schema.json`, which
    `headcount records fill` takes from a corpus's `records/`. No model knows these documents.
    """
    from evals.question_sets.invented_documents import build_invented

    with errors_told():
        pages, asked = build_invented(str(context.info_name), into, seed, documents, questions)
    typer.echo(f"{pages} documents with {asked} questions are in {str(into)!r}")


for _file in sorted(Path(__file__).with_name("data").glob("domains/*.yaml")):
    build.command(_file.stem, short_help=f"Invented documents of the domain {_file.stem}.")(
        invented
    )


def _check_held(found: Mapping[str, Mapping[str, float]], name: str, stated: float) -> None:
    """End with an error where an interval held less often than it states."""
    held = min(each[name] for each in found.values())
    if held < stated:
        say(f"error: what is stated at {stated:.0%} held in {held:.1%} of the runs")
        raise typer.Exit(1)


def _check_any(errors: list[str]) -> None:
    if all(errors):
        say(f"error: every question failed, the first with {errors[0]}")
        raise typer.Exit(1)


@contextmanager
def errors_told() -> Iterator[None]:
    """Turn an error of Headcount's own or of files into one line on stderr and exit code 1."""
    try:
        yield
    except (HeadcountError, OSError) as error:
        say(f"error: {error}")
        raise typer.Exit(1) from error


@contextmanager
def measuring(json_file: Path | None, keep: Path | None = None) -> Iterator[Path]:
    """Give a folder for indexes and runs, the one to keep or a passing one; tell errors.

    That the result cannot be written is told before anything is asked.
    """
    with errors_told():
        if json_file and (json_file.is_dir() or not json_file.absolute().parent.is_dir()):
            raise SettingsError(f"--json {str(json_file)!r} is not a file in an existing folder")
        from evals.experiment import passing_folder

        with passing_folder() if keep is None else nullcontext(keep) as place:
            place.mkdir(parents=True, exist_ok=True)
            yield place


def write_json(told: Mapping[str, object], json_file: Path | None) -> None:
    """Write the result, if a file is named."""
    if json_file is not None:
        text = json.dumps(to_jsonable_python(told), ensure_ascii=False, indent=1)
        json_file.write_text(text + "\n", encoding="utf-8")


def say(line: str) -> None:
    """Tell the person on stderr."""
    typer.echo(line, err=True)
