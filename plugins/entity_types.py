"""The entity types of fiction, with the words and folders by which writers mark them."""

from __future__ import annotations

from collections.abc import Iterable

from writeros_entities import EntityType, hookimpl

__version__ = "2"


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
        "organização, organisatie",
        "Fraktionen, Organisationen, Gruppen, Gilden, Facciones, Organizaciones, Gremios, Fazioni, "
        "Organizzazioni, Facções, Organizações",
    ),
    "item": (
        "gegenstand, artefakt, objet, artéfact, objeto, artefacto, oggetto, artefatto, voorwerp",
        "Gegenstände, Artefakte, Objets, Artéfacts, Objetos, Artefactos, Oggetti, Artefatti",
    ),
    "event": (
        "ereignis, événement, evento, gebeurtenis",
        "Ereignisse, Événements, Eventos, Eventi, Gebeurtenissen",
    ),
    "concept": ("konzept, magie, concepto, concetto", "Konzepte, Magie, Conceptos, Concetti"),
    "creature": (
        "kreatur, créature, criatura, creatura, wezen",
        "Kreaturen, Tiere, Créatures, Criaturas, Wezens",
    ),
    "culture": ("volk, peuple, popolo, povo", "Völker, Volk, Peuples, Popoli, Povos"),
    "vehicle": ("schiff, navire, nave, navio, schip", "Schiffe, Navires, Navi, Navios"),
}
"""Equivalent words and folders in German, French, Spanish, Italian, Portuguese and Dutch."""


TYPES = (
    _type(
        "person",
        "people",
        "character, npc, pc, player character, protagonist, antagonist, villain, hero, heroine, "
        "main character, side character, supporting character, cast member, deity, god",
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
        "province, settlement, point of interest, poi",
        "Places, Locations, Geography, Gazetteer, Settings, Settlements, Points of Interest, "
        "Cities, Towns, Villages, Districts, Regions, Countries, Continents, Kingdoms, Realms, "
        "Maps, Planets, Landmarks, Buildings, Dungeons",
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
        "Items, Magic Items, Objects, Artifacts, Artefacts, Props, Weapons, Relics, Equipment",
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
        "Creatures, Monsters, Animals, Bestiary, Beasts, Pets, Flora, Fauna, Plants",
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
    """Return the types of fiction; `concept` is the type of a note that nothing else determines."""
    return TYPES
