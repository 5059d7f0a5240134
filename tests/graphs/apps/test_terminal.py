import io
import sys

import pytest

from graphs.apps.terminal import usable_streams


def test_a_closed_stream_gets_somewhere_to_write_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    usable_streams()
    with sys.stderr as stream:
        assert stream.write("x") == 1


def test_what_an_encoding_has_not_is_a_question_mark(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
    usable_streams()
    sys.stdout.write("café \udcff")
    sys.stdout.flush()
    assert written.getvalue() == b"caf? ?"
