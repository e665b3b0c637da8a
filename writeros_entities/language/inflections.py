"""What search needs of English: stop words, and the inflected forms of a word."""

from __future__ import annotations

from functools import lru_cache

_FORMS = """
arise arose arisen
awake awoke awoken
bear bore borne
beat beaten
become became
begin began begun
bend bent
bind bound
bite bit bitten
bleed bled
blow blew blown
break broke broken
breed bred
bring brought
build built
burn burnt
buy bought
catch caught
choose chose chosen
cling clung
come came
creep crept
deal dealt
dig dug
draw drew drawn
dream dreamt
drink drank drunk
drive drove driven
dwell dwelt
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
flee fled
fling flung
fly flew flown
forbid forbade forbidden
forget forgot forgotten
forgive forgave forgiven
forsake forsook forsaken
freeze froze frozen
get got gotten
give gave given
go goes went gone
grind ground
grow grew grown
hang hung
hear heard
hide hid hidden
hold held
keep kept
kneel knelt
know knew known
lay laid
lead led
lean leant
leap leapt
learn learnt
leave left
lend lent
lie lay lain
light lit
lose lost
make made
mean meant
meet met
pay paid
rend rent
ride rode ridden
ring rang rung
rise rose risen
run ran
say said
see saw seen
seek sought
sell sold
send sent
sew sewn
shake shook shaken
shear shorn
shine shone
shoot shot
show shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sit sat
slay slew slain
sleep slept
slide slid
sling slung
smell smelt
sow sown
speak spoke spoken
spend spent
spill spilt
spin spun
spit spat
spring sprang sprung
stand stood
steal stole stolen
stick stuck
sting stung
stink stank stunk
stride strode stridden
strike struck stricken
strive strove striven
swear swore sworn
sweep swept
swell swollen
swim swam swum
swing swung
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
tread trod trodden
understand understood
undo undid undone
wake woke woken
wear wore worn
weave wove woven
weep wept
win won
wind wound
withdraw withdrew withdrawn
write wrote written
calf calves
child children
elf elves
foot feet
goose geese
half halves
knife knives
leaf leaves
life lives
loaf loaves
man men
mouse mice
ox oxen
shelf shelves
thief thieves
tooth teeth
wife wives
wolf wolves
woman women
"""
"""One line for each word: the headword, then the forms that regular spelling does not derive."""

_WORDS = [tuple(line.split()) for line in _FORMS.split("\n") if line]

GROUPS = {word[0]: word for word in _WORDS}
"""All forms of a word, by headword."""

HEADWORDS: dict[str, tuple[str, ...]] = {}
"""The headwords of each form: `lay` is a form of `lay` and of `lie`."""

for _word in _WORDS:
    for _form in _word:
        HEADWORDS[_form] = (*HEADWORDS.get(_form, ()), _word[0])

PAST_FORMS = frozenset(form for word in _WORDS for form in word[1:] if not form.endswith("s")) | {
    *("put", "cut", "set", "shut", "let", "hit", "cast", "spread", "burst", "read", "split")
}
"""Forms that may be the past tense of an irregular verb. Forms in -s are excluded: `leaves` is also
the plural of `leaf`.
"""


_TELLING_NOTHING = """
a about after all also am an and any are as at be because been before being but by can could did
do does doing for from had has have he her here hers him his how i if in into is it its just me
more most my no nor not of on one or our out over she should so some such than that the their
them then there these they this those through to under up us was we were what when where which
while who whom whose why will with would you your
"""
STOP_WORDS = frozenset(_TELLING_NOTHING.split())
"""Words that carry no meaning of their own in a query: articles, pronouns, auxiliaries and so on.
"""

SHORTEST = 3
"""The fewest letters that must remain when an ending is removed."""

_VOWELS = frozenset("aeiouy")
_HISSING = ("s", "x", "z", "ch", "sh")


@lru_cache(maxsize=1_024)
def inflections(word: str) -> tuple[tuple[str, ...], ...]:
    """Return a word and its possible inflections, each as a phrase of one word.

    `walks` gives `walk`, `walked` and `walking` too, and `gave` gives `give` and `given`. Regular
    forms follow from spelling alone, so some are not words; no index contains those. A word with
    letters other than a-z, a stop word and a word of fewer than `SHORTEST` letters have no other
    forms.
    """
    if not (word.isascii() and word.isalpha()) or word in STOP_WORDS or len(word) < SHORTEST:
        return ((word,),)
    forms = {word}
    for stem in _stems(word) | set(HEADWORDS.get(word, ())):
        forms |= _forms(stem) | set(GROUPS.get(stem, ()))
    return tuple((form,) for form in sorted(forms))


def _stems(word: str) -> set[str]:
    stems = {word}
    if word.endswith(("ies", "ied")):
        stems |= {word[:-3] + "y", word[:-1]}
    elif word.endswith("es") and word[:-2].endswith((*_HISSING, "o")):
        stems |= {word[:-2], word[:-1]}
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        stems.add(word[:-1])
    elif word.endswith("ed"):
        stems |= _unended(word[:-2])
    elif word.endswith("ing"):
        stems |= _unended(word[:-3])
    return {stem for stem in stems - STOP_WORDS if len(stem) >= SHORTEST and _VOWELS & set(stem)}


def _unended(rest: str) -> set[str]:
    """Return the possible stems before `-ed` or `-ing`: `walk`, `stare`, `row` or `stop`."""
    if not _VOWELS & set(rest):
        return set()
    stems = {rest, rest + "e"}
    if len(rest) > SHORTEST and rest[-1] == rest[-2]:
        stems.add(rest[:-1])
    return stems


def _forms(stem: str) -> set[str]:
    forms = {stem, stem + "ed", stem + "ing"}
    forms.add(stem + "es" if stem.endswith(_HISSING) else stem + "s")
    if stem.endswith("ie"):
        forms |= {stem + "d", stem[:-2] + "ying"}
    elif stem.endswith("e"):
        forms |= {stem + "d", stem[:-1] + "ing"}
    elif stem.endswith("o"):
        forms.add(stem + "es")
    elif stem.endswith("y"):
        forms |= {stem[:-1] + "ies", stem[:-1] + "ied"}
    elif stem[-1] not in _VOWELS and stem[-2] in _VOWELS:
        forms |= {stem + stem[-1] + "ed", stem + stem[-1] + "ing"}
    return forms
