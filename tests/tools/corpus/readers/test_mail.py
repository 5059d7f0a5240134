"""Mails, also Outlook's: what people read of them, and what is attached, each by itself."""

from pathlib import Path

import pytest

from tools.corpus.readers import Extracted, read_as
from tools.corpus.readers.mail import read_mail

MESSAGE = b"""From: Ann Lee <ann@x.org>
To: bob@x.org
Subject: =?utf-8?q?R=C3=B6pe?=
Date: Mon, 29 Sep 2014 10:00:00 +0000
MIME-Version: 1.0
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

The R=C3=B6pe is here.
"""


def test_headers_are_key_lines_above_the_decoded_body() -> None:
    (extracted,) = read_mail(MESSAGE, None)
    assert extracted.text == (
        "From: Ann Lee <ann@x.org>\nTo: bob@x.org\nDate: Mon, 29 Sep 2014 10:00:00 +0000\n"
        "Subject: Röpe\n\nThe Röpe is here.\n"
    )
    assert extracted.encoding == "utf-8"


def _of(subtype: str, *parts: str) -> str:
    inner = "".join(f"--{subtype}\n{part}\n" for part in parts)
    return f"Content-Type: multipart/{subtype}; boundary={subtype}\n\n{inner}--{subtype}--\n"


PLAIN, HTML = "Content-Type: text/plain\n\nOne", "Content-Type: text/html\n\n<p>Two</p>"
PICTURE = "Content-Type: image/png; name=a.png\n\nx"


@pytest.mark.parametrize(
    ("content", "body", "note"),
    [
        (_of("mixed", _of("alternative", PLAIN, HTML), PLAIN), "One\n\nOne", ""),
        (_of("mixed", PLAIN, HTML), "One\n\nTwo", ""),
        (_of("alternative", PLAIN[:-3], HTML), "Two", ""),
        (_of("signed", _of("mixed", PLAIN, PICTURE)), "One", "attachments not read (1): a.png"),
        (_of("mixed", PLAIN).replace("boundary=", "boundary=no"), f"--mixed\n{PLAIN}", "damaged"),
        (_of("mixed", PLAIN)[:-9], "One", "damaged, so that text may be missing: CloseBoundary"),
        ("\nZoë is in.", "Zoë is in.", ""),
        ("Content-Type: text/plain; charset=ascii\n\nZoë", "Zoë", "not ascii as declared"),
        ("Content-Type: text/plain; charset=x-none\n\nZoë", "Zoë", "not x-none as declared"),
    ],
)
def test_every_text_is_read_and_the_rest_is_told(content: str, body: str, note: str) -> None:
    (extracted,) = read_mail(f"From: a@b.c\n{content}".encode(), None)
    assert extracted.text.strip().startswith(f"From: a@b.c\n\n{body}")
    assert "".join(extracted.warnings)[: len(note) or None] == note


HEAD = (
    "From: Ann Lee <ann@x.org>\nTo: Bob <bob@x.org>\nCc: Zoë\n"
    "Date: Thu, 04 Mar 2021 10:30:00 +0000\nSubject: The lease of the Röhre\n\n"
)


def outlook(name: str) -> list[Extracted]:
    """Read a message that was made by [MS-CFB] and [MS-OXMSG], since Outlook is not to be had."""
    made = Path(__file__).parent / "made" / "outlook" / f"{name}.msg"
    return read_as("a.msg", made.read_bytes(), None)[1]


def test_what_people_read_is_read_as_of_a_mail_and_headers_stand_as_they_were_sent() -> None:
    (own,) = outlook("plain")
    assert own.text == HEAD + "The tenant pays.\n" * 400
    assert own.warnings == ()
    (sent,) = outlook("as-sent")
    assert sent.text.startswith("From: ann@y.org\nTo: Bob <bob@y.org>\nCc: Zoë\nDate: Mon, 01 Mar")


@pytest.mark.parametrize("form", ["html", "html-text", "rich", "rich-html"])
def test_a_body_of_another_form_is_read(form: str) -> None:
    (own,) = outlook(form)
    assert own.text.strip() == f"{HEAD}The café pays."


def test_what_is_attached_in_outlook_is_a_document_that_knows_its_mail() -> None:
    own, table, mail, note = outlook("attached")
    assert own.warnings == (
        "attachments not read (2): logo.gif (image/gif), cloud.docx (nothing in it (a link?))",
    )
    assert [each.place for each in (table, mail, note)] == ["t#1", "2", "2#note"]
    assert table.properties["mail subject"] == "The lease of the Röhre"
    assert table.properties["mail date"] == "Thu, 04 Mar 2021 10:30:00 +0000"
    assert note.properties["mail subject"] == "Inner"
    assert "The inner one." in mail.text


def test_another_item_of_outlook_is_named() -> None:
    (own,) = outlook("appointment")
    assert own.warnings == ("of IPM.Appointment, read as a mail",)
