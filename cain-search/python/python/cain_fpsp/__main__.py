"""The command ``cain``: ``python -m cain_fpsp`` does the same."""

import sys

from ._native import run


def main() -> int:
    """Runs the command line."""
    return run(["cain", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
