"""Malicious names: markup, code, and sequences that end the text around them."""

from __future__ import annotations

HOSTILE = (
    '"]; click n0 "javascript:alert(1)"',
    "</script><script>document.title='broken'</script>",
    "<img src=x onerror=\"document.title='broken'\">",
    "]]> & <b>&amp;</b> &#34; #quot; #35;",
    "it's “quoted” and 'quoted' and \"quoted\" \\",
    "`tick` ```fence``` ${document.title='broken'}",
    "{{title}} {% raw %} <%= title %> {{graph}}",
    "end",
    "%% a comment",
    "subgraph x --> y; style n0 fill:#f00",
    "1. A list",
    "# Heading [[Isolde]] ==x== #tag ^block",
    "first line\nsecond line\r\n\tthird",
    "שרה בת־שבע",
    "زينب \u202e reversed",
    "👩\u200d🚀 Zoë 王熙鳳 O’Dara",
    "a" * 300,
)
"""Each can be a note's title, an alias or a key of somebody's vault."""
