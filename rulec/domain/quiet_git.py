"""The environment of every git that rulec starts."""

# A hook runs with git's own variables set for the hook's repository; they must not lead us to another one.
# Replaced objects would show us another content than the one that is committed.
QUIET_GIT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "LC_ALL": "C.UTF-8",
    "GIT_LITERAL_PATHSPECS": "1",
}
