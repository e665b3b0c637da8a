"""A page is stored without the words of its note, and is the same when it is read with them."""

import pytest

from writeros_entities.language.stored import pack_page, unpack_page

from .reading import note_of, read

NOVEL = 'She had not gone. Ann Marrow said, "Does he keep the Swan?" “No,” he told Marrow\'s men.'


@pytest.mark.parametrize(
    "text",
    [
        "",
        NOVEL,
        "## Ruth\n\n- **Father:** [[Aldo Reed|Aldo]]\n- Works at the *Temple*\n\nDaughter of Ruth.",
        "| Name | Kin |\n| --- | --- |\n| [[Ruth]] | sister of Aldo |",
        "> [!note] Ruth\n> Kept by her 2 sons; “was kept” – they say…",
        " ".join(f"Ruth saw {'the ' * number}sea." for number in range(200)),
    ],
)
def test_a_stored_page_is_the_page_that_was_read(text: str) -> None:
    page, written = read(text), note_of(text).text
    assert unpack_page(pack_page(page, written), written) == page


def test_a_stored_page_takes_up_little_more_than_half_of_its_text() -> None:
    text = "\n\n".join(NOVEL.replace("Swan", name) for name in ("Sun", "Mill", "Inn") * 9)
    assert len(pack_page(read(text), text)) < 0.5 * len(text.encode())
