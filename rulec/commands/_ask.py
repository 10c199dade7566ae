"""Where prompts meet a backend: what was answered before, the fence, the budget, the schema."""

import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rulec import configfile, registry
from rulec.commands._ask_clean import clean_answer, clean_line, clean_prompt
from rulec.commands._ask_form import Fitting, fitting
from rulec.commands._ask_kept import Answers
from rulec.commands._ask_line import line_of
from rulec.commands._ask_spent import Spent
from rulec.commands._progress import Progress
from rulec.host import below, clock, consent, personal, state, worktree
from rulec.model.exchange import TEAMS, Answer, Heard, Models, Prompt, Request, Trouble
from rulec.model.rulebook import Config, Rulebook
from rulec.ports import Backend, Render
from rulec.stages.fence import fence

PLACE = ".rulec"  # in the work tree: what is exchanged with whoever answers
_LONG = 2_000_000  # a request to somebody elsewhere takes as long as to read so many bytes: a person sees a bar
_TRIES = 2  # how often a request is sent whose answer does not fit
_FORM = "it must be one JSON object of the stated form"
_OFF = Trouble(
    what="no backend is configured", hint="rulec ingest --backend NAME, or models.backend in the settings", over=True
)


def models(top: Path | None, book: Rulebook, backend: str = "") -> Models:
    """Who is asked: the option before the person's own settings before the team's.

    A repository, which may be anybody's, must not choose where a person's key is sent, nor spend without end by it.
    """
    ours = top is not None and worktree.is_own(top)
    layers = {
        "team": _told(book.config, own=ours),
        "own": _told(own(), own=True),
        "option": {"backend": backend} if backend else {},
    }
    found: dict[str, Any] = {}
    for name, layer in layers.items():
        if layer.get("backend"):
            found["named"] = "own" if ours and name == "team" else name
        if layer.get("backend", found.get("backend")) != found.get("backend"):
            found.pop("model", None)  # a model of one backend is none of another's
        found |= layer
    return Models(**found)


def own() -> Config:
    """The person's own settings."""
    path = personal.place() / worktree.CONFIG
    return configfile.loads(worktree.text(path), source=str(path), own=True) if path.is_file() else Config()


def _told(config: Config, *, own: bool) -> dict[str, Any]:
    told = {name: getattr(config.models, name) for name in config.models_told if own or name != "base_url"}
    return told if own else {name: min(value, TEAMS.get(name, value)) for name, value in told.items()}


def unbidden(top: Path | None, models: Models, backend: Backend) -> str:
    """Why a repository's settings alone do not let us ask it, "" where they do or somebody else named it."""
    if backend.free or backend.at_home(models) or models.named != "team" or consent.given(top, backend.name):
        return ""
    once = " or ".join(f"{verb} --backend {backend.name}" for verb in ("rulec ingest", "rulec check --base REF"))
    return f"only this repository's settings name it, and it costs: {once} allows it, or models.backend of your own"


def placed(top: Path | None, models: Models) -> Models:
    """With the folder in which the backend may keep files."""
    folder = str(top / PLACE / models.backend) if top is not None else ""
    return replace(models, folder=models.folder or folder)


