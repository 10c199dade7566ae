"""Kinds of software work and its things: words that people use for one and the same, in steps as in rules."""

from __future__ import annotations

import re
from functools import lru_cache

from rulec.reminders.words import plain_stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


# What is done, and the words and pairs of words that speak of it. A step and a rule that speak of one kind in other
# words still meet: "add a library" and "pin the version of every package".
_ACTIVITIES = """
install = dependency | package | library | lib | install | npm | pnpm | yarn | pip | poetry | composer | cargo |
  third-party | lockfile | crate | gem | sdk | plugin | bring in | pull in | depend on
upgrade = upgrade | bump | newer version | dependabot | new version
commit = commit | amend | squash | check in | git
push = push | force-push | remote branch
pull-request = pull request | pr | merge request | mr
branch = branch | rebase | merge | cherry-pick
release = release | publish | tag | semver | version number | release note | ship | binary
test = test | spec | coverage | fixture | e2e | assertion | mock | testing | pytest | jest | vitest | playwright |
  cypress | snapshot
verify = run suite | run test | run full | run whole | run all | test suite | verify | run check | run linter |
  run lint
migrate = migration | migrate | backfill | alembic | schema
rename = rename | move | relocate
delete = delete | remove | drop | purge | prune | retire | deletion | removal | clean up | get rid | deprecate |
  deprecation | obsolete
document = document | doc | documentation | readme | guide | manual | wiki | adr | tutorial | changelog | runbook
deploy = deploy | deployment | rollout | roll out | production | staging | prod | canary | go live
review = review | reviewer
inspect = investigate | inspect | explore | analyse | analyze | understand | audit | reproduce | research | study
measure = measure | benchmark | profile | performance | latency | speed | faster
"""
# What is worked on.
_THINGS = """
infrastructure = terraform | kubernetes | helm | infra | infrastructure | cluster | k8s | bucket | aws | azure | gcp
container = docker | dockerfile | container | image
database = database | db | sql | table | query | postgres | postgresql | mysql | mariadb | sqlite | aurora | mongodb |
  orm | index | transaction | warehouse | column | schema | migration | row
deprecated = deprecate | deprecation | breaking | backward | compatibility | public api | compatible
api = endpoint | route | handler | api | rest | graphql | status code | controller | response | request | openapi |
  webhook | url
screen = component | page | screen | button | form | modal | dialog | css | stylesheet | layout | frontend |
  banner | icon | theme | accessibility | interface | widget | view | ui | tsx | overview | dashboard | tab | menu |
  tap | toast
picture = picture | screenshot | photo | logo | diagram | illustration
wording = label | wording | translation | translate | locale | i18n | localise | localize | localisation |
  localization | message catalogue | text | copy | string
secret = secret | password | token | credential | api key | private key | env file
access = login | auth | authentication | authorization | permission | oauth | sign in | role | session
privacy = personal | pii | gdpr | privacy | email address | phone | customer data | anonymise | anonymize | consent |
  cookie | tracking
failure = error | exception | catch | failure | fail | swallow | panic
network = http | timeout | time out | retry | backoff | fetch | rate limit | download
logging = log | logger | logging | print | console.log | tracing
setting = config | configuration | setting | environment variable | env | feature flag | flag | option
caching = cache | caching | redis | memcached | memoize | ttl | invalidate
concurrency = async | await | thread | concurrent | concurrency | lock | coroutine | goroutine | background | queue |
  worker | parallel
job = job | cron | nightly | scheduled | schedule | every minute | background | worker
time = date | timezone | time zone | utc | timestamp | clock | calendar | datetime
money = money | price | pricing | currency | cents | payment | invoice | tax | billing | refund | discount | amount |
  cost | fee
mail = mail | email | notification | sms | newsletter
upload = upload | attachment | storage | file size
validation = validate | validation | input | sanitize | sanitise | escape
lint = lint | linter | format | formatter | prettier | eslint | ruff | mypy | type-check
pipeline = ci | workflow | github action | job | pipeline
calculation = calculate | calculation | compute | computation | sum | rounding
learning = train | training | dataset | predictor | inference | hyperparameter
licence = licence | license | copyright | spdx
"""
# By these words something new is made, whatever it is: no rule is about that alone.
_MAKING = (
    "make = add | write | create | implement | build | introduce | extend | cover | generate | fix | handle | support |"
    " return | protect | refactor | replace | split | convert | validate | render | expose | wire"
)
MARK = "#"  # before the name of a kind where it stands among words
_ROUTE = re.compile(r"\b(?:GET|HEAD|POST|PUT|PATCH|DELETE) /|(?<!\w)/[\w/-]*\{\w+\}")  # of an API
_COUNTED = re.compile(r"[^\W_]+(?:[.'-][^\W_]+)*")
_SMALL = ("the", "a", "an", "all", "whole", "full", "new", "your", "our", "each", "every")


