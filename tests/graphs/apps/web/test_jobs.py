"""What a page begins: limits hold, keys are for what is seen, and what failed can be taken up."""

import threading
from pathlib import Path

import pytest

import graphs.apps.web.jobs as jobs_module
from agent.errors import RunError
from agent.evidence import Passage
from agent.question import Condition
from graphs.apps.desk import Shown
from graphs.apps.web.jobs import Feed, Job, Jobs, PageScreen
from tests.graphs.apps.web.test_guard import browsing
from tests.graphs.conftest import awaited
from tools.corpus.corpus import open_corpus

PATIENCE = 60.0


def shown(document: str) -> Shown:
    passage = Passage(chunk=0, document=document, title=document, start=0, text="A dog.")
    condition = Condition(id="c1", text="mentions a dog")
    told = {"why": "", "asked": "", "told": "", "marked": (0, 1), "sought": ()}
    return Shown(passage=passage, condition=condition, **told)


def test_a_key_is_for_the_passage_that_is_seen() -> None:
    screen = PageScreen(Feed())
    screen.show(shown("one"))
    assert not screen.press("y", screen.turn - 1)
    assert not screen.press("x", screen.turn)
    assert screen.press("y", screen.turn)
    assert (screen.key(), screen.last) == ("y", "yes: one")
    assert not screen.press("n", screen.turn), "the next passage is not shown yet"
    screen.show(shown("two"))
    assert screen.press("t", screen.turn, "why")
    assert (screen.key(), screen.text("note"), screen.noted) == ("t", "why", "why")
    assert screen.press("n", screen.turn)


def test_a_form_lowers_a_limit_of_the_server_and_lifts_none() -> None:
    jobs = Jobs({"max_usd": 0.5, "model": "gpt"}, open_corpus)
    assert jobs.settings({"max_usd": None, "on_ambiguity": "ask"})["max_usd"] == 0.5
    assert jobs.settings({"max_usd": 5.0})["max_usd"] == 0.5
    assert jobs.settings({"max_usd": 0.1})["max_usd"] == 0.1


def test_a_run_of_another_model_is_not_taken_up() -> None:
    with pytest.raises(RunError, match="start the server with --model gpt"):
        Jobs({}, open_corpus).go_on(Job("r", "Q?", "/"), "gpt", {}, lambda *_: iter(()))


def test_a_folder_is_indexed_within_the_limits_of_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEADCOUNT_FILE_TEXT_MB", "1")
    (tmp_path / "long.txt").write_text("A dog. " * 150_000)
    job = Jobs({}, open_corpus).index([tmp_path / "long.txt"], tmp_path / "long.corpus")

    async def ended() -> None:
        async for _, told in job.feed.follow(0):
            if told.kind == "turn":
                return

    awaited(ended())
    assert "HEADCOUNT_FILE_TEXT_MB" in " ".join([*job.feed.lines, job.problem])


def test_bad_forms_are_one_clear_line(place: Path) -> None:
    forms: list[tuple[str, dict[str, str], str]] = [
        ("/index", {"source": "", "name": "x"}, "source"),
        ("/index", {"source": "~nobody-here/x", "name": "x"}, "there is no"),
        ("/index", {"source": "x" * 5000, "name": "x"}, "there is no"),
        ("/index", {"source": str(place.parent), "name": "leases"}, "already"),
        ("/corpora/leases.corpus/questions", {"question": "Q?", "reader": "gpt"}, "reader"),
        (
            "/corpora/leases.corpus/questions",
            {"question": "Q?", "reader": "lexical", "max_usd": "nan"},
            "max_usd",
        ),
        ("/corpora/leases.corpus/runs/none/resume", {}, "none"),
        ("/corpora/leases.corpus/runs/none/resume", {"max_usd": "-1"}, "max_usd"),
        ("/corpora/leases.corpus/runs/none/resume", {"max_usd": ""}, "none"),
        ("/jobs/none/key", {"key": "y", "turn": "x"}, "turn"),
    ]
    with browsing(place.parent) as page:
        for address, form, what in forms:
            told = page.post(address, data=form)
            assert told.status_code == 400, address
            assert what in told.text
            assert "Traceback" not in told.text


def test_a_corpus_is_served_by_itself_and_a_broken_name_harms_no_other(place: Path) -> None:
    (place.parent / "link.corpus").symlink_to(place)
    with browsing(place) as page:
        assert "/corpora/leases.corpus" in (page.get("/")).text
        assert (page.get("/corpora/leases.corpus")).status_code == 200
    with browsing(place.parent) as page:
        form = {"source": str(place.parent), "name": "link", "again": "true"}
        told = page.post("/index", data=form)
        assert told.status_code == 404
        assert "leads out" in told.text


def ended(name: str) -> None:
    """Wait until the thread of a job has ended."""
    for thread in threading.enumerate():
        if thread.name == name:
            thread.join()


def test_the_oldest_of_too_many_reviews_is_stopped(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs_module, "_SITTINGS", 1)
    jobs = Jobs({}, lambda _: open_corpus(place))
    first = jobs.review(Job("a", "A dog?", "/"), {})
    second = jobs.review(Job("b", "A cat?", "/"), {})
    ended("a")
    assert (first.status, second.alive) == ("stopped", True)
    jobs.close()


def test_what_ends_while_its_page_is_made_has_the_page_fetched_again() -> None:
    job = Job("run", "How many?", "/")
    shown = job.as_it_is()
    job.status = "failed"
    job.feed.tell("turn")
    assert shown.alive
    assert shown.heard < len(job.feed)
