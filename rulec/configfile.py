"""YAML text <-> settings: ``.rules/config.yaml``."""

import re
from dataclasses import fields
from typing import Any

from rulec import yamltext
from rulec.model.confidence import PROFILES
from rulec.model.rulebook import Config, Extension
from rulec.patterns.safety import refuse, wrong_glob
from rulec.rulefile import SCHEMA, slug_of
from rulec.yamltext import Node

_OWNER = re.compile(r"@[\w.-]+(?:/[\w./-]+)?|@@[a-z]+|[\w.+-]+@[\w.-]+\.\w+")
WEAKENED = ("warn", "block")  # what CI makes of a change that weakens the gate
LEAST_BUDGET = 200  # tokens; what stands around the rules takes a third of them


def loads(text: str, *, source: str) -> Config:
    """Settings from the text of their file, all at their defaults where it is empty."""
    if not text.strip():
        return Config()
    top = Node.load(text, source)
    top.known(("schema", *(field.name for field in fields(Config))))
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
    )


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
    }
    return yamltext.rewrite({"schema": SCHEMA, **{key: value for key, value in settings.items() if value}}, old)


def _plain(extension: Extension) -> dict[str, str]:
    told = {field.name: str(getattr(extension, field.name)) for field in fields(Extension)}
    return {key: value for key, value in told.items() if value}
