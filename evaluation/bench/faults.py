"""Kills, full disks, writers at once and mutated input: ``bench faults KIND [NUMBER [SEED]]``.

KIND is ``kills``, ``disk`` (as root, on Linux), ``writers``, ``mutated`` or ``bytecode``. Each failure is printed; 1
where there was one. After every trial the repository has to be sound: see ``Sound`` and the function of each kind.
"""

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import yaml

from evaluation.bench.garbage import damaged
from rulec.agents.claude_code import AGENT
from rulec.agents.protocol.agent_spec import BEFORE_TOOL
from rulec.checkout import ledger
from rulec.cli import gates
from rulec.infra import clock
from rulec.integrations.hook_settings import hook_command
from tests.support import kills, payloads
from tests.support.session import logger, pnpm
from tests.support.world import act, at_home, copy, founded, run

WISHES = (
    "Never use git push --force",
    "Do not run terraform apply",
    "Do not run docker push",
    "Do not run helm install",
    "Do not run kubectl apply",
    "Do not run make deploy",
    "Do not run cargo publish",
    "Never write TODO in src/**.",
)
NOW = "2026-11-22T09:00:00Z"
FIRED = {  # at a time of its own: what lies ahead of the clock of a trial is not counted yet
    "at": "2026-11-22T08:00:00Z",
    "event": "ask", "agent": "codex", "slug": "no-make-deploy", "outcome": "block", "kind": "command", "of": "make",
}  # fmt: skip
DENIED = "terraform apply"  # by a rule that no verb below changes
MUST_ANSWER = 60  # seconds
AT_THAT_TIME = [
    sys.executable, "-c",
    f"from rulec.infra import clock; clock.now = lambda: {NOW!r}\nfrom rulec.cli import main; main.begin()",
]  # fmt: skip
FINDINGS, REFUSED = 1, 2  # exit codes
FEW = 3  # lines in which a refusal is told
KEPT = ("queue/", "noted/", "no-exception/", "rejected", "approved")  # of the state of rulec: what a person said
BEGINS = "begins"
LONGEST_AT_WORK = 0.015  # seconds that a process is at work before it is killed
SHARED = Path(__file__).resolve().parents[3] / "shared/data"
MANY_LINES, MOST_BYTES = 60, 60_000  # of a transcript
READERS = [("ingest", "--dry-run"), ("ingest", "--dry-run", "--format", "json"), ("ingest",)]
RULE_READERS = [
    ("rules",),
    ("compile",),
    ("compile", "--check"),
    ("test",),
    ("review", "--format", "json"),
    ("check", "--all"),
]


@dataclass(frozen=True, slots=True)
class Verb:
    """A verb, what happens before it, and what is typed at it."""

    argv: tuple[str, ...]
    before: Callable[[Path], object] = lambda _: None
    typed: str = ""


def _spoil(top: Path) -> None:
    """A rule that a person edited, an artifact that is gone, and one that nobody needs."""
    path = top / ".rules/no-git-push-force.yaml"
    path.write_text(path.read_text().replace("severity: must", "severity: should"))
    (top / ".rules/compiled/guard/no-git-push-force.json").unlink()
    (top / ".rules/compiled/guard/left-over.json").write_text("{}\n")


def _loosen(top: Path) -> None:
    path = top / ".rules/no-docker-push.yaml"
    path.write_text(path.read_text().replace("enforcement: block", "enforcement: audit"))
    act(top, "compile")
    run(top, "add", "-A")


def _as_script(top: Path) -> str:
    """The text of a rule with another reason, for ``edit --file``."""
    return (top / ".rules/no-docker-push.yaml").read_text().replace("Do not run docker push", "Never run docker push")


def _edited(top: Path) -> None:
    (top.parent / "edited.yaml").write_text(_as_script(top))


def _unset(top: Path) -> None:
    act(top, "init", "--remove", "--yes")
    run(top, "add", "-A")
    run(top, "commit", "-qnm", "Take it away")


