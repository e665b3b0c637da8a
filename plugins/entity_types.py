"""The types of entity that fiction has, with the words and folders by which writers mark them."""

from __future__ import annotations

from collections.abc import Iterable

from writeros_entities import EntityType, hookimpl

__version__ = "1"


def _type(
    name: str, plural: str, synonyms: str, folders: str, *, personal: bool = False
) -> EntityType:
    return EntityType(
        name,
        plural,
        tuple(word.strip() for word in synonyms.split(",")),
        tuple(folder.strip() for folder in folders.split(",")),
        personal,
    )


TYPES = (
    _type(
        "person",
        "people",
        "character, npc, pc, protagonist, antagonist, villain, hero, heroine, main character, "
        "side character, supporting character, cast member, deity, god",
        "Characters, People, Persons, Cast, Dramatis Personae, NPCs, Protagonists, Antagonists, "
        "Villains, Heroes, Gods, Deities, Pantheon",
        personal=True,
    ),
    _type(
        "place",
        "places",
        "location, setting, city, town, village, region, country, kingdom, realm, building, "
        "landmark, room, planet, continent, island, river, mountain, world, dungeon, district, "
        "province",
        "Places, Locations, Geography, Settings, Cities, Towns, Regions, Countries, Kingdoms, "
        "Realms, Maps, Planets, Landmarks, Buildings",
    ),
    _type(
        "faction",
        "factions",
        "organization, organisation, group, house, guild, clan, order, army, government, family, "
        "religion, church, cult, tribe, institution",
        "Factions, Organizations, Organisations, Groups, Houses, Guilds, Clans, Orders, Families, "
        "Religions, Governments",
    ),
    _type(
        "item",
        "items",
        "object, artifact, artefact, prop, weapon, relic, treasure, book, document",
        "Items, Objects, Artifacts, Artefacts, Props, Weapons, Relics, Equipment",
    ),
    _type(
        "event",
        "events",
        "battle, war, festival, ceremony, incident, historical event",
        "Events, History, Battles, Wars",
    ),
    _type(
        "concept",
        "concepts",
        "idea, theme, magic, magic system, law, language, technology, term, lore",
        "Concepts, Themes, Magic, Magic Systems, Languages, Technology, Glossary, Lore",
    ),
    _type(
        "creature",
        "creatures",
        "monster, animal, beast, plant, pet, mount",
        "Creatures, Monsters, Animals, Bestiary, Beasts, Flora, Fauna, Plants",
    ),
    _type(
        "culture",
        "cultures",
        "species, race, people group, ethnicity, ancestry, nation",
        "Cultures, Species, Races, Peoples, Ancestries, Nations",
    ),
    _type(
        "vehicle",
        "vehicles",
        "ship, vessel, spaceship, starship, airship, boat, train",
        "Vehicles, Ships, Vessels, Starships, Airships",
    ),
)


@hookimpl
def register_entity_types() -> Iterable[EntityType]:
    """Return the types of fiction; a concept is what a note is when nothing says more."""
    return TYPES
