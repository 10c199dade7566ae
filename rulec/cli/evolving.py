"""Commands that change rules by what is known about them: note, evolve."""

from functools import partial
from typing import TYPE_CHECKING

import click

from rulec.cli.group import BACKEND, FORMAT, ONTO, current_name, current_names, finish, known_slugs, verb, work_tree
from rulec.errors import RulecError
from rulec.terminal import ask_about_card, editor, is_attended, say

if TYPE_CHECKING:
    from rulec.domain.evidence import Should
    from rulec.services.rulebook_commit import ChangeTarget


@verb(
    'rulec note use-pnpm "yarn is just as wrong" --should catch --command "yarn add left-pad"',
    'rulec note use-pnpm "pnpm has no such command" --should pass --command "npm audit"',
    'rulec note use-logger "scripts may print" --should pass --path scripts/build.py',
    'rulec note 3f9c2a71b0d4 "this one is generated code"     # a finding, by its id in rulec report SLUG',
)
@click.argument("target", metavar="RULE|FINDING", callback=current_name)
@click.argument("text")
@click.option("--should", type=click.Choice(["catch", "pass"]), default=None, help="What the rule should make of it.")
@click.option("--command", default="", metavar="TEXT", help="The case is this command.")
@click.option("--path", default="", metavar="FILE", help="The case is this file, as it is in the work tree.")
@click.option("--example", default="", metavar="EXAMPLE", help="The case, as in rule files: {edit: …, old: …, new: …}.")
@click.option("--agent", default="", metavar="NAME", help="The agent to which it happened, such as claude-code.")
@click.option("--propose", is_flag=True, help="Propose the note to a person, as agents do.")
@ONTO
def note(
    *, target: str, text: str, should: "Should | None", command: str, path: str, example: str,
    agent: str, propose: bool, onto: "ChangeTarget",
) -> None:  # fmt: skip
    """Note how a rule decided one case, for rulec evolve.

    A note changes no rule. Without --should it says that the rule was wrong about the case. That a rule should have let
    something pass speaks against it, and three such cases propose an exception. A note by an agent waits until a person
    decides.
    """
    from rulec.services.evolving.note import NoteOptions, note_rule
    from rulec.services.evolving.noted_case import CaseOptions

    case = CaseOptions(command=command, path=path, example=example)
    given = NoteOptions(case=case, should=should or "", agent=agent, propose=propose)
    finish(note_rule(work_tree(), target, text, given, onto))


def _current_names(context: click.Context, param: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """The names of changes, KEPT+OTHER of a merge, with the rules that they lead to."""
    return tuple("+".join(current_names(context, param, tuple(name.split("+")))) for name in names)


@verb(
    "rulec evolve                          # decide at the terminal",
    "rulec evolve use-pnpm --format json   # the revision of one rule, as data",
    "rulec evolve --accept use-pnpm",
    "rulec evolve --similar                # rules that say the same",
    "rulec evolve use-rg+prefer-rg         # prefer-rg goes into use-rg: the merged rule as a diff",
)
@click.argument("names", nargs=-1, metavar="[RULE|KEPT+OTHER]...", shell_complete=known_slugs, callback=_current_names)
@click.option("--similar", is_flag=True, help="Find rules that say the same, and merge them.")
@click.option("--accept", multiple=True, metavar="NAME", help="Write this revision or merge (repeatable).")
@click.option("--reject", multiple=True, metavar="NAME", help="Reject it until more is known (repeatable).")
@BACKEND
@ONTO
@FORMAT
def evolve(
    *, names: tuple[str, ...], similar: bool, accept: tuple[str, ...], reject: tuple[str, ...], backend: str,
    onto: "ChangeTarget", form: str,
) -> None:  # fmt: skip
    """Propose revisions and merges of rules, and decide on them.

    rulec takes together what is known about each rule: notes and counterexamples. It proposes
    one revision, with every verdict that it turns. With --similar it lists the rules whose checks hold the same, and
    those that contradict each other, and proposes one rule in place of two, which refuses all that either did. Without
    a terminal, or with --format json, it lists them.
    """
    from rulec.services.evolving.evolve import decide_by_name, evolve_rules, list_changes, list_similar
    from rulec.services.proposals.decision import Asking

    options = Asking(answer=ask_about_card, edit=editor, onto=onto, backend=backend)
    show = partial(say, err=form == "json")
    answers = [*((name, "accept") for name in accept), *((name, "reject") for name in reject)]
    if answers and (names or similar):
        what = names[0] if names else "--similar"
        raise RulecError("name a rule once", where=what, hint="with --accept or --reject, or as an argument")
    if answers:
        finish(decide_by_name(work_tree(), answers, options, show), form)
    elif form == "json" or not is_attended():
        listed = list_similar if similar else list_changes
        finish(listed(work_tree(), names, options, partial(say, err=True)), form)
    else:
        finish(evolve_rules(work_tree(), names, options, say, similar=similar))
