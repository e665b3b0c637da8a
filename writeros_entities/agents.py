"""The entry point for agents written in Python: a context about one entity, ready for a prompt.

    builder = EntityContextBuilder(max_tokens=1500, priority_strategy="narrative")
    result = builder.build_context("Isolde Marrow", "~/Novel")
    prompt = result.as_text()

It runs the capability `build_context`; an agent with a session can call that directly.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from writeros_entities.capabilities.context.build_context import BuildContext, answer
from writeros_entities.capabilities.context.parts import DEFAULT_TOKENS, MOST_TOKENS
from writeros_entities.errors import VaultError
from writeros_entities.session import Session

if TYPE_CHECKING:
    from writeros_entities.capabilities.context.parts import ContextBuildResult
    from writeros_entities.protocols import PriorityStrategy


class EntityContextBuilder:
    """Builds contexts of at most `max_tokens` about one entity at a time.

    `priority_strategy` is the name of a registered strategy, or a strategy; the default is `usage`.
    With a `session`, its vault is used and the session stays open; otherwise each call opens a
    vault by its folder and closes it again. Raises ValueError if `max_tokens` is out of range.
    """

    def __init__(
        self,
        max_tokens: int = DEFAULT_TOKENS,
        priority_strategy: str | PriorityStrategy | None = None,
        session: Session | None = None,
    ) -> None:
        if not 0 < max_tokens <= MOST_TOKENS:
            raise ValueError(f"max_tokens is {max_tokens}; it has to be from 1 to {MOST_TOKENS:,}.")
        self.max_tokens = max_tokens
        self.priority_strategy = priority_strategy
        self._session = session

    def build_context(
        self,
        entity_id: str,
        vault_id: int | str | Path | None = None,
        *,
        query: str | None = None,
        as_of: int | str | None = None,
    ) -> ContextBuildResult:
        """Return the context of an entity.

        It has `chunks`, `total_tokens`, `chunks_by_source` and `budget_utilized`; its `as_text()`
        is the prompt.

        `entity_id` is an id or a name. `vault_id` is a vault's folder or, with a session, the
        number of its vault; the default is the session's vault, or the one to which the current
        folder belongs. Raises NotFoundError and AmbiguousNameError as capabilities do, and
        VaultError for a vault other than the session's.
        """
        request = BuildContext(
            entities=(entity_id,),
            max_tokens=self.max_tokens,
            query=query,
            strategy=self.priority_strategy if isinstance(self.priority_strategy, str) else None,
            as_of=as_of,
        )
        given = None if isinstance(self.priority_strategy, str) else self.priority_strategy
        if self._session is not None:
            _check_vault(self._session, vault_id)
            return _answer(self._session, request, given)
        if isinstance(vault_id, int):
            raise VaultError(
                f"Vault {vault_id} is a number; without a session, give the vault's folder."
            )
        with Session.open(vault_id) as session:
            return _answer(session, request, given)


def _answer(
    session: Session, request: BuildContext, strategy: PriorityStrategy | None
) -> ContextBuildResult:
    with session.view(request.as_of) as view:
        return answer(view, request, strategy)


def _check_vault(session: Session, vault_id: int | str | Path | None) -> None:
    if vault_id is None:
        return
    if isinstance(vault_id, int):
        is_same = vault_id == session.vault_id
    else:
        is_same = Path(vault_id).expanduser().resolve() == session.root
    if not is_same:
        raise VaultError(
            f"The session's vault is {session.root} (number {session.vault_id}), not {vault_id}."
        )
