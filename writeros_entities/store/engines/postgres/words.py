"""SQL functions that split text into exactly the words that SQLite's full text finds.

PostgreSQL's own parser treats e-mail addresses and hyphenated words as tokens and stems by a
dictionary, and would find other chunks than SQLite. The functions here do what FTS5's tokenizer
`unicode61 remove_diacritics 2` does: a word is a run of letters and digits, in lower case and
without accents. Which characters are letters, and how each is folded, is in `unicode61.json`,
generated from FTS5 for every code point. The functions are immutable and read no table, so that
generated columns can call them.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

MAX_LETTERS = 500
"""Longer words are cut to this: PostgreSQL allows 2,046 bytes."""

MAX_TITLE = 1_000
MAX_WORDS = 15_000
"""Words of a title and of a body that are indexed: PostgreSQL's positions end at 16,383, for title
and body together.
"""

MAX_SIGNS = 100_000
"""Characters of a text that are indexed: a tsvector is limited to one megabyte."""

TITLE = 1_000_000
"""The value of one occurrence in a title within `counts`: more than a body can have words."""

_LIMITS = {"letters": MAX_LETTERS, "title": MAX_TITLE, "words": MAX_WORDS, "signs": MAX_SIGNS}

CUT = "+"
"""Marks a text that has more words than are indexed; it cannot be a word itself."""


def function_statements() -> list[str]:
    """Return the SQL that creates the functions used by the generated columns.

    `writeros_words(text)` returns the words in order. `writeros_terms(title, body)` returns a
    tsvector of both: words of the title have weight A, words of the body weight D and positions
    from 1,001 on. `writeros_counts(title, body)` returns a JSON object from word to `TITLE ×
    occurrences in the title + occurrences in the body`; it omits words that occur once in the body
    and not in the title.
    """
    return [
        _WORDS.format(**_letters()),
        _TERMS.format(**_LIMITS, cut=CUT),
        _COUNTS.format(**_LIMITS, one_in_title=TITLE),
    ]


def drop_statements() -> list[str]:
    """Return the SQL that drops the functions."""
    return [
        "DROP FUNCTION IF EXISTS writeros_counts(text, text)",
        "DROP FUNCTION IF EXISTS writeros_terms(text, text)",
        "DROP FUNCTION IF EXISTS writeros_words(text)",
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
