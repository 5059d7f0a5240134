"""Languages are told where they are certain."""

import pytest

from tools.corpus.language_detection import language_of


@pytest.mark.parametrize(
    "text",
    [
        "12.50; 13.75; 18.00; 22.40; 31.10; 8.95; 7.25; 16.30; 19.99",
        "Anna Weber, Luc Martin, Wen Li, Ana Ruiz, Jan de Vries",
        "0f3a9c 77be21 9d00aa 5fe2c1 b41d77 20cc9e 8e41f0",
    ],
)
def test_names_numbers_and_codes_are_in_no_language(text: str) -> None:
    assert language_of(text) in {"", "en"}
