"""Which signs of a file are documentation or comments."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.domain.files.languages import COMMENT_STYLES
from rulec.guard import file_parts
from tests.support import guard_rules as rules

KEPT = [
    ("a.md", "# A\n\nUse `x = 1`. See https://a.example/b. Go.\n", "See", "x ="),
    ("a.md", "```sh\n# hidden\n```\nshown\n", "shown", "hidden"),
    ("a.md", "~~~\nhidden\n```\nhidden\n~~~\nshown\n", "shown", "hidden"),
    ("a.md", "---\ntitle: hidden\n---\nshown\n", "shown", "hidden"),
    ("a.md", "text\n\n    hidden\n\n    hidden\nshown\n", "shown", "hidden"),
    ("a.md", "- item\n\n    shown\n", "shown", "hidden"),
    ("a.md", "<!-- hidden\nhidden --> shown\n", "shown", "hidden"),
    ("a.md", "[shown](hidden/page.md)\n", "shown", "hidden"),
    ("README", "shown\n", "shown", "hidden"),
    ("a.rst", "shown\n", "shown", "hidden"),
    ("a.py", "hidden = 'hidden # hidden'  # shown\n", "shown", "hidden"),
    ("a.py", 'def hidden():\n    """Shown, shown."""\n    x = """hidden"""\n', "shown", "hidden"),
    ("a.ts", "const hidden = 'https://hidden'; // shown\n", "shown", "hidden"),
    ("a.ts", "const hidden = `\n// hidden\n`; /* shown\nshown */\n", "shown", "hidden"),
    ("a.tsx", "<p>Don't</p>\n{/* shown */}\n", "shown", "Don"),
    ("a.rs", "fn hidden<'a>(c: char) { c == '\"' } // shown\n", "shown", "hidden"),
    ("a.go", "var hidden = '\"' // shown\n", "shown", "hidden"),
    ("a.sh", 'echo "$#" ${hidden#hidden} # shown\n', "shown", "hidden"),
    ("a.sql", "select '--hidden' -- shown\n", "shown", "hidden"),
    ("a.html", "<p>hidden</p><!-- shown -->\n", "shown", "hidden"),
    ("a.css", "a { hidden: 1 } /* shown */\n", "shown", "hidden"),
    ("Makefile", "hidden: # shown\n", "shown", "hidden"),
]


NOTEBOOK = """{
 "cells": [
  {
   "cell_type": "markdown",
   "source": [
    "# hidden\\n"
   ]
  },
  {
   "cell_type": "code",
   "outputs": [],
   "source": [
    "%hidden # hidden\\n",
    "hidden = 'https://hidden'  # shown"
   ]
  }
 ]
}
"""
KEPT += [
    ("a.clj", '(def hidden "; hidden") ; shown\n', "shown", "hidden"),
    ("a.erl", 'hidden() -> "%hidden". % shown\n', "shown", "hidden"),
    ("a.ml", 'let hidden = "(* hidden *)" (* shown *)\n', "shown", "hidden"),
    ("a.php", "<?php #[hidden]\n$hidden = '#hidden'; # shown\n", "shown", "hidden"),
    ("a.ini", "hidden = https://hidden;hidden\n; shown\n", "shown", "hidden"),
    ("a.bat", "echo hidden\r\nREM shown\r\n", "shown", "hidden"),
    ("a.f90", "hidden = '! hidden' ! shown\n", "shown", "hidden"),
    ("a.vb", "hidden = \"' hidden\" ' shown\n", "shown", "hidden"),
    ("a.tex", "5\\% hidden % shown\n", "shown", "hidden"),
    ("a.ps1", "$hidden = 1\n<# shown\nshown #>\n", "shown", "hidden"),
    ("a.rb", "hidden = 1\n=begin\nshown\n=end\nhidden\n", "shown", "hidden"),
    ("a.lua", "hidden = [[ -- hidden ]] --[[ shown\n]] hidden()\n", "shown", "hidden"),
    ("a.java", 'var hidden = """\n// hidden\n"""; // shown\n', "shown", "hidden"),
    ("a.rs", 'let hidden = r#"hidden " // hidden"#; // shown\n', "shown", "hidden"),
    ("a.cs", 'var hidden = @"\\hidden\\"; // shown\n', "shown", "hidden"),
    ("a.scss", "a { b: url(//hidden) } // shown\n", "shown", "hidden"),
    ("a.twig", "hidden {# shown #}\n", "shown", "hidden"),
    ("a.hbs", "hidden {{!-- shown --}} {{hidden}}\n", "shown", "hidden"),
    ("a.erb", "<p>hidden</p><%# shown %><%= hidden %>\n", "shown", "hidden"),
    ("Dockerfile.dev", "FROM hidden\n# shown\n", "shown", "hidden"),
    (".env.local", "HIDDEN=https://hidden/#hidden\n# shown\n", "shown", "hidden"),
    ("CMakeLists.txt", "hidden() # shown\n", "shown", "hidden"),
    ("bin/run", "#!/usr/bin/env bash\nhidden # shown\n", "shown", "hidden"),
    ("a.HTML", "<script>\nhidden('//hidden') // shown\n</script>\n", "shown", "hidden"),
    ("a.html", "<style>a { hidden: 1 } /* shown */</style>\n", "shown", "hidden"),
    ("a.html", '<script type="application/json">{"a": "// hidden"}</script><!-- shown -->\n', "shown", "hidden"),
    ("a.vue", "<a title='hidden'>// hidden</a>\n<script lang=\"ts\">\n// shown\n</script>\n", "shown", "hidden"),
    ("a.ipynb", NOTEBOOK, "shown", "hidden"),
    ("a.ipynb", "hidden = '# hidden'  # shown\n", "shown", "hidden"),
]


