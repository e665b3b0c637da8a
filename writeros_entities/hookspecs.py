"""The hooks that a plugin can implement.

A plugin is a module (or object) named by an entry point in the group `writeros_entities`; it
implements any of these functions with `@hookimpl`. There are two kinds of hooks, distinguished by
name:

- **verbs** are additive: all plugins are called, and their results are joined;
- **`register_*`** hooks return named things, among which settings choose; a name that is registered
  twice is an error.

An implementation declares only the arguments it needs, as pluggy allows.

Hooks are pure unless they say otherwise: the same arguments give the same result, without a clock,
the network or files of the vault.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import pluggy

if TYPE_CHECKING:
    from writeros_entities.capability import Capability
    from writeros_entities.lexicon import Lexicon
    from writeros_entities.ontology import Ontology
    from writeros_entities.protocols import (
        Chunker,
        ContextBuilder,
        ContinuityRule,
        EmbeddingModel,
        KnowledgeBase,
        Language,
        PriorityStrategy,
        ReadingOrder,
        RelationModel,
        TokenCounter,
    )
    from writeros_entities.settings import Settings
    from writeros_entities.values import (
        JSON,
        Calendar,
        Candidate,
        DecidedMention,
        DerivedName,
        EntityType,
        Gender,
        InferredRelation,
        Mention,
        Note,
        Page,
        ProposedName,
        RelationKind,
        Score,
        SyncOutcome,
        ToldEvent,
        Topic,
    )

PROJECT = "writeros_entities"

hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)
"""Marks a function as the implementation of the hook with its name."""


# -- Named things, chosen by settings ------------------------------------------------------------


@hookspec
def register_capabilities(settings: Settings) -> Iterable[Capability]:
    """Return capabilities; each appears on the command line, over MCP and in agent prompts.

    Called once, when plugins are loaded, also for `--help`: import heavy modules inside the
    capability's function.
    """


@hookspec
def register_chunkers(settings: Settings) -> Iterable[Chunker]:
    """Return chunkers; the setting `chunker` names the one that splits notes.

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
def register_languages(settings: Settings) -> Iterable[Language]:
    """Return languages: the words of each and, where one is installed, its parser.

    Called once, when plugins are loaded, also for `--help`: read files and load models on first
    use. The language of a note is its property `language` or `lang`, the setting `language`, or
    told from its words.
    """


@hookspec
def register_priority_strategies(settings: Settings) -> Iterable[PriorityStrategy]:
    """Return strategies that rank chunks for a prompt; a request names one.

    Called once, when plugins are loaded; `rank` is called for every context, with the chunks of an
    entity.
    """


@hookspec
def register_context_builders(settings: Settings) -> Iterable[ContextBuilder]:
    """Return context builders, which pack passages into a budget.

    The setting `context_builder` names the default, a request may name any. Called once, when
    plugins are loaded; `pack` is called twice for every context: for the budget, and to find what
    500 more tokens would add.
    """


@hookspec
def register_entity_types(settings: Settings) -> Iterable[EntityType]:
    """Return types of entities, with the words and folder names for them.

    Called once, when plugins are loaded. A type that no plugin knows is kept as written.
    """


@hookspec
def register_relation_kinds(settings: Settings) -> Iterable[RelationKind]:
    """Return kinds of relation: inverse, symmetry, domain, range, and the words for them.

    Called once, when plugins are loaded. A key that belongs to no kind, but links to an entity, is
    a kind of its own, spelled in snake_case.
    """


@hookspec
def register_knowledge_bases(settings: Settings) -> Iterable[KnowledgeBase]:
    """Return knowledge bases; the setting `knowledge_bases` lists those that a vault uses.

    Called once, when plugins are loaded; `entities()` is called when one is first needed.
    """


@hookspec
def register_relation_models(settings: Settings) -> Iterable[RelationModel]:
    """Return models of relations; the setting `relation_model` names the one that is used.

    Called once, when plugins are loaded. A model learns from triples (`train`) and scores others
    (`place`). The framework evaluates it on held-out triples and calibrates its scores, and lets it
    answer only where it beats counting. `train` is called after a sync and beside a watched vault;
    import training libraries inside it.
    """


@hookspec
def register_reading_orders(settings: Settings) -> Iterable[ReadingOrder]:
    """Return readers of reading order; the first that claims a note wins.

    The setting `reading_orders` lists those that are used, in order. Called once, when plugins are
    loaded; `claim` is called for every note that is synced.
    """


@hookspec
def register_calendars(settings: Settings) -> Iterable[Calendar]:
    """Return calendars, by which dates of the story are read and ordered.

    Called once, when plugins are loaded, also for `--help`. A date is read by the first calendar
    that has its month and era; those that begin with the Gregorian year 1 come last.
    """


@hookspec
def register_continuity_rules(settings: Settings) -> Iterable[ContinuityRule]:
    """Return continuity rules; `check_continuity` runs all of them, or those that it is given.

    Called once, when plugins are loaded; a rule's `check` is called on request, with the story as a
    reader at some position knows it. What it finds is cached until the index changes. A rule that
    fails, or that quotes what is no note of the story, is named in the answer; the others still
    run.
    """


