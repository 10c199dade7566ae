"""A phrase -> what it must come before: commands, edits or the end of the turn."""

import re
from dataclasses import dataclass, field
from typing import Any

from rulec.fits._order_files import EDIT, particular, places, spoken_files
from rulec.fits._order_named import meant, named, reads_only
from rulec.fits._order_pair import Pair
from rulec.fits._order_tools import globs_of
from rulec.fits._patterns import Pattern
from rulec.language.terms import table
from rulec.model.rule import Example

# What people call an act -> the commands that do it.
ACTS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "reply",
        (r"\b(?:reply\w*|replies|respond\w*|answer\w*|comment(?:ing)?)\b.*\b(?:comments?|reviews?|prs?|issues?|"
        r"threads?)\b"),
        (
            "gh pr comment|review", "gh issue comment", "glab mr note", "glab issue note",
            "gh api repos/*|/repos/* -f|-F|--field|--raw-field|--input",
        ),
    ),
    (
        "pr",
        (r"\b(?:open|creat|rais|submit|mak|send|fil|request|put)\w*\b.{0,20}\b(?:prs?|pull[- ]requests?|mrs?|"
        r"merge requests?)\b"
        r"|^\W*(?:you |we |a |the |any |each |every )*(?:prs?|pull[- ]requests?|merge requests?)\W*$"),
        ("gh pr create", "glab mr create"),
    ),
    (
        "commit",
        (r"\bcommit(?:s|t?ed|t?ing|ten|te?st|tet|te)?\b(?! (?:message|hash|sha|id|log|history)s?\b)|提交|コミット|"
        r"\b(?:коммит)"),
        ("git commit",),
    ),
    ("push", r"\bpush(?:es|ed|ing|en|t|st|er)?\b|推送|プッシュ|\b(?:пуш)", ("git push",)),
    ("merge", r"\bmerg(?:e|es|ed|ing)\b|\bland(?:ing)?\b", ("git merge", "gh pr merge", "glab mr merge")),
    ("rebase", r"\brebas(?:e|es|ed|ing)\b", ("git rebase",)),
    (
        "deploy",
        r"\bdeploy\w*\b|\broll(?:ing)?[- ]?out\b|\bgo(?:ing)? live\b",
        (
            "make|just|task|npm|pnpm|yarn|bun deploy*", "npm|pnpm|yarn|bun|mise run deploy*", "kubectl apply|rollout",
            "helm upgrade|install", "terraform|tofu|terragrunt apply", "vercel --prod", "gcloud app|run deploy",
            "netlify|fly|flyctl|firebase|serverless|sls|cdk|cap|sam|copilot deploy",
            "wrangler deploy|publish", "deploy|deploy.sh",
        ),
    ),
    (
        "publish",
        r"\bpublish\w*\b|\breleas(?:e|es|ing)\b(?! (?:build|branch|note|version|mode|tag)s?)",
        (
            "npm|pnpm|yarn|bun|cargo|poetry|uv|hatch|flit publish", "twine upload", "gem push", "gh release create",
            "goreleaser release", "dotnet nuget push", "make|just|task release*|publish*",
        ),
    ),
    (
        "migrate",
        (r"\b(?:run|apply|execut)\w*\b.{0,20}\bmigrations?\b|\bmigrat(?:e|es|ing)\b"
        r"|\b(?:chang|modif|touch|alter)\w* (?:the |any |our |live |prod\w* )*(?:database|db)\b"
        r"|^\W*(?:any |a |the |each |every |db |database )*migrations?\b(?! (?:file|script|guide|folder))"),
        (
            "alembic upgrade|downgrade", "rails|rake db:migrate*", "prisma migrate|db", "knex migrate*",
            "python manage.py migrate", "flyway|dbmate|goose|atlas|diesel|sqlx migrate|up|migration",
            "php artisan migrate*", "mix ecto.migrate", "dotnet ef database",
            "make|just|task|npm|pnpm|yarn migrate*|db:migrate*",
            "npm|pnpm|yarn|bun run migrate*|db:migrate*|migration*", "liquibase update", "supabase db push",
        ),
    ),
    (
        "install",
        (r"\b(?:install|add)\w*\b.{0,20}\b(?:dependenc\w+|packages?|librar\w+|crates?|gems?|deps?|plugins?|any ?thing|"
        r"something|stuff|tools?)\b"
        r"|^\W*(?:any |a |the |new |more |other |further |extra |additional )+(?:dependenc\w+|packages?|librar\w+|"
        r"crates?|gems?|deps)\W*$"),
        (
            "npm|pnpm|bun install *", "yarn add *", "uv|poetry|pdm|pipenv add *", "cargo add *", "composer require *",
            "bundle add *", "dotnet add *", "go get *", "mix igniter.install *",
        ),
    ),
    (
        "branch",
        (r"\b(?:creat|mak|cut|start|open)\w* (?:a |an |any |the |new |feature |topic "
        r")*branch(?:es)?\W*$|^\W*branching(?: off)?\W*$"),
        ("git checkout -b|-B", "git switch -c|-C|--create", "git worktree add"),
    ),
    (
        "apply",
        r"^\W*(?:any |an? |the |each |every |terraform |tofu )*apply(?:ing)?\W*$",
        ("terraform|tofu|terragrunt apply",),
    ),
    ("stash", r"\bstash(?:es|ing)?\b", ("git stash",)),
    ("tag", r"\btag(?:ging)?\b", ("git tag -a|-m|-s",)),
)  # fmt: skip
_COMPILED = tuple((name, re.compile(words, re.IGNORECASE), commands) for name, words, commands in ACTS)
_STOP = re.compile(
    r"\b(?:say(?:ing)?|tell(?:ing)?|claim\w*|declar\w*|report\w*|announc\w*|mark\w*|call(?:ing)?|"
    r"consider\w*)\b.{0,60}\b"
    r"(?:done|finished|complete[d]?|ready|fixed|work(?:s|ing)|success\w*|good|pass(?:es|ing)?|closed)\b|"
    r"\b(?:you(?:'re| are)|being|it'?s|getting|i'm|im) (?:\w+ )?(?:done|finished|complete|ready)\b|"
    r"\b(?:hand|giv|pass|turn)(?:e|ing)? (?:it |this |things |the \w+ |anything |back )?(?:back|over|off|to me)\b|"
    r"\b(?:finish|end|stopp?|wrapp?|conclud|complet|report)(?:e|ing)?\b|\bwrap(?:ping)? up\b|\bshow(?:ing)? "
    r"(?:it )?(?:to )?me\b|"
    r"\bmov(?:e|ing) on\b|\bnext (?:task|step|feature|item|one|thing|ticket)\b|\btell(?:ing)? me\b|"
    r"\bask(?:ing)? me to (?:test|check|"
    r"look|review|try)|^\W*(?:done|finished|ready|fertig|terminé|listo|готово|the end)\b|\b(?:fertig|listo|"
    r"terminé|готово)\b|完成",
    re.IGNORECASE,
)
_STARTS = re.compile(r"\b(?:start|begin|jump|div|any ?thing|first)\w*\b", re.IGNORECASE)
_WORKING = re.compile(
    r"\b(?:work(?:ing)? with|us(?:e|ing)|run(?:ning)?|call(?:ing)?|invok(?:e|ing)|start(?:ing)?|touch(?:ing)?)"
    r" (?:the |a |an |any )?[`'\"]?(?P<name>[a-z][\w-]{2,})\b",
    re.IGNORECASE,
)
# The agent's last words, unless they ask something or say that the work is not done.
DONE = (
    r"^(?![\s\S]*(?:\?\s*$|\b(?:let|tell) me\b|\b(?:fails|failing|broken|blocked|stuck|unfinished|in progress)\b|"
    r"\bstill (?!work|pass)|"
    r"n[o']t (?:yet )?(?:compil|build|pass|work|done|finish|complet|ready)))"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Then:
    """What is judged: parameters of require-before, and a step that does it."""

    what: str  # commit, push, ..., command, stop, edit
    given: dict[str, Any] = field(default_factory=dict)
    step: Example


def acts_in(phrase: str) -> list[tuple[str, tuple[str, ...]]]:
    """The acts that the phrase calls by their usual names, with their commands."""
    found = [(name, commands) for name, words, commands in _COMPILED if words.search(phrase)]
    return found[:1] if found and found[0][0] == "reply" else found


def then_of(phrase: str, pair: Pair, first: str) -> Then | None:
    """What the phrase speaks of."""
    acts = (
        []
        if _STOP.search(phrase) and not re.search(r"\b(?:commit|push|merg|deploy)", phrase, re.IGNORECASE)
        else acts_in(phrase)
    )
    if acts:
        return after_commands(acts[0][0], [command for _, commands in acts for command in commands])
    if spelled := named(phrase):
        return after_commands("command", spelled)
    if _STOP.search(phrase) and first not in ("read", "write-tests", "branch", "note"):
        return the_end()
    if first == "read" and (tool := _tool(phrase, pair)):
        return after_commands("command", [tool])
    if found := spoken_files(phrase, pair) if first == "read" else places(phrase):
        return before_edits(found)
    if first == "read" and particular(phrase):
        return None
    if pattern := meant(phrase, pair.ran):
        return after_commands("command", [pattern])
    if not EDIT.search(phrase):
        return None
    return before_edits(globs_of(()) if first == "branch" and _CODE.search(phrase) else ["**"])


_CODE = re.compile(r"\b(?:code|coding|source|implement\w*)\b", re.IGNORECASE)


def after_commands(what: str, commands: list[str]) -> Then:
    """Before these commands."""
    sample = Pattern((commands[0],)).sample
    sample += {"commit": " -m 'Save the step'", "install": " left-pad"}.get(what, "")
    return Then(what=what, given={"before_commands": commands}, step=Example(kind="command", text=sample.strip()))


def the_end() -> Then:
    """Before the agent says that it is done."""
    given = {"before_stop": True, "said": DONE}
    return Then(what="stop", given=given, step=Example(kind="stop", text="It is done."))


def before_edits(globs: list[str]) -> Then:
    """Before files of these are changed or made."""
    return Then(what="edit", given={"before_edits": globs}, step=Example(kind="edit", path="", text="y\n", old="x\n"))


def _tool(phrase: str, pair: Pair) -> str:
    """The program that the phrase speaks of using: one that was run, or one that the rest of it names."""
    said = {word.lower() for word in re.findall(r"[\w.-]+", phrase)} - _NO_TOOL
    used = (call for call in pair.ran if call.program.lower() in said and not reads_only(call))
    return next((call.program for call in used), "")


_NO_TOOL = table("git the a code test file bash sh python node make go")


def spoken_tool(phrase: str, guide: str) -> str:
    """A tool by the name of which the guide is called: "working with acme" and ACME_GUIDE.md."""
    parts = {part.lower() for part in re.split(r"[\W_]+", guide)}
    found = _WORKING.search(phrase)
    name = found["name"].lower() if found else ""
    return name if name in parts and name not in _NO_TOOL else ""
