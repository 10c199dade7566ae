"""A path is the same by whatever tool it is touched."""

from tests.checks.growing import file, grown, rule


def test_a_file_keeps_the_globs_that_its_path_matches() -> None:
    made = rule("guard", "forbid-text", {"patterns": ["x"], "globs": ["src/*_test.py"]}, file("src/a_test.py", "x\n"))
    paths = {mutant.name: mutant.example.path for mutant in grown(made)}
    assert paths["other file"] == "src/two_a_test.py"
    assert "deeper folder" not in paths


def test_a_protected_path_is_touched_by_other_tools_and_read_by_others() -> None:
    made = rule("guard", "protect-path", {"globs": ["gen/"]}, file("gen/a.py", "x\n"))
    found = {mutant.name: mutant for mutant in grown(made)}
    assert found["tool: tee"].example.text == "echo x | tee gen/a.py"
    assert found["tool: rm"].invalid
    assert not found["only read: cat"].invalid
    only_new = rule("guard", "forbid-path", {"globs": ["gen/"]}, file("gen/a.py", "x\n"))
    assert not any(mutant.name.startswith("tool:") for mutant in grown(only_new))
