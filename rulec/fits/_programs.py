"""Names of commands that people use in a sentence without any marks around them."""

from rulec.language.terms import table

PROGRAMS = table(
    "git gh npm npx pnpm yarn bun bunx deno node pip pip3 pipx uv uvx poetry pipenv conda "
    "python python3 pytest tox nox ruff black flake8 mypy isort"
    " eslint prettier biome tsc jest vitest mocha webpack vite cargo rustc go gofmt make "
    "cmake just docker docker-compose podman kubectl helm"
    " terraform ansible aws gcloud az curl wget ssh scp rsync rm mv cp chmod chown sudo sed "
    "awk grep rg find fd cat head tail kill pkill killall"
    " brew apt apt-get bundle gem rake rails composer php mvn gradle ./gradlew sqlite3 psql mysql redis-cli tmux nohup"
)
# Modules that are run as commands: naming the module means "python -m module".
RUN_AS_MODULES = table("unittest doctest nose http.server timeit cProfile pdb venv")
# Tools that do the same work: naming one of them as the one to use rules the others out.
FAMILIES = (frozenset({"npm", "pnpm", "yarn"}), frozenset({"pip", "poetry", "pipenv", "uv"}))
SUBCOMMANDS = table(
    "audit fix prune outdated link unlink upgrade migrate "
    "add am amend apply bisect branch checkout cherry-pick clean clone commit config diff "
    "fetch gc init log merge mv pull push rebase reflog reset"
    " restore revert rm show stash status switch tag worktree install uninstall ci run test "
    "build publish exec dlx remove update up down compose"
    " create delete apply destroy start stop serve dev lint format start pr issue api repo release freeze sync lock"
)
# How people speak of git: words that must all be said -> the patterns, and what stays free.
GIT_TALK: tuple[tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]], ...] = (
    (("force", "push"), ("git push --force|-f|--force-with-lease",), ()),
    (("amend",), ("git commit --amend",), ()),
    (("stash",), ("git stash",), ("git stash pop|apply|list|show|drop|branch",)),
    (("hard", "reset"), ("git reset --hard",), ()),
    (("squash",), ("git merge --squash",), ()),
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
)
