"""What a command line runs: the words or the shell text that wrappers, shells, terminals and containers are given.

How a program does that stands in rulec/programs.toml, and is read here.
"""

from __future__ import annotations

import re
from itertools import pairwise

from rulec.shell.parsing.call import first_operand, operands, option_values, quote_word, takes_value, unescape
from rulec.shell.programs import WORDS, facts_of, global_options, interpreter_of, is_shell, runs_how, valued_options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.shell.programs import Facts


TEXT_OF_GIT = ("-x", "--exec")  # git rebase, git submodule foreach
NODE_VERSION = re.compile(r"v?\d|(?:lts/.*|node|stable|system|default|current|iojs)$")
HERE = (".", "/", "~", "$", "`")  # how the source of a mount begins that is a folder, and no volume
_VERSION = r"(?<=.)(?:@|\[|[=~<>!]=).*"  # behind a package's name
_PUT_IN = r"%\([^)]*\)|%-?[\d.]*[A-Za-z]{1,2}|\{\{[^}]*\}\}"  # in the form of what is printed
GIVEN = "{}"  # stands in a command's words for the files that another one lists
MOST_READ = 100  # words that xargs is given
FINDERS = ("-exec", "-execdir", "-ok", "-okdir")
SHELL_VALUED = ("--rcfile", "--init-file")  # besides -o and -O, also at the end of a cluster
DEEPEST_VERB = 2  # words of a subcommand: docker compose run
LONGEST = 20_000  # characters of a text that are searched for commands
TYPED_ENDS = ("enter", "c-m", "c-j", "kpenter")


class WrappedCommand:
    """What a wrapper runs: words (argv), or shell text where there are no words."""

    __slots__ = ("args", "argv", "container", "cwd", "dynamic", "env", "text", "via")

    def __init__(self, via: str, argv: list[str] | None = None, text: str = "", cwd: str = "") -> None:
        self.via, self.argv, self.text, self.cwd = via, argv or [], text, cwd
        self.args: list[str] = []  # what $0, $1 ... are in the text
        self.dynamic = False
        self.env: dict[str, str] = {}
        self.container = ("", "")  # in which it runs: what opens it (docker exec, docker compose), and its name


def wrapped_commands(program: str, argv: list[str]) -> list[WrappedCommand]:
    """The commands that this command runs."""
    facts = facts_of(program)
    how = facts.get("runs", "")
    if how in READERS:
        return READERS[how](program, argv)
    if "text" in facts:
        texts = _texts_of_options(argv, facts)
        if texts:
            return [WrappedCommand(program, text=texts[0])]
    if how == "words":
        return _run_by_wrapper(program, argv, 1)
    return [] if how else _run_by_subcommand(program, argv)


def _run_by_subcommand(program: str, argv: list[str]) -> list[WrappedCommand]:
    key, at, valued = program, 0, global_options(program)
    for _ in range(DEEPEST_VERB):
        at = first_operand(argv, at + 1, valued)
        if at >= len(argv):
            return []
        key += " " + argv[at]
        how = runs_how(key)
        if how in ("service", "container", "inside"):
            return _run_in_container(key, argv, at + 1)
        if how == "words":
            return _run_by_wrapper(key, argv, at + 1)
        if how in READERS:
            return READERS[how](key, argv)
        valued = [*valued, *global_options(key), *valued_options(key)]
    return []


def _run_in_container(key: str, argv: list[str], start: int) -> list[WrappedCommand]:
    """What runs in a container: the words behind the image or service, or its entry point with them.

    An image is often named after its entry point; one of an interpreter runs the words themselves, if they are no
    options. A container that mounts no folder of this machine has other files, and a top of its own.
    """
    facts = facts_of(key)
    at = first_operand(argv, start, valued_options(key))
    given, image, rest = argv[start:at], "".join(argv[at : at + 1]), argv[at + 1 :]
    if "pod" in facts and "--" in rest:
        rest = rest[rest.index("--") + 1 :]
    new = facts.get("runs") == "container"
    entry = option_values(given, ("--entrypoint",))[-1:]
    runs = [[*entry, *rest]]
    if new and rest and not entry:
        program = image.partition("@")[0].rpartition("/")[2].partition(":")[0]
        options = rest[0].startswith("-")
        runs = [] if options else [rest]
        runs += [[program, *rest]] if options or not (interpreter_of(program) or is_shell(program)) else []
    sources = option_values(given, ("-v", "--volume"))
    parts = [part.partition("=") for one in option_values(given, ("--mount",)) for part in one.split(",")]
    sources += [value for name, _, value in parts if name in ("source", "src")]
    alone = facts.get("runs") == "inside" or (new and not any(source.startswith(HERE) for source in sources))
    tool = key.replace("docker-compose", "docker compose").replace(" container", "")
    found = [WrappedCommand(key, words) for words in runs if words]
    for one in found:
        one.cwd = "/" * alone
        # A container is not named as its image is, but a service is one.
        one.container = (tool.rpartition(" ")[0] if " compose " in tool else tool, image)
    return found


