"""Find entities by name or id, and suggest names that may have been meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Text, bindparam, cast, exists, literal, select

from writeros_entities.errors import AmbiguousNameError, NotFoundError
from writeros_entities.language.inflections import STOP_WORDS
from writeros_entities.names import (
    bare_name,
    fold_name,
    is_spaced_script,
    nearest_names,
    split_link,
)
from writeros_entities.store.lexicon import display_names
from writeros_entities.store.rows import Query
from writeros_entities.store.scope import Scope, prepared
from writeros_entities.story.listing import count_mentions
from writeros_entities.story.naming import read_as_name, rows_by_rule
from writeros_entities.vault.links import link_key, resolve_link
from writeros_entities.view import View

if TYPE_CHECKING:
    from writeros_entities.store.rows import Row

STRONG = 0.85
"""The weight from which a name is the entity's own, not just part of one."""

PART = "part"
"""The kind of a name that has the words asked for among its own."""

_SHORTEST = 4
"""The fewest letters that can be misspelt: two short words are alike by chance."""

_GIVEN = ("name", "alias", "surface_form")
"""The kinds of name that name an entity by themselves, other than parts and texts of links."""


def find_candidates(view: View, name: str) -> list[Row]:
    """Return the entities that a name or id can mean, likeliest first.

    Each row has the entity's columns and the `form`, `kind` and `weight` of the matching name. An
    id, or the full own name of a single entity, matches that entity only. A text that is nobody's
    name is matched as a mention: *Captain Okafor* finds Adaeze Okafor; then as a link or path of a
    note, and without what a text puts around a name: `[[Cast/Ann|her]]` and *the Ann* find Ann.
    """
    linked, _ = split_link(name)
    found = _named(view, name)
    bare = bare_name(linked)
    if not found and bare not in ("", name):
        found = _named(view, bare)
    return found or _of_linked_note(view, linked)


def find_matches(view: View, name: str) -> list[Row]:
    """Return the entities that a name or id can mean, or else those that have it in their name.

    If nothing is called *API*, it finds REST API and API Gateway: names with all its words, in this
    order, the most mentioned entity first. Their rows are of the kind `PART`.
    """
    found = find_candidates(view, name)
    part = None if found else find_containing(view, name)
    return part.rows if part is not None else found


class NearNames(NamedTuple):
    """Entities with a name, or words of a name, that is like one asked for; and how like (0-1)."""

    rows: list[Row]
    similarity: float


def find_similar(view: View, name: str, least: float) -> NearNames | None:
    """Return the entities that a misspelt name resembles most, at least so much (0-1).

    It is compared with whole names and with as many of their words: *Marow* is like Isolde Marrow.
    """
    from rapidfuzz import fuzz, process

    asked = fold_name(bare_name(name))
    if len(asked) < _SHORTEST:
        return None
    length = len(asked.split())
    parts = view.kept(("parts of names", length), lambda: _parts(view, length))
    near = process.extractOne(asked, parts, scorer=fuzz.ratio, score_cutoff=100 * least)
    if near is None:
        return None
    named = view.all(_with_name(view), key=near[0])
    similarity = round(near[1] / 100, 4)
    if named:
        rows = _by_mentions(view, list({row.id: row for row in named}.values()))
        return NearNames(rows, similarity)
    part = find_containing(view, near[0])
    return None if part is None else NearNames(part.rows, similarity)


def _parts(view: View, length: int) -> list[str]:
    """Return the known names, folded, and all runs of so many words in longer ones."""
    found = set()
    for form in map(fold_name, known_forms(view)):
        words = form.split()
        runs = (words[at : at + length] for at in range(len(words) - length + 1))
        found.add(form)
        found.update(" ".join(run) for run in runs if STOP_WORDS.isdisjoint(run))
    return sorted(part for part in found if len(part) >= _SHORTEST)


