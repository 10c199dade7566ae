"""Kinds of software work and its things: words that people use for one and the same, in steps as in rules.

A step and a rule that speak of one kind in other words still meet: "add a library" and "pin every package".
"""

import re
from functools import lru_cache

from rulec.reminders.words import plain_stem

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


MARK = "#"  # before the name of a kind where it stands among words
# What is done, and the words that speak of it.
_ACTIVITIES = """
install = dependency package library lib install npm pnpm yarn pip poetry composer cargo third-party lockfile crate
  gem sdk plugin
upgrade = upgrade bump dependabot
commit = commit amend squash git
push = push force-push
pull-request = pr mr
branch = branch rebase merge cherry-pick
release = release publish tag semver ship binary
test = test spec coverage fixture e2e assertion mock testing pytest jest vitest playwright cypress snapshot
verify = verify
migrate = migration migrate backfill alembic schema
rename = rename move relocate
delete = delete remove drop purge prune retire deletion removal deprecate deprecation obsolete
document = document doc documentation readme guide manual wiki adr tutorial changelog runbook
deploy = deploy deployment rollout production staging prod canary
review = review reviewer
inspect = investigate inspect explore analyse analyze understand audit reproduce research study
measure = measure benchmark profile performance latency speed faster
"""
# What is worked on.
_THINGS = """
infrastructure = terraform kubernetes helm infra infrastructure cluster k8s bucket aws azure gcp
container = docker dockerfile container image
database = database db sql table query postgres postgresql mysql mariadb sqlite aurora mongodb orm index transaction
  warehouse column schema migration row
deprecated = deprecate deprecation breaking backward compatibility compatible
api = endpoint route handler api rest graphql controller response request openapi webhook url
screen = component page screen button form modal dialog css stylesheet layout frontend banner icon theme
  accessibility interface widget view ui tsx overview dashboard tab menu tap toast
picture = picture screenshot photo logo diagram illustration
wording = label wording translation translate locale i18n localise localize localisation localization text copy
  string
secret = secret password token credential
access = login auth authentication authorization permission oauth role session
privacy = personal pii gdpr privacy phone anonymise anonymize consent cookie tracking
failure = error exception catch failure fail swallow panic
network = http timeout retry backoff fetch download
logging = log logger logging print console.log tracing
setting = config configuration setting env flag option
caching = cache caching redis memcached memoize ttl invalidate
concurrency = async await thread concurrent concurrency lock coroutine goroutine background queue worker parallel
job = job cron nightly scheduled schedule background worker
time = date timezone utc timestamp clock calendar datetime
money = money price pricing currency cents payment invoice tax billing refund discount amount cost fee
mail = mail email notification sms newsletter
upload = upload attachment storage
validation = validate validation input sanitize sanitise escape
lint = lint linter format formatter prettier eslint ruff mypy type-check
pipeline = ci workflow job pipeline
calculation = calculate calculation compute computation sum rounding
learning = train training dataset predictor inference hyperparameter
licence = licence license copyright spdx
"""


@lru_cache(maxsize=1)
def _kinds_by_stem() -> "dict[str, set[str]]":
    found: dict[str, set[str]] = {}
    for row in re.sub(r"\n +", " ", f"{_ACTIVITIES}{_THINGS}").split("\n"):
        name, _, words = row.partition(" = ")
        for word in words.split():
            found.setdefault(plain_stem(word), set()).add(MARK + name)
    return found


def kinds_of_stems(stems: "Iterable[str]") -> "set[str]":
    """The kinds of work and things of which words speak, by their stems, each with its mark."""
    kinds = _kinds_by_stem()
    return {kind for stem in stems for kind in kinds.get(stem, ())}
