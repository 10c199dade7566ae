"""A browser's requests to the page, over the real application on a real repository."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from rulec.web.access import Access
from rulec.web.app import make_app
from rulec.web.pairing import Typed
from tests.support.paired import Browser, ask_for_code

PORT = 43117

NewPage = Callable[[Path], TestClient]


@pytest.fixture
def new_page() -> Iterator[NewPage]:
    """A function that makes a client of the page on a repository, paired as a person would, which signs its acts."""
    opened: list[TestClient] = []

    def make(top: Path) -> TestClient:
        access = Access(PORT)
        client = TestClient(make_app(top, access), base_url=access.address)
        opened.append(client)
        client.__enter__()
        browser = Browser(access.address.rstrip("/"))
        code = ask_for_code(client, browser).json()["code"]
        assert access.pairing.type_line(code) is Typed.PAIRED
        client.auth = browser
        return client

    yield make
    for client in opened:
        client.__exit__(None, None, None)


@pytest.fixture
def page(repo: Path, new_page: NewPage) -> TestClient:
    """A paired client of the page on the test's repository: reads are let through, and acts are signed."""
    return new_page(repo)
