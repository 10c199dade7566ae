"""Which files a guard artifact speaks of."""

import json

from rulec.model.artifact import Artifact, facts_of
from rulec.ports import Reach


def reach(artifact: Artifact) -> Reach:
    """The files it speaks of, as the runtime's index files it."""
    rule = json.loads(artifact.text or "")
    check = rule["check"]
    if check["on"] == "dependency":
        from rulec.runtime import manifests  # noqa: PLC0415 - only where a rule is of dependencies

        return Reach(tuple(manifests.FILES))
    named = check.get("globs") if check["on"] in ("text", "path") else ()
    return Reach(tuple(named or facts_of(rule["facts"]).scope.include))
