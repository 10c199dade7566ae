"""What was done in a session -> the example of a rule that it is: named by a model, taken from the transcript."""

from rulec.model.rule import Example
from rulec.model.transcript import Action
from rulec.redact import redact


def of_action(action: Action) -> Example | None:
    """The action as an example; None where none is of its kind."""
    match action.kind:
        case "command":
            return Example(kind="command", text=redact(action.command))
        case "edit":
            return Example(kind="edit", path=action.path, old=redact(action.old), text=redact(action.new))
        case "write":
            return Example(kind="file", path=action.path, text=redact(action.new))
        case _:
            return None
