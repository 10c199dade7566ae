"""Environments that commands keep away from: the production cluster, the live database, a cloud profile."""

import re
from collections.abc import Iterator

from rulec.fits._demands import Demand, check
from rulec.fits._programs import PROGRAMS

_CLUSTER = ("kubectl", "helm", "k9s", "stern", "kubectx", "kustomize", "flux", "argocd")
_DATABASE = ("psql", "mysql", "mariadb", "mongosh", "redis-cli", "pg_dump", "pg_restore", "mysqldump", "sqlcmd")
_CLOUD = ("aws", "gcloud", "az", "terraform", "tofu", "pulumi", "cdk", "sam", "eb")
_HOSTS = ("ssh", "scp", "rsync", "sftp", "mosh", "ansible", "ansible-playbook", "heroku", "fly", "flyctl")
_TOOLS = {
    "context": _CLUSTER,
    "cluster": _CLUSTER,
    "namespace": _CLUSTER,
    "database": _DATABASE,
    "db": _DATABASE,
    "profile": _CLOUD,
    "account": _CLOUD,
    "project": _CLOUD,
    "workspace": _CLOUD,
    "server": _HOSTS,
    "host": _HOSTS,
}
_SPOKEN = re.compile(
    r"\b(?:against|on|at|to|in|with|for|using|use)(?: the| our| any)* (?P<env>prod|production|live)"
    rf"(?: (?P<what>{'|'.join(_TOOLS)}|environment|env|system|data)s?)?\W*$",
    re.IGNORECASE,
)
_ACTING = re.compile(
    r"^(?:run|use|execute|connect|point|switch|work|do|call|query|access|talk|log ?in|ssh|apply|test|write)\b|"
    rf"^(?:{'|'.join(map(re.escape, sorted(PROGRAMS)))})\b"
)
_NAMES = {"prod": "prod(?:uction)?", "production": "prod(?:uction)?", "live": "live"}


def demands(subject: str) -> Iterator[Demand]:
    """A phrase like "run kubectl against the prod context"."""
    found = _SPOKEN.search(subject)
    if not found or not _ACTING.match(subject):
        return
    spoken = [word for word in re.findall(r"[\w-]+", subject[: found.start()]) if word in PROGRAMS]
    known = _TOOLS.get((found["what"] or "").lower(), (*_CLUSTER, *_DATABASE, *_CLOUD, *_HOSTS))
    tools, env = (spoken or list(known)), found["env"].lower()
    arguments = rf"(?i)(?:^|[^a-z]){_NAMES[env]}(?:[^a-z]|$)"
    forbidden = check("forbid-command", commands=tools, arguments=arguments)
    good = (f"{tools[0]} staging", f"{tools[0]} --version", f"echo '{tools[0]} {env}'")
    yield Demand((forbidden,), (f"{tools[0]} {env}",), good)
