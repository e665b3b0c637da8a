"""The `prompts` commands: prompts filled from the vault, and tool definitions, for any model."""

from __future__ import annotations

import json
import sys
from contextlib import redirect_stdout
from typing import TYPE_CHECKING, get_args

import click

from writeros_entities.surfaces.invocation import (
    PROGRAM_OPTIONS,
    families_option,
    mendable_errors,
    tools_option,
)
from writeros_entities.surfaces.parameters import dashed
from writeros_entities.surfaces.prompts import ToolFormat, tools

if TYPE_CHECKING:
    from writeros_entities.surfaces.invocation import Invocation
    from writeros_entities.surfaces.templates import PromptArgument, PromptTemplate


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
