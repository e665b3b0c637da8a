"""Commands that are not capabilities: `watch`, `desk`, `prompts`, completion for the shell."""

from __future__ import annotations

import json
import signal
import sys
from contextlib import redirect_stdout, suppress
from dataclasses import asdict
from functools import partial
from threading import Thread
from typing import TYPE_CHECKING, get_args

import click

from writeros_entities.surfaces import terminal
from writeros_entities.surfaces.invocation import (
    PROGRAM_OPTIONS,
    families_option,
    mendable_errors,
    tools_option,
)
from writeros_entities.surfaces.parameters import dashed
from writeros_entities.surfaces.prompts import ToolFormat, tools
from writeros_entities.surfaces.stopping import stopped_by_signals

if TYPE_CHECKING:
    from collections.abc import Callable

    from writeros_entities.surfaces.invocation import Invocation
    from writeros_entities.surfaces.templates import PromptArgument, PromptTemplate
    from writeros_entities.values import SyncOutcome


@click.command(epilog=PROGRAM_OPTIONS)
@click.option("--json", "as_json", is_flag=True, help="Print each sync as one line of JSON.")
@click.pass_obj
def watch(invocation: Invocation, as_json: bool) -> None:
    """Keep the index up to date while the vault is edited, until Ctrl-C.

    Prints one line for each sync. Errors are printed on standard error, and the sync is tried
    again.
    """
    from writeros_entities.learning.watching import VaultWatch

    def print_outcome(outcome: SyncOutcome) -> None:
        if as_json:
            terminal.show_json(asdict(outcome))
        else:
            click.echo(terminal.describe_outcome(outcome))

    def print_trouble(error: Exception) -> None:
        click.echo(f"Error: {error}", err=True)

    with mendable_errors(), invocation.open() as workspace:
        click.echo(f"Watching {workspace.root}. Ctrl-C stops.", err=True)
        watch = VaultWatch(workspace, on_outcome=print_outcome, on_trouble=print_trouble).start()
        with stopped_by_signals(watch.stop):
            watch.wait()


DESK_PORT = 8766


@click.command(epilog=PROGRAM_OPTIONS)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=DESK_PORT,
    show_default=True,
    help="The port to listen on; 0 for any free one.",
)
@click.option("--no-browser", is_flag=True, help="Only print the link, and open no browser.")
@click.option("--no-watch", is_flag=True, help="Do not keep the index up to date.")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="For a program: print the link as a line of JSON, and another link for each line of "
    "standard input; the end of it closes the desk.",
)
@click.pass_obj
def desk(
    invocation: Invocation, port: int, no_browser: bool, no_watch: bool, as_json: bool
) -> None:
    """Open the desk: a page in the browser to read, look things up and decide, until Ctrl-C.

    Only this computer can reach it. The link that is printed lets one browser in, once.
    """
    with mendable_errors(), suppress(KeyboardInterrupt):
        from writeros_entities.surfaces import http
        from writeros_entities.surfaces.desk.app import Desk
        from writeros_entities.surfaces.guard import Access

        invocation.read_catalogue()
        with http.listen("127.0.0.1", port) as listener:
            desk = Desk(invocation.open, watch=not no_watch)
            new_link = partial(desk.door.new_link, http.address_of(listener, path=""))
            link = new_link()
            if as_json:
                terminal.show_json({"link": link})
                Thread(target=_give_links, args=(new_link,), daemon=True).start()
            else:
                click.echo(f"The desk is open: {link}\nCtrl-C closes it.", err=True)
            if not no_browser:
                click.launch(link)
            http.serve_app(desk.door, listener, Access(), desk.close_streams)


def _give_links(new_link: Callable[[], str]) -> None:
    """Print a link for each line of standard input, then stop the program as Ctrl-C does.

    So a program that has started the desk, and is no more, leaves none behind.
    """
    with open(0, "rb", buffering=0, closefd=False) as asked:  # no lock at the end
        for _ in asked:
            terminal.show_json({"link": new_link()})
    signal.raise_signal(signal.SIGINT)


@click.command(epilog=PROGRAM_OPTIONS)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the script that completes commands and options in a shell.

    Put the line of your shell into its file:

    \b
    ~/.bashrc                   eval "$(writeros-entities completion bash)"
    ~/.zshrc                    eval "$(writeros-entities completion zsh)"
    ~/.config/fish/config.fish  writeros-entities completion fish | source
    """
    from click.shell_completion import get_completion_class

    root = ctx.find_root()
    name = root.info_name or "writeros-entities"
    variable = f"_{name.replace('-', '_').upper()}_COMPLETE"
    kind = get_completion_class(shell)
    if kind is None:
        raise click.ClickException(f"There is no completion for {shell}.")
    click.echo(kind(root.command, {}, name, variable).source())


class PromptGroup(click.Group):
    """A group with a command for each prompt, built when it is needed.

    The requests that fill the prompts take longer to import than all else that other help needs.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the prompts, and of the group's other commands."""
        return sorted({*self.commands, *_templates()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command with a name, or None."""
        template = _templates().get(cmd_name)
        return super().get_command(ctx, cmd_name) if template is None else _command(template)


def _templates() -> dict[str, PromptTemplate]:
    from writeros_entities.surfaces.briefs import TEMPLATES

    return {dashed(template.name): template for template in TEMPLATES}


@click.group(
    cls=PromptGroup,
    epilog=PROGRAM_OPTIONS,
    context_settings={"token_normalize_func": dashed},
)
def prompts() -> None:
    """Print a prompt for a model, filled from the vault, or the tools that a model can call.

    Text from the vault is fenced and marked as a quotation, and nothing in it can end the
    quotation.
    """


@prompts.command("tools", epilog=PROGRAM_OPTIONS)
@click.option(
    "--format",
    "format_name",
    type=click.Choice(get_args(ToolFormat)),
    default="anthropic",
    show_default=True,
    help="The format of a model's API.",
)
@tools_option
@families_option
@click.pass_obj
def print_tools(
    invocation: Invocation,
    format_name: ToolFormat,
    families: list[str] | None,
    names: list[str] | None,
) -> None:
    """Print the tool definitions as JSON."""
    with mendable_errors():
        capabilities = invocation.read_catalogue().capabilities
        definitions = tools(capabilities, format_name, families, names)
        click.echo(json.dumps(definitions, ensure_ascii=False, indent=2))


def _command(template: PromptTemplate) -> click.Command:
    @click.pass_obj
    def run(invocation: Invocation, /, **given: str | None) -> None:
        arguments = {name: text for name, text in given.items() if text is not None}
        with (
            mendable_errors(),
            invocation.open() as session,
            redirect_stdout(sys.stderr),  # a plugin's prints must not mix with the prompt
        ):
            prompt = template.fill(session, arguments)
        click.echo(prompt)

    required = [one for one in template.arguments if one.required]
    help = "\n\n".join(
        [template.description, *(f"{one.name.upper()}: {one.description}" for one in required)]
    )
    parameters = [_parameter(argument) for argument in template.arguments]
    return click.Command(
        dashed(template.name),
        params=parameters,
        help=help,
        short_help=template.description,
        epilog=PROGRAM_OPTIONS,
        callback=run,
    )


def _parameter(argument: PromptArgument) -> click.Parameter:
    if argument.required:
        return click.Argument([argument.name])
    return click.Option([f"--{dashed(argument.name)}", argument.name], help=argument.description)
