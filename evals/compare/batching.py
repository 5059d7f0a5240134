"""headcount-eval compare batching: calls and cross-batch pairs of batching methods."""

from pathlib import Path
from typing import Annotated

import typer

from evals.options import JsonFile, KeepIndexes, Questions
from evals.output import check_target, errors_told, say, working_folder, write_json

__all__ = ("batching",)


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
