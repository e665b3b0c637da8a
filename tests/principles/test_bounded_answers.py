"""However much a vault holds, an answer that is not asked for more stays short."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import annotated_types
import pytest

from tests.asking import BUILT_IN
from writeros_entities.capability import Capability, Response
from writeros_entities.errors import WriterosError
from writeros_entities.session import Session
from writeros_entities.surfaces.bounds import Answer, AnswerForm, bounded_answer

from ..asking import Words, distinct, questions
from ..databases import Databases

MANY = 105
LONGEST = 100
"""No list is longer unless asked for, and the vault has more than this of everything."""

LONGEST_MESSAGE = 1_000
LISTS = frozenset({"limit", "top_k", "max_nodes", "max_members", "max_paths"})
CHANGING = frozenset({"sync", "rebuild", "migrate"})
DRAWN = frozenset({"get_entity_graph"})
"""What has two lists; `limit` is that of one."""

FORMS: tuple[AnswerForm, ...] = ("text", "data")
CAP = 2_000
"""Tokens of an answer; a fifth of the default, so that less is too long for it."""
BOUNDED_OTHERWISE = {
    "build_context": {".chunks"},
    "context_for_text": {".context.chunks"},
    "extract_entities": {".entities", ".by_type.place"},
}
"""Chunks are bounded by a context's tokens; of a text, 200 entities are listed."""


def crowded() -> dict[str, str]:
    """Return a vault with many of everything: names, namesakes, relations, chapters, troubles."""
    aliases = "".join(f"  - Ann{number}\n" for number in range(MANY))
    knows = "".join(f'  - "[[Person {number}]]"\n' for number in range(MANY))
    fields = "".join(f"field{number}: {number}\n" for number in range(MANY))
    vault = {
        "Ann Reed.md": f"---\ntype: person\naliases:\n{aliases}knows:\n{knows}{fields}---\nAnn.\n",
        "Cast.md": "".join(f"Ann Reed met Person {number} at the quay. " for number in range(MANY)),
    }
    for number in range(MANY):
        vault |= {
            f"People/Person {number}.md": (
                "---\ntype: person\nspouse: '[[Ann Reed]]'\n---\nSomebody.\n"
            ),
            f"Logs/{number}/Log.md": f"---\ntype: place\ntags: [tag{number}]\n---\nA log.\n",
            f"Bad/{number}.md": "---\nbad: [\n---\nA note.\n",
            f"Manuscript/{number:03} - Chapter.md": (
                f"# Heading {number}\n\nAnn Reed married Person {number}. Ann{number} fell. "
                f"“Ann Reed,” said Person {number}, “died.”\n"
            ),
        }
    vault["Manuscript/000 - Chapter.md"] += "It was at Log.\n"
    for chapter, colour in (("001", "green"), ("002", "brown")):
        eyes = "".join(f"Person {number} had {colour} eyes. " for number in range(MANY))
        vault[f"Manuscript/{chapter} - Chapter.md"] += f"\n{eyes}\n"
    for at, name in enumerate(("Perla Quint", "Otto Bree", "Greta Lund", "Wim Sarkas")):
        vault[f"Manuscript/00{at} - Chapter.md"] += (
            f"\nAt noon {name} came. Then {name} sat; we saw {name}.\n"
        )
    return vault


@pytest.fixture(scope="module")
def crowd(
    sqlite_databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Session]:
    root = tmp_path_factory.mktemp("crowd")
    for path, text in crowded().items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    database = sqlite_databases.create()
    with Session.open(root, database=database, embedding_model="", close_reading=True) as session:
        session.call("sync", {})
        yield session


def sizes(value: Any, place: str = "") -> Iterator[tuple[str, int]]:
    """Yield how many each list and each map of an answer holds, by where it stands."""
    if isinstance(value, list):
        yield place, len(value)
        for item in value:
            yield from sizes(item, f"{place}[]")
    elif isinstance(value, dict):
        yield place, len(value)
        for name, item in value.items():
            yield from sizes(item, f"{place}.{name}")


WORDS = Words(
    names=("Ann Reed", "Log"),
    notes=("Ann Reed.md", "100 - Chapter"),
    texts=("Ann Reed met Person 7 at Log.",),
    folders=("Manuscript",),
    types=("person",),
    kinds=("knows",),
    rules=("confusable-names",),
)


@pytest.mark.parametrize("name", sorted({one.name for one in BUILT_IN} - CHANGING))
def test_nothing_in_an_answer_grows_with_the_vault(
    crowd: Session, name: str, tmp_path: Path
) -> None:
    (capability,) = (one for one in BUILT_IN if one.name == name)
    too_long: dict[str, int] = {}
    asked = (
        {field: value for field, value in one.items() if field not in LISTS}
        for one in questions(capability, WORDS)
    )
    for arguments in distinct(capability, asked):
        if arguments.get("format") == "html":
            arguments["output"] = str(tmp_path / "page.html")
        try:
            answer = crowd.call(name, arguments)
        except WriterosError as error:
            assert len(str(error)) <= LONGEST_MESSAGE
            continue
        found = sizes(answer.model_dump(mode="json"))
        too_long |= {place: size for place, size in found if size > LONGEST}
    assert too_long.keys() <= BOUNDED_OTHERWISE.get(name, set())


