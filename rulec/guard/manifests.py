"""Manifests: which files they are, and the dependencies that they declare, read line by line."""

import re
from collections.abc import Iterable, Iterator

from rulec.domain.files import file_kinds, globs
from rulec.guard.packages import LONGEST_LINE, MOST_LINES, DeclaredPackage, parse_requirement, repository_name

TOML_KINDS = ("pyproject", "pipfile", "cargo", "catalog", "pixi")
_HEAD = re.compile(r"^\s*\[\[?(?P<name>[^\[\]]+)\]")
_ENTRY = re.compile(r"^\s*(?P<key>[\w.-]+|\"[^\"\n]+\"|'[^'\n]+')\s*=\s*(?P<value>.*)$")
_TEXT = re.compile(r"\"(?P<double>(?:[^\"\\\n]|\\.)*)\"?|'(?P<single>[^'\n]*)'?|(?P<sign>[\[\]{}#])")
_VERSION = re.compile(r"\bversion\s*=\s*[\"'](?P<spec>[^\"'\n]*)[\"']")
_ALIAS = re.compile(r"[^=]*=\s*(?:\{[^\"']*\bmodule\s*=\s*)?[\"']([\w.-]+:[\w.-]+)(?::([^\"']*))?[\"']")
_ELSEWHERE = re.compile(r"\b(?:path|git|url|file|workspace|version\.ref|version\.workspace)\s*=|=\s*true\b")
_TOML_SETTINGS = frozenset(
    file_kinds.split_words(
        "version name edition rust-version python requires-python license readme description target-version"
    )
)
_SPEC = re.compile(r"[\^~<>=!v]*\d|\*")


def declared_in_toml(kind: str, lines: "list[str]") -> "list[DeclaredPackage]":
    """What the lines of such a file declare."""
    if kind == "catalog":
        return _catalog(lines)
    reader = _TomlLines(kind)
    for number, line in enumerate(lines, 1):
        reader.read(line, number)
    return [one for one in reader.found if one.name.lower() != reader.own.lower()]