def verbs(folder: Path) -> dict[str, Verb]:
    """A varied list of them."""
    offer = folder / "offer.json"
    offer.write_text(
        json.dumps({"statement": "Never run `npx`.", "quote": "never npx", "offence": {"command": "npx x"}})
    )
    why = ("--because", "a trial")
    note = ("note", "no-make-deploy", "a trial", "--command", "make deploy")
    return {
        "add": Verb(("add", "Use pnpm, not npm", "--yes")),
        "add to one": Verb(("add", "Do not run cargo publish or cargo yank", "--yes")),
        "ingest": Verb(("ingest", str(folder / "0.jsonl"), "--yes")),
        "ingest for later": Verb(("ingest", str(folder / "0.jsonl"))),
        "review, accept": Verb(("review", "--accept", "use-logger")),
        "review, reject": Verb(("review", "--reject", "use-logger")),
        "propose": Verb(("propose", str(offer))),
        "import": Verb(("import", "AGENTS.md", "--yes")),
        "compile": Verb(("compile",), _spoil),
        "edit": Verb(("edit", "no-docker-push", "--file", str(folder / "edited.yaml")), _edited),
        "set": Verb(("set", "no-docker-push", "warn", *why)),
        "except": Verb(("except", "no-make-deploy", "--command", "make deploy --silent", *why)),
        "note": Verb(note),
        "note of an agent": Verb((*note, "--propose")),
        "retire": Verb(("retire", "no-docker-push", *why)),
        "retire --for": Verb(("retire", "no-helm-install", "--for", "no-kubectl-apply", *why)),
        "rollback": Verb(("rollback", "no-kubectl-apply")),
        "except --until": Verb(("except", "no-make-deploy", "--path", "docs/**", "--until", "2026-12-22", *why)),
        "report --commit": Verb(("report", "--commit", "--yes"), lambda top: ledger.append(str(top), [FIRED])),
        "approve": Verb(("approve", *why), _loosen, "y\n"),
        "init": Verb(("init", "--yes", "--agent", "claude-code", "--no-ci"), _unset),
        "hook": Verb(("hook", "install"), lambda top: (top / ".git/hooks/commit-msg").unlink()),
        "doctor": Verb(("doctor", "--fix"), lambda top: (top / ".git/hooks/pre-commit").unlink()),
    }


def prepare(folder: Path) -> Path:
    """A repository with rules, a proposal that waits, and something that gates noted."""
    top = founded(folder / "repo", *WISHES)
    act(top, "except", "no-kubectl-apply", "--command", "kubectl apply --dry-run", "--because", "harmless")
    act(top, "ingest", str(logger(top).save(folder / "1.jsonl")), code=None)
    (top / "AGENTS.md").write_text((top / "AGENTS.md").read_text() + "\n- Never run `yarn`.\n- Use ruff, not flake8.\n")
    run(top, "add", "-A")
    run(top, "commit", "-qnm", "Write down more")
    denies(top)
    pnpm(top).save(folder / "0.jsonl")
    return top


def denies(top: Path, command: str = DENIED) -> bool:
    """Whether the agent's hook denies the command."""
    asked = json.dumps(payloads.runs("claude-code", str(top), command))
    env = {**os.environ, "CLAUDE_PROJECT_DIR": str(top)}
    argv = ["sh", "-c", hook_command(AGENT, BEFORE_TOOL)]
    done = subprocess.run(argv, cwd=top, env=env, input=asked, capture_output=True, text=True, check=False)
    return done.returncode == 0 and '"deny"' in done.stdout and "Traceback" not in done.stderr


@dataclass(frozen=True, slots=True)
class State:
    """What the repository holds: trees of HEAD and of the index, files, git hooks, and what was said for later."""

    head: str
    index: str
    files: Mapping[str, bytes]
    hooks: frozenset[tuple[str, bytes]]
    kept: frozenset[tuple[str, bytes]]


def _contents(folder: Path, *without: str) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    named = {path.relative_to(folder): path for path in files}
    return {str(name): path.read_bytes() for name, path in named.items() if not {*name.parts} & {*without}}


def state(top: Path) -> State:
    """What the repository holds."""
    state = _contents(top / ".git/rulec").items()
    return State(
        head=run(top, "rev-parse", "HEAD^{tree}").strip(),
        index=run(top, "write-tree").strip(),
        files=_contents(top, ".git", ".cache"),
        hooks=frozenset(one for one in _contents(top / ".git/hooks").items() if not one[0].startswith(".")),
        kept=frozenset(one for one in state if one[0].startswith(KEPT) and not Path(one[0]).name.startswith(".")),
    )


