"""Describe how somebody speaks."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pydantic import Field

from writeros_entities.capabilities.answers import Answer, EntityRef, counted
from writeros_entities.capabilities.parts import TheEntity, entity_refs, plain_text
from writeros_entities.capability import AsOf, Request, Response, capability

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from writeros_entities.story.speeches import FoundSpeech
    from writeros_entities.story.voices import Voice
    from writeros_entities.view import View

QUOTES = 3
"""How many speeches are quoted."""

SHORTEST, LONGEST = 6, 60
"""The fewest and most words of a speech that is quoted."""


class DescribeVoice(Request["VoiceAnswer"]):
    """Whose voice."""

    entity: TheEntity
    as_of: AsOf = None


class FavouriteWord(Answer):
    """A word that somebody uses more than everybody else."""

    word: str
    speeches: int = Field(description="How many have it.")
    score: float = Field(description="How surely it is more, in standard deviations.")


class FormOfAddress(Answer):
    """What somebody calls another to the face."""

    form: str
    to: EntityRef
    times: int

    def as_text(self) -> str:
        """Return whom, what and how often: `Tobias “old man” (3)`."""
        return f"{self.to.name} “{self.form}” ({self.times})"


class VoiceFigures(Answer):
    """How somebody speaks; what is said in one paragraph is one speech."""

    speeches: int = Field(description="Those whose speaker is certain enough.")
    notes: int = Field(description="How many chapters have them.")
    confidence: float = Field(description="Mean, of the speaker.")
    median_words: float = Field(description="Of a speech.")
    questions: float = Field(description="Share of the speeches that ask anything.")
    exclamations: float = Field(description="Share of those that exclaim anything.")
    favourites: list[FavouriteWord] = Field(description="The surest first.")
    addresses: list[FormOfAddress] = Field(description="The most frequent first.")

    @classmethod
    def told(cls, voice: Voice, refs: Mapping[int, EntityRef]) -> VoiceFigures:
        """Return a voice for an answer, given the references to whom it calls."""
        return cls(
            speeches=voice.speeches,
            notes=voice.notes,
            confidence=round(voice.confidence, 2),
            median_words=voice.median_words,
            questions=round(voice.questions, 2),
            exclamations=round(voice.exclamations, 2),
            favourites=[FavouriteWord.of(one) for one in voice.favourites],
            addresses=[
                FormOfAddress(form=one.form, to=refs[one.to], times=one.times)
                for one in voice.addresses
                if one.to in refs
            ],
        )

    def parts(self) -> Iterator[str]:
        """Yield what there is to say of it, as parts of a line."""
        words = f"{self.median_words:g}".removesuffix(".0")
        yield f"{counted(self.speeches, 'speech')}, the median of {words} words"
        shares = (("ask", self.questions), ("exclaim", self.exclamations))
        if told := " and ".join(f"{share:.0%} {does}" for does, share in shares if share):
            yield told
        if self.favourites:
            yield f"often {', '.join(f'“{one.word}”' for one in self.favourites)}"
        if self.addresses:
            yield f"calls {', '.join(one.as_text() for one in self.addresses)}"


class SpokenQuote(Answer):
    """Something that somebody says, with its place."""

    text: str
    path: str
    position: int = Field(description="Place in reading order.")
    line: int
    start: int
    end: int

    def as_text(self) -> str:
        """Return the words and their place as a list item."""
        return f"- {' '.join(plain_text(self.text).split())} ({self.path}:{self.line})"


class VoiceAnswer(Response):
    """How somebody speaks, in figures and quotes."""

    limited: ClassVar[str | None] = "quotes"

    entity: EntityRef
    voice: VoiceFigures | None = Field(description="None: nothing is surely said by it.")
    doubtful: int = Field(
        description="Further pieces of speech that are its likeliest, but not certain enough."
    )
    quotes: list[SpokenQuote]
    remark: str | None = Field(description="Why there are no favourite words.")

    def as_text(self) -> str:
        """Return the figures in a few lines, and the quotes."""
        name = self.entity.name
        lines = [f"## How {name} speaks", ""]
        if self.voice is not None:
            sure = f"Who speaks is {self.voice.confidence:.0%} sure on average."
            lines += [f"- {one[0].upper()}{one[1:]}." for one in self.voice.parts()]
            lines += [f"- {counted(self.voice.notes, 'chapter')}. {sure}"]
        if self.doubtful:
            more = counted(self.doubtful, "more piece")
            lines.append(f"- {more} of speech may be by {name}: too unsure to count.")
        if self.remark:
            lines.append(f"- {self.remark}")
        if self.quotes:
            lines += ["", *(one.as_text() for one in self.quotes)]
        return "\n".join(lines)


@capability(family="entities", offered=False)
def describe_voice(view: View, request: DescribeVoice) -> VoiceAnswer:
    """Describe how somebody speaks: how long, with which words, what she calls whom, with quotes.

    Favourite words are those that she uses more than everybody else, by the weighted log-odds of
    Monroe and others (2008), in at least three speeches. Of fewer than eight speeches, no habits
    are told.
    """
    from writeros_entities.story import voices
    from writeros_entities.story.finding import find_entity
    from writeros_entities.story.speakers import CERTAIN
    from writeros_entities.story.speeches import load_speeches

    speaker = find_entity(view, request.entity).id
    said = [one for one in load_speeches(view) if view.has_file(one.path)]
    sure = [one for one in said if one.confidence >= CERTAIN]
    voice = voices.describe_voice(sure, speaker)
    called = {one.to for one in voice.addresses} if voice else set()
    refs = entity_refs(view, {speaker, *called})
    own = sum(one.speaker == speaker for one in said)
    turns = voices.turns_of(sure, speaker)
    remark = None
    if voice is None or not voice.is_enough:
        remark = f"Too few speeches to tell habits: it takes {voices.ENOUGH}."
    words = {one.word for one in voice.favourites} if voice else set()
    return VoiceAnswer(
        entity=refs[speaker],
        voice=None if voice is None else VoiceFigures.told(voice, refs),
        doubtful=own - sum(map(len, turns)),
        quotes=[_quote(turn) for turn in _typical(turns, words)],
        remark=remark,
    )


def _typical(
    turns: Sequence[Sequence[FoundSpeech]], favourites: Collection[str]
) -> list[Sequence[FoundSpeech]]:
    """Return a few speeches, each of another chapter while there is one, in reading order.

    Those with most of somebody's favourite words come first, then the longest.
    """
    from writeros_entities.story.voices import content_words

    def rank(turn: Sequence[FoundSpeech]) -> tuple[object, ...]:
        said = {word for one in turn for word in content_words(one)}
        return -len(said.intersection(favourites)), -_length(turn), _place(turn)

    known = sorted((one for one in turns if SHORTEST <= _length(one) <= LONGEST), key=rank)
    firsts = {one[0].path: one for one in reversed(known)}
    first = [one for one in known if firsts[one[0].path] is one]
    others = [one for one in known if firsts[one[0].path] is not one]
    return sorted((first + others)[:QUOTES], key=_place)


def _length(turn: Sequence[FoundSpeech]) -> int:
    return sum(len(one.text.split()) for one in turn)


def _place(turn: Sequence[FoundSpeech]) -> tuple[int, str, int]:
    return turn[0].position, turn[0].path, turn[0].start


def _quote(turn: Sequence[FoundSpeech]) -> SpokenQuote:
    first, last = turn[0], turn[-1]
    return SpokenQuote(
        text=" — ".join(one.text for one in turn),
        path=first.path,
        position=first.position,
        line=first.line,
        start=first.start,
        end=last.end,
    )
