"""What pages state: labels, lists, captions and, where a parser reads them, sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from writeros_plugins.languages import English

from writeros_entities import Parser
from writeros_entities.errors import ModelError
from writeros_entities.session import Session
from writeros_entities.sync.synchronizer import Synchronizer

from ..cases import by_name
from ..conftest import ReadVault
from ..databases import Databases
from ..sync.snapshot import take_snapshot

WriteVault = Callable[[dict[str, str]], Path]

PERSON = "---\ntype: person\n---\n"
PLACE = "---\ntype: place\n---\n"
FACTION = "---\ntype: faction\n---\n"

PEOPLE = {f"{name}.md": PERSON for name in ("Ruth", "Aldo", "Bruno", "Wim")}
SHEETS = {
    **PEOPLE,
    "Ada.md": PERSON + "Works at the [[Swan]].\n\nDaughter of [[Ruth]] and [[Aldo]].",
    "Swan.md": PLACE + "An inn, founded by [[Aldo]] and kept today by his son [[Wim]].",
}
STATED = {
    "Ada": {"works_at Swan", "child_of Ruth", "child_of Aldo"},
    "Swan": {"employs Ada", "founded_by Aldo"},
    "Aldo": {"parent_of Ada", "founder_of Swan", "parent_of Wim"},
}


@contextmanager
def synced(root: Path, databases: Databases, *, closely: bool = False) -> Iterator[Session]:
    with Session.open(root, database=databases.create(), close_reading=closely) as session:
        session.call("sync", {})
        yield session


def stated(session: Session, entity: str, as_of: int | None = None) -> set[str]:
    answer = session.call("get_entity", {"entity": entity, "as_of": as_of}).model_dump()
    return {f"{each['kind']} {each['other']['name']}" for each in answer["entity"]["relations"]}


def in_languages(cases: Sequence[tuple[Any, ...]]) -> dict[str, str]:
    """Return a sheet for each case, in its language; [[Ada]] is whose sheet it is."""
    return {
        f"{name}.md": f"---\ntype: person\nlanguage: {language}\n---\n{text}".replace("Ada", name)
        for name, (language, text, *_) in by_name(cases).items()
    }


LABELS = [
    ("Brother: [[Bruno]]", {"sibling_of Bruno"}),
    ("**Father** – Aldo", {"child_of Aldo"}),
    ("- Parents: [[Ruth]] and [[Aldo]]", {"child_of Ruth", "child_of Aldo"}),
    ("## Friends\n\n- [[Wim]]\n- [[Bruno]], of late", {"friend_of Wim", "friend_of Bruno"}),
    ("## Family\n\n- [[Ruth]] (mother)\n- Aldo – father", {"child_of Ruth", "child_of Aldo"}),
    ("- Parents\n  - [[Ruth]]\n  - [[Aldo]]", {"child_of Ruth", "child_of Aldo"}),
    ("Sister – [[Ruth]], two years older", {"sibling_of Ruth"}),
    (
        "## Family\n\n[[Wim]] → uncle\nDad (Aldo), a smith",
        {"niece_or_nephew_of Wim", "child_of Aldo"},
    ),
    ("Younger daughter of the late [[Aldo]] and [[Ruth]].", {"child_of Aldo", "child_of Ruth"}),
    ("A smith, 46; married to [[Wim]] (second wife).", {"spouse_of Wim"}),
    ("Daughter of [[Ruth]], sister of [[Wim]].", {"child_of Ruth"}),
    ("Perhaps the daughter of [[Aldo]].", set()),
    ("Mother of [[Bruno]]'s wife.", set()),
    ("Sister of [[Wim]] was Ruth.", set()),
    (
        "## Friends\n\n- [[Wim]], enemy and rival",
        {"friend_of Wim", "enemy_of Wim", "rival_of Wim"},
    ),
    ("| Who | What |\n| --- | --- |\n| [[Wim]] | husband, mostly away |", {"spouse_of Wim"}),
    ("Father: nobody that [[Ruth]] knew", set()),
    ("## Look\n\nTall.\n\n## Bruno\n\nBrother: [[Wim]]", set()),
    ("## Look\n\nTall.\n\n## Erdolf\n\nBrother: [[Wim]]", set()),
    ("## The Rusty Anchor\n\nIt is by the sea.\n\n- Brother\n  - [[Wim]]", set()),
    ("# Adelind Quarm\n\nBrother: [[Wim]]", {"sibling_of Wim"}),
    ("It is told.\n\n## Mentioned in\n\n### Friends\n\n- [[Wim]]", set()),
    ("## Alias: The Quarm\n\nBrother: [[Wim]]", {"sibling_of Wim"}),
    ("## Curriculum Vitae\n\nTall.\n\n## Upbringing\n\nBrother: [[Wim]]", set()),
    ("## Tournaments and Hobbies\n\nBrother: [[Wim]]", {"sibling_of Wim"}),
    (
        "She keeps the ledgers of the harbour and the keys to the salt house\n"
        "Sister of [[Wim]]\n"
        "She likes plums, but only those that the boatman brings from the far side of the lake",
        {"sibling_of Wim"},
    ),
    (
        "She keeps the ledgers of the harbour and the key to\n[[Wim]] and [[Bruno]], a friend",
        set(),
    ),
]


@pytest.mark.parametrize(("name", "case"), by_name(LABELS).items())
def test_labels_and_lists_state_of_whom_the_page_is(
    read_vault: ReadVault, name: str, case: tuple[str, set[str]]
) -> None:
    sheets = {f"{name}.md": PERSON + text for name, (text, _) in by_name(LABELS).items()}
    assert stated(read_vault({**PEOPLE, **sheets}), name) == case[1]


LANGUAGES = [
    ("fr", "Mère : [[Ruth]]\n\n- Fils d'[[Aldo]]\n\n## Amis\n\n- [[Wim]]"),
    ("de", "Mutter: [[Ruth]]\n\n- Ältester Sohn von [[Aldo]]\n\n## Freunde\n\n- [[Wim]]"),
    ("es", "Madre: [[Ruth]]\n\n- Hijo menor de [[Aldo]]\n\n## Amigos\n\n- [[Wim]]"),
    ("it", "Madre: [[Ruth]]\n\n- Figlio di [[Aldo]]\n\n## Amici\n\n- [[Wim]]"),
    ("pt", "Mãe: [[Ruth]]\n\n- Filho do [[Aldo]]\n\n## Amigos\n\n- [[Wim]]"),
    ("nl", "Moeder: [[Ruth]]\n\n- Oudste zoon van [[Aldo]]\n\n## Vrienden\n\n- [[Wim]]"),
    ("sv", "Mor: [[Ruth]]\n\n- Son till [[Aldo]]\n\n## Vänner\n\n- [[Wim]]"),
    ("pl", "Matka: [[Ruth]]\n\n- Ojciec: [[Aldo]]\n\n## Przyjaciele\n\n- [[Wim]]"),
    ("ru", "Мать: [[Ruth]]\n\n- Отец – [[Aldo]]\n\n## Друзья\n\n- [[Wim]]"),
    ("zh", "母亲：[[Ruth]]\n\n- 父亲: [[Aldo]]\n\n## 朋友\n\n- [[Wim]]"),
    ("ja", "母：[[Ruth]]\n\n- 父: [[Aldo]]\n\n## 友人\n\n- [[Wim]]"),
]


@pytest.mark.parametrize(("name", "case"), by_name(LANGUAGES).items())
def test_a_sheet_states_the_same_in_every_language(
    read_vault: ReadVault, name: str, case: tuple[str, str]
) -> None:
    session = read_vault({**PEOPLE, **in_languages(LANGUAGES)})
    assert stated(session, name) == {"child_of Ruth", "child_of Aldo", "friend_of Wim"}


@pytest.mark.parametrize(
    ("language", "title", "text", "expected"),
    [
        ("en", "Ada's Brother", "Feared by [[Ada]].", {"sibling_of Ada"}),
        ("de", "Adas Großmutter", "Wohnt bei [[Ada]].", {"grandparent_of Ada"}),
        ("fr", "Mère de Ada", "Loin de [[Ada]].", {"parent_of Ada"}),
        ("en", "Ada's Tears", "Named for [[Ada]].", set()),
    ],
)
def test_a_name_may_say_whose_it_is(
    write_vault: WriteVault,
    databases: Databases,
    language: str,
    title: str,
    text: str,
    expected: set[str],
) -> None:
    sheet = f"---\ntype: person\nlanguage: {language}\n---\n{text}"
    notes = {**PEOPLE, "Ada.md": PERSON, f"{title}.md": sheet}
    with synced(write_vault(notes), databases) as session:
        assert stated(session, title) & {*expected, "owned_by Ada"} == expected


def test_a_thing_named_after_somebody_is_theirs(
    write_vault: WriteVault, databases: Databases
) -> None:
    notes = {"Ada.md": PERSON, "Ada's Knife.md": "---\ntype: item\n---\nMade for [[Ada]]."}
    with synced(write_vault(notes), databases) as session:
        assert "owned_by Ada" in stated(session, "Ada's Knife")


LINES = [
    ("de", "Wurde von [[Ruth]] früh verraten", {"betrayed_by Ruth"}),
    ("de", "Ist mit [[Wim]] verheiratet.", {"spouse_of Wim"}),
    ("de", "Wurde von [[Ruth]] gesehen.", set()),
    ("de", "Sie ist die Tochter von [[Ruth]].", set()),
    ("de", "## Herkunft\n\nIst die Tochter von [[Ruth]].", {"child_of Ruth"}),
    ("de", "[[Ada]] kennt [[Wim]] gut.", set()),
    ("de", "[[Ada]] kennt [[Wim]].", {"knows Wim"}),
    ("pt", "Traída pela [[Ruth]].", {"betrayed_by Ruth"}),
    ("pt", "É filha da [[Ruth]].", {"child_of Ruth"}),
    ("pt", "Não é filha da [[Ruth]].", set()),
    ("it", "Uccisa dalla [[Ruth]].", {"killed_by Ruth"}),
]


@pytest.mark.parametrize(("name", "case"), by_name(LINES).items())
def test_a_line_without_a_parser_is_read_by_the_words_around_its_name(
    read_vault: ReadVault, name: str, case: tuple[str, str, set[str]]
) -> None:
    assert stated(read_vault({**PEOPLE, **in_languages(LINES)}), name) == case[2]


def test_what_holds_of_a_group_is_said_by_the_key_above(
    write_vault: WriteVault, databases: Databases
) -> None:
    sheet = "---\ntype: person\nfaction:\n  active: Gilde\n  rank: clerk\n---\n"
    with synced(write_vault({"Ada.md": sheet, "Gilde.md": FACTION}), databases) as session:
        assert stated(session, "Ada") == {"member_of Gilde"}


def test_a_list_of_members_says_so_of_what_nothing_is_known(
    write_vault: WriteVault, databases: Databases
) -> None:
    notes = {"Lore/Wardens.md": "Old.\n\n- Members\n  - [[Idris]]", "Ada.md": PERSON}
    with synced(write_vault(notes), databases) as session:
        assert stated(session, "Wardens") == {"has_member Idris"}


def test_what_a_long_note_says_far_below_its_title_is_said_of_its_name(
    write_vault: WriteVault, databases: Databases
) -> None:
    filler = "The wind blew over the marsh, and the reeds bent low before it.\n\n" * 120
    notes = {**PEOPLE, "Ada.md": f"{PERSON}# Ada\n\n{filler}Brother: [[Bruno]]"}
    with synced(write_vault(notes), databases) as session:
        assert stated(session, "Ada") == {"sibling_of Bruno"}


def test_a_place_holds_what_is_listed_under_its_headings(
    write_vault: WriteVault, databases: Databases
) -> None:
    town = "## Districts\n\n### [[Docks]]\n\n- [[Swan]]\n\n## NPCs\n\n- [[Ruth]]\n"
    notes = {**PEOPLE, "Swan.md": PLACE, "Docks.md": PLACE, "Vantry.md": PLACE + town}
    with synced(write_vault(notes), databases) as session:
        assert stated(session, "Vantry") == {"contains Docks", "location_of Ruth"}
        assert stated(session, "Swan") == {"part_of Docks"}


def test_a_place_of_a_group_or_person_holds_nothing(
    write_vault: WriteVault, databases: Databases
) -> None:
    notes = {"Ada.md": PERSON + "## Islands\n\n- [[Ruth]]\n- [[Skerry]]", "Ruth.md": PERSON}
    with synced(write_vault({**notes, "Skerry.md": PLACE}), databases) as session:
        assert stated(session, "Ada") == set()


def test_a_place_in_the_north_of_another_is_in_it(
    write_vault: WriteVault, databases: Databases
) -> None:
    notes = {
        "Vantry.md": PLACE,
        "Swan.md": PLACE + "Gasthaus im Norden von [[Vantry]]",
        "Heron.md": PLACE + "The Heron is an inn in the north of [[Vantry]].",
    }
    with synced(write_vault(notes), databases, closely=True) as session:
        assert stated(session, "Vantry") == {"location_of Swan", "location_of Heron"}


def test_the_town_is_that_of_its_own_note(write_vault: WriteVault, databases: Databases) -> None:
    town = "Vantry is a small town. The town was founded by [[Ruth]]. A town was ruled by [[Wim]]."
    notes = {**PEOPLE, "Vantry.md": PLACE + town}
    with synced(write_vault(notes), databases, closely=True) as session:
        assert stated(session, "Vantry") == {"founded_by Ruth"}


def test_a_line_may_be_no_more_than_who_is_of_what(
    write_vault: WriteVault, databases: Databases
) -> None:
    names = "- [[Ruth]] of the [[Gilde]]\n- [[Wim]] of [[Vantry]], late\n"
    text = f"They were sent for, and this is who came:\n\n{names}"
    notes = {**PEOPLE, "Gilde.md": FACTION, "Vantry.md": PLACE, "Log.md": text}
    with synced(write_vault(notes), databases) as session:
        assert stated(session, "Ruth") == {"member_of Gilde"}
        assert stated(session, "Wim") == set()


def test_what_has_members_is_a_group_whatever_its_folder_says(
    write_vault: WriteVault, databases: Databases
) -> None:
    text = "## Members\n\n- [[Ruth]]\n\n## Family members\n\n- [[Wim]]\n"
    notes = {**PEOPLE, "Lamps.md": PERSON + text}
    with synced(write_vault(notes), databases) as session:
        assert stated(session, "Lamps") == {"has_member Ruth"}


def test_here_is_the_place_of_the_note(write_vault: WriteVault, databases: Databases) -> None:
    notes = {**PEOPLE, "Vantry.md": PLACE + "A town. [[Ruth]] was born here. They live well."}
    with synced(write_vault(notes), databases, closely=True) as session:
        assert stated(session, "Ruth") == {"born_in Vantry"}


def test_a_property_may_be_in_another_language(
    write_vault: WriteVault, databases: Databases
) -> None:
    notes = {**PEOPLE, "Ada.md": "---\ntype: person\npère: '[[Bruno]]'\n---\n"}
    with synced(write_vault(notes), databases) as session:
        assert stated(session, "Ada") == {"child_of Bruno"}


def test_a_short_note_is_in_the_language_of_its_labels(
    write_vault: WriteVault, databases: Databases
) -> None:
    sheet = PERSON + "### Beschreibung\n\n- Tochter von [[Aldo]]\n- Mitglied der [[Gilde]]"
    notes = {**PEOPLE, "Ada.md": sheet, "Gilde.md": FACTION}
    with synced(write_vault(notes), databases) as session:
        assert stated(session, "Ada") == {"child_of Aldo", "member_of Gilde"}


def test_a_link_from_above_the_vault_names_the_note_at_its_end(
    write_vault: WriteVault, databases: Databases
) -> None:
    notes = {
        **PEOPLE,
        "Places/Vantry.md": PLACE,
        "People/Vantry/Vantry.md": PERSON,
        "Ada.md": PERSON + "Home: [[Novel/Places/Vantry|Vantry]]",
    }
    with synced(write_vault(notes), databases) as session:
        assert stated(session, "Ada") == {"lives_in Vantry"}


def test_a_column_says_of_its_rows_what_its_title_says(
    write_vault: WriteVault, databases: Databases
) -> None:
    table = "| Who | Father |\n| --- | --- |\n| [[Ada]] | [[Aldo]] |\n| [[Bruno]] | [[Wim]] |"
    notes = {**PEOPLE, "Ada.md": PERSON, "Roster.md": table}
    with synced(write_vault(notes), databases) as session:
        assert stated(session, "Ada") == {"child_of Aldo"}
        assert stated(session, "Bruno") == {"child_of Wim"}


def test_sentences_are_read_by_grammar_after_the_sync(
    write_vault: WriteVault, databases: Databases
) -> None:
    with synced(write_vault(SHEETS), databases, closely=True) as session:
        assert {name: stated(session, name) for name in STATED} == STATED
        assert session.call("sync", {}).model_dump()["read_closely"] == 0


NOT_PLAIN = [
    "Would [[{0}]] marry [[Wim]]?",
    "If [[{0}]] married [[Wim]], all would be well.",
    "[[{0}]] never married [[Wim]].",
    "[[Ruth]] dreamt that [[{0}]] married [[Wim]].",
    "[[{0}]] wanted to marry [[Wim]].",
    "[[{0}]] will marry [[Wim]].",
    "According to [[Ruth]], [[{0}]] married [[Wim]].",
    "Marry [[Wim]], [[{0}]]!",
    "[[{0}]] and [[Wim]] were busy with demons, killing them.",
]


@pytest.mark.parametrize(("name", "text"), by_name(NOT_PLAIN).items())
def test_only_what_is_said_plainly_is_stated(read_vault: ReadVault, name: str, text: str) -> None:
    notes = dict(PEOPLE)
    for one, said in by_name(NOT_PLAIN).items():
        notes |= {f"{one}.md": PERSON, f"Scene of {one}.md": said.format(one)}
    assert stated(read_vault(notes, close_reading=True), name) == set(), text


def test_a_title_that_opens_a_line_is_of_nobody_but_the_person_of_the_sheet(
    write_vault: WriteVault, databases: Databases
) -> None:
    notes = {
        **PEOPLE,
        "Ada.md": PERSON + "Mother [[Ruth]] died young.",
        "Guild.md": FACTION + "Mother [[Ruth]] died young. Queen [[Wim]] wept.",
    }
    with synced(write_vault(notes), databases, closely=True) as session:
        assert stated(session, "Ada") == {"child_of Ruth"}
        assert stated(session, "Guild") == set()


def test_a_sync_that_is_stopped_between_two_steps_goes_on_with_the_next(
    write_vault: WriteVault, databases: Databases
) -> None:
    root = write_vault(SHEETS)
    with (
        Session.open(root, database=databases.create(), close_reading=True) as session,
        synced(root, databases, closely=True) as whole,
    ):
        session.call("sync", {"close_reading": False})
        assert "parent_of Wim" not in stated(session, "Aldo")
        stops = iter((False, True))
        read = Synchronizer(session).read_closely(is_interrupted=lambda: next(stops), step_bytes=1)
        assert read == 1
        assert session.call("sync", {}).model_dump()["read_closely"] == len(SHEETS) - 1
        session.call("rebuild", {})
        assert {name: stated(session, name) for name in STATED} == STATED
        assert _without_state(session) == _without_state(whole)


def _without_state(session: Session) -> Mapping[str, object]:
    """Return the rows of an index but for the vault's own, which counts what was done."""
    return {name: found for name, found in take_snapshot(session).items() if name != "vault"}


