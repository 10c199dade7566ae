"""Examples for a draft: what the session shows, what a sentence's own words say, and what a template knows."""

import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from rulec.domain.files import globs
from rulec.domain.rule import Example
from rulec.domain.transcript import Action
from rulec.drafting.forms.instantiations import Instantiation, globs_of_language
from rulec.shell.command_matching import matches
from rulec.shell.parsing.parser import parse_shell

MOST = 4  # examples that one sample makes
LONGEST = 4_000  # characters of an action's text that an example keeps
_SLOT = re.compile(r"\{(\w+)(\.longer)?\}")
_CODE: Mapping[str, Mapping[str, str]] = {  # how each language calls, imports and declares, for a sample
    "python": {"swallow": "def load(value):\n    try:\n        value()\n    except Exception:\n        pass\n", "definition": "def load(value):\n    return value\n", "call": "{0}(value)\n", "import": "import {0}\n", "type": "def load(value: {0}) -> None:\n    pass\n"},
    "javascript": {"swallow": "export function load(value) {{\n  try {{\n    value();\n  }} catch (error) {{}}\n}}\n", "definition": "export function load(value) {{\n  return value;\n}}\n", "call": "{0}(value);\n", "import": 'import thing from "{0}";\n', "type": "let value: {0};\n"},
    "typescript": {"swallow": "export function load(value) {{\n  try {{\n    value();\n  }} catch (error) {{}}\n}}\n", "definition": "export function load(value) {{\n  return value;\n}}\n", "call": "{0}(value);\n", "import": 'import thing from "{0}";\n', "type": "let value: {0};\n"},
    "go": {"definition": "package a\n\nfunc Load(value string) string {{\n\treturn value\n}}\n", "call": "package a\n\nfunc load(value string) {{\n\t{0}(value)\n}}\n", "import": 'package a\n\nimport "{0}"\n',
           "type": "package a\n\nfunc load(value {0}) {{\n}}\n"},
    "java": {"swallow": "class A {{ void load() {{ try {{ go(); }} catch (Exception e) {{ }} }} }}\n", "call": "class A {{ void load(String value) {{ {0}(value); }} }}\n", "import": "import {0};\n\nclass A {{}}\n",
             "type": "class A {{ {0} value; }}\n"},
    "ruby": {"swallow": "begin\n  load\nrescue StandardError\nend\n", "call": "{0}(value)\n", "import": 'require "{0}"\n'},
    "php": {"call": "<?php\n{0}($value);\n", "import": "<?php\nuse {0};\n", "type": "<?php\nfunction load({0} $value) {{}}\n"},
    "rust": {"call": "fn load(value: &str) {{\n    {0}(value);\n}}\n", "import": "use {0};\n"},
    "c": {"call": "void load(char *value) {{ {0}(value); }}\n", "import": "#include <{0}>\n"},
    "cpp": {"call": "void load(char *value) {{ {0}(value); }}\n", "import": "#include <{0}>\n"},
    "bash": {"call": "{0} value\n"},
}  # fmt: skip
_FUNCTIONS = {
    "python": ("def long():\n", "    step({0})\n", ""),
    "javascript": ("function long() {\n", "  step({0});\n", "}\n"),
    "go": ("package a\n\nfunc long() {\n", "\tstep({0})\n", "}\n"),
    "java": ("class A {\n  void go() {\n", "    step({0});\n", "  }\n}\n"),
    "ruby": ("def long\n", "  step({0})\n", "end\n"),
    "rust": ("fn long() {\n", "    step({0});\n", "}\n"),
}


def sample_examples(said: Instantiation) -> tuple[tuple[Example, ...], tuple[Example, ...]]:
    """Invalid and valid examples that follow from the parameters of a sentence."""
    given = said.form.samples or said.template.samples
    invalid, valid = (
        tuple(one for sample in given.get(side, ()) for one in _fill_sample(sample, said))
        for side in ("invalid", "valid")
    )
    own = _of_cases(said)
    if not invalid:
        return own
    return tuple(dict.fromkeys(invalid)), tuple(
        dict.fromkeys((*(valid or own[1][:MOST]), *_valid_elsewhere(said, invalid, given)))
    )


