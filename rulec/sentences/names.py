"""Names that say by themselves what they are: programs, their subcommands, functions and modules of a language."""

from dataclasses import dataclass, field

from rulec.domain.files.languages import CHECKED, language_of
from rulec.sentences.literals import word_table

# No word of these means anything else in a sentence; any other program is named in a code span.
PROGRAMS = word_table(
    """
    npm npx pnpm yarn bun bunx deno pip pip3 pipx pipenv poetry uv uvx pdm conda mamba virtualenv venv python
    python3 pytest tox nox unittest nosetests mypy pyright pylint flake8 ruff isort autopep8 yapf bandit tsc
    eslint tslint prettier biome oxlint stylelint jest vitest mocha cypress playwright webpack vite esbuild rollup
    turbo nx lerna nodemon pm2 ts-node nvm pyenv rbenv asdf git gh glab hub svn cargo rustup rustfmt clippy go
    gofmt golangci-lint make gmake cmake ninja bazel docker docker-compose podman kubectl helm kustomize terraform
    tofu pulumi ansible ansible-playbook aws gcloud gsutil az curl wget ssh scp rsync sudo sed awk grep rg chmod
    chown rm pkill killall crontab systemctl launchctl brew apt apt-get yum dnf apk gem bundler rails rspec rubocop
    composer php phpunit mvn mvnw gradle gradlew dotnet nuget flutter xcodebuild sqlite3 psql mysql mongosh
    redis-cli tmux nohup vercel netlify wrangler flyctl heroku supabase prisma alembic hadolint shellcheck shfmt
    yamllint pre-commit prek rulec semgrep node
    """
)
# Programs whose name is a word of the language too: only what they are told to do makes a command of them.
WORDS_TOO = frozenset({"go", "make", "node", "hub", "composer"})
# What follows a program's name in a sentence and is part of the command; other words only in a code span.
SUBCOMMANDS = word_table(
    """
    add amend apply audit bisect blame branch build cache check checkout cherry-pick ci clean clippy clone commit
    compose config create delete deploy destroy dev develop diff doc drop edit env exec fetch fix fmt force-unlock
    format generate get import init install lint list lock login logout logs merge migrate mod new outdated pop pr
    prune publish pull push rebase rebuild release remove repo reset restart restore revert rm rollback rollout
    run scale serve start stash state status stop submodule switch sync tag taint test tidy uninstall up update
    upgrade version vet watch workspace worktree yank down kill images volume network prune system ps cp patch
    label drain cordon pip tool venv x dlx plan output show log
    """
)
FUNCTIONS = {  # functions that are everybody's in one language; the first part of dotted ones is enough
    "python": "print exec eval input breakpoint pprint os sys time datetime subprocess random json pickle logging "
    "pdb re asyncio shutil tempfile open globals setattr",
    "javascript": "console alert eval fetch setTimeout setInterval process document window localStorage Math JSON "
    "Date require",
    "go": "fmt log panic ioutil os time", "java": "System Thread", "ruby": "puts pp byebug",
    "php": "var_dump print_r dd die", "rust": "println! dbg! todo! panic! unwrap", "c": "strcpy gets sprintf malloc",
    "cpp": "std",
}  # fmt: skip
MODULES = {  # modules that are everybody's in one language
    "python": "requests httpx urllib urllib2 urllib3 unittest pytest pickle logging subprocess typing datetime os.path "
    "pathlib argparse click pandas polars numpy aiohttp simplejson ujson pytz dateutil flask django fastapi sqlalchemy "
    "distutils",
    "javascript": "lodash moment dayjs date-fns axios jquery underscore node-fetch luxon ramda express react vue redux "
    "bluebird left-pad is-odd enzyme chai sinon styled-components",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryProfile:
    """What of a repository a sentence may mean: its languages, the most used first, its packages and folders."""

    languages: tuple[str, ...] = ()
    packages: frozenset[str] = frozenset()
    folders: frozenset[str] = frozenset()


MOST_LANGUAGES = 4  # for which a check is drafted at most


@dataclass(frozen=True, slots=True)
class Names:
    """What names mean in a repository."""

    profile: RepositoryProfile = field(default_factory=RepositoryProfile)

    def is_folder(self, word: str) -> bool:
        """Whether a bare word is a folder: one of this repository, or the one that everybody has."""
        return word == "src" or word in self.profile.folders

    def function_languages(self, name: str, named: str = "") -> tuple[str, ...]:
        """The languages in which a call of that name is meant; () for none."""
        plain = name.removesuffix("()")
        if named:
            return (named,)
        return self._known(FUNCTIONS, plain) or (self._most_used() if name.endswith("()") else ())

    def is_function(self, name: str) -> bool:
        """Whether everybody knows it as a function."""
        return bool(self._known(FUNCTIONS, name)) and "." in name

    def is_everybodys(self, name: str) -> bool:
        """Whether some language has a function of that name."""
        return bool(self._known(FUNCTIONS, name))

    def module_languages(self, name: str, named: str = "") -> tuple[str, ...]:
        """The languages in which a module of that name is imported; () where nobody knows it as one."""
        if named:
            return (named,)
        known = self._known(MODULES, name, whole=True)
        return known or (self._most_used()[:1] if name.casefold() in self.profile.packages else ())

    def _known(self, table: dict[str, str], name: str, *, whole: bool = False) -> tuple[str, ...]:
        first = name if whole else name.split(".", maxsplit=1)[0].split("::", maxsplit=1)[0]
        found = [language for language, names in table.items() if first in names.split() or name in names.split()]
        if "javascript" in found and "typescript" in self.profile.languages:
            found = ["typescript", *found]  # each includes both
            found.remove("javascript")
        here = [language for language in self.profile.languages if language in found]
        return tuple(dict.fromkeys(here or found))[:MOST_LANGUAGES]

    def _most_used(self) -> tuple[str, ...]:
        used = [language for language in self.profile.languages if language in CHECKED]
        if "typescript" in used and "javascript" in used:
            used.remove("javascript")
        return tuple(used)[:MOST_LANGUAGES]


def is_program(words: list[str]) -> bool:
    """Whether bare words are a command: a known program, and words that can be nothing but its own."""
    first, *rest = words
    name = first.removeprefix("./")
    if name not in PROGRAMS or (name in WORDS_TOO and not rest):
        return False
    return all(word in SUBCOMMANDS or word.startswith("-") or word in PROGRAMS for word in rest)


def language_named(word: str) -> str:
    """The language of that name that check templates know, "" where it is none."""
    language = language_of(word.casefold())
    return language if language in CHECKED else ""
