"""The offline drafter of a repository: its templates, its languages, and the packages that it names."""

import re
from collections import Counter
from pathlib import Path

from rulec.commands import _build
from rulec.drafting.drafter import Drafter
from rulec.drafting.forms import Profile
from rulec.drafting.languages import language_named
from rulec.errors import RulecError
from rulec.host import git, templates

MANIFESTS = ("package.json", "pyproject.toml", "go.mod", "Cargo.toml", "Gemfile", "composer.json", "setup.cfg")
LARGEST = 200_000  # bytes of a manifest that is read
MOST = 40  # manifests


def drafter(top: Path | None = None) -> Drafter:
    """The drafter with the team's templates before ours; without a repository it knows ours alone."""
    if top is None:
        return Drafter(tuple(templates.library().templates().values()))
    return Drafter(tuple(_build.library(top).templates().values()), _profile(top))


def _profile(top: Path) -> Profile:
    try:
        paths = git.tracked(top)
    except RulecError:
        return Profile()
    counted = Counter(language_named(path.rpartition(".")[2]) for path in paths if "." in path.rpartition("/")[2])
    languages = tuple(name for name, _ in counted.most_common() if name)
    named = [
        path for path in paths if path.rpartition("/")[2] in MANIFESTS or re.search(r"requirements[^/]*\.txt$", path)
    ]
    words = {word for path in named[:MOST] for word in _words(top / path)}
    return Profile(languages=languages, packages=frozenset(words))


def _words(path: Path) -> list[str]:
    """Every name in a manifest that may be a package's."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST:
        return []
    text = path.read_text("utf-8", "replace").casefold()
    return [word.removesuffix("-") for word in re.findall(r"@?[a-z][\w./-]*[\w]", text)]
