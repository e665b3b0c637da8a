"""Say whether a name after a verb is its object, by the words behind it.

served Ann | tea              she is the indirect object
raised Ann | to her feet      the verb means to move her
feared Ann | would fall       what she does is the object
married Ann | to Bob          the verb means to give in marriage
poisoned Ann | against Bob    the verb means something else
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..word_lists import words

_ANYTHING_MORE = re.compile(
    r"(?!\x01*(?:[^\w\s'’-]|\s*\Z|\s+(?:since|for|as|and|who|until|faithfully|all|in|at|with|well"
    r"|when|from|because|but|to|had|has|long|through|during|by|on|before|after|loyally|now|still)\b))"
)
_MOVED = re.compile(
    r"\x01*\s+(?:to|up|on|onto|into|from|out|over|through|towards?|away|back|off|down|aloft|no"
    r"|in\s+(?:his|her|their))\b"
)
_IS = r"(?:had|has|would|was|is|were|might|may|could|can|will|did|does|must|should)"
_IS_SOMETHING = re.compile(rf"\x01*\s+{_IS}\b")
_DOES_SOMETHING = re.compile(rf"\x01*\s+(?:{_IS}|[^\W\d_]+(?:ing|ed))\b")
_GIVEN_OR_JOINED = re.compile(
    r"\x01*\s+(?:off\b|to\s+(?:\x01*[^\W\da-z_]|(?:an?|the|his|her|their)\b)"
    r"|and\s+(?:\x01*+[^\W\da-z_][\w'’-]*+\x01*+\s*+)+(?:[.,;:!?)]|\Z|\b(?:in|at|on|that|last)\b))"
)
"""Matches what shows that somebody else marries: "married Ann off", "married Ann and Bob"."""

WEDDINGS = frozenset(words("married marries marry wed weds"))

_BEHIND: Mapping[str, re.Pattern[str]] = {
    **dict.fromkeys(words("hired hires saved saves serve served serves"), _ANYTHING_MORE),
    **dict.fromkeys(words("raised raises"), _MOVED),
    "bore": re.compile(f"{_ANYTHING_MORE.pattern}|{_MOVED.pattern}"),
    **dict.fromkeys(words("command commanded commands"), re.compile(r"\x01*\s+to\b")),
    **dict.fromkeys(words("rule ruled rules"), re.compile(r"\x01*\s+out\b")),
    **dict.fromkeys(words("poisoned poisons"), re.compile(r"\x01*\s+against\b")),
    **dict.fromkeys(words("fear feared fears hate hated hates"), _DOES_SOMETHING),
    **dict.fromkeys(words("love loved loves trust trusted trusts"), _DOES_SOMETHING),
    **dict.fromkeys(words("taught teaches"), _IS_SOMETHING),
    **dict.fromkeys(WEDDINGS, _GIVEN_OR_JOINED),
}


def acts(prose: str, end: int) -> bool:
    """Say whether a verb follows a name that ends here: "fears: Ann finding out"."""
    return _DOES_SOMETHING.match(prose, end) is not None


def is_object(phrase: str, prose: str, end: int) -> bool:
    """Say whether a name that ends here is the object of a phrase before it."""
    behind = _BEHIND.get(phrase)
    return behind is None or behind.match(prose, end) is None
