import sqlite3
import subprocess
import sys
from pathlib import Path

from agent.private_database import make_private


def test_locks_of_a_database_in_use_survive(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite"
    make_private(path)
    used = sqlite3.connect(path)
    used.execute("PRAGMA journal_mode = WAL")
    with used:
        used.execute("CREATE TABLE t (x)")
    make_private(path)
    other = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('SELECT * FROM t')"
    subprocess.run([sys.executable, "-c", f"{other}; c.close()", str(path)], check=True)
    log = path.with_name("x.sqlite-wal").exists()
    used.close()
    assert log, "another process took the write-ahead log for its own"
