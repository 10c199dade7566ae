"""Variants of changes: code otherwise laid out, files under other names, commits with other words."""

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace
from shlex import quote

from rulec.checks.proving.check_reach import CheckReach, find_pattern
from rulec.domain.files.languages import CHECKED, language_of_file, line_comment
from rulec.domain.rule import Example, Rule

Named = Iterator[tuple[str, str]]  # how it was made, and the content
_SCRIPT = ("if (ready) {\n", "  ", "}\n")
_BLOCKS = {
    "python": ("if ready:\n", "    ", ""),
    "javascript": _SCRIPT,
    "typescript": _SCRIPT,
    "ruby": ("if ready\n", "  ", "end\n"),
    "bash": ("if ready; then\n", "  ", "fi\n"),
}
_FIXED = re.compile(r"'''|\"\"\"|`|<<|\\\n|=begin|__future__|^#!", re.MULTILINE)  # where blanks or order mean something
_TOP = re.compile(r"^\s*(?:import|export|from|require)\b|^\s*['\"]", re.MULTILINE)
_NAME = re.compile(r"(?<![\w.$@'\"])[a-z](?![\w'\"(:])")
_TEXT = re.compile(r"(?<![\w'\"\\])(['\"])([\w ./:,-]*)\1(?!['\"])")
_OTHER = {"a": "box", "b": "crate", "c": "drum", "d": "flask", "e": "grate", "x": "item", "y": "other", "z": "third"}


def _checked_language(path: str) -> str:
    """The language that a file is written in, "" where it is none that check templates know."""
    language = language_of_file(path)
    return language if language in CHECKED else ""


def vary_code(content: str, path: str, reach: CheckReach, *, invalid: bool) -> Named:
    """The same content, otherwise laid out; what is about text alone keeps its words."""
    spoken = _checked_language(path)
    if _by_lines(reach):
        yield from _ends(content, spoken, reach)
    if not reach.code or not spoken or not content.strip():
        return
    yield from _renamed(content, spoken, reach)
    yield from _requoted(content, spoken, reach)
    if spoken in _BLOCKS and invalid and not reach.patterns and not _FIXED.search(content) and not _TOP.search(content):
        before, indent, after = _BLOCKS[spoken]
        inner = re.sub(r"(?m)^(?=.)", indent, content.rstrip("\n"))
        yield "inside a condition", f"{before}{inner}\n{after}"


def _by_lines(reach: CheckReach) -> bool:
    """Whether no check minds where in the file a line stands or how many there are."""
    spots = any(sign in text for text in reach.patterns for sign in (r"\A", r"\Z", r"\n", r"\r", "(?s", "\n"))
    return not spots and not reach.scripts and not reach.demands and not find_any(reach, "\n\n\n")


def find_any(reach: CheckReach, text: str) -> bool:
    """Whether some pattern of the checks stands in the text."""
    return any(find_pattern(pattern, text) for pattern in reach.patterns)


def _ends(content: str, spoken: str, reach: CheckReach) -> Named:
    if "\r" not in content and spoken != "bash" and "`" not in content:
        yield "CRLF", content.replace("\n", "\r\n")
    if content.endswith("\n") and content.strip():
        yield "no last line end", content.rstrip("\n")
    if spoken != "php" and not content.startswith(("#!", "---", "<?")):
        yield "blank lines before", f"\n\n{content}"
    yield "blank lines behind", content.rstrip("\n") + "\n\n\n"
    if reach.code and spoken and spoken != "php":
        yield "comment before", f"{line_comment(spoken)} Note\n{content}"


def _renamed(content: str, spoken: str, reach: CheckReach) -> Named:
    """Names of one letter by others, where no check speaks of them and all places of them can be told."""
    if re.search(r"\b(?:import|from|require|use|include|export|package)\b", content):
        return
    plain = {name for name in _NAME.findall(content) if name in _OTHER and _may_change(name, content, reach)}
    if plain and spoken not in ("php", "bash"):
        yield "renamed names", _NAME.sub(lambda one: _OTHER[one[0]] if one[0] in plain else one[0], content)


def _may_change(name: str, content: str, reach: CheckReach) -> bool:
    """Whether a letter is a name wherever it stands alone, its new name is free, and no check speaks of either."""
    everywhere = len(re.findall(rf"(?<!\w){name}(?!\w)", content)) == _NAME.findall(content).count(name)
    free = re.search(rf"\b{_OTHER[name]}\b", content) is None
    return everywhere and free and name not in reach.names and reach.decides_alike(name, _OTHER[name])


def _requoted(content: str, spoken: str, reach: CheckReach) -> Named:
    """The other quotes, where the language has no mind of them and no check has."""
    about = "".join(reach.patterns)
    minds = (about.count("'") > 0) != (about.count('"') > 0)
    if spoken in ("python", "javascript", "typescript") and not minds and not _FIXED.search(content):
        other = _TEXT.sub(lambda one: one[0].replace(one[1], '"' if one[1] == "'" else "'"), content)
        if other != content:
            yield "other quotes", other


def mention_outside_code(content: str, path: str, reach: CheckReach) -> Named:
    """What must not stand in code, in a comment or in a file of words."""
    spoken = _checked_language(path)
    if not reach.code or not spoken or spoken == "php" or reach.demands or find_any(reach, "# //"):
        return
    mark = line_comment(spoken)
    lines = [f"{mark} {line}".rstrip() for line in content.splitlines()]
    head = "package main\n\n" if spoken == "go" else ""
    if not content.startswith("#!"):
        yield "only in a comment", f"{head}{chr(10).join(lines)}\n"


