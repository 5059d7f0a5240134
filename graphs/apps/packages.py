"""The text that every machine has: the README texts in the metadata of installed packages."""

from collections.abc import Iterator
from email import message_from_string
from email.message import Message
from importlib.metadata import Distribution, distributions
from pathlib import Path

from agent.errors import CorpusError

__all__ = ("write_readmes",)

_FIELDS = ("Name", "Version", "Summary", "Author", "Requires-Python", "Keywords")
_LONGEST_LICENCE = 60
"""Some packages put the licence's whole text in its field; that is no name."""


def write_readmes(folder: Path) -> int:
    """Write a document for each installed package that has a README; return how many.

    Raises:
        CorpusError: no installed package has one.
    """
    written = 0
    for name, text in _readmes():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
        written += 1
    if not written:
        raise CorpusError("no installed package carries a README in its metadata")
    return written


def _readmes() -> Iterator[tuple[str, str]]:
    """Yield name and text; a header of the package's facts stands above its README."""
    packages = {package.name.lower(): package for package in distributions()}
    for name, package in sorted(packages.items()):
        metadata = _metadata(package)
        body = str(metadata.get_payload()) or metadata.get("Description", "")
        if body.strip():
            yield name, f"{_header(metadata)}\n\n{body}"


def _metadata(package: Distribution) -> Message:
    """Return the metadata as what it is: an e-mail message whose body is the README."""
    return message_from_string(package.read_text("METADATA") or "")


def _header(metadata: Message) -> str:
    fields = {name: metadata.get(name, "") for name in _FIELDS}
    fields["License"] = _licence(metadata)
    lines = [f"{name}: {' '.join(value.split())}" for name, value in fields.items() if value]
    return "\n".join(lines)


def _licence(metadata: Message) -> str:
    """Return the licence's name from the field that gives it; packages use three of them."""
    for name in ("License-Expression", "License"):
        stated = " ".join((metadata.get(name) or "").split())
        if 0 < len(stated) <= _LONGEST_LICENCE:
            return stated
    classified = [
        each.rpartition("::")[2].strip()
        for each in metadata.get_all("Classifier") or ()
        if each.startswith("License ::")
    ]
    return ", ".join(classified)
