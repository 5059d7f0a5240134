"""The whole way in a real browser: from a folder to an answer that a person has checked."""

import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.built import write
from tests.fake_provider.replies import Reply
from tests.fake_provider.server import FakeProvider
from tests.graphs.apps.conftest import PROGRAM, Flags, Q
from tests.graphs.apps.web.conftest import PATIENCE, Look, Visit, ask, server_of
from tests.graphs.conftest import PETS, QUOTE
from tests.graphs.replies import verdicts
from tests.integration.reader import Body, doubting, kind_of, passages_in, prompt_of, read, said
from tests.tools.corpus.readers.test_pdf import pdf_of
from tools.corpus.build import build
from tools.runs.reviews import Reviews

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from playwright.sync_api import Page

expect = pytest.importorskip("playwright.sync_api").expect
expect.set_options(timeout=PATIENCE)
KEEP = "Which leases let the tenant keep one dog?"
PASSAGE = "#passage"
OPTION = "a mere option to keep an animal"
HOSTILE = '<img src=x onerror="alert(1)"><script>alert(2)</script>'


def press(page: "Page", key: str) -> None:
    """Press a key of a review, and wait for what comes of it."""
    turn = page.get_attribute("input[name=turn]", "value")
    page.keyboard.press(key)
    page.wait_for_function(
        "turn => document.querySelector('input[name=turn]')?.value !== turn", arg=turn
    )


def judge(page: "Page") -> None:
    """Judge the passage shown by its words."""
    shown = " ".join(page.inner_text(PASSAGE).split())
    press(page, "y" if "may keep one dog" in shown else "n")


def read_on(page: "Page", most: int = 400) -> None:
    """Judge each passage by its words until the review ends."""
    for _ in range(most):
        page.wait_for_selector(f"{PASSAGE}, #value, a:has-text('Go on to')")
        if not page.is_visible(PASSAGE):
            return
        judge(page)
    pytest.fail("the review does not end")


@contextmanager
def gated(
    visit: Visit, place: Path, model: Flags, provider: FakeProvider, permits: int = 0, **more: Any
) -> "Iterator[tuple[Page, threading.Semaphore]]":
    """Visit a place where each request waits for a permit; all come by in the end, or it hangs."""
    gate = provider.gate = threading.Semaphore(permits)
    with visit(place.parent, model, **more) as page:
        try:
            yield page, gate
        finally:
            gate.release(1000)


def test_from_a_folder_to_an_answer_with_its_source(tmp_path: Path, visit: Visit):
    pets, text = enumerate(("dog", "cat", "dog")), "The tenant may keep a {}.\n\nThe rent is due.\n"
    texts = {f"{number}.txt": text.format(pet) for number, pet in pets}
    papers = write(tmp_path / "papers", {**texts, "broken.pdf": b"%PDF-1.4 no"})
    with visit(tmp_path, corpus="") as page:
        page.fill("input[name=source]", str(papers))
        page.fill("input[name=name]", "leases")
        page.click("button:text-is('Index')")
        page.click("text=Go on to leases.corpus")
        expect(page.locator("main")).to_contain_text("broken.pdf")
        ask(page, "Which documents mention a dog?")
        expect(page.locator("#value")).to_have_text("2")
        page.click("a.source >> nth=0")
        expect(page.locator("#beside mark.here")).to_contain_text("dog")
        for suffix, told in (
            ("csv", "certain,The tenant may keep a dog."),
            ("md", "Which documents mention a dog?"),
        ):
            assert told in page.request.get(f"{page.url}/export/{suffix}").text()
        assert page.request.get(f"{page.url}/export/exe").status == 400
        page.click("text=What happened to every passage")
        page.fill("input[name=passage]", "0")
        page.click("button:text-is('Look')")
        expect(page.locator(".trace")).to_contain_text("decided, a match")


def test_the_trace_comes_as_it_happens_and_a_run_is_stopped_and_goes_on(
    place: Path, model: Flags, provider: FakeProvider, visit: Visit
):
    with gated(visit, place, model, provider, 2) as (page, gate):
        ask(page, Q)
        page.wait_for_selector("#trace:has-text('classify:')")  # the next request waits
        page.click("button:text-is('Stop')")
        page.wait_for_selector("text=Stopping after what is in flight")
        gate.release(100)
        page.click("button:text-is('Go on')")
        expect(page.locator("#value")).to_have_text(str(len(PETS)))
    asked = [str(each["messages"]) for each in provider.requests]
    assert len(asked) == len(set(asked))


