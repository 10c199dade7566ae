"""A Semgrep check finds what the core finds, and never passes by breaking."""

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from rulec.checks.semgrep.checker import PLUG
from rulec.checks.skipped_files import LARGEST_FILE
from rulec.domain.artifact import Artifact
from rulec.domain.change import Change, FileChange
from rulec.domain.finding import Fault, Finding
from rulec.domain.plugs import Job, JobOutput
from rulec.errors import RulecError
from rulec.infra.jobs import run_job, run_jobs
from tests.checks.support import artifact, change, observe, places, step

ROOT = Path(__file__).parents[2]
REQUESTS = "languages: [python]\npattern: import requests\n"
WORD = 'languages: [regex]\npattern-regex: "(?m)^bad"\n'
FAILED = JobOutput(code=2, out="", err="Fatal error: out of luck")


def rules() -> list[Artifact]:
    return [
        artifact(PLUG, "imports", REQUESTS),
        artifact(PLUG, "imports.2", REQUESTS, include=("src/**",), exclude=("*_pb2.py",)),
        artifact(PLUG, "word", WORD + "paths: {include: ['*.txt', src/], exclude: [src/old/]}\n"),
        artifact(
            PLUG, "calls", "languages: [js, typescript]\npattern-either:\n  - pattern: f(...)\n  - pattern: g(...)\n"
        ),
        artifact(PLUG, "curl", "languages: [bash]\npattern: curl ...\n"),
        artifact(PLUG, "keys", "languages: [json]\npatterns:\n  - pattern: '\"key\": $X'\n"),
        artifact(
            PLUG,
            "flows",
            "languages: [python]\nmode: taint\npattern-sources: [{pattern: src()}]\n"
            "pattern-sinks: [{pattern: sink(...)}]\n",
        ),
    ]


FILES: dict[str, str | bytes] = {
    "src/a.py": "import requests  # nosemgrep\nx = 'é'\nbad = src()\nsink(bad)\n",
    "lib/a.py": "import requests\n",
    "src/x_pb2.py": "import requests\n",
    'src/deep/in/it\'s "q".py': "def f():\n    import requests\n",
    "-x.py": "import requests\n",
    "new\nline.py": "import requests\n",
    "é.py": "import requests\n",
    "\udcff.py": "import requests\n",
    "tests/test_a.py": "import requests\n",
    "vendor/node_modules/a.py": "import requests\n",
    "bin/tool": "#!/usr/bin/env python3\nimport requests\n",
    "bin/old": "#!/bin/sh\ncurl x\n",
    "broken.py": "def (:\nimport requests\n",
    "crlf.py": "x = 1\r\nimport requests\r\n",
    "empty.py": "",
    "a.txt": "good\nbad\nbad\n",
    "src/a.txt": "bad\n",
    "src/old/a.txt": "bad\n",
    "a.js": "f(1);\nh(2);\n",
    "b.tsx": "const a = <b onClick={() => g(1)} />;\n",
    "c.json": '{"a": {"key": 1}}\n',
    "binary.py": b"\x00\x01import requests\n",
    ".semgrepignore": "*\n",
    ".semgrep.yml": "rules: []\n",
}


def test_the_core_finds_what_there_is_and_nothing_else() -> None:
    made, looked_at = rules(), change(FILES)
    core = observe(PLUG, made, looked_at)
    found = places(core)
    for path in (
        "src/a.py",
        "lib/a.py",
        "-x.py",
        "new\nline.py",
        "\udcff.py",
        "tests/test_a.py",
        "vendor/node_modules/a.py",
    ):
        assert ("imports", path, 1) in found
    for expected in (
        ("imports", "bin/tool", 2),
        ("imports.2", "src/a.py", 1),
        ("word", "a.txt", 3),
        ("word", "src/a.txt", 1),
        ("word", "src/a.py", 3),
        ("calls", "a.js", 1),
        ("calls", "b.tsx", 1),
        ("curl", "bin/old", 2),
        ("keys", "c.json", 1),
        ("flows", "src/a.py", 4),
    ):
        assert expected in found
    for path in ("lib/a.py", "src/x_pb2.py"):
        assert ("imports.2", path, 1) not in found
    assert ("word", "src/old/a.txt", 1) not in found
    assert all(slug != "fault" and path != "fault" for slug, path, _ in found)


