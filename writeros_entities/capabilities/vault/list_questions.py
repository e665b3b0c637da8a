"""List what the writer could decide, with the answers that she could give."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pydantic import Field

from writeros_entities.capabilities.answers import Answer, empty_page, omitted
from writeros_entities.capability import AsOf, Limit, Offset, Request, Response, capability

if TYPE_CHECKING:
    from writeros_entities.view import View


class ListQuestions(Request["QuestionList"]):
    """Which questions to list."""

    as_of: AsOf = None
    limit: Limit = 50
    offset: Offset = 0


class PossibleAnswer(Answer):
    """An answer to a question."""

    says: str = Field(description="What it says, in a word: person, plan, same, no_name, …")
    line: str = Field(description="As the note of decisions would have it.")


class Question(Answer):
    """Something of which the index is unsure."""

    text: str
    about: str = Field(
        description="The name, or the path of the note or folder; empty for several."
    )
    answers: list[PossibleAnswer]
    is_guess: bool = Field(description="The first answer is the likeliest.")
    is_put_off: bool = Field(description="The writer wants to be asked later.")


class QuestionList(Response):
    """A page of questions, the most telling first, and those put off last."""

    limited: ClassVar[str | None] = "questions"

    questions: list[Question]
    total: int
    put_off: int = Field(description="How many of them are put off.")

    def as_text(self) -> str:
        """Return the questions as a list, each with its answers."""
        if not self.questions:
            return empty_page(self.total, "question", "Nothing is in question.")
        parts = []
        for one in self.questions:
            head = f"- {one.text}{' (put off)' if one.is_put_off else ''}"
            parts += [head, *(f"  - {answer.says}: `{answer.line}`" for answer in one.answers)]
        return "\n".join(parts) + omitted(len(self.questions), self.total, "question")


@capability(family="vault", offered=False)
def list_questions(view: View, request: ListQuestions) -> QuestionList:
    """List what the writer could decide, with lines for `decide`."""
    from writeros_entities.capabilities.vault.proposals import list_questions as find_questions
    from writeros_entities.store.vaults import vault_row
    from writeros_entities.sync.decided import decision_words, decisions_of

    words = decision_words(view.plugins, view.settings)
    found = find_questions(view, words, decisions_of(view))
    later = vault_row(view).put_off or []
    order = {line: at for at, line in enumerate(later)}
    found.sort(key=lambda one: order.get(one.line, -1))
    page = found[request.offset : request.offset + request.limit]
    return QuestionList(
        questions=[
            Question(
                text=one.question,
                about=one.name,
                answers=[
                    PossibleAnswer(says=says, line=line)
                    for line, says in ((one.line, one.answer), *one.others)
                ],
                is_guess=one.is_guess,
                is_put_off=one.line in order,
            )
            for one in page
        ],
        total=len(found),
        put_off=sum(one.line in order for one in found),
    )
