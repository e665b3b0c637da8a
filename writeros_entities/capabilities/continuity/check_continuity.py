"""Find contradictions in the vault, with the quotes that clash."""

from __future__ import annotations

import json
import tomllib
from typing import TYPE_CHECKING, Annotated, ClassVar, Self

from pydantic import Field

from writeros_entities.capabilities.answers import Answer, Proof, omitted, part_of
from writeros_entities.capabilities.parts import plain_text
from writeros_entities.capability import AsOf, Limit, Offset, Request, Response, capability
from writeros_entities.values import FindingSeverity

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from writeros_entities.story.continuity import IdentifiedFinding
    from writeros_entities.vault.decisions import Decisions
    from writeros_entities.view import View


class CheckContinuity(Request["ContinuityReport"]):
    """Which rules to run, and which findings to show."""

    rules: Annotated[
        tuple[str, ...],
        Field(
            description="Only these rules (acts-after-death, age-arithmetic, …); all by default."
        ),
    ] = ()
    min_confidence: Annotated[
        float, Field(ge=0, le=1, description="Leave out findings less sure than this.")
    ] = 0.4
    include_waived: Annotated[
        bool, Field(description="Also show findings waived in the settings.")
    ] = False
    as_of: AsOf = None
    limit: Limit = 50
    offset: Offset = 0


class ContinuityFinding(Answer):
    """A possible fault: the rule, what it says, and the quotes that clash."""

    id: str = Field(description="To waive it, add this id to continuity_waivers.")
    rule: str
    code: str
    message: str
    severity: FindingSeverity = Field(
        description="Two statements that exclude each other (error), what a reader may stumble "
        "over (warning), or a loose end (hint)."
    )
    confidence: float
    is_waived: bool
    evidence: list[Proof]


class ContinuityReport(Response):
    """A page of possible faults, the surest first."""

    limited: ClassVar[str | None] = "findings"

    findings: list[ContinuityFinding]
    total: int
    waived: int = Field(description="How many findings the settings waive.")
    rules: list[str] = Field(description="The rules that ran.")
    failures: list[str] = Field(description="Rules that failed, with the error.")
    stale_waivers: list[str] = Field(description="Waivers in the settings that match nothing.")
    waiver_line: str | None = Field(
        description="The line for the vault's settings file that waives all of this page."
    )

    def as_text(self) -> str:
        """Return the findings as a list, each with its quotes and its id."""
        if not (self.rules or self.failures):
            return "No plugin with rules is active: nothing was checked."
        waived = f" ({self.waived:,} waived)" if self.waived else ""
        shown = sum(not finding.is_waived for finding in self.findings)
        head = f"{part_of(shown, self.total, 'finding')}{waived} by {', '.join(self.rules)}."
        parts = [head, *(_text(finding) for finding in self.findings)]
        parts += [f"The rule {failure}" for failure in self.failures]
        if self.stale_waivers:
            parts.append(f"Waived, but no longer found: {', '.join(self.stale_waivers)}.")
        if self.waiver_line:
            parts.append(
                "Intended findings can be waived by id. To waive all of the above, write into "
                f"`.writeros-entities.toml` in the vault:\n\n    {self.waiver_line}"
            )
        return "\n\n".join(parts) + omitted(shown, self.total, "finding")

    def shortened(self, most: int) -> Self:
        """Return the report with fewer findings, and a waiver line for these only."""
        shorter = super().shortened(most)
        if self.waiver_line is None:
            return shorter
        left_out = {one.id for one in self.findings[most:] if not one.is_waived}
        waivers = tomllib.loads(self.waiver_line)["continuity_waivers"]
        line = _waiver_line(
            [one for one in waivers if one not in left_out],
            is_new=any(not one.is_waived for one in shorter.findings),
        )
        return shorter.model_copy(update={"waiver_line": line})

    def is_failure(self) -> bool:
        """Return whether a script should stop: there are unwaived findings, or a rule failed."""
        return self.total > 0 or bool(self.failures)


def _text(finding: ContinuityFinding) -> str:
    waived = ", waived" if finding.is_waived else ""
    sure = f"{finding.severity}, {finding.confidence:.2f}"
    message = " ".join(finding.message.split())
    head = f"**{message}** ({finding.rule}: {sure}, {finding.id}{waived})"
    quotes = [
        f"- {proof.path}:{proof.line} — “{' '.join(plain_text(proof.quote).split())}”"
        for proof in finding.evidence
    ]
    return "\n".join([head, "", *quotes])


@capability(family="continuity", job="find contradictions")
def check_continuity(view: View, request: CheckContinuity) -> ContinuityReport:
    """Look for places where the vault contradicts itself, each with the two quotes that clash.

    The dead who act, people in two places at once, ages that do not add up, eyes that change
    colour, names used too early or too much alike, and set-ups without a pay-off. A finding is a
    question to the writer, not a verdict.

    Rules are plugins; `list_plugins` names them. Waive what is intended by its id, in the settings.
    The command ends with exit code 1 while there are findings that are not waived.
    """
    from writeros_entities.story.continuity import check_story
    from writeros_entities.sync.decided import decisions_of

    checked = check_story(view, request.rules)
    waivers, decided = view.settings.continuity_waivers, decisions_of(view)
    sure = [one for one in checked.findings if one.finding.confidence >= request.min_confidence]
    present = [
        one for one in sure if all(view.has_file(proof.path) for proof in one.finding.evidence)
    ]
    waived = {one.id for one in present if one.id in waivers or _is_decided(one, decided)}
    active = [one for one in present if one.id not in waived]
    shown = present if request.include_waived else active
    page = shown[request.offset : request.offset + request.limit]
    new = [one.id for one in page if one.id not in waived]
    known = {one.id for one in checked.findings}
    is_whole = request.as_of is None and not request.rules
    return ContinuityReport(
        findings=[_finding(one, waived) for one in page],
        total=len(active),
        waived=len(present) - len(active),
        rules=list(checked.rules),
        failures=[f"{rule} failed: {error}" for rule, error in checked.failures],
        stale_waivers=[waiver for waiver in waivers if is_whole and waiver not in known],
        waiver_line=_waiver_line([*waivers, *new], is_new=bool(new)),
    )


def _is_decided(one: IdentifiedFinding, decided: Decisions) -> bool:
    """Say whether the writer intends a finding, or has said that its two names are two people's."""
    names = one.finding.words
    return decided.waives(one.id) or (len(names) == 2 and decided.are_different(*names))


def _finding(one: IdentifiedFinding, waivers: Collection[str]) -> ContinuityFinding:
    return ContinuityFinding(
        id=one.id,
        rule=one.rule,
        code=one.finding.code,
        message=one.finding.message,
        severity=one.finding.severity,
        confidence=round(one.finding.confidence, 2),
        is_waived=one.id in waivers,
        evidence=[Proof.of(proof) for proof in one.finding.evidence],
    )


def _waiver_line(waivers: Sequence[str], *, is_new: bool) -> str | None:
    return f"continuity_waivers = {json.dumps(waivers)}" if is_new else None
