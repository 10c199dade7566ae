"""YAML text <-> settings: ``.rules/config.yaml``."""

from dataclasses import fields

from rulec import yamltext
from rulec.model.rulebook import Config
from rulec.rulefile import SCHEMA
from rulec.yamltext import Node

PROFILES = ("default",)


def loads(text: str, *, source: str) -> Config:
    """Settings from the text of their file, all at their defaults where it is empty."""
    if not text.strip():
        return Config()
    top = Node.load(text, source)
    top.known(("schema", *(field.name for field in fields(Config))))
    profile = top.choice("profile", PROFILES) if top.has("profile") else PROFILES[0]
    return Config(emitters=top.texts("emitters"), profile=profile, install=top.text("install"))


def dumps(config: Config, old: str = "") -> str:
    """The text of the settings; given their old text, comments stay and what is at its default stays away."""
    settings = {"emitters": list(config.emitters), "profile": config.profile, "install": config.install}
    return yamltext.rewrite({"schema": SCHEMA, **{key: value for key, value in settings.items() if value}}, old)
