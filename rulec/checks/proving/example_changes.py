"""The change that an example stands for, in the form that every checker can look at."""

import posixpath
import shlex
from dataclasses import replace

from rulec.domain.change import Change, FileChange, TreeAfterChange
from rulec.domain.rule import Example, Exemption
from rulec.domain.transcript import Action
from rulec.shell import run_files
from rulec.shell.git import commit_messages
from rulec.shell.parsing.parser import parse_shell
from rulec.shell.writes import file_effects

MOST_STEPS = 3  # of a session, the last ones, that a failure names


def change_of(example: Example, tree: TreeAfterChange | None = None) -> Change:
    """The change that an example stands for, in the form that every checker can look at.

    With the repository's files an edit is the whole file around it, and a commit changes what stands there already.
    """
    return replace(_change_of(example, tree), example=True)


def change_of_exception(one: Exemption, example: Example, tree: TreeAfterChange | None = None) -> Change:
    """The change that an exception's example stands for."""
    agent, environment = (next(iter(some), "") for some in (one.scope.agents, one.scope.environments))
    return replace(change_of(example, tree), agent=agent, environment=environment)


def depends_on_files(example: Example) -> bool:
    """Whether an example is a command whose verdict depends on files at HEAD: it appends to one, or runs one."""
    if example.kind != "command":
        return False
    parsed = parse_shell(example.text)
    return any(effect.appends for effect in file_effects(parsed)) or any(map(run_files.runs_files, parsed.calls))


def _change_of(example: Example, tree: TreeAfterChange | None) -> Change:
    match example.kind:
        case "command":
            ran = change_of_action(Action(kind="command", command=example.text, ok=False if example.failed else None))
            return replace(ran, tree=tree) if tree and depends_on_files(example) else ran
        case "message":
            return Change(message=example.text)
        case "commit":
            return _change_of_commit(example, tree)
        case "edit":
            return _with_whole_file(
                change_of_action(Action(kind="edit", path=example.path, old=example.old, new=example.text)), tree
            )
        case "tool":
            return change_of_action(Action(kind="tool", tool=example.text, args=example.args))
        case "read" | "delete":
            return change_of_action(Action(kind="read" if example.kind == "read" else "delete", path=example.path))
        case "rename":
            return change_of_action(Action(kind="command", command=shlex.join(["mv", example.old, example.path])))
        case "says" | "stop" | "reply":
            return change_of_action(Action(kind="says" if example.kind == "says" else "stop", new=example.text))
        case "session":
            *before, judged = example.steps
            earlier = [action for step in before for action in _step_actions(step)]
            return replace(change_of(judged, tree), earlier=tuple(earlier))
        case _:
            return change_of_action(Action(kind="write", path=example.path, new=example.text))


def _step_actions(example: Example) -> tuple[Action, ...]:
    """The actions of a step that others follow; what the agent says there is no end of its turn."""
    if example.kind == "reply":
        return (Action(kind="reply", new=example.text),)
    return change_of(example).actions


def _change_of_commit(example: Example, tree: TreeAfterChange | None) -> Change:
    """A commit, of files that may stand at HEAD; what stands there word for word would change nothing, so it is new."""
    files: list[FileChange] = []
    there = tree.paths() if tree else frozenset()
    for path, text in example.files:
        before = tree.read(path) if tree and path in there else None
        file = FileChange(path=path, content=text.encode())
        files.append(_with_base(file, before) if before is not None and before != text else file)
    texts = dict(example.files)
    for old, new in example.moved:
        texts[new] = (tree.read(old) if tree and old in there else None) or ""
        content = texts[new].encode("utf-8", "replace")
        files.append(FileChange(path=new, status="R", old_path=old, content=content, base=content))
    files += [FileChange(path=path, status="D") for path in example.gone]
    gone = {*example.gone, *(old for old, _ in example.moved)}
    return Change(
        message=example.text,
        files=tuple(files),
        actions=(
            *(Action(kind="write", path=path, new=text) for path, text in example.files),
            *(Action(kind="command", command=shlex.join(["mv", old, new])) for old, new in example.moved),
            *(Action(kind="delete", path=path) for path in example.gone),
        ),
        tree=tree
        and TreeAfterChange(
            lambda: there - gone | texts.keys(), lambda path: texts[path] if path in texts else tree.read(path)
        ),
    )


def _with_whole_file(change: Change, tree: TreeAfterChange | None) -> Change:
    """An edit as the whole file that it leaves, where that file stands at HEAD and holds what is replaced."""
    if tree is None or not change.files:
        return change
    (file,), action = change.files, change.actions[0]
    before = tree.read(file.path) if action.old and file.path in tree.paths() else None
    if before is None or action.old not in before:
        return change
    content = before.replace(action.old, action.new, 1).encode("utf-8", "replace")
    return replace(change, files=(_with_base(replace(file, content=content), before),))


def _with_base(file: FileChange, before: str) -> FileChange:
    """The file as changed from its former text; its new lines are those between the common beginning and end."""
    old, new = before.split("\n"), file.lines
    first = next((n for n, (a, b) in enumerate(zip(old, new, strict=False)) if a != b), min(len(old), len(new)))
    most = min(len(old), len(new)) - first
    same = next((n for n in range(most) if old[-1 - n] != new[-1 - n]), most)
    added = ((first + 1, len(new) - same),) if len(new) - same > first else ()
    return replace(file, status="M", base=before.encode("utf-8", "replace"), added=added)


def change_of_action(action: Action) -> Change:
    if action.kind == "command":
        return Change(actions=(action,), message=commit_messages.message_of_command(action.command))
    files: tuple[FileChange, ...] = ()
    path = posixpath.normpath(action.path) if action.path else "."
    if action.kind in ("write", "edit") and path != "." and not path.startswith(("/", "..", "~")):
        content = action.new.encode("utf-8", "replace")
        files = (FileChange(path=path, status="A" if action.kind == "write" else "M", content=content),)
    return Change(files=files, actions=(action,))


def describe_example(example: Example) -> str:
    """An example in a few words."""
    if example.kind == "session":
        return " > ".join(describe_example(step) for step in example.steps[-MOST_STEPS:])
    text = example.text if example.kind in ("command", "message") else f"{example.path or example.kind}: {example.text}"
    text = f"{example.kind} {example.path}" if example.kind in ("read", "delete") else text
    text = f"rename {example.old} {example.path}" if example.kind == "rename" else text
    text = f"{example.text} {example.args}".strip() if example.kind == "tool" else text
    return repr(text[:80]) + " (failed)" * example.failed
