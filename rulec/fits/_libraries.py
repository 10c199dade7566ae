"""Libraries that everybody knows in one language alone."""

import sys

from rulec.language.terms import table

# Words of everyday speech, or commands.
ALSO_WORDS = table("any click mock nose request express react logging uuid attrs pytest vitest jest mocha")

HOME = {
    "python": table(
        "requests httpx urllib3 aiohttp numpy pandas polars flask django fastapi pytest unittest nose mock pydantic "
        "attrs argparse click typer logging loguru os.path pathlib simplejson orjson asyncio sqlalchemy"
    ),
    "javascript": table(
        "lodash underscore moment dayjs date-fns luxon axios jquery request node-fetch express react redux zustand "
        "zod yup jest vitest mocha chai sinon enzyme styled-components classnames uuid rxjs lodash-es ky got "
        "superagent winston pino"
    ),
}
_BUILT_IN = frozenset(sys.stdlib_module_names)


def home_of(name: str) -> str:
    """The language of a library that is known in one alone, or ""."""
    return next((language for language, names in HOME.items() if name.lower() in names), "")


def spelled(name: str) -> str:
    """The name as code imports it, where everybody knows the library: jQuery is jquery, Moment.js is moment."""
    known = name.lower().removesuffix(".js")
    return known if home_of(known) else name


def installable(name: str) -> bool:
    """Whether everybody knows the name as that of a package, and not as a part of the language."""
    return bool(home_of(name)) and name.partition(".")[0] not in _BUILT_IN
