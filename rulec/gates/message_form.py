"""The form of the messages of rulec's own commits: the one that the rules, the settings and the history ask for."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from rulec.domain.artifact import Artifact
from rulec.domain.change import Change
from rulec.domain.enforcement import refuses
from rulec.gates.findings.verdicts import message_checks, verdicts_on
from rulec.infra.git import git_session

_MESSAGE = re.compile(r"\$\{?RULEC_MESSAGE")
_TYPED = re.compile(r"(?P<type>[a-z]+)(?:\([^()]*\))?!?: ")
_SETTINGS = (".commitlintrc*", "commitlint.config.*", ".czrc", ".cz.toml", ".cz.json")
_TYPES = ("chore", "build", "docs", "ci")  # those that fit a change of rules; others announce a change of the program
_LOOKED_AT = 30  # commits
_TRIED = 40  # forms


def fitting_message(top: Path, message: str, artifacts: Sequence[Artifact]) -> str:
    """The message in the first form that the rules on messages pass; in the repository's usual form where none does."""
    speaking = [artifact for artifact in message_checks(artifacts) if _MESSAGE.search(artifact.text or "")]
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
