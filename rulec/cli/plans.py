"""Commands about agents' plans: plan, run, prove."""

import click

from rulec.cli.group import BACKEND, FORMAT, finish, verb, work_tree


@verb(
    "rulec plan                            # until Ctrl-C",
    "rulec plan --once --format json",
    "rulec plan plan.md                    # write the rules of each step into a plan; a second run changes nothing",
)
@click.argument("file", default="")
@click.option("--once", is_flag=True, help="Show it once, as where standard output is no terminal.")
@click.option("--session", default="", metavar="ID", help="Only the plan of the session whose id begins so.")
@click.option("--agent", default="", metavar="NAME", help="Who carries FILE out; leaves out rules for others.")
@BACKEND
@FORMAT
def plan(*, file: str, once: bool, session: str, agent: str, backend: str, form: str) -> None:
    """Show agents' plans, or write rules into one.

    It shows the steps, the rules of each with their level, how each was proved or what is missing, and where the work
    strays from the plan. FILE, or - for standard input, is a task list, numbered headings or
    lists in Markdown, the tasks.md of spec-kit or JSON that lists steps; it is changed in place. A configured model
    chooses the rules; without one, rulec goes by scopes and by what the steps name.
    """
    import sys
    from pathlib import Path

    from rulec.infra import clock
    from rulec.services.plans import enrich as enriching
    from rulec.services.plans.show import follow_plans, show_plans
    from rulec.terminal import complain, hand_on, progress_bar, show_screens, shows_screens

    if not file and (once or form == "json" or not shows_screens()):
        finish(show_plans(work_tree(), session), form)
    elif not file:
        show_screens(outcome.text for outcome in follow_plans(work_tree(), session, clock.pause))
    elif file != "-":
        request = enriching.EnrichRequest(agent=agent, backend=backend, progress=progress_bar)
        finish(enriching.enrich_file(work_tree(), Path(file), request, complain), form)
    else:
        text = enriching.decode_plan(sys.stdin.buffer.read(enriching.LARGEST + 1), "standard input")
        request = enriching.EnrichRequest(text=text, agent=agent, backend=backend, progress=progress_bar)
        hand_on(enriching.enrich_plan(work_tree(), request, complain).text)


@verb("rulec run unit                        # as tests: in .rules/config.yaml says")
@click.argument("suite")
@FORMAT
def run(*, suite: str, form: str) -> None:
    """Run a suite of tests, and record what came of it.

    It runs what HEAD's settings say, with a clean environment, and exits with 1 where it is red or no test ran. Where a
    rule at a step of a plan asks for a test, it also runs the suite without the change, where it has to be red.
    """
    from rulec.services.plans.run import run_and_record
    from rulec.terminal import complain

    finish(run_and_record(work_tree(), suite, complain), form)


@verb(
    "rulec prove                           # of all steps of all plans",
    "rulec prove 3 keep-the-limit",
)
@click.argument("step", default="")
@click.argument("slug", default="")
@FORMAT
def prove(*, step: str, slug: str, form: str) -> None:
    """Say what rules at the steps of plans still need.

    STEP is a number in rulec plan, an id, or the beginning of one. It exits with 1 where something is missing. It takes
    no evidence: a check, a run of a suite or a person proves that a rule was kept.
    """
    from rulec.services.plans.show import show_missing

    finish(show_missing(work_tree(), step, slug), form)
