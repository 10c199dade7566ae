"""A repository with gates and a few rules, and every kind of change of it, each made once by its verb."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.support.session import ClaudeSession, logger, pnpm
from tests.support.world import Texts, act, at_home, changed, copy, founded, run

SEEDS = (  # no-git-push-force stays as it is but for what is said of it: it serves the laws about one rule
    "Never use git push --force",
    "Do not run terraform apply",
    "Do not run docker push",
    "Do not run helm install",
    "Do not run kubectl apply",
    "Do not run make deploy",
    "Do not run cargo publish",
    "Do not run gem push",
)


@pytest.fixture(scope="session")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with gates and four rules, committed."""
    with at_home(tmp_path_factory.mktemp("home")):
        return founded(tmp_path_factory.mktemp("seeded") / "repo", *SEEDS)


@pytest.fixture(scope="session")
def changes(seeded: Path, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Texts]:
    """What each kind of change does to the rulebook's own files, by a name; no two of them are of one rule."""
    folder = tmp_path_factory.mktemp("changes")
    found = {}
    with at_home(tmp_path_factory.mktemp("home")):
        for name, argv in acts(seeded, folder).items():
            top = copy(seeded, folder / "repo")
            before = run(top, "rev-parse", "HEAD").strip()
            act(top, *argv)
            found[name] = changed(top, before)
            assert found[name], name
    return found


def pushed(top: Path, session: str) -> ClaudeSession:
    """A session in which a person says once more what no-git-push-force is."""
    told = ClaudeSession(top, session).person("Ship it.").runs("git push --force").agent("Done.")
    return told.person("Never use git push --force.").runs("git push").agent("Understood.")


def acts(top: Path, folder: Path) -> dict[str, tuple[str, ...]]:
    """A command for each kind of change."""
    return {
        "a new rule": ("ingest", str(pnpm(top).save(folder / "1.jsonl")), "--yes"),
        "a new rule about code": ("ingest", str(logger(top).save(folder / "2.jsonl")), "--yes"),
        "a new rule of a person's": ("add", "Never commit .env files", "--yes"),
        "another of a person's": ("add", "Never commit .pem files", "--yes"),
        "an update": ("add", "Do not run gem push or gem yank", "--yes"),
        "a rule loosened": ("set", "no-terraform-apply", "warn", "--because", "we try it"),
        "a rule out of force": ("retire", "no-docker-push", "--because", "CI does it now"),
        "a rule in another's place": (
            "retire",
            "no-helm-install",
            "--for",
            "no-kubectl-apply",
            "--because",
            "one tool",
        ),
        "an exception": ("except", "no-make-deploy", "--command", "make deploy STAGE=preview", "--because", "harmless"),
        "a counterexample": ("note", "no-cargo-publish", "no", "--should", "pass", "--path", "docs/**"),
        "the same wish again": ("ingest", str(pushed(top, "5e55-0009").save(folder / "3.jsonl")), "--yes"),
    }
