"""Which changes leave a companion out: what counts as a change, as code, as a companion."""

import subprocess

import pytest

from rulec.checks.guard.checker import event_of_change
from rulec.domain.compiled_rule import read_rule
from rulec.domain.files.file_kinds import is_among
from rulec.guard.added_lines import changes_code, defines_function
from rulec.guard.companion_files import check_companions
from rulec.infra.git import git_changes
from rulec.shell.action_events import Event, FileOfChange
from tests.support import guard_rules as rules


class Tree:
    """A repository of a few files."""

    def __init__(self, files):
        self.files = files

    def paths(self):
        return frozenset(self.files)

    def read(self, path):
        return self.files.get(path)


def file(path, new="x = load()\n", old="", how="create", old_path=""):
    return FileOfChange(path=path, old_path=old_path, how=how, old=old, new=new)


def rule(**check):
    return {"facts": {"slug": "a"}, "check": {"on": "change", **check}}


TESTED = rule(when=["@code"], needs=["@tests"])


def companions(told, event):
    rule = read_rule(told)
    return check_companions(rule.facts, rule.check, event)


def left_out(check, *files, tree=None):
    found = companions(check, Event(kind="change", changes=list(files), tree=tree))
    return [(one.path, one.text) for one in found]


@pytest.mark.parametrize(
    ("kind", "these", "others"),
    [
        ("@code", "src/a.py lib/b.tsx cmd/main.go", "a_test.go b.spec.ts x_pb2.py docs/a.py .ci/a.py"),
        ("@tests", "tests/a.py a_test.go b.test.tsx spec/c.rb src/__tests__/d.ts FooTest.java", "latest.py contest.go"),
        ("@docs", "README.md docs/a.html guide.rst", "CHANGELOG.md .changeset/a.md src/a.py"),
        ("@changelog", "CHANGELOG.md changelog.d/1.txt .changeset/a.md CHANGES", "docs/changes.py src/changelog.py"),
        ("@lockfile", "uv.lock web/package-lock.json go.sum pnpm-lock.yaml", "lock.py package.json"),
        ("@manifest", "requirements-dev.txt pyproject.toml web/package.json go.mod", "requirements.md package.py"),
    ],
)  # fmt: skip
def test_a_kind_names_files_by_the_conventions_of_their_languages(kind, these, others):
    assert [path for path in these.split() if not is_among([kind], path)] == []
    assert [path for path in others.split() if is_among([kind], path)] == []


def test_upper_and_lower_case_are_one_in_a_name():
    assert is_among(["CHANGELOG.md"], "docs/changelog.md")
    assert is_among(["{docs/,*.Txt}"], "a.txt")


def test_a_change_alone_is_a_finding_that_names_what_is_missing():
    assert left_out(TESTED, file("src/a.py")) == [("src/a.py", "src/a.py is new without a test")]
    assert left_out(TESTED, file("src/a.py", how="change")) == [("src/a.py", "src/a.py changes without a test")]


def test_several_files_with_one_need_are_one_finding():
    assert len(left_out(TESTED, file("src/a.py"), file("src/b.py"))) == 1


def test_companions_alone_ask_for_nothing():
    assert left_out(TESTED, file("tests/test_a.py")) == []


def test_a_deleted_companion_serves_only_what_is_deleted_too():
    gone = file("tests/test_a.py", "", "x", how="delete")
    assert left_out(TESTED, file("src/a.py"), gone)
    both = rule(when=["@code"], needs=["@tests"], how=["delete"])
    assert left_out(both, file("src/a.py", "", "x", how="delete"))
    assert left_out(both, file("src/a.py", "", "x", how="delete"), gone) == []


def test_a_deletion_and_a_move_are_no_change_of_code():
    assert left_out(TESTED, file("src/a.py", "", "x = load()\n", how="delete")) == []
    assert left_out(TESTED, file("src/b.py", "x = load()\n", "x = load()\n", how="move", old_path="src/a.py")) == []


def test_a_companion_may_have_come_from_elsewhere():
    assert left_out(TESTED, file("src/a.py"), file("old/a.py", old_path="tests/test_a.py", how="change")) == []


def test_what_the_path_binds_is_looked_for_word_for_word():
    own = rule(pattern=r"src/(.+)/([^/]+)\.py", when=[], needs=[r"tests/\1/test_\2.py"])
    assert left_out(own, file("src/a/b.py"), file("tests/a/test_b.py")) == []
    assert left_out(own, file("src/a/b.py"), file("tests/a/test_c.py")) == [
        ("src/a/b.py", "src/a/b.py is new without tests/a/test_b.py")
    ]
    assert left_out(own, file("src/[*]/b.py"), file("tests/x/test_b.py"))


SMALL = [  # path, before, after, whether it is a change of code
    ("a.py", "x = 1\n", "x = 1  \n\n# more\n", False),
    ("a.py", "x = 1\n", '"""What it does.\n\nIn many words.\n"""\nx = 1\n', False),
    ("a.py", "x = 1\n", "import os\nfrom b import c\nx = 1\n", False),
    ("a.py", "log('helo')\n", "log('hello')\n", False),
    ("a.py", "if a:\n    b()\n", "if a:\n        b()\n", False),
    ("a.py", "x = 1\n", "x = 2\n", True),
    ("a.py", "a()\nb()\n", "b()\n", False),
    ("a.go", "package a\n", 'package a\n\nimport (\n\t"fmt"\n)\n\n// Doc.\n/* more\n * words */\n', False),
    ("a.go", "a()\n", "a()\nb(*p)\n", True),
    ("a.ts", "f();\n", "import { a } from 'b';\nf();\n// note\n", False),
    ("a.ts", "f();\n", "f(1);\n", True),
    ("a.lua", "f()\n", "f()\n-- note\n", False),
    ("a.toml", "# a = 1\n", "# a = 2\n", True),
    ("a.md", "one two\n", "one\ntwo\n", False),
    ("Makefile", "a:\n", "a: b\n", True),
]


