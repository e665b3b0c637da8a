"""What notes claim of reading order becomes positions."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Mapping, Sequence

from writeros_entities.values import LARGEST_POSITION, Diagnostic, OrderClaim


def assign_positions(
    claims: Mapping[str, OrderClaim],
    paths: Collection[str] | None = None,
    *,
    precedence: Sequence[str] = (),
) -> tuple[dict[str, int], list[tuple[str, Diagnostic]]]:
    """Return the reading position of each note that has one, and the claims that clash.

    A note's own key of one number is its position, as long as those before leave it free; a longer
    key (part, chapter) takes the position after the one before it, from 1 on. A position thus
    depends on nothing that comes later. A sequence gives positions from 1 on to the notes that it
    names, looked up among `paths` below its folder; where a note also claims a place of its own,
    the source that comes first in `precedence` wins, and the sequence if neither does.
    """
    diagnostics: list[tuple[str, Diagnostic]] = []
    own = {path: claim for path, claim in claims.items() if _is_in_range(path, claim, diagnostics)}
    positions: dict[str, int] = {}
    named_by: dict[str, str] = {}
    for index in sorted(claims):
        claim = claims[index]
        if not claim.sequence:
            continue
        for position, path in _look_up(index, claim, paths, diagnostics):
            if path in named_by:
                message = f"It stands in the order of {named_by[path]!r} and of {index!r}."
                diagnostics.append((path, Diagnostic("claimed-twice", message)))
                continue
            named_by[path] = index
            if path in own:
                source = own[path].source
                message = f"Its place is given by {claim.source} ({index!r}) and by {source}."
                diagnostics.append((path, Diagnostic("claimed-twice", message)))
                if _rank(source, precedence) < _rank(claim.source, precedence):
                    continue
                del own[path]
            positions[path] = position
    positions |= _rank_keys({path: claim.key for path, claim in own.items()})
    _report_shared(positions, diagnostics)
    return positions, diagnostics


def _is_in_range(path: str, claim: OrderClaim, diagnostics: list[tuple[str, Diagnostic]]) -> bool:
    if any(abs(number) > LARGEST_POSITION for number in claim.key):
        message = f"The place that {claim.source} gives it is out of range; it has none."
        diagnostics.append((path, Diagnostic("position-out-of-range", message)))
        return False
    return bool(claim.key)


def _rank(source: str, precedence: Sequence[str]) -> int:
    return precedence.index(source) if source in precedence else len(precedence)


def _rank_keys(keys: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
    ranks: dict[tuple[int, ...], int] = {}
    position: int | None = None
    for key in sorted(set(keys.values())):
        following = key[0] if len(key) == 1 else 1
        if position is not None:
            following = max(position + 1, following)
        ranks[key] = position = following
    return {path: ranks[key] for path, key in keys.items()}


def _look_up(
    index: str,
    claim: OrderClaim,
    paths: Collection[str] | None,
    diagnostics: list[tuple[str, Diagnostic]],
) -> list[tuple[int, str]]:
    """Return the notes that a sequence names, with their positions; report those it lacks."""
    prefix = claim.folder.strip("/") + "/" if claim.folder.strip("/") else ""
    if paths is None:
        return [(place, f"{prefix}{name}.md") for place, name in enumerate(claim.sequence, 1)]
    below: dict[str, str] = {}
    for path in sorted(paths, key=lambda path: (len(path), path)):
        if path.startswith(prefix):
            below.setdefault(_key(path.rpartition("/")[2].removesuffix(".md")), path)
    found: list[tuple[int, str]] = []
    for place, name in enumerate(claim.sequence, 1):
        match = below.get(_key(name.rpartition("/")[2].removesuffix(".md")))
        if match is None:
            message = f"It names {name!r}, but there is no such note below {prefix or '/'!r}."
            diagnostics.append((index, Diagnostic("missing-in-order", message)))
        else:
            found.append((place, match))
    return found


def _key(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def _report_shared(positions: Mapping[str, int], diagnostics: list[tuple[str, Diagnostic]]) -> None:
    holders: dict[int, str] = {}
    for path in sorted(positions):
        position = positions[path]
        holder = holders.setdefault(position, path)
        if holder != path:
            message = f"It has reading position {position}, and so has {holder!r}."
            diagnostics.append((path, Diagnostic("same-position", message)))
