import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from evals.experiment import Collection
from tests.evals.question_files import invoked


def test_a_file_of_questions_is_asked_and_measured(inspected: Collection, tmp_path: Path) -> None:
    out, kept = tmp_path / "out.json", tmp_path / "kept"
    done = invoked("run", inspected, "--json", out, "--keep", kept)
    assert done.exit_code == 0, done.output
    told: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    first, *_ = told["questions"]
    assert (first["status"], first["f1"], first["value"]) == ("answered", 1.0, 2)
    assert first["chunk_recall_filtered"] == 1.0
    assert told["summary"]["total"]["f1"]["value"] == 1.0
    assert "| f1 " in done.stdout
    assert "1/3 questions main q0" in done.stderr
    assert [path.suffix for path in kept.iterdir()] == [".corpus"]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        pytest.param(["--documents", "nowhere"], "not a folder", id="documents"),
        pytest.param(["--json", "nowhere/out.json"], "existing folder", id="json"),
        pytest.param(["--questions", "nowhere"], "cannot read the questions", id="questions"),
        pytest.param(["--system", "naive-rag"], "choose one of main, analyst", id="system"),
        pytest.param(
            ["--system", "naive-rag-5", "--reasoner", "lexical"],
            "choose --reasoner gold",
            id="lexical",
        ),
        pytest.param(["--reasoner", "skill:2"], "write skill:0.1", id="skill"),
    ],
)
def test_a_wrong_argument_ends_with_one_line(
    inspected: Collection, more: list[str], told: str
) -> None:
    done = invoked("run", inspected, *more)
    assert (done.exit_code, done.stdout) == (1, "")
    assert done.stderr.startswith("error: ")
    assert told in done.stderr


def test_its_processes_never_run_what_lies_in_the_working_folder(tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/headcount-eval").write_text(
        "import multiprocessing, evals.commands, evals.entry\n"
        "each = multiprocessing.get_context('spawn').Process(target=print)\n"
        "evals.commands.app = lambda: (each.start(), each.join())\n"
        "if __name__ == '__main__': evals.entry.main()\n"
    )
    (tmp_path / "pickle.py").write_text("open('ran', 'w')\n")
    subprocess.run([sys.executable, "bin/headcount-eval"], cwd=tmp_path, check=True)
    assert not (tmp_path / "ran").exists()
