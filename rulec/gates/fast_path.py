"""Passes a commit that no rule can touch without loading what judges: the last full run noted what to look at."""

import os

from rulec.checkout import private_files, rules_layout
from rulec.checks.semgrep import semgrep_languages
from rulec.domain.files.embedded_code import embedded_languages
from rulec.infra import fast_files
from rulec.infra.fast_files import read_plain_file
from rulec.infra.git import fast_git

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from rulec.domain.change import Change, FileChange


PASSED_NAME = "seen"  # the changes that a gate has let through
PLANS = "plans"  # the folder of agents' plans
SINCE_NAME = "seen-since"  # the commits that stood here before there was a gate
PASSED_BYTES = 1_000_000  # bytes


def is_unusual(folder: str, personal: str) -> bool:
    """Whether the full check is needed: in a merge, after a killed rulec, with turn debts, plans or personal rules."""
    ours = (f"{folder}/rulec/journal.json", f"{folder}/rulec/waived.json", f"{folder}/info/sparse-checkout")
    if any(map(os.path.lexists, (f"{folder}/MERGE_HEAD", *ours))) or _has_a_say(f"{personal}/.rules"):
        return True
    try:
        return any(name.endswith(".json") for name in os.listdir(f"{folder}/rulec/{PLANS}"))
    except OSError:
        return False


def _has_a_say(rules: str) -> bool:
    """Whether a folder holds rules, or settings that mention judges; other settings do not affect a commit."""
    try:
        names = os.listdir(rules)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    said = read_plain_file(f"{rules}/config.yaml") if names == ["config.yaml"] else None
    return bool(names) and (said is None or b"judges" in said)


def is_passed(folder: str, word: str) -> bool:
    """Whether a gate has passed the change with this mark."""
    return bool(word) and word.encode() in (read_plain_file(f"{folder}/rulec/{PASSED_NAME}") or b"").split()


def note_fast_pass(folder: str, word: str) -> bool:
    """Note that a gate passed a change; False where that would take more than appending a line."""
    place = f"{folder}/rulec/{PASSED_NAME}"
    try:
        if not os.path.isfile(f"{folder}/rulec/{SINCE_NAME}") or os.stat(place).st_size > PASSED_BYTES:
            return False
        with private_files.FolderLock(f"{folder}/rulec") as held:
            if held:
                private_files.append_lines(place, [word] if word else [])
            return held
    except OSError:
        return False


SUPPRESSION_MARK = b"rulec:"  # what a suppression in place begins with
GATE_FILE_NAMES = (
    "CODEOWNERS", ".gitattributes", "lefthook.yml", "lefthook.yaml", "lefthook.toml", "lefthook.json", "prek.toml",
    "mise.toml",
)  # fmt: skip
_SETTINGS_SUFFIXES = (".json", ".jsonc", ".toml", ".yaml", ".yml")

REACH = "reach"  # the piece of state that says which files rules look at
MANY = 1_234_567  # stands for the number of files in what is to be said
_STAGED, _MESSAGE = ["check", "--staged"], ["check", "--message"]
_COMPILED = "HEAD:.rules/compiled"
_SETTINGS = "HEAD:.rules/config.yaml"
_LISTED = ("diff-index", "--cached", "--ita-invisible-in-index", "-z", "--raw", "-M", "--full-index", "HEAD")
_PLAIN = ("100644", "100755")
_LARGEST = 16_000_000  # bytes that are read


def is_told_elsewhere(*, message: bool) -> bool:
    """Whether a hook that found nothing needs no line: pre-commit has its own, and for a message its files have."""
    return "PRE_COMMIT" in os.environ or (message and "GIT_INDEX_FILE" in os.environ)


def output_if_untouched(arguments: "list[str]") -> str:
    """The output for a commit that no rule can object to, "" where that is not certain."""
    verb, message = arguments[:2], arguments[2:]
    if not (arguments == _STAGED or (verb == _MESSAGE and len(message) == 1 and os.path.isfile(message[0]))):
        return ""
    folder = fast_git.plain_git_folder()
    listed = (
        fast_git.run_git_fast(*_LISTED)
        if folder and not is_unusual(folder, rules_layout.personal_rulebook_path())
        else None
    )
    if listed is None:
        return ""
    if not message and _is_made_by_agent():  # its hook may not be loaded, or a rule may ask for a run
        return ""
    entries = fast_git.read_raw_diff(listed)[0]
    if any(may_be_of_gate(path) for entry in entries for path in (entry.path, entry.old_path)):
        return ""
    sides = list(_sides(entries))
    tree, settings, contents = _read_objects(sides, "--batch-check" if message else "--batch")
    known = fast_files.load_piece(f"{folder}/rulec/{REACH}", tree) if tree else None
    if known is None or known["settings"] not in ("", settings) or any(path in known["gates"] for path, _ in sides):
        return ""
    word = fast_git.mark_under_rules(fast_git.change_mark(entries), tree)
    if message:
        good = not known["messages"] and is_passed(folder, word)
    else:
        good = not _touched(sides, contents, known["reach"]) and note_fast_pass(folder, word)
    text: str = known["one"] if len(entries) == 1 else known["many"].replace(str(MANY), str(len(entries)))
    return text if good else ""


