"""Where files may be, and which are left alone: wordings and pairs that make a check, and look-alikes."""

import pytest

from rulec.fits import paths, placement, records
from rulec.language import clauses
from rulec.model.candidate import Draft
from rulec.model.transcript import Action
from rulec.runtime import globs

FITS = (records.PLUG, placement.PLUG, paths.PLUG)


def _said(text: str, before: tuple[Action, ...] = (), after: tuple[Action, ...] = ()) -> list[Draft]:
    return [draft for clause in clauses(text) for fit in FITS for draft in fit.fit(clause, before, after)]


def _first(text: str) -> tuple[str, dict[str, object]]:
    check = _said(text)[0].checks[0]
    return check.template, dict(check.parameters)


def _write(path: str, text: str = "x\n") -> Action:
    return Action(kind="write", path=path, new=text)


LEFT_ALONE = [
    ("don't touch /srv/shared/app", "/srv/shared/app/"),
    ("never work on things in the clone /home/ann/src/shop", "~/src/shop/"),
    ("/Users/ann/src/shop has a release running in it, so hands off there", "~/src/shop/"),
    ("hands off ~/work/other", "~/work/other/"),
    ("never commit in /srv/shared/app", "/srv/shared/app/"),
    ("leave /srv/shared/app alone", "/srv/shared/app/"),
    ("stay out of ~/work/other", "~/work/other/"),
    ("/srv/shared/app is off limits", "/srv/shared/app/"),
]


@pytest.mark.parametrize(("said", "glob"), LEFT_ALONE)
def test_a_folder_outside_of_the_repository_is_left_alone(said: str, glob: str) -> None:
    assert _first(said) == ("protect-path", {"globs": [glob]})


RECORDS = [
    (
        "write plans on the trello card, not into files",
        ["docs/plans/a.md", "PLAN.md", "docs/2026-login-plan.md"],
        ["planet.md", "src/plan.go"],
    ),
    ("The rollout plan belongs in the ticket, never in the repo", ["plan.md"], ["docs/usage.md"]),
    ("keep plans in notion, not in the repo", ["docs/plans/x.md"], ["docs/planning-poker.md"]),
    (
        "our working papers live in confluence",
        ["NOTES.md", "docs/ABC-1-findings.md"],
        ["docs/cli.md"],
    ),
    ("notes go into the wiki, never into files", ["notes/a.md", "my_notes.md"], ["release-notes-template.md"]),
    (
        "post findings in the jira ticket, don't write files",
        ["FINDINGS.md"],
        ["src/findings.py"],
    ),
    ("manage todos with beads, no files for them", ["TODO.md", "docs/todo-login.md"], ["docs/done.md"]),
    ("roadmap goes in github discussions, no markdown", ["ROADMAP.md"], ["README.md"]),
    (
        "post summaries in the PR description, don't write summary files",
        ["docs/IMPLEMENTATION_SUMMARY.md"],
        ["docs/sum.md"],
    ),
]


@pytest.mark.parametrize(("said", "caught", "free"), RECORDS)
def test_what_belongs_in_a_tracker_is_no_file(said: str, caught: list[str], free: list[str]) -> None:
    template, given = _first(said)
    assert template == "forbid-path"
    assert [path for path in caught if not globs.match(given["globs"], path)] == []
    assert [path for path in free if globs.match(given["globs"], path) and not globs.match(given["except"], path)] == []


def test_lists_of_tasks_in_other_files_are_seen_too() -> None:
    (draft,) = _said("keep todos in youtrack, never in markdown")
    assert [check.template for check in draft.checks] == ["forbid-path", "forbid-path", "forbid-phrase"]


PLACED = [
    ("tests go in tests/", "tests/**", "{test_*,*_test}.py"),
    ("put new markdown files into docs/", "docs/**", "*.md"),
    (
        "scratch files go to .scratch/, it's gitignored",
        ".scratch/**",
        "{,*[-_]}{tmp,temp,scratch,debug,throwaway,oneoff}{,[0-9],[-_]*}.*",
    ),
    ("shell scripts belong in scripts/", "scripts/**", "*.{sh,bash}"),
    ("migrations live in db/migrations/", "db/migrations/**", "*.sql"),
    ("notebooks are kept in notebooks/", "notebooks/**", "*.ipynb"),
]


@pytest.mark.parametrize(("said", "inside", "file"), PLACED)
def test_files_of_a_kind_belong_in_their_folder(said: str, inside: str, file: str) -> None:
    template, given = _first(said)
    assert template == "place-files"
    assert inside in given["inside"]
    assert file in given["files"]


