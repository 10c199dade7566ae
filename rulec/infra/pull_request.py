"""The comments of a GitHub pull request, over the REST API that a workflow names."""

import json
import re
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from rulec.errors import RulecError

SECONDS = 30.0  # that one answer may take
PAGES = 20  # of comments that are looked through
PAGE = 100  # comments of one
_LARGEST = 20_000_000  # bytes of an answer
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+")
_OUTSIDE = "run it in a workflow on pull_request, with GITHUB_TOKEN in its environment"


@dataclass(frozen=True, slots=True, kw_only=True)
class PullRequest:
    """A pull request, and what may write to it."""

    api: str
    repository: str
    number: int
    token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A comment, and whether a program wrote it."""

    id: int
    body: str
    by_program: bool


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the token is for the API alone."""

    def redirect_request(self, *_: Any) -> None:
        """None: the answer stays the redirect, which is refused."""


def pull_request_of(environment: Mapping[str, str]) -> PullRequest:
    """The pull request that a workflow runs for; RulecError where it runs for none, or may not write."""
    api = environment.get("GITHUB_API_URL", "").rstrip("/")
    parts = urlsplit(api)
    if parts.scheme != "https" and (parts.scheme, parts.hostname) != ("http", "127.0.0.1"):
        raise RulecError("GITHUB_API_URL is no https address", hint=_OUTSIDE)
    repository, token = environment.get("GITHUB_REPOSITORY", ""), environment.get("GITHUB_TOKEN", "")
    if not _REPOSITORY.fullmatch(repository) or not token:
        raise RulecError("GITHUB_REPOSITORY or GITHUB_TOKEN is missing", hint=_OUTSIDE)
    try:
        event = json.loads(Path(environment.get("GITHUB_EVENT_PATH", "")).read_text("utf-8"))
        number = int(event["pull_request"]["number"])
    except (OSError, ValueError, KeyError, TypeError):
        raise RulecError("the event of GITHUB_EVENT_PATH is of no pull request", hint=_OUTSIDE) from None
    return PullRequest(api=api, repository=repository, number=number, token=token)


def comments_of(pull: PullRequest) -> Iterator[Comment]:
    """Its comments, oldest first."""
    for page in range(1, PAGES + 1):
        path = f"issues/{pull.number}/comments?per_page={PAGE}&page={page}"
        found = _ask(pull, "GET", path)
        listed = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
        for one in listed:
            user = one.get("user")
            by_program = isinstance(user, dict) and user.get("type") == "Bot"
            yield Comment(id=int(one["id"]), body=str(one.get("body") or ""), by_program=by_program)
        if len(listed) < PAGE:
            return


def add_comment(pull: PullRequest, body: str) -> None:
    """Write a comment."""
    _ask(pull, "POST", f"issues/{pull.number}/comments", body)


def change_comment(pull: PullRequest, comment: int, body: str) -> None:
    """Give a comment another text."""
    _ask(pull, "PATCH", f"issues/comments/{comment}", body)


def _ask(pull: PullRequest, method: str, path: str, body: str = "") -> Any:
    request = urllib.request.Request(  # noqa: S310 (pull_request_of takes only https, or this machine)
        f"{pull.api}/repos/{pull.repository}/{path}",
        method=method,
        data=json.dumps({"body": body}).encode() if body else None,
        headers={
            "Authorization": f"Bearer {pull.token}",
            "Accept": "application/vnd.github+json",
            "Content-Type": "application/json",
            "User-Agent": "rulec",
        },
    )
    try:
        with urllib.request.build_opener(_NoRedirect).open(request, timeout=SECONDS) as answer:
            return json.loads(answer.read(_LARGEST))
    except urllib.error.HTTPError as error:
        hint = "give the job the permission pull-requests: write" if error.code in (403, 404) else "try it again later"
        raise RulecError(f"GitHub answered {error.code} to {method} {path.partition('?')[0]}", hint=hint) from None
    except (OSError, ValueError) as error:
        raise RulecError(f"GitHub cannot be reached: {error}", hint="try it again later") from None