def test_a_changed_note_is_read_again_and_no_other(
    write_vault: WriteVault, databases: Databases
) -> None:
    root = write_vault(SHEETS)
    with synced(root, databases, closely=True) as session:
        (root / "Ada.md").write_text(PERSON + "Sister of [[Bruno]].", "utf-8")
        assert session.call("sync", {}).model_dump()["read_closely"] == 1
        assert stated(session, "Ada") == {"sibling_of Bruno"}


def test_a_note_in_which_only_a_name_is_new_is_not_parsed_again(
    write_vault: WriteVault, databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = write_vault({**SHEETS, "Bea.md": PERSON + "[[Ada]] heard of it. Corin married Ada."})
    kind = type(English("en", "english").parser())
    parse = kind.parse
    with synced(root, databases, closely=True) as session:
        parsed: list[str] = []

        def listen(self: Parser, texts: Sequence[str], names: Any) -> Any:
            parsed.extend(texts)
            return parse(self, texts, names)

        monkeypatch.setattr(kind, "parse", listen)
        (root / "Corin.md").write_text(PERSON + "He knew [[Wim]].", "utf-8")
        assert session.call("sync", {}).model_dump()["read_closely"] == 2
        assert "spouse_of Ada" in stated(session, "Corin")
        assert parsed == ["He knew Wim."]


def test_what_a_sentence_of_a_later_chapter_states_is_not_known_before(
    write_vault: WriteVault, databases: Databases
) -> None:
    notes = {
        **PEOPLE,
        "Manuscript/01 - One.md": "[[Wim]] and [[Ruth]] met [[Bruno]] at the inn.",
        "Manuscript/02 - Two.md": "[[Ruth]], who had married [[Wim]] in secret, laughed.",
    }
    with synced(write_vault(notes), databases, closely=True) as session:
        assert "spouse_of Ruth" not in stated(session, "Wim", as_of=1)
        assert "spouse_of Ruth" in stated(session, "Wim", as_of=2)


def test_without_a_parser_all_else_is_read_and_the_reason_is_told_once(
    write_vault: WriteVault, databases: Databases, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(_: object) -> None:
        raise ModelError("Install the extra `english`.", is_missing=True)

    monkeypatch.setattr("writeros_plugins.languages.English.parser", missing)
    root = write_vault({**PEOPLE, "Ada.md": PERSON + "Brother: [[Bruno]]\n\nShe married [[Wim]]."})
    with Session.open(root, database=databases.create(), close_reading=True) as session:
        first = session.call("sync", {})
        assert "Sentences are not read by grammar. Install the extra `english`." in first.as_text()
        assert "sibling_of Bruno" in stated(session, "Ada")
        assert "grammar" not in session.call("rebuild", {}).as_text()
