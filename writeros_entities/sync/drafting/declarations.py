"""What type of entity a note declares itself to be, by frontmatter, tags or folder."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from writeros_entities.language.own_gender import infer_gender
from writeros_entities.names import fold_name
from writeros_entities.properties import (
    ALIAS_KEYS,
    CLASS_KEYS,
    TYPE_KEYS,
    append_value,
    gender_values,
    read_gender,
    read_wish,
)
from writeros_entities.sync.drafting.guessed_types import labelled_lines, tell_type
from writeros_entities.sync.drafting.sections import claim_at, claimed_sections, without_sections
from writeros_entities.sync.drafting.type_words import (
    CONCEPT,
    OF_A_WORK,
    PERSON,
    PLACE,
    fold_word,
    singulars_of,
)
from writeros_entities.vault.roles import Declared, tell_role
from writeros_entities.vault.titles import (
    FOLDER_NOTES,
    MOST_MORE,
    other_names,
    subject_name,
)

if TYPE_CHECKING:
    from writeros_entities.properties import ContextWish
    from writeros_entities.sync.drafting.type_words import TypeWords
    from writeros_entities.values import JSON, Gender, InlineField, Note
    from writeros_entities.vault.decisions import Decisions
    from writeros_entities.vault.roles import Role, RoleWords

ALSO_PLACES = frozenset({"church", "house", "institution"})
"""Words for a group of people that are also words for a building."""

UNKNOWN = "unknown"

_WORD_BREAKS = re.compile(r"[\s_-]+")
_CLEAN = re.compile(r"[^\w-]+")


@dataclass(frozen=True, slots=True)
class Declaration:
    """What a note is, and the type it declares for itself with its aliases, fields, and gender.

    `type` is a sort of entity, `kind` the writer's own word for it if that is another; `told` is
    the type of which the text tells, which is the note's if it lies among entities, or others know
    it. `name` is the title
    without what only marks it.
    `revealed` are (alias, claim) pairs of aliases in a section with its own `visible_from`: the
    entity is known by such an alias only from the position claimed.
    """

    role: Role
    type: str | None
    kind: str | None = None
    name: str = ""
    aliases: tuple[str, ...] = ()
    revealed: tuple[tuple[str, str], ...] = ()
    fields: Mapping[str, JSON] = field(default_factory=dict)
    is_entity: bool = True
    gender: Gender | None = None
    told: str | None = None
    wish: ContextWish | None = None


def declare_entity(
    note: Note,
    types: TypeWords,
    roles: RoleWords,
    folders: Mapping[str, str] | None = None,
    placed_by: str = "",
    *,
    decisions: Decisions,
) -> Declaration:
    """Read a note's role, and its type from its frontmatter, else its tags, else the nearest folder
    with a type.

    An unknown word for a type in the frontmatter is kept as its kind. `type` is None if nothing
    states one; the note may still become an entity by being linked to, unless `is_entity` is false
    (a chapter, an index). `placed_by` is the source of what the note says of its place in reading
    order. What the writer has decided overrides all of it.
    """
    decided, sort = decisions.role_of(note), decisions.sort_of_note(note)
    stated = _stated_type(note.frontmatter, types, roles)
    tagged = _type_by_tag(note, types)
    known = types.by_word(stated) if stated else tagged
    of_folder = _type_by_setting(note.path, folders or {}) or _type_by_folder(note, types)
    role = tell_role(
        note,
        Declared(
            stated or "",
            is_known=bool(stated and known and (of_folder or not placed_by)),
            is_tagged=tagged is not None,
            is_set=_type_by_setting(note.path, folders or {}) is not None,
            is_titled=types.by_folder(note.title) is not None,
            is_typed=types.holds_entities,
            placed_by=placed_by,
            decided=decided,
        ),
        roles,
    )
    is_list = not (stated or decided) and _is_list(note, types, tagged or of_folder)
    is_nothing = stated is not None and not known and roles.of_word(stated) is not None
    is_nothing &= decided is None
    if is_list or is_nothing or not role.may_be_entity:
        return Declaration(role, None, aliases=note.aliases, fields=_fields(note), is_entity=False)
    if stated and PLACE in (of_folder, tagged) and not ALSO_PLACES.isdisjoint(singulars_of(stated)):
        known = PLACE
    found = known or (stated and types.by_noun(stated)) or tagged
    told = None if found else tell_type(note, types)
    if of_folder == CONCEPT:  # what lies among lore may be anything
        found = found or told
    found = found or of_folder
    kind = _clean_type(stated) if stated else None
    if sort is not None:
        found, kind = sort.sort, sort.kind
    heading = own_heading(note)
    name = subject_name(
        note.title, note.frontmatter, heading, lambda word: bool(types.by_word(word))
    )
    aliases, revealed = _names(note, name, heading, types)
    gender = _gender(note, aliases) if found == PERSON else None
    return Declaration(
        role,
        found or (UNKNOWN if kind or decided == "entity" else None),
        kind if known != kind else None,
        name,
        aliases,
        revealed,
        _fields(note),
        gender=gender,
        told=None if found else told,
        wish=read_wish(note.frontmatter),
    )


def _gender(note: Note, aliases: Collection[str]) -> Gender | None:
    """Return the gender that a person's note states or, in its always-visible text, shows."""
    stated = gender_values(note.frontmatter)
    if stated:
        return next(filter(None, map(read_gender, stated)), None)
    return infer_gender(without_sections(note, claimed_sections(note)), (note.title, *aliases))


