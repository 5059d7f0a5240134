"""The command line: every command of `headcount`, its flags and its exit codes.

The modules that do the work are imported inside the commands, so that `headcount --help` is quick.
"""

import gc
import os
from collections.abc import Callable
from functools import update_wrapper
from importlib.metadata import version
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from graphs.apps.exits import Exit, tidy_exit
from graphs.apps.terminal import usable_streams, write_line

if TYPE_CHECKING:
    from graphs.apps.from_settings import Request

_SELDOM = (50_000, 20, 100)
"""How often cycles are looked for: modules and values that stay are most of what is made."""
_TRACING = ("LANGSMITH_TRACING", "LANGCHAIN_TRACING")
"""Each has a second name that ends in `_V2`."""

_Corpus = Annotated[Path, typer.Argument(help="The corpus made by `headcount index`.")]
_Question = Annotated[str | None, typer.Argument(help="The question; left out with --resume.")]
_Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
_Cluster = Annotated[
    str | None,
    typer.Option(
        "--cluster",
        help="Work on shards on this Ray cluster: HOST:PORT of its head, or auto.",
        metavar="ADDRESS",
    ),
]
_Estimate = Annotated[
    bool,
    typer.Option(
        "--estimate",
        help="Only print what it would cost: a range from two dry runs, which spend nothing.",
    ),
]
_Resume = Annotated[str | None, typer.Option("--resume", help="Resume this run.", metavar="RUN")]
_Force = Annotated[bool, typer.Option("--force", help="Overwrite the file.")]
_Record = Annotated[
    Path | None,
    typer.Option(
        help="Write the exchanges with the model to a file, for --model recorded:FILE.",
        metavar="FILE",
    ),
]
_Folder = Annotated[
    Path, typer.Argument(help="The folder that the corpora lie in.", metavar="[FOLDER]")
]
_SETTINGS = {
    "model": Annotated[
        str | None,
        typer.Option(
            help="lexical (offline, the default), a chat model, PROVIDER:NAME, or recorded:FILE.",
            metavar="NAME",
        ),
    ],
    "base_url": Annotated[
        str | None, typer.Option(help="An OpenAI-compatible server.", metavar="URL")
    ],
    "on_ambiguity": Annotated[
        Literal["ask", "assume", "branch", "fail"] | None,
        typer.Option(
            help="Ask you, assume the likeliest interpretation, branch into all of them, or fail."
        ),
    ],
    "recall": Annotated[
        float | None,
        typer.Option(
            help="The share of the relevant chunks to find: judging continues until it seems "
            "reached, and the audit tries to prove it.",
            min=0.0,
            max=1.0,
        ),
    ],
    "audit": Annotated[
        int | None,
        typer.Option(
            help="Unread chunks to sample for the recall audit, at most; 0 for no audit.", min=0
        ),
    ],
    "max_calls": Annotated[
        int | None, typer.Option(help="Model calls, at most.", metavar="N", min=0)
    ],
    "max_usd": Annotated[
        float | None, typer.Option(help="US dollars to spend, at most.", metavar="X", min=0.0)
    ],
}
"""The flags that stand for settings of the same names."""
_Flags = dict[str, Any]
_SPENDING = ("model", "base_url", "max_calls", "max_usd")


app = typer.Typer(
    name="headcount",
    help="Answers questions that need every match in a pile of text: the full list, the words "
    "that prove it, what may be missing, and the bill.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    epilog="Settings: flag, else HEADCOUNT_* variable, else headcount.toml. Nothing is sent "
    "anywhere but to the model that you name; LangSmith tracing is off unless HEADCOUNT_TRACING=1.",
)
records = typer.Typer(
    name="records",
    help="Extract tables from documents and query them.",
    no_args_is_help=True,
)


