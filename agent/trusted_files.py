"""The files that a person trusts to say where to send: each by its place and its content.

Settings in a working folder and a corpus may come from anyone. What they say of servers and keys is
not used before the person agrees, as with `direnv allow` and git's `safe.directory`.
"""

import hashlib
import json
import os
from pathlib import Path

from agent.errors import SettingsError
from agent.private_database import make_private

_LIST = "trusted.json"


def own_settings() -> Path:
    """Return the folder of the person's own settings."""
    home = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(home) / "headcount"


def is_trusted(file: Path, content: bytes) -> bool:
    """Return whether the person trusts a file with this content; raises as `trust`."""
    return _kept().get(_place(file)) == hashlib.sha256(content).hexdigest()


def trust(file: Path, content: bytes) -> None:
    """Trust a file as long as it has this content and this place.

    Raises SettingsError or OSError: the list of trusted files cannot be read or written.
    """
    kept = _kept() | {_place(file): hashlib.sha256(content).hexdigest()}
    path = own_settings() / _LIST
    draft = path.with_name(f"{_LIST}.{os.getpid()}")
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    make_private(draft)
    draft.write_text(json.dumps(kept, indent=1), encoding="utf-8")
    draft.replace(path)


def _place(file: Path) -> str:
    """Return where a file stands; a link in its place leads to what another folder trusts."""
    return str(file.parent.resolve() / file.name)


def _kept() -> dict[str, str]:
    try:
        return dict(json.loads((own_settings() / _LIST).read_bytes()))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise SettingsError(f"{own_settings() / _LIST} cannot be read: {error}") from error
