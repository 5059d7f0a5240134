"""`headcount trust`: agree to the servers that a folder's files name."""

import tomllib
from pathlib import Path

from agent.errors import SettingsError
from agent.settings import LOCAL_FILE, senders
from agent.trusted_files import trust
from graphs.apps.safe_console import SafeConsole
from graphs.apps.terminal import say
from tools.corpus.embeddings.embedder import told_of_embedder
from tools.corpus.embeddings.lsa import FACTS
from tools.corpus.generations import CorpusLayout


def run_trust(folder: Path) -> None:
    """Trust the settings in a folder and the embedder of a corpus, and print what they name.

    Raises SettingsError: neither is there, or one cannot be read.
    """
    made = CorpusLayout(folder).generation()
    read = {LOCAL_FILE.name: folder / LOCAL_FILE}
    if made is not None:
        read[FACTS] = made.embedder / FACTS
    found = {name: path.read_bytes() for name, path in read.items() if path.is_file()}
    if not found:
        raise SettingsError(f"there is no {LOCAL_FILE} and no corpus in {str(folder)!r}")
    for name, content in found.items():
        try:
            told = _told(name, content)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise SettingsError(f"{read[name]} cannot be read: {error}") from error
        trust(folder / name, content)
        say(SafeConsole(highlight=False), f"trusted: {folder / name}: {told}")


def _told(name: str, content: bytes) -> str:
    if name == FACTS:
        return told_of_embedder(content)
    settings = tomllib.loads(content.decode("utf-8"))
    told = senders({key.lower(): value for key, value in settings.items()})
    return ", ".join(told) or "it names no server, model or key"
