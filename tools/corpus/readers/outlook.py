"""Outlook's messages: written anew as Internet mail, and read as that."""

import io
from collections.abc import Mapping
from dataclasses import replace
from email.message import EmailMessage
from email.utils import format_datetime
from typing import TYPE_CHECKING, Final

from tools.corpus.readers.extracted import Extracted
from tools.corpus.readers.mail import mail_documents
from tools.corpus.readers.rich_text import rich_text

if TYPE_CHECKING:
    from oxmsg import Message
    from oxmsg.storage import Storage

_PROPERTIES: Final = "__properties_version1.0"
_INNER: Final = "__substg1.0_3701000D"
"""Where an attached message lies."""
_IS_MESSAGE: Final = 5
"""The way of attaching (PidTagAttachMethod) of a message."""
_TO, _CC = 1, 2
_BY_TYPE: Final = {"image", "audio", "video"}


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
        if kind not in _BY_TYPE:
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
