"""Mails, also Outlook's: what people read of them, and what is attached, each by itself."""

from datetime import UTC, datetime

import pytest
from compressed_rtf import compress

from tests.tools.corpus.readers.made_msg import Property, Tree, compound, message
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


KIND, SUBJECT, SENT, HEADERS = 0x001A, 0x0037, 0x0039, 0x007D
SENDER, ADDRESS, BODY, RICH, PAGED, PAGE = 0x0C1A, 0x0C1F, 0x1000, 0x1009, 0x1013, 0x3FDE
NAME, ADDRESSED, RECIPIENT = 0x3001, 0x39FE, 0x0C15
DATA, METHOD, FILE, MIME = 0x3701, 0x3705, 0x3707, 0x370E
AT = datetime(2021, 3, 4, 10, 30, tzinfo=UTC)
NOTE: dict[int, Property] = {
    KIND: "IPM.Note",
    SUBJECT: "The lease of the Röhre",
    SENT: AT,
    SENDER: "Ann Lee",
    ADDRESS: "ann@x.org",
}
PEOPLE: list[dict[int, Property]] = [
    {NAME: "Bob", ADDRESSED: "bob@x.org", RECIPIENT: 1},
    {NAME: "Zoë", RECIPIENT: 2},
]
HEAD = (
    "From: Ann Lee <ann@x.org>\nTo: Bob <bob@x.org>\nCc: Zoë\n"
    "Date: Thu, 04 Mar 2021 10:30:00 +0000\nSubject: The lease of the Röhre\n\n"
)


def outlook(tree: Tree) -> list[Extracted]:
    return read_as("a.msg", compound(tree), None)[1]


def test_what_people_read_is_read_as_of_a_mail() -> None:
    (own,) = outlook(message({**NOTE, BODY: "The tenant pays.\r\n" * 400}, recipients=PEOPLE))
    assert own.text.startswith(HEAD + "The tenant pays.\nThe tenant pays.\n")
    assert own.text.count("The tenant pays.") == 400
    assert own.warnings == ()


def test_headers_stand_as_they_were_sent() -> None:
    sent = "From: ann@y.org\nTo: Bob <bob@y.org>\nDate: Mon, 1 Mar 2021 09:00:00 +0100\n"
    (own,) = outlook(message({**NOTE, BODY: "Hello.", HEADERS: sent}, recipients=PEOPLE))
    assert own.text.startswith("From: ann@y.org\nTo: Bob <bob@y.org>\nCc: Zoë\nDate: Mon, 01 Mar")


@pytest.mark.parametrize("body", [
    {PAGED: "<p>The café pays.</p>".encode("cp1252"), PAGE: 1252},
    {PAGED: "<p>The café pays.</p>"},
    {RICH: compress(rb"{\rtf1\ansi\ansicpg1252 The caf\'e9 pays.\par}")},
    {RICH: compress(rb"{\rtf1\ansi\fromhtml1{\*\htmltag64 <p>}The caf\'e9 pays.\par}")},
])  # fmt: skip
def test_a_body_of_another_form_is_read(body: dict[int, Property]) -> None:
    (own,) = outlook(message({**NOTE, **body}, recipients=PEOPLE))
    assert own.text.strip() == HEAD + "The café pays."


def test_what_is_attached_in_outlook_is_a_document_that_knows_its_mail() -> None:
    inner = message(
        {**NOTE, SUBJECT: "Inner", BODY: "The inner one."},
        attached=[{DATA: b"A note within.", METHOD: 1, FILE: "note.txt"}],
        header=24,
    )
    own, table, mail, note = outlook(
        message(
            {**NOTE, BODY: "See below."},
            attached=[
                {DATA: b"a,b\n1,2\n", METHOD: 1, FILE: "t.csv"},
                {DATA: inner, METHOD: 5, NAME: "Inner"},
                {DATA: b"GIF", METHOD: 1, FILE: "logo.gif", MIME: "image/gif"},
                {METHOD: 7, FILE: "cloud.docx"},
            ],
        )
    )
    assert own.warnings == (
        "attachments not read (2): logo.gif (image/gif), cloud.docx (nothing in it (a link?))",
    )
    assert [each.place for each in (table, mail, note)] == ["t#1", "2", "2#note"]
    assert table.properties["mail subject"] == NOTE[SUBJECT]
    assert table.properties["mail date"] == "Thu, 04 Mar 2021 10:30:00 +0000"
    assert note.properties["mail subject"] == "Inner"
    assert "The inner one." in mail.text


def test_another_item_of_outlook_is_named() -> None:
    (own,) = outlook(message({**NOTE, KIND: "IPM.Appointment", BODY: "We meet."}))
    assert own.warnings == ("of IPM.Appointment, read as a mail",)
