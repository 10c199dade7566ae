"""What terminals and other shells (tmux, screen, cmd, powershell) are told to run."""

from rulec.shell.parsing.call import first_operand

GLOBAL_VALUED = {"tmux": "-L -S -f -T", "screen": "-S -c -e -h -p -s -t -T -L"}
TYPING = ("send-keys", "send")
OPENING = (
    "new-session", "new", "new-window", "neww", "split-window", "splitw", "respawn-pane", "respawnp", "respawn-window",
    "respawnw", "run-shell", "run", "display-popup", "popup", "pipe-pane", "pipep",
)  # fmt: skip
VALUED = ["-t", "-s", "-n", "-c", "-F", "-x", "-y", "-e", "-l", "-f"]
OWN_VALUED = {  # what a switch elsewhere takes a value here
    **dict.fromkeys(TYPING, "-N"),
    **dict.fromkeys(["display-popup", "popup"], "-b -d -h -w -S -T"),
    **dict.fromkeys(["run-shell", "run"], "-d"),
}
KEYS = ("enter", "c-m", "c-j", "kpenter")


def terminal_commands(program: str, argv: "list[str]") -> "list[tuple[list[str], str]]":
    """The commands that the program runs: words, or shell text where there are no words."""
    if program == "tmux":
        return _tmux(argv)
    if program == "screen":
        return _screen(argv)
    if program == "nix":
        at = next((at for at, word in enumerate(argv) if word in ("-c", "--command")), 0)
        return [(argv[at + 1 :], "")] if at and argv[1] in ("develop", "shell") and argv[at + 1 :] else []
    return _windows(program, argv)


def _tmux(argv: "list[str]") -> "list[tuple[list[str], str]]":
    at = first_operand(argv, 1, GLOBAL_VALUED["tmux"].split())
    verb = argv[at] if at < len(argv) else ""
    if verb not in TYPING and verb not in OPENING:
        return []
    words = argv[first_operand(argv, at + 1, [*VALUED, *OWN_VALUED.get(verb, "").split()]) :]
    if verb in TYPING:
        words = ["\n".join("" if word.lower() in KEYS else word for word in words)]
    return [([], " ".join(words))] if any(words) else []


def _screen(argv: "list[str]") -> "list[tuple[list[str], str]]":
    at = first_operand(argv, 1, GLOBAL_VALUED["screen"].split())
    if "-X" in argv[1:at]:
        typed = argv[at + 1 :] if argv[at : at + 1] == ["stuff"] else []
        return [([], word.replace("^M", "\n").replace("\\n", "\n")) for word in typed]
    return [(argv[at:], "")] if argv[at:] else []


def _windows(program: str, argv: "list[str]") -> "list[tuple[list[str], str]]":
    for at, word in enumerate(argv[1:], 1):
        small = word.lower()
        if program == "cmd":
            runs_text = small in ("/c", "/k", "//c", "//k", "/s/c")
        else:
            runs_text = len(small) > 1 and "-command".startswith(small)
        if runs_text:
            return [([], " ".join(argv[at + 1 :]))] if argv[at + 1 :] else []
    return []
