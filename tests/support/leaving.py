"""Leaves many questions in the repository that it stands in, and says so once they all are: to be killed meanwhile."""

import sys
from pathlib import Path

from rulec.domain.prompt import AwaitedAnswer
from tests.support.talks import prompt, talk

MANY = 60

if __name__ == "__main__":
    heard = talk(Path.cwd(), backend="exchange").ask([prompt(f"wish {number}\n" * 200) for number in range(MANY)])
    sys.exit(sum(not isinstance(one, AwaitedAnswer) for one in heard))
