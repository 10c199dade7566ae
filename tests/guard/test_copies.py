"""Repeated functions: what counts as a copy, and what does not."""

import pytest

from rulec.guard.content import duplicate_functions

BODY = """\
    lines = []
    for {0} in form['{1}'].split(','):
        text = clean({0}, 2)
        if text:
            lines.append('- ' + text)
    return '\\n'.join(lines)
"""
CITIES = "def cities(form):\n" + BODY.format("city", "cities")
STREETS = "def streets(form):\n" + BODY.format("street", "streets")
TOTAL = """\
def total(rows):
    result = 0
    while rows:
        row = rows.pop()
        if row.paid:
            continue
        result += row.price * row.count
    return result
"""


class Tree:
    """A repository of a few files."""

    def __init__(self, files: dict[str, str]) -> None:
        self.files = files

    def paths(self) -> frozenset[str]:
        return frozenset(self.files)

    def read(self, path: str) -> str | None:
        return self.files.get(path)


def _found(
    files: dict[str, str], *, old: dict[str, str] | None = None, beside: dict[str, str] | None = None
) -> list[str]:
    before = old or {}
    listed = [
        {"path": p, "old_path": "", "how": "change" if p in before else "create", "old": before.get(p, ""), "new": text}
        for p, text in files.items()
    ]
    rule = {"facts": {"slug": "dry"}, "check": {"on": "change", "copies": 4, "unless": ["@tests"]}}
    tree = Tree({**(beside or {}), **files})
    return [
        item["text"].partition(": ")[2]
        for item in duplicate_functions.check_duplicates(rule, {"kind": "change", "files": listed, "tree": tree})
    ]


def test_two_functions_that_differ_in_names_and_texts_are_copies() -> None:
    assert _found({"src/a.py": f"{CITIES}\n{STREETS}"}) == ["cities repeats streets of src/a.py:9"]


def test_a_copy_of_a_function_beside_the_change_is_found() -> None:
    assert _found({"src/a.py": STREETS}, beside={"src/b.py": CITIES}) == ["streets repeats cities of src/b.py:1"]


@pytest.mark.parametrize("path", ["lib/b.py", "src/b.rb", "src/test_b.py", "src/deep/b.py"])
def test_only_files_of_a_kind_in_the_same_folder_are_looked_at(path: str) -> None:
    assert _found({"src/a.py": STREETS}, beside={path: CITIES}) == []


def test_a_few_more_steps_do_not_make_it_another_function() -> None:
    longer = STREETS.replace("    return", "    log(form)\n    return")
    assert _found({"src/a.py": f"{CITIES}\n{longer}"}) == ["cities repeats streets of src/a.py:9"]


def test_what_stood_there_before_is_not_found_again() -> None:
    both = f"{CITIES}\n{STREETS}"
    assert _found({"src/a.py": f"{both}\n{TOTAL}"}, old={"src/a.py": both}) == []


def test_a_function_that_moves_is_no_copy_of_itself() -> None:
    assert _found({"src/b.py": CITIES, "src/a.py": TOTAL}, old={"src/a.py": f"{CITIES}\n{TOTAL}"}) == []


@pytest.mark.parametrize(
    "text",
    [
        f"{CITIES}\n{TOTAL}",
        "def one(form):\n    return lines_of(form, 'one')\n\n\ndef two(form):\n    return lines_of(form, 'two')\n",
        "def a(x):\n    y = f(x)\n    z = g(y)\n    return z\n\n\ndef b(x):\n    y = f(x)\n    return g(y)\n",
        f"{CITIES}\n# {STREETS}".replace("\n    ", "\n#   "),
        f'{CITIES}\nTEXT = """\n{STREETS}"""\n',
    ],
)
def test_what_is_only_alike_is_no_copy(text: str) -> None:
    assert _found({"src/a.py": text}) == []


@pytest.mark.parametrize(
    ("path", "text", "names"),
    [
        ("a.go", "func (s *S) Run(f func(int), x interface{}) error {\n\tif x {\n\t}\n\treturn nil\n}\n", ["Run"]),
        ("a.go", "package a\n\n// func run() {\nvar s = `func b() { }`\n", []),
        ("a.ts", "export const run = async (x: {a: number}) => {\n  f();\n};\n", ["run"]),
        ("a.ts", "class A {\n  halt(x) {\n    f();\n  }\n}\n", ["halt"]),
        ("a.java", "class A {\n  @Test\n  public int f(int x) throws E {\n    return 1;\n  }\n}\n", ["f"]),
        ("a.rs", "impl A {\n    pub fn run(&self) -> u32 {\n        match x { _ => 1 }\n    }\n}\n", ["run"]),
        ("a.c", "struct a { int b; };\nstatic int run(int x)\n{\n  for (;;) { f(); }\n}\n", ["run"]),
        ("a.py", "class A:\n    async def run(self):\n        def inner():\n            pass\n", ["run"]),
        ("a.rb", "class A\n  def run?(x)\n    y\n  end\nend\n", ["run?"]),
        ("a.md", "def run():\n    pass\n", []),
    ],
)
def test_functions_are_found_in_each_language(path: str, text: str, names: list[str]) -> None:
    assert [one.name for one in duplicate_functions.functions_of(path, text)] == names


@pytest.mark.parametrize(
    "text",
    [
        "{" * 50_000, "(" * 50_000, "def a(" * 2_000, "'" * 9_999, "func f() {" * 20_000, "\n" * 9_000, "/* " * 90_000,
        '\\"' * 90_000, "def a():\n" * 20_000,
    ],
)  # fmt: skip
@pytest.mark.parametrize("ending", ["go", "py", "ts"])
def test_broken_code_breaks_nothing(ending: str, text: str) -> None:
    assert isinstance(duplicate_functions.functions_of(f"a.{ending}", text), list)


def test_the_work_on_one_change_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    files = {"src/a.py": f"{CITIES}\n{STREETS}"}
    assert _found(files)
    monkeypatch.setattr(duplicate_functions, "MOST_COMPARED", 0)
    assert _found(files) == []
