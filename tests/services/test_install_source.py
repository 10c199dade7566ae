"""What CI installs: pip's record of where this rulec came from, or nothing."""

from rulec.rulebook.config import Config
from rulec.services.setup.install_source import lacks_source, pinned_source

URL, COMMIT, HASH = "https://git.example.com/tools/rulec.git", "0123456789abcdef" * 2 + "01234567", "ab" * 32
GIT = {"vcs": "git", "commit_id": COMMIT}
WHEEL = "https://files.example.com/rulec-0.1.0-py3-none-any.whl"
RECORDS = {  # pip's record -> the requirement
    "a commit": ({"url": URL, "vcs_info": GIT}, f"git+{URL}@{COMMIT}"),
    "a folder of it": (
        {"url": URL, "vcs_info": GIT, "subdirectory": "tools/rulec"},
        f"git+{URL}@{COMMIT}#subdirectory=tools/rulec",
    ),
    "an archive": ({"url": WHEEL, "archive_info": {"hashes": {"sha256": HASH}}}, f"{WHEEL}#sha256={HASH}"),
    "an archive without a hash": ({"url": WHEEL, "archive_info": {}}, ""),
    "a branch without its commit": ({"url": URL, "vcs_info": {"vcs": "git", "requested_revision": "main"}}, ""),
    "another version control": ({"url": URL, "vcs_info": {"vcs": "hg", "commit_id": COMMIT}}, ""),
    "an editable folder": ({"url": "file:///home/me/rulec", "dir_info": {"editable": True}}, ""),
    "a clone on this machine": ({"url": "file:///home/me/rulec", "vcs_info": GIT}, ""),
    "a login": ({"url": "https://me:secret@example.com/rulec", "vcs_info": GIT}, ""),
    "a key that CI has not": ({"url": "ssh://git@example.com/rulec", "vcs_info": GIT}, ""),
    "no encryption": ({"url": "http://example.com/rulec", "vcs_info": GIT}, ""),
    "a shell": ({"url": "https://example.com/$(id)", "vcs_info": GIT}, ""),
    "a shell in the folder": ({"url": URL, "vcs_info": GIT, "subdirectory": "a;id"}, ""),
    "nothing": ({}, ""),
}


def test_ci_installs_what_pip_recorded_and_can_be_had_elsewhere():
    found = {name: pinned_source(record) for name, (record, _) in RECORDS.items()}
    assert found == {name: wanted for name, (_, wanted) in RECORDS.items()}


def test_settings_with_ci_need_a_source():
    assert lacks_source(Config(emitters=("github-actions",)))
    assert not lacks_source(Config(emitters=("github-actions",), install="."))
    assert not lacks_source(Config(emitters=("agents-md",)))
