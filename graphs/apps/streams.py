"""Standard output and error that can always be written to, whatever they were started with."""

import io
import os
import sys

__all__ = ("usable_streams",)


def usable_streams() -> None:
    """Give a closed stream somewhere to write to; write `?` for what an encoding has not.

    A closed one would else be reused by the next file that is opened, a database for instance.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