@hookspec
def read_calendars(path: str, data: JSON, text: str) -> Iterable[Calendar]:
    """Return the calendars that the vault describes at `path`.

    Called with what Calendarium and Fantasy Calendar keep in their `data.json`, read as `data` (and
    no text), and with each note of the kind `calendar`: its properties and its text. The results of
    all plugins are joined; of two calendars with one name the last is used.
    """


# -- From a note to its mentions -----------------------------------------------------------------


@hookspec
def propose_entities(note: Note, settings: Settings) -> Iterable[ProposedName]:
    """Return names in `note` that should become entities although they have no note.

    Called once for every changed note, before the lexicon is known. The results of all plugins are
    joined: a name proposed twice has the greater count and the smaller needed number, and the
    spelling and type of the proposal with the higher confidence. Names known from a note, an alias
    or a link are dropped.
    """


@hookspec
def derive_names(
    name: str, aliases: Sequence[str], entity_type: str, gender: Gender | None
) -> Iterable[DerivedName]:
    """Return weaker names of an entity: given name, surname, title and surname.

    Called when an entity's note changes, and for a suggested name of which a part is suggested too:
    a derived form that is used, and is nobody else's name, becomes another name of it. So does the
    given name of a person of whose name one use is enough. `gender` is the one that the note states
    (`gender`, `sex`, `pronouns`) or that its text shows ("Tom keeps a shop. He is old"), else None.
    The results of all plugins are joined; of equal forms the greatest weight is used. Never return
    a form that is a name or an alias.
    """


@hookspec
def detect_entities(note: Note, lexicon: Lexicon, settings: Settings) -> Iterable[Mention]:
    """Return the mentions in `note.prose` of entities of `lexicon`, with candidates for each.

    Called for every changed note, for every note in which a changed name may occur, and for texts
    that are not notes. The results of all plugins are joined: equal spans unite their candidates,
    overlapping spans compete (the longest wins, then the leftmost). Return overlapping spans rather
    than choosing: which of them counts can depend on the reading position.

    A vault may have millions of names. Look up those of the text: `lexicon.lengths(piece)` has the
    lengths of the folded forms that begin with a piece of text (see `pieces` and `fold`),
    `lexicon.named(folded)` the names of a folded form, `lexicon.entities[id]` an entity. Iterating
    over `lexicon.names` is possible, but takes as long as the vault is large.
    """


@hookspec
def link_mention(
    mention: Mention, candidates: Sequence[Candidate], note: Note, lexicon: Lexicon
) -> Iterable[Score]:
    """Return scores for and against the candidates of an ambiguous mention.

    Called if a span has several candidates, or a weak one; during a sync, not if a longer,
    unambiguous name takes its place for every reader. No entity occurs twice among the candidates:
    if two names of one entity fit, known from different positions, there is a separate call for
    each. `lexicon` is the one with which the mention was detected, for looking up a candidate's
    other names. The scores of all plugins are added to the candidate's own. A score must depend on
    that candidate alone, never on its rivals: otherwise a rival from a later chapter would change
    what an earlier reader sees.
    """


# -- From notes to statements --------------------------------------------------------------------


@hookspec
def infer_relations(
    note: Note,
    page: Page,
    language: Language | None,
    mentions: Sequence[DecidedMention],
    ontology: Ontology,
    lexicon: Lexicon,
    subject: DecidedMention | None,
) -> Iterable[InferredRelation]:
    """Return the relations that the note states between its mentions.

    `page` has the note's lines as a reader sees them and, with the setting `close_reading`, the
    words of their sentences; `language` is the note's, or None if no plugin knows it.

    Called after detection for every note whose mentions are redetected; for a note with thousands
    of them in several calls, each with the mentions of some chunks. `mentions` are ordered and may
    overlap, as what holds can depend on the reading position. `subject` is the entity whose note
    this is, if any: an empty mention at the start of the body, which may be an end of a relation
    like any other. A result may depend only on its own two mentions and on the note's text, never
    on which other mentions there are; it holds from where both are known. Both must be in one
    chunk. Kinds are those of `ontology`, which also knows the writer's words for them. The results
    of all plugins are joined; of two equal relations stated by the same words, the one with the
    higher confidence is used.
    """


@hookspec
def tell_events(
    note: Note,
    page: Page,
    language: Language | None,
    mentions: Sequence[DecidedMention],
    ontology: Ontology,
    lexicon: Lexicon,
    subject: DecidedMention | None,
) -> Iterable[ToldEvent]:
    """Return what happens by the note's words, with those of its mentions that take part.

    Called as `infer_relations` is, and with the same; what it says of results holds for each that
    takes part in an event. An event is seen from where its words may be read and who takes part is
    known; one in which nobody takes part is not kept.
    """


@hookspec
def extract_topics(note: Note) -> Iterable[Topic]:
    """Return the topics of the note.

    Called once for every changed note. The results of all plugins are joined; of equal names the
    greatest confidence is used.
    """


# -- Observation ---------------------------------------------------------------------------------


@hookspec
def note_synced(outcome: SyncOutcome) -> None:
    """Observe what a sync did, after it was committed.

    Called once for every sync that changed something. An error here is reported and changes
    nothing.
    """
