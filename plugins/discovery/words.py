"""Closed classes of capitalised English words, none of which is a name by itself.

They are what a reader knows before opening the book: that *Mr* and *Captain* stand before a name,
that *Street* ends one, and that *Monday* and *French* are capitalised without naming anyone. The
weights of the model were trained with these lists, so changing them may require training again.
"""

from __future__ import annotations

from ..word_lists import word_set

FUNCTION_WORDS = word_set(
    "A AND After Ah All An And Are As At Be Before But By CHAPTER Can't Chapter DM Did Do Don't",
    "FIXME For From GM Had Has Have He Her Here His How I IN If In Is Isn't It Its My NOTE NPC",
    "NPCs No Nor Not Now O OF Of Oh On Or Our PC PCs POV SCENE SESSION Scene Session She So Some",
    "THE TODO That The Their Then There These They This Those To Was We Well Were What When Where",
    "Which Who Why With Won't Yes Yet You Your",
)
"""Words that begin sentences but never names; they are skipped."""

ABBREVIATIONS = word_set(
    "Adm Br Bros Capt Cmdr Co Col Cpl Dr Esq Fr Ft Gen Gov Hon Inc Jr Lt Ltd Maj Messrs Mlle Mme",
    "Mr Mrs Ms Mt Pres Prof Pvt Rev Sen Sgt Sr St Ste",
)
"""Abbreviations whose full stop belongs to the name."""

TITLES = word_set(
    "Abbess Abbot Admiral Agent Ambassador Archbishop Archduke Archmage Aunt Auntie Aunty Baron",
    "Baroness Bishop Br Brother Capt Captain Cardinal Chancellor Chief Citizen Citoyen Coach Col",
    "Colonel Commander Commissioner Commodore Comrade Constable Corporal Count Countess Cousin",
    "Czar DC DCI DI DS Dame Deacon Deputy Detective Director Doctor Dom Don Donna Doña Dr Duchess",
    "Duke Earl Elder Emperor Empress Ensign Father Fr Fra Frau Fraulein Friar Gen General Governor",
    "Grandma Grandmaster Grandpa Granny Herr Hon Imam Inquisitor Inspector Judge Justice Khan King",
    "Lady Lieutenant Lord Lord-Lieutenant Lt Madam Madame Mademoiselle Maester Magister Maj Major",
    "Marquess Marquis Marquise Marse Marshal Massa Master Mayor Messrs Midshipman Minister Miss",
    "Misses Mister Mistress Mlle Mme Monsieur Monsignor Mother Mr Mrs Ms Mx Nurse Officer PC Pope",
    "President Prince Princess Principal Prior Private Prof Professor Queen Rabbi Rev Reverend",
    "Saint Senator Ser Sergeant Señor Señora Sgt Sheikh Sheriff Signor Signora Signorina Sir",
    "Sister Squire St Sultan Superintendent Trooper Tsar Uncle Viscount Viscountess Warden",
)
"""Forms of address, ranks and kinship terms that stand before a name."""

POLITE = word_set("Dr Madam Madame Miss Mister Mistress Mr Mrs Ms Mx")
"""Titles that only people have, whatever the name is: Miss Marsh, Mr. Wood."""

CALENDAR = word_set(
    "Advent April August Autumn Christmas December Easter February Friday Halloween January July",
    "June Lammas Lent March May Michaelmas Monday November October Sabbath Saturday September",
    "Spring Summer Sunday Thursday Tuesday Wednesday Whitsun Whitsuntide Winter Yule",
)
"""Days, months, feasts and seasons."""

COUNTED = word_set(
    "Class Day Floor Form Grade Hour Level Month Night Period Semester Term Week Year"
)
"""What has a number rather than a name: "Fifth Year", "Day One"."""

PEOPLES = word_set(
    "African American Americans Anglican Arab Arabian Arabic Asian Australian Austrian Baptist",
    "Bible Bohemian Brazilian British Buddhist Canadian Catholic Catholics Celtic Chinese",
    "Christian Christians Cuban Danish Dutch Dutchman Egyptian Elizabethan English Englishman",
    "Englishmen Englishwoman European French Frenchman Frenchmen Frenchwoman Gaelic Georgian",
    "German Germans Gospel Gothic Greek Greeks Hebrew Hindoo Hindu Hungarian Indian Indians Irish",
    "Irishman Irishmen Italian Italians Japanese Jesuit Jew Jewish Jews Koran Latin Londoner",
    "Londoners Methodist Mexican Mohammedan Moor Moorish Muslim Negro Norman Norwegian Oriental",
    "Parisian Persian Polish Portuguese Presbyterian Protestant Protestants Prussian Puritan",
    "Quaker Qur'an Roman Romans Russian Russians Sanskrit Saxon Scotch Scotchman Scotsman Scottish",
    "Scripture Spaniard Spaniards Spanish Swedish Swiss Testament Turk Turkish Turks Victorian",
    "Welsh Welshman Yankee Yankees Yiddish",
)
"""Peoples, languages, creeds and their books."""

VEHICLE_NOUNS = word_set(
    "HMS aboard airship bark barque boat brig cutter frigate galleon lugger schooner ship sloop",
    "starship steamer submarine vessel whaler yacht",
)
"""Nouns that announce the name of a vehicle."""

ANIMAL_NOUNS = word_set(
    "bear bulldog camel cat collie colt cow dog donkey dragon falcon ferret filly foal gelding",
    "goat greyhound hamster hawk horse hound kitten lapdog mare mastiff mule owl ox parrot pig",
    "pony puppy rabbit raven retriever sheepdog spaniel stallion terrier tomcat wolf wolfhound",
)
"""Nouns that announce the name of an animal: "our dog Waffles"."""

NAMED_BY_OF = word_set(
    "Archbishop Bank Bay Bishop Brotherhood Cape Castle Church City Company Count Countess County",
    "Court Duchess Duke Earl Emperor Empress Fort Guild Gulf Hall House Island Isle Keeper King",
    "Kingdom Knights Lady Lake League Lord Marquis Master Ministry Mount Order Port Prince",
    "Princess Province Queen Republic School Sea Sisterhood State Strait Straits Sultan Temple",
    "Tower Town University Vale Valley Warden",
)
"""Words after which “of” goes on with the name: Bank of England, Duke of York."""

EPITHETS = word_set(
    "Bad Black Blind Bold Brave Conqueror Cruel Eighth Elder Fifth First Fourth Good Gray Great",
    "Green Grey Lame Magnificent Ninth Red Second Seventh Sixth Tenth Terrible Third White Wise",
    "Younger",
)
"""Words that follow a name and “the”: Rudolf the Third."""

CUES = word_set("a an and at by from her his in is my of or our that the this to was with your")
"""Function words before a capitalised word that are evidence for what it is."""
