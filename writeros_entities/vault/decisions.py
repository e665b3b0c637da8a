"""What the writer has decided, line by line, in a note of her own.

    words.read("Tarn is a place")           HasSort(Target("name", "Tarn"), "place")
    read_lines(note, words)                 every item of the note's lists, with its decision

A decision is an item of any list of the note, in the words of any language that lists them
(`Words.decisions`). All else in the note is the writer's own.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Literal, TypeVar

from writeros_entities.names import fold_name
from writeros_entities.values import HEADING_SEPARATOR, HIDDEN, Diagnostic
from writeros_entities.vault.files.disk import BYTE_ORDER_MARK
from writeros_entities.vault.markdown.list_items import item_start
from writeros_entities.vault.roles import ROLES, RoleName

if TYPE_CHECKING:
    from writeros_entities.language.words import Words
    from writeros_entities.values import JSON, Note

NOT_UNDERSTOOD = "unknown-decision"

TargetKind = Literal["note", "folder", "tag", "property", "name"]
_SPECIFIC: tuple[TargetKind, ...] = ("property", "tag", "folder", "name", "note")
"""What a decision may be about, the more specific later: that wins."""

LONGEST_NAME = 8
"""Most words of a name that no marks enclose."""

NEAR = 60
"""Least likeness, of 100, of a line to the nearest that would be understood."""

_MARKED = (
    r"\[\[[^\[\]\n]+\]\]",
    r"\"[^\"\n]+\"",
    r"“[^“”\n]+”",
    r"„[^„“”\n]+[“”]",
    r"«[^«»\n]+»",
    r"»[^«»\n]+«",
    r"#[^\s#,;]+",
)
_OPERAND = rf"(?:{'|'.join(_MARKED)}|[^\[\]\"“”„«»\n,;]+?)"
_LIST = r".+"
_IN_MARKS = re.compile("|".join(_MARKED))
_PLACE = re.compile(r"\{([abc])\}")
_FINDING = re.compile(r"([0-9a-f]{6,16})(?:…|\.\.\.)?")
_PROPERTY = re.compile(r"([^:/#\[\]]+):\s*(\S.*)")
_BETWEEN = re.compile(r"[\s,;>→]*(?:\w+[\s,;]*)?")
_LINE = re.compile(r"[^\n]*\n?")


@dataclass(frozen=True, slots=True)
class Target:
    """What a decision is about: a note or what has none (by link), the notes of a folder, of a tag
    or with a property (`status: cut`), or whatever has a name.

    `heading` is set where a link goes to a section.
    """

    kind: TargetKind
    text: str
    heading: str = ""

    def __str__(self) -> str:
        """Return it as it is written in a decision."""
        if self.kind == "note":
            return f"[[{self.text}#{self.heading}]]" if self.heading else f"[[{self.text}]]"
        return {"folder": f'"{self.text}/"', "tag": f"#{self.text}"}.get(self.kind, self.text)

    @property
    def key(self) -> str:
        """The key of the name of whom a link or a name is about."""
        return fold_name(self.heading or self.text.rpartition("/")[2])

    def is_path(self, path: str) -> bool:
        """Say whether a link to it may lead to the note at a path.

        Without a folder it may lead to every note of that name.
        """
        low, wanted = _fold_path(path), _fold_path(self.text)
        return self.kind == "note" and (low == wanted or low.endswith(f"/{wanted}"))

    def is_about(self, path: str, tags: Iterable[str], properties: Mapping[str, JSON]) -> bool:
        """Say whether it is a note, or one of the notes, that this is about."""
        if self.kind == "note":
            return not self.heading and self.is_path(path)
        if self.kind == "folder":
            return _fold(path).startswith(_fold(self.text) + "/")
        if self.kind == "tag":
            wanted = _fold(self.text)
            return any(f"{_fold(tag)}/".startswith(f"{wanted}/") for tag in tags)
        if self.kind == "property":
            key, _, value = self.text.partition(":")
            return any(
                fold_name(name) == fold_name(key) and _says(said, value)
                for name, said in properties.items()
            )
        return False

    def is_called(self, names: Iterable[str], path: str | None, heading: str | None) -> bool:
        """Say whether it is an entity: by a link to its note, or its section, or by a name."""
        if self.kind == "note" and path is not None:
            own = fold_name((heading or "").rpartition(HEADING_SEPARATOR)[2])
            if self.heading:
                return self.is_path(path) and fold_name(self.heading) == own
            if heading is None and self.is_path(path):
                return True
        if self.kind not in ("note", "name") or self.heading:
            return False
        return any(fold_name(one) == self.key for one in names)


@dataclass(frozen=True, slots=True)
class HasRole:
    """`[[Plot/Book 1 Outline]] is a plan`."""

    target: Target
    role: RoleName


@dataclass(frozen=True, slots=True)
class HasSort:
    """`Tarn is a place`; `kind` is the writer's own word for it, if that is another."""

    target: Target
    sort: str
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class NoName:
    """`"Long Rest" is not a name`."""

    name: str


