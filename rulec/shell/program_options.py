"""What the manuals of programs say: which options take a value, and which words and options are one."""

GLOBALS = {  # programs with subcommands -> their global options that take a value
    "git": "-C -c --git-dir --work-tree --namespace --super-prefix --config-env",
    "npm": "--prefix -C -w --workspace --registry --cache --loglevel --userconfig --tag",
    "pnpm": "-C --dir --filter -F --registry --loglevel --reporter --config-dir",
    "yarn": "--cwd --registry --cache-folder --modules-folder",
    "bun": "--cwd -c --config",
    "docker": "--context -c -H --host -l --log-level --config",
    "podman": "--url --connection --log-level --root",
    "kubectl": "-n --namespace --context --kubeconfig -s --server --cluster --user",
    "helm": "-n --namespace --kube-context --kubeconfig",
    "pip": "--proxy --cache-dir --log --python --timeout",
    "uv": "--directory --project --config-file --cache-dir",
    "poetry": "-C -P --directory --project",
    "cargo": "-C -Z --manifest-path --config --color --target-dir",
    "go": "-C",
    "gh": "-R --repo",
    "terraform": "",
    "aws": "--profile --region --output --endpoint-url",
    "gcloud": "--project --account --configuration",
    "systemctl": "-H -M --host --machine",
    "apt": "-o -c -t",
    "apt-get": "-o -c -t --option --config-file --default-release --target-release",
    "brew": "",
    "deno": "",
    "dotnet": "",
    "bundle": "",
    "rails": "",
    "composer": "-d --working-dir",
    "conda": "",
    "pre-commit": "--color",
    "rulec": "",
}
_GIT_VERBS = """
add am annotate apply archive bisect blame branch bugreport bundle cat-file check-attr check-ignore check-mailmap
check-ref-format checkout checkout-index cherry cherry-pick citool clean clone column commit commit-graph commit-
tree config count-objects credential daemon describe diagnose diff diff- files diff-index diff-tree difftool fast-
export fast-import fetch fetch-pack filter-branch fmt- merge-msg for-each-ref for-each-repo format-patch fsck
fsmonitor--daemon gc get-tar-commit-id grep gui hash-object help hook index-pack init init-db instaweb interpret-
trailers lfs log ls-files ls- remote ls-tree mailinfo mailsplit maintenance merge merge-base merge-file merge-index
merge-tree mergetool mktag mktree multi-pack-index mv name-rev notes pack-objects pack-redundant pack-refs patch-id
prune prune-packed pull push quiltimport range-diff read-tree rebase reflog refs remote repack replace replay
request-pull rerere reset restore rev-list rev-parse revert rm send-email send-pack shell shortlog show show-branch
show-index show-ref sparse-checkout stage stash status stripspace submodule subtree svn switch symbolic-ref tag
unpack-file unpack-objects update-index update-ref update-server-info upload-archive upload-pack var verify-commit
verify-pack verify-tag version whatchanged worktree write-tree
"""
GIT_VERBS = frozenset(_GIT_VERBS.split())  # its own subcommands, of which no alias can change the meaning
# formatters and linters that write the files they are given -> the commands with which they do
FORMATTERS = {
    "autopep8": ("autopep8 -i|--in-place",),
    "biome": ("biome format|check|lint --write|--fix|--apply",),
    "black": ("black",),
    "buf": ("buf format -w|--write",),
    "clang-format": ("clang-format -i",),
    "dart": ("dart format",),
    "deno": ("deno fmt",),
    "dos2unix": ("dos2unix",),
    "dprint": ("dprint fmt",),
    "eslint": ("eslint --fix",),
    "gofmt": ("gofmt -w",),
    "gofumpt": ("gofumpt -w",),
    "goimports": ("goimports -w",),
    "isort": ("isort",),
    "ktlint": ("ktlint -F|--format",),
    "php-cs-fixer": ("php-cs-fixer fix",),
    "prettier": ("prettier -w|--write",),
    "rubocop": ("rubocop -a|-A|--autocorrect|--autocorrect-all",),
    "ruff": ("ruff format", "ruff check --fix"),
    "rustfmt": ("rustfmt",),
    "shfmt": ("shfmt -w|--write",),
    "stylelint": ("stylelint --fix",),
    "stylua": ("stylua",),
    "swiftformat": ("swiftformat",),
    "taplo": ("taplo fmt|format",),
    "terraform": ("terraform fmt",),
    "unix2dos": ("unix2dos",),
    "yapf": ("yapf -i|--in-place",),
}
FORMATTERS_ASKED = frozenset(  # with one of these they only say what they would do
    ["--check", "--check-only", "--diff", "--dry-run", "--list-different", "--lint", "-check", "-d", "--output", "-o"]
)
FORMATTERS_VALUED = (
    "-c --config --config-path --config-file --configuration --settings-path --settings-file --style --fallback-style "
    "-l --line-length -t --target-version --parser --plugin --ignore-path --stdin-filepath --edition --rules --select "
    "--ignore --extend-exclude --exclude --line-width --only --indent -p --profile -j --jobs --path --language"
)
# where the system's programs are installed, which are no files of a repository
SYSTEM_FOLDERS = ("/usr/", "/bin/", "/sbin/", "/opt/", "/snap/", "/nix/", "/System/", "/Library/")
RULEC = {  # options with a value of the verbs by which a person decides; a test compares them with the verbs
    "add": "--branch --check --enforcement --format --invalid --not-checked --rule --scope --valid --with",
    "approve": "--because --reason",
    "doctor": "--format",
    "edit": "--because --branch --file --reason",
    "evolve": "--accept --backend --branch --format --reject",
    "except": "--agent --arguments --because --branch --command --format --path --reason --until",
    "extend": "--branch --format --name --path --rev",
    "import": "--branch --enforcement --format",
    "ingest": "--backend --branch --enforcement --format --queue --reader",
    "init": "--agent",
    "note": "--agent --branch --command --commit --example --path --should",
    "report": "--branch --format --out --since",
    "retire": "--because --branch --for --reason",
    "review": "--accept --branch --enforcement --format --new --reject",
    "rollback": "--because --branch --reason --to",
    "set": "--because --branch --reason",
    "test": "--backend --branch --format --repeats",
    "ui": "--port",
}
VALUED = {  # options with a value after the subcommand: the value is neither flag nor subcommand
    "git commit": "-m -C -c -F -t --message --file --author --date --reuse-message --reedit-message --template "
    "--cleanup --trailer --fixup --squash --pathspec-from-file",
    **dict.fromkeys(
        ["pip install", "pip download", "pip wheel"],
        "-r -c -t -i -f -e -d -w --requirement --constraint --target --index-url --extra-index-url --find-links "
        "--editable --prefix --root --src --dest --wheel-dir --no-binary --only-binary --report --python-version",
    ),
    "git push": "-o --push-option --repo --receive-pack --exec",
    "git merge": "-m -s -X -F --message --strategy --strategy-option --file",
    "git tag": "-m -F -u --message --file --local-user --sort --format",
    "git checkout": "-b -B --orphan --conflict",
    "git restore": "-s --source --conflict --pathspec-from-file",
    "git switch": "-c -C --create --force-create --orphan",
    "git rebase": "-x -s -X --exec --onto --strategy --strategy-option",
    "git stash": "-m --message",
    "git log": "-n --author --grep --since --until --format --pretty -S -G",
    "git clean": "-e --exclude",
    "git add": "--chmod --pathspec-from-file",
    "git worktree": "-b -B --reason",
    "git branch": "-u --set-upstream-to",
    "git rm": "--pathspec-from-file",
    "git fetch": "-j -o --jobs --server-option --upload-pack --depth --deepen --shallow-since --shallow-exclude "
    "--refmap --negotiation-tip --filter",
    "git cherry-pick": "-m -s -X --mainline --strategy",
    "git revert": "-m --mainline",
    **dict.fromkeys(
        ["kubectl apply", "kubectl create", "kubectl delete", "kubectl patch", "kubectl replace", "kubectl scale"],
        "-f --filename -k --kustomize -l --selector -o --output -p --patch --patch-file --type --field-manager "
        "--replicas --timeout --template --image --from-file --from-literal --cascade --grace-period",
    ),
    "patch": "-p -i -d -o -D -r -F -B -V -x -Y -z -g --strip --input --directory --output --ifdef --reject-file --fuzz "
    "--prefix --version-control --debug --basename-prefix --suffix --get --read-only --quoting-style --reject-format",
    "rsync": "-e -f -B -T -M -@ --rsh --filter --exclude --include --exclude-from --include-from --files-from "
    "--block-size --temp-dir --compare-dest --copy-dest --link-dest --suffix --backup-dir --bwlimit --timeout "
    "--contimeout --port --log-file --log-file-format --out-format --password-file --partial-dir --rsync-path --chmod "
    "--chown --usermap --groupmap --info --debug --max-size --min-size --max-delete --max-alloc --modify-window "
    "--skip-compress --compress-level --compress-choice --checksum-choice --checksum-seed --zc --zl --cc --sockopts "
    "--address --protocol --iconv --write-batch --read-batch --only-write-batch --stop-at --stop-after --early-input "
    "--remote-option --outbuf --copy-as --config --password-file --dparam",
    "docker compose": "-f -p --file --project-name --profile --env-file --project-directory --ansi",
    "docker run": "-e -v -p -w -u --env --volume --publish --workdir --user --name --network --entrypoint --mount",
    "docker exec": "-e -w -u --env --workdir --user",
    "gh pr": "-t -b -B -H -F -r -a -l --title --body --base --head --body-file --reviewer --assignee --label",
    "gh issue": "-t -b -F -a -l --title --body --body-file --assignee --label",
    "make": "-C -f -I -o -W --directory --file",
    "python": "-c -m -W -X",
    "pytest": "-k -m -p -n -c -o --maxfail --rootdir --timeout",
    # rulec retire use-pnpm --because -h is no question for help
    **{f"rulec {verb}": options for verb, options in RULEC.items()},
    "curl": "-X -H -d -o -u -F -A -e -b -c --request --header --data --output --user --form",
}
ALIASES = {
    "npm": {"i": "install", "add": "install", "in": "install", "ins": "install", "isntall": "install",
            "run-script": "run", "rum": "run", "urn": "run", "t": "test", "tst": "test", "un": "uninstall",
            "rm": "uninstall", "r": "uninstall", "remove": "uninstall", "unlink": "uninstall", "x": "exec",
            "up": "update", "upgrade": "update", "clean-install": "ci", "ic": "ci", "c": "config"},
    "pnpm": {"i": "install", "rm": "remove", "un": "remove", "uninstall": "remove", "up": "update",
             "upgrade": "update", "t": "test", "run-script": "run"},
    "yarn": {"upgrade-interactive": "upgrade"},
    "bun": {"i": "install", "a": "add", "rm": "remove"},
}  # fmt: skip
WHOLE_WORDS = frozenset(
    ["find", "go", "terraform", "java", "javac", "openssl", "ffmpeg", "gcc", "g++", "clang", "xcodebuild"]
)  # -one-option
FULL_LONGS = frozenset(
    [
        "--force",
        "--all",
        "--edit",
        "--sign",
        "--exec",
        "--keep",
        "--merge",
        "--name",
        "--diff",
        "--set-upstream",
        "--no-edit",
    ]
)
SPELLINGS = {  # program or subcommand -> groups of options that are one
    "rm": "-r,-R,--recursive -f,--force -v,--verbose",
    "cp": "-r,-R,--recursive -f,--force -a,--archive",
    "mv": "-f,--force -n,--no-clobber",
    "chmod": "-R,--recursive",
    "chown": "-R,--recursive",
    "mkdir": "-p,--parents",
    "ln": "-s,--symbolic -f,--force",
    "sed": "-i,--in-place",
    "git push": "-f,--force -n,--dry-run -u,--set-upstream -d,--delete",
    "git commit": "-n,--no-verify -a,--all -s,--signoff -S,--gpg-sign -p,--patch",
    "git add": "-A,--all -f,--force -u,--update -p,--patch",
    "git pull": "-r,--rebase -f,--force",
    "git fetch": "-f,--force -p,--prune",
    "git checkout": "-f,--force",
    "git switch": "-f,--force,--discard-changes",
    "git branch": "-d,--delete -f,--force -m,--move",
    "git tag": "-d,--delete -f,--force -a,--annotate",
    "git clean": "-f,--force -n,--dry-run",
    "git rebase": "-i,--interactive",
    "git cherry-pick": "-n,--no-commit",
    "git restore": "-S,--staged -W,--worktree",
    "git worktree": "-f,--force",
    "npm install": "-g,--global -D,--save-dev -E,--save-exact -f,--force",
    "npm uninstall": "-g,--global",
    "pnpm add": "-g,--global -D,--save-dev -E,--save-exact -w,--workspace-root",
    "pnpm install": "-g,--global -D,--save-dev -E,--save-exact -f,--force",
    "yarn add": "-D,--dev -E,--exact",
    "bun add": "-g,--global -d,--dev",
    "pip install": "-e,--editable -U,--upgrade -r,--requirement",
    "docker run": "-d,--detach -i,--interactive -t,--tty",
    "docker rm": "-f,--force -v,--volumes",
    "docker rmi": "-f,--force",
    "docker compose up": "-d,--detach",
    "docker compose down": "-v,--volumes",
    "docker system prune": "-a,--all -f,--force",
    "kubectl get": "-A,--all-namespaces",
    "curl": "-k,--insecure -L,--location -f,--fail -s,--silent -o,--output",
    "wget": "-q,--quiet -O,--output-document",
    "make": "-B,--always-make -j,--jobs -k,--keep-going -n,--dry-run",
    "pytest": "-x,--exitfirst -q,--quiet -v,--verbose",
    "cargo build": "-r,--release",
    "cargo run": "-r,--release",
    "gh pr merge": "-s,--squash -r,--rebase -m,--merge -d,--delete-branch",
    "gh pr create": "-d,--draft -f,--fill",
    "apt-get": "-y,--yes,--assume-yes",
    "apt": "-y,--yes,--assume-yes",
}
LAUNCHERS = ("/.rules/hook", "/rulec/hook")  # start rulec, wherever it is installed, with what stands behind "git"
SHORTEST_LONG = 4
ASKING = ("--help", "--version")  # they only ask the program about itself
ASKING_SHORT = ("-h", "-v", "-V")  # so do these, alone, of programs with subcommands and of interpreters
# Beside those of GLOBALS: programs with subcommands that take --help wherever it stands, and do nothing else then.
HELPFUL = frozenset(
    ["alembic", "eksctl", "firebase", "fly", "flyctl", "heroku", "netlify", "prisma", "pulumi", "supabase", "tofu",
     "vercel", "wrangler"]
)  # fmt: skip
HANDING_ON = frozenset(  # words behind which another program's words stand: its --help is none of ours
    ["run", "run-script", "exec", "e", "x", "r", "dlx", "create", "init", "foreach", "runner", "tool", "generate",
     "explore", "debug", "plugin", "shell", "sh", "ssh", "env", "console", "filter-branch"]
)  # fmt: skip
# Commands with an option of which the manual says that nothing is changed then. Not git commit -n (--no-verify), not
# make -n (it runs lines with a +), not npm publish --dry-run (it runs the package's scripts).
DRY_RUNS = {
    "git": ["git push|add|rm|mv|clean --dry-run|-n", "git commit|fetch --dry-run"],
    "rsync": ["rsync --dry-run|-n"],
    "patch": ["patch --dry-run"],
    "kubectl": [
        "kubectl apply|create|delete|patch|replace|scale --dry-run=client|--dry-run=server",
    ],
    "apt-get": ["apt-get --dry-run|--simulate|--just-print|--recon|--no-act|-s"],
}
OWN_VERBS = {  # programs that also start scripts and plugins by their bare name -> what is surely theirs
    "pnpm": "install i add remove rm un uninstall update up upgrade link unlink publish audit outdated why list ls "
    "store import prune rebuild pack fetch dedupe",
    "yarn": "install add remove upgrade up why info list link unlink audit cache config publish pack dedupe workspaces",
    "bun": "install i add a remove rm update link unlink outdated publish upgrade build test pm",
    "composer": "install i require remove update validate show outdated dump-autoload audit",
    "cargo": "build b check c test t bench doc clean new add remove rm update search publish install uninstall fetch "
    "fix package yank login fmt clippy",
    "deno": "fmt lint check cache add remove doc info upgrade",
    "dotnet": "build clean restore publish pack add remove new nuget sln list format",
    "go": "build install get mod list fmt doc clean version work vet",
}