def find_containing(view: View, name: str) -> NearNames | None:
    """Return the entities that have a name's words in one of theirs, the most mentioned first.

    The similarity is the greatest share of letters that the words have in one of these names.
    """
    key = fold_name(bare_name(split_link(name)[0]))
    if len(key) < 2 or key in STOP_WORDS:
        return None
    entity, alias, note = view.entity, view.alias, view.note
    statement = (
        select(entity, alias.c.form, alias.c.form_key, literal(PART).label("kind"))
        .add_columns(alias.c.weight, note.c.path)
        .join(alias, alias.c.entity_id == entity.c.id)
        .outerjoin(note, note.c.id == entity.c.note_id)
        .where(alias.c.form_key.contains(key, autoescape=True), alias.c.kind.in_(_GIVEN))
        .order_by(alias.c.weight.desc(), alias.c.form)
    )
    edge = r"\b" if is_spaced_script(key) else ""
    words = re.compile(f"{edge}{re.escape(key)}{edge}")
    found: dict[int, Row] = {}
    for row in view.all(statement):
        if words.search(row.form_key):
            found.setdefault(row.id, row)
    counts = count_mentions(view, list(found))
    told = [row for row in found.values() if row.status == "noted" or row.id in counts]
    names = display_names(view, [row.id for row in told])

    def place(row: Row) -> tuple[int, str, str, str]:
        mentions = counts[row.id].mentions if row.id in counts else 0
        return -mentions, names.get(row.id, ""), row.path or "", row.key

    if not told:
        return None
    share = max(len(key) / len(row.form_key) for row in told)
    return NearNames(sorted(told, key=place), round(share, 4))


def _named(view: View, name: str) -> list[Row]:
    by_id = view.all(_with_key(view), name=name) or view.all(_with_canonical_id(view), name=name)
    if len(by_id) == 1:
        return list(by_id)
    key = fold_name(name)
    named = _with_form(view, key) or by_id or view.all(_with_own_name(view), key=key)
    if named:
        found = likeliest(named, lambda doubtful: count_mentions(view, doubtful))
        return found if len(found) < 2 else _by_mentions(view, found)
    read = read_as_name(view, name)
    return likeliest(read, lambda doubtful: count_mentions(view, doubtful))


def _of_linked_note(view: View, target: str) -> list[Row]:
    """Return the entities of the notes that a link in the vault's root folder could lead to."""
    rows = view.all(_with_note(view), key=link_key(target), target=target)
    led_to = resolve_link(target, "", [row.path for row in rows]).candidates if target else ()
    return [row for row in rows if row.path in led_to]


def _by_mentions(view: View, found: Sequence[Row]) -> list[Row]:
    """Sort entities by the weight of the name, then by the mentions and names that a view sees."""
    ids = [row.id for row in found]
    counts, names = count_mentions(view, ids), display_names(view, ids)

    def place(row: Row) -> tuple[float, int, str, str, str]:
        mentions = counts[row.id].mentions if row.id in counts else 0
        return -row.weight, -mentions, names.get(row.id, ""), row.path or "", row.key

    return sorted(found, key=place)


def likeliest(named: Iterable[Row], mentioned: Callable[[list[int]], Collection[int]]) -> list[Row]:
    """Return the entities among rows that match a name, in order, or the one that owns it.

    Rows have `id`, `status`, `kind` and `weight`. If the name is the full own name of exactly one
    of the entities, only that one is returned. `mentioned` returns which of the given entities have
    a mention.
    """
    found: dict[int, Row] = {}
    for row in named:
        found.setdefault(row.id, row)
    matches = _spoken_of(list(found.values()), mentioned)
    for group in (
        [row for row in matches if row.kind == "name"],
        [row for row in matches if row.weight >= STRONG],
    ):
        if len(group) == 1:
            return group
    return matches


def _spoken_of(matches: list[Row], mentioned: Callable[[list[int]], Collection[int]]) -> list[Row]:
    """Leave out entities without a note if all their mentions turned out to name another entity.

    For example, "the mask" is an entity of its own until the reader learns who wears it. If nothing
    else remains, entities that links name are kept.
    """
    doubtful = [row.id for row in matches if row.status in ("linked", "suggested")]
    if not doubtful:
        return matches
    spoken_of = mentioned(doubtful)
    return [row for row in matches if row.id not in doubtful or row.id in spoken_of] or [
        row for row in matches if row.status == "linked"
    ]


