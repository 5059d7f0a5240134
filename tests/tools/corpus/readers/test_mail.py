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


def test_an_unknown_character_set_is_noted() -> None:
    (extracted,) = read_mail(MESSAGE.replace(b"charset=utf-8", b"charset=x-none"), None)
    assert extracted.warnings