Made = Iterator[tuple[str, Example]]


def vary_path(example: Example, reach: CheckReach, *, invalid: bool) -> Made:
    """The same touch of the same path, otherwise written or by another tool; what is innocent keeps its act, too."""
    for name, path in equivalent_paths(example.path, reach):
        yield name, _at(example, path)
    for check in reach.on("path"):
        if check.get("existing"):  # whether the file was there before, none of these commands tells
            continue
        how = set(check.get("how") or ("create", "change", "delete"))
        for name, command in _tools(example, how if invalid else how - {"delete"}):
            yield name, Example(kind="command", text=command)


def equivalent_paths(path: str, reach: CheckReach) -> Iterator[tuple[str, str]]:
    """Other paths that the rule cannot tell from this one, and other words for this one."""
    folder, _, name = path.rpartition("/")
    stem, dot, ending = name.partition(".") if not name.startswith(".") else ("", "", "")
    known = reach.scripts or reach.on("dependency")  # they do not say by which names they know files
    if dot and stem.islower() and not known:
        for other in (f"{stem}_two.{ending}", f"two_{stem}.{ending}", f"{stem}two.{ending}"):
            found = f"{folder}/{other}" if folder else other
            if reach.same_place(path, found):
                yield "other file", found
                break
        deeper = f"{folder}/inner/{name}" if folder else f"inner/{name}"
        if reach.same_place(path, deeper):
            yield "deeper folder", deeper
    if not path.startswith(("/", "~", ".")):
        yield "dotted path", f"./{path}"
        if folder:
            yield "way back", f"{folder}/../{path.split('/')[-2]}/{name}"


def _at(example: Example, path: str) -> Example:
    return Example(kind=example.kind, text=example.text, old=example.old, path=path)


def _tools(example: Example, how: AbstractSet[str]) -> Iterator[tuple[str, str]]:
    """Commands that do to the path what the rule is about, whether or not it stands there already."""
    path = quote(example.path)
    if {"create", "change"} <= how:
        yield "tool: redirect", f"echo x > {path}"
        yield "tool: append", f"printf x >> {path}"
        yield "tool: tee", f"echo x | tee {path}"
        yield "tool: cp", f"cp /tmp/x {path}"
        yield "tool: mv", f"mv /tmp/x {path}"
        yield "tool: heredoc", f"cat > {path} <<'EOF'\nx\nEOF"
        yield "tool: touch", f"touch {path}"
        yield "tool: dd", f"dd if=/tmp/x of={path}"
        yield "tool: sed -i", f"sed -i s/a/b/ {path}"
        yield "tool: perl -i", f"perl -pi -e s/a/b/ {path}"
    if "delete" in how:
        yield "tool: rm", f"rm -f {path}"
        yield "tool: git rm", f"git rm -q {path}"


def read_path_only(example: Example, reach: CheckReach) -> Made:
    """The path in commands that leave it as it is."""
    if not reach.on("path") or "'" in example.path:
        return
    path = quote(example.path)
    known = {
        "cat": f"cat {path}",
        "ls": f"ls -l {path}",
        "grep": f"grep -n x {path}",
        "git": f"git diff -- {path}",
        "wc": f"wc -l < {path}",
        "head": f"head -5 {path} | tail -1",
        "echo": f"echo rm {path}",
    }
    for program, command in known.items():
        if reach.free(program):
            yield f"only read: {program}", Example(kind="command", text=command)


PICTURE = ("assets/pixel.svg", "<svg/>\n")


def vary_commit(example: Example, reach: CheckReach) -> Iterator[tuple[str, Example]]:
    """The same commit, made otherwise."""
    if not reach.scripts:
        yield "other words", replace(example, text="Do as was said")
        yield "no words", replace(example, text="x")
    if len(example.files) > 1:
        yield "files in another order", replace(example, files=tuple(reversed(example.files)))
    path = PICTURE[0]
    if reach.on("change") and not reach.scripts and all(reach.same_place(path, other) for other in ("", "pixel.bin")):
        yield "a picture as well", replace(example, files=(*example.files, PICTURE))
    if reach.on("change") and not any("\r" in text for _, text in example.files):
        yield "CRLF", replace(example, files=tuple((name, text.replace("\n", "\r\n")) for name, text in example.files))


BODY = "It was asked for"


def vary_message(message: str, rule: Rule, reach: CheckReach) -> Iterator[tuple[str, str]]:
    """The same message, as other tools and people hand it over."""
    bare = message.rstrip("\n")
    if "\r" not in message:
        yield "CRLF", message.replace("\n", "\r\n")
    yield "no last line end", bare
    yield "blank lines behind", f"{bare}\n\n\n"
    yield "blank line before", f"\n{message}"
    minds = any("body" in name and given for check in rule.checks for name, given in check.parameters.items())
    if (
        not minds
        and not _ends_in_trailer(bare)
        and not any(find_pattern(f"(?i){text}", BODY) for text in reach.patterns)
    ):
        yield "body behind", f"{bare}\n\n{BODY}\n"


def _ends_in_trailer(message: str) -> bool:
    """Whether the last line is a trailer, behind which no body stands."""
    return bool(re.search(r"\n[\w-]+ ?: .*\Z", message))


def on_command_line(message: str, reach: CheckReach) -> Iterator[tuple[str, str]]:
    """The message as the word of a command, where no rule speaks of the command itself."""
    if reach.free("git") and "\r" not in message and message.strip() and not message.startswith(("\n", " ", "#")):
        yield "git commit -m", f"git commit -m {quote(message.rstrip())}"
        yield "git commit --message=", f"git commit -a --message={quote(message.rstrip())}"