class _TomlLines:
    """What is known while one goes down the lines."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.family = "cargo" if kind == "cargo" else "python"
        self.found: list[DeclaredPackage] = []
        self.own = ""  # the project's own name, whose extras it may ask for
        self.section = ""
        self.depth = 0  # of brackets that are open
        self.braces = 0
        self.wanted = self.pinned = False

    def read(self, line: str, number: int) -> None:
        head = _HEAD.match(line) if not self.depth else None
        entry = _ENTRY.match(line) if not self.depth and not head else None
        if head and not _ENTRY.match(line) and not line.lstrip().startswith(('["', "['")):
            self.section = head["name"].replace('"', "").replace("'", "").strip()
            if self.family == "cargo" and "dependencies." in self.section:
                self.found.append(DeclaredPackage("cargo", self.section.rpartition(".")[2], "workspace", number))
            return
        if entry:
            self._entry(entry["key"].strip("\"'"), entry["value"], number)
        elif self.depth or (not self.section and re.search(r"[<>=~]=", line)):
            self.wanted, self.pinned = (self.wanted, self.pinned) if self.depth else (True, True)
            self._array(line, number)

    def _entry(self, key: str, value: str, number: int) -> None:
        if key == "name" and self.section in ("project", "package", "tool.poetry"):
            self.own = value.strip().strip("\"'")
        if value.startswith("["):
            self.wanted, self.pinned = self._holds(key)
            self._array(value, number)
        elif self._table() or (not self.section and key not in _TOML_SETTINGS and _SPEC.match(value.strip("\"'"))):
            self._named(key, value, number)
        elif self.family == "cargo" and "dependencies." in self.section and key == "version" and self.found:
            self.found[-1].spec, self.found[-1].line = value.strip().strip("\"'"), number

    def _holds(self, key: str) -> "tuple[bool, bool]":
        """Whether an array of this name lists requirements, and whether those are to be one version."""
        section = self.section
        if self.kind != "pyproject":
            return False, False
        if key == "requires" and section in ("", "build-system"):
            return True, False
        if section.startswith("tool.hatch.envs"):
            return key in ("dependencies", "extra-dependencies"), True
        groups = section.endswith(("optional-dependencies", "dependency-groups", "dev-dependencies"))
        return groups or (section in ("", "project", "tool.uv") and key in ("dependencies", "dev-dependencies")), True

    def _table(self) -> bool:
        """Whether each key of this section is a package."""
        section = self.section
        if self.kind == "pixi" or section.startswith("tool.pixi"):
            return section.endswith("dependencies")
        if self.kind == "pipfile":
            return section in ("packages", "dev-packages")
        if self.kind == "cargo":
            return section.endswith("dependencies")
        return section.startswith("tool.poetry") and section.endswith("dependencies")

    def _named(self, key: str, value: str, number: int) -> None:
        if self.family == "python" and key == "python":
            return
        name, dotted, field = key.partition(".")
        version = _VERSION.search(value)
        spec = version["spec"] if version else ""
        if not version and (_ELSEWHERE.search(value) or (dotted and field != "version")):
            spec = "workspace"
        elif not version and value[:1] in "\"'":
            spec = value[1:].partition(value[0])[0]
        family = "poetry" if self.kind == "pyproject" else "cargo" if self.kind == "cargo" else "python"
        self.found.append(DeclaredPackage(family, name, spec, number))

    def _array(self, line: str, number: int) -> None:
        for match in _TEXT.finditer(line):
            sign = match["sign"]
            if sign == "#":
                break
            if sign in ("[", "]"):
                self.depth = max(0, self.depth + (1 if sign == "[" else -1))
            elif sign:
                self.braces = max(0, self.braces + (1 if sign == "{" else -1))
            elif self.wanted and not self.braces:
                self.found += parse_requirement(match["double"] or match["single"] or "", number, pinned=self.pinned)


def _catalog(lines: "list[str]") -> "list[DeclaredPackage]":
    """A version catalogue of Gradle: module = "group:name", or "group:name:version"."""
    found = []
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0]
        match = _ALIAS.match(text)
        if match:
            version = _VERSION.search(text)
            found.append(
                DeclaredPackage("gradle", match[1], match[2] or (version["spec"] if version else "managed"), number)
            )
    return found


_GO = re.compile(
    r"^\s*(?:require\s+)?(?P<name>[\w-]+(?:\.[\w-]+)+(?:/[^\s\"]*)?)\s+(?P<spec>v\d\S*)\s*(?P<rest>//.*)?$"
)
_GO_BLOCK = re.compile(r"^\s*(?P<word>\w+)\s*\(\s*$")
_GEM = re.compile(
    r"^\s*(?:\w+\.)?(?:gem|add_(?:runtime_|development_)?dependency)[\s(]+['\"](?P<name>[^'\"\n]+)['\"](?P<rest>[^\n]*)"
)
_GRADLE = re.compile(
    r"\b(?:\w*[iI]mplementation|\w*[aA]pi|\w*[cC]ompileOnly|\w*[rR]untimeOnly|\w*[cC]lasspath|\w*[pP]rocessor|\w*[kK]apt|"
    r"\w*[kK]sp|compile|testCompile|runtime)\b[\s(]*(?:(?:enforcedP|p)latform[\s(]*)?"
    r"['\"](?P<name>[\w.-]+:[\w.-]+)(?::(?P<spec>[^'\"@\n]*))?"
)
_MAPPED = re.compile(
    r"\bgroup\s*[:=]\s*['\"](?P<group>[^'\"\n]+)['\"]\s*,\s*name\s*[:=]\s*['\"](?P<name>[^'\"\n]+)['\"]"
    r"(?:\s*,\s*version\s*[:=]\s*['\"](?P<spec>[^'\"\n]+)['\"])?"
)
_FIELD = re.compile(r"<(groupId|artifactId|version)>\s*([^<\s]*)\s*<")
_FROM = re.compile(r"^\s*FROM\s+(?:--\S+\s+)*(?P<image>[^\s#]+)(?:\s+AS\s+(?P<stage>\S+))?", re.IGNORECASE)
_IMAGE = re.compile(r"^\s*(?:-\s+)?image\s*:\s*[\"']?(?P<image>[^\s\"'#]+)")
# What commands a file holds: in a Dockerfile, in the jobs of a CI system, in a Makefile.
_RUN = re.compile(r"^[ \t]*RUN[ \t]+(?:--\S+[ \t]+)*(?P<run>(?:[^\n]*\\\n)*[^\n]*)", re.IGNORECASE | re.MULTILINE)
_STEPS = re.compile(
    r"^(?P<indent>[ \t]*(?:-[ \t]+)?)(?:run|command|(?:before_|after_)?script)[ \t]*:[ \t]*(?:[|>][-+\d]*[ \t]*)?"
    r"(?P<run>[^\n]*(?:\n(?:(?!(?P=indent)\S)[ \t]+[^\s][^\n]*|[ \t]*(?=\n)))*)",
    re.MULTILINE,
)
_RECIPE = re.compile(r"^\t(?P<run>(?:[^\n]*\\\n)*[^\n]*)", re.MULTILINE)
_PROGRAM = re.compile(r"[\w-]+?(?=[\d.]*(?:[^\w.-]|$))")
_REQUIRES = re.compile(
    r"\b(?:install_requires|setup_requires|tests_require|extras_require)\s*=\s*(?:(?P<name>[A-Za-z_]\w*)|(?=[\[({]))"
)
_QUOTED_OR_BRACKET = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|[\[\](){}]")
_USES = re.compile(r"^\s*(?:-\s+)?uses\s*:\s*[\"']?(?P<name>[\w.-]+/[\w./-]+)@(?P<ref>[^\s\"'#]+)")


def _go(lines: "list[str]") -> "list[DeclaredPackage]":
    """What is required; neither what others bring along nor what is replaced or left out."""
    found, block = [], "require"
    for number, line in enumerate(lines, 1):
        opening = _GO_BLOCK.match(line)
        block = opening["word"] if opening else "require" if line.strip() == ")" else block
        match = _GO.match(line) if block == "require" else None
        if match and "indirect" not in (match["rest"] or ""):
            found.append(DeclaredPackage("go", match["name"], match["spec"], number))
    return found


def _gem(lines: "list[str]") -> "list[DeclaredPackage]":
    found = []
    for number, line in enumerate(lines, 1):
        match = _GEM.match(line)
        if match:
            rest = match["rest"].partition("#")[0]
            elsewhere = re.search(r"\b(?:path|git|github|gist|source)\b\s*(?::|=>)", rest)
            specs = re.findall(r"[\[,]\s*['\"]([^'\"]*)['\"]", rest)
            found.append(DeclaredPackage("gem", match["name"], "elsewhere" if elsewhere else ", ".join(specs), number))
    return found


def _maven(lines: "list[str]") -> "list[DeclaredPackage]":
    text = _uncommented("\n".join(lines))
    found: list[DeclaredPackage] = []
    at, line, counted = 0, 1, 0
    while True:
        start = text.find("<dependency>", at)
        at = text.find("</dependency>", start)
        if start < 0 or at < 0:
            return found
        fields: dict[str, str] = {}
        for field, value in _FIELD.findall(text[start:at]):  # the first ones: what is left out of it is named below
            fields.setdefault(field, value)
        if "artifactId" in fields:
            shown = text.find("<artifactId>", start)
            line, counted = line + text.count("\n", counted, shown), shown
            name = f"{fields.get('groupId', '')}:{fields['artifactId']}"
            found.append(DeclaredPackage("maven", name, fields.get("version", "managed"), line))


def _uncommented(text: str) -> str:
    """The text without XML comments; its line ends are kept."""
    parts = text.split("<!--")
    kept = [parts[0]]
    for part in parts[1:]:
        comment, _, rest = part.partition("-->")
        kept.append("\n" * comment.count("\n") + rest)
    return "".join(kept)


def _gradle(lines: "list[str]") -> "list[DeclaredPackage]":
    found = []
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith(("//", "*", "/*")):
            continue
        match, mapped = _GRADLE.search(line), _MAPPED.search(line)
        if match:
            found.append(DeclaredPackage("gradle", match["name"], match["spec"] or "managed", number))
        elif mapped:
            name = f"{mapped['group']}:{mapped['name']}"
            found.append(DeclaredPackage("gradle", name, mapped["spec"] or "managed", number))
    return found


def _docker(lines: "list[str]") -> "list[DeclaredPackage]":
    return [*_base_images(lines), *_installed(_RUN.finditer("\n".join(lines)), "\n".join(lines))]


def _pipeline(lines: "list[str]") -> "list[DeclaredPackage]":
    """What a job of a CI system uses, and what its commands bring along."""
    text = "\n".join(lines)
    return [*_actions(lines), *_installed(_STEPS.finditer(text), text)]


def _recipes(lines: "list[str]") -> "list[DeclaredPackage]":
    text = "\n".join(lines)
    return _installed(_RECIPE.finditer(text), text)


def _script(lines: "list[str]") -> "list[DeclaredPackage]":
    text = "\n".join(lines)
    return _installed(re.finditer(r"(?P<run>.*)", text, re.DOTALL), text)


def _installed(commands: "Iterator[re.Match[str]]", text: str) -> "list[DeclaredPackage]":
    """What the commands in a file bring along, each at the line on which its command begins."""
    from rulec.guard.packages import PATTERNS, installed_packages  # noqa: PLC0415 (most files hold no command)
    from rulec.shell.parsing.parser import parse_shell  # noqa: PLC0415 (as above)

    programs = {pattern.split()[0] for pattern in PATTERNS}
    found = []
    for match in commands:
        run, first = match["run"], text.count("\n", 0, match.start("run")) + 1
        for number, line in enumerate(_joined_lines(run), first):
            if not programs.isdisjoint(_PROGRAM.findall(line)):
                for one in (one for call in parse_shell(line).calls for one in installed_packages(call)):
                    one.line = number
                    found.append(one)
    return found


def _joined_lines(run: str) -> "Iterator[str]":
    """Each command of a text; of one that goes on over several lines the first has it all, and the others nothing."""
    held, rest = "", 0
    for line in run.split("\n"):
        if line.rstrip().endswith("\\"):
            held, rest = held + line.rstrip()[:-1] + " ", rest + 1
            continue
        yield held + line.lstrip(" \t-@") if held else line.lstrip(" \t-@")
        yield from [""] * rest
        held, rest = "", 0


def _base_images(lines: "list[str]") -> "list[DeclaredPackage]":
    found, stages = [], {"scratch"}
    for number, line in enumerate(lines, 1):
        match = _FROM.match(line)
        if match:
            if match["image"].lower() not in stages:
                found += list(_images([(number, match["image"])]))
            stages.add((match["stage"] or "scratch").lower())
    return found


def _compose(lines: "list[str]") -> "list[DeclaredPackage]":
    """Images with a tag; one without may be what the file itself builds."""
    seen = ((number, match["image"]) for number, line in enumerate(lines, 1) if (match := _IMAGE.match(line)))
    return [one for one in _images(seen) if one.spec]


def _images(seen: "Iterable[tuple[int, str]]") -> "Iterator[DeclaredPackage]":
    for number, image in seen:
        name, _, digest = image.partition("@")
        head, slash, last = name.rpartition("/")
        base, _, tag = last.partition(":")
        yield DeclaredPackage("image", head + slash + base, f"@{digest}" if digest else tag, number)


def _actions(lines: "list[str]") -> "list[DeclaredPackage]":
    found = []
    for number, line in enumerate(lines, 1):
        match, image = _USES.match(line), _IMAGE.match(line)
        if match:
            found.append(DeclaredPackage("action", match["name"], match["ref"], number))
        elif image:
            found += [one for one in _images([(number, image["image"])]) if one.spec]
    return found


def _conda(lines: "list[str]") -> "list[DeclaredPackage]":
    """The items of the list of dependencies, those for pip among them."""
    found: list[DeclaredPackage] = []
    within = False
    for number, line in enumerate(lines, 1):
        text = line.partition(" #")[0].rstrip()
        head = re.match(r"(?P<key>[\w-]+)\s*:\s*(?:\[(?P<list>.*)\])?", text)
        within = head["key"] == "dependencies" if head else within
        item = re.match(r"\s*-\s+['\"]?(?P<what>[^:'\"]+(?:::[^'\"]+)?)['\"]?$", text)
        names = (head["list"] or "").split(",") if head else [item["what"]] if item else []
        for name in names if within else []:
            what = name.strip(" '\"").rpartition("::")[2]
            found += parse_requirement(re.sub(r"(?<![<>=!~])=(?!=).*", "", what), number, pinned=False)
    return found


def _setup_script(lines: "list[str]") -> "list[DeclaredPackage]":
    """The texts in the lists of requirements of a setup.py, also where a name stands for the list."""
    text = "\n".join(lines)
    found: list[DeclaredPackage] = []
    for match in _REQUIRES.finditer(text):
        held = re.search(rf"^{match['name']}\s*=\s*(?=[\[({{])", text, re.MULTILINE) if match["name"] else match
        found += _listed(text, held.end()) if held else []
    return found


def _listed(text: str, start: int) -> "Iterator[DeclaredPackage]":
    """The requirements among the texts between brackets; a text before a colon names a group of them."""
    depth = 0
    for match in _QUOTED_OR_BRACKET.finditer(text, start):
        sign = match[0][0]
        depth += (sign in "[({") - (sign in "])}")
        if sign in "\"'" and not re.match(r"\s*:", text[match.end() :]):
            yield from parse_requirement(match[0][1:-1], text.count("\n", 0, match.start()) + 1)
        if depth <= 0:
            return


def _sessions(lines: "list[str]") -> "list[DeclaredPackage]":
    """What the sessions of nox install."""
    found: list[DeclaredPackage] = []
    for number, line in enumerate(lines, 1):
        match = re.search(r"\bsession\.(?:conda_)?install\((?P<given>.*)", line)
        for text in re.findall(r"[\"']([^\"']+)[\"']", match["given"]) if match else []:
            found += parse_requirement(text, number, pinned=False)
    return found


def _inline(lines: "list[str]") -> "list[DeclaredPackage]":
    """The dependencies that a Python script names in a comment at its head."""
    try:
        start = lines.index("# /// script")
        end = lines.index("# ///", start)
    except ValueError:
        return []
    inside = [line.removeprefix("#").strip() if start < number < end else "" for number, line in enumerate(lines)]
    return declared_in_toml("pyproject", inside)


READERS = {
    "go": _go,
    "gem": _gem,
    "maven": _maven,
    "gradle": _gradle,
    "docker": _docker,
    "compose": _compose,
    "actions": _pipeline,
    "conda": _conda,
    "script": _script,
    "recipes": _recipes,
    "setup script": _setup_script,
    "sessions": _sessions,
    "python": _inline,
}

_KINDS = {  # family -> the files in which it is declared
    "npm": ["package.json"],
    "composer": ["composer.json"],
    "pyproject": ["pyproject.toml"],
    "pipfile": ["Pipfile"],
    "cargo": ["Cargo.toml"],
    "catalog": ["*.versions.toml"],
    "requirements": file_kinds.split_words(
        "*requirements*.txt *requirements*.in requirements/*.txt requirements/*.in *constraints*.txt "
        "*requirements*.lock"
    ),
    "setup": ["setup.cfg", "tox.ini"],
    "go": ["go.mod"],
    "gem": ["Gemfile", "*.gemspec"],
    "maven": ["pom.xml"],
    "gradle": ["*.gradle", "*.gradle.kts"],
    "docker": file_kinds.split_words("Dockerfile Dockerfile.* *.dockerfile Containerfile"),
    "compose": ["{docker-,}compose*.{yml,yaml}"],
    "actions": [
        ".github/workflows/*.{yml,yaml}",
        "action.{yml,yaml}",
        ".gitlab-ci.yml",
        ".circleci/config.yml",
        "{azure,bitbucket}-pipelines.yml",
    ],
    "conda": ["environment*.{yml,yaml}", "conda*.{yml,yaml}"],
    "pixi": ["pixi.toml"],
    "script": ["*.sh", "*.bash"],
    "recipes": ["Makefile", "makefile", "GNUmakefile", "*.mk"],
    "setup script": ["setup.py"],
    "sessions": ["noxfile.py"],
    "python": ["*.py"],
}
FILES = [glob for kind in _KINDS.values() for glob in kind]
_TOKEN = re.compile(r"\"(?P<text>(?:[^\"\\\n]|\\.)*)\"?|(?P<sign>[{}\[\]:,])|(?P<line>\n)")
_SECTIONS = {
    "npm": file_kinds.split_words("dependencies devDependencies optionalDependencies peerDependencies"),
    "composer": file_kinds.split_words("require require-dev"),
}
# Settings that look like a name and its version, where a fragment does not show what they stand in.
_FETCHED = re.compile(r"git\+|git@|git(?:hub|lab):|bitbucket:|[\w.-]+/[\w.-]+(?:#.*)?$|https?://\S+\.git")
_SETTINGS = frozenset(
    file_kinds.split_words("version name main type license node npm yarn pnpm engines private php types packageManager")
)
_REQUIREMENT = re.compile(r"^\s*(?P<what>[A-Za-z0-9][\w.-]*\s*(?:\[|[<>=!~@;#]|$).*)$")
_BARE = re.compile(r"^\s+(?P<what>[A-Za-z0-9][\w.-]*\s*(?:\[|[<>=!~@;#]|$).*)$")
_SECTION = re.compile(r"^\[(?P<name>[^\]]*)\]")
_KEY = re.compile(r"^(?P<key>[\w.-]+)\s*[:=](?P<rest>.*)$")


def kind_of(path: str) -> str:
    """The family of declarations that a file holds, "" where it is no such file."""
    return next((kind for kind, wanted in _KINDS.items() if globs.match(wanted, path)), "")


def declared_packages(path: str, text: str) -> "list[DeclaredPackage]":
    """What a manifest, or a piece of one, declares."""
    lines = text.replace("\r\n", "\n").split("\n")[:MOST_LINES]
    kind = kind_of(path)
    if kind in _SECTIONS:
        return _json(kind, "\n".join(lines))
    lines = [line[:LONGEST_LINE] for line in lines]
    if kind == "requirements":
        return _requirements(lines, pinned=not path.endswith(".in"))
    if kind == "setup":
        return _setup(lines)
    if kind in TOML_KINDS:
        return declared_in_toml(kind, lines)
    return READERS[kind](lines) if kind in READERS else []


def _json(kind: str, text: str) -> "list[DeclaredPackage]":
    """Pairs of name and version; what a fragment leaves open is told by what they look like."""
    found: list[DeclaredPackage] = []
    stack: list[str | None] = []
    key, value, line, colon = "", "", 1, False
    for match in _TOKEN.finditer(text):
        sign = match["sign"]
        if match["line"]:
            line += 1
        elif sign in ("{", "["):
            stack.append(key if colon and sign == "{" else None)
            key, colon = "", False
        elif sign in ("}", "]"):
            stack = stack[:-1]
            key, colon = "", False
        elif sign == ":":
            key, colon = value, True
        elif sign == ",":
            key, colon = "", False
        elif colon:
            found += _pair(kind, stack, key, match["text"], line)
            key, colon = "", False
        else:
            value = match["text"]
    return found


def _pair(kind: str, stack: "list[str | None]", key: str, spec: str, line: int) -> "list[DeclaredPackage]":
    section = stack[-1] if stack else ""
    likely = not stack and key not in _SETTINGS and bool(re.match(r"[\^~<>=v]*\d|\*|latest|workspace:|npm:", spec))
    if not (section in _SECTIONS[kind] or likely) or (kind == "composer" and "/" not in key):
        return []
    _, alias, target = f"@{spec}".partition("@npm:")
    name = target.rpartition("@")[0] or target if alias else repository_name(spec) if _FETCHED.match(spec) else ""
    return [DeclaredPackage(kind, name or key, spec, line, pinned=section != "peerDependencies")]


def _requirements(lines: "list[str]", *, pinned: bool) -> "list[DeclaredPackage]":
    found = []
    for number, line in enumerate(lines, 1):
        match = _REQUIREMENT.match(line)
        address = re.match(r"\s*(?:-e\s+|--editable[ =])?(?P<at>\w+\+?\w*://\S+|git@\S+)", line)
        name = repository_name(address["at"]) if address else ""
        if match and not address:
            found += parse_requirement(match["what"].partition(" --")[0].rstrip("\\ "), number, pinned=pinned)
        elif name and address:
            found.append(DeclaredPackage("python", name, f"@ {address['at']}", number, pinned=False))
    return found


def _setup(lines: "list[str]") -> "list[DeclaredPackage]":
    """The requirements of setup.cfg: values of some keys, and all keys of one section."""
    found: list[DeclaredPackage] = []
    section, wanted = "", False
    for number, line in enumerate(lines, 1):
        head, entry = _SECTION.match(line), _KEY.match(line)
        text = ""
        if head:
            section, wanted = head["name"], False
        elif entry:
            wanted = "extras_require" in section or entry["key"] in ("install_requires", "setup_requires", "deps")
            text = "  " + entry["rest"].strip() if wanted else ""
        elif wanted or not section:
            text = line if wanted or re.search(r"[<>=~]=", line) else ""
        match = _BARE.match(text) if text.strip() else None
        found += parse_requirement(match["what"], number) if match else []
    return found
