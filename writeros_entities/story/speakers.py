"""Find who says what, and to whom, in the scenes of a story.

    with_speeches(scenes, {ann.id: "f", ben.id: "m"}, words_of)[0].speeches

What a paragraph's own words tell (`language.speech`) meets the names in it here. For each speech,
whoever is near is weighed by what the text says of it: a cue ("said Ann"), a pronoun's gender and
its antecedents, who acts between the words, who is called by name, and whose turn it is. The
weights (`WEIGHTS`) are those of a log-linear model; all the speeches of a scene are decided
together, and the confidence of each speaker is its probability in that model.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from writeros_entities.language.speech import Cue, Dialogue, Subject, read_speech
from writeros_entities.language.telling import tell_language_of
from writeros_entities.language.words import Words
from writeros_entities.story.speaker_weights import WEIGHTS
from writeros_entities.values import Gender, SpeakerRule
from writeros_entities.values.notes import JSON
from writeros_entities.values.story import Scene, Sentence, Speech

if TYPE_CHECKING:
    from writeros_entities.view import View

People = Mapping[str, Gender | None]
"""The people who may speak, by id, each with the gender, or None if unknown."""

NARRATOR = "I"
"""The first-person narrator, if it is not known who that is."""

NOBODY = ""
"""Somebody who is not among the people."""

CERTAIN = 0.7
"""The least confidence of a speaker on which rules and briefs rely."""

DOUBTFUL = 0.65
"""The most confidence where a description, a group or nobody is said to speak."""

_SURE = frozenset({"none", "name", "pronoun", "within", "self", "namesakes"})

WINDOW = 30
"""How many paragraphs back somebody is named who may speak now."""

MOST_CANDIDATES = 14
_MAIN = 5
"""How many of those whom a scene names most may speak anywhere in it."""
_TOLD = 40
"""How many sentences of a scene tell its language."""
_OFTEN = 3
_NEAR = 4
"""How many speeches away one talks to whom something is said, and from how many paragraphs."""
_REACH = 5
"""How many paragraphs back a pronoun looks for who alone is meant."""
MOST_STATES = 24


class Name(NamedTuple):
    """A name in a paragraph, whom it means most likely, and whom it may mean too."""

    start: int
    end: int
    person: str
    rivals: tuple[str, ...]
    is_spoken: bool
    is_owner: bool


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of a scene: its speech, and the people it names.

    `starts` are the offsets of its sentences, `first` the index of the first of these in the scene.
    """

    number: int
    dialogue: Dialogue
    names: tuple[Name, ...]
    starts: tuple[int, ...]
    first: int

    def sentence_at(self, offset: int) -> int:
        """Return the index, in the scene, of the sentence at an offset."""
        return self.first + max(0, sum(start <= offset for start in self.starts) - 1)

    def named(self, subject: Subject) -> Name | None:
        """Return the first name in the words of a subject."""
        return next(
            (
                one
                for one in self.names
                if not one.is_spoken and one.start < subject.end and one.end > subject.start
            ),
            None,
        )


class Line(NamedTuple):
    """One speech: its paragraph, its number there, and what its own words tell of it."""

    paragraph: int
    number: int
    link: str
    group: str
    is_vague: bool
    rule: SpeakerRule
    scores: Mapping[str, Mapping[str, float]]
    addressed: tuple[str, ...]


def with_speeches(
    scenes: Iterable[Scene], people: People, words_of: Callable[[Scene], Words]
) -> tuple[Scene, ...]:
    """Return the scenes with their speeches."""
    return tuple(
        replace(scene, speeches=find_speeches(scene, people, words_of(scene)))
        if any(one.narration != one.text for one in scene.sentences)
        else scene
        for scene in scenes
    )


def certain(scenes: Iterable[Scene]) -> tuple[Scene, ...]:
    """Return scenes without the speakers that are not certain."""
    return tuple(
        replace(scene, speeches=tuple(map(_if_certain, scene.speeches))) for scene in scenes
    )


def _if_certain(speech: Speech) -> Speech:
    if speech.confidence >= CERTAIN:
        return speech
    return replace(speech, speaker=None, rule=None, addressee=None)