def _command(
    of: typer.Typer, *settings: str, name: str | None = None
) -> Callable[[Callable[..., int | None]], Callable[..., None]]:
    """Add a command, which ends as `tidy_exit` has it, or with the code that it returns.

    Flags for settings stand in the place of its parameter `flags`: it gets them.
    """
    by_name = Parameter.KEYWORD_ONLY
    flags = [
        Parameter(each, by_name, default=None, annotation=_SETTINGS[each]) for each in settings
    ]

    def added(command: Callable[..., int | None]) -> Callable[..., None]:
        def run(**given: Any) -> None:
            asked = {"json": given.get("json_", False), "question": given.get("question")}
            if settings:
                given["flags"] = {each: given.pop(each) for each in settings}
            with tidy_exit(**asked):
                code = command(**given)
            raise SystemExit(code or Exit.ANSWERED)

        every = [
            each
            for name, own in signature(command).parameters.items()
            for each in (flags if name == "flags" else [own.replace(kind=by_name)])
        ]
        vars(run)["__signature__"] = Signature(every)  # Typer reads it
        return of.command(name)(update_wrapper(run, command))

    return added


def _refuse(wrong: bool, flag: str, told: str) -> None:
    """Raise a usage error about a flag where it is wrong."""
    if wrong:
        raise typer.BadParameter(told, param_hint=flag)


def _tell_version(asked: bool) -> None:
    if asked:
        write_line(f"headcount {version('headcount')}")
        raise typer.Exit


@app.callback()
def _common(
    _version: Annotated[
        bool,
        typer.Option("--version", help="Print the version.", callback=_tell_version, is_eager=True),
    ] = False,
) -> None:
    """Take what holds for all commands."""


def main() -> None:
    """Run the command line; no question leaves for a tracing service unless that is asked for."""
    os.umask(0o077)  # texts, quotes and questions stand in what is made
    gc.set_threshold(*_SELDOM)
    if os.environ.get("HEADCOUNT_TRACING") != "1":
        for name in _TRACING:
            os.environ[name] = os.environ[f"{name}_V2"] = "false"
    usable_streams()
    app()


@_command(app)
def index(
    paths: Annotated[list[Path], typer.Argument(help="Files and folders with documents.")],
    into: Annotated[
        str, typer.Option("--into", help="The corpus to make or to update: a folder, or a URL.")
    ],
    embedder: Annotated[
        str, typer.Option(help="lsa (offline), openai:NAME or sentence-transformers:NAME.")
    ] = "lsa",
    chunk_tokens: Annotated[int, typer.Option(help="Tokens in a chunk, about.", min=50)] = 400,
    encoding: Annotated[
        str | None, typer.Option(help="Encoding of text files that are not UTF-8.")
    ] = None,
    engine: Annotated[
        Literal["daft"] | None,
        typer.Option(help="Make Parquet shards, as for a URL or on a cluster."),
    ] = None,
    cluster: _Cluster = None,
    ocr: Annotated[
        str | None,
        typer.Option(
            help="Languages of Tesseract that scans are read in, as eng+deu (else eng); or none."
        ),
    ] = None,
    checksum: Annotated[
        bool,
        typer.Option(
            "--checksum",
            help="Read every file, even if its size, modification time and inode are unchanged.",
        ),
    ] = False,
    fields: Annotated[
        Path | None,
        typer.Option(
            help="Correct the fields as this YAML file says, now and from now on: names, types, "
            "aliases, what to ignore; `headcount fields` prints one to begin with.",
            metavar="FILE",
        ),
    ] = None,
) -> None:
    """Make a corpus from documents; run again to add, update and remove what changed."""
    from agent.settings import load_settings
    from graphs.apps.index import run_index, run_sharded_index, wants_shards
    from tools.corpus.build_settings import BuildSettings
    from tools.corpus.readers.ocr import NO_OCR, lacking

    why = lacking(ocr) if ocr and ocr != NO_OCR else ""
    _refuse(bool(why), "--ocr", why)
    given = load_settings(ocr=ocr)
    settings = BuildSettings(
        embedder=embedder, chunk_tokens=chunk_tokens, encoding=encoding, ocr=given.ocr
    )
    shards = wants_shards(into, engine, cluster, checksum=checksum)
    _refuse(shards and fields is not None, "--fields", "the fields of shards cannot be corrected")
    if shards:
        run_sharded_index(paths, into, settings, cluster, given)
    else:
        run_index(paths, Path(into), settings, given, checksum=checksum, fields=fields)


