"""Mail messages: the headers people read as key lines, then the body's text."""

import email
import email.policy
from email.message import EmailMessage

from agent.errors import DocumentUnreadable
from tools.corpus.readers.extracted import Extracted, normalised
from tools.corpus.readers.html import plain_text

_HEADERS = ("From", "To", "Cc", "Date", "Subject")


def read_mail(data: bytes, encoding: str | None) -> list[Extracted]:  # noqa: ARG001
    """Return the message as one document; attachments are named in a warning, not read.

    Raises DocumentUnreadable: If its headers are broken beyond Python's mail parser.
    """
    try:
        return [_message(data)]
    except (LookupError, ValueError, AttributeError, TypeError) as error:
        raise DocumentUnreadable(f"damaged mail message ({error}); save it again") from error


def _message(data: bytes) -> Extracted:
    message = email.message_from_bytes(data, policy=email.policy.default)
    headers = [
        f"{name}: {' '.join(str(message[name]).split())}" for name in _HEADERS if message[name]
    ]
    body, found, notes = _body(message)
    text, broken = normalised("\n".join(headers) + "\n\n" + body)
    attached = [
        part.get_filename() or part.get_content_type()
        for part in (message.iter_attachments() if message.is_multipart() else ())
    ]
    if attached:
        notes += (f"attachments not read: {', '.join(attached)}",)
    return Extracted(text=text, encoding=found, warnings=(*notes, *broken))


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
