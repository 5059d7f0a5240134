"""Mail, also Outlook's: the headers people read as key lines, then the texts, what is attached."""

import io
from collections.abc import Mapping
from dataclasses import replace
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import EmailMessage, MIMEPart
from email.parser import BytesParser
from email.policy import EmailPolicy
from email.utils import format_datetime
from mimetypes import guess_extension
from pathlib import PureWindowsPath
from typing import TYPE_CHECKING, Any, Final

from tools.corpus.readers.extracted import Extracted, decode, normalised, suffix_of
from tools.corpus.readers.html import plain_text
from tools.corpus.readers.ocr import IMAGES
from tools.corpus.readers.packed import read_within
from tools.corpus.readers.rich_text import rich_text

if TYPE_CHECKING:
    from oxmsg import Message
    from oxmsg.storage import Storage

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


_PROPERTIES: Final = "__properties_version1.0"
_INNER: Final = "__substg1.0_3701000D"
"""Where an attached message lies."""
_IS_MESSAGE: Final = 5
"""The way of attaching (PidTagAttachMethod) of a message."""
_TO, _CC = 1, 2


def read_outlook(data: bytes, encoding: str | None) -> list[Extracted]:  # noqa: ARG001
    """Return the message, and each file that is attached to it, as of an Internet mail."""
    from olefile import OleFileIO
    from oxmsg import Message
    from oxmsg.storage import Storage

    with OleFileIO(io.BytesIO(data)) as opened:
        storage = Storage.from_ole(opened)
    kind = Message(storage).message_class
    own, *attached = mail_documents(_as_mail(storage))
    if not kind.upper().startswith(("IPM.NOTE", "REPORT")):
        own = replace(own, warnings=(*own.warnings, f"of {kind or 'no kind'}, read as a mail"))
    return [own, *attached]


def _as_mail(storage: "Storage") -> EmailMessage:
    from oxmsg import Message
    from oxmsg.attachment import Attachment
    from oxmsg.domain import constants as c

    message, mail = Message(storage), EmailMessage()
    for name, value in _headers(message).items():
        if clean := " ".join(value.split()):
            mail[name] = clean
    _set_text(message, mail)
    for place in storage.iter_attachment_storages():
        attachment = Attachment(place)
        method = attachment.properties.int_prop_value(c.PID_ATTACH_METHOD)
        inner = next((each for each in place.storages if each.name == _INNER), None)
        if inner is not None and method == _IS_MESSAGE:
            mail.add_attachment(_as_mail(_as_file(inner)))
            continue
        kind, _, form = (attachment.mime_type or "").partition("/")
        if kind not in _NO_TEXT:
            kind, form = "application", "octet-stream"
        short = attachment.properties.str_prop_value(c.PID_ATTACH_FILENAME)
        data, named = attachment.file_bytes or b"", attachment.file_name or short
        mail.add_attachment(data, kind, form, filename=named)
    return mail


def _as_file(inner: "Storage") -> "Storage":
    """Return an attached message as one by itself, whose properties begin eight bytes later."""
    streams = [
        replace(each, bytes_=each.bytes_[:24] + bytes(8) + each.bytes_[24:])
        if each.name == _PROPERTIES
        else each
        for each in inner.streams
    ]
    return replace(inner, streams=tuple(streams))


def _headers(message: "Message") -> Mapping[str, str]:
    """Return the headers that people read: as they were sent, else as Outlook states them."""
    from oxmsg.domain import constants as c

    told = {name.casefold(): str(value) for name, value in message.message_headers.items()}
    delivered = message.properties.date_prop_value(c.PID_MESSAGE_DELIVERY_TIME)
    sent = message.sent_date or delivered
    return {
        "From": message.sender or "",
        "To": told.get("to") or _recipients(message, _TO),
        "Cc": told.get("cc") or _recipients(message, _CC),
        "Date": told.get("date") or (format_datetime(sent) if sent else ""),
        "Subject": message.subject,
    }


def _recipients(message: "Message", kind: int) -> str:
    from oxmsg.domain import constants as c

    found = (
        f"{each.name} <{each.email_address}>" if "@" in each.email_address else each.name
        for each in message.recipients
        if each.properties.int_prop_value(c.PID_RECIPIENT_TYPE) == kind
    )
    return ", ".join(found)


def _set_text(message: "Message", mail: EmailMessage) -> None:
    """Give a mail the first of plain text, HTML and Rich Text that a message has."""
    from compressed_rtf import decompress
    from oxmsg.domain import constants as c

    properties = message.properties
    if (plain := message.body or "").strip():
        mail.set_content(plain)
    elif html := properties.binary_prop_value(c.PID_HTML):
        charset = {"charset": properties.body_encoding}
        mail.set_content(html, "text", "html", disposition=None, params=charset)
    elif written := properties.str_prop_value(c.PID_BODY_HTML):
        mail.set_content(written, subtype="html")
    elif rich := properties.binary_prop_value(c.PID_RTF_COMPRESSED):
        mail.set_content(rich_text(decompress(rich)))
    else:
        mail.set_content("")
