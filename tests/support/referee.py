"""Bash itself as referee over our shell parser: it runs a text among programs that only write down their words.

The recording programs stand in for nothing that is under test: they are the instrument that shows what a text really
runs. They are the only programs on the path beside a few harmless ones of the system's own (env, xargs, find ...), the
folder is a scratch one, and a text has a limit of time. What a text does to files is asked of the real programs.
"""

import os
import shlex
import shutil
import subprocess
from pathlib import Path

RECORDED = """
npm pnpm yarn npx git rm pip pip3 uv docker podman kubectl k helm curl wget ssh make cargo go gh terraform grep rg sudo
doas time chronic strace bundle poetry bunx corepack direnv python python3 node ruby perl ls cp mv touch jq awk brew
apt-get npm-check-updates which fetched
"""
LINKED = "env xargs timeout nohup nice find setsid stdbuf cat bash sh tee tr head sed"
RECORDER = """#!/bin/bash
# In one write: two programs of a pipe end at the same time.
line="${0##*/}"; for word; do line+=$'\\037'"$word"; done; printf '%s\\036' "$line" >> "$RECORD"
"""
CARRYING = """shift SKIPPED || exit 0
while [[ $1 == -* || $1 == *=* ]]; do shift; done
"$@"
"""
SKIPPED = {"sudo": 0, "doas": 0, "chronic": 0, "time": 0, "npx": 0, "corepack": 0, "direnv": 2, "bundle": 1}  # words
FETCHING = "echo fetched\n"  # what curl and wget bring, which shows whether a shell runs it
FILES = [".env", ".env.example", "web/.env", "a", "a.txt", "x", "x.env"]
LONG_AGO = 1_000_000_000.0
SECONDS = 20


class Referee:
    """A folder with the recording programs, and what they wrote down."""

    def __init__(self, folder: Path) -> None:
        self.bin, self.home, self.record = folder / "bin", folder / "home", folder / "record"
        self.known: dict[str, list[list[str]]] = {}
        self.bin.mkdir()
        for name in RECORDED.split():
            more = CARRYING.replace("SKIPPED", str(SKIPPED[name])) if name in SKIPPED else ""
            more += FETCHING if name in ("curl", "wget") else ""
            (self.bin / name).write_text(RECORDER + more)
            (self.bin / name).chmod(0o755)
        for name in LINKED.split():
            found = shutil.which(name, path="/usr/bin:/bin")
            assert found, f"{name} is needed"
            (self.bin / name).symlink_to(found)

    def runs(self, text: str) -> list[str]:
        """The commands that bash runs for the text, one line each."""
        return [shlex.join(argv) for argv in self.argvs(text)]

    def argvs(self, text: str) -> list[list[str]]:
        """The commands that bash runs for the text; ``@BIN@`` in it is the folder of programs."""
        if text not in self.known:
            self.record.write_bytes(b"")
            self._run(text.replace("@BIN@", str(self.bin)), str(self.bin))
            told = self.record.read_bytes().decode("utf-8", "replace").split("\036")
            self.known[text] = [words.split("\037") for words in told if words]
        return self.known[text]

    def changes(self, text: str, name: str) -> bool:
        """Whether some file of the name is written, made or deleted, by the system's own programs."""
        self._run(text, "/usr/bin:/bin")
        now = {str(path.relative_to(self.home)): path.lstat().st_mtime for path in self.home.rglob(name)}
        return now != dict.fromkeys([path for path in FILES if Path(path).name == name], LONG_AGO)

    def _run(self, text: str, programs: str) -> None:
        shutil.rmtree(self.home, ignore_errors=True)
        for path in FILES:
            (self.home / path).parent.mkdir(parents=True, exist_ok=True)
            (self.home / path).write_text("a\n")
            os.utime(self.home / path, (LONG_AGO, LONG_AGO))
        (self.home / "api").mkdir()
        subprocess.run(
            ["/bin/bash", "--norc", "--noprofile", "-O", "expand_aliases", "-c", text],
            cwd=self.home,
            env={"PATH": programs, "HOME": str(self.home), "RECORD": str(self.record)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
