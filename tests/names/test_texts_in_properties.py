"""Names in the texts that stand in a note's properties."""

from __future__ import annotations

from pathlib import Path

from writeros_entities import Session


def found(vault: Path, name: str) -> list[tuple[str, int, str]]:
    with Session.open(vault, database=f"sqlite:///{vault.parent / 'index.db'}") as session:
        session.call("sync", {})
        answer = session.call("find_mentions", {"entity": name}).model_dump(mode="json")
    return [(one["path"], one["line"], one["surface"]) for one in answer["mentions"]]


def test_a_text_in_a_property_mentions_whom_it_names(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    (vault / "Characters").mkdir(parents=True)
    (vault / "Characters" / "Odile Marr.md").write_text(
        "---\nstory: |-\n  Odile was born in a mill by the river.\n  She fears the deep water.\n"
        "city: Odile\n---\n"
    )
    assert found(vault, "Odile Marr") == [("Characters/Odile Marr.md", 3, "Odile")]


def test_a_preposition_before_somebodys_name_is_no_surname_of_a_note_about_her(
    tmp_path: Path,
) -> None:
    vault = tmp_path / "vault"
    (vault / "Personnages").mkdir(parents=True)
    (vault / "Personnages" / "Lise.md").write_text("Une femme.\n")
    (vault / "Personnages" / "Voisin de Lise.md").write_text("Un homme.\n")
    (vault / "Chapitre 1.md").write_text("Il entendit la voix de Lise dans la cour.\n")
    assert found(vault, "Lise") == [("Chapitre 1.md", 1, "Lise")]
