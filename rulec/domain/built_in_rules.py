"""The names and words of the rules that rulec itself keeps: protected paths, and a gate that is not weakened."""

WEAKENED = "rulebook-weakened"
WEAKENED_STATEMENT = "A change does not weaken the gate that it has to pass, unless a person approves just that."

PROTECTED_PATHS = "protected-paths"
PROTECTED_PATHS_STATEMENT = "These paths are the team's own: an agent proposes a change of them, a person makes it."
PROTECTED_PATHS_CURE = "leave the file as it is and tell the person what you would change"
