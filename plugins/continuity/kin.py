"""Find conflicting kinship: who is whose sister, mother or uncle.

true:  a note says that Mara is Ann's mother; "Ann kissed her aunt Mara."
false: "her sister-in-law Mara" beside "her friend Mara"; a cousin whom somebody marries
false: "Mara shall be my aunt," said Ann.
false: "He travelled as her brother Ben."  "Was he her brother, Ben?"
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from writeros_entities import (
    Evidence,
    Finding,
    NamedSpan,
    Scene,
    Sentence,
    Story,
    StoryRelation,
    gender_of,
)

from .people import People
from .verbs import is_in_tense

_CLASSES = {
    "parent": "mother father mama papa mamma parent",
    "child": "son daughter child",
    "sibling": "brother sister twin sibling",
    "spouse": "wife husband spouse",
    "grandparent": "grandmother grandfather grandmama grandpapa grandparent",
    "grandchild": "grandson granddaughter grandchild",
    "aunt or uncle": "aunt uncle",
    "nephew or niece": "nephew niece",
    "cousin": "cousin",
}
_CLASS = {word: kind for kind, words in _CLASSES.items() for word in words.split()}
_INVERSE = {
    "parent": "child",
    "child": "parent",
    "grandparent": "grandchild",
    "grandchild": "grandparent",
    "aunt or uncle": "nephew or niece",
    "nephew or niece": "aunt or uncle",
}
_RELATIONS = {
    "parent_of": "parent",
    "sibling_of": "sibling",
    "spouse_of": "spouse",
    "grandparent_of": "grandparent",
    "cousin_of": "cousin",
    "aunt_or_uncle_of": "aunt or uncle",
}
"""The kinship that each relation kind states; of a pair of inverse kinds the index stores one."""
_BOTH = frozenset({"cousin", "spouse"})
"""Kinds that may hold of the same two people."""
KIN = "|".join(sorted(_CLASS, key=len, reverse=True))
_ADJECTIVE = (
    r"(?:(?:own|younger|elder|older|little|big|eldest|youngest|twin|only|dear|poor|late)\s+)*"
)
_POSSESSIVE = re.compile(rf"\b(?P<whose>her|his)\s+{_ADJECTIVE}(?P<kin>{KIN}),?\s+\Z", re.I)
_CLOSED = r"(?=\s*[.;:!?)—–]|--|\s*\Z|,(?!\s+(?:and|or|[A-Z])))"
"""Matches after an apposition that is neither followed by the next item of a list nor a subject:
"his son, Ben, and Ann".
"""
_BEHIND = re.compile(rf"\A,\s+(?P<whose>her|his)\s+{_ADJECTIVE}(?P<kin>{KIN}){_CLOSED}", re.I)
_ENDS = re.compile(_CLOSED)
_OLD_ONES = re.compile(
    rf"\b(?P<who>she|he)\s+(?:was|is)\s+the\s+old\s+(?P<old>man|woman|lady|gentleman)['’]s\s+"
    rf"{_ADJECTIVE}(?P<kin>{KIN})\b(?!-|['’]s)",
    re.IGNORECASE,
)
_WHOSE_KIN = rf"\b(?:her|his)\s+{_ADJECTIVE}(?:{KIN}),?\s+\Z"
_NOT_SO = re.compile(
    r"\b(?:if|whether|would|could|might|pretend\w*|dream\w*|imagin\w*|suppos\w*|pos(?:e[ds]?|ing)"
    r"|pass(?:ed|es|ing)?|travell?ed|disguised|known|took|taken|mistook|mistaken|call(?:s|ed|ing)?"
    r"|play(?:s|ed|ing)?|stage|film|scene)\b"
    rf"[^.;:!?]{{0,200}}{_WHOSE_KIN}"
    rf"|\b(?:said|says|claim(?:s|ed)|lied|lies|joke[ds]?|insist(?:s|ed)|t(?:old|ells))\b[^.,;:!?]{{0,200}}"
    rf"{_WHOSE_KIN}",
    re.IGNORECASE,
)
"""Matches before a name whose bearer is perhaps no kin: "she passed for his sister"."""
_CALLED_SO = re.compile(r"\A,? as [^.;:!?]*\bcall")
_BEGINS_CLAUSE = re.compile(
    r"(?:\A|[^\w\s]|\b(?:and|as|because|but|for|since|so|that|then|until|when|where|while))\s*\Z"
)
"""Matches before the subject of a clause: in "she told her uncle Ben was ill", it is Ben."""

CERTAIN = 0.75


@dataclass(frozen=True, slots=True)
class Kinship:
    """A statement that `one` is the `kind` of `other`."""

    one: str
    other: str
    kind: str
    evidence: Evidence


def kin_conflicts(story: Story, people: People) -> Iterator[Finding]:
    """Yield kinships of the same two people that exclude each other."""
    told: dict[tuple[str, str], list[Kinship]] = defaultdict(list)
    order = {entity: number for number, entity in enumerate(story.entities)}
    for kinship in _kinships(story, people):
        pair = (kinship.one, kinship.other)
        if order[pair[0]] > order[pair[1]]:
            kind = _INVERSE.get(kinship.kind, kinship.kind)
            pair = (pair[1], pair[0])
            kinship = Kinship(*pair, kind, kinship.evidence)
        told[pair].append(kinship)
    for pair, found in told.items():
        counts: dict[str, int] = defaultdict(int)
        for one in found:
            counts[one.kind] += 1
        usual = max(counts, key=lambda kind: counts[kind])
        first = next(one for one in found if one.kind == usual)
        shown: set[str] = set()
        for one in found:
            if one.kind != usual and one.kind not in shown and {one.kind, usual} != _BOTH:
                shown.add(one.kind)
                names = [story.entities[entity].name for entity in pair]
                message = (
                    f"{names[0]} is {names[1]}'s {first.kind} in one place, and {one.kind} in "
                    "another."
                )
                proofs = (first.evidence, one.evidence)
                yield Finding("kin", message, proofs, CERTAIN, pair, "error")


def _kinships(story: Story, people: People) -> Iterator[Kinship]:
    manuscript = _by_path(story.scenes)
    for one in story.relations:
        kind = _RELATIONS.get(one.kind)
        is_of_people = one.source in people.by_id and one.target in people.by_id
        if kind and is_of_people and not _is_spoken(one, manuscript):
            yield Kinship(one.source, one.target, kind, one.evidence)
    for scene in (*story.sections, *story.scenes):
        for index, sentence in enumerate(scene.sentences):
            yield from _in_sentence(people, scene, index, sentence)


def _by_path(scenes: Iterable[Scene]) -> dict[str, list[Scene]]:
    found: dict[str, list[Scene]] = defaultdict(list)
    for scene in scenes:
        found[scene.path].append(scene)
    return found


def _is_spoken(relation: StoryRelation, manuscript: Mapping[str, list[Scene]]) -> bool:
    """Say whether only characters state a relation, who may hope, joke or lie."""
    proof = relation.evidence
    for scene in manuscript.get(proof.path, ()):
        for sentence in scene.sentences:
            if sentence.evidence.start < proof.end and proof.start < sentence.evidence.end:
                pair = (relation.source, relation.target)
                named = [name.is_spoken for name in sentence.names if name.entity in pair]
                return bool(named) and all(named)
    return False


def _in_sentence(people: People, scene: Scene, index: int, sentence: Sentence) -> Iterator[Kinship]:
    text = sentence.narration
    for name in people.names_in(sentence):
        if not name.is_plain:
            continue
        before, after = text[: name.start], text[name.end :]
        found = _POSSESSIVE.search(before) or _BEHIND.match(after)
        if found and (not before.endswith(", ") or _ENDS.match(after)):
            offset = found.start() if found.re is _POSSESSIVE else name.start
            owner = people.referent(scene, index, offset, gender_of(found["whose"]))
            if owner and owner != name.entity and _is_so(text, name, found):
                yield _kinship(name.entity, owner, found["kin"], sentence)
    for found in _OLD_ONES.finditer(text):
        one = people.referent(scene, index, found.start(), gender_of(found["who"]))
        elder = people.elders.get(found["old"].casefold())
        if one and elder and one != elder:
            yield _kinship(one, elder, found["kin"], sentence)


def _is_so(text: str, name: NamedSpan, found: re.Match[str]) -> bool:
    """Say whether a text states a kinship, in words beside a name, as a fact."""
    before, after = text[: name.start], text[name.end :]
    if "?" in after or _NOT_SO.search(before) or _CALLED_SO.match(after):
        return False
    is_apposition = found.re is not _POSSESSIVE or found[0].rstrip().endswith(",")
    is_subject = is_apposition or _BEGINS_CLAUSE.search(before, 0, found.start()) is not None
    return is_subject or is_in_tense(text, name.end, "present")


def _kinship(one: str, other: str, word: str, sentence: Sentence) -> Kinship:
    return Kinship(one, other, _CLASS[word.casefold()], sentence.evidence)