def test_a_finding_shows_its_line_and_where_it_ends() -> None:
    rule = artifact(PLUG, "r", "languages: [python]\npattern: f(...)\n")
    found = observe(PLUG, [rule], change({"a.py": f"  \nf(\n  1,\n)\nf('{'x' * 300}')\n"}))
    assert [(f.line, f.last, len(f.text)) for f in found if isinstance(f, Finding)] == [(2, 4, 2), (5, 0, 200)]


def test_a_rule_that_semgrep_cannot_read_is_at_fault_alone() -> None:
    bad = artifact(PLUG, "bad", "languages: [python]\npattern: import import ((\n")
    seen = observe(PLUG, [bad, artifact(PLUG, "good", REQUESTS)], change({"a.py": "import requests\n"}))
    assert sorted(places(seen)) == [("bad", "fault", -1), ("good", "a.py", 1)]


def test_where_all_fails_every_rule_is_at_fault() -> None:
    made, looked_at = rules()[:2], change({"src/a.py": "x = 1\n"})
    for left in (
        [FAILED, FAILED],
        [FAILED],
        [],
        [replace(FAILED, code=None)],
        [JobOutput(code=0, out="{}")],
        [JobOutput(code=0, out="[")],
    ):
        assert places(list(PLUG.findings(made, looked_at, left))) == [
            ("imports", "fault", -1),
            ("imports.2", "fault", -1),
        ]


@pytest.mark.parametrize("kind", ["Out of memory", "Timeout", "Fatal error", "Stack overflow"])
def test_a_run_that_was_not_whole_is_no_pass(kind: str) -> None:
    left = JobOutput(
        code=0, out=f'{{"results": [], "errors": [{{"error_type": "{kind}", "severity": "warn", "message": "m"}}]}}'
    )
    assert places(list(PLUG.findings(rules()[:1], change({"a.py": "x"}), [left]))) == [("imports", "fault", -1)]


