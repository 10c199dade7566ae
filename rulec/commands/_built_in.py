"""What there is to say of the rules that come with rulec: they have no file and nobody's words."""

from rulec.commands import _approved, _protected
from rulec.host import worktree
from rulec.runtime import self as gate

TOLD = {
    _approved.SLUG: f"""{_approved.SLUG}: {_approved.STATEMENT}
  with rulec: at a commit it blocks, in CI it warns (weakened: block in {worktree.CONFIG} makes it block there, too)
  why: a change is judged by the rules that it cannot edit, and may not take them away for the next one
  instead: take it back, or let a person run rulec approve on what is staged; in CI its owners approve in the review""",
    _protected.SLUG: f"""{_protected.SLUG}: {_protected.STATEMENT}
  with rulec: protected in {worktree.CONFIG} names the paths; agents' hooks refuse every write there
  instead: {_protected.CURE}""",
    gate.SLUG: f"""{gate.SLUG}: {gate.RULE["facts"]["statement"]}
  with rulec: agents' hooks refuse what would take a gate away, or speak for the person
  instead: {gate.CURE}""",
}