def _with_form(view: View, key: str) -> list[Row]:
    """Return the entities that have a name, by descending weight."""
    found = [*view.all(_with_name(view), key=key)]
    found += rows_by_rule(view, (key,), found)
    return sorted(found, key=lambda row: (-row.weight, row.form))


@prepared
def _with_key(scope: Scope) -> Query:
    entity = scope.entity
    return select(entity).where(entity.c.key == bindparam("name"))


@prepared
def _with_canonical_id(scope: Scope) -> Query:
    """Select the entities with a canonical id as if it was a name: several notes may have it."""
    entity, note = scope.entity, scope.note
    form = entity.c.canonical_id.label("form")
    as_name = literal("canonical_id").label("kind"), literal(1.0).label("weight")
    return (
        select(entity, form, *as_name, note.c.path)
        .outerjoin(note, note.c.id == entity.c.note_id)
        .where(entity.c.canonical_id == bindparam("name"))
    )


@prepared
def _with_name(scope: Scope) -> Query:
    entity, alias, note = scope.entity, scope.alias, scope.note
    return (
        select(entity, alias.c.form, alias.c.kind, alias.c.weight, note.c.path)
        .join(alias, alias.c.entity_id == entity.c.id)
        .outerjoin(note, note.c.id == entity.c.note_id)
        .where(alias.c.form_key == bindparam("key"))
        .order_by(alias.c.weight.desc(), alias.c.form)
    )


@prepared
def _with_own_name(scope: Scope) -> Query:
    """Select the entities that links call by their name although it is never looked for."""
    entity, mention, note = scope.entity, scope.mention, scope.note
    linked = exists().where(mention.c.entity_id == entity.c.id, mention.c.form == entity.c.name)
    as_name = literal("name").label("kind"), literal(1.0).label("weight")
    return (
        select(entity, entity.c.name.label("form"), *as_name, note.c.path)
        .outerjoin(note, note.c.id == entity.c.note_id)
        .where(entity.c.name_key == bindparam("key"), linked)
    )


@prepared
def _with_note(scope: Scope) -> Query:
    """Select the entities of the notes that links with a key may mean."""
    entity, note = scope.entity, scope.note
    form = cast(bindparam("target"), Text).label("form")
    as_path = literal("path").label("kind"), literal(1.0).label("weight")
    return (
        select(entity, form, *as_path, note.c.path)
        .join(note, note.c.id == entity.c.note_id)
        .where(note.c.link_key == bindparam("key"), note.c.kind == "note")
        .order_by(note.c.path)
    )


def find_entity(view: View, name: str) -> Any:
    """Return the one entity that a name or id means.

    A name that nobody has means the one entity that has it in its name. Raises NotFoundError with
    the nearest names, or AmbiguousNameError with the candidates.
    """
    candidates = find_matches(view, name)
    if not candidates:
        raise NotFoundError("entity", name, nearest_names(name, known_forms(view)))
    if len(candidates) > 1:
        raise shared_name(view, name, candidates)
    return candidates[0]


def shared_name(view: View, name: str, candidates: Sequence[Row]) -> AmbiguousNameError:
    """Return the error for a name that several entities share, which says how they differ."""
    names = display_names(view, [row.id for row in candidates])
    described = [f"{names.get(row.id, row.name)} ({row.type}, id {row.key})" for row in candidates]
    is_part = getattr(candidates[0], "kind", None) == PART
    return AmbiguousNameError(name, described, is_part=is_part)


def known_forms(view: View) -> list[str]:
    """Return every form that is given in the vault or used in a mention."""
    alias, entity, mention = view.alias, view.entity, view.mention
    given = (
        select(alias.c.form)
        .join(entity, entity.c.id == alias.c.entity_id)
        .where(alias.c.kind != "derived", entity.c.status != "suggested")
    )
    used = select(mention.c.form)
    return sorted({row.form for part in (given, used) for row in view.all(part.distinct())})
