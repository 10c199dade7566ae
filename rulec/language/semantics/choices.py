"""Choices of which a team makes one: values that exclude each other, and the words that name the field."""

from typing import NamedTuple


class Topic(NamedTuple):
    """A choice; where there are but two values, to refuse one is to take the other."""

    values: frozenset[str]
    field: frozenset[str]
    binary: bool = False


# values : words of the field, which add nothing beside a value; "2" before it: there are but these two.
_TABLE = """
2 tab space 2-space 4-space 8-space : indent wide width level
2 single-quote double-quote : string literal
2 british american : spelling english word text write
2 relative-import absolute-import : import path
2 default-export named-export : export
2 concise verbose : keep give
2 small large : keep size
2 simple complex : keep
2 explicit implicit :
2 uppercase lowercase : case
npm pnpm yarn bun : install package-manager dependency js-package install-package script javascript add-dependency
pip uv poetry conda pipenv : install dependency install-package package-manager python add-dependency virtualenv
jest vitest mocha jasmine : test unit-test javascript typescript test-runner framework
pytest unittest nose : test unit-test python framework test-runner
cypress playwright selenium puppeteer : test e2e-test browser framework
black yapf autopep8 : format python
eslint biome tslint : lint javascript typescript
axios fetch got superagent : http request client call
moment dayjs date-fns luxon : date
postgres mysql sqlite mariadb mongodb : database
async-await callback promise : asynchronous async
function-component class-component : component react
composition inheritance : class
type-alias interface : object typescript shape
camelcase snake_case kebab-case pascalcase : case casing
dash-bullet star-bullet : bullet list markdown
english german french spanish italian portuguese russian chinese japanese dutch polish : language
rebase merge : branch history
webpack vite rollup esbuild parcel : bundler bundle
tailwind bootstrap styled-components css-modules : style css
redux zustand mobx recoil jotai : state store
docker podman : container
let var const : variable declare
bash zsh fish powershell : shell
rest graphql grpc : api endpoint
imperative past-tense : mood tense
crlf lf : line-ending
mutable immutable : data structure
local-time utc : time timezone
"""


def _topics() -> dict[str, Topic]:
    found: dict[str, Topic] = {}
    for line in filter(None, _TABLE.splitlines()):
        values, _, field = line.partition(" :")
        binary = values.startswith("2 ")
        topic = Topic(frozenset(values.removeprefix("2 ").split()), frozenset(field.split()), binary)
        found.update(dict.fromkeys(topic.values, topic))
    return found


TOPICS = _topics()  # the topic of each value
# What something is written in: behind "in" it is no place.
STYLES = frozenset(
    value
    for one in ("english", "single-quote", "british", "camelcase", "imperative", "tab")
    for value in TOPICS[one].values
)
