"""Which domains there are: a file each, found without reading them."""

from pathlib import Path
from typing import Final

__all__ = ("FOLDER", "domain_names")

FOLDER: Final = Path(__file__).parent.parent / "data" / "domains"


def domain_names() -> tuple[str, ...]:
    """Return the names of the domains there are."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.yaml")))
