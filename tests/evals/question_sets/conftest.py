from pathlib import Path

import pytest

from tests.built import write

TOOLS = ("Kestrel", "Osprey", "Merlin")
_FILLER = "The gardens of the town were open to all who came by in the summer months. "


def reports() -> dict[str, str]:
    """Twenty reports: status, author and year in the header, sections, and a tool or two."""
    return {f"report-{number:02}.txt": _report(number) for number in range(20)}


def _report(number: int) -> str:
    status = ("Open", "Closed", "Closed", "Withdrawn")[number % 4]
    header = f"Status: {status}\nCreated: 2{number % 10}-Mar-{2010 + number}\n"
    tools = [tool for at, tool in enumerate(TOOLS) if number % (at + 4) == 0]
    said = " ".join(f"We ran {tool} twice, and {tool} failed." for tool in tools)
    risks = "## Known Risks\n\nThere are some.\n" if number % 6 == 1 else ""
    return f"{header}\n# Report {number}\n\n{_FILLER}{said}\n\n{risks}"


def strangers() -> dict[str, str]:
    """Ten documents on other things; one of them speaks of a tool."""
    told = {
        f"stranger-{number}.txt": f"# Letter {number}\n\n{_FILLER * 2}\n" for number in range(24)
    }
    return told | {"stranger-9.txt": f"{_FILLER}An Osprey flew by.\n"}


@pytest.fixture
def core(tmp_path: Path) -> Path:
    return write(tmp_path / "reports", reports())


@pytest.fixture
def others(tmp_path: Path) -> Path:
    return write(tmp_path / "strangers", strangers())
