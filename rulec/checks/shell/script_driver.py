"""One shell for all scripts: the driver text that runs each between marks, and the parser of its output."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulec.domain.artifact import Artifact
from rulec.domain.change import Change
from rulec.domain.plugs import Job, JobOutput
from rulec.shell.parsing.call import quote_word
from rulec.shell.script_contract import SCRIPT_SECONDS, changes_text, script_environment, split_paths

_ALL_SECONDS = 60

_WHOLE = 'eval "$(cat "$1")"'  # no script can change what is read to its end before the first one runs
_HEAD = f"""\
script() {{ # number, chunk, files
  rulec_script=$1 rulec_chunk=$2
  eval "rulec_text=\\$rulec_$1"
  shift 2
  printf '\\n%s %s %s begins\\n' "$rulec_mark" "$rulec_script" "$rulec_chunk"
  printf '\\n%s %s %s begins\\n' "$rulec_mark" "$rulec_script" "$rulec_chunk" >&2
  ( ulimit -t {SCRIPT_SECONDS}; unset rulec_mark; eval "$rulec_text" ) </dev/null
  printf '\\n%s %s %s %s\\n' "$rulec_mark" "$rulec_script" "$rulec_chunk" "$?"
}}
"""


@dataclass(frozen=True, slots=True)
class ScriptOutput:
    """The exit code and output of one script over one chunk of the files."""

    code: int
    out: str
    err: str


def secret_mark(artifacts: Sequence[Artifact], change: Change) -> str:
    """A mark that no file of the change can hold, for it is a digest of all of them."""
    hashed = hashlib.sha256()
    for artifact in artifacts:
        hashed.update(f"{artifact.path}\0{artifact.text}\0".encode("utf-8", "surrogatepass"))
    for file in change.files:
        hashed.update(f"{file.path}\0{file.status}\0".encode("utf-8", "surrogatepass"))
        hashed.update(file.content or b"")
    hashed.update((change.message or "").encode("utf-8", "surrogatepass"))
    return f"rulec-{hashed.hexdigest()[:32]}"


def _chunks(change: Change) -> list[list[str]]:
    """The files that can be read, as the arguments of each call."""
    return split_paths(file.path for file in change.files if file.content is not None)


def driver_job(scripts: Mapping[int, Artifact], change: Change, word: str) -> Job:
    """The process that runs these scripts, each known by its number."""
    split = _chunks(change)
    texts = {number: artifact.text or "exit 2\n" for number, artifact in scripts.items()}
    lines = [
        _HEAD,
        f"rulec_mark={word}\n",
        *(f"rulec_{number}={quote_word(text)}\n" for number, text in texts.items()),
    ]
    for number, paths in enumerate(split):
        lines.append(f"set -- {' '.join(map(quote_word, paths))}\n")
        lines += [f'script {script} {number} "$@"\n' for script in scripts]
    changes = changes_text((file.status, file.path) for file in change.files)
    inputs = {"driver": "".join(lines) + "exit 0\n", "changes": changes}
    if change.message is not None:
        inputs["message"] = change.message
    before = {}
    if any("$RULEC_BASE" in text or "${RULEC_BASE" in text for text in texts.values()):
        before = {
            f"base/{f.path}": f.base.decode("utf-8", "surrogateescape") for f in change.files if f.base is not None
        }
    environment = script_environment(
        changes="{scratch}/changes",
        message="" if change.message is None else "{scratch}/message",
        base="{scratch}/base" if before else "",
        environment=change.environment,
    )
    return Job(
        argv=("sh", "-c", _WHOLE, "sh", "{scratch}/driver"),
        inputs=inputs | before,
        environment=environment,
        seconds=min(_ALL_SECONDS, SCRIPT_SECONDS * len(scripts) * len(split)),
    )


def parse_output(
    output: JobOutput, scripts: Iterable[int], change: Change, word: str
) -> dict[int, list[ScriptOutput]] | None:
    """The output of each script for each chunk; None where the run was incomplete or its marks are out of order."""
    keys = [(script, chunk) for chunk in range(len(_chunks(change))) for script in scripts]
    marks = list(_split(output.out, word))
    whole = [key for key, _, _ in marks] == [key for key in keys for _ in range(2)]
    in_turn = all((state == "begins") != bool(number % 2) for number, (_, state, _) in enumerate(marks))
    if output.code != 0 or output.disturbed or not (whole and in_turn):
        return None
    errors = {key: text for key, _, text in _split(output.err, word)}
    found: dict[int, list[ScriptOutput]] = {}
    for (key, _, text), (_, state, _) in zip(marks[::2], marks[1::2], strict=True):
        found.setdefault(key[0], []).append(ScriptOutput(int(state), text, errors.get(key, "")))
    return found


def unfinished_script(output: JobOutput, word: str) -> int | None:
    """The number of the script that was running when the run ended."""
    last = next(iter(reversed(list(_split(output.out, word)))), None)
    return last[0][0] if last and last[1] == "begins" and output.code != 0 else None


def _split(text: str, word: str) -> Iterator[tuple[tuple[int, int], str, str]]:
    """Each mark's script and chunk, what it says, and the text up to the next mark."""
    pieces = re.split(rf"(?:^|\n){word} (\d{{1,9}}) (\d{{1,9}}) (begins|\d{{1,3}})\n", text)
    for script, number, state, rest in zip(*[iter(pieces[1:])] * 4, strict=True):
        yield (int(script), int(number)), state, rest
