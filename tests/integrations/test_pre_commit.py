import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from rulec.errors import RulecError
from rulec.integrations.targets.pre_commit import HOOKS, PATH, PLUG, TYPES, installed_from, missing_types

from .support import PLAN, emitted, owes_nothing, removed, render

OURS = ["rulec", "rulec-prepare", "rulec-message", "rulec-push"]


def hook_ids(text):
    return [hook["id"] for repo in yaml.safe_load(text)["repos"] for hook in repo["hooks"]]


def test_a_new_file_installs_every_type_with_a_plain_install():
    data = yaml.safe_load(owes_nothing(PLUG, None))
    stages = ["pre-commit", "prepare-commit-msg", "commit-msg", "pre-push"]
    assert (data["default_install_hook_types"], data["default_stages"]) == (stages, ["pre-commit"])
    assert [hook["stages"] for hook in data["repos"][0]["hooks"]] == [[stage] for stage in stages]


def test_hooks_that_name_no_stages_stay_where_they_ran_so_far():
    data = yaml.safe_load(emitted(PLUG, "repos:\n" + ITEM))
    assert data["default_stages"] == ["pre-commit"]
    theirs = "default_install_hook_types: [pre-commit, commit-msg]\nrepos:\n" + ITEM
    data = yaml.safe_load(owes_nothing(PLUG, theirs))
    assert data["default_stages"] == data["default_install_hook_types"] == ["pre-commit", "commit-msg"]
    assert missing_types(theirs) == ["prepare-commit-msg", "pre-push"]
    assert missing_types(emitted(PLUG, None)) == []


COMMIT = "0123456789abcdef" * 2 + "01234567"
ARCHIVE = "https://example.com/rulec.whl#sha256=ab"
SOURCES = {  # what the settings name -> the repository and revision, or the requirement, that pre-commit installs
    f"git+https://example.com/rulec.git@{COMMIT}": ("https://example.com/rulec.git", COMMIT),
    "git+ssh://git@example.com/rulec@v1.0": ("ssh://git@example.com/rulec", "v1.0"),
    f"git+file:///srv/rulec@{COMMIT}": ("file:///srv/rulec", COMMIT),
    ARCHIVE: ("local", [ARCHIVE]),
    f"git+https://example.com/a@{COMMIT}#subdirectory=x": (
        "local",
        [f"git+https://example.com/a@{COMMIT}#subdirectory=x"],
    ),
    ".": ("local", None),
    "": ("local", None),
}


@pytest.mark.parametrize("install", SOURCES)
@pytest.mark.parametrize("text", [None, "repos:\n- repo: https://a\n  rev: v1\n  hooks:\n  - id: a\n"])
def test_pre_commit_installs_rulec_from_where_the_settings_say(install, text):
    plan = replace(PLAN, install=install)
    made = owes_nothing(PLUG, text, plan)
    entry = yaml.safe_load(made)["repos"][-1]
    hook = entry["hooks"][0]
    assert [one["id"] for one in entry["hooks"]] == OURS
    repo, how = SOURCES[install]
    assert entry["repo"] == repo
    if isinstance(how, str):
        assert entry == {"repo": repo, "rev": how, "hooks": [{"id": one} for one in OURS]}
    else:
        assert hook.get("additional_dependencies") == how
        assert hook["entry"] == ("rulec check --staged" if how else "sh .rules/hook git check --staged")
    assert installed_from(made) == (install if how else "")
    assert removed(PLUG, emitted(PLUG, made, PLAN)) == text


ITEM = "- repo: https://a\n  rev: v1\n  hooks:\n  - id: a\n"
THEIRS = {
    "dashes at the edge": "repos:\n" + ITEM,
    "dashes indented": "repos:\n  - repo: https://a\n    rev: 'v1'  # pinned\n    hooks:\n      - id: a\n",
    "dashes far in": "repos:\n    -   repo: https://a\n        rev: v1\n        hooks:\n        -   id: a\n",
    "keys after the list": "repos:\n- repo: https://a\n  rev: v1\n  hooks: [{id: a}]\n\n# all of it\nfail_fast: true\n",
    "keys before the list": "default_stages: [manual]\ndefault_install_hook_types: [pre-push]\nrepos:\n" + ITEM,
    "an empty list": "fail_fast: true\nrepos: []  # none yet\nexclude: ^x\n",
    "no value": "repos:\n",
    "a quoted key": '"repos": []\n',
    "no repos": "fail_fast: true\n",
    "an empty file": "",
    "one empty line": "\n",
    "only comments": "# to do: hooks\n",
    "a document mark": "---\n# ours\n",
    "a byte order mark": "\ufeffrepos: []\n",
    "a block scalar at the end": "repos:\n" + ITEM + "    exclude: |\n      (?x)^(\n        b\n      )$\n",
    "tabs where YAML allows them": "# a\ttab\nrepos:\n- repo: 'a\tb' #\tthere\t\n  rev: v1\n  hooks:\n  - id: a\n",
    "text that is not ASCII": "repos:\n- repo: https://ä/→  # 日本語 \u2028\n  rev: v1\n  hooks:\n  - id: a\n",
    "anchors": "x: &v v1\nrepos:\n- &a\n  repo: https://a\n  rev: *v\n  hooks: [{id: a}]\n",
}


