"""English words with irregular forms: a question says `give` where a story says `gave`."""

from __future__ import annotations

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
