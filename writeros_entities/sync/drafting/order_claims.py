"""Claims to a place in reading order, as the index stores them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from writeros_entities.values import OrderClaim

_FIELDS = tuple(field.name for field in fields(OrderClaim))


def store_order_claim(claim: OrderClaim) -> dict[str, Any]:
    """Return a claim as JSON."""
    values = ((name, getattr(claim, name)) for name in _FIELDS)
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values}


def read_order_claim(stored: Mapping[str, Any]) -> OrderClaim:
    """Return a claim from its JSON."""
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in stored.items()
    }
    return OrderClaim(**values)
