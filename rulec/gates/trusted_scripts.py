"""Shell checks run only as the installed rulec compiles them from a rule, whatever bytes a checkout has for them."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from rulec.domain.artifact import COMPILED_FOLDER, Artifact, slug_of_artifact
from rulec.errors import RulecError
from rulec.infra import state
from rulec.infra.git import git_contents
from rulec.infra.rulebooks import rulebook_files
from rulec.rulebook import file_paths
from rulec.rulebook.rulebook import Rulebook

Texts = Mapping[str, str]
_FOLDER = f"{COMPILED_FOLDER}/shell/"
_KNOWN = "scripts"  # digests of scripts that were compiled here; agents' hooks run no others at the end of a turn
_MOST = 20_000
_BODY = "\n# usage: "  # what stands before it are comments, which say what the rule does at which gate
_REFUSE = "echo 'is not what its rule compiles to: run rulec compile' >&2\nexit 2\n"


def remember_scripts(top: Path, artifacts: Iterable[Artifact]) -> None:
    """Note the scripts among what was just compiled."""
    fresh = {_digest(one.text) for one in artifacts if one.path.startswith(_FOLDER) and one.text}
    known = _known(top)
    if fresh - set(known):
        kept = [*(one for one in known if one not in fresh), *sorted(fresh)]
        state.write_state(top, _KNOWN, {"compiled": kept[-_MOST:]})


def trusted_texts(top: Path, compiled: Texts, rules: Callable[[], Texts]) -> dict[str, str]:
    """The compiled files, each script as its rule among ``rules`` compiles to; one that has none only complains."""
    known = set(_known(top))
    foreign = {p: t for p, t in compiled.items() if p.startswith(_FOLDER) and _digest(t) not in known}
    if not foreign:
        return dict(compiled)
    from rulec.gates.weakening.gate_states import GateState  # noqa: PLC0415 - 100 ms of rule files and templates

    book = GateState(top=top, files=rules()).book(slug_of_artifact(path) for path in foreign)
    own = {path: _as_compiled(top, book, path, text) for path, text in foreign.items()}
    remember_scripts(top, [Artifact(path=path, text=text) for path, text in own.items() if text == foreign[path]])
    return {**compiled, **own}


def texts_at_commit(top: Path, revision: str) -> dict[str, str]:
    """The compiled files of a commit, with the scripts of its own rules."""

    def rules() -> Texts:
        return git_contents.files_at_commit(top, revision, file_paths.RULES)

    return trusted_texts(top, rulebook_files.compiled_at_commit(top, revision), rules)


def texts_in_work_tree(top: Path) -> dict[str, str]:
    """The compiled files of the work tree, with the scripts of its own rules."""
    return trusted_texts(top, rulebook_files.compiled_in_work_tree(top), lambda: rulebook_files.rulebook_texts(top))


def _as_compiled(top: Path, book: Rulebook, path: str, text: str) -> str:
    """The script with its own comments and the body that the rule compiles to."""
    from rulec.compiling.artifacts import compile_rule  # noqa: PLC0415 - as above

    comments, mark, body = text.partition(_BODY)
    head = "\n".join(line for line in comments.split("\n") if line.startswith("#"))
    try:
        (rule,) = (rule for rule in book.rules if rule.slug == slug_of_artifact(path))
        (own,) = (one.text for one in compile_rule(book, rule, top) if one.path == path and one.text)
    except (RulecError, ValueError):
        return f"{head}\n{_REFUSE}"
    compiled = own.partition(_BODY)[2]
    return text if mark and body == compiled and comments == head else f"{head}{_BODY}{compiled}"


def _known(top: Path) -> list[str]:
    found = state.read_state(top, _KNOWN)
    digests = found.get("compiled") if isinstance(found, dict) else None
    return [one for one in digests if isinstance(one, str)] if isinstance(digests, list) else []


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
