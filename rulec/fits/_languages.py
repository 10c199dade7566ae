"""Names that everybody knows as those of one language, or of two."""

from rulec.language.terms import table

# Calls that everybody knows, where they are not of any object: in one language, or in two.
HOME: dict[str, tuple[str, ...]] = {
    "eval": ("python", "javascript"),
    "exec": ("python",),
    "alert": ("javascript",),
    "fetch": ("javascript",),
    "setTimeout": ("javascript",),
    "setInterval": ("javascript",),
    "dd": ("php",),
    "print_r": ("php",),
    "puts": ("ruby",),
    "Thread.sleep": ("java",),
    "System.exit": ("java",),
    "log.Fatal": ("go",),
    "console.log": ("javascript",),
    "console.error": ("javascript",),
    "console.warn": ("javascript",),
    "print": ("python",),
    "pprint": ("python",),
    "breakpoint": ("python",),
    "fmt.Println": ("go",),
    "fmt.Printf": ("go",),
    "System.out.println": ("java",),
    "println!": ("rust",),
    "dbg!": ("rust",),
    "var_dump": ("php",),
    "binding.pry": ("ruby",),
    "os.system": ("python",),
    "pdb.set_trace": ("python",),
    "document.write": ("javascript",),
    "time.sleep": ("python",),
    "os.path.join": ("python",),
    "os.path.exists": ("python",),
    "os.path.dirname": ("python",),
    "os.path.basename": ("python",),
    "os.getenv": ("python",),
    "datetime.now": ("python",),
    "datetime.utcnow": ("python",),
    "subprocess.call": ("python",),
    "subprocess.Popen": ("python",),
    "random.random": ("python",),
    "Math.random": ("javascript",),
    "Date.now": ("javascript",),
    "JSON.parse": ("javascript",),
    "log.Fatalf": ("go",),
    "os.Exit": ("go",),
    "ioutil.ReadAll": ("go",),
    "ioutil.ReadFile": ("go",),
}
# The first name of such calls: a small letter follows in Python and JavaScript, a capital one in Go.
_ROOTS = {
    "python": table("os sys time datetime subprocess random json pickle logging asyncio shutil re math pdb tempfile"),
    "javascript": table("console process document window localStorage Math JSON Object"),
}


def homes(name: str) -> tuple[str, ...]:
    """The languages in which everybody knows this name."""
    root, dot, rest = name.partition(".")
    known = tuple(language for language, roots in _ROOTS.items() if dot and root in roots and rest[:1].islower())
    return HOME.get(name, known)