def _valid_elsewhere(said: Instantiation, invalid: Sequence[Example], given: Mapping[str, Any]) -> Iterator[Example]:
    """Valid examples: what is invalid elsewhere, done where the sentence allows it, or what it allows by name."""
    first, kinds = invalid[0], {one.name: one.type for one in said.template.parameters}
    named = _items(said.parameters.get("globs")) or ["**"]
    places = said.parameters.get("except", ()) if kinds.get("except") == "list[glob]" else ()
    for glob in (*said.scope.exclude, *places)[:MOST]:
        (folder, name), (own, other) = posixpath.split(first.path), posixpath.split(_path(glob))
        ways = (posixpath.join(own, name), posixpath.join(folder, other), _path(glob))
        if first.path:
            yield replace(
                first, path=next((way for way in ways if globs.match([glob], way) and globs.match(named, way)), ways[2])
            )
    for right in re.findall(r"`([^`]+)`", said.do) if said.template.unit == "command" else ():
        yield Example(kind="command", text=right, source="statement")
    for folder in said.parameters.get("outside", ())[:MOST]:
        yield replace(first, text=f"cd {folder} && {first.text}")
    for key in ("unless", "except"):
        if said.parameters.get(key) and (kinds[key] != "list[glob]" or not first.path):
            mine = {name: said.parameters[key] for name in said.parameters if name != key and kinds[name] == kinds[key]}
            bare = replace(said, parameters={**said.parameters, **mine})
            yield from (one for sample in given.get("invalid", ()) for one in _fill_sample(sample, bare))


def _of_cases(said: Instantiation) -> tuple[tuple[Example, ...], tuple[Example, ...]]:
    """The examples of the template's case with exactly these parameters, if it has one."""
    declared = {one.name: one.default for one in said.template.parameters}
    mine = {**declared, **said.parameters}
    for case in said.template.cases:
        if {**declared, **case.parameters} == mine:
            found = (tuple(replace(one, source="template") for one in some) for some in (case.invalid, case.valid))
            invalid, valid = found
            return invalid[: 2 * MOST], valid[: 2 * MOST]
    return (), ()


def _fill_sample(sample: Mapping[str, Any], said: Instantiation) -> Iterator[Example]:
    """A sample with the parameters in its slots, once for each of the first things that a slot stands for."""
    texts = [text for text in sample.values() if isinstance(text, str)]
    names = list(dict.fromkeys(found[1] for text in texts for found in _SLOT.finditer(text)))
    many = max((len(_items(said.parameters.get(name))) for name in names), default=1)
    if any(not _items(said.parameters.get(name)) for name in names):
        return
    for at in range(min(many, MOST)):
        values = {
            name: _plain(said, name, _items(said.parameters[name])[at % len(_items(said.parameters[name]))])
            for name in names
        }
        filled = {key: _filled(text, values) if isinstance(text, str) else text for key, text in sample.items()}
        for one in _example(filled, said):
            # the form fits the whole sentence: either the telling part stands in it, or its words are words for it
            yield replace(one, source="statement")


