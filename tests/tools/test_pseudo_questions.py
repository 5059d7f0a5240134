from tools.pseudo_questions import pseudo_questions


class Titled:
    def __init__(self, chunks: int) -> None:
        self.chunks = chunks
        self.titles = [f"Title of document {n}" for n in range(chunks)]

    def __len__(self) -> int:
        return self.chunks

    def headings(self, chunk: int) -> tuple[str, ...]:
        return ("Part", f"Heading of chunk {chunk}") if chunk % 2 else ()

    def chunk_text(self, chunk: int) -> str:
        return f"Short. The supplier of part {chunk} may leave."


def test_titles_headings_and_sentences_are_taken_at_even_distances():
    found = pseudo_questions(Titled(100), 9)
    assert found[:3] == ("Title of document 0", "Title of document 49", "Title of document 99")
    assert "Heading of chunk 49" in found
    assert "The supplier of part 0 may leave." in found
    assert len(found) <= 9


def test_questions_are_different_and_at_most_as_many_as_wanted():
    corpus = Titled(40)
    corpus.titles = ["The same title"] * 40
    found = pseudo_questions(corpus, 30)
    assert found.count("The same title") == 1
    assert len(found) <= 30


def test_rules_under_headings_are_left_out():
    corpus = Titled(1)
    corpus.titles = ["High-Level\n==========\nSpecification"]
    assert pseudo_questions(corpus)[0] == "High-Level Specification"


def test_an_empty_corpus_asks_nothing():
    assert pseudo_questions(Titled(0)) == ()
