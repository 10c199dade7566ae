"""Fetches another team's rulebook at one revision, and reads nothing but its rules and evidence."""

import os
import re
import signal
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rulec.domain.quiet_git import QUIET_GIT
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.infra.git import git_session
from rulec.infra.processes import ToolResult, run_tool
from rulec.rulebook.config import ExtendedRulebook

SECONDS = 120.0
MOST_FILES = 5_000
LARGEST = 500_000  # bytes of one file
MOST_BYTES = 10_000_000  # of all of them
# A file larger than this many blocks of 512 or 1,024 bytes ends the fetch: no rulebook's history weighs so much.
_FETCH = 'ulimit -f 262144; exec git "$@"'
_LOCAL = re.compile(r"https?://(localhost|127\.0\.0\.1|\[::1\])(:\d+)?/")
_REV = re.compile(r"[0-9A-Za-z][\w./@-]*", re.ASCII)
_TAKEN = re.compile(r"\.rules/([^/]+\.yaml|evidence/[^/]+/[^/]+\.yaml)")
_SECRET = re.compile(r"\A[a-z+]+://[^/@:]*:[^/@]*@", re.IGNORECASE)


THEIR_CONFIG = ".rules/config.yaml"  # what the other team settles for itself


class UnreachableError(RulecError):
    """The revision cannot be fetched now; later, or from elsewhere, it may be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchedRulebook:
    """The commit of a revision, and its rule and evidence files by their paths below .rules."""

    commit: str
    files: dict[str, str]


def fetch_rulebook(top: Path, wanted: ExtendedRulebook) -> FetchedRulebook:
    """The rulebook at its revision; UnreachableError where it cannot be fetched, RulecError where it is refused."""
    _refuse(wanted)
    with tempfile.TemporaryDirectory(prefix="rulec-", ignore_cleanup_errors=True) as name:
        bare = Path(name).resolve()
        environment = _environment(top, bare)
        git_session.git_output(bare, "init", "-q", "--bare", "--template=", str(bare), environment=environment)
        options = ["-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", f"core.hooksPath={os.devnull}"]
        options += ["-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=20"]
        asked = [
            "fetch",
            "-q",
            "--depth=1",
            "--no-tags",
            "--no-recurse-submodules",
            "--",
            _resolve_url(top, wanted.url),
        ]
        argv = ["sh", "-c", _FETCH, "git", *options, *asked, wanted.rev]
        done = run_tool(argv, cwd=bare, environment=environment, seconds=SECONDS)
        if done.code:
            hint = "see the URL, the revision and the network"
            raise UnreachableError(f"{wanted.rev} cannot be fetched: {_cause(done)}", where=wanted.url, hint=hint)
        commit = git_session.git_output(
            bare, "rev-parse", "--verify", "FETCH_HEAD^{commit}", environment=environment
        ).strip()
        return FetchedRulebook(commit=commit, files=_read(bare, commit, wanted, environment))


def _cause(done: ToolResult) -> str:
    """The cause that git names, without git's advice."""
    if f"signal {int(signal.SIGXFSZ)}".encode() in done.err:
        return "it holds far more than a rulebook does"
    lines = done.err.decode("utf-8", "replace").splitlines()
    causes = (line.partition(": ")[2] for line in lines if line.startswith(("fatal: ", "error: ", "ssh: ")))
    return next(causes, done.said)


def _refuse(wanted: ExtendedRulebook) -> None:
    url, parts = wanted.url, wanted.path.split("/")
    if not url.strip() or url.startswith("-") or "::" in url or any(ord(sign) < ord(" ") for sign in url):
        raise RulecError("is not the address of a git repository", where=repr(url[:200]), hint="give a URL or a folder")
    if _holds_secret(url):
        where = redact(url.rpartition("@")[2])
        raise RulecError("the URL contains a password", where=where, hint="let git ask a helper for it")
    if url.startswith("http:") and not _LOCAL.match(url):
        raise RulecError("would be fetched unencrypted", where=url, hint="use https or ssh")
    if not _REV.fullmatch(wanted.rev) or ".." in wanted.rev:
        raise RulecError(
            f"{wanted.rev[:200]!r} is not a revision", where=url, hint="give a tag, a branch or a full commit id"
        )
    if wanted.path and (".." in parts or "" in parts or "\\" in wanted.path):
        raise RulecError(
            f"{wanted.path[:200]!r} is not a folder in it", where=url, hint="such as teams/web, without .."
        )


