"""What CI carries from run to run may be anybody's: a verdict counts there where whoever kept it had the key."""

from pathlib import Path

import pytest

from rulec.llm.answer_caches import open_verdict_cache

NAME = "ANTHROPIC_API_KEY"
KEY = "a" * 32
OTHER = "b" * 32


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(NAME, "sk-ours")
    return tmp_path / "cache"


def _sealed(repo: Path, cache: Path) -> dict[str, str]:
    return open_verdict_cache(repo, str(cache), key=NAME).known([KEY, OTHER])


def test_what_was_kept_with_the_key_is_known_with_the_key(repo: Path, cache: Path) -> None:
    assert open_verdict_cache(repo, str(cache), key=NAME).keep({KEY: "pass", OTHER: "fail 3,4"}) == ""
    assert _sealed(repo, cache) == {KEY: "pass", OTHER: "fail 3,4"}
    assert "sk-ours" not in (cache / "a").read_text()


@pytest.mark.parametrize("key", ["", "sk-theirs"])
def test_who_lacks_the_key_knows_nothing_and_keeps_nothing_that_counts(
    repo: Path, cache: Path, key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_verdict_cache(repo, str(cache), key=NAME).keep({OTHER: "fail 1"})
    with monkeypatch.context() as theirs:
        theirs.setenv(NAME, key)
        assert _sealed(repo, cache) == {}
        assert open_verdict_cache(repo, str(cache), key=NAME).keep({KEY: "pass"}) == ""
    assert _sealed(repo, cache) == {OTHER: "fail 1"}


@pytest.mark.parametrize(
    "form",
    [
        "{key} pass {mark}",
        f"{KEY} fail 1 {{mark}}",
        "{key} fail 1",
        "{key} pass",
        f"{{key}} pass {KEY}",
        "{key} pass \udcff",
    ],
)
def test_a_line_that_was_put_there_or_turned_is_not_believed(repo: Path, cache: Path, form: str) -> None:
    open_verdict_cache(repo, str(cache), key=NAME).keep({OTHER: "fail 1"})
    forged = form.format(key=OTHER, mark=(cache / "b").read_text().split()[-1])
    (cache / forged[0]).write_text(f"{forged}\n", errors="surrogateescape")
    assert KEY not in _sealed(repo, cache)
    assert _sealed(repo, cache).get(OTHER, "fail 1") == "fail 1"


def test_what_was_sealed_for_another_pair_tells_nothing_of_this_one(repo: Path, cache: Path) -> None:
    open_verdict_cache(repo, str(cache), key=NAME).keep({KEY: "pass", OTHER: "fail 1"})
    marks = {name: (cache / name).read_text().split()[-1] for name in ("a", "b")}
    assert marks["a"] != marks["b"]
    (cache / "b").write_text(f"{OTHER} pass {marks['a']}\n")
    assert _sealed(repo, cache) == {KEY: "pass"}
