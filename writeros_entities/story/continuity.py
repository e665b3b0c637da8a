"""Run continuity rules on a story, and give each finding a stable id.

The id follows from the code and the conflicting words, not from their location: it survives edits
elsewhere, renamed notes and reordered chapters, and changes when one of the quotes changes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from writeros_entities.answers import check_findings
from writeros_entities.errors import FAULTS, NotFoundError, describe_error
from writeros_entities.names import nearest_names
from writeros_entities.story.loading import load_story

if TYPE_CHECKING:
    from writeros_entities.protocols import ContinuityRule
    from writeros_entities.values import Evidence, Finding
    from writeros_entities.values.story import Story
    from writeros_entities.view import View

HOOK = "register_continuity_rules"


@dataclass(frozen=True, slots=True)
class IdentifiedFinding:
    """A finding, the rule that made it, and the id by which it can be waived."""

    id: str
    rule: str
    finding: Finding


@dataclass(frozen=True, slots=True)
class Checked:
    """The findings, surest first; the rules that ran; and those that failed, with the error."""

    findings: tuple[IdentifiedFinding, ...]
    rules: tuple[str, ...]
    failures: tuple[tuple[str, str], ...]


def check_story(view: View, rules: Sequence[str] = ()) -> Checked:
    """Run all rules, or those named, on the story as of the view; cached until the index changes.

    Raises NotFoundError with the nearest names if no plugin provides a rule. A rule that fails is
    reported in `failures`.
    """
    chosen = _choose(view, rules)
    names = tuple(rule.name for rule in chosen)
    return view.kept(("continuity", names), lambda: _run(view, chosen))


def _run(view: View, chosen: Sequence[ContinuityRule]) -> Checked:
    story = load_story(view)
    paths = paths_of(story)
    found: dict[tuple[str, str], IdentifiedFinding] = {}
    failures = []
    for rule in view.each(chosen):
        try:
            findings = run_rule(rule, story, paths)
        except FAULTS as error:
            failures.append((rule.name, describe_error(error)))
            continue
        for finding in findings:
            one = IdentifiedFinding(identify(rule.name, finding), rule.name, finding)
            found.setdefault((one.rule, one.id), one)
    ordered = sorted(found.values(), key=in_order)
    return Checked(tuple(ordered), tuple(rule.name for rule in chosen), tuple(failures))


def run_rule(rule: ContinuityRule, story: Story, paths: Collection[str]) -> list[Finding]:
    """Return what a rule finds in a story; `paths` are `paths_of` it.

    Raises TypeError or ValueError if a finding is not valid, and whatever the rule raises.
    """
    findings = list(rule.check(story))
    check_findings(findings, paths)
    return findings


def paths_of(story: Story) -> set[str]:
    """Return the notes and canvases that a finding may quote."""
    proofs = [
        *(relation.evidence for relation in story.relations),
        *(change.evidence for change in story.changes),
        *(stated.evidence for entity in story.entities.values() for stated in entity.properties),
    ]
    scenes = (*story.scenes, *story.sections)
    return {scene.path for scene in scenes} | {proof.path for proof in proofs}


def identify(rule: str, finding: Finding) -> str:
    """Return a finding's id: sixteen hexadecimal digits of a hash of its rule, code and quotes."""
    quotes = finding.words or [one.quote for one in finding.evidence]
    words = sorted(" ".join(quote.split()) for quote in quotes)
    text = "\0".join([rule, finding.code, *words])
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _choose(view: View, names: Sequence[str]) -> list[ContinuityRule]:
    known = view.plugins.named(HOOK)
    for name in names:
        if name not in known:
            raise NotFoundError("continuity rule", name, nearest_names(name, known))
    return [rule for name, rule in sorted(known.items()) if not names or name in names]


def in_order(one: IdentifiedFinding) -> tuple[object, ...]:
    """Return the sort key of findings: the surest first, then by rule and place of their quotes."""
    places = tuple(map(_place, one.finding.evidence))
    return -one.finding.confidence, one.rule, places, one.id


def _place(proof: Evidence) -> tuple[object, ...]:
    return proof.position is None, proof.position or 0, proof.path, proof.start
