"""rulec plan save: the open plan as a Markdown task list, for whoever wants it in a pull request."""

from pathlib import Path

from rulec.domain.outcome import Outcome
from rulec.errors import RulecError
from rulec.infra import text_files
from rulec.steps.plan_store import open_plans
from rulec.steps.saved_plan import saved_plan


def save_plan(top: Path, file: str) -> Outcome:
    """Write the plan that was touched last to ``file``; where that is "" it is the text of the outcome."""
    plans = open_plans(str(top))
    if not plans:
        raise RulecError("no plan is open here", where=str(top), hint="agents with hooks of rulec open them")
    text = saved_plan(plans[0])
    if not file:
        return Outcome(text.rstrip("\n"))
    text_files.write_report(file, text)
    return Outcome(f"{file}: {len(plans[0].steps)} steps")
