"""Every view, on a desktop and a phone, light and dark: nothing is kept from anybody."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.graphs.apps.conftest import Flags, Q
from tests.graphs.apps.web.conftest import Visit, ask, server_of
from tests.tools.corpus.readers.test_pdf import pdf_of
from tools.corpus.build import build

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytest.importorskip("axe_playwright_python")


def views(page: "Page") -> Iterator[str]:
    """Go through the views, one of each; yields their names."""
    yield "library"
    page.click("text=leases.corpus")
    yield "corpus"
    corpus = page.url
    ask(page, "Which documents mention a dog?", "lexical")
    page.wait_for_selector("#value")
    page.keyboard.press("e")
    page.keyboard.press("e")
    yield "answer"
    source = page.get_attribute("a.source", "href")
    page.click("text=What happened to every passage")
    yield "ledger"
    page.goto(f"{server_of(page)}{source}")
    yield "document"
    page.goto(f"{server_of(page)}/corpora/pdfs.corpus")
    ask(page, "Which documents mention a dog?", "lexical")
    page.goto(f"{server_of(page)}{page.get_attribute('a.source', 'href')}")
    page.wait_for_selector(".quoted.here")
    yield "page"
    page.goto(corpus)
    ask(page, "Which leases let the tenant keep one dog?", "person")
    page.wait_for_selector("#passage")
    yield "review"
    page.goto(corpus)
    page.check("input[name=confirm]")
    ask(page, Q, "reader")
    page.wait_for_selector("#confirm")
    yield "criteria"
    page.click("button:text-is('Read by this')")
    page.wait_for_selector("#value")
    page.click("text=Change what counts")
    page.click("text=Check it yourself")
    yield "how many to check"
    page.click("button:text-is('Check')")
    page.wait_for_selector("#passage")
    page.keyboard.press("y")
    page.wait_for_selector("#corrected")
    yield "checking"
    page.click("button:text-is('Stop for now')")
    page.click("text=Go on to the answer")
    page.wait_for_selector("#corrected")
    yield "checked"
    page.goto(corpus)
    page.check("input[name=run] >> nth=0")
    page.check("input[name=run] >> nth=1")
    page.click("button:text-is('Side by side')")
    yield "two side by side"


@pytest.fixture(scope="module")
def pdfs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of one PDF, which lies where it was indexed."""
    folder = tmp_path_factory.mktemp("pdfs")
    (folder / "lease.pdf").write_bytes(pdf_of("A dog may be kept.", "A dog."))
    build([folder / "lease.pdf"], folder / "pdfs.corpus")
    return folder / "pdfs.corpus"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_every_view_is_for_everybody(
    place: Path,
    pdfs: Path,
    model: Flags,
    visit: Visit,
    width: int,
    scheme: str,
):
    from axe_playwright_python.sync_playwright import Axe

    found: dict[str, Any] = {}
    shutil.copytree(pdfs, place.parent / "pdfs.corpus")
    with visit(place.parent, model, corpus="", width=width, scheme=scheme) as page:
        for name in views(page):
            # The page's own policy lets no script in: axe comes by the browser's debugger.
            told = Axe().run(page).response
            found[name] = [
                (each["id"], [node["target"] for node in each["nodes"]])
                for each in told["violations"]
            ]
            wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wide <= 0, f"{name} is wider than the screen"
            broken = "[...document.querySelectorAll('.scroll td a')].filter(each => "
            broken += "!each.textContent.includes(' ') && each.getClientRects().length > 1).length"
            assert page.evaluate(broken) == 0, f"a name is broken in {name}"
    assert found == {name: [] for name in found}
    assert len(found) == 12
