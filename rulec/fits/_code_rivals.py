"""Libraries that do the same work: naming those allowed rules the others out."""

import re
from collections.abc import Iterator
from functools import cache

from rulec.fits._code_files import check
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.rule import Check, Example

# kind of work -> names people say -> modules of JavaScript, modules of Python
_RIVALS: dict[str, dict[str, tuple[str, str]]] = {
    r"(?:databases?|dbs?|storage|persistence)(?: (?:providers?|engines?|vendors?|servers?|backends?|hosts?))?": {
        "postgres|postgresql|pg|vercel postgres|neon|supabase": (
            "pg postgres @vercel/postgres @neondatabase/serverless",
            "psycopg psycopg2 asyncpg",
        ),
        "mysql|mariadb|planetscale": ("mysql mysql2 mariadb @planetscale/database", "pymysql MySQLdb aiomysql"),
        "mongo|mongodb|mongoose": ("mongodb mongoose", "pymongo motor mongoengine"),
        "sqlite|turso|libsql": ("better-sqlite3 sqlite3 @libsql/client", "sqlite3 aiosqlite"),
        "firestore|firebase": ("firebase-admin @google-cloud/firestore", "firebase_admin google.cloud.firestore"),
        "dynamodb|dynamo": ("@aws-sdk/client-dynamodb dynamoose", "pynamodb"),
        "oracle": ("oracledb", "oracledb cx_Oracle"),
        "mssql|sql server": ("mssql tedious", "pymssql"),
        "cassandra": ("cassandra-driver", "cassandra"),
    },
    r"(?:auth|authentication|login|sign-?in|identity)(?: (?:providers?|librar(?:y|ies)|solutions?|services?|"
    r"vendors?))?": {
        "auth.js|authjs|nextauth|next-auth": ("next-auth @auth/core", ""),
        "clerk": ("@clerk/nextjs @clerk/clerk-react @clerk/express @clerk/backend", ""),
        "auth0": ("@auth0/nextjs-auth0 @auth0/auth0-react auth0", "auth0"),
        "supabase": ("@supabase/auth-helpers-nextjs @supabase/ssr", "supabase_auth"),
        "lucia": ("lucia", ""),
        "better-auth|better auth": ("better-auth", ""),
        "passport|passport.js": ("passport", ""),
        "firebase": ("firebase/auth", ""),
        "cognito|amplify": ("@aws-amplify/auth amazon-cognito-identity-js", ""),
        "workos": ("@workos-inc/node @workos-inc/authkit-nextjs", "workos"),
        "kinde|stytch|descope": (
            "@kinde-oss/kinde-auth-nextjs stytch @stytch/nextjs @descope/nextjs-sdk",
            "stytch descope",
        ),
    },
    r"orms?(?: librar(?:y|ies))?": {
        "drizzle": ("drizzle-orm", ""),
        "prisma": ("@prisma/client prisma", "prisma"),
        "typeorm": ("typeorm", ""),
        "sequelize": ("sequelize", ""),
        "mikroorm|mikro-orm": ("@mikro-orm/core", ""),
        "sqlalchemy|sqlmodel": ("", "sqlalchemy sqlmodel"),
        "peewee": ("", "peewee"),
        "tortoise": ("", "tortoise"),
        "pony": ("", "pony"),
    },
    r"http (?:clients?|librar(?:y|ies))": {
        "fetch": ("node-fetch", ""),
        "axios": ("axios", ""),
        "got": ("got", ""),
        "ky": ("ky", ""),
        "superagent": ("superagent", ""),
        "httpx": ("", "httpx"),
        "requests": ("", "requests"),
        "aiohttp": ("", "aiohttp"),
        "urllib3": ("", "urllib3"),
    },
    r"state (?:management|librar(?:y|ies)|managers?)(?: librar(?:y|ies))?": {
        "redux": ("redux react-redux @reduxjs/toolkit", ""),
        "zustand": ("zustand", ""),
        "jotai": ("jotai", ""),
        "mobx": ("mobx mobx-react", ""),
        "recoil": ("recoil", ""),
        "valtio": ("valtio", ""),
        "xstate": ("xstate @xstate/react", ""),
    },
    r"(?:test|testing) (?:frameworks?|runners?|librar(?:y|ies))": {
        "jest": ("jest @jest/globals", ""),
        "vitest": ("vitest", ""),
        "mocha|chai": ("mocha chai", ""),
        "jasmine": ("jasmine", ""),
        "ava": ("ava", ""),
        "node:test": ("node:test", ""),
        "pytest": ("", "pytest"),
        "unittest": ("", "unittest"),
        "nose": ("", "nose"),
    },
    r"(?:css|styling)(?: (?:frameworks?|librar(?:y|ies)|solutions?))?": {
        "tailwind": ("tailwindcss", ""),
        "styled-components|styled components": ("styled-components", ""),
        "emotion": ("@emotion/react @emotion/styled", ""),
        "bootstrap": ("bootstrap react-bootstrap", ""),
        "mui|material ui": ("@mui/material", ""),
        "chakra": ("@chakra-ui/react", ""),
    },
    r"(?:logg(?:er|ing)|log)(?: (?:librar(?:y|ies)|frameworks?|packages?))": {
        "pino": ("pino", ""),
        "winston": ("winston", ""),
        "bunyan": ("bunyan", ""),
        "log4js": ("log4js", ""),
        "loguru": ("", "loguru"),
        "structlog": ("", "structlog"),
        "logging": ("", "logging"),
    },
    r"(?:validation|schema)(?: librar(?:y|ies)| validation)": {
        "zod": ("zod", ""),
        "yup": ("yup", ""),
        "joi": ("joi", ""),
        "valibot": ("valibot", ""),
        "ajv": ("ajv", ""),
        "superstruct": ("superstruct", ""),
        "pydantic": ("", "pydantic"),
        "marshmallow": ("", "marshmallow"),
        "cerberus": ("", "cerberus"),
    },
    r"(?:date|time)(?:/time|time)? librar(?:y|ies)": {
        "date-fns": ("date-fns", ""),
        "dayjs|day.js": ("dayjs", ""),
        "moment": ("moment moment-timezone", ""),
        "luxon": ("luxon", ""),
        "arrow": ("", "arrow"),
        "pendulum": ("", "pendulum"),
    },
}
_ONLY = (
    r"\b(?:no|not any|never any) other (?P<a>{kind}) (?:than|but|except|besides) (?P<x>.+)",
    (
        r"\b(?:only|nothing but|exclusively)\b(?: use)? (?P<x>[^;\n]+?) (?:is |are )?(?:allowed )?(?:as|for) (?:the "
        r"|our |an? )?(?P<a>{kind})\b"
    ),
    (
        r"\b(?P<a>{kind}) ?(?:is|are|must be|should be|has to be)(?: always)? (?:only )?(?P<x>[^;\n]+?) ?(?:,? "
        r"(?:and )?(?:only|nothing else)|"
        r"\(only\))"
    ),
    r"^(?P<a>{kind})\s*[:=]\s*(?P<x>[^;\n]+)$",
)
_SAID = re.compile(r"other|only|nothing|exclusively|[:=]", re.IGNORECASE)  # one of them stands in every form
_LANGUAGES = ("javascript", "python")
_INSTALLS = (
    "npm install|i|add",
    "pnpm add|install|i",
    "yarn add",
    "bun add|install|i",
    "pip install",
    "uv add",
    "uv pip install",
    "poetry add",
)
_SAMPLE = {"javascript": ("src/a.ts", 'import x from "{}";\n'), "python": ("src/a.py", "import {}\n")}


