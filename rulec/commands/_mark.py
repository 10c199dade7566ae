"""What tells that a file may be a part of the gate, besides a name that begins with a dot."""

MARK = b"rulec:"  # what a suppression in place begins with
NAMES = (
    "CODEOWNERS", ".gitattributes", "lefthook.yml", "lefthook.yaml", "lefthook.toml", "lefthook.json", "prek.toml",
    "mise.toml", "opencode.json",
)  # fmt: skip