class Talk:
    """One run's conversation with one backend.

    ``top`` is None where there is no repository: nothing is kept then, and an exchange has no place.
    """

    def __init__(
        self, top: Path | None, models: Models, render: Render, say: Callable[[str], None], progress: Progress
    ) -> None:
        self.top, self.render, self._say, self._progress = top, render, say, progress
        self.off = not models.backend
        self.models = models
        self.open: set[str] = set()  # keys of what was asked and is not answered yet
        self.over: Trouble | None = None  # why nothing more is asked in this run
        self.waits, self.key, self.model = False, "", ""  # of the backend
        self._sent: dict[str, str] = {}  # key of a prompt -> of what was sent of it
        if self.off:
            return
        self._backend: Backend = registry.backend(models.backend)
        self.models = placed(top, models)
        self.model = models.model or self._backend.model
        self.who = f"{self._backend.name} {self.model}".strip()
        self.waits, self.key = self._backend.waits, self._backend.key
        self._free = self._backend.free or self._backend.at_home(self.models)
        elsewhere = self._backend.elsewhere(self.models)
        self.source = f"{self.who} at {state.digest([elsewhere])}" if elsewhere else self.who  # whose words they are
        if models.named == "option" and not self._free:
            consent.note(top, self._backend.name)
        self._answers = Answers(top, self.source)
        self._long = 1 if self._free else _LONG
        self._left_out: list[str] = []  # of what was answered, and not told yet
        beyond = self._backend.beyond(self.model)
        self._spent = Spent(models, self.model, self._free, beyond, self._backend.bulk, self.waits)

    def lacks(self) -> str:
        """What it takes to ask and is not here, "" where nothing is."""
        if self.off:
            return ""
        paid = "" if self._backend.free else below.below()
        paid = paid or unbidden(self.top, self.models, self._backend)
        return paid or clean_line(self._backend.missing(self.models))

    def ask(self, prompts: Sequence[Prompt]) -> list[Heard]:
        """What each prompt is answered, in their order.

        Data is sent as ``redact`` leaves it, and answers come without keys: compare both sides redacted.
        """
        if self.off:
            return [_OFF for _ in prompts]
        clean = [clean_prompt(prompt) for prompt in prompts]
        self._sent |= {prompt.key: sent.key for prompt, sent in zip(prompts, clean, strict=True)}
        heard: dict[str, Heard] = {}
        for prompt in clean:
            known = self._known(prompt) if prompt.key not in heard else None
            if known:
                heard[prompt.key] = known
                self._spent.known += 1
        if heard:
            self._backend.kept(heard.keys(), self.models)  # of a run that was killed before it could say so
        todo = list({prompt.key: prompt for prompt in clean if prompt.key not in heard}.values())
        if todo:
            self._send(todo, heard)
        self._tell()
        return [heard[prompt.key] for prompt in clean]

    def knows(self, prompt: Prompt) -> bool:
        """Whether its answer is kept."""
        return not self.off and self._known(clean_prompt(prompt)) is not None

    def forget(self, keys: Iterable[str]) -> None:
        """Keep no answers to the prompts with these keys: whoever asked does not believe them."""
        for key in keys:
            if key in self._sent:
                self._answers.forget(self._sent[key])

    def spent(self) -> str:
        """One line of what was asked and what that cost, "" where nothing was."""
        return "" if self.off or not (told := self._spent.told()) else f"asked {self.who}: {told}"

    def _known(self, prompt: Prompt) -> Answer | None:
        answer = self._answers.known(prompt.key)
        fits = fitting(answer.data, prompt.schema, whole=prompt.whole) if answer else None
        return replace(answer, data=self._counted(fits)) if answer and fits and not fits.misfit else None

    def _counted(self, fits: Fitting) -> Any:
        """What of an answer counts; the rest is told."""
        self._left_out += [one.what for one in fits.left_out]
        return fits.data

    def _tell(self) -> None:
        if self._left_out:
            more = f" (and {len(self._left_out) - 1} more)" * (len(self._left_out) > 1)
            self._say(f"of what {self.who} answered, in another form and not counted: {self._left_out[0]}{more}")
            self._left_out = []

    def _send(self, todo: list[Prompt], heard: dict[str, Heard]) -> None:
        if lacks := self.lacks():
            self.over = self.over or Trouble(what=lacks, over=True, unasked=True)
        left = [(prompt, _fenced(prompt)) for prompt in todo]
        again: list[tuple[Prompt, Trouble]] = []
        self._announce([request for _, request in left])
        with self._progress(f"asking {self.who}", len(left) * self._long) as tick:
            for tries in range(_TRIES):
                while left:
                    group = self._group(left)
                    left = left[len(group) :]
                    again += self._ask(group, heard, tick, last=tries == _TRIES - 1)
                left, again = [(prompt, _fenced(prompt, why.wanted or _FORM)) for prompt, why in again], []
        self._answers.prune()
        if self._answers.broken:
            self._say(f"answers are not kept for the next run: {self._answers.broken}")

    def _announce(self, requests: Sequence[Request]) -> None:
        """What it may come to, before anything is paid for."""
        if self._free or self.over or not self._spent.fits(requests[:1]):
            return  # the last of these is told in its own words
        _, dollars = self._spent.worst(requests)
        many = "1 request" if len(requests) == 1 else f"{len(requests)} requests"
        many = many if self._spent.fits(requests) else f"up to {many}"
        sent = sum(request.tokens for request in requests)
        limit = f"at most ${min(dollars, self.models.money):.2f}"
        how = self._in_batches(requests) if self._spent.together(requests) else ""
        what = f"{many}, about {sent:,} tokens, {limit} (models.money: {self.models.money:g}){how}"
        self._say(f"asking {self.who}: {what}")

    def _in_batches(self, requests: Sequence[Request]) -> str:
        """In how many, for each may take a day: so many of them as the budget bears go at once."""
        many = -(-len(requests) // self._spent.bears(requests))
        one, more = "a batch, within a day", f"about {many} batches, one after the other and each within a day"
        hint = "" if many == 1 else "; a larger budget takes fewer"
        return f"; as {one if many == 1 else more}: stop with Ctrl-C, and the next run hears it{hint}"

    def _group(self, left: Sequence[tuple[Prompt, Request]]) -> list[tuple[Prompt, Request]]:
        """Those that go out beside each other: as many as the budget bears in the worst case, at least one."""
        if self.over:
            return list(left)
        requests = [request for _, request in left]
        most = len(left) if self._spent.together(requests) else max(1, self._backend.beside)
        group = list(left[: self._spent.bears(requests[:most])])
        if not self._spent.fits([request for _, request in group]):
            self.over = self._spent.used_up(group[0][1])
        return group

    def _ask(
        self, group: Sequence[tuple[Prompt, Request]], heard: dict[str, Heard], tick: Callable[[int], None],
        *, last: bool,
    ) -> list[tuple[Prompt, Trouble]]:  # fmt: skip
        """Send some requests; those whose answers do not fit come back with why, unless it was the ``last`` time."""
        if self.over:
            heard.update((prompt.key, self.over) for prompt, _ in group)
            self.open.update(prompt.key for prompt, _ in group)
            return []
        again, kept, left = [], set[str](), clock.countdown(self.models.seconds)
        answers = self._backend.ask([request for _, request in group], self.models)
        for prompt, _ in group:
            one = next(answers, None) or Trouble(what=f"{self._backend.name} has not answered")
            raw, one = one, self._held(prompt, one, kept)
            self._spent.count(one if self._backend.waits else raw)  # a file that has to be mended answers nothing yet
            if isinstance(one, Trouble) and self.models.aside and left() <= 0:
                one = replace(one, hint=self._later(), over=True)
            heard[prompt.key] = one
            (self.open.discard if isinstance(one, Answer) else self.open.add)(prompt.key)
            if isinstance(one, Trouble) and one.misfit and not one.over and not last:
                again.append((prompt, one))
            elif isinstance(one, Trouble) and one.over:
                self.over = one
            tick(self._long)
        if kept:
            self._backend.kept(kept, self.models)
        return again

    def _later(self) -> str:
        """Who asks again what nobody waits for now."""
        hand = f"rulec check --base REF --backend {self._backend.name} waits longer"
        return "CI asks again" if "ci" in self.models.judges else hand

    def _held(self, prompt: Prompt, one: Heard, kept: set[str]) -> Heard:
        """An answer as it may be relied on: of the form that was asked for, without keys, and kept."""
        if isinstance(one, Trouble):
            return replace(one, what=clean_line(one.what), hint=clean_line(one.hint))
        if not isinstance(one, Answer):
            return one
        fits = fitting(one.data, prompt.schema, whole=prompt.whole)
        if one.place and (bad := fits.misfit):  # whoever wrote that file can still mend it
            return Trouble(what=f"{one.place}:{line_of(one.text, bad.path)}: {bad.what}", hint="mend that file")
        if bad := fits.misfit:
            hint = "another model may do better: models.model"
            what = f"{self.who} answered in another form: {bad.what}"
            return Trouble(what=what, hint=hint, misfit=True, theirs=True, wanted=bad.wanted)
        whole = replace(one, data=clean_answer(one.data), place="", text="")
        if self._answers.keep(prompt.key, whole):
            kept.add(prompt.key)
        return replace(whole, data=clean_answer(self._counted(fits)))


def _fenced(prompt: Prompt, refused: str = "") -> Request:
    while True:
        try:
            return fence(prompt, f"rulec-{secrets.token_hex(8)}", refused)
        except ValueError:  # the data holds that very mark, which nobody could know
            continue
