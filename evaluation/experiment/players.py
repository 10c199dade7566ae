"""Plays what an agent does in a real repository: files are written, commits made, hooks and git hooks asked."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from evaluation.experiment.acts import Act, shown, why_no_file, why_unplayable
from evaluation.experiment.agent_session import AgentSession, hooks_in_settings
from evaluation.experiment.places import Place
from rulec.checkout.rules_layout import LAUNCHER
from rulec.domain.prompt import estimate_tokens
from rulec.domain.text.redaction import redact
from rulec.rulebook import file_paths
from rulec.shell import action_events
from rulec.shell.action_events import Event
from rulec.shell.git import branches, commit_messages

SETTINGS = ".claude/settings.json"
WORK = "chore: work in progress"  # the commit of a change that nobody commits


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedAct:
    """What became of one act."""

    where: str = ""  # the gate that refused it, "" for none
    said: str = ""
    by_rule: bool = False  # a rule of the rulebook did, and no built-in guard
    impossible: str = ""  # why it cannot be done at all
    seconds: float = 0.0

    @property
    def tokens(self) -> int:
        """What the refusal costs the agent to read."""
        return estimate_tokens(self.said) if self.said else 0


@dataclass(slots=True)
class Player:
    """One session in one repository."""

    place: Place
    slugs: Sequence[str]
    name: str
    prompt: str
    hooked: bool = True  # whether the agent's hooks run
    runs: str = LAUNCHER  # the file in the command of hooks that run: whatever a repository holds, only rulec's
    gated: bool = True  # whether anything judges it at all: without, nothing has to be committed
    session: AgentSession = field(init=False)
    done: list[Event] = field(default_factory=list)  # its commands, for what branch it is on

    def __post_init__(self) -> None:
        settings = self.place.top / SETTINGS
        transcript = self.place.home / f"{self.name}.jsonl"
        transcript.unlink(missing_ok=True)
        hooks = hooks_in_settings(settings, self.runs) if self.hooked and self.gated else lambda *_: ()
        self.session = AgentSession(self.place.top, transcript, self.name, hooks, self.place.environment)
        self.session.record("user", self.prompt)

    def play(self, act: Act, *, last: bool = True) -> PlayedAct:
        """Do an act until a gate refuses a part of it; the ``last`` act's change of a file is committed."""
        self.place.require_open()
        if why := why_unplayable(act):
            return PlayedAct(impossible=why)
        start = perf_counter()
        try:
            where, said = self._act(act, last=last)
        except _ImpossibleError as error:
            return PlayedAct(impossible=str(error), seconds=perf_counter() - start)
        return self._played(where, said, perf_counter() - start)

    def commit_work(self) -> PlayedAct:
        """Commit what is not committed yet."""
        if not self.place.run("git", "status", "--porcelain").text:
            return PlayedAct()
        return self._played(*self._commit(WORK))

    def play_on(self, acts: Sequence[Act]) -> list[PlayedAct]:
        """Do acts one after the other, also after a refusal; what they changed is committed in the end."""
        seen = [self.play(act, last=False) for act in acts]
        return [*seen, self.commit_work()]

    def _played(self, where: str, said: str, seconds: float = 0.0) -> PlayedAct:
        said = redact(said.replace(str(self.place.top), "."))  # where it happens to lie is nothing to count
        return PlayedAct(where=where, said=said, by_rule=names_any(said, self.slugs), seconds=seconds)

    def lists_step(self) -> str:
        """The agent writes its task as the one step of its list; what the hooks tell it then."""
        todos = {"todos": [{"content": self.prompt, "status": "in_progress", "activeForm": self.prompt}]}
        use = self.session.uses("TodoWrite", todos)
        self.session.gets(use, "Todos have been modified successfully.")
        asked = {"tool_name": "TodoWrite", "tool_input": todos, "tool_use_id": use}
        return self.session.fire("PostToolUse", **asked, tool_response={"stdout": ""}).told

    def _act(self, act: Act, *, last: bool) -> tuple[str, str]:
        if "session" in act:
            for step in act["session"]:
                where = self._act(step, last=False)
                if where[0]:
                    return where
            return "", ""
        if "stop" in act:
            said = self.session.stop(act["stop"]).refused
            return ("end of turn", said) if said else ("", "")
        if "command" in act:
            return self._command(act["command"])
        if "commit" in act:
            for path, text in act["commit"]["files"].items():
                where = self._write(path, text)
                if where[0]:
                    return where
            return self._command(f"git add -A && git commit -m {shlex.quote(act['commit']['message'])}")
        where = self._write(**act["write"]) if "write" in act else self._edit(**act["edit"])
        return where if where[0] or not last else self._commit(WORK)

    def _write(self, path: str, content: str) -> tuple[str, str]:
        given = {"file_path": str(self.place.top / path), "content": content}
        return self._file("Write", given, path, content)

    def _edit(self, path: str, old: str, new: str) -> tuple[str, str]:
        target = self._target(path)
        before = target.read_text("utf-8") if target.is_file() else ""
        if not old or old not in before:
            raise _ImpossibleError(f"{path} has no such text: {shown(old)!r}")
        given = {"file_path": str(target), "old_string": old, "new_string": new}
        return self._file("Edit", given, path, before.replace(old, new, 1))

    def _file(self, tool: str, given: Mapping[str, str], path: str, text: str) -> tuple[str, str]:
        target = self._target(path)
        if target.is_dir() or any(parent.is_file() for parent in target.parents):
            raise _ImpossibleError(f"{path} cannot be a file there")
        return self._tool(tool, given, lambda: self.place.write({path: text}), after=True)

    def _target(self, path: str) -> Path:
        """Where an act writes: inside of the repository, and nothing that git's hooks or an agent's hooks run."""
        top, target = self.place.top, (self.place.top / path).resolve()
        if not target.is_relative_to(top):
            raise _ImpossibleError(f"{path} leads out of the repository")
        if {".git", file_paths.RULES} & {part.casefold() for part in target.relative_to(top).parts}:
            raise _ImpossibleError(f"{path} belongs to git or to the rules, which no play changes")
        return target

    def _tool(self, tool: str, given: Mapping[str, Any], do: Any, *, after: bool = False) -> tuple[str, str]:
        """A call of a tool with the hooks before and after it."""
        use = f"toolu_{self.session.lines:020}"
        asked = {"tool_name": tool, "tool_input": given, "tool_use_id": use}
        if said := self.session.fire("PreToolUse", **asked).refused:
            return "tool call", said
        use = self.session.uses(tool, given)
        do()
        self.session.gets(use, "ok")
        said = self.session.fire("PostToolUse", **asked, tool_response={"stdout": ""}).refused if after else ""
        return ("after the edit", said) if said else ("", "")

    def _command(self, command: str) -> tuple[str, str]:
        """Show a command to the hooks. It is not run: what it says of commits and branches is done in its place."""
        where = self._tool("Bash", {"command": command, "description": "run"}, lambda: None)
        if where[0]:
            return where
        event = Event(kind="command", command=command)
        self.done.append(event)
        branch = branches.branch_in_history([event])
        if branch:
            self.place.run("git", "symbolic-ref", "HEAD", f"refs/heads/{branch}") if self._makes(branch) else None
        message = commit_messages.message_of_command(command)
        return ("", "") if message is None else self._commit(message, self._staged(event))

    def _makes(self, branch: str) -> bool:
        """Let a branch begin at the present commit, unless it is there already."""
        known = self.place.run("git", "rev-parse", "-q", "--verify", f"refs/heads/{branch}")
        return not known.code or not self.place.run("git", "update-ref", f"refs/heads/{branch}", "HEAD").code

    def _staged(self, event: Event) -> list[str]:
        """The paths that a command stages before it commits, [] for all."""
        adds = [call for call in action_events.parsed_command(event).calls if call.argv[:2] == ["git", "add"]]
        words = [word for call in adds for word in call.argv[2:]]
        paths = [word for word in words if not word.startswith("-")]
        known = all(not why_no_file(path) and (self.place.top / path).exists() for path in paths)
        return paths if known and len(paths) == len(words) else []

    def _commit(self, message: str, paths: Sequence[str] = ()) -> tuple[str, str]:
        """Make a real commit, through the real git hooks."""
        if not self.gated:
            return "", ""
        if self.place.run("git", "add", *(["--", *paths] if paths else ["-A"])).code:
            return "", ""
        # a command that commits may have written what is not played, so its commit may be empty here
        done = self.place.run("git", "commit", "--allow-empty", "-m", message)
        said = (done.out + done.err).decode("utf-8", "replace").strip()
        return ("commit", said) if done.code else ("", "")


class _ImpossibleError(Exception):
    """An act that does not fit its repository."""


def names_any(said: str, slugs: Sequence[str]) -> bool:
    """Whether a text names one of these rules."""
    return any(names_rule(said, slug) for slug in slugs)


def names_rule(said: str, slug: str) -> bool:
    """Whether a refusal names a rule: the names of rules stand between marks, not within longer names."""
    at = said.find(slug)
    while at >= 0:
        around = said[at - 1 : at] + said[at + len(slug) : at + len(slug) + 1]
        if not any(letter.isalnum() or letter in "-_" for letter in around):
            return True
        at = said.find(slug, at + 1)
    return False
