"""The command line: one command for each capability, and a few for the program itself.

    writeros-entities --vault ~/Novel list-entities --type character --json

Help is printed from the capabilities' declarations alone; implementations are imported when a
command runs. Exit codes: 0; 1 for an error that the user can fix, or an answer that reports a
failure; 2 for wrong usage.
"""

from __future__ import annotations

import atexit
import gc
import shlex
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import redirect_stdout
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from writeros_entities import __version__
from writeros_entities.errors import PluginError, RequestError, WriterosError
from writeros_entities.surfaces import commands, demo, obsidian, serve, terminal
from writeros_entities.surfaces import commands as prompting
from writeros_entities.surfaces.catalogue import Catalogue, read_catalogue
from writeros_entities.surfaces.invocation import (
    PROGRAM_OPTIONS,
    Invocation,
    OpenWorkspace,
    mendable_errors,
)
from writeros_entities.surfaces.parameters import (
    dashed,
    named,
    parameters_of,
    spellings_of,
    with_commands,
    with_options,
)

if TYPE_CHECKING:
    from writeros_entities.capability import Capability
    from writeros_entities.plugins import Plugins
    from writeros_entities.progress import Progress
    from writeros_entities.session import Session


def refuse_extra_words(ctx: click.Context) -> None:
    """Check that a command that allows extra words got none; raises click.UsageError."""
    if not ctx.args:
        return
    extra = " ".join(ctx.args)
    arguments = [one for one in ctx.command.params if isinstance(one, click.Argument)]
    if len(arguments) == 1:
        whole = _quoted(f"{ctx.params[str(arguments[0].name)]} {extra}")
        raise click.UsageError(f"Put several words into quotes: {whole}", ctx)
    if arguments:
        reason = "One value is too many; put names of several words into quotes."
        raise click.UsageError(f"{reason} Left over: {extra}", ctx)
    texts = [one.opts[-1] for one in ctx.command.params if one.type is click.STRING]
    options = f" Options that take a text: {', '.join(texts)}." if texts else ""
    raise click.UsageError(f"No option was named for {_quoted(extra)}.{options}", ctx)


def _quoted(text: str) -> str:
    return shlex.quote(text) if '"' in text else f'"{text}"'


PROGRAM = "writeros-entities"
_WIDTH = 100
_CATALOGUE = f"{__name__}.catalogue"


ReadCatalogue = Callable[[Path | None, str | None], Catalogue]


YOUNG_OBJECTS = 50_000
"""Threshold of the garbage collector's first generation: with the default of 700, collections
during imports take a tenth of a command's time, and find nothing.
"""


def main() -> None:
    """Run the command line in this process."""
    gc.set_threshold(YOUNG_OBJECTS)
    atexit.register(_skip_final_collection)
    terminal.reopen_closed_streams()
    terminal.use_utf8()
    with terminal.report_output_errors():
        build_cli()(prog_name=PROGRAM)


def _skip_final_collection() -> None:
    """Exempt all objects from the collection at the end of the process.

    PyTorch's libraries report objects that are still there after it as leaks.
    """
    if "torch" not in sys.modules:
        gc.freeze()


def build_cli(
    read: ReadCatalogue = read_catalogue, open_workspace: OpenWorkspace | None = None
) -> click.Group:
    """Return the command line; `read` finds a vault's capabilities, `open_workspace` opens it."""
    return CapabilityGroup(
        read,
        open_workspace or _open_workspace,
        own=[
            *(demo.demo, commands.watch, commands.desk, obsidian.obsidian, serve.serve),
            *(prompting.prompts, commands.completion),
        ],
    )


def _open_workspace(
    vault: Path | None,
    *,
    database: str | None,
    plugins: Plugins | None,
    progress: Progress | None,
) -> Session:
    from writeros_entities.session import Session

    return Session.open(vault, database=database, plugins=plugins, progress=progress)


