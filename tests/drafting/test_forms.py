"""Sentences and what they say of a template; whatever a form does not explain whole is no draft."""

from time import process_time

from rulec.checks.template_library import open_library
from rulec.domain.files.globs import match
from rulec.drafting.candidates import typed_candidate, typed_candidates
from tests.support.drafting import drafter

SAID = [  # sentence, template, some of its parameters
    ("Use pnpm, never npm", "prefer-command", {"from": ["npm"], "to": "pnpm"}),
    ("**DO NOT use `yarn`**", "forbid-command", {"commands": ["yarn"]}),
    ("Always use `uv add` instead of `pip install`.", "prefer-command", {"from": ["pip install"], "to": "uv add"}),
    ("Use `uv run pytest`, not bare `pytest`.", "require-prefix", {"commands": ["pytest"], "prefixes": ["uv run"]}),
    ("We use vitest, not jest.", "prefer-command", {"from": ["jest"], "to": "vitest"}),
    ("Don't use pip, just uv.", "prefer-command", {"from": ["pip"], "to": "uv"}),
    ("Never use npm here, always pnpm.", "prefer-command", {"from": ["npm"], "to": "pnpm"}),
    ("Never use git merge, git rebase please.", "prefer-command", {"from": ["git merge"], "to": "git rebase"}),
    ("Don't make changes to vendor/", "protect-path", {"globs": ["vendor/"]}),
    ("Never run npm, yarn, or bun.", "forbid-command", {"commands": ["npm", "yarn", "bun"]}),
    ("Never force-push.", "forbid-command", {"commands": ["git push --force|-f"]}),
    ("- Don't edit files in gen/", "protect-path", {"globs": ["gen/"]}),
    ("Files in src/generated/ are generated; never edit them by hand.", "protect-path", {"globs": ["src/generated/"]}),
    ("Never delete migrations/*.sql.", "protect-path", {"globs": ["migrations/*.sql"], "how": ["delete"]}),
    ("Run `make lint` before committing", "require-before", {"first_commands": ["make lint"]}),
    ("After editing anything in proto/, run `make proto`.", "require-before", {"since": ["proto/"]}),
    ("Never use `any`", "forbid-annotation", {"types": ["any"], "language": "typescript"}),
    ("Commit messages follow Conventional Commits", "commit-message", {"style": "conventional"}),
    ("No Co-Authored-By trailers in commits", "commit-message", {"forbid_trailers": ["Co-Authored-By"]}),
    ("Never push to main", "forbid-push-to", {"branches": ["main"]}),
    ("Never call `os.system`.", "forbid-call", {"functions": ["os.system"], "language": "python"}),
    ("Use `httpx` instead of `requests`.", "prefer-import", {"from": ["requests"], "to": "httpx"}),
    ("Use dayjs instead of moment.", "prefer-import", {"from": ["moment"], "to": "dayjs"}),
    ("Keep functions under 50 lines", "max-function-lines", {"lines": 50}),
    ("Never commit `.env`", "forbid-path", {"globs": [".env"]}),
    ("Never commit .env files", "forbid-path", {"globs": [".env", ".env.*", "*.env"]}),
    ("Never commit *.pem files", "forbid-path", {"globs": ["*.pem"]}),
    ("Never commit .pem files", "forbid-path", {"globs": ["*.pem"]}),
    ("Generated files in `src/gen/` must not be edited.", "protect-path", {"globs": ["src/gen/"]}),
    ("Before pushing, `npm test` has to pass.", "require-before", {"before_commands": ["git push"]}),
    ("en.json and fr.json are always updated together.", "require-companion", {"when": ["en.json", "fr.json"]}),
    ("Run `php` only through `docker compose exec app`.", "require-prefix", {"commands": ["php"]}),
    ("Never use `any`, use `unknown` instead.", "forbid-annotation", {"types": ["any"]}),
    ("No default exports.", "forbid-shape", {"shape": "default-export", "language": "javascript"}),
    ("No TODO comments", "forbid-comment", {"patterns": [r"\bTODO\b"]}),
    ("When you change package.json, also update CHANGELOG.md", "require-companion", {"needs": ["CHANGELOG.md"]}),
    ("Add a changelog entry when you change src/", "require-companion", {"when": ["src/"]}),
    ("Never add the is-odd package.", "forbid-dependency", {"names": ["is-odd"]}),
    ("Don't add new dependencies.", "forbid-dependency", {"names": ["*"]}),
    ("Use snake_case for functions.", "name-pattern", {"style": "snake_case", "what": "function"}),
    ("Never use `@ts-ignore`.", "forbid-text", {"patterns": [r"@ts\-ignore\b"]}),
    ("Never run `git commit` without asking me.", "ask-before", {"commands": ["git commit"]}),
    ("Sign off all commits.", "require-flag", {"commands": ["git commit"]}),
]

