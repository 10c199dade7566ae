"""Commands about agents' plans: plan, level, watch, run, prove, accept-risk."""

from dataclasses import replace
from typing import TYPE_CHECKING

import click

from rulec.cli.group import PLANS, finish, work_tree
from rulec.cli.options import BACKEND, BECAUSE, FORMAT, ONTO, SLUG
from rulec.domain.enforcement import PINNED_LEVELS
from rulec.errors import RulecError
from rulec.terminal import is_attended, show_screens, shows_screens

if TYPE_CHECKING:
    from rulec.services.rulebook_commit import ChangeTarget


@PLANS.add
@click.group(invoke_without_command=True)
@click.pass_context
def plan(context: click.Context) -> None:
    """Show agents' plans: their steps, and the rules of each."""
    if context.invoked_subcommand is None:
        from rulec.services.steps.plan import show_plans

        finish(show_plans(work_tree()))


@plan.command("show")
@click.option("--session", default="", metavar="ID", help="Only the plan of the session whose id begins so.")
@FORMAT
def show_plan(*, session: str, form: str) -> None:
    """Show the plans that are open in this work tree.

    It lists the steps, the rules of each with their level, and how each rule is proved or what is missing.
    """
    from rulec.services.steps.plan import show_plans

    finish(show_plans(work_tree(), session), form)


@plan.command("save")
@click.argument("file", default="-")
def save(*, file: str) -> None:
    """Write the open plan as a Markdown task list, to FILE or to standard output.

    It is for people to read, such as in a pull request; nothing in it proves anything.
    """
    from rulec.services.steps import save_plan as saving

    finish(saving.save_plan(work_tree(), "" if file == "-" else file))


@plan.command("enrich")
@click.argument("file")
@click.option("--agent", default="", metavar="NAME", help="Who carries the plan out; leaves out rules for others.")
@BACKEND
def enrich(*, file: str, agent: str, backend: str) -> None:
    """Write into a plan which rules each of its steps has to heed.

    FILE is a plan, a task list, the tasks.md of spec-kit or JSON that lists steps. It is changed in place and keeps its
    form; with - the plan is read from standard input and written to standard output. A configured model is asked which
    rules belong to which step; without one, rulec goes by paths, words and kinds of work.
    """
    import sys
    from pathlib import Path

    from rulec.services.steps import enrich as enriching
    from rulec.terminal import complain, hand_on, progress_bar

    request = enriching.EnrichRequest(agent=agent, backend=backend, progress=progress_bar)
    if file != "-":
        finish(enriching.enrich_file(work_tree(), Path(file), request, complain))
        return
    text = enriching.decode_plan(sys.stdin.buffer.read(enriching.LARGEST + 1), "standard input")
    hand_on(enriching.enrich_plan(work_tree(), replace(request, text=text), complain).text)


@PLANS.verb(
    "rulec level use-pnpm strict           # at the steps of all plans: one commit",
    "rulec level use-pnpm remind --step 3  # at one step of an open plan, here alone",
)
@SLUG
@click.argument("level", type=click.Choice(PINNED_LEVELS))
@click.option("--step", default="", metavar="STEP", help="Only at this step: its number or id in rulec plan.")
@BECAUSE
@ONTO
def level(*, slug: str, level: str, step: str, because: str, onto: "ChangeTarget") -> None:
    """Set what proof a step of a plan needs that a rule was kept.

    remind: none. strict: its check, a test, a person's word or a judge's quote. testable: a test. auto: strict for
    rules that must be kept, else remind. A person runs it, at a terminal.
    """
    from rulec.services.steps.level import set_level, set_level_at_step

    _require_person("rulec level")
    if step and (onto.branch or not onto.commit):
        raise RulecError(
            "--step changes no file, so there is nothing to commit", hint="leave out --branch, --no-commit"
        )
    if step:
        return finish(set_level_at_step(work_tree(), slug, level, step, because=because))
    return finish(set_level(work_tree(), slug, level, onto, because=because))


def _require_person(verb: str) -> None:
    """Refuse where nobody is at the terminal."""
    if not is_attended():
        raise RulecError("standard input is no terminal", hint=f"a person has to run {verb} at a terminal")


