"""Refuse words of a command line that no parameter takes, and say where they may belong."""

from __future__ import annotations

import shlex

import click


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
