"""The commands that are not capabilities: `watch`, and completion for the shell."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from writeros_entities.surfaces import terminal
from writeros_entities.surfaces.invocation import PROGRAM_OPTIONS, mendable_errors
from writeros_entities.surfaces.stopping import stopped_by_signals

if TYPE_CHECKING:
    from writeros_entities.surfaces.invocation import Invocation
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