def _run_by_shell(program: str, argv: list[str]) -> list[WrappedCommand]:
    at = _text_place(argv)
    if not at:
        return []
    found = WrappedCommand(program, text=argv[at])
    found.args = argv[at + 1 :]
    return [found]


def shell_options(argv: list[str]) -> tuple[str, int]:
    """The letters of a shell's own options, and where its first operand stands: ``bash -euo pipefail -c TEXT``."""
    letters, index = "", 1
    while index < len(argv) and argv[index][:1] in ("-", "+") and len(argv[index]) > 1:
        word = argv[index]
        index += 1
        if word == "--":
            break
        if word.startswith("--"):
            letters += "c" * (word == "--command")
            index += word in SHELL_VALUED
        else:
            letters += word[1:] if word[0] == "-" else ""
            index += sum(letter in "oO" for letter in word)  # each takes the name of an option
    return letters, index


def _text_place(argv: list[str]) -> int:
    """Where the text of ``bash -c TEXT`` stands, 0 where there is none."""
    letters, at = shell_options(argv)
    return at if "c" in letters and at < len(argv) else 0


def reads_commands_from_stdin(program: str, argv: list[str]) -> bool:
    """Whether a shell takes its commands from standard input."""
    how = runs_how(program)
    if how != "shell" or _text_place(argv):
        return how == "stdin"
    letters, at = shell_options(argv)
    return at >= len(argv) or "s" in letters or argv[at] in ("-", "/dev/stdin")


def with_xargs_words(argv: list[str], run: list[str], given: str) -> list[str]:
    """The words that ``xargs`` runs, with those that it reads."""
    words = given.split()[:MOST_READ]
    own = argv[: len(argv) - len(run)]
    sign = next((after for word, after in zip(own, [*own[1:], ""], strict=False) if word == "-I"), "")
    sign = sign or next((word[2:] for word in own if word.startswith("-I") and word[2:]), "")
    sign = sign or ("{}" if "-i" in own else "")
    return [word.replace(sign, " ".join(words)) for word in run] if sign else [*run, *words]


def _run_by_wrapper(key: str, argv: list[str], start: int) -> list[WrappedCommand]:
    """The command behind a wrapper's own options, operands and variables."""
    facts = facts_of(key)
    if key == "command" and any(word in ("-v", "-V") for word in argv[1:2]):
        return []
    found = WrappedCommand(key)
    index = first_operand(argv, start, valued_options(key))
    found.cwd = "".join(option_values(argv[start:index], tuple(facts.get("folder", "").split()))[-1:])
    index += facts.get("before", 0) + (key == "env" and argv[index : index + 1] == ["-"])
    index += key == "nvm exec" and bool(NODE_VERSION.match("".join(argv[index : index + 1])))
    if "after_dashes" in facts and "--" in argv[index:]:
        index = argv.index("--", index)
    while index < len(argv) and ("variables" in facts or argv[index] == "--"):
        name, equals, value = argv[index].partition("=")
        if argv[index] == "--":
            index += 1
            break
        if not equals or not name.isidentifier():
            break
        found.env[name] = value
        index += 1
    found.argv = argv[index:]
    found.dynamic = "more_words" in facts
    if "versions" in facts and found.argv:
        found.argv = [re.sub(_VERSION, "", found.argv[0]), *found.argv[1:]]
    if "own_words" in facts and found.argv:
        found.cwd = "".join(argv[index - facts.get("before", 0) : index])
        found.argv = [argv[0], *found.argv]
    return [found] if found.argv else []


def _texts_of_options(argv: list[str], facts: Facts) -> list[str]:
    """The shell texts that options are given; a wrapper's own options end where its command begins."""
    names = facts["text"].split()
    ends = len(argv)
    if facts.get("runs") == "words":
        ends = first_operand(argv, 1, [*facts.get("values", "").split(), *names]) + facts.get("before", 0) + 1
    for word, after in zip(argv[1:ends], [*argv[2:], ""], strict=False):
        name, equals, value = word.partition("=")
        short = word.startswith("-") and not word.startswith("--")
        if name in names or (short and takes_value(word, names)):
            return [text for text in (value if equals else after,) if text]
        if short and word[:2] in names:
            return [word[2:]]
    return []


def _run_as_text(program: str, argv: list[str]) -> list[WrappedCommand]:
    """All words together, or each of them, as shell text."""
    start = first_operand(argv, 1, valued_options(program))
    text = ("\n" if runs_how(program) == "each" else " ").join(argv[start:])
    return [WrappedCommand(program, text=text)] if text else []


