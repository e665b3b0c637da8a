import pytest
from writeros_plugins.token_counters import CharacterCounter, WordCounter, register_token_counters


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("Isolde", 2),
        ("She counted them twice, again.", 8),
        ("太郎は来た。", 7),
        ("x" * 800, 111),
        ("abcdefgh abcdefghi", 4),
        ("“Isolde” — she’s here…", 10),
        ("“Isolde” — she’s here… 中国", 13),
        ("é" * 17, 4),
    ],
)
def test_words_count_pieces_of_words_and_punctuation(text: str, tokens: int) -> None:
    assert WordCounter().count([text]) == [tokens]


def test_characters_count_a_quarter_rounded_up() -> None:
    assert CharacterCounter().count(["", "a", "abcd", "abcde"]) == [0, 1, 1, 2]


def test_both_are_registered_by_name() -> None:
    assert [counter.name for counter in register_token_counters()] == ["words", "characters"]