@_command(app)
def fields(corpus: _Corpus) -> None:
    """Print the fields of a corpus, what was recognised, as a file for `index --fields`."""
    from graphs.apps.index import print_fields

    print_fields(corpus)


@_command(app, name="filter")
def filter_(
    corpus: Annotated[str, typer.Argument(help="A corpus: a folder, or a URL of shards.")],
    calls: Annotated[
        list[str],
        typer.Argument(
            help="Filter calls as JSON, each applied to what the one before kept: "
            '\'{"exact": {"phrase": "net 30 days"}}\'.',
            metavar="CALL…",
        ),
    ],
    show: Annotated[int, typer.Option(help="How many of the passages to print.", min=0)] = 10,
    json_: _Json = False,
    cluster: _Cluster = None,
) -> None:
    """Print the passages that filters keep, without a question or a model."""
    from graphs.apps.filter import run_filter

    run_filter(corpus, calls, cluster=cluster, show=show, as_json=json_)


@_command(app, *_SETTINGS)
def ask(
    corpus: Annotated[
        Path | None,
        typer.Argument(help="The corpus made by `headcount index`; left out with --again."),
    ] = None,
    question: _Question = None,
    json_: _Json = False,
    *,
    flags: _Flags,
    estimate: _Estimate = False,
    resume: _Resume = None,
    again: Annotated[
        str | None,
        typer.Option(help="Ask this run's question of what is new or changed.", metavar="RUN"),
    ] = None,
    criteria: Annotated[
        Path | None,
        typer.Option(
            help="Read the question as this file says; if it does not exist, write how the "
            "question was read to it, and wait.",
            metavar="FILE",
            dir_okay=False,
        ),
    ] = None,
    reply: Annotated[
        str | None,
        typer.Option("--reply", help="With --resume: the clarification's option or your words."),
    ] = None,
    record: _Record = None,
) -> Exit:
    """Ask a question and print every match with its proof.

    Exit codes: 0 answered, 1 error, 2 usage, 3 waiting for a clarification, 4 budget reached with
    a partial answer, 5 answered with failed chunks, 6 candidates only, 130 interrupted.
    """
    _refuse(again is None and corpus is None, "CORPUS", "name a corpus")
    _refuse(
        again is not None and bool(question or resume or flags["on_ambiguity"]),
        "--again",
        "only a model, limits, criteria and an estimate go with it",
    )
    if criteria is not None:
        branches, placed = flags["on_ambiguity"] == "branch", criteria.absolute().parent.is_dir()
        _refuse(branches, "--criteria", "criteria are of one interpretation")
        _refuse(not placed, "--criteria", "its folder does not exist")
        _refuse(
            not criteria.exists() and (again is not None or estimate),
            "--criteria",
            "the file does not exist: `headcount criteria RUN FILE` writes one",
        )
    _refuse(reply is not None and resume is None, "--reply", "name the run with --resume RUN")
    _check_asked(question if again is None else again, resume, estimate=estimate)
    from graphs.apps.from_settings import Request
    from graphs.apps.stored_runs import corpus_of

    request = Request(
        again=again,
        corpus=corpus or corpus_of(again or ""),
        question=question or "",
        json=json_,
        resume=resume,
        reply=reply,
        criteria=criteria,
        record=record,
        flags=flags,
    )
    return _answered(request, estimate=estimate)


@_command(app, "model", "base_url", "recall", "audit")
def review(
    first: Annotated[
        str,
        typer.Argument(
            metavar="DIR|RUN",
            help="A corpus, with a question; or a run whose answer is checked.",
        ),
    ],
    question: Annotated[str | None, typer.Argument(help="What the passages are read for.")] = None,
    json_: _Json = False,
    *,
    flags: _Flags,
    check: Annotated[
        int, typer.Option(help="Of a run: items drawn from those found, at most.", min=0)
    ] = 40,
    others: Annotated[
        int, typer.Option(help="Of a run: documents drawn from those not found, at most.", min=0)
    ] = 0,
) -> Exit:
    """Read in a model's place, a key a verdict; or check what a run found.

    With a question, the likeliest passages come first, every verdict teaches which are next, and
    the answer has the same proof as a model's. Without, what a run found is shown, borderline items
    first, then a random sample, and its number is corrected. Verdicts are kept with the corpus:
    stop whenever you like, the same command goes on. A model only interprets the question. Exit
    codes as those of `ask`.
    """
    from graphs.apps.review import run_check, run_review

    if question is None:
        return run_check(first, (check, others), json=json_)
    return run_review(Path(first), question, flags, json=json_)


