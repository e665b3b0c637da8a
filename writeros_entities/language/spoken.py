"""Find speech: text between quotation marks, after a dash, or after a speaker's label.

    spoken_spans('"Sit," said Ann. "Here."')           ->  [(0, 6), (17, 24)]
    spoken_spans("— Sit, said Ann.")                   ->  [(0, 6)]
    spoken_spans("ANN: Sit.", frozenset({"ann"}))      ->  [(5, 9)]

Straight, curly and low quotes, double and single ones, and guillemets in both directions are
recognised. A speech that continues in the next paragraph is opened again there without having been
closed; an unclosed speech extends to the end of its paragraph. A paragraph that begins with a dash
is spoken up to the words that name the speaker, and again from a dash after these. Labels are those
of a script, whose lines begin with the speaker.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache

_PAIRS = {"“": "”", "«": "»", "„": '“”"', "‹": "›", "「": "」", "『": "』"}
_TURNED = {"»": "«»", "›": "‹›", "”": "”"}
"""Marks that open a speech only at the beginning of a word: »Sit«, »Sit», ”Sit”."""

_MARKS = re.compile('["“”«»„‹›「」『』]')
_BEFORE_SPEECH = r"(?:(?<=\s)|(?<=\A)|(?<=[—–(-]))"
_TURNED_OPENING = re.compile(rf"{_BEFORE_SPEECH}[»›”](?=\S)")
_OPENING = re.compile(rf"{_BEFORE_SPEECH}['‘‚](?=['’]?\w|…)")
_CLOSING = re.compile(r"[.,!?…—–]['’‘](?=\s|\Z|[—–)])")
_BEHIND_WORD = re.compile(r"['‘’](?![\w…])")
_UNCLOSED = re.compile(
    r"(?:(?<=[.,:!?…—–]\s)|(?<=\A))['‘](?=\w|…)"
    r"(?!(?i:t(?:is|was|were|will|would|ain)|em|til|cause|cos|bout|round)\b)"
)
"""Matches a single mark where a speech may begin; some words begin with an apostrophe."""

_DASH = re.compile(r"\A\s*(?:[—–―]|--)\s*(?=[^\s—–―-])")
_NOTHING = frozenset[str]()
_RESUMED = re.compile(r"[—–―][.,;:]?\s*(?=\S)")


_WORD = r"[^\W\d_a-z](?:[^\W_]|[.'’-])*"
_LABEL = re.compile(
    rf"\s*[*_]*(?P<who>{_WORD}(?: {_WORD}){{0,3}})[*_]*"
    r"(?: ?\([^()\n]{1,40}\)[*_]*)?:[*_]*\s+(?=[^\s\"“„«‹「『])"
)
"""The label at the start of a script's line: `ANN (O.S.): `, `**Ann:** `."""


def script_labels(lines: Iterable[str]) -> frozenset[str]:
    """Return the case-folded labels of lines if they are a script's (`ANN: Sit.`), else none.

    In a script at least two labels occur more than once; in a sheet (`Age: 40`), each occurs once.
    """
    labels = (_LABEL.match(line) for line in lines)
    counts = Counter(label["who"].casefold() for label in labels if label)
    speaking = sum(count > 1 for count in counts.values())
    return frozenset(counts) if speaking > 1 else frozenset()


def spoken_behind_label(line: str, labels: Collection[str] | None = None) -> tuple[int, int] | None:
    """Return the span after a line's label, or None; `labels` restricts which labels count."""
    label = _LABEL.match(line)
    if label is None or (labels is not None and label["who"].casefold() not in labels):
        return None
    return label.end(), len(line.rstrip())


def spoken_spans(
    paragraph: str,
    labels: Collection[str] = (),
    saying: frozenset[str] = _NOTHING,
    subjects: frozenset[str] = _NOTHING,
) -> list[tuple[int, int]]:
    """Return the spans of speech in one paragraph, quotation marks included, in order.

    Behind a dash the speech ends before the words for who says it: a verb of `saying`, or one
    behind its subject, of which `subjects` are the pronouns.
    """
    labelled = spoken_behind_label(paragraph, labels) if labels else None
    if labelled is not None:
        return [labelled]
    has_single = any(mark in paragraph for mark in "'‘‚")
    single = _between_single_marks(paragraph) if has_single else []
    double = _MARKS.search(paragraph)
    if double and not any(start < double.start() < end for start, end in single):
        return _between_marks(paragraph)
    return single or list(_behind_dashes(paragraph, saying, subjects))