def _rows(table: str) -> list[tuple[str, list[str]]]:
    lines = filter(None, re.sub(r"\n +", " ", table).splitlines())
    return [(MARK + name, listed.split(" | ")) for name, _, listed in (line.partition(" = ") for line in lines)]


MAKING = f"{MARK}make"


class KindTables:
    """The stems, and the pairs of stems one after the other, that speak of each kind of work and each thing."""

    __slots__ = ("_double", "_known", "_single")

    def __init__(self, single: dict[str, list[str]], double: dict[str, dict[str, list[str]]]) -> None:
        self._single, self._double = single, double
        self._known: dict[str, tuple[str, list[str], bool]] = {}

    def record(self) -> dict[str, Any]:
        """The tables as they are kept: to make them anew takes a millisecond."""
        return {"single": self._single, "double": self._double}

    def kinds_of_stem(self, stem: str) -> Sequence[str]:
        """The kinds of which a word speaks, by its stem."""
        return self._single.get(stem, ())

    def kinds_of(self, text: str) -> set[str]:
        """The kinds of work and things of which a text speaks, each with its mark."""
        found: set[str] = {f"{MARK}api"} if "/" in text and _ROUTE.search(text) else set()
        last = ""
        for word in _COUNTED.findall(text):
            stem, kinds, small = self._known.get(word) or self._read(word)
            if kinds:
                found.update(kinds)
            if last in self._double:
                found.update(self._double[last].get(stem, ()))
            if not small or not last:
                last = stem
        return found

    def _read(self, word: str) -> tuple[str, list[str], bool]:
        """The stem of a word, the kinds of which it and its pieces speak, and whether it only joins others."""
        stem = plain_stem(word)
        found = [*self._single.get(stem, ())]
        if "-" in word:
            pieces = [plain_stem(piece) for piece in word.split("-")]
            for before, piece in zip(["", *pieces], pieces, strict=False):
                found += [*self._single.get(piece, ()), *self._double.get(before, {}).get(piece, ())]
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[word] = stem, list(dict.fromkeys(found)), word.lower() in _SMALL
        return self._known[word]


MOST_KNOWN = 8192  # words whose kinds are remembered


@lru_cache(maxsize=1)
def kind_tables() -> KindTables:
    """The tables above, by stems."""
    single: dict[str, list[str]] = {}
    double: dict[str, dict[str, list[str]]] = {}
    for name, listed in _rows(f"{_ACTIVITIES}{_THINGS}{_MAKING}"):
        for word in listed:
            first, _, second = word.partition(" ")
            if second:
                double.setdefault(plain_stem(first), {}).setdefault(plain_stem(second), []).append(name)
            else:
                single.setdefault(plain_stem(first), []).append(name)
    return KindTables(single, double)


def kinds_of_work(text: str) -> set[str]:
    """The kinds of work and things of which a text speaks, each with its mark."""
    return kind_tables().kinds_of(text)


def kinds_of_stem(stem: str) -> Sequence[str]:
    """The kinds of which a word speaks, by its stem."""
    return kind_tables().kinds_of_stem(stem)
