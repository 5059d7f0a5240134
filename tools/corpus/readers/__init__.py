"""Readers of formats: from bytes to text, and what the format says about it."""

from agent.errors import DocumentUnreadable, SettingsError
from tools.corpus.readers.extracted import Extracted, Reader, decode, suffix_of
from tools.corpus.readers.html import read_html
from tools.corpus.readers.mail import read_mail, read_outlook
from tools.corpus.readers.ocr import IMAGES, read_image
from tools.corpus.readers.office import read_docx, read_slides
from tools.corpus.readers.opendocument import read_opendocument
from tools.corpus.readers.packed import read_archive, read_mailbox
from tools.corpus.readers.pdf import read_pdf
from tools.corpus.readers.rich_text import read_rich_text
from tools.corpus.readers.rows import read_csv, read_json, read_json_lines, read_tsv
from tools.corpus.readers.sheets import read_sheets

__all__ = ("IMAGES", "MAY_BE_SCANS", "SUFFIXES", "Extracted", "Reader", "read_as")


def read_text(data: bytes, encoding: str | None) -> list[Extracted]:
    """Return the whole file as one document."""
    text, found, warnings = decode(data, encoding)
    return [Extracted(text=text, encoding=found, warnings=warnings)]


MAY_BE_SCANS = frozenset({*IMAGES, ".pdf", ".eml", ".mbox", ".msg", ".zip"})
"""Suffixes of files that are scans, or may hold some."""

SUFFIXES: dict[str, tuple[str, Reader]] = {
    ".txt": ("text", read_text),
    ".text": ("text", read_text),
    ".log": ("text", read_text),
    ".md": ("markdown", read_text),
    ".markdown": ("markdown", read_text),
    ".rst": ("rst", read_text),
    ".html": ("html", read_html),
    ".htm": ("html", read_html),
    ".pdf": ("pdf", read_pdf),
    **dict.fromkeys(IMAGES, ("image", read_image)),
    ".docx": ("docx", read_docx),
    ".pptx": ("slides", read_slides),
    ".odt": ("opendocument", read_opendocument),
    ".odp": ("slides", read_opendocument),
    ".rtf": ("rtf", read_rich_text),
    ".jsonl": ("jsonl", read_json_lines),
    ".ndjson": ("jsonl", read_json_lines),
    ".json": ("json", read_json),
    ".csv": ("csv", read_csv),
    ".tsv": ("tsv", read_tsv),
    **dict.fromkeys((".xlsx", ".xlsm", ".xlsb", ".xls", ".ods"), ("sheets", read_sheets)),
    ".eml": ("mail", read_mail),
    ".mbox": ("mbox", read_mailbox),
    ".msg": ("msg", read_outlook),
    ".zip": ("zip", read_archive),
}
"""Lower-case suffix to the reader's name and the reader."""

_CONVERTED = {".doc": "docx", ".dot": "docx", ".ppt": "pptx", ".pps": "pptx", ".pot": "pptx"}
"""Lower-case suffix to the format that LibreOffice is to make of such a file."""


def read_as(name: str, data: bytes, encoding: str | None) -> tuple[str, list[Extracted]]:
    """Read a file as its name says; return the reader's name and the documents.

    Whatever has an unknown suffix is Rich Text where it begins as that, which Word has saved as
    `.doc`, too; else it is tried as plain text. Raises DocumentUnreadable, SettingsError.
    """
    suffix = suffix_of(name)
    reader, read = SUFFIXES.get(suffix.lower()) or _by_content(suffix, data)
    try:
        return reader, read(data, encoding)
    except (DocumentUnreadable, SettingsError):
        raise
    except MemoryError as error:
        raise DocumentUnreadable(
            "takes more memory than a file may; raise HEADCOUNT_FILE_MEMORY_MB to read it"
        ) from error
    except Exception as error:  # a stranger's file can fail its reader in any way
        why = f"{error}" or type(error).__name__
        raise DocumentUnreadable(f"damaged {reader.upper()} ({why}); save it again") from error


def _by_content(suffix: str, data: bytes) -> tuple[str, Reader]:
    """Return the reader of a file whose suffix has none."""
    if data.startswith(b"{\\rtf"):
        return "rtf", read_rich_text
    if b"\0" not in data:
        return "text", read_text
    why = f"no reader for {suffix or 'this file'!r}, and it is not text"
    if form := _CONVERTED.get(suffix.lower()):
        why += f"; convert it with LibreOffice: `soffice --headless --convert-to {form} FILE`"
    raise DocumentUnreadable(why)