def test_a_file_too_large_to_parse_is_said_and_not_passed() -> None:
    made = [artifact(PLUG, "imports", REQUESTS), artifact(PLUG, "word", WORD)]
    big = change({"a.py": b"# x\n" * (LARGEST_FILE // 4) + b"\nbad\n"})
    assert sorted(places(observe(PLUG, made, big))) == [
        ("imports", "fault", -1),
        ("word", "a.py", LARGEST_FILE // 4 + 2),
    ]


def test_a_change_that_no_rule_can_touch_needs_no_process() -> None:
    made = [artifact(PLUG, "imports", REQUESTS, include=("src/**",))]
    for looked_at in (
        change({"lib/a.py": "x"}),
        change({"src/a.md": "x"}),
        Change(message="x"),
        Change(files=(FileChange(path="src/a.py", status="D"),)),
    ):
        assert PLUG.jobs(made, looked_at) == []
        assert list(PLUG.findings(made, looked_at, [])) == []


def test_one_process_runs_all_rules_and_only_needed_languages() -> None:
    (job,) = PLUG.jobs(rules(), change({"src/a.py": "x", "b.go": "x", "a.txt": "x"}))
    assert job.inputs["rules.yaml"].count("- id: ") == 4
    assert job.inputs["targets.json"].count("CodeTarget") == 3
    assert "paths:" not in job.inputs["rules.yaml"]


def test_a_changed_frame_is_a_fault() -> None:
    made = artifact(PLUG, "r", REQUESTS)
    for text in (
        (made.text or "").replace("rules:\n", "rules:\n- id: other\n"),
        (made.text or "").replace("  metadata", "  metedata"),
    ):
        assert places(observe(PLUG, [replace(made, text=text)], change({"a.py": "import requests"}))) == [
            ("r", "fault", -1)
        ]


def test_no_network_is_needed() -> None:
    made, looked_at = rules()[:1], change({"a.py": "import requests\n"})
    closed = dict.fromkeys(("http_proxy", "https_proxy", "HTTPS_PROXY", "ALL_PROXY"), "http://127.0.0.1:9")
    (done,) = run_jobs([replace(job, environment=closed) for job in PLUG.jobs(made, looked_at)], looked_at)
    assert places(list(PLUG.findings(made, looked_at, [done]))) == [("imports", "a.py", 1)]


def test_a_compiled_rule_stands_alone() -> None:
    made = artifact(PLUG, "r", REQUESTS + "paths: {exclude: [old.py]}\n")
    assert PLUG.complaint(run_jobs(PLUG.parse(made), Change())) == ""
    semgrep = Path(sys.executable).parent / "semgrep"
    how = ("--experimental", "--metrics=off", "--disable-version-check", "--json", "--quiet", "--no-git-ignore")
    argv = (str(semgrep), "scan", *how, "--config", "{scratch}/r.yaml", "./a.py", "./old.py")
    inputs = {"r.yaml": made.text or "", "a.py": "import requests\n", "old.py": "import requests\n"}
    done = run_job(Job(argv=argv, inputs=inputs, seconds=60, folder="{scratch}"), Change())
    assert [one["path"] for one in json.loads(done.out)["results"]] == ["./a.py"]


def test_the_tool_says_what_it_cannot_read() -> None:
    bad = artifact(PLUG, "r", "languages: [python]\npattern: import import ((\n")
    assert "attern" in PLUG.complaint(run_jobs(PLUG.parse(bad), Change()))


REFUSED = [
    ("- a\n- b\n", "no mapping"),
    ("pattern: x\n", "names no languages"),
    ("languages: []\npattern: x\n", "names no languages"),
    ("languages: [cobol]\npattern: x\n", "'cobol' is not known"),
    ("languages: [python]\n", "has no pattern"),
    ("languages: [python]\nmode: taint\npattern: x\n", "has no pattern"),
    ("languages: [python]\nmode: join\npattern: x\n", "mode 'join'"),
    ("languages: [python]\npattern: x\nextends: r/python\n", "'extends' is no key"),
    ("languages: [python]\npattern: x\nmessage: hi\n", "message is written by rulec"),
    ("languages: [python]\npattern: x\nid: hi\n", "id is written by rulec"),
    ("languages: [python]\npattern: x\npaths: [a]\n", "paths is no mapping"),
    ("languages: [python]\npattern: [\n", "not valid YAML"),
    ("languages: [regex]\npattern-regex: (a+)+$\n", "runs away"),
]


@pytest.mark.parametrize(("body", "what"), REFUSED)
def test_a_body_that_is_no_rule_is_refused_by_name(body: str, what: str) -> None:
    with pytest.raises(RulecError, match=what) as refusal:
        PLUG.build(step("semgrep", "my-rule"), body)
    assert "my-rule" in str(refusal.value)
    assert "a-template" in str(refusal.value)
    assert refusal.value.hint


def test_signs_that_end_lines_in_yaml_do_not_break_an_artifact() -> None:
    hostile = step("semgrep", "r")
    facts = replace(hostile.facts, statement='a\u2028b\x85c "d" \\ # e: {f} \ufeff', quote="\u2029- id: x")
    text = PLUG.build(replace(hostile, facts=facts), REQUESTS)
    made = Artifact(path=".rules/compiled/semgrep/r.yaml", text=text, slug="r")
    assert PLUG.facts(text) == facts
    assert PLUG.complaint(run_jobs(PLUG.parse(made), Change())) == ""
    assert places(observe(PLUG, [made], change({"a.py": "import requests"}))) == [("r", "a.py", 1)]


@pytest.mark.parametrize(("left", "overran"), [(replace(FAILED, code=None), True), (FAILED, False)])
def test_what_keeps_the_core_busy_to_its_limit_is_no_way_past_a_rule(left: JobOutput, overran: bool) -> None:
    seen = PLUG.findings(rules()[:1], change({"src/a.py": "x = 1\n"}), [left])
    assert [one.overrun for one in seen if isinstance(one, Fault)] == [overran]


def test_no_fault_is_silent() -> None:
    seen = PLUG.findings(rules()[:1], change({"a.py": "x"}), [FAILED])
    assert "out of luck" in next(s.what for s in seen if isinstance(s, Fault))


BYTES: dict[str, str | bytes] = {
    "b.js": b"// bad fix\n// caf\xe9\n",
    "c.js": b"\xff\xfe\x00\n// bad",
    "d.go": b'package a // \xe9\n\nimport "github.com/pkg/errors"\n',
    "\udcff/e.js": b"\xe9 bad\n",
}
ERRORS = r"""
languages: [go]
patterns:
  - pattern-inside: import "=~/^github\.com\/pkg\/errors$/"
  - pattern-regex: '(?m)^[^/"\n]*"github\.com/pkg/errors"'
"""


def test_a_byte_that_is_no_utf8_silences_no_rule() -> None:
    word = "languages: [{}]\npattern{}: {}\n"
    made = [
        artifact(PLUG, "regex", word.format("regex", "-regex", r"\bbad\b")),
        artifact(PLUG, "generic", word.format("generic", "", "bad")),
        artifact(PLUG, "go", ERRORS),
    ]
    bad = [("b.js", 1), ("c.js", 2), ("\udcff/e.js", 1)]
    expected = sorted([("go", "d.go", 3), *((slug, *place) for slug in ("regex", "generic") for place in bad)])
    looked_at = change(BYTES)
    assert sorted(places(observe(PLUG, made, looked_at))) == expected


RETURNS = [
    (r"(?m)debugger;$", b"f();\r\ndebugger;\r\n", 2),
    (r"(?m)debugger;$", b"f();\r\ndebugger;\r", 2),
    (r"(?m)debugger;$", b"debugger;\r\r\n", 1),
    (r"(?m)a\nb$", b"a\r\nb\r\n", 1),
    (r"(?m)^x.$", b"x\r\n", 0),
    (r"\r\n", b"a\nb\r\n", 2),
    (r"\r$", b"a\r", 1),
    (r"[^\r]\n", b"a\r\nb\r\n", 0),
    (r"[^\r]\n", b"a\r\nb\n", 2),
    (r"\x0d", b"a\r\nb\n", 1),
]


@pytest.mark.parametrize(("pattern", "content", "line"), RETURNS)
def test_a_carriage_return_counts_for_rules_that_speak_of_it(pattern: str, content: bytes, line: int) -> None:
    other = artifact(PLUG, "other", 'languages: [regex]\npattern-regex: "\\r"\n')
    made = artifact(PLUG, "r", f"languages: [regex]\npattern-regex: {json.dumps(pattern)}\n")
    for rules in ([made], [made, other]):
        found = [s for s in observe(PLUG, rules, change({"a.js": content})) if s.slug == "r"]
        assert places(found) == ([("r", "a.js", line)] if line else [])


def test_what_to_write_instead_is_told_by_the_artifact_and_its_findings() -> None:
    body = f'instead: "import httpx: the \\"new\\" one"\n{REQUESTS}'
    built = artifact(PLUG, "imports", body)
    assert r"Say \"no\". Instead: import httpx" in (built.text or "")
    (found,) = observe(PLUG, [built], change({"a.py": "import requests\n"}))
    assert isinstance(found, Finding)
    assert found.cure == 'import httpx: the "new" one'
    assert PLUG.complaint(run_jobs(PLUG.parse(built), change({}))) == ""


INSIDE = {
    "a.vue": "<template>\n<b @click='f(1)'/>\n</template>\n<script setup lang=\"ts\">\nf(3)\n</script>\n",
    "b.svelte": "<script>\n  f(1)\n</script>\n<p>{f}</p>\n",
    "f.vue": "<!--\n<script>\nf(1)\n</script>\n-->\n"
    "<script setup lang='ts' generic=\"T extends Set<U>\">\nf(2)\n</script>\n",
    "c.html": '<script type="application/json">\nf(1)\n</script>\n<script type="module">f(2)</script>\n',
    "d.astro": "---\nconst a: T = f(1)\n---\n<p>f(2)</p>\n",
    "e.ipynb": '{\n"cells": [\n{\n"cell_type": "markdown",\n"source": [\n"import requests"\n]\n},\n'
    '{\n"cell_type": "code",\n"source": [\n"%pip install requests\\n",\n"import requests"\n]\n}\n]\n}\n',
}


def test_code_inside_files_of_another_kind_is_read_on_its_own_lines() -> None:
    found = [item for item in observe(PLUG, rules(), change(INSIDE)) if isinstance(item, Finding)]
    assert {(one.slug, one.path, one.line) for one in found} == {
        ("calls", "a.vue", 5),
        ("calls", "b.svelte", 2),
        ("calls", "f.vue", 7),
        ("calls", "c.html", 4),
        ("calls", "d.astro", 2),
        ("imports", "e.ipynb", 13),
    }