def _is_list(note: Note, types: TypeWords, around: str | None) -> bool:
    """Return whether a note lists entities, by its title: `Characters.md`, `Characters/_Cast.md`.

    So does one that stands for their folder (`Factions/index.md`). What a note in a folder or with
    a tag of another type is called says nothing (`Factions/Party.md`), unless it would be somebody
    (`Characters/Equipment.md`), and a note for concepts may itself be a concept: `Magic/Magic.md`.
    """
    listed = types.by_folder(note.title)
    is_nobody = listed is not None and types.is_personal(around)
    if is_nobody or (listed not in (None, CONCEPT) and around in (None, listed)):
        return True
    folder = note.folders[-1] if note.folders else ""
    is_of_folder = note.name.lower() in FOLDER_NOTES or note.name == folder
    return is_of_folder and types.by_folder(folder) not in (None, CONCEPT)


def _stated_type(frontmatter: Mapping[str, JSON], types: TypeWords, roles: RoleWords) -> str | None:
    folded = {_fold_key(key): value for key, value in frontmatter.items()}
    for key in (*TYPE_KEYS, *CLASS_KEYS):
        value = folded.get(key)
        if isinstance(value, list) and value:
            value = value[0]
        if isinstance(value, str) and value.strip(" []"):
            word = value.strip().removeprefix("[[").removesuffix("]]").partition("|")[0]
            if key not in CLASS_KEYS or types.by_word(word) or roles.of_word(word):
                return word
    return None


def _type_by_tag(note: Note, types: TypeWords) -> str | None:
    """Return the type of the first tag with one; words in `OF_A_WORK` only as a last resort."""
    doubtful = None
    for tag in note.tags:
        for part in tag.name.split("/"):
            found = types.by_word(part)
            if found is not None and OF_A_WORK.isdisjoint(singulars_of(part)):
                return found
            doubtful = doubtful or found
    return doubtful


def _type_by_setting(path: str, folders: Mapping[str, str]) -> str | None:
    matching = [folder for folder in folders if path.startswith(folder.rstrip("/") + "/")]
    return folders[max(matching, key=len)] if matching else None


def _type_by_folder(note: Note, types: TypeWords) -> str | None:
    for folder in reversed(note.folders):
        found = types.of_folder(folder)
        if found is not None:
            return found
    return None


def own_heading(note: Note) -> str:
    """Return the first heading of a note, if that is the only one of the first level, or ""."""
    tops = [heading for heading in note.headings if heading.level == 1]
    is_own = len(tops) == 1 and tops[0] is note.headings[0]
    return tops[0].text if is_own else ""


def _names(
    note: Note, name: str, heading: str, types: TypeWords
) -> tuple[tuple[str, ...], tuple[tuple[str, str], ...]]:
    """Return the aliases in frontmatter, fields and labels, and those that a claimed section
    reveals.

    A revealed alias is left out of the former even if it is in the frontmatter as well (for
    Obsidian).
    """
    named = [(inline, _names_in(inline, name)) for inline in note.fields]
    aliases = dict.fromkeys((*note.aliases, *types.own_names(name, note.frontmatter)))
    if len(heading.split()) <= len(name.split()) + MOST_MORE:
        aliases |= dict.fromkeys(other_names(name, {"title": heading}))
    for label, value in labelled_lines(note):
        said = {label: value} if label != "name" else {}
        aliases |= dict.fromkeys(types.own_names(name, said))
    open_to_all = without_sections(note, claimed_sections(note))
    aliases |= dict.fromkeys(types.called(open_to_all.prose, (name, note.title, *note.aliases)))
    aliases.pop(name, None)
    if name != note.title:
        aliases.setdefault(note.title)
    if not any(names for _, names in named):
        return tuple(aliases), ()
    sections = claimed_sections(note)
    revealed: dict[str, str] = {}
    for inline, names in named:
        claim = claim_at(sections, inline.start) if names else None
        for name in names:
            if claim is not None:
                revealed.setdefault(name, claim)
            else:
                aliases.setdefault(name)
    hidden = {fold_name(name) for name in revealed}
    return tuple(name for name in aliases if fold_name(name) not in hidden), tuple(revealed.items())


def _names_in(inline: InlineField, title: str) -> list[str]:
    """Return the names of a note's subject that a field gives: aliases, a nickname, a full name."""
    if inline.key.casefold() not in ALIAS_KEYS:
        return list(other_names(title, {inline.key: inline.value}))
    parts = (
        part.strip().removeprefix("[[").removesuffix("]]").strip("\"' ")
        for part in inline.value.split(",")
    )
    return [part for part in parts if part]


def _fields(note: Note) -> dict[str, JSON]:
    fields: dict[str, JSON] = {}
    for inline in note.fields:
        append_value(fields, inline.key, inline.value)
    return fields


@lru_cache(maxsize=1 << 10)
def _fold_key(key: str) -> str:
    return _WORD_BREAKS.sub("", key.casefold())


def _clean_type(word: str) -> str:
    return _CLEAN.sub("", fold_word(word))
