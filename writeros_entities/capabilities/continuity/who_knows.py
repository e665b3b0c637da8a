"""Tell who knows what: since when, by whom, and what nobody but the reader knows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar

from pydantic import Field

from writeros_entities.capabilities.answers import (
    Answer,
    EntityRef,
    How,
    Level,
    Proof,
    counted,
    omitted,
)
from writeros_entities.capabilities.parts import EntityName, plain_text
from writeros_entities.capability import (
    BY_PLACE,
    AsOf,
    Limit,
    Offset,
    Request,
    Response,
    capability,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from writeros_entities.capabilities.continuity.showings import Knowing, Sign
    from writeros_entities.view import View

MOST_SHOWN = 3
"""How many places are shown of a matter, and of what somebody knows."""

MOST_UNAWARE = 10
"""How many of those who give no sign are named."""


class WhoKnows(Request["Knowledge"]):
    """What may be known, and by whom."""

    about: Annotated[
        str,
        Field(
            min_length=1,
            max_length=300,
            description="An entity, several with commas between them, or words: what happened, or "
            "who somebody is.",
        ),
        BY_PLACE,
    ]
    person: Annotated[EntityName | None, Field(description="Only whether this one knows.")] = None
    as_of: AsOf = None
    limit: Limit = 20
    offset: Offset = 0


class KnowledgeSign(Answer):
    """What tells that somebody knows: how, from whom, and where."""

    level: Level
    how: How = Field(description="noted: the writer says so (known_by).")
    by: EntityRef | None = Field(description="Who says it.")
    since: int | None = Field(description="Reading position; null if known from the start.")
    proof: Proof

    def as_text(self) -> str:
        """Return the sign and its quote as a list item."""
        by = f" {'by' if self.how == 'is told' else 'from'} {self.by.name}" if self.by else ""
        said = "the notes say so" if self.how == "noted" else f"{self.how}{by}"
        return f"  - {said}: {self.proof.path}:{self.proof.line} — {_quoted(self.proof)}"


class Knower(Answer):
    """What somebody knows of the matter."""

    person: EntityRef
    level: Level
    since: int | None = Field(description="Reading position of the first sign of that level.")
    is_unexplained: bool = Field(
        description="Speaks of it before anything tells how that came to be known."
    )
    signs: list[KnowledgeSign]

    def as_text(self) -> str:
        """Return the person with the signs."""
        since = "" if self.since is None else f" since {self.since}"
        doubt = " (nothing before tells how)" if self.is_unexplained else ""
        head = f"- **{self.person.name}** {self.level}{since}{doubt}"
        return "\n".join([head, *(one.as_text() for one in self.signs)])


class Knowledge(Response):
    """Who knows a matter, the surest first, and what it was taken to be."""

    limited: ClassVar[str | None] = "people"

    entities: list[EntityRef] = Field(description="Whom the question names.")
    places: list[Proof] = Field(description="Where the matter is told best.")
    reader: Proof | None = Field(description="Where a reader first meets it.")
    people: list[Knower]
    total: int
    unaware: list[EntityRef] = Field(
        description="Who is named in the same scenes and gives no sign (the first ten by name)."
    )
    unaware_count: int
    chapters: int = Field(description="How many chapters have to do with it.")
    chapters_read: int

    def as_text(self) -> str:
        """Return what is known by whom, with quotes."""
        if not self.places:
            return "Nothing that may be seen tells of this. Try its own words, or names."
        parts = ["I take this to be:\n\n" + "\n".join(map(_place, self.places))]
        if self.reader is not None:
            parts.append(f"The reader meets it at {self.reader.position} ({self.reader.path}).")
        parts.append("\n".join(one.as_text() for one in self.people) or "Nobody knows of it.")
        if self.unaware:
            names = ", ".join(one.name for one in self.unaware)
            more = self.unaware_count - len(self.unaware)
            parts.append(f"No sign: {names}{f' and {more:,} more' if more else ''}.")
        if self.chapters_read < self.chapters:
            read = counted(self.chapters_read, "chapter")
            parts.append(f"Read for this: {read} of {self.chapters:,} that have to do with it.")
        return "\n\n".join(parts) + omitted(len(self.people), self.total, "person")


def _place(proof: Proof) -> str:
    return f"- {proof.path}:{proof.line} — {_quoted(proof)}"


def _quoted(proof: Proof) -> str:
    return f"“{' '.join(plain_text(proof.quote).split())}”"


@capability(family="continuity", offered=False)
def who_knows(view: View, request: WhoKnows) -> Knowledge:
    """Tell who knows something: who was there, who was told, by whom, and since which chapter.

    Somebody knows what she says, what is said to her, and what happens where she is; she may know
    what is said in the room. The notes' own `known_by` counts too. It is read from the words of the
    manuscript: a matter that is told in other words than those asked for is not found.
    """
    from writeros_entities.capabilities.continuity.matters import Reading, read_question
    from writeros_entities.capabilities.continuity.showings import gather
    from writeros_entities.capabilities.parts import entity_refs
    from writeros_entities.story.finding import find_entity

    name = request.person
    asked = None if name is None else find_entity(view, name)
    question = read_question(view, request.about)
    read = Reading(view, question, None if asked is None else asked.id)
    found = gather(read.signs, MOST_SHOWN)
    known = [one for one in found if asked is None or one.person == asked.key]
    page = known[request.offset : request.offset + request.limit]
    aware = {one.person for one in found} | read.herself
    unaware = {*read.present} if asked is None else {asked.key}
    keys = {one.key for one in question.entities} | (unaware - aware)
    for one in page:
        keys |= {one.person, *(sign.by for sign in one.signs if sign.by)}
    refs = entity_refs(view, read.ids_of(keys))
    by_key = {ref.id: ref for ref in refs.values()}
    named = sorted((by_key[one] for one in unaware - aware), key=lambda one: (one.name, one.id))
    return Knowledge(
        entities=[by_key[one.key] for one in question.entities],
        places=[Proof.of(one) for one in read.best(MOST_SHOWN)],
        reader=None if read.first is None else Proof.of(read.first),
        people=[_knower(one, by_key) for one in page],
        total=len(known),
        unaware=named[:MOST_UNAWARE],
        unaware_count=len(named),
        chapters=read.chapters,
        chapters_read=read.chapters_read,
    )


def _knower(one: Knowing, refs: Mapping[str, EntityRef]) -> Knower:
    return Knower(
        person=refs[one.person],
        level=one.level,
        since=next(sign.since for sign in one.signs if sign.level == one.level),
        is_unexplained=one.is_unexplained,
        signs=[_sign(each, refs) for each in one.signs],
    )


def _sign(sign: Sign, refs: Mapping[str, EntityRef]) -> KnowledgeSign:
    return KnowledgeSign(
        level=sign.level,
        how=sign.how,
        by=None if sign.by is None else refs[sign.by],
        since=sign.since,
        proof=Proof.of(sign.evidence),
    )
