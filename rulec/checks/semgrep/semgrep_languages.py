"""The languages that Semgrep reads, and which of them a file is written in."""

ANY_LANGUAGE = ("regex", "generic")  # read any file
_SAME = {
    "js": "javascript", "ts": "typescript", "golang": "go", "py": "python", "sh": "bash", "kt": "kotlin",
    "cs": "csharp", "c#": "csharp", "c++": "cpp", "sol": "solidity", "tf": "terraform", "hcl": "terraform",
    "docker": "dockerfile",
}  # fmt: skip
_SUFFIXES = {
    "bash": "bash sh", "c": "c h", "cairo": "cairo", "clojure": "clj cljs cljc edn",
    "cpp": "cc cpp cxx c++ pcc tpp C h hh hpp hxx inl ipp", "csharp": "cs", "dart": "dart",
    "dockerfile": "dockerfile Dockerfile", "go": "go", "hack": "hack hck hh", "html": "htm html", "java": "java",
    "javascript": "cjs js jsx mjs", "json": "json ipynb", "jsonnet": "jsonnet libsonnet", "julia": "jl",
    "kotlin": "kt kts ktm", "lisp": "lisp cl el", "lua": "lua", "ocaml": "ml mli", "php": "php tpl phtml",
    "proto": "proto", "python": "py pyi", "r": "r R", "ruby": "rb", "rust": "rs", "scala": "scala",
    "scheme": "scm ss", "solidity": "sol", "swift": "swift", "terraform": "tf tofu hcl tfvars",
    "typescript": "ts tsx", "vue": "vue", "xml": "xml plist", "yaml": "yml yaml",
}  # fmt: skip
_PROGRAMS = {
    "bash": "bash sh dash", "javascript": "node js nodejs", "python": "python python2 python3", "ruby": "ruby",
    "php": "php", "lua": "lua", "hack": "hhvm", "r": "Rscript", "julia": "julia", "scala": "scala",
    "typescript": "ts-node",
}  # fmt: skip
_BY_SUFFIX: dict[str, list[str]] = {}
_BY_PROGRAM: dict[str, list[str]] = {}
for _table, _index in ((_SUFFIXES, _BY_SUFFIX), (_PROGRAMS, _BY_PROGRAM)):
    for _language, _words in _table.items():
        for _word in _words.split():
            _index.setdefault(_word, []).append(_language)
_SHEBANG = rb"#![ \t]*(\S+)(?:[ \t]+(?:-S[ \t]+)?([^-\s]\S*))?"


def known_languages() -> list[str]:
    """Every language a rule may name, aliases left out."""
    return sorted((*_SUFFIXES, *ANY_LANGUAGE))


def canonical_language(name: str) -> str:
    """The one name of a language, "" where Semgrep here cannot read it."""
    name = _SAME.get(name, name)
    return name if name in _SUFFIXES or name in ANY_LANGUAGE else ""


def languages_of_file(path: str, content: bytes) -> list[str]:
    """The languages a file may be read as, by its name or else by the program its first line calls."""
    name = path.rpartition("/")[2]
    if name in ("Dockerfile", "dockerfile"):
        return ["dockerfile"]
    _, dot, suffix = name.rpartition(".")
    if dot and suffix in _BY_SUFFIX:
        return _BY_SUFFIX[suffix]
    return _of_program(content[:256]) if content.startswith(b"#!") else []


def _of_program(head: bytes) -> list[str]:
    import re  # noqa: PLC0415 - 4 ms that a commit without programs spares

    line = re.match(_SHEBANG, head)
    if line is None:
        return []
    program = line[1].rpartition(b"/")[2]
    if program == b"env":
        program = line[2] or b""
    word = program.decode("ascii", "replace")
    return _BY_PROGRAM.get(word) or _BY_PROGRAM.get(re.sub(r"[0-9.]+$", "", word), [])