def _between_single_marks(paragraph: str) -> list[tuple[int, int]]:
    """Return the spans between single quotation marks that close behind the end of a sentence.

    Those with an odd number of double marks are not speeches, but apostrophes between speeches.
    """
    ends = [found.end() for found in _CLOSING.finditer(paragraph)]
    spans: list[tuple[int, int]] = []
    last = 0
    for opening in _OPENING.finditer(paragraph):
        start = opening.start()
        number = bisect_left(ends, start + 4) if start >= last else len(ends)
        if number < len(ends):
            last = ends[number]
            spans.append((start, last))
    written = paragraph.rstrip()
    if written.endswith(tuple(".,:!?…—–")):
        last = max((found.end() for found in _BEHIND_WORD.finditer(written, last)), default=last)
        unclosed = _UNCLOSED.search(written, last)
        spans += [(unclosed.start(), len(written))] if unclosed else []
    return [span for span in spans if len(_MARKS.findall(paragraph, *span)) % 2 == 0]


def _between_marks(paragraph: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    opened = -1
    closing = ""
    for found in _MARKS.finditer(paragraph):
        mark = found[0]
        if opened != -1:
            if mark in closing:
                spans.append((opened, found.end()))
                opened = -1
        elif mark == '"':
            opened, closing = found.start(), '"'
        elif mark in _PAIRS:
            opened, closing = found.start(), _PAIRS[mark]
        elif mark in _TURNED and _TURNED_OPENING.match(paragraph, found.start()):
            opened, closing = found.start(), _TURNED[mark]
    if opened != -1:
        spans.append((opened, len(paragraph)))
    return spans


@lru_cache
def _said_by(saying: frozenset[str], subjects: frozenset[str]) -> re.Pattern[str]:
    """Match what stands before the words, in a speech behind a dash, that say whose it is."""
    verbs = "|".join(sorted(map(re.escape, saying))) or r"(?!)"
    pronouns = "|".join(sorted(map(re.escape, subjects))) or r"(?!)"
    return re.compile(
        rf"(?P<dash>(?<!\s)\s*[—–―]\s*)(?=(?:[\w’'-]+\s+){{0,3}}(?i:{verbs})\b)"
        rf"|(?<=[,!?…])\s+(?=(?:(?i:{pronouns})\s+|(?:[^\W\d_a-z][\w’'.-]*\s+){{1,2}})?"
        rf"(?i:{verbs})(?:\s|-|\.|\Z))"
    )


def _behind_dashes(
    paragraph: str, saying: frozenset[str], subjects: frozenset[str]
) -> Iterator[tuple[int, int]]:
    """Yield the spans of speech in a paragraph that begins with a dash."""
    dash = _DASH.match(paragraph)
    tags = _said_by(saying, subjects)
    start = dash.end() - len(dash[0].lstrip()) if dash else len(paragraph)
    while start < len(paragraph):
        tag = tags.search(paragraph, start + 1)
        if tag is None:
            yield start, len(paragraph.rstrip())
            return
        yield start, tag.start()
        again = _RESUMED.search(paragraph, tag.end()) if tag["dash"] else None
        start = again.start() if again else len(paragraph)


def without_speech(paragraph: str, spans: Sequence[tuple[int, int]] | None = None) -> str:
    """Return a paragraph with blanks in place of speech, which preserves offsets.

    `spans` are the result of `spoken_spans`, if known.
    """
    parts: list[str] = []
    last = 0
    for start, end in spoken_spans(paragraph) if spans is None else spans:
        parts += paragraph[last:start], " " * (end - start)
        last = end
    return "".join([*parts, paragraph[last:]])
