"""The changes that a session's commits made, as the gate would have seen them, from its actions alone."""

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from rulec.domain.change import Change, FileChange
from rulec.domain.transcript import Action
from rulec.shell import action_events
from rulec.shell.action_events import Event
from rulec.shell.command_matching import matches, program_names
from rulec.shell.parsing.call import Call, ParsedText
from rulec.shell.parsing.parser import parse_shell
from rulec.shell.writes import file_effects

MOST_CHANGES = 60  # changes that are looked at
LONGEST_COMMAND = 4_000  # characters of a command that are parsed
_ALL = ("git add -A|--all|-u|--update", "git add .", "git commit -a|--all", "git stage -A|.")
_DECLARES = {  # commands that write the list of dependencies -> what they write
    "npm install|i|add|uninstall|update": ("package.json", "package-lock.json"),
    "pnpm add|install|remove|update": ("package.json", "pnpm-lock.yaml"),
    "yarn add|remove|upgrade": ("package.json", "yarn.lock"),
    "bun add|install|remove": ("package.json", "bun.lock"),
    "uv add|remove": ("pyproject.toml", "uv.lock"),
    "uv lock|sync": ("uv.lock",),
    "poetry add|remove|lock|update": ("pyproject.toml", "poetry.lock"),
    "cargo add|remove|update": ("Cargo.toml", "Cargo.lock"),
    "go get|mod": ("go.mod", "go.sum"),
    "bundle add|install|update|lock": ("Gemfile", "Gemfile.lock"),
    "composer require|remove|update": ("composer.json", "composer.lock"),
}


@dataclass
class SessionWorkTree:
    """What lies changed in the work tree, and what is known of the files."""

    pending: dict[str, FileChange] = field(default_factory=dict)
    staged: list[str] = field(default_factory=list)  # as git add named them; none: whatever lies there
    texts: dict[str, str] = field(default_factory=dict)  # as committed, as far as the session showed it

    def take(self, action: Action) -> Iterator[Change]:
        """Do what the action does; a commit hands over what it holds."""
        if action.kind in ("write", "edit", "delete"):
            self._put(action)
        for call in _parsed(action.command).calls if action.kind == "command" else ():
            for path in _files_made_by(call):
                self.pending.setdefault(path, FileChange(path=path, status="M", content=b""))
            self._stage(call)
            if matches("git commit", call) and self.pending:
                yield self._committed()
        if action.kind == "command":
            self._run(action)

    def _put(self, action: Action) -> None:
        path = posixpath.normpath(action.path) if action.path else "."
        if path == "." or path.startswith(("/", "..", "~")):
            return
        there = self.pending.get(path)
        base = there.base if there else self.texts[path].encode() if path in self.texts else None
        if action.kind == "delete":
            self.pending[path] = FileChange(path=path, status="D", base=base)
            return
        now = (there.content or b"").decode("utf-8", "replace") if there else self.texts.get(path)
        text, old = action.new, base
        if action.kind == "edit" and now is not None and action.old in now:
            text = now.replace(action.old, action.new, 1)
        elif action.kind == "edit":
            text = f"{now or ''}\n{action.new}"
            old = (base or b"") + b"\n" + action.old.encode("utf-8", "replace")
        status = there.status if there else "M" if action.kind == "edit" or old is not None else "A"
        self.pending[path] = FileChange(path=path, status=status, content=text.encode("utf-8", "replace"), base=old)

    def _run(self, action: Action) -> None:
        for effect in file_effects(_parsed(action.command)):
            path = posixpath.normpath(effect.path)
            within = posixpath.normpath(effect.folder) if effect.folder else "."
            sure = effect.sure and within == "."  # whether another one is a folder nobody knows
            if not sure or path == "." or path.startswith(("/", "..", "~", ".git/")):
                continue
            there = self.pending.get(path)
            if effect.delete and there is not None and there.status == "A":
                del self.pending[path]
            elif there is None or effect.delete:
                gone = effect.delete
                content = None if gone else effect.content.encode("utf-8", "replace")
                base = there.base if there else None
                self.pending[path] = FileChange(path=path, status="D" if gone else "M", content=content, base=base)

    def _stage(self, call: Call) -> None:
        if "git" not in program_names(call):
            return
        if any(matches(pattern, call) for pattern in _ALL):
            self.staged = []
        elif matches("git add", call) or matches("git stage", call):
            words = call.argv[call.argv.index("add" if "add" in call.argv else "stage") + 1 :]
            self.staged += [posixpath.normpath(word) for word in words if not word.startswith("-")]

    def _committed(self) -> Change:
        named = [path for path in self.pending if not self.staged or any(_below(path, one) for one in self.staged)]
        files = tuple(self.pending.pop(path) for path in named or list(self.pending))
        for file in files:
            self.texts[file.path] = (file.content or b"").decode("utf-8", "replace")
        self.staged = []
        return Change(files=files)

    def rest(self) -> Change | None:
        """What lies there and no commit took."""
        return Change(files=tuple(self.pending.values())) if self.pending else None


@lru_cache(maxsize=512)
def _parsed(command: str) -> ParsedText:
    return parse_shell(command[:LONGEST_COMMAND])


def _below(path: str, folder: str) -> bool:
    return folder in (".", path) or path.startswith(f"{folder}/")


def _files_made_by(call: Call) -> tuple[str, ...]:
    named = next((paths for pattern, paths in _DECLARES.items() if _adds_files(pattern, call)), ())
    return tuple(posixpath.normpath(posixpath.join(call.cwd or ".", path)) for path in named)


def _adds_files(pattern: str, call: Call) -> bool:
    program, _, verbs = pattern.partition(" ")
    return program in program_names(call) and any(matches(f"{program} {verb}", call) for verb in verbs.split("|"))


def commits_of(before: Sequence[Action], after: Sequence[Action]) -> tuple[list[Change], list[Change]]:
    """The changes made before the person spoke, and those made afterwards; what was never committed counts as one."""
    desk = SessionWorkTree()
    past = [change for action in before for change in desk.take(action)]
    waiting = desk.rest()
    past += [waiting] if waiting else []
    accepted = [change for action in after for change in desk.take(action)]
    last = desk.rest()
    accepted += [last] if last and last != waiting and not accepted else []  # after commits, it is work in progress
    return past[-MOST_CHANGES:], accepted[:MOST_CHANGES]


def commits_left_behind(change: Change) -> Iterator[Change]:
    """What an offence leaves behind, as a commit that adds it: its files as new ones, and code that it handed over."""
    made = [change] if change.files else commits_of([*change.earlier, *change.actions], [])[0]
    files = {file.path: file for one in made for file in one.files if file.content is not None}
    commands = [action.command for action in change.actions if action.kind == "command"]
    for code in (
        code for command in commands for code in action_events.code_events(Event(kind="command", command=command))
    ):
        files[code.path] = FileChange(path=code.path, content=(code.content or "").encode("utf-8", "replace"))
    folders = {path[:at] for path in files for at, sign in enumerate(path) if sign == "/"}
    new = tuple(
        replace(file, status="A", added=None, base=None, old_path="")
        for path, file in files.items()
        if path not in folders
    )
    if new and new != change.files:
        yield Change(files=new, tree=change.tree, example=True)