def reader_of(view: View) -> Callable[[Scene], Words]:
    """Return what gives the words of a scene's language, or none of a language nobody knows."""
    languages, main = view.plugins.languages, view.settings.language
    known: dict[str, Words] = {}

    def words_of(scene: Scene) -> Words:
        if scene.path not in known:
            text = " ".join(one.text for one in scene.sentences[:_TOLD])
            stated: dict[str, JSON] = {key: one[0] for key, one in scene.properties.items() if one}
            code = tell_language_of(text, stated, languages, main)
            known[scene.path] = languages[code].words if code else Words()
        return known[scene.path]

    return words_of


def find_speeches(scene: Scene, people: People, words: Words) -> tuple[Speech, ...]:
    """Return the speeches of a scene, in order, each with its likeliest speaker."""
    paragraphs = read_paragraphs(scene, people, words)
    lines = list(Reading(scene, people, words, paragraphs).lines())
    chances = decide(lines)
    return tuple(_speeches(scene, paragraphs, lines, chances, people))


def _speeches(
    scene: Scene,
    paragraphs: Sequence[Paragraph],
    lines: Sequence[Line],
    chances: Sequence[Mapping[str, float]],
    people: People,
) -> Iterator[Speech]:
    best = [max(sorted(chance), key=chance.__getitem__) for chance in chances]
    talk = _Talk(lines, best, paragraphs, scene.viewpoint)
    for at, (line, speaker, chance) in enumerate(zip(lines, best, chances, strict=True)):
        paragraph, addressee = paragraphs[line.paragraph], talk.addressee(at)
        spoken = paragraph.dialogue.spoken[line.number]
        first = paragraph.sentence_at(spoken.start)
        last = paragraph.sentence_at(max(spoken.start, spoken.end - 1))
        start = _place(scene.sentences, paragraph, first, spoken.start)
        end = _place(scene.sentences, paragraph, last, spoken.end - 1) + 1
        yield Speech(
            paragraph.dialogue.text[spoken.start : spoken.end],
            paragraph.number,
            first,
            last,
            speaker if speaker in people else None,
            line.rule if speaker in people else None,
            start,
            end,
            _confidence(line, chance[speaker]) if speaker != NOBODY else 0.0,
            addressee if addressee in people else None,
            speaker == NARRATOR,
            addressee == NARRATOR,
        )


def _confidence(line: Line, chance: float) -> float:
    """Return how certain a speaker is: never if the words beside tell of another, or of nobody."""
    return round(min(chance, DOUBTFUL) if line.is_vague else chance, 3)


def _place(sentences: Sequence[Sentence], paragraph: Paragraph, sentence: int, offset: int) -> int:
    base = paragraph.starts[sentence - paragraph.first]
    return sentences[sentence].place(offset - base)


class _Talk(NamedTuple):
    """Who says each speech of a scene, among whom: tells to whom it is said."""

    lines: Sequence[Line]
    speakers: Sequence[str]
    paragraphs: Sequence[Paragraph]
    viewpoint: str | None

    def addressee(self, at: int) -> str | None:
        """Return to whom a speech is said: who is called or told, who talks, or else is there."""
        said = [one for place in self._turn(at) for one in self.lines[place].addressed]
        called = next((one for one in said if one != self.speakers[at]), None)
        if called is not None:
            return called
        if self.speakers[at] == NOBODY:
            return self._other_speaker(at, within=1)
        near = self._other_speaker(at, within=_NEAR - 1)
        return near or self._one_beside(at) or self._viewpoint(at)

    def _turn(self, at: int) -> list[int]:
        """Return a speech, and the others that the same one says in its paragraph."""
        here = self.lines[at].paragraph, self.speakers[at]
        return [
            at,
            *(n for n in self._near(at) if (self.lines[n].paragraph, self.speakers[n]) == here),
        ]

    def _near(self, at: int) -> range:
        return range(max(0, at - _NEAR), min(len(self.lines), at + _NEAR + 1))

    def _other_speaker(self, at: int, *, within: int) -> str | None:
        """Return who else talks nearest by, before or behind: also a narrator without a name."""
        here = self.lines[at].paragraph
        near = [
            (abs(self.lines[n].paragraph - here), n > at, abs(n - at), who)
            for n in self._near(at)
            if (who := self.speakers[n]) not in (NOBODY, self.speakers[at])
        ]
        distance, _, _, who = min(near, default=(_NEAR, False, 0, NOBODY))
        return who if distance <= within else None

    def _viewpoint(self, at: int) -> str | None:
        """Return whom the scene follows, if that is not the speaker."""
        return None if self.viewpoint == self.speakers[at] else self.viewpoint

    def _one_beside(self, at: int) -> str | None:
        """Return the only other one of whom the paragraphs around tell."""
        here = self.lines[at].paragraph
        beside = {
            name.person
            for paragraph in self.paragraphs[max(0, here - _NEAR + 1) : here + 2]
            for name in paragraph.names
            if not name.is_spoken and not name.is_owner and name.person != self.speakers[at]
        }
        return beside.pop() if len(beside) == 1 else None


