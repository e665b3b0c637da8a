"""The tour of a vault: what the product does, step by step, with the command for each step."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from writeros_entities.surfaces import terminal
from writeros_entities.surfaces.invocation import PROGRAM_OPTIONS, mendable_errors
from writeros_entities.surfaces.parameters import dashed

if TYPE_CHECKING:
    from writeros_entities.capability import Response
    from writeros_entities.session import Session
    from writeros_entities.surfaces.invocation import Invocation

Data: TypeAlias = dict[str, Any]

CAST = 12
QUOTES = 5
FEWER_QUOTES = 2
PASSAGES = 3
STRANGER = "Ada Merrin"
"""A name that hardly any vault has, used in the tour to show that unknown names are found too."""


@click.command(epilog=PROGRAM_OPTIONS)
@click.option(
    "--text", help="A text to look for entities in; by default one made of the vault's own names."
)
@click.pass_context
def demo(ctx: click.Context, text: str | None) -> None:
    """Show what the index knows of a vault, step by step, each with its command.

    The vault is synced first. Nothing is written into it.
    """
    invocation: Invocation = ctx.obj
    with (
        mendable_errors(),
        terminal.reported_progress(wanted=True) as progress,
        invocation.open(progress) as session,
    ):
        Tour(session, _program(ctx, invocation)).walk(text)


@dataclass(frozen=True, slots=True)
class Tour:
    """A tour of one vault; `program` is the start of each step's command line."""

    session: Session
    program: tuple[str, ...]

    def walk(self, text: str | None = None) -> None:
        """Show all steps that this vault has data for."""
        self.show("Read the vault; from now on, only what changes is read again.", "sync")
        status = self.show("What the index holds.", "status")
        cast = self._show_cast()
        if not cast:
            click.echo("\nNo names yet: give somebody a note, or link to one, and run this again.")
            return
        lead = self._ask_by(cast[0])
        self.show("Where somebody is mentioned.", "find_mentions", [lead], limit=QUOTES)
        early = _early_position(status, cast[0])
        if early is not None:
            self.show(
                f"The same for a reader who has come as far as {early}: nothing later shows.",
                "find_mentions",
                [lead],
                as_of=early,
                limit=FEWER_QUOTES,
            )
        sentence = text or self._make_sentence(cast)
        self.show("Who and what is in a text.", "extract_entities", [sentence])
        if len(cast) > 1:
            self._show_passages([lead, self._ask_by(cast[1])])
        question = f"What is said of {cast[0]['name']}?"
        self.show("Search: by words, by meaning, by names.", "search", [question], limit=PASSAGES)
        click.echo(f"\nEvery step is a command: {self.program[0]} --help lists them all.")

    def show(
        self, why: str, capability: str, subjects: list[str] | None = None, **options: object
    ) -> Data:
        """Print a step: its reason, its command and its answer. Returns the answer as data."""
        response = self._call(capability, subjects, options)
        command = [*self.program, dashed(capability)]
        for name, value in options.items():
            command += [f"--{dashed(name)}", str(value)]
        command += subjects or []
        click.echo(f"\n{click.style(f'# {why}', dim=True)}")
        click.echo(f"{click.style('$', bold=True)} {click.style(shlex.join(command), bold=True)}")
        terminal.show(response, as_json=False)
        return response.model_dump()

    def _call(
        self, name: str, subjects: list[str] | None, options: Mapping[str, object]
    ) -> Response:
        arguments = dict(options)
        if subjects:
            fields = self.session.capabilities[name].request.model_fields.items()
            required, field = next(one for one in fields if one[1].is_required())
            arguments[required] = subjects if field.annotation is not str else subjects[0]
        return self.session.call(name, arguments)

    def _show_cast(self) -> list[Data]:
        people = self._call("list_entities", None, {"types": "person", "limit": 1}).model_dump()
        if people["total"]:
            answer = self.show("The cast.", "list_entities", types="person", limit=CAST)
        else:
            answer = self.show("Who and what there is.", "list_entities", limit=CAST)
        cast: list[Data] = answer["entities"]
        return [entity for entity in cast if entity["mention_count"]]

    def _show_passages(self, names: list[str]) -> None:
        both = {"match_mode": "all", "top_k": PASSAGES}
        if self._call("search_by_entities", names, both).model_dump()["results"]:
            self.show("Passages that speak of both.", "search_by_entities", names, **both)
        else:
            self.show("Passages that speak of either.", "search_by_entities", names, top_k=PASSAGES)

    def _ask_by(self, entity: Data) -> str:
        """Return the entity's name, or its id if others have the name too."""
        name, key = str(entity["name"]), str(entity["id"])
        answer = self._call("get_entity", [name], {}).model_dump()
        return name if answer["entity"] and answer["entity"]["id"] == key else key

    def _make_sentence(self, cast: list[Data]) -> str:
        places = self._call("list_entities", None, {"types": "place", "limit": 1}).model_dump()
        people = [self._usual_name(entity) for entity in cast[:2]]
        where = f" in {self._usual_name(places['entities'][0])}" if places["total"] else ""
        return f"{' and '.join(people)} met {STRANGER}{where}."

    def _usual_name(self, entity: Data) -> str:
        """Return the name by which the vault mentions an entity most often."""
        detail = self._call("get_entity", [entity["id"]], {}).model_dump()["entity"]
        names = sorted(detail["names"], key=lambda name: -name["mentions"])
        return str(names[0]["form"] if names else entity["name"])


def _early_position(status: Data, entity: Data) -> int | None:
    """Return a reading position in the first quarter of the book, but after the entity appears."""
    first, last = status["first_position"], status["last_position"]
    appears = entity["first_position"]
    if appears is None or first == last:
        return None
    return max(int(appears), int(first + (last - first) // 4))


def _program(ctx: click.Context, invocation: Invocation) -> tuple[str, ...]:
    words = [ctx.find_root().info_name or "writeros-entities"]
    if invocation.vault is not None:
        words += ["--vault", str(invocation.vault)]
    if invocation.database is not None:
        words += ["--database", invocation.database]
    return tuple(words)
