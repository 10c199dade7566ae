"""The only honest test of packaged data: build the wheel, install it elsewhere, run without the checkout."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).parents[1]


def test_the_installed_wheel_plays_the_demo_without_the_checkout(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path / "dist"), str(ROOT)]
    subprocess.run(build, check=True, capture_output=True)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    home = tmp_path / "home"
    install = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(home), str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    environment = {**os.environ, "PYTHONPATH": str(home)}
    where = [sys.executable, "-c", "import rulec; print(rulec.__file__)"]
    found = subprocess.run(where, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True).stdout
    assert found.startswith(str(home))
    played = subprocess.run(
        [sys.executable, "-m", "rulec", "demo"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert played.returncode == 0, played.stdout + played.stderr
    assert "THIS IS WRONG" not in played.stdout
    assert (home / "rulec/templates/checks/forbid-command.j2").is_file()
    assert not (home / "evaluation").exists()  # a checkout has it
