from hypothesis import given
from hypothesis import strategies as st
from writeros_plugins.gazetteer.words import FEW, Words


class Searched(str):
    """A text that counts how often it is searched."""

    searches = 0

    def find(self, *where):
        self.searches += 1
        return super().find(*where)


def test_a_text_is_searched_once_for_a_word_that_is_asked_for_again_and_again() -> None:
    text = Searched("Hope went home. " * 100)
    words = Words(text)
    assert [words.have("hope") for _ in range(100)] == [False] * 100
    assert text.searches == 1


def test_a_text_is_not_searched_for_each_of_many_words() -> None:
    text = Searched(" ".join(f"w{chr(0x100 + at)}" for at in range(0, 300, 2)))
    words = Words(text)
    found = [words.have(f"w{chr(0x100 + at)}") for at in range(300)]
    assert found == [True, False] * 150
    assert text.searches <= 2 * FEW


TEXTS = st.text(st.sampled_from([*"aabbcé林カAß0'-_. \u0301\u0e31"]), max_size=40)
ASKED = st.lists(st.text(st.sampled_from([*"abcé林カ' -0"]), min_size=1, max_size=5), max_size=5)


@given(TEXTS, ASKED)
def test_a_name_is_found_alike_by_itself_and_among_many(text: str, asked: list[str]) -> None:
    indexed = Words(text)
    for at in range(FEW):
        indexed.have(f"#{at}")
    assert [indexed.find(form) for form in asked] == [Words(text).find(form) for form in asked]


def test_a_name_is_found_where_words_begin_and_end() -> None:
    text = "Anne met Anne-Marie, Annes and the Annes' Anne Vane"
    assert list(Words(text).find("Anne")) == [0, 9, 42]
    assert list(Words(text).find("Anne Vane")) == [42]
