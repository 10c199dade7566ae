"""What a sentence says -> checks with their parameters and examples; else the line to type that says one."""

import json
import posixpath
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rulec.domain.candidate import Draft
from rulec.domain.files import globs
from rulec.domain.files.languages import globs_with_covered
from rulec.domain.rule import Check, CheckKind, Example, Scope
from rulec.domain.text.one_line import to_one_line
from rulec.rulebook.example_file import example_data
from rulec.sentences.names import Names
from rulec.sentences.reading import Place, Reading, read_beginning

BY_WORDS = "the sentence names it in so many words"
_CALLS: Mapping[str, str] = {  # how each language calls a function, for an example
    "python": "{0}(value)\n", "javascript": "{0}(value);\n", "typescript": "{0}(value);\n", "ruby": "{0}(value)\n",
    "go": "package a\n\nfunc load(value string) {{\n\t{0}(value)\n}}\n",
    "java": "class A {{ void load(String value) {{ {0}(value); }} }}\n", "php": "<?php\n{0}($value);\n",
    "rust": "fn load(value: &str) {{\n    {0}(value);\n}}\n", "c": "void load(char *value) {{ {0}(value); }}\n",
    "cpp": "void load(char *value) {{ {0}(value); }}\n", "bash": "{0} value\n",
}  # fmt: skip
_IMPORTS: Mapping[str, str] = {
    "python": "import {0}\n", "javascript": 'import thing from "{0}";\n', "typescript": 'import thing from "{0}";\n',
    "go": 'package a\n\nimport "{0}"\n', "java": "import {0};\n\nclass A {{}}\n", "ruby": 'require "{0}"\n',
    "php": "<?php\nuse {0};\n", "rust": "use {0};\n", "c": "#include <{0}>\n", "cpp": "#include <{0}>\n",
}  # fmt: skip
_PLAIN_EVENTS = {"git commit": "git commit -am 'Change it'", "git push": "git push origin feature/x"}
_EDIT = Example(kind="edit", path="src/sample.py", old="a = 1\n", text="a = 2\n")


def draft_of(read: Reading, names: Names) -> Draft | None:
    """The check that a reading asks for with its examples; None where no check knows its place or its parts."""
    makers = {
        "use": _of_use, "import": _of_import, "depend": _of_dependency, "edit": _of_path, "delete": _of_path,
        "commit": _of_committed_path, "commit-on": _of_branch, "push": _of_push, "write": _of_text,
        "comment": _of_text, "message": _of_message, "trailer": _of_message, "before": _of_step, "after": _of_step,
    }  # fmt: skip
    made = makers[read.act](read, names)
    if made is None or not made.invalid:
        return None
    return replace(made, because=BY_WORDS, do=made.do or read.do)


def _of_use(read: Reading, names: Names) -> Draft | None:
    kinds = {one.kind for one in read.things}
    if len(kinds) > 1 or (read.wanted and read.wanted.kind not in kinds and read.wanted.kind == "command"):
        return None
    (kind,) = kinds
    makers = {"command": _of_command, "call": _of_call, "module": _of_import}
    return makers[kind](read, names) if kind in makers else None


# What the recipe of a task runs is its own business, also where it is what a person must not type.
_TASK_RUNNERS = ("make", "gmake", "just", "task", "nox", "tox", "rake", "mise")


def _of_command(read: Reading, _: Names) -> Draft | None:
    if read.place.language or any(one.kind != "command" for one in read.unless):
        return None
    if any(not _is_folder(path) for path in (*read.place.include, *read.place.exclude)):
        return None
    given: dict[str, Any] = {}
    commands = [one.text for one in read.things]
    wanted = read.wanted.text if read.wanted and read.wanted.kind == "command" else ""
    do = read.do or (f"use `{read.wanted.text}`" if read.wanted and not wanted else "")
    unless = [one.text for one in read.unless]
    prefix = wanted.removesuffix(f" {commands[0]}") if wanted.endswith(f" {commands[0]}") else ""
    if prefix and len(commands) == 1:
        template, given = "require-command", {"commands": commands, "prefixes": [prefix]}
    elif wanted and any(wanted.startswith(f"{one} ") for one in commands):
        template, given = "forbid-command", {"commands": commands, "instead": wanted}
        unless.append(wanted)
    elif wanted:
        template, given = "forbid-command", {"commands": commands, "prefer": wanted}
        unless += [wanted] if wanted.split()[0] in _TASK_RUNNERS and " " in wanted else []
    else:
        template, given = "forbid-command", {"commands": commands}
    given |= {"unless": unless} if unless else {}
    given |= {"inside": list(read.place.include)} if read.place.include else {}
    given |= {"outside": list(read.place.exclude)} if read.place.exclude else {}
    entered = f"cd {read.place.include[0]} && " if read.place.include else ""
    plain = [one.replace("--force|-f", "--force") for one in commands]
    invalid = [_command(f"{entered}{one}") for one in plain]
    valid = [_command(f"{entered}{wanted}")] if wanted else []
    valid += [_command(f"git log --grep '{plain[0]}'"), *(_command(one.text) for one in read.unless)]
    valid += [_command(plain[0])] if entered else []
    valid += [_command(f"cd {folder} && {plain[0]}") for folder in read.place.exclude]
    if plain[0].endswith(("--force", " .", " -A")):
        valid.append(_command({"--force": "git push origin feature/x"}.get(plain[0].split()[-1], "git add a.py")))
    return Draft(checks=_checks("guard", template, [given]), invalid=tuple(invalid), valid=tuple(valid), do=do)