def _holds_secret(url: str) -> bool:
    """Whether the URL contains a password or token, which settings and lock would publish."""
    login, _, place = url.rpartition("@")
    user = login.rpartition("/")[2]
    return bool(_SECRET.match(url)) or any("[redacted:" in redact(part) for part in (user, place))


def _resolve_url(top: Path, url: str) -> str:
    """The URL; a folder as seen from the repository that names it."""
    folder = top / os.path.expanduser(url)  # noqa: PTH111 - a URL that Path would rewrite, unless it is a folder
    return str(folder.resolve()) if "://" not in url and folder.exists() else url


def _environment(top: Path, bare: Path) -> dict[str, str]:
    """An environment in which git asks for nothing, runs no other program and knows no other repository."""
    environment = {
        **QUIET_GIT,
        "GIT_DIR": str(bare),  # of a hook that we run in it would be the hook's repository
        "GIT_ALLOW_PROTOCOL": "file:http:https:ssh",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "true",
    }
    if "GIT_SSH_COMMAND" not in os.environ and not git_session.git_config(top, "core.sshCommand"):
        environment["GIT_SSH_COMMAND"] = "ssh -o BatchMode=yes -o ConnectTimeout=20"
    return environment


def _read(bare: Path, commit: str, wanted: ExtendedRulebook, environment: dict[str, str]) -> dict[str, str]:
    start = f"{wanted.path}/" if wanted.path else ""
    listed = git_session.git_output(
        bare, "ls-tree", "-r", "-z", "--long", commit, "--", f"{start}.rules", environment=environment
    )
    entries = dict(_entries(listed, start, wanted.url))
    if not entries:
        hint = "--path names the folder that contains its .rules"
        raise RulecError(f"holds no rules in {start}.rules at {wanted.rev}", where=wanted.url, hint=hint)
    if len(entries) > MOST_FILES or sum(size for _, size in entries.values()) > MOST_BYTES:
        raise RulecError("holds too much for a rulebook", where=wanted.url, hint="extend one that is kept small")
    asked = "".join(f"{name}\n" for name, _ in entries.values()).encode()
    told = git_session.run_git(bare, "cat-file", "--batch", stdin=asked, environment=environment).out
    files, at = {}, 0
    for path, (_, size) in entries.items():
        begin = told.index(b"\n", at) + 1
        files[path] = _text(told[begin : begin + size], f"{wanted.url}: {path}")
        at = begin + size + 1
    return files


def _text(data: bytes, where: str) -> str:
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise RulecError("is not UTF-8", where=where, hint="its team has to mend that") from None


def _entries(listed: str, start: str, url: str) -> Iterator[tuple[str, tuple[str, int]]]:
    """Name and size of each file of the rulebook, by its path below .rules."""
    for entry in filter(None, listed.split("\0")):
        meta, path = entry.split("\t", 1)
        mode, _, name, size = meta.split()
        path = path.removeprefix(start)
        if path != ".rules" and (not _TAKEN.fullmatch(path) or path == THEIR_CONFIG):
            continue
        if not mode.startswith("100"):
            raise RulecError(
                "is not a regular file there", where=f"{url}: {path[:200]}", hint="its team has to mend that"
            )
        if int(size) > LARGEST:
            raise RulecError("is too large for a rule", where=f"{url}: {path[:200]}", hint="its team has to mend that")
        yield path.removeprefix(".rules/"), (name, int(size))
