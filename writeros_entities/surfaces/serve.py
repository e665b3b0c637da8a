"""The command that serves a vault to AI clients, on standard input and output or over HTTP."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import click
from click.core import ParameterSource

from writeros_entities.errors import ServeError
from writeros_entities.surfaces.bounds import ANSWER_TOKENS, FEWEST_TOKENS, AnswerForm
from writeros_entities.surfaces.catalogue import select_tools
from writeros_entities.surfaces.invocation import (
    PROGRAM_OPTIONS,
    families_option,
    mendable_errors,
    tools_option,
)

if TYPE_CHECKING:
    import socket

    from writeros_entities.surfaces.invocation import Invocation
    from writeros_entities.surfaces.mcp import ServerOptions

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 8765
TOKEN_VARIABLE = "WRITEROS_SERVE_TOKEN"


@dataclass(frozen=True, slots=True)
class HttpChoices:
    """The options of `serve --http`."""

    host: str
    port: int
    allowed_hosts: tuple[str, ...]
    allowed_origins: tuple[str, ...]
    token_file: Path | None
    no_token: bool


@click.command(epilog=PROGRAM_OPTIONS)
@tools_option
@families_option
@click.option(
    "--answers",
    type=click.Choice(get_args(AnswerForm)),
    default="text",
    show_default=True,
    help="Send answers as text, which models read, or as data, for clients that read structured "
    "content.",
)
@click.option(
    "--answer-tokens",
    type=click.IntRange(FEWEST_TOKENS),
    default=ANSWER_TOKENS,
    show_default=True,
    help="The length that no answer exceeds, in tokens of four bytes.",
)
@click.option(
    "--watch",
    is_flag=True,
    help="Keep the index up to date while the vault is edited, as the command `watch` does.",
)
@click.option("--http", "over_http", is_flag=True, help="Serve over streamable HTTP, until Ctrl-C.")
@click.option(
    "--host",
    default=DEFAULT_HOST,
    show_default=True,
    help="The address to listen on; by default only this computer can reach it.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=DEFAULT_PORT,
    show_default=True,
    help="The port to listen on; 0 for any free one.",
)
@click.option(
    "--allow-host",
    "allowed_hosts",
    multiple=True,
    metavar="NAME",
    help="Another name or address by which clients reach this computer.",
)
@click.option(
    "--allow-origin",
    "allowed_origins",
    multiple=True,
    metavar="ORIGIN",
    help="The origin of web pages (https://name), or of an app, that may send requests.",
)
@click.option(
    "--token-file",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The file with the bearer token that clients must send; created if it does not exist. "
    "By default in the user's data folder.",
)
@click.option(
    "--no-token", is_flag=True, help="Require no token: anyone on this computer can then connect."
)
@click.pass_context
def serve(
    ctx: click.Context,
    /,
    families: list[str] | None,
    names: list[str] | None,
    answers: AnswerForm,
    answer_tokens: int,
    watch: bool,
    over_http: bool,
    **choices: Any,
) -> None:
    """Serve the vault to AI clients over MCP, on standard input and output or over HTTP.

    Over HTTP, clients must send a bearer token: the one in WRITEROS_SERVE_TOKEN, or the one in
    the token file.
    """
    invocation: Invocation = ctx.obj
    if not over_http:
        _refuse_without_http(ctx, choices)
    capabilities = invocation.read_catalogue().capabilities
    with mendable_errors(), suppress(KeyboardInterrupt):
        select_tools(capabilities, families, names)

        from writeros_entities.surfaces.mcp import ServerOptions, serve_stdio

        options = ServerOptions(
            tools=names, answers=answers, answer_tokens=answer_tokens, watch=watch
        )
        if over_http:
            _serve_http(invocation, families, options, HttpChoices(**choices))
        else:
            serve_stdio(invocation.open, capabilities, families, options)


def _refuse_without_http(ctx: click.Context, names: Iterable[str]) -> None:
    for parameter in ctx.command.params:
        given = ctx.get_parameter_source(parameter.name or "") is ParameterSource.COMMANDLINE
        if parameter.name in names and given:
            raise click.UsageError(f"{parameter.opts[-1]} requires --http.", ctx)


def _serve_http(
    invocation: Invocation,
    families: Iterable[str] | None,
    options: ServerOptions,
    choices: HttpChoices,
) -> None:
    from writeros_entities.surfaces import http
    from writeros_entities.surfaces.guard import Access
    from writeros_entities.surfaces.mcp import build_lazy_server

    with http.listen(choices.host, choices.port) as listener:
        _check_reach(listener, choices)
        token, where = _choose_token(choices)
        hosts = _hosts(listener, choices)
        origins = tuple(origin.rstrip("/") for origin in choices.allowed_origins)
        server = build_lazy_server(
            invocation.open, invocation.read_catalogue().capabilities, families, options
        )
        address = http.address_of(listener, hosts[0])
        click.echo(f"Serving MCP at {address} {where}. Ctrl-C stops.", err=True)
        access = Access(hosts=tuple(hosts), origins=origins, token=token)
        http.serve_http(server, listener, access)


def _hosts(listener: socket.socket, choices: HttpChoices) -> list[str]:
    """Return the names by which clients may address this computer, the preferred one first."""
    from writeros_entities.surfaces.http import is_every_address

    own = [] if is_every_address(listener) else [choices.host, listener.getsockname()[0]]
    return [*own, *choices.allowed_hosts]


def _check_reach(listener: socket.socket, choices: HttpChoices) -> None:
    """Raise ServeError for options that would admit anyone, or no one."""
    from writeros_entities.surfaces.http import is_every_address, is_loopback

    if choices.no_token and not is_loopback(listener):
        raise ServeError(
            f"{choices.host} can be reached from other computers, which requires a token. "
            "Leave out --no-token."
        )
    if is_every_address(listener) and not choices.allowed_hosts:
        raise ServeError(
            f"{choices.host} means every address of this computer: name the one that clients use, "
            "with --allow-host."
        )


def _choose_token(choices: HttpChoices) -> tuple[str | None, str]:
    """Return the token, and a phrase that says where it is."""
    from writeros_entities.surfaces.guard import check_token, default_token_file, keep_token

    if choices.no_token:
        return None, "without a token"
    if choices.token_file is None and TOKEN_VARIABLE in os.environ:
        return check_token(os.environ[TOKEN_VARIABLE]), f"with the bearer token in {TOKEN_VARIABLE}"
    file = choices.token_file or default_token_file()
    return keep_token(file), f"with the bearer token in {file}"
