"""What a run was measured on and with: recorded beside the results, never in them."""

import os
import platform
import sys
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path

from packaging.requirements import Requirement

from agent.value import Value

__all__ = ("Environment", "environment")

_DISTRIBUTION = "headcount"
_LAYING_OUT = ("evals/paper/", "evals/reporting/")
"""Code that chooses arms, which a run's plan tells, and that lays out what was measured."""


class Environment(Value):
    """One machine, one Python, one set of packages."""

    headcount: str
    """The version of what is measured."""
    source: str
    """SHA-256 over the modules and prompts that decide a result, so that an edited copy shows."""
    python: str
    system: str
    machine: str
    cores: int
    packages: dict[str, str]
    """The versions of its dependencies, by name."""


def environment() -> Environment:
    """Describe where this runs."""
    return Environment(
        headcount=_version(_DISTRIBUTION),
        source=_source(),
        python=sys.version.split()[0],
        system=f"{platform.system()} {platform.release()}",
        machine=platform.machine(),
        cores=os.cpu_count() or 1,
        packages={name: _version(name) for name in _dependencies()},
    )


def _dependencies() -> list[str]:
    """Return the names of what the project needs, without its extras."""
    try:
        stated = distribution(_DISTRIBUTION).requires or []
    except PackageNotFoundError:
        return []
    needs = (Requirement(line) for line in stated)
    return sorted({need.name for need in needs if "extra" not in str(need.marker or "")})


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "not installed"


def _source() -> str:
    """Hash the code and the prompts that run, by package and path."""
    import hashlib

    root = Path(__file__).resolve().parents[2]
    found = hashlib.sha256()
    for package in ("agent", "tools", "prompts", "graphs", "evals"):
        for path in sorted((root / package).rglob("*")):
            name = path.relative_to(root).as_posix()
            decides = path.suffix in {".py", ".md", ".toml"} and not name.startswith(_LAYING_OUT)
            if decides and path.is_file():
                found.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()