@dataclass(frozen=True, slots=True)
class OtherName:
    """`Maude is [[Maud Pell]]`; `since` a chapter, if it is only known from there on."""

    name: str
    target: Target
    since: str = ""


@dataclass(frozen=True, slots=True)
class Different:
    """`[[Clara Stone]] is not [[Clara Vale]]`."""

    one: Target
    other: Target


@dataclass(frozen=True, slots=True)
class InOrder:
    """`order: [[Prologue]], [[The Fire]]`, or `[[The Fire]] is after [[Prologue]]`."""

    notes: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class Means:
    """`In [[Chapter 3]], "the captain" is [[Ilse Vane]]`, or is not."""

    note: Target
    phrase: str
    target: Target
    is_not: bool = False

    @property
    def pattern(self) -> re.Pattern[str]:
        """Matches the phrase in a text, in any case and across lines."""
        words = r"\s+".join(map(re.escape, self.phrase.split())).replace("'", "['’]")
        return re.compile(rf"(?<!\w){words}(?!\w)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """`leave out #rules`."""

    target: Target


@dataclass(frozen=True, slots=True)
class IsTold:
    """`[[Hope]] is always told`, or never."""

    target: Target
    when: Literal["always", "never"]


@dataclass(frozen=True, slots=True)
class Intended:
    """`6ff540… is meant`: a finding, by its id or the beginning of it."""

    finding: str


Decision = (
    HasRole
    | HasSort
    | NoName
    | OtherName
    | Different
    | InOrder
    | Means
    | LeftOut
    | IsTold
    | Intended
)
DecisionT = TypeVar("DecisionT", bound=Decision)
AboutNotes = HasRole | HasSort | LeftOut | IsTold
AboutNotesT = TypeVar("AboutNotesT", bound=AboutNotes)


@dataclass(frozen=True, slots=True)
class DecidedLine:
    """An item of a list in the note: its first and last lines, counted from 1, its text, and what
    it decides.
    """

    line: int
    last: int
    text: str
    decision: Decision | None


class DecisionWords:
    """Reads and writes lines of decisions in the words of some languages, the first one preferred.

    `sort_of` returns the sort that a noun names, if it is none of theirs for roles and sorts.
    """

    def __init__(self, languages: Sequence[Words], sort_of: Callable[[str], str | None]) -> None:
        self._sort_of = sort_of
        self._leading = frozenset().union(*(one.articles | one.leading for one in languages))
        nouns = {noun: of for one in languages for noun, of in one.decision_nouns.items()}
        self._said = {of: noun for noun, of in reversed(nouns.items())}
        self._nouns = {self._bare(noun): of for noun, of in reversed(nouns.items())}
        found = {one: kind for each in languages for one, kind in each.decisions.items()}
        self._written = {kind: one for one, kind in reversed(found.items())}
        # The more a template says itself, the less its places could say something else.
        ordered = sorted(found, key=lambda one: -len(_PLACE.sub("", one)))
        self._templates = [(_compile(one), found[one]) for one in ordered]
        self._own = next((one.decisions for one in languages if one.decisions), {})

    def read(self, line: str) -> Decision | None:
        """Return the decision that a line states, or None."""
        said = " ".join(line.split()).replace("’", "'").rstrip(".; ")
        for pattern, kind in self._templates:
            match = pattern.fullmatch(said)
            found = self._made(kind, match.groupdict()) if match else None
            if found is not None:
                return found
        return None

    def write(self, kind: str, a: str, b: str = "", c: str = "") -> str | None:
        """Return a line of a kind, or None if no language has words for it.

        `b` may be a role or a sort.
        """
        template = self._written.get(kind)
        if template is None:
            return None
        line = _filled(template, a, self._said.get(b, b), c)
        return line[0].upper() + line[1:] if template[0] != "{" and kind.startswith("in") else line

    @property
    def said(self) -> Mapping[str, str]:
        """The template of each kind of line, and the noun of each role and sort."""
        return {**self._said, **self._written}

    def nearest(self, line: str) -> str | None:
        """Return the line most like one that is not understood, and that would be."""
        from rapidfuzz import fuzz

        marked = [match[0] for match in _IN_MARKS.finditer(line)]
        words = line.split()
        named = marked or [" ".join(words[: max(1, len(words) - 3)])]
        nouns = sorted(self._nouns, key=lambda noun: -fuzz.ratio(noun, " ".join(words[-2:])))
        a, b = named[0], [*named[1:2], *(self._said[self._nouns[noun]] for noun in nouns[:1])]
        candidates = [
            _filled(text, a, one, (named[2:] or [a])[0]) for text in self._own for one in b
        ]
        scored = [(fuzz.ratio(line.casefold(), one.casefold()), one) for one in candidates]
        near = sorted((pair for pair in scored if pair[0] >= NEAR), key=lambda pair: -pair[0])
        return next((one for _, one in near if self.read(one) is not None), None)

    def _made(self, kind: str, places: Mapping[str, str]) -> Decision | None:
        a = places.get("a", "").strip()
        b, c = places.get("b", "").strip(), places.get("c", "").strip()
        match kind:
            case "is":
                return self._named(a, b) if _is_marked(b) else self._kind(a, b)
            case "from":
                chapter = _link(c) if _is_marked(c) else c
                named = self._named(a, b)
                return OtherName(named.name, named.target, chapter) if named and chapter else None
            case "in" | "in_not":
                named, note = self._named(a, b), _target(c)
                is_one = note is not None and note.kind == "note"
                is_not = kind == "in_not"
                return (
                    Means(note, named.name, named.target, is_not)
                    if named and note and is_one
                    else None
                )
            case "is_not":
                one, other = _target(a), _target(b)
                both = _is_marked(a) and _is_marked(b)
                return Different(one, other) if both and one and other else None
            case "no_name":
                return NoName(_name(a)) if _name(a) else None
            case "order":
                return _in_order(a)
            case "after" | "before":
                notes = (_target(b), _target(a)) if kind == "after" else (_target(a), _target(b))
                links = tuple(one for one in notes if one is not None and one.kind == "note")
                return InOrder(links) if len(links) == 2 else None
            case "leave_out":
                target = _target(a)
                return LeftOut(target) if target and target.kind != "name" else None
            case "always" | "never":
                target = _target(a)
                when: Literal["always", "never"] = "always" if kind == "always" else "never"
                return IsTold(target, when) if target and target.kind != "name" else None
            case "meant":
                finding = _FINDING.fullmatch(_name(a))
                return Intended(finding[1]) if finding else None
        return None

    def _named(self, a: str, b: str) -> OtherName | None:
        target, name = _target(b), _name(a)
        is_one = target is not None and target.kind in ("note", "name") and _is_marked(b)
        return OtherName(name, target) if name and target is not None and is_one else None

    def _kind(self, a: str, noun: str) -> Decision | None:
        target = _target(a)
        if target is None:
            return None
        bare = self._bare(noun)
        told = self._nouns.get(bare)
        role: RoleName | None = next((one for one in ROLES if one in (told, bare)), None)
        if role is not None:
            return HasRole(target, role) if target.kind != "name" else None
        sort = told or self._sort_of(bare)
        kind = bare.replace(" ", "_")
        return HasSort(target, sort, None if told or kind == sort else kind) if sort else None

    def _bare(self, noun: str) -> str:
        words = noun.casefold().split()
        while len(words) > 1 and words[0] in self._leading:
            words = words[1:]
        return " ".join(words)


@dataclass(frozen=True)
class Decisions:
    """All that the writer has decided, as whoever acts on it asks for it.

    Of two that contradict each other the more specific one counts (a note before its folder, that
    before a tag), else the later. `path` is that of their note; `excluded` is what the settings
    leave out.
    """

    lines: tuple[DecidedLine, ...] = ()
    path: str = ""
    excluded: tuple[LeftOut, ...] = ()

    def of(self, kind: type[DecisionT]) -> list[DecisionT]:
        """Return the decisions of a kind, in order."""
        return self._by_kind.get(kind, [])  # type: ignore[return-value]  # they are of that kind

    @cached_property
    def _by_kind(self) -> Mapping[type, list[Decision]]:
        found: dict[type, list[Decision]] = {}
        for one in self.lines:
            if one.decision is not None:
                found.setdefault(type(one.decision), []).append(one.decision)
        return found

    @property
    def is_empty(self) -> bool:
        """Whether nothing is decided."""
        return not self._by_kind

    def role_of(self, note: Note) -> RoleName | None:
        """Return the role of a note; what has a place in an order is manuscript."""
        found = _best(note, self.of(HasRole))
        if found is not None:
            return found.role
        if _best(note, self.of(HasSort)) is not None:
            return "entity"
        ordered = (target for one in self.of(InOrder) for target in one.notes)
        return "manuscript" if any(target.is_path(note.path) for target in ordered) else None

    def sort_of_note(self, note: Note) -> HasSort | None:
        """Return what a note's entity is, by the note, its folder or its tags."""
        return _best(note, self.of(HasSort))

    def is_left_out(self, note: Note) -> bool:
        """Say whether nothing is read of a note: it is left out, or is the decisions' own."""
        left_out = (*self.excluded, *self.of(LeftOut))
        return note.path == self.path or _best(note, left_out) is not None

    def told(self, note: Note) -> Literal["always", "never"] | None:
        """Return when a note outside the manuscript is told."""
        found = _best(note, self.of(IsTold))
        return found.when if found is not None else None

    @cached_property
    def never(self) -> frozenset[str]:
        """The keys of what is no name."""
        return frozenset(fold_name(one.name) for one in self.of(NoName))

    @property
    def has_later_names(self) -> bool:
        """Whether some names are only known from a chapter on."""
        return any(one.since for one in self.of(OtherName))

    @cached_property
    def other_keys(self) -> frozenset[str]:
        """The keys of names that the writer says are only another name of somebody."""
        return frozenset(fold_name(one.name) for one in self.of(OtherName) if not one.since)

    def sort_of(
        self, names: Sequence[str], path: str | None = None, heading: str | None = None
    ) -> HasSort | None:
        """Return what an entity is, by its names, its note and the heading of its section."""
        for one in reversed(self.of(HasSort)):
            if one.target.is_called(names, path, heading):
                return one
        return None

    def other_names(
        self, names: Sequence[str], path: str | None = None, heading: str | None = None
    ) -> list[OtherName]:
        """Return the further names of an entity."""
        return [one for one in self.of(OtherName) if one.target.is_called(names, path, heading)]

    def meant_in(self, path: str) -> list[Means]:
        """Return what phrases mean in a note."""
        return [one for one in self.of(Means) if one.note.is_path(path)]

    def waives(self, finding: str) -> bool:
        """Say whether a finding is intended."""
        return any(finding.startswith(one.finding) for one in self.of(Intended))

    def are_different(self, one: str, other: str) -> bool:
        """Say whether two names, or words of names, are those of two, by what the writer says."""
        pairs = ((fold_name(one), fold_name(other)), (fold_name(other), fold_name(one)))
        return any(
            first in (each.one.key, *each.one.key.split())
            and second in (each.other.key, *each.other.key.split())
            for each in self.of(Different)
            for first, second in pairs
        )

    def digest_for(self, path: str) -> str:
        """Return a hash of what may concern how the note at a path is read, or ""."""
        of_any, by_name, of_folders = self._concerning
        if not (by_name or of_folders or self.path):
            return of_any
        low = _fold_path(path)
        named = by_name.get(low.rpartition("/")[2], ())
        found = [one for target, one in named if target.is_path(path)]
        found += [one for folder, one in of_folders if low.startswith(folder)]
        found += [self.lines] if path == self.path else []
        return _digest([of_any, *found]) if found else of_any

    @cached_property
    def _concerning(
        self,
    ) -> tuple[str, Mapping[str, list[tuple[Target, object]]], list[tuple[str, object]]]:
        """What may concern a note: a hash of what may concern any, by its tags or properties, the
        decisions about notes by their names, and those about folders.
        """
        about: list[AboutNotes] = [*self.excluded, *self.of(LeftOut), *self.of(IsTold)]
        about += [*self.of(HasRole), *self.of(HasSort)]
        of_notes: list[tuple[Target, object]] = [(one.target, one) for one in about]
        of_notes += [(one.note, one) for one in self.of(Means)]
        of_notes += [(target, InOrder) for one in self.of(InOrder) for target in one.notes]
        by_name: dict[str, list[tuple[Target, object]]] = {}
        for target, one in of_notes:
            if target.kind == "note":
                name = _fold_path(target.text).rpartition("/")[2]
                by_name.setdefault(name, []).append((target, one))
        of_any = _digest([one for one in about if one.target.kind in ("tag", "property")])
        of_folders: list[tuple[str, object]] = [
            (f"{_fold(one.target.text)}/", one) for one in about if one.target.kind == "folder"
        ]
        return of_any, by_name, of_folders

    @cached_property
    def digest(self) -> str:
        """A hash of what concerns names, their order and the order of notes, or ""."""
        sorts, names = self.of(HasSort), self.of(OtherName)
        return _digest([*sorts, *self.of(NoName), *names, *self.of(InOrder)])


def read_lines(note: Note, words: DecisionWords) -> list[DecidedLine]:
    """Return the items of a note's lists, each with what it decides."""
    found: list[DecidedLine] = []
    for block in note.blocks:
        if block.kind != "list":
            continue
        items: list[tuple[int, int, str]] = []
        for match in _LINE.finditer(note.text, block.start, block.end):
            line = note.locate(match.start())[0]
            start = match.start() + len(match[0]) - len(match[0].lstrip(" \t"))
            item = item_start(note.text, start, match.start() + len(match[0].rstrip()), 0)
            if item is not None:
                items.append((line, line, _seen(note, item.content, match.end())))
            elif items and match[0].strip():
                first, _, text = items.pop()
                items.append((first, line, f"{text} {_seen(note, start, match.end())}"))
        found += [DecidedLine(*item, words.read(item[-1])) for item in items if item[-1]]
    return found


def is_for_decisions(note: Note, lines: Iterable[DecidedLine]) -> bool:
    """Say whether a note is for decisions: it holds one, or nothing but headings."""
    return any(one.decision for one in lines) or not any(
        block.kind not in ("frontmatter", "heading", "rule", "comment") for block in note.blocks
    )


def not_understood(lines: Iterable[DecidedLine], words: DecisionWords) -> Iterator[Diagnostic]:
    """Yield a diagnostic for each line that decides nothing, with the nearest that would."""
    for one in lines:
        if one.decision is None:
            nearest = words.nearest(one.text)
            hint = f" Do you mean “{nearest}”?" if nearest else ""
            message = f"“{one.text}” is not understood.{hint}"
            yield Diagnostic(NOT_UNDERSTOOD, message, one.line)


def read_target(text: str) -> Target | None:
    """Return what a text stands for: `Plot/`, `#rules`, `status: cut`, `[[Hope]]`; None for a
    name.
    """
    found = _target(text)
    return found if found is not None and found.kind != "name" else None


# -- Lines ---------------------------------------------------------------------------------------


@cache
def _compile(template: str) -> re.Pattern[str]:
    pattern = ""
    is_list = template.count("{") == 1 and template.endswith("{a}") and ":" in template
    for part in re.split(r"(\{[abc]\}|\s+)", template):
        if _PLACE.fullmatch(part):
            pattern += f"(?P<{part[1]}>{_LIST if is_list else _OPERAND})"
        elif part.isspace():
            pattern += r"\s*,?\s+"
        else:
            pattern += re.escape(part)
    return re.compile(pattern.replace(r":\s*,?\s+", r":\s*"), re.IGNORECASE)


def _filled(template: str, a: str, b: str, c: str) -> str:
    places = {"a": a, "b": b, "c": c}
    return _PLACE.sub(lambda place: places[place[1]], template)


def _seen(note: Note, start: int, end: int) -> str:
    """Return the text of an item without the comments in it."""
    covered = [one for one in note.comments if one.start < end and one.end > start]
    text = note.text[start:end]
    for one in covered:
        first, last = max(one.start, start) - start, min(one.end, end) - start
        text = text[:first] + HIDDEN * (last - first) + text[last:]
    return " ".join(text.replace(HIDDEN, " ").split())


def _is_marked(text: str) -> bool:
    return _IN_MARKS.fullmatch(text) is not None and not text.startswith("#")


def _link(text: str) -> str:
    return _name(text).partition("#")[0]


def _name(text: str) -> str:
    """Return a name without its marks; what a link shows counts for nothing."""
    bare = text.strip()
    if bare.startswith("[["):
        target = bare[2:-2].partition("|")[0].strip()
        return target.removesuffix(".md")
    if _IN_MARKS.fullmatch(bare) and not bare.startswith("#"):
        return bare[1:-1].strip()
    return bare if len(bare.split()) <= LONGEST_NAME else ""


def _target(text: str) -> Target | None:
    bare, name = text.strip(), _name(text)
    if not name:
        return None
    if bare.startswith("[["):
        target, _, heading = name.partition("#")
        return Target("note", target.strip().removesuffix(".md").strip("/"), heading.strip())
    if bare.startswith("#"):
        return Target("tag", bare[1:].strip("/"))
    if name.endswith("/"):
        return Target("folder", name.strip("/"))
    if _PROPERTY.fullmatch(name):
        return Target("property", name)
    return Target("name", name)


def _in_order(text: str) -> InOrder | None:
    """Return the notes that a list of links names, if there is little else in it."""
    links = [match for match in _IN_MARKS.finditer(text) if match[0].startswith("[[")]
    ends = [0, *(match.end() for match in links)]
    starts = [*(match.start() for match in links), len(text)]
    gaps = [text[end:start] for end, start in zip(ends, starts, strict=True)]
    targets = tuple(one for match in links if (one := _target(match[0])) is not None)
    is_list = len(targets) > 1 and all(_BETWEEN.fullmatch(gap) for gap in gaps)
    return InOrder(targets) if is_list else None


# -- What they are about ---------------------------------------------------------------------------


def _best(note: Note, decisions: Sequence[AboutNotesT]) -> AboutNotesT | None:
    """Return the most specific decision about a note, of equally specific ones the last."""
    if not decisions:
        return None
    tags = [tag.name for tag in note.tags]
    about: list[tuple[int, int, int]] = []
    for at, one in enumerate(decisions):
        target = one.target
        if target.is_about(note.path, tags, note.frontmatter):
            about.append((_SPECIFIC.index(target.kind), target.text.count("/"), at))
    return decisions[max(about)[2]] if about else None


def _says(said: JSON, value: str) -> bool:
    values = said if isinstance(said, list) else [said]
    return any(
        fold_name(str(one).lower() if isinstance(one, bool) else str(one)) == fold_name(value)
        for one in values
    )


@lru_cache(maxsize=1 << 10)
def _fold(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


@lru_cache(maxsize=1 << 10)
def _fold_path(path: str) -> str:
    return _fold(path).removesuffix(".md").strip("/ ")


def _digest(found: Sequence[object]) -> str:
    if not found:
        return ""
    return hashlib.blake2b(repr(found).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


# -- The file --------------------------------------------------------------------------------------


def with_line(data: bytes, line: str, *, apart: bool = False) -> bytes:
    """Return the content of a note with one more item at its end, all other bytes as they are.

    `apart` puts an empty line before it.
    """
    end = b"\r\n" if b"\r\n" in data else b"\n"
    item = f"- {line}".encode()
    if data.removeprefix(BYTE_ORDER_MARK.encode()) and not data.endswith(b"\n"):
        return data + end * (1 + apart) + item
    return data + end * apart + item + end


def without_line(data: bytes, line: DecidedLine) -> bytes:
    """Return the content of a note without one of its items.

    It is the reverse of `with_line`: where no line end follows, the one before goes too.
    """
    lines = data.split(b"\n")
    before, after = lines[: line.line - 1], lines[line.last :]
    if before and not after and before[-1].endswith(b"\r"):
        before[-1] = before[-1][:-1]
    return b"\n".join([*before, *after])
