"""`headcount records edit`: the schema in an editor, valid before it takes its place."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from agent.errors import SchemaError, SettingsError
from graphs.records.available_records import schema_path
from tools.corpus.corpus import open_corpus
from tools.records.schema_file import load_schema

__all__ = ("run_edit",)


def run_edit(corpus: Path) -> None:
    """Open a draft of the schema; put it in the schema's place where it is valid.

    A draft that is not valid is kept, and opened the next time.

    Raises:
        SchemaError: there is no schema, or the draft is not valid; the text names the line.
        SettingsError: no editor is set, it cannot be run, or it removed the draft.
    """
    place = schema_path(open_corpus(corpus))
    draft = place.with_name("schema.draft.yaml")
    if not draft.exists():
        load_schema(place)
        shutil.copyfile(place, draft)
    _open(draft)
    if not draft.exists():
        raise SettingsError("the editor removed the draft: the schema is as it was")
    try:
        load_schema(draft)
    except SchemaError as error:
        raise SchemaError(
            f"{error}. The draft is kept: run `headcount records edit` again to mend it, or "
            f"delete {str(draft)!r} to give it up"
        ) from error
    changed = not place.exists() or draft.read_bytes() != place.read_bytes()
    draft.replace(place)
    told = (
        f"changed; `headcount records fill {corpus}` reads what is new" if changed else "as it was"
    )
    sys.stdout.write(f"the schema is {told}\n")


def _open(path: Path) -> None:
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor:
        raise SettingsError(
            f"which editor? Set the variable EDITOR, or edit {str(path.parent / 'schema.yaml')!r}"
        )
    try:
        done = subprocess.run([*shlex.split(editor), str(path)], check=False)  # noqa: S603
    except OSError as error:
        raise SettingsError(f"the editor {editor!r} cannot be run: {error.strerror}") from error
    if done.returncode:
        raise SettingsError(f"the editor {editor!r} ended with {done.returncode}; nothing changed")
