"""Tests the examples of rules at the real gates: the compiled hook and real commits, in a copy."""

import json
import re
import shlex
import sys
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rulec.checks.proving.example_changes import change_of
from rulec.compiling import artifacts, hook_sources
from rulec.domain.artifact import HOOK, Artifact, acts_at_commit, is_judge_check
from rulec.domain.finding import Finding
from rulec.domain.rule import Example, Rule
from rulec.gates import trusted_scripts
from rulec.gates.findings import rule_proof
from rulec.infra.git import git_session
from rulec.infra.git.git_changes import head_tree
from rulec.infra.processes import run_tool
from rulec.infra.scratch_repositories import ScratchRepository, scratch_repository
from rulec.rulebook import file_paths
from rulec.rulebook.rulebook import Rulebook
from rulec.services.gating.agent_session import AgentSession
from rulec.shell.file_effects import IN_PLACE, effects_of_call
from rulec.shell.git import branches
from rulec.shell.parsing.parser import parse_shell

SECONDS = 120.0  # of one gate
_TOOLS = {"command": "Bash", "delete": "Bash", "rename": "Bash", "file": "Write", "edit": "Edit", "read": "Read"}
_COMMANDS: Mapping[str, Callable[[Example], str]] = {
    "command": lambda step: step.text,
    "delete": lambda step: shlex.join(["rm", step.path]),
    "rename": lambda step: shlex.join(["mv", step.old, step.path]),
}
_UNTIL = re.compile(r'"until": "[^"]*"')
_BRANCH = "work"  # where a rule that speaks of no branch is tried


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One example with the verdicts of the proof and of the real gates."""

    slug: str
    example: Example
    invalid: bool
    proof: bool  # whether the proof sees it caught
    real: bool
    where: str = ""  # the gate that refused it
    said: str = ""  # by which words

    @property
    def agree(self) -> bool:
        """Whether the proof and the gates decide alike."""
        return self.proof == self.real


@dataclass(frozen=True, slots=True, kw_only=True)
class Unplayed:
    """A rule whose examples were not tested, and why."""

    slug: str
    examples: int
    why: str


def play_examples(top: Path, book: Rulebook, rules: Sequence[Rule]) -> tuple[list[Played], list[Unplayed]]:
    """Test every example of the rules that a machine checks here; returns the verdicts and what was not tested."""
    found: list[Played] = []
    left: list[Unplayed] = []
    tree = head_tree(top)
    with _copy(top) as stage:
        for rule in rules:
            machines = [each for each in artifacts.compile_rule(book, rule, top) if not is_judge_check(each)]
            if why := _unplayable(rule, machines):
                left.append(Unplayed(slug=rule.slug, examples=len(rule.invalid) + len(rule.valid), why=why))
                continue
            stage.hold(machines)
            examples = [*((one, True) for one in rule.invalid), *((one, False) for one in rule.valid)]
            seen = rule_proof.new_findings(machines, [change_of(example, tree) for example, _ in examples])
            for (example, invalid), items in zip(examples, seen, strict=True):
                where, said = stage.play(example)
                found.append(
                    Played(
                        slug=rule.slug, example=example, invalid=invalid, real=bool(where), where=where, said=said,
                        proof=any(isinstance(item, Finding) for item in items),
                    )
                )  # fmt: skip
    return found, [one for one in left if one.examples]


def _unplayable(rule: Rule, machines: Sequence[Artifact]) -> str:
    """Why the examples of a rule cannot be tested here, "" where they can."""
    if not machines:
        return "no machine checks it"
    if rule.scope.environments and "local" not in rule.scope.environments:
        return f"it is for {', '.join(rule.scope.environments)} alone"
    return ""


@contextmanager
def _copy(top: Path) -> Iterator["_Stage"]:
    """A temporary copy of the repository at its last commit."""
    with scratch_repository(top, holds="head") as scratch:
        home = scratch.top.parent / "home"
        home.mkdir()
        runtime = {one.path: one.text or "" for one in hook_sources.hook_artifacts()}  # a checkout's own runs nowhere
        left_by_hooks = f"__pycache__/\n{file_paths.RULES}/**/.cache/\n"
        scratch.write({".git/info/exclude": left_by_hooks})
        yield _Stage(scratch, home, runtime)


@dataclass(slots=True)
class _Stage:
    """The copy, in which one rule is in force at a time."""

    scratch: ScratchRepository
    home: Path
    runtime: Mapping[str, str]
    base: str = ""
    slug: str = ""
    branch: str = _BRANCH  # an example that says nothing of branches is on the one that its rule speaks of
    commits: bool = False  # whether it acts at commits, where a commit is played then, and not as the writes before it

    def hold(self, artifacts: Sequence[Artifact]) -> None:
        """Commit these checks as the only ones, set to block."""
        self._clear()
        self.slug, self.branch = artifacts[0].slug, _branch(artifacts)
        ordered = any('"on": "session"' in (one.text or "") for one in artifacts)  # unknown of the files of a commit
        self.commits = ordered or any(map(acts_at_commit, artifacts))
        rules = self.scratch.top / file_paths.RULES
        for path in sorted(rules.rglob("*"), reverse=True) if rules.is_dir() else ():
            if path.is_file() or path.is_symlink():
                path.unlink()
        held = [replace(one, text=_blocking(one)) for one in artifacts]
        self.scratch.write({**self.runtime, **{one.path: one.text or "" for one in held}})
        trusted_scripts.remember_scripts(self.scratch.top, held)  # they were compiled here, a moment ago
        self.scratch.commit("rules")
        self.base = git_session.head_commit(self.scratch.top) or ""

    def play(self, example: Example) -> tuple[str, str]:
        """The gate that refuses the example and its message; ("", "") where none does."""
        self._clear()
        if example.kind == "message":
            return self._message(example.text)
        session = _Session(self.scratch, self.home, self.slug)
        if example.kind == "commit" and self.commits:
            self._stand(example)
            self.scratch.write(dict(example.files))
            return self._committed(example)
        steps = example.steps or (example,)
        for number, step in enumerate(steps):
            if not any(one.kind == "file" and one.path == step.path for one in steps[:number]):
                self._stand(step)
        for step in steps[:-1]:
            session.step(step, ends=False)  # what it says of those is not judged
        where = session.step(steps[-1])
        if where[0] or example.kind == "session":
            return where
        ours = example.path.startswith(f"{file_paths.RULES}/")  # rule files are proved at the commit, and not checked
        return self._committed(example) if example.kind in ("file", "edit", "commit") and not ours else where

    def _committed(self, example: Example) -> tuple[str, str]:
        for old, new in example.moved:
            (self.scratch.top / new).parent.mkdir(parents=True, exist_ok=True)
            if (self.scratch.top / old).exists():  # no step of the session has moved it yet
                (self.scratch.top / old).replace(self.scratch.top / new)
        for path in example.gone:
            (self.scratch.top / path).unlink(missing_ok=True)
        self.scratch.git("add", "-A")
        where = self._judged("commit", "--staged")
        return where if where[0] or example.kind != "commit" else self._message(example.text)

    def _stand(self, step: Example) -> None:
        """Create and commit the files that a step replaces, deletes or edits."""
        needed = (*_needed(step), *step.gone, *(old for old, _ in step.moved))
        lost = [path for path in needed if not (self.scratch.top / path).exists()]
        if lost:
            self.scratch.write({path: f"{path}\n" for path in lost})
            self.scratch.commit("before")
        if step.kind != "edit" or not step.old or step.path.startswith(("/", "~", "..")):
            return
        target = self.scratch.top / step.path
        if not target.is_file() or step.old not in target.read_text("utf-8", "replace"):
            self.scratch.write({step.path: step.old})
            self.scratch.commit("before")

    def _message(self, text: str) -> tuple[str, str]:
        file = self.home / "message"
        file.write_text(text if text.endswith("\n") else f"{text}\n", "utf-8")
        return self._judged("message", "--message", str(file))

    def _judged(self, where: str, *how: str) -> tuple[str, str]:
        argv = [sys.executable, "-P", "-c", "from rulec.__main__ import main; main()", "check", *how]
        environment = {"HOME": str(self.home), "XDG_CONFIG_HOME": str(self.home / ".config"), "CI": ""}
        done = run_tool(argv, cwd=self.scratch.top, environment=environment, seconds=SECONDS)
        said = (done.out or done.err).decode("utf-8", "replace").strip()
        if done.code > 1:  # a gate that broke decided nothing, and nobody is to take it for a pass
            return f"{where}, which broke", said
        return (where, said) if done.code and self.slug in said else ("", "")

    def _clear(self) -> None:
        if self.base:
            self.scratch.reset(self.branch, self.base)


class _Session(AgentSession):
    """One agent's session, which calls the compiled hook as Claude Code does."""

    __slots__ = ("scratch", "slug")

    def __init__(self, scratch: ScratchRepository, home: Path, slug: str) -> None:
        name = str(uuid.uuid4())
        argv = [sys.executable, "-I", "-S", str(scratch.top / HOOK), "claude-code"]
        super().__init__(scratch.top, home / f"{name}.jsonl", name, lambda *_: [argv], {"HOME": str(home)})
        self.scratch = scratch
        self.slug = slug  # of the rule whose word counts: built-in guards have theirs
        self.record("user", "Please go on with the task.")

    def step(self, step: Example, *, ends: bool = True) -> tuple[str, str]:
        """Do a step unless the hook denies it; returns the gate and the message of a refusal."""
        if step.kind == "reply" and not ends:
            self.record("assistant", [{"type": "text", "text": step.text}])
            return "", ""
        if step.kind == "says":
            self.record("user", step.text)
            return "", ""
        if step.kind in ("stop", "reply"):
            self.record("assistant", [{"type": "text", "text": step.text}])
            said = self.refusal("Stop", stop_hook_active=False, last_assistant_message=step.text)
            return ("end of turn", said) if said else ("", "")
        if step.kind == "commit":
            parts = [Example(kind="file", path=path, text=text) for path, text in step.files]
            parts += [Example(kind="rename", old=old, path=new, text="") for old, new in step.moved]
            parts += [Example(kind="delete", path=path, text="") for path in step.gone]
            return next((found for part in parts if (found := self.step(part))[0]), ("", ""))
        return self.tool(_TOOLS.get(step.kind, step.text), _given(step, self.scratch.top), step)

    def tool(self, name: str, given: Mapping[str, Any], step: Example) -> tuple[str, str]:
        """One tool call with both of its hooks."""
        use = f"toolu_{uuid.uuid4().hex[:20]}"
        denied = self.refusal("PreToolUse", tool_name=name, tool_input=given, tool_use_id=use)
        if denied:
            return "tool call", denied
        self.record("assistant", [{"type": "tool_use", "id": use, "name": name, "input": given}])
        inside = not step.path.startswith(("/", "~", ".."))
        target = self.scratch.top / step.path
        if step.kind == "file" and inside:
            self.scratch.write({step.path: step.text})
        elif step.kind == "edit" and inside:
            before = target.read_text("utf-8", "replace") if target.is_file() else ""
            text = before.replace(step.old, step.text, 1) if step.old else before + step.text
            self.scratch.write({step.path: text})
        self._really(step, target, inside=inside)
        result = {"type": "tool_result", "tool_use_id": use, "content": "Exit code 1" if step.failed else "ok"}
        self.record("user", [{**result, "is_error": True} if step.failed else result])
        if step.kind not in ("file", "edit"):
            return "", ""
        said = self.refusal("PostToolUse", tool_name=name, tool_input=given, tool_use_id=use, tool_response={})
        return ("after the edit", said) if said else ("", "")

    def _really(self, step: Example, target: Path, *, inside: bool) -> None:
        """Apply a deletion, renaming or checkout to the repository; other commands are not run."""
        if step.kind == "delete" and inside:
            target.unlink(missing_ok=True)
        elif step.kind == "rename" and inside and (self.scratch.top / step.old).is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            (self.scratch.top / step.old).rename(target)
        elif step.kind == "command" and not step.failed:
            branch = branches.branch_in_history([{"kind": "command", "command": step.text}])
            if branch and git_session.head_commit(self.scratch.top):
                self.scratch.git("update-ref", f"refs/heads/{branch}", "HEAD")
                self.scratch.git("symbolic-ref", "HEAD", f"refs/heads/{branch}")

    def refusal(self, event: str, **fields: Any) -> str:
        """Why the rule refuses an event, "" where it does not."""
        return self._own(self.fire(event, **fields).refused)

    def _own(self, said: str) -> str:
        return said if self.slug in said else ""


