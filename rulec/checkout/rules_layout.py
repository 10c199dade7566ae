"""Where compiled rules lie in a repository, and how the bytes of their index are laid out."""

import os

COMPILED = os.path.join(".rules", "compiled")
CONFIG = ".rules/config.yaml"  # without it a folder has no rulebook
LAUNCHER = ".rules/hook"  # what agents' hooks run where the folder of local state has no copy of it
LAUNCHER_COPY, RECORD = "hook", "record"  # in the folder of local state: that copy, and which rulec it starts
GUARD = os.path.join(COMPILED, "guard")
WORDS = os.path.join(COMPILED, "words")
GATE_SLUG = "protect-the-gate"  # the built-in rule on what would disarm the gate; nobody excepts it
KINDS = ("judge", "semgrep", "shell")  # of artifacts that hold at the commit, but not at a tool call
PERSONAL_FOLDER = ("rulec", "rules")  # below the person's settings: a repository of their own, with the same layout
WEIGHTS_FOLDER = ("rulec", "weights")  # beside it: what was learned of how much each rule matters to the person
PAGES = "pages"  # in the folder of local state: the ports at which rulec ui runs
LAST_SESSION = "last-session.json"  # there as well: what the session before this one left to learn
CALLED = "called-by-"  # there as well, with an agent's name: when that called its hook last
PROOF_KEY = "proof-key"  # beside the personal rulebook: what signs this machine's proofs
BELOW_MODEL = "RULEC_BELOW_MODEL"  # set for a model's own process: whoever rulec asked asks no other, and that is all


def personal_rulebook_path() -> str:
    """Where the person's own rulebook would be."""
    return os.path.join(_settings_folder(), *PERSONAL_FOLDER)


def has_personal_rulebook() -> bool:
    """Whether anything stands there, be it readable or not."""
    try:
        os.stat(personal_rulebook_path())
    except OSError as error:
        return not isinstance(error, FileNotFoundError | NotADirectoryError)
    return True


def personal_weights_path() -> str:
    """Where the person's own weights of rules are."""
    return os.path.join(_settings_folder(), *WEIGHTS_FOLDER)


def _settings_folder() -> str:
    base = os.environ.get("XDG_CONFIG_HOME", "")
    return base if os.path.isabs(base) else os.path.expanduser("~/.config")
