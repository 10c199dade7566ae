"""The files outside of the rulebook that set up the gates: which a change touched where it counts."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from rulec import registry
from rulec.agents.protocol import agent_tables
from rulec.compiling import bundle
from rulec.domain.change import Change
from rulec.domain.files import globs
from rulec.domain.finding import Weakening
from rulec.gates.gate_names import is_gate_file_name
from rulec.gates.weakening.gate_states import GateState
from rulec.integrations import code_owners
from rulec.integrations.targets import gitlab_ci, pre_commit
from rulec.protect import built_in, settings_edits
from rulec.reports.wording import clip_line
from rulec.rulebook import file_paths, yaml_text

ATTRIBUTES = ".gitattributes"
_PLAIN_ATTRIBUTES = re.compile(  # of a line that hides nothing; any other word may, or be a macro that does
    r"\S+(?:\s+[-!]?(?:text|eol|whitespace|working-tree-encoding|export-\w+|linguist-language)(?:=\S*)?)*"
)
_PREK = ("prek.toml", ".prek.toml")  # read in place of .pre-commit-config.yaml
_CALLS = re.compile(r"rulec|\.rules/|gitlab/rules\.yml")  # a line of a hook or a pipeline that calls the gate
_ASSIGNED = re.compile(r"\bset\s+-\w+\s+(\w+)\s+|(?<=\w)[\"']?\s*[:=]\s*")  # as shells, JSON, TOML and YAML have it
_FOLDERS = (file_paths.RULES, ".github", ".gitlab", ".husky", *agent_tables.FOLDERS)
_OWNED = (  # one path of each sort that the code owners should see
    ".rules/config.yaml", ".rules/a-rule.yaml", ".rules/compiled/guard/a-rule.json", ".rules/exceptions/a-rule.yaml",
    ".github/CODEOWNERS", ".github/workflows/rules.yml", ".pre-commit-config.yaml", ".claude/settings.json",
)  # fmt: skip


def _shared_files() -> frozenset[str]:
    """The files in which rulec has a part that guards; documents and skills only inform."""
    known = registry.emitters().values()
    return frozenset(path for one in known if not (one.document or one.tells) for path in one.files)


def gate_file_paths(change: Change) -> tuple[str, ...]:
    """The files outside the rulebook to compare."""
    return (*_shared_files(), *code_owners.CODEOWNERS_PATHS, *_touched(change))


def _touched(change: Change) -> list[str]:
    paths = dict.fromkeys(path for file in change.files for path in (file.path, file.old_path) if path)
    return [path for path in paths if _may_set_up_gates(path)]


def _may_set_up_gates(path: str) -> bool:
    """Whether a path may hold hooks, agents' settings, pipelines, owners or attributes."""
    name = path.rpartition("/")[2]
    if path.startswith(f"{file_paths.RULES}/") or name.endswith((".md", ".mdc")):
        return name == ATTRIBUTES
    return is_gate_file_name(name) or "/." in f"/{path}" or path in _shared_files()


def touched_gate_files(before: GateState, after: GateState, change: Change, *, renders: bool) -> Iterator[Weakening]:
    """Gate files that the change touches: what rulec itself would have written there is as good as what was there."""
    for file in change.files:
        if file.stilled and _CALLS.search(before.files.get(file.old_path or file.path, "")):
            told = "can be run no longer (chmod -x)"
            yield Weakening(subject=f"mode of {file.path}", text=told, path=file.path)
        folder = file.path.partition("/")[0]
        if file.status in "AR" and folder != folder.casefold() and folder.casefold() in _FOLDERS:
            told = f"replaces {folder.casefold()}/ on case-insensitive file systems"
            yield Weakening(subject=f"twin {file.path}", text=told, path=file.path)
    touched = _touched(change)
    if not touched:
        return
    shared = renders and not _shared_files().isdisjoint(touched)
    made = written_by_rulec(before, after) if shared else {}
    for path in touched:
        if path in code_owners.CODEOWNERS_PATHS:
            continue
        old, new = before.files.get(path, ""), after.files.get(path, "")
        yield from _new_variables(path, old, new)
        if path.rpartition("/")[2] == ATTRIBUTES:
            yield from _attributes(path, old, new, made.get(path, ""))
        elif (told := _what_changed(path, old, new)) and _what_changed(path, made.get(path, old), new):
            line = next((number for number, _ in _new_lines(old, new)), 0)
            yield Weakening(subject=f"gate {path}", text=told, path=path, line=line)
    if set(touched) & set(code_owners.CODEOWNERS_PATHS):
        yield from _other_owners(before.files, after.files, {**before.files, **made})


def written_by_rulec(before: GateState, after: GateState) -> dict[str, str]:
    """What rulec makes of the files as they were."""

    def present(names: Iterable[str]) -> dict[str, str]:
        return {name: before.files[name] for name in names if name in before.files}

    return {file.path: file.text or "" for file in bundle.integration_files(after.whole, after.top, present)}


