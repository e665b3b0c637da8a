"""English words that several built-in plugins need: titles, function words, common words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .word_lists import word_set, words

if TYPE_CHECKING:
    from writeros_entities import Gender

ABBREVIATED_TITLES = word_set(
    "adm br capt cmdr col cpl dc dci di dr ds fr gen gov hon lt maj mr mrs ms pc prof pvt rev sen",
    "sgt st",
)
"""Titles that may be abbreviated with a dot, folded, without the dot."""

TITLES = ABBREVIATED_TITLES | word_set(
    "abbess abbot admiral agent ambassador archbishop archduke archmage aunt auntie baron baroness",
    "bishop brother captain cardinal chancellor chief coach colonel commander commissioner",
    "commodore comrade constable corporal count countess cousin dame deacon deputy detective",
    "director doctor don doña duchess duke earl elder emperor empress ensign father fra frau",
    "fräulein general governor grandfather grandma grandmaster grandmother grandpa herr inquisitor",
    "inspector judge justice king lady laird lieutenant lord madam madame mademoiselle maester",
    "mage magister magistrate major marquess marquis marquise marshal master mayor midshipman",
    "minister miss mister mistress mlle mme monsieur monsignor mother mx nurse officer pastor pope",
    "preacher president prince princess principal prior prioress private professor queen rabbi",
    "regent reverend saint senator ser sergeant señor señora señorita sheikh sheriff signor",
    "signora sir sire sister squire steward sultan superintendent thane trooper tsar uncle",
    "viscount viscountess warden widow",
)
"""Titles and forms of address, folded, without a dot."""

TITLES_IN_FULL: Mapping[str, str] = {
    "Adm": "Admiral",
    "Br": "Brother",
    "Capt": "Captain",
    "Cmdr": "Commander",
    "Col": "Colonel",
    "Cpl": "Corporal",
    "DC": "Constable",
    "DCI": "Inspector",
    "DI": "Inspector",
    "DS": "Sergeant",
    "Dr": "Doctor",
    "Fr": "Father",
    "Gen": "General",
    "Lt": "Lieutenant",
    "Maj": "Major",
    "PC": "Constable",
    "Prof": "Professor",
    "Pvt": "Private",
    "Sgt": "Sergeant",
}
"""Abbreviated titles as they are written, without a dot, with what they stand for."""

GENDER_OF_TITLE: Mapping[str, Gender] = {
    **dict.fromkeys(
        words(
            "abbess aunt auntie baroness countess dame doña duchess empress frau fräulein grandma",
            "grandmother lady madam madame mademoiselle miss mistress mlle mme mother mrs ms",
            "princess prioress queen señora señorita signora sister viscountess",
        ),
        "f",
    ),
    **dict.fromkeys(
        words(
            "abbot archduke baron brother count duke earl emperor father grandfather grandpa herr",
            "king laird lord monsieur mr prince señor signor sir squire uncle viscount",
        ),
        "m",
    ),
}
"""Titles that only women or only men have, folded, without a dot."""

PARTICLES = word_set(
    "al ap ben bin da dal de del della der des di do dos du el ferch ibn la las le les los mac",
    "mhic nic ní of saint san santa st ten ter the uí van vel verch von y zu zum zur ó",
)
"""Words inside names that need no capital and are not names by themselves."""

GIVEN_NAMES_TOO = frozenset({"al", "ben", "del", "des", "mac", "nic"})
"""Particles that are given names at the start of a name: "Ben Crane"."""

ARTICLES = frozenset({"a", "an", "the"})

GIVEN_NAMES_AND_WORDS = word_set(
    "ace amber angel art ash august autumn basil bill bliss buck buddy carol chance charity chase",
    "chastity cherry chuck clay cliff constance coral crystal daisy dale dawn destiny dove",
    "drew ebony faith fern flora frank gay gene ginger glen glory grace grant guy",
    "harmony harry hazel heath heather heaven herb holly honor honour hope hunter iris ivy jade",
    "jasmine jay jewel joy june kit lance laurel lily mark may melody mercy miles",
    "norm olive opal pansy pat patience pearl peg penny pip poppy prudence ray",
    "reed rob robin rod rose rosemary ruby saffron sage sandy sapphire scout",
    "serenity sonny sterling sue summer sunshine temperance trinity trip",
    "verity victor victory violet wade will willow wren",
)
"""Words that are also given names, folded: "Frank" in "Frank Crane"."""

GIVEN_NAMES_AND_VERBS = word_set(
    "bill chance chase drew grant hope mark may pat reed rob rose scout sue trip wade will",
)
"""Those that are also verbs, and may begin a sentence as such: "May Crane live"."""

MONTHS_AND_DAYS = word_set(
    "april august december february friday january july june march may monday november october",
    "saturday september sunday thursday tuesday wednesday",
)
"""The months and the days of the week, folded."""

PLACE_NOUNS = word_set(
    "Abbey Academy Alley Archipelago Arms Asylum Avenue Bank Barracks Barrow Basin Bay Beach",
    "Bridge Brook Building Buildings Cafe Café Canyon Cape Castle Cathedral Cave Caves Cemetery",
    "Channel Chapel Church Citadel City Cliff Cliffs Close Coast College Common Continent Corner",
    "Cottage County Court Creek Crescent Cross Crossing Dale Delta Desert District Dock Docks",
    "Downs Drive Dune Dunes Empire End Estate Estuary Falls Farm Fen Field Fields Ford Forest Fort",
    "Gables Gaol Garden Gardens Gate Gates Glen Gorge Grange Green Grove Gulf Hall Harbor Harbour",
    "Haven Heath Heights Highway Hill Hills Hold Hollow Homestead Hospital Hotel House Inn Island",
    "Islands Isle Isles Keep Kingdom Lake Land Landing Lands Lane Library Loch Lodge Lough Mall",
    "Manor Mansion Market Marsh Mere Mill Mills Mine Mines Moor Mount Mountain Mountains Museum",
    "Ocean Palace Park Pass Path Peak Peninsula Pier Place Plains Plantation Plateau Point Pond",
    "Port Prison Province Quarter Quay Ranch Reach Reef Ridge River Road Rock Row Sand Sands",
    "School Sea Settlement Shire Shore Sound Spire Spring Springs Square Station Steppe Strait",
    "Straits Stream Street Tarn Tavern Temple Terrace Theater Theatre Tower Towers Town Turnpike",
    "University Vale Vales Valley Vault Villa Village Wall Ward Waste Wastes Weald Well Wells",
    "Wharf Wold Wood Woods",
)
"""Common nouns that end the name of a place. The model of `discovery` was trained with them."""

ORGANIZATION_NOUNS = word_set(
    "Agency Alliance Army Association Board Brigade Bros Brotherhood Bureau Cabal Circle Clan Club",
    "Co Commission Committee Company Conclave Congress Consortium Corporation Corps Council Coven",
    "Department Federation Fellowship Fleet Foundation Gazette Guard Guild Herald Inc Institute",
    "League Legion Ltd Ministry Navy Office Order Parliament Party Police Press Regiment Republic",
    "Senate Service Sisterhood Society Syndicate Times Trust Union Watch",
)
"""Common nouns that head the name of an organization, as in training too."""

GROUP_NOUNS = word_set(
    "academy agency alliance army assembly association brigade brotherhood bureau cabal circle",
    "clan club collective combine commission committee commonwealth company conclave confederacy",
    "congress consortium corporation corps council court coven covenant department directorate",
    "dominion empire federation fellowship fleet foundation guard guild hegemony institute league",
    "legion ministry navy office order parliament party police regiment republic senate service",
    "sisterhood society survey syndicate synod tribunal trust union watch",
)
"""Nouns for groups, as the last word of their names, folded: "the Guild" is the Lantern Guild."""

PERSON_VERBS = word_set(
    "added admitted agreed answered asked begged believed blushed bowed cried curtsied demanded",
    "embraced exclaimed explained felt forgave frowned gasped glanced grinned groaned guessed",
    "hated hesitated hoped hugged insisted killed kissed knelt knew laughed listened loved married",
    "murdered murmured muttered nodded pleaded promised protested remembered replied robbed sat",
    "scolded screamed shouted shrugged sighed slapped slept smiled sobbed spoke stabbed stammered",
    "stole swore thought trembled understood wept whispered winked wished wondered yawned",
)
"""Verbs with human subjects: of speech, emotion and movement, and of good or harm to others."""

MOTIONS = word_set(
    "barked blinked chuckled coughed crouched dozed flinched giggled gulped hiccupped",
    "limped panted pouted purred scampered scowled scratched shivered sneezed sniffed snored",
    "snorted strode strolled tiptoed trotted trudged waddled wagged whimpered winced yelped",
)
"""Verbs for what living beings do with their bodies, and words and things do not."""

_NOW = word_set(
    "adds admits agrees asks begs exclaims explains forgives frowns grins hesitates insists kneels",
    "laughs listens marries murmurs mutters nods pleads remembers said says scolds shrugs sighs",
    "sits smiles speaks stammers swears tells thinks told understands whispers yawns",
)
ACTS = PERSON_VERBS | MOTIONS | _NOW
"""Verbs that distinguish a name from a word where a capital cannot: "Hope nodded", "Will says".

