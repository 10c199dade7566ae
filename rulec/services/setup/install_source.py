"""Where CI can get the rulec that runs here: pip's own record of what it installed (PEP 610)."""

import json
import re
from collections.abc import Mapping
from typing import Any

from rulec.integrations.ci_context import CI
from rulec.rulebook import file_paths
from rulec.rulebook.config import Config

_ADDRESS = re.compile(r"https://[\w.-]+(?::\d{1,5})?/[\w./~+%-]+")  # no login, and nothing that a shell reads
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_FOLDER = re.compile(r"\w[\w./-]*")


def installed_source() -> str:
    """What pip can install elsewhere to have this rulec, pinned to a commit or a hash; "" where it came from no URL."""
    from importlib import metadata  # noqa: PLC0415 - 50 ms, and most commands do not ask

    try:
        record = metadata.distribution("rulec").read_text("direct_url.json")
        return pinned_source(json.loads(record)) if record else ""
    except (metadata.PackageNotFoundError, ValueError):
        return ""


def pinned_source(record: Mapping[str, Any]) -> str:
    """The requirement that a record of pip's stands for; "" for a folder, and where commit or hash are not known.

    Without a record pip found it by name in some index, which is not known to be the one that CI would ask.
    """
    url, folder = str(record.get("url", "")), str(record.get("subdirectory", ""))
    if not _ADDRESS.fullmatch(url) or (folder and not _FOLDER.fullmatch(folder)):
        return ""
    below = [f"subdirectory={folder}"] * bool(folder)
    commit = str(record.get("vcs_info", {}).get("commit_id", ""))
    if record.get("vcs_info", {}).get("vcs") == "git" and _COMMIT.fullmatch(commit):
        return "#".join([f"git+{url}@{commit}", *below])
    digest = str(record.get("archive_info", {}).get("hashes", {}).get("sha256", ""))
    return "#".join([url, "&".join([f"sha256={digest}", *below])]) if re.fullmatch("[0-9a-f]{64}", digest) else ""


def lacks_source(config: Config) -> str:
    """Why CI cannot install rulec, and what to do; "" where it can, and where the settings name no CI."""
    if config.install or not any(name in CI for name in config.emitters):
        return ""
    return (
        f"CI cannot install rulec: name in {file_paths.CONFIG} what pip shall install there, such as"
        " `install: git+https://HOST/rulec@COMMIT`, then run rulec compile"
    )
