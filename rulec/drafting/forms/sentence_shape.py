"""A sentence read once for add, import and ingest: markup off, each literal one sign in its shape."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal as Choice

from rulec.drafting.forms.instantiations import kind_endings, languages_of_name
from rulec.language.terms import SUFFIX_PATTERN
from rulec.language.words import ABBREVIATIONS, any_of, word_table

Kind = Choice["command", "path", "flag", "symbol", "text", "number"]

FIRST = 0xE000  # the first of the signs that stand for literals, which no text of a person holds
MOST = 60  # literals of one sentence; whoever names more wrote no sentence
LONGEST = 600  # characters of one


@dataclass(frozen=True, slots=True)
class Literal:
    """What a sentence names exactly."""

    text: str
    kind: Kind
    quoted: bool = False  # it stands in marks, so that nobody has to guess where it ends


@dataclass(frozen=True, slots=True)
class Sentence:
    """A person's sentence: as it was written, and its shape with a sign for each literal."""

    text: str  # without markup, else word for word
    shape: str
    literals: tuple[Literal, ...]

    def literal(self, sign: str) -> Literal | None:
        """The literal behind a sign of the shape."""
        at = ord(sign) - FIRST if len(sign) == 1 else -1
        return self.literals[at] if 0 <= at < len(self.literals) else None

    def behind(self, part: str) -> str:
        """A part of the shape, from its first word on, as in the text."""
        first = self.spelled(part.split(" ", maxsplit=1)[0]) if part else ""
        at = max((found.start() for found in re.finditer(rf"(?<!\w){re.escape(first)}(?!\w)", self.text)), default=-1)
        found = self.text[at:].strip(" .") if first and at >= 0 else self.spelled(part)
        found = found.removesuffix(")") if found.count("(") < found.count(")") else found
        return found.strip("`") if found.count("`") % 2 else found

    def spelled(self, part: str) -> str:
        """A stretch of the shape in the person's own signs."""
        return "".join(one.text if (one := self.literal(sign)) else sign for sign in part).strip()


# What programs, more or less every developer's, are called in a sentence without any marks around them.
PROGRAMS = word_table(
    """
    git gh glab npm npx pnpm yarn bun bunx deno node tsx ts-node pip pip3 pipx uv uvx poetry pdm pipenv conda python
    python3 pytest tox nox ruff black flake8 pylint mypy pyright isort pre-commit eslint prettier biome tsc jest
    vitest mocha webpack vite turbo nx playwright cypress cargo rustc rustfmt clippy go gofmt golangci-lint make
    cmake ninja bazel just mise task docker docker-compose podman kubectl helm kustomize terraform tofu pulumi
    ansible ansible-playbook aws gcloud gsutil az curl wget ssh scp rsync rm mv cp chmod chown sudo sed awk grep rg
    find fd cat head tail kill pkill killall crontab systemctl launchctl brew apt apt-get yum dnf bundle gem rake
    rails rspec rubocop composer php phpunit artisan mvn mvnw ./mvnw gradle gradlew ./gradlew dotnet nuget flutter
    dart swift xcodebuild mix sqlite3 psql mysql mongosh redis-cli tmux nohup vercel netlify wrangler fly flyctl
    heroku supabase prisma alembic nodemon pm2 lerna rush volta nvm pyenv rbenv asdf swc esbuild rollup parcel ava
    tap nyc hatch rye unittest nosetests invoke claude codex gemini sphinx-build mkdocs hadolint shellcheck shfmt yamllint stylelint
    oxlint tslint yapf
    """
)

# Those that are a verb in English, too: behind a bare "never" it is the verb.
VERBS = word_table("go make just task head find kill mix fly rush tap hatch rake bundle invoke cat tail watch")

