"""Whether a command is what a pattern in a person's words names: "npm", "git push --force", "rm -rf".

``./mvnw`` and ``.venv/bin/pip`` mean the program by its path, ``CI=* npm test`` only with that in its environment, and
``*`` in a word is any text. ``cat > *.md`` and ``2>/dev/null`` are about where output goes.
"""

import re
from functools import lru_cache

from rulec.domain.patterns.command_patterns import (
    PIPE,
    pattern_words,
    plain_program,
    program_name,
    without_redirections,
)
from rulec.shell.parsing.call import Call, first_operand, takes_value
from rulec.shell.parsing.runs import reads_commands_from_stdin, shell_options
from rulec.shell.programs import (
    ASKING,
    ASKING_SHORT,
    KNOWN,
    LAUNCHERS,
    SHORTEST_LONG,
    SYSTEM_FOLDERS,
    WORDS,
    facts_of,
    global_options,
    has_subcommands,
    interpreter_of,
    is_shell,
    runs_how,
    valued_options,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

PROGRAM_FOLDERS = frozenset(["bin", ".bin", "node_modules"])
_SUFFIX = re.compile(r"(?:-cli)?\.(?:[cm]?js|py|rb|phar)$")
OWN_FILES = ("/rulec/__main__.py", "/rulec", "/rulec/")  # by which python starts rulec, as by its name
MOST_SOURCES = 60
COMPOSE = "docker-compose"
_compiled_words: "dict[str, re.Pattern[str]]" = {}  # words with a * that is not their end
MOST_DOUBTFUL = 50  # commands of one text that are looked at twice
MOST_WORDS = 50  # of a program that nobody knows, that are looked at for the name of another
NO_ALIASES: "dict[str, str]" = {}


def program_names(call: Call) -> "tuple[str, ...]":
    """The names under which rules may know the program of this call."""
    return tuple(name for name, _ in program_views(call))


def _modules(words: "list[str]", valued: "list[str]") -> "list[tuple[str, list[str]]]":
    """What ``-m MODULE`` runs, and what that runs with a -m of its own."""
    at = 0
    while at < len(words) and words[at].startswith("-") and words[at] != "-c":
        word = words[at]
        named = word[2:] if word.startswith("-m") else ""
        if named or takes_value(word, ["-m"]):
            rest = [named, *words[at + 1 :]] if named else words[at + 1 :]
            name = "".join(rest[:1])
            package, _, inner = name.partition(".")
            name = package if package == "rulec" or inner[:1] == "_" else name  # pip._internal does what pip does
            own = [(plain_program(name), rest[1:])] if name else []
            return own + _modules_of_runner(name, rest[1:])
        at += 2 if takes_value(word, valued) else 1
    return []


def _modules_of_runner(name: str, words: "list[str]") -> "list[tuple[str, list[str]]]":
    verb = facts_of(name).get("modules")
    if verb is None or (verb and words[:1] != [verb]):
        return []
    return _modules(words[bool(verb) :], valued_options(name))


def program_views(call: Call) -> "list[tuple[str, list[str]]]":
    """Each (program, words) that the call may be read as: itself, ``python -m tool`` as tool, the launcher as rulec."""
    if call.views is None:
        call.views = _views(call)
    return call.views


def _views(call: Call) -> "list[tuple[str, list[str]]]":
    argv, name = call.argv, plain_program(call.program)
    if name == COMPOSE:
        return [("docker", ["compose", *argv[1:]]), (name, argv[1:])]
    found = [(name, argv[1:])] if name else []
    if name in ("python", "py"):
        found += _modules(argv[1:], ["-W", "-X"])
        at = first_operand(argv, 1, ["-c", "-m", "-W", "-X"])
        if at < len(argv) and f"/{argv[at]}".endswith(OWN_FILES):
            found.append(("rulec", argv[at + 1 :]))
    else:
        found += _modules_of_runner(name, argv[1:])
    if interpreter_of(name):
        found += _installed_script(argv, facts_of(interpreter_of(name))["code"].split())
    at = shell_options(argv)[1] if is_shell(name) else 0
    if argv[at + 1 : at + 2] == ["git"] and f"/{argv[at]}".endswith(LAUNCHERS):
        found.append(("rulec", argv[at + 2 :]))
    return found


def _installed_script(argv: "list[str]", valued: "list[str]") -> "list[tuple[str, list[str]]]":
    """What an interpreter runs from a folder of programs: ``node node_modules/npm/bin/npm-cli.js ci`` is npm."""
    at = first_operand(argv, 1, valued)
    path = argv[at].split("/") if at < len(argv) else []
    if PROGRAM_FOLDERS.isdisjoint(path[:-1]):
        return []
    return [(plain_program(_SUFFIX.sub("", path[-1])), argv[at + 1 :])]


def words_for_program(name: str, call: Call) -> "list[str] | None":
    """The words that the call gives to the program of that name; None where it does not start it."""
    return next((rest for known, rest in program_views(call) if known == name), None)


def _qualifies(pattern: str, words: "list[str]", call: Call) -> "list[str]":
    """The pattern's words, without programs in another folder than the call's.

    [] where the environment or a redirection differs.
    """
    given, asked = without_redirections(pattern)
    if not all(_leads(one, call) for one in asked):
        return []
    for word in given[: len(given) - len(words)]:
        name, _, value = word.partition("=")
        if name not in call.env or not _same_word(value, call.env[name]):
            return []
    if not words or not call.argv:
        return [call.program]
    first = given[len(given) - len(words)]
    if "/" not in first:
        return words
    options = [program_name(one) for one in first.split("|") if "/" not in one or _lies_in_folder(one, call.argv[0])]
    return ["|".join(options), *words[1:]] if options else []


def _leads(asked: "tuple[str, str, str]", call: Call) -> bool:
    """Whether the call's stream leads to the target; without one to any file, which no device is."""
    stream, sign, wanted = asked
    known, target = call.streams.get(stream, ("", ""))
    if target.startswith("/dev/"):  # where replacing and appending are one
        return known[:1] == sign[:1] and wanted.startswith("/dev/") and _same_word(wanted, target)
    return known == sign and (not wanted or _same_word(wanted, target))


def shown_redirections(pattern: str, call: Call) -> str:
    """The redirections of a call that a pattern speaks of, as a person writes them."""
    asked = [stream for stream, _, _ in without_redirections(pattern)[1]]
    shown = [
        stream * (stream not in "01") + " ".join(call.streams[stream]) for stream in asked if stream in call.streams
    ]
    return " ".join(["", *shown])


def _lies_in_folder(wanted: str, program: str) -> bool:
    """Whether the program is started from that folder, or from one of that name further down."""
    folder = program.replace("\\", "/").rpartition("/")[0]
    asked = wanted.rpartition("/")[0]
    if asked in (".", ""):
        return "/" in program
    if asked.startswith(("/", "~")):
        return _same_word(asked, folder)
    return _same_word("*/" + asked.removeprefix("./"), "/" + folder)


def is_variable(word: str) -> bool:
    """Whether the word begins with a variable or another expansion of unknown value."""
    return word[:1] in ("$", "`") and len(word) > 1


def doubtful_calls(calls: "list[Call]") -> "list[Call]":
    """The first calls of which possible_matches has to say whether they may fit a rule."""
    return [call for call in calls if _doubtful(call)][:MOST_DOUBTFUL]


def _doubtful(call: Call) -> bool:
    if call.dynamic and any(map(is_variable, call.argv)):
        return True
    return bool(call.feeds) and not call.stdin and reads_commands_from_stdin(call.program, call.argv)


def matches(pattern: str, call: Call) -> bool:
    """Whether the call is what the pattern names; flags may stand in any order, words keep theirs."""
    if PIPE in pattern:
        source, _, last = pattern.rpartition(PIPE)
        return matches(last, call) and any(matches(source, other) for other in feeding_calls(call))
    words, qualified = _words_of(pattern)
    words = _qualifies(pattern, words, call) if qualified else words
    if not call.argv:  # a group, or nothing but a redirection
        return qualified and words == [""] and pattern_words(pattern) in ([], ["*"])
    if not words:
        return False
    return any(fits_words(words, name, rest) for name, rest in program_views(call)) or _may_be_run(words, call)


@lru_cache
def _words_of(pattern: str) -> "tuple[list[str], bool]":
    """The words of a pattern, and whether it says more of the command than these."""
    words = pattern_words(pattern)
    return words, words != pattern.split()


@lru_cache
def _programs_of(first: str) -> "tuple[str, ...]":
    """The programs that the first word of a pattern names."""
    return tuple(map(plain_program, first.split("|")))


def _may_be_run(words: "list[str]", call: Call) -> bool:
    """Whether a program that nobody knows is given the pattern's words, which it may run: ``retry npm install``.

    A single word may be anything's name; it counts only behind ``--``.
    """
    if not call.argv[len(words) :] or is_variable(call.argv[0]):
        return False
    return any(
        (len(words) > 1 or call.argv[at - 1] == "--") and fits_words(words, plain_program(word), call.argv[at + 1 :])
        for at, word in possible_programs(call)
    )


def feeding_calls(call: Call) -> "list[Call]":
    """The commands whose output the call reads, directly or through others."""
    found = dict.fromkeys(call.feeds)
    left = list(found)
    for one in left:
        if len(found) > MOST_SOURCES:
            break
        new = [other for other in one.feeds if other not in found]
        found.update(dict.fromkeys(new))
        left += new
    return list(found)


def words_beside_pattern(pattern: str, call: Call) -> "list[str]":
    """The words of a call that are not the pattern's own; all but the program where the pattern does not match it."""
    words = pattern_words(pattern.rpartition(PIPE)[2]) or [call.program]
    program, rest = next((view for view in program_views(call) if fits_words(words, *view)), ("", []))
    if not program:
        return call.argv[1:]
    left = list(rest)
    for word in words[1:]:
        at = _word_place(word, program, left)
        if at >= 0:
            del left[at]
    return left


def _word_place(word: str, program: str, rest: "list[str]") -> int:
    valued = _own_options(program)
    names = _aliases(program)
    skip = False
    for at, given in enumerate(rest):
        if not skip and _names_word(word, names.get(given, given), names):
            return at
        skip = not skip and given.startswith("-") and takes_value(given, valued)
    return -1


def fits_words(words: "list[str]", program: str, rest: "list[str]") -> bool:
    """Whether the call's words contain the pattern's: flags in any order, other words in theirs.

    "docker-compose" alone is that program; "docker-compose down" is what docker compose does, too.
    """
    if words[0] == COMPOSE and len(words) > 1:
        words = ["docker", "compose", *words[1:]]
        program, rest = ("docker", ["compose", *rest]) if program == COMPOSE else (program, rest)
    if not any(_same_word(option, program) for option in _programs_of(words[0])):
        return False
    bare, flags = words_and_flags(program, rest)
    asked, asked_flags = words_and_flags(program, words[1:])
    flags = all_spellings(program, bare, flags) if asked_flags else flags
    if not all(any(_flagged(option, program, flags) for option in _spellings(word)) for word in asked_flags):
        return False
    return _in_order(program, asked, bare)


def _spellings(word: str) -> "list[str]":
    """The flags that a word of a pattern names; the value behind a flag is that of its short or long form, too.

    ``-n|--namespace=prod`` is one flag with a value, ``-g|--location=global`` are two.
    """
    found = word.split("|")
    last, sign, value = found[-1].partition("=")
    letter = last.lstrip("-")[:1]
    alike = [(len(one) == 2) != (len(last) == 2) and one.lstrip("-")[:1] == letter for one in found]
    return [one + sign + value if same and "=" not in one else one for one, same in zip(found, alike, strict=False)]


def all_spellings(program: str, bare: "list[str]", flags: "list[str]") -> "list[str]":
    """The flags with the other spellings of each; ``git push origin +main`` counts as --force."""
    names = _aliases(program)
    first = [names.get(word, word) for word in bare[:1]]
    groups = [
        group.split(",")
        for count in (0, 1, 2)
        for group in facts_of(" ".join([program, *first, *bare[1:]][: count + 1])).get("same", "").split()
    ]
    more = ["--force", "-f"] if first == ["push"] and program == "git" and any(w[:1] == "+" for w in bare[1:]) else []
    for group in groups:
        if any(_flagged(one, program, flags) for one in group):
            more += group
    return flags + more


def _in_order(program: str, asked: "list[str]", bare: "list[str]") -> bool:
    names = _aliases(program)
    if asked and has_subcommands(program) and not (bare and _names_word(asked[0], names.get(bare[0], bare[0]), names)):
        return False
    at = 0
    for word in asked:
        while at < len(bare) and not _names_word(word, bare[at] if at else names.get(bare[0], bare[0]), names):
            at += 1
        if at == len(bare):
            return False
        at += 1
    return True


def _names_word(wanted: str, word: str, names: "dict[str, str]") -> bool:
    return any(_same_word(option, word) or _same_word(names.get(option, option), word) for option in wanted.split("|"))


def _same_word(wanted: str, word: str) -> bool:
    if "*" not in wanted:
        return word == wanted
    if wanted.find("*") == len(wanted) - 1:
        return word.startswith(wanted[:-1])
    if wanted not in _compiled_words:
        _compiled_words[wanted] = re.compile(".*".join(re.escape(part) for part in wanted.split("*")), re.DOTALL)
    return bool(_compiled_words[wanted].fullmatch(word))


def words_and_flags(program: str, rest: "list[str]") -> "tuple[list[str], list[str]]":
    """The words that are no options (global options and values left out), and the flags, each with its value."""
    bare: list[str] = []
    flags: list[str] = []
    path, valued = program, _own_options(program)
    index = 0
    while index < len(rest):
        word = rest[index]
        index += 1
        if word == "--":
            bare += rest[index:]
            break
        if word.startswith("-") and len(word) > 1:
            if takes_value(word, valued):
                flags.append(word + "=" + (rest[index] if index < len(rest) else ""))
                index += 1
            else:
                flags.append(_without_value(word, valued))
        else:
            bare.append(word)
            facts = facts_of(path)
            if "subcommands" in facts:
                path += " " + word
                valued = _own_options(path) + ([] if "before_only" in facts else valued)
    return bare, flags


def _own_options(program: str) -> "list[str]":
    """The program's options with a value that may stand before its first word."""
    facts = facts_of(program)
    return (facts["subcommands"] if "subcommands" in facts else facts.get("values", "")).split()


def _aliases(program: str) -> "dict[str, str]":
    return facts_of(program).get("aliases", NO_ALIASES)


def git_subcommand(argv: "list[str]") -> "tuple[int, str]":
    """The position of git's subcommand behind its global options, and its name; "" where there is none."""
    at = first_operand(argv, 1, global_options("git"))
    return at, argv[at] if at < len(argv) else ""


def option_folders(call: Call) -> "Iterator[str]":
    """The folders that options such as `git -C` name; git has them before its subcommand alone."""
    names = facts_of(call.program).get("folder", "").split()
    words = call.argv[: call.argv.index("--")] if "--" in call.argv else call.argv
    words = call.argv[: git_subcommand(call.argv)[0]] if call.program == "git" else words
    for word, after in zip(words, [*words[1:], ""], strict=False):
        name, equals, value = word.partition("=")
        if name in names:
            yield value if equals else after
        elif word[:2] in names:
            yield word[2:]


def _without_value(word: str, valued: "list[str]") -> str:
    """A cluster of short flags cut where one takes the rest as its value: ``-mtext`` is -m."""
    if word.startswith("--") or "|" in word:  # spellings of one flag, as patterns have them
        return word
    for position, letter in enumerate(word[1:], 1):
        if "-" + letter in valued:
            return word[: position + 1] + "=" + word[position + 1 :].removeprefix("=")
    return word


def _flagged(wanted: str, program: str, flags: "list[str]") -> bool:
    wanted = wanted.removesuffix("=")
    long, _, asked = wanted.partition("=")
    for flag in flags:
        name, _, value = flag.partition("=")
        if wanted == name or _same_word(wanted, flag):
            return True
        cut = name.startswith("--") and len(name) >= SHORTEST_LONG and "abbreviates" in facts_of(program)
        shortened = cut and name not in WORDS["full_options"]
        if shortened and long.startswith(name) and (not asked or _same_word(asked, value)):
            return True
    if "one_dash" in facts_of(program):  # -auto-approve and --auto-approve are one
        return len(wanted) > 2 and any(wanted.lstrip("-") == flag.partition("=")[0].lstrip("-") for flag in flags)
    if wanted.startswith("--") or "=" in wanted:
        return False
    letters = {letter for flag in flags if not flag.startswith("--") for letter in flag.partition("=")[0][1:]}
    return all(letter in letters for letter in wanted[1:])


def asks_for_help(call: Call) -> bool:
    """Whether the call only prints help or a version."""
    if len(call.argv) == 2 and (call.argv[1] in ASKING or (call.argv[1] in ASKING_SHORT and _has_verbs(call))):
        return True
    unknown = "/" not in call.argv[0] and not facts_of(call.program)
    if unknown and call.argv[-1] == ASKING[0] and not call.argv[-2].startswith("-"):
        return True  # of a program that nobody knows, --help as its last word is what it is everywhere
    return any(_is_helped(name, rest) for name, rest in program_views(call))


def _has_verbs(call: Call) -> bool:
    """Whether the program is one of those that do nothing without a subcommand or a file."""
    return any(_takes_help(name) or interpreter_of(name) for name in program_names(call))


def _takes_help(program: str) -> bool:
    return has_subcommands(program) or "takes_help" in facts_of(program)


def _is_helped(program: str, rest: "list[str]") -> bool:
    if not _takes_help(program):
        return False
    if rest[:1] == ["help"]:
        return True
    at = rest.index("--help") if "--help" in rest else len(rest) - 1 if rest[-1:] == ["-h"] else -1
    before = rest[: max(0, at)]
    if at < 0 or "--" in before or any("$" in word or "`" in word for word in before):
        return False
    if before[-1:] and before[-1].startswith("-"):  # it may be the value of that option
        return False
    bare, _ = words_and_flags(program, before)
    verbs = facts_of(program).get("own_verbs", "").split()
    if "takes_help" in facts_of(program):
        return True
    return WORDS["handing_on"].isdisjoint(bare[:-1][:3]) and (not verbs or not bare or bare[0] in verbs)


def is_dry_run(call: Call) -> bool:
    """Whether the call is a dry run, which changes nothing."""
    dry = next((one for one in facts_of(call.program).get("dry_runs", ()) if matches(one, call)), "")
    if not dry or any("$" in word or "`" in word for word in call.argv):
        return False
    options = dry.split()[-1].split("|")
    # The last one counts, and --no-dry-run takes it back.
    return all(word in options for word in call.argv if word.startswith(("--dry-", "--no-d", "--no-n")))


def is_known(call: Call) -> bool:
    """Whether it is known what the program does with its words: whatever they are, it does not just run them.

    It counts by its bare name alone, for a file of that name may be anything, or a launcher.
    """
    name, word = call.program, call.argv[0]
    if "/" in word and not word.startswith(SYSTEM_FOLDERS):
        return f"/{word}".endswith(LAUNCHERS)
    return name in KNOWN or name.rstrip("0123456789.") in KNOWN


def possible_programs(call: Call) -> "Iterator[tuple[int, str]]":
    """The words of a program that nobody knows which may be programs that it runs, with their places.

    The first that is known has the words behind it for itself, but where it runs others, too.
    """
    if len(call.argv) < 2 or is_known(call):
        return
    for at, word in enumerate(call.argv[:MOST_WORDS]):
        if at and word and not word.startswith("-"):
            yield at, word
            if word in KNOWN and runs_how(word) != "words":
                return


def words_handed_on(call: Call, programs: "frozenset[str]") -> Call:
    """The call of one of the programs whose name and words a program that nobody knows is given, else the call."""
    at = next((at for at, word in enumerate(call.argv) if at and word in programs), 0)
    return call.as_words(call.argv[at:]) if at and not is_known(call) else call