# -- Paragraphs ------------------------------------------------------------------------------------


def read_paragraphs(scene: Scene, people: People, words: Words) -> list[Paragraph]:
    """Return the paragraphs of a scene, in order; rows of tables and items of lists are skipped."""
    numbered = [(at, one) for at, one in enumerate(scene.sentences) if not one.is_row]
    grouped = [list(one) for _, one in groupby(numbered, key=lambda one: one[1].paragraph)]
    return [_paragraph(scene, people, words, found) for found in grouped]


def _paragraph(
    scene: Scene, people: People, words: Words, found: Sequence[tuple[int, Sentence]]
) -> Paragraph:
    text = told = ""
    starts: list[int] = []
    for _, sentence in found:
        starts.append(len(text) + bool(text))
        text += (" " if text else "") + sentence.text
        told += (" " if told else "") + sentence.narration
    label = text.partition(":")[0]
    is_script = 0 < len(label) < len(told) and not told[len(label) + 1 :].strip()
    who = label.split(" (")[0].strip("*_ ").casefold() if is_script else ""
    dialogue = read_speech(text, words, who)
    names = []
    for base, (_, sentence) in zip(starts, found, strict=True):
        for one in sentence.names:
            if one.entity in people:
                start, end = base + one.start, base + one.end
                is_spoken = any(each.start <= start < each.end for each in dialogue.spoken)
                is_owner = text[end : end + 1] in ("'", "’") and text[end + 1 : end + 2] in (
                    "s",
                    " ",
                )
                sure = scene.person_named(one)
                rivals = () if sure else tuple(each for each in one.rivals if each in people)
                names.append(Name(start, end, sure or one.entity, rivals, is_spoken, is_owner))
    return Paragraph(found[0][1].paragraph, dialogue, tuple(names), tuple(starts), found[0][0])


# -- What the words tell ---------------------------------------------------------------------------


