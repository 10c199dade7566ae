"""Whatever secret a person or an agent put into a session, it does not reach the disk."""

from pathlib import Path

from tests.conftest import Run
from tests.domain.test_redact import SECRETS
from tests.support.session import ClaudeSession
from tests.support.world import act


def test_no_planted_secret_reaches_the_repository(repo: Path, rulec: Run, git: Run, tmp_path: Path) -> None:
    rulec("init", "--yes", "--agent", "claude-code")
    git("add", "-A")
    git("commit", "-qm", "Gates")
    assert len(SECRETS) >= 40
    for number, (secret, around) in enumerate(SECRETS.items()):
        text = around.format(secret)
        session = ClaudeSession(repo, f"5ec2-{number:04}").person("Install it.")
        session.runs(f"npm install left-pad # {text}").agent("Done.").person(f"Never use npm, use pnpm. {text}")
        path = session.runs(f"pnpm add left-pad # {text}").agent("Ok.").save(tmp_path / f"{number}.jsonl")
        act(repo, "ingest", str(path), "--yes")  # dozens of them
    assert "npm" in (repo / ".rules").joinpath("use-pnpm.yaml").read_text()
    history = git("log", "-p", "--all").stdout
    files = [file for file in repo.rglob("*") if file.is_file() and "objects" not in file.parts]
    everything = history + "".join(file.read_text(errors="replace") for file in files)
    assert [secret for secret in SECRETS if secret in everything] == []
