"""Settings of the team, ``.rules/config.yaml``, and the locks of the rulebooks that it extends."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from functools import lru_cache
from typing import Any

from rulec.domain.enforcement import SHOWN
from rulec.domain.patterns.safety import glob_problem, refuse_pattern
from rulec.domain.prompt import JUDGE_GATES, MOST_OF_A_TEAM, ModelSettings
from rulec.rulebook import yaml_text
from rulec.rulebook.rule_file import checked_slug
from rulec.rulebook.test_suites import Suite, parse_suites, plain_suites
from rulec.rulebook.yaml_text import YamlNode


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtendedRulebook:
    """Another team's rulebook that this one extends: its address and the pinned revision."""

    name: str
    url: str
    rev: str
    path: str = ""  # the folder in that repository that holds .rules; "" is its top


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """``.rules/config.yaml``."""

    emitters: tuple[str, ...] = ()
    install: str = ""  # what pip installs elsewhere to have this rulec: in CI, under pre-commit, at a colleague's
    on_missing: str = "pass"  # what a clone without rulec does with agents' tool calls: pass or deny
    budget: int = 1500  # tokens of a document that holds the rules in words
    owners: tuple[str, ...] = ()  # who approves what weakens the gate: "@org/team"; CODEOWNERS names them
    protected: tuple[str, ...] = ()  # globs of paths that no agent may write
    weakened: str = "warn"  # what CI makes of a change that weakens the gate: warn or block
    extends: tuple[ExtendedRulebook, ...] = ()  # the first one listed wins where two have a rule of the same name
    models: ModelSettings = field(default_factory=ModelSettings)
    tests: tuple[Suite, ...] = ()  # what `rulec run` runs
    learn: str = "tell"  # in a person's own settings: what is done with the corrections of a session that ended
    weights: bool = True  # what is said follows what each person's agents stumble over
    models_told: tuple[str, ...] = ()  # which of its keys the file names: a person's own stand before the team's


_OWNER = re.compile(r"@[\w.-]+(?:/[\w./-]+)?|@@[a-z]+|[\w.+-]+@[\w.-]+\.\w+")
MISSING_ACTIONS = ("pass", "deny")  # what .rules/hook does where rulec is missing
WEAKENING_ACTIONS = SHOWN  # what CI makes of a change that weakens the gate
LEARNING = ("tell", "auto", "off")  # auto: a model reads them in the background, within its budget
_MODELS = tuple(f.name for f in fields(ModelSettings) if f.name not in ("folder", "named"))  # those are set elsewhere
_NAME = re.compile(r"\w[\w.:/@-]{0,119}")
_ADDRESS = re.compile(
    r"https://[\w.-]+(?::\d{1,5})?(?:/[\w./-]*)?|http://(?:localhost|127\.0\.0\.1)(?::\d{1,5})?(?:/[\w./-]*)?"
)
_AMOUNTS = {"seconds": (1, 3_600), "money": (0, 1_000_000)}  # of a request, and in dollars of a run
LEAST_BUDGET = 200  # tokens; what stands around the rules takes a third of them


@lru_cache(maxsize=8)  # a verb reads the same settings several times, at 10 ms each
def parse_config(text: str, *, source: str, own: bool = False, past: bool = False) -> Config:
    """Settings from the text of their file, all at their defaults where it is empty.

    In a repository that is not the person's ``own`` nobody may say where their key is sent. Of a ``past`` commit, which
    another version of rulec may have written, keys that this one does not know are left out.
    """
    if not text.strip():
        return Config()
    top = YamlNode.load(text, source)
    known = ("schema", *(field.name for field in fields(Config) if field.name != "models_told"))
    top.known((*known, *(map(str, top.data) if past else ())))
    extends = tuple(_extension(node) for node in top.items("extends"))
    for number, one in enumerate(extends):
        if one.name in {other.name for other in extends[:number]}:
            raise top.error("extends", f"names {one.name} twice", "give one of them another name")
    return Config(
        emitters=top.texts("emitters"),
        install=top.text("install"),
        on_missing=top.choice("on_missing", MISSING_ACTIONS) if top.has("on_missing") else MISSING_ACTIONS[0],
        budget=top.integer("budget", Config().budget, LEAST_BUDGET),
        owners=_owners(top),
        protected=_protected(top),
        weakened=top.choice("weakened", WEAKENING_ACTIONS) if top.has("weakened") else WEAKENING_ACTIONS[0],
        extends=extends,
        models=_models(top.mapping("models"), own=own),
        tests=parse_suites(top.mapping("tests")),
        learn=_learn(top, own=own),
        weights=top.flag("weights") if top.has("weights") else True,
        models_told=tuple(key for key in _MODELS if top.mapping("models").has(key)),
    )


def _learn(top: YamlNode, *, own: bool) -> str:
    """What is done with what a session leaves; it costs the person's money, so no repository says it."""
    if not top.has("learn"):
        return LEARNING[0]
    if not own:
        raise top.error("learn", "may not stand in a repository", "it is for your own settings: see docs/models.md")
    return top.choice("learn", LEARNING)


