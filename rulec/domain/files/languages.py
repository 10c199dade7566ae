"""The one table of languages: their files and comments, what people call them, what runs them, what Semgrep reads."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# A language, how its comments look, what its files are, and their suffixes, the most usual first; a word of several
# letters that begins with a capital is a whole name. Semgrep reads those before the bar. "-" is none.
TABLE = """
python        python  code    py pyi
javascript    script  code    js jsx mjs cjs
typescript    script  code    ts tsx | mts cts
vue           markup  code    vue
svelte        markup  code    | svelte
astro         markup  code    | astro
php           php     code    php phtml tpl
dart          script  code    dart
go            slash   code    go
java          slash   code    java
kotlin        slash   code    kt kts ktm
rust          slash   code    rs
c             slash   code    c h
cpp           slash   code    cpp cc cxx hpp hh h hxx c++ pcc tpp C inl ipp
csharp        slash   code    cs
swift         slash   code    swift
scala         slash   code    scala
groovy        slash   code    | groovy gradle Jenkinsfile
objectivec    slash   code    | m mm
verilog       slash   code    | v sv
zig           slash   code    | zig
solidity      slash   code    sol
cairo         slash   code    cairo
hack          php     code    hack hck hh
glsl          slash   code    | glsl
cuda          slash   code    | cu cuh
d             slash   code    | d
pascal        slash   code    | pas dpr
fsharp        ml      code    | fs fsx fsi
visualbasic   quote   code    | vb vbs bas
fortran       bang    code    | f90 f95 f03 f08
crystal       hash    code    | cr
starlark      hash    code    | bzl star BUILD WORKSPACE
protobuf      slash   -       proto
css           style   style   | css
scss          sheet   style   | scss sass less
ruby          hash    code    rb | gemspec rake Gemfile Rakefile
perl          hash    code    | pl pm
r             hash    code    r R
julia         hash    code    jl
elixir        hash    code    | ex exs
nim           hash    code    | nim
tcl           hash    code    | tcl
awk           hash    code    | awk
bash          hash    script  sh bash | zsh fish
powershell    hash    script  | ps1 psm1
batch         rem     script  | bat cmd
terraform     hash    script  tf tofu hcl tfvars
nix           hash    -       | nix
make          hash    -       | mk Makefile GNUmakefile Justfile
cmake         hash    -       | cmake CMakeLists.txt
docker        hash    -       dockerfile Dockerfile Containerfile
graphql       hash    -       | graphql gql
prisma        slash   -       | prisma
thrift        slash   -       | thrift
sql           dash    -       | sql
lua           lua     code    lua
haskell       dash    code    | hs
elm           dash    code    | elm
ada           dash    code    | adb ads
clojure       lisp    code    clj cljs cljc edn
lisp          lisp    code    lisp cl el
scheme        lisp    code    scm ss | rkt
erlang        percent code    | erl hrl
ocaml         ml      code    ml mli
html          markup  markup  html htm
xml           markup  markup  xml plist | svg xsd
-             markup  markup  | hbs csproj sln resx erb ejs jsp cshtml twig liquid
latex         percent -       | tex sty
markdown      -       prose   | md mdx markdown mdown mdc
rst           -       prose   | rst
asciidoc      -       prose   | adoc
text          -       prose   | txt
yaml          hash    data    yaml yml
toml          hash    data    | toml
ini           ini     data    | ini cfg conf env properties gitignore
json          -       data    json
jsonc         script  data    | jsonc json5
jsonnet       slash   data    jsonnet libsonnet
notebook      markup  data    ipynb
-             -       data    | csv tsv jsonl ndjson log lock sum mod snap pem key
-             markup  -       | j2 jinja jinja2 tmpl
"""
SPOKEN_NAMES = {  # other names of the same
    "py": "python", "js": "javascript", "jsx": "javascript", "node": "javascript", "ts": "typescript",
    "tsx": "typescript", "golang": "go", "kt": "kotlin", "rs": "rust", "c++": "cpp", "c#": "csharp", "cs": "csharp",
    "rb": "ruby", "shell": "bash", "sh": "bash", "zsh": "bash", "yml": "yaml", "md": "markdown", "tf": "terraform",
    "hcl": "terraform", "makefile": "make", "proto": "protobuf", "dockerfile": "docker", "sol": "solidity",
    "less": "scss", "sass": "scss", "objective-c": "objectivec", "htm": "html", "ps1": "powershell",
    "notebooks": "notebook",
}  # fmt: skip
COVERED = {"javascript": ("typescript",), "css": ("scss",)}  # what holds for the one holds for these, too
# those that check templates know
CHECKED = ("python", "javascript", "typescript", "java", "ruby", "php", "rust", "go", "c", "cpp", "bash")
PROGRAMS = {  # a program that runs texts of a language -> that language
    "python": "python", "node": "javascript", "nodejs": "javascript", "js": "javascript", "bun": "typescript",
    "deno": "typescript", "ts-node": "typescript", "ruby": "ruby", "perl": "perl", "php": "php", "lua": "lua",
    "Rscript": "r", "julia": "julia", "scala": "scala", "hhvm": "hack", "sh": "bash", "bash": "bash", "dash": "bash",
}  # fmt: skip
SEMGREP_NAMES = {"protobuf": "proto", "docker": "dockerfile", "notebook": "json"}  # where Semgrep calls it otherwise
LINE_COMMENTS = {  # by the look of comments
    "python": "#", "hash": "#", "dash": "--", "lua": "--", "slash": "//", "script": "//", "php": "//",
}  # fmt: skip


def _rows() -> Iterator[tuple[str, str, str, list[str], list[str]]]:
    """Language, comments, kind, the suffixes that Semgrep reads, and all suffixes."""
    for line in TABLE.strip().splitlines():
        name, comments, kind, *words = line.split()
        read = words[: words.index("|")] if "|" in words else words
        yield name, comments, kind, read, [word for word in words if word != "|"]


def _joined(pairs: Iterable[tuple[str, list[str]]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, suffixes in pairs:
        found.setdefault(name, []).extend(suffixes)
    return found


_ROWS = list(_rows())
SUFFIXES = {name: suffixes for name, _, _, _, suffixes in _ROWS if name != "-"}
KINDS = {name: kind for name, _, kind, _, _ in _ROWS if name != "-"}  # code, script, style, markup, prose, data
SUFFIXES_BY_KIND = _joined((kind, suffixes) for _, _, kind, _, suffixes in _ROWS)
SEMGREP_SUFFIXES = _joined((SEMGREP_NAMES.get(name, name), read) for name, _, _, read, _ in _ROWS if read)
# of a suffix that two languages share, the first row counts
COMMENT_STYLES = {one.lower(): look for _, look, _, _, suffixes in reversed(_ROWS) for one in suffixes if look != "-"}
_WHOLE_NAMES = {one.lower() for _, _, _, _, suffixes in _ROWS for one in suffixes if len(one) > 1 and one[0].isupper()}
_BY_SUFFIX = {one: name for name, _, _, _, suffixes in reversed(_ROWS) for one in suffixes if name != "-"}


def language_of(name: str) -> str:
    """The language that people mean by a name or by the suffix of its files, "" where it is none."""
    name = name.strip()
    known = SPOKEN_NAMES.get(name.lower(), name.lower())
    return known if known in SUFFIXES else _BY_SUFFIX.get(name, _BY_SUFFIX.get(name.lower(), ""))


def language_of_file(path: str) -> str:
    """The language that a file is written in, by its name, "" where that tells none."""
    name = path.rpartition("/")[2]
    _, dot, suffix = name.rpartition(".")
    return _BY_SUFFIX.get(suffix if dot else name, "") if dot or _is_whole_name(name) else ""


def comment_style(path: str, text: str = "") -> str:
    """How comments of a file look, by its name or else by the program that its first line calls; "" for none."""
    name = path.rpartition("/")[2].lower()
    stem = name.lstrip(".").partition(".")[0]
    _, dot, suffix = name.rpartition(".")
    if name in _WHOLE_NAMES:
        return COMMENT_STYLES[name]
    if dot and suffix not in COMMENT_STYLES and (stem in _WHOLE_NAMES or name[0] == "."):  # Dockerfile.dev, .env.local
        return COMMENT_STYLES.get(stem, "")
    if not dot and text.startswith("#!"):
        words = re.findall(r"[\w-]+?(?=[\d.]*(?:\s|$))", text[:200].partition("\n")[0])
        language = next((PROGRAMS[word] for word in words if word in PROGRAMS), "")
        return COMMENT_STYLES.get(SUFFIXES[language][0], "") if language else ""
    return COMMENT_STYLES.get(suffix, "")


def line_comment(language: str) -> str:
    """What begins a comment that ends with its line, "" where nothing does."""
    return LINE_COMMENTS.get(COMMENT_STYLES.get(SUFFIXES[language][0].lower(), ""), "")


def suffix_glob(suffixes: Iterable[str]) -> str:
    """One glob for files with any of those suffixes; whole names are left out."""
    plain = [one for one in dict.fromkeys(suffixes) if not _is_whole_name(one)]
    return f"*.{plain[0]}" if len(plain) == 1 else f"*.{{{','.join(plain)}}}"


def _is_whole_name(suffix: str) -> bool:
    return len(suffix) > 1 and suffix[0].isupper()


def globs_of(kind: str) -> list[str]:
    """The globs of a language, or of a file's ending written with its dot (.kt); [] where it is neither."""
    name = kind.strip().lower()
    language = SPOKEN_NAMES.get(name, name)
    if language in SUFFIXES:
        return [ending if _is_whole_name(ending) else f"*.{ending}" for ending in SUFFIXES[language]]
    ending = kind.strip().removeprefix("*")
    plain = ending[1:].replace(".", "").replace("-", "").replace("_", "").isalnum()
    return [f"*{ending}"] if ending[:1] == "." and plain else []


def globs_with_covered(language: str) -> list[str]:
    """The globs of a language and of those that are meant with it: TypeScript's with JavaScript's."""
    return [glob for one in (language, *COVERED.get(language, ())) for glob in globs_of(one)]


def globs_within(places: list[str], kinds: list[str]) -> list[str]:
    """Globs for files of these kinds at these places; a place that names files by their ending stays as it is."""
    named = [glob for kind in kinds for glob in globs_of(kind)]
    if not named or not places or places == ["**"]:
        return named or list(places)
    found: list[str] = []
    for place in places:
        if place in (".", "./", "/"):
            found += [f"./{glob}" for glob in named]
            continue
        last = place.rstrip("/").rpartition("/")[2]
        if place.endswith("/") or last == "**" or "." not in last:
            folder = place.rstrip("/").removesuffix("**").rstrip("/")
            folder = folder if "/" in folder or not folder else f"**/{folder}"  # a name alone means any such folder
            found += [f"{folder}/**/{glob}" if folder else glob for glob in named]
        else:
            found.append(place)
    return found
