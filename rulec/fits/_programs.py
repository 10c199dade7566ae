"""Names of commands that people use in a sentence without any marks around them."""

from rulec.language.terms import table

PROGRAMS = table(
    "cd git gh glab npm npx pnpm yarn bun bunx deno node tsx pip pip3 pipx uv uvx poetry pdm pipenv conda "
    "python python3 pytest tox nox ruff black flake8 pylint mypy pyright isort"
    " eslint prettier biome tsc jest vitest mocha webpack vite turbo playwright cypress cargo rustc go gofmt make "
    "cmake bazel just mise docker docker-compose podman kubectl helm kustomize golangci-lint"
    " terraform tofu pulumi ansible ansible-playbook aws gcloud gsutil az curl wget ssh scp rsync rm mv cp chmod chown "
    "sudo sed awk grep rg find fd cat head tail kill pkill killall sleep echo crontab systemctl launchctl"
    " brew apt apt-get bundle gem rake rails rspec rubocop composer php phpunit artisan mvn mvnw ./mvnw gradle gradlew "
    "./gradlew dotnet nuget flutter dart swift xcodebuild mix sqlite3 psql mysql mongosh redis-cli tmux nohup"
    " pre-commit vercel netlify wrangler fly flyctl heroku supabase prisma alembic act"
)
# Programs whose names are plain words: as a verb without more words they name no command.
PLAIN_WORDS = table("make find node just sleep kill head tail cat echo go act fly swift dart mix rake python")
# Modules that are run as commands: naming the module means "python -m module".
RUN_AS_MODULES = table("unittest doctest nose http.server timeit cProfile pdb venv")
# Tools that do the same work: naming one of them as the one to use rules the others out.
FAMILIES = (frozenset({"npm", "pnpm", "yarn"}), frozenset({"pip", "poetry", "pipenv", "uv"}))
# Programs that do the same work: where one was run and then the other, words that name the second mean it.
KIN = (
    frozenset({"npm", "pnpm", "yarn", "bun"}),
    frozenset({"npx", "bunx", "uvx", "pipx"}),
    frozenset({"pip", "uv", "poetry", "pdm", "pipenv", "conda"}),
    frozenset({"gradle", "gradlew"}),
    frozenset({"mvn", "mvnw"}),
    frozenset({"grep", "rg", "ag", "ack"}),
    frozenset({"find", "fd"}),
    frozenset({"docker", "podman", "nerdctl"}),
    frozenset({"docker-compose", "docker compose"}),
    frozenset({"eslint", "biome", "oxlint", "tslint"}),
    frozenset({"black", "ruff", "yapf", "autopep8", "flake8", "pylint", "isort"}),
    frozenset({"prettier", "biome", "dprint"}),
    frozenset({"jest", "vitest", "mocha", "ava"}),
    frozenset({"terraform", "tofu"}),
    frozenset({"gh", "glab", "hub"}),
    frozenset({"curl", "wget", "http", "xh"}),
    frozenset({"make", "just", "task", "mise"}),
    frozenset({"psql", "pgcli"}),
    frozenset({"mypy", "pyright", "ty"}),
)
# Programs for everything: that another was run in the same place does not mean that it replaced them.
EVERYDAY = table(
    "git gh cat ls cd echo sed awk grep rg find fd head tail less wc sort cp mv rm mkdir touch test bash sh zsh python "
    "node npx docker curl sleep kill ssh jq xargs tee diff env export pwd which chmod"
)
# Programs that only look for words or write them down.
READING = ("grep", "rg", "echo", "git grep", "git log", "git commit", "awk", "sed", "cat", "printf", "gh")
# What programs work on, in people's words.
NOUNS = {
    "docker": "container containers image images volume volumes service services stack",
    "podman": "container containers image images volume volumes",
    "kubectl": "pod pods deployment deployments service services resource resources cluster",
    "npm": "package packages dependency dependencies deps module modules script scripts",
    "pnpm": "package packages dependency dependencies deps module modules script scripts",
    "yarn": "package packages dependency dependencies deps module modules script scripts",
    "pip": "package packages dependency dependencies deps module modules",
    "terraform": "resource resources infrastructure infra state",
    "systemctl": "service services",
    "brew": "package packages formula",
}
# Programs that run a script or target by its name: the word behind them may be any.
SCRIPTED = table("make just mise npm pnpm yarn bun turbo rake")
# Two spellings of one flag, by the command that knows them.
TWINS = {
    "git add": {"-A": "--all", "--all": "-A", "-f": "--force", "--force": "-f"},
    "git push": {"-f": "--force", "--force": "-f"},
    "git commit": {"-n": "--no-verify", "--no-verify": "-n", "-a": "--all", "--all": "-a"},
    "git clean": {"-f": "--force", "--force": "-f"},
    "docker compose": {"-v": "--volumes", "--volumes": "-v", "-d": "--detach", "--detach": "-d"},
    "docker run": {"-d": "--detach", "--detach": "-d"},
    "npm install": {"-g": "--global", "--global": "-g", "-f": "--force", "--force": "-f"},
    "rm": {"-r": "--recursive", "-f": "--force", "--force": "-f"},
    "sed": {"-i": "--in-place", "--in-place": "-i"},
    "kubectl delete": {"-f": "--filename"},
    "terraform apply": {"-auto-approve": "--auto-approve", "--auto-approve": "-auto-approve"},
    "terraform destroy": {"-auto-approve": "--auto-approve", "--auto-approve": "-auto-approve"},
}
# What a program is used for -> the use that is meant.
PURPOSES: tuple[tuple[str, str, str, str], ...] = (
    ("sed", r"\b(?:edit|chang|modif|rewrit|replac|writ)", "sed -i|--in-place", ""),
    ("perl", r"\b(?:edit|chang|modif|rewrit|replac|writ)", "perl -i", ""),
    ("git checkout", r"\b(?:revert|restor|discard|undo|reset)", "git checkout", r"^(?:--|\.|[\w./-]+\.\w{1,5})$"),
    ("git add", r"\b(?:every|all)", "git add -A|--all", ""),
)
# Commits and pushes by what people do and not by git's words.
OWN_ACTS = {"push": "git push", "commit": "git commit", "rebas": "git rebase", "merg": "git merge", "pull": "git pull"}
SUBCOMMANDS = table(
    "audit fix prune outdated link unlink upgrade migrate "
    "add am amend apply bisect branch checkout cherry-pick clean clone commit config diff "
    "fetch gc init log merge mv pull push rebase reflog reset filter-branch filter-repo submodule"
    " restore revert rm show stash status switch tag worktree install uninstall ci run test "
    "build publish exec dlx remove update up down compose restart kill"
    " create delete apply destroy start stop serve dev lint format start pr issue api repo release freeze sync lock"
    " system edit get describe scale rollout drain cordon patch port-forward logs plan import state taint"
    " nextest bench check clippy fmt eject login logout deploy rollback s3 ec2 iam db tool vet mod generate"
    " volume network container image watch pack seed console server runserver typecheck review"
)
# How people speak of git: words that must all be said -> the patterns, and what stays free.
GIT_TALK: tuple[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]], ...] = (
    (("force", "push"), ("git push --force|-f|--force-with-lease",), ()),
    (("amend",), ("git commit --amend",), ()),
    (("stash",), ("git stash",), ("git stash pop|apply|list|show|drop|branch",)),
    (("hard", "reset"), ("git reset --hard",), ()),
    (("squash",), ("git merge --squash", "gh pr merge --squash|-s"), ()),
    (("cherry", "pick"), ("git cherry-pick",), ("git cherry-pick --abort",)),
    (("rebase",), ("git rebase", "git pull --rebase|-r"), ("git rebase --abort",)),
    (("skip", "hooks"), ("git commit --no-verify|-n", "git push --no-verify"), ()),
    (("bypass", "hooks"), ("git commit --no-verify|-n", "git push --no-verify"), ()),
    (("no-verify",), ("git commit --no-verify|-n", "git push --no-verify"), ()),
)
GENERIC_PLACE = (
    "here",
    "everywhere",
    "in this repo",
    "in this repository",
    "in this project",
    "for this",
    "in the repo",
    "anywhere",
    "ever",
    "in any of your command",
    "in any of the command",
    "in any command",
    "in commands",
    "in your command",
    "in my terminal",
    "in the terminal",
)