def stated(clause: Clause) -> Iterator[Draft]:
    """A phrase like "the ORM is Drizzle and nothing else": the others of the kind, as imports and as packages."""
    if not _SAID.search(clause.text):
        return
    for kind, rivals in _RIVALS.items():
        allowed = _allowed(kind, clause.text)
        known = [names for names in rivals if allowed and _named(names, allowed)]
        if not known:
            continue
        spared = {module for names in known for modules in rivals[names] for module in modules.split()}
        others = [
            [
                m
                for names, modules in rivals.items()
                if names not in known
                for m in modules[at].split()
                if m not in spared
            ]
            for at in range(len(_LANGUAGES))
        ]
        ours = [any(rivals[names][at] for names in known) for at in range(len(_LANGUAGES))]
        yield from _draft([modules if own else [] for modules, own in zip(others, ours, strict=True)])


def _allowed(kind: str, text: str) -> str:
    spoken = " ".join(text.replace("_", " ").split())
    found = next((found for form in _forms(kind) if (found := form.search(spoken))), None)
    return found["x"].lower() if found else ""


@cache
def _forms(kind: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(form.replace("{kind}", kind), re.IGNORECASE) for form in _ONLY)


def _named(names: str, text: str) -> bool:
    return any(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text) for name in names.split("|"))


def _draft(modules: list[list[str]]) -> Iterator[Draft]:
    checks: list[Check] = []
    invalid: list[Example] = []
    valid: list[Example] = []
    for language, own in zip(_LANGUAGES, modules, strict=True):
        if own:
            path, text = _SAMPLE[language]
            checks.append(check("forbid-import", language, modules=own))
            invalid.append(Example(kind="file", path=path, text=text.format(own[0])))
            valid.append(Example(kind="file", path=path, text=text.format("other")))
    packages = [name for own in modules for name in own if not re.search(r"[/.:]\w+$", name) or name.startswith("@")]
    if not checks or not packages:
        return
    either = "|".join(map(re.escape, packages))
    arguments = rf"^(?:{either})(?:@[\w.^~-]*|[=<>~!].*)?$"
    entry = rf"^\s*\"(?:{either})\"\s*:\s*\""
    given = {"patterns": [entry], "globs": ["package.json"]}
    yield Draft(
        checks=(
            *checks,
            Check(
                kind="guard", template="forbid-command", parameters={"commands": [*_INSTALLS], "arguments": arguments}
            ),
            Check(kind="semgrep", template="forbid-text", parameters=given),
            Check(kind="guard", template="forbid-text", parameters=given),
        ),
        invalid=(
            *invalid,
            Example(kind="command", text=f"npm install {packages[0]}"),
            Example(
                kind="file", path="package.json", text=f'{{\n  "dependencies": {{\n    "{packages[0]}": "1"\n  }}\n}}\n'
            ),
        ),
        valid=(*valid, Example(kind="command", text=f"npm uninstall {packages[0]}")),
        because="the statement names what alone is allowed for this kind of work",
    )
