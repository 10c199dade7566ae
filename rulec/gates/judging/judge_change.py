"""Asks models whether a change keeps the rules that only a model can check, and keeps their answers."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from rulec.checks.judge import judge_questions
from rulec.checks.judge.checker import looks_at, pair_judges, read_judge
from rulec.checks.judge.diff_pieces import cut_change, pieces_of, was_unreadable_before, why_not_sent
from rulec.checks.judge.judge_questions import NO_QUOTE, NOT_SURE, VERSION
from rulec.checks.judge.rulings import CUT, HIDDEN, Judge, JudgedPair, JudgeRequest, PairRuling, Piece, Ruling
from rulec.checks.skipped_files import is_newly_large
from rulec.compiling import artifacts
from rulec.domain.artifact import Artifact, RuleFacts
from rulec.domain.change import Change, FileChange
from rulec.domain.enforcement import SEVERITIES, OnError, refuses
from rulec.domain.finding import Fault, Finding, Verdict
from rulec.domain.prompt import AwaitedAnswer, ModelAnswer, ModelFailure, ModelReply
from rulec.domain.rule import Scope
from rulec.errors import RulecError
from rulec.gates.findings.check_runs import in_environment
from rulec.gates.findings.verdicts import decide_outcomes, in_generated_block
from rulec.gates.judging.judge_settings import JudgeOutcome, JudgeSettings
from rulec.llm import answer_caches
from rulec.llm.answer_caches import VerdictCache
from rulec.llm.conversation import Conversation

_DOUBTS = {"1": NO_QUOTE, "2": NOT_SURE, "3": HIDDEN, "4": CUT}
_CODES = {why: code for code, why in _DOUBTS.items()}
_RULINGS: dict[str, Ruling] = {"pass": "pass", "fail": "fail", "unsure": "unsure"}


def known_rulings(shelf: VerdictCache, pairs: Sequence[JudgedPair], who: str) -> list[PairRuling | None]:
    """The earlier answers for the pairs that were asked about before."""
    keys = _ruling_keys(pairs, who)
    lines = shelf.known(keys)
    return [_decode_ruling(pair, lines[key]) if key in lines else None for pair, key in zip(pairs, keys, strict=True)]


def keep_rulings(shelf: VerdictCache, words: Iterable[PairRuling], who: str) -> str:
    """Keep the answers that asking again would not change; the reason where that fails, else ""."""
    kept = [word for word in words if word.keep]
    keys = _ruling_keys([(word.judge, word.piece) for word in kept], who)
    return shelf.keep({key: _encode_ruling(word) for key, word in zip(keys, kept, strict=True)}) if kept else ""


def _ruling_keys(pairs: Sequence[JudgedPair], who: str) -> list[str]:
    """A key for each pair: what it is made of is long and repeats in many pairs."""
    parts: dict[int, Judge | Piece] = {id(one): one for pair in pairs for one in pair}
    digests = {name: one.digest for name, one in parts.items()}
    return [_ruling_key(digests[id(judge)], digests[id(piece)], who) for judge, piece in pairs]


def _ruling_key(judge: str, piece: str, who: str) -> str:
    name = "\0".join((judge, piece, who, str(VERSION)))
    return hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _encode_ruling(word: PairRuling) -> str:
    at = ",".join(map(str, word.at))
    return " ".join(filter(None, (word.ruling, at or _CODES.get(word.why, ""))))


def _decode_ruling(pair: JudgedPair, line: str) -> PairRuling | None:
    """The ruling in a line, None where the line cannot be about this pair."""
    judge, piece = pair
    said, _, rest = line.partition(" ")
    ruling = _RULINGS.get(said)
    if ruling is None or (ruling == "unsure" and rest not in _DOUBTS) or (ruling == "pass" and rest):
        return None
    places = tuple(int(part) for part in rest.split(",") if part.isdecimal()) if ruling == "fail" else ()
    right = all(place < len(piece.lines) and piece.lines[place].new for place in places)
    if not right or bool(places) != (ruling == "fail"):
        return None
    return PairRuling(
        judge=judge, piece=piece, ruling=ruling, at=places, why=_DOUBTS.get(rest, "") if not places else ""
    )


_SHOWN = 5  # rules that are named
_OFF = "no backend is configured"
_PASSED = "; a must rule blocks until it is judged: ask again, split the change, or let a person set enforcement: warn"
Left = Mapping[ModelReply | None, Sequence[Judge]]  # why they were not heard; None is that nobody is there to be asked


def judge_change(
    artifacts: Sequence[Artifact], change: Change, asking: JudgeSettings,
    messages: Mapping[str, str] | None = None,
) -> JudgeOutcome:  # fmt: skip
    """The verdicts of the judges that look at the change and at commit messages, given by name."""
    artifacts = in_environment(artifacts, change.environment)
    judges = [read_judge(artifact) for artifact in artifacts]
    here = _looked_at(judges, change)
    if asking.off:
        slugs = {one.facts.slug for one in judges for file in here.files if looks_at(one, file.path, here.environment)}
        return JudgeOutcome(counts={"judges_unasked": len(slugs)} if slugs else {}, unheard=frozenset(slugs))
    pieces, unsent = cut_change(here)
    said = {name: pieces_of(Change(message=text)) for name, text in (messages or {}).items()}
    spoken = dict.fromkeys(piece for some in said.values() for piece in some)
    pairs = [*_judged_pairs(artifacts, here, pieces), *pair_judges(artifacts, list(spoken), change.environment)]
    talk = _start_conversation(asking)
    words, left = _find_rulings(pairs, asking, talk) if pairs else ([], {})
    facts = {judge.facts.slug: judge.facts for judge in judges}
    seen = [
        *judge_questions.findings_of([word for word in words if word.piece.path or not said]),
        *_message_findings(words, said),
    ]
    seen = [replace(finding, by=_judge_name(talk)) for finding in seen if not in_generated_block(finding, change)]
    unread = list(_unsent_findings(judges, unsent, here.environment))
    counts = Counter({"judges_unsent": len(unsent)})
    for why, some in left.items():
        counts[_count_skipped(why)] += len({judge.facts.slug for judge in some})
    aside = asking.models.aside
    told = [verdict for why, some in left.items() for verdict in _not_judged(why, some, facts, aside=aside)]
    doubted = {word.judge.facts.slug for word in words if word.ruling == "unsure"} | {one.slug for one in unread}
    return JudgeOutcome(
        verdicts=[*decide_outcomes([*seen, *unread], facts, change), *told],
        counts={key: many for key, many in counts.items() if many},
        unheard=frozenset(doubted.union(judge.facts.slug for some in left.values() for judge in some)),
    )


def judges_messages(artifact: Artifact) -> bool:
    """Whether the artifact judges commit messages."""
    return read_judge(artifact).of == "message"


def _start_conversation(asking: JudgeSettings) -> Conversation | ModelFailure:
    """The conversation with the backend; an unknown backend is reported and refuses nothing by itself."""
    if asking.trouble:
        return asking.trouble
    try:
        return Conversation(
            asking.top, asking.models, artifacts.template_library(asking.top).render, asking.say, asking.progress
        )
    except RulecError as error:
        return ModelFailure(what=error.message, hint=error.hint)


def _judge_name(talk: Conversation | ModelFailure) -> str:
    """The name of the model, or of a backend that names no model."""
    return "" if isinstance(talk, ModelFailure) or talk.off else talk.model or talk.who


def _find_rulings(
    pairs: Sequence[JudgedPair], asking: JudgeSettings, talk: Conversation | ModelFailure
) -> tuple[list[PairRuling], Left]:
    """The known and new answers, and the judges that could not be asked about everything, by reason."""
    if isinstance(talk, ModelFailure) or talk.off:
        return [], {talk if isinstance(talk, ModelFailure) else None: [judge for judge, _ in pairs]}
    shelf = answer_caches.open_verdict_cache(asking.top, asking.cache, key=talk.key)
    known = known_rulings(shelf, pairs, talk.source)
    due = [pair for pair, word in zip(pairs, known, strict=True) if word is None]
    asked = judge_questions.write_judge_prompts(due, answer_caches.decoy_seed(asking.top), talk.render) if due else []
    words, left = list[PairRuling](), dict[ModelReply | None, list[Judge]]()
    heards = _answers(asked, talk)
    for one in asked:
        heard = heards[one.prompt.key]
        if isinstance(heard, ModelAnswer):
            words += _ruling_of_answer(one, heard, talk)
        else:
            left.setdefault(_summarize_reason(heard), []).extend(one.judges[judge] for judge, _ in one.pairs)
    if complaint := keep_rulings(shelf, words, talk.source):
        asking.say(f"verdicts are not kept for the next run: {complaint}")
    if waiting := next((one for one in left if isinstance(one, AwaitedAnswer)), None):
        asking.say(f"questions wait in {waiting.place}: answer them as its README says, then run this again")
    if spent := talk.spent():
        asking.say(spent)
    return [*filter(None, known), *words], left


def _answers(asked: Sequence[JudgeRequest], talk: Conversation) -> dict[str, ModelReply]:
    """The answer for each pair by its key, sent in an order that no file name decides.

    Keys hold what the seed of this clone made: whoever spends the budget on other files cannot choose what it leaves.
    """
    prompts = sorted((one.prompt for one in asked), key=lambda prompt: prompt.key)
    return {prompt.key: heard for prompt, heard in zip(prompts, talk.ask(prompts), strict=True)}


def _summarize_reason(heard: ModelFailure | AwaitedAnswer) -> ModelReply:
    """The reason under which several requests are reported as one."""
    if isinstance(heard, ModelFailure):
        return replace(heard, over=False, misfit=False, wanted="", sent=0, received=0, dollars=None)
    return AwaitedAnswer(place=heard.place.rpartition("/")[0] or heard.place)


def _ruling_of_answer(asked: JudgeRequest, answer: ModelAnswer, talk: Conversation) -> list[PairRuling]:
    """The ruling of an answer; one that cannot be kept is asked for again next time."""
    words = judge_questions.read_judge_answer(answer.data, asked)
    if not all(word.keep for word in words):
        talk.forget([asked.prompt.key])
    return words


def _judged_pairs(artifacts: Sequence[Artifact], change: Change, pieces: Sequence[Piece]) -> Iterator[JudgedPair]:
    """Each piece with each judge that looks at it; whole files for judges to which a rename alone shows the file."""
    moved = {file.path: file for file in change.files if file.old_path and file.status == "R"}
    news = {file.path for file in moved.values() if was_unreadable_before(file)}
    whole = [replace(file, base=None, added=None) for file in moved.values()]

    def old(pair: JudgedPair) -> bool:
        file = moved.get(pair[1].path)
        return file is None or (file.path not in news and looks_at(pair[0], file.old_path, change.environment))

    yield from (pair for pair in pair_judges(artifacts, pieces, change.environment) if old(pair))
    if whole:
        every = cut_change(Change(files=tuple(whole)))[0]
        yield from (pair for pair in pair_judges(artifacts, every, change.environment) if not old(pair))


def _message_findings(words: Sequence[PairRuling], said: Mapping[str, Sequence[Piece]]) -> Iterator[Finding]:
    """What judges object to in commit messages, by commit."""
    of: dict[str, list[PairRuling]] = {}
    for word in words if said else ():
        of.setdefault(word.piece.digest if not word.piece.path else "", []).append(word)
    for name, pieces in said.items():
        for finding in judge_questions.findings_of([word for piece in pieces for word in of.get(piece.digest, [])]):
            yield replace(finding, text=f"{name[:10]} {finding.text}")


def _looked_at(judges: Sequence[Judge], change: Change) -> Change:
    """The change without the files that no judge is asked about."""
    files = (f for f in change.files if any(looks_at(one, f.path, change.environment) for one in judges))
    return replace(change, files=tuple(files))


def _unsent_findings(
    judges: Sequence[Judge], unsent: Sequence[FileChange], environment: str
) -> Iterator[Fault | Finding]:
    """Faults for text of which nothing was sent: of grown code where a must rule applies.

    Of other text only what a scope names is spoken of: else it is counted, and no more.
    """
    cure = "split the file, or let a person leave it out by scope.exclude of the rule"
    for file, why in ((file, why) for file in unsent if (why := why_not_sent(file))):
        for judge in (one for one in judges if looks_at(one, file.path, environment)):
            rule = judge.facts
            if is_newly_large(file) and _is_blocking_must(rule):
                yield Fault(slug=rule.slug, what=f"{file.path} {why}; {cure}", path=file.place, overrun=True)
            elif is_newly_large(file) or rule.scope.include != Scope().include:
                yield Finding(slug=rule.slug, path=file.path, text=f"not certain: it {why}", sure=False)


def _count_skipped(why: ModelReply | None) -> str:
    if isinstance(why, ModelFailure):
        return "judges_unable" if why.unasked else "judges_failed"
    return "judges_off" if why is None else "judges_awaited"


def _not_judged(
    why: ModelReply | None, judges: Sequence[Judge], acting: Mapping[str, RuleFacts], *, aside: bool = False
) -> Iterator[Verdict]:
    """One verdict for all rules that block when they break, and one for the others unless nobody could answer.

    What a change may bring about, by its size or by what it says, is no way past a rule that must hold and blocks.
    Whoever came for something else, and cannot ask at all, is told so in the last line and not under some rule.
    """
    quiet = aside and isinstance(why, ModelFailure) and why.unasked
    theirs = isinstance(why, ModelFailure) and (why.used_up or why.theirs)
    of: dict[OnError, dict[str, RuleFacts]] = {}
    for judge in judges:
        rule = acting[judge.facts.slug]
        of.setdefault("block" if theirs and _is_blocking_must(rule) else rule.on_error, {})[rule.slug] = rule
    for outcome, facts in sorted(of.items()):
        if refuses(outcome) or isinstance(why, ModelFailure):
            first = facts[min(facts)]
            cure = (
                _PASSED
                if isinstance(why, ModelFailure) and why.theirs and any(map(_is_blocking_must, facts.values()))
                else ""
            )
            others = "" if quiet and not refuses(outcome) else _other_rules(sorted(facts)[1:])
            what = f"{_reason_in_words(why)}{cure}{others}"
            fault = Fault(slug=first.slug, what=what, overrun=True, unheard=True)
            yield Verdict(outcome="audit" if quiet and not refuses(outcome) else outcome, facts=first, fault=fault)


def _is_blocking_must(rule: RuleFacts) -> bool:
    return rule.severity == SEVERITIES[0] and refuses(rule.enforcement)


def _reason_in_words(why: ModelReply | None) -> str:
    if isinstance(why, AwaitedAnswer):
        return f"its questions are in {why.place} and wait for answers; then run this again"
    if isinstance(why, ModelFailure):
        return why.line
    return f"{_OFF}: name one in models.backend of the settings, or set on_error: warn in the rule"


def _other_rules(slugs: Sequence[str]) -> str:
    if not slugs:
        return ""
    more = f" and {len(slugs) - _SHOWN} more" if len(slugs) > _SHOWN else ""
    return f" (nor were {', '.join(slugs[:_SHOWN])}{more})" if len(slugs) > 1 else f" (nor was {slugs[0]})"