SPARED = [  # sentence, an example that what it spares must pass
    ("Never call `datetime.now()` elsewhere than in `app/clock.py`.", "app/clock.py"),
    ("Never use print() (except in scripts/ and tests).", "scripts/sample.py"),
    ("Never call `print` in `src/` except `src/cli.py`.", "src/cli.py"),
    ("Keep functions under 50 lines, except in tests.", "tests/sample.py"),
    ("Never import lodash, except lodash/get.", 'import thing from "lodash/get";\n'),
    ("Never run `npm` except `npm publish`.", "npm publish"),
    ("Use pnpm, not npm, except in legacy/.", "cd legacy/ && npm"),
    ("Never use `rm -rf` outside of /tmp.", "rm -rf /tmp"),
    ("Never edit files in gen/ except gen/README.md.", "gen/README.md"),
    ("Never add files to `docs/` except `*.md`.", "docs/sample.md"),
    ("Don't put `.sql` files anywhere but `db/queries/`.", "db/queries/sample.sql"),
    ("Never commit .env files.", ".env.example"),
]

UNSAID = [  # no template says this whole: limits, conditions, purposes, and what no parameter stands for
    "Never push to main unless I say so.",
    "Use npm only for publishing.",
    "Never use npm in the web app.",
    "Never write '# type: ignore' without an error code.",
    "Do not go beyond the task.",  # a verb that is a program's name, too
    "Never kill a good idea early.",
    "Do not mix refactoring and behaviour in one change.",
    "Never use npm, sometimes it helps.",
    "Write short sentences.",
    "Prefer composition over inheritance.",
    "Use 4 spaces for indentation.",
    "Keep the dashboard consistent with the other pages.",
    "Follow the SOLID principles and keep the architecture clean.",
    "Avoid em dashes \u2014 they read like a machine wrote them \u2014 in prose for users.",
    "Respond to each review comment.",
    "Explain every shortcut.",
    "Use workers for implementation.",
    "Discuss a fix with the user before implementing it.",
    "Reuse existing functionality instead of duplicating code.",
    "Do not restart ngrok.",
    "Return early rather than nesting conditions.",
    "Never trust user input.",
    "At most 3 retries for each request.",
    "Use dates in ISO 8601.",
    "Cache everything for 24 hours.",
    "Never use tabs or spaces inconsistently.",
    "Use the factory instead of the constructor.",
    "Handlers must not call the database.",
    "Prefer early returns.",
    "Name things after what they do.",
    "Tests live next to the code they test.",
    "All money is in cents.",
    "Never log personal data.",
    "Do not use `print` for logging.",
    "Never use print(), it is fine in scripts/.",  # an exception in what looks like a reason
    "Never use print(), use the logger in src/.",
    "Never amend commits that were pushed.",
    "Never force push to main.",  # a plain push is allowed
    "Never call `fetch` directly.",  # what may call it is not said
    "Integration tests are run with `make it`, not `pytest`.",
    "Use httpx instead of requests when writing async code.",
    "Use `logging` rather than `print`.",  # a module in the place of a function
    "Never write to /tmp outside of tests.",
    "`unwrap()` is only allowed in tests.",  # which Rust keeps beside the code
    "Never commit directly to main, except for docs.",
    "Run `make test` before committing, except for docs-only changes.",
    "Only run `terraform apply` in staging.",
    "Never use `--no-verify`, except for WIP commits.",
    "Never import `app.internal` from `app.api`.",
]

BOUNDED = [  # another sentence, or the words before it, bound what the first one says
    "No `any`. Use `unknown` and narrow it. Tests and `*.d.ts` files are excepted.",
    "Do not run `npm ci` here; `npm publish` from `packages/cli` is fine.",
    "`process.env` is only read in `src/config.ts`; everything else imports `config` (outside of `scripts/`).",
    "Secrets never enter the repo: no `.env` or `*.key` is committed. `.env.example` is the exception.",
    "Commit messages carry no AI attribution: no `Made-By: robot` line.",
    "No `SELECT *` in `queries/*.sql`: list the columns. `COUNT(*)` is OK.",
]

