"""The application: it finds its views, and what it answers is escaped and complete."""

import pytest
from starlette.testclient import TestClient


@pytest.mark.usefixtures("gated")
def test_the_first_page_is_the_queue(page: TestClient) -> None:
    answer = page.get("/")
    assert (answer.status_code, answer.url.path) == (200, "/queue")
    assert 'aria-current="page">Queue' in answer.text
    assert answer.text.rstrip().endswith("</html>")


@pytest.mark.usefixtures("gated")
def test_a_part_of_a_page_comes_alone(page: TestClient) -> None:
    part = page.get("/queue", headers={"HX-Request": "true"}).text
    assert "<h1>Queue</h1>" in part
    assert "<html" not in part


def test_what_is_not_there_is_a_page_of_its_own(page: TestClient) -> None:
    answer = page.get("/nothing")
    assert answer.status_code == 404
    assert "There is no such page" in answer.text
