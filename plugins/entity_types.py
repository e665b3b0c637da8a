"""The sorts of entity in fiction, with the words and folders by which writers mark them.

The words are what writers call the kinds of a sort, in properties and tags: a tavern is a place.
"""

from __future__ import annotations

from collections.abc import Iterable

from writeros_entities import EntityType, hookimpl

__version__ = "7"


def _type(
    name: str, plural: str, synonyms: str, folders: str, *, personal: bool = False
) -> EntityType:
    words, places = ELSEWHERE.get(name, ("", ""))
    return EntityType(name, plural, _split(synonyms, words), _split(folders, places), personal)


def _split(*lists: str) -> tuple[str, ...]:
    return tuple(word.strip() for words in lists for word in words.split(",") if word.strip())


ELSEWHERE = {
    "person": (
        "charakter, figur, nsc, personnage, pnj, pj, personaje, personaggio, personagem, "
        "personage, karaktär, postać, персонаж, нпс, 人物, 角色, 登場人物, キャラクター",
        "Charaktere, Figuren, Personen, NSC, NSCs, Götter, Personnages, PNJ, PNJs, Dieux, "
        "Personajes, Dioses, Personaggi, PNG, PNGs, Divinità, Personagens, Deuses, Personages, "
        "Karakters, "
        "Karaktärer, Personer, Gudar, Karakterer, Postacie, Bohaterowie, Bogowie, Персонажи, "
        "Герои, Люди, НПС, Боги, Персонажі, Postavy, Szereplők, Karakterler, 人物, 角色, "
        "登場人物, キャラクター, 등장인물",
    ),
    "place": (
        "ort, stadt, dorf, königreich, kontinent, lieu, lieu-dit, ville, région, royaume, "
        "pays, lugar, ciudad, región, reino, país, continente, luogo, città, regione, "
        "regno, paese, villaggio, cidade, região, plaats, stad, plats, miejsce, miasto, kraj, "
        "королевство, континент, регион, страна, место, локация, город, 地点, 城市, 場所",
        "Orte, Städte, Länder, Regionen, Königreiche, Dörfer, Lieux, Villes, Pays, Régions, "
        "Royaumes, Lugares, Ciudades, Países, Reinos, Regiones, Luoghi, Città, Regni, "
        "Regioni, Locais, Cidades, Plaatsen, Locaties, Steden, Platser, Städer, Steder, "
        "Miejsca, Kraje, Królestwa, Lokacje, Miasta, Места, Страны, Королевства, Континенты, "
        "Регионы, Локации, Города, Локації, Місця, Místa, Helyszínek, Mekanlar, 地点, 国家, "
        "地方, 城市, 場所, 都市, 장소",
    ),
    "faction": (
        "fraktion, gilde, facción, gremio, organización, fazione, gilda, organizzazione, "
        "facção, organização, organisatie, volk, peuple, popolo, povo, frakcja, фракция, "
        "организация, 势力, 組織",
        "Fraktionen, Organisationen, Gruppen, Gilden, Völker, Volk, Peuples, Facciones, "
        "Organizaciones, Gremios, Fazioni, Organizzazioni, Popoli, Facções, Organizações, "
        "Povos, Facties, Organisaties, Fraktioner, Organisationer, Frakcje, Organizacje, "
        "Фракции, Организации, Гильдии, Народы, Фракції, 势力, 组织, 派系, 組織, 勢力",
    ),
    "item": (
        "gegenstand, artefakt, objet, artéfact, objeto, artefacto, oggetto, artefatto, "
        "voorwerp, schiff, navire, nave, navio, schip, föremål, przedmiot, предмет, "
        "артефакт, 物品, アイテム",
        "Gegenstände, Artefakte, Schiffe, Objets, Artéfacts, Navires, Objetos, Artefactos, "
        "Oggetti, Artefatti, Navi, Navios, Voorwerpen, Schepen, Föremål, Przedmioty, "
        "Artefakty, Dokumente, Documentos, Documenti, Предметы, Артефакты, Оружие, Документы, "
        "Материалы, Предмети, 物品, 道具, アイテム",
    ),
    "event": (
        "ereignis, événement, evento, gebeurtenis, händelse, wydarzenie, событие, 事件",
        "Ereignisse, Konflikte, Événements, Conflits, Eventos, Conflictos, Conflitos, Eventi, "
        "Gebeurtenissen, Händelser, Wydarzenia, События, Войны, Події, 事件, 出来事",
    ),
    "concept": (
        "konzept, magie, concepto, concetto, magi, magia, магия, 概念",
        "Konzepte, Magie, Mythen, Legenden, Rituale, Mythes, Légendes, Rituels, Conceptos, "
        "Mitos, Leyendas, Concetti, Miti, Leggende, Conceitos, Lendas, Begrepp, Pojęcia, Магия, "
        "Понятия, Мифы, Легенды, Ритуалы, "
        "概念, 设定",
    ),
    "creature": (
        "kreatur, créature, criatura, creatura, wezen, rasse, spezies, espèce, especie, "
        "raza, raça, razza, varelse, stworzenie, potwór, существо, монстр, раса, 生物, 怪物, "
        "モンスター",
        "Kreaturen, Tiere, Pflanzen, Rassen, Spezies, Créatures, Espèces, Plantes, Animaux, "
        "Criaturas, Plantas, Animales, Animais, Razas, Raças, "
        "Creature, Razze, Wezens, Varelser, Raser, Stworzenia, Potwory, Rasy, Существа, "
        "Монстры, Расы, Бестиарий, Растения, Животные, Істоти, 生物, 怪物, 种族, モンスター, 種族",
    ),
}
"""Equivalent words and folders in the languages of Europe, in Chinese, Japanese and Korean."""


TYPES = (
    _type(
        "person",
        "people",
        "character, npc, pc, player character, protagonist, antagonist, villain, hero, heroine, "
        "main character, side character, supporting character, cast member, deity, god, goddess, "
        "player",
        "Characters, People, Persons, Cast, Dramatis Personae, NPC, NPCs, PCs, Party, "
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
        "Herbs, Potions, Treasure, Loot, Materials, Documents",
    ),
    _type(
        "event",
        "events",
        "battle, war, festival, ceremony, incident, historical event, holiday, era, epoch, "
        "tournament",
        "Events, History, Battles, Wars, Conflicts, Holidays, Festivals, Eras",
    ),
    _type(
        "concept",
        "concepts",
        "idea, theme, magic, magic system, law, language, technology, term, lore",
        "Concepts, Themes, Magic, Magic Systems, Languages, Technology, Glossary, Lore, Titles, "
        "Ranks, Myths, Legends, Rituals, Traditions, Customs",
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
