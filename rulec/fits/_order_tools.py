"""What people call tests, linters, builds and the like -> the commands that do it, by language."""

from rulec.language.terms import table

CODE = {  # language -> endings of its files; what one language's tools check together is one language
    "python": "py pyi",
    "javascript": "js jsx mjs cjs ts tsx mts cts vue svelte",
    "go": "go",
    "rust": "rs",
    "java": "java kt kts scala groovy",
    "csharp": "cs fs vb",
    "ruby": "rb",
    "php": "php",
    "swift": "swift m mm",
    "c": "c h cc cpp cxx hpp hh",
    "elixir": "ex exs",
    "dart": "dart",
    "shell": "sh bash zsh",
    "terraform": "tf",
}
_NODE = "npm|pnpm|yarn|bun"
_RUNNERS = "make|just|task|rake|nox|tox|invoke|inv|moon|turbo|nx|earthly|poe|hatch"
_SCRIPTS = "npm|pnpm|yarn|bun|mise|deno|turbo|nx|moon|composer|pdm|hatch|poe"


def _tasks(names: str) -> tuple[str, ...]:
    """The task of these names, whichever program runs the tasks of a repository; npm's own "ci" installs."""
    return (f"{_RUNNERS} {names}", f"{_SCRIPTS} run {names}", f"{_NODE} {names.replace('ci*|', '')}")


_TEST = {
    "": (
        *_tasks("test*|check*|ci*|verify*|spec*"),
        "run_test*|run-test*|runtest*|test.sh|tests.sh|check.sh|ci.sh",
        "bazel|buck2|pants|devenv test",
        "nix flake",
    ),
    "python": ("pytest", "unittest", "python -m unittest", "tox", "nox", "coverage run", "python manage.py test"),
    "javascript": (
        "npm|pnpm t",
        "jest|vitest|mocha|ava|tap|karma|cypress|playwright|wtr",
        "ng|nx|bun|deno test",
        "node --test",
    ),
    "go": ("go test", "gotestsum", "ginkgo"),
    "rust": ("cargo test|nextest|t",),
    "java": ("mvn|mvnw|gradle|gradlew|sbt test*|check|build|verify|install|package", "bazel test"),
    "csharp": ("dotnet test",),
    "ruby": ("rspec", "rails test", "rake spec*", "minitest", "m"),
    "php": ("phpunit", "pest", "php artisan test"),
    "swift": ("swift test", "xcodebuild test", "fastlane test*"),
    "c": ("ctest", "bazel test", "meson test"),
    "elixir": ("mix test",),
    "dart": ("flutter|dart test",),
    "shell": ("bats", "shunit2"),
    "terraform": ("terraform test|validate|plan", "terragrunt plan"),
}
_LINT = {
    "": (*_tasks("lint*|check*|ci*|verify*"), "pre-commit|prek run", "lint.sh|check.sh", "trunk check", "semgrep"),
    "python": ("ruff check", "flake8", "pylint", "mypy", "pyright", "bandit"),
    "javascript": ("eslint", "biome check|lint|ci", "tslint", "oxlint", "standard", "xo", "next|deno|ng lint"),
    "go": ("golangci-lint run", "go vet", "staticcheck", "revive"),
    "rust": ("cargo clippy",),
    "java": (
        "ktlint",
        "detekt",
        "mvn|mvnw|gradle|gradlew|sbt check*|lint*|ktlint*|verify|detekt|spotless*",
        "checkstyle",
    ),
    "csharp": ("dotnet format",),
    "ruby": ("rubocop", "standardrb"),
    "php": ("phpstan", "phpcs", "psalm", "php-cs-fixer", "pint"),
    "swift": ("swiftlint",),
    "c": ("clang-tidy", "cppcheck"),
    "elixir": ("mix credo|dialyzer",),
    "dart": ("flutter|dart analyze",),
    "shell": ("shellcheck",),
    "terraform": ("tflint", "terraform validate"),
}
_FORMAT = {
    "": (*_tasks("fmt*|format*|fix*|lint*|pretty*"), "pre-commit|prek run", "treefmt"),
    "python": ("ruff format", "black", "autopep8", "yapf"),
    "javascript": ("prettier", "biome format|check", "dprint", "deno fmt", "eslint --fix"),
    "go": ("gofmt", "goimports", "gofumpt", "go fmt", "golangci-lint fmt"),
    "rust": ("cargo fmt", "rustfmt"),
    "java": ("ktlint", "mvn|mvnw|gradle|gradlew spotless*|ktlintFormat", "google-java-format", "scalafmt"),
    "csharp": ("dotnet format", "csharpier"),
    "ruby": ("rubocop", "standardrb"),
    "php": ("php-cs-fixer", "pint", "phpcbf"),
    "swift": ("swiftformat", "swift-format"),
    "c": ("clang-format",),
    "elixir": ("mix format",),
    "dart": ("dart format",),
    "shell": ("shfmt",),
    "terraform": ("terraform fmt",),
}
_TYPES = {
    "": (*_tasks("type*|check*|tsc*|mypy*|ci*|build*|verify*"), "pre-commit|prek run"),
    "python": ("mypy", "pyright", "basedpyright", "pyre", "ty check", "pytype"),
    "javascript": ("tsc", "vue-tsc", "svelte-check", "tsgo", "deno check", "astro check", "next build"),
    "go": ("go build|vet|test",),
    "rust": ("cargo check|build|clippy|test",),
    "php": ("phpstan", "psalm"),
    "ruby": ("srb tc", "steep check"),
}
_BUILD = {
    "": (*_tasks("build*|compile*|test*|check*|ci*|all|verify*"), "cmake --build", "bazel build|test", "build.sh"),
    "python": ("python -m py_compile|compileall", "python -m build", "mypy", "pyright"),
    "javascript": ("tsc", "vue-tsc", "vite|next|nuxt|astro|ng|webpack|rollup|tsup|esbuild|turbo|nx build", "webpack"),
    "go": ("go build|vet|install|run",),
    "rust": ("cargo build|check|clippy|run|b|c",),
    "java": ("mvn|mvnw|gradle|gradlew|sbt compile*|build|assemble*|package|install|verify|test*|check",),
    "csharp": ("dotnet build|run|publish|test",),
    "ruby": ("ruby -c",),
    "php": ("php -l",),
    "swift": ("swift build", "xcodebuild"),
    "c": ("make", "ninja", "cmake", "gcc|g++|clang|clang++", "meson compile"),
    "elixir": ("mix compile",),
    "dart": ("flutter|dart build|compile|analyze",),
    "shell": ("bash -n", "shellcheck"),
    "terraform": ("terraform validate|plan",),
}
PURPOSES = {"test": _TEST, "lint": _LINT, "format": _FORMAT, "types": _TYPES, "build": _BUILD}
TASKS = table(
    "test tests check lint fmt format build typecheck type-check types verify ci validate all docs generate "
    "codegen gen "
    "e2e integration coverage clean install dev run bench vet migrate backup"
)
RUNNERS = table(f"{_RUNNERS} mise {_SCRIPTS}".replace("|", " "))


