"""Tell what a note is: manuscript, plan, entity, reference, index or other.

    tell_role(note, declared, words)        Role("plan", "its title says so", 0.9)

What a writing tool or the properties say comes first, then the words of folders and title, in any
language at once, then what the text looks like. Only the manuscript has places in reading order, so
what is not certain is no manuscript.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, cast, get_args

from writeros_entities.vault.titles import FOLDER_NOTES

if TYPE_CHECKING:
    from writeros_entities.values import Note

RoleName = Literal["manuscript", "plan", "entity", "reference", "index", "other"]
ROLES: tuple[RoleName, ...] = get_args(RoleName)

DECIDED = "You decided so."
"""The reason of a role that the writer has decided; nothing overrides it."""

STATED, NAMED, LIKELY, GUESSED, UNKNOWN = 1.0, 0.9, 0.7, 0.5, 0.0
"""How sure a role is: the writer says it, a name says it, or it follows from several signs."""

OF_A_TOOL = {"longform": "index", "excalidrawplugin": "other"}
"""The roles of notes that a plugin keeps for itself, by the property that marks them."""

BOARD = "kanbanplugin"
"""The property of a board of cards."""

TIMELINES = ("```aat-", "```ob-timeline", "```timeline", "```chronos")
LISTING = ("```dataview", "```base", "```tasks", *TIMELINES)
"""The blocks of code that plugins show as a timeline, or as a list."""

WRITTEN_OUT = ("<!-- QueryToSerialize:", "<!-- SerializedQuery:")
"""What stands before a list that Dataview Serializer writes out."""

BY_PROPERTIES = ("frontmatter", "storyline")
"""The sources of places that stand in properties."""

FEWEST_LISTED = 3
"""Fewest links of a list that only its looks tell."""

_TOLD = {
    "log": "manuscript",
    "world": "entity",
    "template": "other",
    "former": "other",
    "source": "reference",
    "front": "index",
}
_FORMER = "former"
"""Words for what is no more, as is a chapter in "Old Drafts"; alone they say nothing."""

_BY_TAG = frozenset({"log", "index", "front", "template", "source"})
"""Roles that a tag can give. Other words for roles are also put on entities: `#book`, `#plot`."""

_APART = re.compile(r"[-–—:]\s")
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_SEVERAL = re.compile(r"[\s_-]+")
_ROMAN = re.compile(r"x{0,3}(?:ix|iv|v?i{0,3})")
_SET_OFF = re.compile(r"\s*[-–—:]")


class Role(NamedTuple):
    """What a note is, why, and how sure that is (0 to 1)."""

    name: RoleName
    reason: str
    confidence: float

    @property
    def may_be_entity(self) -> bool:
        """Whether the note may be about an entity, if a folder, a tag or a link says so."""
        return self.name == "entity" or self == NOTHING_SAID

    @property
    def is_decided(self) -> bool:
        """Whether the writer has decided it."""
        return self.reason == DECIDED

    @property
    def tells_nothing(self) -> bool:
        """Whether nothing in the note is about the story: rules, templates, drawings."""
        return self.name == "reference" or (self.name == "other" and self != NOTHING_SAID)


NOTHING_SAID = Role("other", "Nothing says what it is.", UNKNOWN)


class RoleWords:
    """The words by which names tell roles, of several languages at once; the first one wins.

    `numbers` are those that are written in words.
    """

    def __init__(
        self,
        roles: Iterable[Mapping[str, str]],
        numbered: Iterable[Mapping[str, str]],
        numbers: Iterable[Iterable[str]] = (),
    ) -> None:
        self._roles: dict[str, str] = {}
        self._former: set[str] = set()
        for table in roles:
            for word, role in table.items():
                phrase = " ".join(_tokens(word))
                if role == _FORMER:
                    self._former.add(phrase)
                else:
                    self._roles.setdefault(phrase, role)
        self._joined = {phrase.replace(" ", ""): role for phrase, role in self._roles.items()}
        self._numbered: dict[str, str] = {}
        for table in numbered:
            for word, what in table.items():
                self._numbered.setdefault(" ".join(_tokens(word)), what)
        self._numbers = frozenset().union(*numbers)

    def of_word(self, word: str) -> str | None:
        """Return the role of notes with this type or tag."""
        return self._joined.get("".join(_tokens(word)))

    def counts(self, word: str) -> str | None:
        """Return what a word before a number counts: parts, chapters or sessions."""
        return self._numbered.get(" ".join(_tokens(word)))

    def of_folder(self, name: str) -> str | None:
        """Return the role of the notes in a folder of this name.

        If the whole name is no word for one, its last word counts ("Main Story"), or its first
        ("Notes de session"). What only counts ("Book 1") says nothing by itself.
        """
        words = _without_numbers(_tokens(name))
        if not words:
            return None
        if found := self._roles.get(" ".join(words)) or self._of_parts(words):
            is_counted = self.is_numbered(name) in ("part", "chapter")
            return None if is_counted and found == "manuscript" else found
        last, first = self._roles.get(words[-1]), self._roles.get(words[0])
        for found in (last, first if first in ("plan", "reference", "log", "template") else None):
            if found not in (None, "nothing", "front"):
                return found
        return None

    def of_title(self, title: str) -> str | None:
        """Return the role that a title tells, if all of it does: "Book 1 Outline".

        So does what stands before a dash or a colon: "Plot Outline - The Keystone".
        """
        if apart := _APART.search(title):
            led = self.of_title(title[: apart.start()].rstrip())
            if led in ("plan", "reference"):
                return led
        words = _tokens(title)
        bare = _without_numbers(words)
        whole = self._roles.get(" ".join(words)) or self._roles.get(" ".join(bare))
        beforehand = len(words) > 1 and self._roles.get(" ".join(words[:2])) == "plan"
        if whole or not bare or beforehand:
            return whole or ("plan" if beforehand else None)
        return self._of_parts(bare)

    def ends_as(self, title: str) -> str | None:
        """Return the role that the last word of a title tells: "Wider Setting Ideas".

        It may stand before a dash or a colon: "Second Arc Outline - The Keystone".
        """
        apart = _APART.search(title)
        if apart and (led := self.ends_as(title[: apart.start()])) == "plan":
            return led
        words = _without_numbers(_tokens(title))
        return self._roles.get(words[-1]) if len(words) > 1 else None

    def is_numbered(self, name: str) -> str | None:
        """Return what a name counts, if it begins so: `chapter` for "Chapter 3 – Fog".

        "Prologue", "Interlude" and "Epilogue" count chapters. A word that only may count has a
        number before or behind it, or is set off from what follows: "Scene: the quay", but not
        "Scene and sequel". Sessions also have names alone.
        """
        folded = _folded(name)
        words = list(_TOKEN.finditer(folded))
        for at, word in enumerate(words[:3]):
            counted = self._numbered.get(word[0])
            if counted in ("first", "last", "between"):
                return "chapter"
            if counted and at + 1 < len(words):
                is_counted = at > 0 or counted == "session" or self._counts_up(words[at + 1][0])
                return counted if is_counted or _SET_OFF.match(folded, word.end()) else None
            if not _is_number(word[0]):
                break
        return None

    def _counts_up(self, word: str) -> bool:
        """Say whether a word is a number: in digits, Roman, or in words."""
        return _is_number(word) or word in self._numbers or bool(_ROMAN.fullmatch(word))

    def _of_parts(self, words: Sequence[str]) -> str | None:
        """Return the role that the parts of a name tell, if each is a word for a role or counts.

        Of several, the last one that is not the manuscript's counts: "Session 8 Prep". What was
        such a part before is none: "Old Drafts".
        """
        found: list[str] = []
        at = 0
        while at < len(words):
            for end in range(len(words), at, -1):
                phrase = " ".join(words[at:end])
                role = self._roles.get(phrase) or ("manuscript" if phrase in self._numbered else "")
                role = role or (_FORMER if phrase in self._former else "")
                if role:
                    found.append(role)
                    at = end
                    break
            else:
                return None
        if _FORMER in found:
            return None if {_FORMER, "nothing"}.issuperset(found) else _FORMER
        told = [role for role in found if role not in ("manuscript", "log", "nothing")]
        told = told or [role for role in found if role != "nothing"]
        return told[-1] if told else None


@dataclass(frozen=True)
class Declared:
    """What a note's properties, tags and folders say of it, as far as that is known elsewhere.

    `stated` is its type as written; it `is_known` if that is one of an entity and nothing says
    otherwise. It `is_tagged` if a tag is a type, and `is_set` if a setting gives its folder one.
    It `is_titled` if its title is that of a list of entities, and `is_typed` says whether a folder
    is one of entities. `placed_by` is the source of what the note says of its place in reading
    order, `decided` the role that the writer gave it.
    """

    stated: str
    is_known: bool
    is_tagged: bool
    is_set: bool
    is_titled: bool
    is_typed: Callable[[str], bool]
    placed_by: str = ""
    decided: RoleName | None = None


class Look:
    """What the text of a note looks like."""

    def __init__(self, note: Note) -> None:
        self._note = note

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """The words in each kind of block, and in links."""
        note = self._note
        found: dict[str, int] = {}
        for block in note.blocks:
            if block.kind != "frontmatter":
                words = len(_TOKEN.findall(note.prose, block.start, block.end))
                found[block.kind] = found.get(block.kind, 0) + words
        found["link"] = sum(
            len(_TOKEN.findall(note.prose, link.text_start, link.text_end)) for link in note.links
        )
        return found

    @property
    def told(self) -> int:
        """The number of words, headings aside."""
        return sum(self.counts.get(kind, 0) for kind in ("paragraph", "list", "quote", "callout"))

    @property
    def is_empty(self) -> bool:
        """Whether the note has no text but headings."""
        return self.told + self.counts.get("table", 0) == 0 and not self.has_query

    @property
    def has_query(self) -> bool:
        """Whether a plugin fills the note with a list."""
        return any(
            block.kind == "code" and self._note.text.startswith(LISTING, block.start)
            for block in self._note.blocks
        )

    @property
    def is_filled(self) -> bool:
        """Whether the note is nothing but a plugin's timeline, or a list that a plugin wrote out.

        Other queries also stand below a sheet of properties.
        """
        starts = (block.start for block in self._note.blocks if block.kind == "code")
        has_timeline = any(self._note.text.startswith(TIMELINES, start) for start in starts)
        body = self._note.text[self._note.body_start :].lstrip()
        return (has_timeline and self.told == 0) or body.startswith(WRITTEN_OUT)

    @property
    def is_list(self) -> bool:
        """Whether the note is made of links, or of a query, and little else."""
        own = self.told + self.counts.get("table", 0)
        return self.is_filled or self.counts["link"] * 2 > own or (self.has_query and own < 40)

    @property
    def is_prose(self) -> bool:
        """Whether the note tells: most of it stands in paragraphs."""
        counts = self.counts
        laid_out = counts.get("list", 0) + counts.get("table", 0)
        told = counts.get("paragraph", 0) + counts.get("quote", 0)
        return told > 0 and told >= 2 * laid_out


def tell_role(note: Note, declared: Declared, words: RoleWords) -> Role:
    """Return what a note is, by itself. What an index note says of it is decided with all notes."""
    folders = [(folder, words.of_folder(folder)) for folder in note.folders]
    return (
        _decided(declared)
        or _of_a_tool(note)
        or _of_templates(note, folders, words)
        or _stated(note, declared, words, folders)
        or _of_rules(folders)
        or _titled(note, declared, words)
        or _in_folders(note, declared, folders, words)
        or _placed(declared)
        or _looks(note, declared, words)
        or NOTHING_SAID
    )


def _decided(declared: Declared) -> Role | None:
    return None if declared.decided is None else Role(declared.decided, DECIDED, STATED)


def _of_a_tool(note: Note) -> Role | None:
    for key in _keys(note):
        if role := OF_A_TOOL.get(key):
            return _role(role, f"Its property {key!r} is a plugin's.", STATED)
    drafts = note.frontmatter.get("drafts")
    if isinstance(drafts, list) and any(
        isinstance(one, dict) and "scenes" in one for one in drafts
    ):
        return _role("index", "It lists the scenes of drafts for a plugin.", STATED)
    return None


def _keys(note: Note) -> list[str]:
    return [_SEVERAL.sub("", key.casefold()) for key in note.frontmatter]


def _of_templates(
    note: Note, folders: Sequence[tuple[str, str | None]], words: RoleWords
) -> Role | None:
    for folder, role in folders:
        if role == "template":
            return _role("other", f"Its folder {folder!r} is one of templates.", NAMED)
    if words.of_title(note.title) == "template":
        return _role("other", "Its title is a template's.", NAMED)
    return None


def _stated(
    note: Note, declared: Declared, words: RoleWords, folders: Sequence[tuple[str, str | None]]
) -> Role | None:
    prepared = [name for name, _ in folders if words.is_numbered(name) == "session"]
    named = [("title", note.title), *((f"folder {name!r}", name) for name in prepared)]
    beforehand = next((what for what, name in named if words.of_title(name) == "plan"), None)
    if declared.is_set:
        return _role("entity", "The settings give its folder a type.", STATED)
    if declared.is_known:
        return _role("entity", f"Its type is {declared.stated!r}.", STATED)
    if declared.stated:
        told = words.of_word(declared.stated)
        if told == "log" and beforehand:
            return _role(
                "plan", f"It is a session's, and its {beforehand} says that it was written before."
            )
        if told is not None and told != "nothing":
            return _role(told, f"Its type is {declared.stated!r}.", STATED)
    for tag in note.tags:
        for part in tag.name.split("/"):
            told = words.of_word(part)
            is_counted = words.counts(part) in ("chapter", "session")
            if told in _BY_TAG or (told == "manuscript" and is_counted):
                if told in ("log", "manuscript") and beforehand:
                    return _role("plan", f"Its {beforehand} says that it was written before.")
                return _role(told, f"It has the tag #{tag.name}.", STATED)
    return None


def _of_rules(folders: Sequence[tuple[str, str | None]]) -> Role | None:
    for folder, role in folders:
        if role == "reference":
            return _role("reference", f"Its folder {folder!r} is one of rules or research.")
    return None


def _titled(note: Note, declared: Declared, words: RoleWords) -> Role | None:
    """Return the role that the title alone tells; a list of entities is told by its own."""
    told = words.of_title(note.title)
    is_of_folder = note.name.lower() in FOLDER_NOTES or note.name in note.folders[-1:]
    look = Look(note)
    if is_of_folder and look.is_list:
        return _role("index", "It stands for its folder, and lists what is in it.", LIKELY)
    if look.is_filled:
        return _role("index", "A plugin lists in it what stands elsewhere.")
    if told in ("plan", "reference", "index", "front", "other", _FORMER):
        return _role(told, "Its title says so.")
    if BOARD in _keys(note):
        return _role("plan", "It is a board of cards.", LIKELY)
    is_called_list = declared.is_titled or words.ends_as(note.title) == "index"
    if is_called_list and look.is_list:
        return _role("index", "Its title is that of a list, and it is one.", LIKELY)
    return None


def _in_folders(
    note: Note,
    declared: Declared,
    folders: Sequence[tuple[str, str | None]],
    words: RoleWords,
) -> Role | None:
    """Return the role that the innermost folder with a known word gives.

    Between the manuscript's folder and its chapters may stand that of a work, but none that is
    about something in it: a writer may keep all that she has in "Writing".
    """
    counted = words.is_numbered(note.title)
    numbered = ""
    between = 0
    for folder, role in reversed(folders):
        is_counted = role is None and words.is_numbered(folder) is not None
        if is_counted and words.is_numbered(folder) in ("part", "chapter"):
            numbered = numbered or folder
        if role is None and declared.is_typed(folder):
            role = "entity"
        if role is None or role == "nothing":
            between += not is_counted
            continue
        if role == "manuscript" and between > 1 and not (numbered or counted):
            continue
        reason = f"Its folder is {folder!r}."
        if role == "log" and not declared.placed_by:
            return None
        if role == "manuscript" and (plan := _plan_around(folder, folders)):
            return _role("plan", f"Its folder {folder!r} is in {plan!r}.")
        if role == "manuscript":
            return _of_manuscript(note, reason)
        if role in ("other", "world") and counted in ("chapter", "session"):
            continue
        return _role(role, reason, LIKELY if role == "world" else NAMED)
    return _of_manuscript(note, f"Its folder is {numbered!r}.") if numbered else None


def _plan_around(folder: str, folders: Sequence[tuple[str, str | None]]) -> str | None:
    """Return a folder of plans around another: what is in "Ideas/Books" is no book yet."""
    names = [name for name, _ in folders]
    around = folders[: len(names) - 1 - names[::-1].index(folder)]
    return next((name for name, role in reversed(around) if role == "plan"), None)


def _of_manuscript(note: Note, reason: str) -> Role:
    look = Look(note)
    if not look.is_empty and look.is_list:
        return _role("index", f"{reason[:-1]}, but it only lists others.", LIKELY)
    return _role("manuscript", reason)


def _placed(declared: Declared) -> Role | None:
    if declared.placed_by in BY_PROPERTIES:
        return _role("manuscript", "Its properties give its place in reading order.")
    return None


def _looks(note: Note, declared: Declared, words: RoleWords) -> Role | None:
    look = Look(note)
    heading = next((one.text for one in note.headings), "")
    for name, where in ((note.title, "title"), (heading, "first heading")):
        counted = words.is_numbered(name)
        if counted == "session" and declared.placed_by:
            return _role("manuscript", f"Its {where} is a session's.")
        if counted in ("part", "chapter") and (look.is_prose or look.is_empty):
            return _role("manuscript", f"Its {where} is a chapter's.", LIKELY)
        if counted in ("part", "chapter"):
            return _role("plan", f"Its {where} is a chapter's, but it is a list of notes.", GUESSED)
    if declared.placed_by and look.is_prose:
        return _role("manuscript", "It is numbered, and tells.", GUESSED)
    if declared.is_tagged or declared.stated:
        return _role("entity", "Its type or tag is an entity's.")
    if look.is_list and len(note.links) >= FEWEST_LISTED:
        return _role("index", "It lists others, and little else.", GUESSED)
    told = words.ends_as(note.title)
    if told in ("plan", "index", "reference"):
        return _role(told, "Its title ends so.", GUESSED)
    return None


def _role(told: str, reason: str, confidence: float = NAMED) -> Role:
    return Role(cast("RoleName", _TOLD.get(told, told)), reason, confidence)


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold().replace("’", "'")


def _tokens(name: str) -> list[str]:
    return _TOKEN.findall(_folded(name))


def _without_numbers(words: Sequence[str]) -> list[str]:
    return [word for word in words if not _is_number(word)]


def _is_number(word: str) -> bool:
    return any(map(str.isdigit, word)) or word in ("z", "zz")
