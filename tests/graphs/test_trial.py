"""Trying readings, as a module of its own."""

import subprocess
import sys


def test_it_can_be_imported_before_the_nodes() -> None:
    subprocess.run([sys.executable, "-c", "import graphs.trial"], check=True)
