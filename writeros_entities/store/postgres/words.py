"""Words for full text on PostgreSQL: those, and only those, that SQLite's full text finds.

PostgreSQL's own parser knows e-mail addresses, hyphenated words and a dictionary's stems; another
engine would then give other answers. The functions here do what FTS5's tokenizer `unicode61
remove_diacritics 2` does: a word is a run of letters and digits, in lower case and without accents.
What is a letter, and what it becomes, stands in `unicode61.json`, taken from FTS5 for every code
point. They are immutable and read no table, so that a generated column can call them.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

MAX_LETTERS = 500
"""Of a longer word only so much is kept: PostgreSQL takes 2,046 bytes."""

MAX_TITLE = 1_000
MAX_WORDS = 15_000
"""Words of a title and of a body that are kept: PostgreSQL counts to 16,383, title and body as one.
"""

MAX_SIGNS = 100_000
"""Characters of one text that are looked at: PostgreSQL takes a megabyte of words."""

TITLE = 1_000_000
"""One occurrence in a title, among counts: more than a body has words."""

_LIMITS = {"letters": MAX_LETTERS, "title": MAX_TITLE, "words": MAX_WORDS, "signs": MAX_SIGNS}

CUT = "+"
"""Stands among the words of a text that has more than are kept; no word looks like it."""


def function_statements() -> list[str]:
    """Return the SQL that creates the functions that the tables' generated columns call.

    `writeros_words(text)` gives the words in order. `writeros_terms(title, body)` gives a tsvector
    of both: the title's words have the weight A, the body's D and places from 1,001 on.
    `writeros_counts(title, body)` says how often each word stands there, as an object of
    `TITLE × title + body`, of the words that do not stand once in the body and nowhere else.
    """
    return [
        _WORDS.format(**_letters()),
        _TERMS.format(**_LIMITS, cut=CUT),
        _COUNTS.format(**_LIMITS, one_in_title=TITLE),
    ]


def drop_statements() -> list[str]:
    """Return the SQL that removes the functions again."""
    return [
        "DROP FUNCTION writeros_counts(text, text)",
        "DROP FUNCTION writeros_terms(text, text)",
        "DROP FUNCTION writeros_words(text)",
    ]


_WORDS = """
CREATE FUNCTION writeros_words(source text) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $function$
DECLARE
  folded text := lower(source COLLATE "C");
  sign text;
  place integer;
  from_letters text := '';
  to_letters text := '';
  marks text := '';
BEGIN
  IF octet_length(folded) = char_length(folded) THEN
    RETURN array_remove(regexp_split_to_array(folded, '[^a-z0-9]+'), '');
  END IF;
  FOR sign IN
    SELECT DISTINCT one COLLATE "C" FROM
    regexp_split_to_table(regexp_replace(folded, '[\\u0001-\\u007f]+', '', 'g'), '') AS one
  LOOP
    place := strpos('{upper}' COLLATE "C", sign);
    IF place > 0 THEN
      from_letters := from_letters || sign;
      to_letters := to_letters || substr('{lower}', place, 1);
    ELSIF strpos('{marks}' COLLATE "C", sign) > 0 THEN
      marks := marks || sign;
    END IF;
  END LOOP;
  folded := translate(folded, from_letters || marks, to_letters);
  RETURN array_remove(regexp_split_to_array(folded, '[^{letters}]+'), '');
END
$function$
"""

_TERMS = """
CREATE FUNCTION writeros_terms(title text, body text) RETURNS tsvector
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $function$
  SELECT coalesce(string_agg(entry, ' '), '')::tsvector FROM (
    SELECT CASE WHEN place <= {title}
      THEN '''' || left(word, {letters}) || ''':' || place || 'A' ELSE '{cut}' END AS entry
    FROM unnest(writeros_words(left(title, {signs}))) WITH ORDINALITY AS titles(word, place)
    WHERE place <= {title} + 1
    UNION ALL
    SELECT CASE WHEN place <= {words}
      THEN '''' || left(word, {letters}) || ''':' || place + {title} ELSE '{cut}' END
    FROM unnest(writeros_words(left(body, {signs}))) WITH ORDINALITY AS bodies(word, place)
    WHERE place <= {words} + 1
    UNION ALL
    SELECT '{cut}' WHERE greatest(char_length(title), char_length(body)) > {signs}
  ) AS entries
$function$
"""

_COUNTS = """
CREATE FUNCTION writeros_counts(title text, body text) RETURNS jsonb
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $function$
  SELECT jsonb_object_agg(word, number) FROM (
    SELECT left(word, {letters}) AS word, sum(one) AS number FROM (
      SELECT word, {one_in_title} AS one
      FROM unnest(writeros_words(left(title, {signs}))) WITH ORDINALITY AS titles(word, place)
      WHERE place <= {title}
      UNION ALL
      SELECT word, 1
      FROM unnest(writeros_words(left(body, {signs}))) WITH ORDINALITY AS bodies(word, place)
      WHERE place <= {words}
    ) AS words GROUP BY 1 HAVING sum(one) <> 1
  ) AS counted
$function$
"""


@cache
def _letters() -> dict[str, str]:
    found = json.loads((Path(__file__).parent / "unicode61.json").read_text("utf-8"))
    return {
        "letters": "".join(_range(first, last) for first, last in found["letters"]),
        **{name: "".join(found[name]) for name in ("upper", "lower", "marks")},
    }


def _range(first: int, last: int) -> str:
    return _escape(first) if first == last else f"{_escape(first)}-{_escape(last)}"


def _escape(code: int) -> str:
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
