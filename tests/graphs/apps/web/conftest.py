"""A server of the page in this process, and a real browser that looks at it."""

import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from graphs.apps.web.serve import made_server
from tests.graphs.apps.conftest import Flags

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync")
PATIENCE = 30_000
Visit = Callable[..., "AbstractContextManager[Page]"]


@contextmanager
def serving(folder: Path, model: Flags = ()) -> Iterator[str]:
    """Serve a folder, with a model or without; yields the link."""
    flags = {"model": model[1], "base_url": model[3]} if model else {}
    server, listening, address = made_server(folder, 0, flags)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    try:
        yield address
    finally:
        server.should_exit = True
        thread.join(PATIENCE / 1000)
        listening.close()
        assert not thread.is_alive()


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    if CHROMIUM is None:
        pytest.skip("there is no Chromium: apt-get install chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield made
        made.close()


@dataclass
class Look:
    """Opens pages, and remembers what went wrong in them."""

    browser: "Browser"
    troubles: list[str] = field(default_factory=list)

    def __call__(self, link: str, *, width: int = 1280, scheme: str = "light") -> "Page":
        """Open a link in a browser that knows nothing yet."""
        told = {"viewport": {"width": width, "height": 900}, "color_scheme": scheme}
        page = self.browser.new_context(**told).new_page()  # type: ignore[arg-type]
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.troubles.append(str(error)))
        page.on("dialog", lambda dialog: self.troubles.append(dialog.message))
        page.on(
            "console",
            lambda told: (
                told.type == "error"
                and "net::ERR_" not in told.text  # the server has ended
                and self.troubles.append(told.text)
            ),
        )
        page.goto(link)
        return page


@pytest.fixture
def look(browser: "Browser") -> Iterator[Look]:
    looked = Look(browser)
    yield looked
    for context in browser.contexts:
        context.close()
    assert looked.troubles == []


@pytest.fixture
def visit(look: Look) -> Visit:
    """Serves a folder, and opens the page of a corpus there."""

    @contextmanager
    def visited(
        folder: Path, model: Flags = (), corpus: str = "leases.corpus", **options: Any
    ) -> "Iterator[Page]":
        with serving(folder, model) as link:
            page = look(link, **options)
            if corpus:
                page.click(f"text={corpus}")
            yield page

    return visited


def server_of(page: "Page") -> str:
    """Return the address of the server of a page."""
    return page.url.partition("/corpora")[0]


def ask(page: "Page", question: str, reader: str | None = None) -> None:
    """Ask from a corpus's page."""
    page.fill("#question", question)
    if reader is not None:
        page.select_option("select[name=reader]", reader)
    page.click("button:text-is('Ask')")
