"""The brief of a scene as an answer, and its text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from writeros_entities.capabilities.answers import (
    Alternative,
    Answer,
    EntityRef,
    How,
    Level,
    Proof,
    Quote,
    or_others,
)
from writeros_entities.capabilities.entities.describe_voice import VoiceFigures
from writeros_entities.capabilities.entities.stated import StatedRelation
from writeros_entities.capabilities.time.get_entity_history import EntityChange
from writeros_entities.capability import Response
from writeros_entities.values import ThreadKind

SceneRole = Literal["viewpoint", "listed", "speaks", "named", "spoken of"]
BriefPart = Literal[
    "cast",
    "summary",
    "facts",
    "looks",
    "last_seen",
    "gains",
    "relations",
    "changes",
    "speaks",
    "pairs",
    "also",
    "threads",
    "noted",
    "voices",
]


class SceneNote(Answer):
    """The note of a scene."""

    path: str
    title: str
    position: int | None


class SceneFact(Answer):
    """Where or when a scene is set, by its properties or else by its words."""

    key: str | None = Field(description="The property that says so; null: the text does.")
    text: str
    entity: EntityRef | None = Field(description="The place, if the vault knows it.")
    quote: Quote | None


class SheetSummary(Answer):
    """The beginning of an entity's note."""

    path: str
    line: int
    text: str


class SheetFacts(Answer):
    """What the properties of an entity's note say, apart from links; the line is the first's."""

    path: str
    line: int
    text: str


class LastSeen(Answer):
    """The last chapter before a scene that mentions somebody, and its words."""

    title: str
    position: int
    places: list[str] = Field(description="Setting of the chapter, by its properties.")
    quote: Quote


class LastGain(Answer):
    """A thing that somebody gained, lost or gave away, and where that is told."""

    kind: str = Field(description="gains, loses or gives.")
    thing: EntityRef
    quote: Quote


class CastMember(Answer):
    """A member of a scene's cast, as of the scene."""

    entity: EntityRef
    roles: list[SceneRole] = Field(
        description="Viewpoint, listed in its properties, speaks, named by the narrator, or only "
        "spoken of; none in a scene that is not written."
    )
    mentions: int
    also_called: list[str] = Field(description="Its main aliases.")
    summary: SheetSummary | None
    facts: SheetFacts | None
    last_seen: LastSeen | None
    relations: list[StatedRelation] = Field(description="Current, with others than the cast.")
    changes: list[EntityChange] = Field(description="Latest first.")
    looks: SheetSummary | None = Field(
        default=None, description="What the sheet says below a heading such as Appearance."
    )
    age: str | None = Field(default=None, description="At the story date that was asked for.")
    gains: list[LastGain] = Field(
        default=[], description="Things gained or lost last; for a scene that is not written."
    )
    speaks: VoiceFigures | None = Field(
        default=None, description="In the chapters read for this, if that is often enough."
    )


class DerivedKin(Answer):
    """What kin the first of two is to the other by what is told of others."""

    text: str
    evidence: list[Proof] = Field(description="The statements that it follows from.")


class Acquaintance(Answer):
    """What tells that somebody knows of another, whom no passage names together with her."""

    person: EntityRef
    about: EntityRef
    level: Level
    how: How
    by: EntityRef | None = Field(description="Who says it.")
    proof: Proof


class CastPair(Answer):
    """What connects two of the cast: current relations, and the last passage that names both."""

    one: EntityRef
    other: EntityRef
    relations: list[StatedRelation] = Field(description="From the first one's side.")
    together: Quote | None
    kin: list[DerivedKin] = Field(
        default=[], description="From the first one's side; for a scene that is not written."
    )
    knows: list[Acquaintance] = Field(
        default=[], description="For a scene that is not written: if no passage names both."
    )
    is_apart: bool = Field(
        default=False, description="For a scene that is not written: no chapter names both."
    )


class AlsoTold(Answer):
    """Who or what is not in the scene, and whose note wishes to be told with it."""

    entity: EntityRef
    summary: SheetSummary


class OpenThread(Answer):
    """Something begun before a scene and not taken up again."""

    kind: Literal["unseen", "set-up"]
    text: str
    entity: EntityRef | None
    proof: Proof
    alternatives: list[Alternative] = Field(
        default=[], description="Others that the proof may name, nearly as surely."
    )


