"""One run's conversation with one backend: what was answered before, the fence, the budget, the schema."""

import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rulec import registry
from rulec.domain.outcome import Progress
from rulec.domain.plugs import Backend
from rulec.domain.prompt import ModelAnswer, ModelFailure, ModelReply, ModelRequest, ModelSettings, Prompt
from rulec.domain.template import Render
from rulec.infra import clock, state
from rulec.llm import model_settings
from rulec.llm.answer_caches import AnswerCache
from rulec.llm.answer_schema import FittedAnswer, fit_to_schema, line_of_value
from rulec.llm.budget import Budget
from rulec.llm.model_settings import lacking_consent, with_folder
from rulec.llm.prompt_safety import clean_answer, clean_line, clean_prompt, wrap_untrusted

_LONG = 2_000_000  # a request to somebody elsewhere takes as long as to read so many bytes: a person sees a bar
_TRIES = 2  # how often a request is sent whose answer does not fit
_FORM = "it must be one JSON object of the stated form"
_OFF = ModelFailure(
    what="no backend is configured", hint="rulec ingest --backend NAME, or models.backend in the settings", over=True
)


class Conversation:
    """One run's conversation with one backend.

    ``top`` is None where there is no repository: nothing is kept then, and an exchange has no place.
    """

    def __init__(
        self, top: Path | None, models: ModelSettings, render: Render, say: Callable[[str], None], progress: Progress
    ) -> None:
        self.top, self.render, self._say, self._progress = top, render, say, progress
        self.off = not models.backend
        self.models = models
        self.open: set[str] = set()  # keys of what was asked and is not answered yet
        self.over: ModelFailure | None = None  # why nothing more is asked in this run
        self.waits, self.key, self.model = False, "", ""  # of the backend
        self._sent: dict[str, str] = {}  # key of a prompt -> of what was sent of it
        if self.off:
            return
        self._backend: Backend = registry.backend(models.backend)
        self.models = with_folder(top, models)
        self.model = models.model or self._backend.model
        self.who = f"{self._backend.name} {self.model}".strip()
        self.waits, self.key = self._backend.waits, self._backend.key
        self._free = self._backend.free or self._backend.at_home(self.models)
        elsewhere = self._backend.elsewhere(self.models)
        # whose words they are
        self.source = f"{self.who} at {state.digest_of_values([elsewhere])}" if elsewhere else self.who
        if models.named == "option" and not self._free:
            model_settings.record_consent(top, self._backend.name)
        self._answers = AnswerCache(top, self.source)
        self._long = 1 if self._free else _LONG
        self._left_out: list[str] = []  # of what was answered, and not told yet
        beyond = self._backend.beyond(self.model)
        self._spent = Budget(models, self.model, self._free, beyond, self.waits)

    def lacks(self) -> str:
        """What it takes to ask and is not here, "" where nothing is."""
        if self.off:
            return ""
        paid = "" if self._backend.free else model_settings.lacking_top_level()
        paid = paid or lacking_consent(self.top, self.models, self._backend)
        return paid or clean_line(self._backend.missing(self.models))

    def ask(self, prompts: Sequence[Prompt]) -> list[ModelReply]:
        """What each prompt is answered, in their order.

        Data is sent as ``redact`` leaves it, and answers come without keys: compare both sides redacted.
        """
        if self.off:
            return [_OFF for _ in prompts]
        clean = [clean_prompt(prompt) for prompt in prompts]
        self._sent |= {prompt.key: sent.key for prompt, sent in zip(prompts, clean, strict=True)}
        heard: dict[str, ModelReply] = {}
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

    def _known(self, prompt: Prompt) -> ModelAnswer | None:
        answer = self._answers.known(prompt.key)
        fits = fit_to_schema(answer.data, prompt.schema, whole=prompt.whole) if answer else None
        return replace(answer, data=self._counted(fits)) if answer and fits and not fits.misfit else None

    def _counted(self, fits: FittedAnswer) -> Any:
        """What of an answer counts; the rest is told."""
        self._left_out += [one.what for one in fits.left_out]
        return fits.data

    def _tell(self) -> None:
        if self._left_out:
            more = f" (and {len(self._left_out) - 1} more)" * (len(self._left_out) > 1)
            self._say(f"of what {self.who} answered, in another form and not counted: {self._left_out[0]}{more}")
            self._left_out = []

    def _send(self, todo: list[Prompt], heard: dict[str, ModelReply]) -> None:
        if lacks := self.lacks():
            self.over = self.over or ModelFailure(what=lacks, over=True, unasked=True)
        left = [(prompt, _fence_prompt(prompt)) for prompt in todo]
        again: list[tuple[Prompt, ModelFailure]] = []
        self._announce([request for _, request in left])
        with self._progress(f"asking {self.who}", len(left) * self._long) as tick:
            for tries in range(_TRIES):
                while left:
                    group = self._group(left)
                    left = left[len(group) :]
                    again += self._ask(group, heard, tick, last=tries == _TRIES - 1)
                left, again = [(prompt, _fence_prompt(prompt, why.wanted or _FORM)) for prompt, why in again], []
        self._answers.prune()
        if self._answers.broken:
            self._say(f"answers are not kept for the next run: {self._answers.broken}")

    def _announce(self, requests: Sequence[ModelRequest]) -> None:
        """What it may come to, before anything is paid for."""
        if self._free or self.over or not self._spent.fits(requests[:1]):
            return  # the last of these is told in its own words
        _, dollars = self._spent.worst(requests)
        many = "1 request" if len(requests) == 1 else f"{len(requests)} requests"
        many = many if self._spent.fits(requests) else f"up to {many}"
        sent = sum(request.tokens for request in requests)
        limit = f"at most ${min(dollars, self.models.money):.2f}"
        what = f"{many}, about {sent:,} tokens, {limit} (models.money: {self.models.money:g})"
        self._say(f"asking {self.who}: {what}")

    def _group(self, left: Sequence[tuple[Prompt, ModelRequest]]) -> list[tuple[Prompt, ModelRequest]]:
        """Those that go out beside each other: as many as the budget bears in the worst case, at least one."""
        if self.over:
            return list(left)
        requests = [request for _, request in left]
        group = list(left[: self._spent.bears(requests[: max(1, self._backend.beside)])])
        if not self._spent.fits([request for _, request in group]):
            self.over = self._spent.used_up(group[0][1])
        return group

    def _ask(
        self, group: Sequence[tuple[Prompt, ModelRequest]], heard: dict[str, ModelReply], tick: Callable[[int], None],
        *, last: bool,
    ) -> list[tuple[Prompt, ModelFailure]]:  # fmt: skip
        """Send some requests; those whose answers do not fit come back with why, unless it was the ``last`` time."""
        if self.over:
            heard.update((prompt.key, self.over) for prompt, _ in group)
            self.open.update(prompt.key for prompt, _ in group)
            return []
        again, kept, left = [], set[str](), clock.countdown(self.models.seconds)
        answers = self._backend.ask([request for _, request in group], self.models)
        for prompt, _ in group:
            one = next(answers, None) or ModelFailure(what=f"{self._backend.name} has not answered")
            raw, one = one, self._held(prompt, one, kept)
            self._spent.count(one if self._backend.waits else raw)  # a file that has to be mended answers nothing yet
            if isinstance(one, ModelFailure) and self.models.aside and left() <= 0:
                one = replace(one, hint=self._later(), over=True)
            heard[prompt.key] = one
            (self.open.discard if isinstance(one, ModelAnswer) else self.open.add)(prompt.key)
            if isinstance(one, ModelFailure) and one.misfit and not one.over and not last:
                again.append((prompt, one))
            elif isinstance(one, ModelFailure) and one.over:
                self.over = one
            tick(self._long)
        if kept:
            self._backend.kept(kept, self.models)
        return again

    def _later(self) -> str:
        """Who asks again what nobody waits for now."""
        hand = f"rulec check --base REF --backend {self._backend.name} waits longer"
        return "CI asks again" if "ci" in self.models.judges else hand

    def _held(self, prompt: Prompt, one: ModelReply, kept: set[str]) -> ModelReply:
        """An answer as it may be relied on: of the form that was asked for, without keys, and kept."""
        if isinstance(one, ModelFailure):
            return replace(one, what=clean_line(one.what), hint=clean_line(one.hint))
        if not isinstance(one, ModelAnswer):
            return one
        fits = fit_to_schema(one.data, prompt.schema, whole=prompt.whole)
        if one.place and (bad := fits.misfit):  # whoever wrote that file can still mend it
            return ModelFailure(
                what=f"{one.place}:{line_of_value(one.text, bad.path)}: {bad.what}", hint="fix that file"
            )
        if bad := fits.misfit:
            hint = "another model may do better: models.model"
            what = f"{self.who} answered in another form: {bad.what}"
            return ModelFailure(what=what, hint=hint, misfit=True, theirs=True, wanted=bad.wanted)
        whole = replace(one, data=clean_answer(one.data), place="", text="")
        if self._answers.keep(prompt.key, whole):
            kept.add(prompt.key)
        return replace(whole, data=clean_answer(self._counted(fits)))


def _fence_prompt(prompt: Prompt, refused: str = "") -> ModelRequest:
    while True:
        try:
            return wrap_untrusted(prompt, f"rulec-{secrets.token_hex(8)}", refused)
        except ValueError:  # the data holds that very mark, which nobody could know
            continue