In the present tense, only those that are rarely the plural of a noun; not "answers" or "cries".
"""

MODALS = frozenset({"can", "could", "might", "must", "shall", "should", "will", "would"})
"""Verbs that are followed by an infinitive. Not "may", which is also a month."""

FINITE = frozenset({"am", "are", "did", "does", "had", "has", "is", "was", "were"})
"""Finite verbs, which never follow a modal verb."""

PAST_TENSES = words(
    "bade bent bit blew bought broke brought built came caught chose clung crept cut",
    "dealt drank drew drove dug ate fed felt flung fought found fled flew forgot forgave",
    "gave ground grew heard held hid kept knelt knew laid leapt led left lent let lit",
    "lost made meant met paid put ran rang read rode rose sang sat saw sent set shook",
    "shot shrank shut slammed slept slid sought spat spent spoke spun sprang stole stood",
    "strode struck stuck swam swept swore swung threw told took trod understood went wept",
    "woke won wore wound wrung",
)
"""Irregular past tenses of what somebody does."""

NO_INFINITIVES = frozenset(PAST_TENSES) - word_set("cut found ground let put read set shut wound")
"""Past tenses that never follow a modal verb, as they are the infinitive of no verb."""

_CONTRACTIONS = words(
    "can't couldn't didn't doesn't don't i'll i'm i've isn't it's that's there's wasn't won't",
    "wouldn't",
)
STOP_WORDS = frozenset(
    {*_CONTRACTIONS, *(word.replace("'", "’") for word in _CONTRACTIONS)}
) | word_set(
    """
    a about above across after again against ago all almost alone along already also although
    always am among an and another any anybody anyone anything are around as ask asked at away back
    be became because become been before began begin behind being below beneath beside best better
    between beyond bit both bring brought but by call called came can cannot come comes coming
    could did do does doing done down during each either else enough even ever every everybody
    everyone everything far felt few first for found from further gave get gets getting give given
    go goes going gone good got great had has have having he heard held her here hers herself him
    himself his how however i if in inside into is it its itself just keep kept kind knew know
    known last later least left less let like little long look looked looking lot made make makes
    making man many may maybe me men might mine more most much must my myself near nearly need
    neither never new next no nobody none nor not nothing now of off often old on once one only
    onto or other others our ours out outside over own part past perhaps place put quite rather
    really right round said same saw say saying says see seem seemed seems seen several shall she
    should side since so some somebody someone something sometimes soon still stood such sure take
    taken takes taking tell than that the their theirs them themselves then there these they thing
    things think this those though thought three through till time times to together told too took
    toward towards turn turned two under until up upon us used very want wanted was way we well
    went were what when where whether which while who whole whom whose why will with within without
    woman women word words would yes yet you your yours yourself
    """
)
"""Words that say nothing about the topic of a text."""

COMMON_WORDS = word_set(
    """
    a able about above abroad academy accepted account ace acquaintance acquainted across act
    actually added advantage affairs affection afraid after afternoon afterwards again against age
    ago agreeable ah air alas alive all allowed almost alone along already also altogether always
    am amber ambition amen amiable among an ancient and angel another answer answered anxious any
    anybody anyone anything appear appearance appeared approached april are arm arms army around
    arrived arrow art artist as ash aside ask asked aspect at atmosphere attention august aunt
    autumn aware away awful axe aye baby back bad ball bank bare baron basket be bear bearing beast
    beautiful beauty became because become bed been before began begin beginning begun behind being
    believe believed bell below beneath bent beside besides best better between beyond big bill
    birch bird birth bishop bit black blade blaze blew bliss blood bloom blow blue board body bond
    bones book books bore born both bottle bottom bound box boy boys brand breakfast breath bred
    brick bridge brief bright bring broad broke broken brook brother brought brown brush buck buddy
    building buildings built burst bush business busy but by bye cabin call called calling came
    camp can cannot cap captain car care carriage carried carry carrying carver case castle catch
    cause caused ceased cents centuries century certain certainly chain chair chamber chambers
    chance change chapter character charge charity charming chase chaser chastity cheeks cheerful
    child children chin chip chosen church cigarette circle circumstance circumstances city claim
    class clay clean clear clearly clever cliff clock close closed closely cloth clothes cloud
    clouds coal coat cold colour come comes comfortable coming command common companion companions
    company complete condition conduct consciousness consequence consider considerable considered
    contempt continued conversation cook cool coral corner cottage cotton could council countenance
    country county course court cousin covered creature cried cross crossed crow crowd crowded
    crown cry crying crystal curiosity curious curse cut dagger daily daisy dale damn danger dark
    darkness date daughter daughters dawn day days de dead deal dear death december decided deep
    delicate delightful demon desert desire destiny determined devil diamond did die died different
    difficult difficulty dinner direction dirty discovered disposed distance distant do doctor does
    dog dogs doing dollars don done door doors double doubt dove down dozen draft dragon drawing
    drawn dreadful dream dreams dress dressed drew drink driving dry due duel duke dull during dusk
    duties duty dying each ear earl early ears earth ease easily easy eat eating edge education
    effect eight either elder elderly eleven elm else ember emerald emotion emperor empire empress
    empty end enemy engaged enough entered entirely entrance epilogue equally especially estate
    even evening ever every everybody everyone everything evidently evil exactly excellent except
    excited exclaimed exile existence expect expected experience explained expressed expression
    extremely eye eyes face faces fact faded faint faintly fair fairly faith fall fallen falling
    families family fancy far farm farther fashion fast fate father favourite fear feast features
    february feel feeling feelings feet fell fellow fellows felt fern festival fever few field
    fields fifteen fifty figure filled finally find finding fine fingers finished fire first fit
    five fixed flame flat floor flower fog followed following fond food fool foot for force ford
    forest forests forgotten form formed former forth fortress fortune forty forward found four
    fourteen fox frank free frequently fresh friday friend friends frightened from front frost full
    fun furniture further fury future game garden gate gave gay general generally generation
    genesis gentle gentleman gentlemen get getting ghost giant ginger girl girls give given giving
    glad glance glanced glass glasses glen gloom glory go god goddess goes going gold gone good got
    gown grace grand grant grass grave gray great greatest green grew grey ground grow growing
    grown guard guild guy habit had hair half hall hand handed hands handsome happen happened
    happiness happy harbor harbour hard hardly hardy harmony has hat hats have haven having hawk
    hazel he head heads health hear heard hearing heart hearts heat heather heaven heavy hedge
    height heir held hello help helped her herald here hero herself hey hi high highly hill hills
    him himself his history hold holding hole holly home honest honor honour hook hope horse horses
    hospital hot hotel hour hours house houses how however huge human hundred hung hunt hunter hurt
    husband hush i ice idea idle if ill imagine imagined immediately importance important
    impossible impression in increased indeed individual influence inhabitants inn inside instant
    instead intended intention interest interested interesting interrupted into iris iron is island
    it its itself ivy jade january jasmine jet jewel joy judge july june just justice keen keep
    keeping kept key killed kind kindly kindness king kingdom kit kitchen knee knees knew knight
    knot know knowledge known knows lack lad ladies lady laid lake lance land lane language lantern
    large last late lately later latter laugh laughed laurel law lay lead leaned learn learned
    least leave leaves leaving led left leg legion legs length less let letter letters liberty
    library lie life light lightning like liked likely lily line lips listen listened listening lit
    little live lived lives living local lonely long longer look looked looking looks loose lord
    loss lost lot love loved lovely low lower lucky lying made magic maiden main major make makes
    making man manner manners many map maple march mark marked market marriage married marry marsh
    master match matter matters may me mean meaning means meant meet melancholy melody men
    mentioned merchant mercy mere merely met middle might mile miles miller mind minds mine minute
    minutes mirror mist mistress moment monday money monk monster month months moon moral more
    moreover morning mortal moss most mother mountain mountains mouth move moved much music must my
    myself mysterious mystery name named names narrow native natural nature nay near nearly neat
    necessary neck need neighbours neither nerves nervous never new news newspaper next nice night
    nine no noble nobody noise none nor norm north nose not note notes nothing notice noticed
    november now number nurse oak oath object observed occasion occupied ocean october odd of off
    offered office officer often oh ok okay old older olive on once one only opal open opened
    opening opinion opportunity opposite or oracle order orders ordinary original orphan other
    others otherwise ought our out outline outside over own pace pack page pages paid pain pair
    palace pale panes panther paper parish parlour parson part particular particularly parties
    parts party pass passage passed passengers passing past pastor pat path patience paused pay
    peace pearl peculiar peg penny people pepper perfect perfectly perhaps period permitted person
    personal persons picture pictures piece pieces pierce pike pine pink pip pipe pity place placed
    places plague plain planet play played pleasant please pleased pleasure plum pocket pockets
    poet point pointed poison pole political pool poor poppy portal portion position possessed
    possible possibly post pounds power practice prepared presence present presented presently
    pretty previous pride priest prince prior prison private probably professional prologue
    promised proper property prophecy prophet public pulled purpose put putting quarter queen quest
    question questions quick quickly quiet quietly quite rage rain ran rank rate rather raven reach
    reached read reader reading ready real really reason reasons rebel rebellion received red reed
    reflected regard regarded region reign relic remained remark remarkable remarked remember
    remembered remote replied reply resolved respect rest retired return returned rich ridge right
    ring rise rising ritual river road rob robin rock rocky rod roof rook room rooms rose roses
    rough round row rows royal ruby ruin ruins run rune running rush rust rusty sacrifice sad
    saffron sage said sailor saint sake same sand sandy sapphire sat saturday savage save saw say
    saying says scar scarcely scarlet scattered scene scholar school scout scroll sea seat seated
    second secret see seeing seem seemed seems seen seldom self send sense senses sent september
    serenity serious serpent servant servants serve served service set setting settle seven several
    shade shadow shadows shall shape sharp she shepherd shield shine ship ships shoes shook shop
    shore short should shoulder shoulders show showed shrine shut sick side sides siege sight sign
    signs silence silent silk silver simple simply since single singular sir sister sisters sit
    sitting situation six skip sky slate slave sleep sleepy sleeves slightly slipped slow slowly
    small smile smiled smith smoke smoking smooth snow so social society soft softly sold soldier
    some somebody somehow someone something sometimes somewhat somewhere son sonny soon sorcerer
    sorry sort sought soul sound sounds south space sparrow speak speaking spell spent spike spirit
    spirits spite spoke spoken spot spring spy square stag stand standing star stared stark stars
    start started state station statue stay steel steep step stepped steps sterling steward stick
    still stone stood stop stopped store stories storm story straight strange stranger stream
    street streets stretched strike strong struck study style subject such sudden suddenly
    sufficient suit summer sun sunday sunny sunset sunshine supper suppose supposed sure surgeon
    swan sweet swept swift sword table take taken taking talk talked talking tall tanner taste
    taught tea tears teeth tell temper temperance temple ten terrible terror than thanks that the
    their them themselves then there therefore these they thick thief thin thing things think
    thinking third thirty this thorn thoroughly those though thought thoughts thousand three threw
    throne through thunder thursday thus tide tied tiger till time times tired title to together
    told tomb tone too took top touch toward towards tower town towns trace trail train traitor
    treasure tree trees trial tribe tried trinity trip trouble trousers true trust truth try trying
    tuesday turn turned turning twelve twenty twice twin twist two ugly uncle under understand
    understanding understood unknown unless until up upon upper us use used useful usual usually
    vague vain valley valor vampire various vast vault veil velvet venture verity very vice victory
    view village vine violet visit visitor voice voices vow vulgar wade wait waited waiting walk
    walked walking wall walls wandering want wanted war ward warden warm warrior was watch watched
    water way ways we weak weapon wear weather wednesday week weeks well went were west wet what
    whatever when where whether which while white who whole whom whose why wide widow wife wild
    wilderness will willow wind window windows winds wine winner winter wise wish wished witch with
    within without wizard wolf woman women wonder wondered wonderful wood woods word words wore
    work worked world worn worse worst worth worthy would wound wraith write writing written wrote
    yard year years yellow yes yet you young younger your yourself youth
    """
)
"""Frequent English words, including those that are also names (Will, Hope, May), folded."""
