"""What every command of the evaluation tells."""

from pathlib import Path

import pytest

from evals.output import measuring


def test_a_store_of_the_settings_is_said_to_keep_nothing_of_an_evaluation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    with measuring(None, tmp_path):
        assert capsys.readouterr().err == ""
    monkeypatch.setenv("HEADCOUNT_STORE", "postgresql://jo:s3cret@db.example/team")
    with measuring(None, tmp_path):
        told = capsys.readouterr().err
    assert "not in the store" in told
    assert "s3cret" not in told
