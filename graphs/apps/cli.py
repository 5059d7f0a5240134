"""The command line: `headcount index | filter | ask | analyse | readings | chat | runs | …`.

Heavy libraries are imported inside the commands, so that `headcount --help` is quick.
"""

import os
from pathlib import Path
from typing import Annotated, Literal

import typer

from graphs.apps.analyse_command import analyse
from graphs.apps.ask_command import ask
from graphs.apps.exits import Exit, tidy_exit
from graphs.apps.options import (
    AmbiguityOption,
    BaseUrlOption,
    CallsOption,
    ClusterOption,
    CorpusArgument,
    JsonOption,
    ModelOption,
    RecordOption,
    RouteOption,
    StoreOption,
    UsdOption,
)
from graphs.apps.readings_command import readings
from graphs.apps.records_command import records
from graphs.apps.report_command import report
from graphs.apps.streams import usable_streams

__all__ = ("app", "main")

_TRACING = (
    "LANGSMITH_TRACING",
    "LANGSMITH_TRACING_V2",
    "LANGCHAIN_TRACING",
    "LANGCHAIN_TRACING_V2",
)

app = typer.Typer(
    name="headcount",
    help="Answers questions that need every match in a pile of text: the full list, the words "
    "that prove it, what may be missing, and the bill.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    epilog="Settings: flag, else HEADCOUNT_* variable, else headcount.toml. Nothing is sent "
    "anywhere but to the model that you name; LangSmith tracing is off unless HEADCOUNT_TRACING=1.",
)


@app.command()
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
        Literal["local", "daft"] | None,
        typer.Option(
            help="local, or daft for Parquet shards; else by the place, a URL having shards."
        ),
    ] = None,
    cluster: ClusterOption = None,
    store: StoreOption = None,
    checksum: Annotated[
        bool,
        typer.Option(
            "--checksum",
            help="Read every file, also those whose size, time of change and inode are as before.",
        ),
    ] = False,
) -> None:
    """Make a corpus from documents; run again to add, update and remove what changed."""
    from graphs.apps.indexing import run_index
    from graphs.apps.sharding import run_sharding, wants_shards
    from tools.corpus.settings import BuildSettings

    with tidy_exit():
        settings = BuildSettings(embedder=embedder, chunk_tokens=chunk_tokens, encoding=encoding)
        if wants_shards(into, engine, cluster, checksum=checksum):
            run_sharding(paths, into, settings, cluster, store)
        else:
            run_index(paths, Path(into), settings, store, checksum=checksum)


@app.command(name="filter")
def filter_(
    corpus: Annotated[str, typer.Argument(help="A corpus: a folder, or a URL of shards.")],
    calls: Annotated[
        list[str],
        typer.Argument(
            help='Filter calls as JSON, each on what the one before kept: \'{"exact": {"phrase": '
            '"net 30 days"}}\'.',
            metavar="CALL…",
        ),
    ],
    show: Annotated[int, typer.Option(help="How many of the passages to print.", min=0)] = 10,
    json_: JsonOption = False,
    cluster: ClusterOption = None,
) -> None:
    """Print the passages that filters keep, without a question or a model."""
    from graphs.apps.filtering import FilterRequest, run_filter

    request = FilterRequest(corpus=corpus, calls=calls, cluster=cluster, show=show, json=json_)
    with tidy_exit():
        run_filter(request)


app.command()(ask)
app.command()(analyse)
app.command()(readings)


@app.command()
def chat(
    corpus: CorpusArgument,
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    on_ambiguity: AmbiguityOption = None,
    route: RouteOption = None,
    max_calls: CallsOption = None,
    max_usd: UsdOption = None,
    store: StoreOption = None,
    record: RecordOption = None,
) -> None:
    """Talk to a corpus: the trace as it happens, clarifications, follow-up questions."""
    from graphs.apps.chat import run_chat

    flags = {
        "model": model,
        "base_url": base_url,
        "on_ambiguity": on_ambiguity,
        "route": route,
        "max_calls": max_calls,
        "max_usd": max_usd,
        "store": store,
    }
    with tidy_exit():
        run_chat(corpus, flags, record)


@app.command()
def runs(corpus: CorpusArgument, store: StoreOption = None) -> None:
    """List the runs of a corpus, the newest first."""
    from graphs.apps.listing import run_runs

    with tidy_exit():
        run_runs(corpus, store)


app.command()(report)
app.add_typer(records)


@app.command()
def doctor(
    corpus: Annotated[
        Path | None, typer.Argument(help="A corpus to examine; the installation if left out.")
    ] = None,
    store: StoreOption = None,
) -> None:
    """Examine a corpus or the installation, and the store that keeps the runs; say what to mend.

    The exit code is 1 where there is something.
    """
    from graphs.apps.doctor import run_doctor

    with tidy_exit():
        healthy = run_doctor(corpus, store)
    raise typer.Exit(Exit.ANSWERED if healthy else Exit.ERROR)


@app.command()
def schema() -> None:
    """Print the JSON schema of an answer."""
    import json

    from agent.answer import json_schema

    typer.echo(json.dumps(json_schema(), indent=2))


@app.command()
def demo(
    into: Annotated[Path, typer.Option(help="Where to put the demonstration's corpus.")] = Path(
        "demo/packages.corpus"
    ),
) -> None:
    """Index the README texts of the installed packages and answer three questions about them."""
    from graphs.apps.demo import run_demo

    with tidy_exit():
        run_demo(into)


def main() -> None:
    """Run the command line; no question leaves for a tracing service unless that is asked for."""
    if os.environ.get("HEADCOUNT_TRACING") != "1":
        os.environ.update(dict.fromkeys(_TRACING, "false"))
    usable_streams()
    app()