HALVES = [  # the second half is checked by a rule of its own, or listed as what nothing checks
    ("No print() in src/, use the logger", "use the logger"),
    ("Use pnpm, never npm, and tell me what changed", "tell me what changed"),
    ("Never push to main and write the changelog in German", "write the changelog in German"),
    ("Never use yarn, it is slow and `corepack` breaks", "corepack"),
    ("Don't edit files in gen/ and explain the template you changed", "explain the template you changed"),
]


def test_what_a_form_says_has_its_template_and_parameters() -> None:
    wrong = []
    for text, template, given in SAID:
        drafts = typed_candidate(text, drafter()).drafts
        check = drafts[0].checks[0] if drafts else None
        if not check or check.template != template or not given.items() <= dict(check.parameters).items():
            wrong.append((text, check))
    assert not wrong


def test_what_a_sentence_spares_passes_by_an_example() -> None:
    wrong = []
    for text, spared in SPARED:
        drafts = typed_candidate(text, drafter()).drafts
        passes = [one.path or one.text for draft in drafts[:1] for one in draft.valid]
        wrong += [(text, passes)] if spared not in (*passes, *(e.text for d in drafts[:1] for e in d.valid)) else []
    assert not wrong


def test_no_example_of_an_offence_lies_in_what_the_check_spares() -> None:
    drafts = [draft for text, *_ in (*SAID, *SPARED) for draft in typed_candidate(text, drafter()).drafts]
    spared = [(list(draft.scope.exclude), draft) for draft in drafts]
    spared += [(list(given), draft) for draft in drafts if (given := draft.checks[0].parameters.get("except"))]
    assert not [draft for places, draft in spared for one in draft.invalid if one.path and match(places, one.path)]


def test_what_no_form_explains_whole_has_no_check_and_names_what_comes_near() -> None:
    made = [typed_candidate(text, drafter()) for text in UNSAID]
    assert not [(one.rule.statement, one.drafts[0].checks) for one in made if one.drafts]
    assert sum(bool(one.near) for one in made) > len(made) // 2


def test_a_second_half_is_listed_where_nothing_checks_it() -> None:
    wrong = []
    for text, other in HALVES:
        (one,) = typed_candidates(text, drafter())
        listed = one.drafts[0].not_checked if one.drafts else ()
        if not any(other in entry for entry in listed):
            wrong.append((text, one.drafts and one.drafts[0]))
    assert not wrong


def test_every_draft_has_parameters_that_its_template_takes_and_a_source_for_each_example() -> None:
    shelf = open_library()
    for text, _, _ in SAID:
        for draft in typed_candidate(text, drafter()).drafts:
            for check in draft.checks:
                shelf.parameters(check)  # refuses what may hang
            assert all(example.source in ("statement", "template") for example in (*draft.invalid, *draft.valid)), text


def test_a_text_of_several_sentences_is_several_wishes() -> None:
    found = typed_candidates("Use pnpm, never npm. Never push to main.", drafter())
    assert [one.drafts[0].checks[0].template for one in found] == ["prefer-command", "forbid-push-to"]
    (one,) = typed_candidates("Use pnpm. Never use npm.", drafter())
    assert one.drafts[0].checks[0].template == "prefer-command"


def test_a_place_behind_the_second_half_bounds_the_first_as_well() -> None:
    wide = ["No `print()` and no stdlib `logging` in `app/`.", "Never use `eval()` and never build names in src/api/."]
    assert [text for text in wide if typed_candidate(text, drafter()).drafts] == []


def test_a_long_sentence_that_is_no_form_is_left_at_once() -> None:
    """A repetition within a repetition would take as long as there are ways to part the words."""
    started = process_time()
    for text in (
        "before touching a thing ",
        "never run npm except foo ",
        "only use this and that ",
        "use a, b and c in tests ",
    ):
        drafter().of_words(text * 20)
    assert process_time() - started < 2


def test_a_sentence_that_bounds_another_leaves_it_without_a_check() -> None:
    checked = [text for text in BOUNDED if any(one.drafts for one in typed_candidates(text, drafter()))]
    assert checked == []
