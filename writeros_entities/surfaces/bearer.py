"""The bearer token for the HTTP server: create, store and check it.

Unless a token is given, one is created once and stored in a file that only its owner can read, so
that clients need to be configured only once.
"""

from __future__ import annotations

import os
import re
import secrets
import sys
from pathlib import Path

from writeros_entities.errors import ServeError
from writeros_entities.settings import OTHERS, create_private_folder, user_data_folder

_TOKEN = re.compile(r"[A-Za-z0-9._~+/-]{16,512}=*")
_MADE_BYTES = 32


def default_token_file() -> Path:
    """Return the path of the token file in the user's data folder."""
    return user_data_folder() / "http-token"


def check_token(token: str) -> str:
    """Return the token if it is valid in a header; raise ServeError if not."""
    if not _TOKEN.fullmatch(token):
        raise ServeError(
            "A token must have 16 or more characters: letters, digits and -._~+/. Leave it out, "
            "and one is created."
        )
    return token


def keep_token(file: Path) -> str:
    """Return the token in a file, creating the file with a new token if it does not exist.

    Raises ServeError for a file that others can read, or that cannot be read or created.
    """
    try:
        create_private_folder(file.parent)
        try:
            made = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return _read_token(file)
        token = secrets.token_urlsafe(_MADE_BYTES)
        with os.fdopen(made, "w", encoding="ascii") as stream:
            stream.write(f"{token}\n")
    except OSError as error:
        raise ServeError(f"The token's file {file} cannot be used: {error.strerror}.") from None
    return token


def is_token(given: str | None, token: str) -> bool:
    """Return whether an Authorization header has the token; compares in constant time."""
    scheme, _, credentials = (given or "").partition(" ")
    matches = secrets.compare_digest(credentials.strip().encode(), token.encode())
    return matches and scheme.lower() == "bearer"


def _read_token(file: Path) -> str:
    with file.open(encoding="utf-8", errors="replace") as stream:
        if sys.platform != "win32" and os.fstat(stream.fileno()).st_mode & OTHERS:
            raise ServeError(f"Others can read the token in {file}: run `chmod 600` on it.")
        token = stream.read(1024).strip()
    try:
        return check_token(token)
    except ServeError:
        raise ServeError(
            f"{file} contains no valid token. Remove it, and a new one is created."
        ) from None
