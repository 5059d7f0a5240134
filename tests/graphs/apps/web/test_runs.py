"""The pages of runs: the story of a passage, runs side by side."""

import re
from pathlib import Path

from starlette.testclient import TestClient

from tests.graphs.apps.conftest import Flags, Q, run, told_by
from tests.graphs.apps.web.test_guard import browsing
from tests.graphs.conftest import PETS, QUOTE

LEASES = {f"lease-{number:02}" for number in PETS}


def cells(page: TestClient, place: Path, *runs: str, only: str = "") -> dict[str, list[str]]:
    """Return the matrix: by document what each run made of it."""
    asked = {"run": [*runs], "only": only}
    text = page.get(f"/corpora/{place.name}/compare", params=asked).text
    rows = re.findall(r'<tr><th scope="row"><a [^>]*>([^<]*)</a></th>(.*?)</tr>', text, re.DOTALL)
    return {
        name: [
            re.sub(r"<[^>]*>", " ", each).split("\n")[0].strip() for each in row.split("<td>")[1:]
        ]
        for name, row in rows
    }


def test_a_declined_question_offers_nothing_to_go_on_with(place: Path) -> None:
    run("ask", place, "Welche Verträge erlauben ein Haustier?")
    (name,) = (each.split("\t")[0] for each in run("runs", place).stdout.splitlines())
    with browsing(place.parent) as page:
        shown = page.get(f"/corpora/leases.corpus/runs/{name}").text
    assert "Read it myself" in shown
    assert "Go on" not in shown
    assert "is kept" not in shown


def test_a_matrix_tells_what_is_no_from_what_may_not_have_been_read(place: Path, model: Flags):
    limited = told_by("ask", place, Q, *model, "--max-calls", 3, code=4)["run"]
    whole = told_by("ask", place, Q, *model, "--audit", 99)["run"]
    none = told_by("ask", place, "Which documents mention a zeppelin?")["run"]
    unread = told_by("ask", place, Q, code=6)["run"]
    with browsing(place.parent) as page:
        found = cells(page, place, whole, limited, none, unread)
        apart = cells(page, place, whole, none, only="apart")
    assert list(found)[: len(LEASES)] == sorted(LEASES)
    for name, made in found.items():
        assert made[0].startswith(f"certain   {QUOTE}" if name in LEASES else "no")
        assert made[1:3] == ["not found, not all was read", "no"]
        assert made[3].startswith(("not read: a candidate", "not known"))
    assert apart == {name: [found[name][0], "no"] for name in LEASES}
