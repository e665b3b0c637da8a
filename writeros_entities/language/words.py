"""The words of a language, as its TOML file lists them.

    words = read_words(Path("english/words.toml"))
    words.pronouns["she"]                          # "f"
    words.verbs[Frame("live", "in")]               # ("lives_in",)
    words.verbs[Frame("bear", "in", True)]         # ("born_in",): "be bear in" in the file

A file has lists (`modals = "would, could"`) and tables of them, in which a list stands behind what
its words mean (`[pronouns] f = "she, her"`). All of them may be left out.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import NamedTuple, TypeVar

from writeros_entities.errors import PluginError

Key = TypeVar("Key")


class Frame(NamedTuple):
    """A verb in its dictionary form, with the preposition of what follows, or "".

    A passive is written with "be" (or what the language has for it): "be bear in".
    """

    verb: str
    case: str = ""
    is_passive: bool = False


@dataclass(frozen=True, eq=False)
class Words:
    """What the words of a language mean; all are in lower case, verbs in their dictionary form.

    `function_words` tell the language of a text. `pronouns` give the gender that a word tells:
    `f`, `m`, `thing`, or `any`. `joining` words stand between names, `leading` ones before a name
    or a role ("the", "Mr"), those of `of` between a role and whose it is; `possessive` are the
    endings of whose it is, before it. Indefinite `articles`, and forms of `being` ("is", "was"),
    stand before the noun that says what somebody is, `pointing` words before that for what was just
    named ("these are"); `definite` are the other articles; `elided` words lose their vowel before a
    name, and may be part of it ("d'Ormesson"). `list_titles` are the words in the title
    of a list that do not say what it lists ("secondary"), `grouping_headings` those of headings
    that group names, or that say what is told below ("background"). `roles` and `labels` translate
    nouns and labels into the words that kinds of relation have ("mère" → "mother", "vit à" → "lives
    in"); `sides` are the parts of any place ("in the north of"); below `pointing_headings` stand
    notes that have to do with this one ("mentioned in"), and nothing is said of it; `contracted`
    gives the preposition in a word that has an article in it ("du" → "de").
    `sorts` gives the sort of entity that a noun names ("tavern" → "place"), or all that end in one
    ("-tempel"), `sheet_labels` the sort of which a label tells ("age" → "person"), `game_labels`
    are those of figures that a game's rules give ("armor class"). `verbs`, `nouns`
    and `statuses` give what a clause states: kinds of relation, or what somebody is ("dead"), or
    becomes to whom it is done (`suffered`: "they buried Ann"); `bonds` are nouns for what two are
    to each other ("the feud between Ann and Bob"). `status_nouns` say that of whose
    they are ("Ann's grave"), `status_modifiers` of the name that they stand before ("the late
    Ann"), `status_labels` of the sheet's own entity ("Died: 1204"), unless their value is one of
    `void_values`; `status_words` are values of `state_labels` ("Status: dead"), or stand behind a
    name ("Ann (dead)").

    `kin_ways` give how a tie between kin holds, by the words for it ("stepmother" → `step`, "half
    brother" → `half`, also `adoptive`, `former`); `kin_names` what kin is called: its code in
    `graph/kinship.py`, with the gender if the word tells it ("mother" → `parent f`), and the parts
    of longer names ("great-" → `great`, "second" → `degree 2`, "{degree} {cousin} {removed}").

    `note_roles` give the role of a note, by the words of its folders, title, type and tags;
    `numbered` what a word before a number counts (`part`, `chapter`, `session`) or that its note is
    the `first`, the `last` or `between` others; `numbers` and `months` are those written in words;
    `neighbours` stand before a link to the `previous` or `next` note. `threads` mark what is yet
    `to-do`, or an open `question`: as a mark in capitals ("TODO"), a field or a heading.

    `knowing` labels stand before who knows a thing ("known by"), `secrets` before what is not to be
    known yet; `looks` are the headings below which it says how somebody looks.

    `decisions` are the lines by which the writer decides something, with `{a}`, `{b}` and `{c}` for
    what they are about ("{a} is after {b}" → `after`); `decision_nouns` what a note or an entity
    can be in them ("a plan" → `plan`). The first one for each meaning is the one written.

    `ended` gives the kinds of relation that a verb ends ("leave"), `ceasing` are verbs that end
    what follows them ("used to"). `having` verbs have a role as their object ("has a brother"),
    `mutual` are the objects of what several do to each other, `moving` the verbs that in the past
    tell of a way and not of an origin ("came from"), `recurring` the words beside a verb in the
    present by which it is to come, or happens again and again; `within` are the prepositions
    between a place and the place it is in, and `pointing_places` mean one: the `own` of the note
    ("here"), or the one `before` them ("where"). `lasting` are the verbs that tell how things are
    and not what happens ("know"), `accompanying` the prepositions of who does it too ("with"),
    `reaching` those of where or to whom ("to"); `events` gives what a verb changes ("walk" →
    `moves`).

    The words of dates: `seasons` (`0` is spring), `day_parts` with their minute of the day,
    `time_units`, the Gregorian `eras` (`BC`, `AD`), `era_nouns` ("age"), `year_words` before a
    year's number, `ordinal_endings` behind a day's. `steps` tell how long after the scene
    before a scene takes place (`later`, `earlier`, `same`), with `{n}`, `{unit}` and `{part}`
    for a number, a unit and a part of the day; `time_openers` may stand before them.
    `date_labels` label a scene's date, `birth_labels` a birth;
    `flashbacks` are scenes that go back in time, `calendar_kinds` notes that describe a
    calendar.

    The others decide what a clause is worth. `modals`, `doubt`, `conditions` and `negations` are
    words beside a verb that take its statement back, and so does one of `nobody` that is a side of
    it. What is said with a verb of `unreal`, or is told of a noun of `unreal_nouns`, need not be
    so; what is `dreamt` is not; what is said with a verb of `factive` is so, and so is what
    somebody managed (`achieved`). `hearsay` are the prepositions of who says so.

    The last ones tell who speaks. `saying` are forms of verbs beside a speech, `hearing` those of
    one who does not speak it, `idle` those that tell no act; `silent` words behind a verb of saying
    take it back ("said nothing"). `subjects` are the pronouns that are a subject there, with the
    gender they tell, or `self` for who tells the story, or `own` for what is hers ("my"). `people`
    are nouns for people, with their gender; `short_titles` give the nouns for which a title is
    short ("doctor", of Dr Reed); `body` is what of a person may act in her stead ("Ann's eyes").
    `addressed` are the pronouns of the one to whom something is said. What stands in `writings` is
    read, not said. `openers` begin a clause, `addressing` words stand
    before the one to whom something is said, `endearing` ones before a name that is called out;
    `called` is what somebody is called to the face beside names and `people` ("my lord"), `talk`
    words of which all talk is full.
    `players` label those who play or write the story, and are nobody in it; words of `inside` stand
    before the name of a place, and so do the nouns of `regions` with "of" ("the city of Vantry");
    what is `calling` stands between a noun and its name ("a village called Vantry").

    `also` are the adverbs before `calling` words that tell of another name ("commonly known as").
    `full_name_labels` and `other_name_labels` label names of a sheet's own entity.

    `declined` gives the endings that a name has in the other cases, by its own ending: those of
    each case, between spaces, with `/` between two that it may have ("а" → "ы е у ой/ою е").
    """

    function_words: frozenset[str] = frozenset()
    particles: frozenset[str] = frozenset()
    prepositions: frozenset[str] = frozenset()
    passive: frozenset[str] = frozenset()
    copulas: frozenset[str] = frozenset()
    relative_pronouns: frozenset[str] = frozenset()
    modals: frozenset[str] = frozenset()
    doubt: frozenset[str] = frozenset()
    conditions: frozenset[str] = frozenset()
    fictive: frozenset[str] = frozenset()
    hearsay: frozenset[str] = frozenset()
    nobody: frozenset[str] = frozenset()
    factive: frozenset[str] = frozenset()
    achieved: frozenset[str] = frozenset()
    unreal: frozenset[str] = frozenset()
    dreamt: frozenset[str] = frozenset()
    unreal_nouns: frozenset[str] = frozenset()
    becoming: frozenset[str] = frozenset()
    naming: frozenset[str] = frozenset()
    sides: frozenset[str] = frozenset()
    former: frozenset[str] = frozenset()
    of: frozenset[str] = frozenset()
    ceasing: frozenset[str] = frozenset()
    having: frozenset[str] = frozenset()
    mutual: frozenset[str] = frozenset()
    moving: frozenset[str] = frozenset()
    recurring: frozenset[str] = frozenset()
    lasting: frozenset[str] = frozenset()
    accompanying: frozenset[str] = frozenset()
    reaching: frozenset[str] = frozenset()
    within: frozenset[str] = frozenset()
    possessive: frozenset[str] = frozenset()
    joining: frozenset[str] = frozenset()
    leading: frozenset[str] = frozenset()
    partitive: frozenset[str] = frozenset()
    game_labels: frozenset[str] = frozenset()
    vague_headings: frozenset[str] = frozenset()
    articles: frozenset[str] = frozenset()
    definite: frozenset[str] = frozenset()
    elided: frozenset[str] = frozenset()
    being: frozenset[str] = frozenset()
    pointing: frozenset[str] = frozenset()
    pointing_headings: frozenset[str] = frozenset()
    list_titles: frozenset[str] = frozenset()
    grouping_headings: frozenset[str] = frozenset()
    saying: frozenset[str] = frozenset()
    hearing: frozenset[str] = frozenset()
    addressing: frozenset[str] = frozenset()
    addressed: frozenset[str] = frozenset()
    knowing: frozenset[str] = frozenset()
    secrets: frozenset[str] = frozenset()
    looks: frozenset[str] = frozenset()
    endearing: frozenset[str] = frozenset()
    called: frozenset[str] = frozenset()
    talk: frozenset[str] = frozenset()
    body: frozenset[str] = frozenset()
    silent: frozenset[str] = frozenset()
    idle: frozenset[str] = frozenset()
    writings: frozenset[str] = frozenset()
    openers: frozenset[str] = frozenset()
    players: frozenset[str] = frozenset()
    inside: frozenset[str] = frozenset()
    calling: frozenset[str] = frozenset()
    regions: frozenset[str] = frozenset()
    era_nouns: frozenset[str] = frozenset()
    year_words: frozenset[str] = frozenset()
    ordinal_endings: frozenset[str] = frozenset()
    time_openers: frozenset[str] = frozenset()
    date_labels: frozenset[str] = frozenset()
    birth_labels: frozenset[str] = frozenset()
    flashbacks: frozenset[str] = frozenset()
    calendar_kinds: frozenset[str] = frozenset()
    contracted: Mapping[str, str] = field(default_factory=dict)
    pointing_places: Mapping[str, str] = field(default_factory=dict)
    subjects: Mapping[str, str] = field(default_factory=dict)
    people: Mapping[str, str] = field(default_factory=dict)
    short_titles: Mapping[str, str] = field(default_factory=dict)
    pronouns: Mapping[str, str] = field(default_factory=dict)
    roles: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[str, str] = field(default_factory=dict)
    note_roles: Mapping[str, str] = field(default_factory=dict)
    numbered: Mapping[str, str] = field(default_factory=dict)
    numbers: Mapping[str, str] = field(default_factory=dict)
    months: Mapping[str, str] = field(default_factory=dict)
    seasons: Mapping[str, str] = field(default_factory=dict)
    day_parts: Mapping[str, str] = field(default_factory=dict)
    time_units: Mapping[str, str] = field(default_factory=dict)
    eras: Mapping[str, str] = field(default_factory=dict)
    steps: Mapping[str, str] = field(default_factory=dict)
    neighbours: Mapping[str, str] = field(default_factory=dict)
    threads: Mapping[str, str] = field(default_factory=dict)
    decisions: Mapping[str, str] = field(default_factory=dict)
    decision_nouns: Mapping[str, str] = field(default_factory=dict)
    kin_ways: Mapping[str, str] = field(default_factory=dict)
    kin_names: Mapping[str, str] = field(default_factory=dict)
    sorts: Mapping[str, str] = field(default_factory=dict)
    sheet_labels: Mapping[str, str] = field(default_factory=dict)
    events: Mapping[str, str] = field(default_factory=dict)
    nouns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    verbs: Mapping[Frame, tuple[str, ...]] = field(default_factory=dict)
    ended: Mapping[Frame, tuple[str, ...]] = field(default_factory=dict)
    statuses: Mapping[Frame, tuple[str, ...]] = field(default_factory=dict)
    suffered: Mapping[Frame, tuple[str, ...]] = field(default_factory=dict)
    bonds: Mapping[Frame, tuple[str, ...]] = field(default_factory=dict)
    status_nouns: Mapping[str, str] = field(default_factory=dict)
    status_modifiers: Mapping[str, str] = field(default_factory=dict)
    status_words: Mapping[str, str] = field(default_factory=dict)
    status_labels: Mapping[str, str] = field(default_factory=dict)
    state_labels: frozenset[str] = frozenset()
    void_values: frozenset[str] = frozenset()
    also: frozenset[str] = frozenset()
    full_name_labels: frozenset[str] = frozenset()
    other_name_labels: frozenset[str] = frozenset()
    declined: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def titles(self) -> frozenset[str]:
        """The words that head sections and lists and label lines."""
        return frozenset().union(self.vague_headings, self.labels, self.roles, self.nouns)

    @cached_property
    def telling(self) -> frozenset[str]:
        """The words by which a text of a few labels and fragments may tell its language."""
        labels = (word for label in self.labels for word in label.split())
        fates = (*self.status_words, *self.status_labels, *self.state_labels)
        return self.titles.union(self.function_words, self.prepositions, self.being, fates, labels)

    def cases(self, name: str) -> Iterator[str]:
        """Yield a name in the other cases, without those that are words of the language.

        All its words are declined, or the first ones: those behind may say whose it is ("Дом Ивана"
        → "Дома Ивана"). Nothing is yielded for a name whose last declined word has no ending of
        the language.
        """
        if not self._last_letters or self._last_letters.isdisjoint(name):
            return
        words = name.split(" ")
        for count in range(len(words), 0, -1):
            declined = [self._cases_of(word) for word in words[:count]]
            if all(declined):
                rest = words[count:]
                for case in zip(*declined, strict=True):
                    for chosen in product(*case):
                        form = " ".join((*chosen, *rest))
                        if form != name and form.lower() not in self._closed:
                            yield form

    def elisions(self, name: str) -> Iterator[str]:
        """Yield a name behind each word that is elided before it: "d'Anvor" for "Anvor"."""
        yield from (f"{word}'{name}" for word in self.elided)

    def without_elision(self, name: str) -> str:
        """Return a name without a word that is elided before it."""
        word, _, rest = name.replace("’", "'").partition("'")
        return rest if rest and word.lower() in self.elided else name

    def _cases_of(self, word: str) -> Sequence[Sequence[str]]:
        """Return what a word may be in each of the other cases; empty if it is not declined."""
        for length in range(min(len(word) - 1, self._longest_ending), 0, -1):
            endings = self.declined.get(word[-length:].lower())
            if endings is not None:
                stem = word[:-length]
                return [[stem + one for one in case.split("/")] for case in endings.split(" ")]
        return ()

    @cached_property
    def _last_letters(self) -> frozenset[str]:
        return frozenset(ending[-1] for ending in self.declined)

    @cached_property
    def _longest_ending(self) -> int:
        return max(map(len, self.declined), default=0)

    @cached_property
    def _closed(self) -> frozenset[str]:
        return self.function_words | self.prepositions | self.pronouns.keys()

    @cached_property
    def forms_of_address(self) -> frozenset[str]:
        """What somebody may be called to the face without a name."""
        short = self.short_titles
        return frozenset().union(self.called, self.people, short, short.values())

    @cached_property
    def light(self) -> frozenset[str]:
        """The words of which every text is full, whatever it is about."""
        listed = (
            *(self.function_words, self.particles, self.prepositions, self.copulas, self.modals),
            *(self.relative_pronouns, self.conditions, self.articles, self.definite, self.being),
            *(self.pointing, self.openers, self.idle, self.addressed, self.endearing, self.of),
            *(self.talk, self.joining, self.nobody, self.pronouns, self.subjects, self.contracted),
        )
        return frozenset(word for words in listed for one in words for word in one.split())


def read_words(file: Path) -> Words:
    """Return the words in a TOML file.

    Raises PluginError, naming the file, if it cannot be read, or has a list or table that a
    language has not.
    """
    import tomllib

    try:
        data = tomllib.loads(file.read_text("utf-8"))
        return _words(data)
    except (OSError, ValueError, TypeError) as error:
        raise PluginError(f"The words of a language in {file} cannot be read: {error}.") from error


def _words(data: Mapping[str, object]) -> Words:
    known = {one.name: str(one.type) for one in fields(Words)}
    for name in data:
        if name not in known:
            raise ValueError(f"there is no list or table {name!r}; known: {', '.join(known)}")
    prepositions = frozenset(_listed(data.get("prepositions", "")))
    passive = frozenset(_listed(data.get("passive", "")))
    made: dict[str, object] = {}
    for name, written in data.items():
        if known[name].startswith("frozenset"):
            made[name] = frozenset(_listed(written))
        elif name in ("verbs", "ended", "statuses", "suffered", "bonds"):
            made[name] = _meanings(
                (_frame(one, prepositions, passive), meaning) for one, meaning in _table(written)
            )
        elif name == "nouns":
            made[name] = _meanings(_table(written))
        else:
            made[name] = dict(_table(written))
    return Words(**made)  # type: ignore[arg-type]  # each is made for its field's type


def _listed(written: object) -> list[str]:
    """Return the words of a list: separated by commas, with any white space between them."""
    if not isinstance(written, str):
        raise TypeError(f"expected words with commas between them, got {written!r}")
    return [word for one in written.split(",") if (word := " ".join(one.split()))]


def _table(written: object) -> Iterator[tuple[str, str]]:
    """Yield the words of a table, each with what it means."""
    if not isinstance(written, Mapping):
        raise TypeError(f"expected a table, got {written!r}")
    for meaning, listed in written.items():
        for word in _listed(listed):
            yield word, meaning


def _meanings(pairs: Iterable[tuple[Key, str]]) -> dict[Key, tuple[str, ...]]:
    """Return all that each word means, in the order of the file."""
    found: dict[Key, tuple[str, ...]] = {}
    for word, meaning in pairs:
        if meaning not in (known := found.get(word, ())):
            found[word] = (*known, meaning)
    return found


def _frame(written: str, prepositions: Collection[str], passive: Collection[str]) -> Frame:
    words = written.split()
    is_passive = words[0] in passive and len(words) > 1 and words[1] not in prepositions
    words = words[is_passive:]
    for length in (2, 1):
        case = " ".join(words[-length:])
        if len(words) > length and case in prepositions:
            return Frame(" ".join(words[:-length]), case, is_passive)
    return Frame(" ".join(words), "", is_passive)
