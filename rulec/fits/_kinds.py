"""Kinds of acts that people forbid by name and not by command: what they call them, and the commands that do them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rulec.fits._demands import Demand, check
from rulec.fits._programs import PROGRAMS

_SOME = r"(?: (?:any|more|new|another|the|a|an|your|our|own|all|these|those|single|such|extra))*"
_PR = r"(?:prs?|pull requests?|mrs?|merge requests?)"
_PACKAGES = ("npm", "pnpm", "yarn", "bun")


@dataclass(frozen=True, slots=True)
class Kind:
    """An act by its name in people's words, whole, and what forbids it."""

    said: re.Pattern[str]
    demand: Demand


def _kind(said: str, commands: list[str], bad: str, good: str, unless: list[str] | None = None) -> Kind:
    forbidden = check("forbid-command", commands=commands, unless=unless or [])
    near = (good, f"grep -rn '{bad}' docs", f"echo '{bad}'")
    return Kind(re.compile(rf"^(?:{said})$", re.IGNORECASE), Demand((forbidden,), (bad,), near))


_NAMED: tuple[tuple[re.Pattern[str], list[str], str, str], ...] = (
    (
        re.compile(
            r"^kill(?: (?:any|all|my|the|other|running|every))* (?P<name>[a-z][\w-]*) "
            r"(?:process(?:es)?|servers?|instances?)$"
        ),
        ["pkill", "killall", "taskkill"],
        r"(?:^|[/ ])NAME\b",
        "pgrep NAME",
    ),
    (
        re.compile(
            r"^(?:restart|stop|reboot)(?: (?:the|my|our|any))* "
            r"(?P<name>(?!(?:it|now|that|this|them|here|there|yet|working|running|until|process|server|container)s?\b)"
            r"[a-z][\w.-]{2,})(?: (?:containers?|servers?|services?|process(?:es)?|pods?|instances?|daemon|tunnel))?$"
        ),
        [
            *(
                "pkill",
                "killall",
                "docker restart|stop|kill",
                "docker compose restart|stop|kill",
                "podman restart|stop",
            ),
            *("systemctl restart|stop", "pm2 restart|stop|delete", "brew services", "supervisorctl restart|stop"),
        ],
        r"(?:^|[/ ._-])NAME(?:[._-]|$)",
        "docker logs NAME",
    ),
    (
        re.compile(
            r"^(?:ssh|scp|rsync|connect|log ?in|get|go)(?: (?:in|on))?(?: ?to)?(?: (?:the|our|any))* "
            r"(?P<name>prod)(?:uction|\b)(?: (?:servers?|machines?|hosts?|box(?:es)?|systems?|env\w*))?$"
        ),
        ["ssh", "scp", "rsync", "mosh", "sftp"],
        r"(?:^|[@.:_-])NAME(?:uction)?\d*(?:[.:_-]|$)",
        "ssh staging",
    ),
)
_SEARCHED = re.compile(
    r"^(?:search|grep|look|scan|dig|rg|crawl)(?: (?:for )?(?:anything|files|code|things))? (?:in|"
    r"through|into|inside|within)(?: the)? "
    r"[`'\"]?(?P<name>[\w.-]+(?:/[\w.-]+)*)/?[`'\"]?(?: folder| directory)?$"
)


def searched(subject: str) -> Iterator[Demand]:
    """A phrase like "search in node_modules": no search is to go there."""
    if found := _SEARCHED.match(subject):
        name = found["name"]
        forbidden = check(
            "forbid-command",
            commands=["grep|egrep|rg|ag|ack|find|fd", "git grep"],
            arguments=rf"(?:^|/){re.escape(name)}(?:/|$)",
        )
        good = ("grep -rn sample src", f"ls {name}", f"grep -rn sample . --exclude-dir={name}")
        yield Demand((forbidden,), (f"grep -rn sample {name}",), good)


_INIT = re.compile(
    r"^(?:re-?)?init(?:iali[sz]e)?(?: the)? (?P<name>[a-z][\w.]*(?:-[\w.]+)*)(?: (?:again|cli|project))?$"
)


