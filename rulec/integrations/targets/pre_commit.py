""".pre-commit-config.yaml: the hooks of a commit, its message and a push, spliced into what people have."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from rulec.checkout.rules_layout import LAUNCHER
from rulec.domain.artifact import Artifact, CompilePlan
from rulec.domain.plugs import Integration
from rulec.domain.template import Render
from rulec.domain.text import requirement
from rulec.errors import RulecError
from rulec.integrations import marked_block
from rulec.rulebook import yaml_text

PATH = ".pre-commit-config.yaml"
_OURS = re.compile(rf"id: rulec|{re.escape(LAUNCHER)}")
KEPT = "# rulec:kept "  # before a line of theirs that ours stand in for
HOOK_TYPES, STAGES = "default_install_hook_types", "default_stages"
_KEYS = {  # those of the file that we write where nobody has: why
    HOOK_TYPES: "rulec: by pre-commit install",
    STAGES: "rulec: of hooks that name none",
}
_KEY_LINE = re.compile(rf"^(?:{HOOK_TYPES}|{STAGES}): \[[^\]\n]*\]  # rulec: [^\n]*\n", re.MULTILINE)
_REPOS_KEY = re.compile(r"""^(?:repos|"repos"|'repos')[ \t]*:""", re.MULTILINE)
_BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class PreCommitHook:
    """One hook, as .pre-commit-hooks.yaml of rulec's repository has it, too."""

    id: str
    name: str
    stage: str
    run: str  # rulec's arguments
    named: bool = False  # pre-commit adds the name of the file with the message
    shown: bool = True  # pre-commit hides what a hook prints that passes, and a rule that warns passes


HOOKS = (
    PreCommitHook("rulec", "rulec", "pre-commit", "check --staged"),
    PreCommitHook("rulec-prepare", "rulec (prepare)", "prepare-commit-msg", "hook prepare", shown=False),
    PreCommitHook("rulec-message", "rulec (message)", "commit-msg", "check --message", named=True),
    PreCommitHook("rulec-push", "rulec (push)", "pre-push", "hook pushed"),
)
TYPES = tuple(hook.stage for hook in HOOKS)
_NO_REPOS = re.compile(r"""(?:repos|"repos"|'repos')[ \t]*:[ \t]*(?:\[[ \t]*\][ \t]*)?(?:(?<=[ \t])#.*)?\r?\n?""")


def emit(plan: CompilePlan, render: Render, current: Mapping[str, str]) -> Iterator[Artifact]:
    """The file with our hooks in it."""
    hooks = _Hooks(plan.install, render)
    present = current.get(PATH)
    if present is None:
        yield Artifact(path=PATH, text=_with_keys(hooks.whole()))
        return
    mark, text = present[: present.startswith(_BOM)], _without_keys(present.removeprefix(_BOM))
    found = marked_block.find_block(text, marked_block.HASH, PATH)
    if found:
        after = _renewed(found, hooks)
        before = _data(text) if _is_yaml(text) else _data(after)  # a block that is damaged is made good
    else:
        before = _data(text)
        after = _added(text, before, hooks)
    after = _with_keys(after)
    _untouched(before, _data(after))
    yield Artifact(path=PATH, text=mark + after)


def remove(path: str, text: str) -> str | None:
    """The file without our hooks; ``repos:`` stays where people have added to the list that we began."""
    mark, text = text[: text.startswith(_BOM)], _without_keys(text.removeprefix(_BOM))
    found = marked_block.find_block(text, marked_block.HASH, path)
    if found is None:
        return mark + text
    found = _without_theirs(found)
    if _is_item(found):
        rest = marked_block.cut_block(found, appended=False)
    elif _theirs(_data(text)):
        rest = marked_block.cut_block(found, "repos:\n", appended=False)
    else:
        kept = "".join(line.removeprefix(KEPT) + "\n" for line in found.lines if line.startswith(KEPT))
        rest = marked_block.cut_block(found, kept, appended=not kept)
    return None if rest is None else mark + rest


def has_other_hooks(text: str) -> bool:
    """Whether the file has hooks other than rulec's."""
    return any(not _runs_rulec(hook) for _, hook in _hooks_of(text))


def rulec_hook(text: str, stage: str) -> str | None:
    """What rulec's hook of that stage starts, "" where pre-commit knows it from its repository; None without one."""
    wanted = {hook.stage: hook.id for hook in HOOKS}[stage]
    found = (hook for _, hook in _hooks_of(text) if _runs_rulec(hook) and str(hook.get("id")) == wanted)
    return next((str(hook.get("entry") or "") for hook in found if stage in (hook.get("stages") or [stage])), None)