_MARK = re.compile(r"^\s*(?:CORRECT\[[\w-]{1,60}\]\s*:|rule\s*:|#\s(?=\S))\s*", re.IGNORECASE)
_BULLET = re.compile(r"^\s*(?:[-*+\u2022>]\s+|\d+[.)]\s+|#{1,6}\s+|\[[ x]\]\s+)+")
_BOLD = re.compile(r"(`[^`\n]*`)|(?<![\w*`])(\*{1,3}|__|~~)(?=\S)([^*\n`]*?(?:`[^`\n]*`[^*\n`]*?)*)(?<=\S)\2(?![\w*`])")
_LINK = re.compile(r"\[([^\]\n]+)\]\([^)\s]+\)")
_SIGNS = re.compile(r"^[\u2600-\u27bf\u2b00-\u2bff\U0001f300-\U0001faff\ufe0f\u200d\s:]+")
_LITERAL = re.compile(
    r"`{1,2}(?P<code>[^`\n]{1,200})`{1,2}"
    r'|(?<!\w)"(?P<double>[^"\n]{1,120})"(?!\w)'
    r"|(?<!\w)'(?P<single>[^'\n]{1,120})'(?!\w)"
    r"|[\u201c\u201e](?P<curly>[^\u201c\u201d\n]{1,120})[\u201c\u201d]"
    r"|(?P<url>\bhttps?://[^\s)]+)"
    r"|(?<![\w/.-])(?P<path>@?(?:~|\.{1,2})?/[\w.*@{}\[\]-](?:/?[\w.*@{}\[\]-])*/?"
    r"|(?:[\w.*@{}-]+/){2,}[\w.*@{}-]*|(?:[\w*@{}-]+/)+[\w*@{}-]*[.*][\w.*@{}-]*|[\w.*@-]*\w[\w.*@-]*/(?![\w*])"
    r"|(?:src|lib|app|apps|docs?|tests?|packages|pkg|cmd|internal|scripts|config|web|api|server|client|\.[a-z]\w*)/[\w.*-]+"
    rf"|(?!console\.|process\.env\b)[\w*-][\w.*-]*\.(?:{SUFFIX_PATTERN})\b(?![\w(.]\w)"
    r"|(?:(?<=in )|(?<=under )|(?<=inside )|(?<=within ))(?:src|lib|pkg|cmd|internal|scripts)(?=[\s,.;]|$)"
    r"|\.[a-zA-Z][\w-]*(?:\.[\w*-]*[\w*])*|\*\*?(?:/\*|\.\w+))"
    r"|(?<![\w-])(?P<kindof>(?:SQL|CSS|SCSS|HTML|[Mm]arkdown|YAML|JSON|TOML|[Pp]roto|Vue|Svelte|Dart|Kotlin|Swift|Terraform)(?= files?\b))"
    r"|(?<![\w-])(?P<flag>--?[a-zA-Z][\w-]*(?:=\S+)?)"
    r"|(?<![\w.])(?P<symbol>@[A-Za-z_][\w.]*\w|[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*(?:\(\)|!(?=[\s,;]))"
    r"|[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)+|[a-z]+[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[A-Za-z]\w*_\w+)"
    r"|(?<![\w.-])(?P<number>\d+(?:\.\d+)*)(?=[\s,;.)-]|$)"
)
_KINDS: dict[str, Kind] = {"path": "path", "url": "text", "flag": "flag", "symbol": "symbol", "number": "number"}
_WORDS = word_table(
    """
    e.g i.e a.k.a node.js next.js vue.js snake_case camelcase pascalcase upper_case typescript javascript github gitlab
    openapi graphql postgresql mysql sqlite mongodb macos ios devops saas fastapi vs.code vscode rwr prs apis urls
    """
)
_PATH = re.compile(r"(?![^/]*\()(?=[^\s]*[/.*])[\w.*@{}\[\],~/+-]+(?<![()])")
_SYMBOL = re.compile(r"[@.]?[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*(?:\(\)|\(\.\.\.\)|!)?")
_NAMED_FILE = re.compile(rf"(?:[\w.*@-]+\.(?:{SUFFIX_PATTERN})|\.[\w.-]+|[\w.*@-]*/.*|.*/[\w.*@-]*|\*.*)")

# Words that say the same, and words that say nothing, so that no form has to know them all.
_VERBS = (
    "run use call execute invoke type issue do employ prefer choose adopt go stick switch favor favour edit touch change modify "
    "alter update write overwrite rewrite mess make add put leave introduce insert have include create commit place keep emit "
    "generate delete remove rename move drop erase check stage track push version import require depend rely load bring pull "
    "install amend force skip bypass pass give set prefix start begin follow mention say finish report stop claim declare "
    "hand ask come ship confirm read open sign regenerate swallow ignore suppress catch hardcode pin replace store save live belong stay name contain "
    "match mirror exceed pass succeed test lint format build rebase merge squash reset need carry"
)


def _forms(verb: str) -> tuple[str, ...]:
    if verb.endswith("e"):
        return (f"{verb}s", f"{verb}d", f"{verb[:-1]}ing")
    if verb.endswith("y"):
        return (f"{verb[:-1]}ies", f"{verb[:-1]}ied", f"{verb}ing")
    last = verb[-1]
    return (f"{verb}s", f"{verb}es", f"{verb}ed", f"{verb}ing", f"{verb}{last}ing", f"{verb}{last}ed")


# Each form of a verb that forms speak of -> its plain form, which alone they have to know.
LEMMAS = {form: verb for verb in _VERBS.split() for form in _forms(verb)}
_OWN = "has=have does=do made=make written=write kept=keep left=leave goes=go named=named called=called"
LEMMAS |= dict(pair.split("=") for pair in _OWN.split())