@_command(app)
def criteria(
    run: Annotated[str, typer.Argument(help="The run, of a corpus in this folder.", metavar="RUN")],
    file: Annotated[Path, typer.Argument(help="The new file (YAML).", metavar="FILE")],
) -> None:
    """Write how a run's question was read to a file, to be edited and used with `ask --criteria`.

    What counts, what is borderline and what does not count stands in it for each condition.
    """
    from graphs.apps.criteria_file import run_criteria

    run_criteria(run, file)


@_command(app, *_SPENDING)
def analyse(
    corpus: _Corpus,
    question: _Question = None,
    json_: _Json = False,
    *,
    flags: _Flags,
    estimate: _Estimate = False,
    resume: _Resume = None,
    record: _Record = None,
) -> Exit:
    """Plan what to ask of each document, read each one, and compute the answer from the records.

    The records are made for this question and kept with its run; those of `headcount records` are
    not touched.

    Exit codes: 0 answered, 1 error, 2 usage, 4 budget reached with a partial answer, 5 answered
    with documents that could not be read, 130 interrupted.
    """
    _check_asked(question, resume, estimate=estimate)
    from graphs.apps.from_settings import Request

    request = Request(
        command="analyse",
        corpus=corpus,
        question=question or "",
        json=json_,
        resume=resume,
        record=record,
        flags=flags,
    )
    return _answered(request, estimate=estimate)


def _check_asked(question: str | None, resume: str | None, *, estimate: bool) -> None:
    nothing, both = question is None and resume is None, question is not None and resume is not None
    _refuse(nothing, "QUESTION", "give a question, or --resume RUN")
    _refuse(both, "--resume", "a resumed run already has its question")
    _refuse(estimate and resume is not None, "--estimate", "cannot be used with --resume")


def _answered(request: "Request", *, estimate: bool) -> Exit:
    from graphs.apps.ask import estimate_again, run_ask
    from graphs.apps.estimate import run_estimate

    if not estimate:
        return run_ask(request)
    return run_estimate(request) if request.again is None else estimate_again(request)


@_command(app, *_SPENDING, "on_ambiguity")
def chat(corpus: _Corpus, *, flags: _Flags) -> None:
    """Talk to a corpus: the trace as it happens, clarifications, follow-up questions."""
    from graphs.apps.chat import run_chat

    run_chat(corpus, flags)


@_command(app, *_SPENDING)
def serve(
    folder: _Folder = Path(),
    port: Annotated[int, typer.Option(help="0 for a free one.", min=0, max=65_535)] = 8321,
    *,
    flags: _Flags,
) -> None:
    """Ask, read and check in a browser on this machine: prints a link that works once."""
    from graphs.apps.web.serve import run_serve

    run_serve(folder, port, flags)


@_command(app, *_SPENDING)
def mcp(
    folder: _Folder = Path(),
    http: Annotated[
        int | None,
        typer.Option(
            help="Serve over HTTP at this port of this machine (0: a free one), under a token that "
            "is printed; over stdin and stdout if left out.",
            metavar="PORT",
            min=0,
            max=65_535,
        ),
    ] = None,
    *,
    flags: _Flags,
) -> None:
    """Serve the corpora of a folder to another agent over MCP (Model Context Protocol)."""
    from graphs.apps.mcp_server import run_mcp

    run_mcp(folder, http, flags)


@_command(app)
def runs(corpus: _Corpus) -> None:
    """List the runs of a corpus, the newest first."""
    from graphs.apps.stored_runs import list_runs

    list_runs(corpus)