def languages_of(paths: list[str]) -> tuple[str, ...]:
    """The languages of the code among these files."""
    endings = {path.rpartition(".")[2].lower() for path in paths if "." in path.rpartition("/")[2]}
    return tuple(language for language, own in CODE.items() if endings & set(own.split()))


def globs_of(languages: tuple[str, ...]) -> list[str]:
    """The code files of these languages, of all of them where none is named."""
    return [f"*.{ending}" for language in languages or tuple(CODE) for ending in CODE[language].split()]


def languages_by(commands: list[str]) -> tuple[str, ...]:
    """The languages whose own tools these are; none for those that serve any."""
    programs = {command.split()[0] for command in commands}
    if programs <= set(_NODE.split("|")):
        return ("javascript",)
    found = {
        language
        for known in PURPOSES.values()
        for language, own in known.items()
        if programs & {name for command in own for name in command.split()[0].split("|")} - RUNNERS
    }
    return tuple(sorted(found)) if "" not in found and len(found) <= _FEW else ()


_FEW = 2


def commands_for(purpose: str, languages: tuple[str, ...]) -> list[str]:
    """Every command that serves the purpose: any of them will do."""
    known = PURPOSES[purpose]
    found = [command for language in ("", *(languages or tuple(CODE))) for command in known.get(language, ())]
    if purpose == "build":  # tests only run on code that builds
        found += commands_for("test", languages)
    return list(dict.fromkeys(found))