@pytest.mark.parametrize("name", THEIRS)
@pytest.mark.parametrize("ends", ["lf", "crlf", "none"])
def test_what_people_wrote_stays_and_comes_back(name, ends):
    text = THEIRS[name].rstrip("\n") if ends == "none" else THEIRS[name]
    text = text.replace("\n", "\r\n") if ends == "crlf" else text
    once = owes_nothing(PLUG, text)
    assert [i for i in hook_ids(once) if i in OURS] == OURS
    assert "\r\n" not in text or "\n" not in once.replace("\r\n", "")


lines = st.sampled_from(["", "# note", "  # deep: [", "#\ttab ", "   "])
scalars = st.sampled_from(
    [
        "v1",
        "'v1'",
        '"v\\t1"',
        "v1 # x",
        "v1   ",
        "é→",
        "|\n{pad}    a\n{pad}    - b",
        ">-\n{pad}    a\n\n{pad}    # b\n{pad}    c",
    ]
)


@st.composite
def configs(draw):
    """A configuration as people write them: any indentation, comments, quotes, line ends."""
    key = draw(st.sampled_from([0, 2, 4]))
    gap = draw(st.sampled_from([1, 3]))
    out = draw(st.lists(st.one_of(lines, st.sampled_from(["---", "fail_fast: true"])), max_size=3, unique=True))
    out = sorted(out, key=lambda line: line not in ("---", "# note", ""))
    out.append(draw(st.sampled_from(["repos:", "'repos':", "repos: # list", "repos:  "])))
    for _ in range(draw(st.integers(1, 3))):
        pad = " " * (key + 1 + gap)
        out.append(" " * key + "-" + " " * gap + "repo: https://a.example/x")
        out.append(f"{pad}rev: " + draw(scalars).replace("{pad}", pad))
        out.append(f"{pad}hooks:")
        out.append(f"{pad}{draw(st.sampled_from(['', '  ']))}- id: a")
        out += draw(st.lists(lines, max_size=2))
    out += draw(st.lists(st.sampled_from(["exclude: ^x", "files: |\n  a\n  b"]), max_size=2, unique=True))
    text = "\n".join(out) + draw(st.sampled_from(["", "\n", "\n\n"]))
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"])))


@given(configs())
def test_emit_and_remove_are_inverse_over_any_configuration(text):
    once = owes_nothing(PLUG, text)
    before, after = (yaml.safe_load(t if t.endswith("\n") else t + "\n") for t in (text, once))
    assert after["repos"][:-1] == before["repos"]
    ours = {"default_install_hook_types": list(TYPES), "default_stages": ["pre-commit"]}
    assert {**after, "repos": []} == {**ours, **before, "repos": []}


@given(
    st.text(alphabet="repos:[]{}-# \n\r\t'\"|>&*ax\ufeff\u2028", max_size=40),
    st.sampled_from(["", "repos:", "repos: []", "a: 1\n"]),
)
def test_any_text_at_all_comes_back_or_is_refused(noise, start):
    for text in (start + noise, noise + start):
        try:
            owes_nothing(PLUG, text)
        except RulecError as refusal:
            assert refusal.where.startswith(f"{PATH}:"), refusal  # noqa: PT017 - a refusal is as good as a round trip


REFUSED = {
    "repos: [a\n": ":2: not valid YAML",
    "a: 1\n\tb: 2\n": ":2: not valid YAML",
    "repos: [{repo: meta, hooks: []}]\n": ":1: repos is in flow style",
    "repos: nowhere\n": ":1: repos must be a list",
    "- a\n": ":1: is no mapping",
    "{fail_fast: true}\n": ":",
    "# rulec:begin\nrepos: []\n": ":1: a block of rulec begins here and never ends",
    "repos: []\n# rulec:end\n": ":2: a block of rulec ends here and begins nowhere",
    "# rulec:end\n# rulec:begin\n": ":1: a block of rulec ends here, before it begins",
    "# rulec:begin\n# rulec:end\n# rulec:begin\n# rulec:end\n": ":3: a second block",
}


@pytest.mark.parametrize("text", REFUSED)
def test_what_cannot_be_added_to_is_refused_with_its_line(text):
    with pytest.raises(RulecError) as refusal:
        emitted(PLUG, text)
    assert str(refusal.value).startswith(PATH + REFUSED[text])
    assert refusal.value.hint


def test_an_old_block_is_renewed_in_its_place():
    text = emitted(PLUG, THEIRS["dashes indented"])
    old = text.replace("require_serial: true", "require_serial: false").replace("(generated", "(made")
    old += "  - repo: meta\n    hooks: [{id: identity}]\n"
    new = emitted(PLUG, old)
    assert hook_ids(new) == ["a", *OURS, "identity"]
    assert new.startswith(text)