@dataclass(frozen=True, slots=True)
class Trial:
    """A verb in a repository of its own: where it begins, and what it leads to where nothing goes wrong."""

    verb: Verb
    start: Path
    old: State
    new: State
    heads: frozenset[str]  # the trees of the commits that it makes, and the first
    events: Sequence[str]
    denied: bool
    code: int  # the verb's exit code
    lists: int  # that of rulec rules at the start

    def problems(self, top: Path) -> Iterator[str]:
        """What is wrong in a copy of the start in which the verb was disturbed, and which the next verb recovers."""
        new = self.new
        if self.denied and not denies(top):
            yield "the agent's hook lets a forbidden call through"
        if (found := act(top, "rules", code=None)).code not in (0, self.lists):
            yield f"rulec rules: {found.err}"
        here = state(top)
        yield from self._between(top, here)
        fsck = subprocess.run(["git", "fsck", "--no-dangling"], cwd=top, capture_output=True, text=True, check=False)
        if fsck.returncode:
            yield f"git fsck: {fsck.stderr[:200]}"
        if here != new and (here.head == self.old.head or here.head != new.head):
            again = act(top, *self.verb.argv, code=None, stdin=self.verb.typed)
            here = state(top)
            if again.code != self.code or (here.head, here.files, here.hooks) != (new.head, new.files, new.hooks):
                yield f"the verb repeated: exit {again.code}, {again.err[-300:]}"

    def _between(self, top: Path, here: State) -> Iterator[str]:
        old, new = self.old, self.new
        if here.head not in self.heads:
            yield "HEAD is neither old nor new"
        if old.head == old.index and here.index != here.head:
            yield f"the index differs from HEAD: {run(top, 'diff', '--cached', '--name-only')[:200]}"
        ends = [one for one in (old, new) if one.head == here.head]
        if ends and here.files not in [one.files for one in ends]:
            lost = [sorted(name for name, _ in {*one.files.items()} ^ {*here.files.items()})[:4] for one in ends]
            yield f"files are between old and new: {lost}"
        if not old.hooks & new.hooks <= here.hooks <= old.hooks | new.hooks:
            yield "a git hook is neither old nor new"
        if not ends and run(top, "status", "--porcelain"):
            yield "files differ from the commit"
        if not old.kept & new.kept <= here.kept <= old.kept | new.kept:
            yield f"what was kept for later is damaged: {sorted(name for name, _ in here.kept ^ new.kept)[:5]}"


def an_event(event: str, given: tuple[Any, ...]) -> str:
    """What is about to happen, where it may change a file or begins a process."""
    if event == "subprocess.Popen":
        words = [Path(str(word)).name for word in given[1] if not str(word).startswith("-") and "=" not in str(word)]
        return f"{BEGINS} {' '.join(words[:2])}"
    return kills.own_write(event, given)


def begun(folder: Path, start: Path, name: str, verb: Verb) -> Trial:
    """A trial of a verb that was run once without disturbance."""
    own = copy(start, folder / f"{name} start")
    verb.before(own)
    whole = copy(own, folder / f"{name} whole")
    old, base = state(whole), run(whole, "rev-parse", "HEAD").strip()
    code, found = kills.events(whole, verb.argv, folder / "note", an_event, verb.typed)
    new = state(whole)
    if code not in (0, 1) or old == new:
        raise SystemExit(f"{name}: exit {code}, {'nothing changed' * (old == new)}")
    heads = run(whole, "log", "--format=%T", f"{base}..HEAD").split()
    return Trial(
        verb, own, old, new, frozenset([old.head, *heads]), found, denies(own), code, act(own, "rules", code=None).code
    )


def _end(pick: random.Random, event: str) -> None:
    """Kill this process with its children: at once, or while the process that begins now is at work."""
    group = os.getpgrp()
    if event.startswith(BEGINS):
        if os.fork():
            return
        os.setsid()
        late = f"sleep {pick.uniform(0, LONGEST_AT_WORK):.3f}; kill -s KILL -- -{group}"
        os.execv("/bin/sh", ["sh", "-c", late])
    os.killpg(group, signal.SIGKILL)


def killed(folder: Path, number: int, pick: random.Random) -> Iterator[tuple[str, list[str]]]:
    """Each trial's name and problems: a verb that is killed at one of its events, or in a process that it began."""
    start = prepare(folder)
    known: dict[str, Trial] = {}
    listed = verbs(folder)
    for turn in range(number):
        name = [*listed][turn % len(listed)] if number >= len(listed) else pick.choice([*listed])
        trial = known[name] = known.get(name) or begun(folder, start, name, listed[name])
        kind = pick.choice(sorted({*trial.events}))
        point = pick.choice([place for place, one in enumerate(trial.events) if one == kind])
        top = copy(trial.start, folder / f"top {turn}")
        kills.forked(top, trial.verb.argv, kills.killer(point, partial(_end, pick)), an_event, trial.verb.typed)
        yield f"{name} at {point} of {len(trial.events)} ({kind})", [*trial.problems(top)]
        shutil.rmtree(top)


