"""Search, mentions and quotes over documents in nine languages, near and on shards."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from pyroaring import BitMap
from typer.testing import CliRunner

from graphs.apps.cli import app
from tests.built import built, built_once, write
from tests.tongues import documents
from tools.corpus.corpus import Corpus
from tools.filters.arguments import Engine, FilterArguments
from tools.filters.bm25 import Bm25Arguments
from tools.filters.exact import ExactArguments
from tools.filters.fuzzy import FuzzyArguments
from tools.filters.keywords import KeywordsArguments
from tools.filters.local_engine import LocalEngine
from tools.mentions import Mentions
from tools.quotes import locate
from tools.retrieval import by_words

pytestmark = pytest.mark.slow

corpus = built_once(lambda place: built(documents(), place))
german = built_once(lambda place: built(documents("de"), place))


@pytest.fixture(scope="module")
def shards(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    pytest.importorskip("daft", reason="Daft is not installed: pip install 'headcount[daft]'")
    from tools.engines.sharded.sharded_build import build_sharded
    from tools.engines.sharded.sharded_corpus import open_sharded
    from tools.engines.sharded.sharded_engine import ShardedEngine

    place = tmp_path_factory.mktemp("tongues")
    build_sharded([write(place / "texts", documents())], place / "shards", shard_bytes=4096)
    opened = open_sharded(place / "shards")
    assert len(opened.shards) > 2
    return ShardedEngine(opened)


def found(corpus: Corpus, chunks: Iterable[int]) -> list[str]:
    return [corpus.documents[corpus.chunk_document[chunk]] for chunk in chunks]


def test_a_corpus_knows_its_languages_most_documents_first_and_the_inflections_of_no_other(
    corpus: Corpus, german: Corpus
) -> None:
    assert corpus.languages == ("de", "es", "fr", "zh", "ar", "ja", "ko", "th", "en")
    assert german.languages == ("de",)
    assert german.lexicon.inflections("verträgen") == ("vertrag", "verträge")


KEYWORDS = {
    "Kündigungsfrist": ["de/notiz-frist", "de/vertrag-ahorn", "de/vertrag-birke"],
    "Haus": ["de/brief-heizung", "de/protokoll-dach", "de/protokoll-garten", "de/vertrag-birke"],
    "Birkenstraße": ["de/vertrag-birke", "de/vertrag-eiche"],
    "résilier": ["fr/assemblee-toit", "fr/bail-acacias", "fr/bail-marche", "fr/lettre-loyer"],
    "loyer": ["fr/bail-acacias", "fr/bail-marche", "fr/lettre-loyer"],
    "depósitos": ["es/carta-renta", "es/contrato-puerto", "es/nota-llaves"],
    "gift": ["en/letter-rent"],
    "合同": ["zh/hetong-bangong", "zh/hetong-shangpu", "zh/hetong-yinxing"],
    "违约金": ["zh/hetong-bangong", "zh/hetong-shangpu"],
    "Python": ["zh/jilu-wuding"],
    "敷金": ["ja/keiyaku-tenpo", "ja/kiroku-kagi", "ja/tegami-yachin"],
    "賃貸借契約書": ["ja/keiyaku-ichou", "ja/keiyaku-tenpo"],
    "العقد": ["ar/aqd-mahall", "ar/aqd-zaytoun", "ar/mahdar-saqf"],
    "عقد إيجار": ["ar/aqd-mahall", "ar/aqd-zaytoun"],
    "เงินประกัน": ["th/chotmai-khacha", "th/sanya-ran"],
    "보증금": ["ko/gyeyak-sangga", "ko/pyeonji-wolse"],
}


@pytest.mark.parametrize("word", KEYWORDS)
def test_a_keyword_is_found_in_the_inflections_of_its_language(corpus: Corpus, word: str) -> None:
    kept = LocalEngine(corpus).keep(KeywordsArguments(words=(word,)), BitMap(range(len(corpus))))
    assert found(corpus, kept) == KEYWORDS[word]


MENTIONS = {
    "Kündigungsfrist": ["Kündigungsfrist", "Kündigungsfrist", "Kündigungsfristen"],
    "gesetzliche Kündigungsfrist": ["gesetzlichen Kündigungsfristen"],
    "Häuser": ["Haus", "Hauses", "Häuser", "Häuser"],
    "birkenstrasse": ["Birkenstraße", "BIRKENSTRASSE"],
    "résiliation": ["résiliations", "résiliation", "résilié", "résilier"],
    "préavis": ["préavis"],
    "mes": ["mes", "mes", "meses"],
    "gift": ["gifts"],
    "违约金": ["违\n约金", "违约金"],
    "Python": ["Python"],
    "契約": ["契約", "契約", "契約", "契約"],
    "للعقد": ["عقد", "للعقد", "عقد", "عقد", "عقد"],
    "إنهاء": ["إنهاء"],
    "انهاء": ["إنهاء"],
    "เงินประกัน": ["เงินประกัน", "เงินประกัน"],
    "계약": ["계약", "계약", "계약"],
}


@pytest.mark.parametrize("term", MENTIONS)
def test_a_mention_is_the_word_itself_or_an_inflection_and_none_is_left_out_before_reading(
    corpus: Corpus, term: str
) -> None:
    mentions = Mentions(corpus)
    places = mentions.places([term])
    texts = [corpus.document_text(each.document)[each.start : each.end] for each in places]
    assert texts == MENTIONS[term]
    assert {each.chunk for each in places} <= set(mentions.holding([term]) or ())


@pytest.mark.parametrize("term", ["约租", "押违", "契料", "ประเงิน", "계월"])
def test_letters_of_a_text_in_another_order_are_no_mention(corpus: Corpus, term: str) -> None:
    assert Mentions(corpus).places([term]) == []


RANKED = {
    "Kaution für das Ladenlokal": "de/vertrag-birke",
    "préavis de résiliation": "fr/bail-acacias",
    "depósito del local": "es/contrato-puerto",
    "押金 转租": "zh/hetong-shangpu",
    "敷金を預ける": "ja/keiyaku-tenpo",
    "إشعار إنهاء العقد": "ar/aqd-zaytoun",
    "เงินประกันร้านค้า": "th/sanya-ran",
    "월세 보증금": "ko/gyeyak-sangga",
}


@pytest.mark.parametrize("query", RANKED)
def test_the_best_document_is_ranked_first(corpus: Corpus, query: str) -> None:
    assert found(corpus, by_words(corpus.lexical, query, 1)) == [RANKED[query]]


ASKED: list[FilterArguments] = [
    *(KeywordsArguments(words=(word,)) for word in KEYWORDS),
    *(FuzzyArguments(term=word) for word in ("Kündigungfrist", "depositos", "违约金", "تأمين")),
    *(ExactArguments(phrase=word, whole_word=True) for word in ("Haus", "Python", "合同")),
    *(Bm25Arguments(query=query, best=3) for query in RANKED),
]


@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_shards_keep_what_the_local_engine_keeps(
    corpus: Corpus, shards: Engine, asked: FilterArguments
) -> None:
    every = BitMap(range(len(corpus)))
    own = [
        each.text for each in LocalEngine(corpus).passages(asked.keep(LocalEngine(corpus), every))
    ]
    assert sorted(own) == sorted(each.text for each in shards.passages(shards.keep(asked, every)))
    assert own


QUOTES = {
    "Die Kosten werden auf alle Häuser verteilt.": "Die Kosten werden auf alle Häuser verteilt.",
    "die gesetzlichen\nKündigungsfristen": "die gesetzlichen Kündigungsfristen",
    "le bail ne peut être résilié avant la fin": "Le bail ne peut être résilié avant la fin",
    "每日按照欠款的千分之一支付违约金": "每日按照欠款的千分之一支付违\n约金",
    "支付违约金。双方": "支付违\n约金。双方",
    "逾期支付租金的 … 支付违约金": "逾期支付租金的，每日按照欠款的千分之一支付违\n约金",
}


@pytest.mark.parametrize("quote", QUOTES)
def test_a_quote_is_found_letter_by_letter(quote: str) -> None:
    text = "\n".join(documents("de", "fr", "zh").values())
    span = locate(quote, text)
    assert span is not None
    assert text[slice(*span)] == QUOTES[quote]


@pytest.mark.parametrize(
    "quote",
    [
        "Die Kündigungsfrist beträgt keine drei Monate zum Monatsende",
        "出租人提前三个月书面通知承租人，可以解除合同。",
        "未经书面同意，承租人可以转租。",
    ],
)
def test_a_quote_that_says_something_else_is_refused(quote: str) -> None:
    assert all(locate(quote, text) is None for text in documents("de", "zh").values())


def test_long_text_without_spaces_is_cut_behind_sentences(tmp_path: Path) -> None:
    text = "".join(documents("zh").values()).replace("\n", "") * 8
    corpus = built({"lang.txt": text}, tmp_path)
    ends = {corpus.chunk_text(chunk)[-1] for chunk in range(len(corpus))}
    assert len(corpus) > 5
    assert ends == {"。"}
    assert all(300 < corpus.chunk_tokens[chunk] <= 400 for chunk in range(len(corpus) - 1))


def test_rows_too_short_to_tell_are_in_the_language_of_their_file(tmp_path: Path) -> None:
    rows = ["Notiz", "Heizung defekt", "Schlüssel fehlt", "Miete verspätet", "Kaution erhalten"]
    rows += ["Dach undicht", "Der Zähler wurde abgelesen", "Mieter ausgezogen", "Garten gepflegt"]
    corpus = built({"notizen.csv": "\n".join(rows)}, tmp_path)
    assert corpus.languages == ("de",)


def test_a_build_says_how_many_documents_are_in_each_language(tmp_path: Path) -> None:
    folder = write(tmp_path / "texts", documents("de", "en") | {"short.txt": "Eiche 4"})
    done = CliRunner().invoke(app, ["index", str(folder), "--into", str(tmp_path / "x.corpus")])
    told = "; languages: German 10, English 3, of no certain language 1, read as German"
    assert done.stdout.splitlines()[0].endswith(told)
    english = write(tmp_path / "english", documents("en"))
    done = CliRunner().invoke(app, ["index", str(english), "--into", str(tmp_path / "y.corpus")])
    assert "languages" not in done.stdout