class Reading:
    """What the text of a scene tells of the speaker of each speech, as features of a model."""

    def __init__(
        self, scene: Scene, people: People, words: Words, paragraphs: Sequence[Paragraph]
    ) -> None:
        self._people = people
        self._words = words
        self._paragraphs = paragraphs
        self._cast = tuple(one for one in scene.cast if one in people)
        self._counts = Counter(name.person for one in paragraphs for name in one.names)
        self._main = [one for one, _ in self._counts.most_common(_MAIN)]
        self._called_as: dict[str, set[str]] = defaultdict(set)
        for paragraph in paragraphs:
            for name in paragraph.names:
                surface = paragraph.dialogue.text[name.start : name.end]
                self._called_as[name.person] |= {*surface.casefold().replace(".", "").split()}
        self._calls = [
            [self._called(at, number) for number in range(len(one.dialogue.spoken))]
            for at, one in enumerate(paragraphs)
        ]
        teller = scene.viewpoint
        known = teller if teller is not None and teller in people else self._one_who_tells()
        self._narrator = known or NARRATOR
        self._tells = (
            () if self._narrator == NARRATOR and not self._is_told_by_one else (self._narrator,)
        )

    def _one_who_tells(self) -> str | None:
        """Return who tells a story in the first person, by what others call her, or None.

        That is the only one whom others call by name and whom the narrator does not name.
        """
        if not self._is_told_by_one:
            return None
        named = {one.person for each in self._paragraphs for one in each.names if not one.is_spoken}
        called = Counter(
            person
            for of_one in self._calls
            for persons in of_one
            for person in persons
            if person not in named
        )
        best = called.most_common(2)
        if not best or best[0][1] < 2 or (len(best) == 2 and best[0][1] == best[1][1]):
            return None
        return best[0][0]

    @cached_property
    def _is_told_by_one(self) -> bool:
        """Whether the narration has an "I"."""
        subjects = (one for each in self._paragraphs for one in each.dialogue.subjects)
        told = (
            cue
            for each in self._paragraphs
            for spoken in each.dialogue.spoken
            for cue in (spoken.before, spoken.behind)
            if cue is not None and cue.who is not None and cue.who.kind == "self"
        )
        return sum(one.kind == "self" for one in subjects) + len([*told]) >= _OFTEN

    def lines(self) -> Iterator[Line]:
        """Yield the speeches in order."""
        last = -1
        called: tuple[str, ...] = ()
        mentioned: set[str] = set()
        for at, paragraph in enumerate(self._paragraphs):
            now_called: list[str] = []
            now_mentioned: set[str] = set()
            for number in range(len(paragraph.dialogue.spoken)):
                link = self._link(at, number, last)
                is_new = number == 0
                line = self._line(
                    at, number, link, called if is_new else (), mentioned if is_new else set()
                )
                yield line
                now_called += line.addressed
                now_mentioned |= self._spoken_of(at, number)
                last = at
            if paragraph.dialogue.spoken:
                called, mentioned = tuple(now_called), now_mentioned

    def _link(self, at: int, number: int, last: int) -> str:
        """Return how a speech follows the one before it."""
        dialogue = self._paragraphs[at].dialogue
        if number:
            if dialogue.is_answered(number - 1):
                return "answered"
            led, behind = dialogue.spoken[number].before, dialogue.spoken[number - 1].behind
            if led is None or led.who is None:
                return "within"
            return "led" if behind is None or behind.who != led.who else "within"
        if last == -1:
            return "first"
        if last == at - 1:
            before = self._paragraphs[last].dialogue
            opens = not dialogue.text[: dialogue.spoken[0].start].strip()
            if before.goes_on and opens:
                return "goes on"
            return "next"
        return "after one" if last == at - 2 else "later"

    def _spoken_of(self, at: int, number: int) -> set[str]:
        paragraph = self._paragraphs[at]
        start, end = paragraph.dialogue.spoken[number][:2]
        return {one.person for one in paragraph.names if start <= one.start < end}

    def _called(self, at: int, number: int) -> list[str]:
        """Return whom a speech calls by name: "Is it so, Ann?", "My dear Ann, it is"."""
        paragraph = self._paragraphs[at]
        text = paragraph.dialogue.text
        start, end = paragraph.dialogue.spoken[number][:2]
        found = []
        for one in paragraph.names:
            if not start <= one.start < end:
                continue
            before = text[start : one.start].rstrip()
            is_dear = False
            while (
                word := before.rpartition(" ")[2].strip("\"'“‘«„—–-(").rstrip(".")
            ).casefold() in (self._words.endearing) and word:
                is_dear = True
                before = before[: len(before.rstrip(".")) - len(word)].rstrip()
            opens = not before.strip("\"'“‘«»„‚‹›—–- ")
            behind = text[one.end : one.end + 1]
            is_last = not text[one.end : end].strip(".,!?…—–-\"'”’“‘»«› ")
            is_cut = before[-1:] in (",", "—", "–", "!", "?", ";") or is_dear
            if (is_cut and (is_last or behind in tuple(",!?;—"))) or (
                opens and behind in tuple(",!?—") and (not is_last or behind in tuple("!?"))
            ):
                found.append(one.person)
        return found

    def _line(
        self, at: int, number: int, link: str, called: Sequence[str], mentioned: set[str]
    ) -> Line:
        where, cue = self._cue(at, number)
        paragraph = self._paragraphs[where]
        addressed = self._calls[at][number]
        to = self._person_at(paragraph, cue.to) if cue is not None and cue.to is not None else None
        main, features = self._features(at, number, link, where, cue)
        spoken_of = self._spoken_of(at, number)
        for one, found in features.items():
            if one in addressed:
                found["calls"] = 1
            elif one in spoken_of:
                found["names"] = 1
            if one in called:
                found["was called"] = 1
            elif one in mentioned:
                found["was named"] = 1
            if one == to:
                found["is told"] = 1
        rule: SpeakerRule = "turn"
        if cue is not None and cue.who is not None:
            rule = "tag"
        elif link == "goes on" or main == "within":
            rule = "goes on"
        elif main.startswith("beat"):
            rule = "beat"
        kind = main.removeprefix("perhaps ").removeprefix("beat ").removeprefix("after ")
        is_vague = kind not in _SURE
        group = kind.removeprefix("only ")
        group = group if group in ("none", "name", "pronoun", "within") else "vague"
        told = dict.fromkeys([*([to] if to else []), *addressed])
        return Line(at, number, link, group, is_vague, rule, features, tuple(told))

    def _cue(self, at: int, number: int) -> tuple[int, Cue | None]:
        """Return the cue of a speech, and the paragraph in which it stands."""
        spoken = self._paragraphs[at].dialogue.spoken[number]
        both = [one for one in (spoken.behind, spoken.before) if one is not None]
        listed = [one for one in both if one.is_listed] or both
        if listed:
            return at, listed[0]
        opens = not self._paragraphs[at].dialogue.text[: spoken.start].strip()
        if number == 0 and at and opens:
            return at - 1, self._paragraphs[at - 1].dialogue.leads
        return at, None

    def _person_at(self, paragraph: Paragraph, offset: int) -> str | None:
        found = paragraph.named(Subject(offset, offset + 1, "name"))
        if found is None:
            found = next(
                (
                    one
                    for one in paragraph.names
                    if offset <= one.start < offset + 12 and not one.is_spoken
                ),
                None,
            )
        return found.person if found and not found.is_owner else None

    def _who(self, at: int, subject: Subject) -> tuple[str, str | None]:
        """Return what kind of words a subject is, as features name it, and whom it means."""
        paragraph = self._paragraphs[at]
        if not subject.is_alone:
            return "group", None
        if subject.kind == "self":
            return "self", self._narrator
        if subject.kind == "pronoun":
            return ("pronoun" if subject.gender in ("f", "m") else "any"), None
        name = paragraph.named(subject)
        if name is None:
            return ("stranger" if subject.kind == "name" else "noun"), None
        if name.is_owner:
            return self._owned(paragraph, name)
        return "namesakes" if name.rivals else "name", name.person

    def _owned(self, paragraph: Paragraph, name: Name) -> tuple[str, str | None]:
        """Return whom a possessive stands for: its bearer in "Ann's eyes", else another."""
        behind = paragraph.dialogue.narration[name.end :].split()[:3]
        words = {word.strip(".,;:").casefold() for word in behind}
        is_part = not words.isdisjoint(self._words.body)
        return ("name", name.person) if is_part else ("noun", None)

    def _features(
        self, at: int, number: int, link: str, where: int, cue: Cue | None
    ) -> tuple[str, dict[str, dict[str, float]]]:
        """Return what kind of words tell of a speech, and the features of all who may say it."""
        spoken = self._paragraphs[at].dialogue.spoken[number]
        meant, main, subject, offset = None, "none", None, spoken.start
        where = where if cue is not None else at
        if cue is not None:
            subject = cue.who
            kind, meant = ("nothing", None) if subject is None else self._who(where, subject)
            main = kind if cue.is_listed else f"perhaps {kind}"
            offset = subject.start if subject is not None else cue.start
        else:
            place, subject = self._beat(at, number)
            if subject is not None:
                kind, meant = self._who(at, subject)
                main, offset = f"{place} {kind}", subject.start
            elif link == "within":
                main = "within"
        return main, self._weighed(where, main, subject, meant, offset)

    def _weighed(
        self, at: int, main: str, subject: Subject | None, meant: str | None, offset: int
    ) -> dict[str, dict[str, float]]:
        paragraph = self._paragraphs[at]
        recent = self._recent(at, offset)
        here = [one.person for one in paragraph.names if not one.is_spoken]
        cued = self._cued(at)
        rivals: Sequence[str] = ()
        named = paragraph.named(subject) if subject is not None and meant is not None else None
        if named is not None:
            rivals = named.rivals
        everyone = dict.fromkeys(
            [
                *([meant] if meant else []),
                *rivals,
                *here,
                *[*recent][:MOST_CANDIDATES],
                *cued,
                *self._called_near(at),
                *self._tells,
                *self._cast,
                *self._main,
            ]
        )
        gender = subject.gender if subject is not None else ""
        last = self._last_subjects(at, offset)
        compatible = [
            one
            for one in recent
            if gender in ("", "any") or self._people.get(one) in (None, gender)
        ]
        group = (
            "pronoun"
            if "pronoun" in main
            else main
            if main in ("none", "within")
            else "name"
            if main == "name"
            else "vague"
        )
        fitting = [
            one for one in compatible if self._people.get(one) == gender and recent[one] <= _REACH
        ]
        described = self._described(paragraph, subject)
        found: dict[str, dict[str, float]] = {
            NOBODY: {f"nobody:{main.removeprefix('perhaps ')}": 1}
        }
        if group == "pronoun" and self._describes(at, offset, gender):
            found[NOBODY]["described before"] = 1
        for one in everyone:
            features = found[one] = {}
            if one == meant:
                features[f"is:{main}"] = 1
            elif one in rivals:
                features[f"rival:{main}"] = 1
            elif one == self._narrator:
                features[f"narrator:{group}"] = 1
            if gender in ("f", "m") and one != NARRATOR:
                known = self._people.get(one)
                state = "unknown" if known is None else "same" if known == gender else "not"
                features[f"gender {state}"] = 1
            if group == "name" or group == "within":
                continue
            if len(fitting) == 1 and one in fitting:
                features[f"only one fits:{group}"] = 1
            if one in compatible:
                features[f"rank {min(compatible.index(one), 3)}:{group}"] = 1
                features[f"distance:{group}"] = math.log1p(recent[one])
            else:
                features[f"absent:{group}"] = 1
            if described and not described.isdisjoint(self._called_as[one]):
                features["described"] = 1
            if one in last:
                features[f"last subject:{group}"] = 1
            if one in here:
                features[f"here:{group}"] = 1
                if len({*here}) == 1:
                    features[f"only here:{group}"] = 1
            for when in cued.get(one, ()):
                features[f"cued {when}:{group}"] = 1
            features[f"often:{group}"] = math.log1p(self._counts[one])
        return found

    def _describes(self, at: int, offset: int, gender: str) -> bool:
        """Say whether the last sentence before a pronoun is about somebody without a name."""
        for back in range(min(at, 1) + 1):
            subjects = self._paragraphs[at - back].dialogue.subjects
            told = [one for one in subjects if back or one.end <= offset]
            if told:
                kind, _ = self._who(at - back, told[-1])
                return kind in ("noun", "group") and told[-1].gender in ("", gender)
        return False

    def _described(self, paragraph: Paragraph, subject: Subject | None) -> set[str]:
        """Return the words of a description, and the titles that stand for them."""
        if subject is None or subject.kind != "noun" or paragraph.named(subject):
            return set()
        words = {*paragraph.dialogue.text[subject.start : subject.end].casefold().split()}
        words -= self._words.leading
        return words | {
            self._words.short_titles[one] for one in words if one in self._words.short_titles
        }

    def _beat(self, at: int, number: int) -> tuple[str, Subject | None]:
        """Return the subject of the sentence told directly before a speech, else behind it."""
        dialogue = self._paragraphs[at].dialogue
        spoken = dialogue.spoken[number]
        begin = dialogue.spoken[number - 1].end if number else 0
        if number and (cue := dialogue.spoken[number - 1].behind) is not None:
            begin = cue.end
        end = dialogue.spoken[number + 1].start if number + 1 < len(dialogue.spoken) else None
        before = [one for one in dialogue.subjects if begin <= one.start < spoken.start]
        behind = [
            one
            for one in dialogue.subjects
            if one.start >= spoken.end and (end is None or one.start < end)
        ]
        place, subject = ("beat", before[-1]) if before else ("after", None)
        if subject is None and behind:
            subject = behind[0]
        if subject is not None and not subject.acts:
            place = "only"
        return place, subject

    def _recent(self, at: int, offset: int) -> dict[str, int]:
        """Return the people named by the narrator before a place, the nearest first.

        Each has how many paragraphs ago that was.
        """
        found: dict[str, int] = {}
        for back in range(min(at, WINDOW) + 1):
            for one in reversed(self._paragraphs[at - back].names):
                is_before = back or one.end <= offset
                if is_before and not one.is_spoken:
                    found.setdefault(one.person, back)
        return found

    def _cued(self, at: int) -> dict[str, set[str]]:
        """Return those of whom cues near a paragraph say that they speak: before it, and behind."""
        found: dict[str, set[str]] = defaultdict(set)
        for near in range(max(0, at - 8), min(len(self._paragraphs), at + 6)):
            if near == at:
                continue
            for spoken in self._paragraphs[near].dialogue.spoken:
                for cue in (spoken.before, spoken.behind):
                    if cue is not None and cue.who is not None:
                        _, person = self._who(near, cue.who)
                        if person is not None:
                            found[person].add("before" if near < at else "behind")
        return found

    def _called_near(self, at: int) -> Iterator[str]:
        for near in range(max(0, at - 4), min(len(self._paragraphs), at + 4)):
            for persons in self._calls[near]:
                yield from persons

    def _last_subjects(self, at: int, offset: int) -> set[str]:
        """Return who is the subject of the last sentence told before a place."""
        for back in range(min(at, 4) + 1):
            paragraph = self._paragraphs[at - back]
            subjects = [one for one in paragraph.dialogue.subjects if back or one.end <= offset]
            for subject in reversed(subjects):
                _, person = self._who(at - back, subject)
                if person is not None:
                    return {person}
        return set()


