"""Whether a rulebook is as the last compile left it, so that there is nothing to do."""

from collections.abc import Collection, Mapping
from pathlib import Path

from rulec import registry
from rulec.checks import template_library
from rulec.infra import journal, marshal_cache, state
from rulec.infra.git import merge_files
from rulec.infra.rulebooks import file_digests, work_tree
from rulec.rulebook import file_paths
from rulec.rulebook.rulebook import Rulebook

_PIECE = "compiled"
Digests = Mapping[str, str]


def output_if_unchanged(top: Path) -> str:
    """What that compile would say now, "" where it has to run."""
    if not work_tree.has_rulebook(top) or journal.is_unfinished(top):
        return ""
    kept = marshal_cache.load_piece(_place(top), _program())
    if (
        kept is None
        or file_digests.digest_of_digests(file_digests.digest_files(top, file_paths.RULES, kept["beside"]))
        != kept["files"]
    ):
        return ""
    text: str = kept["said"]
    return "" if merge_files.unmerged_paths(top) else text


def rulebook_digests(top: Path) -> Digests:
    """What the rulebook holds as a compile begins."""
    return file_digests.digest_files(top, file_paths.RULES, _beside())


def remember_compile(top: Path, began: Digests, written: Collection[str], book: Rulebook, text: str) -> None:
    """Keep that all is done, where nobody else wrote meanwhile and nothing depends on what lies elsewhere."""
    ours = frozenset(written)
    now = file_digests.digest_files(top, file_paths.RULES, _beside())
    same = all(began.get(path) == now.get(path) for path in began.keys() | now.keys() if path not in ours)
    if same and not book.config.extends and not registry.has_foreign_plugs():
        kept = {"files": file_digests.digest_of_digests(now), "beside": _beside(), "said": text}
        marshal_cache.store_piece(_place(top), _program(), kept)


def _place(top: Path) -> str:
    return str(state.state_dir(top) / _PIECE)


def _beside() -> list[str]:
    """The files of other tools that hold a part of ours."""
    return sorted({path for emitter in registry.emitters().values() for path in emitter.files})


def _program() -> str:
    return file_digests.digest_program(Path(marshal_cache.PACKAGE_FOLDER), template_library.packaged_templates())