@pytest.mark.parametrize(
    "said",
    [
        "only touch files in analysis/",
        "stay inside analysis/",
        "you work only in analysis/",
        "never edit anything outside analysis/",
    ],
)
def test_an_agent_stays_in_its_folder(said: str) -> None:
    assert _first(said) == ("only-within", {"folders": ["analysis/**"]})


IGNORED = [
    ("stop git-ignoring the .vscode folder", ".vscode"),
    (".vscode/ may not be git-ignored as a whole: never ignore its launch.json", ".vscode"),
    ("never add dist/ to .gitignore", "dist"),
    ("vendor/ must not be git-ignored", "vendor"),
]


@pytest.mark.parametrize(("said", "entry"), IGNORED)
def test_what_git_must_not_ignore_is_no_line_of_its_own(said: str, entry: str) -> None:
    template, given = _first(said)
    assert template == "forbid-text"
    assert entry in given["patterns"][0].replace("\\", "")
    assert ".gitignore" in given["globs"]


@pytest.mark.parametrize(
    "said",
    [
        "don't create new versions of the same file",
        "no foo_v2.go next to foo.go",
        "stop making copies of existing files",
    ],
)
def test_second_versions_of_a_file_are_one_kind(said: str) -> None:
    (draft,) = [draft for draft in _said(said) if len(draft.checks[0].parameters["globs"][0]) > len("foo_v2.go")]
    assert globs.match(draft.checks[0].parameters["globs"], "src/app_new.py")
    assert not globs.match(draft.checks[0].parameters["globs"], "src/renew.py")


NAMED = [
    ("don't touch gen/", "protect-path", ["gen/**"]),
    ("never edit package-lock.json", "protect-path", ["package-lock.json"]),
    ("no web/src/misc.ts file please", "forbid-path", ["web/src/misc.ts"]),
    ("never commit the notes/interviews folder", "forbid-path", ["notes/interviews"]),
    ("don't commit .env", "forbid-path", [".env"]),
    (
        "never add modules like string_helpers.py or date_helpers.py",
        "forbid-path",
        ["string_helpers.py", "date_helpers.py", "*_helpers.py"],
    ),
]


@pytest.mark.parametrize(("said", "template", "named"), NAMED)
def test_a_path_that_is_named_is_taken_as_it_stands(said: str, template: str, named: list[str]) -> None:
    assert _first(said) == (template, {"globs": named})


LOOK_ALIKES = [
    "do we use trello for plans?",
    "read the plan in the ticket first",
    "what did the trello card say about plans?",
    "plan the work before you start",
    "look at the notes in the wiki",
    "put a comment on the issue",
    "use jira",
    "summarize the ticket",
    "the plan is fine, go on",
    "add a todo app to the examples",
    "copy /etc/hosts to the container",
    "the logs are in /var/log/app",
    "don't write so much about /usr/local/bin",
    "run it from /srv/shared/app",
    "don't forget to copy /srv/shared/app/config.toml",
    "tests should run in ci/",
    "only touch src/ for now",
    "the tests in tests/ are slow",
    "git ignores the folder dist",
    "add dist/ to .gitignore",
    "is node_modules in .gitignore?",
    "create a new version of the page",
    "release a new version of the file format",
    "make a copy of the array",
    "keep the function in utils/",
]


@pytest.mark.parametrize("said", LOOK_ALIKES)
def test_what_only_sounds_like_it_makes_no_check(said: str) -> None:
    assert [(draft.checks[0].template, dict(draft.checks[0].parameters)) for draft in _said(said)] == []


PLAN = _write("docs/plans/2026-login.md", "# Login: plan\n")
TOLD = Action(kind="command", command="gh issue comment 7 --body 'Plan: 1. form'")


def test_a_pair_shows_which_file_was_meant() -> None:
    (draft,) = _said("plans go on the github issue", (PLAN,), (TOLD,))
    assert draft.invalid[0].path == PLAN.path


def test_no_draft_where_the_accepted_work_is_such_a_file() -> None:
    assert _said("plans go on the github issue", (PLAN,), (_write("docs/plans/other.md"),)) == []


def test_an_entry_of_gitignore_is_told_from_what_lies_below_it() -> None:
    before = _write(".gitignore", "node_modules/\n.vscode/\n")
    (draft,) = _said(
        "never git-ignore all of the vscode folder",
        (before,),
        (_write(".gitignore", ".vscode/cache/\n"),),
    )
    assert draft.checks[0].parameters["patterns"] == [r"^\s*/?(?:\*\*/)?\.vscode(?:/|/\*{1,2})?\s*$"]


