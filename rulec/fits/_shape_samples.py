"""A small text for each construct, for rules that a person states without any action to show it."""

SAMPLES: dict[str, dict[str, str]] = {
    "else-if-chain": {
        "python": "if a:\n    f()\nelif b:\n    g()\nelse:\n    h()\n",
        "javascript": "if (a) { f(); } else if (b) { g(); } else { h(); }\n",
        "go": "package a\n\nfunc f() {\n\tif a {\n\t\tg()\n\t} else if b {\n\t\tg()\n\t} else {\n\t\th()\n\t}\n}\n",
        "java": "class A { void x() { if (a) { f(); } else if (b) { g(); } else { h(); } } }\n",
        "c": "void x() {\nif (a) {\n f();\n} else if (b) {\n g();\n} else {\n h();\n}\n}\n",
        "cpp": "void x() {\nif (a) {\n f();\n} else if (b) {\n g();\n} else {\n h();\n}\n}\n",
        "php": "<?php\nif ($x == 1) { a(); } elseif ($x == 2) { b(); } else { c(); }\n",
        "ruby": "if x == 1\n  a\nelsif x == 2\n  b\nelse\n  c\nend\n",
        "rust": "fn x() {\n    if a { f() } else if b { g() } else { h() }\n}\n",
    },
    "nested-ternary": {
        "python": "x = 1 if a else 2 if b else 3\n",
        "javascript": "const x = a ? 1 : b ? 2 : 3;\n",
        "java": "class A { int f() { return a ? 1 : b ? 2 : 3; } }\n",
        "c": "int f(int a, int b) { return a ? 1 : b ? 2 : 3; }\n",
        "cpp": "int f(int a, int b) { return a ? 1 : b ? 2 : 3; }\n",
        "php": "<?php\n$x = $a ? 1 : ($b ? 2 : 3);\n",
    },
    "default-export": {
        "javascript": "export default function App() { return null; }\n",
    },
    "star-import": {
        "python": "from os import *\n",
        "javascript": "import * as fs from 'fs';\n",
        "java": "import java.util.*;\nclass A {}\n",
        "rust": "use std::io::*;\n",
    },
    "relative-import": {
        "python": "from .a import b\n",
        "javascript": "import a from './a';\n",
    },
    "bare-except": {
        "python": "try:\n    f()\nexcept:\n    g()\n",
        "ruby": "begin\n  f\nrescue => e\n  g\nend\n",
        "cpp": "void f() { try { g(); } catch (...) { h(); } }\n",
    },
    "broad-except": {
        "ruby": "begin\n  f\nrescue Exception => e\n  g\nend\n",
        "php": "<?php\ntry { f(); } catch (Exception $e) { g(); }\n",
        "cpp": "void f() { try { g(); } catch (const std::exception& e) { h(); } }\n",
        "python": "try:\n    f()\nexcept Exception:\n    g()\n",
        "java": "class A { void f() { try { g(); } catch (Exception e) { h(); } } }\n",
    },
    "swallowed-error": {
        "python": "try:\n    f()\nexcept ValueError:\n    pass\n",
        "javascript": "try { f(); } catch (e) { }\n",
        "java": "class A { void f() { try { g(); } catch (Exception e) { } } }\n",
        "go": "package a\n\nfunc f() {\n\tx, _ := g()\n\th(x)\n}\n",
        "cpp": "void f() { try { g(); } catch (...) { } }\n",
        "php": "<?php\ntry { f(); } catch (Exception $e) { }\n",
        "ruby": "begin\n  f\nrescue => e\n  nil\nend\n",
        "rust": "fn f() { let _ = g(); }\n",
    },
    "mutable-default": {
        "python": "def f(a, b=[]):\n    pass\n",
    },
    "global": {
        "python": "def f():\n    global x\n    x = 1\n",
        "javascript": "window.cache = {};\n",
    },
    "inline-style": {
        "javascript": "const a = <div style={{color: 'red'}}>x</div>;\n",
    },
    "arrow-function": {
        "javascript": "const f = (a) => a + 1;\n",
    },
    "function-keyword": {
        "javascript": "function f(a) { return a; }\n",
    },
    "then-chain": {
        "javascript": "fetch(x).then((r) => r.json());\n",
    },
    "var": {
        "javascript": "var x = 1;\n",
    },
    "loose-equality": {
        "javascript": "if (a == 1) f();\n",
    },
    "class": {
        "python": "class A:\n    pass\n",
        "javascript": "class A { f() {} }\n",
    },
    "enum": {
        "typescript": "enum E { A, B }\n",
    },
    "interface": {
        "typescript": "interface A { b: string }\n",
    },
    "type-alias": {
        "typescript": "type A = { b: string };\n",
    },
    "type-assertion": {
        "typescript": "const a = b as Foo;\n",
    },
    "non-null-assertion": {
        "typescript": "const a = b!.c;\n",
    },
    "for-each": {
        "javascript": "xs.forEach((x) => f(x));\n",
    },
    "lambda": {
        "python": "f = lambda x: x\n",
    },
    "assert": {
        "python": "assert x\n",
    },
    "string-format": {
        "python": "a = 'x %s' % b\n",
    },
    "os-path": {
        "python": "import os\na = os.path.join(b, c)\n",
    },
    "unsafe": {
        "rust": "fn f() { unsafe { g(); } }\n",
    },
    "unwrap": {
        "rust": "fn f() { a().unwrap(); }\n",
    },
    "panic": {
        "go": 'package a\n\nfunc f() {\n\tpanic("x")\n}\n',
        "rust": 'fn f() { panic!("x"); }\n',
    },
    "or-true": {
        "bash": "make build || true\n",
    },
    "init-function": {
        "go": "package a\n\nfunc init() {\n\tf()\n}\n",
    },
    "print": {
        "python": "print(x)\n",
        "javascript": "console.log(x);\n",
        "go": 'package a\n\nimport "fmt"\n\nfunc f() {\n\tfmt.Println(1)\n}\n',
        "java": "class A { void f() { System.out.println(1); } }\n",
        "ruby": 'puts "a"\n',
        "php": "<?php\nvar_dump($a);\n",
        "rust": 'fn f() { println!("a"); }\n',
        "c": 'void f() { printf("a"); }\n',
        "cpp": 'void f() { std::cout << "a"; }\n',
    },
    "print-to-stderr": {
        "python": "import sys\nprint(x, file=sys.stderr)\n",
        "javascript": "console.error(x);\n",
        "go": 'package a\n\nimport "os"\n\nfunc f() {\n\tos.Stderr.WriteString("a")\n}\n',
        "java": "class A { void f() { System.err.println(1); } }\n",
        "ruby": '$stderr.puts "a"\n',
        "rust": 'fn f() { eprintln!("a"); }\n',
    },
    "sleep-loop": {
        "python": "import time\nwhile True:\n    f()\n    time.sleep(1)\n",
        "javascript": "setInterval(f, 100);\n",
        "go": 'package a\n\nimport "time"\n\nfunc f() {\n\tfor {\n\t\tg()\n\t\ttime.Sleep(1)\n\t}\n}\n',
        "java": "class A { void f() { while (true) { g(); Thread.sleep(1); } } }\n",
    },
    "contains-assertion": {
        "python": "def test_a():\n    assert 'a' in f()\n",
        "javascript": "test('a', () => { expect(f()).toContain('a'); });\n",
        "go": 'package a\n\nfunc TestF(t *testing.T) {\n\tassert.Contains(t, f(), "a")\n}\n',
        "java": 'class ATest { void f() { assertTrue(g().contains("a")); } }\n',
        "php": "<?php\n$this->assertContains(1, $a);\n",
    },
    "test-double": {
        "python": "from unittest.mock import MagicMock\na = MagicMock()\n",
        "javascript": "jest.mock('./a');\n",
        "java": "class ATest { void f() { A a = mock(A.class); } }\n",
        "go": 'package a\n\nimport "go.uber.org/mock/gomock"\n\nfunc TestF(t T) {\n\tgomock.NewController(t)\n}\n',
        "php": "<?php\n$a = $this->createMock(A::class);\n",
    },
}