CUT = frozenset({*LISTS, "relations", "names", "notes"})
"""Parameters that cut a list: `LISTS`, and those of the lists of one entity."""

TOLD = {
    "check_continuity": {"findings": "total"},
    "extract_entities": {"entities": "total_count"},
    "find_communities": {"communities": "total", "communities[].members": "size"},
    "find_mentions": {"mentions": "total"},
    "find_paths": {"paths": "total"},
    "find_related_entities": {"related_entities": "total"},
    "find_related_notes": {"notes": "total"},
    "find_speeches": {"speeches": "total"},
    "find_uses": {"uses": "total"},
    "get_entity": {"entity.notes": "note_count", "entity.relations": "relation_count"},
    "get_entity_graph": {"nodes": "total_nodes", "edges": "total_edges"},
    "get_entity_history": {"changes": "total"},
    "get_family_tree": {"relatives": "total"},
    "get_relationship_timeline": {"relationships": "total", "points": "total"},
    "analyze_entity_evolution": {"chapters": "total"},
    "doctor": {"problems": "total"},
    "list_entities": {"entities": "total"},
    "list_events": {"events": "total"},
    "list_note_entities": {"entities": "total"},
    "list_notes": {"notes": "total"},
    "list_questions": {"questions": "total"},
    "read_note": {"passages": "total"},
    "reason_over_entities": {"results": "total"},
    "search": {"passages": "total"},
    "search_by_entities": {"results": "total"},
    "who_knows": {"people": "total"},
}
"""Lists that a parameter cuts, each with what counts it, beside it."""

ABOUT_THE_WHOLE = frozenset({"get_entity", "analyze_entity_evolution", "doctor"})
"""Answers that begin with a sentence in which the totals are facts: `3 mentions in 2 notes`."""


def counts_of(answer: Any, where: str, total: str) -> Iterator[tuple[int, int]]:
    """Yield how many items each list at a place has, and how many there are in all."""
    first, _, rest = where.partition("[].")
    *above, name = first.split(".")
    for step in above:
        answer = (answer or {}).get(step)
    if answer is None or not answer[name]:
        return
    if rest:
        for item in answer[name]:
            yield from counts_of(item, rest, total)
    else:
        yield len(answer[name]), answer[total]


def test_each_list_that_is_cut_is_known() -> None:
    cutting = {one.name for one in BUILT_IN if LISTS & one.request.model_fields.keys()}
    every_kind_of_relation = {"infer_relationship"}  # is judged, so that a total would say nothing
    a_file = {"draw_entity_graph"}
    assert cutting - every_kind_of_relation - a_file == TOLD.keys() - {"get_entity"}


@pytest.mark.parametrize("name", sorted(TOLD))
def test_a_list_that_is_cut_says_how_many_of_how_many_it_shows(crowd: Session, name: str) -> None:
    (capability,) = (one for one in BUILT_IN if one.name == name)
    few = dict.fromkeys(CUT & capability.request.model_fields.keys(), 2)
    cut = set()
    words = replace(WORDS, names=("Ann Reed", "Person 7"), notes=("Ann Reed.md", "Cast.md"))
    for asked in distinct(capability, (one | few for one in questions(capability, words))):
        if asked.get("format", "json") != "json":
            continue
        try:
            answer = crowd.call(name, asked)
        except WriterosError:
            continue
        text = answer.as_text()
        for where, total in TOLD[name].items():
            for shown, whole in counts_of(answer.model_dump(), where, total):
                if shown == whole or (name == "get_relationship_timeline" and shown > 2):
                    continue
                cut.add(where)
                assert re.search(rf"\b{shown:,} of (the )?{whole:,} ", text), asked
                head = "" if name in ABOUT_THE_WHOLE else text.partition("\n")[0]
                assert not re.search(rf"(?<! of )\b{whole:,} \w", head), asked
    assert cut == TOLD[name].keys()


@pytest.mark.parametrize(
    "name", sorted({one.name for one in BUILT_IN if "limit" in one.request.model_fields} - DRAWN)
)
def test_a_shortened_answer_is_the_one_that_a_lower_limit_gives(crowd: Session, name: str) -> None:
    (capability,) = (one for one in BUILT_IN if one.name == name)
    is_shorter = False
    words = replace(WORDS, names=("Ann Reed", "Person 7"))
    asked = (one | {"limit": 40} for one in questions(capability, words))
    for arguments in distinct(capability, asked):
        try:
            answer = crowd.call(name, arguments)
        except WriterosError:
            continue
        lower = crowd.call(name, {**arguments, "limit": 1})
        assert answer.shortened(1) == lower, arguments
        is_shorter = is_shorter or answer != lower
    assert is_shorter


