import pytest

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
FILE = "Content-Type: image/png; name=a.png\n\nx"


@pytest.mark.parametrize(
    ("content", "body", "note"),
    [
        (_of("mixed", _of("alternative", PLAIN, HTML), PLAIN), "One\n\nOne", ""),
        (_of("mixed", PLAIN, HTML), "One\n\nTwo", ""),
        (_of("alternative", PLAIN[:-3], HTML), "Two", ""),
        (_of("signed", _of("mixed", PLAIN, FILE)), "One", "attachments not read (1): a.png"),
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