def on_full_disk(folder: Path, number: int, pick: random.Random) -> Iterator[tuple[str, list[str]]]:
    """Each trial's name and problems: a verb on a small file system with a few free bytes."""
    start = prepare(folder)
    listed = verbs(folder)
    for turn in range(number):
        disk = folder / f"disk {turn}"
        disk.mkdir()
        name = pick.choice([*listed])
        trial = begun(folder, start, name, listed[name])
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64m", "none", str(disk)], check=True)
        try:
            top = copy(trial.start, disk / "top")
            (disk / "tmp").mkdir()
            used, free = sum(s.st_blocks * 512 for s in map(os.lstat, disk.rglob("*"))), pick.randrange(200_000)
            _resize(disk, used + free)
            done = subprocess.run(
                [*AT_THAT_TIME, *trial.verb.argv], cwd=top, input=trial.verb.typed, text=True,
                capture_output=True, env={**os.environ, "TMPDIR": str(disk / "tmp")}, check=False,
            )  # fmt: skip
            wrong = [] if clear(done.returncode, done.stderr) else [f"exit {done.returncode}: {done.stderr[-400:]}"]
            if trial.denied and not denies(top):
                wrong.append("the agent's hook lets a forbidden call through while the disk is full")
            _resize(disk, 64 << 20)
            yield f"{name}, {free} bytes free, exit {done.returncode}", [*wrong, *trial.problems(top)]
        finally:
            subprocess.run(["umount", "--lazy", str(disk)], check=True)
            for one in (folder / f"{name} start", folder / f"{name} whole"):
                shutil.rmtree(one)


def _resize(disk: Path, size: int) -> None:
    subprocess.run(["mount", "-o", f"remount,size={size}", str(disk)], check=True)


def clear(code: int, said: str) -> bool:
    """Whether it went well, or was refused in few words."""
    return "Traceback" not in said and (code in (0, 1) or (code == REFUSED and 0 < len(said.splitlines()) <= FEW))


def at_once(folder: Path, number: int, pick: random.Random) -> Iterator[tuple[str, list[str]]]:
    """Each round's name and problems: many processes begin at the same moment."""
    start = prepare(folder)
    adds = ["Use pnpm, not npm", "Never commit .env files", "Do not run gem push", "Do not run kubectl delete"]
    others = [
        ("review", "--accept", "use-logger"),
        ("compile",),
        ("check", "--staged"),
        ("note", "no-make-deploy", "a trial", "--command", "make deploy", "--propose"),
        ("rules",),
    ]
    for turn in range(number):
        top = copy(start, folder / f"top {turn}")
        before = int(run(top, "rev-list", "--count", "HEAD"))
        argvs = [*(("add", wish, "--yes") for wish in adds), *others]
        pick.shuffle(argvs)
        processes = [_begin(top, [sys.executable, "-m", "rulec", *argv]) for argv in argvs]
        asked = [denies(top) for _ in range(5)]
        ended = [(process.communicate(timeout=300), process.returncode) for process in processes]
        wrong = [
            f"{' '.join(argv)}: exit {code}, {said[1][-300:]}"
            for argv, (said, code) in zip(argvs, ended, strict=True)
            if not clear(code, said[1])
        ]
        if not all(asked):
            wrong.append("the agent's hook let a forbidden call through")
        commits = sum(not code for argv, (_, code) in zip(argvs, ended, strict=True) if argv[0] in ("add", "review"))
        made = int(run(top, "rev-list", "--count", "HEAD")) - before
        if made != commits:
            wrong.append(f"{commits} said that they wrote, and there are {made} commits")
        if left := run(top, "status", "--porcelain"):
            wrong.append(f"left: {left[:200]}")
        if act(top, "compile", "--check", code=None).code:
            wrong.append("what is compiled is not current")
        if "error" in run(top, "fsck", "--no-dangling", code=None):
            wrong.append("git fsck")
        refused = [f"{argv[0]} ({said[1].strip()})" for argv, (said, code) in zip(argvs, ended, strict=True) if code]
        yield f"round {turn}: {commits} commits, refused: {refused}", wrong
        shutil.rmtree(top)


