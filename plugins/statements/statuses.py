"""Read a person's status from the words after a name: "died", "was banished", "is missing"."""

from __future__ import annotations

import re
from dataclasses import replace

from writeros_entities import DecidedMention

from .claims import Claim
from .happenings import HAPPENING
from .surroundings import follows_another

_STATUS = re.compile(
    r"""\x01*(?:,\s+who)?\s+(?:(?:had|has)\s+)?(?:(?:now|then|finally|at\ last)\s+)?(?:
    (?P<dead>died|dies|perish(?:ed|es)|pass(?:ed|es)\ away
        |drown(?:ed|s)(?!\s+in\s+(?!(?:an?|the|h(?:is|er)|their|th(?:is|at))\b)[a-z])
        |(?:is|was|been|lay|lies)\s+(?:now\s+|already\s+|found\s+|long\s+)?
         (?:dead|drowned|killed|slain|murdered|hanged|executed|beheaded|assassinated))
    |(?P<exiled>(?:is|was|been)\s+(?:exiled|banished|outlawed))
    |(?P<missing>(?:went|goes)\s+missing|(?:is|was)\s+(?:still\s+)?missing(?!\s+from))
    |(?P<imprisoned>(?:is|was|been)\s+(?:imprisoned|arrested|jailed|thrown\ into\ prison))
    |(?P<free>(?:is|was|been)\s+(?:freed|released|set\ free))
    |(?P<wounded>(?:is|was|been)\s+(?:badly\s+|gravely\s+)?wounded
         (?!\s+(?:that|by\s+(?:h(?:is|er)|their|the|this|that|it|what)))\b)
    |(?P<crowned>(?:is|was|been)\s+crowned(?!\s+(?:by|with)))
    )(?!\s+(?:of\s+(?:boredom|curiosity|embarrassment|joy|laugh\w+|shame)|on\s+(?:the\s+)?stage)\b)
    (?=\x01*(?:[.,;:!?…)"”]|\s*\Z|\s+(?:in|on|at|by|before|after|of|when|and|that|from|during|for
    |with|here|there|last|yesterday|now|long|without|under|near|as|while|within|upon|again|only
    |this|(?:the\s+(?:same|next|following|very|first|second|third|last))|twenty|ten|many|some|years)\b))""",
    re.VERBOSE,
)


def read_status(prose: str, one: DecidedMention) -> Claim | None:
    """Return the status that the words after a mention state, or None."""
    found = _STATUS.match(prose, one.end)
    if found is None or found.lastgroup is None or follows_another(prose, one):
        return None
    is_happening = not HAPPENING.isdisjoint(found[0].split())
    claim = Claim(found.lastgroup, "status", one.start, found.end())
    return replace(claim, is_happening=is_happening)
