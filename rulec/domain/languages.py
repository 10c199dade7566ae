"""The one table of languages: their suffixes, how their comments look, and what people call them."""

TABLE = """
python        python    py pyi
javascript    script    js jsx mjs cjs
typescript    script    ts tsx mts cts
vue           script    vue
svelte        script    svelte
php           script    php
dart          script    dart
go            slash     go
java          slash     java
kotlin        slash     kt kts
rust          slash     rs
c             slash     c h
cpp           slash     cc cpp cxx hpp hh
csharp        slash     cs
swift         slash     swift
scala         slash     scala
groovy        slash     groovy gradle
objectivec    slash     m mm
verilog       slash     v sv
zig           slash     zig
solidity      slash     sol
glsl          slash     glsl
protobuf      slash     proto
css           style     css
scss          slash     scss less
ruby          hash      rb gemspec rake Gemfile Rakefile
bash          hash      sh bash zsh fish
perl          hash      pl pm
r             hash      r
julia         hash      jl
elixir        hash      ex exs
nix           hash      nix
terraform     hash      tf hcl tfvars
yaml          hash      yaml yml
toml          hash      toml
ini           hash      cfg conf ini env properties gitignore
make          hash      mk Makefile GNUmakefile
cmake         hash      cmake
docker        hash      dockerfile Dockerfile
sql           dash      sql
lua           dash      lua
haskell       dash      hs
elm           dash      elm
ada           dash      adb ads
html          markup    html htm
xml           markup    xml svg xsd
json          -         json
jsonc         script    jsonc
markdown      -         md mdx markdown mdown
rst           -         rst
asciidoc      -         adoc
text          -         txt
notebook      -         ipynb
powershell    hash      ps1 psm1
clojure       -         clj cljs
erlang        -         erl hrl
ocaml         -         ml mli
graphql       hash      graphql gql
"""
SPOKEN_NAMES = {  # other names of the same
    "py": "python", "js": "javascript", "jsx": "javascript", "ts": "typescript", "tsx": "typescript", "golang": "go",
    "kt": "kotlin", "rs": "rust", "c++": "cpp", "c#": "csharp", "rb": "ruby", "shell": "bash", "sh": "bash",
    "yml": "yaml", "md": "markdown", "tf": "terraform", "hcl": "terraform", "makefile": "make", "proto": "protobuf",
    "dockerfile": "docker", "less": "scss", "sass": "scss", "objective-c": "objectivec", "htm": "html",
    "ps1": "powershell",
}  # fmt: skip

_ROWS = [line.split() for line in TABLE.strip().splitlines()]
SUFFIXES = {row[0]: row[2:] for row in _ROWS}  # language -> endings of its files, and whole names that have none
COMMENT_STYLES = {
    ending.lower(): row[1] for row in _ROWS for ending in row[2:] if row[1] != "-"
}  # ending -> how comments look


def globs_of(kind: str) -> "list[str]":
    """The globs of a language, or of a file's ending written with its dot (.kt); [] where it is neither."""
    name = kind.strip().lower()
    language = SPOKEN_NAMES.get(name, name)
    if language in SUFFIXES:
        return [ending if ending[:1].isupper() else f"*.{ending}" for ending in SUFFIXES[language]]
    ending = kind.strip().removeprefix("*")
    plain = ending[1:].replace(".", "").replace("-", "").replace("_", "").isalnum()
    return [f"*{ending}"] if ending[:1] == "." and plain else []


def globs_within(places: "list[str]", kinds: "list[str]") -> "list[str]":
    """Globs for files of these kinds at these places; a place that names files by their ending stays as it is."""
    named = [glob for kind in kinds for glob in globs_of(kind)]
    if not named or not places or places == ["**"]:
        return named or list(places)
    found: "list[str]" = []
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
