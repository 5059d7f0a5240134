"""The command line: `headcount index | ask | chat | runs | report | doctor | schema | demo`.

Heavy libraries are imported inside the commands, so that `headcount --help` is quick.
"""

from pathlib import Path
from typing import Annotated

import typer

from graphs.apps.exits import Exit, tidy_exit

__all__ = ("app", "main")

app = typer.Typer(
    name="headcount",
    help="Answers questions that need every match in a pile of text: the full list, the words "
    "that prove it, what may be missing, and the bill.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

CorpusArgument = Annotated[Path, typer.Argument(help="The corpus made by `headcount index`.")]
ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model", help="rules (offline), a chat model's name, or recorded:FILE.", metavar="NAME"
    ),
]
BaseUrlOption = Annotated[
    str | None, typer.Option("--base-url", help="An OpenAI-compatible server.", metavar="URL")
]
AmbiguityOption = Annotated[
    str | None,
    typer.Option(
        "--on-ambiguity",
        help="ask the person, assume the likeliest reading, branch into all readings, or fail.",
        metavar="ask|assume|branch|fail",
    ),
]
CallsOption = Annotated[
    int | None, typer.Option("--max-calls", help="Model calls at most.", metavar="N", min=0)
]
UsdOption = Annotated[
    float | None, typer.Option("--max-usd", help="Money at most, in US dollars.", metavar="X")
]


@app.command()
def index(
    paths: Annotated[list[Path], typer.Argument(help="Files and folders with documents.")],
    into: Annotated[Path, typer.Option("--into", help="The corpus to make or to update.")],
    embedder: Annotated[
        str, typer.Option(help="lsa (offline), openai:NAME or sentence-transformers:NAME.")
    ] = "lsa",
    chunk_tokens: Annotated[int, typer.Option(help="Tokens in a chunk, about.", min=50)] = 400,
    encoding: Annotated[
        str | None, typer.Option(help="Encoding of text files that are not UTF-8.")
    ] = None,
) -> None:
    """Make a corpus from documents; run again to add, update and remove what changed."""
    from graphs.apps.indexing import run_index

    with tidy_exit():
        run_index(paths, into, embedder=embedder, chunk_tokens=chunk_tokens, encoding=encoding)


@app.command()
def ask(
    corpus: CorpusArgument,
    question: Annotated[
        str | None, typer.Argument(help="The question; not needed with --resume.")
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    on_ambiguity: AmbiguityOption = None,
    recall: Annotated[
        float | None,
        typer.Option(help="The share of the relevant chunks to find.", min=0.0, max=1.0),
    ] = None,
    max_calls: CallsOption = None,
    max_usd: UsdOption = None,
    estimate: Annotated[
        bool, typer.Option("--estimate", help="Only say what it would cost; spend nothing.")
    ] = False,
    resume: Annotated[
        str | None, typer.Option("--resume", help="Go on with this run.", metavar="RUN")
    ] = None,
    reply: Annotated[
        str | None,
        typer.Option("--reply", help="With --resume: the clarification's option or words."),
    ] = None,
) -> None:
    """Ask a question and print every match with its proof."""
    from graphs.apps.asking import Request, run_ask

    request = Request(
        corpus=corpus,
        question=question,
        json=json_,
        estimate=estimate,
        resume=resume,
        reply=reply,
        flags={
            "model": model,
            "base_url": base_url,
            "on_ambiguity": on_ambiguity,
            "recall": recall,
            "max_calls": max_calls,
            "max_usd": max_usd,
        },
    )
    with tidy_exit():
        code = run_ask(request)
    raise typer.Exit(code)


@app.command()
def chat(
    corpus: CorpusArgument,
    model: ModelOption = None,
    base_url: BaseUrlOption = None,
    on_ambiguity: AmbiguityOption = None,
    max_calls: CallsOption = None,
    max_usd: UsdOption = None,
) -> None:
    """Talk to a corpus: the trace as it happens, clarifications, follow-up questions."""
    from graphs.apps.chat import run_chat

    flags = {
        "model": model,
        "base_url": base_url,
        "on_ambiguity": on_ambiguity,
        "max_calls": max_calls,
        "max_usd": max_usd,
    }
    with tidy_exit():
        run_chat(corpus, flags)


@app.command()
def runs(corpus: CorpusArgument) -> None:
    """List the runs of a corpus, the newest first."""
    from graphs.apps.listing import run_runs

    with tidy_exit():
        run_runs(corpus)


@app.command()
def report(
    run: Annotated[str, typer.Argument(help="The run's id, as printed with its answer.")],
    corpus: Annotated[
        Path | None, typer.Option(help="The corpus; searched for in this folder if left out.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The file to write; RUN.html if left out.")
    ] = None,
) -> None:
    """Write one self-contained HTML page about a run."""
    from graphs.apps.report import run_report

    with tidy_exit():
        run_report(run, corpus, out)


@app.command()
def doctor(
    corpus: Annotated[
        Path | None, typer.Argument(help="A corpus to examine; the installation if left out.")
    ] = None,
) -> None:
    """Examine a corpus or the installation, and say what to mend."""
    from graphs.apps.doctor import run_doctor

    with tidy_exit():
        healthy = run_doctor(corpus)
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
    """Run the command line."""
    app()
