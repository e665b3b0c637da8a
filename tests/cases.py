"""Names for the cases of a table that are all told in one vault, so that none is another's."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

Case = TypeVar("Case")

_NAMES = (
    "Adelind Borvin Cyrane Dorgal Evrith Fenwolt Garsome Hulda Ivrane Jorrick Keldra Lurmond "
    "Morwen Nathrel Ombert Pirrow Quilla Rothgar Selwin Turbold Ugrane Velmira Wystan Xandrel "
    "Yorvath Zelphine Aubrecht Brunhold Cassimer Drustan Elfrede Frodeger Gismara Hathumod "
    "Isengard Jutrude Kunimund Leofric Merovech Norbrand Osgifu Perchta Radegund Sigvald "
    "Theudis Udalrich Vigdis Wulfhild Ymbert Zwentib Alkmene Bathild Chlodwig Dankrad Ekbert "
    "Folkmar Gerlinde Hrotsvit Immed Jaromar Krimhelm Liutgard Mathgis Nivard Ottobeck "
    "Pribislav Ratbod Swanhild Tassilo Umbrecht Volkrad Wiprecht Xaverine Yngvild Zobbe"
)
NAMES = tuple(_NAMES.split())


def by_name(cases: Iterable[Case]) -> dict[str, Case]:
    """Give each case of a table a name of its own."""
    told = list(cases)
    assert len(told) <= len(NAMES), "Add names to tests/cases.py."
    return dict(zip(NAMES, told, strict=False))
