"""The offline drafter with our own templates, for a repository of Python and JavaScript."""

from functools import cache

from rulec.checks.template_library import open_library
from rulec.drafting.drafter import Drafter
from rulec.drafting.forms.instantiations import RepositoryProfile


@cache
def drafter(*languages: str) -> Drafter:
    """The drafter for a repository in these languages."""
    known = languages or ("python", "javascript")
    packages = frozenset({"moment", "dayjs", "lodash", "requests", "httpx"})
    return Drafter(tuple(open_library().templates().values()), RepositoryProfile(languages=known, packages=packages))
