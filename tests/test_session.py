"""Programs call capabilities by their requests, with types, and await them."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, assert_type

import pytest

from tests.asking import BUILT_IN
from writeros_entities import (
    NotFoundError,
    Request,
    Response,
    Session,
    capability,
    hookimpl,
)
from writeros_entities.capabilities.entities.find_mentions import FindMentions, MentionList
from writeros_entities.capabilities.entities.get_entity import EntityAnswer, GetEntity
from writeros_entities.capabilities.entities.list_entities import EntityList, ListEntities
from writeros_entities.capabilities.search.search import Search
from writeros_entities.capability import Capability
from writeros_entities.plugins import load_plugins
from writeros_entities.settings import Settings
from writeros_entities.surfaces.prompts import acall, call
from writeros_entities.view import View

from .databases import one_engine

databases = one_engine


class Wait(Request["Waited"]):
    """Wait for nothing."""


class Waited(Response):
    """The position of the last chapter."""

    last: int


class Waiting:
    """A plugin whose capability waits until it may go on, and then reads from the index."""

    def __init__(self) -> None:
        self.begun = threading.Semaphore(0)
        self.go_on = threading.Event()
        self.threads: set[str] = set()
        self.answered = 0

    @hookimpl
    def register_capabilities(self) -> list[Capability[Wait, Waited]]:
        @capability(family="vault")
        def wait(view: View, request: Wait) -> Waited:
            """Wait."""
            self.threads.add(threading.current_thread().name)
            self.begun.release()
            assert self.go_on.wait(240)
            last = view.scalar(_last_position(view))
            self.answered += 1
            return Waited(last=last)

        return [wait]

    async def until_begun(self, calls: int) -> None:
        for _ in range(calls):
            assert await asyncio.to_thread(self.begun.acquire, timeout=240)


def _last_position(view: Any) -> Any:
    from sqlalchemy import func, select

    return select(func.max(view.note.c.position))


@contextmanager
def waiting_vault(root: Path, plugin: Waiting) -> Iterator[Session]:
    plugins = load_plugins(Settings(), {"waiting": plugin})
    database = f"sqlite:///{root.parent}/index.sqlite3"
    with Session.open(root, plugins=plugins, database=database) as session:
        session.call("sync", {})
        yield session
        plugin.go_on.set()


def test_a_request_is_answered_as_the_capability_that_it_belongs_to(novel: Session) -> None:
    sheet = session_sheet(novel)
    assert sheet.entity is not None
    assert sheet.entity.name == "Hope Lascelles"
    assert sheet == novel.call("get_entity", {"entity": "Hope"})
    listed = novel.call(ListEntities(containing="Hope", limit=1))
    assert_type(listed, EntityList)
    assert [one.name for one in listed.entities] == ["Hope Lascelles"]
    found = novel.call(Search(query="bad ink", below="chapter 9", limit=1))
    assert found.passages[0].path == "Manuscript/09 - Bad Ink.md"


def session_sheet(session: Session) -> EntityAnswer:
    sheet = session.call(GetEntity(entity="Hope"))
    assert_type(sheet, EntityAnswer)
    assert_type(session.call("get_entity", {"entity": "Hope"}), Response)
    return sheet


def test_what_a_caller_can_mend_is_raised_for_a_request_too(novel: Session) -> None:
    with pytest.raises(NotFoundError, match="Did you mean 'Isolde Marrow'"):
        novel.call(GetEntity(entity="Isolde Marow"))
    with pytest.raises(NotFoundError, match="There is no capability with the request 'Wait'"):
        novel.call(Wait())


def test_every_request_names_its_answer_and_is_of_one_capability() -> None:
    for built_in in BUILT_IN:
        (base,) = built_in.request.__orig_bases__
        assert base.__args__ == (built_in.response.__name__,)
    assert len({one.request for one in BUILT_IN}) == len(BUILT_IN)


def test_awaited_calls_answer_as_others_do(novel: Session) -> None:
    async def ask() -> tuple[EntityAnswer, MentionList, Response, dict[str, Any]]:
        sheet = await novel.acall(GetEntity(entity="Hope"))
        assert_type(sheet, EntityAnswer)
        found = await novel.acall(FindMentions(entity="Hope", limit=3))
        assert_type(found, MentionList)
        named = await novel.acall("find_mentions", {"entity": "Hope", "limit": 3})
        data = await acall(novel, "find_mentions", '{"entity": "Hope", "limit": 3}')
        return sheet, found, named, data

    sheet, found, named, data = asyncio.run(ask())
    assert sheet == novel.call(GetEntity(entity="Hope"))
    assert found == named == novel.call(FindMentions(entity="Hope", limit=3))
    assert data == call(novel, "find_mentions", {"entity": "Hope", "limit": 3})


def test_a_request_takes_no_arguments_beside_it(novel: Session) -> None:
    beside: Any = (GetEntity(entity="Hope"), {"as_of": 3})
    with pytest.raises(TypeError, match="A request has its arguments in itself"):
        novel.call(*beside)
    with pytest.raises(TypeError, match="A request has its arguments in itself"):
        asyncio.run(novel.acall(*beside))


@pytest.mark.parametrize("asked", [GetEntity, None, 7])
def test_what_is_neither_a_name_nor_a_request_is_explained(novel: Session, asked: Any) -> None:
    with pytest.raises(TypeError, match=r"or a request with its arguments, such as GetEntity\("):
        novel.call(asked, {"entity": "Hope"})
    with pytest.raises(TypeError, match=r"or a request with its arguments, such as GetEntity\("):
        asyncio.run(novel.acall(asked))


def test_an_awaited_call_raises_what_a_caller_can_mend(novel: Session) -> None:
    with pytest.raises(NotFoundError, match="Did you mean 'get_entity'"):
        asyncio.run(novel.acall("get_entitty", {}))
    with pytest.raises(NotFoundError, match="Did you mean 'Isolde Marrow'"):
        asyncio.run(novel.acall(GetEntity(entity="Isolde Marow")))


def test_awaited_calls_take_no_more_threads_than_the_database_has_connections(
    write_vault: Callable[[dict[str, str]], Path],
) -> None:
    waiting = Waiting()

    async def ask(session: Session) -> list[Waited]:
        calls = [asyncio.create_task(session.acall(Wait())) for _ in range(12)]
        await waiting.until_begun(5)
        waiting.go_on.set()
        return await asyncio.gather(*calls)

    with waiting_vault(write_vault({"01 - Fog.md": "Fog."}), waiting) as session:
        answers = asyncio.run(ask(session))
    assert answers == [Waited(last=1)] * 12
    assert len(waiting.threads) == 5


def test_a_task_that_is_cancelled_does_not_wait_for_its_call_and_the_call_reads_no_more(
    write_vault: Callable[[dict[str, str]], Path],
) -> None:
    waiting = Waiting()

    async def ask(session: Session) -> None:
        task = asyncio.create_task(session.acall(Wait()))
        await waiting.until_begun(1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        waiting.go_on.set()
        assert await session.acall(Wait()) == Waited(last=1)

    with waiting_vault(write_vault({"01 - Fog.md": "Fog."}), waiting) as session:
        asyncio.run(ask(session))
        session.threads.shutdown(wait=True)
    assert waiting.answered == 1