def _branch(artifacts: Sequence[Artifact]) -> str:
    """The first branch that a check names; examples are tried on it."""
    guards = [json.loads(one.text or "{}").get("check", {}) for one in artifacts if one.path.endswith(".json")]
    for listed in (check.get(key) for check in guards for key in ("on_branch", "pushes")):
        name = str((listed or [""])[0]).replace("**", "x").replace("*", "x").replace("?", "x")
        if name and not set(name) & set("[]{}^~: "):
            return name
    return _BRANCH


def _needed(step: Example) -> list[str]:
    """The files that must exist for the step to do what it says."""
    paths = [step.path] if step.kind == "delete" else [step.old] if step.kind == "rename" else []
    if step.kind == "command":
        for run in parse_shell(step.text).calls:
            done = [effect for effect in effects_of_call(run) if effect.sure]
            paths += [effect.path for effect in done if effect.delete or run.program in IN_PLACE]
    within = [path for path in paths if path and not path.startswith(("/", "~", "..", ":"))]
    return [path for path in within if not set(path) & set("*?[$`")]


def _given(step: Example, repo: Path) -> dict[str, Any]:
    if step.kind in _COMMANDS:
        return {"command": _COMMANDS[step.kind](step), "description": "run"}
    if step.kind == "tool":
        return dict(json.loads(step.args or "{}"))
    path = step.path if step.path.startswith(("/", "~")) else str(repo / step.path)
    if step.kind == "file":
        return {"file_path": path, "content": step.text}
    if step.kind == "edit":
        return {"file_path": path, "old_string": step.old, "new_string": step.text}
    return {"file_path": path}


def _blocking(artifact: Artifact) -> str:
    """The artifact as if it were proved and accepted, for good."""
    text = _UNTIL.sub('"until": ""', artifact.text or "", count=1)
    return text.replace('"enforcement": "audit"', '"enforcement": "block"', 1).replace(
        '"enforcement": "warn"', '"enforcement": "block"', 1
    )