class NotedThread(Answer):
    """What you noted about a scene or its people as yet to do, to answer or to fill in."""

    kind: ThreadKind
    text: str
    entities: list[EntityRef] = Field(description="Those of the scene that it names.")
    path: str
    position: int | None
    line: int
    start: int
    end: int


class Voice(Answer):
    """A passage spoken by somebody; offsets span its sentences in the file."""

    speaker: EntityRef
    path: str
    position: int | None
    line: int
    start: int
    end: int
    text: str


class OmittedPart(Answer):
    """How many items of a part were left out, and why."""

    part: BriefPart
    number: int
    reason: str = Field(description="budget, or limit (a parameter).")


class SceneBrief(Response):
    """What to know before writing or judging a scene; nothing in it comes later.

    Its text is ready for a prompt, and is what `total_tokens` counts.
    """

    scene: SceneNote | None = Field(description="null: it is not written yet.")
    after: SceneNote | None = Field(
        default=None, description="The chapter behind which a scene comes that is not written."
    )
    as_of: int | None
    places: list[SceneFact]
    times: list[SceneFact]
    cast: list[CastMember]
    cast_total: int
    unmet: list[str] = Field(
        description="Names in its properties that the manuscript has not used by then."
    )
    pairs: list[CastPair]
    also: list[AlsoTold] = Field(
        default=[], description="Others whose notes wish it: `context: always`, or with the cast."
    )
    threads: list[OpenThread]
    noted: list[NotedThread] = Field(
        default=[], description="To-dos, questions and placeholders about the scene or its people."
    )
    voices: list[Voice]
    omitted: list[OmittedPart]
    total_tokens: int
    max_tokens: int
    budget_utilized: float = Field(description="total_tokens / max_tokens.")
    remark: str | None = Field(description="What was not checked, and why.")

    def as_text(self) -> str:
        """Return the brief as Markdown; empty if not even its head fits the budget."""
        return write_brief(self) if self.total_tokens else ""


def write_brief(brief: SceneBrief) -> str:
    """Return a brief as Markdown, regardless of its budget."""
    sections = [write_head(brief)]
    if brief.cast:
        sections += ["## Cast", *(_member(member) for member in brief.cast)]
    for title, lines in (
        ("## Between them", [write_pair(pair) for pair in brief.pairs]),
        ("## Also", [write_also(one) for one in brief.also]),
        ("## Open threads", [write_thread(thread) for thread in brief.threads]),
        ("## Noted for later", [write_noted(one) for one in brief.noted]),
        ("## Voices", [write_voice(voice) for voice in brief.voices]),
    ):
        if lines:
            sections += [title, "\n".join(lines)]
    return "\n\n".join(sections)


def write_head(brief: SceneBrief) -> str:
    """Return the head: the scene, and where and when it is set."""
    told = brief.scene or brief.after
    where = told.path if told else "Before the first chapter"
    if told is not None and told.position is not None:
        where += f", place {told.position} in reading order"
    if brief.scene is None:
        where = f"After {where}" if told else where
    lines = [f"# {brief.scene.title if brief.scene else 'A scene to write'}", "", f"{where}."]
    for title, facts in (("Place", brief.places), ("Time", brief.times)):
        if facts:
            lines[-1] += f" {title}: {'; '.join(_fact(fact) for fact in facts)}."
    if brief.unmet:
        lines[-1] += f" Also listed, and not met before: {', '.join(brief.unmet)}."
    return "\n".join(lines)


def _fact(fact: SceneFact) -> str:
    if fact.quote is not None:
        return f"{fact.text} ({fact.quote.path}:{fact.quote.line})"
    return fact.text


def _member(member: CastMember) -> str:
    return "\n".join([write_member(member), *(text for *_, text in write_details(member))])


def write_details(member: CastMember) -> Iterator[tuple[BriefPart, int, str]]:
    """Yield the lines below a member's first, each with its part and its place among its own."""
    if member.summary:
        yield "summary", 0, write_summary(member.summary)
    if member.facts:
        yield "facts", 0, write_summary(member.facts)
    if member.looks:
        yield "looks", 0, f"- Looks: {write_summary(member.looks)[2:]}"
    if member.last_seen:
        yield "last_seen", 0, write_last_seen(member.last_seen)
    for at, gain in enumerate(member.gains):
        yield "gains", at, write_gain(gain)
    for at, relation in enumerate(member.relations):
        yield "relations", at, write_relation(relation)
    for at, change in enumerate(member.changes):
        yield "changes", at, write_change(change)
    if member.speaks:
        yield "speaks", 0, f"- Speaks: {'; '.join(member.speaks.parts())}"


