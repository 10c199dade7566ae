"""The offline drafter with our own templates, for a repository of Python and JavaScript."""

from functools import cache

from rulec.drafting.drafter import Drafter
from rulec.drafting.forms import Profile
from rulec.host.templates import library


@cache
def drafter(*languages: str) -> Drafter:
    """The drafter for a repository in these languages."""
    known = languages or ("python", "javascript")
    packages = frozenset({"moment", "dayjs", "lodash", "requests", "httpx"})
    return Drafter(tuple(library().templates().values()), Profile(languages=known, packages=packages))