def _plain_regex(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", re.sub(r"\\b|^\^|\$$", "", text))


def _items(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [] if value in (None, "", {}) else [value]


def _plain(said: Instantiation, name: str, value: Any) -> str:
    """What a command pattern, a glob or a regular expression stands for, in its simplest form."""
    kind = next((one.type for one in said.template.parameters if one.name == name), "")
    text = str(value)
    if name == "forbid_trailers":
        return text if ": " in text else f"{text}: somebody <somebody@people.example>"
    if "command" in kind:
        return re.sub(r"(\S+?)\|\S+", r"\1", text).replace("* ", "git ").replace("*", "") if " | " not in text else text
    if "glob" in kind:
        return _path(text)
    if "regex" in kind:
        return _plain_regex(text)
    return text


def _path(glob: str) -> str:
    """A file that the glob holds."""
    marks = {
        "@code": "src/sample.py",
        "@tests": "tests/test_sample.py",
        "@changelog": "CHANGELOG.md",
        "@docs": "docs/a.md",
    }
    if glob in marks:
        return marks[glob]
    # nothing called *.sample: that is a specimen, which is spared
    plain = re.sub(r"\.\*$", ".local", re.sub(r"(?<=\w)\*(?=\.)", "", globs.expand_braces(glob)[0]))
    path = plain.replace("**/", "").replace("**", "sample.txt").replace("*", "sample").strip()
    path = f"{path}sample.txt" if path.endswith("/") else path
    return path if globs.match([glob], path) else f"{path}/sample.txt"


def _filled(text: str, values: Mapping[str, str]) -> str:
    return _SLOT.sub(
        lambda found: "word " * (int(values[found[1]]) // 5 + 2) if found[2] else values[found[1]], text
    ).strip(" ")


def _example(sample: Mapping[str, Any], said: Instantiation) -> Iterator[Example]:  # noqa: C901 - a case for each kind
    ((kind, text), *_) = sample.items()
    if kind == "command":
        inside = "".join(f"cd {folder} && " for folder in _items(said.parameters.get("inside"))[:1])
        yield Example(kind="command", text=f"{inside}{text}")
    elif kind == "message":
        yield Example(kind="message", text=f"{text}\n")
    elif kind == "file":
        yield Example(
            kind="file", path=_place_in_scope(posixpath.normpath(text), said), text=str(sample.get("content", ""))
        )
    elif kind == "edit":
        yield Example(kind="edit", path=text, old=str(sample.get("old", "")), text=str(sample.get("new", "")))
    elif kind == "reply":
        yield Example(kind="reply", text=text)
    elif kind == "tool":
        yield Example(kind="tool", text=text, args="{}")
    elif kind == "asked":
        yield from _asking_session(said, rightly=text == "valid")
    elif kind == "companion":
        yield Example(kind="commit", text="Change it", files=((text, "x = 1\n"),))
    elif kind == "order":
        yield from _ordered_session(said, rightly=text == "valid")
    elif body := _code(kind, text, str(said.parameters.get("language", ""))):
        yield Example(kind="file", path=_source(said), text=body)


def _code(kind: str, text: str, language: str) -> str:
    """Code that calls, imports or declares the name, or a long function; "" where the language has no sample."""
    if kind in ("text", "file_lines"):
        return f"{text}\n" if kind == "text" else "line\n" * (int(text) + 2)
    if kind == "function_lines" and language in _FUNCTIONS:
        head, line, end = _FUNCTIONS[language]
        return head + "".join(line.format(at) for at in range(int(text) + 2)) + end
    shape = _CODE.get(language, {}).get(kind, "")
    return shape.format(f"thing{text}" if text.startswith(".") else text)


def _source(said: Instantiation) -> str:
    ending = next(iter(globs_of_language(str(said.parameters.get("language", "")))), "*.txt")
    return _place_in_scope(f"sample{ending[1:]}", said)


def _place_in_scope(path: str, said: Instantiation) -> str:
    """The path moved to where the rule holds."""
    wanted = (
        [*said.scope.include, *_items(said.parameters.get("globs"))] if said.template.unit in ("file", "line") else []
    )
    for glob in wanted:
        for way in (
            path,
            posixpath.join(globs.literal_folder(glob) or glob.strip("/*"), posixpath.basename(path)),
            _path(glob),
        ):
            if globs.match([glob], way):
                return way
    return path


def _ordered_session(said: Instantiation, *, rightly: bool) -> Iterator[Example]:
    """A session in which the step comes first, or does not."""
    given = said.parameters
    since = _items(given.get("since"))
    edits = _items(given.get("before_edits"))
    changed = _path(since[0]) if since and since[0] != "**" else "src/sample.py"
    edited = _path(edits[0]) if edits and edits[0] != "**" else "src/sample.py"
    edit = Example(kind="edit", path=edited if edits else changed, old="a = 1\n", text="a = 2\n")
    runs, reads = _items(given.get("first_commands"))[:1], _items(given.get("first_reads"))[:1]
    step = [Example(kind="command", text=_plain(said, "first_commands", one)) for one in runs]
    step += [Example(kind="read", text="", path=edited if one == "same" else _path(one)) for one in reads]
    first = step if rightly else []
    if given.get("before_stop"):
        yield Example(kind="session", text="", steps=(edit, *first, Example(kind="stop", text="It is done.")))
    elif edits:
        yield Example(kind="session", text="", steps=(*first, edit))
    for command in _items(given.get("before_commands"))[:1]:
        plain = {"git commit": "git commit -am 'Change it'", "git push": "git push origin feature/x"}
        act = Example(kind="command", text=plain.get(command, command))
        yield Example(kind="session", text="", steps=(*([edit] * bool(since)), *first, act))


def _asking_session(said: Instantiation, *, rightly: bool) -> Iterator[Example]:
    """A session in which the act is done that a person is asked about, or only a look is taken."""
    word = Example(kind="says", text="Mend the typo in the heading.")
    for command in _items(said.parameters.get("commands")):
        plain = _plain(said, "commands", command)
        act = Example(kind="command", text=f"echo '{plain}'" if rightly else plain)
        yield Example(kind="session", text="", steps=(word, act))
    for name in _items(said.parameters.get("packages"))[:1]:
        plain = name.replace("*", "sample").strip("/")
        act = Example(kind="command", text=f"npm {'view' if rightly else 'install'} {plain}")
        yield Example(kind="session", text="", steps=(word, act))
    for glob in _items(said.parameters.get("globs")):
        path = _path(glob)
        if rightly:
            yield Example(kind="session", text="", steps=(word, Example(kind="read", path=path, text="")))
            continue
        gone = said.parameters.get("how") == ["delete"]
        act = (
            Example(kind="delete", text="", path=path)
            if gone
            else Example(kind="edit", path=path, old="a = 1\n", text="a = 2\n")
        )
        yield Example(kind="session", text="", steps=(word, act))


def examples_from_session(
    said: Instantiation, before: Sequence[Action], after: Sequence[Action]
) -> tuple[tuple[Example, ...], tuple[Example, ...]]:
    """What of a session a draft's parameters point at: of before as invalid, and what was accepted after as valid."""
    caught = [action for action in before if does_what_is_named(said, action)]
    passed = [action for action in after if not does_what_is_named(said, action)]
    invalid = (one for action in caught[-2:] for one in action_as_example(action))
    valid = (one for action in passed[:MOST] for one in action_as_example(action))
    return tuple(invalid), tuple(valid)


def does_what_is_named(said: Instantiation, action: Action) -> bool:
    """Whether an action does what the parameters name, as far as that is plain without running the check."""
    commands = [*_items(said.parameters.get("commands")), *_items(said.parameters.get("from"))]
    if said.template.unit == "command" and action.kind == "command" and len(action.command) <= LONGEST:
        calls = parse_shell(action.command).calls
        if any(str(prefix) in action.command for prefix in _items(said.parameters.get("prefixes"))):
            return False
        if "branches" in said.parameters:
            wanted = {str(one) for one in _items(said.parameters["branches"])}
            return any(
                matches("git push", call) and wanted & {w.rpartition(":")[2] for w in call.argv} for call in calls
            )
        hit = [call for call in calls if any(matches(str(one), call) for one in commands)]
        flags = [part for one in _items(said.parameters.get("flags")) for part in str(one).split("|")]
        have = [any(word.split("=")[0] in flags for word in call.argv) for call in hit]
        return any(have) if said.template.compares.forbidden == "flags" else not all(have) if flags else bool(hit)
    if said.template.unit not in ("file", "line") or not action.path or action.kind not in ("write", "edit", "delete"):
        return False
    places = _items(said.parameters.get("globs"))
    if said.template.compares.forbidden == "globs":
        return globs.match([str(one) for one in places], action.path)
    if not globs.match(list(said.scope.include), action.path) or globs.match(list(said.scope.exclude), action.path):
        return False
    names = [
        str(one)
        for key in ("functions", "from", "modules", "types", "patterns", "names")
        for one in _items(said.parameters.get(key))
    ]
    language = str(said.parameters.get("language", ""))
    if language and not globs.match(list(globs_of_language(language)), action.path):
        return False
    regexes = "patterns" in said.parameters
    ways = [name if regexes else rf"(?<![\w.]){re.escape(name)}(?!\w)" for name in names]
    return any(len(re.findall(way, action.new)) > len(re.findall(way, action.old)) for way in ways)


def action_as_example(action: Action) -> Iterator[Example]:
    """An action as an example, where it can be one."""
    if action.rejected and action.kind == "read":
        return
    if action.kind == "command" and len(action.command) <= LONGEST:
        yield Example(kind="command", text=action.command, source="transcript")
    elif action.kind in ("write", "edit") and action.path and not action.path.startswith(("/", "~", "..")):
        if len(action.new) + len(action.old) > 4 * LONGEST:
            return
        kind: Literal["file", "edit"] = "file" if action.kind == "write" or not action.old else "edit"
        old = action.old if kind == "edit" else ""
        yield Example(kind=kind, path=action.path, old=old, text=action.new, source="transcript")


def strongest_of_each(examples: Iterable[Example]) -> tuple[Example, ...]:
    """Each example once, the strongest source first."""
    return tuple(dict.fromkeys(examples))
