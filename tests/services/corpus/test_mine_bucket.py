"""rulec mine-corpus reads a bucket of a real S3 server: by its ETags, each object once."""

import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import s3fs
from moto.server import ThreadedMotoServer

from tests.support.corpora import corpus, said_again
from tests.support.session import pnpm
from tests.support.world import act

pytestmark = pytest.mark.e2e


@pytest.fixture
def requests_seen(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The lines that the server logs, one for each request that it answers."""
    seen: list[str] = []

    class _Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            seen.append(record.getMessage())

    log = logging.getLogger("werkzeug")
    keep = _Keep()
    log.addHandler(keep)
    log.setLevel(logging.INFO)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=True)
    server.start()
    host, port = server.get_host_and_port()
    values = {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "made-up",
        "AWS_SECRET_ACCESS_KEY": "made-up",
        "AWS_DEFAULT_REGION": "us-east-1",
        "no_proxy": "127.0.0.1",
    }
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    s3fs.S3FileSystem.clear_instance_cache()  # one of another test knows the address of another server
    yield seen
    server.stop()
    log.removeHandler(keep)


def _fill(folder: Path) -> Any:
    files = s3fs.S3FileSystem(use_listings_cache=False)
    files.mkdir("team")
    for path in corpus(folder).rglob("*"):
        if path.is_file():
            files.put_file(str(path), f"team/2026/{path.relative_to(folder)}")
    return files


def test_a_bucket_is_mined_and_each_object_is_fetched_once(tmp_path: Path, requests_seen: list[str]) -> None:
    files = _fill(tmp_path / "transcripts")
    argv = ("mine-corpus", "s3://team/2026", "--out", "out", "--workers", "1")

    def fetched() -> list[str]:
        return sorted(found[1] for line in requests_seen if (found := re.search(r'"GET (/team/2026/[^ ?]+)', line)))

    requests_seen.clear()
    assert "8 files listed: 8 read now, 0 known already, 1 failed" in act(tmp_path, *argv).out
    assert len(fetched()) == len(set(fetched())) == 8
    requests_seen.clear()
    assert "8 files listed: 1 read now, 7 known already, 1 failed" in act(tmp_path, *argv).out
    assert requests_seen  # it was listed
    assert fetched() == ["/team/2026/notes.txt"]  # what failed is tried again
    files.put_file(str(tmp_path / "transcripts/till-1.jsonl"), "team/2026/shop-1.jsonl")
    told = act(tmp_path, *argv).out
    assert "2 read now, 6 known already, 1 failed, 1 with a content that another one has" in told
    assert set(fetched()) == {"/team/2026/shop-1.jsonl", "/team/2026/notes.txt"}


def test_keys_that_differ_in_slashes_are_two_transcripts(tmp_path: Path, requests_seen: list[str]) -> None:
    files = s3fs.S3FileSystem(use_listings_cache=False)
    files.mkdir("slashes")
    files.call_s3("put_object", Bucket="slashes", Key="2026/one.jsonl", Body=pnpm(Path("/srv/a")).text().encode())
    other = said_again(pnpm(Path("/srv/b")), "5e55-0099")
    files.call_s3("put_object", Bucket="slashes", Key="2026//one.jsonl", Body=other.text().encode())
    told = act(tmp_path, "mine-corpus", "s3://slashes/2026", "--out", "out", "--workers", "1").out
    assert "2 files listed: 2 read now, 0 known already, 0 failed; 2 count, of 2 repositories" in told


def test_a_bucket_that_is_not_there_is_one_line(tmp_path: Path, requests_seen: list[str]) -> None:
    told = act(tmp_path, "mine-corpus", "s3://nobody/here", "--out", "out", code=2)
    assert len(told.err.splitlines()) == 1
    assert "s3://nobody/here" in told.err
    assert not (tmp_path / "out").exists()
