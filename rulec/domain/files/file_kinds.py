"""Kinds of files that rules name in one word, @code or @tests, by the conventions of their languages."""

from rulec.domain.files import globs
from rulec.domain.files.languages import SUFFIXES_BY_KIND, suffix_glob


def split_words(text: str) -> "list[str]":
    """A table of words, written as a line of them."""
    return text.split()


_TESTS = split_words(
    "test_*.py *_test.py conftest.py *_test.go *_test.rb *_spec.rb *_test.exs *.test.* *.spec.* *.cy.* *Test.java "
    "*Tests.java *IT.java *Test.kt *Tests.kt *Test.php *Test.cs *Tests.cs *Tests.swift *Test.scala *Spec.scala "
    "*_test.c *_test.cc *_test.cpp *_test.dart *_test.rs tests.rs *.bats *.snap tests/ test/ __tests__/ "
    "__snapshots__/ spec/ specs/ e2e/ cypress/ testdata/ Tests/"
)
_MADE = split_words(
    "*_pb2.py *_pb2_grpc.py *.pb.go *.g.dart *.gen.* *.generated.* *_generated.* *.min.js generated/ __generated__/ "
    "dist/ vendor/ node_modules/ third_party/ .venv/ migrations/"
)
_SETTINGS = split_words(
    "*.config.* *.d.ts *.pyi *rc.js *rc.cjs setup.py noxfile.py manage.py gulpfile.* Gruntfile.* *.stories.* *.gradle "
    "*.gemspec *.rake *.edn docs/ doc/ examples/ fixtures/ .*/**"
)
_CODE = suffix_glob(SUFFIXES_BY_KIND["code"])
_SCRIPTS = suffix_glob(SUFFIXES_BY_KIND["script"])
_CHANGELOG = split_words(
    "CHANGELOG* changelog* Changelog* ChangeLog* CHANGES* HISTORY* NEWS NEWS.* RELEASE_NOTES* RELEASES.* "
    "RELEASE-NOTES* release-notes* release_notes* .changeset/ changelog.d/ changelogs/ newsfragments/ .changes/"
)
_LOCKS = split_words("*.lock *-lock.json *-lock.yaml bun.lockb go.sum npm-shrinkwrap.json *.lock.json")
_MANIFESTS = split_words(
    "*requirements*.txt *requirements*.in requirements/ pyproject.toml setup.py setup.cfg Pipfile environment.yml "
    "environment.yaml package.json go.mod Cargo.toml Gemfile *.gemspec composer.json pom.xml build.gradle* mix.exs"
)
_DOCS = split_words("*.md *.mdx *.rst *.adoc docs/ doc/ documentation/ man/")

KINDS = {  # name -> globs of what it is, and of what it is not
    "@code": ([_CODE], [*_TESTS, *_MADE, *_SETTINGS]),
    "@tests": (_TESTS, []),
    "@docs": (_DOCS, [*_CHANGELOG, ".changeset/"]),
    "@changelog": (_CHANGELOG, [_CODE]),
    "@lockfile": (_LOCKS, []),
    "@migrations": (split_words("migrations/ migrate/ *migration* alembic/"), []),
    "@translations": (split_words("locales/ locale/ i18n/ lang/ translations/ *.po *.arb *.strings *.xliff *.ftl"), []),
    "@manifest": (_MANIFESTS, []),
}


def is_code(path: str) -> bool:
    """Whether a file is code by its name, whoever wrote it."""
    return globs.match([_CODE, _SCRIPTS], path.lower())


def is_generated(path: str) -> bool:
    """Whether a file is generated, or another project's, by its name."""
    return globs.match(_MADE, path)


def is_among(wanted: "list[str] | tuple[str, ...]", path: str) -> bool:
    """Whether one of the globs or kinds speaks of the path; upper and lower case are one, as people write names."""
    return any(_is(one, path) for glob in wanted for one in globs.expand_braces(glob))


def _is(glob: str, path: str) -> bool:
    if glob in KINDS:
        these, others = KINDS[glob]
        return globs.match(these, path) and not globs.match(others, path)
    return globs.match([glob], path) or globs.match([glob.lower()], path.lower())
