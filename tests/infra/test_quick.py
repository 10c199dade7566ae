"""What keeps a commit from the short way, and what does not."""

from pathlib import Path

import pytest

from rulec.gates import fast_path

RULE = "slug: use-wget\n"


@pytest.mark.parametrize(
    ("files", "busy"),
    [
        ({}, False),
        ({"README.md": "Mine.\n"}, False),
        ({".git/HEAD": "ref: refs/heads/main\n"}, False),
        ({".rules/config.yaml": "models: {backend: anthropic}\n"}, False),
        ({".git/HEAD": "ref: refs/heads/main\n", ".rules/config.yaml": "schema: 1\n"}, False),
        ({".rules/config.yaml": "models: {judges: [commit]}\n"}, True),
        ({".rules/config.yaml/x": "a folder\n"}, True),
        ({".rules/config.yaml": "schema: 1\n", ".rules/compiled/guard/use-wget.json": "{}\n"}, True),
        ({".rules/config.yaml": "schema: 1\n", ".rules/use-wget.yaml": RULE}, True),
        ({".rules/use-wget.yaml": RULE}, True),
    ],
)
def test_of_a_persons_own_only_rules_and_words_for_judges_have_a_say(
    tmp_path: Path, files: dict[str, str], busy: bool
) -> None:
    own = tmp_path / "own"
    for path, text in files.items():
        (own / path).parent.mkdir(parents=True, exist_ok=True)
        (own / path).write_text(text)
    assert fast_path.is_unusual(str(tmp_path), str(own)) == busy


def test_a_file_in_the_place_of_a_persons_folder_has_none(tmp_path: Path) -> None:
    (tmp_path / "own").write_text("x\n")
    assert not fast_path.is_unusual(str(tmp_path), str(tmp_path / "own"))
    (tmp_path / "own").unlink()
    (tmp_path / "own").mkdir()
    (tmp_path / "own/.rules").write_text("x\n")
    assert not fast_path.is_unusual(str(tmp_path), str(tmp_path / "own"))
    (tmp_path / "MERGE_HEAD").write_text("x\n")
    assert fast_path.is_unusual(str(tmp_path), str(tmp_path / "own"))
