"""What may touch the disk: no secret survives, and nothing else changes."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.domain.text.redaction import redact

# Every sample is put together here, so that no scanner takes this file for a leak.
LETTERS = "aB3dE5gH1jK2mN4pQ6rS8tU0vW9xY7zA"
HEX = "3f9c2a71b0d84e56a7c1f2e3d4b5a697"
LONG = LETTERS + LETTERS[::-1]
PEM = f"-----BEGIN RSA PRIVATE {'KEY'}-----\nMII{LONG}\n{LONG}\nAb=\n-----END RSA PRIVATE {'KEY'}-----"

SECRETS = {
    "AKIA" + "Q3EGRIZ7TA5XLM2B": "aws id is {}",
    "ASIA" + "Q3EGRIZ7TA5XLM2C": "{}",
    LONG[:40]: "aws_secret_access_key = {}",
    "ghp_" + LETTERS: "push with {} please",
    "gho_" + LETTERS: '"{}"',
    "ghs_" + LETTERS: "https://x-access-token:{}@github.com/a/b.git",
    "github_pat_" + LETTERS + "_" + LETTERS: "GH_TOKEN={}",
    "glpat-" + LETTERS[:20]: "curl -H 'PRIVATE-TOKEN: {}' https://gitlab.example",
    "xoxb-" + "123456789012-" + LETTERS[:24]: "slack {}",
    "xapp-1-" + "A0123-" + LETTERS: "slack {}",
    "https://hooks.slack.com/services/" + "T0001/B0002/" + LETTERS[:24]: "post to {}",
    "sk_live_" + LETTERS: "stripe.api_key = '{}'",
    "rk_test_" + LETTERS: "{}",
    "whsec_" + LETTERS: "{}",
    "sk-" + LETTERS + LETTERS[:16]: "OPENAI_API_KEY={}",
    "sk-proj-" + LONG: "use {}",
    "sk-ant-" + "api03-" + LONG: "export ANTHROPIC_API_KEY={}",
    "AIza" + LETTERS + "abc": "key={}",
    "ya29." + LETTERS: "{}",
    "GOCSPX-" + LETTERS: "{}",
    "npm_" + LETTERS + "abcd": "//registry.npmjs.org/:_authToken={}",
    "pypi-" + "AgEIcHlwaS5vcmc" + LONG: "twine upload -p {}",
    "eyJ" + "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0." + LETTERS: "jwt {} here",
    "abc8Q~" + LETTERS + "ab": "client {}",
    LONG + "==": "DefaultEndpointsProtocol=https;AccountName=x;AccountKey={};EndpointSuffix=core",
    LETTERS[:20] + "%2B%3D": "https://x.blob.core.windows.net/c?sv=2022&sig={}",
    "SK" + HEX: "twilio {}",
    "SG." + LETTERS[:22] + "." + LETTERS: "sendgrid {}",
    PEM: "key:\n{}\nend",
    PEM.partition("\nAb=")[0]: "cut {}",
    "ssh-ed25519 AAAA" + LONG: "{} bob",
    "dXNlcjpodW50ZXIy" + "cGFzcw==": "Authorization: Basic {}",
    LETTERS + ".x": "Authorization: Bearer {}",
    "hunter2!": 'password = "{}"',
    "hunter22": "PGPASSWORD={} psql",
    "hunterxyz": "DB_PASSWORD={}\n",
    "s3cr3t-val": "{{'password': '{}'}}",
    "c0rrect horse": 'passphrase = "{}"',
    "tr0ub4dor": "mysql --password={} db",
    "hunter2secret": "mysql -uroot -p{} db",
    "hunter2pass": "export DB_PASS={}",
    "s3cr3tlogin": "docker login -u me -p {} registry.example",
    "zxcvb9876": "the password is {} by the way",
    "q1w2e3r4": "machine h login bob password {}",
    "Tk9-" + LETTERS[:12]: "token: {}",
    "a1b2c3d4e5f6": '{{"client_secret": "{}"}}',
    "a1b2c3d4e5f7": 'config.apiKey = "{}";',
    "a1b2c3d4e5f8": '\\"api_key\\": \\"{}\\"',
    "a1b2c3d4e5f9": "SECRET_KEY: '{}'",
    "a1b2c3d4e5fa": "https://api.example/v1?access_token={}&page=2",
    "p4ssw0rd": "postgres://app:{}@db.internal:5432/main",
    "p4ss@w0rd": "redis://:{}@cache:6379/0",
    "Sup3rS3cret": "Server=db;User Id=sa;Password={};",
    "curlpass": "curl -u admin:{} https://example.test",
    "session=" + LETTERS: "Cookie: {}",
    "sid=" + LETTERS + "; Path=/": "Set-Cookie: {}",
    HEX: "encryption_key = {}",
    HEX * 2: "signing key: {}",
    LONG[:44]: "SECRET_TOKEN_VALUE {}",
    "hf_" + LETTERS: "{}",
    "dop_v1_" + HEX * 2: "{}",
    "lin_api_" + LETTERS: "{}",
    "glsa_" + LETTERS: "{}",
    "hvs." + LETTERS: "vault {}",
    "$2b$12$" + LONG[:53]: "hash {}",
    "bob.smith@corp.example": "ask {} first",
    "bob+x@mail.example.co.uk": "<{}>",
}


@pytest.mark.parametrize("secret", SECRETS, ids=range(len(SECRETS)))
def test_no_secret_survives(secret):
    text = redact(SECRETS[secret].format(secret))
    assert secret not in text
    assert "[redacted:" in text
    assert not any(part in text for part in re.findall(r"[A-Za-z0-9+/]{12,}", secret)), text


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("open /home/bob/app/main.py", "open ~/app/main.py"),
        ("/Users/bob", "~"),
        ("PATH=/usr/bin:/home/bob/bin", "PATH=/usr/bin:~/bin"),
        ("file:///home/bob/x", "file://~/x"),
        ("gcc -I/Users/bob/include", "gcc -I~/include"),
        (r"C:\Users\Bob Smith\app", r"~\app"),
        (r'"C:\\Users\\bob\\app"', r'"~\\app"'),
        ("/mnt/c/Users/bob/x", "~/x"),
        ("/tmp/claude-501/-Users-bob-code/x", "/tmp/claude-501/-~-code/x"),
    ],
)
def test_a_home_folder_loses_its_name(text, clean):
    assert redact(text) == clean


INNOCENT = [
    "Use pnpm, never npm; and please don't commit before the tests have passed.",
    "The token must be refreshed, the password is hashed and secrets never reach the log.",
    "token: string; password: str; secret?: string",
    "def login(user, password=None): return check(password=password, token=token)",
    'token = os.environ["TOKEN"]',
    "const token = req.headers.authorization",
    "secret = get_secret(name)",
    "password: ${{ secrets.DB_PASSWORD }}",
    "export API_KEY=$KEY",
    "max_tokens: 4096, tokens = 500, tokenizer = AutoTokenizer.from_pretrained(x)",
    'tokenizer: "bert-base-uncased-v2"',
    "git checkout 3f9c2a71b0d84e56a7c1f2e3d4b5a6973f9c2a71",
    "commit 3f9c2a71b0d84e56a7c1f2e3d4b5a6973f9c2a71 (HEAD -> main)",
    "id 123e4567-e89b-12d3-a456-426614174000",
    "sha256:3f9c2a71b0d84e56a7c1f2e3d4b5a6973f9c2a71b0d84e56a7c1f2e3d4b5a697",
    '"integrity": "sha512-aB3dE5gH1jK2mN4pQ6rS8tU0vW9xY7zAaB3dE5gH1jK2mN4pQ6rS8tU0vW9xY7zA=="',
    "react@18.2.0 @types/node@20.1.0 actions/checkout@v4.1",
    "git@github.com:org/repo.git",
    "Co-Authored-By: Claude <noreply@anthropic.com>",
    "src/home/index.ts and ./home/page.tsx and https://example.com/home/about",
    "/usr/local/bin/python3 /etc/hosts /tmp/build/out.txt /Users/Shared/x",
    r"C:\Windows\System32\drivers",
    "for key, value in items.items(): keys[key] = value",
    "sort key: created_at; primary key (id); foreign key: user_id",
    "monkey = banana; keyboard: us",
    "@app.get('/x') @dataclass(frozen=True) a @ b",
    "http://localhost:3000/path?page=2&sort=name",
    "http://example.com/ and postgres://localhost:5432/db",
    "bearer token, basic authentication, Bearer authentication",
    "the cookie: a small file; cookies are set by the server",
    "127.0.0.1:8080 and 192.168.0.10",
    "password_min_length = 12, token_url = https://x.example/oauth, secret_name: db-main2",
    "class SecretKeyRef: ...  # sk-learn and sk-estimator-doc-link-fitted",
    "credentials: 'include', authorization: required, signature: (a, b) -> c",
    "secretary: Bob; passwords are salted; authored by me",
    "ssh-keygen -t ed25519 -f id_ed25519 && ssh -p 2222 host",
    "Run pytest -q -u and docker run --user 1000:1000 image",
    "error: Token 'foo' is unexpected at line 12",
]


@pytest.mark.parametrize("text", INNOCENT)
def test_ordinary_text_stays_as_it_is(text):
    assert redact(text) == text


PIECES = [*SECRETS, *INNOCENT, *(form.replace("{}", "x") for form in SECRETS.values())]
PIECES += [
    "[redacted:token]",
    "[redacted:",
    "]",
    "://",
    "@",
    ":",
    "=",
    " ",
    "\n",
    '"',
    "'",
    "password",
    "key",
    "/home/",
]
mixed = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=8).map("".join)


@given(st.one_of(mixed, st.text()))
def test_redacting_twice_changes_nothing(text):
    once = redact(text)
    assert redact(once) == once


@given(st.lists(st.sampled_from(["", " ", "\n"]), min_size=2, max_size=2), st.sampled_from([*SECRETS]))
def test_text_around_a_secret_does_not_hide_it(around, secret):
    before, after = around
    text = redact(f"said{before or ' '}{SECRETS[secret].format(secret)}{after or ' '}so")
    assert secret not in text
    assert text.startswith("said")


@pytest.mark.parametrize(
    "run",
    ["a", "A", "eyJ", "sk-", "@", "a@", "://", "://a:", "-----BEGIN PRIVATE KEY-----", "password=", "key", "\\", '"',
     "password='", "-", "a.", "/home/", "SG.", "Cookie: ", "bearer ", "1//0", "C:\\Users\\a ", "passw", 'token: "'],
)  # fmt: skip
def test_no_run_of_text_takes_more_than_linear_work(run):
    assert isinstance(redact(run * (200_000 // len(run))), str)
