"""The text of ``.rules/hook``, which finds rulec and starts it for agents' hooks and git's."""

import re
from pathlib import Path

from rulec import __version__
from rulec.checkout.rules_layout import LAUNCHER
from rulec.compiling.artifacts import template_library
from rulec.domain.artifact import Artifact
from rulec.rulebook.config import Config

_URL = re.compile(r"(?:git\+)?(?:https|ssh|file)://[\w.@:/~+%#=&-]+")  # nothing that a shell reads within quotes


def launcher(top: Path, config: Config) -> Artifact:
    """The launcher: a folder in ``install:`` is none that another clone has, so only a URL stands in it."""
    source = config.install if _URL.fullmatch(config.install) else ""
    context = {"version": __version__, "source": source, "on_missing": config.on_missing}
    return Artifact(path=LAUNCHER, text=template_library(top).render("emit/hook.sh.j2", context), executable=True)