@pytest.mark.parametrize(("path", "old", "new", "matter"), SMALL)
def test_comments_spacing_imports_and_words_change_no_code(path, old, new, matter):
    assert changes_code(file(path, new, old, how="change")) is matter


@pytest.mark.parametrize(
    ("text", "new"),
    [
        ("    async def load(self):\n", True),
        ("export const load = async (a) => a;\n", True),
        ("pub(crate) fn load() {}\n", True),
        ("    private static Map<String, X> load(int a) {\n", True),
        ("defaults = load()\n", False),
        ("const rate = 9;\n", False),
        ("# def load\n", False),
    ],
)
def test_a_definition_is_told_from_a_use(text, new):
    assert defines_function(file("a", text)) is new


def test_only_new_lines_are_looked_at():
    version = rule(when=["go.mod"], needs=["ci.yml"], added=r"^go \d")
    assert left_out(version, file("go.mod", "go 1.2\nrequire b\n", "go 1.2\n", how="change")) == []
    assert left_out(version, file("go.mod", "go 1.3\n", "go 1.2\n", how="change"))


def test_tests_inside_a_source_file_count_where_the_language_marks_them():
    assert left_out(TESTED, file("src/a.rs", "fn a() {\n}\n\n#[cfg(test)]\nmod tests {}\n")) == []


def test_a_need_with_wildcards_that_nothing_could_meet_is_dropped():
    wiki = rule(when=["@code"], needs=["*wiki*"])
    assert left_out(wiki, file("src/a.py"))
    assert left_out(wiki, file("src/a.py"), tree=Tree({"src/a.py": ""})) == []
    assert left_out(wiki, file("src/a.py"), tree=Tree({"wiki.md": ""}))


def test_the_scope_holds_for_what_calls_and_not_for_what_answers():
    scoped = {**TESTED, "facts": {"slug": "a", "scope": {"include": ["src/**"], "exclude": ["src/old/"]}}}
    assert left_out(scoped, file("src/a.py"))
    assert left_out(scoped, file("tools/a.py")) == []
    assert left_out(scoped, file("src/old/a.py")) == []
    assert left_out(scoped, file("src/a.py"), file("tests/test_a.py")) == []


def test_no_single_action_is_judged_as_a_change():
    for event in ({"kind": "write", "path": "src/a.py", "new": "x"}, {"kind": "command", "command": "git commit -m x"}):
        assert rules.findings([TESTED], event) == []
    path = {"facts": {"slug": "b"}, "check": {"on": "path", "globs": ["src/"]}}
    assert rules.findings([path], Event(kind="change", changes=[file("src/a.py")])) == []


CONVENIENT = [  # the check, the files of the change, what the repository holds, whether something is lacking
    ({"pattern": "src/(.+)[.]py", "needs": [r"tests/test_\1.py"], "exist": True}, {}, True),
    ({"pattern": "src/(.+)[.]py", "needs": [r"tests/test_\1.py"], "exist": True}, {"tests/test_a.py": "x"}, False),
    ({"pattern": "src/(.+)[.]py", "needs": ["INDEX"], "exist": True, "holds": r"\1"}, {"INDEX": "b\n"}, True),
    ({"pattern": "src/(.+)[.]py", "needs": ["INDEX"], "exist": True, "holds": r"\1"}, {"INDEX": "a\n"}, False),
    ({"pattern": "src/(.+)[.]py", "needs": ["INDEX"], "holds": r"\1"}, {"INDEX": "a\n"}, True),
    ({"when": ["src/"], "added": r"load\((\w+)\)", "needs": ["INDEX"], "exist": True, "holds": r"\1"}, {}, True),
    (
        {"when": ["src/"], "added": r"load\((\w+)\)", "needs": ["INDEX"], "exist": True, "holds": r"\1"},
        {"INDEX": "z"},
        False,
    ),
]


def test_a_companion_may_be_there_already_and_must_hold_what_is_asked():
    wrong = []
    for check, held, lacks in CONVENIENT:
        rule = {"facts": {"slug": "x"}, "check": {"on": "change", **check}}
        event = Event(kind="change", changes=[file("src/a.py", "y = load(z)\n")], tree=Tree(held))
        wrong += [] if bool(companions(rule, event)) is lacks else [(check, held)]
    assert wrong == []


def _git(top, *arguments):
    subprocess.run(["git", "-c", "user.name=x", "-c", "user.email=x@example.com", *arguments], cwd=top, check=True)


def test_of_a_commit_only_what_moved_or_went_counts_as_that(tmp_path):
    _git(tmp_path, "init", "-q")
    (tmp_path / "docs").mkdir()
    for name in "abc":
        (tmp_path / f"docs/{name}.md").write_text(f"# {name}\n\nThe page {name} says a little about {name}.\n")
    _git(tmp_path, "add", "-A")
    _git(tmp_path, "commit", "-qm", "Begin")
    _git(tmp_path, "mv", "docs/a.md", "docs/moved.md")
    _git(tmp_path, "rm", "-q", "docs/b.md")
    (tmp_path / "docs/c.md").write_text("# c\n\nIt says more now.\n")
    (tmp_path / "docs/d.md").write_text("# d\n")
    _git(tmp_path, "add", "-A")
    check = rule(pattern=r"docs/(.+)[.]md", how=["delete", "rename"], needs=["redirects.json"], holds=r"\1")
    found = companions(check, event_of_change(git_changes.staged_beside(tmp_path, ".rules/compiled")[0]))
    assert sorted(one.path for one in found) == ["docs/b.md", "docs/moved.md"]
