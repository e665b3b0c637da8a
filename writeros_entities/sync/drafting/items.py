"""Find what the items of a list name, where the list says what they are.

## NPCs
- Bodo Reef – keeps the watch        a name, and what is told of it
- **Beed** the innkeeper             a name in bold
**Morrow:** sells maps               or as a label
- they are all afraid                no name
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_ITEM = re.compile(r"^[ \t>]*+([-+*]|\d{1,3}[.)])[ \t]++(?=[^\s\[])", re.MULTILINE)
_LABEL = re.compile(r"^[ \t>]*+(?=\*\*|__)", re.MULTILINE)
_LONGEST = 60
_BOLD = re.compile(rf"(\*\*|__)([^*_\n:]{{1,{_LONGEST}}}+)(?:(:)\1|\1(:| [-–—] )?)[ \t]*+(\S)?")
_PLAIN = re.compile(rf"([^*_\n:\[\](|]{{1,{_LONGEST}}}?)(?::| ?\(| [-–—] )[ \t]*+\S")


def described_items(text: str) -> Iterator[str]:
    """Yield what stands in front of each item that goes on to tell of it, in order."""
    for item in _ITEM.finditer(text):
        bold = _BOLD.match(text, item.end())
        if bold is not None:
            if bold[5]:
                yield bold[2].strip()
        elif plain := _PLAIN.match(text, item.end()):
            yield plain[1].strip()
    for label in _LABEL.finditer(text):
        bold = _BOLD.match(text, label.end())
        if bold is not None and bold[5] and (bold[3] or bold[4]):
            yield bold[2].strip()