def _is_folder(path: str) -> bool:
    """Whether a command can run inside: no file, and no pattern."""
    return "*" not in path and not posixpath.splitext(path.rstrip("/"))[1]


def _of_call(read: Reading, names: Names) -> Draft | None:
    functions = [one.text for one in read.things]
    found = [names.function_languages(_called(one), read.place.language) for one in functions]
    spoken = [language for language in found[0] if all(language in some for some in found)]
    to = read.wanted.text if read.wanted and read.wanted.kind == "call" else ""
    given = {"functions": functions} | ({"prefer": to} if to else {})
    do = read.do or (f"use `{read.wanted.text}`" if read.wanted and not to else "")
    draft = _of_code(read, spoken, "forbid-call", given, (_CALLS, functions, to or "keep"))
    return replace(draft, do=do) if draft else None


def _called(name: str) -> str:
    """The name as a call, by which a function that only the repository knows is still one."""
    return f"{name}()"


def _of_import(read: Reading, names: Names) -> Draft | None:
    modules = [one.text for one in read.things]
    found = [names.module_languages(one, read.place.language) for one in modules]
    spoken = [language for language in found[0] if all(language in some for some in found)][:1]
    to = read.wanted.text if read.wanted and read.wanted.kind == "module" else ""
    if read.wanted and not to:
        return None
    template, given = (
        ("forbid-import", {"modules": modules, "prefer": to}) if to else ("forbid-import", {"modules": modules})
    )
    return _of_code(read, spoken, template, given, (_IMPORTS, modules, to or "keep"))


def _of_code(
    read: Reading,
    spoken: Sequence[str],
    template: str,
    given: Mapping[str, Any],
    shapes: tuple[Mapping[str, str], Sequence[str], str],
) -> Draft | None:
    table, bad, good = shapes
    spoken = [language for language in spoken if language in table]
    if not spoken or read.unless:
        return None
    invalid: list[Example] = []
    valid: list[Example] = []
    for language in spoken:
        path = _sample_path(language, read.place)
        if not path:
            return None
        invalid += [_file(path, table[language].format(_written(one))) for one in bad]
        valid.append(_file(path, table[language].format(_written(good))))
        valid += [replace(invalid[-1], path=_within(glob, path)) for glob in read.place.exclude]
    scope = Scope(include=read.place.include or ("**",), exclude=read.place.exclude)
    parts = [{**given, "language": language} for language in spoken]
    return Draft(checks=_checks("semgrep", template, parts), invalid=tuple(invalid), valid=tuple(valid), scope=scope)


def _written(name: str) -> str:
    return f"thing{name}" if name.startswith(".") else name


def _sample_path(language: str, place: Place) -> str:
    """A file of the language where the rule holds, "" where it has none."""
    suffix = globs_with_covered(language)[0].removeprefix("*")
    if not place.include:
        return f"sample{suffix}"
    path = _within(place.include[0], f"sample{suffix}")
    return path if globs.match(list(place.include), path) and path.endswith(suffix) else ""


def _within(glob: str, path: str) -> str:
    """A file of that name which the glob holds, or the file that it names."""
    name = path.rpartition("/")[2]
    ways = (posixpath.join(globs.literal_folder(glob) or glob.strip("/*"), name), f"{glob.rstrip('/*')}/{name}", glob)
    return next((way for way in ways if "*" not in way and globs.match([glob], way)), glob_sample(glob))