def _models(node: YamlNode, *, own: bool) -> ModelSettings:
    """Who is asked, and how much that may cost."""
    node.known(_MODELS)
    if node.has("base_url") and not own:
        hint = "it says where keys are sent: put it into your own settings, or into ANTHROPIC_BASE_URL"
        raise node.error("base_url", "may not stand in a repository", hint)
    for key, most in MOST_OF_A_TEAM.items():
        if not own and node.has(key) and node.number(key) > most:
            hint = "a person's own settings may say more"
            raise node.error(key, f"may be at most {most:,} in a repository", hint)
    usual = ModelSettings()
    judges = node.texts("judges", usual.judges)
    odd = next((gate for gate in judges if gate not in JUDGE_GATES), None)
    if odd is not None:
        raise node.error("judges", f"names {odd[:40]!r}, which is no gate", f"known are {', '.join(JUDGE_GATES)}")
    return ModelSettings(
        backend=_word(node, "backend"),
        model=_word(node, "model"),
        base_url=_address(node),
        seconds=_amount(node, "seconds", usual.seconds),
        tokens=node.integer("tokens", usual.tokens, 0),
        money=_amount(node, "money", usual.money),
        judges=tuple(gate for gate in JUDGE_GATES if gate in judges),
    )


def _word(node: YamlNode, key: str) -> str:
    text = node.text(key)
    if text and not _NAME.fullmatch(text):
        raise node.error(key, f"{text[:40]!r} is no name", "write letters, digits and .:/@_- alone")
    return text


def _address(node: YamlNode) -> str:
    text = node.text("base_url")
    if text and not _ADDRESS.fullmatch(text):
        hint = "write https://HOST without a key or a login; http:// is for this machine alone"
        raise node.error("base_url", "is no address that a key may be sent to", hint)
    return text


def _amount(node: YamlNode, key: str, usual: float) -> float:
    found = node.number(key) if node.has(key) else usual
    least, most = _AMOUNTS[key]
    if not least <= found <= most:
        raise node.error(key, f"must be from {least} to {most:,}", f"write a number such as {usual:g}")
    return found


def _owners(top: YamlNode) -> tuple[str, ...]:
    """Handles and addresses as CODEOWNERS knows them."""
    owners = top.texts("owners")
    odd = next((one for one in owners if not _OWNER.fullmatch(one)), None)
    if odd is not None:
        raise top.error("owners", f"names {odd[:40]!r}, which is no owner", 'write "@name", "@org/team" or an address')
    return owners


def _protected(top: YamlNode) -> tuple[str, ...]:
    for glob in (found := top.texts("protected")):
        refuse_pattern(glob_problem(glob), glob, "protected", top.where("protected"))
    return found


def _extension(node: YamlNode) -> ExtendedRulebook:
    node.known([field.name for field in fields(ExtendedRulebook)])
    url, rev = node.text("url", required=True), node.text("rev", required=True)
    name = checked_slug(node.text("name") or default_name(url), node.where("name" if node.has("name") else "url"))
    return ExtendedRulebook(name=name, url=url, rev=rev, path=node.text("path"))


def default_name(url: str) -> str:
    """What a rulebook is called whose place is all that is known: the last part of that place."""
    last = re.split(r"[/:\\]", url.rstrip("/\\"))[-1].removesuffix(".git")
    return re.sub(r"[^a-z0-9]+", "-", last.lower()).strip("-")


def dump_config(config: Config, old: str = "") -> str:
    """The text of the settings; given their old text, comments stay and what is at its default stays away."""
    settings: dict[str, Any] = {
        "emitters": list(config.emitters),
        "install": config.install,
        "budget": config.budget if config.budget != Config().budget else 0,
        "owners": list(config.owners),
        "protected": list(config.protected),
        "weakened": config.weakened if config.weakened != Config().weakened else "",
        "extends": [_plain(extension) for extension in config.extends],
        "tests": plain_suites(config.tests),
        "models": {key: _listed(getattr(config.models, key)) for key in config.models_told},
    }
    told = {key: value for key, value in settings.items() if value}
    told |= {} if config.learn == LEARNING[0] else {"learn": config.learn}
    told |= {} if config.weights else {"weights": False}
    return yaml_text.rewrite_yaml({"schema": yaml_text.SCHEMA_VERSION, **told}, old)


def _listed(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _plain(extension: ExtendedRulebook) -> dict[str, str]:
    told = {field.name: str(getattr(extension, field.name)) for field in fields(ExtendedRulebook)}
    return {key: value for key, value in told.items() if value}


@dataclass(frozen=True, slots=True, kw_only=True)
class RulebookLock:
    """What was asked for, the commit that it was then, and the digest of the files that were taken."""

    url: str
    rev: str
    path: str = ""
    commit: str
    tree: str

    def answers(self, wanted: ExtendedRulebook) -> bool:
        """Whether this is what the settings name."""
        return (self.url, self.rev, self.path) == (wanted.url, wanted.rev, wanted.path)


def files_digest(files: Mapping[str, str]) -> str:
    """What files say, whatever order they come in; names are those below the vendored folder."""
    plain = {name: text.replace("\r\n", "\n") for name, text in files.items()}  # git may change line ends
    told = [f"{name}\0{len(text)}\0{text}" for name, text in sorted(plain.items())]
    return hashlib.sha256("\0".join(told).encode("utf-8", "surrogatepass")).hexdigest()


def parse_lock(text: str, *, source: str) -> RulebookLock:
    """A lock from the text of its file."""
    top = YamlNode.load(text, source)
    top.known(["schema", *(field.name for field in fields(RulebookLock))])
    needed = {key: top.text(key, required=True) for key in ("url", "rev", "commit", "tree")}
    return RulebookLock(path=top.text("path"), **needed)


def dump_lock(lock: RulebookLock) -> str:
    """The text of a lock's file."""
    kept = {key: value for key, value in asdict(lock).items() if value}
    return yaml_text.rewrite_yaml({"schema": yaml_text.SCHEMA_VERSION, **kept}, "")
