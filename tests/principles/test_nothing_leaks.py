"""Whatever is asked as of a chapter, of whatever capability there is, tells nothing of later ones.

Vaults are made at random: sheets that may be seen from the beginning, from a chapter, or never,
with sections that say so of themselves; chapters with links, aliases, tags, headings and what
people are to each other. A word made up for one place is looked for in every answer from before it.

The first vault that is drawn is made of the first of all choices, and whenever all tests are run
it is the only one. So these are what tells most, and each vault has every kind of mention.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from urllib.parse import quote

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.asking import BUILT_IN
from writeros_entities.errors import WriterosError
from writeros_entities.session import Session
from writeros_entities.surfaces.briefs import TEMPLATES
from writeros_entities.surfaces.resources import read_resource, resource_templates, suggest
from writeros_entities.surfaces.templates import PromptTemplate

from ..asking import UNBOUNDED, Words, ask, questions

BOUNDED = [each for each in BUILT_IN if "as_of" in each.request.model_fields]
PEOPLE = ("Ansel", "Berit", "Corvin", "Dagny")
SECRETS = (
    *("Xanthe", "Quorra", "Vesna", "Wulfric", "Zoltan", "Ysmay", "Thessaly", "Oberyn", "Jocasta"),
    *("Ulric", "Fenwick", "Grizelda", "Hesper", "Isembard", "Kestrel", "Lysander", "Morwenna"),
    *("Nerissa", "Peregrine", "Rosalba", "Sidonie", "Tancred", "Ursula", "Valerian", "Ambrose"),
    *("Balthazar", "Cressida", "Drusilla", "Eglantine", "Florizel", "Gawain", "Hyacinth", "Ingram"),
    *("Leocadia", "Mortimer", "Octavian", "Philippa", "Quillon", "Ravenna"),
)
"""Words of which each stands in one place of a vault; none is part of another."""

MENTIONS = (
    "{0} met {1} by the storm lamp. {2} slept.",
    "The storm lamp of {0} went out.",
    "{0}, sister of {1}, rose. {2} was killed by {0}.",
    "{0} married {1}. {0} left the Guild.",
    "{0} divorced {1}. {1} is the enemy of {2}.",
    "{1} is allied with {2}, {0} is not.",
    "[[{0}|{new}]] came in. {new} saw {1}, and {new} saw {2}.",
    "[[{new}]] serves {0}. {0} spoke to {new} of {1}.",
    "[[{old}]] was never far. {0} knew.",
    "{new} {old} loves {0}. {new} {old} waved at {new} {old}. #{tag}",
    "## The {new}\n\n{0} sat with {1}.\n\n***\n\n{2} left.",
    "{0} ({new}) lives in [[{tag}]].",
    "- [ ] Ask {new} about {0}\n\nTODO: {1} and [[{tag}]] (question:: Who is {2}?)",
    "“{new},” said {0}, “is the daughter of {1}.”\n\n- {new} [[{tag}]]",
    "The Warden saw {0}.\n\n# {1}\n\nThe Warden killed {2}, and {0} walked to {1}.",
    "[[{0}|Lady {new}]] rules {1}. Lady {new} is the wife of {2}.",
)


@dataclass(frozen=True)
class Piece:
    """A part of a vault and from which chapter its words may be seen; None: never."""

    path: str
    text: str
    since: int | None
    shows_path: bool = True


@dataclass(frozen=True)
class Vault:
    """Sheets in pieces, and chapters by number."""

    sheets: tuple[Piece, ...]
    chapters: tuple[Piece, ...]

    def files(self, last: int) -> Mapping[str, str]:
        """Return the files of the vault up to a chapter."""
        texts: dict[str, str] = {}
        for piece in (*self.sheets, *self.chapters[:last]):
            texts[piece.path] = texts.get(piece.path, "") + piece.text
        return texts

    def words_at(self, position: int) -> frozenset[str]:
        """Return the words that a reader may have seen as of a chapter."""
        seen: set[str] = set()
        for piece in (*self.sheets, *self.chapters):
            if piece.since is not None and piece.since <= position:
                seen |= words_of(f"{piece.path} {piece.text}" if piece.shows_path else piece.text)
        return frozenset(seen)


def words_of(text: str) -> set[str]:
    """Return the made-up words in a text, in whichever case."""
    folded = text.casefold()
    return {word for word in SECRETS if word.casefold() in folded}


@st.composite
def vaults(draw: st.DrawFn) -> Vault:
    """Draw a vault of two to four chapters, in one book or in two that count anew."""
    secrets = iter(draw(st.permutations(SECRETS)))
    count = draw(st.sampled_from((3, 2, 4)))
    sheets: list[Piece] = []
    for name, since in zip(PEOPLE, draw(st.permutations((0, 2, None, 1, count)))[:3], strict=False):
        sheets += sheet(draw, f"Cast/{name}.md", since, count, secrets)
    hidden = draw(st.sampled_from((1, None, count)))
    sheets += sheet(draw, f"Notes/{next(secrets)}.md", hidden, count, secrets)
    chapters = []
    in_first = draw(st.integers(1, count))
    old = "Elsinor"
    forms = draw(st.permutations(MENTIONS))
    for number in range(1, count + 1):
        lines = []
        for form in forms[number - 1 :: count]:
            names = draw(st.permutations(PEOPLE))
            new = next(secrets, "Nobody") if "{new}" in form else old
            tag = next(secrets, "Nowhere") if "{tag}" in form else ""
            lines.append(form.format(*names, new=new, old=old, tag=tag))
            old = draw(st.sampled_from((new, old)))
        title = draw(st.sampled_from((next(secrets, "Last"), f"{PEOPLE[3]} and {old}", old)))
        book, own = (1, number) if number <= in_first else (2, number - in_first)
        text = f"---\nchapter: {own}\n---\n" + "\n\n".join(lines) + "\n"
        chapters.append(Piece(f"Book {book}/{own:02} - {title}.md", text, number))
    return Vault(tuple(sheets), tuple(chapters))


def sheet(
    draw: st.DrawFn, path: str, since: int | None, count: int, secrets: Iterator[str]
) -> list[Piece]:
    """Draw a note: properties, words of its own, and perhaps a section that comes later."""
    claim = "" if since is None else f"visible_from: {since or 'always'}\n"
    alias = draw(st.sampled_from((f"aliases: [the {next(secrets, 'None')}, the Warden]\n", "")))
    body = f"born:: {next(secrets, 'long ago')}\n\n{draw(st.sampled_from(PEOPLE))} is here.\n"
    mentor = f"mentor: {draw(st.sampled_from((*PEOPLE, 'Elsinor')))}\n"
    kind = draw(st.sampled_from(("type: person\n", "")))
    pieces = [
        Piece(path, f"---\n{kind}{mentor}{claim}", since),
        Piece(path, alias, None),
        Piece(path, f"trade: {next(secrets, 'none')}\n---\n{body}", since),
    ]
    if draw(st.sampled_from((True, False))):
        later = draw(st.sampled_from(range(count, 0, -1)))
        heading = f"\n## {next(secrets, 'Later')}\n\nvisible_from:: {later}\n\n"
        text = f"status:: {next(secrets, 'ill')}\n{draw(st.sampled_from(PEOPLE))} knew.\n"
        pieces.append(Piece(path, heading + text, later))  # what a section says goes first
    return pieces


def words_for(vault: Vault, position: int) -> Words:
    """Return what a reader as of a chapter could ask for; some of it is not to be had."""
    known = sorted(vault.words_at(position))
    chapters = [piece.path for piece in vault.chapters[:position]]
    return Words(
        names=(*PEOPLE, *known[:2], "Nobody at all"),
        notes=("Ansel", *chapters[:2], "Cast/Berit.md", "Nothing.md"),
        texts=(
            "Ansel met Berit and Corvin at the Guild with Dagny.",
            f"Who is {known[0] if known else 'Dagny'}?",
            "What became of the storm lamp, and of Ansle?",
        ),
        folders=("Book", "Cast"),
        kinds=("co_occurs_with", "sibling_of", "spouse_of"),
    )


def write(root: Path, files: Mapping[str, str]) -> None:
    (root / ".obsidian").mkdir(parents=True, exist_ok=True)
    for path, text in files.items():
        (root / path).parent.mkdir(exist_ok=True)
        (root / path).write_text(text, "utf-8")


def answers(session: Session, vault: Vault, position: int, folder: Path) -> dict[str, str]:
    """Return the answer to every question as of a chapter."""
    asked_of = {
        f"{capability.name} {asked}": ask(session, capability.name, asked, folder)
        for capability in BOUNDED
        for question in questions(capability, words_for(vault, position))
        for asked in [question | {"as_of": position}]
    }
    return asked_of | other_answers(session, vault, position)


def other_answers(session: Session, vault: Vault, position: int) -> dict[str, str]:
    """Return what prompts, resources and suggestions tell somebody who has read up to a chapter."""
    words = words_for(vault, position)
    prompts = {
        f"{template.name} {arguments}": lambda template=template, arguments=arguments: (
            template.fill(session, arguments)
        )
        for template in TEMPLATES
        for arguments in prompt_arguments(template, words, vault, position)
    }
    spellings = {"path": words.notes, "id": words.names}
    resources = {
        uri: lambda uri=uri: str(read_resource(session, uri).contents)
        for template in resource_templates(session.capabilities)
        for name, values in spellings.items()
        if f"{name}}}" in template.uri_template
        for value in values
        for uri in [expand(template.uri_template, name, value, position)]
    }
    bound = {"as_of": str(position)}
    suggested = {
        f"suggest {name}": lambda name=name: str(suggest(session, name, "", bound))
        for name in ("entity", "id", "path", "types")
    }
    asked_of = prompts | resources | suggested
    return {asked: told(answer) for asked, answer in asked_of.items()}


def prompt_arguments(
    template: PromptTemplate, words: Words, vault: Vault, position: int
) -> Iterator[dict[str, str]]:
    """Yield arguments of a prompt, every value of each, that bound it by a chapter."""
    scenes = (vault.chapters[position - 1].path, str(position)) if position else ()
    values = {
        "as_of": (str(position),),
        "scene": scenes,
        "entity": words.names,
        "types": ("", ", ".join(words.types)),
    }
    rows = [values[argument.name] for argument in template.arguments]
    names = [argument.name for argument in template.arguments]
    assert {"as_of", "scene"} & set(names), f"Say how {template.name} is bounded."
    for row in product(*rows):
        yield dict(zip(names, row, strict=True))


def expand(template: str, name: str, value: str, position: int) -> str:
    """Return the address that a template of addresses makes, as of a chapter."""
    assert template.endswith("{?as_of}"), f"{template} cannot be asked as of a chapter."
    address = template.removesuffix("{?as_of}")
    return f"{re.sub('{.?' + name + '}', quote(value), address)}?as_of={position}"


def told(answer: Callable[[], str]) -> str:
    """Return a text, or what the error says."""
    try:
        return answer()
    except WriterosError as error:
        return f"{type(error).__name__}: {error}"


VAULTS = int(os.environ.get("LEAK_VAULTS", "1"))
"""Random vaults of each test: one whenever all tests are run, hundreds by `make leaks`."""

FEW = settings(
    max_examples=VAULTS,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)


def open_closely(root: Path, folder: Path) -> Session:
    """Open a vault whose sentences are read by grammar: what they tell must not leak either."""
    database = f"sqlite:///{folder}/index.sqlite3"
    return Session.open(root, database=database, workers=0, close_reading=True)


@FEW
@given(vaults(), st.integers(0, 5))
def test_no_answer_as_of_a_chapter_tells_anything_of_later_ones(vault: Vault, drawn: int) -> None:
    """A last chapter changes no byte of any, and what only later pages have is in none."""
    last = len(vault.chapters)
    with tempfile.TemporaryDirectory(prefix="vault-") as made:
        folder = Path(made)
        root = folder / "vault"
        write(root, vault.files(last - 1))
        with open_closely(root, folder) as session:
            session.call("sync", {})
            before = answers(session, vault, last - 1, folder)
            write(root, vault.files(last))
            session.call("sync", {})
            for position in (drawn % (last - 1), last - 1):
                known = vault.words_at(position)
                told_of = answers(session, vault, position, folder)
                for question, answer in told_of.items():
                    assert words_of(answer) <= known, question
        assert told_of == before


def test_every_capability_is_asked() -> None:
    """One that reads the index says as of when; each of its fields is filled by some question."""
    assert {one.name for one in BUILT_IN} - {one.name for one in BOUNDED} == UNBOUNDED
    words = Words(("Ansel", "Berit"), ("Ansel.md",), ("Who is Ansel?",), ("Cast",))
    for capability in BOUNDED:
        asked = {field for question in questions(capability, words) for field in question}
        left_out = capability.request.model_fields.keys() - asked - {"as_of", "output"}
        assert left_out == set(), capability.name


def test_words_are_told_apart() -> None:
    assert not [(a, b) for a in SECRETS for b in SECRETS if a != b and a.casefold() in b.casefold()]
    assert words_of("ysmay's XANTHE") == {"Ysmay", "Xanthe"}
    assert not re.search("|".join(SECRETS), " ".join(MENTIONS))