def _begin(top: Path, argv: Sequence[str]) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        argv, cwd=top, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


ODD = (None, True, 10**30, -1, 0.5, "", "x" * 5_000, [], {}, [[]] * 3, "\ud800", "\0", {"": {"type": "user"}}, "\u202e")


def odd_value(value: Any, pick: random.Random) -> Any:
    """The JSON value with one of its parts changed, missing or twice."""
    if isinstance(value, dict) and value and pick.random() < 0.9:
        key = pick.choice([*value])
        rest = {name: one for name, one in value.items() if name != key}
        way = pick.random()
        if way < 0.1:
            return rest
        if way < 0.2:
            return {**rest, f"{key}2": value[key]}
        return {**value, key: odd_value(value[key], pick)}
    if isinstance(value, list) and value and pick.random() < 0.9:
        at = pick.randrange(len(value))
        way = pick.random()
        if way < 0.1:
            return value[:at] + value[at + 1 :]
        if way < 0.2:
            return [*value, value[at]]
        return [*value[:at], odd_value(value[at], pick), *value[at + 1 :]]
    if isinstance(value, str) and pick.random() < 0.3:
        return damaged(value.encode("utf-8", "replace"), pick).decode("utf-8", "surrogateescape")
    return pick.choice(ODD)


def odd_text(data: bytes, pick: random.Random) -> bytes:
    """The file with some of its lines, values or bytes changed."""
    lines = data.splitlines(keepends=True)
    for _ in range(pick.choice([1, 1, 2, 5])):
        way = pick.choice(["bytes", "value", "value", "value", "lines", "form", "deep"])
        if way == "value" and lines:
            at = pick.randrange(len(lines))
            with contextlib.suppress(ValueError, RecursionError):
                changed = odd_value(json.loads(lines[at]), pick)
                lines[at] = json.dumps(changed).encode() + b"\n"
        elif way == "lines" and lines:
            at, to = pick.randrange(len(lines)), pick.randrange(len(lines))
            lines[at], lines[to] = lines[to], lines[at]
            lines.insert(to, lines[at])
        elif way == "deep":
            lines.insert(pick.randrange(len(lines) + 1), b'{"type":"user","message":' + b"[" * 50_000 + b"\n")
        elif way == "form":
            text = b"".join(lines)
            forms = [
                text.replace(b"\n", b"\r\n"),
                text.replace(b"\n", b" "),
                b"\xef\xbb\xbf" + text,
                b"[" + text + b"]",
            ]
            made = pick.choice([*forms, text.decode("utf-8", "replace").encode("utf-16")])
            lines = made.splitlines(keepends=True)
        else:
            lines = damaged(b"".join(lines), pick).splitlines(keepends=True)
    return b"".join(lines)


def transcripts(top: Path) -> list[bytes]:
    """The formats' transcripts: those of the shared data, where they are, and those of the suite."""
    files = [path for path in SHARED.rglob("*") if path.is_file() and path.suffix in (".jsonl", ".json", ".md")]
    return [*(path.read_bytes() for path in files), pnpm(top).text().encode(), logger(top).text().encode()]


def part(data: bytes, pick: random.Random) -> bytes:
    """Some lines of a large transcript."""
    lines = data.splitlines(keepends=True)
    at = pick.randrange(max(1, len(lines) - MANY_LINES))
    return b"".join(lines[at : at + MANY_LINES])[:MOST_BYTES]


def mutated(folder: Path, number: int, pick: random.Random) -> Iterator[tuple[str, list[str]]]:
    """Each trial's name and problems: a transcript or a file of the rulebook with a part changed, and a verb on it."""
    top = prepare(folder)
    pool = transcripts(top)
    signal.signal(signal.SIGALRM, _too_long)
    for turn in range(number):
        if turn % 10:
            place = folder / f"odd.{pick.choice(['jsonl', 'json', 'md'])}"
            place.write_bytes(odd_text(part(pick.choice(pool), pick), pick))
            argv = pick.choice(READERS)
            wrong = [*_wrong(top, [*argv, str(place)], place)]
        else:
            place = pick.choice([path for path in (top / ".rules").rglob("*.yaml") if path.is_file()])
            sound = place.read_bytes()
            place.write_bytes(odd_rule(sound, pick))
            argv = pick.choice(RULE_READERS)
            wrong = [*_wrong(top, argv, place)]
            place.write_bytes(sound)
            run(top, "checkout", "-q", "--", ".")
        yield f"{' '.join(argv)}, {place.name}", wrong
    if left := run(top, "status", "--porcelain"):
        yield "at the end", [f"left: {left[:300]}"]
    if not denies(top):
        yield "at the end", ["the agent's hook lets a forbidden call through"]


