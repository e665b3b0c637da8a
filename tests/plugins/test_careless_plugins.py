"""A plugin's answer of the right class that holds what it cannot costs that plugin's answer.

The sync is whole, what the other plugins found is there, and the message says what was wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from writeros_entities import (
    JSON,
    Candidate,
    ChunkSpan,
    DecidedMention,
    DerivedName,
    Evidence,
    Finding,
    InferredRelation,
    KnownEntity,
    Lexicon,
    Mention,
    Note,
    OrderClaim,
    PluginError,
    ProposedName,
    Score,
    Session,
    Settings,
    Story,
    TokenCounter,
    Topic,
    hookimpl,
)
from writeros_entities.plugins import load_plugins

VAULT = {
    "Cast/Isolde Marrow.md": "---\ntype: person\n---\n",
    "Cast/Isolde Vane.md": "---\ntype: person\n---\n",
    "Chapter 1.md": "Isolde Marrow came home.\n",
    "Chapter 2.md": "Isolde left.\n",
}

PROOF = (Evidence("Chapter 1.md", 0, 25, "Isolde Marrow came home."),)

Open = Callable[..., Session]


class Verbs:
    """Answers one hook with one item, made of the first that the hook is given, if any."""

    def __init__(self, hook: str, make: Callable[[Any], object]) -> None:
        self.hook, self.make = hook, make

    def answer(self, hook: str, given: Iterable[Any]) -> list[Any]:
        return [self.make(one) for one in list(given)[:1] if hook == self.hook]

    @hookimpl
    def propose_entities(self, note: Note) -> Iterable[Any]:
        return self.answer("propose_entities", [note])

    @hookimpl
    def extract_topics(self, note: Note) -> Iterable[Any]:
        return self.answer("extract_topics", [note])

    @hookimpl
    def derive_names(self, name: str) -> Iterable[Any]:
        return self.answer("derive_names", [name])

    @hookimpl
    def detect_entities(self, lexicon: Lexicon) -> Iterable[Any]:
        return self.answer("detect_entities", lexicon.entities)

    @hookimpl
    def link_mention(self, candidates: Sequence[Candidate]) -> Iterable[Any]:
        return self.answer("link_mention", candidates)

    @hookimpl
    def infer_relations(self, mentions: Sequence[DecidedMention]) -> Iterable[Any]:
        return self.answer("infer_relations", mentions)


class Things:
    """Registers things of several kinds, all with one name."""

    identity = "careless 1"

    def __init__(self, answer: object, name: str = "careless") -> None:
        self.answer: Any = answer
        self.name = name

    def give(self) -> Any:
        return self.answer

    def chunk(self, note: Note, counter: TokenCounter) -> Any:
        return self.give()

    def claim(self, path: str, frontmatter: Mapping[str, JSON]) -> Any:
        return self.give()

    def entities(self) -> Any:
        return self.give()

    def count(self, texts: Sequence[str]) -> Any:
        return self.give()

    def check(self, story: Story) -> Any:
        return self.give()

    @hookimpl
    def register_chunkers(self) -> Iterable[Any]:
        return [self]

    @hookimpl
    def register_reading_orders(self) -> Iterable[Any]:
        return [self]

    @hookimpl
    def register_knowledge_bases(self) -> Iterable[Any]:
        return [self]

    @hookimpl
    def register_token_counters(self) -> Iterable[Any]:
        return [self]

    @hookimpl
    def register_continuity_rules(self) -> Iterable[Any]:
        return [self]


@pytest.fixture
def open_with(
    open_vault: Callable[..., Session], write_vault: Callable[[dict[str, str]], Path]
) -> Open:
    def open_with(plugin: object, **settings: Any) -> Session:
        plugins = load_plugins(Settings(**settings), {"stranger": plugin})
        return open_vault(write_vault(VAULT), plugins=plugins, **settings)

    return open_with


def told(session: Session) -> set[str]:
    return {one["message"] for one in session.call("sync", {}).model_dump()["diagnostics"]}


def marrows_mentions(session: Session) -> int:
    count: int = session.call("get_entity", {"entity": "Isolde Marrow"}).model_dump()["entity"][
        "mention_count"
    ]
    return count


def mention(start: Any, end: Any, *candidates: Any) -> Mention:
    return Mention(start, end, "Isolde", candidates)


def relation(source: Any, kind: str = "dead", start: int = 0, end: int = 6) -> InferredRelation:
    return InferredRelation(source, kind, None, start, end, 0.9)


@pytest.mark.parametrize(
    ("hook", "make", "fault"),
    [
        (
            "propose_entities",
            lambda _: ProposedName(3, None, 3, 1, 0.9),  # type: ignore[arg-type]
            "TypeError: ProposedName.name must be str, not 3",
        ),
        (
            "propose_entities",
            lambda _: ProposedName("Gull", None, 3, 1, float("nan")),
            "ValueError: ProposedName.confidence must be finite, not nan",
        ),
        (
            "propose_entities",
            lambda _: ProposedName("Gull", None, 3, True, 0.9),
            "TypeError: ProposedName.needed must be int, not True",
        ),
        (
            "extract_topics",
            lambda _: Topic("\ud800", 1.0),
            r"ValueError: Topic.name is '\ud800', which has a lone surrogate",
        ),
        (
            "derive_names",
            lambda _: DerivedName("Izzy", "much"),  # type: ignore[arg-type]
            "TypeError: DerivedName.weight must be float or int, not 'much'",
        ),
        (
            "detect_entities",
            lambda one: mention("0", 6, Candidate(one, 1.0, "")),
            "TypeError: Mention.start must be int, not '0'",
        ),
        (
            "detect_entities",
            lambda one: mention(0, 6, 7),
            "TypeError: an item of Mention.candidates must be Candidate, not 7",
        ),
        (
            "detect_entities",
            lambda one: mention(-9, -3, Candidate(one, 1.0, "")),
            "ValueError: -9--3 is not a span of the note",
        ),
        (
            "detect_entities",
            lambda one: mention(6, 600, Candidate(one, 1.0, "")),
            "ValueError: 6-600 is not a span of the note",
        ),
        (
            "detect_entities",
            lambda one: mention(0, 6, Candidate("Isolde", 1.0, "")),
            "ValueError: 'Isolde' is not an entity of the lexicon",
        ),
        (
            "link_mention",
            lambda one: Score(one.entity, 0.1, None),  # type: ignore[arg-type]
            "TypeError: Score.reason must be str, not None",
        ),
        (
            "infer_relations",
            lambda one: relation(one.entity),
            "TypeError: InferredRelation.source must be DecidedMention",
        ),
        (
            "infer_relations",
            lambda one: relation(replace(one, end=5)),
            "is none of the mentions",
        ),
        (
            "infer_relations",
            lambda one: relation(one, start=6, end=0),
            "ValueError: 6-0 is not a span of the note",
        ),
        ("infer_relations", lambda one: relation(one, kind=" "), "has no kind"),
        (
            "propose_entities",
            lambda _: ProposedName("Isolde", None, 2**31, 1, 0.9),
            "ValueError: ProposedName.count must be a number of 32 bits, not 2147483648",
        ),
        (
            "extract_topics",
            lambda _: Topic("tides", 1.5),
            "ValueError: Topic.confidence must be in 0-1, not 1.5",
        ),
        (
            "derive_names",
            lambda _: DerivedName("Izzy", -1),
            "ValueError: DerivedName.weight must be in 0-1, not -1",
        ),
    ],
)
def test_a_field_that_holds_the_wrong_thing_costs_its_plugins_answer(
    open_with: Open, hook: str, make: Callable[[Any], object], fault: str
) -> None:
    session = open_with(Verbs(hook, make))
    messages = told(session)
    assert messages
    for message in messages:
        assert message.startswith(f"Plugin 'stranger', {hook}: ")
        assert fault in message
    assert marrows_mentions(session) == 2


def test_numbers_and_texts_of_a_kind_are_what_they_are_a_kind_of(open_with: Open) -> None:
    class Ship(str):
        """A text like any other."""

    proposed = ProposedName(Ship("Gull"), None, 3, 1, 1)
    session = open_with(Verbs("propose_entities", lambda _: proposed))
    assert told(session) == set()


@pytest.mark.parametrize(
    ("chunks", "fault"),
    [
        (None, "TypeError: 'NoneType' object is not iterable"),
        (["Isolde"], "TypeError: expected 'ChunkSpan', got 'str'"),
        ([ChunkSpan(0, 900, 3)], "ValueError: 0-900 is not a span of the note"),
        ([ChunkSpan(0, 3, 1)], "is in no chunk"),
        ([ChunkSpan(0, 3, 10**12)], "ValueError: ChunkSpan.tokens must be a number of 32 bits"),
    ],
)
def test_a_chunker_that_breaks_its_contract_over_a_note_is_told(
    open_with: Open, chunks: object, fault: str
) -> None:
    session = open_with(Things(chunks), chunker="careless")
    messages = told(session)
    assert any(fault in message for message in messages)
    assert all(message.startswith("Plugin 'careless', chunk: ") for message in messages)


@pytest.mark.parametrize(
    ("counts", "fault"),
    [
        (None, "TypeError: 'NoneType' object is not iterable"),
        ([1, 1], "ValueError: 2 counts for 1 texts"),
        (["1"], "TypeError: 'str' object cannot be interpreted as an integer"),
        ([1.5], "TypeError: 'float' object cannot be interpreted as an integer"),
        ([-1], "ValueError: -1 is no number of tokens"),
        ([10**12], "ValueError: 1000000000000 is no number of tokens"),
    ],
)
def test_a_token_counter_that_breaks_its_contract_is_named_itself(
    open_with: Open, counts: object, fault: str
) -> None:
    session = open_with(Things(counts))
    assert told(session) == set()
    asked = {"entities": ["Isolde Marrow"], "token_counter": "careless"}
    with pytest.raises(PluginError) as error:
        session.call("build_context", asked)
    assert str(error.value) == f"The token counter 'careless' failed: {fault}."


def test_notes_whose_tokens_cannot_be_counted_are_told_with_the_counter(open_with: Open) -> None:
    session = open_with(Things(None), token_counter="careless")
    fault = "TypeError: 'NoneType' object is not iterable"
    assert told(session) == {f"Plugin 'careless', count: {fault}"}


@pytest.mark.parametrize(
    ("finding", "fault"),
    [
        ("It rains.", "TypeError: expected 'Finding', got 'str'"),
        (
            Finding("rain", "It rains.", PROOF, severity="fatal"),  # type: ignore[arg-type]
            "ValueError: Finding.severity must be 'error' or 'warning' or 'hint', not 'fatal'",
        ),
        (
            Finding("rain", "It rains.", PROOF, confidence=7),
            "ValueError: Finding.confidence must be in 0-1, not 7",
        ),
        (Finding("rain", "It rains.", ()), "ValueError: the finding 'It rains.' has no evidence"),
        (
            Finding("rain", "It rains.", (Evidence("Chapter 9.md", 0, 9, "It rained."),)),
            "ValueError: the finding 'It rains.' quotes 'Chapter 9.md', which is no note of the "
            "story",
        ),
    ],
)
def test_a_continuity_rule_that_finds_nonsense_is_named_and_the_others_run(
    open_with: Open, finding: object, fault: str
) -> None:
    session = open_with(Things([finding]))
    session.call("sync", {})
    answer = session.call("check_continuity", {}).model_dump()
    assert answer["failures"] == [f"careless failed: {fault}"]
    assert "two-places" in answer["rules"]


def test_a_rule_for_set_ups_that_finds_nonsense_costs_a_brief_nothing_but_these(
    open_with: Open,
) -> None:
    stray = Finding("gun", "A gun hangs there.", (Evidence("Plan.md", 0, 5, "A gun"),))
    rule = Things([stray], "unresolved-set-up")
    session = open_with(rule, disabled_plugins=("continuity",))
    session.call("sync", {})
    brief = session.call("brief_scene", {"scene": "Chapter 2"}).model_dump()
    assert brief["remark"] == (
        "The rule for set-ups failed: ValueError: the finding 'A gun hangs there.' quotes "
        "'Plan.md', which is no note of the story"
    )
    assert brief["threads"] == []


def test_a_findings_message_is_one_line_of_the_report(open_with: Open) -> None:
    session = open_with(Things([Finding("rain", "It rains,\n\nand rains.", PROOF)]))
    session.call("sync", {})
    report = session.call("check_continuity", {"rules": ["careless"]}).as_text()
    assert "\n\n**It rains, and rains.** (careless: " in report


@pytest.mark.parametrize(
    ("claim", "fault"),
    [
        ("7", "TypeError: expected 'OrderClaim', got 'str'"),
        (
            OrderClaim("acts", ("7",)),  # type: ignore[arg-type]
            "TypeError: an item of OrderClaim.key must be int, not '7'",
        ),
    ],
)
def test_a_reading_order_that_claims_nonsense_is_told_and_the_next_is_asked(
    open_with: Open, claim: object, fault: str
) -> None:
    session = open_with(Things(claim), reading_orders=("careless", "numbered"))
    assert told(session) == {f"Plugin 'careless', claim: {fault}"}
    assert session.list_chapters() == ["Chapter 1", "Chapter 2"]


@pytest.mark.parametrize(
    ("known", "fault"),
    [
        (None, "TypeError: 'NoneType' object is not iterable"),
        (
            [KnownEntity("rig:brig", "brig", "rig", forms="brig")],  # type: ignore[arg-type]
            "TypeError: KnownEntity.forms must be tuple, not 'brig'",
        ),
        (
            [KnownEntity("rig:brig", "brig", "rig"), KnownEntity("rig:brig", "sloop", "rig")],
            "ValueError: 'brig' and 'sloop' share the id 'rig:brig'",
        ),
    ],
)
@pytest.mark.parametrize("capability", ["sync", "extract_entities"])
def test_a_knowledge_base_that_cannot_be_read_is_an_error_that_names_it(
    open_with: Open, known: object, fault: str, capability: str
) -> None:
    session = open_with(Things(known), knowledge_bases=("careless",))
    arguments = {"text": "Isolde left."} if capability == "extract_entities" else {}
    with pytest.raises(PluginError) as error:
        session.call(capability, arguments)
    assert str(error.value) == (
        f"The knowledge base 'careless' of plugin 'stranger' cannot be read: {fault}. "
        "Until it can, disable the plugin (setting disabled_plugins)."
    )


def test_what_a_knowledge_base_knows_is_found_by_its_name_too(open_with: Open) -> None:
    """The name matches as written, as it may be a word; a form matches in any case."""
    known = [
        KnownEntity("rig:brig", "Home", "rig", ("Came",)),
        KnownEntity("rig:cat", "Left", "rig"),
    ]
    session = open_with(Things(known), knowledge_bases=("careless",))
    session.call("sync", {})
    found = session.call("get_entity", {"entity": "Home"}).model_dump()["entity"]
    assert (found["name"], found["mention_count"]) == ("Home", 1)
    asked = {"text": "home, and left, and came, and Left"}
    mentions = session.call("extract_entities", asked).model_dump()["entities"]
    assert [one["surface_form"] for one in mentions] == ["came", "Left"]


def test_a_fault_is_told_in_one_line(open_with: Open) -> None:
    def complain(_: object) -> object:
        raise ValueError("no topic\n  in this\nnote")

    session = open_with(Verbs("extract_topics", complain))
    assert told(session) == {"Plugin 'stranger', extract_topics: ValueError: no topic in this note"}


def test_a_plugin_is_listed_with_its_named_things_and_its_verbs(open_with: Open) -> None:
    class Both(Verbs):
        @hookimpl
        def register_chunkers(self) -> Iterable[Any]:
            return [Things(())]

    session = open_with(Both("none", str))
    text = session.call("list_plugins", {}).as_text()
    hooks = "derive_names; detect_entities; extract_topics; infer_relations; link_mention"
    assert f"| given | chunkers: careless; {hooks}; propose_entities |" in text


# -- Plugins that would end the program ------------------------------------------------------------


def leave(*given: object) -> object:
    raise SystemExit("no licence")


class Leaving(Things):
    """Ends the program wherever it is asked for something."""

    def __init__(self) -> None:
        super().__init__(None)

    def give(self) -> Any:
        return leave()

    @hookimpl
    def note_synced(self) -> None:
        leave()


LEFT = "SystemExit: no licence"


@pytest.mark.parametrize(
    "hook", ["propose_entities", "extract_topics", "derive_names", "detect_entities"]
)
def test_a_hook_that_would_end_the_program_has_failed(open_with: Open, hook: str) -> None:
    session = open_with(Verbs(hook, leave))
    assert told(session) == {f"Plugin 'stranger', {hook}: {LEFT}"}


@pytest.mark.parametrize(
    ("settings", "where"),
    [
        ({}, "Plugin 'stranger', note_synced"),
        ({"chunker": "careless"}, "Plugin 'careless', chunk"),
        ({"token_counter": "careless"}, "Plugin 'careless', count"),
        ({"reading_orders": ("careless",)}, "Plugin 'careless', claim"),
    ],
)
def test_a_thing_that_would_end_the_program_has_failed(
    open_with: Open, settings: dict[str, Any], where: str
) -> None:
    assert f"{where}: {LEFT}" in told(open_with(Leaving(), **settings))


def test_a_rule_that_would_end_the_program_has_failed(open_with: Open) -> None:
    session = open_with(Leaving())
    session.call("sync", {})
    answer = session.call("check_continuity", {"rules": ["careless"]}).model_dump()
    assert answer["failures"] == [f"careless failed: {LEFT}"]


def test_a_knowledge_base_that_would_end_the_program_cannot_be_read(open_with: Open) -> None:
    with pytest.raises(PluginError, match=f"cannot be read: {LEFT}"):
        told(open_with(Leaving(), knowledge_bases=("careless",)))