SHIFTS = """
window.shifted = 0;
new PerformanceObserver((told) => {
  for (const each of told.getEntries()) if (!each.hadRecentInput) window.shifted += each.value;
}).observe({ type: "layout-shift", buffered: true });
"""


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_moves_while_a_run_is_followed(
    place: Path, model: Flags, provider: FakeProvider, visit: Visit, width: int
):
    with gated(visit, place, model, provider, width=width) as (page, gate):
        page.add_init_script(SHIFTS)
        ask(page, Q)
        page.wait_for_selector("#trace")
        while not page.is_visible("#value"):
            before = page.inner_text("#panel")
            gate.release()
            page.wait_for_function(
                "before => document.querySelector('#panel').innerText !== before", arg=before
            )
        assert page.evaluate("shifted") < 0.1
        page.evaluate("document.querySelector('h1').before('moved '.repeat(2000))")
        page.wait_for_function("() => shifted >= 0.1")  # what moves is seen


def test_what_is_ambiguous_is_asked_back_in_the_page(
    place: Path, model: Flags, provider: FakeProvider, visit: Visit
):
    provider.answer = doubting
    with visit(place.parent, model) as page:
        page.check("input[name=confirm]")
        ask(page, Q)
        expect(page.locator("#clarify")).to_contain_text("Which animals?")
        options = page.locator("#clarify p").all_inner_texts()
        assert [told.partition(" How many")[0] for told in options] == [
            "dogs and cats about 5",
            "any animal about 2",
        ]
        page.fill("input[name=reply]", "99")
        page.click("button:text-is('Reply')")
        page.wait_for_selector("text=there is no option 99")
        page.click("#clarify button >> nth=1")
        page.click("button:text-is('Read by this')")
        page.wait_for_selector("#value")
        expect(page.locator("main")).to_contain_text("York")


def test_a_person_reads_to_the_bound_and_two_tabs_never_judge_twice(place: Path, visit: Visit):
    with visit(place.parent) as page:
        ask(page, KEEP, "person")
        page.wait_for_selector(PASSAGE)
        page.click("text=the whole document")
        page.wait_for_selector("#beside mark.here")
        passage = " ".join(page.inner_text("#beside mark.here").split())
        assert passage in " ".join(page.inner_text(PASSAGE).split())
        page.keyboard.press("/")
        page.keyboard.type("deals with")
        page.keyboard.press("Enter")
        expect(page.locator("#beside .turn")).to_contain_text(" of 60")
        hit = int(page.inner_text("#beside .turn").partition(" of")[0])
        expect(page.locator(".while-beside")).to_be_visible()
        turn = page.get_attribute("input[name=turn]", "value")
        for key, by in (("n", 1), ("y", 1), ("p", 0)):
            page.keyboard.press(key)
            expect(page.locator("#beside .turn")).to_contain_text(f"{hit + by} of ")
        assert page.get_attribute("input[name=turn]", "value") == turn
        expect(page.locator("#panel")).to_contain_text("0 yes, 0 borderline, 0 no")
        page.keyboard.press("Escape")
        expect(page.locator(".while-beside")).to_be_hidden()
        page.dblclick(f"{PASSAGE} mark >> nth=0", position={"x": 8, "y": 8})
        expect(page.locator("#words")).not_to_have_value("")
        word = page.input_value("#words").strip()
        press(page, "w")
        expect(page.locator("#quoted mark")).to_have_text(f"“{word}”")
        expect(page.locator(f"{PASSAGE} mark")).to_have_text(word)
        other = page.context.new_page()
        other.goto(page.url)
        turn = other.get_attribute("input[name=turn]", "value")
        press(page, "n")
        server = server_of(page)
        late = page.request.post(
            f"{server}{page.get_attribute('#review', 'action')}",
            form={"key": "y", "turn": str(turn)},
            headers={"Origin": server},
        )
        assert late.status == 409
        other.wait_for_function(
            "turn => document.querySelector('input[name=turn]')?.value !== turn", arg=turn
        )
        expect(other.locator("#panel")).to_contain_text("1 no")
        press(page, "u")
        page.fill("#note", "as the form says")
        page.press("#note", "Enter")
        page.wait_for_selector("text=kept with your verdict: as the form says")
        expect(page.locator("#panel")).to_contain_text("0 yes, 0 borderline, 0 no")
        press(page, "y")
        press(page, "u")
        page.wait_for_selector("text=kept with your verdict: as the form says")
        read_on(page)
        expect(page.locator("#value")).to_have_text(str(len(PETS)))
        expect(page.locator(".mark.checked")).to_have_count(len(PETS))
        expect(page.locator("text=Check it yourself")).to_have_count(0)


