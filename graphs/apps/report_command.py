"""The command `headcount report`: its flags, and which of them go together."""

from pathlib import Path
from typing import Annotated

import typer

from graphs.apps.exits import tidy_exit
from graphs.apps.options import StoreOption

__all__ = ("report",)


def report(
    first: Annotated[
        str,
        typer.Argument(metavar="DIR|RUN", help="A corpus, for its newest run; or a run's id."),
    ],
    run: Annotated[
        str | None, typer.Argument(metavar="[RUN]", help="After a corpus: the run's id.")
    ] = None,
    corpus: Annotated[
        Path | None, typer.Option(help="The corpus; searched for in this folder if left out.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="The file to write; RUN.html if left out.")
    ] = None,
    chunk: Annotated[
        str | None,
        typer.Option(
            help="Say what happened to this chunk and why, instead of writing a page.",
            metavar="N|DOCUMENT:OFFSET",
        ),
    ] = None,
    document: Annotated[
        str | None, typer.Option(help="The same for all chunks of a document.", metavar="NAME")
    ] = None,
    store: StoreOption = None,
    json_: Annotated[
        bool, typer.Option("--json", help="The same as JSON; alone, for all chunks of the corpus.")
    ] = False,
) -> None:
    """Write one self-contained HTML page about a run, or tell what happened to its chunks."""
    if run is not None and corpus is not None:
        raise typer.BadParameter("the corpus stands before the run already", param_hint="--corpus")
    if chunk is not None and document is not None:
        raise typer.BadParameter("name a chunk or a document", param_hint="--chunk")
    asked = chunk is not None or document is not None
    if out is not None and (asked or json_):
        raise typer.BadParameter("only a page is written to a file", param_hint="--out")
    from graphs.apps.report import write_page
    from graphs.apps.reported import reported
    from graphs.apps.why import print_stories
    from graphs.apps.why_json import print_account

    with tidy_exit(), reported(first, run, corpus, store) as told:
        if asked:
            print_stories(told, chunk, document, as_json=json_)
        elif json_:
            print_account(told)
        else:
            write_page(told, out)
