"""Shell checks: one POSIX script per rule with a fixed contract, all run by one shell."""

import re
from collections.abc import Collection, Iterator, Sequence

from rulec.checks import skipped_files
from rulec.checks.shell import compiled_script, script_driver
from rulec.checks.shell.script_driver import SCRIPT_SECONDS, ScriptOutput
from rulec.checks.skipped_files import unread_fault
from rulec.domain.artifact import Artifact, facts_in_comment
from rulec.domain.change import Change, FileChange
from rulec.domain.finding import Fault, Finding
from rulec.domain.patterns import globs
from rulec.domain.plugs import Checker, FileReach, Job, JobOutput

_LONGEST = 200  # characters of a line that are shown
_DIGITS = re.compile(r":(\d{1,9}):")
_SCRIPT = re.compile(r"\S*/script\.sh: (?:line )?")  # the name that it has in its scratch folder
_READS = "for path do"  # in scripts that look into files
_SIGNALS = 128  # exit codes from here on are deaths by signal


def jobs(artifacts: Sequence[Artifact], change: Change) -> list[Job]:
    """One process for all scripts that can have something to say about the change."""
    scripts = _concerned(artifacts, change)
    return [script_driver.driver_job(scripts, change, script_driver.secret_mark(artifacts, change))] if scripts else []


def retry(artifacts: Sequence[Artifact], change: Change, outputs: Sequence[JobOutput]) -> list[Job]:
    """Where one script took the shell down with it or changed what others look at: each of the others alone."""
    scripts, word = _concerned(artifacts, change), script_driver.secret_mark(artifacts, change)
    if not outputs or not scripts or script_driver.parse_output(outputs[0], scripts, change, word) is not None:
        return []
    return [script_driver.driver_job({n: scripts[n]}, change, word) for n in _again(scripts, outputs[0], word)]


def _printed(path: str) -> str:
    """A path as it is read back from a script's output, where bytes that are no UTF-8 are told by a sign."""
    return script_driver.printed_path(path).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _again(scripts: Collection[int], output: JobOutput, word: str) -> list[int]:
    """The scripts that are run alone after a run that was not whole."""
    return [n for n in scripts if n != script_driver.unfinished_script(output, word)] if len(scripts) > 1 else []


def findings(artifacts: Sequence[Artifact], change: Change, outputs: Sequence[JobOutput]) -> Iterator[Finding | Fault]:
    """What every script found, and those that broke the contract; a script that never ended is a fault."""
    scripts, word = _concerned(artifacts, change), script_driver.secret_mark(artifacts, change)
    known = {_printed(file.path): file.path for file in change.files} | {"-": ""}
    runs = dict.fromkeys(scripts, outputs[0] if outputs else None)
    found = script_driver.parse_output(outputs[0], scripts, change, word) if outputs else {}
    if found is None:
        alone = dict(zip(_again(scripts, outputs[0], word), outputs[1:], strict=False))
        runs |= alone
        found = {n: each[n] for n, o in alone.items() if (each := script_driver.parse_output(o, [n], change, word))}
    for number, artifact in scripts.items():
        slug, name = facts_in_comment(artifact.text or "").slug, artifact.path.rpartition("/")[2]
        if _READS in (artifact.text or ""):
            yield from (unread_fault(slug, name, f) for f in change.files if f.large and _looks_at(artifact, change, f))
        if number not in found:
            run = runs[number]
            yield Fault(slug=slug, what=f"{name} {_broken_off(run)}", overrun=run is not None and run.spilled)
        said: dict[Finding | Fault, None] = {}  # chunks repeat what is said of the message
        for section in found.get(number, ()):
            said |= dict.fromkeys(_judged(slug, name, section, known))
        yield from said


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
    """Scripts by number: all where there is a message, else those whose scope covers a changed path."""
    if change.message is not None:
        return dict(enumerate(artifacts))
    return {number: artifact for number, artifact in enumerate(artifacts) if _covers(artifact, change)}


def _covers(artifact: Artifact, change: Change) -> bool:
    return any(_looks_at(artifact, change, file) for file in change.files)


def _looks_at(artifact: Artifact, change: Change, file: FileChange) -> bool:
    facts = facts_in_comment(artifact.text or "")
    inside = globs.match(facts.scope.include, file.path) and not globs.match(facts.scope.exclude, file.path)
    return inside and not skipped_files.is_excepted(facts, file.path, change.environment)


def _judged(slug: str, name: str, section: ScriptOutput, known: dict[str, str]) -> Iterator[Finding | Fault]:
    lines = [line for line in section.out.split("\n") if line]
    if section.code > 1 or bool(section.code) != bool(lines):
        yield Fault(slug=slug, what=f"{name} {_ending(section.code, lines)}{_complaint(section.err)}")
        return
    for line in lines:
        finding = _finding(slug, line, known)
        yield finding or Fault(slug=slug, what=f"{name} printed no path:line:text: {line[:_LONGEST]!r}")


def _ending(code: int, lines: Sequence[str]) -> str:
    if code > _SIGNALS:
        return f"died by signal {code - _SIGNALS}"
    if code > 1:
        return f"ended with {code}"
    return "ended with 0 although it found something" if lines else "ended with 1 and named no finding"


def _complaint(err: str) -> str:
    lines = err.strip().splitlines()
    return f": {lines[-1][:_LONGEST]}" if lines else ""


def _finding(slug: str, line: str, known: dict[str, str]) -> Finding | None:
    """A line as a finding; of the places where it may be cut that one counts which leaves a path of the change."""
    for cut in _DIGITS.finditer(line):
        path = known.get(line[: cut.start()].removeprefix("./"))
        if path is not None:
            return Finding(slug=slug, path=path, line=int(cut[1]), text=line[cut.end() :].strip()[:_LONGEST])
    return None


def parse(artifact: Artifact) -> list[Job]:
    """Whether a shell can read the script."""
    return [
        Job(argv=("sh", "-n", "{scratch}/script.sh"), inputs={"script.sh": artifact.text or ""}, seconds=SCRIPT_SECONDS)
    ]


def complaint(outputs: Sequence[JobOutput]) -> str:
    """What the shell said against the script."""
    said = next(((o.err or o.out).strip() or f"ended with {o.code}" for o in outputs if o.code != 0), "")
    return f"sh -n: {_SCRIPT.sub('line ', said)[:_LONGEST]}" if said else ""


def reach(artifact: Artifact) -> FileReach:
    """The files of its scope."""
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