def test_a_check_overrules_and_corrects_the_number(place: Path, model: Flags, visit: Visit):
    with visit(place.parent, model) as page:
        ask(page, Q)
        page.wait_for_selector("#value")
        answer = page.url
        page.click("text=Check it yourself")
        page.click("button:text-is('Check')")
        page.wait_for_selector(PASSAGE)
        wrong = page.inner_text("#review b >> nth=0").partition(" · ")[0]
        while page.inner_text("#review b >> nth=0").startswith(wrong):
            press(page, "n")
        judge(page)
        page.wait_for_selector("#corrected >> text=about")
        expect(page.locator(PASSAGE)).to_be_visible()
        page.click("button:text-is('Stop for now')")
        expect(page.locator("h1")).to_contain_text("stopped")
        page.click("text=Go on to the answer")
        expect(page.locator("#value")).to_have_text(str(len(PETS)))
        expect(page.locator("#corrected")).to_contain_text("about ")
        expect(page.locator("section.checked")).to_contain_text(
            "agree on 1 of 2 documents checked; overruled: 1"
        )
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    with visit(place.parent, model) as page:
        page.goto(f"{server_of(page)}/corpora{answer.partition('/corpora')[2]}")
        expect(page.locator("#corrected")).to_contain_text("about ")
        expect(page.locator("main")).to_contain_text(f"does not stand: {wrong}")
        page.wait_for_selector("select[name=only]")
        page.wait_for_load_state("load")  # until then nothing listens to what is chosen
        page.select_option("select[name=only]", "overruled")
        page.wait_for_selector(f"text=1 of {len(PETS)}")
        expect(page.locator(".item .name")).to_have_text(wrong)


