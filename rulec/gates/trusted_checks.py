"""The compiled checks that a commit is judged by: read from HEAD, and kept ready in the git folder."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rulec import registry
from rulec.checkout import learned_needs
from rulec.domain.artifact import (
    COMPILED_FOLDER,
    Artifact,
    asks_for_run,
    is_judge_check,
    judges_whole_changes,
    protects_paths,
)
from rulec.domain.files import globs
from rulec.errors import RulecError
from rulec.gates import fast_path, trusted_scripts
from rulec.gates.findings.check_runs import by_checker, learn_needs
from rulec.gates.findings.verdicts import commit_checks, message_checks
from rulec.gates.judging import judge_settings
from rulec.infra import fast_files, jobs
from rulec.infra.git import git_contents, git_objects
from rulec.infra.rulebooks import rulebook_files
from rulec.infra.state import state_dir
from rulec.rulebook import file_paths

_CHECKS = "checks"
_ODD = ("\\", "[", "]", "{", "}", "./")


@dataclass(frozen=True, slots=True)
class TrustedChecks:
    """The compiled files by path, and what is known about the checks among them."""

    texts: Mapping[str, str]
    needs: Mapping[str, str] = field(default_factory=dict)  # see Artifact, by path
    tree: str = ""  # what they are known by, "" where nothing is to be kept
    fresh: bool = False  # nothing is kept of them yet

    def artifacts(self) -> list[Artifact]:
        """The checks, sorted by path."""
        return [replace(one, needs=self.needs.get(one.path, "")) for one in rulebook_files.compiled_checks(self.texts)]


def trusted_checks(top: Path) -> TrustedChecks:
    """The checks of HEAD; where HEAD has none (a first commit, an orphan branch), those in the index."""
    (tree,) = git_contents.tree_ids(top, [f"HEAD:{COMPILED_FOLDER}"])
    if not tree:
        files = git_contents.files_in_index(top, file_paths.RULES)
        compiled = {path: text for path, text in files.items() if path.startswith(f"{COMPILED_FOLDER}/")}
        return TrustedChecks(trusted_scripts.trusted_texts(top, compiled, lambda: files))
    kept = fast_files.load_piece(str(state_dir(top) / _CHECKS), tree)
    if (
        kept is not None
        and kept["core"] == jobs.semgrep_identity()
        and kept["settings"] == _settings(top, kept["texts"])
    ):
        return TrustedChecks(kept["texts"], kept["needs"], tree)
    return TrustedChecks(trusted_scripts.texts_at_commit(top, "HEAD"), tree=tree, fresh=True)


def _settings(top: Path, texts: Mapping[str, str]) -> str:
    """The id of HEAD's settings where there are judges, which they control; else ""."""
    if not any(path.startswith(f"{COMPILED_FOLDER}/judge/") for path in texts):
        return ""
    (found,) = git_objects.look_up_objects(top, [f"HEAD:{file_paths.CONFIG}"])
    return found.id if found else ""


def needs_in_work_tree(top: Path, texts: Mapping[str, str]) -> dict[str, str]:
    """What files must hold for Semgrep's rules to see anything, by path; asked once, and the agents' hook knows it."""
    known = learned_needs.load_needs(str(top))
    artifacts = []
    for one in rulebook_files.compiled_checks(texts):
        if "/semgrep/" in one.path:
            need = known.get(learned_needs.digest_of(one.text or ""))
            artifacts.append(replace(one, needs="" if need is None else json.dumps(need)))
    if not all(one.needs for one in artifacts) and jobs.semgrep_identity():
        artifacts = learn_needs(registry.checker("semgrep"), artifacts)
        _store_needs(top, artifacts)
    return {one.path: one.needs for one in artifacts}


def _store_needs(top: Path, artifacts: Sequence[Artifact]) -> None:
    needs = {learned_needs.digest_of(one.text or ""): json.loads(one.needs or "true") for one in artifacts}
    learned_needs.store_needs(str(top), jobs.semgrep_identity(), needs)


def keep_ready(top: Path, known: TrustedChecks) -> None:
    """Store what the next commit would have to compute again."""
    if not known.fresh:
        return
    try:
        artifacts = [one for checker, own in by_checker(known.artifacts()) for one in learn_needs(checker, own)]
        judges = [one for one in artifacts if is_judge_check(one)]
        heard = judges if judges and judge_settings.judges_at_commit(top, say=lambda _: None) else []
        protecting = filter(protects_paths, artifacts)
        reach = _fast_path_facts([*commit_checks(artifacts), *protecting, *heard])
        reach["runs"] = any(map(asks_for_run, artifacts))
    except (RulecError, ValueError, KeyError, TypeError):  # a damaged artifact is told by whoever is judged by it
        return
    _store_needs(top, [artifact for artifact in artifacts if "/semgrep/" in artifact.path])
    needs = {artifact.path: artifact.needs for artifact in artifacts if artifact.needs}
    texts = dict(known.texts)
    state = state_dir(top)
    settings = _settings(top, known.texts)
    piece = {"core": jobs.semgrep_identity(), "settings": settings, "texts": texts, "needs": needs}
    fast_files.store_piece(str(state / _CHECKS), known.tree, piece)
    fast_files.store_piece(str(state / fast_path.REACH), known.tree, {**reach, "settings": settings})


def _fast_path_facts(asked: Sequence[Artifact]) -> dict[str, Any]:
    """What the fast path needs: which files rules look at, which files belong to the gate, and its output."""
    rules = len({checker.facts(one.text or "").slug for checker, own in by_checker(asked) for one in own})
    text = registry.reporter("text")
    one, many = (text.report([], {"files": number, "rules": rules, "unread": 0}) for number in (1, fast_path.MANY))
    gates = sorted({path for emitter in registry.emitters().values() for path in emitter.files})
    messages = bool(message_checks(asked)) or any(map(is_judge_check, asked))
    places = list(dict.fromkeys(_places(asked)))
    return {"reach": places, "messages": messages, "gates": gates, "one": one, "many": many}


def _places(artifacts: Sequence[Artifact]) -> Iterator[tuple[tuple[str, ...], tuple[tuple[str, str], ...]]]:
    """The languages of each artifact, and how the paths that it looks at begin and end."""
    for checker, own in by_checker(artifacts):
        for artifact in own:
            reach = checker.reach(artifact)
            wanted = ("**",) if judges_whole_changes(artifact) else reach.globs
            yield (
                reach.languages,
                tuple(dict.fromkeys(_ends(one) for glob in wanted for one in globs.expand_braces(glob))),
            )


def _ends(glob: str) -> tuple[str, str]:
    """How every path that matches the glob begins and ends."""
    if len(glob) > globs.LONGEST or any(sign in glob for sign in _ODD):
        return "", ""
    name = glob.rpartition("/")[2]
    ending = name.lstrip("*?")
    sure = ending if name != ending and not any(sign in ending for sign in "*?") else ""
    begin = globs.literal_folder(glob)
    return begin if begin == glob.strip("/") else begin and f"{begin}/", sure
