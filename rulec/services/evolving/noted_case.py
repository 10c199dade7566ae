"""The case that a note is about, as an example: what a person names, or a finding."""

from dataclasses import dataclass, replace
from pathlib import Path

from rulec.domain.evidence import LedgerLine
from rulec.domain.rule import Example
from rulec.domain.text.redaction import replace_redacted, replace_secrets
from rulec.errors import RulecError
from rulec.infra.git import git_changes, git_session
from rulec.infra.git.git_changes import LARGEST_CASE
from rulec.resolving.revisions import redact_example
from rulec.rulebook import example_file
from rulec.rulebook.yaml_text import YamlNode, load_yaml

SMALLER = "name what matters with --example, such as --example '{file: a.py, content: ...}'"


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseOptions:
    """How the case was named: one of these, or none."""

    command: str = ""
    path: str = ""  # a file as it is in the work tree
    example: str = ""  # as rule files have it, or a command

    def read(self, top: Path) -> Example | None:
        """The case; None where none was named."""
        named = [name for name in ("command", "path", "example") if getattr(self, name).strip()]
        if not named:
            return None
        if len(named) > 1:
            what = f"--{named[0]} and --{named[1]} exclude each other"
            raise RulecError(what, hint="a note is about one case: name it once")
        match named[0]:
            case "command":
                return fitting(Example(kind="command", text=self.command.strip()), "--command")
            case "path":
                return file_case(top, self.path)
            case _:
                return fitting(_typed(self.example), "--example")


def _typed(text: str) -> Example:
    """An example as it is typed: a mapping as in rule files, or else a command."""
    if not text.lstrip().startswith("{"):
        return Example(kind="command", text=text.strip())
    return example_file.read_example(YamlNode(load_yaml(text, "--example"), "--example"))


def fitting(case: Example, where: str) -> Example:
    """The case as it is; RulecError where it is too large to be kept."""
    if size_of(case) > LARGEST_CASE:
        raise RulecError(f"is longer than {LARGEST_CASE:,} characters", where=where, hint=SMALLER)
    return case


def size_of(case: Example) -> int:
    """The characters of a case."""
    own = len(case.text) + len(case.old) + len(case.args) + sum(len(text) for _, text in case.files)
    return own + sum(map(size_of, case.steps))


def file_case(top: Path, path: str) -> Example:
    """A file as it is in the work tree; git's own files and those that it ignores are nobody's to commit."""
    there = (top / path).is_file()
    if there and not git_session.run_git(top, "ls-files", "-co", "--exclude-standard", "--", path).text:
        raise RulecError("is not a file of the repository", where=path, hint="name one that git does not ignore")
    change = git_changes.whole_files_change(top, [str(top / path) if there else path])
    if len(change.files) != 1:
        raise RulecError("is not one file", where=path, hint="name a single file")
    (file,) = change.files
    if file.content is None or git_changes.is_binary(file.content):
        raise RulecError("holds no text that could be kept", where=path, hint=SMALLER)
    return fitting(Example(kind="file", path=file.path, text=file.content.decode("utf-8", "replace")), path)


def case_of_finding(top: Path, line: LedgerLine) -> Example | None:
    """The file that a finding was in, as it is now; None where the ledger does not say enough."""
    if not line.of or not (top / line.of).is_file():
        return None  # the ledger holds no more of a command than its program
    try:
        return file_case(top, line.of)
    except RulecError:
        return None


def redacted_case(case: Example, *, caught: bool) -> Example:
    """The case as it may be committed: with look-alikes in place of secrets, as an example of a person's."""
    return replace(redact_example(case, replace_redacted if caught else replace_secrets), source="person")