_ALIKE: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(rf"\b(?:{'|'.join(said)})(?![\w'])", re.IGNORECASE), means)
    for means, said in (
        ("never", (
            r"(?:(?:the )?(?:agents?|claude|you|we|one|they|i) )?(?:must|should|shall|may|can|do|does|will|need)(?:n'?t| not| never)(?: ever)?(?: be allowed to)?",
            r"can'?not|do ?nt|never(?:,? ever)?|avoid|refrain from|stop|quit|not to|no one should|nobody should|nor|absolutely (?:no|never)",
            r"(?:under no circumstances|in no case)(?: should you)?|it is forbidden to|you are not allowed to",
            r"i never want(?: you)? to(?: see)?|i do ?n'?t want(?: you)? to(?: see)?|never want to(?: see)?",
        )),
        ("forbidden", (
            r"(?:is|are|being) (?:strictly )?(?:forbidden|banned|prohibited|disallowed|taboo|a no-go)",
            r"(?:is|are|being) (?:strictly )?(?:not|never) (?:allowed|permitted|ok(?:ay)?|acceptable)",
        )),
        ("instead-of", (r"instead of|rather than|in place of|in favou?r over|as opposed to",)),
        ("before", (r"prior to|ahead of",)),
        ("except in", (
            r"(?:(?:any|every|no|else)where )?(?:except|other than|than|apart from|aside from|save|but(?: not)?|unless)(?: for| when)? (?:in|inside|within|under)",
            r"outside(?: of)? files (?:in|inside|within|under)",
        )),
        ("except", (r"except for|other than|apart from|aside from|with the exception of|save for|excluding|(?:any|every)where but",)),
        ("", (
            r"not even (?:for|in|to|when|if|on|at) [^,;.:]*",
            r"at all costs?|under any circumstances?|for any reason|on this (?:project|repo\w*)|in any case|no matter what|by default",
            r"in (?:new |the |our |this |committed )*code(?:base)?(?=[.,;!]|$)|wherever possible|whenever possible|where possible",
        )),
        ("must", (
            r"(?:please |always |just |you |we |agents? )*(?:must|should|shall|have to|has to|need to|are to|want to)(?= \w)(?: always)?",
        )),
        ("", (
            r"make sure (?:that |to |you |we )*|be sure (?:to |you )*|ensure (?:that |you |we )*|remember (?:to |that )*|(?:never|do not|don'?t) forget to",
            r"i want you to|let'?s|always|please|pls|kindly|strictly|ever|(?<!\w)just|simply|directly|exclusively|explicitly|manually|by hand|yourself|cli",
            r"for (?:this|the) (?:project|repo\w*)|(?:in|across) (?:this|the|our) (?:repo(?:sitory)?|project|code ?base|workspace)|from now on|anymore|any more",
            r"at all|anywhere|everywhere|(?<=\w )here(?=[,.;:!]|$)|on anything|for anything|for now|going forward|in general|around here|under any circumstances",
            r"the|an?|our|your|my|its|these|those|all|every|each|any (?=\w)",
        )),
    )
)  # fmt: skip


# Behind a comma these words tell what is wanted from what is not: they go, and so would the difference.
_RATHER = re.compile(
    r"(?P<joint>[,;]|\s-)\s+(?:(?:but |and |so )?(?:always|just|simply|please|only)\s+(?P<first>(?P<what>[^\s,;.]+)[^,;.]*)"
    r"|(?P<last>[^\s,;.]+(?: [^\s,;.]+)?) (?:it is|please|only|always))(?=[,;.!]|$)",
    re.IGNORECASE,
)


def _say_use(found: "re.Match[str]") -> str:
    """Put "use" before a program or literal that these words prefer, unless it is a verb itself."""
    said = (found["first"] or found["last"]).strip()
    named = ord(said[:1]) >= FIRST or said.split()[0] in PROGRAMS
    return f"{found['joint']} use {said}" if named else found[0]


def read_sentence(text: str) -> Sentence:
    """Read a text: one sentence, or a few that belong together."""
    text = without_marks(text)
    literals: list[Literal] = []

    def sign(found: "re.Match[str]") -> str:
        group = found.lastgroup or ""
        value = found[group].strip()
        if not value or value.casefold().rstrip(".") in _WORDS or len(literals) >= MOST:
            return found[0]
        tail = ""
        if group == "kindof":
            value, group = kind_endings(value)[0], "path"
        if group in ("path", "symbol", "flag", "url"):
            bare = value.rstrip(".,;:!" if group != "symbol" else ".,;:")
            value, tail = (bare, value[len(bare) :]) if bare else (value, "")
        quoted = group not in _KINDS
        literals.append(Literal(value, _KINDS.get(group) or _kind(value), quoted))
        return f" {chr(FIRST + len(literals) - 1)} {tail}"

    masked = _RATHER.sub(_say_use, _LITERAL.sub(sign, text[:LONGEST]))
    for pattern, means in _ALIKE:
        masked = pattern.sub(means, masked)
    spaced = re.sub(r"\s*([,;:.!?()&|]|\u2013|\u2014|(?<=\s)-+(?=\s))\s*", r" \1 ", masked)
    spaced = spaced.replace("\u2013", "-").replace("\u2014", "-").replace("--", "-")
    shape = re.sub(r"\bmust (?=must\b)", "", " ".join(spaced.split()).strip(" .!,;:-"))
    words = (LEMMAS.get(word.casefold(), word) for word in shape.removeprefix("must ").split())
    return Sentence(text, " ".join(words), tuple(literals))


