"""Check the notes and the index for problems."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

from pydantic import Field

from writeros_entities.capabilities.answers import Answer, counted, omitted
from writeros_entities.capabilities.vault.problems import ReportedProblem
from writeros_entities.capability import AsOf, Limit, Offset, Request, Response, capability

if TYPE_CHECKING:
    from writeros_entities.view import View


class Doctor(Request["Diagnosis"]):
    """Which problems to show."""

    severity: Annotated[
        Literal["info", "warning", "error"], Field(description="Show this and worse.")
    ] = "warning"
    notes_only: Annotated[
        bool, Field(description="Compare nothing with the files, and propose nothing: quick.")
    ] = False
    as_of: AsOf = None
    limit: Limit = 50
    offset: Offset = 0


class ProposedDecision(Answer):
    """A decision that would settle what the index is unsure of."""

    line: str = Field(description="As the note of decisions would have it.")
    question: str
    command: str


class Diagnosis(Response):
    """Problems of the vault or its index, the worst first, and what the writer could decide."""

    limited: ClassVar[str | None] = "problems"

    problems: list[ReportedProblem]
    total: int
    errors: int
    warnings: int
    infos: int
    proposals: list[ProposedDecision] = Field(
        default=[], description="What to decide, the most telling first."
    )

    def as_text(self) -> str:
        """Return the problems as a list."""
        counts = {"error": self.errors, "warning": self.warnings, "remark": self.infos}
        text = ", ".join(counted(count, noun) for noun, count in counts.items())
        hidden = sum(counts.values()) - self.total
        text += f"; {hidden:,} not listed (severity info lists them)." if hidden else "."
        if self.problems:
            text += "\n\n" + "\n".join(trouble.as_text() for trouble in self.problems)
        text += omitted(len(self.problems), self.total, "problem")
        if self.proposals:
            told = "\n".join(f"- {one.question}\n  `{one.command}`" for one in self.proposals)
            text += f"\n\nYou could decide (or say otherwise, in your own words):\n\n{told}"
        return text

    def is_failure(self) -> bool:
        """Return whether a script should stop: the index itself has errors."""
        return self.errors > 0


@capability(family="vault", offered=False, reads_unread=True)
def doctor(view: View, request: Doctor) -> Diagnosis:
    """Check the index against the files and itself, and list what is wrong with the notes.

    Errors are faults of the index; warnings are broken plugins, wrong settings, notes that cannot
    be read or are copies, links to an alias, misspelt types; remarks are links that lead nowhere.
    Where the index is unsure what a note is, in which order chapters stand, or who is who, it
    proposes what to decide.
    """
    from writeros_entities.capabilities.vault import checks, contents
    from writeros_entities.capabilities.vault.knowledge import find_unused_knowledge
    from writeros_entities.capabilities.vault.proposals import propose_decisions
    from writeros_entities.sync.decided import decision_words, decisions_of

    is_whole = view.as_of is None and not request.notes_only
    problems = [
        *(() if request.notes_only else checks.check_index(view)),
        *checks.broken_plugins(view),
        *checks.unavailable_choices(view),
        *(checks.compare_with_files(view) if is_whole else ()),
        *contents.recorded_problems(view),
        *checks.conflict_copies(view),
        *checks.near_copies(view),
        *checks.link_problems(view),
        *checks.missing_places(view),
        *checks.misspelt_types(view, view.plugins.entity_types.values()),
        *(
            contents.Problem("warning", "unused-knowledge", "", str(unused))
            for unused in find_unused_knowledge(view)
        ),
    ]
    words = decision_words(view.plugins, view.settings)
    decided = decisions_of(view)
    proposed = propose_decisions(view, words, decided) if is_whole else ()
    order = ["error", "warning", "info"]
    problems.sort(key=lambda problem: (order.index(problem.severity), problem.path, problem.code))
    shown = [
        problem
        for problem in problems
        if order.index(problem.severity) <= order.index(request.severity)
    ]
    page = shown[request.offset : request.offset + request.limit]
    count = [problem.severity for problem in problems].count
    return Diagnosis(
        problems=[ReportedProblem.of(problem) for problem in page],
        total=len(shown),
        errors=count("error"),
        warnings=count("warning"),
        infos=count("info"),
        proposals=[ProposedDecision.of(one) for one in proposed],
    )
