import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from writeros_entities.folding import fold, fold_form, fold_forms


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("Isolde’s", "isolde's"),
        ("O`Brien", "o'brien"),
        ("Jean‑Luc", "jean-luc"),
        ("Lady \x01\x01Isolde\x01\x01", "lady isolde"),
        ("Black \n  Harbour", "black harbour"),
        ("Black\r\nHarbour", "black harbour"),
        ("Black\n> Harbour", "black > harbour"),
        ("A\u030angstro\u0308m", "ångström"),
        ("Straße", "straße"),
        ("İzmir", "İzmir"),
        ("Is\u00adolde", "isolde"),
        ("Ilse\n\nVane", "ilse  vane"),
        ("Ilse\n\x01 \n\x01 Vane", "ilse  vane"),
        ("Ilse\r\n\r\nVane", "ilse  vane"),
    ],
)
def test_spellings_of_one_name_fold_to_one_string(written: str, folded: str) -> None:
    assert fold_form(written) == folded


def test_offsets_lead_back_to_the_name_as_written() -> None:
    text = "then  Lady \x01\x01Isolde\x01\x01’s cafe\u0301\n crown"
    folded = fold(text)
    for form, written in [
        ("lady isolde", "Lady \x01\x01Isolde"),
        ("café", "cafe\u0301"),
        ("crown", "crown"),
        ("café crown", "cafe\u0301\n crown"),
    ]:
        start = folded.folded.index(form)
        end = start + len(form)
        assert text[folded.source_start(start) : folded.source_end(end)] == written


ALPHABET = st.sampled_from(
    [*"aAbéßİ’'-\u2011 \n\r\t\x01\0\u0301\u0308\u00ad가각", "\u1100", "\u1161"]
)


@given(st.text(ALPHABET, max_size=40), st.data())
def test_every_slice_of_a_folded_text_folds_to_itself(text: str, data: st.DataObject) -> None:
    folded = fold(text)
    assert len(folded.plain) == len(folded.folded)
    start = data.draw(st.integers(0, len(folded.folded)))
    end = data.draw(st.integers(start, len(folded.folded)))
    if start == end:
        return
    source = text[folded.source_start(start) : folded.source_end(end)]
    assert 0 <= folded.source_start(start) <= folded.source_end(end) <= len(text)
    if _is_clean_cut(folded.folded, start, end):
        assert fold_form(source) == folded.folded[start:end].strip()


def _is_clean_cut(folded: str, start: int, end: int) -> bool:
    """Tell whether the slice begins and ends where a name could: at letters, not in a cluster."""
    inside = folded[start:end]
    after = folded[end : end + 1]
    return (
        inside[0].isalnum()
        and inside[-1].isalnum()
        and not "\u1160" <= inside[0] <= "\u11ff"
        and unicodedata.combining(after or " ") == 0
        and not "\u1100" <= inside[-1] <= "\u11ff"
        and not "\u1100" <= (after or " ") <= "\u11ff"
    )


@given(st.lists(st.text(ALPHABET, max_size=8), min_size=1))
def test_folding_many_names_at_once_is_folding_each(forms: list[str]) -> None:
    assert fold_forms(forms) == [fold_form(form) for form in forms]