def glob_sample(glob: str) -> str:
    """A file that the glob holds."""
    plain = globs.expand_braces(glob)[0].replace("**/", "").replace("**", "sample.txt").replace("*", "sample").strip()
    path = f"{plain}sample.txt" if plain.endswith("/") else plain
    return path if globs.match([glob], path) else f"{path}/sample.txt"


def _of_dependency(read: Reading, _: Names) -> Draft | None:
    names = [one.text for one in read.things]
    invalid = tuple(_command(f"npm install {one}") for one in names)
    valid = (_command(f"npm view {names[0]}"),)
    return Draft(checks=_checks("guard", "dependency", [{"forbid": names}]), invalid=invalid, valid=valid)


def _of_path(read: Reading, _: Names) -> Draft | None:
    paths = [one.text for one in read.things]
    given: dict[str, Any] = {"globs": paths}
    given |= {"except": [one.text for one in read.unless]} if read.unless else {}
    given |= {"how": ["delete"]} if read.act == "delete" else {}
    bad = [glob_sample(path) for path in paths]
    if read.act == "delete":
        invalid = [_command(f"rm {path}") for path in bad]
    else:
        invalid = [Example(kind="edit", path=path, old="a = 1\n", text="a = 2\n", source="statement") for path in bad]
    valid = [_command(f"cat {bad[0]}")]
    valid += [replace(_file(glob_sample(one.text), "x\n")) for one in read.unless]
    return Draft(checks=_checks("guard", "protect-path", [given]), invalid=tuple(invalid), valid=tuple(valid))


def _of_committed_path(read: Reading, _: Names) -> Draft | None:
    paths = [glob for one in read.things for glob in _kinds_of(one.text, of_kind=read.suffix_of)]
    given: dict[str, Any] = {"globs": paths}
    spared = [one.text for one in read.unless] + (_SPECIMENS if ".env.*" in paths else [])
    given |= {"except": spared} if spared else {}
    bad = [_specimen(path) for path in paths]
    valid = [_file("src/sample.txt", "x\n"), *(_file(glob_sample(one.text), "x\n") for one in read.unless)]
    if ".env" in paths and ".env.*" in paths:
        valid.append(_file(".env.example", "KEY=\n"))
    return Draft(
        checks=_checks("guard", "forbid-path", [given]),
        invalid=tuple(_file(path, "x\n") for path in bad),
        valid=tuple(valid),
    )


_SPECIMENS = ["*.example", "*.sample", "*.template", "*.dist"]  # what is committed in the place of a file of settings


def _kinds_of(path: str, *, of_kind: bool) -> tuple[str, ...]:
    """The files that ".env files" names: those called so, and those of that kind."""
    if not of_kind or not path.startswith(".") or "/" in path:
        return (path,)
    return (path, f"{path}.*", f"*{path}") if path == ".env" else (f"*{path}",)


def _specimen(glob: str) -> str:
    """A file that the glob holds and that is no example of its kind."""
    return glob.removesuffix("*") + "local" if glob.endswith(".*") else glob_sample(glob)


def _of_branch(read: Reading, _: Names) -> Draft | None:
    given = {"commands": ["git commit"], "on_branch": [one.text for one in read.things]}
    valid = (_command("git log --oneline"),)
    return Draft(
        checks=_checks("guard", "forbid-command", [given]), invalid=(_command("git commit -m sample"),), valid=valid
    )


def _of_push(read: Reading, _: Names) -> Draft | None:
    branches = [one.text for one in read.things]
    invalid = tuple(_command(f"git push origin {one}") for one in branches)
    valid = (_command("git push origin feature/x"),)
    given = {"commands": ["git push"], "push_to": branches}
    return Draft(checks=_checks("guard", "forbid-command", [given]), invalid=invalid, valid=valid)


def _of_text(read: Reading, _: Names) -> Draft | None:
    if read.place.exclude or read.place.language:
        return None
    patterns = [_pattern(one.text) for one in read.things]
    given: dict[str, Any] = {"patterns": patterns}
    given |= {"globs": list(read.place.include)} if read.place.include else {}
    path = _within(read.place.include[0], "sample.py") if read.place.include else "src/sample.py"
    if read.act == "comment":
        given |= {"part": "comments"}
        invalid = tuple(_file(path, f"# {one.text} mend it\n") for one in read.things)
        return Draft(checks=_checks("guard", "forbid-text", [given]), invalid=invalid, valid=(_file(path, "# Why.\n"),))
    invalid = tuple(_file(path, f"x = 1  # {one.text}\n") for one in read.things)
    return Draft(checks=_checks("guard", "forbid-text", [given]), invalid=invalid, valid=(_file(path, "x = 1\n"),))


