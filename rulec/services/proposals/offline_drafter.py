"""The drafter that needs no model, set up for one repository: its templates, languages and packages."""

import re
from collections import Counter
from pathlib import Path

from rulec.checks import template_library
from rulec.compiling import artifacts
from rulec.drafting.drafter import Drafter
from rulec.drafting.forms.instantiations import RepositoryProfile
from rulec.drafting.forms.language_files import language_named
from rulec.errors import RulecError
from rulec.infra.git import git_contents

MANIFESTS = ("package.json", "pyproject.toml", "go.mod", "Cargo.toml", "Gemfile", "composer.json", "setup.cfg")
LARGEST = 200_000  # bytes of a manifest that is read
MOST = 40  # manifests


def drafter_for(top: Path | None = None) -> Drafter:
    """The drafter with the team's templates before ours; without a repository it knows ours alone."""
    if top is None:
        return Drafter(tuple(template_library.open_library().templates().values()))
    return Drafter(tuple(artifacts.template_library(top).templates().values()), _profile(top))


def _profile(top: Path) -> RepositoryProfile:
    try:
        paths = git_contents.tracked_paths(top)
    except RulecError:
        return RepositoryProfile()
    counted = Counter(language_named(path.rpartition(".")[2]) for path in paths if "." in path.rpartition("/")[2])
    languages = tuple(name for name, _ in counted.most_common() if name)
    named = [
        path for path in paths if path.rpartition("/")[2] in MANIFESTS or re.search(r"requirements[^/]*\.txt$", path)
    ]
    words = {word for path in named[:MOST] for word in _package_names(top / path)}
    return RepositoryProfile(languages=languages, packages=frozenset(words))


def _package_names(path: Path) -> list[str]:
    """Every name in a manifest that may be a package's."""
    if path.is_symlink() or not path.is_file() or path.stat().st_size > LARGEST:
        return []
    text = path.read_text("utf-8", "replace").casefold()
    return [word.removesuffix("-") for word in re.findall(r"@?[a-z][\w./-]*[\w]", text)]
