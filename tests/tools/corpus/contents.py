"""What a corpus holds, wherever it lies and however it came about."""

from pathlib import Path

from tools.corpus.corpus import open_corpus


def contents(place: Path) -> tuple[object, ...]:
    """Return all but the sources and what files look like from outside; equal values are equal."""
    corpus = open_corpus(place)
    arrays = (corpus.vectors.rows(), corpus.clusters)
    return (
        corpus.digest,
        corpus.manifest.model_copy(update={"sources": (), "slots": False}),
        [file.content for file in corpus.files],
        (corpus.fields, list(corpus.titles), corpus.texts.to_list()),
        [corpus.headings(chunk) for chunk in range(len(corpus))],
        list(corpus.lexical.vocabulary),
        [each.tobytes() for each in arrays],
    )
