"""Every hook that a plugin can implement.

A plugin is a module (or object) named by an entry point in the group `writeros_entities`; it
implements any of these functions under `@hookimpl`. There are two kinds, told apart by name:

- **verbs** add up: every plugin that answers is heard, and the answers are joined;
- **`register_*`** return named things of which settings choose: a name taken twice is an error.

An implementation declares only the arguments it needs, as pluggy allows.

Hooks are pure unless they say otherwise: the same arguments give the same answer, with no clock, no
network and no file of the vault read.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import pluggy

if TYPE_CHECKING:
    from writeros_entities.capability import Capability
    from writeros_entities.ontology import Ontology
    from writeros_entities.protocols import (
        Chunker,
        ContextBuilder,
        ContinuityRule,
        EmbeddingModel,
        KnowledgeBase,
        PriorityStrategy,
        ReadingOrder,
        RelationModel,
        TokenCounter,
    )
    from writeros_entities.settings import Settings
    from writeros_entities.values import (
        Candidate,
        DecidedMention,
        DerivedName,
        EntityType,
        Gender,
        InferredRelation,
        Lexicon,
        Mention,
        Note,
        ProposedName,
        RelationKind,
        Score,
        SyncOutcome,
        Topic,
    )

PROJECT = "writeros_entities"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


# -- Named things, chosen by settings ------------------------------------------------------------


@hookspec
def register_capabilities(settings: Settings) -> Iterable[Capability[Any, Any]]:
    """Return capabilities; each appears on the command line, over MCP and in agent prompts.

    Called once, when plugins are loaded, also for `--help`: import what is heavy inside the
    capability's function.
    """


@hookspec
def register_chunkers(settings: Settings) -> Iterable[Chunker]:
    """Return chunkers; the setting `chunker` names the one that cuts notes.

    Called once, when plugins are loaded.
    """


@hookspec
def register_token_counters(settings: Settings) -> Iterable[TokenCounter]:
    """Return token counters; the setting `token_counter` names the default, a request may name any.

    Called once, when plugins are loaded.
    """


@hookspec
def register_embedding_models(settings: Settings) -> Iterable[EmbeddingModel]:
    """Return embedding models; the setting `embedding_model` names the one that is used.

    Called once, when plugins are loaded: load weights at the first `embed`, not before.
    """


@hookspec
def register_priority_strategies(settings: Settings) -> Iterable[PriorityStrategy]:
    """Return strategies that rank chunks for a prompt; a request names one.

    Called once, when plugins are loaded; `rank` is called for every context that is built, with the
    chunks that mention an entity.
    """


@hookspec
def register_context_builders(settings: Settings) -> Iterable[ContextBuilder]:
    """Return context builders, which pack passages into a budget; the setting `context_builder`
    names the default, a request may name any.

    Called once, when plugins are loaded; `pack` is called twice for every context that is built:
    for the budget, and for what 500 tokens more would add.
    """


@hookspec
def register_entity_types(settings: Settings) -> Iterable[EntityType]:
    """Return types of entity, with the words and folder names that stand for them.

    Called once, when plugins are loaded. A type that no plugin knows is kept as the writer wrote
    it.
    """


@hookspec
def register_relation_kinds(settings: Settings) -> Iterable[RelationKind]:
    """Return kinds of relation: inverse, symmetry, domain, range, and the words for them.

    Called once, when plugins are loaded. A key that no kind knows, and that holds a link to an
    entity, is a kind of its own, spelled in snake_case.
    """


@hookspec
def register_knowledge_bases(settings: Settings) -> Iterable[KnowledgeBase]:
    """Return knowledge bases; the setting `knowledge_bases` lists those that a vault uses.

    Called once, when plugins are loaded; `entities()` is called when one is first needed.
    """


@hookspec
def register_relation_models(settings: Settings) -> Iterable[RelationModel]:
    """Return models of relations; the setting `relation_model` names the one that is used.

    Called once, when plugins are loaded. A model learns triples (`train`) and scores others
    (`place`); what it is worth on triples held out from it, and what its scores mean, is found by
    the framework, which lets it answer only where it beats counting. `train` is called after a
    sync and beside a watched vault, so it imports what it trains with when it is called.
    """


@hookspec
def register_reading_orders(settings: Settings) -> Iterable[ReadingOrder]:
    """Return readers of reading order; the setting `reading_orders` lists them, the first that
    claims a note wins.

    Called once, when plugins are loaded; `claim` is called for every note that is synced.
    """


@hookspec
def register_continuity_rules(settings: Settings) -> Iterable[ContinuityRule]:
    """Return rules of continuity; `check_continuity` asks all of them, or those that it is told.

    Called once, when plugins are loaded; a rule's `check` is called on request, with the story as a
    reader at some position knows it. A rule that fails is named in the answer, and the others go
    on.
    """


# -- From a note to its mentions -----------------------------------------------------------------


@hookspec
def propose_entities(note: Note, settings: Settings) -> Iterable[ProposedName]:
    """Return names in `note` that deserve to be entities although they have no note.

    Called once for every changed note, before any lexicon is known. Answers of several plugins
    are joined: a name proposed twice counts as often as the greater count and needs the smaller
    number; spelling and type are those of the surer proposal. A name that is already known by a
    note, an alias or a link is dropped.
    """


@hookspec
def derive_names(
    name: str, aliases: Sequence[str], entity_type: str, gender: Gender | None
) -> Iterable[DerivedName]:
    """Return weaker names of an entity: given name, surname, title and surname.

    Called when an entity's note changes, and for a suggested name of which a part is suggested as
    well: forms that are used and nobody else's are other names of it. `gender` is that which the
    note states (`gender`, `sex`, `pronouns`) or its words tell ("Tom keeps a shop. He is old"),
    None where they tell none. Answers are joined; of equal forms the greatest weight holds. Never
    return a form that is a name or an alias.
    """


@hookspec
def detect_entities(note: Note, lexicon: Lexicon, settings: Settings) -> Iterable[Mention]:
    """Return the mentions in `note.prose` of entities of `lexicon`, with candidates for each.

    Called for every changed note, for every note that a changed name may occur in, and for texts
    that are no notes. Answers are joined: equal spans unite their candidates, overlapping spans
    compete (the longest wins, then the leftmost). Return overlapping spans rather than choosing:
    which of them counts can depend on the reading position.
    """


@hookspec
def link_mention(
    mention: Mention, candidates: Sequence[Candidate], note: Note, lexicon: Lexicon
) -> Iterable[Score]:
    """Return what speaks for or against each candidate of an ambiguous mention.

    Called where a span has two candidates or more, or one that is weak; in a sync not for a span
    whose place a longer and sure name takes for every reader. No entity stands twice among the
    candidates: of one that two names fit, known from different positions, each is asked about in a
    call of its own. `lexicon` is the one the mention was
    detected with, so that a candidate's other names can be looked for. Scores of all plugins are
    added to the candidate's own. A score may depend on that candidate alone, never on its rivals:
    otherwise a rival from a later chapter would change what an earlier reader is told.
    """


# -- From notes to statements --------------------------------------------------------------------


@hookspec
def infer_relations(
    note: Note,
    mentions: Sequence[DecidedMention],
    ontology: Ontology,
    lexicon: Lexicon,
    subject: DecidedMention | None,
) -> Iterable[InferredRelation]:
    """Return the relations that the note's prose states between its mentions.

    Called after detection, for every note whose mentions are found anew; for one with thousands of
    them several times, with those of some chunks each. `mentions` are ordered and may overlap:
    what holds can depend on the reading position. `subject` is the entity whose note this is, if it
    is one's: a mention without letters where the body begins, which may be an end of a relation
    like any other. So an answer may depend on its own two mentions
    and on the words of the note, never on which other mentions there are; it then holds from where
    both are known. Both have to stand in one chunk. Kinds are those of `ontology`, which also knows
    the writer's words for them. Answers are joined; of two that state the same by the same words
    the surer counts.
    """


@hookspec
def extract_topics(note: Note) -> Iterable[Topic]:
    """Return what the note is about.

    Called once for every changed note. Answers are joined; of equal names the greatest confidence
    holds.
    """


# -- Observation ---------------------------------------------------------------------------------


@hookspec
def note_synced(outcome: SyncOutcome) -> None:
    """Learn what a sync did, after it was committed.

    Called once for every sync that changed something. An error here is reported and changes
    nothing.
    """
