"""Files within files: each document of an archive, a mailbox or a mail is there, or is told."""

from collections.abc import Mapping
from email.message import EmailMessage

import pytest

from agent.errors import DocumentUnreadable
from tests.tools.corpus.readers.made_files import zipped
from tools.corpus.readers import read_as
from tools.corpus.readers.extracted import Extracted
from tools.corpus.readers.ocr import NO_OCR, lacking

IMAGE = b"\x89PNG\0"


def mail(
    subject: str, text: str, attached: Mapping[str, str | bytes | EmailMessage]
) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["Subject"] = "ann@x.org", subject
    message.set_content(text)
    for name, content in attached.items():
        if isinstance(content, EmailMessage):
            message.add_attachment(content)
        elif isinstance(content, str):
            message.add_attachment(content, filename=name)
        else:
            kind = "image" if name.endswith(".png") else "application"
            message.add_attachment(content, kind, "octet-stream", filename=name)
    return message


def read(name: str, data: bytes) -> list[Extracted]:
    return read_as(name, data, None)[1]


INNER = mail("Second", "The second.", {"note.txt": "A note."})
OUTER = mail("First", "The first.", {"t.csv": "a,b\n1,2\n", "logo.png": IMAGE, "": INNER})
PLACES = ["", "t#1", "3", "3#note"]


def test_what_is_attached_is_a_document_that_knows_its_mail() -> None:
    own, row, inner, note = read("x.eml", bytes(OUTER))
    assert [each.place for each in (own, row, inner, note)] == PLACES
    assert own.warnings == (f"attachments not read (1): logo.png ({lacking(NO_OCR)})",)
    assert row.properties["mail subject"] == "First"
    assert (row.properties["file name"], row.properties["a"]) == ("t.csv", "1")
    assert note.properties["mail subject"] == "Second"
    assert "The second." in inner.text


def test_an_archive_gives_its_files_and_those_of_archives_in_it() -> None:
    nested = zipped({"b.txt": "B", "mail.eml": bytes(OUTER)})
    files = {"leases/a.txt": "A", "x.bin": b"\0", "in.zip": nested, "__MACOSX/a": "no", "c/": ""}
    found = read("x.zip", zipped(files))
    whole = [each for each in found if each.broken is None]
    inside = [f"in.zip#mail{f'#{each}' if each else ''}" for each in PLACES]
    assert [each.place for each in whole] == ["leases/a", "in.zip#b", *inside]
    assert whole[0].properties["file folder"] == "leases"
    assert [(each.place, each.broken) for each in found if each.broken] == [
        ("x.bin", "no reader for '.bin', and it is not text")
    ]


def test_archives_without_an_end_are_told() -> None:
    packed = zipped({"a.txt": "A"})
    for _ in range(12):
        packed = zipped({"in.zip": packed})
    (told,) = read("x.zip", packed)
    assert told.broken is not None
    assert "more than 8 archives" in told.broken


def test_a_mailbox_gives_each_message_and_what_is_attached() -> None:
    quoted = mail("Third", ">From here on.", {})
    messages = (bytes(OUTER), bytes(quoted), b"Subject: last\n\nFrom the start, a line of text.")
    box = b"".join(b"From ann\n" + each + b"\n\n" for each in messages)
    found = read("x.mbox", box)
    outer = [f"1#{each}" if each else "1" for each in PLACES]
    assert [each.place for each in found] == [*outer, "2", "3"]
    assert "\nFrom here on." in found[-2].text
    with pytest.raises(DocumentUnreadable, match="no message"):
        read("x.mbox", b"nothing here")


def test_a_path_leads_out_of_no_archive_and_to_no_folder_of_a_mail() -> None:
    data = zipped({"../../up.txt": "Up.", "/etc/root.txt": "Root.", "a/../b/c.txt": "C."})
    read_ = read("x.zip", data)
    assert [each.place for each in read_] == ["up", "etc/root", "b/c"]
    folders = [each.properties.get("file folder") for each in read_]
    assert folders == [None, "etc", "b"]
    assert read("x.eml", bytes(mail("s", "t", {"..\\a/b.txt": "x"})))[1].place == "b"
