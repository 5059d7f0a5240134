"""The files that a person trusts to say where to send: each by its place and its content.

Settings in a working folder and a corpus may come from anyone. What they say of servers and keys is
not used before the person agrees, as with `direnv allow` and git's `safe.directory`.
"""

import hashlib
import json
import os
from pathlib import Path

from agent.errors import SettingsError


def own_settings() -> Path:
    """Return the folder of the person's own settings."""
    home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(home) / "headcount"


def is_trusted(file: Path, content: bytes) -> bool:
    """Return whether the person trusts a file with this content; raises as `trust`."""
    return _kept().get(os.path.realpath(file)) == _digest(content)


def trust(file: Path, content: bytes) -> None:
    """Trust a file as long as it has this content and this place.

    Raises SettingsError: the list of trusted files cannot be read or written.
    """
    kept = _kept() | {os.path.realpath(file): _digest(content)}
    path = _list()
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as to:
            json.dump(kept, to, indent=1)
        draft.replace(path)
    except OSError as error:
        raise SettingsError(f"{path} cannot be written: {error.strerror}") from error


def _list() -> Path:
    return own_settings() / "trusted.json"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def _kept() -> dict[str, str]:
    """Return the digests of the trusted files by their absolute paths."""
    try:
        return dict(json.loads(_list().read_bytes()))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError, TypeError) as error:
        raise SettingsError(f"{_list()} cannot be read: {error}") from error