def _of_message(read: Reading, _: Names) -> Draft | None:
    texts = [one.text for one in read.things]
    trailers = read.act == "trailer"
    given = {"forbid_trailers": texts} if trailers else {"forbid": [_pattern(one) for one in texts]}
    bad = [
        f"Add a page\n\n{one}: somebody <somebody@people.example>\n" if trailers else f"{one} add a page\n"
        for one in texts
    ]
    invalid = tuple(Example(kind="message", text=one, source="statement") for one in bad)
    valid = (Example(kind="message", text="Add a page\n", source="statement"),)
    return Draft(checks=_checks("shell", "commit-message", [given]), invalid=invalid, valid=valid)


def _pattern(text: str) -> str:
    """A regular expression for a text that stands alone."""
    plain = "".join(sign if sign.isalnum() or sign in "_ @#:/" else f"\\{sign}" for sign in text)
    return f"{chr(92) + 'b' if text[:1].isalnum() else ''}{plain}{chr(92) + 'b' if text[-1:].isalnum() else ''}"


def _of_step(read: Reading, _: Names) -> Draft | None:
    events = [one.text for one in read.behind if one.kind == "command"]
    given: dict[str, Any] = {}
    if read.act == "after":
        given = {"before_stop": True, "since": [one.text for one in read.behind]}
    elif read.at_end:
        given = {"before_stop": True, "since": ["**"]}
    else:
        given = {"before_commands": events}
        given |= {"since": ["**"]} if set(events) <= set(_PLAIN_EVENTS) else {}
    steps = [one.text for one in read.things]
    if set(steps) & set(events):
        return None
    changed = replace(_EDIT, path=glob_sample(read.behind[0].text)) if read.act == "after" else _EDIT
    edit = [changed] if "since" in given else []
    ends = [_command(_PLAIN_EVENTS.get(events[0], events[0]))] if events else [Example(kind="stop", text="It is done.")]
    runs = [_command(step) for step in steps]
    invalid, valid = (
        Example(kind="session", text="", steps=tuple(replace(one, source="") for one in part), source="statement")
        for part in ([*edit, *ends], [*edit, *runs, *ends])
    )
    parts = [{"first_commands": [step], **given} for step in steps]  # each of several must come first
    return Draft(checks=_checks("guard", "require-before", parts), invalid=(invalid,), valid=(valid,))


def _checks(kind: CheckKind, template: str, parts: Sequence[Mapping[str, Any]]) -> tuple[Check, ...]:
    return tuple(Check(kind=kind, template=template, parameters=dict(part)) for part in parts)


def _command(text: str) -> Example:
    return Example(kind="command", text=text, source="statement")


def _file(path: str, text: str) -> Example:
    return Example(kind="file", path=path, text=text, source="statement")


_TELLING = ("command", "file", "edit", "message")  # kinds of examples that an option can say


JUDGED = "--judge"


def line_to_type(statement: str, names: Names) -> str:
    """``rulec add`` with a check of what the statement begins with; with a model as the judge of all that it says.

    A word that is merely named is no reason to refuse it: "only in src/" forbids nothing in src/.
    """
    said = f"rulec add {shlex.quote(to_one_line(statement))}"
    read = read_beginning(statement, names)
    draft = draft_of(read, names) if read else None
    whole = draft and len(draft.checks) == 1 and draft.invalid[0].kind in _TELLING
    return f"{said} {' '.join(_options(draft))}" if draft and whole else f"{said} {JUDGED}"


def _options(draft: Draft) -> Iterator[str]:
    (check,) = draft.checks
    yield f"--check {check.template}"
    for name, value in check.parameters.items():
        yield f"--with {shlex.quote(f'{name}={_value(value)}')}"
    for option, examples in (("--invalid", draft.invalid[:1]), ("--valid", draft.valid[:1])):
        yield from (f"{option} {shlex.quote(_example(one))}" for one in examples)


def _value(value: Any) -> str:
    if not isinstance(value, list):
        return str(value)
    return json.dumps(value) if len(value) > 1 else str(value[0])


def _example(example: Example) -> str:
    if example.kind == "command":
        return example.text
    return json.dumps(example_data(replace(example, source="")), ensure_ascii=False)
