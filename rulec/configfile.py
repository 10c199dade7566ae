"""YAML text <-> settings: ``.rules/config.yaml``."""

import re
from dataclasses import asdict, fields
from typing import Any

from rulec import yamltext
from rulec.model.confidence import PROFILES
from rulec.model.evidence import Bar
from rulec.model.exchange import GATES, TEAMS, Models
from rulec.model.rulebook import Config, Extension
from rulec.patterns.safety import refuse, wrong_glob
from rulec.rulefile import SCHEMA, slug_of
from rulec.yamltext import Node

_OWNER = re.compile(r"@[\w.-]+(?:/[\w./-]+)?|@@[a-z]+|[\w.+-]+@[\w.-]+\.\w+")
WEAKENED = ("warn", "block")  # what CI makes of a change that weakens the gate
_MODELS = tuple(f.name for f in fields(Models) if f.name not in ("folder", "named"))  # those are set elsewhere
_NAME = re.compile(r"\w[\w.:/@-]{0,119}")
_ADDRESS = re.compile(
    r"https://[\w.-]+(?::\d{1,5})?(?:/[\w./-]*)?|http://(?:localhost|127\.0\.0\.1)(?::\d{1,5})?(?:/[\w./-]*)?"
)
_AMOUNTS = {"seconds": (1, 3_600), "money": (0, 1_000_000)}  # of a request, and in dollars of a run
LEAST_BUDGET = 200  # tokens; what stands around the rules takes a third of them


def loads(text: str, *, source: str, own: bool = False) -> Config:
    """Settings from the text of their file, all at their defaults where it is empty.

    In a repository that is not the person's ``own`` nobody may say where their key is sent.
    """
    if not text.strip():
        return Config()
    top = Node.load(text, source)
    top.known(("schema", *(field.name for field in fields(Config) if field.name != "models_told")))
    profile = top.choice("profile", PROFILES) if top.has("profile") else PROFILES[0]
    extends = tuple(_extension(node) for node in top.items("extends"))
    for number, one in enumerate(extends):
        if one.name in {other.name for other in extends[:number]}:
            raise top.error("extends", f"names {one.name} twice", "give one of them another name")
    return Config(
        emitters=top.texts("emitters"),
        profile=profile,
        install=top.text("install"),
        budget=top.integer("budget", Config().budget, LEAST_BUDGET),
        owners=_owners(top),
        protected=_protected(top),
        weakened=top.choice("weakened", WEAKENED) if top.has("weakened") else WEAKENED[0],
        extends=extends,
        models=_models(top.mapping("models"), own=own),
        bar=_bar(top.mapping("bar")),
        models_told=tuple(key for key in _MODELS if top.mapping("models").has(key)),
    )


def _bar(node: Node) -> Bar:
    """What a judge must reach on its own examples."""
    names = [one.name for one in fields(Bar)]
    node.known(names)
    told = {name: node.number(name) for name in names if node.has(name)}
    odd = next((name for name, rate in told.items() if not 0 <= rate <= 1), None)
    if odd is not None:
        raise node.error(odd, "must lie between 0 and 1", "0.9 is nine of ten")
    return Bar(**told)


def _models(node: Node, *, own: bool) -> Models:
    """Who is asked, and how much that may cost."""
    node.known(_MODELS)
    if node.has("base_url") and not own:
        hint = "it says where keys are sent: put it into your own settings, or into ANTHROPIC_BASE_URL"
        raise node.error("base_url", "may not stand in a repository", hint)
    for key, most in TEAMS.items():
        if not own and node.has(key) and node.number(key) > most:
            hint = "a person's own settings may say more"
            raise node.error(key, f"may be at most {most:,} in a repository", hint)
    usual = Models()
    judges = node.texts("judges", usual.judges)
    odd = next((gate for gate in judges if gate not in GATES), None)
    if odd is not None:
        raise node.error("judges", f"names {odd[:40]!r}, which is no gate", f"known are {', '.join(GATES)}")
    return Models(
        backend=_word(node, "backend"),
        model=_word(node, "model"),
        base_url=_address(node),
        seconds=_amount(node, "seconds", usual.seconds),
        tokens=node.integer("tokens", usual.tokens, 0),
        money=_amount(node, "money", usual.money),
        bulk=node.flag("bulk"),
        judges=tuple(gate for gate in GATES if gate in judges),
    )


def _word(node: Node, key: str) -> str:
    text = node.text(key)
    if text and not _NAME.fullmatch(text):
        raise node.error(key, f"{text[:40]!r} is no name", "write letters, digits and .:/@_- alone")
    return text


def _address(node: Node) -> str:
    text = node.text("base_url")
    if text and not _ADDRESS.fullmatch(text):
        hint = "write https://HOST without a key or a login; http:// is for this machine alone"
        raise node.error("base_url", "is no address that a key may be sent to", hint)
    return text


def _amount(node: Node, key: str, usual: float) -> float:
    found = node.number(key) if node.has(key) else usual
    least, most = _AMOUNTS[key]
    if not least <= found <= most:
        raise node.error(key, f"must be from {least} to {most:,}", f"write a number such as {usual:g}")
    return found


def _owners(top: Node) -> tuple[str, ...]:
    """Handles and addresses as CODEOWNERS knows them."""
    owners = top.texts("owners")
    odd = next((one for one in owners if not _OWNER.fullmatch(one)), None)
    if odd is not None:
        raise top.error("owners", f"names {odd[:40]!r}, which is no owner", 'write "@name", "@org/team" or an address')
    return owners


def _protected(top: Node) -> tuple[str, ...]:
    for glob in (found := top.texts("protected")):
        refuse(wrong_glob(glob), glob, "protected", top.where("protected"))
    return found


def _extension(node: Node) -> Extension:
    node.known([field.name for field in fields(Extension)])
    url, rev = node.text("url", required=True), node.text("rev", required=True)
    name = slug_of(node.text("name") or named(url), node.where("name" if node.has("name") else "url"))
    return Extension(name=name, url=url, rev=rev, path=node.text("path"))


def named(url: str) -> str:
    """What a rulebook is called whose place is all that is known: the last part of that place."""
    last = re.split(r"[/:\\]", url.rstrip("/\\"))[-1].removesuffix(".git")
    return re.sub(r"[^a-z0-9]+", "-", last.lower()).strip("-")


def dumps(config: Config, old: str = "") -> str:
    """The text of the settings; given their old text, comments stay and what is at its default stays away."""
    settings: dict[str, Any] = {
        "emitters": list(config.emitters),
        "profile": config.profile,
        "install": config.install,
        "budget": config.budget if config.budget != Config().budget else 0,
        "owners": list(config.owners),
        "protected": list(config.protected),
        "weakened": config.weakened if config.weakened != Config().weakened else "",
        "extends": [_plain(extension) for extension in config.extends],
        "bar": {key: value for key, value in asdict(config.bar).items() if value != getattr(Bar(), key)},
        "models": {key: _listed(getattr(config.models, key)) for key in config.models_told},
    }
    return yamltext.rewrite({"schema": SCHEMA, **{key: value for key, value in settings.items() if value}}, old)


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _plain(extension: Extension) -> dict[str, str]:
    told = {field.name: str(getattr(extension, field.name)) for field in fields(Extension)}
    return {key: value for key, value in told.items() if value}