def write_member(member: CastMember) -> str:
    """Return the line that introduces a member of the cast."""
    called = f" Also called {', '.join(member.also_called)}." if member.also_called else ""
    known = [member.entity.type, *member.roles[:1], *([f"aged {member.age}"] if member.age else ())]
    return f"**{member.entity.name}** ({', '.join(known)}).{called}"


def write_summary(summary: SheetSummary | SheetFacts) -> str:
    """Return the line with the beginning of a sheet, or with its properties."""
    return f"- {' '.join(summary.text.split())} ({summary.path}:{summary.line})"


def write_last_seen(seen: LastSeen) -> str:
    """Return the line that says where somebody was last mentioned."""
    where = f", {', '.join(seen.places)}" if seen.places else ""
    quote = seen.quote
    said = _quoted(quote.text) + or_others(quote.alternatives, quote.surface)
    return f"- Last named in {seen.title}{where}: {said} ({quote.path}:{quote.line})"


def write_gain(gain: LastGain) -> str:
    """Return the line of a thing gained or lost."""
    quote = gain.quote
    said = _quoted(quote.text) + or_others(quote.alternatives, quote.surface)
    return f"- Last {gain.kind} {gain.thing.name}: {said} ({quote.path}:{quote.line})"


def write_relation(relation: StatedRelation) -> str:
    """Return the line of a relation."""
    since = "" if relation.first_position is None else f", since {relation.first_position}"
    return f"- {relation.as_line()}{since}"


def write_change(change: EntityChange) -> str:
    """Return the line of a change."""
    proof = change.evidence
    return f"- since {change.since}: {change.told()} ({proof.path}:{proof.line})"


def write_pair(pair: CastPair) -> str:
    """Return the line that says what connects two members."""
    told = []
    if pair.relations:
        stated = "; ".join(one.as_line() for one in pair.relations)
        told.append(f"{pair.one.name} {stated}")
    told += [
        f"{pair.one.name} is {pair.other.name}'s {one.text}, which follows from "
        + " and ".join(f"{proof.path}:{proof.line}" for proof in one.evidence)
        for one in pair.kin
    ]
    if pair.together:
        quote = pair.together
        told.append(f"Last named together {_quoted(quote.text)} ({quote.path}:{quote.line})")
    if pair.is_apart:
        told.append("No chapter names both")
    told += map(write_acquaintance, pair.knows)
    return f"- {pair.one.name} and {pair.other.name}: {'. '.join(told)}"


def write_acquaintance(one: Acquaintance) -> str:
    """Return what somebody knows of another, as a part of a line."""
    by = f" {'by' if one.how == 'is told' else 'from'} {one.by.name}" if one.by else ""
    said = "the notes say so" if one.how == "noted" else f"{one.how}{by}"
    proof = one.proof
    place = f"{_quoted(proof.words())} ({proof.path}:{proof.line})"
    return f"{one.person.name} {one.level} of {one.about.name} ({said}): {place}"


def write_also(one: AlsoTold) -> str:
    """Return the line of who or what is told with the scene."""
    return f"- {one.entity.name} ({one.entity.type}): {write_summary(one.summary)[2:]}"


def write_thread(thread: OpenThread) -> str:
    """Return the line of an open thread."""
    proof = thread.proof
    quote = f"{_quoted(proof.quote)}{or_others(thread.alternatives, proof.quote)}"
    return f"- {thread.text} {quote} ({proof.path}:{proof.line})"


def write_noted(noted: NotedThread) -> str:
    """Return the line of what is noted as yet to do."""
    return f"- {noted.kind}: {noted.text} ({noted.path}:{noted.line})"


def write_voice(voice: Voice) -> str:
    """Return the line of a spoken passage."""
    return f"- {voice.speaker.name}: {voice.text} ({voice.path}:{voice.line})"


def _quoted(text: str) -> str:
    return f"“{' '.join(text.split())}”"