def _run_on_other_machine(program: str, argv: list[str]) -> list[WrappedCommand]:
    facts = facts_of(program)
    start = first_operand(argv, 1, valued_options(program)) + facts.get("before", 1)
    text = "".join(_texts_of_options(argv, facts)) if "text" in facts else " ".join(argv[start:])
    return [WrappedCommand(program, text=text, cwd="/")] if text else []


def _run_by_chosen(program: str, argv: list[str]) -> list[WrappedCommand]:
    """The program's own words behind the version that is picked: ``cargo +nightly test``."""
    chosen = argv[1:2] and argv[1].startswith("+")
    return [WrappedCommand(program, [argv[0], *argv[2:]])] if chosen else []


def _run_with_listed(program: str, argv: list[str]) -> list[WrappedCommand]:
    """The program that is the first operand, with the words that options list: ``Start-Process a -Args b,c``."""
    facts = facts_of(program)
    lists, others = facts["text"].lower().split(), facts.get("values", "").lower().split()
    named: list[str] = []
    listed: list[str] = []
    option = ""
    for word in argv[1:]:
        if word.startswith("-") and not option:
            option = word.lower() if word.lower() in (*lists, *others) else ""
            continue
        if option not in others:
            (listed if option else named).append(word)
        option = option if word.endswith(",") else ""
    words = [one for word in (*named[1:], *listed) for one in word.replace(",", " ").split()]
    return [WrappedCommand(program, [named[0], *words])] if named else []


def _run_by_trap(program: str, argv: list[str]) -> list[WrappedCommand]:
    return [WrappedCommand(program, text=argv[1])] if argv[2:] and argv[1] not in ("", "-") else []


def _run_by_find(_: str, argv: list[str]) -> list[WrappedCommand]:
    found = []
    index = 0
    while index < len(argv):
        if argv[index] in FINDERS:
            end = index + 1
            while end < len(argv) and argv[end] not in (";", "+"):
                end += 1
            run = WrappedCommand("find", argv[index + 1 : end])
            run.dynamic = True
            found.append(run)
            index = end
        index += 1
    return [run for run in found if run.argv]


def _run_by_git(_: str, argv: list[str]) -> list[WrappedCommand]:
    rebase = argv.index("rebase") if "rebase" in argv else -1
    verb = first_operand(argv, 1, ["-C", "-c", "--git-dir", "--work-tree", "--namespace"])
    found = _run_by_aliases(argv, verb)
    for index, word in enumerate(argv[:-1]):
        following = argv[index + 1]
        if word == "-c" and index < verb and _runs_value(following):
            found.append(WrappedCommand("git -c", text=following.partition("=")[2]))
        elif (word in WORDS["git_filters"] and argv[verb] == "filter-branch") or (
            word in ("-x", "--extcmd") and argv[verb] == "difftool"
        ):
            found.append(WrappedCommand("git " + argv[verb], text=following))
        elif word in TEXT_OF_GIT and 0 <= rebase < index:
            found.append(WrappedCommand("git rebase", text=following))
        elif word == "foreach" and argv[index - 1] == "submodule":
            found.append(
                WrappedCommand("git submodule", text=" ".join(w for w in argv[index + 1 :] if w != "--recursive"))
            )
        elif word == "run" and argv[max(0, index - 1)] == "bisect":
            found.append(WrappedCommand("git bisect", argv[index + 1 :]))
    return found


def _run_by_aliases(argv: list[str], verb: int) -> list[WrappedCommand]:
    """What the aliases stand for that the command sets: with -c for itself, with ``git config`` for later ones."""
    found = []
    for word, following in pairwise(argv):
        if word.lower().startswith("alias.") and argv[verb : verb + 1] == ["config"]:
            text = following[1:] if following.startswith("!") else f"git {following}"
            found.append(WrappedCommand("git alias", text=text))
        elif word == "-c" and following.startswith("alias."):
            name, _, value = following[len("alias.") :].partition("=")
            if value.startswith("!"):
                found.append(WrappedCommand("git alias", text=value[1:]))
            elif argv[verb : verb + 1] == [name] and value:
                found.append(WrappedCommand("git alias", ["git", *value.split(), *argv[verb + 1 :]]))
    return found


def _runs_value(setting: str) -> bool:
    key, _, value = setting.partition("=")
    return bool(value) and (key.lower() in WORDS["git_running_keys"] or key.lower().startswith("pager."))


def run_by_variables(env: dict[str, str]) -> list[WrappedCommand]:
    """What git runs because a variable names it as the editor, the pager and the like."""
    return [WrappedCommand("git", text=env[key]) for key in sorted(WORDS["git_running_variables"]) if env.get(key)]