def test_a_command_in_the_other_checkout_is_the_offence() -> None:
    said = "that is my checkout /home/ann/dev/app, don't touch it"
    inside = Action(kind="command", command="git -C /home/ann/dev/app checkout main")
    looked = Action(kind="command", command="git -C /home/ann/dev/app log")
    (clause,) = clauses(said)
    (draft,) = placement.PLUG.fit(clause, (inside,), ())
    assert draft.invalid[0].text == inside.command
    assert list(placement.PLUG.fit(clause, (looked,), ())) == []


def test_a_folder_of_documents_that_is_not_to_be_committed_is_found_by_its_name() -> None:
    before = (
        _write("notes/interviews/a.md"),
        Action(kind="command", command="git add -A && git commit -m 'Note'"),
    )
    drafts = _said("please don't commit these note/interview files", before, ())
    assert drafts[0].checks[0].parameters == {"globs": ["notes/interviews/"]}


NAMED = [
    ("Do not touch the thirdparty directory.", ["thirdparty/a.c"], ["src/thirdparty.c"]),
    ("Never edit the generated files in web/made.", ["web/made/a.ts"], ["web/a.ts"]),
    ("Leave the settings folder alone.", ["settings/a.ini"], ["src/settings.py"]),
    ("Do not change the Makefile.", ["Makefile"], ["src/makefile.py"]),
    ("Do not touch .gitlab/issue_templates.", [".gitlab/issue_templates/a.md"], [".gitlab/ci.yml"]),
    ("Do not edit *.pb.go files by hand.", ["gen/a.pb.go"], ["gen/a.go"]),
    ("Do not change existing migrations; add a new one.", ["db/migrations/1.sql"], ["db/seed.sql"]),
    ("Do not commit files in samples/.", ["samples/a.csv"], ["src/samples.py"]),
    ("Never commit build artifacts.", ["dist/a.js", "web/build/a.js"], ["src/build.py"]),
    ("Do not create .js files in web; they must be TypeScript", ["web/a.js"], ["web/a.ts", "tools/a.js"]),
    ("Do not add files to src/old; it is frozen.", ["src/old/a.py"], ["src/new/a.py"]),
    ("No report files such as TEST_REPORT.md", ["TEST_REPORT.md", "LOGIN_REPORT.md"], ["docs/reports.md"]),
    ("No progress documents.", ["PROGRESS.md", "docs/progress-may.md"], ["docs/usage.md"]),
    ("Never commit .env files.", [".env", "web/.env.local"], [".env.example", "src/env.py"]),
    ("No barrel files.", ["src/index.ts"], ["src/main.ts"]),
    ("Write scripts in Python, not bash.", ["tools/a.sh"], ["tools/a.py"]),
    ("Do not write scripts into the repository root.", ["check.py", "run.sh"], ["tools/check.py", "setup.py"]),
    ("Do not create files in the repository root.", ["notes.txt"], ["src/notes.txt", ".editorconfig", "README.md"]),
]


@pytest.mark.parametrize(("said", "within", "without"), NAMED)
def test_what_files_are_called_by_is_found_without_a_path(said: str, within: list[str], without: list[str]) -> None:
    given = _first(said)[1]
    assert all(globs.match(given["globs"], path) for path in within)
    free = given.get("except", [])
    assert not [path for path in without if globs.match(given["globs"], path) and not globs.match(free, path)]


def test_what_stands_already_is_kept_and_new_files_may_come() -> None:
    assert _first("Never modify files under steps/ that already exist.")[1]["how"] == ["change", "delete"]


@pytest.mark.parametrize(
    ("said", "folder"),
    [
        ("Work only in packages/web.", "packages/web/**"),
        ("Do not change files outside of the frontend folder.", "frontend/**"),
        ("All shell scripts live in tools/.", "tools/**"),
        ("New SQL migrations go into db/steps.", "db/steps/**"),
    ],
)
def test_a_folder_at_the_end_of_a_sentence_is_read(said: str, folder: str) -> None:
    template, given = _first(said)
    assert given["folders" if template == "only-within" else "inside"][0] == folder


@pytest.mark.parametrize(
    "said", ["Do not change files outside of web/.", "Do not create new things.", "no new folders"]
)
def test_nothing_is_guarded_that_was_not_named(said: str) -> None:
    assert [draft for draft in _said(said) if draft.checks[0].template in ("protect-path", "forbid-path")] == []
