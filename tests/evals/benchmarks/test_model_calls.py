"""Both sides of a model call read the same reply, from a server that answers at once."""

import json
import urllib.request

from evals.benchmarks.model_calls import REPLY, calls, serving


def test_the_server_answers_every_request_alike() -> None:
    with serving() as url:
        assert url.startswith("http://127.0.0.1:")
        for _ in range(2):
            request = urllib.request.Request(f"{url}/chat/completions", data=b"{}")
            with urllib.request.urlopen(request) as answer:
                completion = json.loads(answer.read())
            assert json.loads(completion["choices"][0]["message"]["content"]) == REPLY


def test_both_sides_read_the_same_reply() -> None:
    row = calls(1)
    assert row.peer is not None
    assert (row.ours.name, row.peer.name) == ("ChatReasoner.ask", "openai client")