class Sender:
    """Sends answers of a capability as clients get them, and asks for none of them twice."""

    def __init__(self, session: Session, capability: Capability[Any, Any]) -> None:
        self._session = session
        self._capability = capability
        self._known: dict[str, Response] = {}

    def send(self, arguments: dict[str, Any], form: AnswerForm) -> Answer:
        """Return what a client gets."""
        return bounded_answer(self._capability, self.ask, arguments, form, CAP)

    def ask(self, arguments: Mapping[str, Any]) -> Response:
        """Return the whole answer."""
        key = repr(sorted(arguments.items()))
        if key not in self._known:
            self._known[key] = self._session.call(self._capability.name, arguments)
        return self._known[key]


@pytest.mark.parametrize("name", sorted({one.name for one in BUILT_IN} - CHANGING))
def test_no_answer_is_longer_than_the_cap_whatever_is_asked(
    crowd: Session, name: str, tmp_path: Path
) -> None:
    (capability,) = (one for one in BUILT_IN if one.name == name)
    step = 8 if "max_tokens" in capability.request.model_fields else 2  # these ask several times
    asked = (one | greediest(capability) for one in questions(capability, WORDS))
    for arguments in islice(distinct(capability, asked), 0, None, step):
        if arguments.get("format") == "html":
            arguments["output"] = str(tmp_path / "page.html")
        sender = Sender(crowd, capability)
        try:
            text, data = (sender.send(arguments, form) for form in FORMS)
        except WriterosError:
            continue
        assert text.size <= 4 * CAP, arguments
        assert data.size <= 4 * CAP, arguments
        assert text.data is None
        assert data.data is not None
        assert ("Shortened" in data.text) == ("shortened" in data.data)


class Shelf(Response):
    """An answer with a list of large and a list of small things."""

    boxes: list[str]
    pins: list[str]

    def as_text(self) -> str:
        """Return each thing on a line."""
        return "\n".join([*self.boxes, *self.pins])


def test_of_a_list_is_given_what_fits_beside_what_another_is_cut_to() -> None:
    shelf = Shelf(boxes=["box" * 300] * 4, pins=["pin pin pin"] * 60)
    (capability,) = (one for one in BUILT_IN if one.name == "status")
    answer = bounded_answer(capability, lambda arguments: shelf, {}, "text", 500)
    *things, _, notice = answer.text.split("\n")
    assert (things.count("box" * 300), things.count("pin pin pin")) == (2, 7)
    assert notice == (
        "Shortened to stay within 500 tokens: 2 of 4 boxes, 7 of 60 pins. "
        "Ask for a narrower part to see the rest."
    )
    assert answer.size <= 2_000 < answer.size + len("\npin pin pin")


MUCH = {"limit": 500, "top_k": 50, "max_nodes": 2000, "max_tokens": 200_000}
GREEDY = MUCH | dict.fromkeys(("relations", "names", "notes", "max_members"), 500)
GREEDY |= {"include_content": True, "evidence": 10, "max_cast": 20, "max_entities": 20}


def greediest(capability: Capability[Any, Any]) -> dict[str, Any]:
    """Return the parameters that ask for all there is."""
    return {name: GREEDY[name] for name in GREEDY if name in capability.request.model_fields}


@pytest.mark.parametrize(
    ("name", "field"),
    [
        (one.name, field)
        for one in sorted(BUILT_IN, key=lambda one: one.name)
        for field in MUCH
        if field in one.request.model_fields and not one.writes
    ],
)
def test_who_asks_for_more_is_never_given_less(crowd: Session, name: str, field: str) -> None:
    (capability,) = (one for one in BUILT_IN if one.name == name)
    words = replace(WORDS, names=("Ann Reed", "Person 7"), notes=("Cast.md",))
    asked = next(iter(questions(capability, words)))
    least = 100 if field == "max_tokens" else 1
    amounts = [one for one in AMOUNTS if least <= one <= most_of(capability, field)]
    sender = Sender(crowd, capability)
    ends = (sender.ask({**asked, field: amounts[end]}) for end in (0, -1))
    before, after = (counted(one.model_dump(mode="json")) for one in ends)
    growing = [place for place in after if after[place] > before.get(place, 0)]
    if field == "max_nodes":
        growing = [".nodes"]  # which share the answer's length with the relations between them
    assert growing
    texts, data = (
        [sender.send({**asked, field: amount}, form) for amount in amounts] for form in FORMS
    )
    lines = [len(one.text.partition("\n\nShortened")[0].split("\n")) for one in texts]
    assert lines == sorted(lines)
    found = [one.data or {} for one in data]
    if field == "max_tokens":
        shown = [one.get("context", one)["total_tokens"] for one in found]
    else:
        shown = [sum(counted(one)[place] for place in growing) for one in found]
    assert shown == sorted(shown)


AMOUNTS = (1, 3, 20, 50, 57, 58, 59, 100, 500, 2_000, 5_020, 30_000, 200_000)


def most_of(capability: Capability[Any, Any], field: str) -> float:
    """Return the highest amount that may be asked for."""
    (bound,) = (
        one.le
        for one in capability.request.model_fields[field].metadata
        if isinstance(one, annotated_types.Le)
    )
    return float(str(bound))


def counted(data: Any) -> Counter[str]:
    """Return how many items all lists at a place hold together."""
    found: Counter[str] = Counter()
    for place, size in sizes(data):
        found[place] += size
    return found
