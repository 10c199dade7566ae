"""The one table of languages, and what is derived from it."""

import pytest

from rulec.checks.semgrep.rule_artifact import canonical_language, known_languages, languages_of_file
from rulec.domain.files import languages
from rulec.domain.files.file_kinds import is_among, is_code
from rulec.domain.files.languages import (
    COMMENT_STYLES,
    PROGRAMS,
    SPOKEN_NAMES,
    SUFFIXES,
    globs_of,
    globs_with_covered,
    language_of,
    language_of_file,
    line_comment,
    suffix_glob,
)


def test_every_name_that_another_table_uses_is_a_language() -> None:
    names = {*SPOKEN_NAMES.values(), *PROGRAMS.values(), *languages.CHECKED, *languages.SEMGREP_NAMES}
    names |= {name for pair in languages.COVERED.items() for name in (pair[0], *pair[1])}
    assert names <= {*SUFFIXES}


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("tsx", "typescript"), ("Node", "javascript"), ("C++", "cpp"), ("h", "c"), ("Markdown", "markdown"),
        ("docs", ""), ("generated", ""), ("Gemfile", "ruby"),
    ],
)  # fmt: skip
def test_a_language_is_found_by_its_names_and_suffixes(name: str, language: str) -> None:
    assert language_of(name) == language


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("a/b.mts", "typescript"),
        ("Rakefile", "ruby"),
        ("x.R", "r"),
        ("README", ""),
        ("a.h", "c"),
        ("key", ""),
        ("c", ""),
    ],
)
def test_a_file_is_in_the_language_of_its_name(path: str, language: str) -> None:
    assert language_of_file(path) == language


def test_globs_of_languages() -> None:
    assert globs_of("ruby") == ["*.rb", "*.gemspec", "*.rake", "Gemfile", "Rakefile"]
    assert globs_of("R") == ["*.r", "*.R"]
    assert globs_with_covered("css") == ["*.css", "*.scss", "*.sass", "*.less"]
    assert suffix_glob(SUFFIXES["yaml"]) == "*.{yaml,yml}"
    assert suffix_glob(["rs"]) == "*.rs"


def test_comments_of_files() -> None:
    looks = [line_comment(name) for name in ("python", "kotlin", "lua", "bash", "json", "css", "r")]
    assert looks == ["#", "//", "--", "#", "", "", "#"]
    assert COMMENT_STYLES["hh"] == COMMENT_STYLES["h"] == "slash"  # the first row counts where two share a suffix


def test_headers_are_read_as_both_languages_that_have_them() -> None:
    assert languages_of_file("a.h", b"") == ["c", "cpp"]
    assert languages_of_file("a.hh", b"") == ["cpp", "hack"]


@pytest.mark.parametrize(
    ("name", "semgrep"),
    [("sh", "bash"), ("cs", "csharp"), ("docker", "dockerfile"), ("proto", "proto"), ("ts", "typescript"),
     ("perl", ""), ("markdown", ""), ("regex", "regex")],
)  # fmt: skip
def test_semgrep_has_names_of_its_own(name: str, semgrep: str) -> None:
    assert canonical_language(name) == semgrep


def test_semgrep_reads_no_more_than_it_can() -> None:
    assert not {"perl", "sql", "markdown", "css"} & {*known_languages()}
    assert languages_of_file("a.zsh", b"") == languages_of_file("a.mts", b"") == []
    assert languages_of_file("run", b"#!/usr/bin/env python3.12\n") == ["python"]
    assert languages_of_file("run", b"#!/usr/bin/perl\n") == []


def test_code_is_what_the_table_calls_so() -> None:
    assert all(is_code(path) for path in ("a.pyi", "b.gradle", "c.sol", "d.psm1", "e.R"))
    assert not any(is_code(path) for path in ("a.md", "b.yaml", "c.css", "d.sql", "Makefile"))
    assert not any(is_among(["@code"], path) for path in ("a.pyi", "build.gradle", "x.gemspec", "a.d.ts"))
