"""Papers of an invented lettings office in several languages, as documents to index."""

from functools import cache
from pathlib import Path

import yaml


@cache
def papers() -> dict[str, dict[str, str]]:
    """Return all papers by the code of their language and their name."""
    written = Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8")
    loaded: dict[str, dict[str, str]] = yaml.safe_load(written)
    return loaded


def documents(*languages: str) -> dict[str, str]:
    """Return the files of some languages, of all where none is named: `de/brief-miete.txt`."""
    return {
        f"{code}/{name}.txt": text
        for code, own in papers().items()
        for name, text in own.items()
        if code in languages or not languages
    }