class CapabilityGroup(click.Group):
    """A group whose commands are the vault's capabilities, each built when it is needed."""

    def __init__(
        self, read: ReadCatalogue, opener: OpenWorkspace, own: Sequence[click.Command]
    ) -> None:
        super().__init__(
            PROGRAM,
            help="Who and what is in an Obsidian vault: where they are mentioned, how they are "
            "connected, and what a reader knows of them by any chapter.",
            epilog=f"{PROGRAM} COMMAND --help explains a command.",
            commands={str(command.name): command for command in own},
            params=_group_options(),
            callback=click.pass_context(self._choose),
            context_settings={
                "max_content_width": _WIDTH,
                "token_normalize_func": dashed,
                "help_option_names": ["-h", "--help"],
            },
        )
        self._read = read
        self._opener = opener

    def _choose(
        self, ctx: click.Context, vault: Path | None, database: str | None, no_pager: bool
    ) -> None:
        read = partial(self.catalogue, ctx)
        ctx.obj = Invocation(vault, database, read, self._opener, pages=not no_pager)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the program's own options, which may also be given after a command.

        They come first, since the settings of a vault decide which commands there are.
        """
        own, others = self._own_options(ctx, args)
        return super().parse_args(ctx, [*own, *others])

    def _own_options(self, ctx: click.Context, args: list[str]) -> tuple[list[str], list[str]]:
        """Take the program's own options out of a command line.

        Raises click.UsageError for one with two different values, or without one.
        """
        known = {name: one for one in self._options() for name in one.opts}
        given: dict[str, str] = {}
        others: list[str] = []
        rest = iter(args)
        for word in rest:
            name, equals, value = word.partition("=")
            option = known.get(dashed(name) if name.startswith("--") else name)
            if option is None:
                others += [word, *rest] if word == "--" else [word]
                continue
            if option.is_flag or equals:
                whole = word
            elif (value := next(rest, "")) or ctx.resilient_parsing:
                whole = f"{name}={value}"
            else:
                raise click.BadOptionUsage(name, f"Option {name!r} requires an argument.", ctx)
            before = given.setdefault(str(option.name), whole)
            if before.partition("=")[2] != whole.partition("=")[2]:
                both = f"{before.partition('=')[2]} and {whole.partition('=')[2]}"
                raise click.UsageError(f"Option {name!r} is given twice: {both}.", ctx)
        return list(given.values()), others

    def _options(self) -> list[click.Option]:
        return [option for option in self.params if isinstance(option, click.Option)]

    def catalogue(self, ctx: click.Context) -> Catalogue:
        """Return the catalogue of the vault that the options name; it is read once.

        A shell that completes a line cannot show an error: it gets an empty catalogue.
        """
        if _CATALOGUE not in ctx.meta:
            with mendable_errors():
                try:
                    catalogue = self._read(ctx.params.get("vault"), ctx.params.get("database"))
                    self._check_names(catalogue)
                except WriterosError:
                    if not ctx.resilient_parsing:
                        raise
                    catalogue = Catalogue({})
            ctx.meta[_CATALOGUE] = catalogue
        found: Catalogue = ctx.meta[_CATALOGUE]
        return found

    def _check_names(self, catalogue: Catalogue) -> None:
        added = catalogue.plugins.registered["register_capabilities"] if catalogue.plugins else {}
        options = {str(option.name): option.opts[-1] for option in self._options()}
        for name, registered in added.items():
            taken = ""
            if dashed(name) in self.commands:
                taken = f"named {name!r}, which is a command"
            for field in options.keys() & registered.thing.request.model_fields.keys():
                taken = f"with the parameter {field!r}, as {options[field]} is an option"
            if taken:
                raise PluginError(
                    f"Plugin {registered.plugin!r} has a capability {taken} of {PROGRAM} itself. "
                    "Disable the plugin (setting disabled_plugins)."
                )

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands, capabilities first."""
        groups = self.catalogue(ctx).summaries()
        return [*(dashed(name) for group in groups.values() for name in group), *self.commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command with a name, spelled with dashes or underscores."""
        if cmd_name in self.commands:
            return self.commands[cmd_name]
        capabilities = self.catalogue(ctx).capabilities
        capability = capabilities.get(cmd_name.replace("-", "_"))
        return None if capability is None else build_command(capability, capabilities)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that the arguments name, or suggest the nearest."""
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            names = self.list_commands(ctx)
            raise click.NoSuchCommand(error.command_name, possibilities=names, ctx=ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands by family, each with the first sentence of its help."""
        try:
            groups = self.catalogue(ctx).summaries()
        except click.ClickException as error:
            groups = {}
            with formatter.section("The vault's commands cannot be shown"):
                formatter.write_text(error.format_message())
        names = {name for members in groups.values() for name in members}
        sections = {
            family.capitalize(): [
                (dashed(name), with_commands(summary, names)) for name, summary in members.items()
            ]
            for family, members in groups.items()
        }
        sections["Program"] = [
            (name, command.get_short_help_str(_WIDTH)) for name, command in self.commands.items()
        ]
        widest = max(len(name) for rows in sections.values() for name, _ in rows)
        for heading, rows in sections.items():
            with formatter.section(heading):
                formatter.write_dl([(name.ljust(widest), text) for name, text in rows])


def build_command(capability: Capability, capabilities: Collection[str]) -> click.Command:
    """Return the command of a capability; its help names others as commands too."""

    def spelled(text: str) -> str:
        return with_commands(with_options(text, capability.request), capabilities)

    as_json = click.Option(["as_json", "--json"], is_flag=True, help="Print the answer as JSON.")

    @click.pass_context
    def run(ctx: click.Context, /, as_json: bool, **values: object) -> None:
        refuse_extra_words(ctx)
        arguments = _given(ctx, values)
        invocation: Invocation = ctx.obj
        with mendable_errors(spelled):
            _check(capability, arguments)
            with (
                terminal.reported_progress(wanted=capability.slow) as progress,
                invocation.open(progress) as workspace,
                redirect_stdout(sys.stderr),  # a plugin's prints must not mix with the answer
            ):
                response = workspace.call(capability.name, arguments)
        terminal.show(response, as_json=as_json, pages=invocation.pages)
        if response.is_failure():
            ctx.exit(1)

    return click.Command(
        dashed(capability.name),
        params=[*parameters_of(capability.request), as_json],
        help=spelled(capability.help),
        short_help=spelled(capability.summary),
        epilog=PROGRAM_OPTIONS,
        callback=run,
        context_settings={
            "token_normalize_func": spellings_of(capability.request),
            "allow_extra_args": True,
        },
    )


def _given(ctx: click.Context, values: Mapping[str, object]) -> dict[str, object]:
    """Return the values that the user gave; the defaults are those of the request."""
    from click.core import ParameterSource

    given = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in values.items()
        if ctx.get_parameter_source(name) is not ParameterSource.DEFAULT
    }
    return named(given)


def _check(capability: Capability, arguments: Mapping[str, object]) -> None:
    try:
        capability.parse(arguments)
    except RequestError as error:
        raise click.UsageError(with_options(str(error), capability.request)) from None


def _group_options() -> list[click.Parameter]:
    return [
        click.Option(
            ["--vault"],
            type=click.Path(file_okay=False, path_type=Path),
            is_eager=True,
            help="The vault's folder; by default the vault that the current folder lies in.",
        ),
        click.Option(
            ["--database"],
            metavar="URL",
            is_eager=True,
            help="Where the index is kept; by default in the user's data folder.",
        ),
        click.Option(
            ["--no-pager"],
            is_flag=True,
            help="Print long answers at once, without a pager (at a terminal, PAGER or less).",
        ),
        _version_option(),
    ]


def _version_option() -> click.Option:
    def show_version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
        if value and not ctx.resilient_parsing:
            click.echo(f"{PROGRAM} {__version__}")
            ctx.exit()

    return click.Option(
        ["--version"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=show_version,
        help="Show the version and exit.",
    )


if __name__ == "__main__":
    main()
