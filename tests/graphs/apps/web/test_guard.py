"""Who is let in: the browser that opened the link first, from this machine, by this page."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from graphs.apps.web.serve import make_app

OWN = "http://127.0.0.1:8000"
TOKEN = "a-secret"


@pytest.fixture
def app(tmp_path: Path):
    return make_app(tmp_path, TOKEN, {})


def client(app, base: str = OWN) -> TestClient:
    return TestClient(app, base_url=base, follow_redirects=False)


@contextmanager
def browsing(folder: Path, **flags: Any) -> Iterator[TestClient]:
    """Serve a folder to who is let in and posts from the server's own pages."""
    with client(make_app(folder, TOKEN, flags)) as page:
        page.headers["origin"] = OWN
        page.get(f"/?token={TOKEN}")
        yield page


def test_the_link_works_once(app):
    with client(app) as first, client(app) as second:
        assert (first.get("/")).status_code == 403
        assert (first.get("/?token=another")).status_code == 403
        for method in ("HEAD", "POST"):
            looked = second.request(method, f"/?token={TOKEN}", headers={"origin": OWN})
            assert (looked.status_code, "set-cookie" in looked.headers) == (403, False)
        let_in = first.get(f"/?token={TOKEN}")
        assert (let_in.status_code, let_in.headers["location"]) == (303, "/")
        assert "HttpOnly" in let_in.headers["set-cookie"]
        assert "samesite=strict" in let_in.headers["set-cookie"].lower()
        assert (first.get("/")).status_code == 200
        late = second.get(f"/?token={TOKEN}")
        assert (late.status_code, "link in the terminal" in late.text) == (403, True)
        assert "href" not in late.text


def test_another_host_is_not_answered(app):
    with client(app, "http://headcount.example:8000") as rebound:
        answer = rebound.get(f"/?token={TOKEN}")
    assert answer.status_code == 421


@pytest.mark.parametrize("origin", [None, "null", "http://127.0.0.1:9999", "https://evil.example"])
def test_only_a_page_of_the_server_changes_anything(app, tmp_path: Path, origin: str | None):
    headers = {} if origin is None else {"origin": origin}
    form = {"source": str(tmp_path), "name": "x"}
    with client(app) as inside:
        inside.get(f"/?token={TOKEN}")
        refused = inside.post("/index", data=form, headers=headers)
        assert refused.status_code == 403
        assert not list(tmp_path.iterdir())
        taken = inside.post("/index", data=form, headers={"origin": OWN})
        assert taken.status_code == 303


def test_every_answer_says_what_a_page_may_do(app):
    with client(app) as inside:
        for address in ("/", f"/?token={TOKEN}", "/", "/nowhere", "/static/page.js"):
            answer = inside.get(address)
            policy = answer.headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "unsafe" not in policy
            assert answer.headers["x-content-type-options"] == "nosniff"


def test_what_is_not_there_is_said_in_a_page(app):
    with client(app) as inside:
        inside.get(f"/?token={TOKEN}")
        missing = inside.get("/corpora/none.corpus")
        assert missing.status_code == 404
        assert "there is no corpus" in missing.text
        job = inside.get("/jobs/none")
        assert job.status_code == 404