def other_hooks(text: str) -> list[str]:
    """The ids of the hooks in the file that are not rulec's; none where it cannot be read."""
    try:
        return sorted({str(hook.get("id")) for _, hook in _hooks_of(text) if not _runs_rulec(hook)})
    except RulecError:
        return []


def runs_rulec(text: str) -> bool:
    """Whether a hook of the file is rulec's."""
    return any(_runs_rulec(hook) for _, hook in _hooks_of(text))


def installed_from(text: str) -> str:
    """What pre-commit installs to run rulec's hooks; "" where it installs nothing for them."""
    ours = [(entry, hook) for entry, hook in _hooks_of(text) if _runs_rulec(hook)]
    named = {
        requirement.GitSource(str(entry.get("repo")), str(entry.get("rev"))).requirement
        if "rev" in entry
        else " ".join(map(str, hook.get("additional_dependencies") or ()))
        for entry, hook in ours
    }
    return " ".join(sorted(filter(None, named)))


def missing_types(text: str) -> list[str]:
    """The types of git hooks that rulec needs and a person's own list of them lacks."""
    named = _data(text.removeprefix(_BOM)).get(HOOK_TYPES, TYPES)
    return [one for one in TYPES if one not in named] if isinstance(named, list) else []


def _hooks_of(text: str) -> Iterator[tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Each hook of the file with the entry that it stands in."""
    for entry in _data(text.removeprefix(_BOM)).get("repos") or []:
        hooks = entry.get("hooks") if isinstance(entry, dict) else None
        yield from ((entry, hook) for hook in hooks or [] if isinstance(hook, dict))


def _without_keys(text: str) -> str:
    return _KEY_LINE.sub("", text)


def _with_keys(text: str) -> str:
    """The text with our keys above ``repos`` where people have not written them.

    Hooks that name no stages would run for every type that is installed now: they stay where they ran so far.
    """
    data, place = _data(text), _REPOS_KEY.search(text)
    if place is None:
        return text
    so_far = data.get(HOOK_TYPES) if isinstance(data.get(HOOK_TYPES), list) else ["pre-commit"]
    values = {HOOK_TYPES: TYPES, STAGES: so_far}
    newline = marked_block.newline_of(text)
    ours = (
        f"{key}: [{', '.join(map(str, values[key] or ()))}]  # {why}{newline}"
        for key, why in _KEYS.items()
        if key not in data
    )
    return text[: place.start()] + "".join(ours) + text[place.start() :]


@lru_cache(maxsize=4)  # the text before and after, asked for by each look at what is stale; nobody changes the data
def _data(text: str) -> Mapping[str, Any]:
    if odd := re.search(r"\r(?!\n)", text):
        raise _odd_line_ends(text.count("\n", 0, odd.start()) + 1)
    # with its last line end: a block scalar there gains one from whatever is written after it
    data = yaml_text.load_yaml(text if text.endswith("\n") else text + "\n", PATH)
    if data is not None and not isinstance(data, dict):
        raise RulecError("is no mapping with a list of repos", where=f"{PATH}:1", hint="see https://pre-commit.com")
    return data or {}


def _is_yaml(text: str) -> bool:
    try:
        return bool(_data(text))
    except RulecError:
        return False


def _odd_line_ends(line: int) -> RulecError:
    return RulecError(
        "has line ends that are neither LF nor CRLF", where=f"{PATH}:{line}", hint="convert the file first"
    )


@dataclass(frozen=True, slots=True)
class _Hooks:
    """Our hooks as text: from where the settings say that rulec is installed."""

    install: str
    render: Render

    def item(self, dash: int) -> str:
        """The entry of the list whose dashes stand in that column."""
        source = requirement.git_source(self.install)
        dependency = self.install if requirement.is_url(self.install) else ""
        context = {"dash": dash, "source": source, "dependency": dependency, "hooks": HOOKS, "hook": LAUNCHER}
        body = self.render("emit/pre_commit.yaml.j2", context)
        text = f"{marked_block.HASH.begin} {marked_block.NOTE}\n{body}{marked_block.HASH.end}\n"
        return "".join(" " * dash + line for line in text.splitlines(keepends=True))

    def whole(self, kept: str = "") -> str:
        """The block with a ``repos`` key, for files that have none."""
        begin, *item = self.item(2).splitlines(keepends=True)
        theirs = f"{KEPT}{kept}\n" if kept else ""
        return begin.lstrip(" ") + theirs + "repos:\n" + "".join(item[:-1]) + item[-1].lstrip(" ")


def _added(text: str, data: Mapping[str, Any], hooks: _Hooks) -> str:
    place = yaml_text.top_level_list(text, "repos", PATH)
    if place is not None and place[2]:
        index, dash, _ = place
        lines = text.splitlines(keepends=True)  # as top_level_list counts them
        before, after = "".join(lines[:index]), "".join(lines[index:])
        if after and not before.endswith("\n"):
            raise _odd_line_ends(index)
        newline = marked_block.newline_of(text)
        return marked_block.insert_block(before, hooks.item(dash), after, newline, closed=before.endswith("\n"))
    if "repos" in data:
        return _in_place_of_none(text, hooks)
    return marked_block.append_block(text, hooks.whole())


def _in_place_of_none(text: str, hooks: _Hooks) -> str:
    lines = re.findall(r"[^\n]*\n|[^\n]+", text)
    index = next((i for i, line in enumerate(lines) if _NO_REPOS.fullmatch(line)), None)
    if index is None:
        raise RulecError("cannot add to this form of repos", where=f"{PATH}:1", hint="write 'repos:' on its own line")
    line = lines[index]
    before, after, kept = "".join(lines[:index]), "".join(lines[index + 1 :]), line.rstrip("\r\n")
    block = hooks.whole(kept)
    return marked_block.insert_block(before, block, after, marked_block.newline_of(line), closed=line.endswith("\n"))


def _renewed(found: marked_block.MarkedBlock, hooks: _Hooks) -> str:
    """The text with our block as it should be; what people put into the block stands behind it afterwards."""
    found = _without_theirs(found)
    if _is_item(found):
        return marked_block.replace_block(found, hooks.item(found.indent))
    kept = next((line.removeprefix(KEPT) for line in found.lines if line.startswith(KEPT)), "")
    return marked_block.replace_block(found, hooks.whole(kept))


def _without_theirs(found: marked_block.MarkedBlock) -> marked_block.MarkedBlock:
    """The block with the entries of its list that do not run rulec behind it, as they stand there."""
    entries: list[list[str]] = []
    column = None
    for line in found.lines:
        bare = line.lstrip(" ")
        if bare.startswith("- ") and column in (None, len(line) - len(bare)):
            column = len(line) - len(bare)
            entries.append([])
        if entries:
            entries[-1].append(line + found.newline)
    theirs = "".join(text for lines in entries if not _OURS.search(text := "".join(lines)))
    return replace(found, after=theirs + found.after, closed=found.closed or bool(theirs))


def _is_item(found: marked_block.MarkedBlock) -> bool:
    return bool(found.lines) and found.lines[0].lstrip(" ").startswith("- ")


def _theirs(data: Mapping[str, Any]) -> list[Any]:
    return [entry for entry in data.get("repos") or [] if not _is_ours(entry)]


def _is_ours(entry: Any) -> bool:
    hooks = entry.get("hooks") if isinstance(entry, dict) else None
    return isinstance(hooks, list) and any(_runs_rulec(hook) for hook in hooks if isinstance(hook, dict))


def _runs_rulec(hook: Mapping[str, Any]) -> bool:
    return bool(_OURS.search(f"id: {hook.get('id')} {hook.get('entry')}"))


def _untouched(before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Refuse where the splice changed what the file says: no text is trusted to be as regular as it looks."""
    ours = [entry for entry in after.get("repos") or [] if _is_ours(entry)]
    added = [hook for entry in before.get("repos") or [] if _is_ours(entry) for hook in entry["hooks"]]
    if odd := next((hook for hook in added if not _runs_rulec(hook)), None):
        hint = f"give it an entry of its own, below the line {marked_block.HASH.end}"
        raise RulecError(f"the hook {str(odd)[:60]} stands in rulec's entry", where=f"{PATH}:1", hint=hint)
    if len(ours) > 1:
        hint = "delete that entry: rulec adds its own"
        raise RulecError("already runs rulec in an entry of its own", where=f"{PATH}:1", hint=hint)
    rest = [{k: v for k, v in data.items() if k not in ("repos", *_KEYS)} for data in (before, after)]
    theirs = all(before.get(key, after.get(key)) == after.get(key) for key in _KEYS)
    if rest[0] != rest[1] or not theirs or _theirs(before) != _theirs(after) or not ours:
        hint = "write the file in plain block style, or add the hooks by hand"
        raise RulecError("our hooks cannot be added without changing its meaning", where=f"{PATH}:1", hint=hint)


PLUG = Integration(name="pre-commit", files=(PATH,), emit=emit, remove=remove)