@pytest.mark.parametrize(("path", "text", "shown", "hidden"), KEPT)
def test_only_documentation_and_comments_are_left(path: str, text: str, shown: str, hidden: str) -> None:
    left = "\n".join(file_parts.lines_of_parts(path, text))
    assert shown in left.lower() or shown in left
    assert hidden not in left


@pytest.mark.parametrize("path", ["a.json", "a.png", "a.lock", "noext", "a.csv"])
def test_other_files_have_neither(path: str) -> None:
    assert file_parts.part_of(path) == ""
    assert file_parts.lines_of_parts(path, "# shown\n") == [""]


def test_words_that_the_code_uses_as_names_can_be_left_out() -> None:
    text = "label = 1  # the label of labels\n"
    assert "label of labels" in file_parts.lines_of_parts("a.py", text)[0]
    assert "xxxxx of labels" in file_parts.lines_of_parts("a.py", text, names=False)[0]


@given(st.text(alphabet="`\"'\n\r\x0b\x0c\u2028 ab/*#<!->(){}-~\\:.", max_size=200))
def test_lines_keep_their_number_and_their_places(text: str) -> None:
    for path in ("a.md", "a.txt", "a.json", "a.vue", "a.astro", "a.ipynb", *(f"a.{one}" for one in COMMENT_STYLES)):
        left = file_parts.lines_of_parts(path, text)
        assert len(left) == len(text.splitlines())
        if file_parts.part_of(path):
            assert all(len(one) in (0, len(line)) for one, line in zip(left, text.splitlines(), strict=True))


def _rule(**check: object) -> dict[str, object]:
    return {"facts": {"slug": "a", "scope": {}}, "check": {"on": "text", "require": [], "globs": ["**"], **check}}


def _event(old: str, new: str, content: str | None, path: str = "a.md") -> dict[str, object]:
    return {"kind": "edit", "path": path, "old": old, "new": new, "content": content}


def test_an_edit_within_a_code_block_is_judged_in_its_file() -> None:
    rule = _rule(forbid=["bad"], parts=["docs"])
    whole = "```\nbad\n```\n"
    assert rules.findings([rule], _event("good", "bad", whole)) == []
    assert [found.line for found in rules.findings([rule], _event("good", "bad", "one\nbad\n"))] == [2]
    assert len(rules.findings([rule], _event("good", "bad", None))) == 1


def test_a_finding_shows_the_line_as_it_was_written() -> None:
    rule = _rule(forbid=["bad"], parts=["comments"])
    (found,) = rules.findings([rule], _event("", "x = 1  # bad `y`\n", None, "a.py"))
    assert found.text == "x = 1 # bad `y`"


@pytest.mark.parametrize("unit", ["](/x", "](", "<a", "`a", "https://a.", "/*", "<!--", '"""', "- ", "\\"])
@pytest.mark.parametrize("path", ["a.md", "a.py", "a.ts", "a.sql"])
def test_a_large_text_without_ends_is_read_to_its_end(path: str, unit: str) -> None:
    assert len(file_parts.lines_of_parts(path, "/" + unit * 20_000)) == 1


SPLIT = [  # file, text, what is left as strings, as comments and as code
    ("a.py", "x = 'a'  # b\n", "'a'", "# b", "x ="),
    ("a.py", '"""Doc."""\nx = 1\n', "", '"""Doc."""', "x = 1"),
    ("a.kt", 'val a = "u" // `c` http://d\n', '"u"', "// `c` http://d", "val a ="),
    ("a.ts", "f(`a${b}`, 'c') /* d */\n", "`a${b}` 'c'", "/* d */", "f( , )"),
    ("a.sql", "select 'a' -- b\n", "'a'", "-- b", "select"),
    ("a.rb", 'x = "a" # b\n', '"a"', "# b", "x ="),
    ("Dockerfile", "RUN a # b\n", "", "# b", "RUN a"),
    ("a.css", 'a { b: "c" } /* d */\n', '"c"', "/* d */", "a { b: }"),
    ("a.json", '{"a": 1}\n', "", "", ""),
]


def test_comments_strings_and_code_are_told_apart_in_every_language_of_the_table():
    wrong = []
    for path, text, *wanted in SPLIT:
        parts_of = (("strings",), ("comments", "docstrings", "written"), ("code",))
        left = [" ".join(" ".join(file_parts.lines_of_parts(path, text, one)).split()) for one in parts_of]
        wrong += [(path, left, wanted)] if left != wanted else []
    assert wrong == []