def named_kinds(subject: str) -> list[Demand]:
    """Acts on something that has a name: processes that are killed, machines that are logged in to."""
    found = []
    for said, commands, arguments, near in _NAMED:
        if match := said.match(subject):
            name = match["name"]
            forbidden = check("forbid-command", commands=commands, arguments=arguments.replace("NAME", re.escape(name)))
            good = (near.replace("NAME", name), f"echo '{commands[0]} {name}'")
            found.append(Demand((forbidden,), (f"{commands[0]} {name}",), good))
    tool = _INIT.match(subject)
    if tool and ("-" in tool["name"] or tool["name"] in PROGRAMS):
        name = tool["name"]
        forbidden = check("forbid-command", commands=[f"{name}|{name}-* init"])
        found.append(Demand((forbidden,), (f"{name} init",), (f"{name} --help", f"grep -rn '{name} init' docs")))
    return found


def _scripts(*names: str) -> list[str]:
    """The same script by every runner of scripts."""
    either = "|".join(names)
    return [
        *(f"{program} run {either}" for program in _PACKAGES),
        *(f"{program} {either}" for program in ("pnpm", "yarn", "make", "just", "task")),
        f"mise run|r {either}",
    ]


def _listed(commands: str) -> list[str]:
    return commands.split("|")


_MIGRATING = _listed(
    "python manage.py migrate|django-admin migrate|manage.py migrate|rails db:migrate|rake db:migrate|alembic upgrade|"
    "prisma migrate deploy|prisma migrate dev|knex migrate:latest|sequelize db:migrate|typeorm migration:run|"
    "drizzle-kit migrate|drizzle-kit push|flyway migrate|liquibase update|php artisan migrate|diesel migration run|"
    "sqlx migrate run|supabase db push|goose up|dbmate up|mix ecto.migrate|dotnet ef database update"
)
_DEPLOYING = _listed(
    "vercel deploy|vercel --prod|fly deploy|flyctl deploy|netlify deploy|wrangler deploy|wrangler publish|"
    "firebase deploy|serverless deploy|sls deploy|cdk deploy|sam deploy|gcloud app deploy|gcloud run deploy|eb deploy|"
    "kamal deploy|cap production deploy|git push heroku|git push dokku"
)
_SERVING = _listed(
    "npm start|next dev|next start|vite dev|vite serve|astro dev|nuxt dev|remix dev|ng serve|gatsby develop|"
    "rails server|rails s|flask run|uvicorn|fastapi dev|fastapi run|python manage.py runserver|php artisan serve|"
    "mix phx.server|hugo server|jekyll serve|gradlew bootRun|gradle bootRun|air|nodemon"
)
_PUBLISHING = _listed(
    "npm publish|pnpm publish|yarn publish|yarn npm publish|bun publish|cargo publish|twine upload|uv publish|"
    "poetry publish|gem push|dotnet nuget push|gh release create"
)

