"""Evaluate the relation model, on the vault's own relations or as shipped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from writeros_entities.capabilities.answers import Answer, table
from writeros_entities.capability import Request, Response, capability

if TYPE_CHECKING:
    from collections.abc import Mapping

    from writeros_entities.view import View


class EvaluateRelations(Request["RelationReport"]):
    """Which model to evaluate."""

    shipped: Annotated[bool, Field(description="Of shipped facts, not the vault.")] = False


class Baseline(Answer):
    """The figures of a simple rule on the same triples."""

    name: str
    mrr: float
    hits_at_10: float
    auc: float


class RelationReport(Response):
    """Figures on held-out triples; null if there were too few."""

    model: str | None
    source: Literal["vault", "shipped"] | None
    triples: int
    held_out: int
    kinds: dict[str, int] = Field(description="Triples of each kind.")
    answers: bool = Field(description="Whether the model is used; else it abstains.")
    why: str | None = Field(description="Why it abstains.")
    mrr: float | None
    hits_at_1: float | None
    hits_at_10: float | None
    auc: float | None
    accuracy: float | None
    calibration_error: float | None
    answered: float | None = Field(description="Share of triples called valid or unlikely.")
    answered_accuracy: float | None = Field(description="Accuracy of those.")
    baselines: list[Baseline]

    def as_text(self) -> str:
        """Return the report as a table, with the baselines below the model."""
        if self.model is None:
            return self.why or ""
        if self.mrr is None:
            return f"{self.model} abstains: {self.why}."
        head = f"{self.model}, trained on {self.triples:,} triples ({self.source})."
        if self.why:
            head += f" It abstains: {self.why}."
        rows: list[tuple[object, ...]] = [("model", self.mrr, self.hits_at_10, self.auc)]
        rows += [(one.name, one.mrr, one.hits_at_10, one.auc) for one in self.baselines]
        return (
            f"{head}\n\nOn {self.held_out:,} held-out triples, and as many false ones:\n\n"
            + table(["", "MRR", "Hits@10", "AUC"], rows)
            + f"\n\nAccuracy {self.accuracy}, calibration error {self.calibration_error}; it "
            f"answers {self.answered} of them, {self.answered_accuracy} rightly."
        )


@capability(family="relations", offered=False, reads_unread=True)
def evaluate_relations(view: View, request: EvaluateRelations) -> RelationReport:
    """Report how well the relation model does on held-out relations, beside simple rules.

    On the vault's own relations, once `rebuild --relations`, `sync --relations` or `watch` has
    learned them; else on the facts that it ships with.
    """
    from writeros_entities.learning.learned import chosen_model, read_trained

    model = chosen_model(view)
    if model is None:
        return _to_report(
            None, None, {"why": "There is no relation model (setting relation_model)."}
        )
    if not request.shipped:
        trained = read_trained(view, model)
        if trained is not None:
            return _to_report(model.name, "vault", trained.report)
    shipped = model.shipped()
    if shipped is None:
        return _to_report(model.name, None, {"why": "nothing has been learned yet"})
    return _to_report(model.name, "shipped", shipped.report)


def _to_report(
    name: str | None, source: Literal["vault", "shipped"] | None, report: Mapping[str, Any]
) -> RelationReport:
    figures = (
        *("mrr", "hits_at_1", "hits_at_10", "auc", "accuracy", "calibration_error"),
        *("answered", "answered_accuracy"),
    )
    return RelationReport(
        model=name,
        source=source,
        triples=report.get("triples", 0),
        held_out=report.get("held_out", 0),
        kinds=report.get("kinds", {}),
        answers=bool(report.get("gain")),
        why=report.get("why"),
        baselines=[
            Baseline(name=rule, **{key: found[key] for key in ("mrr", "hits_at_10", "auc")})
            for rule, found in report.get("baselines", {}).items()
        ],
        **{figure: report.get(figure) for figure in figures},
    )
