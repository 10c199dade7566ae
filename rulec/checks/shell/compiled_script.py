"""The text of a compiled shell check: what stands around its body, so that a POSIX shell is all it needs."""

from rulec.checks import skipped_files
from rulec.domain.artifact import PlannedCheck, facts_comment
from rulec.domain.patterns.posix import glob_to_ere
from rulec.domain.rule import Scope
from rulec.shell.parsing.call import quote_word

_USAGE = """\
# usage: sh THIS FILES; prints path:line:text for each finding (line 0: the whole file, path -: the commit message)
# ends with 0 where there is none, 1 where there are some, anything else is an error
# RULEC_MESSAGE: a file with the commit message; RULEC_CHANGES: one with lines of status, tab, path;
# RULEC_BASE: a folder with what stood in the files before; each may be empty
"""

_WORDS = """\
exec 3>&1
grep() { # one that fails says so where a finding should stand, which no gate takes for a pass
  command grep "$@"
  set -- "$?"
  [ "$1" -le 1 ] || [ "$1" -eq 141 ] || echo "grep ended with $1" >&3
  return "$1"
}
newline='
'
tab='	'
finding() { # path line text
  case $1$3 in
    *"$newline"*) set -- "$(printf %s "$1" | tr '\\n' '\\001')" "$2" "$(printf %s "$3" | tr '\\n' ' ')" ;;
  esac
  printf '%s:%s:%s\\n' "${1#./}" "$2" "$3"
}
listed() { # one line for each path: its number, tab, path
  rulec_number=0
  for rulec_path do
    rulec_number=$((rulec_number + 1))
    case $rulec_path in
      *"$newline"*) rulec_path=$(printf %s "$rulec_path" | tr '\\n' '\\001') ;;
    esac
    printf '%s\\t%s\\n' "$rulec_number" "${rulec_path#./}"
  done
}
changes() { # one line for each change in scope: status, tab, path; the files themselves where nobody said
  if [ -n "${RULEC_CHANGES-}" ]; then in_scope <"$RULEC_CHANGES"; else listed "$@" | sed 's/^[0-9]*/A/'; fi
}
"""

_FILTER = """\
rulec_kept=" $(listed "$@" | in_scope | cut -f1 | tr '\\n' ' ')"
rulec_given=$# rulec_number=0
for rulec_path do
  rulec_number=$((rulec_number + 1))
  case $rulec_kept in *" $rulec_number "*) set -- "$@" "$rulec_path" ;; esac
done
shift "$rulec_given"
"""

_WHERE = "# RULEC_ENVIRONMENT: local or ci, where it runs\n"

_EITHER = """\
while IFS= read -r rulec_line; do
    case $(printf '%s\\n' "$rulec_line" | grep -Ev {include}; printf '%s\\n' "$rulec_line" | grep -E {exclude}) in
      "") ;;
      *) printf '%s\\n' "$rulec_line" ;;
    esac
  done"""

_CALL = """\
}
rulec_found=$(rulec_body "$@")
rulec_code=$?
if [ -n "$rulec_found" ]; then
  printf '%s\\n' "$rulec_found"
  [ "$rulec_code" -ne 0 ] || rulec_code=1
fi
exit "$rulec_code"
"""


def build_script(step: PlannedCheck, body: str) -> str:
    """The whole script; its body gets the files in scope as arguments and may call finding and changes."""
    scope = step.facts.scope
    spared = [one.scope for one in skipped_files.exceptions_for_files(step.facts)]
    narrow = scope.include != ("**",) or bool(scope.exclude or spared)
    usage = _USAGE + _WHERE * any(one.environments for one in spared)
    parts = [facts_comment(step.facts), usage, _WORDS, *map(_spared, range(len(spared)), spared)]
    parts += [_in_scope(scope, len(spared))]
    parts += [_FILTER] if narrow else []
    return "".join([*parts, "rulec_body() {\n", body.rstrip("\n"), "\n", _CALL])


def _spared(number: int, scope: Scope) -> str:
    """The shell function that drops the lines whose path an exception covers."""
    include = _lines(scope.include or ("**",))
    keep = f"grep -Ev {include}"
    if scope.exclude:
        keep = _EITHER.format(include=include, exclude=_lines(scope.exclude))
    if scope.environments:
        keep = f"case ${{RULEC_ENVIRONMENT-}} in {'|'.join(scope.environments)}) {keep} ;; *) cat ;; esac"
    return f"spared_{number}() {{\n  {keep}\n}}\n"


def _in_scope(scope: Scope, exceptions: int) -> str:
    """The shell function that keeps the lines (number or status, tab, path) whose path is in scope."""
    steps = ["cat"]
    if scope.include != ("**",):
        steps = [f"grep -E {_lines(scope.include)}"]
    if scope.exclude:
        steps = [step for step in steps if step != "cat"] + [f"grep -Ev {_lines(scope.exclude)}"]
    steps = [step for step in steps if step != "cat" or not exceptions]
    steps += [f"spared_{number}" for number in range(exceptions)]
    return f"in_scope() {{\n  {' | '.join(steps)}\n}}\n"


def _lines(globs: tuple[str, ...]) -> str:
    names = "|".join(glob_to_ere(glob).removeprefix("^").removesuffix("$") for glob in globs)
    return quote_word(f"^[0-9A-Z]+\t({names})$")
