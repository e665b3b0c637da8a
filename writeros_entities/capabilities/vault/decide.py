"""Write down what the writer decides, in one note of the vault, and take it back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from writeros_entities.capabilities.answers import Answer, counted
from writeros_entities.capability import BY_PLACE, Request, Response, capability
from writeros_entities.errors import RequestError

if TYPE_CHECKING:
    from pathlib import Path

    from writeros_entities.vault.decisions import Decisions
    from writeros_entities.workspace import Workspace


class Decide(Request["Decided"]):
    """What to decide, or what to do with what is decided."""

    line: Annotated[
        str | None,
        Field(
            max_length=2_000,
            description="The decision, in words: `Tarn is a place`, `[[Outline]] is a plan`, "
            '`"Long Rest" is not a name`, `order: [[Prologue]], [[Fire]]`.',
        ),
        BY_PLACE,
    ] = None
    propose: Annotated[bool, Field(description="Only say what would be added.")] = False
    confirmed: Annotated[
        bool,
        Field(description="The writer has seen the line and agrees."),
    ] = False
    list: Annotated[bool, Field(description="Show all decisions, and what each does now.")] = False
    undo: Annotated[bool, Field(description="Take the last decision back.")] = False
    later: Annotated[
        str | None, Field(max_length=2_000, description="Ask about this line later.")
    ] = None


class StandingDecision(Answer):
    """A decision: the line of the note, or the setting, and what it does now."""

    text: str
    line: int | None = Field(description="In the note; null for a setting.")
    setting: str | None = None
    does: str


class Decided(Response):
    """What was written, or would be, and what is decided."""

    note: str = Field(description="The note with the decisions.")
    added: str | None = None
    removed: str | None = None
    is_proposal: bool = Field(False, description="Nothing was written.")
    decisions: tuple[StandingDecision, ...] = ()
    words: dict[str, str] = Field(
        default={},
        description="How a line says a thing, {a} and {b} being what it is about, and what roles "
        "and sorts are called in it; only in a list.",
    )
    put_off: str | None = Field(None, description="The line that will be asked about later.")

    def as_text(self) -> str:
        """Return what was done, or the decisions as a list."""
        if self.put_off is not None:
            return f"It will be asked about later: {self.put_off}"
        line = self.added or self.removed
        if line is not None:
            done = "added to" if self.added else "taken from"
            text = f"{self.note}:\n\n    - {line}\n\n"
            if self.is_proposal:
                text = (
                    f"Would be {done} {text}Nothing is written yet: leave out `propose`, or give "
                )
                return text + "`confirmed` once the writer has agreed."
            return f"{done.capitalize()} {text}It counts from the next sync on."
        if not self.decisions:
            return f"Nothing is decided yet. Decisions are lines of {self.note}."
        head = counted(len(self.decisions), "decision")
        return "\n".join([f"{head}:", "", *map(_listed, self.decisions)])


def _listed(one: StandingDecision) -> str:
    text = f"{one.setting}: {one.text}" if one.setting else one.text
    return f"- {text} → {one.does}"


@capability(family="vault", writes=True, idempotent=False, offered=False)
def decide(session: Workspace, request: Decide) -> Decided:
    """Write a decision into the note of decisions: what a note is, who is who, what is no name.

    It is one line of Markdown in `Decisions.md` (setting decisions_note), added at its end; nothing
    else is changed. The writer may write, move and delete such lines herself. They count from the
    next sync on.
    """
    given = [request.line is not None, request.later is not None, request.list, request.undo]
    if sum(given) > 1:
        raise RequestError("decide: give a line, or `later`, `list` or `undo`: one of them.")
    if request.later is not None:
        return _put_off(session, request.later)
    if request.undo:
        return _undo(session, request)
    if request.line is None:
        return _list(session)
    return _add(session, request, request.line)


def _add(session: Workspace, request: Decide, line: str) -> Decided:
    from writeros_entities.sync.decided import decision_words, read_content
    from writeros_entities.vault.decisions import with_line

    words = decision_words(session.plugins, session.settings)
    item = " ".join(line.split()).removeprefix("- ").strip()
    decision = words.read(item)
    if decision is None:
        nearest = words.nearest(item)
        hint = f" Do you mean {nearest!r}?" if nearest else ""
        raise RequestError(f"decide: {line!r} is not understood.{hint}")
    note = session.settings.decisions_note
    data, decided = _own(session)
    if any(one.decision == decision for one in decided.lines):
        raise RequestError(f"decide: {item!r} is decided already, in {note!r}.")
    is_proposal = _is_proposal(session, request)
    for apart in (False, True):
        content = with_line(data, item, apart=apart)
        after = read_content(content, session.plugins, session.settings)
        if [one.decision for one in after.lines][-1:] == [decision]:
            break
    else:
        raise RequestError(
            f"decide: a line at the end of {note!r} would be part of what stands there (a block of "
            "code or a comment without an end). Write it where you want it."
        )
    if not is_proposal:
        _replace(_file(session), data, content)
    return Decided(note=note, added=item, is_proposal=is_proposal)


def _undo(session: Workspace, request: Decide) -> Decided:
    from writeros_entities.vault.decisions import without_line

    data, decided = _own(session)
    note = session.settings.decisions_note
    last = next((one for one in reversed(decided.lines) if one.decision is not None), None)
    if last is None:
        raise RequestError(f"decide: there is no decision in {note!r} to take back.")
    is_proposal = _is_proposal(session, request)
    if not is_proposal:
        _replace(_file(session), data, without_line(data, last))
    return Decided(note=note, removed=last.text, is_proposal=is_proposal)


def _put_off(session: Workspace, line: str) -> Decided:
    from writeros_entities.store.vaults import put_off
    from writeros_entities.sync.decided import decision_words

    if decision_words(session.plugins, session.settings).read(line) is None:
        raise RequestError(f"decide: {line!r} is not understood.")
    put_off(session.database, session.vault_id, line)
    return Decided(note=session.settings.decisions_note, put_off=line)


def _list(session: Workspace) -> Decided:
    from writeros_entities.capabilities.vault.decided import Effects, settings_like_decisions
    from writeros_entities.story.continuity import check_story
    from writeros_entities.sync.decided import decision_words, decisions_of
    from writeros_entities.vault.decisions import Intended

    found: list[StandingDecision] = []
    with session.view(may_be_unread=True) as view:
        decided = decisions_of(view)
        asked = not view.is_unread and bool(decided.of(Intended))
        checked = check_story(view).findings if asked else ()
        effects = Effects(view, frozenset(one.id for one in checked))
        for one in decided.lines:
            if view.is_unread:
                does = "It counts from the next sync on."
            elif one.decision is None:
                does = "It is not understood."
            else:
                does = effects.of(one.decision)
            found.append(StandingDecision(text=one.text, line=one.line, does=does))
    for name, said in settings_like_decisions(session.settings):
        found.append(
            StandingDecision(text=said, line=None, setting=name, does="A setting decides it.")
        )
    words = decision_words(session.plugins, session.settings)
    return Decided(
        note=session.settings.decisions_note, decisions=tuple(found), words=dict(words.said)
    )


def _is_proposal(session: Workspace, request: Decide) -> bool:
    """Say whether nothing is to be written: a server's client has to ask the writer first."""
    return request.propose or (session.is_served and not request.confirmed)


