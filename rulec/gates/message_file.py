"""The file of a commit message: read as git reads it, without comments, scissors and the diff below them."""

import codecs
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from rulec.domain.artifact import Artifact
from rulec.domain.change import Change
from rulec.domain.enforcement import refuses
from rulec.errors import RulecError
from rulec.gates.findings.verdicts import message_checks, verdicts_on
from rulec.infra.git import git_session

_TYPED = re.compile(r"(?P<type>[a-z]+)(?:\([^()]*\))?!?: ")
_SETTINGS = (".commitlintrc*", "commitlint.config.*", ".czrc", ".cz.toml", ".cz.json")
_TYPES = ("chore", "build", "docs", "ci")  # those that fit a change of rules; others announce a change of the program
_LOOKED_AT = 30  # commits
_TRIED = 40  # forms


_SCISSORS = "------------------------ >8 ------------------------"
_DIFF = re.compile(
    r"[ +\-@\\]|diff |index |(?:new|deleted|old) (?:file )?mode |(?:dis)?similarity index |(?:rename|copy) (?:from|to) "
    r"|Binary files |GIT binary patch|Submodule |$"
)
_SIGNS = "#;@!$%^&|:"  # of which git takes the first that begins no line of the message, where it may choose


def clean_message(text: str, *, edited: bool, strips: bool = True, comment: str = "#") -> str:
    """The message without what git's editor session put into it; without an editor git keeps all lines.

    Below the scissors only lines of a diff are left out, and of those only what git itself writes there (``commit
    -v``): without that option git keeps what stands below a line that merely looks like scissors.
    """
    if not edited or not comment:
        return text
    lines = text.split("\n")
    sign = _comment_sign(lines) if comment == "auto" else comment
    cut = next((n for n, line in enumerate(lines) if line.rstrip() == f"{sign} {_SCISSORS}"), len(lines))
    below = [line for line in lines[cut:] if not _DIFF.match(line) and not line.startswith(sign)]
    kept = _cut_at_scissors([line for line in lines[:cut] if not (strips and line.startswith(sign))] + below)
    return "".join(f"{line}\n" for line in kept).lstrip("\n")


def _comment_sign(lines: list[str]) -> str:
    """The comment character that git chose: that of the scissors, or of the last line, which git wrote."""
    ends = [line for line in lines if line.endswith(f" {_SCISSORS}")] or [line for line in lines if line.strip()][-1:]
    known = [line[0] for line in ends if line[0] in _SIGNS and line[1:2] in ("", " ", "\t")]
    return next(iter(known), "#")


def _cut_at_scissors(lines: list[str]) -> list[str]:
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


def find_message(top: Path) -> Path:
    """The file of the message of the commit under way: where a framework leaves its name out, which it may.

    git merge writes its message to MERGE_MSG; a merge with resolved conflicts uses COMMIT_EDITMSG like any commit.
    """
    message, merge = (git_session.git_path(top, name) for name in ("COMMIT_EDITMSG", "MERGE_MSG"))
    if not (git_session.merge_heads(top) and merge.exists()):
        return message
    newer = message.exists() and message.stat().st_mtime_ns > merge.stat().st_mtime_ns
    return message if newer else merge


def read_message(top: Path, path: Path) -> str:
    """The message in the file that git names, by git's settings for it; options of a command line no hook can know."""
    settings = git_session.git_settings(top)
    how = settings.get("commit.cleanup", "")
    edited = os.environ.get("GIT_EDITOR") != ":"  # so git tells its hooks that there was no editor
    sign = settings.get("core.commentstring") or settings.get("core.commentchar")
    return clean_message(
        _decode_message(path, settings.get("i18n.commitencoding", "")),
        edited=edited or how == "strip",
        strips=how not in ("whitespace", "verbatim", "scissors"),
        comment=sign or "#",
    )


def _decode_message(path: Path, encoding: str) -> str:
    """The text of the file, by the encoding of the settings, or as latin-1: complaining is left to git."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RulecError(
            f"cannot be read: {error.strerror}", where=str(path), hint="see the path and its rights"
        ) from None
    for name in ("utf-8-sig", encoding):
        try:
            return data.decode(codecs.lookup(name).name)
        except (LookupError, ValueError):
            continue
    return data.decode("latin-1")


def fitting_message(top: Path, message: str, artifacts: Sequence[Artifact]) -> str:
    """The message in the first form that the rules on messages pass; in the repository's usual form where none does."""
    speaking = message_checks(artifacts)
    forms = list(islice(dict.fromkeys(_forms(top, message)), _TRIED))
    return next((form for form in forms if not speaking or _passes(form, speaking)), forms[0])


def _passes(message: str, speaking: Sequence[Artifact]) -> bool:
    verdicts = verdicts_on(speaking, Change(message=message, environment="local"), only_message=True)
    return not any(refuses(verdict.outcome) for verdict in verdicts)


def _forms(top: Path, message: str) -> Iterator[str]:
    """The message with each beginning that a repository may ask for, the most likely first; each also shorter."""
    told = git_session.run_git(top, "log", "--no-merges", f"-n{_LOOKED_AT}", "--format=%s").text.splitlines()
    seen = Counter(match[0] for subject in told if (match := _TYPED.match(subject)))
    known = [one for name in _TYPES for one, _ in seen.most_common() if one.startswith(name)]
    typed = [*known, *(form for name in _TYPES for form in (f"{name}: ", f"{name}(rules): ")), *seen, "feat: ", "fix: "]
    usual = sum(seen.values()) * 2 > len(told) or any(path.is_file() for one in _SETTINGS for path in top.glob(one))
    order = [*typed, ""] if usual else ["", *typed]
    for beginning in [*order, ":wrench: ", "\U0001f527 "]:
        for text in (message, message.replace("the rule ", "", 1)):
            yield f"{beginning}{text[:1].lower()}{text[1:]}" if _TYPED.match(beginning) else f"{beginning}{text}"