def _new_lines(old: str, new: str) -> Iterator[tuple[int, str]]:
    """The lines that stood nowhere before, with their numbers."""
    known = frozenset(old.splitlines())
    return ((number, line) for number, line in enumerate(new.splitlines(), 1) if line not in known)


def _new_variables(path: str, old: str, new: str) -> Iterator[Weakening]:
    """New lines that set a variable by which git or its hooks pass the gate."""
    for number, line in _new_lines(old, new):
        plain = _ASSIGNED.sub(lambda found: f"{found[1] or ''}=", line)
        if not line.lstrip().startswith("#") and re.search(built_in.leading_lines(), plain):
            told = f"`{clip_line(line.strip(), 80)}` leads hooks or git elsewhere"
            yield Weakening(subject=f"variable {line.strip()} {path}", text=told, path=path, line=number)


def _attributes(path: str, old: str, new: str, made: str) -> Iterator[Weakening]:
    """Lines of attributes, new, gone or moved, that decide what reviews show or how git merges and filters."""
    ours = frozenset(_hiding_lines(made).values())
    was, now = ({n: line for n, line in _hiding_lines(text).items() if line not in ours} for text in (old, new))
    known, kept = frozenset(was.values()), frozenset(now.values())
    told = [(number, f"`{line}` may hide changes from reviews") for number, line in now.items() if line not in known]
    told += [(0, f"`{line}` is gone, and may have shown changes") for line in was.values() if line not in kept]
    if not told and [*was.values()] != [*now.values()]:  # of the lines that fit a path the last one counts
        told = [(0, "lines stand in another order, and may hide changes from reviews")]
    for number, text in told:
        yield Weakening(subject=f"sight {text} {path}", text=text, path=path, line=number)


def _hiding_lines(text: str) -> dict[int, str]:
    lines = enumerate(map(str.strip, text.splitlines()), 1)
    written = ((number, line) for number, line in lines if line and not line.startswith("#"))
    return {number: line for number, line in written if not _PLAIN_ATTRIBUTES.fullmatch(line)}


def _what_changed(path: str, old: str, new: str) -> str:
    """What of a file is another that counts for the gate, "" for nothing."""
    if old == new:
        return ""
    if path == pre_commit.PATH:
        return "" if _pre_commit_part(old) == _pre_commit_part(new) else "rulec's part of it is another, or gone"
    settings = [
        how
        for found in agent_tables.SETTINGS.values()
        for glob, how in found.items()
        if globs.match([glob, f"**/{glob}"], path)
    ]
    if settings:
        return "" if settings == ["json"] and _same_switches(old, new) else "sets an agent's hooks otherwise"
    if path in _PREK:
        return f"is read in place of {pre_commit.PATH}"
    calls, others = _calls(old), _calls(new)
    is_script = "." not in path.rpartition("/")[2] or path.endswith(".sh")
    lost = calls - others or (calls and is_script)
    added = others - calls and re.match(r"\.gitlab", path)  # where a job takes the place of one of its name
    if lost or added or (path in _shared_files() and path != gitlab_ci.PIPELINE):
        return "runs rulec no longer, or otherwise"
    return ""


def _calls(text: str) -> Counter[str]:
    return Counter(line.strip() for line in text.splitlines() if _CALLS.search(line))


def _pre_commit_part(text: str) -> object:
    """What of pre-commit's configuration decides whether and how rulec runs: all but other people's hooks."""
    data = yaml_text.load_yaml(text, pre_commit.PATH) or {}
    entries = data.get("repos") or [] if isinstance(data, dict) else [data]
    return {**data, "repos": [one for one in entries if _CALLS.search(str(one))]}


def _same_switches(old: str, new: str) -> bool:
    was, now = settings_edits.switches_of_json(old), settings_edits.switches_of_json(new)
    return was == now != settings_edits.UNREADABLE


def _other_owners(before: Mapping[str, str], after: Mapping[str, str], made: Mapping[str, str]) -> Iterator[Weakening]:
    """Who else approves changes of the gate, or nobody; fewer of the same may."""
    seen = set()
    for probe in _OWNED:
        old, new, ours = (_owners(files, probe) for files in (before, after, made))
        if old and not (new and set(new) <= {*old, *ours}) and (old, new) not in seen:
            seen.add((old, new))
            path = next(one for one in code_owners.CODEOWNERS_PATHS if one in after or one in before)
            told = f"{probe}: owned by {', '.join(new) or 'nobody'}, not {', '.join(old)}"
            yield Weakening(subject=f"owners of {probe}", text=told, path=path)


def _owners(files: Mapping[str, str], path: str) -> tuple[str, ...]:
    """The owners of a path by the CODEOWNERS file in effect."""
    text = next((files[one] for one in code_owners.CODEOWNERS_PATHS if one in files), "")
    return code_owners.owners_of(text, path)
