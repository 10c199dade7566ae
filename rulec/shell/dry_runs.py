"""Whether a command only asks a program: what it does, which version it is, or what it would do (a dry run).

Believed of programs whose manuals say so. Others may take ``--help`` as a word like any other: what comes behind an
operand is data (BSD's ``rm src --help`` deletes), and a script, a shell or a runner hands it on to what it runs.
"""

from rulec.shell.command_matching import matches, program_views, words_and_flags
from rulec.shell.manuals import ASKING, DRY_RUNS, GLOBALS, HANDING_ON, HELPFUL, OWN_VERBS
from rulec.shell.parsing.call import Call


def asks_for_help(call: Call) -> bool:
    """Whether nothing but a help text or a version comes of the call."""
    if len(call.argv) == 2 and call.argv[1] in ASKING:
        return True
    return any(_is_helped(name, rest) for name, rest in program_views(call))


def _is_helped(program: str, rest: "list[str]") -> bool:
    if program not in GLOBALS and program not in HELPFUL:
        return False
    if rest[:1] == ["help"]:
        return True
    at = rest.index("--help") if "--help" in rest else -1
    before = rest[: max(0, at)]
    if at < 0 or "--" in before or any("$" in word or "`" in word for word in before):
        return False
    if before[-1:] and before[-1].startswith("-"):  # it may be the value of that option
        return False
    bare, _ = words_and_flags(program, before)
    verbs = OWN_VERBS.get(program, "").split()
    return HANDING_ON.isdisjoint(bare[:-1][:3]) and (not verbs or not bare or bare[0] in verbs)


def is_dry_run(call: Call) -> bool:
    """Whether the call is a dry run that changes nothing."""
    dry = next((one for one in DRY_RUNS.get(call.program, ()) if matches(one, call)), "")
    if not dry or any("$" in word or "`" in word for word in call.argv):
        return False
    options = dry.split()[-1].split("|")
    # The last one counts, and --no-dry-run takes it back.
    return all(word in options for word in call.argv if word.startswith(("--dry-", "--no-d", "--no-n")))