KINDS: tuple[Kind, ...] = (
    _kind(
        r"(?:follow|tail|stream|watch)(?: (?:the|any|all|live|server|container|app))* (?:logs?(?: "
        r"files?| output)?|output)"
        r"(?: live| (?:with|using) (?:-f|--follow))?",
        [
            "tail -f|-F|--follow",
            "docker|podman logs -f|--follow",
            "docker compose logs -f|--follow",
            "docker-compose logs -f|--follow",
            "kubectl logs -f|--follow",
            "journalctl -f|--follow",
            "heroku logs -t|--tail",
        ],
        "tail -f app.log",
        "tail -n 50 app.log",
    ),
    _kind(
        rf"open{_SOME}(?: (?:urls?|links?|pages?|websites?|browsers?|things))(?: (?:in|with) (?:the|a|my) browser)?"
        r"(?: from the (?:terminal|shell|command line))?|(?:open|start|launch) (?:the|a|my) browser",
        ["open|xdg-open|wslview|start http*|localhost*", "python -m webbrowser", "sensible-browser|x-www-browser"],
        "open http://localhost:3000",
        "curl -s http://localhost:3000",
    ),
    _kind(
        r"(?:re-?)?seed(?: (?:the|any|our))?(?: (?:dev |test )?(?:database|db|data))?",
        ["rails|rake db:seed", "prisma db seed", "php artisan db:seed", "knex seed:run", *_scripts("seed", "db:seed")],
        "npm run db:seed",
        "npm test",
    ),
    _kind(
        rf"(?:start|run|launch|spin up|bring up|boot){_SOME}(?: docker)? (?:containers?|stack|compose)",
        ["docker compose up|start", "docker-compose up|start", "docker|podman start|run"],
        "docker compose up -d",
        "docker ps",
    ),
    _kind(
        rf"(?:comment|reply|post|respond)(?: (?:on|to|in))?{_SOME}(?: github| gitlab)? (?:issues?|tickets?)",
        ["gh issue comment", "glab issue note"],
        "gh issue comment 12 --body Hi",
        "gh issue view 12",
    ),
    _kind(
        rf"(?:close|reopen){_SOME}(?: github| gitlab)? (?:issues?|tickets?)",
        ["gh issue close|reopen", "glab issue close|reopen"],
        "gh issue close 12",
        "gh issue view 12",
    ),
    _kind(
        rf"(?:run|apply|execute|start|do){_SOME}(?: (?:database|db|schema|sql))? migrations?|"
        r"(?:run |do )?migrate(?: (?:the )?(?:database|db|schema))?",
        [*_MIGRATING, *_scripts("migrate", "db:migrate", "migrations")],
        "npm run db:migrate",
        "npm test",
    ),
    _kind(
        rf"(?:(?:run|do|start|trigger){_SOME} )?deploy(?:s|ments?)?(?: (?:anything|it|the app|this|code))?",
        [*_DEPLOYING, *_scripts("deploy", "deploy:prod")],
        "npm run deploy",
        "npm run build",
    ),
    _kind(
        rf"publish(?: (?:anything|it|packages?|the package|releases?|to (?:npm|pypi|crates\.io)))?|"
        rf"(?:make|create|cut|do){_SOME} releases?",
        [*_PUBLISHING, *_scripts("publish", "release")],
        "npm publish",
        "npm pack",
        ["npm publish --dry-run", "cargo publish --dry-run"],
    ),
    _kind(
        rf"(?:start|run|launch|restart|open|boot|spin|bring)(?: up)?{_SOME}(?: (?:dev|development|local|web|app))* "
        r"(?:servers?|app)(?: up)?",
        [*_SERVING, *_scripts("dev", "start", "serve"), "bun dev"],
        "npm run dev",
        "npm run build",
    ),
    _kind(
        rf"(?:open|create|make|raise|submit|file|send){_SOME}(?: draft)? {_PR}",
        ["gh pr create|new", "glab mr create|new", "hub pull-request", "az repos pr create"],
        "gh pr create --fill",
        "gh pr view",
    ),
    _kind(
        rf"merge{_SOME} {_PR}",
        ["gh pr merge", "glab mr merge"],
        "gh pr merge 12",
        "gh pr view 12",
    ),
    _kind(
        rf"(?:approve|review){_SOME} {_PR}",
        ["gh pr review", "glab mr approve"],
        "gh pr review 12 --approve",
        "gh pr view 12",
    ),
    _kind(
        rf"delete{_SOME}(?: (?:remote|local|git|feature))* branch(?:es)?",
        ["git branch -d|-D|--delete", "git push --delete|-d"],
        "git branch -D topic",
        "git branch --list",
    ),
    _kind(
        rf"(?:create|make|add|use|open){_SOME}(?: git)? worktrees?",
        ["git worktree add"],
        "git worktree add ../topic",
        "git worktree list",
    ),
    _kind(
        rf"install{_SOME}(?: (?:packages?|anything|things|stuff|tools|dependencies))* globally|"
        rf"(?:(?:do|use|run){_SOME} )?global installs?",
        ["npm install -g|--global", "pnpm add -g|--global", "yarn global add", "bun add|install -g|--global"],
        "npm install -g sample",
        "npm install sample",
    ),
    _kind(
        rf"(?:close|reopen){_SOME} {_PR}",
        ["gh pr close|reopen", "glab mr close|reopen"],
        "gh pr close 12",
        "gh pr view 12",
    ),
    _kind(
        rf"(?:open|create|make|file){_SOME}(?: github| gitlab)? (?:issues?|tickets?)",
        ["gh issue create|new", "glab issue create|new"],
        "gh issue create --title Slow",
        "gh issue list",
    ),
    _kind(
        r"(?:use|reuse|start|restart|resume|keep)(?: (?:any|the|an?|same|your))*(?: (?:old|existing|stopped|same|used|"
        r"dirty|previous))+ containers?(?: .{0,40})?",
        ["docker start|restart|unpause", "docker container start|restart|unpause", "podman start|restart|unpause"],
        "docker start web",
        "docker run --rm web",
    ),
)