def _carried(program: str, argv: list[str]) -> list[WrappedCommand]:
    """The shell texts in a program's own language, behind an option of it, or in an alias that it is told."""
    how, facts = runs_how(program), facts_of(program)
    if how == "behind":
        names = facts["text"].split()
        at = next((at for at, word in enumerate(argv[1:], 1) if word in names), len(argv))
        rest = argv[at + 1 :]
        found = [rest[0] if len(rest) == 1 else " ".join(map(quote_word, rest))] if rest else []
    elif how == "aliases":
        found = _told_aliases(program, argv)
    else:
        texts = _texts_in_language(facts, argv)
        found = [one for text in texts for form in facts["commands"] for one in re.findall(form, text[:LONGEST])]
        found = [re.sub(r"\\(.)", r"\1", text) for text in found] if facts.get("text_at") == "first" else found
    if "on_terminal" in facts:  # where what it runs sees a person
        found = ["script -qc " + quote_word(text.strip()) for text in found]
    return [WrappedCommand(program, text=text) for text in found if text.strip()]


def _texts_in_language(facts: Facts, argv: list[str]) -> list[str]:
    place = facts.get("text_at", "")
    found = option_values(argv, tuple(facts.get("text", "").split()))
    if place == "each":
        found = argv[1:]
    elif place == "plus":
        found += [word[1:] for word in argv[1:] if word.startswith("+")]
    elif place == "first" and not found and not option_values(argv, ("-f", "--file")):
        found = operands(argv, facts.get("values", ""))[:1]
    return found


def _told_aliases(program: str, argv: list[str]) -> list[str]:
    at = first_operand(argv, 1, global_options(program))
    if " ".join(argv[at : at + 2]) not in facts_of(program)["text"].split("|"):
        return []
    given = operands(argv[at + 1 :], "")
    shell = any(word in ("-s", "--shell") for word in argv)
    return [word.removeprefix("!") for word in given[1:2] if shell or word.startswith("!")]


def printed_form(program: str, argv: list[str]) -> str:
    """What the command prints by a form that it is given, "" where there is none; what is put in is a variable."""
    verb = "".join(argv[first_operand(argv, 1, global_options(program)) :][:1])
    facts = facts_of(program) if "printed" in facts_of(program) else facts_of(f"{program} {verb}")
    forms = option_values(argv, tuple(facts.get("printed", "").split()))
    return unescape(re.sub(_PUT_IN, "$_", forms[-1])) if forms else ""


def commands_of_table(table: str) -> list[str]:
    """The commands in a table of cron's: what stands behind the five fields of a line, or behind @daily."""
    found = []
    for line in table.splitlines():
        fields = 1 if line.startswith("@") else 5
        words = line.split(None, fields)
        if len(words) > fields and not line.startswith("#") and "=" not in words[0]:
            found.append(words[fields])
    return found


def _run_by_tmux(program: str, argv: list[str]) -> list[WrappedCommand]:
    at = first_operand(argv, 1, valued_options(program))
    verb = argv[at] if at < len(argv) else ""
    if verb not in WORDS["tmux_typing"] | WORDS["tmux_opening"]:
        return []
    words = argv[first_operand(argv, at + 1, [*valued_options("tmux new-window"), *valued_options(f"tmux {verb}")]) :]
    if verb in WORDS["tmux_typing"]:
        words = ["\n".join("" if word.lower() in TYPED_ENDS else word for word in words)]
    return [WrappedCommand(program, text=" ".join(words))] if any(words) else []


def _run_by_screen(program: str, argv: list[str]) -> list[WrappedCommand]:
    at = first_operand(argv, 1, valued_options(program))
    if "-X" in argv[1:at]:
        typed = argv[at + 1 :] if argv[at : at + 1] == ["stuff"] else []
        return [WrappedCommand(program, text=word.replace("^M", "\n").replace("\\n", "\n")) for word in typed]
    return [WrappedCommand(program, argv[at:])] if argv[at:] else []


def _run_by_windows(program: str, argv: list[str]) -> list[WrappedCommand]:
    for at, word in enumerate(argv[1:], 1):
        small = word.lower()
        if runs_how(program) == "cmd":
            runs_text = small in ("/c", "/k", "//c", "//k", "/s/c")
        else:
            runs_text = len(small) > 1 and "-command".startswith(small)
        if runs_text:
            return [WrappedCommand(program, text=" ".join(argv[at + 1 :]))] if argv[at + 1 :] else []
    return []


READERS = {  # "runs" of a program -> how its words are read
    "shell": _run_by_shell,
    "find": _run_by_find,
    "git": _run_by_git,
    "first": _run_by_trap,
    "text": _run_as_text,
    "each": _run_as_text,
    "remote": _run_on_other_machine,
    "chosen": _run_by_chosen,
    "listed": _run_with_listed,
    "behind": _carried,
    "aliases": _carried,
    "language": _carried,
    "tmux": _run_by_tmux,
    "screen": _run_by_screen,
    "cmd": _run_by_windows,
    "powershell": _run_by_windows,
}
