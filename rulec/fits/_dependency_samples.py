"""What declaring a package looks like in each manifest, for examples of drafts."""

from rulec.model.rule import Example

_COMMIT = "0123456789" * 4
_JSON = '{\n  "%s": {\n    "%s": "%s"\n  }\n}\n'
_PROJECT = '[project]\nname = "web"\ndependencies = ["%s"]\n'
# Manifest -> a package in it that floats, and the same one fixed.
_SAMPLES = {
    "package.json": (_JSON % ("dependencies", "NAME", "^1.2.3"), _JSON % ("dependencies", "NAME", "1.2.3")),
    "requirements.txt": ("NAME>=1.2\n", "NAME==1.2.3\n"),
    "pyproject.toml": (_PROJECT % "NAME>=1.2", _PROJECT % "NAME==1.2.3"),
    "Cargo.toml": ('[dependencies]\nNAME = "1"\n', '[dependencies]\nNAME = "=1.2.3"\n'),
    "Gemfile": ("gem 'NAME', '~> 1.2'\n", "gem 'NAME', '1.2.3'\n"),
    "composer.json": (_JSON % ("require", "team/NAME", "^1.2"), _JSON % ("require", "team/NAME", "1.2.3")),
    "Dockerfile": ("FROM NAME:latest\n", f"FROM NAME:1.2.3@sha256:{_COMMIT}\n"),
    ".github/workflows/ci.yml": ("      - uses: team/NAME@main\n", f"      - uses: team/NAME@{_COMMIT}\n"),
}
_OF = {
    "packages": ("package.json", "requirements.txt"),
    "images": ("Dockerfile",),
    "actions": (".github/workflows/ci.yml",),
}
_IMPORT = {"python": ("src/sample.py", "import {}\n"), "javascript": ("src/sample.js", 'import x from "{}";\n')}
_ADDED = {
    "python": (("requirements.txt",), ("pip install {}",)),
    "javascript": (("package.json",), ("npm install {}",)),
    "": (("package.json", "requirements.txt"), ("npm install {}", "pip install {}")),
}


def manifest(name: str, package: str, *, fixed: bool) -> Example:
    """A manifest that declares the package."""
    return Example(kind="file", path=name, text=_SAMPLES[name][fixed].replace("NAME", package))


def manifests_of(said: tuple[str, ...], of: tuple[str, ...]) -> list[str]:
    """The manifests that a person named, or the usual ones for these sorts."""
    return [name for name in said if name in _SAMPLES] or [name for sort in of for name in _OF[sort]]


def bringing(package: str, homes: tuple[str, ...]) -> tuple[Example, ...]:
    """The ways in which a package comes into a project of these languages, or of any."""
    files, commands = _ADDED[homes[0] if homes else ""]
    return (
        *(manifest(name, package, fixed=False) for name in files),
        *(Example(kind="command", text=command.format(package)) for command in commands),
        *(Example(kind="file", path=_IMPORT[home][0], text=_IMPORT[home][1].format(package)) for home in homes),
    )


def near(package: str) -> tuple[Example, ...]:
    """What only speaks of a package, or restores those that are there."""
    return (
        Example(kind="command", text=f"grep -rn '{package}' docs"),
        Example(kind="command", text="npm ci"),
    )
