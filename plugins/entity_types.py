"""The sorts of entity in fiction, with the words and folders by which writers mark them.

The words are what writers call the kinds of a sort, in properties and tags: a tavern is a place.
"""

from __future__ import annotations

from collections.abc import Iterable

from writeros_entities import EntityType, hookimpl

__version__ = "3"


def _type(
    name: str, plural: str, synonyms: str, folders: str, *, personal: bool = False
) -> EntityType:
    words, places = ELSEWHERE.get(name, ("", ""))
    return EntityType(name, plural, _split(synonyms, words), _split(folders, places), personal)


def _split(*lists: str) -> tuple[str, ...]:
    return tuple(word.strip() for words in lists for word in words.split(",") if word.strip())


ELSEWHERE = {
    "person": (
        "charakter, figur, nsc, personnage, pnj, pj, personaje, personaggio, personagem, personage",
        "Charaktere, Figuren, Personen, NSCs, Personnages, PNJs, Personajes, Personaggi, PNGs, "
        "Personagens, Personages, Götter, Dieux, Dioses, Divinità, Deuses",
    ),
    "place": (
        "ort, stadt, dorf, lieu, ville, lugar, ciudad, luogo, città, villaggio, cidade, plaats",
        "Orte, Städte, Lieux, Villes, Lugares, Ciudades, Luoghi, Città, Cidades, Plaatsen",
    ),
    "faction": (
        "fraktion, gilde, facción, gremio, organización, fazione, gilda, organizzazione, facção, "
        "organização, organisatie, volk, peuple, popolo, povo",
        "Fraktionen, Organisationen, Gruppen, Gilden, Facciones, Organizaciones, Gremios, Fazioni, "
        "Organizzazioni, Facções, Organizações, Völker, Volk, Peuples, Popoli, Povos",
    ),
    "item": (
        "gegenstand, artefakt, objet, artéfact, objeto, artefacto, oggetto, artefatto, voorwerp, "
        "schiff, navire, nave, navio, schip",
        "Gegenstände, Artefakte, Objets, Artéfacts, Objetos, Artefactos, Oggetti, Artefatti, "
        "Schiffe, Navires, Navi, Navios",
    ),
    "event": (
        "ereignis, événement, evento, gebeurtenis",
        "Ereignisse, Événements, Eventos, Eventi, Gebeurtenissen",
    ),
    "concept": ("konzept, magie, concepto, concetto", "Konzepte, Magie, Conceptos, Concetti"),
    "creature": (
        "kreatur, créature, criatura, creatura, wezen, rasse, spezies, espèce, "
        "especie, raza, raça, razza",
        "Kreaturen, Tiere, Créatures, Criaturas, Wezens, Rassen, Spezies, Espèces, Razas, "
        "Raças, Razze",
    ),
}
"""Equivalent words and folders in German, French, Spanish, Italian, Portuguese and Dutch."""


TYPES = (
    _type(
        "person",
        "people",
        "character, npc, pc, player character, protagonist, antagonist, villain, hero, heroine, "
        "main character, side character, supporting character, cast member, deity, god, goddess, "
        "player",
        "Characters, People, Persons, Cast, Dramatis Personae, NPCs, PCs, Party, "
        "Player Characters, Main Characters, Protagonists, Antagonists, Villains, Heroes, Gods, "
        "Deities, Pantheon",
        personal=True,
    ),
    _type(
        "place",
        "places",
        "location, setting, city, town, village, region, country, kingdom, realm, building, "
        "landmark, room, planet, continent, island, river, mountain, world, dungeon, district, "
        "province, settlement, point of interest, poi, area, tavern, inn, temple, castle",
        "Places, Locations, Geography, Gazetteer, Settings, Settlements, Points of Interest, "
        "Cities, Towns, Villages, Districts, Regions, Countries, Continents, Kingdoms, Realms, "
        "Planets, Landmarks, Buildings, Dungeons",
    ),
    _type(
        "faction",
        "factions",
        "organization, organisation, group, house, guild, clan, order, army, government, family, "
        "religion, church, cult, tribe, institution, culture, ethnicity, nation, people group",
        "Factions, Organizations, Organisations, Groups, Houses, Guilds, Clans, Orders, Families, "
        "Religions, Governments, Cultures, Peoples, Nations",
    ),
    _type(
        "item",
        "items",
        "object, artifact, artefact, prop, weapon, relic, treasure, book, document, vehicle, ship, "
        "vessel, spaceship, starship, airship, boat, train, potion, herb, magic item",
        "Items, Magic Items, Magical Objects, Magical Items, Objects, Artifacts, Artefacts, "
        "Props, Weapons, Relics, Equipment, Vehicles, Ships, Vessels, Starships, Airships, "
        "Herbs, Potions, Treasure, Loot",
    ),
    _type(
        "event",
        "events",
        "battle, war, festival, ceremony, incident, historical event, holiday",
        "Events, History, Battles, Wars, Holidays, Festivals, Eras",
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
        "monster, animal, beast, plant, pet, mount, species, race, ancestry, lineage",
        "Creatures, Monsters, Animals, Bestiary, Beasts, Pets, Flora, Fauna, Plants, Species, "
        "Races, Ancestries, Lineages",
    ),
)


@hookimpl
def register_entity_types() -> Iterable[EntityType]:
    """Return the sorts of entity that fiction has."""
    return TYPES