@PLANS.verb(
    "rulec watch                           # until Ctrl-C",
    "rulec watch --once --format json",
)
@click.option("--once", is_flag=True, help="Show it once, as where standard output is no terminal.")
@FORMAT
def watch(*, once: bool, form: str) -> None:
    """Watch the agents that work by a plan here.

    It shows the current step, the rules that are proved or not, and what may need a look: steps that were passed over
    or make no progress, edits outside of a step's files, corrections that you made in the session, and refused calls.
    """
    from rulec.infra import clock
    from rulec.services.steps.watch import watch_changes, watch_once

    if once or form == "json" or not shows_screens():
        return finish(watch_once(work_tree()), form)
    return show_screens(outcome.text for outcome in watch_changes(work_tree(), clock.pause))


@PLANS.verb(
    "rulec run unit                        # the whole suite, as tests: in .rules/config.yaml says",
    "rulec run unit tests/test_a.py::test_b",
)
@click.argument("suite")
@click.argument("nodes", nargs=-1)
@FORMAT
def run(*, suite: str, nodes: tuple[str, ...], form: str) -> None:
    """Run a suite of tests, and record what came of it.

    It runs what HEAD's settings say, with a clean environment, and exits with 1 where it is red or no test ran.
    """
    from rulec.services.steps.run import run_and_record
    from rulec.terminal import complain

    finish(run_and_record(work_tree(), suite, nodes, complain), form)


@PLANS.verb(
    "rulec prove 3 keep-the-limit                    # what is there, and what would prove it",
    "rulec prove 3 keep-the-limit --test unit::tests/test_limit.py::test_it_holds",
    'rulec prove 3 ask-before-packages --said "yes, add date-fns"',
    'rulec prove 3 keep-the-limit --cite src/limit.py:10-14 --note "checked here"',
)
@click.argument("step")
@SLUG
@click.option("--test", "tests", multiple=True, metavar="SUITE::TEST", help="A test that proves it (repeatable).")
@click.option("--said", default="", metavar="QUOTE", help="Words of the person in this session that allow it.")
@click.option("--judge", is_flag=True, help="Ask the configured model.")
@click.option("--cite", default="", metavar="PATH:A-B", help="Lines of the change: your word, enough for remind alone.")
@click.option("--note", default="", metavar="TEXT", help="What the cited lines show.")
@FORMAT
def prove(
    *, step: str, slug: str, tests: tuple[str, ...], said: str, judge: bool, cite: str, note: str,
    form: str,
) -> None:  # fmt: skip
    """Prove that a rule was kept at a step of a plan.

    STEP is a number in rulec plan, an id, or the beginning of one. It exits with 0 where the rule is proved, and with 1
    where it is not. What a check at the commit or the person's words prove by themselves needs no command.
    """
    from rulec.services.steps.prove import ProofWay, prove_rule
    from rulec.terminal import complain

    way = ProofWay(tests=tests, said=said, judge=judge, cite=cite, note=note)
    finish(prove_rule(work_tree(), step, slug, way, complain), form)


@PLANS.verb(
    'rulec accept-risk 3 keep-the-limit --reason "no test system of theirs" --until 2027-01-31',
    name="accept-risk",
)
@click.argument("step")
@SLUG
@click.option("--reason", "--because", "reason", required=True, metavar="TEXT", help="Why no proof is needed.")
@click.option("--until", required=True, metavar="DAY", help="The last day on which that counts, at most 90 days on.")
def accept_risk(*, step: str, slug: str, reason: str, until: str) -> None:
    """Decide that a rule at a step needs no proof until a day.

    A person runs it, at a terminal. It is shown wherever the rule is shown as open.
    """
    from rulec.services.steps import accept_risk as accepting
    from rulec.terminal import say

    def confirm(question: str) -> bool:
        say(question)
        _require_person("rulec accept-risk")
        return click.confirm("Accept this risk?", default=False)

    finish(accepting.accept_risk(work_tree(), step, slug, confirm, reason=reason, until=until))
