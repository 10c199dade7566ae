"""What must be run in one container is not run in another: another service than the named one does not pass."""

import pytest

from tests.support import guard_rules as rules

COMPOSE, EXEC, POD = "docker compose exec app", "docker exec -it app", "kubectl exec deploy/app --"
ROWS = [  # prefix, command, whether it is where it must be
    (COMPOSE, "docker compose exec app php x", True),
    (COMPOSE, "docker compose exec -T -u root app php x", True),
    (COMPOSE, "docker compose -f a.yaml exec -e A=web app php x", True),
    (COMPOSE, "docker-compose exec app php x", True),
    (COMPOSE, "docker compose run --rm app php x", True),
    (COMPOSE, "docker compose exec app sh -c 'cd a && php x'", True),
    (COMPOSE, "docker compose exec web ls", True),
    (COMPOSE, "docker compose exec $SERVICE php x", True),
    (COMPOSE, "ssh box php x", True),
    (COMPOSE, "php x", False),
    (COMPOSE, "docker compose exec web php x", False),
    (COMPOSE, "docker compose exec --user app web php x", False),
    (COMPOSE, "cd a && docker-compose -f a.yaml exec -T web php app", False),
    (COMPOSE, "docker compose exec application php x", False),
    (COMPOSE, "docker compose run --rm web sh -c 'cd a && php x'", False),
    ("docker compose exec", "docker compose exec web php x", True),
    (EXEC, "docker exec app php x", True),
    (EXEC, "docker container exec -i app php x", True),
    (EXEC, "docker run --rm php:8 php x", True),
    (EXEC, "docker exec -e A=app web php x", False),
    (POD, "kubectl -n a exec -it deploy/app -c main -- php x", True),
    (POD, "kubectl exec deploy/web -- php x", False),
]


@pytest.mark.parametrize(("prefix", "command", "right"), ROWS)
def test_another_container_is_not_the_named_one(prefix, command, right):
    rule = rules.command("inside", "php", under=[prefix])
    found = rules.decide(rule, {"kind": "command", "command": command, "agent": "claude-code", "cwd": ""})
    assert not any(one.fault or one.unsure for one in found)
    assert bool(found) is not right
    assert all(one.text in ("php x", command.rpartition("&& ")[2] or command) or "sh -c" in command for one in found)
