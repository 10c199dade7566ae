"""What names mean in a repository of Python and JavaScript."""

from rulec.sentences.names import Names, RepositoryProfile

NAMES = Names(
    RepositoryProfile(
        languages=("python", "javascript"),
        packages=frozenset({"moment", "dayjs", "lodash", "requests", "httpx"}),
        folders=frozenset({"src", "tests", "docs"}),
    )
)
