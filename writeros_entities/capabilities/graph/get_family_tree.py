"""Show a family: who is what to somebody, by what the vault tells and by what follows from that."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field

from writeros_entities.capabilities.answers import (
    Answer,
    EntityRef,
    Proof,
    empty_page,
    omitted,
    part_of,
)
from writeros_entities.capabilities.parts import EntityName, entity_refs
from writeros_entities.capability import AsOf, Limit, Offset, Request, Response, capability
from writeros_entities.errors import NotFoundError

if TYPE_CHECKING:
    from writeros_entities.capabilities.relations.kin import KinNames, ToldFamily
    from writeros_entities.graph.drawing import Drawing
    from writeros_entities.graph.kinship import Kin, Tie
    from writeros_entities.view import View


class GetFamilyTree(Request["FamilyTree"]):
    """Whose family, how much of it, and in which form."""

    entity: EntityName
    generations: Annotated[
        int, Field(ge=1, le=7, description="Generations up to common ancestors, and down.")
    ] = 3
    language: Annotated[
        str, Field(max_length=20, description="Language of the words for kin: en, de, fr.")
    ] = "en"
    format: Annotated[
        Literal["text", "mermaid", "canvas", "html"], Field(description="A list, or a drawing.")
    ] = "text"
    as_of: AsOf = None
    limit: Limit = 100
    offset: Offset = 0


class Relative(Answer):
    """Somebody of the family: what she is to the one asked for, and what that follows from."""

    entity: EntityRef
    kin: str = Field(description="What she or he is: mother, first cousin once removed.")
    code: str = Field(description="The same for programs: parent, cousin.")
    up: int = Field(description="Generations up to the common ancestor.")
    down: int = Field(description="Generations down from there.")
    is_stated: bool = Field(description="Whether the vault says just this.")
    statements: list[Proof] = Field(description="What the vault says that it follows from.")

    def told(self) -> str:
        """Return who is what, and the places that say so."""
        said = "; ".join(f"{one.path}:{one.line} — {one.words()}" for one in self.statements)
        follows = "" if self.is_stated else "follows from "
        return f"- {self.entity.name}: {self.kin}" + (f" ({follows}{said})" if said else "")


class FamilyTree(Response):
    """The relatives of somebody, the eldest generation first, or a drawing of them."""

    limited: ClassVar[str | None] = "relatives"

    entity: EntityRef
    relatives: list[Relative] = Field(description="Empty with a drawing.")
    total: int
    content: str | None = Field(description="The drawing, in the format asked for.")

    def as_text(self) -> str:
        """Return the relatives as a list, or the drawing."""
        if self.content is not None:
            return self.content
        if not self.relatives:
            nobody = f"Nothing is told of the family of {self.entity.name}."
            return empty_page(self.total, "relative", nobody)
        shown = part_of(len(self.relatives), self.total, "relative")
        lines = [f"{self.entity.name} ({self.entity.type}): {shown}", ""]
        lines += [one.told() for one in self.relatives]
        return "\n".join(lines) + omitted(len(self.relatives), self.total, "relative")


@capability(family="graph", offered=False)
def get_family_tree(view: View, request: GetFamilyTree) -> FamilyTree:
    """Show somebody's family: parents, siblings, cousins, in-laws, as told and as follows from it.

    What is derived (a grandmother, a half-brother, a second cousin) comes with the statements that
    it follows from; as of a chapter, only with what is told by then. Also as a drawing: Mermaid, a
    canvas or a web page.
    """
    from writeros_entities.capabilities.relations.kin import KinNames, read_family
    from writeros_entities.story.finding import find_entity

    known = view.plugins.languages
    told_in = [code for code, one in known.items() if one.words.kin_names]
    if request.language not in told_in:
        raise NotFoundError("language with words for kin", request.language, sorted(told_in))
    entity = find_entity(view, request.entity)
    told = read_family(view, [entity.id], 2 * request.generations + 2)
    near = {
        other: kin[0]
        for other, kin in told.family.kin_of(entity.id).items()
        if max(kin[0].up, kin[0].down) <= request.generations
    }
    refs = entity_refs(view, [entity.id, *near])
    order = sorted(near.keys() & refs.keys(), key=lambda one: _place(near[one], refs[one]))
    page: Sequence[int] = ()
    content = None
    if request.format == "text":
        page = order[request.offset : request.offset + request.limit]
    else:
        content = _drawn(view, told, entity.id, near, refs, request.format)
    names = KinNames(view.plugins, request.language)
    relatives = _relatives(view, told, near, page, refs, names)
    return FamilyTree(
        entity=refs[entity.id], relatives=relatives, total=len(order), content=content
    )


def _place(kin: Kin[int], ref: EntityRef) -> tuple[int, bool, int, str, str]:
    """Return what sorts relatives: by generation, blood first, the nearest first, by name."""
    return (kin.down - kin.up, kin.is_by_marriage, len(kin.letters), ref.name, ref.id)


def _relatives(
    view: View,
    told: ToldFamily,
    near: Mapping[int, Kin[int]],
    page: Sequence[int],
    refs: Mapping[int, EntityRef],
    names: KinNames,
) -> list[Relative]:
    from writeros_entities.capabilities.relations.parts import proofs_of

    statements = {tie.statement for other in page for tie in near[other].ties}
    proofs = proofs_of(view, statements, 1)
    return [
        Relative(
            entity=refs[other],
            kin=names.word(near[other], told.genders.get(other)),
            code=near[other].code,
            up=near[other].up,
            down=near[other].down,
            is_stated=near[other].is_stated,
            statements=[
                proof for tie in near[other].ties for proof in proofs.get(tie.statement, [])
            ],
        )
        for other in page
    ]


def _drawn(
    view: View,
    told: ToldFamily,
    center: int,
    near: Mapping[int, Kin[int]],
    refs: Mapping[int, EntityRef],
    form: Literal["mermaid", "canvas", "html"],
) -> str:
    """Return a drawing of the family, one generation below the other."""
    from writeros_entities.graph.drawing import as_canvas, as_mermaid
    from writeros_entities.graph.page import as_page

    forms = {"mermaid": as_mermaid, "canvas": as_canvas, "html": as_page}
    rows = {center: 0} | {one: near[one].down - near[one].up for one in near if one in refs}
    return forms[form](_drawing(view, told.family.ties, rows, refs, refs[center].name))


def _drawing(
    view: View,
    ties: Sequence[Tie[int]],
    generations: Mapping[int, int],
    refs: Mapping[int, EntityRef],
    name: str,
) -> Drawing:
    from writeros_entities.capabilities.graph.drawings import paths_of
    from writeros_entities.graph.drawing import Drawing, DrawnEdge, DrawnNode

    paths = paths_of(view, list(generations))
    rows: dict[int, list[int]] = defaultdict(list)
    for one in sorted(generations, key=lambda one: (refs[one].name, refs[one].id)):
        rows[generations[one]].append(one)
    nodes = [
        DrawnNode(
            id=refs[one].id,
            name=refs[one].name,
            type=refs[one].type,
            mentions=0,
            importance=0.5,
            x=3.2 * (at - (len(row) - 1) / 2),
            y=2.0 * generation,
            since=view.as_of,
            path=paths.get(one),
        )
        for generation, row in sorted(rows.items())
        for at, one in enumerate(row)
    ]
    kinds = {"parent": "parent_of", "sibling": "sibling_of", "spouse": "spouse_of"}
    edges = [
        DrawnEdge(
            source=refs[tie.one].id,
            target=refs[tie.other].id,
            kind=f"{tie.way}_{kinds[tie.kind]}" if tie.way else kinds[tie.kind],
            origin="asserted",
            strength=1.0,
            count=1,
            first=None,
            last=None,
            since=view.as_of,
        )
        for tie in ties
        if tie.one in generations and tie.other in generations
    ]
    return Drawing(f"The family of {name}", nodes, edges)
