"""Find regular expressions that may take more than linear time, and a text on which they do.

A backtracking matcher tries one way to match after the other. Its work grows faster than the text
if there is a word that can be repeated without end, and that one loop of the pattern can read in
several ways (`(?:a*)*`), or that both of two loops can read, the second behind the first
(`a*a*b`): then each repetition is another place at which the matcher may go from the first loop to
the second. A search is such a loop itself, in front of the pattern (`a+b` is tried from each `a`);
so is what a lookahead reads each time it is tried. None of this costs anything if the pattern has
matched by then, or if what stands before the second loop tells where it begins (`(?<!a)a+b`).

The pattern is read into positions, one for each character that it can read, and the ways between
them; a way may depend on the characters before and behind it (`\\b`, `(?<!a)`, the end of a
possessive repetition). Characters that all parts of a pattern treat the same count as one. The
analysis is exact but for what lookarounds over several characters, references to groups, and long
bounded repetitions demand: these are taken to be met.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

START, END = -1, -2
"""What is before the first character, and behind the last."""

LONGEST = 24
"""Bounded repetitions are read up to this number."""

CHARACTERS = [
    *map(chr, range(128)),
    *"\xa0\xad«»·ßéÉıſİ’‘“”„‚…—–―‹›「」『』。！？中のカก한\u0301\u200b\u200d\u2028😀",
]
"""Those among which the classes of a pattern are looked for, beside those that it spells."""

ONE_CHARACTER = {op.LITERAL, op.NOT_LITERAL, op.IN, op.ANY, op.GROUPREF}
NEGATED = {op.CATEGORY_NOT_DIGIT, op.CATEGORY_NOT_SPACE, op.CATEGORY_NOT_WORD}
REPETITIONS = {op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT}
IGNORECASE, DOTALL = int(re.IGNORECASE), int(re.DOTALL)
TELLING = IGNORECASE | DOTALL
"""The flags that tell which characters a part reads."""

Characters = tuple[Any, Any, int]
"""A part that reads one character: its code, its value and its flags."""

Condition = Callable[[int, int], bool]
"""Whether a way is open between two characters (by class)."""


@dataclass(frozen=True)
class Growth:
    """A word whose repetition makes a pattern slow, and how."""

    how: str
    word: str


@dataclass(eq=False)
class State:
    """A state: the ways out of it without a character, or with one of a set."""

    free: list[tuple[Condition | None, State]] = field(default_factory=list)
    read: frozenset[int] | None = None
    then: State | None = None
    looks_ahead: bool = False
    gives_back: bool = True


def growths(pattern: str | bytes, flags: int, *, searched: bool, whole: bool) -> Iterator[Growth]:
    """Yield the words that make a pattern slow.

    It is tried from each place of a text if it is `searched`; it must match all of it if `whole`.
    """
    if isinstance(pattern, bytes):
        pattern = pattern.decode("latin-1")
    yield from _Automaton(pattern, flags, searched=searched, whole=whole).growths()


class _Automaton:
    def __init__(self, pattern: str, flags: int, *, searched: bool, whole: bool) -> None:
        tree = parser.parse(pattern, flags & ~re.DEBUG)
        self._flags = tree.state.flags
        self._whole = whole
        self._groups: dict[int, Any] = {}
        self._find_groups(tree)
        self._classes = self._read_classes(tree)
        self._told_apart: list[frozenset[int]] = [
            frozenset(at for at, one in enumerate(self._classes) if _is_word(one)),
            frozenset([self._classes.index("\n")]),
        ]
        self._accept = State()
        self._dead = State()
        self._start = State()
        body = self._sequence(tree, self._accept, self._flags, ahead=False)
        if searched:
            every = frozenset(range(len(self._classes)))
            self._start.read, self._start.then = every, self._start
            loop = State(read=every)
            loop.then = State(free=[(None, loop), (None, body)])
            self._entry = State(free=[(None, loop), (None, body)])
        else:
            self._entry = body
        self._follow: dict[tuple[State, int | None, int | None], dict[State, int]] = {}
        self._read: dict[tuple[State, int, int], list[tuple[State, int]]] = {}
        self._read_inside: dict[tuple[State, int, int], list[State]] = {}

    # -- Characters --------------------------------------------------------------------------------

    def _find_groups(self, tree: Any) -> None:
        for code, value in tree:
            if code is op.SUBPATTERN and value[0] is not None:
                self._groups[value[0]] = value[3]
            for part in parts(code, value):
                self._find_groups(part)

    def _read_classes(self, tree: Any) -> list[str]:
        """Return one of each class of characters that all parts of the pattern treat the same."""
        sets: dict[Characters, None] = {}
        literals: set[str] = set()

        def collect(items: Any, flags: int) -> None:
            for code, value in items:
                if code in ONE_CHARACTER and code is not op.GROUPREF:
                    sets[_characters(code, value, flags)] = None
                    literals.update(_literals(code, value))
                inner = flags
                if code is op.SUBPATTERN:
                    inner = (flags | value[1]) & ~value[2]
                for part in parts(code, value):
                    collect(part, inner)

        collect(tree, self._flags)
        wanted = dict.fromkeys([*CHARACTERS, *sorted(literals)])
        by_signature: dict[tuple[bool, ...], str] = {}
        for character in wanted:
            signature = tuple(_holds(one, character) for one in sets)
            signature += (_is_word(character), character == "\n")
            by_signature.setdefault(signature, character)
        self._known: dict[Characters, frozenset[int]] = {}
        return list(by_signature.values())

    def _set(self, code: Any, value: Any, flags: int) -> frozenset[int]:
        if code is op.GROUPREF:
            group = self._groups[value]
            if len(group) == 1 and group[0][0] in ONE_CHARACTER:
                return self._set(group[0][0], group[0][1], flags)
            return frozenset(range(len(self._classes)))
        key = _characters(code, value, flags)
        if key not in self._known:
            self._known[key] = frozenset(
                at for at, one in enumerate(self._classes) if _holds(key, one)
            )
        return self._known[key]

    # -- From a pattern to states ------------------------------------------------------------------

    def _sequence(self, items: Any, then: State, flags: int, *, ahead: bool) -> State:
        rest = list(items)
        while rest:
            code, value = rest.pop()
            two = self._two_before(code, value, flags)
            if two is not None and rest and rest[-1][0] in ONE_CHARACTER:
                code, value = rest.pop()
                here = self._item(code, value, then, flags, ahead=ahead)
                then = State(free=[(two, here)], looks_ahead=ahead)
            else:
                then = self._item(code, value, then, flags, ahead=ahead)
        return then

    def _two_before(self, code: Any, value: Any, flags: int) -> Condition | None:
        """Return a lookbehind over two characters as a condition in front of the second."""
        if code not in (op.ASSERT, op.ASSERT_NOT) or value[0] > 0 or len(value[1]) != 2:
            return None
        first, second = (self._single([one], flags) for one in value[1])
        if first is None or second is None:
            return None
        self._told_apart += [first, second]
        is_wanted = code is op.ASSERT
        return lambda before, behind: (before in first and behind in second) == is_wanted

    def _item(self, code: Any, value: Any, then: State, flags: int, *, ahead: bool) -> State:
        if code in ONE_CHARACTER:
            return State(read=self._set(code, value, flags), then=then, looks_ahead=ahead)
        if code is op.BRANCH:
            ways = [self._sequence(way, then, flags, ahead=ahead) for way in value[1]]
            return State(free=[(None, way) for way in ways], looks_ahead=ahead)
        if code is op.SUBPATTERN:
            return self._sequence(value[3], then, (flags | value[1]) & ~value[2], ahead=ahead)
        if code is op.ATOMIC_GROUP:
            return self._sequence(value, then, flags, ahead=ahead)
        if code in REPETITIONS:
            return self._repetition(code, value, then, flags, ahead=ahead)
        if code is op.AT:
            return State(free=[(self._place(value, flags), then)], looks_ahead=ahead)
        if code in (op.ASSERT, op.ASSERT_NOT):
            return self._look(code is op.ASSERT, value, then, flags, ahead=ahead)
        if code is op.FAILURE:
            return State(looks_ahead=ahead)
        raise NotImplementedError(code)

    def _repetition(self, code: Any, value: Any, then: State, flags: int, *, ahead: bool) -> State:
        least, most, item = value
        leave: Condition | None = None
        if code is op.POSSESSIVE_REPEAT and (single := self._single(item, flags)) is not None:
            leave = lambda before, behind: behind not in single  # noqa: E731
            self._told_apart.append(single)
        holds = code is op.POSSESSIVE_REPEAT and not _repeats(item)
        if most == op.MAXREPEAT:
            loop = State(looks_ahead=ahead)
            loop.free = [(None, self._sequence(item, loop, flags, ahead=ahead)), (leave, then)]
            if holds:
                for one in _reachable(loop.free[0][1], loop):
                    one.gives_back = False
            first = loop
        else:
            first = then
            for _ in range(min(most, LONGEST) - least):
                inside = self._sequence(item, first, flags, ahead=ahead)
                first = State(free=[(None, inside), (leave, then)], looks_ahead=ahead)
        for _ in range(min(least, LONGEST)):
            first = self._sequence(item, first, flags, ahead=ahead)
        return first

    def _single(self, item: Any, flags: int) -> frozenset[int] | None:
        """Return the characters of an item that is always just one character, else None."""
        items = list(item)
        if len(items) == 1 and items[0][0] is op.SUBPATTERN:
            value = items[0][1]
            return self._single(value[3], (flags | value[1]) & ~value[2])
        if len(items) == 1 and items[0][0] is op.BRANCH:
            ways = [self._single(way, flags) for way in items[0][1][1] if not _is_never(way)]
            found = [way for way in ways if way is not None]
            return frozenset().union(*found) if len(found) == len(ways) else None
        if len(items) == 1 and items[0][0] in ONE_CHARACTER:
            return self._set(items[0][0], items[0][1], flags)
        if len(items) == 1 and items[0][0] in REPETITIONS and items[0][1][0] == 1:
            return self._single(items[0][1][2], flags)
        return None

    def _place(self, where: Any, flags: int) -> Condition:
        words, (newline,) = self._told_apart[:2]
        lines = bool(flags & re.MULTILINE)
        if where is op.AT_BEGINNING_STRING or (where is op.AT_BEGINNING and not lines):
            return lambda before, behind: before == START
        if where is op.AT_BEGINNING:
            return lambda before, behind: before in (START, newline)
        if where is op.AT_END_STRING:
            return lambda before, behind: behind == END
        if where is op.AT_END:
            return lambda before, behind: behind in (END, newline)
        if where is op.AT_BOUNDARY:
            return lambda before, behind: (before in words) != (behind in words)
        if where is op.AT_NON_BOUNDARY:
            return lambda before, behind: (before in words) == (behind in words)
        raise NotImplementedError(where)

    def _look(self, is_wanted: bool, value: Any, then: State, flags: int, *, ahead: bool) -> State:
        direction, body = value
        items = list(body)
        self._told_apart.append(self._ends(body, flags) or frozenset())
        if not is_wanted and not items:
            return State(looks_ahead=ahead)
        single = self._single(body, flags)
        if direction < 0:
            open_: Condition | None = None
            if single is not None:
                open_ = lambda before, behind: (before in single) == is_wanted  # noqa: E731
            elif len(items) == 1 and items[0][0] is op.AT:
                at_start = self._place(items[0][1], flags)
                open_ = lambda before, behind: at_start(before, behind) == is_wanted  # noqa: E731
            elif is_wanted and (last := self._ends(body, flags)) is not None:
                open_ = lambda before, behind: before in last  # noqa: E731
            return State(free=[(open_, then)], looks_ahead=ahead)
        inside = self._sequence(body, self._dead, flags, ahead=True)
        if single is not None:
            open_ = lambda before, behind: (behind in single) == is_wanted  # noqa: E731
        elif is_wanted:
            may_open = self._opens(inside)
            open_ = lambda before, behind: may_open(before, behind)  # noqa: E731
        else:
            always = self._decided_by_one(body, flags)
            open_ = (lambda before, behind: behind not in always) if always else None
        return State(free=[(open_, then), (None, inside)], looks_ahead=ahead)

    def _ends(self, body: Any, flags: int) -> frozenset[int] | None:
        items = list(body)
        if not items:
            return None
        code, value = items[-1]
        if code in ONE_CHARACTER:
            return self._set(code, value, flags)
        if code is op.BRANCH:
            ways = [self._ends(way, flags) for way in value[1]]
            return None if None in ways else frozenset().union(*ways)  # type: ignore[arg-type]
        if code is op.SUBPATTERN:
            return self._ends(value[3], (flags | value[1]) & ~value[2])
        return None

    def _decided_by_one(self, body: Any, flags: int) -> frozenset[int]:
        """Return the characters by which alone a part is matched: for `[a-z\\s]|the`, the set."""
        items = list(body)
        if len(items) == 1 and items[0][0] is op.SUBPATTERN:
            value = items[0][1]
            return self._decided_by_one(value[3], (flags | value[1]) & ~value[2])
        if len(items) == 1 and items[0][0] is op.BRANCH:
            return frozenset().union(*(self._decided_by_one(w, flags) for w in items[0][1][1]))
        return self._single(body, flags) or frozenset()

    def _opens(self, inside: State) -> Condition:
        known: dict[tuple[int, int], bool] = {}

        def may_open(before: int, behind: int) -> bool:
            key = before, behind
            if key not in known:
                known[key] = False
                reached = self._closure(inside, before, behind)
                known[key] = self._dead in reached or any(
                    state.read is not None and behind in state.read for state in reached
                )
            return known[key]

        return may_open

    # -- Ways --------------------------------------------------------------------------------------

    def _closure(self, state: State, before: int, behind: int) -> dict[State, int]:
        """Return the states reached without a character, each with its ways (2: several)."""
        found = self._follow.get((state, None, None)) or self._follow.get((state, before, behind))
        if found is None:
            found = defaultdict(int)
            on_way: Counter[State] = Counter()
            is_always = True

            def visit(here: State) -> None:
                if here.read is not None or not here.free:
                    found[here] = min(2, found[here] + 1)
                    return
                if on_way[here] == 2:  # once more, by a loop around: `(?:a*)*`
                    return
                nonlocal is_always
                on_way[here] += 1
                for condition, other in here.free:
                    is_always = is_always and condition is None
                    if condition is None or condition(before, behind):
                        visit(other)
                on_way[here] -= 1

            visit(state)
            key = (state, None, None) if is_always else (state, before, behind)
            self._follow[key] = found
        return found

    def _accepts(self, state: State, before: int, behind: int) -> bool:
        if self._whole and behind != END:
            return False
        return self._accept in self._closure(state, before, behind)

    def _steps(self, position: State, before: int, character: int) -> list[tuple[State, int]]:
        """Return the positions that read a character next, and the ways to each."""
        key = position, before, character
        if key not in self._read:
            assert position.then is not None
            self._read[key] = [
                (state, ways)
                for state, ways in self._closure(position.then, before, character).items()
                if state.read is not None and character in state.read
            ]
        return self._read[key]

    def _steps_inside(self, position: State, before: int, character: int) -> list[State]:
        """Return the positions of its own loop that read a character next."""
        key = position, before, character
        found = self._read_inside.get(key)
        if found is None:
            number = self._loops[position]
            found = [to for to, _ in self._steps(*key) if self._loops.get(to) == number]
            self._read_inside[key] = found
        return found

    @cached_property
    def _positions(self) -> list[State]:
        found: dict[State, None] = {}
        todo = [self._entry]
        seen = set()
        while todo:
            state = todo.pop()
            if state in seen:
                continue
            seen.add(state)
            if state.read is not None:
                found[state] = None
                assert state.then is not None
                todo.append(state.then)
            todo += [other for _, other in state.free]
        return list(found)

    @cached_property
    def _loops(self) -> dict[State, int]:
        """The positions that can be read again, by the number of their loop."""
        follows = {one: self._next_positions(one) for one in self._positions}
        return _strongly_connected(follows)

    def _next_positions(self, position: State) -> list[State]:
        found: dict[State, None] = {}
        seen: set[State] = set()
        todo = [position.then]
        while todo:
            state = todo.pop()
            assert state is not None
            if state in seen:
                continue
            seen.add(state)
            if state.read is not None:
                found[state] = None
            else:
                todo += [other for _, other in state.free]
        return list(found)

    def growths(self) -> Iterator[Growth]:
        """Yield a word for which a loop has several ways, and one that two loops read."""
        loops = self._loops
        alphabets: dict[int, frozenset[int]] = defaultdict(frozenset)
        for one, number in loops.items():
            assert one.read is not None
            alphabets[number] |= one.read
        for first, number in loops.items():
            if not first.gives_back:
                continue
            word = self._read_twice(first, alphabets[number])
            if word is not None and self._fails(first, word):
                yield Growth("in several ways", self._spell(word))
                return
        for second, other in loops.items():
            for first, number in loops.items():
                shared = alphabets[number] & alphabets[other]
                if number == other or not shared or not first.gives_back:
                    continue
                between = self._before(second, shared)
                if first not in between:
                    continue
                word = self._read_by_both(first, second, shared, between)
                if word is not None and (second.looks_ahead or self._fails(second, word)):
                    yield Growth("by two loops", self._spell(word))
                    return

    def _before(self, target: State, shared: frozenset[int]) -> set[State]:
        """Return the positions from which a loop is reached by characters of a set."""
        seen = {target}
        todo = [target]
        while todo:
            for one in self._back[todo.pop()]:
                if one not in seen and one.read is not None and one.read & shared:
                    seen.add(one)
                    todo.append(one)
        return seen

    def _unlike(self, characters: frozenset[int]) -> list[int]:
        """Return one of each kind of characters that the conditions tell apart."""
        found: dict[tuple[bool, ...], int] = {}
        for one in sorted(characters):
            found.setdefault(tuple(one in some for some in self._told_apart), one)
        return list(found.values())

    def _spell(self, word: list[int]) -> str:
        return "".join(self._classes[at] for at in word)

    def _read_twice(self, first: State, alphabet: frozenset[int]) -> list[int] | None:
        """Return a word that takes a loop back to a position in two ways, or None."""
        loops = self._loops
        assert first.read is not None
        for last in self._unlike(first.read):
            begin = (first, first, last, False)
            came: dict[Any, Any] = {begin: None}
            queue = deque([begin])
            while queue:
                node = queue.popleft()
                one, other, before, differ = node
                for character in alphabet:
                    ways = list(self._steps(one, before, character))
                    others = ways if other is one else list(self._steps(other, before, character))
                    for to, count in ways:
                        if loops.get(to) != loops[first]:
                            continue
                        for to_other, _ in others:
                            if loops.get(to_other) != loops[first]:
                                continue
                            several = differ or to is not to_other or (one is other and count > 1)
                            reached = (to, to_other, character, several)
                            if several and to is first and to_other is first and character == last:
                                return [*_word(came, node), character]
                            if reached not in came:
                                came[reached] = (node, character)
                                queue.append(reached)
        return None

    def _read_by_both(
        self, first: State, second: State, shared: frozenset[int], between: set[State]
    ) -> list[int] | None:
        """Return a word that both of two loops read, and that leads from one to the other."""
        assert first.read is not None and second.read is not None
        for last in self._unlike(first.read & second.read):
            begin = (first, first, second, last)
            end = (first, second, second, last)
            came: dict[Any, Any] = {begin: None}
            queue = deque([begin])
            while queue:
                node = queue.popleft()
                stays, moves, waits, before = node
                for character in shared:
                    at_first = self._steps_inside(stays, before, character)
                    at_second = at_first and self._steps_inside(waits, before, character)
                    if not at_second:
                        continue
                    for to, _ in self._steps(moves, before, character):
                        if to not in between:
                            continue
                        for one in at_first:
                            for other in at_second:
                                reached = (one, to, other, character)
                                if reached == end:
                                    return [*_word(came, node), character]
                                if reached not in came:
                                    came[reached] = (node, character)
                                    queue.append(reached)
        return None

    @cached_property
    def _back(self) -> dict[State, list[State]]:
        found: dict[State, list[State]] = defaultdict(list)
        for one in self._positions:
            for other in self._next_positions(one):
                found[other].append(one)
        return found

    def _fails(self, position: State, word: list[int]) -> bool:
        """Tell whether some text behind repetitions of a word makes the pattern fail."""
        here = {position}
        before = word[-1]
        for character in word * 3:
            if any(self._accepts(one.then, before, character) for one in here if one.then):
                return False
            here = {to for one in here for to, _ in self._steps(one, before, character)}
            before = character
        for ending in [[], *([one] for one in range(len(self._classes)))]:
            if not self._accepted(here, before, [*ending, END]):
                return True
        return False

    def _accepted(self, here: set[State], before: int, ending: list[int]) -> bool:
        for character in ending:
            if any(self._accepts(one.then, before, character) for one in here if one.then):
                return True
            here = {to for one in here for to, _ in self._steps(one, before, character)}
            before = character
        return False


def parts(code: Any, value: Any) -> list[Any]:
    """Return the parts of a node of a pattern."""
    if code is op.BRANCH:
        return list(value[1])
    if code is op.ATOMIC_GROUP:
        return [value]
    if code in REPETITIONS or code is op.SUBPATTERN or code in (op.ASSERT, op.ASSERT_NOT):
        return [value[-1]]
    return []


def _word(came: dict[Any, Any], node: Any) -> list[int]:
    word: list[int] = []
    while came[node] is not None:
        node, character = came[node]
        word.append(character)
    return word[::-1]


def _repeats(items: Any) -> bool:
    """Tell whether something in an item is repeated without end, and may give back."""
    return any(
        (code in REPETITIONS and code is not op.POSSESSIVE_REPEAT and value[1] == op.MAXREPEAT)
        or any(_repeats(part) for part in parts(code, value))
        for code, value in items
    )


def _reachable(begin: State, end: State) -> Iterator[State]:
    seen = {end}
    todo = [begin]
    while todo:
        state = todo.pop()
        if state in seen:
            continue
        seen.add(state)
        yield state
        todo += [other for _, other in state.free]
        if state.then is not None:
            todo.append(state.then)


def _is_never(way: Any) -> bool:
    items = list(way)
    return len(items) == 1 and (
        items[0][0] is op.FAILURE or (items[0][0] is op.ASSERT_NOT and not list(items[0][1][1]))
    )


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def _literals(code: Any, value: Any) -> Iterator[str]:
    if code in (op.LITERAL, op.NOT_LITERAL):
        yield chr(value)
    elif code is op.IN:
        for kind, item in value:
            if kind is op.LITERAL:
                yield chr(item)
            elif kind is op.RANGE:
                yield from (chr(item[0]), chr(item[1]))


def _characters(code: Any, value: Any, flags: int) -> Characters:
    """Return what says which characters a part reads that always reads one."""
    return code, tuple(value) if isinstance(value, list) else value, int(flags) & TELLING


@cache
def _holds(one: Characters, character: str) -> bool:
    code, value, flags = one
    forms = {character}
    if flags & IGNORECASE:
        forms |= {character.lower(), character.upper(), character.swapcase()}
    return any(_holds_form(code, value, flags, ord(form)) for form in forms if len(form) == 1)


def _holds_form(code: Any, value: Any, flags: int, point: int) -> bool:
    if code is op.ANY:
        return bool(flags & DOTALL) or point != 10
    if code is op.LITERAL:
        return bool(point == value)
    if code is op.NOT_LITERAL:
        return bool(point != value)
    negated = any(kind is op.NEGATE for kind, _ in value)
    inside = any(
        (kind is op.LITERAL and item == point)
        or (kind is op.RANGE and item[0] <= point <= item[1])
        or (kind is op.CATEGORY and _in_category(item, chr(point)))
        for kind, item in value
    )
    return inside != negated


def _in_category(category: Any, character: str) -> bool:
    if category in (op.CATEGORY_DIGIT, op.CATEGORY_NOT_DIGIT):
        is_held = character.isdecimal()
    elif category in (op.CATEGORY_SPACE, op.CATEGORY_NOT_SPACE):
        is_held = character.isspace()
    else:
        is_held = _is_word(character)
    return is_held != (category in NEGATED)


def _strongly_connected(follows: dict[State, list[State]]) -> dict[State, int]:
    """Return the positions on a cycle, each with the number of its strongly connected part."""
    order: list[State] = []
    seen: set[State] = set()
    for root in follows:
        if root in seen:
            continue
        stack = [(root, iter(follows[root]))]
        seen.add(root)
        while stack:
            here, others = stack[-1]
            for other in others:
                if other not in seen:
                    seen.add(other)
                    stack.append((other, iter(follows[other])))
                    break
            else:
                order.append(here)
                stack.pop()
    back: dict[State, list[State]] = defaultdict(list)
    for one, others_ in follows.items():
        for other in others_:
            back[other].append(one)
    number: dict[State, int] = {}
    for root in reversed(order):
        if root in number:
            continue
        number[root] = len(number)
        todo = [root]
        while todo:
            for one in back[todo.pop()]:
                if one not in number:
                    number[one] = number[root]
                    todo.append(one)
    members: dict[int, list[State]] = defaultdict(list)
    for one, at in number.items():
        members[at].append(one)
    return {
        one: at
        for at, some in members.items()
        if len(some) > 1 or some[0] in follows[some[0]]
        for one in some
    }
