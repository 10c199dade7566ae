"""Shell checks: one POSIX script a rule, all run by one shell; their findings and faults."""

import re
from collections.abc import Collection, Iterator, Sequence

from rulec.checks import skipped_files
from rulec.checks.shell import compiled_script, script_driver
from rulec.checks.skipped_files import unread_fault
from rulec.domain.artifact import Artifact, facts_in_comment
from rulec.domain.change import Change, FileChange
from rulec.domain.files import globs
from rulec.domain.finding import Fault, Finding
from rulec.domain.plugs import Checker, FileReach, Job, JobOutput
from rulec.shell import script_contract
from rulec.shell.script_contract import LONGEST_LINE, MESSAGE_PATH, SCRIPT_SECONDS

_SCRIPT = re.compile(r"\S*/script\.sh: (?:line )?")  # the name that it has in its scratch folder
_READS = "for path do"  # in scripts that look into files


def jobs(artifacts: Sequence[Artifact], change: Change) -> list[Job]:
    """One process for all scripts that look at something in the change."""
    scripts = _concerned(artifacts, change)
    return [script_driver.driver_job(scripts, change, script_driver.secret_mark(artifacts, change))] if scripts else []


def retry(artifacts: Sequence[Artifact], change: Change, outputs: Sequence[JobOutput]) -> list[Job]:
    """Each script alone, after a run in which one ended the shell or changed files."""
    scripts, word = _concerned(artifacts, change), script_driver.secret_mark(artifacts, change)
    if not outputs or not scripts or script_driver.parse_output(outputs[0], scripts, change, word) is not None:
        return []
    return [script_driver.driver_job({n: scripts[n]}, change, word) for n in _again(scripts, outputs[0], word)]


def _printed(path: str) -> str:
    """A path as it is read from a script's output, with bytes that are no UTF-8 replaced."""
    return script_contract.printed_path(path).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _again(scripts: Collection[int], output: JobOutput, word: str) -> list[int]:
    """The scripts to run alone after an incomplete run."""
    return [n for n in scripts if n != script_driver.unfinished_script(output, word)] if len(scripts) > 1 else []


def findings(artifacts: Sequence[Artifact], change: Change, outputs: Sequence[JobOutput]) -> Iterator[Finding | Fault]:
    """The findings of every script, and a fault for each that broke the contract or did not end."""
    scripts, word = _concerned(artifacts, change), script_driver.secret_mark(artifacts, change)
    known = {_printed(file.path): file.path for file in change.files} | {MESSAGE_PATH: ""}
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
    return inside and not skipped_files.is_excepted(facts, file.path, change.environment)


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
