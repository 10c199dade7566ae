"""Shell checks: one POSIX script a rule, all run by one shell; their findings and faults."""

import hashlib
import re
import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulec.checks import skipped_files
from rulec.checks.shell import compiled_script
from rulec.checks.skipped_files import unread_fault
from rulec.domain.artifact import Artifact, facts_in_comment
from rulec.domain.change import Change, FileChange
from rulec.domain.files import globs
from rulec.domain.finding import Fault, Finding
from rulec.domain.plugs import Checker, FileReach, Job, JobOutput
from rulec.shell import script_contract
from rulec.shell.script_contract import (
    LONGEST_LINE,
    MESSAGE_PATH,
    SCRIPT_SECONDS,
    changes_text,
    script_environment,
    split_paths,
)

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


_SCRIPT = re.compile(r"\S*/script\.sh: (?:line )?")  # the name that it has in its scratch folder
_READS = "for path do"  # in scripts that look into files


def jobs(artifacts: Sequence[Artifact], change: Change) -> list[Job]:
    """One process for all scripts that look at something in the change."""
    scripts = _concerned(artifacts, change)
    return [driver_job(scripts, change, secret_mark(artifacts, change))] if scripts else []


def retry(artifacts: Sequence[Artifact], change: Change, outputs: Sequence[JobOutput]) -> list[Job]:
    """Each script alone, after a run in which one ended the shell or changed files."""
    scripts, word = _concerned(artifacts, change), secret_mark(artifacts, change)
    if not outputs or not scripts or parse_output(outputs[0], scripts, change, word) is not None:
        return []
    return [driver_job({n: scripts[n]}, change, word) for n in _again(scripts, outputs[0], word)]


def _printed(path: str) -> str:
    """A path as it is read from a script's output, with bytes that are no UTF-8 replaced."""
    return script_contract.printed_path(path).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _again(scripts: Collection[int], output: JobOutput, word: str) -> list[int]:
    """The scripts to run alone after an incomplete run."""
    return [n for n in scripts if n != unfinished_script(output, word)] if len(scripts) > 1 else []


def findings(artifacts: Sequence[Artifact], change: Change, outputs: Sequence[JobOutput]) -> Iterator[Finding | Fault]:
    """The findings of every script, and a fault for each that broke the contract or did not end."""
    scripts, word = _concerned(artifacts, change), secret_mark(artifacts, change)
    known = {_printed(file.path): file.path for file in change.files} | {MESSAGE_PATH: ""}
    runs = dict.fromkeys(scripts, outputs[0] if outputs else None)
    found = parse_output(outputs[0], scripts, change, word) if outputs else {}
    if found is None:
        alone = dict(zip(_again(scripts, outputs[0], word), outputs[1:], strict=False))
        runs |= alone
        found = {n: each[n] for n, o in alone.items() if (each := parse_output(o, [n], change, word))}
    for number, artifact in scripts.items():
        slug, name = facts_in_comment(artifact.text or "").slug, artifact.path.rpartition("/")[2]
        if _READS in (artifact.text or ""):
            yield from (unread_fault(slug, name, f) for f in change.files if f.large and _looks_at(artifact, change, f))
        if number not in found:
            run = runs[number]
            yield Fault(slug=slug, what=f"{name} {_broken_off(run)}", overrun=run is not None and run.spilled)
        seen: dict[Finding | Fault, None] = {}  # chunks repeat findings on the message
        for section in found.get(number, ()):
            for one in script_contract.read_output(section.code, section.out, known, section.err):
                seen[_fault(slug, name, one) if isinstance(one, str) else _finding(slug, *one)] = None
        yield from seen


def _fault(slug: str, name: str, what: str) -> Fault:
    return Fault(slug=slug, what=f"{name} {what}")


def _finding(slug: str, path: str, line: int, text: str) -> Finding:
    return Finding(slug=slug, path=path, line=line, text=text)


def _broken_off(output: JobOutput | None) -> str:
    if output is not None and output.disturbed:
        return "changed the files it was given, or ran beside one that did"
    if output is not None and output.spilled:
        return "printed more than can be read"
    if output is not None and output.code is None:
        return f"did not end within {SCRIPT_SECONDS} s"
    killed = output is not None and output.code != 0
    return f"was killed, or took more than {SCRIPT_SECONDS} s" if killed else "was not run to its end"


def _concerned(artifacts: Sequence[Artifact], change: Change) -> dict[int, Artifact]:
    """The scripts to run, by number: all where there is a message, else those whose scope has a changed path."""
    if change.message is not None:
        return dict(enumerate(artifacts))
    return {number: artifact for number, artifact in enumerate(artifacts) if _covers(artifact, change)}


def _covers(artifact: Artifact, change: Change) -> bool:
    return any(_looks_at(artifact, change, file) for file in change.files)


def _looks_at(artifact: Artifact, change: Change, file: FileChange) -> bool:
    facts = facts_in_comment(artifact.text or "")
    inside = globs.match(facts.scope.include, file.path) and not globs.match(facts.scope.exclude, file.path)
    return inside and not (facts.exceptions and skipped_files.is_excepted(facts, file.path, change.environment))


def parse(artifact: Artifact) -> list[Job]:
    """A job that lets the shell parse the script."""
    return [
        Job(argv=("sh", "-n", "{scratch}/script.sh"), inputs={"script.sh": artifact.text or ""}, seconds=SCRIPT_SECONDS)
    ]


def complaint(outputs: Sequence[JobOutput]) -> str:
    """The shell's syntax error, "" where there is none."""
    output = next(((o.err or o.out).strip() or f"ended with {o.code}" for o in outputs if o.code != 0), "")
    return f"sh -n: {_SCRIPT.sub('line ', output)[:LONGEST_LINE]}" if output else ""


def reach(artifact: Artifact) -> FileReach:
    """The files that the check looks at: those in its scope."""
    return FileReach(facts_in_comment(artifact.text or "").scope.include)


PLUG = Checker(
    name="shell",
    suffix=".sh",
    build=compiled_script.build_script,
    facts=facts_in_comment,
    jobs=jobs,
    findings=findings,
    retry=retry,
    parse=parse,
    complaint=complaint,
    reach=reach,
)


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
        *(f"rulec_{number}={shlex.quote(text)}\n" for number, text in texts.items()),
    ]
    for number, paths in enumerate(split):
        lines.append(f"set -- {' '.join(map(shlex.quote, paths))}\n")
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