def odd_rule(data: bytes, pick: random.Random) -> bytes:
    """A file of the rulebook with a value, a line or some bytes changed."""
    way = pick.random()
    if way < 0.5:
        value = odd_value(yaml.safe_load(data), pick)
        with contextlib.suppress(yaml.YAMLError, RecursionError):
            return yaml.safe_dump(value, sort_keys=False).encode("utf-8", "surrogateescape")
    if way < 0.75:
        lines = data.splitlines(keepends=True)
        at = pick.randrange(len(lines))
        return b"".join([*lines[:at], pick.choice([b"", lines[at] * 2, b"  " + lines[at], b"\t\n"]), *lines[at + 1 :]])
    return damaged(data, pick)


def _too_long(*_: object) -> None:
    raise TimeoutError


def _wrong(top: Path, argv: Sequence[str], place: Path) -> Iterator[str]:
    before = None if argv[0] == "ingest" else _contents(top, ".git", ".cache")
    signal.alarm(MUST_ANSWER)
    try:
        said = act(top, *argv, code=None)
    except TimeoutError:
        yield f"no answer within {MUST_ANSWER} s"
        return
    except AssertionError as error:
        yield str(error)[-300:]
        return
    finally:
        signal.alarm(0)
    if not clear(said.code, said.err) and said.code != REFUSED:
        yield f"exit {said.code}: {said.err[-300:]}"
    if before is not None and said.code == REFUSED and _contents(top, ".git", ".cache") != before:
        yield "refused, but something is written"


def bytecode(folder: Path, number: int, pick: random.Random) -> Iterator[tuple[str, list[str]]]:
    """Each trial's name and problems: a damaged .pyc file of rulec, then a staged file that a rule refuses, twice."""
    top = prepare(folder)
    (top / "src").mkdir()
    (top / "src/a.py").write_text("x = 1  # TODO\n")
    run(top, "add", "src")
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "cache"), "PYTHONDONTWRITEBYTECODE": ""}

    def check() -> tuple[int, str]:
        line = [sys.executable, "-m", "rulec", "check", "--staged"]
        done = subprocess.run(line, cwd=top, env=environment, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    if check()[0] != FINDINGS:
        raise SystemExit("the sound state passes what a rule refuses")
    known = [path for path in (folder / "cache").rglob("*.pyc") if "/rulec/" in str(path)]
    for _ in range(number):
        path = pick.choice(known)
        sound = path.read_bytes()
        path.write_bytes(sound[: pick.choice([16, len(sound) // 2, len(sound) - 1])])
        codes = check(), check()
        told = [code == FINDINGS or (code == REFUSED and "was damaged" in said) for code, said in codes]
        wrong = [] if all(told) and codes[1][0] == FINDINGS else [f"{code}: {said[-200:]}" for code, said in codes]
        yield str(path.relative_to(folder / "cache")), wrong
        path.write_bytes(sound)


KINDS: dict[str, tuple[int, Callable[[Path, int, random.Random], Iterator[tuple[str, list[str]]]]]] = {
    "kills": (300, killed),
    "disk": (20, on_full_disk),
    "writers": (10, at_once),
    "mutated": (3_000, mutated),
    "bytecode": (100, bytecode),
}


def failures(kind: str, number: int, seed: int) -> Iterator[tuple[str, list[str]]]:
    """Each trial of a kind with its problems."""
    with tempfile.TemporaryDirectory() as name, at_home(Path(name) / "home"), pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "now", lambda: NOW)
        patch.setattr(gates, "is_attended", lambda: True)
        yield from KINDS[kind][1](Path(name), number, random.Random(seed))


def main(kind: str, number: str = "", seed: str = "1") -> int:
    """Print what failed, and the figure."""
    many, failed = int(number or KINDS[kind][0]), 0
    for name, wrong in failures(kind, many, int(seed)):
        failed += bool(wrong)
        if wrong or kind == "writers" or os.environ.get("ALL"):
            print(f"{name}: {'; '.join(wrong) or 'fine'}", flush=True)
    print(f"{kind}: {many} trials, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    if sys.argv[1:2] and sys.argv[1] in KINDS:
        sys.exit(main(*sys.argv[1:4]))
    sys.exit(__doc__)