def _file(session: Workspace) -> Path:
    """Return the path of the note; raises RequestError if it leads out of the vault."""
    file = session.root / session.settings.decisions_note
    if not file.resolve().is_relative_to(session.root.resolve()):
        raise RequestError(
            f"decide: {session.settings.decisions_note!r} leads out of the vault: name another "
            "note with the setting decisions_note."
        )
    return file


def _own(session: Workspace) -> tuple[bytes, Decisions]:
    """Return the content of the note, and what is decided in it.

    Raises RequestError if there is a note of that name for something else.
    """
    from writeros_entities.sync.decided import read_content

    file = _file(session)
    data = _read(file)
    decided = read_content(data or b"", session.plugins, session.settings)
    if data is not None and not decided.path:
        raise RequestError(
            f"decide: {session.settings.decisions_note!r} is a note with other text and no "
            "decision in it: it is left as it is. Name another note with the setting "
            "decisions_note."
        )
    return data or b"", decided


def _read(file: Path) -> bytes | None:
    try:
        return file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise RequestError(f"decide: {file} cannot be read: {error.strerror}.") from None


def _replace(file: Path, before: bytes, content: bytes) -> None:
    """Write the note, unless it has changed since it was read."""
    from writeros_entities.vault.files.disk import replace_file

    if (_read(file) or b"") != before:
        raise RequestError(f"decide: {file.name} is being written by somebody else. Try again.")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        replace_file(file, content)
    except OSError as error:
        raise RequestError(f"decide: {file} cannot be written: {error.strerror}.") from None
