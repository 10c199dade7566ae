"""Whether the rulebook and personal rules load and are current, where judges are asked, and who the owners are."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from rulec.compiling import artifacts
from rulec.domain.enforcement import is_shown, refuses
from rulec.errors import RulecError
from rulec.gates import personal_rules
from rulec.gates.findings.verdicts import facts_by_slug
from rulec.gates.judging import judge_standing
from rulec.hook.compiled_rules import CompiledRules
from rulec.infra import clock, install_source, text_files
from rulec.infra.rulebooks import personal_rulebook, rulebook_files
from rulec.integrations import code_owners
from rulec.integrations.ci_context import CI
from rulec.reports.wording import count_of
from rulec.rulebook import file_paths
from rulec.rulebook.rulebook import Rulebook
from rulec.services import rulebook_commit
from rulec.services.doctor.diagnosis import Diagnosis
from rulec.services.setup import merge_driver

SHOWN = 5  # of many names


def examine_rulebook(top: Path, book: Rulebook) -> Iterator[Diagnosis]:
    """Whether the compiled files are current, and what rules do; RulecError where a check cannot be built."""
    stale = [file.path for file in rulebook_commit.stale_files(top, book)]
    facts = facts_by_slug(artifacts.compile_checks(book, top))
    yield Diagnosis(f"{count_of(len(book.rules), 'rule')} can be read")
    if stale:
        yield Diagnosis(f"artifacts: {len(stale)} stale ({_some(stale)})", "run rulec compile", "compile")
    else:
        yield Diagnosis("artifacts are current")
    if CompiledRules(str(top)).differs():
        yield Diagnosis(
            "what the hooks keep of the compiled guards did not say what those say",
            "it was made anew; either an artifact was changed in place, or somebody wrote to .git",
        )
    checked = [rule for rule in book.rules if rule.checks]
    noting = [rule.slug for rule in checked if not is_shown(facts[rule.slug].enforcement)]
    if noting:
        yield Diagnosis(f"{len(noting)} only audit: too little evidence, or not proved ({_some(noting)})")
    yield from _judged(top, book)
    yield from examine_refinements(top, book)
    lenient = [rule.slug for rule in checked if not refuses(rule.on_error)]
    if lenient:
        where = "a check that breaks only warns; with on_error: block in its rule it refuses"
        yield Diagnosis(f"{where}: {_some(lenient)}")
    yield from examine_merge_driver(top, book)


def examine_merge_driver(top: Path, book: Rulebook) -> Iterator[Diagnosis]:
    """Whether git merges generated files through rulec in this clone."""
    if "git-attributes" in book.config.emitters:
        there = merge_driver.is_merge_driver_installed(top)
        yield Diagnosis(
            f"git's merge driver {'is' if there else 'is not'} set up", *([] if there else ["run rulec init", "init"])
        )


def examine_ci(_: Path, book: Rulebook) -> Iterator[Diagnosis]:
    """Whether others can install rulec."""
    if lacks := install_source.lacks_source(book.config):
        what, cure = lacks.split(": ", 1)
        needed = any(name in CI for name in book.config.emitters)
        yield Diagnosis(what, cure, "init" if cure == install_source.INIT else "") if needed else Diagnosis(what)


def examine_refinements(_: Path, book: Rulebook) -> Iterator[Diagnosis]:
    """The refinements whose rule does not hold, so that they only audit."""
    for rule in book.rules:
        if why := book.why_unheld(rule):
            yield Diagnosis(f"{rule.slug} {why}", f"rulec edit {rule.slug} changes what it refines, or rulec retire it")


def _judged(top: Path, book: Rulebook) -> Iterator[Diagnosis]:
    """How many rules a model judges, and where it is asked."""
    judged = [rule for rule in book.rules if judge_standing.has_judge(rule)]
    if judged:
        many = "1 rule is" if len(judged) == 1 else f"{len(judged)} rules are"
        yield Diagnosis(f"{many} judged by a model, {judge_standing.where_judges_are_asked(top, book)}")


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:SHOWN]) + ", …" * (len(names) > SHOWN)


def examine_owners(top: Path, book: Rulebook) -> Iterator[Diagnosis]:
    """Exceptions that have ended, and whether CODEOWNERS names the owners of the rules."""
    today = clock.now()[:10]
    if book.dated_exceptions:
        ended = [one.slug for one in book.dated_exceptions if one.ended(today)]
        told = f", {len(ended)} of them ended ({', '.join(dict.fromkeys(ended))})" if ended else ""
        yield Diagnosis(f"{count_of(len(book.dated_exceptions), 'exception')} until a day{told}: rulec except --list")
    if book.config.owners:
        yield _asked(top, book)


def _asked(top: Path, book: Rulebook) -> Diagnosis:
    """Whether CODEOWNERS asks the owners in the settings to approve changes of the rules."""
    texts = text_files.read_existing(top, code_owners.CODEOWNERS_PATHS)
    path = next((path for path in code_owners.CODEOWNERS_PATHS if path in texts), code_owners.CODEOWNERS_PATHS[0])
    named = code_owners.owners_of(texts.get(path, ""), file_paths.CONFIG)
    if set(named) == set(book.config.owners):
        return Diagnosis(f"{path} asks {', '.join(named)} about the rules")
    who = ", ".join(named) or "nobody"
    if "codeowners" in book.config.emitters:
        return Diagnosis(
            f"{path} asks {who} about the rules, not {', '.join(book.config.owners)}", "run rulec compile", "compile"
        )
    return Diagnosis(
        f"{path} asks {who} about the rules", f"add codeowners to emitters in {file_paths.CONFIG}, or the line by hand"
    )


def examine_personal_rules(top: Path, book: Rulebook) -> Iterator[Diagnosis]:
    """Whether the personal rulebook loads and is current; nothing where there is none."""
    try:
        here = personal_rulebook.personal_for(top)
        if here is None:
            return
        own = personal_rulebook.load_personal(here)
        stale = rulebook_commit.stale_files(here, rulebook_files.load_rulebook(here))
        personal_rules.load_personal_layer(top, book)
        lost = personal_rulebook.stored_precedence(top, here) or {}
    except RulecError as error:
        yield Diagnosis(f"your personal rules do not load: {error.message}", f"{error.where}: {error.hint}")
        return
    if stale:
        yield Diagnosis(f"personal artifacts: {len(stale)} stale", "run rulec --personal compile")
        return
    told = f", {len(lost)} of them overridden by the team's ({', '.join(sorted(lost))})" if lost else ""
    yield Diagnosis(f"{len(own.rules)} personal rules load{told}")
