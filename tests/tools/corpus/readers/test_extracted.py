import pytest

from agent.errors import SettingsError
from tools.corpus.readers.extracted import decode

WORDS = "Der Käufer hat für die Ware zu zahlen. Die Größe beträgt fünf Meter, die Straße ist breit."


@pytest.mark.parametrize(
    ("codec", "found", "noted"),
    [
        ("utf-8", "utf-8", False),
        ("utf-8-sig", "utf-8-sig", False),
        ("utf-16", "utf-16", False),
        ("utf-32", "utf-32", False),
        ("cp1252", "cp1252", True),
    ],
)
def test_the_encoding_is_found_and_a_guess_is_noted(codec: str, found: str, noted: bool) -> None:
    text, encoding, notes = decode(WORDS.encode(codec))
    assert (text, encoding, bool(notes)) == (WORDS, found, noted)
    sample = ", which reads 'Der Käufer hat für die Ware zu zahlen. Die'"
    assert all(each.endswith(sample) for each in notes)


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("Café Zürich: crème", "cp1252"),
        ("Due “late” — it’s 5 °C", "cp1252"),
        ("São João não vê ações", "cp1252"),
        ("Привет, как дела? Это длинный текст о погоде и о людях.", "cp1251"),
        ("Zażółć gęślą jaźń. Umowa została podpisana w Łodzi.", "cp1250"),
        ("Καλημέρα κόσμε, τι κάνεις σήμερα;", "cp1253"),
        ("日本語のテキストです。今日は天気がいい。", "cp932"),
        ("Umowa najmu została podpisana w Łodzi. Czynsz płaci się co miesiąc z góry.", "iso8859_2"),
        ("Umowa najmu została podpisana w Łodzi. Czynsz płaci się co miesiąc z góry.", "cp1250"),
        ("Smlouva byla uzavřena v Praze. Nájemné se platí každý měsíc předem.", "iso8859_2"),
        ("Smlouva byla uzavřena v Praze. Nájemné se platí každý měsíc předem.", "cp1250"),
        ("A bérlő minden hónap elején fizeti a bérleti díjat, előre, készpénzben.", "cp1250"),
        ("Vuokrasopimus on tehty kirjallisesti. Vuokra maksetaan etukäteen aina.", "cp1252"),
        ("Le preneur paie le loyer d’avance, chaque mois, à l’échéance — où qu’il soit.", "cp1252"),
        ("обработка завершена; отчёт сохранён в той же папке.", "koi8_r"),
        ("УСТАНОВКА КОМПОНЕНТОВ", "cp1251"),
        ("Изтриване на избраните файлове от папката", "cp1251"),
        ("تعذر حفظ الملف في المجلد", "cp1256"),
        ("שמירת הקובץ נכשלה", "cp1255"),
    ],
)
def test_an_encoding_is_told_by_its_look_its_language_or_its_letters(text: str, codec: str) -> None:
    assert decode(text.encode(codec))[:2] == (text, codec)


def test_the_given_encoding_is_tried_before_a_guess_and_an_unknown_one_is_an_error() -> None:
    assert decode("Привет".encode("koi8-r"), "koi8-r") == ("Привет", "koi8-r", ())
    with pytest.raises(SettingsError, match="klingon"):
        decode(b"\xff\xfa", "klingon")


def test_line_ends_become_line_feeds_and_lone_nuls_are_noted() -> None:
    text, _, notes = decode(b"a\r\nb\rc\0" + b"d" * 300)
    assert text.startswith("a\nb\nc\ufffdd")
    assert notes
