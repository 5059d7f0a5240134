"""`headcount doctor` and `trust`: what is wrong with a corpus, and whom its folder may send to."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

from agent.errors import CorpusDamaged, HeadcountError, SettingsError
from agent.settings import LOCAL_FILE, load_settings, needing_trust
from agent.small_files import read_small
from agent.trusted_files import trust
from agent.value import counted
from graphs.apps.terminal import write_line
from graphs.runs.beside import CHECKPOINTS
from tools.corpus.corpus import open_corpus
from tools.corpus.embeddings.embedder import told_of_embedder
from tools.corpus.embeddings.lsa import FACTS
from tools.corpus.generations import CorpusLayout
from tools.corpus.manifest import corpus_id
from tools.engines.sharded.sharded_corpus import open_sharded
from tools.postgres.address import server_of
from tools.records.record_store import FORM as RECORDS
from tools.runs.file_replies import RESPONSES
from tools.runs.reviews import REVIEWS
from tools.runs.store import RUN_STORE
from tools.sqlite_file import problem_of


def run_doctor(location: str) -> bool:
    """Print problems and fixes; return whether none was found."""
    if CorpusLayout(Path(location)).has_shards():
        problems = list(_shards(location))
    else:
        corpus = Path(location)
        kept = (*_databases(corpus), *_store(corpus))
        problems = [*_corpus(corpus), *kept]
    for line in [f"problem: {each}" for each in problems] or ["No problems found"]:
        write_line(line)
    return not problems


def _corpus(corpus: Path) -> Iterator[str]:
    size = sum(file.stat().st_size for file in corpus.rglob("*") if file.is_file())
    try:
        opened = open_corpus(corpus)
    except CorpusDamaged as error:
        write_line(f"{corpus}: cannot be opened, {size / 1e6:.1f} MB")
        yield str(error)
        return
    held = opened.manifest
    write_line(
        f"{corpus}: {counted(held.documents, 'document')}, {counted(held.chunks, 'chunk')}, "
        f"{counted(len(opened.fields), 'metadata field')}, embedder {held.embedder}, "
        f"{size / 1e6:.1f} MB",
    )
    for file in held.unreadable:
        write_line(f"not read: {file.path}: {file.reason}")
    for name, warning in opened.notes:
        write_line(f"note: {name}: {warning}")
    try:
        opened.check()
        _ = opened.embedder
    except (CorpusDamaged, SettingsError) as error:
        yield str(error)


def _shards(location: str) -> Iterator[str]:
    try:
        opened = open_sharded(location)
    except CorpusDamaged as error:
        yield str(error)
        return
    held = opened.manifest
    write_line(
        f"{location}: {counted(held.documents, 'document')}, {counted(held.chunks, 'chunk')}, "
        f"{counted(len(held.shards), 'shard')}"
    )
    for path, reason in (each for shard in held.shards for each in shard.unreadable):
        write_line(f"not read: {path}: {reason}")
    yield from opened.problems()


def _databases(corpus: Path) -> Iterator[str]:
    """Yield the problems of the databases in a corpus's folder, which no build heals."""
    forms = {
        "checkpoints": CHECKPOINTS,
        "records": RECORDS,
        "responses": RESPONSES,
        "reviews": REVIEWS,
        "runs": RUN_STORE,
    }
    for file in sorted(corpus.rglob("*.sqlite")):
        form = forms.get(file.stem.rpartition(".")[2])
        if form is not None and (problem := problem_of(file, form)) is not None:
            yield problem


def _store(corpus: Path) -> Iterator[str]:
    """Check the server that keeps the runs; being unable to check it is a problem, too."""
    try:
        address = server_of(load_settings())
        if address is None:
            return
        from psycopg.rows import tuple_row

        from tools.postgres.connection import connect

        connect(address, corpus_id(corpus), tuple_row).close()
        write_line(f"{address}: answers")
    except HeadcountError as error:
        yield str(error)


def run_trust(folder: Path) -> None:
    """Trust a folder's settings and its corpus's embedder; raises SettingsError without either."""
    made = CorpusLayout(folder).generation()
    tells = {folder / LOCAL_FILE: _told}
    if made is not None:
        tells[made.embedder / FACTS] = told_of_embedder
    found = {file: tell for file, tell in tells.items() if file.is_file()}
    if not found:
        raise SettingsError(f"there is no {LOCAL_FILE} and no corpus in {str(folder)!r}")
    for file, tell in found.items():
        content = read_small(file)
        try:
            told = tell(content)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise SettingsError(f"{file} cannot be read: {error}") from error
        trust(folder / file.name, content)
        write_line(f"trusted: {folder / file.name}: {told}")


def _told(content: bytes) -> str:
    settings = tomllib.loads(content.decode("utf-8"))
    told = needing_trust({key.lower(): value for key, value in settings.items()})
    if any(key.lower() == "base_url" for key in settings):
        told.append("and HEADCOUNT_API_KEY, where it is set, goes to that server")
    return ", ".join(told) or "it names no server, model, key, limit or price"
