"""``python -m rulec``."""

from rulec.cli import main

if __name__ == "__main__":
    main()