def _is_made_by_agent() -> bool:
    from rulec.agents.protocol import agent_spec  # noqa: PLC0415 (only where a rule asks for a run of tests)

    return bool(agent_spec.agents_around(os.environ))


def _read_objects(sides: "list[tuple[str, str]]", how: str) -> "tuple[str, str, dict[str, bytes]]":
    """The ids of the compiled checks and of the settings, and the blobs by name, which ``--batch-check`` leaves empty.

    "" for the ids where a file is missing or all files are too large.
    """
    names = [_COMPILED, _SETTINGS, *dict.fromkeys(name for _, name in sides)]
    given = "".join(f"{name}\n" for name in names).encode()
    out = fast_git.run_git_fast("cat-file", how, given=given, most=_LARGEST)
    if out is None:
        return "", "", {}
    ids, found, at, total = [], {}, 0, 0
    for name in names:
        end = out.index(b"\n", at)
        head = out[at:end].split(b" ")
        ids.append(head[0].decode())
        at = end + 1
        size = int(head[2]) if head[-1].isdigit() else -1
        total += size
        wanted = b"tree" if name == _COMPILED else b"blob"
        if (head[1] != wanted and name != _SETTINGS) or size > fast_git.LARGEST_FILE or total > _LARGEST:
            return "", "", {}
        if size >= 0 and how == "--batch":
            found[name] = out[at : at + size]
            at += size + 1
    return ids[0], ids[1], found


def may_be_of_gate(path: str) -> bool:
    """Whether a file may be a part of the gate: those of most tools begin with a dot."""
    return path.startswith(".") or "/." in path or is_gate_file_name(path.rpartition("/")[2])


def is_gate_file_name(name: str) -> bool:
    """Whether a file of this name sets up hooks, owners or an agent, whatever folder it is in."""
    if name in GATE_FILE_NAMES or not name.endswith(_SETTINGS_SUFFIXES):
        return name in GATE_FILE_NAMES
    from rulec.agents.protocol import agent_tables  # noqa: PLC0415 (a commit of other files pays nothing for the agents)

    return name in agent_tables.TOP_FILES


def touches_gate(change: "Change") -> bool:
    """Whether a change may touch a gate: rules, hooks, settings of agents, CI, owners; or a line with a suppression."""
    return any(map(_is_gate_file, change.files))


def _is_gate_file(file: "FileChange") -> bool:
    paths = [path for path in (file.path, file.old_path) if path]
    return any(map(may_be_of_gate, paths)) or (file.content is not None and SUPPRESSION_MARK in file.content)


def _sides(entries: "list[fast_git.RawDiffEntry]") -> "Iterator[tuple[str, str]]":
    """Paths and blobs after the change and before it: deleting a file may fix what was found in it."""
    for entry in entries:
        if entry.status != "D":
            yield entry.path, entry.new if entry.mode in _PLAIN else "no-file"
        if entry.status != "A":
            yield entry.old_path, entry.old if entry.before in _PLAIN else "no-file"


def _touched(sides: "list[tuple[str, str]]", contents: "dict[str, bytes]", reach: "list[Any]") -> bool:
    """Whether a rule looks at one of the files, or one of them may hold a suppression."""
    texts = {name: contents[name] for _, name in sides}
    if any(SUPPRESSION_MARK in text for text in texts.values()):
        return True
    return any(_looked_at(path, _languages(path, texts[name]), reach) for path, name in sides)


def _languages(path: str, content: bytes) -> "list[str]":
    """The languages that a file, or the code inside it, may be read as."""
    return [*semgrep_languages.languages_of_file(path, content), *embedded_languages(path)]


def _looked_at(path: str, read: "list[str]", reach: "list[Any]") -> bool:
    return any(
        (not wanted or any(one in wanted for one in read))
        and any(path.startswith(begin) and path.endswith(end) for begin, end in places)
        for wanted, places in reach
    )