# -- Deciding --------------------------------------------------------------------------------------


State = tuple[str, str]
"""Who spoke last, and who had the turn before."""


def following(line: Line, one: str, state: State) -> Iterator[str]:
    """Yield the features of a speaker that depend on who spoke before."""
    last, before = state
    if line.link == "first":
        return
    how = "nobody" if one == NOBODY else line.group
    if one == last:
        yield f"same:{line.link}"
        yield f"same:{line.link}:{how}"
    elif one == before and line.link in ("next", "after one", "answered", "led"):
        yield f"back:{line.link}"
        yield f"back:{line.link}:{how}"


def moved(link: str, one: str, state: State) -> State:
    """Return the state behind a speech."""
    last, before = state
    if link == "first":
        return one, NOBODY
    return (one, before) if one == last or link in ("within", "goes on") else (one, last)


def decide(lines: Sequence[Line], weights: Mapping[str, float] = WEIGHTS) -> list[dict[str, float]]:
    """Return the chance of each candidate to speak each line, all lines being decided together.

    That is the forward-backward algorithm, over the likeliest states at each line.
    """
    forwards: list[dict[State, float]] = [{("", ""): 1.0}]
    steps: list[list[Step]] = []
    for line in lines:
        step = [*_steps(line, forwards[-1], weights)]
        reached: dict[State, float] = defaultdict(float)
        for state, new, _, weight in step:
            reached[new] += forwards[-1][state] * weight
        likeliest = sorted(((chance, new) for new, chance in reached.items()), reverse=True)
        kept = {new: chance / likeliest[0][0] for chance, new in likeliest[:MOST_STATES]}
        forwards.append(kept)
        steps.append([one for one in step if one[1] in kept])
    backward = dict.fromkeys(forwards.pop(), 1.0)
    found: list[dict[str, float]] = []
    for step, forward in zip(reversed(steps), reversed(forwards), strict=True):
        chances: dict[str, float] = defaultdict(float)
        before: dict[State, float] = defaultdict(float)
        for state, new, one, weight in step:
            ahead = weight * backward[new]
            chances[one] += forward[state] * ahead
            before[state] += ahead
        total, highest = sum(chances.values()), max(before.values())
        found.append({one: chance / total for one, chance in chances.items()})
        backward = defaultdict(float, {one: ahead / highest for one, ahead in before.items()})
    return found[::-1]


Step = tuple[State, State, str, float]
"""A state, the one behind a speech, who speaks it, and the weight of that."""


def _steps(line: Line, states: Iterable[State], weights: Mapping[str, float]) -> Iterator[Step]:
    """Yield what may follow on some states; the greatest weight of a speaker alone is 1."""
    own = {
        one: sum(weights.get(key, 0.0) * value for key, value in features.items())
        for one, features in line.scores.items()
    }
    highest = max(own.values())
    scale = {one: math.exp(score - highest) for one, score in own.items()}
    turns: dict[tuple[bool, bool], float] = {}
    for state in states:
        for one, weight in scale.items():
            if one in state:
                kind = one == state[0], one == NOBODY
                if kind not in turns:
                    told = following(line, one, state)
                    turns[kind] = math.exp(sum(weights.get(key, 0.0) for key in told))
                weight *= turns[kind]
            yield state, moved(line.link, one, state), one, weight
