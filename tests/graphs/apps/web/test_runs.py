"""The ledger: every passage of a run is listed under the state that it is in, once."""

import json
import re
from html import unescape
from itertools import chain
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from graphs.apps.web import items
from graphs.apps.web.serve import make_app
from tests.graphs.apps.conftest import Flags, Q, run
from tests.graphs.apps.web.test_guard import TOKEN, client
from tools.corpus.build import build
from tools.corpus.corpus import Corpus

STATES = re.compile(r'<option value="([^"]+)"[^>]*>[^<]* \((\d+)\)</option>')
LISTED = re.compile(r'\?passage=(\d+)"')


def listed(page: TestClient, ledger: str, state: str, under: int) -> list[int]:
    """Return the passages of all pages of a list."""
    found: list[int] = []
    for number in range(1, 100):
        asked = {"state": state, "under": str(under), "page": str(number)}
        text = page.get(ledger, params=asked).text
        found += map(int, LISTED.findall(text))
        if ">later</a>" not in text:
            break
    return found


def test_every_passage_is_listed_once_under_each_condition_and_has_its_story(
    place: Path, corpus: Corpus, model: Flags, monkeypatch: pytest.MonkeyPatch
):
    answer = json.loads(run("ask", place, Q, "--json", *model).stdout)
    monkeypatch.setattr(items, "_A_PAGE", 7)
    ledger = f"/corpora/{place.name}/runs/{answer['run']}/ledger"
    with client(make_app(place.parent, TOKEN, {})) as page:
        page.get(f"/?token={TOKEN}")
        whole = page.get(ledger).text
        conditions = whole.count('<option value="0"') + whole.count('<option value="1"')
        for under in range(max(1, conditions)):
            text = page.get(ledger, params={"under": str(under)}).text
            states = {unescape(told): int(count) for told, count in STATES.findall(text)}
            assert len(states) > 1
            found = {state: listed(page, ledger, state, under) for state in states}
            assert {state: len(chunks) for state, chunks in found.items()} == states
            assert sorted(chain.from_iterable(found.values())) == list(range(len(corpus)))
            for state, chunks in found.items():
                story = page.get(ledger, params={"passage": str(chunks[-1])}).text
                assert state in unescape(story)
        nothing = page.get(ledger, params={"state": "<b>", "under": "0"}).text
        assert "0 passages: &lt;b&gt;" in nothing
        assert 'name="state"' not in page.get(ledger, params={"under": "99"}).text
        assert page.get(ledger, params={"page": "x"}).status_code == 400
        last = page.get(ledger, params={"state": next(iter(states)), "page": "9" * 30}).text
        assert LISTED.search(last)
        (place.parent / "new.txt").write_text("One more lease.", encoding="utf-8")
        build([place.parent / "new.txt"], place)
        changed = page.get(ledger, params={"state": next(iter(states))}).text
        assert "the corpus has changed since" in unescape(changed)
        assert 'name="state"' not in changed
        shown = page.get(ledger.removesuffix("/ledger")).text
        assert "the documents have changed since" in unescape(shown)
