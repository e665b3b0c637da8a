"""An index of who and what is in a novelist's vault, for people, AI clients and agents.

    with Session.open("~/Novel") as session:
        session.call("sync", {})
        print(session.call("get_entity", {"entity": "Isolde", "as_of": 7}).as_text())

This is the public API: what plugins and embedding programs import. Everything else may change.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from writeros_entities.boundaries import is_boundary, is_unspaced, pieces, spaced_words
from writeros_entities.capability import (
    AsOf,
    Capability,
    ChapterName,
    Limit,
    Offset,
    Request,
    Response,
    capability,
)
from writeros_entities.errors import (
    AmbiguousNameError,
    BusyError,
    LimitError,
    ModelError,
    NotFoundError,
    PluginError,
    RequestError,
    ServeError,
    SettingsError,
    StoreError,
    UnreadError,
    VaultError,
    WriterosError,
)
from writeros_entities.folding import Folded, fold, fold_form
from writeros_entities.hookspecs import hookimpl
from writeros_entities.language.sentences import part_ends, sentence_ends
from writeros_entities.language.spoken import spoken_spans
from writeros_entities.language.words import Frame, Words, read_words
from writeros_entities.lexicon import Lexicon
from writeros_entities.ontology import Ontology, Reading
from writeros_entities.progress import Progress
from writeros_entities.protocols import (
    Chunker,
    ContextBuilder,
    ContinuityRule,
    EmbeddedText,
    EmbeddingModel,
    KnowledgeBase,
    Language,
    Parser,
    PriorityStrategy,
    QueryEmbeddingModel,
    ReadingOrder,
    RelationModel,
    TokenCounter,
    TranslationScorer,
    TripleScorer,
    WordEmbeddingModel,
)
from writeros_entities.settings import Settings, load_settings
from writeros_entities.values import (
    ALWAYS,
    HIDDEN,
    JSON,
    MARK,
    Block,
    BlockId,
    Callout,
    Candidate,
    ChunkSpan,
    ContextPassage,
    ContextPiece,
    ContextTask,
    ContextTier,
    DecidedMention,
    DerivedName,
    Diagnostic,
    Endpoint,
    EntityType,
    Evidence,
    Facts,
    Finding,
    Gender,
    Heading,
    InferredRelation,
    InlineField,
    KnownEntity,
    LexiconEntity,
    Line,
    Link,
    Mention,
    Name,
    Note,
    OrderClaim,
    Page,
    PageSentence,
    Party,
    PartyRole,
    Property,
    PropertyText,
    ProposedName,
    RankedChunk,
    RelationKind,
    Score,
    Span,
    SyncOutcome,
    Tag,
    Tense,
    ToldEvent,
    Topic,
    TrainedModel,
    Word,
    WordClass,
    WordForm,
    WordRole,
)
from writeros_entities.vault.roles import RoleWords

if TYPE_CHECKING:
    from writeros_entities.agents import EntityContextBuilder
    from writeros_entities.capabilities.context.parts import ContextBuildResult
    from writeros_entities.session import Session
    from writeros_entities.store.engine import Engine
    from writeros_entities.store.engines.sqlite import SqliteEngine
    from writeros_entities.story import (
        NamedSpan,
        Scene,
        Sentence,
        Speech,
        Story,
        StoryChange,
        StoryEntity,
        StoryEvent,
        StoryLink,
        StoryName,
        StoryProperty,
        StoryRelation,
        gender_of,
    )
    from writeros_entities.workspace import Workspace

__version__ = "0.1.0"

_LATER = {
    "EntityContextBuilder": "writeros_entities.agents",
    "ContextBuildResult": "writeros_entities.capabilities.context.parts",
    "Engine": "writeros_entities.store.engine",
    "Session": "writeros_entities.session",
    "SqliteEngine": "writeros_entities.store.engines.sqlite",
    "Workspace": "writeros_entities.workspace",
    **dict.fromkeys(
        (
            "NamedSpan",
            "Scene",
            "Sentence",
            "Speech",
            "Story",
            "StoryChange",
            "StoryEntity",
            "StoryEvent",
            "StoryLink",
            "StoryName",
            "StoryProperty",
            "StoryRelation",
            "gender_of",
        ),
        "writeros_entities.story",
    ),
}
"""Names that are imported on first use: most programs start without them."""


if not TYPE_CHECKING:  # with a __getattr__, a type checker would accept any name

    def __getattr__(name: str) -> object:
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_LATER[name]), name)

    def __dir__() -> list[str]:
        return [*globals(), *_LATER]


__all__ = [
    "ALWAYS",
    "HIDDEN",
    "JSON",
    "MARK",
    "AmbiguousNameError",
    "AsOf",
    "Block",
    "BlockId",
    "BusyError",
    "Callout",
    "Candidate",
    "Capability",
    "ChapterName",
    "ChunkSpan",
    "Chunker",
    "ContextBuildResult",
    "ContextBuilder",
    "ContextPassage",
    "ContextPiece",
    "ContextTask",
    "ContextTier",
    "ContinuityRule",
    "DecidedMention",
    "DerivedName",
    "Diagnostic",
    "EmbeddedText",
    "EmbeddingModel",
    "Endpoint",
    "Engine",
    "EntityContextBuilder",
    "EntityType",
    "Evidence",
    "Facts",
    "Finding",
    "Folded",
    "Frame",
    "Gender",
    "Heading",
    "InferredRelation",
    "InlineField",
    "KnowledgeBase",
    "KnownEntity",
    "Language",
    "Lexicon",
    "LexiconEntity",
    "Limit",
    "LimitError",
    "Line",
    "Link",
    "Mention",
    "ModelError",
    "Name",
    "NamedSpan",
    "NotFoundError",
    "Note",
    "Offset",
    "Ontology",
    "OrderClaim",
    "Page",
    "PageSentence",
    "Parser",
    "Party",
    "PartyRole",
    "PluginError",
    "PriorityStrategy",
    "Progress",
    "Property",
    "PropertyText",
    "ProposedName",
    "QueryEmbeddingModel",
    "RankedChunk",
    "Reading",
    "ReadingOrder",
    "RelationKind",
    "RelationModel",
    "Request",
    "RequestError",
    "Response",
    "RoleWords",
    "Scene",
    "Score",
    "Sentence",
    "ServeError",
    "Session",
    "Settings",
    "SettingsError",
    "Span",
    "Speech",
    "SqliteEngine",
    "StoreError",
    "Story",
    "StoryChange",
    "StoryEntity",
    "StoryEvent",
    "StoryLink",
    "StoryName",
    "StoryProperty",
    "StoryRelation",
    "SyncOutcome",
    "Tag",
    "Tense",
    "TokenCounter",
    "ToldEvent",
    "Topic",
    "TrainedModel",
    "TranslationScorer",
    "TripleScorer",
    "UnreadError",
    "VaultError",
    "Word",
    "WordClass",
    "WordEmbeddingModel",
    "WordForm",
    "WordRole",
    "Words",
    "Workspace",
    "WriterosError",
    "capability",
    "fold",
    "fold_form",
    "gender_of",
    "hookimpl",
    "is_boundary",
    "is_unspaced",
    "load_settings",
    "part_ends",
    "pieces",
    "read_words",
    "sentence_ends",
    "spaced_words",
    "spoken_spans",
]
