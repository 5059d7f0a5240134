"""Mail messages: the headers people read as key lines, then the body's text."""

from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import EmailMessage
from email.parser import BytesParser
from email.policy import EmailPolicy
from typing import Any

from tools.corpus.readers.extracted import Extracted, normalised
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
    shown = {
        name: str(message[name]) if name == "Date" else _decoded(told[name.casefold()])
        for name in _HEADERS
        if name.casefold() in told
    }
    headers = [
        f"{name}: {' '.join(value.split())}" for name, value in shown.items() if value.strip()
    ]
    body, found, notes = _body(message)
    text, broken = normalised("\n".join(headers) + "\n\n" + body)
    attached = [
        part.get_filename() or part.get_content_type()
        for part in (message.iter_attachments() if message.is_multipart() else ())
    ]
    if attached:
        notes += (f"attachments not read: {', '.join(attached)}",)
    return [Extracted(text=text, encoding=found, warnings=(*notes, *broken))]


def _decoded(value: str) -> str:
    """Return a header as people read it: encoded words decoded, raw bytes taken for UTF-8."""
    plain = str(value).encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    try:
        return str(make_header(decode_header(plain)))
    except (ValueError, LookupError, HeaderParseError):
        return plain


def _body(message: EmailMessage) -> tuple[str, str | None, tuple[str, ...]]:
    part = message.get_body(preferencelist=("plain", "html"))
    if part is None:
        return "", None, ("the message has no text part",)
    charset = part.get_content_charset("us-ascii")
    try:
        content = str(part.get_content())
    except LookupError:
        payload = part.get_payload(decode=True)
        raw = payload if isinstance(payload, bytes) else b""
        return raw.decode("latin-1"), "latin-1", (f"unknown character set {charset!r}",)
    is_html = part.get_content_subtype() == "html"
    return (plain_text(content) if is_html else content), charset, ()
