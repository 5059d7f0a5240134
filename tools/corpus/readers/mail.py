"""Mail messages: the headers people read as key lines, then the texts that are not attached."""

from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import EmailMessage, MIMEPart
from email.parser import BytesParser
from email.policy import EmailPolicy
from typing import Any

from tools.corpus.readers.extracted import Extracted, decode, normalised
from tools.corpus.readers.html import plain_text

_HEADERS = ("From", "To", "Cc", "Date", "Subject")
_PARSED = 8_192
"""Characters of a header that are parsed, which takes their square: none but lists are longer."""


class _Policy(EmailPolicy):
    """Python's own, which parses no more of a header than is good for it."""

    def header_fetch_parse(self, name: str, value: str) -> Any:
        """Return the parsed header."""
        return super().header_fetch_parse(name, value[:_PARSED])


def read_mail(data: bytes, encoding: str | None) -> list[Extracted]:  # noqa: ARG001
    """Return the message as one document; attachments are named in a warning, not read.

    Raises Exception: Any that Python's mail parser raises, if it is damaged.
    """
    policy: Any = _Policy()
    message = BytesParser(EmailMessage, policy=policy).parsebytes(data)
    told = {name.casefold(): value for name, value in reversed(list(message.raw_items()))}
    shown = {name: _decoded(told.get(name.casefold(), "")) for name in _HEADERS}
    shown["Date"] = str(message["Date"] or "")
    headers = [f"{name}: {' '.join(own.split())}" for name, own in shown.items() if own.strip()]
    parts = _parts(message)
    read = [_read(part) for part in parts if _is_text(part)]
    text, broken = normalised("\n\n".join(["\n".join(headers), *(text for text, _, _ in read)]))
    notes = [note for _, _, noted in read for note in noted]
    if others := [part for part in parts if not _is_text(part)]:
        names = (part.get_filename() or part.get_content_type() for part in others[:20])
        notes.append(f"attachments not read ({len(others)}): {', '.join(names)}")
    if defects := sorted({type(each).__name__ for part in message.walk() for each in part.defects}):
        notes.append(f"damaged, so that text may be missing: {', '.join(defects)}")
    return [Extracted(text=text, encoding=read[0][1] if read else None, warnings=(*notes, *broken))]


def _decoded(value: str) -> str:
    """Return a header as people read it: encoded words decoded, raw bytes taken for UTF-8."""
    plain = str(value).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    try:
        return str(make_header(decode_header(plain)))
    except (ValueError, LookupError, HeaderParseError):
        return plain


def _parts(part: MIMEPart) -> list[MIMEPart]:
    """Return the parts that hold no others; of alternative texts the first that is not blank."""
    if part.get_content_maintype() != "multipart" or not part.is_multipart():
        return [part]
    own = [each for inner in part.iter_parts() for each in _parts(inner)]
    if part.get_content_type() != "multipart/alternative":
        return own
    best = next((each for each in own if _is_text(each) and _read(each)[0].strip()), None)
    return [each for each in own if each is best or not _is_text(each)]


def _is_text(part: MIMEPart) -> bool:
    """Tell whether a part is to be read; one of parts is where their borders are not found."""
    kind = part.get_content_type()
    text = kind in {"text/plain", "text/html"} or kind.startswith("multipart/")
    return text and not part.is_attachment() and not part.get_filename()


def _read(part: MIMEPart) -> tuple[str, str, tuple[str, ...]]:
    """Return a part's text, its encoding and what is to be noted."""
    payload, declared = part.get_payload(decode=True), part.get_content_charset()
    data = payload if isinstance(payload, bytes) else b""
    found, notes = declared or "us-ascii", tuple[str, ...]()
    try:
        text = data.decode(found)
    except (LookupError, ValueError):
        text, found, notes = decode(data)
        notes = (f"not {declared} as declared", *notes) if declared else notes
    return (plain_text(text) if part.get_content_subtype() == "html" else text), found, notes
