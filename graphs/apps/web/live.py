"""The pages of what goes on: its trace, the passage to be judged, how it is stopped."""

from collections.abc import AsyncIterator
from json import dumps
from typing import Annotated

from fastapi import APIRouter, Form, Header
from fastapi.responses import Response, StreamingResponse
from starlette.exceptions import HTTPException

from graphs.apps.terminal import printable
from graphs.apps.web.jobs import Job
from graphs.apps.web.pages import Pages, Shared, go

router = APIRouter()


def _job(pages: Pages, name: str) -> Job:
    found = pages.jobs.get(name)
    if found is None:
        raise HTTPException(404, "There is no such job: the server was started anew since.")
    return found


@router.get("/jobs/{job}", name="job")
def shown(pages: Shared, job: str) -> Response:
    """Show what goes on."""
    found = _job(pages, job)
    back, back_name = "", ""
    if job.startswith("index-"):
        places = {each.stem: key for key, each in pages.corpora.places().items()}
        back_name = places.get(job.removeprefix("index-"), "")
        back = pages.url("corpus", corpus=back_name) if back_name else ""
    elif job.startswith("check-"):
        back_name, run = "the answer", job.removeprefix("check-")
        back = pages.url("run", corpus=found.corpus, run=run)
    return pages.render("job.html", job=found.as_it_is(), back=back, back_name=back_name)


@router.get("/jobs/{job}/events", name="events")
async def events(
    pages: Shared, job: str, last_event_id: Annotated[int | None, Header()] = None
) -> StreamingResponse:
    """Send the trace as it happens: server-sent events, from the last that arrived."""
    found = _job(pages, job)

    async def stream() -> AsyncIterator[str]:
        yield "retry: 1000\n\n"
        async for number, told in found.feed.follow(last_event_id or 0):
            yield f"id: {number}\nevent: {told.kind}\ndata: {dumps(printable(told.text))}\n\n"

    return StreamingResponse(stream(), media_type="text/event-stream")


@router.post("/jobs/{job}/stop", name="stop")
def stop(pages: Shared, job: str) -> Response:
    """Have a job end after what is in flight."""
    found = _job(pages, job)
    found.stop()
    return go(found.page)


@router.post("/jobs/{job}/key", name="key")
def key(
    pages: Shared,
    job: str,
    key: Annotated[str, Form()],
    turn: Annotated[int, Form()],
    note: Annotated[str, Form()] = "",
    sec_fetch_mode: Annotated[str, Header()] = "",
) -> Response:
    """Take a key of a review, for the passage shown at `turn`; 409 where it is late."""
    found = _job(pages, job)
    taken = found.screen is not None and found.screen.press(key, turn, note.strip())
    if sec_fetch_mode == "navigate":
        return go(found.page)
    return Response(status_code=204 if taken else 409)