def without_marks(text: str) -> str:
    """A text without rule marks, bullets, emphasis, links and leading signs; code spans stay as they are."""
    text = text.replace("\u2019", "'").replace("\u2018", "'")
    text = _BULLET.sub("", _MARK.sub("", text.strip()))
    for _ in range(2):
        text = _BOLD.sub(lambda found: found[1] or found[3], text)
    return " ".join(_SIGNS.sub("", _LINK.sub(r"\1", text)).split())


def _kind(value: str) -> Kind:
    """What a text in marks names."""
    first = value.split(maxsplit=1)[0]
    if first in PROGRAMS or (first.startswith("./") and " " in value):
        return "command"
    if value.startswith("-") and re.fullmatch(r"--?[A-Za-z][\w-]*(?:[= ]\S+)?", value):
        return "flag"
    if _SYMBOL.fullmatch(value) and "." in value[1:] and languages_of_name(value):
        return "symbol"
    if " " not in value and _PATH.fullmatch(value) and (_NAMED_FILE.fullmatch(value) or "/" in value):
        return "path"
    if _SYMBOL.fullmatch(value):
        return "symbol"
    return "number" if re.fullmatch(r"\d+", value) else "text"


_END = re.compile(
    r"(?:(?<=[.!?])|(?<=[.!?]\*)|(?<=[.!?](?:\*\*|__)))\s+(?=[\"'`(*]*[A-Z0-9`])"
    # who writes without capitals ends a sentence all the same, unless what follows only bounds what was said
    r"|(?<=[a-z`]{2}[.!?])\s+(?=[a-z]{2})(?!(?:unless|except|only|if|when|but|instead|because|or|not|nor|without|until)\b)|\s*\n+\s*|\s*;\s+"
)
_KEEP = re.compile(rf"`[^`\n]*`|\b(?:{any_of(ABBREVIATIONS)})\.(?=\s)|\"[^\"\n]{{1,120}}\"|\([^()\n]{{0,200}}\)")


def split_sentences(text: str) -> Iterator[str]:
    """Each sentence of a text, word for word; code and brackets are never cut."""
    masked = _KEEP.sub(lambda found: "x" * len(found[0]), text)
    start = 0
    for end in [*(match.span() for match in _END.finditer(masked)), (len(text), len(text))]:
        if one := text[start : end[0]].strip():
            yield one
        start = end[1]


_JOINT = re.compile(r",?\s+(?:and|but|also|then)\s+|,\s+|\s+[-\u2013\u2014]+\s+", re.IGNORECASE)


def split_at_joints(text: str) -> Iterator[tuple[str, str]]:
    """Each way to part a sentence in two at a joint that lies in no code and in no brackets."""
    masked = _KEEP.sub(lambda found: "x" * len(found[0]), text)
    for joint in _JOINT.finditer(masked):
        first, second = text[: joint.start()].strip(), text[joint.end() :].strip()
        if first and second:
            yield first, second


_BREAK = re.compile(rf"{_JOINT.pattern}|\s*[;:]\s+|(?<=[.!?])\s+(?=[A-Z`])", re.IGNORECASE)
_MOST_PARTS = 6  # clauses of a sentence that are taken apart


def clause_runs(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each run of clauses of a text with the text before and after it, the longest run first."""
    masked = _KEEP.sub(lambda found: "x" * len(found[0]), text)
    breaks = [found.span() for found in _BREAK.finditer(masked)][: _MOST_PARTS - 1]
    starts, ends = [0, *(end for _, end in breaks)], [*(start for start, _ in breaks), len(text)]
    runs = [(first, last) for first in range(len(starts)) for last in range(first, len(starts))]
    for first, last in sorted(runs, key=lambda run: run[0] - run[1]):
        around = (text[: ends[first - 1]] if first else "", text[starts[last + 1] :] if last + 1 < len(starts) else "")
        rest = tuple(one for one in (part.strip() for part in around) if one)
        if rest and (seen := text[starts[first] : ends[last]].strip()):
            yield seen, rest
