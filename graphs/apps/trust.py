"""`headcount trust`: agree to the servers and limits that a folder's files name."""

import tomllib
from pathlib import Path

from agent.errors import SettingsError
from agent.settings import LOCAL_FILE, needing_trust
from agent.small_files import read_small
from agent.trusted_files import trust
from graphs.apps.terminal import write_line
from tools.corpus.embeddings.embedder import told_of_embedder
from tools.corpus.embeddings.lsa import FACTS
from tools.corpus.generations import CorpusLayout


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
