"""Programs that run what stands in their own language or behind an option of theirs: awk, vim, expect, crontab."""

import re

from rulec.shell.parsing.call import first_operand, operands, option_values, quote_word

_QUOTED = r'"((?:[^"\\\n]|\\.)*)"'
_AWK = (rf"\bsystem\s*\(\s*{_QUOTED}", rf"{_QUOTED}\s*\|&?\s*getline", rf"\|&?\s*{_QUOTED}")
_VIM = (
    r"^[:\s]*(?:sil(?:ent)?!?\s+)?(?:(?:r|read|w|write)\s+|%|\.)?!(.+)",
    r"^[:\s]*(?:term|terminal)\s+(?:\+\+\S+\s+)*(.+)",
    r"\bsystem(?:list)?\(\s*[\"']([^\"']+)",
)
_EXPECT = (r"(?:^|[;{\n])\s*(?:spawn|exec|system)\s+([^;}\n]+)",)
_PROGRAM = ("first", "-v -F -f -i --assign --field-separator --file --include", "-e --source")
# Programs with a language of their own -> which words hold a text of it ("first" operand, or none but behind options),
# the options with another value, the options with such a text, and how a command stands in such a text.
_LANGUAGES: "dict[str, tuple[tuple[str, str, str], tuple[str, ...]]]" = {
    **dict.fromkeys(["awk", "gawk", "mawk", "nawk"], (_PROGRAM, _AWK)),
    **dict.fromkeys(["vim", "vi", "nvim", "ex", "view", "gvim"], (("plus", "", "-c --cmd"), _VIM)),
    "expect": (("", "", "-c"), _EXPECT),
    "osascript": (("", "", "-e"), (rf"\bdo shell script\s+{_QUOTED}",)),
    "socat": (("each", "", ""), (r"(?i)^(?:exec|system):([^,]+)",)),
}
# Options behind which all words are a command; one word alone is text for a shell.
_REST = {
    "gdb": ("--args", "-args"),
    "just": ("--command", "-c"),
    "gnome-terminal": ("--",),
    **dict.fromkeys(["xterm", "urxvt", "konsole", "alacritty"], ("-e",)),
}
_ALIASED = {"gh": ("alias set", "config set"), "glab": ("alias set", "config set")}  # whose "!..." is shell text
_ON_A_TERMINAL = frozenset(["expect", "socat", "xterm", "urxvt", "konsole", "alacritty", "gnome-terminal"])
CARRIERS = frozenset([*_LANGUAGES, *_REST, *_ALIASED])
LONGEST = 20_000


def carried_texts(program: str, argv: "list[str]") -> "list[str]":
    """The shell texts that the command line makes this program run."""
    if program in _REST:
        at = next((at for at, word in enumerate(argv[1:], 1) if word in _REST[program]), len(argv))
        rest = argv[at + 1 :]
        found = [rest[0] if len(rest) == 1 else " ".join(map(quote_word, rest))] if rest else []
    elif program in _ALIASED:
        found = _aliases(program, argv)
    else:
        where, forms = _LANGUAGES[program]
        texts = _texts_of_language(where, argv)
        found = [one for text in texts for form in forms for one in re.findall(form, text[:LONGEST])]
    if program in _ON_A_TERMINAL:  # where what it runs sees a person
        return ["script -qc " + quote_word(text.strip()) for text in found]
    return [re.sub(r"\\(.)", r"\1", text) if program.endswith("awk") else text for text in found]


def _texts_of_language(where: "tuple[str, str, str]", argv: "list[str]") -> "list[str]":
    place, valued, options = where
    found = option_values(argv, tuple(options.split()))
    if place == "each":
        found = argv[1:]
    elif place == "plus":
        found += [word[1:] for word in argv[1:] if word.startswith("+")]
    elif place == "first" and not found and not option_values(argv, ("-f", "--file")):
        found = operands(argv, valued)[:1]
    return found


def _aliases(program: str, argv: "list[str]") -> "list[str]":
    at = first_operand(argv, 1, ["-R", "--repo"])
    if " ".join(argv[at : at + 2]) not in _ALIASED[program]:
        return []
    given = operands(argv[at + 1 :], "")
    shell = any(word in ("-s", "--shell") for word in argv)
    return [word.removeprefix("!") for word in given[1:2] if shell or word.startswith("!")]


def commands_of_table(table: str) -> "list[str]":
    """The commands in a table of cron's: what stands behind the five fields of a line, or behind @daily."""
    found = []
    for line in table.splitlines():
        fields = 1 if line.startswith("@") else 5
        words = line.split(None, fields)
        if len(words) > fields and not line.startswith("#") and "=" not in words[0]:
            found.append(words[fields])
    return found
