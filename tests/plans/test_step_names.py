"""The files that a step names."""

from rulec.plans.texts.step_names import paths_named

TABLE = [
    ("Add src/config/loader.ts and its test (tests/loader.test.ts).", ["src/config/loader.ts", "tests/loader.test.ts"]),
    ("Change `src/a.py:12-30` and `tests/test_a.py::test_it`", ["src/a.py", "tests/test_a.py"]),
    ("Read README.md, Makefile and `pyproject.toml`", ["README.md", "Makefile", "pyproject.toml"]),
    ("Move all of `src/old/**` below `src/new/`", ["src/old/**", "src/new/"]),
    ("Fix app/(group)/ideas/[id]/page.tsx", ["app/(group)/ideas/[id]/page.tsx"]),
    ("Set `.env.local`, .gitignore and `.goreleaser.yaml`", [".env.local", ".gitignore", ".goreleaser.yaml"]),
    ("See [the guide](docs/guide.md) and https://example.com/a/b.md", ["docs/guide.md"]),
    ("Update ./scripts/run.sh and /drizzle/migrations/*", ["scripts/run.sh", "drizzle/migrations/*"]),
    ("Write docs/ and `docs`", ["docs/"]),
    ("Call `errors.As`, os.Exit(1) and `cfg.edit`; create/edit/delete it and/or not, e.g. in v1.2.3", []),
    ("Add `@upstash/ratelimit` from github.com/upstash/ratelimit", []),
    ("Run `pytest -q tests/unit` and `npm run build`", []),
    ("Support .md and .py files", []),
    ("Read ../secret.txt and ~/notes.md or `/api/ideas`", []),
    ("x" * 5_000 + ".py", []),
]  # fmt: skip


def test_paths_are_those_that_a_person_sees() -> None:
    wrong = [(text[:80], found) for text, paths in TABLE if (found := paths_named(text)) != paths]
    assert not wrong
