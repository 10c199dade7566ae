"""What .gitattributes hides from reviews, as git reads it."""

import pytest

from rulec.gates.weakening.hidden_from_review import newly_hidden

GATE = (".rules/config.yaml", ".rules/use-pnpm.yaml", ".rules/compiled/runtime/guard.py", ".github/CODEOWNERS")
CODE = ("src/a.py", "src/b.py", "src/made/c.py", "docs/index.md", "package-lock.json")


def _told(path: str, before: str, after: str, root: str = "") -> list[tuple[int, str]]:
    roots = (before, after) if path == ".gitattributes" else (root, root)
    return [(one.line, one.text) for one in newly_hidden(path, (before, after), roots, GATE, lambda: CODE)]


@pytest.mark.parametrize(
    ("path", "line", "told"),
    [
        (".gitattributes", ".rules/** -diff", True),
        (".gitattributes", "* binary", True),
        (".gitattributes", "** -diff", True),
        (".gitattributes", ".rules/** linguist-generated=true", True),
        (".gitattributes", ".rules/** gitlab-generated", True),
        (".gitattributes", ".rules/use-pnpm.yaml -diff", True),
        (".gitattributes", ".rules/compiled/runtime/** -diff", True),
        (".gitattributes", ".rules/**\t-diff", True),
        (".gitattributes", '".rules/**" -diff', True),
        (".gitattributes", ".rules/** diff=none", True),
        (".gitattributes", ".rules/** filter=swap", True),
        (".gitattributes", ".rules/** merge=ours", True),
        (".gitattributes", "[attr]hide -diff\n.rules/** hide", True),
        (".gitattributes", "src/** -diff", True),
        (".rules/.gitattributes", "*.yaml -diff", True),
        (".gitattributes", "*.py -diff", True),
        (".gitattributes", "*.yaml binary", True),
        ("src/.gitattributes", "* -diff", True),
        ("src/.gitattributes", "*.yaml -diff", True),
        ("src/.gitattributes", "config.yaml -diff", False),
        (".gitattributes", "*.png binary", False),
        (".gitattributes", "package-lock.json -diff", False),
        (".gitattributes", "docs/** -diff", False),
        (".gitattributes", "src/made/** linguist-generated", False),
        (".gitattributes", ".rules/compiled/** merge=rulec", False),
        (".gitattributes", ".rules/** diff=python -linguist-generated", False),
        (".gitattributes", ".rules/** -diff\n.rules/** diff", False),  # the last word counts
        (".gitattributes", "*.psd filter=lfs diff=lfs merge=lfs -text", False),
        (".gitattributes", "src/a.py filter=lfs -text", True),
        (".gitattributes", "docs/** filter=lfs -text", False),
        (".gitattributes", "[attr]hide -diff", False),
        (".gitattributes", "# * binary", False),
        (".gitattributes", "* text=auto", False),
    ],
)
def test_what_hides_the_rules_or_the_code_from_reviews_is_told(path: str, line: str, *, told: bool) -> None:
    assert bool(_told(path, "* text=auto\n", f"* text=auto\n{line}\n")) is told


def test_it_is_told_in_its_line_and_only_once() -> None:
    assert _told(".gitattributes", "", "*.png binary\n.rules/** binary\n") == [
        (2, ".gitattributes: .rules/** binary keeps changes out of people's sight")
    ]
    assert _told(".gitattributes", ".rules/** -diff\n", "# ours\n.rules/** -diff\n") == []
    assert "too many to compare" in _told(".gitattributes", "", "a* -diff\n" * 501)[0][1]
    assert _told("src/.gitattributes", "", "* hide\n", root="[attr]hide -diff\n")