@_command(app)
def report(
    first: Annotated[
        str,
        typer.Argument(
            metavar="DIR|RUN",
            help="A corpus, for its newest finished run; or the id of a run of a corpus in this "
            "folder.",
        ),
    ],
    run: Annotated[
        str | None, typer.Argument(metavar="[RUN]", help="After a corpus: the run's id.")
    ] = None,
    chunk: Annotated[
        str | None,
        typer.Option(
            help="Print what happened to this chunk and why, instead of writing a page.",
            metavar="N|DOCUMENT:OFFSET",
        ),
    ] = None,
    force: _Force = False,
) -> None:
    """Write RUN.html, a self-contained page about a run, or print what happened to a chunk."""
    from graphs.apps.page import save_run
    from graphs.apps.stored_runs import stored_run
    from graphs.apps.why import story_lines

    with stored_run(first, run) as found:
        if chunk is None:
            page = Path(f"{found.run}.html")
            save_run(found, page, force=force)
            write_line(f"written: {page}")
            return
        for line in (f"run {found.run}: {found.info.question}", *story_lines(found, chunk)):
            write_line(line)


@_command(app)
def export(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="RUN FILE",
            help="A run as for `report`; then the file.",
        ),
    ],
    force: _Force = False,
) -> None:
    """Write a finished run to a file: .csv, .xlsx, .json, .md or .html."""
    _refuse(len(names) not in {2, 3}, "FILE", "name a run and a file")
    from graphs.apps.page import save_run
    from graphs.apps.stored_runs import stored_run

    first, second, file = names[0], names[1] if names[2:] else None, Path(names[-1])
    with stored_run(first, second) as found:
        save_run(found, file, force=force)
        write_line(f"written: {file}")


@_command(app)
def doctor(
    corpus: Annotated[str, typer.Argument(help="A corpus, or a place of shards.")],
) -> Exit:
    """Check a corpus and its run store; report problems and fixes.

    The exit code is 1 if there is a problem.
    """
    from graphs.apps.doctor import run_doctor

    return Exit.ANSWERED if run_doctor(corpus) else Exit.ERROR


@_command(app)
def trust(
    folder: Annotated[
        Path, typer.Argument(help="A corpus, or a folder with a headcount.toml.", metavar="DIR")
    ],
) -> None:
    """Agree that what a folder's settings or its corpus name may be sent questions and texts.

    It holds for this folder and until the file changes.
    """
    from graphs.apps.doctor import run_trust

    run_trust(folder)


@_command(app)
def demo(
    into: Annotated[Path, typer.Option(help="Where to put the demonstration's corpus.")] = Path(
        "demo/packages.corpus"
    ),
) -> None:
    """Index the README texts of the installed packages and answer questions about them."""
    from graphs.apps.demo import run_demo

    run_demo(into)


@_command(records, *_SPENDING)
def induce(
    corpus: _Corpus,
    questions: Annotated[
        Path | None,
        typer.Option(help="Questions like those that will be asked, one a line.", metavar="FILE"),
    ] = None,
    extend: Annotated[
        bool,
        typer.Option("--extend", help="Add kinds for rows that were of none when they were read."),
    ] = False,
    *,
    flags: _Flags,
) -> Exit:
    """Induce a schema from sample documents: what kinds of records there are, and their columns.

    Exit codes: 0 done, 1 error, 2 usage, 4 budget reached with an unfinished schema, 130
    interrupted.
    """
    from graphs.apps.record_commands import run_induce

    return run_induce(corpus, flags, questions=questions, extend=extend)


@_command(records, *_SPENDING)
def fill(
    corpus: _Corpus,
    json_: _Json = False,
    *,
    flags: _Flags,
    estimate: _Estimate = False,
) -> Exit:
    """Extract records from every document that is new or changed; run again to continue.

    Exit codes: 0 done, 1 error, 2 usage, 4 budget reached, 5 done with failures, 130 interrupted.
    """
    from graphs.apps.record_commands import estimate_records, run_fill

    work = estimate_records if estimate else run_fill
    return work(corpus, flags, as_json=json_)


@_command(records)
def show(corpus: _Corpus) -> None:
    """Show the schema, statistics of the columns, how full they are, and what failed."""
    from graphs.apps.record_commands import run_show

    run_show(corpus)


app.add_typer(records)
