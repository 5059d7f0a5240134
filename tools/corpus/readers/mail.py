"""Mail: the headers people read as key lines, then the texts; what is attached, by itself."""

from dataclasses import replace
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import EmailMessage, MIMEPart
from email.parser import BytesParser
from email.policy import EmailPolicy
from mimetypes import guess_extension
from pathlib import PureWindowsPath
from typing import Any

from tools.corpus.readers.extracted import Extracted, decode, normalised
from tools.corpus.readers.html import plain_text
from tools.corpus.readers.images import IMAGES
from tools.corpus.readers.packed import read_within
from tools.corpus.suffix import suffix_of

_HEADERS = ("From", "To", "Cc", "Date", "Subject")
_TOLD = ("From", "Date", "Subject")
"""What an attachment knows of its mail."""
_NO_TEXT = frozenset({"image", "audio", "video"})
_PARSED = 8_192
"""Characters of a header that are parsed, which takes their square: none but lists are longer."""


class _Policy(EmailPolicy):
    """Python's own, which parses no more of a header than is good for it."""

    def header_fetch_parse(self, name: str, value: str) -> Any:
        """Return the parsed header."""
        return super().header_fetch_parse(name, value[:_PARSED])


def read_mail(data: bytes, encoding: str | None) -> list[Extracted]:  # noqa: ARG001
    """Return the documents of a message; raises any that Python's mail parser raises."""
    policy: Any = _Policy()
    return mail_documents(BytesParser(EmailMessage, policy=policy).parsebytes(data))


def mail_documents(message: EmailMessage) -> list[Extracted]:
    """Return the message, and each file that is attached to it, which knows its mail."""
    told = {name.casefold(): value for name, value in reversed(list(message.raw_items()))}
    shown = {name: _decoded(told.get(name.casefold(), "")) for name in _HEADERS}
    shown["Date"] = str(message["Date"] or "")
    headers = [f"{name}: {' '.join(own.split())}" for name, own in shown.items() if own.strip()]
    parts = _parts(message)
    read = [_read(part) for part in parts if _is_text(part)]
    text, broken = normalised("\n\n".join(["\n".join(headers), *(text for text, _, _ in read)]))
    notes = [note for _, _, noted in read for note in noted]
    others = [part for part in parts if not _is_text(part)]
    attached = [each for at, part in enumerate(others, start=1) for each in _attached(part, at)]
    if lost := [each for each in attached if each.broken is not None]:
        names = ", ".join(f"{each.place} ({each.broken})" for each in lost[:20])
        notes.append(f"attachments not read ({len(lost)}): {names}")
    if defects := sorted({type(each).__name__ for part in message.walk() for each in part.defects}):
        notes.append(f"damaged, so that text may be missing: {', '.join(defects)}")
    encoding = read[0][1] if read else None
    own = Extracted(text=text, encoding=encoding, warnings=(*notes, *broken))
    mail = {f"mail {name.lower()}": " ".join(shown[name].split()) for name in _TOLD}
    known = {key: value for key, value in mail.items() if value}
    whole = (each for each in attached if each.broken is None)
    return [own, *(replace(each, properties={**known, **each.properties}) for each in whole)]


def _attached(part: MIMEPart, number: int) -> list[Extracted]:
    """Return the documents of an attachment, named by its file, else by its number."""
    kind, payload = part.get_content_type(), part.get_payload(decode=True)
    named = PureWindowsPath(part.get_filename() or "").name  # of any path, also with slashes
    name = named or f"{number}{'.eml' if kind == 'message/rfc822' else guess_extension(kind) or ''}"
    if part.get_content_maintype() in _NO_TEXT and suffix_of(name).lower() not in IMAGES:
        return [Extracted(text="", within=name, broken=kind)]
    if kind == "message/rfc822" and part.is_multipart():
        payload = b"".join(each.as_bytes() for each in part.iter_parts())
        name = name if name.lower().endswith(".eml") else f"{name}.eml"
    if not payload:
        return [Extracted(text="", within=name, broken="nothing in it (a link?)")]
    return read_within(name, payload if isinstance(payload, bytes) else b"")


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