@pytest.mark.parametrize("name", ["dashes indented", "no repos", "an empty list"])
def test_a_block_that_was_tampered_with_is_made_good(name):
    text = emitted(PLUG, THEIRS[name])
    gone = text.replace(".rules/hook", ".rules/true").replace("stages: [pre-commit]", "stages: [manual]")
    assert emitted(PLUG, gone) == text
    assert emitted(PLUG, text.replace("always_run: true", "always_run: [")) == text


def test_rulec_is_never_run_twice():
    by_hand = emitted(PLUG, None).replace("rulec:", "by hand ")
    with pytest.raises(RulecError, match="already runs rulec"):
        emitted(PLUG, by_hand)


def test_what_people_add_to_the_list_that_we_began_stays_a_list():
    text = emitted(PLUG, None) + "  - repo: meta\n    hooks: [{id: identity}]\n"
    assert emitted(PLUG, text) == text
    assert removed(PLUG, text) == "repos:\n  - repo: meta\n    hooks: [{id: identity}]\n"


RULEC = """#!/bin/sh
echo "called: $1 $2"
case "$2" in --staged) test ! -e bad ;; --message) ! grep -q bad "${3:-.git/COMMIT_EDITMSG}" ;; esac
"""


def run(folder, *args):
    """A command in the repository, with a stand-in for rulec that refuses what is bad."""
    environment = {**os.environ, "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(args, cwd=folder / "repo", env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def pre_commit(folder, *args):
    return run(folder, sys.executable, "-m", "pre_commit", *args)


@pytest.fixture
def scratch(tmp_path):
    (tmp_path / "repo/.rules").mkdir(parents=True)
    (tmp_path / "repo/.rules/hook").write_text('shift\nexec rulec "$@"\n')
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/rulec").write_text(RULEC)
    (tmp_path / "bin/rulec").chmod(0o755)
    return tmp_path


@pytest.mark.e2e
@pytest.mark.parametrize("name", THEIRS)
def test_real_pre_commit_takes_every_file_without_a_warning(scratch, name):
    (scratch / "repo" / PATH).write_bytes(emitted(PLUG, THEIRS[name]).encode())
    assert pre_commit(scratch, "validate-config") == (0, "")


@pytest.mark.e2e
@pytest.mark.parametrize("theirs", ["", "files: ^src/\n", "exclude: .*\ndefault_stages: [manual]\n"])
def test_real_pre_commit_runs_both_hooks_whatever_files_are_left_out(scratch, theirs):
    (scratch / "repo" / PATH).write_text(emitted(PLUG, theirs))
    run(scratch, "git", "init", "-q", ".")
    assert pre_commit(scratch, "install")[0] == 0
    run(scratch, "git", "add", "-A")
    code, out = run(scratch, "git", "commit", "-m", "bad words")
    assert (code, out.count("called: check")) == (1, 2), out
    code, out = run(scratch, "git", "commit", "-m", "good words")
    assert (code, out.count("called: check")) == (0, 2), out
    (scratch / "repo/bad").touch()
    code, out = run(scratch, "git", "commit", "--allow-empty", "-m", "good words")
    assert (code, out.count("called: check")) == (1, 1), out


def test_the_hooks_for_other_repositories_are_a_valid_manifest():
    manifest = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"
    argv = [sys.executable, "-m", "pre_commit", "validate-manifest", str(manifest)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    made = {hook["id"]: hook for hook in yaml.safe_load(manifest.read_text())}
    local = yaml.safe_load(emitted(PLUG, None, replace(PLAN, install=ARCHIVE)))["repos"][0]["hooks"]
    apart = {"description", "additional_dependencies"}
    assert [{k: v for k, v in hook.items() if k not in apart} for hook in made.values()] == [
        {k: v for k, v in hook.items() if k not in apart} for hook in local
    ]
    assert list(made) == [hook.id for hook in HOOKS]


def test_emit_reads_nothing_but_its_arguments_and_changes_none():
    current = {PATH: "repos: []\n"}
    assert list(PLUG.emit(PLAN, render, current)) == list(PLUG.emit(PLAN, render, current))
    assert current == {PATH: "repos: []\n"}


MINE = "  - repo: https://example.com/hooks\n    rev: v1\n    hooks:\n      - id: mine\n"
PLACES = {
    "first in the list": ("repos:\n", "repos:\n" + MINE),
    "last in the list": ("# rulec:end\n", MINE + "# rulec:end\n"),
}


@pytest.mark.parametrize("place", PLACES)
def test_an_entry_that_people_put_into_our_block_is_kept(place):
    text = emitted(PLUG, None).replace(*PLACES[place])
    once = emitted(PLUG, text)
    assert MINE in once
    assert emitted(PLUG, once) == once
    assert len(yaml.safe_load(once)["repos"]) == 2
    assert removed(PLUG, text) == "repos:\n" + MINE


ODD = {
    "a hook in our entry": ("# rulec:end\n", "      - {id: mine, name: m, entry: x, language: system}\n# rulec:end\n"),
    "a key of theirs": ("repos:\n", "fail_fast: true\nrepos:\n"),
}


@pytest.mark.parametrize("name", ODD)
def test_what_cannot_be_kept_there_is_refused(name):
    with pytest.raises(RulecError):
        emitted(PLUG, emitted(PLUG, None).replace(*ODD[name]))
