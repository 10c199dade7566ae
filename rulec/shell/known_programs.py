"""The programs of which it is known what they do with their words: whatever they are given, they do not just run it.

What another program does with a command among its words nobody can know, so that it may run it.
"""

from collections.abc import Iterator

from rulec.shell import program_options
from rulec.shell.parsing.call import Call
from rulec.shell.parsing.carriers import CARRIERS
from rulec.shell.parsing.wrappers import CONSOLES, EVALUATORS, INTERPRETERS, NESTED, PREFIXES, SHELLS

# They print, search or quote their words, or take them for names: of files, packages, tasks, branches, people.
_PLAIN = """
    : [ [[ test true false echo printf print say cowsay figlet banner toilet lolcat yes seq expr let factor
    cat tac bat head tail less more nl fold fmt pr column paste join comm cut tr wc uniq sort shuf split csplit rev
    grep egrep fgrep zgrep rg ag ack sift ugrep pcregrep sgrep find fd fdfind locate plocate updatedb fzf sk peco
    which whereis whatis type hash man info apropos tldr cheat help alias unalias abbr
    export set unset declare local readonly typeset read mapfile readarray shift return exit break continue trap wait
    cd pushd popd dirs pwd ls ll la dir vdir exa eza lsd tree du df stat file realpath readlink basename dirname
    cp mv ln mkdir rmdir rm touch chmod chown chgrp install truncate mktemp mkfifo mknod dd sync
    diff sdiff diff3 cmp delta difft colordiff patch md5sum sha1sum sha256sum cksum base32 base64 xxd od hexdump strings
    tar zip unzip gzip gunzip bzip2 xz zstd 7z ar cpio jar rar
    jq yq xmllint xq dasel csvkit mlr sed awk gawk mawk perl tee sponge
    ps top htop pgrep pkill kill killall pidof lsof fuser ss netstat ip ifconfig ping dig nslookup host hostname uname
    id whoami who groups users date cal uptime free sleep tty stty tput clear reset history fc jobs fg bg disown
    complete compgen bind ulimit umask getopts logger wall write mesg mail notify-send open xdg-open pbcopy xclip
    curl wget http https xh httpie aria2c ftp sftp scp rsync rclone s3cmd
    code subl atom emacs vim vi nvim nano micro pico ed ex view gvim kate gedit
    apt-cache apt-mark aptitude dpkg rpm yum dnf zypper pacman yay apk emerge port snap flatpak nix-env winget choco
    scoop pip pip3 easy_install gem bundle npm pnpm yarn bun cargo rustup go dep composer pear pecl luarocks cabal stack
    hex mix rebar3 sbt mvn mvnw gradle gradlew ant bazel buck cmake ninja meson configure
    hg svn jj bzr fossil sl gt gh glab hub lab tea git-lfs git-filter-repo
    gcc cc g++ c++ clang clang++ ld as nm objdump rustc javac java kotlinc scalac tsc swc esbuild webpack vite rollup
    parcel turbo nx jest vitest mocha ava karma cypress playwright pytest tox nox unittest behave rspec phpunit
    eslint tslint prettier ruff mypy pyright pylint flake8 black isort shellcheck hadolint yamllint markdownlint vale
    codespell semgrep invoke inv fab rake gulp grunt commitlint commitizen cz pre-commit prek lefthook husky
    ansible ansible-playbook vagrant packer terraform tofu pulumi serverless sam cdk kustomize skaffold tilt k9s
    psql mysql sqlite3 mongosh redis-cli ssh
    claude codex gemini copilot aider opencode cursor-agent ollama llm
"""
_READ = frozenset(
    key.split()[0]
    for table in (
        program_options.GLOBALS,
        program_options.VALUED,
        program_options.FORMATTERS,
        PREFIXES,
        NESTED,
        EVALUATORS,
        INTERPRETERS,
    )
    for key in table
)
MOST_WORDS = 50  # that are looked at for the name of a program
KNOWN = frozenset(_PLAIN.split()) | _READ | SHELLS | CONSOLES | CARRIERS


def is_known(call: Call) -> bool:
    """Whether the program is one of these by its bare name, for a file of that name may be anything, or a launcher."""
    name, word = call.program, call.argv[0]
    if "/" in word and not word.startswith(program_options.SYSTEM_FOLDERS):
        return f"/{word}".endswith(program_options.LAUNCHERS)
    return name in KNOWN or name.rstrip("0123456789.") in KNOWN


def possible_programs(call: Call) -> Iterator[tuple[int, str]]:
    """The words of a program that nobody knows which may be programs that it runs, with their places.

    The first that is known has the words behind it for itself, but where it runs others, too.
    """
    if len(call.argv) < 2 or is_known(call):
        return
    for at, word in enumerate(call.argv[:MOST_WORDS]):
        if at and word and not word.startswith("-"):
            yield at, word
            if word in KNOWN and word not in PREFIXES:
                return


def words_handed_on(call: Call, programs: frozenset[str]) -> Call:
    """The call of one of the programs whose name and words a program that nobody knows is given, else the call."""
    at = next((at for at, word in enumerate(call.argv) if at and word in programs), 0)
    return call.as_words(call.argv[at:]) if at and not is_known(call) else call