def test_a_killed_server_loses_no_verdict(place: Path, look: Look, visit: Visit):
    command = [*PROGRAM, "serve", str(place.parent), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout is not None
        try:
            page = look(first.stdout.readline().removeprefix("open ").strip())
            page.click("text=leases.corpus")
            ask(page, KEEP, "person")
            page.wait_for_selector(PASSAGE)
            judge(page)
        finally:
            first.kill()
        page.wait_for_selector("#lost", state="visible")
    with visit(place.parent) as page:
        page.click(f"text={KEEP}")
        page.click("button:text-is('Go on')")
        read_on(page)
        expect(page.locator("#value")).to_have_text(str(len(PETS)))
    with Reviews(place / "runs") as reviews:
        places = [(each.document, each.start) for each in reviews.all()]
    assert len(places) == len(set(places))


def test_hostile_names_and_texts_are_text(tmp_path: Path, visit: Visit):
    name = HOSTILE.replace("/", "")
    texts = {f"{name}.txt": f"Owner: {HOSTILE}\n\nA dog. {HOSTILE} {QUOTE}\n"}
    build([write(tmp_path / "papers", texts)], tmp_path / f"{name}.corpus")
    with visit(tmp_path, corpus="<img") as page:
        expect(page.locator("h1")).to_contain_text(name)
        ask(page, "Which documents mention dog?")
        page.wait_for_selector("#value")
        page.click("a.source")
        page.wait_for_selector("#beside mark")
        expect(page.locator("#beside")).to_contain_text(HOSTILE)
        ask_again = page.url.partition("/runs/")[0]
        page.goto(ask_again)
        ask(page, f"Which {HOSTILE}?")
        page.wait_for_selector("#value, .problem:visible")
        expect(page.locator("img, script:not([src])")).to_have_count(0)


def test_a_pdf_is_shown_as_it_looks_while_its_file_is_the_one_that_was_read(
    tmp_path: Path, visit: Visit
):
    file = tmp_path / "papers" / f"{HOSTILE.replace('/', '')}.pdf"
    file.parent.mkdir()
    file.write_bytes(pdf_of("A dog may be kept.", "", "It is one dog."))
    build([file.parent], tmp_path / "leases.corpus")
    with visit(tmp_path, corpus="leases.corpus") as page:
        ask(page, "Which documents mention a dog?")
        page.click("a.source >> nth=0")
        page.wait_for_selector("#beside .quoted.here rect")
        drawn = page.evaluate(
            "image => new Promise(done => { const loaded = new Image(); loaded.src = image;"
            " loaded.onload = () => done([loaded.width, loaded.height]); })",
            page.get_attribute("#beside image", "href"),
        )
        assert drawn == [1224, 1584]
        source = f"{server_of(page)}{page.get_attribute('a.source >> nth=0', 'href')}"
        assert page.context.browser.new_context().request.get(source).status == 403
        page.keyboard.press("n")
        page.wait_for_selector("text=Page 3 of 3")
        page.click("[aria-label='previous page']")
        page.wait_for_selector("text=Page 2 of 3")
        expect(page.locator("#beside .quoted")).to_have_count(0)
        page.keyboard.press("p")
        page.wait_for_selector("#beside .quoted.here")
        page.click("text=As text")
        page.wait_for_selector("#beside mark.here:has-text('may be kept')")
        page.keyboard.press("n")
        page.wait_for_selector("#beside mark.here:has-text('It is one')")
        page.click("text=As pages")
        page.wait_for_selector("text=Page 3 of 3")
        page.keyboard.press("p")
        page.wait_for_selector("#beside .quoted.here")
        page.keyboard.press("/")
        page.keyboard.type("it  is")
        page.keyboard.press("Enter")
        page.wait_for_selector("#beside .turn:has-text('1 of 1') >> text=Page 3 of 3")
        page.wait_for_selector("#beside .quoted.here rect")
        file.write_bytes(pdf_of("A cat may be kept."))
        page.click("a.source >> nth=0")
        page.wait_for_selector("#beside .note:has-text('has changed since it was indexed')")
        file.unlink()
        page.click("a.source >> nth=0")
        page.wait_for_selector("#beside .note:has-text('is not where it was indexed')")
        expect(page.locator("#beside mark.here")).to_contain_text("dog may be kept.")
        expect(page.locator("#beside h1")).to_contain_text(file.stem)
        expect(page.locator("img, script:not([src])")).to_have_count(0)


@pytest.mark.slow
def test_ten_thousand_items_are_paged_and_found(tmp_path: Path, visit: Visit):
    rows = "\n".join(f"{number},the printer is jammed" for number in range(10_000))
    (tmp_path / "tickets.csv").write_text(f"id,text\n{rows}\n")
    build([tmp_path / "tickets.csv"], tmp_path / "tickets.corpus")
    with visit(tmp_path, corpus="tickets.corpus") as page:
        ask(page, "Which documents mention printer?")
        page.wait_for_selector("#value")
        expect(page.locator("details.item")).to_have_count(100)
        expect(page.locator("#items")).to_contain_text("10000 of 10000, page 1 of 100")
        page.fill("input[name=q]", "9998")
        page.wait_for_selector("text=1 of 10000")
        page.reload()
        expect(page.locator("details.item")).to_have_count(1)


def test_what_counts_is_seen_and_changed(
    place: Path, model: Flags, provider: FakeProvider, visit: Visit
):
    def answer(text: str, body: Body) -> Reply:
        prompt = prompt_of(body)
        if kind_of(body) == "judge" and OPTION in prompt:
            return said(verdicts({key: [] for key in passages_in(prompt)}))
        return read(text, body)

    provider.answer = answer
    with visit(place.parent, model) as page:
        page.check("input[name=confirm]")
        ask(page, Q)
        page.wait_for_selector("#confirm")
        assert {kind_of(each) for each in provider.requests} == {"interpret", "classify"}
        page.fill("textarea[name=counts-c1]", "a dog\na cat\n\na goldfish")
        page.click("button:text-is('Read by this')")
        expect(page.locator("#value")).to_have_text(str(len(PETS)))
        expect(page.locator("main")).to_contain_text("a goldfish")
        page.click("text=Change what counts")
        held = page.input_value("textarea[name=excludes-c1]")
        page.fill("textarea[name=excludes-c1]", f"{held}\n{OPTION}")
        page.click("button:text-is('Judge again')")
        expect(page.locator("#value")).to_have_text("0")
        expect(page.locator("main")).to_contain_text("gone lease-00")
